#include "agent.h"

/* A command that says how it was called, and a workspace that uses it. */
struct scene {
	struct dt_workspace *ws;
	struct client *agent;
	char *said;
	char *path;
};

static char *make_tool(struct world *w, const char *name)
{
	char *file = text_of(w, "%s/bin/%s", w->dir, name);

	if (!is_there(text_of(w, "%s/bin", w->dir)))
		make_folder(w, "bin");
	put_file(file, "#!/bin/sh\n"
	               "{ for i; do echo \"<$i>\"; done; pwd; } >\"$0.tmp\"\n"
	               "cat \"$0.tmp\" >>\"$0.said\"\n");
	assert_int_equal(chmod(file, 0700), 0);
	return file;
}

static struct scene open_scene(struct world *w, const char *tool,
                               const char *config)
{
	struct scene s = { .said = text_of(w, "%s.said", make_tool(w, tool)) };
	const char *pairs[] = { text_of(w, "PATH=%s/bin:/usr/bin:/bin", w->dir),
		                "DISPLAY=:9" };
	struct dt_names env = { .ptr = pairs, .count = 2 };

	s.ws = serve(w);
	if (config)
		dt_config_read_text(
			s.ws->config, "test",
			dt_str(text_of(w, "[review]\non_review = %s\n",
		                       config)),
			false);
	dt_workspace_set_env(s.ws, &env);
	s.agent = connect_agent(s.ws, w);
	s.path = make_file(w, "a.txt", "one\n");
	return s;
}

static bool has_said(struct world *w, struct scene *s, const char *text)
{
	const char *said = file_text(w, s->said);

	return said && strstr(said, text);
}

world_test(the_command_gets_agent_path_and_id)
{
	struct world *w = *state;
	struct scene s = open_scene(w, "tool", "  tool --loud  $HOME;ls ");
	struct dt_review *r = propose(s.agent, s.path, "ONE\n", "tab");

	wait_for(w, has_said(w, &s, w->project));
	assert_string_equal(
		file_text(w, s.said),
		text_of(w,
	                "<--loud>\n<$HOME;ls>\n<claude-code>\n<%s>\n"
	                "<%s>\n%s\n",
	                s.path, r->id, w->project));
}

world_test(the_default_is_a_notification_on_a_desktop)
{
	struct world *w = *state;
	struct scene s = open_scene(w, "notify-send", NULL);

	propose(s.agent, s.path, "ONE\n", "tab");
	wait_for(w, has_said(w, &s, w->project));
	assert_true(has_said(w, &s,
	                     "<--app-name=Dovetail>\n<-->\n"
	                     "<claude-code wants to change a.txt>\n"
	                     "<dovetail review>\n"));
}

world_test(without_a_desktop_there_is_no_notification)
{
	struct world *w = *state;
	struct scene s = open_scene(w, "notify-send", NULL);
	struct dt_names none = { 0 };

	dt_workspace_set_env(s.ws, &none);
	propose(s.agent, s.path, "ONE\n", "tab");
	assert_int_equal(w->hub.noticed_ms, 0);
}

world_test(an_empty_command_is_none)
{
	struct world *w = *state;
	struct scene s = open_scene(w, "tool", "");

	propose(s.agent, s.path, "ONE\n", "tab");
	assert_int_equal(w->hub.noticed_ms, 0);
}

world_test(many_reviews_at_once_are_one_notice)
{
	struct world *w = *state;
	struct scene s = open_scene(w, "tool", "tool");
	uint64_t first;

	propose(s.agent, s.path, "1\n", "t1");
	first = w->hub.noticed_ms;
	assert_true(first > 0);
	propose(s.agent, s.path, "2\n", "t2");
	assert_int_equal(w->hub.noticed_ms, first);
	w->hub.noticed_ms -= 1000;
	propose(s.agent, s.path, "3\n", "t3");
	assert_true(w->hub.noticed_ms >= first);
	wait_for(w, has_said(w, &s, w->project));
}

world_test(a_command_that_is_not_there_is_a_warning)
{
	struct world *w = *state;
	struct scene s = open_scene(w, "tool", "no-such-tool -x");

	propose(s.agent, s.path, "1\n", "t1");
	assert_int_equal(w->hub.noticed_ms, 0);
	assert_true(log_has(w, "there is no program no-such-tool"));
}

world_test(a_repository_cannot_set_the_command)
{
	struct world *w = *state;
	struct scene s;

	make_file(w, ".dovetail.conf", "[review]\non_review = /bin/rm\n");
	s = open_scene(w, "notify-send", NULL);
	assert_string_equal(dt_config_get(s.ws->config, "review.on_review"),
	                    "notify-send");
}

world_test(nothing_is_said_while_nobody_is_to_be_disturbed)
{
	struct world *w = *state;
	struct scene s = open_scene(w, "tool", "tool");
	struct client *command = connect_command(w);

	ask(command, "mute", "{}");
	propose(s.agent, s.path, "ONE\n", "tab");
	run_for(w, 100);
	assert_false(is_there(s.said));
	ask(command, "unmute", "{}");
	propose(s.agent, s.path, "TWO\n", "tab 2");
	wait_for(w, has_said(w, &s, w->project));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(the_command_gets_agent_path_and_id),
		test_in_world(the_default_is_a_notification_on_a_desktop),
		test_in_world(without_a_desktop_there_is_no_notification),
		test_in_world(an_empty_command_is_none),
		test_in_world(many_reviews_at_once_are_one_notice),
		test_in_world(a_command_that_is_not_there_is_a_warning),
		test_in_world(a_repository_cannot_set_the_command),
		test_in_world(nothing_is_said_while_nobody_is_to_be_disturbed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
