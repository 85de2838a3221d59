/* hub/events.c again, with a clock that can be moved on. */
#include "agent.h"

#include "hub/events.h"

/* The linker puts this in the place of dt_clock_ms(). */
static uint64_t ahead_ms;
uint64_t __real_dt_clock_ms(void);
uint64_t __wrap_dt_clock_ms(void);
uint64_t __wrap_dt_clock_ms(void)
{
	return __real_dt_clock_ms() + ahead_ms;
}

static void mention(struct dt_workspace *ws, const char *path)
{
	struct dt_mention what = { .path = path };
	struct dt_session *told;

	assert_ok(dt_events_mention(ws, &what, NULL, &told, NULL));
	assert_null(told);
}

world_test(a_mention_waits_for_a_minute_and_no_longer)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *c;

	mention(ws, "/w/late");
	ahead_ms += DT_LIMIT_MENTION_MS - 5000;
	mention(ws, "/w/in-time");
	ahead_ms += 5001;
	c = connect_ready_agent(ws, w);
	assert_string_equal(at(w, hear(c), "params.filePath"), "/w/in-time");
	expect_silence(c, 50);
	assert_int_equal(ws->mention_count, 0);
}

world_test(late_mentions_make_room_for_new_ones)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);

	for (unsigned i = 0; i < DT_LIMIT_MENTIONS; i++)
		mention(ws, "/w/late");
	ahead_ms += DT_LIMIT_MENTION_MS + 1;
	mention(ws, "/w/new");
	assert_int_equal(ws->mention_count, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(a_mention_waits_for_a_minute_and_no_longer),
		test_in_world(late_mentions_make_room_for_new_ones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
