/*
 * test/unit/tool/test_edit_tools.c - what is refused before anybody is asked,
 * and that every way through ends once.  What becomes of a proposal is shown with
 * a real inbox in test/unit/hub/test_propose.c.
 */
#include "tool/edit_tools.h"

#include "tool/fixture.h"
#include "unit.h"

enum { PROPOSE, GET };

static void refuses(const char *args, const char *sentence)
{
	struct fixture f;

	begin(&f);
	if (start(&f, &dt_tools_edit.tools[PROPOSE], args)) {
		assert_string_equal(f.fail.msg, sentence);
	} else {
		assert_int_equal(f.ended, 1);
		assert_true(f.is_error);
		assert_string_equal(f.first, sentence);
	}
	assert_int_equal(f.performed, 0);
	end(&f);
}

test(what_says_too_little_is_refused_before_anybody_is_asked)
{
	refuses("{}", "changes: missing");
	refuses("{\"changes\":[{}]}", "changes[0].path: missing");
	refuses("{\"changes\":[{\"path\":\"/w/a\",\"text\":\"x\"},"
	        "{\"path\":\"/w/b\"}]}",
	        "changes[1]: give text or edits");
	refuses("{\"changes\":[{\"path\":\"/w/a\",\"kind\":\"create\"}]}",
	        "changes[0]: give text or edits");
	refuses("{\"changes\":[{\"path\":\"/w/a\",\"kind\":\"rename\"}]}",
	        "changes[0].newPath: missing");
	refuses("{\"changes\":[{\"path\":\"/w/a\",\"edits\":[{\"oldText\":"
	        "\"a\"}]}]}",
	        "changes[0].edits[0].newText: missing");
}

/* With every field set, as whoever answers in the fixture does, too. */
static void run_filled(unsigned tool, enum how how)
{
	const struct dt_tool *t = &dt_tools_edit.tools[tool];
	struct fixture f;

	begin(&f);
	f.how = how;
	assert_ok(start_json(&f, t, fill_json(&f.arena, &t->args, "/w/a.c"),
	                     NULL));
	assert_true(f.performed > 0);
	if (how == HOLDS) {
		assert_int_equal(f.ended, 0);
		dt_call_drop(f.call);
		assert_int_equal(f.dropped, 1);
	} else {
		assert_int_equal(f.ended, 1);
		assert_int_equal(f.is_error, how == REFUSES);
	}
	if (how == ANSWERS)
		assert_memory_equal(f.first, "{\"verdict\":\"waiting\"", 20);
	end(&f);
}

test(every_way_through_ends_once)
{
	for (unsigned tool = PROPOSE; tool <= GET; tool++) {
		run_filled(tool, ANSWERS);
		run_filled(tool, REFUSES);
		run_filled(tool, HOLDS);
	}
}

/* A caller that notes what it is asked. */

static struct {
	char ops[256];
	char changes[256];
} noted;

static void note_perform(struct dt_caller *caller,
                         const struct dt_operation *op, const void *args,
                         struct dt_answer *answer)
{
	if (noted.ops[0])
		strncat(noted.ops, " ", 2);
	strncat(noted.ops, op->name, 32);
	if (op == &dt_op_submit_review) {
		const struct dt_submit_args *wanted = args;
		const struct dt_change *c = wanted->proposal.changes.ptr;

		for (size_t i = 0; i < wanted->proposal.changes.count; i++)
			snprintf(noted.changes + strlen(noted.changes), 64,
			         "%s:%s:%s ", dt_change_kinds[c[i].kind],
			         c[i].path, c[i].new_path ? c[i].new_path : "");
		snprintf(noted.changes + strlen(noted.changes), 64, "%s",
		         wanted->proposal.title);
	}
	perform(caller, op, args, answer);
}

static void propose(struct fixture *f, const char *args)
{
	noted.ops[0] = noted.changes[0] = '\0';
	begin(f);
	f->caller.perform = note_perform;
	assert_ok(start(f, &dt_tools_edit.tools[PROPOSE], args));
	assert_int_equal(f->ended, 1);
}

test(a_change_is_submitted_and_awaited)
{
	struct fixture f;

	propose(&f, "{\"changes\":[{\"path\":\"/w/./a\",\"text\":\"\"}]}");
	assert_string_equal(noted.ops, "getFolders submitReview awaitReview");
	assert_string_equal(noted.changes, "change:/w/a: a");
	end(&f);
	propose(&f, "{\"changes\":[{\"path\":\"/w/a\",\"newPath\":\"/w//b\"},"
	            "{\"path\":\"/w/c\",\"kind\":\"delete\"}]}");
	assert_string_equal(noted.changes,
	                    "rename:/w/a:/w/b delete:/w/c: a and 1 more");
	end(&f);
	propose(&f, "{\"changes\":[{\"path\":\"/w/a\",\"text\":\"\"}],"
	            "\"title\":\"T\"}");
	assert_string_equal(noted.changes, "change:/w/a: T");
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			what_says_too_little_is_refused_before_anybody_is_asked),
		cmocka_unit_test(every_way_through_ends_once),
		cmocka_unit_test(a_change_is_submitted_and_awaited),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
