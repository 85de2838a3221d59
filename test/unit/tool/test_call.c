/*
 * test/unit/tool/test_call.c - from arguments to exactly one reply.
 *
 * Whoever is told the end frees all of the call's memory there, so a sanitizer
 * sees whatever is touched after.
 */
#include "tool/call.h"

#include "abort.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "tool/fixture.h"
#include "unit.h"

#include <stdlib.h>

/* A tool that does what a test tells it. */

struct args {
	struct dt_str name;
	struct dt_str text;
	uint32_t line;
};

static const struct dt_field fields[] = {
	DT_FIELD(struct args, name, STR, DT_REQ, "Its name."),
	DT_FIELD(struct args, text, STR, DT_BIG, "A file's text."),
	DT_FIELD(struct args, line, U32, 0, "A line.", .def = "7"),
	DT_FIELD_END,
};
static const struct dt_shape shape = DT_SHAPE(struct args, fields);

static void (*script)(struct dt_call *call, const struct args *args);

static void run_script(struct dt_call *call, const void *args)
{
	struct fixture *f = call->agent;

	f->ran++;
	assert_ptr_equal(call->args, args);
	script(call, args);
}

static const struct dt_tool scripted = {
	.name = "scripted",
	.args = DT_SHAPE(struct args, fields),
	.run = run_script,
};

static const struct dt_tool hurried = {
	.name = "hurried",
	.args = DT_SHAPE(struct args, fields),
	.deadline_ms = 1,
	.run = run_script,
};

static void run(struct fixture *f, const struct dt_tool *tool,
                void (*fn)(struct dt_call *call, const struct args *args))
{
	script = fn;
	assert_ok(start(f, tool, "{\"name\":\"n\"}"));
}

/* replies */

static void reply_with_name(struct dt_call *call, const struct args *args)
{
	assert_int_equal(args->line, 7);
	assert_null(args->text.ptr);
	dt_call_add(call, args->name);
	dt_call_add(call, DT_STR("second"));
	dt_call_reply(call);
}

test(a_tool_gets_its_arguments_and_replies)
{
	struct fixture f;

	begin(&f);
	run(&f, &scripted, reply_with_name);
	assert_int_equal(f.ran, 1);
	assert_int_equal(f.asked, 1);
	assert_int_equal(f.ended, 1);
	assert_false(f.is_error);
	assert_int_equal(f.count, 2);
	assert_string_equal(f.first, "n");
	assert_string_equal(f.second, "second");
	end(&f);
}

static void reply_nothing(struct dt_call *call, const struct args *args)
{
	(void)args;
	dt_call_reply(call);
}

test(a_reply_may_be_empty)
{
	struct fixture f;

	begin(&f);
	run(&f, &scripted, reply_nothing);
	assert_int_equal(f.ended, 1);
	assert_false(f.is_error);
	assert_int_equal(f.count, 0);
	end(&f);
}

static void reply_ok(struct dt_call *call, const struct args *args)
{
	(void)args;
	dt_call_reply_text(call, "OK");
}

test(a_deadline_ends_with_the_reply)
{
	struct fixture f;

	begin(&f);
	run(&f, &hurried, reply_ok);
	assert_string_equal(f.first, "OK");
	dt_loop_run(f.caller.loop);
	assert_int_equal(f.ended, 1);
	end(&f);
}

static void reply_args(struct dt_call *call, const struct args *args)
{
	dt_call_add_shape(call, &shape, args);
	dt_call_reply(call);
}

test(a_struct_is_replied_as_json)
{
	struct fixture f;

	begin(&f);
	run(&f, &scripted, reply_args);
	assert_int_equal(f.count, 1);
	assert_string_equal(f.first,
	                    "{\"name\":\"n\",\"text\":null,\"line\":7}");
	end(&f);
}

static char *huge; /* DT_LIMIT_MESSAGE bytes */

