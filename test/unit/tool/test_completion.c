#include "base/limits.h"
#include "editor/files.h"
#include "tool/methods.h"
#include "tool/script.h"
#include "unit.h"

static const char *paths[] = { "/w/a.c", "/w/b.c" };
static struct dt_list_files_result two = { { paths, 2 }, 2, false, "git" };
static struct dt_list_files_result none = { .source = "git" };

static void complete(struct script *s, const char *ref, const char *name,
                     const char *value, const struct step *steps)
{
	char *args = dt_asprintf("{\"ref\":%s,\"argument\":{\"name\":\"%s\","
	                         "\"value\":\"%s\"},\"context\":{}}",
	                         ref, name, value);

	script_call(s, script_find(dt_methods, "completion/complete"), args,
	            steps);
	free(args);
}

#define PROMPT(name) "{\"type\":\"ref/prompt\",\"name\":\"" name "\"}"
#define RESOURCE(uri) "{\"type\":\"ref/resource\",\"uri\":\"" uri "\"}"

test(a_path_of_a_prompt_is_completed)
{
	struct step steps[] = { { &dt_op_list_files, &two }, { 0 } };
	struct script s;

	script_begin(&s);
	complete(&s, PROMPT("review-file"), "file", "src/a", steps);
	assert_asked(&s, "listFiles{\"prefix\":\"src/a\",\"hidden\":false,"
	                 "\"limit\":101}\n");
	assert_reply(&s, "/w/a.c\n/w/b.c\n");
	complete(&s, PROMPT("diagnose-and-fix"), "filePath", ".g", steps);
	assert_asked(&s, "listFiles{\"prefix\":\".g\",\"hidden\":true,"
	                 "\"limit\":101}\n");
	script_end(&s);
}

test(of_several_paths_the_last_is_completed)
{
	struct step steps[] = { { &dt_op_list_files, &two }, { 0 } };
	struct script s;

	script_begin(&s);
	complete(&s, PROMPT("safe-refactor"), "files", "/w/x.c, b", steps);
	assert_asked(&s, "listFiles{\"prefix\":\"b\",\"hidden\":false,"
	                 "\"limit\":101}\n");
	assert_reply(&s, "/w/x.c, /w/a.c\n/w/x.c, /w/b.c\n");
	script_end(&s);
}

test(values_are_completed_from_their_list)
{
	struct script s;

	script_begin(&s);
	complete(&s, PROMPT("set-effort"), "level", "m", NULL);
	assert_reply(&s, "medium\nmax\n");
	complete(&s, PROMPT("orient-project"), "style", "", NULL);
	assert_reply(&s, "minimal\nstandard\nfull\n");
	complete(&s, PROMPT("set-effort"), "level", "x", NULL);
	assert_reply(&s, "");
	script_end(&s);
}

test(what_is_the_persons_own_has_no_values)
{
	struct script s;

	script_begin(&s);
	complete(&s, PROMPT("find-callers"), "symbol", "ma", NULL);
	assert_reply(&s, "");
	script_end(&s);
}

test(a_template_is_completed_by_path_then_by_name)
{
	struct step first[] = { { &dt_op_list_files, &two }, { 0 } };
	struct step both[] = { { &dt_op_list_files, &none },
		               { &dt_op_list_files, &two },
		               { 0 } };
	struct step never[] = { { &dt_op_list_files, &none },
		                { &dt_op_list_files, &none },
		                { 0 } };
	struct script s;

	script_begin(&s);
	complete(&s, RESOURCE("file:///{+path}"), "path", "w/", first);
	assert_asked(&s, "listFiles{\"prefix\":\"/w/\",\"hidden\":false,"
	                 "\"limit\":101}\n");
	assert_reply(&s, "w/a.c\nw/b.c\n");
	complete(&s, RESOURCE("dovetail://diagnostics/{+path}"), "path", "a",
	         both);
	assert_asked(&s, "listFiles{\"prefix\":\"/a\",\"hidden\":false,"
	                 "\"limit\":101}\nlistFiles{\"prefix\":\"a\","
	                 "\"hidden\":false,\"limit\":101}\n");
	assert_reply(&s, "w/a.c\nw/b.c\n");
	complete(&s, RESOURCE("file:///{+path}"), "path", "zzz", never);
	assert_reply(&s, "");
	script_end(&s);
}

test(what_is_not_there_is_a_sentence)
{
	struct script s;

	script_begin(&s);
	complete(&s, PROMPT("no-such"), "file", "", NULL);
	assert_failure(&s, "no prompt is named no-such\n");
	complete(&s, "{\"type\":\"ref/prompt\"}", "file", "", NULL);
	assert_failure(&s, "no prompt is named \n");
	complete(&s, PROMPT("review-file"), "line", "", NULL);
	assert_failure(&s, "the prompt review-file has no argument line\n");
	complete(&s, PROMPT("build-check"), "file", "", NULL);
	assert_failure(&s, "the prompt build-check has no argument file\n");
	complete(&s, RESOURCE("file:///x"), "path", "", NULL);
	assert_failure(&s, "no template is file:///x\n");
	complete(&s, RESOURCE("file:///{+path}"), "name", "", NULL);
	assert_failure(&s, "file:///{+path} has no name\n");
	complete(&s, "{\"type\":\"ref/tool\"}", "file", "", NULL);
	assert_failure(&s, "ref.type: must be ref/prompt or ref/resource\n");
	script_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_path_of_a_prompt_is_completed),
		cmocka_unit_test(of_several_paths_the_last_is_completed),
		cmocka_unit_test(values_are_completed_from_their_list),
		cmocka_unit_test(what_is_the_persons_own_has_no_values),
		cmocka_unit_test(a_template_is_completed_by_path_then_by_name),
		cmocka_unit_test(what_is_not_there_is_a_sentence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
