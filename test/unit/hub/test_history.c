/* test/unit/hub/test_history.c - twin of src/hub/history.c */
#include "agent.h"

#include "store/sessions.h"

#define DAY_MS ((int64_t)24 * 60 * 60 * 1000)

/* The result of log/list, of sessions alone. */
static const char *sessions(struct world *w, const char *path)
{
	const char *list =
		ask(connect_command(w), "log/list", "{\"what\":\"sessions\"}");

	return at(w, list, text_of(w, "result.items.%s", path));
}

world_test(a_session_is_kept_from_its_beginning_to_its_end)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *agent = connect_ready_agent(ws, w);

	assert_string_equal(sessions(w, "0.type"), "session");
	assert_string_equal(sessions(w, "0.agent"), "claude-code");
	assert_string_equal(sessions(w, "0.version"), "2.1.325");
	assert_string_equal(sessions(w, "0.root"), w->project);
	assert_string_equal(sessions(w, "0.id"), last_session(ws)->id);
	assert_string_equal(sessions(w, "0.disconnectedMs"), "0");
	hang_up(agent);
	wait_for(w, ws->session_count == 0);
	assert_string_not_equal(sessions(w, "0.disconnectedMs"), "0");
	assert_null(sessions(w, "1.id"));
}

world_test(who_never_said_a_name_is_not_kept)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *c = connect_ws(w, ws->record.port, ws->record.token);

	wait_for(w, ws->session_count == 1);
	hang_up(c);
	wait_for(w, ws->session_count == 0);
	assert_null(sessions(w, "0.id"));
}

world_test(a_daemon_that_stops_ends_its_sessions)
{
	struct world *w = *state;
	char *stopped;

	connect_ready_agent(serve(w), w);
	stop_hub(w);
	stopped = text_of(w, "%lld", (long long)dt_clock_wall_ms());
	usleep(20000);
	start_loop(w);
	start_hub(w);
	assert_string_equal(sessions(w, "0.agent"), "claude-code");
	/* In the first run, not at the beginning of the second. */
	assert_string_not_equal(sessions(w, "0.disconnectedMs"), "0");
	assert_true(strcmp(sessions(w, "0.disconnectedMs"), stopped) <= 0);
	assert_null(sessions(w, "1.id"));
}

static void on_put(struct dt_store *store, const struct dt_fail *fail,
                   void *owner)
{
	(void)store;
	assert_int_equal(fail->code, DT_E_OK);
	++*(int *)owner;
}

static void put_ended(struct world *w, const char *id, int64_t days_ago)
{
	int64_t then = dt_clock_wall_ms() - days_ago * DAY_MS;
	struct dt_session_record record = {
		.id = id,
		.workspace = "w",
		.agent = "old",
		.connected_ms = then,
		.disconnected_ms = then,
	};
	int done = 0;

	dt_store_put_session(w->hub.store, &record, on_put, &done);
	wait_for(w, done);
}

#define ID_OLD "a0000000000000000000000000000001"
#define ID_NEW "a1000000000000000000000000000002"

world_test(what_is_older_than_90_days_is_forgotten_at_the_start)
{
	struct world *w = *state;

	put_ended(w, ID_OLD, 91);
	put_ended(w, ID_NEW, 89);
	assert_string_equal(sessions(w, "0.id"), ID_OLD);
	restart_hub(w);
	assert_string_equal(sessions(w, "0.id"), ID_NEW);
	assert_null(sessions(w, "1.id"));
}

world_test(how_long_is_the_persons_choice)
{
	struct world *w = *state;

	make_folder(w, "c/dovetail");
	put_file(text_of(w, "%s/c/dovetail/dovetail.conf", w->dir),
	         "[store]\nkeep_days = 365\n");
	put_ended(w, ID_OLD, 366);
	put_ended(w, ID_NEW, 364);
	restart_hub(w);
	assert_string_equal(sessions(w, "0.id"), ID_NEW);
	assert_null(sessions(w, "1.id"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(a_session_is_kept_from_its_beginning_to_its_end),
		test_in_world(who_never_said_a_name_is_not_kept),
		test_in_world(a_daemon_that_stops_ends_its_sessions),
		test_in_world(
			what_is_older_than_90_days_is_forgotten_at_the_start),
		test_in_world(how_long_is_the_persons_choice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