static void reply_huge(struct dt_call *call, const struct args *args)
{
	struct args value = *args;

	dt_call_add(call, DT_STR("before"));
	value.text = (struct dt_str){ huge, DT_LIMIT_MESSAGE };
	dt_call_add_shape(call, &shape, &value);
	dt_call_reply_text(call, "after");
}

test(a_reply_that_does_not_fit_is_a_failure_not_half_a_reply)
{
	struct fixture f;

	huge = dt_alloc(DT_LIMIT_MESSAGE);
	memset(huge, 'a', DT_LIMIT_MESSAGE);
	begin(&f);
	run(&f, &scripted, reply_huge);
	assert_int_equal(f.ended, 1);
	assert_true(f.is_error);
	assert_int_equal(f.count, 1);
	assert_non_null(strstr(f.first, "larger than 67108864 bytes"));
	end(&f);
	free(huge);
}

static void fail_after_pieces(struct dt_call *call, const struct args *args)
{
	(void)args;
	dt_call_add(call, DT_STR("half of a reply"));
	dt_call_failf(call, DT_E_STATE, "%s %d", "no", 1);
}

test(a_failure_is_one_sentence_and_nothing_else)
{
	struct fixture f;

	begin(&f);
	run(&f, &scripted, fail_after_pieces);
	assert_int_equal(f.ended, 1);
	assert_true(f.is_error);
	assert_int_equal(f.count, 1);
	assert_string_equal(f.first, "no 1");
	end(&f);
}

static void fail_at_length(struct dt_call *call, const struct args *args)
{
	char text[400];
	size_t len = 1;

	(void)args;
	text[0] = 'a';
	for (; len + 3 < sizeof(text); len += 3)
		memcpy(text + len, "\xe2\x82\xac", 3);
	text[len] = '\0';
	dt_call_failf(call, DT_E_ARGS, "%s", text);
}

test(a_long_failure_ends_with_a_whole_character)
{
	struct fixture f;

	begin(&f);
	run(&f, &scripted, fail_at_length);
	assert_true(strlen(f.first) > 230);
	assert_true(dt_utf8_is_valid(dt_str(f.first)));
	end(&f);
}

/* starting */

static void refuse(struct fixture *f, const char *args, const char *sentence)
{
	script = reply_ok;
	assert_int_equal(start(f, &scripted, args), DT_E_ARGS);
	assert_int_equal(f->fail.code, DT_E_ARGS);
	assert_string_equal(f->fail.msg, sentence);
	assert_null(f->call);
	assert_int_equal(f->ran, 0);
	assert_int_equal(f->asked, 0);
	assert_int_equal(f->ended, 0);
}

test(arguments_that_do_not_fit_are_refused)
{
	struct fixture f;

	begin(&f);
	refuse(&f, NULL, "name: missing");
	refuse(&f, "{}", "name: missing");
	refuse(&f, "{\"name\":1}", "name: expected string");
	refuse(&f, "{\"name\":\"n\",\"line\":\"x\"}", "line: expected integer");
	refuse(&f, "[]", "arguments: expected object");
	refuse(&f, "null", "arguments: expected object");
	refuse(&f, "\"n\"", "arguments: expected object");
	end(&f);
}

test(policy_is_asked_before_the_tool_runs)
{
	struct fixture f;

	begin(&f);
	f.is_denied = true;
	script = reply_ok;
	assert_int_equal(start(&f, &scripted, "{\"name\":\"n\"}"), DT_E_DENIED);
	assert_string_equal(f.fail.msg, "scripted is not allowed");
	assert_null(f.call);
	assert_int_equal(f.ran, 0);
	assert_int_equal(f.ended, 0);
	end(&f);
}

/* {"MEMBER":"aaa...","name":"n"} with so many a */
static const struct dt_json *long_json(struct fixture *f, const char *member,
                                       size_t len)
{
	const struct dt_json *json = NULL;
	struct dt_str text;
	struct dt_buf buf;

	dt_buf_init(&buf, len + 64);
	dt_buf_addf(&buf, "{\"%s\":\"", member);
	memset(dt_buf_reserve(&buf, len), 'a', len);
	dt_buf_grew(&buf, len);
	dt_buf_add_z(&buf, "\",\"name\":\"n\"}");
	text = dt_buf_str(&buf);
	text.ptr = dt_arena_strndup(&f->arena, text.ptr, text.len);
	assert_ok(dt_json_read(&f->arena, text, &json, NULL));
	dt_buf_done(&buf);
	return json;
}

