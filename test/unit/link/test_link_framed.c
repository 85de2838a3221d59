/* test/unit/link/test_link_framed.c - messages with a length, over a socket. */
#include "link/link.h"

#include "base/limits.h"
#include "messages.h"

#define LIMIT 1000

static void begin(struct messages *m, enum trick trick)
{
	messages_open(m, trick);
	m->link = dt_link_framed_new(m->s.stream, LIMIT);
	dt_link_start(m->link, &messages_events, m);
}

test(messages_come_and_go_with_their_length)
{
	struct messages m;

	begin(&m, DO_ECHO);
	sockets_put_z(&m.s, "Content-Length: 3\r\n\r\noneContent-Le");
	sockets_until(&m.s, m.count == 1);
	sockets_put_z(&m.s, "ngth: 5\r\n\r\nt\r\nwo");
	sockets_expect_z(&m.s, "Content-Length: 3\r\n\r\none"
	                       "Content-Length: 5\r\n\r\nt\r\nwo");
	assert_str(dt_buf_str(&m.heard), "one|t\r\nwo|");
	messages_close(&m);
	assert_int_equal(m.why.code, DT_E_CLOSED);
}

test(closing_in_a_message_sends_what_was_said_and_hears_no_more)
{
	struct messages m;

	begin(&m, DO_CLOSE);
	sockets_put_z(&m.s, "Content-Length: 1\r\n\r\na"
	                    "Content-Length: 1\r\n\r\nb");
	sockets_expect_z(&m.s, "Content-Length: 4\r\n\r\nlast");
	sockets_expect_end(&m.s);
	assert_str(dt_buf_str(&m.heard), "a|");
	messages_close(&m);
}

test(what_is_framed_wrongly_ends_the_link_with_the_reason)
{
	struct messages m;

	begin(&m, DO_NOTHING);
	sockets_put_z(&m.s, "Content-Length: 1\r\n\r\naWarning!\r\n");
	sockets_until(&m.s, m.closed);
	assert_str(dt_buf_str(&m.heard), "a|");
	assert_int_equal(m.why.code, DT_E_PROTO);
	assert_string_equal(m.why.msg,
	                    "\"Warning!\" is no header of a message");
	messages_close(&m);
}

test(a_message_beyond_the_limit_ends_the_link)
{
	struct messages m;

	begin(&m, DO_NOTHING);
	sockets_put_z(&m.s, "Content-Length: 1001\r\n\r\n");
	sockets_until(&m.s, m.closed);
	assert_int_equal(m.why.code, DT_E_LIMIT);
	messages_close(&m);
}

/* Answers gather in our queue, not in the memory of a loop that reads on. */
/* Else both would wait for the other to read. */
test(who_does_not_read_is_read_from)
{
	char text[LIMIT + 64];
	struct messages m;
	size_t sent = 0;
	size_t at = 0;
	int turns = 0;
	int len = snprintf(text, sizeof(text), "Content-Length: %d\r\n\r\n%*s",
	                   LIMIT, LIMIT, "x");

	begin(&m, DO_ECHO);
	while (sent < 4u * DT_MIB) {
		ssize_t n = write(m.s.fd, text + at, (size_t)len - at);

		if (n > 0) {
			sent += (size_t)n;
			at = (at + (size_t)n) % (size_t)len;
			turns = 0;
		} else {
			sockets_turn(&m.s, 1);
			assert_true(turns++ < 50);
		}
	}
	assert_true(dt_link_is_clogged(m.link));
	sockets_until(&m.s, (sockets_read(&m.s), !dt_link_is_clogged(m.link)));
	messages_close(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(messages_come_and_go_with_their_length),
		cmocka_unit_test(
			closing_in_a_message_sends_what_was_said_and_hears_no_more),
		cmocka_unit_test(
			what_is_framed_wrongly_ends_the_link_with_the_reason),
		cmocka_unit_test(a_message_beyond_the_limit_ends_the_link),
		cmocka_unit_test(who_does_not_read_is_read_from),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
