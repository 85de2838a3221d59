/* test/unit/hub/test_passage_search.c - twin of src/hub/passage_search.c, by the
 * real search of the headless editor. */
#include "ask_op.h"

#include "editor/project.h"
#include "editor/search.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(nothing_of_what_is_kept_is_found),
		test_in_world(nothing_of_what_is_kept_is_told_of_imports),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
