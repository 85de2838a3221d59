#include "agent.h"

/* An agent's change of a file; the rest is by the command. */
struct scene {
	struct dt_workspace *ws;
	struct client *agent;
	struct client *command;
	char *path;
	char *id;
};

static struct scene open_scene(struct world *w, const char *text)
{
	struct scene s = { .ws = serve(w) };

	s.agent = connect_agent(s.ws, w);
	s.command = connect_command(w);
	s.path = make_file(w, "a.txt", "one\n");
	s.id = text_of(w, "%s", propose(s.agent, s.path, text, "tab")->id);
	return s;
}

static void leave(struct scene *s)
{
	drop(s->agent);
	wait_for(s->command->w, s->command->w->hub.inbox.count == 0);
}

static const char *keep(struct scene *s, const char *text)
{
	struct world *w = s->command->w;

	return ask(s->command, "review/keep",
	           text_of(w, "{\"id\":\"%s\",\"text\":%s}", s->id,
	                   quoted(w, text)));
}

static const char *apply(struct scene *s, const char *more)
{
	return ask(s->command, "review/apply",
	           text_of(s->command->w, "{\"id\":\"%.8s\"%s}", s->id, more));
}

static void assert_failed(struct world *w, const char *answer, const char *code,
                          const char *part)
{
	const char *message = at(w, answer, "error.message");

	assert_string_equal(at(w, answer, "error.code"), code);
	if (!strstr(message, part))
		fail_msg("%s", message);
}

static const char *get(struct scene *s)
{
	return ask(s->command, "review/get",
	           text_of(s->command->w, "{\"id\":\"%s\"}", s->id));
}

world_test(an_orphan_is_written_as_it_was_proposed)
{
	struct world *w = *state;
	struct scene s = open_scene(w, "ONE");
	const char *review;

	assert_int_equal(chmod(s.path, 0755), 0);
	leave(&s);
	assert_string_equal(
		at(w, apply(&s, ""), "result"),
		text_of(w,
	                "{\"id\":\"%s\",\"state\":\"accepted\",\"path\":\"%s\"}",
	                s.id, s.path));
	assert_string_equal(file_text(w, s.path), "ONE");
	assert_int_equal(mode_of(s.path), 0755);
	review = get(&s);
	assert_string_equal(at(w, review, "result.state"), "accepted");
	assert_string_equal(at(w, review, "result.entries.0.final"), "ONE");
	assert_failed(w, apply(&s, ""), "-32012", "is accepted already");
}

world_test(what_a_person_made_of_it_is_kept_and_written)
{
	struct world *w = *state;
	struct scene s = open_scene(w, "ONE\n");

	assert_string_equal(at(w, keep(&s, "half\n"), "result"), "{}");
	assert_string_equal(at(w, get(&s), "result.entries.0.final"), "half\n");
	leave(&s);
	assert_string_equal(at(w, get(&s), "result.entries.0.final"), "half\n");
	/* An editor may still be open when the agent leaves. */
	assert_string_equal(at(w, keep(&s, "mine\r\n"), "result"), "{}");
	assert_string_equal(at(w, get(&s), "result.state"), "orphaned");
	assert_non_null(at(w, apply(&s, ""), "result"));
	assert_string_equal(file_text(w, s.path), "mine\r\n");
	assert_failed(w, keep(&s, "late"), "-32012", "accepted");
}

world_test(an_edit_outlives_the_daemon)
{
	struct world *w = *state;
	struct scene s = open_scene(w, "ONE\n");

	keep(&s, "mine\n");
	restart_hub(w);
	s.ws = serve(w);
	s.command = connect_command(w);
	assert_string_equal(at(w, get(&s), "result.state"), "withdrawn");
	assert_non_null(at(w, apply(&s, ""), "result"));
	assert_string_equal(file_text(w, s.path), "mine\n");
}

