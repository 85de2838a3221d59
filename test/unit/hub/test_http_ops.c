/* test/unit/hub/test_http_ops.c - twin of src/hub/http_ops.c */
#include "fetch.h"

static const char *const guarded[] = { "/status", "/metrics", "/events" };

world_test(health_and_ready_need_no_token_and_say_little)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	const char *wanted =
		"{\"status\":\"ok\",\"version\":\"" DT_VERSION "\"}\n";
	const char *answer;

	answer = fetch(w, ws, "GET /health", HOST);
	assert_int_equal(status_of(answer), 200);
	assert_string_equal(body_of(answer), wanted);
	wait_for(w, w->hub.is_store_open);
	answer = fetch(w, ws, "GET /ready?x=1", HOST);
	assert_int_equal(status_of(answer), 200);
	assert_string_equal(body_of(answer), wanted);
	w->hub.is_store_open = false;
	answer = fetch(w, ws, "GET /ready", HOST);
	assert_int_equal(status_of(answer), 503);
	assert_non_null(strstr(answer, "\"starting\""));
	assert_int_equal(status_of(fetch(w, ws, "GET /health", HOST)), 200);
}

world_test(the_rest_needs_the_token_in_one_of_two_ways)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	const char *answer;

	for (size_t i = 0; i < 3; i++) {
		char *line = text_of(w, "GET %s", guarded[i]);

		answer = fetch(w, ws, line, HOST);
		assert_int_equal(status_of(answer), 401);
		assert_non_null(strstr(answer, "WWW-Authenticate: Bearer"));
		answer = fetch(w, ws, line,
		               HOST "Authorization: Bearer wrong\r\n");
		assert_int_equal(status_of(answer), 401);
	}
	answer = fetch(w, ws, "GET /status",
	               text_of(w, HOST "%s", bearer(w, ws)));
	assert_int_equal(status_of(answer), 200);
	answer = fetch(w, ws, "GET /status",
	               text_of(w,
	                       HOST "X-Claude-Code-IDE-Authorization: "
	                            "%s\r\n",
	                       ws->record.token));
	assert_int_equal(status_of(answer), 200);
	assert_string_equal(at(w, body_of(answer), "workspace"), ws->record.id);
}

world_test(too_many_wrong_tokens_are_refused_and_counted)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	unsigned status = 0;

	for (int i = 0; i < 200 && status != 429; i++)
		status = status_of(fetch(w, ws, "GET /status", HOST));
	assert_int_equal(status, 429);
	assert_int_equal(ws->metrics.hits[DT_HIT_TOKENS], 1);
}

world_test(host_and_origin_are_looked_at_on_every_path)
{
	static const char *const paths[] = { "/health",  "/ready",  "/status",
		                             "/metrics", "/events", "/no" };
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);

	for (size_t i = 0; i < 6; i++) {
		char *line = text_of(w, "GET %s", paths[i]);

		assert_int_equal(
			status_of(fetch(w, ws, line,
		                        text_of(w, "Host: evil.example\r\n%s",
		                                bearer(w, ws)))),
			403);
		assert_int_equal(
			status_of(
				fetch(w, ws, line,
		                      text_of(w, HOST "Origin: http://x\r\n%s",
		                              bearer(w, ws)))),
			403);
	}
}

world_test(a_wrong_method_or_path_is_told_so)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	const char *answer = fetch(w, ws, "DELETE /health", HOST);

	assert_int_equal(status_of(answer), 405);
	assert_non_null(strstr(answer, "\r\nAllow: GET, HEAD\r\n"));
	answer = fetch(w, ws, "POST /status",
	               HOST "Content-Length: 2\r\n\r\n{}");
	assert_int_equal(status_of(answer), 405);
	answer =
		fetch(w, ws, "GET /health", HOST "Content-Length: 2\r\n\r\n{}");
	assert_int_equal(status_of(answer), 400);
	assert_int_equal(status_of(fetch(w, ws, "GET /none", HOST)), 404);
	assert_int_equal(status_of(fetch(w, ws, "GET /health/x", HOST)), 404);
	assert_int_equal(status_of(fetch(w, ws, "GET /", HOST)), 401);
}

world_test(a_head_has_no_body)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	char *headers = text_of(w, HOST "%s", bearer(w, ws));
	static const char *const paths[] = { "/health", "/ready", "/status",
		                             "/metrics", "/events" };

	wait_for(w, w->hub.is_store_open);
	for (size_t i = 0; i < 5; i++) {
		const char *answer =
			fetch(w, ws, text_of(w, "HEAD %s", paths[i]), headers);

		assert_int_equal(status_of(answer), 200);
		assert_string_equal(body_of(answer), "");
	}
}

world_test(metrics_have_the_type_prometheus_knows)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	const char *answer = fetch(w, ws, "GET /metrics",
	                           text_of(w, HOST "%s", bearer(w, ws)));

	assert_non_null(
		strstr(answer, "Content-Type: text/plain; version=0.0.4; "));
	assert_non_null(strstr(body_of(answer), "# TYPE dovetail_sessions "));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(health_and_ready_need_no_token_and_say_little),
		test_in_world(the_rest_needs_the_token_in_one_of_two_ways),
		test_in_world(too_many_wrong_tokens_are_refused_and_counted),
		test_in_world(host_and_origin_are_looked_at_on_every_path),
		test_in_world(a_wrong_method_or_path_is_told_so),
		test_in_world(a_head_has_no_body),
		test_in_world(metrics_have_the_type_prometheus_knows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
