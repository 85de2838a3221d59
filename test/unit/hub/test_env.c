#include "agent.h"

#include "backend/headless.h"
#include "hub/env.h"

#include <sys/wait.h>

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
	env = dt_env_list(ws, NULL, &w->arena);
	assert_string_equal(in_list(env, "DT_BOTH"), "ours");
	assert_null(dt_env_get(ws, "DT_BOTH"));

	dt_workspace_set_env(ws, &(struct dt_names){ pairs, 3 });
	env = dt_env_list(ws, NULL, &w->arena);
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
	assert_string_not_equal(dt_env_find(ws, NULL, &w->arena, "sh"),
	                        program);
	pairs[0] = text_of(w, "PATH=%s", w->project);
	dt_workspace_set_env(ws, &(struct dt_names){ pairs, 1 });
	assert_string_equal(dt_env_find(ws, NULL, &w->arena, "sh"), program);
	assert_null(dt_env_find(ws, NULL, &w->arena, "cat"));
}

/* A session that brought one variable. */
static struct dt_session *come(struct world *w, struct dt_workspace *ws,
                               const char *pair)
{
	struct dt_names common = ws->common;
	bool had_agents = ws->had_agents;
	struct dt_session *s;

	/* By WebSocket nothing is brought; that is taken back here. */
	ws->common = (struct dt_names){ 0 };
	connect_agent(ws, w);
	dt_env_done(&ws->common);
	ws->common = common;
	ws->had_agents = had_agents;
	s = last_session(ws);
	if (pair)
		dt_env_set(&s->env, &(struct dt_names){ &pair, 1 });
	dt_env_meet(ws, s);
	return s;
}

static const char *value(struct world *w, struct dt_workspace *ws,
                         const char *asker)
{
	return in_list(dt_env_list(ws, asker, &w->arena), "DT_WHO");
}

world_test(what_an_agent_brings_is_its_own)
{
	const char *pair = "DT_WHO=person";
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct dt_session *a = come(w, ws, "DT_WHO=a");
	struct dt_session *b = come(w, ws, "DT_WHO=b");
	struct dt_session *none = come(w, ws, NULL);

	assert_string_equal(value(w, ws, a->id), "a");
	assert_string_equal(value(w, ws, b->id), "b");
	assert_null(value(w, ws, none->id));
	assert_null(value(w, ws, NULL));
	assert_null(value(w, ws, DT_ASKER_ALL));
	assert_string_equal(dt_env_whose(ws, none->id, &w->arena),
	                    "environment of the daemon");
	dt_workspace_set_env(ws, &(struct dt_names){ &pair, 1 });
	assert_string_equal(value(w, ws, a->id), "a");
	assert_string_equal(value(w, ws, none->id), "person");
	assert_string_equal(value(w, ws, NULL), "person");
	assert_string_equal(value(w, ws, DT_ASKER_ALL), "person");
	assert_string_equal(dt_env_whose(ws, NULL, &w->arena),
	                    "environment of the person");
	assert_string_equal(
		dt_env_whose(ws, a->id, &w->arena),
		text_of(w, "environment of claude-code, session %.8s", a->id));
}

world_test(what_all_share_is_what_all_brought)
{
	const char *pair = "DT_WHO=person";
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);

	assert_null(value(w, ws, DT_ASKER_ALL));
	come(w, ws, "DT_WHO=a");
	come(w, ws, "DT_WHO=a");
	assert_string_equal(value(w, ws, DT_ASKER_ALL), "a");
	/* But the person is no agent. */
	assert_null(value(w, ws, NULL));
	come(w, ws, "DT_WHO=b");
	assert_null(value(w, ws, DT_ASKER_ALL));
	/* Once is for good. */
	come(w, ws, "DT_WHO=a");
	assert_null(value(w, ws, DT_ASKER_ALL));
	dt_workspace_set_env(ws, &(struct dt_names){ &pair, 1 });
	assert_string_equal(value(w, ws, DT_ASKER_ALL), "person");
}

static bool is_clean(void)
{
	setenv("DT_KEPT", "x", 1);
	dt_env_clean();
	if (!getenv("DT_KEPT"))
		return false; /* nobody said that it is an agent's */
	setenv("PATH", "/evil:/usr/bin", 1);
	setenv("NODE_OPTIONS", "--require /evil.js", 1);
	setenv("LANG", "C", 1);
	setenv(DT_ENV_STARTED_BY, "mcp", 1);
	dt_env_clean();
	return !getenv("DT_KEPT") && !getenv(DT_ENV_STARTED_BY) &&
	       !getenv("NODE_OPTIONS") && !strcmp(getenv("LANG"), "C") &&
	       !strstr(getenv("PATH"), "/evil") &&
	       strstr(getenv("PATH"), "/.local/bin:") &&
	       strstr(getenv("PATH"), ":/usr/bin:");
}

test(a_daemon_that_an_agent_started_forgets_its_environment)
{
	int status = -1;
	pid_t child = fork();

	if (child == 0)
		_exit(!is_clean());
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(the_workspaces_variables_come_before_ours),
		test_in_world(programs_are_found_by_the_workspaces_path),
		test_in_world(what_an_agent_brings_is_its_own),
		test_in_world(what_all_share_is_what_all_brought),
		cmocka_unit_test(
			a_daemon_that_an_agent_started_forgets_its_environment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
