/* test/unit/link/test_link_lasting.c - a link over links that come and go. */
#include "link/link.h"

#include "base/limits.h"
#include "messages.h"

#define NO_END 3600000 /* grace that does not run out */

struct lasting {
	struct messages m;
	int lost;
	struct dt_fail why;
	bool closes; /* when it is lost */
};

static void on_lost(struct dt_link *link, const struct dt_fail *why,
                    void *owner)
{
	struct lasting *t = owner;

	assert_true(dt_link_lasting_is_away(link));
	assert_null(dt_link_lasting_peek(link));
	assert_int_equal(t->m.closed, 0);
	t->lost++;
	t->why = *why;
	if (t->closes)
		dt_link_close(link, DT_LINK_DONE, "");
}

static void begin(struct lasting *t, enum trick trick, uint64_t grace_ms)
{
	*t = (struct lasting){ 0 };
	messages_open(&t->m, trick);
	t->m.link = dt_link_lasting_new(dt_link_lines_new(t->m.s.stream),
	                                grace_ms, on_lost, t);
	dt_link_start(t->m.link, &messages_events, &t->m);
}

/* The other side hangs up, and it is seen. */
static void lose(struct lasting *t)
{
	int lost = t->lost;

	sockets_hang_up(&t->m.s);
	sockets_until(&t->m.s, t->lost > lost);
}

/* Another connection; fd and stream are the new ones. */
static void dial(struct lasting *t)
{
	struct sockets *s = &t->m.s;

	unlink(s->path);
	s->stream = NULL;
	s->is_ended = false;
	assert_ok(dt_listen_unix(s->loop, s->path, sockets_accepted, s,
	                         &s->listener, NULL));
	s->fd = sockets_dial_unix(s->path);
	sockets_until(s, s->stream);
}

static void resume(struct lasting *t)
{
	dial(t);
	dt_link_lasting_resume(t->m.link, dt_link_lines_new(t->m.s.stream));
}

/* With the end that comes when nobody returns. */
static void end(struct lasting *t)
{
	sockets_hang_up(&t->m.s);
	if (t->m.link)
		dt_link_close(t->m.link, DT_LINK_DONE, "");
	messages_close(&t->m);
}

test(messages_pass_both_ways)
{
	struct lasting t;

	begin(&t, DO_ECHO, NO_END);
	dt_link_send(t.m.link, DT_STR("hello"));
	sockets_put_z(&t.m.s, "one\ntwo\n");
	sockets_expect_z(&t.m.s, "hello\none\ntwo\n");
	assert_str(dt_buf_str(&t.m.heard), "one|two|");
	assert_false(dt_link_lasting_is_away(t.m.link));
	assert_false(dt_link_is_clogged(t.m.link));
	assert_ptr_equal(t.m.link->loop, t.m.s.loop);
	end(&t);
	assert_int_equal(t.lost, 0);
}

test(what_is_sent_while_it_is_away_comes_first_on_the_next)
{
	struct lasting t;

	begin(&t, DO_ECHO, NO_END);
	lose(&t);
	assert_int_equal(t.why.code, DT_E_CLOSED);
	assert_true(dt_link_lasting_is_away(t.m.link));
	assert_true(dt_link_is_clogged(t.m.link));
	dt_link_send(t.m.link, DT_STR("one"));
	dt_link_send(t.m.link, DT_STR(""));
	dt_link_send(t.m.link, DT_STR("two"));
	resume(&t);
	assert_false(dt_link_lasting_is_away(t.m.link));
	assert_false(dt_link_is_clogged(t.m.link));
	dt_link_send(t.m.link, DT_STR("three"));
	sockets_expect_z(&t.m.s, "one\n\ntwo\nthree\n");
	sockets_put_z(&t.m.s, "four\n");
	sockets_expect_z(&t.m.s, "four\n");
	/* And once more. */
	lose(&t);
	dt_link_send(t.m.link, DT_STR("five"));
	resume(&t);
	sockets_expect_z(&t.m.s, "five\n");
	assert_int_equal(t.lost, 2);
	end(&t);
}

