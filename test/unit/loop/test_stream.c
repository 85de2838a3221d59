/* test/unit/loop/test_stream.c - streams over real sockets. */
#include "loop/stream.h"

#include "base/clock.h"
#include "seen.h"

/* reading and writing */

test(bytes_go_both_ways)
{
	struct seen seen;

	begin_tcp(&seen, DO_ECHO);
	sockets_put_z(&seen.s, "hello");
	sockets_expect_z(&seen.s, "hello");
	assert_str(dt_buf_str(&seen.read), "hello");
	assert_int_equal(dt_stream_queued(seen.s.stream), 0);
	assert_ptr_equal(dt_stream_loop(seen.s.stream), seen.s.loop);
	end(&seen);
	assert_int_equal(seen.why.code, DT_E_CLOSED);
}

test(parts_are_sent_one_after_the_other)
{
	struct dt_str parts[] = { DT_STR("a"), DT_STR(""), DT_STR("bc"),
		                  DT_STR("def") };
	struct seen seen;

	begin_unix(&seen, DO_NOTHING);
	dt_stream_write(seen.s.stream, parts, 4);
	dt_stream_write(seen.s.stream, parts, 0);
	sockets_expect_z(&seen.s, "abcdef");
	end(&seen);
}

test(what_the_socket_does_not_take_is_sent_later_and_in_order)
{
	size_t len = 3 * DT_MIB + 17;
	char *bytes = pattern(len);
	struct dt_str parts[] = { { bytes, 5 }, { bytes + 5, len - 5 } };
	struct seen seen;

	begin_unix(&seen, DO_NOTHING);
	dt_stream_write(seen.s.stream, parts, 2);
	assert_true(dt_stream_queued(seen.s.stream) > 0);
	write_z(seen.s.stream, "the end");
	memset(bytes, 0, len); /* the rest was copied */
	free(bytes);
	bytes = pattern(len);
	sockets_expect(&seen.s, bytes, len);
	sockets_expect_z(&seen.s, "the end");
	assert_int_equal(dt_stream_queued(seen.s.stream), 0);
	free(bytes);
	end(&seen);
}

test(answers_gathered_in_on_read_keep_their_order_with_large_ones)
{
	static const size_t sizes[] = { 100, 16 * DT_KIB, 16 * DT_KIB + 1,
		                        DT_MIB };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct seen seen;

		begin_unix(&seen, DO_ANSWER);
		seen.large_len = sizes[i];
		seen.large = pattern(sizes[i]);
		sockets_put_z(&seen.s, "?");
		for (int round = 0; round < 2; round++) {
			sockets_expect_z(&seen.s, "before ");
			sockets_expect(&seen.s, seen.large, sizes[i]);
			sockets_expect_z(&seen.s, " between ");
			sockets_expect(&seen.s, seen.large, sizes[i]);
			sockets_expect_z(&seen.s, " after");
			if (round == 0)
				sockets_put_z(&seen.s, "!");
		}
		end(&seen);
	}
}

test(a_paused_stream_is_not_read_until_it_is_resumed)
{
	struct seen seen;

	begin_unix(&seen, DO_PAUSE);
	sockets_put_z(&seen.s, "one");
	sockets_until(&seen.s, seen.reads == 1);
	sockets_put_z(&seen.s, "two");
	sockets_turn(&seen.s, 20);
	assert_int_equal(seen.reads, 1);
	dt_stream_resume(seen.s.stream);
	dt_stream_resume(seen.s.stream);
	sockets_until(&seen.s, seen.reads == 2);
	assert_str(dt_buf_str(&seen.read), "onetwo");
	end(&seen);
}

/* water marks */

test(draining_is_told_once_after_the_high_mark_was_passed)
{
	struct seen seen;

	begin_unix(&seen, DO_NOTHING);
	fill(&seen, DT_LIMIT_QUEUE_HIGH);
	sockets_turn(&seen.s, 10);
	assert_int_equal(seen.drained, 0);
	sockets_until(&seen.s, (sockets_read(&seen.s), seen.drained == 1));
	sockets_until(&seen.s, (sockets_read(&seen.s),
	                        dt_stream_queued(seen.s.stream) == 0));
	/* Less than the high mark behind it is not worth a word. */
	fill(&seen, 1);
	assert_true(dt_stream_queued(seen.s.stream) < DT_LIMIT_QUEUE_HIGH);
	sockets_until(&seen.s, (sockets_read(&seen.s),
	                        dt_stream_queued(seen.s.stream) == 0));
	sockets_turn(&seen.s, 10);
	assert_int_equal(seen.drained, 1);
	end(&seen);
}

