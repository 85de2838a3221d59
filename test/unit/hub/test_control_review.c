#include "agent.h"

#include <pwd.h>

/* An agent's change that waits; the rest is by the command. */
struct scene {
	struct dt_workspace *ws;
	struct client *agent;
	struct client *command;
	char *path;
};

static struct scene open_scene(struct world *w)
{
	struct scene s = { .ws = serve(w) };

	s.agent = connect_agent(s.ws, w);
	s.command = connect_command(w);
	s.path = make_file(w, "a.txt", "one\n");
	return s;
}

/* A review of the scene's file; returns its id. */
static char *open_review(struct scene *s, const char *text, const char *tab)
{
	return text_of(s->agent->w, "%s",
	               propose(s->agent, s->path, text, tab)->id);
}

static const char *get(struct scene *s, const char *id)
{
	return ask(s->command, "review/get",
	           text_of(s->command->w, "{\"id\":\"%s\"}", id));
}

/* list */

world_test(waiting_reviews_are_listed_oldest_first)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	const char *list = ask(s.command, "review/list", "{}");
	const struct dt_review *r;
	char *first;
	char *second;

	assert_string_equal(at(w, list, "result"), "{\"reviews\":[]}");
	first = open_review(&s, "1\n", "tab 1");
	second = open_review(&s, "2\n", "tab 2");
	list = ask(s.command, "review/list", "{}");
	r = last_review(w);
	assert_string_equal(at(w, list, "result.reviews.0.id"), first);
	assert_string_equal(
		at(w, list, "result.reviews.1"),
		text_of(w,
	                "{\"id\":\"%s\",\"root\":\"%s\",\"agent\":"
	                "\"claude-code\",\"session\":\"%s\",\"title\":"
	                "\"tab 2\",\"state\":\"waiting\",\"openedMs\":%lld,"
	                "\"decidedMs\":0,\"entries\":[{\"kind\":\"change\","
	                "\"path\":\"%s\",\"isOutside\":false,"
	                "\"isSettings\":false}]}",
	                second, w->project, last_session(s.ws)->id,
	                (long long)r->opened_ms, s.path));
	assert_null(at(w, list, "result.reviews.2"));
}

world_test(a_list_may_be_of_one_folder)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	char *other = make_folder(w, "q");
	const char *list;

	open_review(&s, "1\n", "tab");
	serve_at(w, other);
	list = ask(s.command, "review/list",
	           text_of(w, "{\"folder\":\"%s\"}", other));
	assert_string_equal(at(w, list, "result"), "{\"reviews\":[]}");
	list = ask(s.command, "review/list",
	           text_of(w, "{\"folder\":\"%s\"}", w->project));
	assert_non_null(at(w, list, "result.reviews.0"));
	request(s.command, "review/list",
	        text_of(w, "{\"folder\":\"%s\"}", w->home));
	expect_failure(s.command, s.command->id, -32011,
	               text_of(w,
	                       "%s is not served: run `dovetail start` there, "
	                       "or ask for all with --all",
	                       w->home));
}

world_test(ended_reviews_are_listed_by_their_state)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	char *accepted = open_review(&s, "1\n", "t1");
	char *rejected = open_review(&s, "2\n", "t2");
	char *withdrawn = open_review(&s, "3\n", "t3");
	char *waiting = open_review(&s, "4\n", "t4");
	const char *list;

	decide(s.command, accepted, "\"verdict\":\"accept\"");
	decide(s.command, rejected,
	       "\"verdict\":\"reject\",\"comment\":\"why\"");
	call(s.agent, "close_tab", "{\"tab_name\":\"t3\"}");
	wait_for(w, w->hub.inbox.count == 1);
	list = ask(s.command, "review/list",
	           "{\"states\":[\"writing\",\"rejected\",\"withdrawn\","
	           "\"waiting\"]}");
	assert_string_equal(at(w, list, "result.reviews.0.id"), accepted);
	assert_string_equal(at(w, list, "result.reviews.0.decidedBy"),
	                    getpwuid(geteuid())->pw_name);
	assert_string_equal(at(w, list, "result.reviews.1.id"), rejected);
	assert_string_equal(at(w, list, "result.reviews.1.comment"), "why");
	assert_string_equal(at(w, list, "result.reviews.2.id"), withdrawn);
	assert_string_equal(at(w, list, "result.reviews.3.id"), waiting);
	list = ask(s.command, "review/list", "{\"states\":[\"rejected\"]}");
	assert_string_equal(at(w, list, "result.reviews.0.id"), rejected);
	assert_null(at(w, list, "result.reviews.1"));
	request(s.command, "review/list", "{\"states\":[\"odd\"]}");
	expect_failure(s.command, s.command->id, -32602,
	               "states: no state \"odd\"");
}