test(what_came_behind_a_handshake_is_heard_after_what_waited_was_sent)
{
	char early[] = "\x81\x82\0\0\0\0hi";
	struct lasting t;

	begin(&t, DO_ECHO, NO_END);
	lose(&t);
	dt_link_send(t.m.link, DT_STR("waited"));
	dial(&t);
	/* As an HTTP connection does before it becomes one. */
	dt_stream_resume(t.m.s.stream);
	dt_link_lasting_resume(t.m.link,
	                       dt_link_ws_new(t.m.s.stream, DT_WS_SERVER,
	                                      (struct dt_str){ early, 8 }));
	assert_str(dt_buf_str(&t.m.heard), "hi|");
	sockets_expect(&t.m.s, "\x81\x06waited\x81\x02hi", 12);
	end(&t);
}

test(one_that_is_replaced_is_closed_and_not_heard)
{
	struct lasting t;
	int old;

	begin(&t, DO_ECHO, NO_END);
	old = t.m.s.fd;
	resume(&t);
	assert_int_equal(write(old, "nobody hears\n", 13), 13);
	sockets_put_z(&t.m.s, "one\n");
	sockets_expect_z(&t.m.s, "one\n");
	assert_str(dt_buf_str(&t.m.heard), "one|");
	/* The old one got the end, and nothing else. */
	sockets_until(&t.m.s, recv(old, &(char){ 0 }, 1, MSG_PEEK) == 0);
	close(old);
	sockets_turn(&t.m.s, 20);
	assert_int_equal(t.lost, 0);
	assert_false(dt_link_lasting_is_away(t.m.link));
	end(&t);
}

test(after_the_grace_the_end_comes_with_the_reason)
{
	struct lasting t;

	begin(&t, DO_NOTHING, 20);
	lose(&t);
	assert_int_equal(t.m.closed, 0);
	dt_link_send(t.m.link, DT_STR("never sent"));
	sockets_until(&t.m.s, t.m.closed);
	assert_int_equal(t.m.why.code, t.why.code);
	assert_string_equal(t.m.why.msg, t.why.msg);
	end(&t);
	assert_int_equal(t.lost, 1);
}

test(who_returns_in_time_stops_the_clock)
{
	struct lasting t;

	begin(&t, DO_ECHO, 20);
	lose(&t);
	resume(&t);
	for (int i = 0; i < 40; i++) {
		usleep(1000);
		sockets_turn(&t.m.s, 1);
	}
	assert_int_equal(t.m.closed, 0);
	/* It runs anew with the next loss. */
	lose(&t);
	assert_int_equal(t.m.closed, 0);
	sockets_until(&t.m.s, t.m.closed);
	end(&t);
}

test(closing_in_a_message_sends_what_was_said_and_hears_no_more)
{
	struct lasting t;

	begin(&t, DO_CLOSE, NO_END);
	sockets_put_z(&t.m.s, "one\ntwo\n");
	sockets_expect_z(&t.m.s, "last\n");
	sockets_expect_end(&t.m.s);
	assert_str(dt_buf_str(&t.m.heard), "one|");
	end(&t);
	assert_int_equal(t.lost, 0);
}

test(closing_while_it_is_away_ends_it_at_once_but_not_inside)
{
	struct lasting t;

	begin(&t, DO_NOTHING, NO_END);
	lose(&t);
	dt_link_send(t.m.link, DT_STR("never sent"));
	dt_link_close(t.m.link, DT_LINK_DONE, "");
	dt_link_close(t.m.link, DT_LINK_DONE, "");
	assert_int_equal(t.m.closed, 0);
	sockets_until(&t.m.s, t.m.closed);
	end(&t);
}

test(it_may_be_closed_when_it_is_lost)
{
	struct lasting t;

	begin(&t, DO_NOTHING, NO_END);
	t.closes = true;
	lose(&t);
	sockets_until(&t.m.s, t.m.closed);
	end(&t);
	assert_int_equal(t.lost, 1);
}

test(who_returns_too_late_is_hung_up_on)
{
	struct lasting t;

	begin(&t, DO_NOTHING, NO_END);
	lose(&t);
	dial(&t);
	dt_link_send(t.m.link, DT_STR("never sent"));
	dt_link_close(t.m.link, DT_LINK_DONE, "");
	dt_link_lasting_resume(t.m.link, dt_link_lines_new(t.m.s.stream));
	sockets_expect_end(&t.m.s);
	sockets_until(&t.m.s, t.m.closed);
	end(&t);
}