test(draining_is_not_told_when_the_high_mark_was_not_passed)
{
	struct seen seen;

	begin_unix(&seen, DO_NOTHING);
	fill(&seen, 1);
	if (dt_stream_queued(seen.s.stream) <= DT_LIMIT_QUEUE_HIGH) {
		sockets_until(&seen.s, (sockets_read(&seen.s),
		                        dt_stream_queued(seen.s.stream) == 0));
		sockets_turn(&seen.s, 10);
		assert_int_equal(seen.drained, 0);
	}
	end(&seen);
}

test(draining_is_told_although_the_queue_never_gets_empty)
{
	struct seen seen;
	size_t left;

	begin_unix(&seen, DO_NOTHING);
	fill(&seen, DT_LIMIT_QUEUE_HIGH);
	/* A steady trickle behind a reader that is never quite done. */
	for (int i = 0; i < SOCKETS_PATIENCE && !seen.drained; i++) {
		char some[32 * DT_KIB];

		left = dt_stream_queued(seen.s.stream);
		if (left < DT_LIMIT_QUEUE_LOW / 2)
			fill(&seen, DT_LIMIT_QUEUE_LOW / 2);
		write_z(seen.s.stream, "trickle");
		assert_true(read(seen.s.fd, some, sizeof(some)) > 0);
		sockets_turn(&seen.s, 1);
	}
	assert_int_equal(seen.drained, 1);
	end(&seen);
}

test(the_queue_counts_what_is_left_and_not_what_was_given)
{
	struct seen seen;
	size_t before;

	begin_unix(&seen, DO_NOTHING);
	fill(&seen, 4 * DT_MIB);
	before = dt_stream_queued(seen.s.stream);
	sockets_wait(&seen.s, 2 * DT_MIB);
	sockets_turn(&seen.s, 5);
	assert_true(dt_stream_queued(seen.s.stream) <= before - DT_MIB);
	end(&seen);
}

test(a_queue_beyond_its_limit_closes_the_stream)
{
	size_t len = 32 * DT_MIB;
	char *bytes = dt_alloc(len);
	struct dt_str part = { bytes, len };
	struct seen seen;

	begin_unix(&seen, DO_NOTHING);
	write_z(seen.s.stream, "x");
	for (int i = 0; i < 8; i++) {
		dt_stream_write(seen.s.stream, &part, 1);
		/* What waits counts wherever it waits. */
		sockets_turn(&seen.s, 1);
	}
	assert_int_equal(seen.closed, 0);
	dt_stream_write(seen.s.stream, &part, 1);
	sockets_until(&seen.s, seen.closed);
	assert_int_equal(seen.why.code, DT_E_LIMIT);
	assert_non_null(strstr(seen.why.msg, "256 MiB"));
	free(bytes);
	end(&seen);
}

/* ends */

test(closing_inside_on_read_sends_nothing_more)
{
	struct seen seen;

	begin_unix(&seen, DO_CLOSE);
	sockets_put_z(&seen.s, "?");
	sockets_expect_end(&seen.s);
	assert_int_equal(seen.reads, 1);
	end(&seen);
	assert_int_equal(seen.why.code, DT_E_CLOSED);
}

test(finishing_inside_on_read_sends_what_was_written_before)
{
	struct seen seen;

	begin_tcp(&seen, DO_FINISH);
	sockets_put_z(&seen.s, "?");
	sockets_expect_z(&seen.s, "kept");
	sockets_expect_end(&seen.s);
	assert_int_equal(seen.closed, 0); /* it waits for our end */
	sockets_hang_up(&seen.s);
	sockets_until(&seen.s, seen.closed);
	end(&seen);
	assert_int_equal(seen.why.code, DT_E_CLOSED);
}

test(finishing_sends_a_long_queue_first)
{
	size_t len = 2 * DT_MIB;
	char *bytes = pattern(len);
	struct dt_str part = { bytes, len };
	struct seen seen;

	begin_unix(&seen, DO_NOTHING);
	dt_stream_write(seen.s.stream, &part, 1);
	dt_stream_finish(seen.s.stream);
	sockets_expect(&seen.s, bytes, len);
	sockets_expect_end(&seen.s);
	assert_int_equal(seen.drained, 0);
	free(bytes);
	end(&seen);
}

