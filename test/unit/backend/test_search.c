/* test/unit/backend/test_search.c - the real ripgrep, and none: both find the
 * same. */
#include "backend/search.h"

#include "base/limits.h"
#include "base/tempdir.h"
#include "editor/search.h"
#include "loop/spawn.h"
#include "unit.h"

struct fixture {
	struct dt_world world;
	struct dt_documents docs;
	struct dt_editor *editor;
	struct dt_arena arena;
	const char *dir;
	bool has_ripgrep;
	const char *liar; /* in place of ripgrep; or NULL */

	struct dt_answer answer;
	const char *asker;
	int ended;
	struct dt_fail fail;
	char *found; /* "name:line:start-end text <before >after" a line */
	bool is_cut;
	const char *source;
};

static char **env_of(void *owner, const char *asker, struct dt_arena *arena)
{
	static char *env[] = { "PATH=/usr/bin:/bin", "HOME=/nonexistent",
		               "RIPGREP_CONFIG_PATH=/nonexistent", NULL };

	(void)asker;
	(void)owner;
	(void)arena;
	return env;
}

static const char *find_program(void *owner, const char *asker,
                                struct dt_arena *arena, const char *program)
{
	const struct fixture *f = owner;

	(void)asker;
	if (!strcmp(program, "rg") && f->liar)
		return f->liar;
	if (!strcmp(program, "rg") && !f->has_ripgrep)
		return NULL;
	return dt_spawn_find(arena, program, getenv("PATH"));
}

static bool may_leave(void *owner, const char *path)
{
	(void)owner;
	return !strstr(path, "/.env");
}

static void begin(struct fixture *f, void **state, bool has_ripgrep)
{
	const char *root;

	*f = (struct fixture){ .dir = *state, .has_ripgrep = has_ripgrep };
	if (has_ripgrep && !dt_spawn_find(&f->arena, "rg", getenv("PATH"))) {
		print_message("no ripgrep here: skipped\n");
		skip();
	}
	tempdir_mkdir(f->dir, "w");
	tempdir_mkdir(f->dir, "w/src");
	tempdir_mkdir(f->dir, "w/.git"); /* it does not make a repository */
	tempdir_put(f->dir, "w/src/a.c", "one\ntwo needle\nthree\nneedle\n");
	tempdir_put(f->dir, "w/src/b.py", "# Needle\r\n# \xc3\xa4 needle\r\n");
	tempdir_put(f->dir, "w/.env", "needle\nneedle\n");
	tempdir_put(f->dir, "w/.git/needle", "needle\n");
	tempdir_put(f->dir, "outside", "needle\n");
	root = dt_arena_printf(&f->arena, "%s/w", f->dir);
	dt_documents_init(&f->docs, &root, 1);
	f->world = (struct dt_world){
		.loop = dt_loop_new(),
		.docs = &f->docs,
		.owner = f,
		.env = env_of,
		.find = find_program,
		.may_leave = may_leave,
	};
	f->editor = dt_headless_new(&f->world);
	f->asker = "agent";
}

static void end(struct fixture *f)
{
	dt_loop_run(f->world.loop);
	f->editor->backend->free(f->editor);
	dt_documents_done(&f->docs);
	dt_loop_free(f->world.loop);
	dt_arena_done(&f->arena);
}

