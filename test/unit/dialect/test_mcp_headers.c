#include "unit.h"

#include "dialect/mcp.h"

#include <stdio.h>
#include <strings.h>

/* A request that came with up to four headers. */
struct sent {
	struct dt_exchange x;
	struct dt_request req;
	struct dt_mcp_turn turn;
	const char *headers[4][2];
	size_t count;
	struct dt_fail fail;
};

static struct dt_str get_header(struct dt_exchange *x, const char *name)
{
	const struct sent *sent = DT_LIST_OF(x, struct sent, x);

	for (size_t i = 0; i < sent->count; i++) {
		if (!strcasecmp(sent->headers[i][0], name))
			return dt_str(sent->headers[i][1]);
	}
	return (struct dt_str){ 0 };
}

static const struct dt_exchange_carrier carrier = { .header = get_header };

static void put(struct sent *sent, const char *name, const char *value)
{
	sent->headers[sent->count][0] = name;
	sent->headers[sent->count++][1] = value;
}

static void begin(struct sent *sent, const char *method, const char *params)
{
	*sent = (struct sent){ .x.carrier = &carrier };
	sent->req.method = method;
	sent->req.exchange = &sent->x;
	sent->turn.req = &sent->req;
	sent->turn.revision = DT_MCP_2026_07;
	assert_ok(dt_json_read(&sent->req.arena, dt_str(params),
	                       &sent->turn.params, NULL));
}

/* NULL: it is fine. */
static void check(struct sent *sent, const char *sentence)
{
	struct dt_fail fail = { 0 };
	enum dt_err err =
		dt_mcp_check_headers(&sent->turn, DT_STR("2026-07-28"), &fail);

	assert_int_equal(err, sentence ? DT_E_PROTO : DT_E_OK);
	assert_string_equal(fail.msg, sentence ? sentence : "");
	dt_arena_done(&sent->req.arena);
}

test(without_an_exchange_there_are_no_headers_to_check)
{
	struct sent sent;

	begin(&sent, "tools/list", "{}");
	sent.req.exchange = NULL;
	check(&sent, NULL);
}

test(version_and_method_must_be_there_and_fit)
{
	struct sent sent;

	begin(&sent, "tools/list", "{}");
	check(&sent, "mcp-protocol-version: the header is missing");
	begin(&sent, "tools/list", "{}");
	put(&sent, "MCP-Protocol-Version", "2025-11-25");
	check(&sent, "mcp-protocol-version: the header says 2025-11-25 and the "
	             "body 2026-07-28");
	begin(&sent, "tools/list", "{}");
	put(&sent, "MCP-Protocol-Version", "2026-07-28");
	check(&sent, "mcp-method: the header is missing");
	begin(&sent, "tools/list", "{}");
	put(&sent, "MCP-Protocol-Version", "2026-07-28");
	put(&sent, "Mcp-Method", "Tools/list");
	check(&sent, "mcp-method: the header says Tools/list and the body "
	             "tools/list");
	begin(&sent, "tools/list", "{}");
	put(&sent, "MCP-Protocol-Version", "2026-07-28");
	put(&sent, "Mcp-Method", "tools/list");
	check(&sent, NULL);
}

static void check_name(const char *method, const char *params, const char *name,
                       const char *sentence)
{
	struct sent sent;

	begin(&sent, method, params);
	put(&sent, "MCP-Protocol-Version", "2026-07-28");
	put(&sent, "Mcp-Method", method);
	if (name)
		put(&sent, "Mcp-Name", name);
	check(&sent, sentence);
}

test(what_is_called_or_read_is_named_by_a_header)
{
	check_name("tools/call", "{\"name\":\"a\"}", "a", NULL);
	check_name("prompts/get", "{\"name\":\"a\"}", "a", NULL);
	check_name("resources/read", "{\"uri\":\"file:///a\"}", "file:///a",
	           NULL);
	check_name("tools/call", "{\"name\":\"a\"}", NULL,
	           "mcp-name: the header is missing");
	check_name("tools/call", "{\"name\":\"a\"}", "b",
	           "mcp-name: the header says b and the body a");
	/* What is wrong with the body is said by whoever reads it. */
	check_name("tools/call", "{\"name\":7}", NULL, NULL);
	check_name("tools/call", "{}", NULL, NULL);
}

