/* test/unit/backend/test_lsp_server.c - servers that behave, and others. */
#include "backend/lsp_fake.h"
#include "backend/lsp_world.h"

static const char *begin(struct lsp_world *w, void **state, const char *mode)
{
	lsp_world_begin(w, state);
	lsp_world_fake(w, mode);
	return lsp_world_put(w, "a.c", "text\n");
}

#define assert_failed(w, err, sentence)                                        \
	do {                                                                   \
		assert_string_equal((w)->fail.msg, sentence);                  \
		assert_int_equal((w)->fail.code, err);                         \
	} while (0)

test(a_server_is_started_once_and_shared)
{
	struct lsp_world w;
	const char *path = begin(&w, state, "");
	int64_t pid;

	lsp_world_ask(&w, path, "fake/any");
	assert_string_equal(w.result, "\"done\"");
	pid = lsp_world_info(&w).pid;
	assert_true(pid > 0);
	lsp_world_ask(&w, lsp_world_put(&w, "b.c", ""), "fake/any");
	assert_string_equal(w.result, "\"done\"");
	assert_int_equal(lsp_world_info(&w).pid, pid);
	assert_int_equal(lsp_world_info(&w).requests, 2);
	assert_string_equal(lsp_world_info(&w).state, "ready");
	assert_true(lsp_world_info(&w).memory > 100000);
	assert_null(lsp_world_info(&w).error);
	lsp_world_end(&w);
	/* Reaped when the loop has ended. */
	assert_int_equal(kill((pid_t)pid, 0), -1);
}

test(questions_wait_for_the_start_in_their_order)
{
	struct lsp_world w;
	const char *path = begin(&w, state, "");

	for (int i = 0; i < 3; i++)
		lsp_world_start(&w, path, "fake/any", 0, 0, PATIENCE_MS);
	assert_int_equal(w.ended, 0);
	lsp_world_until(&w, w.ended == 3);
	assert_int_equal(w.fail.code, DT_E_OK);
	lsp_world_end(&w);
}

/* faults */

test(a_server_that_exits_at_once_is_explained_by_its_last_words)
{
	struct lsp_world w;
	const char *path = begin(&w, state, "exit");

	lsp_world_ask(&w, path, "fake/any");
	assert_failed(&w, DT_E_CLOSED,
	              "clangd ended by itself (exit code 3): libnothing.so: "
	              "not found");
	assert_string_equal(lsp_world_info(&w).state, "crashed");
	assert_int_equal(lsp_world_info(&w).pid, 0);
	assert_string_equal(lsp_world_info(&w).error, w.fail.msg);
	lsp_world_end(&w);
}

test(a_server_that_crashes_on_open_fails_the_question_and_starts_again)
{
	struct lsp_world w;
	const char *path = begin(&w, state, "crash-open");
	uint64_t began_ms;

	lsp_world_ask(&w, path, "fake/any");
	assert_failed(&w, DT_E_CLOSED, "clangd crashed (signal 6)");
	assert_string_equal(lsp_world_info(&w).error,
	                    "clangd crashed (signal 6)");
	/* The next one waits for the pause and gets an answer. */
	w.mode = "";
	began_ms = dt_clock_ms();
	lsp_world_ask(&w, path, "fake/any");
	assert_string_equal(w.result, "\"done\"");
	assert_in_range(dt_clock_ms() - began_ms, 40, PATIENCE_MS);
	assert_null(lsp_world_info(&w).error);
	lsp_world_end(&w);
}

test(a_server_that_crashes_five_times_is_given_up)
{
	static const uint64_t least_ms[] = { 0, 50, 100, 200, 400 };
	struct lsp_world w;
	const char *path = begin(&w, state, "crash-open");

	for (size_t i = 0; i < 5; i++) {
		uint64_t began_ms = dt_clock_ms();

		lsp_world_ask(&w, path, "fake/any");
		assert_failed(&w, DT_E_CLOSED, "clangd crashed (signal 6)");
		assert_in_range(dt_clock_ms() - began_ms + 5, least_ms[i],
		                PATIENCE_MS);
	}
	lsp_world_ask(&w, path, "fake/any");
	assert_failed(&w, DT_E_CLOSED,
	              "clangd is given up for now, it crashed 5 times; the "
	              "last: clangd crashed (signal 6)");
	assert_string_equal(lsp_world_info(&w).state, "given up");
	/* The person says: again. */
	w.mode = "";
	assert_int_equal(dt_lsp_restart(w.lsp, "pyright"), 0);
	assert_int_equal(dt_lsp_restart(w.lsp, "clangd"), 1);
	lsp_world_ask(&w, path, "fake/any");
	assert_string_equal(w.result, "\"done\"");
	lsp_world_end(&w);
}