static void on_end(struct dt_answer *answer, const void *result,
                   const struct dt_fail *fail, void *owner)
{
	const struct dt_search_result *list = result;
	const struct dt_search_match *match;
	struct fixture *f = owner;
	struct dt_buf out;

	(void)answer;
	f->ended++;
	if (fail) {
		f->fail = *fail;
		return;
	}
	match = list->matches.ptr;
	dt_buf_init(&out, DT_MIB);
	for (size_t i = 0; i < list->matches.count; i++) {
		dt_buf_addf(&out, "%s:%u:%u-%u %.*s",
		            match[i].path + strlen(f->dir) + 1,
		            match[i].range.start.line,
		            match[i].range.start.character,
		            match[i].range.end.character,
		            DT_STR_ARG(match[i].text));
		for (size_t k = 0; k < match[i].before.count; k++)
			dt_buf_addf(&out, " <%s", match[i].before.ptr[k]);
		for (size_t k = 0; k < match[i].after.count; k++)
			dt_buf_addf(&out, " >%s", match[i].after.ptr[k]);
		dt_buf_add_z(&out, "\n");
	}
	f->found = dt_arena_strdup(&f->arena, dt_buf_z(&out));
	dt_buf_done(&out);
	f->is_cut = list->is_cut;
	f->source = list->source;
}

static void start(struct fixture *f, const struct dt_search_args *args)
{
	f->ended = 0;
	f->fail = (struct dt_fail){ 0 };
	dt_answer_init(&f->answer, on_end, f);
	f->answer.asker = f->asker;
	f->editor->backend->perform(f->editor, &dt_op_search, args, &f->answer);
}

static void search(struct fixture *f, const struct dt_search_args *args)
{
	start(f, args);
	dt_loop_run(f->world.loop);
	assert_int_equal(f->ended, 1);
}

#define NEEDLE .query = "needle", .is_case_sensitive = true

static void look_for_text(void **state, bool has_ripgrep)
{
	struct dt_search_args args = { NEEDLE, .context = 1 };
	struct fixture f;

	begin(&f, state, has_ripgrep);
	search(&f, &args);
	assert_string_equal(f.found,
	                    "w/src/a.c:1:4-10 two needle <one >three\n"
	                    "w/src/a.c:3:0-6 needle <three\n"
	                    "w/src/b.py:1:4-10 # \xc3\xa4 needle <# Needle\n");
	assert_false(f.is_cut);
	assert_string_equal(f.source, has_ripgrep ? "ripgrep" : "dovetail");
	args = (struct dt_search_args){ .query = "^. needle$",
		                        .is_regex = true };
	search(&f, &args);
	assert_string_equal(f.found, "w/src/b.py:0:0-8 # Needle\n");
	assert_string_equal(f.source, has_ripgrep ? "ripgrep" : "dovetail");
	end(&f);
}

test(ripgrep_finds_lines)
{
	look_for_text(state, true);
}

test(lines_are_found_without_ripgrep)
{
	look_for_text(state, false);
}

static void look_by_glob(void **state, bool has_ripgrep)
{
	struct dt_search_args args = { NEEDLE, .glob = "*.py" };
	struct fixture f;

	begin(&f, state, has_ripgrep);
	search(&f, &args);
	assert_string_equal(f.found, "w/src/b.py:1:4-10 # \xc3\xa4 needle\n");
	args.glob = "sr?/**/a.*";
	args.max = 1;
	search(&f, &args);
	assert_string_equal(f.found, "w/src/a.c:1:4-10 two needle\n");
	assert_true(f.is_cut);
	args.glob = "lib/*.c";
	search(&f, &args);
	assert_string_equal(f.found, "");
	assert_false(f.is_cut);
	end(&f);
}

test(ripgrep_looks_where_it_is_told)
{
	look_by_glob(state, true);
}

test(only_files_that_fit_are_looked_at)
{
	look_by_glob(state, false);
}

/* Nothing tells an agent that there is something; the person sees it. */
static void look_at_what_is_kept(void **state, bool has_ripgrep)
{
	struct dt_search_args args = { NEEDLE, .glob = ".env", .max = 1 };
	struct fixture f;

	begin(&f, state, has_ripgrep);
	search(&f, &args);
	assert_string_equal(f.found, "");
	assert_false(f.is_cut);
	/* Whoever asks: the gate would take it out again, and a hit that it
	 * takes out must not have been the last one that was wanted. */
	f.asker = NULL;
	search(&f, &args);
	assert_string_equal(f.found, "");
	assert_false(f.is_cut);
	end(&f);
}

