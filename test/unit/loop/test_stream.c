/* test/unit/loop/test_stream.c - streams over real sockets. */
#include "loop/stream.h"

#include "base/clock.h"
#include "base/limits.h"
#include "sockets.h"

#include <sys/stat.h>

enum trick { DO_NOTHING, DO_CLOSE, DO_FINISH, DO_PAUSE, DO_ECHO, DO_ANSWER };

/* What the owner of the stream saw and did. */
struct seen {
	struct sockets s;
	struct dt_buf read;
	enum trick trick; /* what on_read does */
	int reads;
	int drained;
	int closed;
	struct dt_fail why;
	char *large; /* for DO_ANSWER */
	size_t large_len;
};

static void write_z(struct dt_stream *stream, const char *z)
{
	struct dt_str part = dt_str(z);

	dt_stream_write(stream, &part, 1);
}

/* Small, large, small: what is gathered must not be overtaken. */
static void answer(struct seen *seen, struct dt_stream *stream)
{
	struct dt_str large = { seen->large, seen->large_len };

	write_z(stream, "before ");
	dt_stream_write(stream, &large, 1);
	write_z(stream, " between ");
	dt_stream_write(stream, &large, 1);
	write_z(stream, " after");
}

static void on_read(struct dt_stream *stream, char *bytes, size_t len,
                    void *owner)
{
	struct seen *seen = owner;
	struct dt_str part = { bytes, len };

	assert_int_equal(seen->closed, 0);
	seen->reads++;
	dt_buf_add(&seen->read, bytes, len);
	if (seen->trick == DO_CLOSE) {
		write_z(stream, "lost");
		dt_stream_close(stream);
		dt_stream_close(stream);
		write_z(stream, "lost");
	} else if (seen->trick == DO_FINISH) {
		write_z(stream, "kept");
		dt_stream_finish(stream);
		dt_stream_finish(stream);
		write_z(stream, "lost");
	} else if (seen->trick == DO_PAUSE) {
		dt_stream_pause(stream);
	} else if (seen->trick == DO_ECHO) {
		dt_stream_write(stream, &part, 1);
	} else if (seen->trick == DO_ANSWER) {
		answer(seen, stream);
	}
}

static void on_drained(struct dt_stream *stream, void *owner)
{
	struct seen *seen = owner;

	assert_int_equal(seen->closed, 0);
	assert_true(dt_stream_queued(stream) <= DT_LIMIT_QUEUE_LOW);
	seen->drained++;
}

static void on_closed(struct dt_stream *stream, const struct dt_fail *why,
                      void *owner)
{
	struct seen *seen = owner;

	seen->closed++;
	seen->why = *why;
	assert_true(why->code != DT_E_OK);
	/* Idempotent to the very last. */
	dt_stream_close(stream);
	dt_stream_finish(stream);
	write_z(stream, "lost");
	seen->s.stream = NULL;
}

static const struct dt_stream_events events = {
	.on_read = on_read,
	.on_drained = on_drained,
	.on_closed = on_closed,
};

static void init(struct seen *seen, enum trick trick)
{
	*seen = (struct seen){ .trick = trick };
	dt_buf_init(&seen->read, SIZE_MAX);
}

static void begin_unix(struct seen *seen, enum trick trick)
{
	init(seen, trick);
	sockets_open_unix(&seen->s);
	dt_stream_start(seen->s.stream, &events, seen);
}

static void begin_tcp(struct seen *seen, enum trick trick)
{
	init(seen, trick);
	sockets_open_tcp(&seen->s);
	dt_stream_start(seen->s.stream, &events, seen);
}

/* Whatever happened, the end came exactly once. */
static void end(struct seen *seen)
{
	if (seen->s.stream)
		dt_stream_close(seen->s.stream);
	sockets_close(&seen->s);
	assert_int_equal(seen->closed, 1);
	dt_buf_done(&seen->read);
	free(seen->large);
}

static char *pattern(size_t len)
{
	char *bytes = dt_realloc(NULL, len);

	for (size_t i = 0; i < len; i++)
		bytes[i] = (char)(i * 31 + i / 251);
	return bytes;
}

/* Fill the kernel's buffers and ours until `queued` bytes wait. */
static void fill(struct seen *seen, size_t queued)
{
	char *bytes = pattern(DT_MIB);
	struct dt_str part = { bytes, DT_MIB };

	while (seen->s.stream && dt_stream_queued(seen->s.stream) <= queued)
		dt_stream_write(seen->s.stream, &part, 1);
	free(bytes);
}

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

/* connecting */

/* The accepted end only collects. */
struct host {
	struct seen *seen;
	struct dt_listener *listener;
	enum trick trick;
	int accepted;
};