test(arguments_have_a_limit_but_texts_of_files_do_not_count)
{
	const size_t frame = strlen("{\"other\":\"\",\"name\":\"n\"}");
	struct fixture f;

	begin(&f);
	script = reply_ok;
	assert_ok(start_json(&f, &scripted,
	                     long_json(&f, "text", 2 * DT_LIMIT_ARGUMENTS),
	                     &f));
	assert_ok(start_json(&f, &scripted,
	                     long_json(&f, "other", DT_LIMIT_ARGUMENTS - frame),
	                     &f));
	assert_int_equal(f.ended, 2);
	assert_int_equal(start_json(&f, &scripted,
	                            long_json(&f, "other",
	                                      DT_LIMIT_ARGUMENTS - frame + 1),
	                            &f),
	                 DT_E_ARGS);
	assert_string_equal(f.fail.msg, "arguments: larger than 1048576 bytes");
	assert_int_equal(f.ended, 2);
	end(&f);
}

/* operations */

static void on_selection(struct dt_call *call, const void *result)
{
	const struct dt_selection *selection = result;

	assert_string_equal(selection->path, "/w/a.c");
	dt_call_reply_text(call, "selected");
}

static void get_selection(struct dt_call *call, const struct args *args)
{
	struct dt_get_selection_args wanted = { true };

	(void)args;
	dt_call_perform(call, &dt_op_get_selection, &wanted, on_selection);
}

test(a_tool_comes_back_with_the_result)
{
	struct fixture f;

	begin(&f);
	run(&f, &scripted, get_selection);
	assert_int_equal(f.performed, 1);
	assert_int_equal(f.ended, 1);
	assert_false(f.is_error);
	assert_string_equal(f.first, "selected");
	end(&f);
}

test(a_tool_comes_back_later_too)
{
	struct dt_selection selection = { .path = "/w/a.c" };
	struct fixture f;

	begin(&f);
	f.how = HOLDS;
	run(&f, &scripted, get_selection);
	assert_int_equal(f.ended, 0);
	dt_answer_end(f.held, &selection);
	assert_int_equal(f.ended, 1);
	assert_int_equal(f.dropped, 0);
	assert_string_equal(f.first, "selected");
	end(&f);
}

test(a_failed_operation_is_a_failed_call)
{
	struct fixture f;

	begin(&f);
	f.how = REFUSES;
	run(&f, &scripted, get_selection);
	assert_int_equal(f.ended, 1);
	assert_true(f.is_error);
	assert_string_equal(f.first, "nobody can");
	end(&f);
}

static void on_failure(struct dt_call *call, const struct dt_fail *fail)
{
	assert_int_equal(fail->code, DT_E_UNSUPPORTED);
	dt_call_reply_text(call, "never mind");
}

static void get_selection_or(struct dt_call *call, const struct args *args)
{
	struct dt_get_selection_args wanted = { true };

	(void)args;
	dt_call_perform_or(call, &dt_op_get_selection, &wanted, on_selection,
	                   on_failure);
}

test(a_tool_may_see_to_a_failure_itself)
{
	struct fixture f;

	begin(&f);
	f.how = REFUSES;
	run(&f, &scripted, get_selection_or);
	assert_int_equal(f.ended, 1);
	assert_false(f.is_error);
	assert_string_equal(f.first, "never mind");
	end(&f);
}

static void select_next(struct dt_call *call, const void *result)
{
	const struct dt_selection *selection = result;
	int *left = call->state;

	if (--*left > 0)
		dt_call_perform(call, &dt_op_get_selection,
		                &(struct dt_get_selection_args){ true },
		                select_next);
	else
		dt_call_reply_text(call, selection->path);
}