/* get */

world_test(a_waiting_review_is_shown_with_its_texts)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	char *id = open_review(&s, "ONE\n", "tab");
	const char *review = get(&s, id);

	assert_string_equal(
		at(w, review, "result.entries"),
		text_of(w,
	                "[{\"kind\":\"change\",\"path\":\"%s\",\"isOutside\":false,"
	                "\"isSettings\":false,\"old\":\"one\\n\",\"proposed\":\"ONE\\n\","
	                "\"isLossy\":false,\"isStale\":false}]",
	                s.path));
	/* Any beginning of four digits will do, and the file may change. */
	put_file(s.path, "\xff\n");
	review = get(&s, text_of(w, "%.4s", id));
	assert_string_equal(at(w, review, "result.entries.0.isStale"), "true");
}

world_test(a_new_file_has_no_old_text)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	const char *review;

	s.path = text_of(w, "%s/new.txt", w->dir);
	review = get(&s, open_review(&s, "x", "tab"));
	assert_string_equal(
		at(w, review, "result.entries.0"),
		text_of(w,
	                "{\"kind\":\"create\",\"path\":\"%s\",\"isOutside\":true,"
	                "\"isSettings\":false,\"proposed\":\"x\",\"isLossy\":false,"
	                "\"isStale\":false}",
	                s.path));
}

world_test(an_old_text_that_is_not_utf_8_is_shown_lossy)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	const char *review;

	put_file(s.path, "caf\xe9\n");
	review = get(&s, open_review(&s, "x", "tab"));
	assert_string_equal(at(w, review, "result.entries.0.isLossy"), "true");
	assert_string_equal(at(w, review, "result.entries.0.old"),
	                    "caf\xef\xbf\xbd\n");
}

world_test(an_ended_review_is_shown_from_the_store)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	char *id = open_review(&s, "ONE\n", "tab");
	const char *review;

	decide(s.command, id, "\"verdict\":\"accept\",\"text\":\"mine\"");
	review = get(&s, id);
	/* The agent has been told and has not written yet. */
	assert_string_equal(at(w, review, "result.state"), "writing");
	assert_string_equal(at(w, review, "result.entries.0.old"), "one\n");
	assert_string_equal(at(w, review, "result.entries.0.proposed"),
	                    "ONE\n");
	assert_string_equal(at(w, review, "result.entries.0.final"), "mine");
}

world_test(what_is_no_review_is_said_to_be_none)
{
	struct scene s = open_scene(*state);

	request(s.command, "review/get", "{\"id\":\"abc\"}");
	expect_failure(s.command, s.command->id, -32602,
	               "\"abc\" is not a review: give at least 4 digits");
	request(s.command, "review/get", "{\"id\":\"00000000\"}");
	assert_string_equal(at(s.command->w, hear(s.command), "error.code"),
	                    "-32011");
}

/* decide */

world_test(a_verdict_is_answered_when_it_is_kept)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	char *id = open_review(&s, "ONE\n", "tab");
	const char *answer = decide(s.command, text_of(w, "%.8s", id),
	                            "\"verdict\":\"accept\"");

	assert_string_equal(
		at(w, answer, "result"),
		text_of(w,
	                "{\"id\":\"%s\",\"state\":\"writing\",\"path\":"
	                "\"%s\"}",
	                id, s.path));
	expect_texts(s.agent, s.agent->id, "FILE_SAVED", "ONE\n");
	assert_int_equal(w->hub.inbox.count, 0);
}

world_test(the_first_of_two_verdicts_counts)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	struct client *second = connect_command(w);
	char *id = open_review(&s, "ONE\n", "tab");
	char *args = text_of(w, "{\"id\":\"%s\",\"verdict\":\"accept\"}", id);
	const char *accepted;
	const char *rejected;

	/* Both on their way at once, then a third when all is over. */
	request(s.command, "review/decide", args);
	request(second, "review/decide",
	        text_of(w, "{\"id\":\"%s\",\"verdict\":\"reject\"}", id));
	accepted = at(w, hear(s.command), "result.state");
	rejected = at(w, hear(second), "result.state");
	assert_true(!accepted != !rejected);
	hear(s.agent);
	request(s.command, "review/decide", args);
	expect_failure(s.command, s.command->id, -32012,
	               text_of(w, "review %.8s is %s already", id,
	                       accepted ? "accepted" : rejected));
	expect_silence(s.agent, 50);
}