static void on_accept(struct dt_listener *listener, struct dt_stream *stream,
                      void *owner)
{
	struct host *host = owner;

	host->accepted++;
	if (host->trick == DO_CLOSE) {
		dt_stream_close(stream);
		dt_listener_close(listener);
		host->listener = NULL;
	} else if (host->trick == DO_FINISH) {
		write_z(stream, "full");
		dt_stream_finish(stream);
	} else {
		host->seen->s.stream = stream;
		dt_stream_start(stream, &events, host->seen);
	}
}

test(writes_wait_for_the_connection)
{
	struct seen here;
	struct seen there;
	struct host host = { .seen = &there };
	char *bytes = pattern(DT_MIB);
	struct dt_str part = { bytes, DT_MIB };

	init(&here, DO_NOTHING);
	init(&there, DO_NOTHING);
	sockets_init(&here.s);
	assert_ok(dt_listen_unix(here.s.loop, here.s.path, on_accept, &host,
	                         &host.listener, NULL));
	here.s.stream = dt_stream_connect_unix(here.s.loop, here.s.path);
	dt_stream_start(here.s.stream, &events, &here);
	write_z(here.s.stream, "early ");
	dt_stream_write(here.s.stream, &part, 1);
	assert_int_equal(dt_stream_queued(here.s.stream), DT_MIB + 6);
	dt_stream_finish(here.s.stream);
	sockets_until(&here.s, there.closed && here.closed);
	assert_int_equal(there.read.len, DT_MIB + 6);
	assert_memory_equal(there.read.ptr, "early ", 6);
	assert_memory_equal(there.read.ptr + 6, bytes, DT_MIB);
	dt_listener_close(host.listener);
	dt_buf_done(&there.read);
	free(bytes);
	end(&here);
}

test(a_pause_before_the_connection_holds_behind_it)
{
	struct seen here;
	struct seen there;
	struct host host = { .seen = &there };

	init(&here, DO_NOTHING);
	init(&there, DO_NOTHING);
	sockets_init(&here.s);
	assert_ok(dt_listen_unix(here.s.loop, here.s.path, on_accept, &host,
	                         &host.listener, NULL));
	here.s.stream = dt_stream_connect_unix(here.s.loop, here.s.path);
	dt_stream_start(here.s.stream, &events, &here);
	dt_stream_pause(here.s.stream);
	sockets_until(&here.s, host.accepted);
	write_z(there.s.stream, "hello");
	sockets_turn(&here.s, 20);
	assert_int_equal(here.reads, 0);
	dt_stream_resume(here.s.stream);
	sockets_until(&here.s, here.reads == 1);
	dt_stream_close(here.s.stream);
	sockets_until(&here.s, there.closed);
	dt_listener_close(host.listener);
	dt_buf_done(&there.read);
	end(&here);
}

static void check_connect(struct dt_stream *(*connect_to)(struct dt_loop *),
                          enum dt_err code, int sys_errno)
{
	struct seen seen;

	init(&seen, DO_NOTHING);
	sockets_init(&seen.s);
	seen.s.stream = connect_to(seen.s.loop);
	dt_stream_start(seen.s.stream, &events, &seen);
	write_z(seen.s.stream, "is anybody there?");
	assert_int_equal(seen.closed, 0); /* never before the loop turns */
	sockets_until(&seen.s, seen.closed);
	assert_int_equal(seen.why.code, code);
	assert_int_equal(seen.why.sys_errno, sys_errno);
	end(&seen);
}

static struct dt_stream *to_nobody(struct dt_loop *loop)
{
	return dt_stream_connect_tcp(loop, "127.0.0.1", sockets_free_port());
}

static struct dt_stream *to_no_address(struct dt_loop *loop)
{
	return dt_stream_connect_tcp(loop, "localhost", 80);
}

static struct dt_stream *to_no_file(struct dt_loop *loop)
{
	return dt_stream_connect_unix(loop, "/nonexistent/socket");
}

#define LONG_PATH                                                              \
	"/tmp/a-path-of-more-bytes-than-the-name-of-a-socket-may-have-"        \
	"which-libuv-would-cut-without-a-word-and-then-use-what-is-left"

static struct dt_stream *to_a_long_path(struct dt_loop *loop)
{
	return dt_stream_connect_unix(loop, LONG_PATH);
}

test(failing_to_connect_is_an_end_with_its_reason)
{
	check_connect(to_nobody, DT_E_SYS, ECONNREFUSED);
	check_connect(to_no_address, DT_E_SYS, EINVAL);
	check_connect(to_no_file, DT_E_SYS, ENOENT);
	check_connect(to_a_long_path, DT_E_LIMIT, 0);
}