world_test(a_withdrawn_change_can_be_written_too)
{
	struct world *w = *state;
	struct scene s = open_scene(w, "ONE\n");

	call(s.agent, "closeAllDiffTabs", "{}");
	wait_for(w, w->hub.inbox.count == 0);
	assert_non_null(at(w, apply(&s, ""), "result"));
	assert_string_equal(file_text(w, s.path), "ONE\n");
	assert_string_equal(at(w, get(&s), "result.state"), "accepted");
}

world_test(what_waits_is_the_agents_to_write)
{
	struct world *w = *state;
	struct scene s = open_scene(w, "ONE\n");

	assert_failed(w, apply(&s, ""), "-32012", "waits for the verdict");
	assert_string_equal(file_text(w, s.path), "one\n");
}

world_test(nothing_is_written_over_a_file_that_changed)
{
	struct world *w = *state;
	struct scene s = open_scene(w, "ONE\n");

	leave(&s);
	put_file(s.path, "another\n");
	assert_string_equal(at(w, get(&s), "result.entries.0.isStale"), "true");
	assert_failed(w, apply(&s, ""), "-32012", "has changed since");
	assert_string_equal(file_text(w, s.path), "another\n");
	assert_non_null(at(w, apply(&s, ",\"isForced\":true"), "result"));
	assert_string_equal(file_text(w, s.path), "ONE\n");
}

world_test(nothing_is_written_outside_the_workspace)
{
	struct world *w = *state;
	struct scene s = { .ws = serve(w) };
	char *out = make_folder(w, "out");
	char *file = text_of(w, "%s/x", out);

	s.agent = connect_agent(s.ws, w);
	s.command = connect_command(w);
	assert_int_equal(symlink(out, text_of(w, "%s/link", w->project)), 0);
	s.path = text_of(w, "%s/link/x", w->project);
	s.id = text_of(w, "%s", propose(s.agent, s.path, "x", "tab")->id);
	leave(&s);
	assert_failed(w, apply(&s, ",\"isForced\":true"), "-32010",
	              "outside the workspace");
	assert_false(is_there(file));
	s.agent = connect_agent(s.ws, w);
	s.id = text_of(w, "%s", propose(s.agent, file, "x", "tab")->id);
	leave(&s);
	assert_failed(w, apply(&s, ""), "-32010", "outside the workspace");
	assert_false(is_there(file));
}

world_test(a_new_file_is_written_with_its_folder)
{
	struct world *w = *state;
	struct scene s = { .ws = serve(w) };
	char *file = text_of(w, "%s/sub/new.txt", w->project);

	s.agent = connect_agent(s.ws, w);
	s.command = connect_command(w);
	s.id = text_of(w, "%s", propose(s.agent, file, "x", "tab")->id);
	leave(&s);
	assert_non_null(at(w, apply(&s, ""), "result"));
	assert_string_equal(file_text(w, file), "x");
}

/* Both are asked at once, so the store answers when it is closed already. */
world_test(a_daemon_that_stops_writes_nothing_more)
{
	struct world *w = *state;
	struct scene s = open_scene(w, "ONE\n");

	leave(&s);
	request(s.command, "review/apply", text_of(w, "{\"id\":\"%s\"}", s.id));
	request(s.command, "stop", "{}");
	wait_for(w, w->hub.is_stopping);
	stop_hub(w);
	assert_string_equal(file_text(w, s.path), "one\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(an_orphan_is_written_as_it_was_proposed),
		test_in_world(what_a_person_made_of_it_is_kept_and_written),
		test_in_world(an_edit_outlives_the_daemon),
		test_in_world(a_withdrawn_change_can_be_written_too),
		test_in_world(what_waits_is_the_agents_to_write),
		test_in_world(nothing_is_written_over_a_file_that_changed),
		test_in_world(nothing_is_written_outside_the_workspace),
		test_in_world(a_new_file_is_written_with_its_folder),
		test_in_world(a_daemon_that_stops_writes_nothing_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