static void select_three(struct dt_call *call, const struct args *args)
{
	int *left = dt_arena_alloc(call->arena, sizeof(*left));

	(void)args;
	*left = 3;
	call->state = left;
	dt_call_perform(call, &dt_op_get_selection,
	                &(struct dt_get_selection_args){ true }, select_next);
}

test(one_operation_may_follow_the_other)
{
	struct fixture f;

	begin(&f);
	run(&f, &scripted, select_three);
	assert_int_equal(f.performed, 3);
	assert_int_equal(f.ended, 1);
	assert_string_equal(f.first, "/w/a.c");
	end(&f);
}

/* calls that end otherwise */

test(a_call_past_its_deadline_fails_and_drops_its_answer)
{
	struct fixture f;

	begin(&f);
	f.how = HOLDS;
	run(&f, &hurried, get_selection);
	assert_int_equal(f.ended, 0);
	dt_loop_run(f.caller.loop);
	assert_int_equal(f.ended, 1);
	assert_int_equal(f.dropped, 1);
	assert_true(f.is_error);
	assert_int_equal(f.count, 1);
	assert_string_equal(f.first, "hurried: no answer within 1 ms");
	end(&f);
}

static void on_late(struct dt_call *call, const struct dt_fail *fail)
{
	int *tries = call->state;

	assert_int_equal(fail->code, DT_E_TIMEOUT);
	if (++*tries == 1)
		dt_call_perform_or(call, &dt_op_get_selection,
		                   &(struct dt_get_selection_args){ true },
		                   on_selection, on_late);
	else
		dt_call_reply_text(call, "what is known so far");
}

static void get_selection_in_time(struct dt_call *call, const struct args *args)
{
	(void)args;
	call->state = dt_arena_alloc(call->arena, sizeof(int));
	dt_call_perform_or(call, &dt_op_get_selection,
	                   &(struct dt_get_selection_args){ true },
	                   on_selection, on_late);
}

test(a_tool_may_see_to_its_deadline_itself_and_begins_nothing_then)
{
	struct fixture f;

	begin(&f);
	f.how = HOLDS;
	run(&f, &hurried, get_selection_in_time);
	dt_loop_run(f.caller.loop);
	assert_int_equal(f.performed, 1);
	assert_int_equal(f.dropped, 1);
	assert_int_equal(f.ended, 1);
	assert_false(f.is_error);
	assert_string_equal(f.first, "what is known so far");
	end(&f);
}

test(a_dropped_call_replies_nothing_and_drops_its_answer)
{
	struct fixture f;

	begin(&f);
	f.how = HOLDS;
	run(&f, &hurried, get_selection);
	dt_call_drop(f.call);
	assert_int_equal(f.dropped, 1);
	dt_call_drop(f.call);
	assert_int_equal(f.dropped, 1);
	dt_arena_done(&f.arena);
	/* No deadline is left that would touch it. */
	dt_loop_run(f.caller.loop);
	assert_int_equal(f.ended, 0);
	end(&f);
}

static void wait_for_ever(struct dt_call *call, const struct args *args)
{
	(void)call;
	(void)args;
}

test(a_call_without_a_deadline_waits_for_ever)
{
	struct fixture f;

	begin(&f);
	run(&f, &scripted, wait_for_ever);
	/* Nothing keeps the loop. */
	dt_loop_run(f.caller.loop);
	assert_int_equal(f.ended, 0);
	dt_call_drop(f.call);
	assert_int_equal(f.ended, 0);
	end(&f);
}

test(dropping_what_has_ended_does_nothing)
{
	struct fixture f;

	begin(&f);
	f.keeps_memory = true;
	run(&f, &scripted, get_selection);
	assert_int_equal(f.ended, 1);
	dt_call_drop(f.call);
	assert_int_equal(f.ended, 1);
	assert_int_equal(f.dropped, 0);
	end(&f);
}

