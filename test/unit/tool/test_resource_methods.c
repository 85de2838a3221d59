#include "base/limits.h"
#include "editor/diagnostics.h"
#include "editor/files.h"
#include "tool/methods.h"
#include "tool/script.h"
#include "unit.h"

static void read_uri(struct script *s, const char *uri,
                     const struct step *steps)
{
	char *args = dt_asprintf("{\"uri\":\"%s\"}", uri);

	script_call(s, script_find(dt_methods, "resources/read"), args, steps);
	free(args);
}

test(open_documents_are_listed_behind_what_is_always_there)
{
	struct dt_document_info info = { "/w/a b.md", "a b.md", "markdown",
		                         true, true };
	struct dt_documents_result documents = { { &info, 1 } };
	struct step steps[] = { { &dt_op_list_documents, &documents }, { 0 } };
	struct script s;

	script_begin(&s);
	script_call(&s, script_find(dt_methods, "resources/list"),
	            "{\"cursor\":\"x\"}", steps);
	assert_reply(&s, "link dovetail://workspace workspace "
	                 "application/json \n"
	                 "link dovetail://selection selection "
	                 "application/json \n"
	                 "link dovetail://diagnostics diagnostics "
	                 "application/json \n"
	                 "link dovetail://tree tree text/plain \n"
	                 "link file:///w/a%20b.md a b.md text/markdown \n");
	script_end(&s);
}

test(templates_are_links_too)
{
	struct script s;

	script_begin(&s);
	script_call(&s, script_find(dt_methods, "resources/templates/list"),
	            "{}", NULL);
	assert_reply(&s, "link file:///{+path} file \n"
	                 "link dovetail://diagnostics/{+path} "
	                 "diagnostics-of-file application/json \n");
	script_end(&s);
}

/* files */

test(a_file_is_text_when_it_can_be)
{
	struct dt_read_file_result file = { "/w/a b.json", "json",
		                            DT_STR("{}\n"), false };
	struct step steps[] = { { &dt_op_read_file, &file }, { 0 } };
	struct script s;

	script_begin(&s);
	read_uri(&s, "file:///w/a%20b.json", steps);
	assert_asked(&s, "readFile{\"path\":\"/w/a b.json\","
	                 "\"maxBytes\":1048576}\n");
	assert_reply(&s, "text file:///w/a%20b.json application/json {}\n\n");
	file.text = DT_STR("");
	read_uri(&s, "file:///w/a", steps);
	assert_reply(&s, "text file:///w/a application/json \n");
	script_end(&s);
}

test(other_bytes_are_a_blob)
{
	struct dt_read_file_result file = { "/w/a", "plaintext",
		                            DT_STR("\0\1\2\xff"), false };
	struct step steps[] = { { &dt_op_read_file, &file }, { 0 } };
	struct script s;

	script_begin(&s);
	read_uri(&s, "file:///w/a", steps);
	assert_reply(&s, "blob file:///w/a application/octet-stream "
	                 "AAEC/w==\n");
	script_end(&s);
}

test(what_cannot_be_read_is_said)
{
	struct step missing[] = { { &dt_op_read_file, NULL, DT_E_MISSING,
		                    "a is not in /w" },
		                  { 0 } };
	struct step large[] = { { &dt_op_read_file, NULL, DT_E_LIMIT,
		                  "a is larger than 1048576 bytes" },
		                { 0 } };
	struct step denied[] = { { &dt_op_read_file, NULL, DT_E_DENIED,
		                   "/x is outside the workspace" },
		                 { 0 } };
	struct script s;

	script_begin(&s);
	read_uri(&s, "file:///w/a", missing);
	assert_failure(&s, "no such resource: file:///w/a\n");
	read_uri(&s, "file:///w/a", large);
	assert_failure(&s, "a is larger than 1048576 bytes\n");
	read_uri(&s, "file:///x", denied);
	assert_failure(&s, "/x is outside the workspace\n");
	script_end(&s);
}

test(other_uris_are_missing)
{
	static const char *const uris[] = {
		"",
		"/w/a",
		"dovetail://",
		"dovetail://selection/",
		"dovetail://other",
		"https://example.org/",
		"file://elsewhere/w/a",
		"file:w",
	};
	struct script s;

	script_begin(&s);
	for (size_t i = 0; i < sizeof(uris) / sizeof(uris[0]); i++) {
		read_uri(&s, uris[i], NULL);
		assert_true(s.is_error);
		assert_memory_equal(dt_buf_z(&s.replied),
		                    "no such resource: ", 18);
	}
	script_end(&s);
}

/* the others */

