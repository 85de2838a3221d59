/* test/unit/backend/test_code_origins.c - which files an answer is quoted from. */
#include "backend/code_scene.h"
#include "editor/code_file.h"

#define PLACE(name)                                                            \
	"[{\"uri\":\"$/" name "\",\"range\":{\"start\":{\"line\":0,"           \
	"\"character\":0},\"end\":{\"line\":0,\"character\":1}}}]"
#define ORIGINS                                                                 \
	"\"textDocument/definition\":" PLACE(                                   \
		"b.c") ","                                                      \
		       "\"textDocument/declaration\":" PLACE(                   \
			       "b.h") ","                                       \
				      "\"textDocument/typeDefinition\":" PLACE( \
					      "t.h")
#define TOLD "\"origins\":[\"/b.c\",\"/b.h\",\"/t.h\"]"

static const char *perform(struct code_scene *s, const struct dt_operation *op,
                           uint32_t character)
{
	struct dt_code_place place = { .path = s->file,
		                       .at = { 0, character } };

	return code_scene_perform(s, op, &place);
}

test(a_hover_is_quoted_from_three_kinds_of_files)
{
	struct code_scene s;

	code_scene_begin(&s, state, "int f(void);\n");
	code_scene_can(
		&s, "{\"textDocument/hover\":{\"contents\":\"words\"}," ORIGINS
		    "}");
	assert_null(strstr(perform(&s, &dt_op_get_hover, 4), "origins"));
	s.deny = "";
	assert_null(strstr(perform(&s, &dt_op_get_hover, 4), "origins"));
	s.deny = "b.*";
	assert_non_null(
		strstr(perform(&s, &dt_op_get_hover, 4), "\"text\":\"words\""));
	assert_non_null(strstr(s.told, TOLD));
	code_scene_end(&s);
}

test(a_signature_as_well)
{
	struct code_scene s;

	code_scene_begin(&s, state, "f(1, 2);\n");
	code_scene_can(&s, "{\"textDocument/signatureHelp\":{\"signatures\":[{"
	                   "\"label\":\"f(int)\"}]}," ORIGINS "}");
	assert_null(
		strstr(perform(&s, &dt_op_get_signature_help, 2), "origins"));
	s.deny = "b.*";
	assert_non_null(
		strstr(perform(&s, &dt_op_get_signature_help, 2), "f(int)"));
	assert_non_null(strstr(s.told, TOLD));
	code_scene_end(&s);
}

static bool keeps(const char *path)
{
	return strstr(path, ".env") != NULL;
}

/* Without a pattern of the person's. */
test(it_is_asked_where_something_is_kept)
{
	struct code_scene s;

	code_scene_begin(&s, state, "int f(void);\n");
	((struct dt_headless *)s.editor)->world.is_kept_name = keeps;
	tempdir_put(s.root, ".env.h", "");
	code_scene_can(
		&s, "{\"textDocument/hover\":{\"contents\":\"words\"}," ORIGINS
		    "}");
	for (int i = 0; i < 3; i++)
		assert_non_null(strstr(perform(&s, &dt_op_get_hover, 4), TOLD));
	code_scene_end(&s);
}

static bool may_leave(void *owner, const char *path)
{
	(void)owner;
	return !keeps(path);
}

test(a_hint_of_a_kept_file_is_left_out)
{
	struct dt_lines_args lines = { 0 };
	struct code_scene s;

	code_scene_begin(&s, state, "f(1, 2);\n");
	((struct dt_headless *)s.editor)->world.may_leave = may_leave;
	lines.path = s.file;
	code_scene_can(&s,
	               "{\"textDocument/inlayHint\":["
	               "{\"position\":{\"line\":0,\"character\":2},\"label\":"
	               "[{\"value\":\"token:\",\"location\":{\"uri\":"
	               "\"$/.env.h\"}}]},"
	               "{\"position\":{\"line\":0,\"character\":5},\"label\":"
	               "[{\"value\":\"count:\",\"location\":{\"uri\":"
	               "\"$/a.h\"}}]}]}");
	(void)code_scene_perform(&s, &dt_op_get_inlay_hints, &lines);
	assert_non_null(strstr(s.told, "count:"));
	assert_null(strstr(s.told, "token:"));
	assert_non_null(strstr(s.told, "\"total\":1"));
	code_scene_end(&s);
}

#define ORIGIN_TEST(name)                                                      \
	cmocka_unit_test_setup_teardown(name, tempdir_open, tempdir_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ORIGIN_TEST(a_hover_is_quoted_from_three_kinds_of_files),
		ORIGIN_TEST(a_signature_as_well),
		ORIGIN_TEST(it_is_asked_where_something_is_kept),
		ORIGIN_TEST(a_hint_of_a_kept_file_is_left_out),
	};

	fake_run();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
