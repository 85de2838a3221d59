/* test/unit/backend/test_workspace_edit.c - both shapes of a WorkspaceEdit, and
 * what is none. */
#include "backend/workspace_edit.h"

#include "base/limits.h"
#include "editor/proposal.h"
#include "unit.h"

static struct dt_change changes[DT_LIMIT_CHANGES];

static enum dt_err read(struct dt_arena *arena, const char *text,
                        struct dt_items *out, struct dt_fail *fail)
{
	const struct dt_json *json = NULL;

	*out = (struct dt_items){ .ptr = changes };
	assert_ok(dt_json_read(arena, dt_str(text), &json, NULL));
	return dt_workspace_edit_read(arena, json, out, fail);
}

#define EDIT(text)                                                             \
	"{\"range\":{\"start\":{\"line\":1,\"character\":2},"                  \
	"\"end\":{\"line\":3,\"character\":4}},\"newText\":\"" text "\"}"

test(edits_by_file_are_read)
{
	struct dt_arena arena = { 0 };
	struct dt_range_edit *edit;
	struct dt_items out;

	assert_ok(read(&arena,
	               "{\"changes\":{\"file:///w/a%20b\":[" EDIT("x") "," EDIT(
			       "\\n") "],\"file:///w/c\":[]}}",
	               &out, NULL));
	assert_int_equal(out.count, 1);
	assert_string_equal(changes[0].path, "/w/a b");
	assert_int_equal(changes[0].kind, DT_CHANGE_EDIT);
	assert_int_equal(changes[0].ranges.count, 2);
	edit = changes[0].ranges.ptr;
	assert_int_equal(edit[0].range.start.line, 1);
	assert_int_equal(edit[0].range.end.character, 4);
	assert_str(edit[0].text, "x");
	assert_str(edit[1].text, "\n");
	assert_true(edit[0].is_loose);
	dt_arena_done(&arena);
}

#define DOCUMENT(uri, text)                                                    \
	"{\"textDocument\":{\"uri\":\"" uri "\",\"version\":null},"            \
	"\"edits\":[" EDIT(text) "]}"

test(files_that_are_made_and_moved_are_read)
{
	struct dt_arena arena = { 0 };
	struct dt_items out;

	assert_ok(read(
		&arena,
		"{\"documentChanges\":["
		"{\"kind\":\"create\",\"uri\":\"file:///w/new\"}," DOCUMENT(
			"file:///w/new",
			"text") ",{\"kind\":\"rename\",\"oldUri\":"
				"\"file:///w/old\","
				"\"newUri\":\"file:///w/to\"}"
				"," DOCUMENT(
					"file:///w/to",
					"moved") ","
						 "{\"kind\":\"delete\",\"uri\":\"file:///w/gone\"}," DOCUMENT(
							 "file:///w/a",
							 "1") "," DOCUMENT("file:///w/a",
	                                                                   "2") "],\"changes\":{}"
										"}",
		&out, NULL));
	assert_int_equal(out.count, 4);
	assert_int_equal(changes[0].kind, DT_CHANGE_CREATE);
	assert_str(changes[0].text, "text");
	assert_int_equal(changes[1].kind, DT_CHANGE_RENAME);
	assert_string_equal(changes[1].path, "/w/old");
	assert_string_equal(changes[1].new_path, "/w/to");
	assert_int_equal(changes[1].ranges.count, 1);
	assert_int_equal(changes[2].kind, DT_CHANGE_DELETE);
	assert_string_equal(changes[3].path, "/w/a");
	assert_int_equal(changes[3].ranges.count, 2);
	dt_arena_done(&arena);
}

test(what_is_none_is_refused)
{
	static const char *const bad[] = {
		"[]",
		"{\"changes\":{\"http://x/a\":[" EDIT("x") "]}}",
		"{\"changes\":{\"file:///w/a\":{}}}",
		"{\"changes\":{\"file:///w/a\":[1]}}",
		"{\"changes\":{\"file:///w/a\":[{\"newText\":\"x\"}]}}",
		"{\"documentChanges\":[1]}",
		"{\"documentChanges\":[{\"edits\":[]}]}",
		"{\"documentChanges\":[{\"kind\":\"melt\",\"uri\":"
		"\"file:///w/a\"}]}",
		"{\"documentChanges\":[{\"kind\":\"rename\",\"oldUri\":"
		"\"file:///w/a\"}]}",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct dt_arena arena = { 0 };
		struct dt_fail fail = { 0 };
		struct dt_items out;

		assert_int_equal(read(&arena, bad[i], &out, &fail),
		                 DT_E_UNSUPPORTED);
		dt_arena_done(&arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(edits_by_file_are_read),
		cmocka_unit_test(files_that_are_made_and_moved_are_read),
		cmocka_unit_test(what_is_none_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
