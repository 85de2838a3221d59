/* test/unit/link/test_link.c - what all carriers share. */
#include "link/link.h"

#include "base/limits.h"
#include "messages.h"

test(a_tap_sees_every_message_both_ways)
{
	struct messages m;

	messages_open(&m, DO_ECHO);
	m.link = dt_link_lines_new(m.s.stream);
	dt_link_set_tap(m.link, messages_tap, &m);
	dt_link_start(m.link, &messages_events, &m);
	dt_link_send(m.link, DT_STR("hello"));
	sockets_put_z(&m.s, "one\ntwo\n");
	sockets_expect_z(&m.s, "hello\none\ntwo\n");
	assert_str(dt_buf_str(&m.tapped), "<hello|>one|<one|>two|<two|");
	dt_link_set_tap(m.link, NULL, NULL);
	sockets_put_z(&m.s, "three\n");
	sockets_expect_z(&m.s, "three\n");
	assert_str(dt_buf_str(&m.tapped), "<hello|>one|<one|>two|<two|");
	messages_close(&m);
}

/* Whoever taps may let go of all it has when it sees the end. */
test(the_end_is_the_last_that_a_tap_sees)
{
	struct messages m;

	messages_open(&m, DO_ECHO);
	m.link = dt_link_lines_new(m.s.stream);
	dt_link_set_tap(m.link, messages_tap, &m);
	dt_link_start(m.link, &messages_events, &m);
	sockets_put_z(&m.s, "one\n");
	sockets_expect_z(&m.s, "one\n");
	dt_link_close(m.link, DT_LINK_DONE, "");
	sockets_hang_up(&m.s);
	sockets_until(&m.s, m.closed);
	assert_str(dt_buf_str(&m.tapped), ">one|<one|>|");
	messages_close(&m);
}

test(a_link_is_clogged_above_the_high_water_mark_alone)
{
	char *bytes = dt_alloc(DT_MIB);
	struct messages m;

	memset(bytes, 'x', DT_MIB);
	messages_open(&m, DO_NOTHING);
	m.link = dt_link_lines_new(m.s.stream);
	dt_link_start(m.link, &messages_events, &m);
	assert_false(dt_link_is_clogged(m.link));
	dt_link_send(m.link, (struct dt_str){ bytes, DT_MIB / 2 });
	assert_false(dt_link_is_clogged(m.link));
	dt_link_send(m.link, (struct dt_str){ bytes, DT_MIB });
	assert_true(dt_link_is_clogged(m.link));
	sockets_wait(&m.s, DT_MIB + DT_MIB / 2 + 2);
	assert_false(dt_link_is_clogged(m.link));
	free(bytes);
	messages_close(&m);
}

test(the_stream_of_a_link_is_the_one_it_was_made_of_and_its_loop_too)
{
	struct messages m;

	messages_open(&m, DO_NOTHING);
	m.link = dt_link_lines_new(m.s.stream);
	assert_ptr_equal(m.link->carrier->stream(m.link), m.s.stream);
	assert_ptr_equal(m.link->loop, m.s.loop);
	dt_link_start(m.link, &messages_events, &m);
	messages_close(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tap_sees_every_message_both_ways),
		cmocka_unit_test(the_end_is_the_last_that_a_tap_sees),
		cmocka_unit_test(
			a_link_is_clogged_above_the_high_water_mark_alone),
		cmocka_unit_test(
			the_stream_of_a_link_is_the_one_it_was_made_of_and_its_loop_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
