/* test/unit/tool/test_context_tools.c - twin of src/tool/context_tools.c */
#include "tool/context_tools.h"

#include "editor/diagnostics.h"
#include "editor/files.h"
#include "editor/git.h"
#include "editor/project.h"
#include "tool/script.h"
#include "unit.h"

static void call(struct script *s, const char *name, const char *args,
                 const struct step *steps)
{
	script_call(s, script_find(dt_tools_context.tools, name), args, steps);
}

static struct dt_note_result written = {
	.note = { "go on", 5 },
	.updated_at = "t",
	.updated_by = "claude-code",
	.age_seconds = 3,
};
static struct dt_note_result none;

#define WRITTEN                                                                \
	"{\"note\":\"go on\",\"updatedAt\":\"t\",\"updatedBy\":\"claude-"      \
	"code\",\"ageSeconds\":3}"
#define NONE "{\"note\":\"\",\"message\":\"No note was left here.\"}"

test(a_note_is_read_and_written)
{
	const struct step read[] = { { &dt_op_get_note, &written }, { 0 } };
	const struct step empty[] = { { &dt_op_get_note, &none }, { 0 } };
	const struct step set[] = { { &dt_op_set_note, &written }, { 0 } };
	struct script s;

	script_begin(&s);
	call(&s, "getHandoffNote", "{}", read);
	assert_reply(&s, WRITTEN "\n");
	call(&s, "getHandoffNote", "{}", empty);
	assert_reply(&s, NONE "\n");
	call(&s, "setHandoffNote", "{\"note\":\"go on\"}", set);
	assert_asked(&s, "setNote{\"note\":\"go on\"}\n");
	assert_reply(&s, WRITTEN "\n");
	script_end(&s);
}

static struct dt_document_info info = {
	.path = "/w/a.c",
	.label = "a.c",
	.language = "c",
	.is_active = true,
};
static struct dt_documents_result documents = { { &info, 1 } };
static struct dt_selection selection = {
	.path = "/w/a.c",
	.text = { "x", 1 },
	.range = { { 0, 0 }, { 0, 1 } },
};
static struct dt_read_file_result file = {
	.path = "/w/a.c",
	.language = "c",
	.text = { "x\n", 2 },
};
static struct dt_diagnostic problem = {
	.message = { "no x", 4 },
	.source = "clang",
	.code = "7",
};
static struct dt_file_diagnostics bad_file = { "/w/a.c", { &problem, 1 } };
static const char *lookers[] = { "clangd" };
static struct dt_linter_error silent = { "ruff", "not there" };
static struct dt_diagnostics_result problems = {
	.items = { &bad_file, 1 },
	.is_watched = true,
	.who = { lookers, 1 },
	.errors = { &silent, 1 },
};
static struct dt_git_file_diff file_diffs[] = {
	{ .path = "/w/a.c", .text = { "-a\n", 3 } },
	{ .path = "/w/b.c", .text = { "+b\n", 3 } },
};
static struct dt_git_diff_result diff = { .files = { file_diffs, 2 } };

/* Everything before the time. */
static void assert_bundle(struct script *s, const char *wanted)
{
	const char *reply = dt_buf_z(&s->replied);

	assert_false(s->is_error);
	if (strncmp(reply, wanted, strlen(wanted)) != 0)
		assert_string_equal(reply, wanted);
}

#define TABS                                                                   \
	"\"openEditors\":[{\"filePath\":\"/w/a.c\",\"uri\":\"file:///w/a.c\","

