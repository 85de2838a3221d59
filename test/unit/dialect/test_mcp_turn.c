#include "hub/mcp.h"

#include "base/utf8.h"

static const struct dt_json *json(struct dt_arena *arena, const char *text)
{
	const struct dt_json *value;

	assert_ok(dt_json_read(arena, dt_str(text), &value, NULL));
	return value;
}

test(revisions_are_found_by_their_date)
{
	for (int i = DT_MCP_2024_11; i < DT_MCP_REVISIONS; i++)
		assert_int_equal(
			dt_mcp_find_revision(dt_str(dt_mcp_revisions[i])), i);
	assert_int_equal(dt_mcp_find_revision(DT_STR("none")), DT_MCP_NONE);
	assert_int_equal(dt_mcp_find_revision(DT_STR("")), DT_MCP_NONE);
	assert_int_equal(dt_mcp_find_revision(DT_STR("2025-11-26")),
	                 DT_MCP_NONE);
}

test(a_client_is_named_in_whole_characters)
{
	/* 63 and 31 bytes have room for them but for the last. */
	static const char many[] = "ääääääääääääääääääääääääääääääääää";
	struct dt_agent agent = { 0 };

	dt_mcp_name_client(&agent, dt_str(many), dt_str(many));
	assert_int_equal(strlen(agent.name), 62);
	assert_int_equal(strlen(agent.version), 30);
	assert_true(dt_utf8_is_valid(dt_str(agent.name)));
	dt_mcp_name_client(&agent, DT_STR("a"), (struct dt_str){ 0 });
	assert_string_equal(agent.name, "a");
	assert_int_equal(strlen(agent.version), 30);
}

test(what_a_client_declares_is_read)
{
	static const struct {
		const char *text;
		unsigned client;
	} cases[] = {
		{ "{}", 0 },
		{ "{\"elicitation\":{}}", DT_MCP_ELICITS },
		{ "{\"elicitation\":{\"form\":{}}}", DT_MCP_ELICITS },
		{ "{\"elicitation\":{\"url\":{}}}", 0 },
		{ "{\"elicitation\":{\"url\":{},\"form\":{}}}",
		  DT_MCP_ELICITS },
		{ "{\"sampling\":{},\"roots\":{\"listChanged\":true}}",
		  DT_MCP_SAMPLES | DT_MCP_ROOTS },
		{ "{\"tasks\":{},\"x/y\":{}}", 0 },
		{ "[]", 0 },
	};
	struct dt_arena arena = { 0 };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(
			dt_mcp_read_client(json(&arena, cases[i].text)),
			cases[i].client);
	assert_int_equal(dt_mcp_read_client(NULL), 0);
	dt_arena_done(&arena);
}

test(levels_are_those_of_rfc_5424)
{
	struct dt_arena arena = { 0 };

	assert_int_equal(dt_mcp_find_level(json(&arena, "\"debug\"")), 0);
	assert_int_equal(dt_mcp_find_level(json(&arena, "\"error\"")),
	                 DT_LEVEL_ERROR);
	assert_int_equal(dt_mcp_find_level(json(&arena, "\"emergency\"")), 7);
	assert_int_equal(dt_mcp_find_level(json(&arena, "\"loud\"")), -1);
	assert_int_equal(dt_mcp_find_level(json(&arena, "\"\"")), -1);
	assert_int_equal(dt_mcp_find_level(json(&arena, "7")), -1);
	assert_int_equal(dt_mcp_find_level(NULL), -1);
	dt_arena_done(&arena);
}

test(so_many_in_a_minute_and_no_more)
{
	struct dt_mcp_rate rate = { 0 };
	unsigned taken = 0;

	/* The minute may end once while this runs. */
	for (int i = 0; i < 11; i++)
		taken += dt_mcp_rate_take(&rate, 5);
	assert_in_range(taken, 5, 10);
	for (int i = 0; i < 100; i++)
		assert_true(dt_mcp_rate_take(&rate, 0));
}

/* So many pings that one is refused; returns its answer. */
static const char *exhaust(struct client *c, const char *method,
                           const char *params)
{
	const char *heard = NULL;

	for (int i = 0; i < 11; i++)
		request(c, method, params);
	for (int i = 0; i < 11; i++) {
		const char *message = hear(c);

		if (at(c->w, message, "error.code"))
			heard = message;
	}
	assert_non_null(heard);
	return heard;
}

world_test(a_legacy_client_over_its_rate_is_refused_with_32004)
{
	struct world *w = *state;
	struct client *c;
	const char *heard;

	configure(w, "[limits]\nrequests_a_minute = 5\n");
	c = connect_fixtures(w, "2025-11-25", "");
	heard = exhaust(c, "ping", "{}");
	assert_string_equal(at(w, heard, "error.code"), "-32004");
	assert_string_equal(at(w, heard, "error.message"),
	                    "more than 5 requests in a minute "
	                    "(limits.requests_a_minute): wait");
	assert_true(log_has(w, "hit limits.requests_a_minute"));
}

/* Codes from -32020 on are the specification's since then. */
world_test(a_modern_client_over_its_rate_is_refused_with_429)
{
	struct world *w = *state;
	struct client *c;

	configure(w, "[limits]\nrequests_a_minute = 5\n");
	c = connect_lines(serve_fixtures(w), w, &fixture_dialect);
	assert_string_equal(at(w,
	                       exhaust(c, "server/discover", "{" META("") "}"),
	                       "error.code"),
	                    "429");
}

world_test(notifications_over_the_rate_are_not_looked_at)
{
	struct world *w = *state;
	struct client *c;

	configure(w, "[limits]\nnotes_a_minute = 3\n");
	c = connect_fixtures(w, "2025-11-25", ELICITS);
	call_plain(c, "test_elicitation_sep1034_defaults");
	expect_at(c, "method", "elicitation/create");
	for (unsigned i = 0; i < 7; i++)
		cancel(c, 1000 + i);
	expect_nothing_but_pong(c);
	assert_true(log_has(w, "hit limits.notes_a_minute"));
}

/* An error is told whole, or cut where a letter ends. */
world_test(a_long_sentence_is_cut_between_letters)
{
	struct world *w = *state;
	struct client *c = connect_fixtures(w, "2025-11-25", "");
	char name[301];
	const char *heard;

	for (size_t i = 0; i < 300; i += 2)
		memcpy(name + i, "\xc3\xa4", 2);
	name[300] = '\0';
	heard = ask(c, "tools/call", text_of(w, "{\"name\":\"%s\"}", name));
	assert_string_equal(at(w, heard, "error.code"), "-32602");
	heard = ask(c, name, "{}");
	assert_string_equal(at(w, heard, "error.code"), "-32601");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(revisions_are_found_by_their_date),
		cmocka_unit_test(a_client_is_named_in_whole_characters),
		cmocka_unit_test(what_a_client_declares_is_read),
		cmocka_unit_test(levels_are_those_of_rfc_5424),
		cmocka_unit_test(so_many_in_a_minute_and_no_more),
		test_in_world(
			a_legacy_client_over_its_rate_is_refused_with_32004),
		test_in_world(
			a_modern_client_over_its_rate_is_refused_with_429),
		test_in_world(notifications_over_the_rate_are_not_looked_at),
		test_in_world(a_long_sentence_is_cut_between_letters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