test(values_no_header_may_hold_come_as_base64)
{
	check_name("tools/call", "{\"name\":\"\\u00e4\"}",
	           "=?base64?w6Q=?=", NULL);
	check_name("tools/call", "{\"name\":\"a\"}", "=?base64?YQ==?=", NULL);
	check_name("tools/call", "{\"name\":\"a\"}",
	           "=?base64?!?=", "mcp-name: bad base64");
	check_name("tools/call", "{\"name\":\"=?base64?\"}", "=?base64?", NULL);
	check_name("tools/call", "{\"name\":\"a\"}", "=?base64?YQ==",
	           "mcp-name: the header says =?base64?YQ== and the body a");
}

static const struct dt_tool tool = {
	.name = "t",
	.schema =
		"{\"type\":\"object\",\"properties\":{"
		"\"region\":{\"type\":\"string\",\"x-mcp-header\":\"Region\"},"
		"\"count\":{\"type\":\"integer\",\"x-mcp-header\":\"Count\"},"
		"\"deep\":{\"type\":\"object\",\"properties\":{\"flag\":{"
		"\"type\":\"boolean\",\"x-mcp-header\":\"Flag\"}}}}}",
};

/* One header against the arguments; NULL: none, or all is fine. */
static void check_args(const char *args, const char *name, const char *value,
                       const char *sentence)
{
	struct dt_fail fail = { 0 };
	char params[200];
	struct sent sent;

	snprintf(params, sizeof(params), "{\"arguments\":%s}", args);
	begin(&sent, "tools/call", params);
	if (name)
		put(&sent, name, value);
	assert_int_equal(dt_mcp_check_arguments(&sent.turn, &tool, &fail),
	                 sentence ? DT_E_PROTO : DT_E_OK);
	assert_string_equal(fail.msg, sentence ? sentence : "");
	dt_arena_done(&sent.req.arena);
}

test(marked_arguments_are_in_a_header_too)
{
	check_args("{\"region\":\"eu\"}", "Mcp-Param-Region", "eu", NULL);
	check_args("{\"region\":\"eu\"}", "Mcp-Param-Region", "us",
	           "mcp-param-Region: the header says us and the body eu");
	check_args("{\"region\":\"eu\"}", NULL, NULL,
	           "mcp-param-Region: the header is missing");
	check_args("{}", NULL, NULL, NULL);
	check_args("{\"region\":null}", NULL, NULL, NULL);
	check_args("{}", "Mcp-Param-Region", "eu",
	           "mcp-param-Region: the body has no such argument");
	check_args("{\"deep\":{\"flag\":true}}", "Mcp-Param-Flag", "true",
	           NULL);
	check_args("{\"deep\":{\"flag\":true}}", "Mcp-Param-Flag", "false",
	           "mcp-param-Flag: the header says false and the body true");
	check_args("{\"deep\":7}", NULL, NULL, NULL);
	check_args("7", NULL, NULL, NULL);
}

test(numbers_are_compared_as_numbers)
{
	check_args("{\"count\":42}", "Mcp-Param-Count", "042", NULL);
	check_args("{\"count\":42}", "Mcp-Param-Count", "43",
	           "mcp-param-Count: the header says 43 and the body 42");
	check_args("{\"count\":0}", "Mcp-Param-Count", "",
	           "mcp-param-Count: the header says  and the body 0");
	check_args("{\"count\":0}", "Mcp-Param-Count", "-",
	           "mcp-param-Count: the header says - and the body 0");
	check_args("{\"count\":1.5}", "Mcp-Param-Count", "1.5", NULL);
}

/* The headers came with the era. */
test(legacy_requests_need_no_header_for_arguments)
{
	struct sent sent;

	begin(&sent, "tools/call", "{\"arguments\":{\"region\":\"eu\"}}");
	sent.turn.revision = DT_MCP_2025_11;
	assert_ok(dt_mcp_check_arguments(&sent.turn, &tool, NULL));
	sent.turn.revision = DT_MCP_2026_07;
	sent.req.exchange = NULL;
	assert_ok(dt_mcp_check_arguments(&sent.turn, &tool, NULL));
	dt_arena_done(&sent.req.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			without_an_exchange_there_are_no_headers_to_check),
		cmocka_unit_test(version_and_method_must_be_there_and_fit),
		cmocka_unit_test(what_is_called_or_read_is_named_by_a_header),
		cmocka_unit_test(values_no_header_may_hold_come_as_base64),
		cmocka_unit_test(marked_arguments_are_in_a_header_too),
		cmocka_unit_test(numbers_are_compared_as_numbers),
		cmocka_unit_test(legacy_requests_need_no_header_for_arguments),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
