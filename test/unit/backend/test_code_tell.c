/* test/unit/backend/test_code_tell.c - what is said about a place. */
#include "backend/code_scene.h"
#include "editor/code.h"

test(a_hover_is_the_servers_words)
{
	struct dt_code_place place = { .at = { 0, 4 } };
	struct code_scene s;

	code_scene_begin(&s, state, "int f(void);\n");
	place.path = s.file;
	code_scene_can(&s, "{\"textDocument/hover\":{\"contents\":\"words\"}}");
	assert_non_null(strstr(code_scene_perform(&s, &dt_op_get_hover, &place),
	                       "\"text\":\"words\""));
	s.deny = "b.*";
	assert_non_null(strstr(code_scene_perform(&s, &dt_op_get_hover, &place),
	                       "\"text\":\"words\""));
	code_scene_can(&s, "{}");
	assert_non_null(strstr(code_scene_perform(&s, &dt_op_get_hover, &place),
	                       "\"found\":false"));
	code_scene_end(&s);
}

test(the_active_parameter_may_be_the_signatures_own)
{
	struct dt_code_place place = { .at = { 0, 2 } };
	struct code_scene s;

	code_scene_begin(&s, state, "f(1, 2);\n");
	place.path = s.file;
	code_scene_can(
		&s, "{\"textDocument/signatureHelp\":{\"signatures\":["
		    "{\"label\":\"f()\"},{\"label\":\"f(int)\","
		    "\"activeParameter\":7,\"parameters\":[{\"label\":"
		    "[2,5]}]}],\"activeSignature\":1,\"activeParameter\":3}}");
	(void)code_scene_perform(&s, &dt_op_get_signature_help, &place);
	assert_non_null(strstr(s.told, "\"active\":1,\"parameter\":7"));
	assert_non_null(strstr(s.told, "\"label\":\"int\""));
	code_scene_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_hover_is_the_servers_words,
		                                tempdir_open, tempdir_close),
		cmocka_unit_test_setup_teardown(
			the_active_parameter_may_be_the_signatures_own,
			tempdir_open, tempdir_close),
	};

	fake_run();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
