/*
 * test/unit/hub/test_aftermath.c - what is said of a change when the files are
 * looked at after the verdict, and what a new run makes of an unfinished one.
 */
#include "hub/aftermath.h"

#include "agent.h"
#include "base/rand.h"
#include "store/reviews.h"

/* A review that is accepted and on its way to the disk. */
struct scene {
	struct dt_workspace *ws;
	struct client *command;
	char *paths[2];
	char id[DT_ID_TEXT];
};

static void on_put(struct dt_store *store, const struct dt_fail *fail,
                   void *owner)
{
	(void)store;
	(void)owner;
	assert_string_equal(fail->msg, "");
}

/* a.txt and b.txt, "one\n" and "two\n", are to be "ONE\n" and "TWO\n". */
static void put_intent(struct world *w, struct scene *s,
                       enum dt_review_writer writer)
{
	static const char *const olds[] = { "one\n", "two\n" };
	static const char *const news[] = { "ONE\n", "TWO\n" };
	char digests[2][DT_SHA256_TEXT];
	struct dt_entry_record entries[2];
	struct dt_outcome_record outcomes[2];
	struct dt_review_record review = {
		.id = s->id,
		.workspace = s->ws->record.id,
		.agent = "agent",
		.opened_ms = 1,
		.entries = entries,
		.entry_count = 2,
	};
	struct dt_verdict_record verdict = {
		.review = s->id,
		.state = DT_REVIEW_WRITING,
		.writer = writer,
		.decided_ms = 2,
		.outcomes = outcomes,
		.outcome_count = 2,
	};

	dt_rand_id(s->id);
	for (int i = 0; i < 2; i++) {
		dt_sha256_hex(olds[i], 4, digests[i]);
		entries[i] = (struct dt_entry_record){
			.kind = DT_ENTRY_CHANGE,
			.path = s->paths[i],
			.base_digest = digests[i],
			.old_text = dt_str(olds[i]),
			.proposed_text = dt_str(news[i]),
		};
		outcomes[i] = (struct dt_outcome_record){
			.accepted = true, .final_text = dt_str(news[i])
		};
	}
	dt_store_put_review(w->hub.store, &review, on_put, NULL);
	dt_store_put_verdict(w->hub.store, &verdict, on_put, NULL);
}

static struct scene open_scene(struct world *w, enum dt_review_writer writer)
{
	struct scene s = { .ws = serve(w) };

	s.command = connect_command(w);
	s.paths[0] = make_file(w, "a.txt", "one\n");
	s.paths[1] = make_file(w, "b.txt", "two\n");
	put_intent(w, &s, writer);
	return s;
}

static const char *state_of(struct scene *s, const char **problem)
{
	struct world *w = s->command->w;
	const char *review = ask(s->command, "review/get",
	                         text_of(w, "{\"id\":\"%s\"}", s->id));

	if (problem)
		*problem = at(w, review, "result.problem");
	if (!at(w, review, "result.state"))
		fail_msg("%s", review);
	return at(w, review, "result.state");
}

static bool is_settled(struct scene *s)
{
	return strcmp(state_of(s, NULL), "writing") != 0;
}

static void wait_until_settled(struct scene *s)
{
	struct world *w = s->command->w;

	wait_for(w, is_settled(s));
}

world_test(what_was_not_begun_is_finished)
{
	struct world *w = *state;
	struct scene s = open_scene(w, DT_WRITER_WE);

	assert_string_equal(state_of(&s, NULL), "writing");
	dt_aftermath_resume(&w->hub, s.ws->record.id);
	wait_until_settled(&s);
	assert_string_equal(state_of(&s, NULL), "accepted");
	assert_string_equal(file_text(w, s.paths[0]), "ONE\n");
	assert_string_equal(file_text(w, s.paths[1]), "TWO\n");
}

world_test(what_was_half_done_is_finished)
{
	struct world *w = *state;
	struct scene s = open_scene(w, DT_WRITER_WE);

	put_file(s.paths[0], "ONE\n");
	put_file(text_of(w, "%s/.dovetail-%s-1.new", w->project, s.id), "TW");
	dt_aftermath_resume(&w->hub, s.ws->record.id);
	wait_until_settled(&s);
	assert_string_equal(state_of(&s, NULL), "accepted");
	assert_string_equal(file_text(w, s.paths[1]), "TWO\n");
	assert_false(is_there(
		text_of(w, "%s/.dovetail-%s-1.new", w->project, s.id)));
}