test(a_given_up_server_is_tried_again_minutes_later)
{
	struct lsp_world w;
	const char *path = begin(&w, state, "crash-open");
	struct dt_lsp_server *server;

	lsp_world_ask(&w, path, "fake/any");
	server = DT_LIST_OF(w.lsp->servers.next, struct dt_lsp_server, link);
	server->crash_count = 5;
	for (size_t i = 0; i < 5; i++)
		server->crashes[i] = dt_clock_ms();
	lsp_world_ask(&w, path, "fake/any");
	assert_non_null(strstr(w.fail.msg, "given up"));
	server->crashes[0] -= DT_LIMIT_LSP_CRASHES_MS;
	w.mode = "";
	lsp_world_ask(&w, path, "fake/any");
	assert_string_equal(w.result, "\"done\"");
	lsp_world_end(&w);
}

test(a_flood_of_notifications_is_survived)
{
	struct lsp_world w;
	const char *path = begin(&w, state, "");

	lsp_world_ask(&w, path, "fake/flood");
	assert_string_equal(w.result, "\"flooded\"");
	/* Those that were kept are the first ones, and few. */
	assert_string_equal(lsp_world_info(&w).progress, "task 0: 0 %");
	lsp_world_ask(&w, path, "fake/any");
	assert_string_equal(w.result, "\"done\"");
	lsp_world_end(&w);
}

/* One thread that writes does not read, and waits for us to do so. */
test(a_server_is_read_from_while_it_does_not_read)
{
	size_t len = 4u * DT_MIB;
	char *text = dt_alloc(len + 1);
	struct lsp_world w;
	const char *path = begin(&w, state, "");
	const char *large;

	memset(text, ' ', len);
	large = lsp_world_put(&w, "large.c", text);
	free(text);
	lsp_world_ask(&w, path, "fake/any");
	lsp_world_start(&w, path, "fake/flood", 0, 0, PATIENCE_MS);
	lsp_world_start(&w, large, "fake/any", 0, 0, PATIENCE_MS);
	lsp_world_until(&w, w.ended == 3);
	assert_string_equal(w.fail.msg, "");
	assert_string_equal(w.result, "\"done\"");
	lsp_world_end(&w);
}

test(a_message_of_64_mib_ends_the_server)
{
	struct lsp_world w;
	const char *path = begin(&w, state, "");

	lsp_world_ask(&w, path, "fake/large");
	assert_failed(
		&w, DT_E_CLOSED,
		"clangd was ended: a message of 67108864 bytes; at most 33554432 are taken");
	lsp_world_ask(&w, path, "fake/any");
	assert_string_equal(w.result, "\"done\"");
	lsp_world_end(&w);
}

test(garbage_ends_the_server)
{
	struct lsp_world w;
	const char *path = begin(&w, state, "");

	lsp_world_ask(&w, path, "fake/garbage");
	assert_failed(&w, DT_E_CLOSED,
	              "clangd was ended: "
	              "\"Segmentation fault\" is no header of a message");
	lsp_world_end(&w);
}

test(a_message_that_is_no_json_costs_only_its_question)
{
	struct lsp_world w;
	const char *path = begin(&w, state, "");

	lsp_world_ask(&w, path, "fake/any");
	lsp_world_start(&w, path, "fake/nonsense", 0, 0, 50);
	lsp_world_wait(&w);
	assert_failed(&w, DT_E_TIMEOUT, "clangd did not answer in 50 ms");
	lsp_world_ask(&w, path, "fake/any");
	assert_string_equal(w.result, "\"done\"");
	lsp_world_end(&w);
}

test(a_server_that_never_gets_ready_is_ended)
{
	struct lsp_world w;
	const char *path = begin(&w, state, "slow");

	w.lsp->times.start_ms = 300;
	lsp_world_start(&w, path, "fake/any", 0, 0, 50);
	lsp_world_wait(&w);
	assert_failed(&w, DT_E_TIMEOUT,
	              "clangd was not ready in 50 ms: starting");
	lsp_world_ask(&w, path, "fake/any");
	assert_failed(&w, DT_E_CLOSED, "clangd was not ready in 0 s");
	lsp_world_end(&w);
}

/* the end */

