/* test/unit/hub/test_control_log.c - twin of src/hub/control_log.c */
#include "agent.h"

/* An agent whose first change was rejected and whose second one waits. */
struct scene {
	struct client *agent;
	struct client *command;
	char *rejected;
	char *waiting;
};

static struct scene open_scene(struct world *w)
{
	struct dt_workspace *ws = serve(w);
	struct scene s = { .agent = connect_ready_agent(ws, w) };
	char *path = make_file(w, "a.txt", "one\n");

	s.command = connect_command(w);
	run_for(w, 5);
	s.rejected = text_of(w, "%s", propose(s.agent, path, "1\n", "t")->id);
	run_for(w, 5);
	decide(s.command, s.rejected,
	       "\"verdict\":\"reject\",\"comment\":\"no\",\"surface\":\"page\"");
	run_for(w, 5);
	s.waiting = text_of(w, "%s", propose(s.agent, path, "2\n", "t")->id);
	return s;
}

static const char *list(struct scene *s, const char *params)
{
	return ask(s->command, "log/list", params);
}

world_test(sessions_and_reviews_come_the_newest_last)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	const char *log = list(&s, "{}");

	assert_string_equal(at(w, log, "result.items.0.type"), "session");
	assert_string_equal(at(w, log, "result.items.1.id"), s.rejected);
	assert_string_equal(at(w, log, "result.items.1.type"), "review");
	assert_string_equal(at(w, log, "result.items.1.state"), "rejected");
	assert_string_equal(at(w, log, "result.items.1.comment"), "no");
	assert_string_equal(at(w, log, "result.items.1.surface"), "page");
	assert_non_null(at(w, log, "result.items.1.decidedBy"));
	assert_string_equal(at(w, log, "result.items.1.entries.0.kind"),
	                    "change");
	assert_string_equal(at(w, log, "result.items.1.entries.0.path"),
	                    text_of(w, "%s/a.txt", w->project));
	assert_string_equal(at(w, log, "result.items.2.id"), s.waiting);
	assert_string_equal(at(w, log, "result.items.2.state"), "waiting");
	assert_null(at(w, log, "result.items.3"));
}

world_test(what_ended_last_is_last)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	const char *log;

	run_for(w, 5);
	hang_up(s.agent);
	wait_for(w, dt_list_is_empty(&w->hub.inbox.list));
	log = list(&s, "{\"what\":\"sessions\"}");
	assert_string_not_equal(at(w, log, "result.items.0.disconnectedMs"),
	                        "0");
	log = list(&s, "{\"limit\":2}");
	assert_null(at(w, log, "result.items.2"));
	/* The session and the review it left behind; not the rejected one. */
	assert_null(strstr(log, s.rejected));
	assert_non_null(strstr(log, s.waiting));
	assert_non_null(strstr(log, "orphaned"));
}

world_test(a_list_can_be_of_one_kind_short_or_recent)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	const char *log = list(&s, "{\"what\":\"reviews\",\"limit\":1}");

	assert_string_equal(at(w, log, "result.items.0.id"), s.waiting);
	assert_null(at(w, log, "result.items.1"));
	log = list(&s, "{\"what\":\"sessions\"}");
	assert_string_equal(at(w, log, "result.items.0.type"), "session");
	assert_null(at(w, log, "result.items.1"));
	log = list(&s,
	           text_of(w, "{\"sinceMs\":%s}",
	                   at(w, list(&s, "{}"), "result.items.2.openedMs")));
	assert_string_equal(at(w, log, "result.items.0.id"), s.waiting);
	assert_null(at(w, log, "result.items.1"));
	log = list(&s, "{\"what\":\"nonsense\"}");
	assert_string_equal(at(w, log, "error.code"), "-32602");
}

world_test(who_follows_is_told_when_something_happens)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	const char *log = list(&s, "{}");
	const char *sequence = at(w, log, "result.sequence");
	struct client *decider = connect_command(w);

	request(s.command, "log/wait",
	        text_of(w, "{\"sequence\":%s}", sequence));
	expect_silence(s.command, 20);
	decide(decider, s.waiting, "\"verdict\":\"accept\"");
	assert_string_not_equal(at(w, hear(s.command), "result.sequence"),
	                        sequence);
	/* What it is told of is in the next list. */
	assert_non_null(strstr(list(&s, "{}"), "\"writing\""));
}

world_test(who_is_behind_does_not_wait_and_waiting_can_end)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	const char *sequence = at(w, list(&s, "{}"), "result.sequence");
	const char *answer = ask(s.command, "log/wait", "{\"sequence\":0}");

	assert_string_equal(at(w, answer, "result.sequence"), sequence);
	answer =
		ask(s.command, "log/wait",
	            text_of(w, "{\"sequence\":%s,\"timeoutMs\":10}", sequence));
	assert_string_equal(at(w, answer, "result.sequence"), sequence);
}

world_test(a_follower_may_go_away)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	const char *sequence = at(w, list(&s, "{}"), "result.sequence");
	struct client *follower = connect_command(w);

	request(follower, "log/wait",
	        text_of(w, "{\"sequence\":%s}", sequence));
	wait_for(w, !dt_list_is_empty(&w->hub.log_waits));
	drop(follower);
	wait_for(w, dt_list_is_empty(&w->hub.log_waits));
	decide(s.command, s.waiting, "\"verdict\":\"accept\"");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(sessions_and_reviews_come_the_newest_last),
		test_in_world(what_ended_last_is_last),
		test_in_world(a_list_can_be_of_one_kind_short_or_recent),
		test_in_world(who_follows_is_told_when_something_happens),
		test_in_world(who_is_behind_does_not_wait_and_waiting_can_end),
		test_in_world(a_follower_may_go_away),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
