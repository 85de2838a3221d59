/* test/unit/tool/test_project_tools.c - twin of src/tool/project_tools.c */
#include "tool/project_tools.h"

#include "editor/files.h"
#include "editor/run.h"
#include "tool/script.h"
#include "unit.h"

static void call(struct script *s, const char *name, const char *args,
                 const struct step *steps)
{
	script_call(s, script_find(dt_tools_project.tools, name), args, steps);
}

static const char *folder[] = { "/w" };
static struct dt_folders_result folders = { { folder, 1 } };

static struct dt_test_runner runner = { .name = "make" };
static struct dt_find_tests_result none;
static struct dt_find_tests_result make = { { &runner, 1 } };

#define MISSING                                                                \
	{                                                                      \
		&dt_op_read_file, NULL, DT_E_MISSING, "not there"              \
	}

test(a_project_is_told_by_its_files)
{
	const char *paths[] = { "/w/.eslintrc", "/w/README",  "/w/conftest.py",
		                "/w/go.mod",    "/w/src/a.c", "/w/src/b.c",
		                "/w/tests/t.py" };
	struct dt_list_files_result files = { { paths, 7 }, 9, true, "git" };
	struct dt_read_file_result go = {
		.path = "/w/go.mod",
		.text = DT_STR("module m\n"),
	};
	struct dt_read_file_result head = {
		.path = "/w/.git/HEAD",
		.text = DT_STR("ref: refs/heads/main\n"),
	};
	const struct step steps[] = {
		{ &dt_op_get_folders, &folders },
		{ &dt_op_list_files, &files },
		MISSING,
		{ &dt_op_read_file, NULL, DT_E_DENIED, "kept" },
		MISSING,
		{ &dt_op_read_file, &go },
		MISSING,
		{ &dt_op_read_file, &head },
		{ &dt_op_find_tests, &none },
		{ 0 },
	};
	struct script s;

	script_begin(&s);
	call(&s, "getProjectInfo", "{}", steps);
	assert_reply(
		&s,
		"{\"workspace\":\"/w\",\"project\":{\"name\":\"m\","
		"\"manifests\":[\"go.mod\"]},\"languages\":[{\"language\":\"c\","
		"\"files\":2},{\"language\":\"python\",\"files\":2},{\"language\":\"go.mod\",\"files\":1}],"
		"\"scripts\":[],\"testRunner\":\"go\",\"directories\":[\"src\","
		"\"tests\"],\"configFiles\":[\".eslintrc\"],\"git\":{\"branch\":"
		"\"main\"},\"totalFiles\":9,\"truncated\":true}\n");
	script_end(&s);
}

test(an_empty_folder_is_a_project_too)
{
	struct dt_list_files_result files = { .source = "walk" };
	const struct step steps[] = {
		{ &dt_op_get_folders, &folders },
		{ &dt_op_list_files, &files },
		MISSING,
		MISSING,
		MISSING,
		MISSING,
		MISSING,
		MISSING,
		{ &dt_op_git_status, NULL, DT_E_MISSING, "no repository" },
		{ &dt_op_find_tests, &make },
		{ 0 },
	};
	struct script s;

	script_begin(&s);
	call(&s, "getProjectInfo", "{}", steps);
	assert_reply(&s, "{\"workspace\":\"/w\",\"project\":{\"manifests\":[]},"
	                 "\"languages\":[],\"scripts\":[],"
	                 "\"testRunner\":\"make\",\"directories\":[],"
	                 "\"configFiles\":[],\"git\":{},\"totalFiles\":0,"
	                 "\"truncated\":false}\n");
	script_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_project_is_told_by_its_files),
		cmocka_unit_test(an_empty_folder_is_a_project_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
