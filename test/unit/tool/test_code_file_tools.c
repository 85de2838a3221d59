/* test/unit/tool/test_code_file_tools.c - what agents are told about a file. */
#include "tool/code_file_tools.h"

#include "editor/code_file.h"
#include "tool/script.h"

static void call(struct script *s, const char *name, const char *args,
                 const struct step *steps)
{
	script_call(s, script_find(dt_tools_code_file.tools, name), args,
	            steps);
}

static struct dt_symbol symbols[] = {
	{ .name = "A", .kind = "class", .path = "/w/a", .depth = 0 },
	{ .name = "f", .kind = "method", .path = "/w/a", .depth = 1 },
	{ .name = "g", .kind = "function", .path = "/w/a", .depth = 0 },
};
static const struct dt_symbols_result three = {
	.items = { symbols, 3 },
	.total = 3,
};

/* The names in the reply to getDocumentSymbols, and how it goes on. */
static void assert_outline(const char *more, const char *names,
                           const char *rest)
{
	const struct step steps[] = { { &dt_op_get_document_symbols, &three },
		                      { 0 } };
	char *args = dt_asprintf("{\"filePath\":\"/w/a\"%s}", more);
	struct dt_buf found;
	struct script s;
	const char *at;

	dt_buf_init(&found, 64);
	script_begin(&s);
	call(&s, "getDocumentSymbols", args, steps);
	assert_false(s.is_error);
	at = dt_buf_z(&s.replied);
	while ((at = strstr(at, "\"name\":\"")))
		dt_buf_add_char(&found, *(at += strlen("\"name\":\"")));
	assert_string_equal(dt_buf_z(&found), names);
	assert_non_null(strstr(dt_buf_z(&s.replied), rest));
	dt_buf_done(&found);
	free(args);
	script_end(&s);
}

test(an_outline_is_sifted_by_kind_and_depth)
{
	assert_outline("", "Afg",
	               "\"count\":3,\"total\":3,\"truncated\":false");
	assert_outline(",\"maxDepth\":0", "Ag",
	               "\"count\":2,\"total\":2,\"truncated\":false");
	assert_outline(",\"kinds\":[\"method\",\"function\"]", "fg",
	               "\"count\":2,\"total\":2");
	assert_outline(",\"maxResults\":1", "A",
	               "\"count\":1,\"total\":3,\"truncated\":true");
}

test(servers_that_could_not_search_are_named)
{
	static const char *why[] = { "pyright crashed" };
	static const struct dt_symbols_result found = {
		.items = { symbols, 1 },
		.total = 1,
		.failures = { why, 1 },
	};
	const struct step steps[] = { { &dt_op_search_symbols, &found },
		                      { 0 } };
	struct script s;

	script_begin(&s);
	call(&s, "searchWorkspaceSymbols", "{\"query\":\"A\"}", steps);
	assert_asked(&s, "searchSymbols{\"query\":\"A\",\"limit\":50}\n");
	assert_non_null(strstr(dt_buf_z(&s.replied),
	                       "\"problems\":[\"pyright crashed\"]"));
	call(&s, "searchWorkspaceSymbols",
	     "{\"query\":\"A\",\"maxResults\":501}", NULL);
	assert_failure(&s, "maxResults: must be 1 to 500\n");
	script_end(&s);
}

test(hints_and_folds_count_from_1)
{
	static struct dt_inlay_hint hint = {
		.at = { 4, 8 },
		.label = { ": int", 5 },
		.kind = "type",
	};
	static const struct dt_inlay_hints_result hints = {
		.items = { &hint, 1 },
		.total = 2,
	};
	static struct dt_folding folding = { 0, 3, NULL };
	static const struct dt_foldings_result foldings = {
		.items = { &folding, 1 },
		.total = 1,
	};
	const struct step ask_hints[] = { { &dt_op_get_inlay_hints, &hints },
		                          { 0 } };
	const struct step ask_folds[] = {
		{ &dt_op_get_folding_ranges, &foldings }, { 0 }
	};
	struct script s;

	script_begin(&s);
	call(&s, "getInlayHints",
	     "{\"filePath\":\"/w/a\",\"startLine\":5,\"endLine\":6,"
	     "\"maxResults\":1}",
	     ask_hints);
	assert_asked(&s, "getInlayHints{\"path\":\"/w/a\",\"firstLine\":4,"
	                 "\"lastLine\":5,\"limit\":1}\n");
	assert_reply(&s, "{\"hints\":[{\"line\":5,\"column\":9,\"label\":\": "
	                 "int\",\"kind\":\"type\"}],\"count\":1,\"total\":2,"
	                 "\"truncated\":true}\n");
	call(&s, "foldingRanges", "{\"filePath\":\"/w/a\"}", ask_folds);
	assert_reply(&s, "{\"ranges\":[{\"startLine\":1,\"endLine\":4}],"
	                 "\"count\":1,\"total\":1,\"truncated\":false}\n");
	call(&s, "foldingRanges", "{\"filePath\":\"/w/a\",\"startLine\":0}",
	     NULL);
	assert_failure(&s, "startLine: counts from 1\n");
	call(&s, "getSemanticTokens", "{\"filePath\":\"/w/a\",\"maxTokens\":0}",
	     NULL);
	assert_failure(&s, "the most to list must be 1 to 5000\n");
	script_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_outline_is_sifted_by_kind_and_depth),
		cmocka_unit_test(servers_that_could_not_search_are_named),
		cmocka_unit_test(hints_and_folds_count_from_1),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