test(more_than_may_wait_ends_it)
{
	char *bytes = dt_alloc(DT_LIMIT_MESSAGE);
	struct lasting t;

	begin(&t, DO_NOTHING, NO_END);
	lose(&t);
	/* One passes, however large it is. */
	dt_link_send(t.m.link, (struct dt_str){ bytes, DT_LIMIT_MESSAGE });
	sockets_turn(&t.m.s, 20);
	assert_int_equal(t.m.closed, 0);
	dt_link_send(t.m.link, DT_STR("one more"));
	assert_int_equal(t.m.closed, 0);
	sockets_until(&t.m.s, t.m.closed);
	assert_int_equal(t.m.why.code, DT_E_LIMIT);
	free(bytes);
	end(&t);
}

test(as_much_as_may_wait_fits_the_next_each_time)
{
	size_t len = DT_LIMIT_AWAY / 4 - 64;
	char *bytes = dt_alloc(len);
	struct lasting t;

	begin(&t, DO_NOTHING, NO_END);
	for (int i = 1; i <= 2; i++) {
		lose(&t);
		for (int j = 0; j < 4; j++)
			dt_link_send(t.m.link, (struct dt_str){ bytes, len });
		resume(&t);
		sockets_turn(&t.m.s, 5);
		assert_int_equal(t.lost, i);
		assert_int_equal(t.m.closed, 0);
	}
	free(bytes);
	end(&t);
}

test(it_is_clogged_as_the_one_below_is)
{
	char *bytes = dt_alloc(DT_MIB);
	struct lasting t;

	begin(&t, DO_NOTHING, NO_END);
	dt_link_send(t.m.link, (struct dt_str){ bytes, DT_MIB });
	dt_link_send(t.m.link, (struct dt_str){ bytes, DT_MIB });
	assert_true(dt_link_is_clogged(t.m.link));
	sockets_wait(&t.m.s, 2 * (DT_MIB + 1));
	assert_false(dt_link_is_clogged(t.m.link));
	dt_buf_clear(&t.m.s.got);
	free(bytes);
	end(&t);
}

test(a_tap_sees_each_message_once_and_the_end)
{
	struct lasting t;

	begin(&t, DO_ECHO, NO_END);
	dt_link_set_tap(t.m.link, messages_tap, &t.m);
	sockets_put_z(&t.m.s, "one\n");
	sockets_expect_z(&t.m.s, "one\n");
	lose(&t);
	dt_link_send(t.m.link, DT_STR("two"));
	resume(&t);
	sockets_expect_z(&t.m.s, "two\n");
	dt_link_close(t.m.link, DT_LINK_DONE, "");
	sockets_expect_end(&t.m.s);
	sockets_hang_up(&t.m.s);
	sockets_until(&t.m.s, t.m.closed);
	assert_str(dt_buf_str(&t.m.tapped), ">one|<one|<two|>|");
	end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(messages_pass_both_ways),
		cmocka_unit_test(
			what_is_sent_while_it_is_away_comes_first_on_the_next),
		cmocka_unit_test(
			what_came_behind_a_handshake_is_heard_after_what_waited_was_sent),
		cmocka_unit_test(one_that_is_replaced_is_closed_and_not_heard),
		cmocka_unit_test(after_the_grace_the_end_comes_with_the_reason),
		cmocka_unit_test(who_returns_in_time_stops_the_clock),
		cmocka_unit_test(
			closing_in_a_message_sends_what_was_said_and_hears_no_more),
		cmocka_unit_test(
			closing_while_it_is_away_ends_it_at_once_but_not_inside),
		cmocka_unit_test(it_may_be_closed_when_it_is_lost),
		cmocka_unit_test(who_returns_too_late_is_hung_up_on),
		cmocka_unit_test(more_than_may_wait_ends_it),
		cmocka_unit_test(as_much_as_may_wait_fits_the_next_each_time),
		cmocka_unit_test(it_is_clogged_as_the_one_below_is),
		cmocka_unit_test(a_tap_sees_each_message_once_and_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