world_test(an_orphan_can_only_be_put_away)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	char *id = open_review(&s, "ONE\n", "tab");
	const char *answer;

	drop(s.agent);
	wait_for(w, w->hub.inbox.count == 0);
	request(s.command, "review/decide",
	        text_of(w, "{\"id\":\"%s\",\"verdict\":\"accept\"}", id));
	expect_failure(s.command, s.command->id, -32012,
	               text_of(w,
	                       "the agent of review %.8s is gone: nobody would "
	                       "make the change; apply writes it, reject puts "
	                       "it away",
	                       id));
	answer = decide(s.command, id, "\"verdict\":\"reject\"");
	assert_string_equal(
		at(w, answer, "result"),
		text_of(w,
	                "{\"id\":\"%s\",\"state\":\"rejected\",\"path\":"
	                "\"%s\"}",
	                id, s.path));
	assert_string_equal(at(w, get(&s, id), "result.state"), "rejected");
}

/* Both are asked at once, so the store answers when it is closed already. */
world_test(a_daemon_that_stops_puts_nothing_away)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	char *id = open_review(&s, "ONE\n", "tab");

	drop(s.agent);
	wait_for(w, w->hub.inbox.count == 0);
	request(s.command, "review/decide",
	        text_of(w, "{\"id\":\"%s\",\"verdict\":\"reject\"}", id));
	request(s.command, "stop", "{}");
	wait_for(w, w->hub.is_stopping);
	restart_hub(w);
	s.command = connect_command(w);
	assert_string_equal(at(w, get(&s, id), "result.state"), "orphaned");
}

world_test(a_beginning_that_several_reviews_share_decides_nothing)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	struct dt_review *first = propose(s.agent, s.path, "1", "t1");
	struct dt_review *second = propose(s.agent, s.path, "2", "t2");

	memcpy(second->id, first->id, 6);
	second->id[6] = first->id[6] == '0' ? '1' : '0';
	request(s.command, "review/decide",
	        text_of(w, "{\"id\":\"%.6s\",\"verdict\":\"accept\"}",
	                first->id));
	expect_failure(
		s.command, s.command->id, -32602,
		text_of(w, "several reviews begin with %.6s", first->id));
	assert_int_equal(w->hub.inbox.count, 2);
}

/* This process is the agent, so its verdict is the agent's own. */
world_test(an_agent_cannot_decide_on_its_own_change)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	char *id;

	say(s.agent, text_of(w,
	                     "{\"jsonrpc\":\"2.0\",\"method\":"
	                     "\"ide_connected\",\"params\":{\"pid\":%d}}",
	                     (int)getpid()));
	id = open_review(&s, "ONE\n", "tab");
	request(s.command, "review/decide",
	        text_of(w, "{\"id\":\"%s\",\"verdict\":\"accept\"}", id));
	expect_failure(s.command, s.command->id, -32010,
	               text_of(w,
	                       "an agent cannot decide on a change, and "
	                       "process %d, which is an agent, asks for "
	                       "this: run it in a terminal of your own",
	                       (int)getpid()));
	assert_true(log_has(w, text_of(w,
	                               "process %d was refused: an agent "
	                               "cannot decide on a change",
	                               (int)getpid())));
	assert_int_equal(last_review(w)->state, DT_REVIEW_WAITING);
	expect_silence(s.agent, 50);
	/* It may look, though. */
	assert_non_null(at(w, get(&s, id), "result.id"));
}

world_test(whoever_decides_need_not_wait_for_the_answer)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	char *id = open_review(&s, "ONE\n", "tab");

	request(s.command, "review/decide",
	        text_of(w, "{\"id\":\"%s\",\"verdict\":\"accept\"}", id));
	wait_for(w, w->hub.inbox.count == 0 ||
	                    last_review(w)->state != DT_REVIEW_WAITING);
	drop(s.command);
	expect_texts(s.agent, s.agent->id, "FILE_SAVED", "ONE\n");
}

/* wait */

world_test(waiting_ends_with_the_next_review)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	char *first;

	request(s.command, "review/wait", "{}");
	expect_silence(s.command, 50);
	first = open_review(&s, "1", "t1");
	assert_string_equal(at(w, hear(s.command), "result.id"), first);
	/* One that waits already is there at once. */
	assert_string_equal(
		at(w, ask(s.command, "review/wait", "{}"), "result.id"), first);
}