world_test(what_others_changed_is_left_and_said)
{
	struct world *w = *state;
	struct scene s = open_scene(w, DT_WRITER_WE);
	const char *problem;
	const char *answer;

	put_file(s.paths[1], "theirs\n");
	dt_aftermath_resume(&w->hub, s.ws->record.id);
	wait_until_settled(&s);
	assert_string_equal(state_of(&s, &problem), "unwritten");
	assert_non_null(strstr(problem, "b.txt has changed since"));
	assert_string_equal(file_text(w, s.paths[0]), "one\n");
	assert_string_equal(file_text(w, s.paths[1]), "theirs\n");
	/* And can be applied when that is mended. */
	put_file(s.paths[1], "two\n");
	answer = ask(s.command, "review/apply",
	             text_of(w, "{\"id\":\"%.8s\"}", s.id));
	assert_string_equal(at(w, answer, "result.state"), "accepted");
	assert_string_equal(file_text(w, s.paths[0]), "ONE\n");
	assert_string_equal(file_text(w, s.paths[1]), "TWO\n");
	assert_string_equal(state_of(&s, &problem), "accepted");
	assert_null(problem);
}

world_test(a_new_run_finishes_by_itself)
{
	struct world *w = *state;
	struct scene s = open_scene(w, DT_WRITER_WE);

	w->hub.is_restarting = true; /* it comes back with its workspaces */
	restart_hub(w);
	s.command = connect_command(w);
	wait_until_settled(&s);
	assert_string_equal(state_of(&s, NULL), "accepted");
	assert_string_equal(file_text(w, s.paths[0]), "ONE\n");
	assert_string_equal(file_text(w, s.paths[1]), "TWO\n");
}

/* What an agent was to write is only looked at. */
static struct scene follow(struct world *w, uint32_t settle_ms)
{
	struct scene s = open_scene(w, DT_WRITER_AGENT);
	struct dt_entry entries[2] = { 0 };
	struct dt_review r = {
		.workspace = (char *)(uintptr_t)s.ws->record.id,
		.session = "session",
		.agent = "agent",
		.settle_ms = settle_ms,
		.set = { entries, 2 },
	};

	for (int i = 0; i < 2; i++) {
		entries[i].kind = DT_CHANGE_EDIT;
		entries[i].path = s.paths[i];
		entries[i].final = i ? DT_STR("TWO\n") : DT_STR("ONE\n");
		entries[i].old_text = i ? DT_STR("two\n") : DT_STR("one\n");
		dt_sha256_hex(entries[i].old_text.ptr, 4, entries[i].digest);
	}
	memcpy(r.id, s.id, sizeof(r.id));
	dt_aftermath_follow(&w->hub, &r);
	return s;
}

world_test(what_the_agent_writes_is_accepted_when_it_is_there)
{
	struct world *w = *state;
	struct scene s = follow(w, PATIENCE_MS);
	const char *problem;

	run_for(w, 50);
	put_file(s.paths[0], "ONE\n");
	run_for(w, 50);
	assert_string_equal(state_of(&s, NULL), "writing");
	put_file(s.paths[1], "TWO\n");
	wait_until_settled(&s);
	assert_string_equal(state_of(&s, &problem), "accepted");
	assert_null(problem);
}

world_test(what_the_agent_does_not_write_is_said)
{
	static const struct {
		const char *now; /* NULL: it is gone */
		const char *state;
		const char *problem;
	} cases[] = {
		{ "two\n", "unwritten", "b.txt still has its old text" },
		{ "other\n", "unwritten", "b.txt has another text" },
		{ NULL, "unwritten", "b.txt is not there" },
		{ "TWO\r\n", "accepted", "with other line ends" },
		{ "TWO", "accepted", "with other line ends" },
	};
	struct world *w = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct scene s = follow(w, 60);
		const char *problem;

		put_file(s.paths[0], "ONE\n");
		if (cases[i].now)
			put_file(s.paths[1], cases[i].now);
		else
			unlink(s.paths[1]);
		wait_until_settled(&s);
		assert_string_equal(state_of(&s, &problem), cases[i].state);
		if (!problem || !strstr(problem, cases[i].problem))
			fail_msg("%s", problem);
	}
}

/* Nothing of it may be left, on the worker's thread neither. */
world_test(the_hub_may_stop_while_files_are_looked_at)
{
	struct world *w = *state;
	struct scene s = follow(w, PATIENCE_MS);

	(void)s;
	run_for(w, 25);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(what_was_not_begun_is_finished),
		test_in_world(what_was_half_done_is_finished),
		test_in_world(what_others_changed_is_left_and_said),
		test_in_world(a_new_run_finishes_by_itself),
		test_in_world(
			what_the_agent_writes_is_accepted_when_it_is_there),
		test_in_world(what_the_agent_does_not_write_is_said),
		test_in_world(the_hub_may_stop_while_files_are_looked_at),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
