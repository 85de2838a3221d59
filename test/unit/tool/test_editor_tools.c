#include "tool/editor_tools.h"

#include "tool/script.h"
#include "unit.h"

static void call(struct script *s, const char *name, const char *args,
                 const struct step *steps)
{
	script_call(s, script_find(dt_tools_editor.tools, name), args, steps);
}

test(open_file_counts_lines_from_one)
{
	struct dt_open_result opened = { "/w/a", "c", 9 };
	struct step steps[] = { { &dt_op_open_file, &opened }, { 0 } };
	struct script s;

	script_begin(&s);
	call(&s, "openFile", "{\"filePath\":\"/w/a\",\"startLine\":7}", steps);
	assert_asked(&s,
	             "openFile{\"path\":\"/w/a\",\"preview\":false,"
	             "\"toLineEnd\":false,\"frontmost\":true,\"line\":6}\n");
	assert_reply(&s, "{\"success\":true,\"filePath\":\"/w/a\","
	                 "\"languageId\":\"c\",\"lineCount\":9}\n");
	call(&s, "openFile", "{\"filePath\":\"/w/a\",\"startLine\":0}", NULL);
	assert_failure(&s, "startLine: counts from 1\n");
	call(&s, "openFile", "{\"filePath\":\"/w/a\",\"startText\":\"int\"}",
	     steps);
	assert_asked(&s, "openFile{\"path\":\"/w/a\",\"preview\":false,"
	                 "\"startText\":\"int\",\"toLineEnd\":false,"
	                 "\"frontmost\":true}\n");
	script_end(&s);
}

test(closing_says_what_was_given_up)
{
	struct dt_found_result found = { true, true };
	struct step steps[] = { { &dt_op_close_document, &found }, { 0 } };
	struct script s;

	script_begin(&s);
	call(&s, "closeTab", "{\"filePath\":\"file:///w/a\"}", steps);
	assert_reply(&s, "{\"success\":true,\"filePath\":\"/w/a\","
	                 "\"closed\":true,\"wasDirty\":true}\n");
	script_end(&s);
}

test(what_is_not_open_is_a_failure)
{
	struct dt_found_result found = { false, false };
	struct step dirty[] = { { &dt_op_check_dirty, &found }, { 0 } };
	struct script s;

	script_begin(&s);
	call(&s, "checkDocumentDirty", "{\"filePath\":\"/w/a\"}", dirty);
	assert_failure(&s, "/w/a is not open\n");
	found = (struct dt_found_result){ true, true };
	call(&s, "checkDocumentDirty", "{\"filePath\":\"/w/a\"}", dirty);
	assert_reply(&s, "{\"success\":true,\"filePath\":\"/w/a\","
	                 "\"isDirty\":true}\n");
	script_end(&s);
}

test(open_documents_are_tabs)
{
	struct dt_document_info info = { "/w/a", "a", "c", true, true };
	struct dt_documents_result documents = { { &info, 1 } };
	struct step steps[] = { { &dt_op_list_documents, &documents }, { 0 } };
	struct script s;

	script_begin(&s);
	call(&s, "getOpenEditors", "{}", steps);
	assert_reply(&s, "{\"tabs\":[{\"filePath\":\"/w/a\","
	                 "\"uri\":\"file:///w/a\",\"label\":\"a\","
	                 "\"languageId\":\"c\",\"isActive\":true,"
	                 "\"isDirty\":true}]}\n");
	script_end(&s);
}

test(a_selection_has_its_file_and_range)
{
	struct dt_selection selection = {
		.path = "/w/a",
		.text = DT_STR("x"),
		.range = { { 0, 0 }, { 0, 1 } },
	};
	struct step steps[] = { { &dt_op_get_selection, &selection }, { 0 } };
	struct script s;

	script_begin(&s);
	call(&s, "getCurrentSelection", "{}", steps);
	assert_asked(&s, "getSelection{\"latest\":false}\n");
	assert_reply(&s, "{\"success\":true,\"selection\":{"
	                 "\"filePath\":\"/w/a\",\"text\":\"x\",\"startLine\":1,"
	                 "\"startColumn\":1,\"endLine\":1,\"endColumn\":2,"
	                 "\"isEmpty\":false}}\n");
	selection = (struct dt_selection){ 0 };
	call(&s, "getLatestSelection", "{}", steps);
	assert_asked(&s, "getSelection{\"latest\":true}\n");
	assert_reply(&s, "{\"success\":false,\"message\":\"Nothing is "
	                 "selected, and no document is active.\"}\n");
	script_end(&s);
}

test(the_main_folder_comes_first)
{
	const char *roots[] = { "/w", "/v" };
	struct dt_folders_result folders = { { roots, 2 } };
	struct step steps[] = { { &dt_op_get_folders, &folders }, { 0 } };
	struct script s;

	script_begin(&s);
	call(&s, "getWorkspaceFolders", "{}", steps);
	assert_reply(&s, "{\"success\":true,\"folders\":[{\"name\":\"w\","
	                 "\"path\":\"/w\",\"uri\":\"file:///w\"},{"
	                 "\"name\":\"v\",\"path\":\"/v\","
	                 "\"uri\":\"file:///v\"}],\"rootPath\":\"/w\"}\n");
	script_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(open_file_counts_lines_from_one),
		cmocka_unit_test(closing_says_what_was_given_up),
		cmocka_unit_test(what_is_not_open_is_a_failure),
		cmocka_unit_test(open_documents_are_tabs),
		cmocka_unit_test(a_selection_has_its_file_and_range),
		cmocka_unit_test(the_main_folder_comes_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
