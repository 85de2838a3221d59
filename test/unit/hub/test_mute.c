/* test/unit/hub/test_mute.c - twin of src/hub/mute.c */
#include "agent.h"

#include "hub/mute.h"

static void mute(struct world *w, const char *agent, int64_t until_ms)
{
	struct dt_fail fail = { 0 };

	if (dt_mute_begin(&w->hub, agent, until_ms, &fail))
		fail_msg("%s", fail.msg);
}

world_test(an_agent_is_muted_by_its_names)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct dt_session *s;

	connect_agent_as(ws, w, "alpha-two", "1");
	s = last_session(ws);
	assert_false(dt_mute_has(s));
	for (int i = 0; i < 5; i++) {
		const char *const names[] = { "alpha-two", "alpha", "a*o",
			                      "claude-code",
			                      text_of(w, "%.6s", s->id) };

		mute(w, names[i], 0);
		if (!dt_mute_has(s))
			fail_msg("%s is not meant", names[i]);
		assert_int_equal(dt_mute_end(&w->hub, names[i]), 1);
		assert_false(dt_mute_has(s));
	}
	mute(w, "two", 0);
	mute(w, text_of(w, "%.3s", s->id), 0);
	assert_false(dt_mute_has(s));
	assert_false(dt_mute_has_all(&w->hub));
}

world_test(without_a_name_all_are_muted)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);

	connect_agent(ws, w);
	mute(w, "", 0);
	assert_true(dt_mute_has(last_session(ws)));
	assert_true(dt_mute_has_all(&w->hub));
	assert_int_equal(dt_mute_end(&w->hub, "claude-code"), 0);
	assert_true(dt_mute_has(last_session(ws)));
	mute(w, "claude", 0);
	assert_int_equal(dt_mute_end(&w->hub, ""), 2);
	assert_false(dt_mute_has(last_session(ws)));
	assert_int_equal(dt_mute_end(&w->hub, ""), 0);
}

world_test(a_mute_ends_when_its_time_is_over)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);

	connect_agent(ws, w);
	mute(w, "", dt_clock_wall_ms() + 30);
	mute(w, "claude", dt_clock_wall_ms() + 3600000);
	assert_true(dt_mute_has_all(&w->hub));
	wait_for(w, w->hub.mute_count == 1);
	assert_false(dt_mute_has_all(&w->hub));
	/* Whoever mutes again says when it ends. */
	mute(w, "claude", dt_clock_wall_ms() + 30);
	assert_int_equal(w->hub.mute_count, 1);
	wait_for(w, w->hub.mute_count == 0);
	assert_false(dt_mute_has(last_session(ws)));
}

world_test(one_that_is_over_does_not_count_before_the_timer_says_so)
{
	struct world *w = *state;

	mute(w, "", dt_clock_wall_ms() - 1);
	assert_int_equal(w->hub.mute_count, 1);
	assert_false(dt_mute_has_all(&w->hub));
}

world_test(mutes_outlive_the_daemon)
{
	struct world *w = *state;
	char *file = text_of(w, "%s/s/dovetail/mutes.json", w->dir);
	struct dt_mute *m;

	mute(w, "claude", dt_clock_wall_ms() + 3600000);
	mute(w, "two words", 0);
	assert_int_equal(mode_of(file), 0600);
	restart_hub(w);
	assert_int_equal(w->hub.mute_count, 2);
	m = DT_LIST_OF(w->hub.mutes.next, struct dt_mute, link);
	assert_string_equal(m->agent, "claude");
	assert_true(m->until_ms > dt_clock_wall_ms());
	m = DT_LIST_OF(w->hub.mutes.prev, struct dt_mute, link);
	assert_string_equal(m->agent, "two words");
	assert_int_equal(m->until_ms, 0);
	dt_mute_end(&w->hub, "");
	restart_hub(w);
	assert_int_equal(w->hub.mute_count, 0);
}

world_test(a_file_that_is_none_of_ours_is_warned_of)
{
	struct world *w = *state;

	put_file(text_of(w, "%s/s/dovetail/mutes.json", w->dir), "[7");
	restart_hub(w);
	assert_int_equal(w->hub.mute_count, 0);
	assert_true(log_has(w, "mutes.json"));
}

world_test(wrong_names_and_too_many_are_refused)
{
	struct world *w = *state;
	struct dt_fail fail = { 0 };

	assert_int_equal(dt_mute_begin(&w->hub, "{", 0, &fail), DT_E_ARGS);
	for (int i = 0; i < DT_LIMIT_MUTES; i++)
		mute(w, text_of(w, "a%d", i), 0);
	fail = (struct dt_fail){ 0 };
	assert_int_equal(dt_mute_begin(&w->hub, "b", 0, &fail), DT_E_LIMIT);
	assert_string_equal(fail.msg, "64 agents are muted already: `dovetail "
	                              "unmute` ends that");
	mute(w, "a0", 1);
	assert_int_equal(w->hub.mute_count, DT_LIMIT_MUTES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(an_agent_is_muted_by_its_names),
		test_in_world(without_a_name_all_are_muted),
		test_in_world(a_mute_ends_when_its_time_is_over),
		test_in_world(
			one_that_is_over_does_not_count_before_the_timer_says_so),
		test_in_world(mutes_outlive_the_daemon),
		test_in_world(a_file_that_is_none_of_ours_is_warned_of),
		test_in_world(wrong_names_and_too_many_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