test(the_selection_is_a_resource)
{
	struct dt_selection selection = {
		.path = "/w/a",
		.text = DT_STR("x"),
		.range = { { 0, 0 }, { 0, 1 } },
	};
	struct step steps[] = { { &dt_op_get_selection, &selection }, { 0 } };
	struct script s;

	script_begin(&s);
	read_uri(&s, "dovetail://selection", steps);
	assert_asked(&s, "getSelection{\"latest\":true}\n");
	assert_reply(&s, "text dovetail://selection application/json {"
	                 "\"filePath\":\"/w/a\",\"text\":\"x\",\"startLine\":1,"
	                 "\"startColumn\":1,\"endLine\":1,\"endColumn\":2,"
	                 "\"isEmpty\":false}\n");
	selection = (struct dt_selection){ 0 };
	read_uri(&s, "dovetail://selection", steps);
	assert_reply(&s, "text dovetail://selection application/json {}\n");
	script_end(&s);
}

/* Each of these bytes takes six in JSON. */
test(what_is_too_large_for_a_message_is_a_failure)
{
	size_t len = DT_LIMIT_MESSAGE / 6 + 1;
	char *text = dt_alloc(len);
	struct dt_selection selection = { .path = "/w/a",
		                          .text = { text, len } };
	struct step steps[] = { { &dt_op_get_selection, &selection }, { 0 } };
	struct script s;

	memset(text, 1, len);
	script_begin(&s);
	read_uri(&s, "dovetail://selection", steps);
	assert_int_equal(s.ended, 1);
	assert_true(s.is_error);
	script_end(&s);
	free(text);
}

test(problems_are_resources_of_all_and_of_one_file)
{
	struct dt_diagnostics_result found = { .is_watched = true };
	struct step steps[] = { { &dt_op_get_diagnostics, &found }, { 0 } };
	struct script s;

	script_begin(&s);
	read_uri(&s, "dovetail://diagnostics", steps);
	assert_asked(&s, "getDiagnostics{\"waitMs\":2000}\n");
	assert_reply(&s, "text dovetail://diagnostics application/json {"
	                 "\"available\":true,\"diagnostics\":[],\"summary\":{"
	                 "\"errors\":0,\"warnings\":0,\"infos\":0,\"hints\":0},"
	                 "\"truncated\":false,\"pending\":false,"
	                 "\"linters\":[],\"linterErrors\":[],"
	                 "\"timestamp\":0}\n");
	read_uri(&s, "dovetail://diagnostics/w/a%20b", steps);
	assert_asked(&s, "getDiagnostics{\"path\":\"/w/a b\","
	                 "\"waitMs\":2000}\n");
	script_end(&s);
}

test(the_tree_says_how_much_is_left_out)
{
	const char *paths[] = { "/w/a", "/w/src/" };
	struct dt_list_files_result listed = { { paths, 2 }, 5, true, "git" };
	struct step steps[] = { { &dt_op_list_files, &listed }, { 0 } };
	struct script s;

	script_begin(&s);
	read_uri(&s, "dovetail://tree", steps);
	assert_asked(&s, "listFiles{\"depth\":5,\"hidden\":false,"
	                 "\"limit\":2000}\n");
	assert_reply(&s, "text dovetail://tree text/plain /w/a\n/w/src/\n"
	                 "... and 3 more\n\n");
	listed.total = 2;
	read_uri(&s, "dovetail://tree", steps);
	assert_reply(&s, "text dovetail://tree text/plain /w/a\n/w/src/\n\n");
	script_end(&s);
}

test(the_workspace_is_folders_and_documents)
{
	const char *roots[] = { "/w" };
	struct dt_folders_result folders = { { roots, 1 } };
	struct dt_document_info info = { "/w/a", "a", "c", true, false };
	struct dt_documents_result documents = { { &info, 1 } };
	struct step steps[] = { { &dt_op_get_folders, &folders },
		                { &dt_op_list_documents, &documents },
		                { 0 } };
	struct script s;

	script_begin(&s);
	read_uri(&s, "dovetail://workspace", steps);
	assert_reply(&s, "text dovetail://workspace application/json {"
	                 "\"folders\":[{\"name\":\"w\",\"path\":\"/w\","
	                 "\"uri\":\"file:///w\"}],\"documents\":[{"
	                 "\"filePath\":\"/w/a\",\"uri\":\"file:///w/a\","
	                 "\"label\":\"a\",\"languageId\":\"c\","
	                 "\"isActive\":true,\"isDirty\":false}]}\n");
	script_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			open_documents_are_listed_behind_what_is_always_there),
		cmocka_unit_test(templates_are_links_too),
		cmocka_unit_test(a_file_is_text_when_it_can_be),
		cmocka_unit_test(other_bytes_are_a_blob),
		cmocka_unit_test(what_cannot_be_read_is_said),
		cmocka_unit_test(other_uris_are_missing),
		cmocka_unit_test(the_selection_is_a_resource),
		cmocka_unit_test(what_is_too_large_for_a_message_is_a_failure),
		cmocka_unit_test(problems_are_resources_of_all_and_of_one_file),
		cmocka_unit_test(the_tree_says_how_much_is_left_out),
		cmocka_unit_test(the_workspace_is_folders_and_documents),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