test(closing_while_connecting_is_an_orderly_end)
{
	struct seen seen;

	init(&seen, DO_NOTHING);
	sockets_init(&seen.s);
	seen.s.stream = to_nobody(seen.s.loop);
	dt_stream_start(seen.s.stream, &events, &seen);
	dt_stream_close(seen.s.stream);
	sockets_until(&seen.s, seen.closed);
	assert_int_equal(seen.why.code, DT_E_CLOSED);
	end(&seen);
}

/* listening */

test(a_stream_and_its_listener_may_be_closed_in_the_accept_callback)
{
	struct host host = { .trick = DO_CLOSE };
	struct sockets s;

	sockets_init(&s);
	assert_ok(dt_listen_unix(s.loop, s.path, on_accept, &host,
	                         &host.listener, NULL));
	s.fd = sockets_dial_unix(s.path);
	sockets_expect_end(&s);
	assert_int_equal(host.accepted, 1);
	sockets_close(&s);
}

test(a_stream_without_an_owner_may_be_told_off_in_the_accept_callback)
{
	struct host host = { .trick = DO_FINISH };
	struct sockets s;

	sockets_init(&s);
	assert_ok(dt_listen_unix(s.loop, s.path, on_accept, &host,
	                         &host.listener, NULL));
	s.fd = sockets_dial_unix(s.path);
	sockets_put_z(&s, "unheard");
	sockets_expect_z(&s, "full");
	sockets_expect_end(&s);
	dt_listener_close(host.listener);
	sockets_close(&s);
}

test(a_port_that_is_taken_is_a_state_and_not_a_system_failure)
{
	struct dt_listener *first = NULL;
	struct dt_listener *second = NULL;
	struct dt_fail fail = { 0 };
	struct sockets s;
	unsigned port;

	sockets_init(&s);
	do
		port = sockets_free_port();
	while (dt_listen_tcp(s.loop, port, on_accept, NULL, &first, NULL));
	assert_int_equal(
		dt_listen_tcp(s.loop, port, on_accept, NULL, &second, &fail),
		DT_E_STATE);
	assert_null(second);
	dt_listener_close(first);
	dt_listener_close(NULL);
	sockets_close(&s);
}

test(a_socket_file_is_private_and_not_taken_twice)
{
	struct dt_listener *first = NULL;
	struct dt_listener *second = NULL;
	struct dt_fail fail = { 0 };
	struct sockets s;
	mode_t mask = umask(0022);
	struct stat st;

	sockets_init(&s);
	assert_ok(
		dt_listen_unix(s.loop, s.path, on_accept, NULL, &first, NULL));
	assert_int_equal(umask(mask), 0022); /* as it was */
	assert_int_equal(stat(s.path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(
		dt_listen_unix(s.loop, s.path, on_accept, NULL, &second, &fail),
		DT_E_STATE);
	fail = (struct dt_fail){ 0 };
	assert_int_equal(dt_listen_unix(s.loop, "/nonexistent/socket",
	                                on_accept, NULL, &second, &fail),
	                 DT_E_SYS);
	fail = (struct dt_fail){ 0 };
	assert_int_equal(dt_listen_unix(s.loop, LONG_PATH, on_accept, NULL,
	                                &second, &fail),
	                 DT_E_LIMIT);
	assert_null(second);
	dt_listener_close(first);
	sockets_close(&s);
}

test(the_credentials_of_a_unix_socket_are_those_of_its_process)
{
	struct seen seen;
	pid_t pid;
	uid_t uid;

	begin_unix(&seen, DO_NOTHING);
	assert_ok(dt_stream_credentials(seen.s.stream, &pid, &uid, NULL));
	assert_int_equal(pid, getpid());
	assert_int_equal(uid, getuid());
	dt_stream_close(seen.s.stream);
	assert_int_equal(dt_stream_credentials(seen.s.stream, &pid, &uid, NULL),
	                 DT_E_CLOSED);
	end(&seen);
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
		cmocka_unit_test(writes_wait_for_the_connection),
		cmocka_unit_test(a_pause_before_the_connection_holds_behind_it),
		cmocka_unit_test(failing_to_connect_is_an_end_with_its_reason),
		cmocka_unit_test(closing_while_connecting_is_an_orderly_end),
		cmocka_unit_test(
			a_stream_and_its_listener_may_be_closed_in_the_accept_callback),
		cmocka_unit_test(
			a_stream_without_an_owner_may_be_told_off_in_the_accept_callback),
		cmocka_unit_test(
			a_port_that_is_taken_is_a_state_and_not_a_system_failure),
		cmocka_unit_test(a_socket_file_is_private_and_not_taken_twice),
		cmocka_unit_test(
			the_credentials_of_a_unix_socket_are_those_of_its_process),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
