#include "editor/code_file.h"
#include "editor/files.h"
#include "tool/git_tools.h"
#include "tool/script.h"
#include "unit.h"

static const struct step none[] = { { 0 } };

static void call(struct script *s, const char *name, const char *args,
                 const struct step *steps)
{
	script_call(s, script_find(dt_tools_git_history.tools, name), args,
	            steps);
}

static struct dt_git_commit_info commit = {
	.hash = "h",
	.author = "a",
	.email = "e",
	.date = "d",
	.subject = "s",
};
#define COMMIT                                                                 \
	"{\"hash\":\"h\",\"author\":\"a\",\"email\":\"e\",\"date\":\"d\","     \
	"\"parents\":[],\"subject\":\"s\"}"

test(a_log_says_how_to_go_on)
{
	struct dt_git_log_result found = { { &commit, 1 }, true };
	struct step steps[] = { { &dt_op_git_log, &found }, { 0 } };
	struct script s;

	script_begin(&s);
	call(&s, "getGitLog", "{\"skip\":3,\"ref\":\"x\"}", steps);
	assert_asked(&s, "gitLog{\"from\":\"x\",\"limit\":20,\"skip\":3}\n");
	assert_reply(&s, "{\"entries\":[" COMMIT
	                 "],\"count\":1,\"truncated\":true}\n");
	call(&s, "getGitLog", "{\"maxEntries\":201}", none);
	assert_failure(&s, "maxEntries: must be 1 to 200\n");
	script_end(&s);
}

test(a_commit_comes_with_its_patch)
{
	struct dt_git_file_diff file = { "/w/a", NULL, 1, 0, { "P", 1 } };
	struct dt_git_show_result shown = {
		.commit = commit,
		.diff = { .files = { &file, 1 } },
	};
	struct step steps[] = { { &dt_op_git_show, &shown }, { 0 } };
	struct script s;

	script_begin(&s);
	call(&s, "getCommitDetails", "{\"commitHash\":\"HEAD\"}", steps);
	assert_asked(&s, "gitShow{\"commit\":\"HEAD\",\"patch\":true}\n");
	assert_reply(&s, "{\"commit\":" COMMIT
	                 ",\"files\":[{\"filePath\":\"/w/a\",\"added\":1,"
	                 "\"deleted\":0}],\"diff\":\"P\","
	                 "\"truncated\":false}\n");
	script_end(&s);
}

static struct dt_git_blame_line line = {
	.line = 4,
	.author = "a",
	.date = "d",
	.subject = "s",
	.text = { "t", 1 },
};
static struct dt_git_blame_result blame = { "/w/a", { &line, 1 }, false };
#define LINE                                                                   \
	"{\"line\":5,\"author\":\"a\",\"date\":\"d\",\"summary\":\"s\","       \
	"\"content\":\"t\"}"

test(lines_are_counted_from_one)
{
	struct step steps[] = { { &dt_op_git_blame, &blame }, { 0 } };
	struct script s;

	script_begin(&s);
	call(&s, "gitBlame",
	     "{\"filePath\":\"/w/a\",\"startLine\":5,\"endLine\":5}", steps);
	assert_asked(&s, "gitBlame{\"path\":\"/w/a\",\"firstLine\":4,"
	                 "\"lastLine\":4}\n");
	assert_reply(&s, "{\"lines\":[" LINE
	                 "],\"count\":1,\"truncated\":false}\n");
	call(&s, "gitBlame", "{\"filePath\":\"/w/a\",\"startLine\":0}", none);
	assert_failure(&s, "startLine: lines begin with 1\n");
	call(&s, "gitBlame",
	     "{\"filePath\":\"/w/a\",\"startLine\":3,\"endLine\":2}", none);
	assert_failure(&s, "endLine: is before startLine, 3\n");
	script_end(&s);
}

test(hotspots_say_what_was_looked_at)
{
	struct dt_git_hotspot hot = { "/w/a", 3 };
	struct dt_git_hotspots_result found = { 7, { &hot, 1 }, false };
	struct step steps[] = { { &dt_op_git_hotspots, &found }, { 0 } };
	struct script s;

	script_begin(&s);
	call(&s, "getGitHotspots", "{\"days\":7,\"path\":\"/w/d\"}", steps);
	assert_asked(
		&s, "gitHotspots{\"path\":\"/w/d\",\"days\":7,\"limit\":20}\n");
	assert_non_null(strstr(dt_buf_z(&s.replied),
	                       "\"days\":7,\"totalCommitsScanned\":7,"
	                       "\"hotspots\":[{\"path\":\"/w/a\",\"commits\":"
	                       "3}],\"scopedTo\":\"/w/d\","
	                       "\"truncated\":false}"));
	call(&s, "getGitHotspots", "{\"days\":366}", none);
	assert_failure(&s, "days: must be 1 to 365\n");
	script_end(&s);
}