static void reply_twice(struct dt_call *call, const struct args *args)
{
	reply_ok(call, args);
	reply_ok(call, args);
}

static void fail_and_reply(struct dt_call *call, const struct args *args)
{
	dt_call_failf(call, DT_E_ARGS, "no");
	reply_ok(call, args);
}

static void reply_and_perform(struct dt_call *call, const struct args *args)
{
	reply_ok(call, args);
	get_selection(call, args);
}

static void run_and_keep(void (*fn)(struct dt_call *call,
                                    const struct args *args))
{
	struct fixture f;

	begin(&f);
	f.keeps_memory = true;
	run(&f, &scripted, fn);
}

static void end_twice(void)
{
	run_and_keep(reply_twice);
}

static void end_after_failing(void)
{
	run_and_keep(fail_and_reply);
}

static void go_on_after_the_end(void)
{
	run_and_keep(reply_and_perform);
}

test(a_second_end_is_a_bug_and_aborts)
{
	assert_aborts(end_twice);
	assert_aborts(end_after_failing);
	assert_aborts(go_on_after_the_end);
}

/* beside, and again */

static void hold_and_go_aside(struct dt_call *call, const struct args *args)
{
	struct dt_get_selection_args wanted = { true };
	struct fixture *f = call->agent;

	(void)args;
	dt_call_perform(call, &dt_op_get_selection, &wanted, on_selection);
	f->how = ANSWERS;
	dt_call_perform_aside(call, &dt_op_get_selection, &wanted);
	f->how = REFUSES;
	dt_call_perform_aside(call, &dt_op_get_selection, &wanted);
}

test(what_is_done_beside_leaves_the_other_alone)
{
	struct dt_selection selection = { .path = "/w/a.c" };
	struct fixture f;

	begin(&f);
	f.how = HOLDS;
	run(&f, &scripted, hold_and_go_aside);
	assert_int_equal(f.performed, 3);
	assert_int_equal(f.ended, 0);
	dt_answer_end(f.held, &selection);
	assert_int_equal(f.ended, 1);
	assert_string_equal(f.first, "selected");
	end(&f);
}

static void go_aside_alone(struct dt_call *call, const struct args *args)
{
	struct dt_get_selection_args wanted = { true };

	(void)args;
	dt_call_perform_aside(call, &dt_op_get_selection, &wanted);
	dt_call_reply_text(call, "done");
}

test(what_is_under_way_beside_is_dropped_with_the_call)
{
	struct fixture f;

	begin(&f);
	f.how = HOLDS;
	run(&f, &scripted, go_aside_alone);
	assert_int_equal(f.ended, 1);
	assert_int_equal(f.dropped, 1);
	end(&f);
}

static bool asks_end_calls;
static bool was_over;

static void on_ask(struct dt_call *call, const struct dt_ask *asks,
                   struct dt_str state, void *owner)
{
	struct fixture *f = owner;

	assert_string_equal(asks->method, "elicitation/create");
	assert_str(state, "state");
	if (!asks_end_calls)
		return;
	dt_call_drop(call);
	dt_arena_done(&f->arena);
}

static void ask_first(struct dt_call *call, const struct args *args)
{
	struct dt_ask question = { .key = "k", .method = "elicitation/create" };

	(void)args;
	if (call->asked_state.len > 0) {
		dt_call_reply_text(call, "again");
		return;
	}
	was_over = !dt_call_ask(call, &question, DT_STR("state"));
}

static void start_with_face(struct fixture *f, const struct dt_call_face *face,
                            void (*what)(struct dt_call *call,
                                         const struct args *args))
{
	struct dt_call_spec spec = {
		.arena = &f->arena,
		.caller = &f->caller,
		.tool = &scripted,
		.args = NULL,
		.agent = f,
		.face = face,
		.on_end = on_end,
		.owner = f,
	};

	script = what;
	assert_ok(dt_json_read(&f->arena, DT_STR("{\"name\":\"n\"}"),
	                       &spec.args, NULL));
	assert_ok(dt_call_start(&spec, &f->call, &f->fail));
}