test(a_server_that_nobody_needs_is_stopped_and_started_again)
{
	struct lsp_world w;
	const char *path = begin(&w, state, "");
	int64_t pid;

	w.idle_minutes = "1";
	lsp_world_ask(&w, path, "fake/any");
	pid = lsp_world_info(&w).pid;
	lsp_world_until(&w, !strcmp(lsp_world_info(&w).state, "stopped"));
	assert_null(lsp_world_info(&w).error);
	assert_int_equal(kill((pid_t)pid, 0), -1);
	lsp_world_ask(&w, path, "fake/any");
	assert_string_equal(w.result, "\"done\"");
	lsp_world_end(&w);
}

test(a_server_that_is_being_stopped_is_waited_for)
{
	struct lsp_world w;
	const char *path = begin(&w, state, "");

	lsp_world_ask(&w, path, "fake/any");
	assert_int_equal(dt_lsp_restart(w.lsp, NULL), 1);
	assert_string_equal(lsp_world_info(&w).state, "stopping");
	lsp_world_ask(&w, path, "fake/any");
	assert_string_equal(w.result, "\"done\"");
	assert_null(lsp_world_info(&w).error);
	lsp_world_end(&w);
}

test(behind_the_stop_of_the_pool_no_server_starts)
{
	struct lsp_world w;
	const char *path = begin(&w, state, "");
	const char *other = lsp_world_put(&w, "a.py", "");

	lsp_world_ask(&w, path, "fake/any");
	/* One that waits for the next start, and those who come later. */
	dt_lsp_restart(w.lsp, NULL);
	lsp_world_start(&w, path, "fake/any", 0, 0, PATIENCE_MS);
	dt_lsp_stop(w.lsp);
	lsp_world_ask(&w, path, "fake/any");
	assert_failed(&w, DT_E_CLOSED, "Dovetail stops");
	lsp_world_ask(&w, other, "fake/any");
	assert_failed(&w, DT_E_CLOSED, "Dovetail stops");
	lsp_world_until(&w, w.ended == 4);
	assert_failed(&w, DT_E_CLOSED, "clangd was stopped");
	dt_loop_run(w.loop);
	lsp_world_end(&w);
}

test(a_server_that_ignores_shutdown_is_killed)
{
	struct lsp_world w;
	const char *path = begin(&w, state, "deaf");
	int64_t pid;

	lsp_world_ask(&w, path, "fake/any");
	pid = lsp_world_info(&w).pid;
	dt_lsp_restart(w.lsp, NULL);
	lsp_world_until(&w, !strcmp(lsp_world_info(&w).state, "stopped"));
	assert_int_equal(kill((pid_t)pid, 0), -1);
	lsp_world_end(&w);
}

test(no_server_outlives_the_pool)
{
	struct lsp_world w;
	const char *path = begin(&w, state, "deaf");
	int64_t pid;

	lsp_world_ask(&w, path, "fake/any");
	pid = lsp_world_info(&w).pid;
	lsp_world_start(&w, path, "fake/hang", 0, 0, PATIENCE_MS);
	lsp_world_end(&w);
	assert_int_equal(kill((pid_t)pid, 0), -1);
	assert_int_equal(w.ended, 1);
}

#define with_folder(name)                                                      \
	cmocka_unit_test_setup_teardown(name, tempdir_open, tempdir_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		with_folder(a_server_is_started_once_and_shared),
		with_folder(questions_wait_for_the_start_in_their_order),
		with_folder(
			a_server_that_exits_at_once_is_explained_by_its_last_words),
		with_folder(
			a_server_that_crashes_on_open_fails_the_question_and_starts_again),
		with_folder(a_server_that_crashes_five_times_is_given_up),
		with_folder(a_given_up_server_is_tried_again_minutes_later),
		with_folder(a_flood_of_notifications_is_survived),
		with_folder(a_server_is_read_from_while_it_does_not_read),
		with_folder(a_message_of_64_mib_ends_the_server),
		with_folder(garbage_ends_the_server),
		with_folder(a_message_that_is_no_json_costs_only_its_question),
		with_folder(a_server_that_never_gets_ready_is_ended),
		with_folder(
			a_server_that_nobody_needs_is_stopped_and_started_again),
		with_folder(a_server_that_is_being_stopped_is_waited_for),
		with_folder(behind_the_stop_of_the_pool_no_server_starts),
		with_folder(a_server_that_ignores_shutdown_is_killed),
		with_folder(no_server_outlives_the_pool),
	};

	fake_run();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
