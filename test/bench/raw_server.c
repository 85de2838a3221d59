/*
 * bench-raw PORT - questions and answers of fixed length over plain TCP.
 *
 * No protocol, no parsing, one copy each way by the kernel: what a server on
 * this machine cannot be faster than.  A connection begins with two 64-bit
 * numbers, the lengths of a question and of an answer.
 */
#include "base/str.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#define EVENTS 256

struct connection {
	int fd;
	uint64_t question;
	uint64_t answer;
	uint64_t got;  /* of the question that comes */
	uint64_t owed; /* of the answer that leaves */
	bool is_waiting;
};

static char input[256 * 1024];
static const char output[256 * 1024];

static void watch(int epoll, int op, int fd, void *owner, uint32_t events)
{
	struct epoll_event event = { .events = events, .data.ptr = owner };

	if (epoll_ctl(epoll, op, fd, &event))
		abort();
}

static void accept_one(int epoll, int listener)
{
	struct connection *c = dt_alloc(sizeof(*c));
	uint64_t lengths[2];
	int on = 1;

	c->fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	if (recv(c->fd, lengths, sizeof(lengths), MSG_WAITALL) !=
	    sizeof(lengths)) {
		close(c->fd);
		free(c);
		return;
	}
	c->question = lengths[0];
	c->answer = lengths[1];
	setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	watch(epoll, EPOLL_CTL_ADD, c->fd, c, EPOLLIN);
}

/* Send what is owed; ask to be called again only while some is left. */
static void answer(int epoll, struct connection *c)
{
	bool was_waiting = c->is_waiting;

	c->is_waiting = false;
	while (c->owed && !c->is_waiting) {
		size_t len =
			c->owed < sizeof(output) ? c->owed : sizeof(output);
		ssize_t n =
			send(c->fd, output, len, MSG_DONTWAIT | MSG_NOSIGNAL);

		c->is_waiting = n < 0;
		c->owed -= n < 0 ? 0 : (uint64_t)n;
	}
	if (c->is_waiting != was_waiting)
		watch(epoll, EPOLL_CTL_MOD, c->fd, c,
		      c->is_waiting ? EPOLLOUT : EPOLLIN);
}

static void ask(int epoll, struct connection *c)
{
	ssize_t n = recv(c->fd, input, sizeof(input), MSG_DONTWAIT);

	if (n <= 0) {
		close(c->fd);
		free(c);
		return;
	}
	c->got += (uint64_t)n;
	if (c->got < c->question)
		return;
	c->got = 0;
	c->owed = c->answer;
	answer(epoll, c);
}

static int listen_on(uint32_t port)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons((uint16_t)port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int on = 1;

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind(fd, (const struct sockaddr *)&address, sizeof(address)) ||
	    listen(fd, 1024))
		return -1;
	return fd;
}

int main(int argc, char **argv)
{
	struct epoll_event events[EVENTS];
	int epoll = epoll_create1(EPOLL_CLOEXEC);
	uint32_t port;
	int listener;

	if (argc != 2 || dt_str_to_u32(dt_str(argv[1]), &port, NULL)) {
		fprintf(stderr, "usage: bench-raw PORT\n");
		return 2;
	}
	listener = listen_on(port);
	if (listener < 0) {
		perror("bench-raw");
		return 1;
	}
	watch(epoll, EPOLL_CTL_ADD, listener, NULL, EPOLLIN);
	for (;;) {
		int count = epoll_wait(epoll, events, EVENTS, -1);

		for (int i = 0; i < count; i++) {
			struct connection *c = events[i].data.ptr;

			if (!c)
				accept_one(epoll, listener);
			else if (c->is_waiting)
				answer(epoll, c);
			else
				ask(epoll, c);
		}
	}
}
