/* test/unit/hub/test_passage_search.c - twin of src/hub/passage_search.c, by the
 * real search of the headless editor. */
#include "ask_op.h"

#include "editor/files.h"
#include "editor/project.h"
#include "editor/search.h"
#include "hub/passage.h"

world_test(nothing_of_what_is_kept_is_found)
{
	struct dt_search_args args = {
		.query = "needle",
		.is_case_sensitive = true,
		.max = 1,
	};
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	const char *found;

	connect_agent(ws, w);
	make_file(w, ".env", "needle\nneedle\n");
	make_file(w, "z", "needle\n");
	found = ask_op(w, ws, &dt_op_search, &args);
	assert_string_equal(at(w, found, "matches.0.text"), "needle");
	assert_non_null(strstr(at(w, found, "matches.0.path"), "/z"));
	assert_string_equal(at(w, found, "cut"), "false");
	assert_int_equal(w->hub.audit_count, 1);
}

world_test(nothing_of_what_is_kept_is_told_of_imports)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct dt_imports_args args = { .depth = 5 };
	const char *found;

	connect_agent(ws, w);
	make_file(w, ".env.h", "#include \"c.h\"\n");
	make_file(w, "c.h", "\n");
	args.path = make_file(w, "a.c", "#include \".env.h\"\n");
	found = ask_op(w, ws, &dt_op_get_imports, &args);
	assert_string_equal(at(w, found, "imports.0.name"), ".env.h");
	assert_null(at(w, found, "imports.1"));
}

world_test(nothing_is_listed_of_a_folder_that_is_kept)
{
	struct dt_list_files_args args = { .has_hidden = true };
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	const char *found;

	connect_agent(ws, w);
	make_folder(w, "p/.ssh");
	make_folder(w, "p/.ssh/deep");
	make_folder(w, "p/credentials");
	make_file(w, ".ssh/id_rsa", "");
	make_file(w, ".ssh/deep/x", "");
	make_file(w, "credentials/a.c", "");
	make_file(w, ".env", "");
	found = ask_op(w, ws, &dt_op_list_files, &args);
	assert_non_null(strstr(found, "/.env"));
	assert_non_null(strstr(found, "/credentials/a.c"));
	assert_null(strstr(found, ".ssh"));
	assert_string_equal(at(w, found, "total"), "2");
	args.depth = 1;
	assert_null(strstr(ask_op(w, ws, &dt_op_list_files, &args), ".ssh"));
	args.directory = text_of(w, "%s/.ssh", w->project);
	assert_int_equal(dt_passage_check(&last_session(ws)->agent.caller,
	                                  &dt_op_list_files, &args, NULL),
	                 DT_E_DENIED);
	assert_int_equal(symlink(".ssh", text_of(w, "%s/keys", w->project)), 0);
	args.directory = text_of(w, "%s/keys", w->project);
	assert_int_equal(dt_passage_check(&last_session(ws)->agent.caller,
	                                  &dt_op_list_files, &args, NULL),
	                 DT_E_DENIED);
	args.directory = text_of(w, "%s/credentials", w->project);
	found = ask_op(w, ws, &dt_op_list_files, &args);
	assert_non_null(strstr(found, "a.c"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(nothing_of_what_is_kept_is_found),
		test_in_world(nothing_of_what_is_kept_is_told_of_imports),
		test_in_world(nothing_is_listed_of_a_folder_that_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
