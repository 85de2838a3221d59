/*
 * test/unit/tool/script.h - a caller whose operations answer what a test wrote
 * down, in order; what was asked and what was replied is kept.
 *
 * An operation answers when the tool has returned, as one that takes its time
 * does, and its result is gone behind that: what a tool wants to keep it copies.
 */
#ifndef DT_TEST_TOOL_SCRIPT_H
#define DT_TEST_TOOL_SCRIPT_H

#include "base/buf.h"
#include "tool/call.h"
#include "unit.h"

#include <stdlib.h>

/* The next operation must be `op`; it is answered with `result` or `fail`. */
struct step {
	const struct dt_operation *op;
	const void *result;
	enum dt_err fail;
	const char *sentence;
};

struct script {
	struct dt_caller caller; /* first: the caller is the script */
	struct dt_arena arena;   /* of one call */
	const struct step *steps;
	size_t next;
	struct dt_buf asked;   /* arguments of operations, as JSON lines */
	struct dt_buf replied; /* content, a line each */
	int ended;
	bool is_error;
	struct dt_call *call;
	/* Is answered in the next turn. */
	struct dt_answer *answer;
	const struct step *step;
};

static void script_perform(struct dt_caller *caller,
                           const struct dt_operation *op, const void *args,
                           struct dt_answer *answer)
{
	struct script *s = (struct script *)caller;
	const struct step *step = &s->steps[s->next++];
	struct dt_json_out out = dt_json_out(&s->asked);

	assert_non_null(s->steps);
	assert_non_null(step->op);
	assert_string_equal(op->name, step->op->name);
	dt_buf_add_z(&s->asked, op->name);
	if (args)
		dt_shape_write(&op->args, args, &out);
	dt_buf_add_z(&s->asked, "\n");
	s->answer = answer;
	s->step = step;
}

static void script_lend(struct dt_arena *arena, const struct dt_shape *shape,
                        void *at);

static struct dt_str script_lend_text(struct dt_arena *arena,
                                      struct dt_str text)
{
	if (text.ptr)
		text.ptr = dt_arena_strndup(arena, text.ptr, text.len);
	return text;
}

static void script_lend_names(struct dt_arena *arena, struct dt_names *names)
{
	const char **copy = dt_arena_alloc(arena, (names->count + 1) *
	                                                  sizeof(const char *));

	for (size_t i = 0; i < names->count; i++)
		copy[i] = dt_arena_strdup(arena, names->ptr[i]);
	names->ptr = copy;
}

static void script_lend_items(struct dt_arena *arena,
                              const struct dt_shape *shape,
                              struct dt_items *items)
{
	char *copy = dt_arena_alloc(arena, (items->count + 1) * shape->size);

	if (items->count)
		memcpy(copy, items->ptr, items->count * shape->size);
	for (size_t i = 0; i < items->count; i++)
		script_lend(arena, shape, copy + i * shape->size);
	items->ptr = copy;
}

/* What a struct points to, copied to where it does not stay. */
static void script_lend(struct dt_arena *arena, const struct dt_shape *shape,
                        void *at)
{
	for (const struct dt_field *f = shape->fields; f->name; f++) {
		void *member = (char *)at + f->offset;
		const char **name = member;
		struct dt_str *text = member;

		switch (f->type) {
		case DT_T_STR:
		case DT_T_RAW:
			*text = script_lend_text(arena, *text);
			break;
		case DT_T_NAME:
		case DT_T_PATH:
			*name = dt_arena_strdup(arena, *name);
			break;
		case DT_T_NAMES:
		case DT_T_PATHS:
			script_lend_names(arena, member);
			break;
		case DT_T_ITEMS:
			script_lend_items(arena, f->shape, member);
			break;
		case DT_T_OBJECT:
			script_lend(arena, f->shape, member);
			break;
		case DT_T_BOOL:
		case DT_T_U32:
		case DT_T_MAYBE_U32:
		case DT_T_I64:
		case DT_T_ENUM:
			break;
		}
	}
}

static void script_answer(struct script *s)
{
	const struct dt_shape *shape = &s->step->op->result;
	struct dt_answer *answer = s->answer;
	struct dt_arena arena = { 0 };
	void *lent = NULL;

	s->answer = NULL;
	if (s->step->fail) {
		dt_answer_failf(answer, s->step->fail, "%s", s->step->sentence);
		return;
	}
	if (s->step->result) {
		lent = dt_arena_alloc(&arena, shape->size);
		memcpy(lent, s->step->result, shape->size);
		script_lend(&arena, shape, lent);
	}
	dt_answer_end(answer, lent);
	dt_arena_done(&arena);
}

