/*
 * test/programs/backend_suite.c - one suite for every backend: operations and what must
 * come of them.
 *
 *	backend-suite ROOT CASES...
 *
 * A case is a line of JSON: what to perform and what the result must have.
 *	{"op":"goToDefinition","args":{...},"expect":{...},"fails":"...",
 *	 "unsaved":{"path":"...","from":"...","to":"..."},"name":"..."}
 * "$/" is the root.  A result may have more members than are expected, an array
 * no other number of items.  A position is written "LINE:COLUMN" and a range
 * "LINE:COLUMN-LINE:COLUMN", from 0; a text that begins with "~" must be
 * contained.  "unsaved" first changes a text that is then not saved.
 *
 * Operations are performed through struct dt_editor alone, so that whoever
 * attaches an editor runs the same cases: open_backend() is all that is ours.
 */
#include "backend/headless.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/path.h"
#include "editor/operation.h"
#include "hub/config.h"
#include "loop/spawn.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* the editor that is tested */

struct backend {
	struct dt_loop *loop;
	struct dt_documents docs;
	struct dt_config *config;
	struct dt_editor *editor;
};

static char **env_of(void *owner, const char *asker, struct dt_arena *arena)
{
	(void)asker;
	(void)owner;
	(void)arena;
	return environ;
}

static const char *find(void *owner, const char *asker, struct dt_arena *arena,
                        const char *program)
{
	(void)asker;
	(void)owner;
	return dt_spawn_find(arena, program, getenv("PATH"));
}

/* BACKEND_OFF switches servers off, for tests of those behind them. */
static const char *setting(void *owner, const char *key)
{
	if (!strcmp(key, "lsp.off") && getenv("BACKEND_OFF"))
		return getenv("BACKEND_OFF");
	return dt_config_get(((struct backend *)owner)->config, key);
}

static void open_backend(struct backend *b, const char *root)
{
	struct dt_world world = {
		.docs = &b->docs,
		.owner = b,
		.env = env_of,
		.find = find,
		.setting = setting,
	};

	b->loop = dt_loop_new();
	b->config = dt_config_new();
	dt_documents_init(&b->docs, (const char *[]){ root }, 1);
	world.loop = b->loop;
	b->editor = dt_headless_new(&world);
}

static void close_backend(struct backend *b)
{
	b->editor->backend->free(b->editor);
	dt_loop_run(b->loop); /* to its end */
	dt_loop_free(b->loop);
	dt_documents_done(&b->docs);
	dt_config_free(b->config);
}

static bool set_unsaved(struct backend *b, const char *path, const char *text,
                        struct dt_fail *fail)
{
	struct dt_document *doc;

	if (dt_documents_open(&b->docs, path, &doc, fail))
		return false;
	dt_document_set_overlay(&b->docs, doc, dt_str(text));
	return true;
}

/* cases */

struct check {
	struct backend *backend;
	struct dt_arena arena;
	const struct dt_operation *op;
	struct dt_answer answer;
	char *told; /* the result as JSON; NULL: it failed */
	struct dt_fail fail;
	bool has_ended;
	struct dt_buf why; /* what is not as expected */
};

static const char *text_of(struct check *c, const struct dt_json *json)
{
	struct dt_str text = { 0 };

	if (!json || json->type != DT_JSON_STRING)
		return NULL;
	text = dt_json_text(&c->arena, json);
	return dt_arena_strndup(&c->arena, text.ptr, text.len);
}

static const char *position_text(struct check *c, const struct dt_json *json)
{
	const struct dt_json *line = dt_json_get(json, "line");
	const struct dt_json *character = dt_json_get(json, "character");

	if (!line || !character)
		return NULL;
	return dt_arena_printf(&c->arena, "%.*s:%.*s", DT_STR_ARG(line->raw),
	                       DT_STR_ARG(character->raw));
}

/* A place as cases write it, or NULL. */
static const char *place_text(struct check *c, const struct dt_json *json)
{
	const char *start = position_text(c, dt_json_get(json, "start"));
	const char *end = position_text(c, dt_json_get(json, "end"));

	if (start && end)
		return dt_arena_printf(&c->arena, "%s-%s", start, end);
	return position_text(c, json);
}

static void compare(struct check *c, const char *where,
                    const struct dt_json *is, const struct dt_json *wanted);

static void compare_text(struct check *c, const char *where,
                         const struct dt_json *is, const char *wanted)
{
	const char *text = place_text(c, is);
	bool fits;

	if (!text)
		text = text_of(c, is);
	fits = text && (wanted[0] == '~' ? strstr(text, wanted + 1) != NULL
	                                 : !strcmp(text, wanted));
	if (!fits)
		dt_buf_addf(&c->why, "\n    %s: %s, not %s", where,
		            text ? text : "nothing", wanted);
}