test(a_symbol_has_the_commits_of_its_lines)
{
	struct dt_read_file_result file = {
		.path = "/w/a",
		.language = "c",
		.text = { "\n\n\n\n\xc3\xa4 = f\xc3\xbc_1(x)\n", 18 },
	};
	struct dt_git_log_result log = { { &commit, 1 }, false };
	struct step steps[] = {
		{ &dt_op_read_file, &file },
		{ &dt_op_get_document_symbols, NULL, DT_E_MISSING, "none" },
		{ &dt_op_git_blame, &blame },
		{ &dt_op_git_log, &log },
		{ 0 },
	};
	struct script s;

	script_begin(&s);
	call(&s, "getSymbolHistory",
	     "{\"filePath\":\"/w/a\",\"line\":5,\"column\":6}", steps);
	assert_asked(&s, "readFile{\"path\":\"/w/a\"}\n"
	                 "getDocumentSymbols{\"path\":\"/w/a\"}\n"
	                 "gitBlame{\"path\":\"/w/a\",\"firstLine\":4,"
	                 "\"lastLine\":13}\n"
	                 "gitLog{\"path\":\"/w/a\",\"limit\":10,"
	                 "\"firstLine\":4,\"lastLine\":4}\n");
	assert_reply(&s,
	             "{\"symbol\":\"f\xc3\xbc_1\",\"definition\":"
	             "{\"filePath\":\"/w/a\",\"line\":5,\"column\":6},"
	             "\"blame\":[" LINE "],\"recentCommits\":[" COMMIT
	             "],\"truncated\":false,\"note\":\"No language server "
	             "tells what its lines are: it is blameLines from where "
	             "its name stands.\"}\n");
	steps[3].fail = DT_E_STATE;
	steps[3].sentence = "no commit";
	call(&s, "getSymbolHistory",
	     "{\"filePath\":\"/w/a\",\"line\":5,\"column\":99}", steps);
	assert_non_null(strstr(dt_buf_z(&s.replied),
	                       "The commits are missing: no commit"));
	call(&s, "getSymbolHistory",
	     "{\"filePath\":\"/w/a\",\"line\":0,\"column\":1}", none);
	assert_true(s.is_error);
	script_end(&s);
}

/* From the comment above it to its end, whatever is shown of it. */
test(a_symbol_has_the_lines_of_the_language_server)
{
	struct dt_read_file_result file = {
		.path = "/w/a",
		.language = "c",
		.text = DT_STR("int a;\n/* f */\nint f(void)\n{\n}\n"),
	};
	struct dt_symbol symbols[] = {
		{ .name = "a",
		  .kind = "variable",
		  .path = "/w/a",
		  .range = { { 0, 0 }, { 0, 5 } },
		  .selection = { { 0, 4 }, { 0, 5 } } },
		{ .name = "f",
		  .kind = "function",
		  .path = "/w/a",
		  .range = { { 1, 0 }, { 40, 0 } },
		  .selection = { { 2, 4 }, { 2, 5 } } },
	};
	struct dt_symbols_result outline = { .items = { symbols, 2 } };
	struct dt_git_blame_line lines[] = { line, line };
	struct dt_git_blame_result two = { "/w/a", { lines, 2 }, true };
	struct dt_git_log_result log = { { &commit, 1 }, false };
	struct step steps[] = {
		{ &dt_op_get_document_symbols, &outline },
		{ &dt_op_read_file, &file },
		{ &dt_op_get_document_symbols, &outline },
		{ &dt_op_git_blame, &two },
		{ &dt_op_git_log, &log },
		{ 0 },
	};
	struct script s;

	script_begin(&s);
	call(&s, "getSymbolHistory",
	     "{\"filePath\":\"/w/a\",\"symbol\":\"f\",\"blameLines\":2}",
	     steps);
	assert_asked(&s, "getDocumentSymbols{\"path\":\"/w/a\"}\n"
	                 "readFile{\"path\":\"/w/a\"}\n"
	                 "getDocumentSymbols{\"path\":\"/w/a\"}\n"
	                 "gitBlame{\"path\":\"/w/a\",\"firstLine\":1,"
	                 "\"lastLine\":2}\n"
	                 "gitLog{\"path\":\"/w/a\",\"limit\":10,"
	                 "\"firstLine\":1,\"lastLine\":39}\n");
	assert_non_null(
		strstr(dt_buf_z(&s.replied), "\"line\":3,\"column\":5}"));
	script_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_log_says_how_to_go_on),
		cmocka_unit_test(a_commit_comes_with_its_patch),
		cmocka_unit_test(lines_are_counted_from_one),
		cmocka_unit_test(hotspots_say_what_was_looked_at),
		cmocka_unit_test(a_symbol_has_the_commits_of_its_lines),
		cmocka_unit_test(a_symbol_has_the_lines_of_the_language_server),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