static void start_asking(struct fixture *f)
{
	static const struct dt_call_face face = { .ask = on_ask };

	start_with_face(f, &face, ask_first);
}

test(a_tool_knows_whether_its_question_ended_the_call)
{
	struct fixture f;

	begin(&f);
	asks_end_calls = true;
	start_asking(&f);
	assert_true(was_over);
	assert_int_equal(f.ended, 0);
	asks_end_calls = false;
	start_asking(&f);
	assert_false(was_over);
	dt_call_again(f.call, NULL, DT_STR("state"));
	assert_int_equal(f.ended, 1);
	assert_string_equal(f.first, "again");
	end(&f);
}

static char heard[128];

static void on_progress(struct dt_call *call, const struct dt_progress *p,
                        void *owner)
{
	size_t len = strlen(heard);

	(void)call;
	(void)owner;
	snprintf(heard + len, sizeof(heard) - len, "%u/%u %s|",
	         (unsigned)p->done, (unsigned)p->total,
	         p->message ? p->message : "");
}

static void say_how_far(struct dt_call *call, const struct args *args)
{
	(void)args;
	dt_call_progress(call, &(struct dt_progress){ .message = "waits" });
	dt_call_progress(call, &(struct dt_progress){ .message = "still" });
	dt_call_progress(call, &(struct dt_progress){ .done = 0, .total = 3 });
	dt_call_progress(call, &(struct dt_progress){ .done = 1, .total = 3 });
	dt_call_reply_text(call, "done");
}

test(numbers_of_progress_never_fall_behind_the_beats)
{
	static const struct dt_call_face face = { .progress = on_progress };
	struct fixture f;

	begin(&f);
	heard[0] = '\0';
	start_with_face(&f, &face, say_how_far);
	assert_int_equal(f.ended, 1);
	/* Two beats were told, so the tool's own numbers begin behind them. */
	assert_string_equal(heard, "0/0 waits|1/0 still|2/5 |3/5 |");
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tool_gets_its_arguments_and_replies),
		cmocka_unit_test(a_reply_may_be_empty),
		cmocka_unit_test(a_deadline_ends_with_the_reply),
		cmocka_unit_test(a_struct_is_replied_as_json),
		cmocka_unit_test(
			a_reply_that_does_not_fit_is_a_failure_not_half_a_reply),
		cmocka_unit_test(a_failure_is_one_sentence_and_nothing_else),
		cmocka_unit_test(a_long_failure_ends_with_a_whole_character),
		cmocka_unit_test(arguments_that_do_not_fit_are_refused),
		cmocka_unit_test(policy_is_asked_before_the_tool_runs),
		cmocka_unit_test(
			arguments_have_a_limit_but_texts_of_files_do_not_count),
		cmocka_unit_test(a_tool_comes_back_with_the_result),
		cmocka_unit_test(a_tool_comes_back_later_too),
		cmocka_unit_test(a_failed_operation_is_a_failed_call),
		cmocka_unit_test(a_tool_may_see_to_a_failure_itself),
		cmocka_unit_test(one_operation_may_follow_the_other),
		cmocka_unit_test(
			a_call_past_its_deadline_fails_and_drops_its_answer),
		cmocka_unit_test(
			a_tool_may_see_to_its_deadline_itself_and_begins_nothing_then),
		cmocka_unit_test(
			a_dropped_call_replies_nothing_and_drops_its_answer),
		cmocka_unit_test(a_call_without_a_deadline_waits_for_ever),
		cmocka_unit_test(dropping_what_has_ended_does_nothing),
		cmocka_unit_test(a_second_end_is_a_bug_and_aborts),
		cmocka_unit_test(what_is_done_beside_leaves_the_other_alone),
		cmocka_unit_test(
			what_is_under_way_beside_is_dropped_with_the_call),
		cmocka_unit_test(
			a_tool_knows_whether_its_question_ended_the_call),
		cmocka_unit_test(
			numbers_of_progress_never_fall_behind_the_beats),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
