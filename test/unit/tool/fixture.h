/* test/unit/tool/fixture.h - a caller whose operations do as a test says. */
#ifndef DT_TEST_TOOL_FIXTURE_H
#define DT_TEST_TOOL_FIXTURE_H

#include "editor/fill.h"
#include "tool/call.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>

enum how {
	ANSWERS, /* with every field of the result set */
	REFUSES,
	HOLDS, /* the answer for later */
};

struct fixture {
	struct dt_caller caller; /* first: the caller is the fixture */
	struct dt_arena arena;   /* the call's */
	struct dt_call *call;
	struct dt_fail fail; /* of starting */

	enum how how;
	bool is_denied;
	bool keeps_memory; /* after the end */
	int asked;         /* policy */
	int performed;
	struct dt_answer *held;
	int dropped;

	int ran;
	int ended;
	bool is_error;
	size_t count; /* pieces of the reply */
	char first[512];
	char second[512];
};

static inline void on_drop(struct dt_answer *answer, void *performer)
{
	struct fixture *f = performer;

	assert_ptr_equal(answer, f->held);
	f->held = NULL;
	f->dropped++;
}

static inline void perform(struct dt_caller *caller,
                           const struct dt_operation *op, const void *args,
                           struct dt_answer *answer)
{
	struct fixture *f = (struct fixture *)caller;
	struct dt_arena arena = { 0 };
	void *result;

	(void)args;
	f->performed++;
	if (f->how == REFUSES) {
		dt_answer_failf(answer, DT_E_UNSUPPORTED, "nobody can");
		return;
	}
	if (f->how == HOLDS) {
		f->held = answer;
		answer->on_drop = on_drop;
		answer->performer = f;
		return;
	}
	result = fill_struct(&arena, &op->result, "/w/a.c");
	dt_answer_end(answer, result);
	free(result);
	dt_arena_done(&arena);
}

static inline enum dt_err allow(struct dt_caller *caller,
                                const struct dt_tool *tool,
                                struct dt_fail *fail)
{
	struct fixture *f = (struct fixture *)caller;

	f->asked++;
	if (f->is_denied)
		return dt_fail(fail, DT_E_DENIED, "%s is not allowed",
		               tool->name);
	return DT_E_OK;
}

static inline void copy_text(char *out, size_t size, struct dt_str text)
{
	snprintf(out, size, "%.*s", (int)(text.len < 500 ? text.len : 500),
	         text.len ? text.ptr : "");
}

static inline void on_end(struct dt_call *call,
                          const struct dt_content *content, bool is_error,
                          void *owner)
{
	struct fixture *f = owner;

	assert_ptr_equal(call->caller, &f->caller);
	f->ended++;
	f->is_error = is_error;
	f->count = 0;
	for (; content; content = content->next) {
		if (f->count == 0)
			copy_text(f->first, sizeof(f->first), content->text);
		if (f->count == 1)
			copy_text(f->second, sizeof(f->second), content->text);
		f->count++;
	}
	if (!f->keeps_memory)
		dt_arena_done(&f->arena);
}

static inline void begin(struct fixture *f)
{
	*f = (struct fixture){
		.caller = { .perform = perform, .allow = allow },
	};
	f->caller.loop = dt_loop_new();
}

static inline void end(struct fixture *f)
{
	dt_arena_done(&f->arena);
	dt_loop_run(f->caller.loop);
	dt_loop_free(f->caller.loop);
}

static inline enum dt_err start_json(struct fixture *f,
                                     const struct dt_tool *tool,
                                     const struct dt_json *args, void *agent)
{
	struct dt_call_spec spec = {
		.arena = &f->arena,
		.caller = &f->caller,
		.tool = tool,
		.args = args,
		.agent = agent,
		.on_end = on_end,
		.owner = f,
	};

	f->call = NULL;
	f->fail = (struct dt_fail){ 0 };
	return dt_call_start(&spec, &f->call, &f->fail);
}

/* `text` may be NULL: no arguments at all. */
static inline enum dt_err start(struct fixture *f, const struct dt_tool *tool,
                                const char *text)
{
	const struct dt_json *json = NULL;

	if (text)
		assert_ok(dt_json_read(&f->arena,
		                       dt_str(dt_arena_strdup(&f->arena, text)),
		                       &json, NULL));
	return start_json(f, tool, json, f);
}

#endif
