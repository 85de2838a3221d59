/* test/unit/backend/test_code_tell.c - what is said about a place. */
#include "backend/code_scene.h"
#include "editor/code.h"

#define PLACE(name)                                                            \
	"[{\"uri\":\"$/" name "\",\"range\":{\"start\":{\"line\":0,"           \
	"\"character\":0},\"end\":{\"line\":0,\"character\":1}}}]"
#define ANSWERS                                                                \
	"{\"textDocument/hover\":{\"contents\":\"words\"},"                    \
	"\"textDocument/definition\":" PLACE(                                  \
		"b.c") ","                                                     \
		       "\"textDocument/declaration\":" PLACE("b.h") "}"

static const char *hover(struct code_scene *s)
{
	struct dt_code_place place = { .path = s->file, .at = { 0, 4 } };

	return code_scene_perform(s, &dt_op_get_hover, &place);
}

test(files_a_hover_quotes_are_told_where_some_are_kept)
{
	struct code_scene s;

	code_scene_begin(&s, state, "int f(void);\n");
	code_scene_can(&s, ANSWERS);
	assert_null(strstr(hover(&s), "origins"));
	s.deny = "";
	assert_null(strstr(hover(&s), "origins"));
	s.deny = "b.*";
	assert_non_null(strstr(hover(&s), "\"text\":\"words\""));
	assert_non_null(strstr(s.told, "\"origins\":[\"/b.c\",\"/b.h\"]"));
	code_scene_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			files_a_hover_quotes_are_told_where_some_are_kept,
			tempdir_open, tempdir_close),
	};

	fake_run();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