static void compare_items(struct check *c, const char *where,
                          const struct dt_json *is,
                          const struct dt_json *wanted)
{
	const struct dt_json *item = dt_json_first(is);
	unsigned n = 0;

	if (is->type != DT_JSON_ARRAY || is->count != wanted->count) {
		dt_buf_addf(&c->why, "\n    %s: %u items, not %u", where,
		            is->count, wanted->count);
		return;
	}
	dt_json_each(one, wanted) {
		compare(c, dt_arena_printf(&c->arena, "%s[%u]", where, n++),
		        item, one);
		item = dt_json_next(is, item);
	}
}

static void compare(struct check *c, const char *where,
                    const struct dt_json *is, const struct dt_json *wanted)
{
	if (!is) {
		dt_buf_addf(&c->why, "\n    %s: is not there", where);
	} else if (wanted->type == DT_JSON_STRING) {
		compare_text(c, where, is, text_of(c, wanted));
	} else if (wanted->type == DT_JSON_ARRAY) {
		compare_items(c, where, is, wanted);
	} else if (wanted->type == DT_JSON_OBJECT) {
		dt_json_each(key, wanted) {
			struct dt_str text = dt_json_text(&c->arena, key);
			const char *name =
				dt_arena_strndup(&c->arena, text.ptr, text.len);

			compare(c,
			        dt_arena_printf(&c->arena, "%s.%s", where,
			                        name),
			        dt_json_get(is, name), dt_json_value(key));
		}
	} else if (!dt_str_eq(is->raw, wanted->raw)) {
		dt_buf_addf(&c->why, "\n    %s: %.*s, not %.*s", where,
		            DT_STR_ARG(is->raw), DT_STR_ARG(wanted->raw));
	}
}

static void on_end(struct dt_answer *answer, const void *result,
                   const struct dt_fail *fail, void *owner)
{
	struct check *c = owner;
	struct dt_json_out out;
	struct dt_buf text;

	(void)answer;
	c->has_ended = true;
	if (fail) {
		c->fail = *fail;
	} else {
		dt_buf_init(&text, DT_LIMIT_MESSAGE);
		out = dt_json_out(&text);
		dt_shape_write(&c->op->result, result, &out);
		c->told = dt_arena_strdup(&c->arena, dt_buf_z(&text));
		dt_buf_done(&text);
	}
	dt_loop_stop(c->backend->loop);
}

static bool find_operation(struct check *c, const char *name)
{
	for (unsigned i = 0; i < DT_OP_COUNT; i++) {
		if (name && !strcmp(dt_operations[i]->name, name))
			c->op = dt_operations[i];
	}
	if (!c->op)
		dt_buf_addf(&c->why, "\n    there is no such operation");
	return c->op != NULL;
}

/* The text of the file with one piece replaced, not saved. */
static bool change(struct check *c, const struct dt_json *unsaved)
{
	const char *path = text_of(c, dt_json_get(unsaved, "path"));
	const char *from = text_of(c, dt_json_get(unsaved, "from"));
	const char *to = text_of(c, dt_json_get(unsaved, "to"));
	struct dt_fail fail = { 0 };
	struct dt_buf text;
	const char *at;
	bool is_set = false;

	dt_buf_init(&text, DT_LIMIT_FILE);
	if (!dt_file_read(path, &text, &fail)) {
		at = strstr(dt_buf_z(&text), from);
		if (at)
			is_set = set_unsaved(
				c->backend, path,
				dt_arena_printf(&c->arena, "%.*s%s%s",
			                        (int)(at - dt_buf_z(&text)),
			                        dt_buf_z(&text), to,
			                        at + strlen(from)),
				&fail);
	}
	dt_buf_done(&text);
	if (!is_set)
		dt_buf_addf(&c->why, "\n    unsaved: %s", fail.msg);
	return is_set;
}

static bool perform(struct check *c, const struct dt_json *json)
{
	struct dt_fail fail = { 0 };
	void *args;

	if (!c->backend->editor->can[c->op->index]) {
		dt_buf_addf(&c->why, "\n    this editor cannot");
		return false;
	}
	args = dt_arena_alloc(&c->arena, c->op->args.size + 1);
	if (dt_shape_read(&c->op->args, &c->arena, json, args, &fail)) {
		dt_buf_addf(&c->why, "\n    args: %s", fail.msg);
		return false;
	}
	dt_answer_init(&c->answer, on_end, c);
	c->backend->editor->backend->perform(c->backend->editor, c->op, args,
	                                     &c->answer);
	while (!c->has_ended)
		dt_loop_run(c->backend->loop);
	return true;
}