test(closing_drops_the_queue)
{
	struct seen seen;

	begin_unix(&seen, DO_NOTHING);
	fill(&seen, DT_MIB);
	dt_stream_close(seen.s.stream);
	sockets_until(&seen.s, seen.closed);
	sockets_until(&seen.s, (sockets_read(&seen.s), seen.s.is_ended));
	assert_true(seen.s.got.len < DT_MIB);
	end(&seen);
}

test(the_last_words_arrive_although_the_peer_is_still_sending)
{
	size_t len = 4 * DT_MIB;
	char *bytes = dt_alloc(len);
	struct seen seen;

	begin_tcp(&seen, DO_FINISH);
	/* Every byte is taken and no reset comes, though nobody listens. */
	sockets_put(&seen.s, bytes, len);
	sockets_expect_z(&seen.s, "kept");
	sockets_expect_end(&seen.s);
	assert_int_equal(seen.reads, 1);
	free(bytes);
	end(&seen);
	assert_int_equal(seen.why.code, DT_E_CLOSED);
}

test(finishing_a_paused_stream_reads_to_the_end_of_the_peer)
{
	uint64_t before = dt_clock_ms();
	struct seen seen;

	begin_tcp(&seen, DO_PAUSE);
	sockets_put_z(&seen.s, "one");
	sockets_until(&seen.s, seen.reads == 1);
	sockets_put_z(&seen.s, "two");
	dt_stream_finish(seen.s.stream);
	dt_stream_pause(seen.s.stream);
	sockets_expect_end(&seen.s);
	sockets_hang_up(&seen.s);
	sockets_until(&seen.s, seen.closed);
	assert_true(dt_clock_ms() - before < 1500); /* not by the deadline */
	assert_int_equal(seen.reads, 1);
	end(&seen);
}

test(a_half_closed_peer_gets_the_queue_of_a_stream_that_finishes)
{
	size_t len = DT_MIB;
	char *bytes = pattern(len);
	struct dt_str part = { bytes, len };
	struct seen seen;

	begin_unix(&seen, DO_NOTHING);
	dt_stream_write(seen.s.stream, &part, 1);
	dt_stream_finish(seen.s.stream);
	shutdown(seen.s.fd, SHUT_WR);
	sockets_turn(&seen.s, 5);
	sockets_expect(&seen.s, bytes, len);
	sockets_until(&seen.s, seen.closed);
	free(bytes);
	end(&seen);
}

test(a_finish_that_nobody_answers_ends_after_two_seconds)
{
	struct seen seen;

	begin_unix(&seen, DO_NOTHING);
	fill(&seen, DT_MIB);
	dt_stream_finish(seen.s.stream);
	sockets_turn(&seen.s, 10);
	assert_int_equal(seen.closed, 0);
	sockets_until(&seen.s, seen.closed);
	end(&seen);
}

test(a_peer_that_hangs_up_is_an_orderly_end)
{
	struct seen seen;

	begin_unix(&seen, DO_NOTHING);
	sockets_put_z(&seen.s, "bye");
	sockets_hang_up(&seen.s);
	sockets_until(&seen.s, seen.closed);
	assert_str(dt_buf_str(&seen.read), "bye");
	assert_int_equal(seen.why.code, DT_E_CLOSED);
	assert_int_equal(seen.why.sys_errno, 0);
	end(&seen);
}

