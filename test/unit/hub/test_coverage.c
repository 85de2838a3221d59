#include "agent.h"

#include "hub/coverage.h"

#include <sys/wait.h>

#define HOOK_IN(command)                                                       \
	"{\"hooks\":{\"PreToolUse\":[7,{\"hooks\":[{},{\"command\":"           \
	"\"" command "\"}]}]}}"
#define HOOK_FOR(matcher)                                                      \
	"{\"hooks\":{\"PreToolUse\":[{\"matcher\":" matcher                    \
	",\"hooks\":[{\"command\":\"dovetail hook claude\"}]}]}}"
#define SETTINGS HOOK_IN("'/usr/bin/dovetail' hook claude")

/* An agent that is connected, and the process it says it is. */
struct scene {
	struct dt_workspace *ws;
	struct dt_session *session;
	pid_t pid;
};

/* The process works in the project, has a home of its own, and `format` with its
 * own id as a variable. */
static pid_t start_cli(struct world *w, const char *format, const char *more)
{
	char *argv[] = { "/bin/sleep", "60", NULL };
	int ready[2];
	char byte;
	pid_t pid;

	/* The pipe closes with exec: from then on the environment is its own. */
	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	pid = fork();
	if (pid == 0) {
		char variable[64];
		char *env[] = { text_of(w, "HOME=%s/cli", w->dir), variable,
			        (char *)(uintptr_t)more, NULL };

		snprintf(variable, sizeof(variable), "%s%d", format,
		         (int)getpid());
		if (!chdir(w->project))
			execve(argv[0], argv, env);
		_exit(1);
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 0);
	close(ready[0]);
	return pid;
}

static struct scene open_scene(struct world *w, const char *format,
                               const char *more)
{
	struct scene s = { .ws = serve(w) };

	make_folder(w, "cli");
	make_folder(w, "cli/.claude");
	make_folder(w, "p/.claude");
	connect_agent(s.ws, w);
	s.session = last_session(s.ws);
	s.pid = start_cli(w, format, more);
	s.session->agent.pid = s.pid;
	return s;
}

static void close_scene(struct scene *s)
{
	assert_int_equal(kill(s->pid, SIGKILL), 0);
	assert_int_equal(waitpid(s->pid, NULL, 0), s->pid);
}

static struct dt_coverage expect_hook(struct world *w, struct scene *s,
                                      enum dt_coverage_hook hook)
{
	struct dt_coverage found = dt_coverage_of(&w->arena, s->session);

	assert_string_equal(dt_coverage_hooks[found.hook],
	                    dt_coverage_hooks[hook]);
	assert_int_equal(found.is_reviewed, hook >= DT_HOOK_CALLED);
	return found;
}

world_test(an_agent_without_a_hook_is_told_how_to_get_one)
{
	struct world *w = *state;
	struct scene s = open_scene(w, "X=", NULL);
	struct dt_coverage found = expect_hook(w, &s, DT_HOOK_NONE);

	assert_non_null(strstr(found.why, "dovetail hook install claude"));
	close_scene(&s);
	s.session->agent.pid = 0;
	expect_hook(w, &s, DT_HOOK_UNKNOWN);
}

world_test(an_mcp_client_shows_what_it_proposes)
{
	struct world *w = *state;
	struct scene s = open_scene(w, "X=", NULL);

	s.session->agent.dialect = dt_dialect_find("mcp");
	expect_hook(w, &s, DT_HOOK_PROPOSES);
	s.session->agent.dialect = dt_dialect_find("claude-code");
	close_scene(&s);
}

world_test(what_run_gave_counts_for_the_process_it_started)
{
	struct world *w = *state;
	struct scene s = open_scene(w, DT_COVERAGE_VARIABLE "=run:", NULL);

	expect_hook(w, &s, DT_HOOK_RUN);
	close_scene(&s);
}

world_test(what_run_left_out_is_told)
{
	struct world *w = *state;
	struct scene s = open_scene(w, DT_COVERAGE_VARIABLE "=off:", NULL);
	struct dt_coverage found = expect_hook(w, &s, DT_HOOK_OFF);

	assert_non_null(strstr(found.why, "--no-hook"));
	put_file(text_of(w, "%s/cli/.claude/settings.json", w->dir), SETTINGS);
	expect_hook(w, &s, DT_HOOK_SETTINGS);
	close_scene(&s);
}

world_test(what_an_agent_runs_inherits_no_hook)
{
	struct world *w = *state;
	struct scene s = open_scene(w, DT_COVERAGE_VARIABLE "=run:9", NULL);

	expect_hook(w, &s, DT_HOOK_NONE);
	close_scene(&s);
}

world_test(settings_count_where_the_cli_reads_them)
{
	struct world *w = *state;
	char *config = make_folder(w, "config");
	struct scene s = open_scene(w, "X=", NULL);
	const char *const files[] = {
		text_of(w, "%s/cli/.claude/settings.json", w->dir),
		text_of(w, "%s/.claude/settings.json", w->project),
		text_of(w, "%s/.claude/settings.local.json", w->project),
	};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		expect_hook(w, &s, DT_HOOK_NONE);
		put_file(files[i], SETTINGS);
		assert_non_null(strstr(expect_hook(w, &s, DT_HOOK_SETTINGS).why,
		                       files[i]));
		unlink(files[i]);
	}
	put_file(files[0], SETTINGS);
	assert_non_null(strstr(expect_hook(w, &s, DT_HOOK_SETTINGS).why,
	                       "edits pass when it cannot run"));
	put_file(files[0], HOOK_IN("dovetail hook claude\",\"onFailure\":"
	                           "\"block"));
	assert_null(strstr(expect_hook(w, &s, DT_HOOK_SETTINGS).why, "pass"));
	close_scene(&s);
	s.pid = start_cli(w, "X=", text_of(w, "CLAUDE_CONFIG_DIR=%s", config));
	s.session->agent.pid = s.pid;
	expect_hook(w, &s, DT_HOOK_NONE);
	put_file(text_of(w, "%s/settings.json", config), SETTINGS);
	expect_hook(w, &s, DT_HOOK_SETTINGS);
	close_scene(&s);
}

