/* test/unit/hub/test_control_lsp.c - twin of src/hub/control_lsp.c */
#include "agent.h"

world_test(servers_and_languages_of_a_workspace_are_listed)
{
	struct world *w = *state;
	const char *list;

	serve(w);
	put_file(text_of(w, "%s/a.gleam", w->project), "x\n");
	list = ask(connect_command(w), "lsp/list",
	           text_of(w, "{\"folder\":\"%s\"}", w->project));
	assert_null(at(w, list, "result.servers.0"));
	assert_string_equal(at(w, list, "result.languages.0.language"),
	                    "gleam");
}

world_test(what_was_not_started_cannot_be_ended)
{
	struct world *w = *state;

	serve(w);
	assert_string_equal(
		at(w,
	           ask(connect_command(w), "lsp/restart",
	               text_of(w, "{\"folder\":\"%s\",\"name\":\"clangd\"}",
	                       w->project)),
	           "result.count"),
		"0");
}

world_test(a_folder_that_is_not_served_is_refused)
{
	struct world *w = *state;

	assert_non_null(strstr(
		ask(connect_command(w), "lsp/list", "{\"folder\":\"/usr\"}"),
		"dovetail start"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(servers_and_languages_of_a_workspace_are_listed),
		test_in_world(what_was_not_started_cannot_be_ended),
		test_in_world(a_folder_that_is_not_served_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