test(a_peer_that_resets_is_a_failure_with_its_reason)
{
	struct linger now = { .l_onoff = 1 };
	struct seen seen;

	begin_tcp(&seen, DO_NOTHING);
	setsockopt(seen.s.fd, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
	sockets_hang_up(&seen.s);
	sockets_until(&seen.s, seen.closed);
	assert_int_equal(seen.why.code, DT_E_SYS);
	assert_int_equal(seen.why.sys_errno, ECONNRESET);
	end(&seen);
}

test(writing_to_a_peer_that_is_gone_ends_the_stream)
{
	struct seen seen;

	begin_unix(&seen, DO_NOTHING);
	dt_stream_pause(seen.s.stream);
	sockets_hang_up(&seen.s);
	write_z(seen.s.stream, "into the void");
	write_z(seen.s.stream, "into the void");
	sockets_until(&seen.s, seen.closed);
	assert_int_equal(seen.why.code, DT_E_SYS);
	assert_int_equal(seen.why.sys_errno, EPIPE);
	end(&seen);
}

test(a_peer_that_is_gone_with_a_queue_unread_ends_the_stream)
{
	struct seen seen;

	begin_unix(&seen, DO_NOTHING);
	fill(&seen, DT_MIB);
	sockets_hang_up(&seen.s);
	sockets_until(&seen.s, seen.closed);
	end(&seen);
}

/* handing over */

static void on_read_elsewhere(struct dt_stream *stream, char *bytes, size_t len,
                              void *owner)
{
	struct dt_buf *read = owner;

	(void)stream;
	dt_buf_add(read, bytes, len);
}

static void on_closed_elsewhere(struct dt_stream *stream,
                                const struct dt_fail *why, void *owner)
{
	struct dt_buf *read = owner;

	(void)stream;
	(void)why;
	dt_buf_add_z(read, " end");
}

test(another_owner_hears_everything_from_then_on)
{
	static const struct dt_stream_events others = {
		.on_read = on_read_elsewhere,
		.on_closed = on_closed_elsewhere,
	};
	struct dt_buf read;
	struct seen seen;

	dt_buf_init(&read, SIZE_MAX);
	begin_unix(&seen, DO_NOTHING);
	sockets_put_z(&seen.s, "mine");
	sockets_until(&seen.s, seen.reads == 1);
	dt_stream_hand_over(seen.s.stream, &others, &read);
	/* One without on_drained may be clogged all the same. */
	fill(&seen, DT_LIMIT_QUEUE_HIGH);
	sockets_put_z(&seen.s, "theirs");
	sockets_until(&seen.s, read.len == 6);
	sockets_until(&seen.s, (sockets_read(&seen.s),
	                        dt_stream_queued(seen.s.stream) == 0));
	sockets_hang_up(&seen.s);
	sockets_until(&seen.s, read.len == 10);
	assert_str(dt_buf_str(&read), "theirs end");
	assert_int_equal(seen.closed, 0);
	seen.s.stream = NULL;
	seen.closed = 1;
	end(&seen);
	dt_buf_done(&read);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_go_both_ways),
		cmocka_unit_test(parts_are_sent_one_after_the_other),
		cmocka_unit_test(
			what_the_socket_does_not_take_is_sent_later_and_in_order),
		cmocka_unit_test(
			answers_gathered_in_on_read_keep_their_order_with_large_ones),
		cmocka_unit_test(
			a_paused_stream_is_not_read_until_it_is_resumed),
		cmocka_unit_test(
			draining_is_told_once_after_the_high_mark_was_passed),
		cmocka_unit_test(
			draining_is_not_told_when_the_high_mark_was_not_passed),
		cmocka_unit_test(
			draining_is_told_although_the_queue_never_gets_empty),
		cmocka_unit_test(
			the_queue_counts_what_is_left_and_not_what_was_given),
		cmocka_unit_test(a_queue_beyond_its_limit_closes_the_stream),
		cmocka_unit_test(closing_inside_on_read_sends_nothing_more),
		cmocka_unit_test(
			finishing_inside_on_read_sends_what_was_written_before),
		cmocka_unit_test(finishing_sends_a_long_queue_first),
		cmocka_unit_test(closing_drops_the_queue),
		cmocka_unit_test(
			the_last_words_arrive_although_the_peer_is_still_sending),
		cmocka_unit_test(
			finishing_a_paused_stream_reads_to_the_end_of_the_peer),
		cmocka_unit_test(
			a_half_closed_peer_gets_the_queue_of_a_stream_that_finishes),
		cmocka_unit_test(
			a_finish_that_nobody_answers_ends_after_two_seconds),
		cmocka_unit_test(a_peer_that_hangs_up_is_an_orderly_end),
		cmocka_unit_test(
			a_peer_that_resets_is_a_failure_with_its_reason),
		cmocka_unit_test(
			writing_to_a_peer_that_is_gone_ends_the_stream),
		cmocka_unit_test(
			a_peer_that_is_gone_with_a_queue_unread_ends_the_stream),
		cmocka_unit_test(another_owner_hears_everything_from_then_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
