/* test/unit/link/test_link_lines.c - one message per line, over a socket. */
#include "link/link.h"

#include "base/limits.h"
#include "messages.h"

static void begin(struct messages *m, enum trick trick)
{
	messages_open(m, trick);
	m->link = dt_link_lines_new(m->s.stream);
	dt_link_start(m->link, &messages_events, m);
}

test(each_line_is_a_message_however_it_comes)
{
	struct messages m;

	begin(&m, DO_NOTHING);
	sockets_put_z(&m.s, "one\r\n\n\ntw");
	sockets_until(&m.s, m.count == 1);
	sockets_put_z(&m.s, "o\nthree\n");
	sockets_until(&m.s, m.count == 3);
	assert_str(dt_buf_str(&m.heard), "one|two|three|");
	messages_close(&m);
	assert_int_equal(m.why.code, DT_E_CLOSED);
}

test(half_a_line_before_the_end_is_no_message)
{
	struct messages m;

	begin(&m, DO_NOTHING);
	sockets_put_z(&m.s, "whole\nhalf");
	sockets_hang_up(&m.s);
	sockets_until(&m.s, m.closed);
	assert_str(dt_buf_str(&m.heard), "whole|");
	messages_close(&m);
}

test(closing_in_a_message_sends_what_was_said_and_hears_no_more)
{
	struct messages m;

	begin(&m, DO_CLOSE);
	sockets_put_z(&m.s, "one\ntwo\n");
	sockets_expect_z(&m.s, "last\n");
	sockets_expect_end(&m.s);
	sockets_put_z(&m.s, "three\n");
	assert_str(dt_buf_str(&m.heard), "one|");
	messages_close(&m);
	assert_int_equal(m.why.code, DT_E_CLOSED);
}

test(a_stream_closed_in_a_message_ends_the_link)
{
	struct messages m;

	begin(&m, DO_CLOSE_STREAM);
	sockets_put_z(&m.s, "one\n");
	sockets_expect_end(&m.s);
	assert_int_equal(m.count, 1);
	messages_close(&m);
}

test(a_line_beyond_the_limit_ends_the_link)
{
	char *bytes = dt_alloc(DT_MIB);
	struct messages m;

	memset(bytes, 'x', DT_MIB);
	begin(&m, DO_NOTHING);
	for (size_t sent = 0; sent < DT_LIMIT_MESSAGE; sent += DT_MIB)
		sockets_put(&m.s, bytes, DT_MIB);
	sockets_turn(&m.s, 20);
	assert_int_equal(m.closed, 0);
	assert_int_equal(write(m.s.fd, "x", 1), 1);
	sockets_until(&m.s, m.closed);
	assert_int_equal(m.why.code, DT_E_LIMIT);
	assert_int_equal(m.count, 0);
	free(bytes);
	messages_close(&m);
}

test(who_does_not_read_is_not_read_from_until_the_queue_is_low)
{
	char *line = dt_alloc(DT_MIB + 1);
	struct messages m;
	int heard;

	memset(line, 'x', DT_MIB);
	line[DT_MIB] = '\n';
	begin(&m, DO_ECHO);
	sockets_put(&m.s, line, DT_MIB + 1);
	sockets_put(&m.s, line, DT_MIB + 1);
	sockets_until(&m.s, m.count == 2);
	assert_true(dt_link_is_clogged(m.link));
	heard = m.count;
	assert_int_equal(write(m.s.fd, "more\n", 5), 5);
	sockets_turn(&m.s, 50);
	assert_int_equal(m.count, heard);
	/* It reads: now it is heard again. */
	sockets_wait(&m.s, 2 * (DT_MIB + 1));
	sockets_until(&m.s, m.count == heard + 1);
	dt_buf_clear(&m.s.got);
	messages_close(&m);
	free(line);
}

static void init(struct messages *m)
{
	*m = (struct messages){ 0 };
	dt_buf_init(&m->heard, SIZE_MAX);
	dt_buf_init(&m->tapped, SIZE_MAX);
}

test(a_link_that_connects_keeps_what_was_sent_before)
{
	struct messages here;
	struct messages there;
	struct sockets *s = &here.s;

	init(&here);
	init(&there);
	sockets_init(s);
	assert_ok(dt_listen_unix(s->loop, s->path, sockets_accepted, s,
	                         &s->listener, NULL));
	here.link = dt_link_lines_new(dt_stream_connect_unix(s->loop, s->path));
	dt_link_start(here.link, &messages_events, &here);
	dt_link_send(here.link, DT_STR("early"));
	dt_link_close(here.link, DT_LINK_DONE, "");
	sockets_until(s, s->stream);
	there.link = dt_link_lines_new(s->stream);
	dt_link_start(there.link, &messages_events, &there);
	sockets_until(s, here.closed && there.closed);
	assert_str(dt_buf_str(&there.heard), "early|");
	dt_buf_done(&there.heard);
	messages_close(&here);
}

test(a_link_to_nobody_ends_with_the_reason)
{
	struct messages m;

	init(&m);
	sockets_init(&m.s);
	m.link = dt_link_lines_new(
		dt_stream_connect_unix(m.s.loop, "/proc/nonexistent/socket"));
	dt_link_start(m.link, &messages_events, &m);
	dt_link_send(m.link, DT_STR("early"));
	sockets_until(&m.s, m.closed);
	assert_int_equal(m.why.code, DT_E_SYS);
	assert_int_equal(m.why.sys_errno, ENOENT);
	messages_close(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_line_is_a_message_however_it_comes),
		cmocka_unit_test(half_a_line_before_the_end_is_no_message),
		cmocka_unit_test(
			closing_in_a_message_sends_what_was_said_and_hears_no_more),
		cmocka_unit_test(a_stream_closed_in_a_message_ends_the_link),
		cmocka_unit_test(a_line_beyond_the_limit_ends_the_link),
		cmocka_unit_test(
			who_does_not_read_is_not_read_from_until_the_queue_is_low),
		cmocka_unit_test(
			a_link_that_connects_keeps_what_was_sent_before),
		cmocka_unit_test(a_link_to_nobody_ends_with_the_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
