/* test/unit/hub/test_metrics_text.c - twin of src/hub/metrics_text.c; what
 * another reader makes of it is in test/peers/ops.py */
#include "mcp.h"

static const struct dt_tool odd = { .name = "o\"d\\d" };

static char *written(struct world *w, struct dt_workspace *only)
{
	struct dt_buf text;
	char *copy;

	dt_buf_init(&text, DT_MIB);
	dt_metrics_write(&text, &w->hub, only);
	copy = dt_arena_strndup(&w->arena, text.ptr, text.len);
	dt_buf_done(&text);
	return copy;
}

static unsigned times(const char *text, const char *part)
{
	unsigned count = 0;

	for (; (text = strstr(text, part)); text++)
		count++;
	return count;
}

world_test(a_family_is_told_once_and_every_workspace_in_it)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct dt_workspace *other = serve_at(w, make_folder(w, "q"));
	char *text = written(w, NULL);

	assert_int_equal(times(text, "# TYPE dovetail_sessions gauge\n"), 1);
	assert_int_equal(times(text, "\ndovetail_sessions{workspace=\""), 2);
	text = written(w, other);
	assert_int_equal(times(text, "\ndovetail_sessions{workspace=\""), 1);
	assert_null(strstr(text, dt_workspace_root(ws)));
	assert_non_null(strstr(text, dt_workspace_root(other)));
}

world_test(a_histogram_adds_up_and_ends_with_infinity)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct dt_call_note note = { .tool = &odd, .took_us = 1500 };
	char *text;

	dt_metrics_count_call(&ws->metrics, &note);
	note.took_us = 400000000;
	dt_metrics_count_call(&ws->metrics, &note);
	text = written(w, ws);
	assert_non_null(
		strstr(text, ",tool=\"o\\\"d\\\\d\",le=\"0.001\"} 0\n"));
	assert_non_null(strstr(text, "le=\"0.002\"} 1\n"));
	assert_non_null(strstr(text, "le=\"300\"} 1\n"));
	assert_non_null(strstr(text, "le=\"+Inf\"} 2\n"));
	assert_non_null(strstr(text, "_sum{workspace="));
	assert_non_null(strstr(text, "} 400.001500\n"));
	assert_non_null(strstr(text, "status=\"done\"} 2\n"));
}

world_test(agents_and_reviews_are_looked_up)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *c = connect_agent(ws, w);
	char *text;

	propose(c, make_file(w, "a", "1\n"), "2", "t");
	text = written(w, ws);
	assert_non_null(strstr(text, text_of(w,
	                                     "\ndovetail_reviews_waiting{"
	                                     "workspace=\"%s\"} 1\n",
	                                     w->project)));
	assert_non_null(strstr(text, text_of(w,
	                                     "\ndovetail_running_requests{"
	                                     "workspace=\"%s\"} 1\n",
	                                     w->project)));
	hang_up(c);
	wait_for(w, ws->session_count == 0);
	text = written(w, ws);
	assert_non_null(strstr(text, ",state=\"orphaned\"} 1\n"));
	assert_non_null(strstr(text, text_of(w,
	                                     "\ndovetail_sessions_total{"
	                                     "workspace=\"%s\"} 1\n",
	                                     w->project)));
}

static void assert_connections(struct world *w, struct dt_workspace *ws,
                               unsigned count)
{
	assert_non_null(strstr(written(w, ws), text_of(w,
	                                               "\ndovetail_connections{"
	                                               "workspace=\"%s\"} %u\n",
	                                               w->project, count)));
}

world_test(a_session_by_http_is_no_socket)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve_fixtures(w);
	struct client *c;

	begin_http(ws, w, "2025-11-25", "");
	wait_for(w, ws->guest_count == 0);
	assert_int_equal(ws->session_count, 1);
	assert_connections(w, ws, 0);
	c = post_modern(ws, w, "test_simple_text", "");
	assert_int_equal(status_of(c), 200);
	assert_int_equal(ws->session_count, 2);
	assert_connections(w, ws, 1);
	connect_agent(ws, w);
	assert_connections(w, ws, 2);
}

world_test(a_limit_that_was_hit_is_counted)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);

	ws->metrics.hits[DT_HIT_REQUESTS] = 3;
	assert_non_null(
		strstr(written(w, ws), ",limit=\"requests_a_minute\"} 3\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(a_family_is_told_once_and_every_workspace_in_it),
		test_in_world(a_histogram_adds_up_and_ends_with_infinity),
		test_in_world(agents_and_reviews_are_looked_up),
		test_in_world(a_session_by_http_is_no_socket),
		test_in_world(a_limit_that_was_hit_is_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
