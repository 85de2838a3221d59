/* test/unit/hub/test_http_events.c - twin of src/hub/http_events.c */
#include "fetch.h"

#include "hub/activity.h"

/* A subscriber whose stream has begun. */
static struct client *subscribe(struct world *w, struct dt_workspace *ws,
                                const char *headers)
{
	struct client *c = connect_raw(w, ws->record.port);
	size_t before = ws->subscriber_count;

	send_raw(c, text_of(w, "GET /events HTTP/1.1\r\n" HOST "%s%s\r\n",
	                    bearer(w, ws), headers));
	wait_for(w, ws->subscriber_count > before);
	return c;
}

static bool has_got(struct client *c, const char *part)
{
	return strstr(dt_buf_z(&c->in), part);
}

static void add_calls(struct world *w, const struct dt_workspace *ws,
                      unsigned count, const char *message)
{
	struct dt_activity_record r = {
		.kind = DT_ACTIVITY_CALL,
		.what = "x",
		.status = "done",
		.workspace = ws->record.id,
		.message = message,
	};

	for (unsigned i = 0; i < count; i++)
		dt_activity_add(&w->hub, &r);
}

world_test(a_subscriber_hears_what_happens_from_now_on)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *c = subscribe(w, ws, "");
	struct client *agent;

	wait_for(w, has_got(c, "retry: 2000\n\n"));
	run_for(w, 50);
	agent = connect_agent(ws, w);
	call(agent, "getWorkspaceFolders", "{}");
	hear(agent);
	wait_for(w, has_got(c, "\"what\":\"getWorkspaceFolders\""));
	assert_true(has_got(c, "text/event-stream"));
	assert_true(has_got(c, "event: call\nid: 5\ndata: {\"id\":5,"));
	assert_false(has_got(c, "id: 1\n"));
	drop(c);
	wait_for(w, ws->subscriber_count == 0);
}

world_test(who_comes_back_gets_what_was_missed_once)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *c;

	add_calls(w, ws, 450, NULL);
	c = subscribe(w, ws, "Last-Event-ID: 2\r\n");
	wait_for(w, has_got(c, "id: 452\n"));
	assert_false(has_got(c, "id: 2\n"));
	assert_true(has_got(c, "id: 3\n"));
	add_calls(w, ws, 1, NULL);
	wait_for(w, has_got(c, "id: 453\n"));
	for (int id = 3; id <= 453; id++) {
		char *line = text_of(w, "\nid: %d\n", id);
		const char *found = strstr(dt_buf_z(&c->in), line);

		assert_non_null(found);
		assert_null(strstr(found + 1, line));
	}
}

/* As when the database was damaged, and a new one begun. */
world_test(who_followed_another_history_gets_this_one)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *c = subscribe(w, ws, "Last-Event-ID: 5000\r\n");

	wait_for(w, has_got(c, "id: 2\n"));
	assert_true(has_got(c, "id: 1\n"));
	add_calls(w, ws, 1, NULL);
	wait_for(w, has_got(c, "id: 3\n"));
}

world_test(a_strange_last_id_is_no_id)
{
	static const char *const strange[] = { "x", "-1", "1e3",
		                               "99999999999999999999" };
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);

	for (size_t i = 0; i < 4; i++) {
		struct client *c = subscribe(
			w, ws, text_of(w, "Last-Event-ID: %s\r\n", strange[i]));

		run_for(w, 100);
		assert_false(has_got(c, "id: 1\n"));
		drop(c);
	}
}

world_test(another_workspace_is_not_heard)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct dt_workspace *other = serve_at(w, make_folder(w, "q"));
	struct client *c = subscribe(w, other, "Last-Event-ID: 0\r\n");

	add_calls(w, ws, 1, "secret");
	add_calls(w, other, 1, "own");
	wait_for(w, has_got(c, "\"own\""));
	assert_false(has_got(c, "secret"));
	assert_true(has_got(c, "event: daemon\n"));
}

world_test(there_are_only_so_many_subscribers)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	const char *answer;

	for (unsigned i = 0; i < DT_LIMIT_SUBSCRIBERS; i++)
		subscribe(w, ws, "");
	answer = fetch(w, ws, "GET /events",
	               text_of(w, HOST "%s", bearer(w, ws)));
	assert_int_equal(status_of(answer), 503);
	assert_non_null(strstr(answer, "Retry-After: 10"));
	assert_int_equal(ws->metrics.hits[DT_HIT_SUBSCRIBERS], 1);
}

world_test(nothing_gathers_for_who_does_not_read)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *c = subscribe(w, ws, "Last-Event-ID: 0\r\n");
	char *message = text_of(w, "%0290d", 1);
	uint64_t until;

	wait_for(w, has_got(c, "id: 1\n"));
	dt_stream_pause(c->stream);
	/* More than the sockets take: the rest stays in the store. */
	for (int i = 0; i < 100; i++) {
		int64_t last = dt_activity_last(&w->hub);

		add_calls(w, ws, 256, message);
		wait_for(w, dt_activity_last(&w->hub) >= last + 256);
	}
	dt_stream_resume(c->stream);
	until = dt_clock_ms() + 20000;
	/* A beat, or the next thing that happens, goes on with it. */
	while (!has_got(c, "id: 25600\n") && dt_clock_ms() < until) {
		add_calls(w, ws, 1, NULL);
		run_for(w, 50);
	}
	assert_true(has_got(c, "id: 25600\n"));
}

world_test(streams_end_with_the_daemon)
{
	struct world *w = *state;
	struct client *c = subscribe(w, serve(w), "");

	dt_hub_stop(&w->hub);
	wait_for(w, c->is_closed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(a_subscriber_hears_what_happens_from_now_on),
		test_in_world(who_comes_back_gets_what_was_missed_once),
		test_in_world(who_followed_another_history_gets_this_one),
		test_in_world(a_strange_last_id_is_no_id),
		test_in_world(another_workspace_is_not_heard),
		test_in_world(there_are_only_so_many_subscribers),
		test_in_world(nothing_gathers_for_who_does_not_read),
		test_in_world(streams_end_with_the_daemon),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