test(a_bundle_has_all_that_is_known)
{
	const struct step steps[] = {
		{ &dt_op_list_documents, &documents },
		{ &dt_op_get_selection, &selection },
		{ &dt_op_read_file, &file },
		{ &dt_op_get_diagnostics, &problems },
		{ &dt_op_git_diff, &diff },
		{ &dt_op_get_note, &written },
		{ 0 },
	};
	struct script s;

	script_begin(&s);
	call(&s, "contextBundle", "{}", steps);
	assert_bundle(&s, "{\"activeFile\":\"/w/a.c\",\"activeFileContent\":"
	                  "\"x\\n\",\"selection\":{");
	assert_non_null(strstr(dt_buf_z(&s.replied), TABS));
	assert_non_null(strstr(dt_buf_z(&s.replied), "\"message\":\"no x\""));
	assert_non_null(
		strstr(dt_buf_z(&s.replied), "\"linters\":[\"clangd\"]"));
	assert_non_null(strstr(dt_buf_z(&s.replied),
	                       "{\"linter\":\"ruff\",\"message\":"
	                       "\"not there\"}"));
	assert_non_null(
		strstr(dt_buf_z(&s.replied), "\"handoffNote\":" WRITTEN));
	assert_non_null(
		strstr(dt_buf_z(&s.replied), "\"diff\":\"-a\\n+b\\n\","));
	assert_non_null(strstr(dt_buf_z(&s.asked), "\"from\":\"HEAD\""));
	assert_non_null(strstr(dt_buf_z(&s.replied), "\"missing\":[]"));
	script_end(&s);
}

test(what_is_missing_is_said)
{
	const struct step steps[] = {
		{ &dt_op_list_documents, &documents },
		{ &dt_op_get_selection, NULL, DT_E_DENIED, "kept" },
		{ &dt_op_read_file, NULL, DT_E_DENIED, "kept from agents" },
		{ &dt_op_get_diagnostics, &problems },
		{ 0 },
	};
	struct script s;

	script_begin(&s);
	call(&s, "contextBundle",
	     "{\"includeHandoffNote\":false,\"includeDiff\":false}", steps);
	assert_bundle(&s, "{\"activeFile\":\"/w/a.c\"," TABS);
	assert_null(strstr(dt_buf_z(&s.replied), "handoffNote"));
	assert_non_null(strstr(dt_buf_z(&s.replied),
	                       "\"missing\":[\"selection: kept\","
	                       "\"activeFileContent: kept from agents\"]"));
	script_end(&s);
}

test(a_long_text_is_cut)
{
	size_t len = 100 * 1024;
	char *text = malloc(len);
	struct dt_read_file_result large = file;
	const struct step steps[] = {
		{ &dt_op_list_documents, &documents },
		{ &dt_op_get_selection, &selection },
		{ &dt_op_read_file, &large },
		{ &dt_op_get_diagnostics, &problems },
		{ &dt_op_git_diff, &diff },
		{ &dt_op_get_note, &none },
		{ 0 },
	};
	struct script s;

	assert_non_null(text);
	memset(text, 'x', len);
	large.text = (struct dt_str){ text, len };
	script_begin(&s);
	call(&s, "contextBundle", "{}", steps);
	assert_non_null(
		strstr(dt_buf_z(&s.replied), "x\",\"contentTruncated\":true"));
	assert_in_range(s.replied.len, 65536, 70000);
	script_end(&s);
	free(text);
}

test(the_clipboard_is_read_and_written)
{
	struct dt_clipboard board = { .text = DT_STR("x") };
	const struct step read[] = { { &dt_op_read_clipboard, &board }, { 0 } };
	const struct step write[] = { { &dt_op_write_clipboard }, { 0 } };
	struct script s;

	script_begin(&s);
	call(&s, "readClipboard", "{}", read);
	assert_reply(&s, "{\"text\":\"x\"}\n");
	call(&s, "writeClipboard", "{\"text\":\"x\"}", write);
	assert_asked(&s, "writeClipboard{\"text\":\"x\"}\n");
	assert_reply(&s, "{\"success\":true}\n");
	script_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_note_is_read_and_written),
		cmocka_unit_test(a_bundle_has_all_that_is_known),
		cmocka_unit_test(what_is_missing_is_said),
		cmocka_unit_test(a_long_text_is_cut),
		cmocka_unit_test(the_clipboard_is_read_and_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