static enum dt_err script_allow(struct dt_caller *caller,
                                const struct dt_tool *tool,
                                struct dt_fail *fail)
{
	(void)caller;
	(void)tool;
	(void)fail;
	return DT_E_OK;
}

/* What an agent is told must be what the tool's table promises. */
static void script_check(const struct dt_call *call)
{
	struct dt_arena arena = { 0 };
	const struct dt_json *json = NULL;
	struct dt_fail fail = { 0 };
	void *value;

	assert_ok(dt_json_read(&arena, call->structured, &json, NULL));
	value = dt_arena_alloc(&arena, call->tool->result.size);
	if (dt_shape_read(&call->tool->result, &arena, json, value, &fail))
		fail_msg("%s: %s", call->tool->name, fail.msg);
	dt_arena_done(&arena);
}

static void script_on_end(struct dt_call *call,
                          const struct dt_content *content, bool is_error,
                          void *owner)
{
	static const char *const kinds[] = {
		[DT_CONTENT_TEXT] = "",
		[DT_CONTENT_RESOURCE] = "text ",
		[DT_CONTENT_BLOB] = "blob ",
		[DT_CONTENT_LINK] = "link ",
	};
	struct script *s = owner;

	s->ended++;
	s->is_error = is_error;
	if (!is_error && call->tool->result.size)
		script_check(call);
	for (; content; content = content->next) {
		dt_buf_add_z(&s->replied, kinds[content->kind]);
		if (content->uri)
			dt_buf_addf(&s->replied, "%s ", content->uri);
		if (content->name)
			dt_buf_addf(&s->replied, "%s ", content->name);
		if (content->mime)
			dt_buf_addf(&s->replied, "%s ", content->mime);
		if (content->text.ptr)
			dt_buf_add_str(&s->replied, content->text);
		dt_buf_add_z(&s->replied, "\n");
	}
	dt_arena_done(&s->arena);
}

static inline void script_begin(struct script *s)
{
	*s = (struct script){
		.caller = { .perform = script_perform, .allow = script_allow },
	};
	s->caller.loop = dt_loop_new();
	dt_buf_init(&s->asked, 1u << 20);
	dt_buf_init(&s->replied, 1u << 20);
}

static inline void script_end(struct script *s)
{
	dt_loop_run(s->caller.loop);
	dt_loop_free(s->caller.loop);
	dt_buf_done(&s->asked);
	dt_buf_done(&s->replied);
}

static inline const struct dt_tool *script_find(const struct dt_tool *tools,
                                                const char *name)
{
	while (strcmp(tools->name, name) != 0)
		tools++;
	return tools;
}

/* Call a tool; every step is used, and the reply is there. */
static inline void script_call(struct script *s, const struct dt_tool *tool,
                               const char *args, const struct step *steps)
{
	struct dt_call_spec spec = {
		.arena = &s->arena,
		.caller = &s->caller,
		.tool = tool,
		.on_end = script_on_end,
		.owner = s,
	};
	struct dt_fail fail = { 0 };

	s->steps = steps;
	s->next = 0;
	s->ended = 0;
	dt_buf_clear(&s->asked);
	dt_buf_clear(&s->replied);
	assert_ok(dt_json_read(&s->arena,
	                       dt_str(dt_arena_strdup(&s->arena, args)),
	                       &spec.args, NULL));
	if (dt_call_start(&spec, &s->call, &fail))
		fail_msg("%s", fail.msg);
	while (s->answer)
		script_answer(s);
	assert_int_equal(s->ended, 1);
	assert_true(!steps || !steps[s->next].op);
}

/* The whole reply: lines of content; a failure's sentence. */
#define assert_reply(s, text)                                                  \
	do {                                                                   \
		assert_false((s)->is_error);                                   \
		assert_string_equal(dt_buf_z(&(s)->replied), text);            \
	} while (0)
#define assert_failure(s, text)                                                \
	do {                                                                   \
		assert_true((s)->is_error);                                    \
		assert_string_equal(dt_buf_z(&(s)->replied), text);            \
	} while (0)
#define assert_asked(s, text) assert_string_equal(dt_buf_z(&(s)->asked), text)

#endif
