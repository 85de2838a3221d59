/* test/unit/tool/test_edit_args.c - places refused by the name of the argument,
 * and what becomes of the others. */
#include "tool/edit_args.h"

#include "tool/change_tools.h"
#include "tool/fixture.h"
#include "unit.h"

static const struct dt_tool *tool(const char *name)
{
	const struct dt_tool *t = dt_tools_change.tools;

	while (strcmp(t->name, name) != 0)
		t++;
	return t;
}

static void refuses(const char *name, const char *args, const char *sentence)
{
	struct fixture f;

	begin(&f);
	if (start(&f, tool(name), args)) {
		assert_string_equal(f.fail.msg, sentence);
	} else {
		assert_int_equal(f.ended, 1);
		assert_true(f.is_error);
		assert_string_equal(f.first, sentence);
	}
	assert_int_equal(f.performed, 0);
	end(&f);
}

#define EDIT(members) "{\"filePath\":\"/w/a\",\"edits\":[{" members "}]}"
#define FROM "\"line\":1,\"column\":1"

test(an_edit_that_says_too_little_is_refused)
{
	refuses("editText", "{\"filePath\":\"/w/a\",\"edits\":[]}",
	        "edits: there are none");
	refuses("editText", EDIT("\"type\":\"insert\",\"line\":1"),
	        "edits[0].column: missing");
	refuses("editText", EDIT("\"type\":\"insert\"," FROM),
	        "edits[0]: text: missing");
	refuses("editText",
	        EDIT("\"type\":\"insert\",\"text\":\"\",\"endLine\":1," FROM),
	        "edits[0]: insert has no end: use replace");
	refuses("editText",
	        EDIT("\"type\":\"replace\",\"text\":\"\",\"endLine\":1," FROM),
	        "edits[0]: give endLine and endColumn");
	refuses("editText",
	        EDIT("\"type\":\"delete\",\"text\":\"x\",\"endLine\":1,"
	             "\"endColumn\":1," FROM),
	        "edits[0]: delete has no text: use replace");
	refuses("editText",
	        EDIT("\"type\":\"insert\",\"text\":\"\",\"line\":0,"
	             "\"column\":1"),
	        "edits[0]: lines and columns count from 1");
}

#define PIECE(members) "{\"filePath\":\"/w/a\",\"operation\":" members "}"

test(a_piece_that_says_too_little_is_refused)
{
	refuses("previewEdit", PIECE("\"lineRange\",\"startLine\":1"),
	        "lineRange: give startLine and endLine");
	refuses("previewEdit",
	        PIECE("\"lineRange\",\"startLine\":0,\"endLine\":1"),
	        "startLine: counts from 1");
	refuses("previewEdit",
	        PIECE("\"lineRange\",\"startLine\":3,\"endLine\":1"),
	        "endLine: is before startLine");
	refuses("previewEdit",
	        PIECE("\"lineRange\",\"startLine\":1,\"endLine\":1"),
	        "lineRange: give newContent; empty text deletes lines");
	refuses("previewEdit", PIECE("\"searchReplace\""), "search: missing");
	refuses("previewEdit", PIECE("\"searchReplace\",\"search\":\"x\""),
	        "replace: missing");
	refuses("previewEdit", PIECE("\"content\""), "newContent: missing");
	refuses("previewEdit", PIECE("\"edits\""), "edits: there are none");
}

test(more_edits_than_a_thousand_are_refused)
{
	struct dt_buf args;

	dt_buf_init(&args, 1u << 20);
	dt_buf_add_z(&args, "{\"filePath\":\"/w/a\",\"edits\":[");
	for (unsigned i = 0; i <= 1000; i++)
		dt_buf_addf(&args,
		            "%s{\"type\":\"insert\",\"line\":1,\"column\":1,"
		            "\"text\":\"x\"}",
		            i ? "," : "");
	dt_buf_add_z(&args, "]}");
	refuses("editText", dt_buf_z(&args), "edits: at most 1000 in one call");
	dt_buf_done(&args);
}

/* With every field set, as whoever answers in the fixture does, too. */
static void run_filled(const struct dt_tool *t, enum how how)
{
	struct fixture f;

	begin(&f);
	f.how = how;
	assert_ok(start_json(&f, t, fill_json(&f.arena, &t->args, "/w/a.c"),
	                     NULL));
	if (how == HOLDS && !f.ended) {
		dt_call_drop(f.call);
		assert_int_equal(f.dropped, 1);
	} else {
		assert_int_equal(f.ended, 1);
	}
	end(&f);
}

test(every_way_through_ends_once)
{
	for (size_t i = 0; i < dt_tools_change.count; i++) {
		run_filled(&dt_tools_change.tools[i], ANSWERS);
		run_filled(&dt_tools_change.tools[i], REFUSES);
		run_filled(&dt_tools_change.tools[i], HOLDS);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_edit_that_says_too_little_is_refused),
		cmocka_unit_test(a_piece_that_says_too_little_is_refused),
		cmocka_unit_test(more_edits_than_a_thousand_are_refused),
		cmocka_unit_test(every_way_through_ends_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
