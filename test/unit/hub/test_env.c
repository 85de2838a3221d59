#include "agent.h"

#include "hub/env.h"

/* The value a list gives a variable; NULL: none, and never twice. */
static const char *in_list(char *const *env, const char *name)
{
	size_t len = strlen(name);
	const char *value = NULL;

	for (; *env; env++) {
		if (strncmp(*env, name, len) != 0 || (*env)[len] != '=')
			continue;
		assert_null(value);
		value = *env + len + 1;
	}
	return value;
}

world_test(the_workspaces_variables_come_before_ours)
{
	const char *pairs[] = { "DT_BOTH=theirs", "DT_THEIRS=", "DT_BO=x" };
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	char **env;

	setenv("DT_BOTH", "ours", 1);
	setenv("DT_OURS", "ours", 1);
	env = dt_env_list(ws, &w->arena);
	assert_string_equal(in_list(env, "DT_BOTH"), "ours");
	assert_null(dt_env_get(ws, "DT_BOTH"));

	dt_workspace_set_env(ws, &(struct dt_names){ pairs, 3 });
	env = dt_env_list(ws, &w->arena);
	assert_string_equal(in_list(env, "DT_BOTH"), "theirs");
	assert_string_equal(in_list(env, "DT_OURS"), "ours");
	assert_string_equal(in_list(env, "DT_THEIRS"), "");
	assert_string_equal(dt_env_get(ws, "DT_BOTH"), "theirs");
	assert_string_equal(dt_env_get(ws, "DT_BO"), "x");
	assert_null(dt_env_get(ws, "DT_OURS"));
	unsetenv("DT_BOTH");
	unsetenv("DT_OURS");
}

world_test(programs_are_found_by_the_workspaces_path)
{
	const char *pairs[] = { NULL };
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	char *program = make_file(w, "sh", "#!/bin/sh\n");

	assert_int_equal(chmod(program, 0755), 0);
	assert_string_not_equal(dt_env_find(ws, &w->arena, "sh"), program);
	pairs[0] = text_of(w, "PATH=%s", w->project);
	dt_workspace_set_env(ws, &(struct dt_names){ pairs, 1 });
	assert_string_equal(dt_env_find(ws, &w->arena, "sh"), program);
	assert_null(dt_env_find(ws, &w->arena, "cat"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(the_workspaces_variables_come_before_ours),
		test_in_world(programs_are_found_by_the_workspaces_path),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