test(ripgrep_tells_nothing_that_is_kept_from_agents)
{
	look_at_what_is_kept(state, true);
}

test(nothing_is_told_that_is_kept_from_agents)
{
	look_at_what_is_kept(state, false);
}

static void look_at_unsaved(void **state, bool has_ripgrep)
{
	struct dt_search_args args = { NEEDLE, .glob = "*.c", .context = 2 };
	struct dt_document *doc;
	struct fixture f;
	const char *path;

	begin(&f, state, has_ripgrep);
	path = dt_arena_printf(&f.arena, "%s/w/src/a.c", f.dir);
	assert_ok(dt_documents_open(&f.docs, path, &doc, NULL));
	dt_document_set_overlay(&f.docs, doc,
	                        DT_STR("0\n1\nneedle\n3\nneedle\n5\n6\n7\n8\n"
	                               "needle"));
	search(&f, &args);
	assert_string_equal(f.found, "w/src/a.c:2:0-6 needle <0 <1 >3 >needle\n"
	                             "w/src/a.c:4:0-6 needle <needle <3 >5 >6\n"
	                             "w/src/a.c:9:0-6 needle <7 <8\n");
	end(&f);
}

test(unsaved_text_comes_before_what_ripgrep_finds)
{
	look_at_unsaved(state, true);
}

test(unsaved_text_comes_before_the_disk)
{
	look_at_unsaved(state, false);
}

static void look_at_the_rest(void **state, bool has_ripgrep)
{
	struct dt_search_args args = { NEEDLE, .glob = "x*" };
	struct fixture f;
	char *path;
	FILE *file;

	begin(&f, state, has_ripgrep);
	path = dt_arena_printf(&f.arena, "%s/w/x1", f.dir);
	file = fopen(path, "w");
	assert_non_null(file);
	assert_int_equal(fwrite("needle\n\0\n", 1, 9, file), 9);
	fclose(file);
	tempdir_put(f.dir, "w/x2", "");
	tempdir_put(f.dir, "w/x3", "\xff needle\n");
	assert_int_equal(symlink("../outside",
	                         dt_arena_printf(&f.arena, "%s/w/x4", f.dir)),
	                 0);
	search(&f, &args);
	assert_string_equal(f.found, "w/x3:0:2-8 \xff needle\n");
	end(&f);
}

test(ripgrep_passes_over_what_is_no_text_or_outside)
{
	look_at_the_rest(state, true);
}

test(what_is_no_text_or_outside_is_passed_over)
{
	look_at_the_rest(state, false);
}

/* They are looked at in smaller batches; none is lost between two. */
test(files_of_long_lines_are_all_looked_at)
{
	struct dt_search_args args = { .query = "pin",
		                       .is_case_sensitive = true };
	size_t len = 9u * DT_MIB;
	char *text = dt_alloc(len + 1);
	const char *at;
	struct fixture f;
	size_t count = 0;

	memset(text, 'x', len);
	memcpy(text + len - 4, "pin\n", 4);
	begin(&f, state, false);
	tempdir_put(f.dir, "w/src/c", text);
	tempdir_put(f.dir, "w/src/d", text);
	tempdir_put(f.dir, "w/src/e", text);
	free(text);
	search(&f, &args);
	for (at = f.found; (at = strstr(at, "pin\n")); at++)
		count++;
	assert_int_equal(count, 3);
	assert_false(f.is_cut);
	end(&f);
}

test(what_ripgrep_does_not_understand_is_found_all_the_same)
{
	struct dt_search_args args = {
		.query = "(?<=two )needle",
		.is_regex = true,
		.is_case_sensitive = true,
	};
	struct fixture f;

	begin(&f, state, true);
	search(&f, &args);
	assert_string_equal(f.found, "w/src/a.c:1:4-10 two needle\n");
	assert_string_equal(f.source, "dovetail");
	end(&f);
}