static void check_failure(struct check *c, const char *wanted)
{
	if (c->told)
		dt_buf_addf(&c->why, "\n    it did not fail: %s", c->told);
	else if (!strstr(c->fail.msg, wanted))
		dt_buf_addf(&c->why, "\n    it failed otherwise: %s",
		            c->fail.msg);
}

static void check_result(struct check *c, const struct dt_json *wanted)
{
	const struct dt_json *is = NULL;

	if (!c->told) {
		dt_buf_addf(&c->why, "\n    it failed: %s", c->fail.msg);
		return;
	}
	if (dt_json_read(&c->arena, dt_str(c->told), &is, NULL))
		abort();
	compare(c, "result", is, wanted);
	if (c->why.len > 0)
		dt_buf_addf(&c->why, "\n    all: %s", c->told);
}

/* "$/" becomes the root and a slash. */
static struct dt_str with_root(struct dt_arena *arena, struct dt_str line,
                               const char *root)
{
	struct dt_buf text;
	struct dt_str done;

	dt_buf_init(&text, DT_LIMIT_MESSAGE);
	for (size_t i = 0; i < line.len; i++) {
		if (line.ptr[i] == '$' && i + 1 < line.len &&
		    line.ptr[i + 1] == '/')
			dt_buf_add_z(&text, root);
		else
			dt_buf_add_char(&text, line.ptr[i]);
	}
	done = (struct dt_str){
		dt_arena_strndup(arena, dt_buf_z(&text), text.len), text.len
	};
	dt_buf_done(&text);
	return done;
}

static bool run_case(struct backend *b, const char *file, struct dt_str line,
                     const char *root)
{
	struct check c = { .backend = b };
	const struct dt_json *json = NULL;
	const struct dt_json *fails;
	const char *name;
	struct dt_fail fail = { 0 };
	bool is_good;

	dt_buf_init(&c.why, DT_LIMIT_MESSAGE);
	if (dt_json_read(&c.arena, with_root(&c.arena, line, root), &json,
	                 &fail)) {
		printf("not ok %s: %s\n", file, fail.msg);
		dt_arena_done(&c.arena);
		return false;
	}
	name = text_of(&c, dt_json_get(json, "name"));
	fails = dt_json_get(json, "fails");
	if (find_operation(&c, text_of(&c, dt_json_get(json, "op"))) &&
	    (!dt_json_get(json, "unsaved") ||
	     change(&c, dt_json_get(json, "unsaved"))) &&
	    perform(&c, dt_json_get(json, "args"))) {
		if (fails)
			check_failure(&c, text_of(&c, fails));
		else
			check_result(&c, dt_json_get(json, "expect"));
	}
	is_good = c.why.len == 0;
	printf("%s %s %s%s%s%s\n", is_good ? "ok" : "not ok",
	       dt_path_base(file), c.op ? c.op->name : "?", name ? ", " : "",
	       name ? name : "", is_good ? "" : ":");
	if (!is_good)
		printf("%s\n", dt_buf_z(&c.why) + 1);
	fflush(stdout);
	dt_buf_done(&c.why);
	dt_arena_done(&c.arena);
	return is_good;
}

int main(int argc, char **argv)
{
	struct dt_arena arena = { 0 };
	struct backend b;
	struct dt_fail fail = { 0 };
	const char *root;
	bool is_good = true;

	if (argc < 3 || dt_path_real(&arena, argv[1], &root, &fail)) {
		fprintf(stderr, "usage: backend-suite ROOT CASES... %s\n",
		        fail.msg);
		return 2;
	}
	open_backend(&b, root);
	for (int i = 2; i < argc; i++) {
		struct dt_buf text;
		struct dt_str rest;

		dt_buf_init(&text, DT_LIMIT_FILE);
		if (dt_file_read(argv[i], &text, &fail)) {
			fprintf(stderr, "%s\n", fail.msg);
			return 2;
		}
		rest = dt_buf_str(&text);
		while (rest.len > 0) {
			struct dt_str line = dt_str_cut(&rest, '\n');

			if (line.len > 0 && line.ptr[0] == '{')
				is_good &= run_case(&b, argv[i], line, root);
		}
		dt_buf_done(&text);
	}
	close_backend(&b);
	dt_arena_done(&arena);
	return is_good ? 0 : 1;
}
