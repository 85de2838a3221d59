#include "tool/file_tools.h"

#include "base/limits.h"
#include "editor/files.h"
#include "tool/script.h"
#include "unit.h"

static void call(struct script *s, const char *name, const char *args,
                 const struct step *steps)
{
	script_call(s, script_find(dt_tools_files.tools, name), args, steps);
}

/* getBufferContent */

static struct dt_read_file_result file = {
	.path = "/w/a",
	.language = "c",
	.text = { "1\n2\r\n3\n", 7 },
};
static const struct step read_file[] = { { &dt_op_read_file, &file }, { 0 } };

static void assert_lines(const char *more, const char *wanted)
{
	struct script s;
	char *args = dt_asprintf("{\"filePath\":\"/w/a\"%s}", more);

	script_begin(&s);
	call(&s, "getBufferContent", args, read_file);
	assert_asked(&s, "readFile{\"path\":\"/w/a\"}\n");
	assert_string_equal(dt_buf_z(&s.replied), wanted);
	free(args);
	script_end(&s);
}

#define REST                                                                   \
	"\"totalLines\":3,\"isDirty\":false,\"languageId\":\"c\","             \
	"\"source\":\"disk\"}\n"

test(a_file_is_read_whole)
{
	assert_lines("", "{\"content\":\"1\\n2\\r\\n3\\n\",\"filePath\":"
	                 "\"/w/a\",\"startLine\":1,\"endLine\":3," REST);
}

test(lines_are_read_with_their_ends)
{
	assert_lines(",\"startLine\":2,\"endLine\":2",
	             "{\"content\":\"2\\r\\n\",\"filePath\":\"/w/a\","
	             "\"startLine\":2,\"endLine\":2," REST);
	assert_lines(",\"startLine\":3,\"endLine\":99",
	             "{\"content\":\"3\\n\",\"filePath\":\"/w/a\","
	             "\"startLine\":3,\"endLine\":3," REST);
	assert_lines(",\"endLine\":1",
	             "{\"content\":\"1\\n\",\"filePath\":\"/w/a\","
	             "\"startLine\":1,\"endLine\":1," REST);
}

test(lines_that_are_not_there_are_a_failure)
{
	assert_lines(",\"startLine\":4",
	             "startLine: 4 is not a line from 1 to 3\n");
	assert_lines(",\"startLine\":0",
	             "startLine: 0 is not a line from 1 to 3\n");
	assert_lines(",\"startLine\":3,\"endLine\":2",
	             "startLine: 3 is not a line from 1 to 2\n");
}

test(unsaved_text_is_called_a_buffer)
{
	struct dt_read_file_result dirty = file;
	struct step steps[] = { { &dt_op_read_file, &dirty }, { 0 } };
	struct script s;

	dirty.is_dirty = true;
	dirty.text = DT_STR("");
	script_begin(&s);
	call(&s, "getBufferContent", "{\"filePath\":\"/w/a\"}", steps);
	assert_reply(&s, "{\"content\":\"\",\"filePath\":\"/w/a\","
	                 "\"startLine\":1,\"endLine\":1,\"totalLines\":0,"
	                 "\"isDirty\":true,\"languageId\":\"c\","
	                 "\"source\":\"buffer\"}\n");
	script_end(&s);
}

test(what_is_no_text_or_too_much_is_a_failure)
{
	struct dt_read_file_result other = file;
	struct step steps[] = { { &dt_op_read_file, &other }, { 0 } };
	char *large = malloc(DT_LIMIT_RESOURCE + 2);
	struct script s;

	assert_non_null(large);
	memset(large, 'x', DT_LIMIT_RESOURCE + 2);
	large[1] = '\n';
	script_begin(&s);
	other.text = DT_STR("\x89PNG\xff");
	call(&s, "getBufferContent", "{\"filePath\":\"/w/a\"}", steps);
	assert_failure(&s, "/w/a is not text\n");
	other.text = (struct dt_str){ large, DT_LIMIT_RESOURCE + 2 };
	call(&s, "getBufferContent", "{\"filePath\":\"/w/a\"}", steps);
	assert_failure(&s, "these lines are larger than 1048576 bytes; ask for "
	                   "fewer with startLine and endLine\n");
	call(&s, "getBufferContent", "{\"filePath\":\"/w/a\",\"endLine\":1}",
	     steps);
	assert_false(s.is_error);
	script_end(&s);
	free(large);
}

/* getFileTree, findFiles */

static const char *paths[] = { "/w/README", "/w/src/", "/wx/b" };
static struct dt_list_files_result listed = { { paths, 3 }, 9, true, "git" };

test(a_tree_is_relative_to_the_main_folder)
{
	const char *roots[] = { "/w", "/wx" };
	struct dt_folders_result folders = { { roots, 2 } };
	struct step steps[] = { { &dt_op_get_folders, &folders },
		                { &dt_op_list_files, &listed },
		                { 0 } };
	struct script s;

	script_begin(&s);
	call(&s, "getFileTree", "{}", steps);
	assert_asked(&s, "getFolders\nlistFiles{\"depth\":3,\"hidden\":false,"
	                 "\"limit\":500}\n");
	assert_reply(&s, "{\"root\":\"/w\",\"entries\":[\"README\",\"src/\","
	                 "\"/wx/b\"],\"total\":9,\"truncated\":true,"
	                 "\"tool\":\"git\"}\n");
	call(&s, "getFileTree",
	     "{\"directory\":\"/w/src\",\"maxDepth\":1,\"includeHidden\":true,"
	     "\"maxEntries\":2}",
	     steps);
	assert_asked(&s, "getFolders\nlistFiles{\"directory\":\"/w/src\","
	                 "\"depth\":1,\"hidden\":true,\"limit\":2}\n");
	call(&s, "getFileTree", "{\"maxDepth\":11}", NULL);
	assert_failure(&s, "maxDepth: must be 1 to 10\n");
	call(&s, "getFileTree", "{\"maxEntries\":0}", NULL);
	assert_failure(&s, "maxEntries: must be 1 to 2000\n");
	script_end(&s);
}

test(files_are_found_by_a_pattern)
{
	struct step steps[] = { { &dt_op_list_files, &listed }, { 0 } };
	struct step refused[] = { { &dt_op_list_files, NULL, DT_E_DENIED,
		                    "/x is outside the workspace" },
		                  { 0 } };
	struct script s;

	script_begin(&s);
	call(&s, "findFiles", "{\"pattern\":\"*.c\",\"directory\":\"/w\"}",
	     steps);
	assert_asked(&s, "listFiles{\"directory\":\"/w\",\"glob\":\"*.c\","
	                 "\"hidden\":true,\"limit\":500}\n");
	assert_reply(&s, "{\"files\":[\"/w/README\",\"/w/src/\",\"/wx/b\"],"
	                 "\"count\":3,\"totalMatches\":9,\"truncated\":true,"
	                 "\"tool\":\"git\"}\n");
	call(&s, "findFiles", "{\"pattern\":\"*\",\"directory\":\"/x\"}",
	     refused);
	assert_failure(&s, "/x is outside the workspace\n");
	script_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_read_whole),
		cmocka_unit_test(lines_are_read_with_their_ends),
		cmocka_unit_test(lines_that_are_not_there_are_a_failure),
		cmocka_unit_test(unsaved_text_is_called_a_buffer),
		cmocka_unit_test(what_is_no_text_or_too_much_is_a_failure),
		cmocka_unit_test(a_tree_is_relative_to_the_main_folder),
		cmocka_unit_test(files_are_found_by_a_pattern),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