test(what_cannot_be_looked_for_is_refused_at_once)
{
	static const struct dt_search_args bad[] = {
		{ .query = "" },
		{ .query = "a\nb" },
		{ .query = "(", .is_regex = true },
		{ .query = "a", .glob = "{" },
	};
	struct fixture f;

	begin(&f, state, false);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		start(&f, &bad[i]);
		assert_int_equal(f.ended, 1);
		assert_int_equal(f.fail.code, DT_E_ARGS);
	}
	end(&f);
}

static void drop(void **state, bool has_ripgrep)
{
	struct dt_search_args args = { NEEDLE };
	struct fixture f;

	begin(&f, state, has_ripgrep);
	start(&f, &args);
	dt_answer_drop(&f.answer);
	dt_loop_run(f.world.loop);
	assert_int_equal(f.ended, 0);
	end(&f);
}

test(ripgrep_can_be_dropped)
{
	drop(state, true);
}

test(a_search_without_it_can_be_dropped)
{
	drop(state, false);
}

/* What ripgrep would say if a link was swapped while it read: lines that are
 * not in the file, and lines of a file that a link leads to. */
test(what_ripgrep_says_is_held_against_the_file)
{
	static const char script[] =
		"#!/bin/sh\n"
		"for name in src/a.c src/b.py link gone; do\n"
		"cat <<END\n"
		"{\"type\":\"match\",\"data\":{\"lines\":{\"text\":"
		"\"two needle\\\\n\"},\"line_number\":2,"
		"\"absolute_offset\":4,\"submatches\":[{\"start\":4,"
		"\"end\":10}]}}\n"
		"{\"type\":\"end\",\"data\":{\"path\":{\"text\":"
		"\"$W/$name\"},\"binary_offset\":null}}\n"
		"END\n"
		"done\n"
		"echo '{\"type\":\"summary\"}'\n";
	struct dt_search_args args = { NEEDLE };
	struct fixture f;
	struct dt_buf text;

	begin(&f, state, false);
	dt_buf_init(&text, DT_MIB);
	dt_buf_addf(&text, "#!/bin/sh\nW='%s/w'\n%s", f.dir, script);
	tempdir_put(f.dir, "liar", dt_buf_z(&text));
	dt_buf_done(&text);
	f.liar = dt_arena_printf(&f.arena, "%s/liar", f.dir);
	assert_int_equal(chmod(f.liar, 0700), 0);
	tempdir_put(f.dir, "w/.env", "one\ntwo needle\n");
	tempdir_link(f.dir, "w/link", ".env");
	search(&f, &args);
	assert_string_equal(f.source, "ripgrep");
	assert_string_equal(f.found, "w/src/a.c:1:4-10 two needle\n"
	                             "w/src/b.py:1:4-10 # \xc3\xa4 needle\n");
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_tempdir(ripgrep_finds_lines),
		test_in_tempdir(lines_are_found_without_ripgrep),
		test_in_tempdir(ripgrep_looks_where_it_is_told),
		test_in_tempdir(only_files_that_fit_are_looked_at),
		test_in_tempdir(ripgrep_tells_nothing_that_is_kept_from_agents),
		test_in_tempdir(nothing_is_told_that_is_kept_from_agents),
		test_in_tempdir(unsaved_text_comes_before_what_ripgrep_finds),
		test_in_tempdir(unsaved_text_comes_before_the_disk),
		test_in_tempdir(ripgrep_passes_over_what_is_no_text_or_outside),
		test_in_tempdir(what_is_no_text_or_outside_is_passed_over),
		test_in_tempdir(files_of_long_lines_are_all_looked_at),
		test_in_tempdir(
			what_ripgrep_does_not_understand_is_found_all_the_same),
		test_in_tempdir(what_cannot_be_looked_for_is_refused_at_once),
		test_in_tempdir(what_ripgrep_says_is_held_against_the_file),
		test_in_tempdir(ripgrep_can_be_dropped),
		test_in_tempdir(a_search_without_it_can_be_dropped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
