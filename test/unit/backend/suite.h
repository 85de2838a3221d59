/*
 * test/unit/backend/suite.h - what every backend must do, over the table.
 *
 * Each operation that an editor says it can do is performed once with all fields
 * set.  The arguments are gone as soon as perform() returns and lie in memory of
 * the exact size, so under a sanitizer a backend that keeps them, or takes them
 * for another struct, ends the test.
 */
#ifndef DT_TEST_BACKEND_SUITE_H
#define DT_TEST_BACKEND_SUITE_H

#include "editor/backend.h"
#include "editor/fill.h"
#include "unit.h"

struct suite {
	struct dt_editor *editor;
	const char *path;            /* for every path in the arguments */
	void (*settle)(void *owner); /* until the answer ended; or NULL */
	void *owner;
	const struct dt_operation *op; /* under way */
	int ended;
	int failed; /* of all */
	int done;
};

/* A result can be sent and read back, with all that is required. */
static void suite_check_result(const struct dt_shape *shape, const void *result)
{
	struct dt_arena arena = { 0 };
	const struct dt_json *json = NULL;
	struct dt_fail fail = { 0 };
	void *again;
	char *text;

	if (!shape->size)
		return;
	assert_non_null(result);
	text = fill_text(shape, result);
	assert_ok(dt_json_read(&arena, dt_str(text), &json, NULL));
	again = dt_arena_alloc(&arena, shape->size);
	if (dt_shape_read(shape, &arena, json, again, &fail))
		fail_msg("%s: %s", text, fail.msg);
	free(text);
	dt_arena_done(&arena);
}

static void suite_on_end(struct dt_answer *answer, const void *result,
                         const struct dt_fail *fail, void *owner)
{
	struct suite *suite = owner;

	(void)answer;
	suite->ended++;
	if (!fail) {
		suite_check_result(&suite->op->result, result);
		suite->done++;
		return;
	}
	suite->failed++;
	assert_int_not_equal(fail->code, DT_E_OK);
	assert_true(fail->msg[0]);
}

static void suite_perform(struct suite *suite, const struct dt_operation *op)
{
	struct dt_arena arena = { 0 };
	void *args = fill_struct(&arena, &op->args, suite->path);
	struct dt_answer answer;

	suite->op = op;
	suite->ended = 0;
	dt_answer_init(&answer, suite_on_end, suite);
	suite->editor->backend->perform(suite->editor, op, args, &answer);
	free(args);
	dt_arena_done(&arena);
	if (suite->settle)
		suite->settle(suite->owner);
	if (suite->ended != 1)
		fail_msg("%s ended %d times", op->name, suite->ended);
}

/* Every operation once; some must have come to something. */
static inline void suite_run(struct suite *suite)
{
	assert_true(suite->editor->backend->name[0]);
	suite->failed = 0;
	suite->done = 0;
	for (unsigned i = 0; i < DT_OP_COUNT; i++) {
		if (suite->editor->can[i])
			suite_perform(suite, dt_operations[i]);
	}
	assert_true(suite->done > 0);
}

#endif