world_test(waiting_can_be_for_another_than_this_one)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	char *first = open_review(&s, "1", "t1");
	char *second;

	request(s.command, "review/wait",
	        text_of(w, "{\"after\":\"%s\",\"timeoutMs\":10000}", first));
	expect_silence(s.command, 50);
	second = open_review(&s, "2", "t2");
	assert_string_equal(at(w, hear(s.command), "result.id"), second);
}

world_test(waiting_ends_in_time)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	uint64_t start = dt_clock_ms();

	request(s.command, "review/wait",
	        text_of(w, "{\"folder\":\"%s\",\"timeoutMs\":100}",
	                w->project));
	expect_failure(s.command, s.command->id, -32014,
	               "no review came in time");
	assert_in_range(dt_clock_ms() - start, 99, 2000);
	assert_true(dt_list_is_empty(&w->hub.waits));
}

world_test(waiting_is_for_a_folder)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	char *other = make_folder(w, "q");

	serve_at(w, other);
	request(s.command, "review/wait",
	        text_of(w, "{\"folder\":\"%s\"}", other));
	open_review(&s, "1", "t1");
	expect_silence(s.command, 50);
}

world_test(a_command_that_waits_may_leave_or_be_left)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	struct client *other = connect_command(w);

	request(other, "review/wait", "{\"timeoutMs\":60000}");
	wait_for(w, !dt_list_is_empty(&w->hub.waits));
	drop(other);
	wait_for(w, dt_list_is_empty(&w->hub.waits));
	request(s.command, "review/wait", "{\"timeoutMs\":60000}");
	wait_for(w, !dt_list_is_empty(&w->hub.waits));
	dt_hub_stop(&w->hub);
	wait_for(w, s.command->is_closed && dt_list_is_empty(&w->hub.waits));
}

world_test(what_is_open_is_listed_with_its_state)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	char *edited = open_review(&s, "1\n", "t1");
	char *waiting;
	const char *list;

	open_review(&s, "2\n", "t2");
	ask(s.command, "review/keep",
	    text_of(w, "{\"id\":\"%s\",\"text\":\"mine\"}", edited));
	call(s.agent, "closeAllDiffTabs", "{}");
	wait_for(w, w->hub.inbox.count == 0);
	waiting = open_review(&s, "3\n", "t3");
	put_file(s.path, "other\n");
	list = ask(s.command, "review/list", "{\"isOpen\":true}");
	assert_string_equal(at(w, list, "result.reviews.0.id"), edited);
	assert_string_equal(at(w, list, "result.reviews.0.state"), "withdrawn");
	assert_string_equal(
		at(w, list, "result.reviews.0.entries.0"),
		text_of(w,
	                "{\"kind\":\"change\",\"path\":\"%s\",\"isOutside\":false,"
	                "\"isSettings\":false,\"isStale\":true,\"isEdited\":true}",
	                s.path));
	assert_string_equal(at(w, list, "result.reviews.1.id"), waiting);
	assert_string_equal(at(w, list, "result.reviews.1.entries.0.isStale"),
	                    "true");
	assert_string_equal(at(w, list, "result.reviews.1.entries.0.isEdited"),
	                    "false");
	assert_null(at(w, list, "result.reviews.2"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(waiting_reviews_are_listed_oldest_first),
		test_in_world(a_list_may_be_of_one_folder),
		test_in_world(ended_reviews_are_listed_by_their_state),
		test_in_world(a_waiting_review_is_shown_with_its_texts),
		test_in_world(a_new_file_has_no_old_text),
		test_in_world(an_old_text_that_is_not_utf_8_is_shown_lossy),
		test_in_world(an_ended_review_is_shown_from_the_store),
		test_in_world(what_is_no_review_is_said_to_be_none),
		test_in_world(a_verdict_is_answered_when_it_is_kept),
		test_in_world(the_first_of_two_verdicts_counts),
		test_in_world(an_orphan_can_only_be_put_away),
		test_in_world(a_daemon_that_stops_puts_nothing_away),
		test_in_world(
			a_beginning_that_several_reviews_share_decides_nothing),
		test_in_world(an_agent_cannot_decide_on_its_own_change),
		test_in_world(whoever_decides_need_not_wait_for_the_answer),
		test_in_world(waiting_ends_with_the_next_review),
		test_in_world(waiting_can_be_for_another_than_this_one),
		test_in_world(waiting_ends_in_time),
		test_in_world(waiting_is_for_a_folder),
		test_in_world(a_command_that_waits_may_leave_or_be_left),
		test_in_world(what_is_open_is_listed_with_its_state),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