world_test(settings_that_say_something_else_do_not_count)
{
	static const char *const texts[] = {
		"",
		"{",
		"[]",
		"7",
		"{\"hooks\":[]}",
		"{\"hooks\":{\"PreToolUse\":{}}}",
		"{\"hooks\":{\"PreToolUse\":[{\"hooks\":7}]}}",
		HOOK_IN("dovetail hook"),
		HOOK_IN("my hook claude"),
		HOOK_FOR("\"Bash\""),
		HOOK_FOR("\"Edit|MultiEdit|Write\""),
		HOOK_FOR("\"NotebookEdit|MultiEdit|Write\""),
		HOOK_FOR("7"),
	};
	struct world *w = *state;
	struct scene s = open_scene(w, "X=", NULL);

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		make_file(w, ".claude/settings.json", texts[i]);
		expect_hook(w, &s, DT_HOOK_NONE);
	}
	close_scene(&s);
}

world_test(a_hook_for_every_edit_counts)
{
	static const char *const texts[] = {
		HOOK_FOR("\"" DT_COVERAGE_TOOLS "\""),
		HOOK_FOR("\"Bash|Write|NotebookEdit|MultiEdit|Edit\""),
		HOOK_FOR("\"\""),
		HOOK_FOR("\"*\""),
	};
	struct world *w = *state;
	struct scene s = open_scene(w, "X=", NULL);

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		make_file(w, ".claude/settings.json", texts[i]);
		expect_hook(w, &s, DT_HOOK_SETTINGS);
	}
	close_scene(&s);
}

world_test(settings_can_turn_every_hook_off)
{
	struct world *w = *state;
	struct scene s = open_scene(w, DT_COVERAGE_VARIABLE "=run:", NULL);
	char *file = make_file(w, ".claude/settings.json",
	                       "{\"disableAllHooks\":true}");
	struct dt_coverage_place place = { NULL, w->home, w->project };

	assert_string_equal(dt_coverage_disabled_by(&w->arena, &place), file);
	place.folder = w->home;
	assert_null(dt_coverage_disabled_by(&w->arena, &place));
	s.session->hook.called_ms = 1;
	assert_non_null(strstr(expect_hook(w, &s, DT_HOOK_DISABLED).why, file));
	put_file(file, "{\"disableAllHooks\":false}");
	expect_hook(w, &s, DT_HOOK_RUN);
	close_scene(&s);
}

world_test(a_hook_that_has_called_is_there)
{
	struct world *w = *state;
	struct scene s = open_scene(w, "X=", NULL);

	s.session->hook.called_ms = 1;
	expect_hook(w, &s, DT_HOOK_CALLED);
	close_scene(&s);
	/* Gone, or of another user: what we saw is all we know. */
	expect_hook(w, &s, DT_HOOK_CALLED);
}

world_test(rules_that_do_not_ask_are_counted)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	char *file = text_of(w, "%s/c/dovetail/dovetail.conf", w->dir);

	mkdir(text_of(w, "%s/c/dovetail", w->dir), 0700);
	assert_int_equal(dt_coverage_silent_rules(ws), 0);
	put_file(file, "[policy]\nask = a\nrecord = b\ndeny = c\nallow = d\n");
	dt_hub_reload(&w->hub);
	assert_int_equal(dt_coverage_silent_rules(ws), 2);
	/* With a rule that cannot be read nothing passes. */
	put_file(file, "[policy]\nrecord = b\nask = lines>x\n");
	dt_hub_reload(&w->hub);
	assert_int_equal(dt_coverage_silent_rules(ws), 0);
}

test(our_hook_is_known_by_its_command)
{
	assert_true(dt_coverage_is_hook(DT_STR("dovetail hook claude")));
	assert_true(dt_coverage_is_hook(DT_STR("'/a b/dovetail' hook claude")));
	assert_true(dt_coverage_is_hook(DT_STR("/x/dovetail-2 hook claude")));
	assert_true(dt_coverage_is_hook(
		DT_STR("[ -x '/x' ] || exit 2; exec '/x/dovetail' hook "
	               "claude")));
	assert_true(dt_coverage_is_hook(
		DT_STR("'/x/test_hub_coverage' hook claude")));
	assert_false(dt_coverage_is_hook(DT_STR("'/x/test' hook claude")));
	assert_false(dt_coverage_is_hook(DT_STR("dovetail hook claude x")));
	assert_false(dt_coverage_is_hook(DT_STR(" hook claude")));
	assert_false(dt_coverage_is_hook((struct dt_str){ 0 }));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(an_mcp_client_shows_what_it_proposes),
		test_in_world(an_agent_without_a_hook_is_told_how_to_get_one),
		test_in_world(what_run_gave_counts_for_the_process_it_started),
		test_in_world(what_run_left_out_is_told),
		test_in_world(what_an_agent_runs_inherits_no_hook),
		test_in_world(settings_count_where_the_cli_reads_them),
		test_in_world(settings_that_say_something_else_do_not_count),
		test_in_world(a_hook_for_every_edit_counts),
		test_in_world(settings_can_turn_every_hook_off),
		test_in_world(a_hook_that_has_called_is_there),
		test_in_world(rules_that_do_not_ask_are_counted),
		cmocka_unit_test(our_hook_is_known_by_its_command),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
