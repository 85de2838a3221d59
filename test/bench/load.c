/*
 * bench-load ws|raw PORT PID CONNECTIONS SIZE MS - calls, one after the
 * other on each connection, and what they cost.
 *
 * Each call is a tools/call of `echo` that takes SIZE bytes of JSON, on a
 * connection that has said initialize.  The frames are the same each time, so
 * the answer is known to the byte: the first one on each connection is held
 * against it, of the others the length.  `raw` sends the same bytes to
 * bench-raw.  After a tenth of the time has passed unmeasured, the processor
 * time of process PID, all its threads, is taken at both ends of the rest.
 * Prints one JSON object.
 */
#include "base/buf.h"
#include "base/clock.h"
#include "base/limits.h"
#include "wire/ws.h"

#include <dirent.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#define EVENTS 256
#define STALL_MS 5000
#define CHUNK (256 * 1024)

struct connection {
	int fd;
	size_t sent; /* of the question */
	size_t got;  /* of the answer */
	uint64_t began;
	bool is_blocked;
	bool is_checked; /* an answer was held against what it should be */
};

struct load {
	bool is_raw;
	uint32_t port;
	uint32_t pid;
	uint32_t connection_count;
	uint32_t size;
	uint32_t ms;
	struct dt_buf question; /* frames, as they go over the wire */
	struct dt_buf answer;
	struct connection *connections;
	int epoll;
	struct dt_buf times; /* uint64_t, ns; of the calls that are measured */
	bool is_measuring;
};

static char chunk[CHUNK];

static void give_up(const char *why)
{
	fprintf(stderr, "bench-load: %s\n", why);
	exit(1);
}

/* frames */

static void add_frame(struct dt_buf *out, struct dt_str payload, bool is_masked)
{
	static const uint8_t mask[4] = { 0x37, 0xfa, 0x21, 0x3d };
	uint8_t head[DT_WS_HEAD];

	dt_buf_add(out, head,
	           dt_ws_write_head(head, DT_WS_TEXT, payload.len,
	                            is_masked ? mask : NULL));
	dt_buf_add_str(out, payload);
	if (is_masked)
		dt_ws_mask(out->ptr + out->len - payload.len, payload.len, mask,
		           0);
}

/* Source code as it stands in a JSON string: many escapes, and now and then a
 * character that is not ASCII. */
static void add_text(struct dt_buf *out, size_t len)
{
	static const char piece[] =
		"static int handler(struct ctx *c, const char *name)\\n{\\n"
		"\\tif (!name || strcmp(name, \\\"value\\\") == 0) {\\n"
		"\\t\\tlog_warn(c, \\\"bad name: %s\\\", name);\\n"
		"\\t\\treturn -1;\\n\\t}\\n"
		"\\t/* café — the usual table */\\n"
		"\\treturn c->table[index & 0xff](c, name);\\n}\\n\\n";

	for (; len >= sizeof(piece) - 1; len -= sizeof(piece) - 1)
		dt_buf_add_z(out, piece);
	for (; len > 0; len--)
		dt_buf_add_char(out, '.');
}

static void make_frames(struct load *load)
{
	static const char ask[] =
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\","
		"\"params\":{\"name\":\"echo\",\"arguments\":{\"text\":\"";
	static const char end_ask[] = "\"}}}";
	static const char say[] =
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":"
		"[{\"type\":\"text\",\"text\":\"";
	static const char end_say[] = "\"}]}}";
	size_t around = sizeof(ask) - 1 + sizeof(end_ask) - 1;
	size_t len = load->size > around ? load->size - around : 0;
	struct dt_buf json;

	dt_buf_init(&json, DT_LIMIT_MESSAGE);
	dt_buf_init(&load->question, DT_LIMIT_MESSAGE);
	dt_buf_init(&load->answer, DT_LIMIT_MESSAGE);
	dt_buf_add_z(&json, ask);
	add_text(&json, len);
	dt_buf_add_z(&json, end_ask);
	add_frame(&load->question, dt_buf_str(&json), true);
	dt_buf_clear(&json);
	dt_buf_add_z(&json, say);
	add_text(&json, len);
	dt_buf_add_z(&json, end_say);
	add_frame(&load->answer, dt_buf_str(&json), false);
	dt_buf_done(&json);
}

/* connecting; nothing is measured yet, so it blocks */

static void send_all(int fd, const void *bytes, size_t len)
{
	if (send(fd, bytes, len, MSG_NOSIGNAL) != (ssize_t)len)
		give_up("a handshake could not be sent");
}

static void read_until(int fd, const char *end)
{
	struct dt_buf got;

	dt_buf_init(&got, DT_LIMIT_HTTP_HEAD);
	do {
		char c;

		if (recv(fd, &c, 1, 0) != 1)
			give_up("a handshake was refused");
		dt_buf_add_char(&got, c);
	} while (!memmem(got.ptr, got.len, end, strlen(end)));
	dt_buf_done(&got);
}

static void shake_hands(int fd)
{
	static const char upgrade[] =
		"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
		"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
		"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
	struct dt_buf frame;

	send_all(fd, upgrade, sizeof(upgrade) - 1);
	read_until(fd, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
	read_until(fd, "\r\n\r\n");
	dt_buf_init(&frame, DT_LIMIT_HTTP_HEAD);
	add_frame(&frame,
	          DT_STR("{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":"
	                 "\"initialize\",\"params\":{\"protocolVersion\":"
	                 "\"2025-06-18\",\"capabilities\":{},\"clientInfo\":"
	                 "{\"name\":\"bench\",\"version\":\"1\"}}}"),
	          true);
	send_all(fd, frame.ptr, frame.len);
	dt_buf_done(&frame);
	read_until(fd, "}}}"); /* serverInfo is last in both */
}

static int dial(const struct load *load)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons((uint16_t)load->port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	uint64_t lengths[2] = { load->question.len, load->answer.len };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int on = 1;

	if (connect(fd, (const struct sockaddr *)&address, sizeof(address)))
		give_up("nobody listens");
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	if (load->is_raw)
		send_all(fd, lengths, sizeof(lengths));
	else
		shake_hands(fd);
	return fd;
}

/* calls */

static void watch(struct load *load, struct connection *c, int op)
{
	struct epoll_event event = {
		.events = c->is_blocked ? EPOLLIN | EPOLLOUT : EPOLLIN,
		.data.ptr = c,
	};

	if (epoll_ctl(load->epoll, op, c->fd, &event))
		give_up("epoll_ctl");
}

static void ask(struct load *load, struct connection *c)
{
	bool was_blocked = c->is_blocked;

	c->is_blocked = false;
	while (c->sent < load->question.len && !c->is_blocked) {
		ssize_t n = send(c->fd, load->question.ptr + c->sent,
		                 load->question.len - c->sent,
		                 MSG_DONTWAIT | MSG_NOSIGNAL);

		if (n < 0 && errno != EAGAIN)
			give_up("the server hung up");
		c->is_blocked = n < 0;
		c->sent += n < 0 ? 0 : (size_t)n;
	}
	if (c->is_blocked != was_blocked)
		watch(load, c, EPOLL_CTL_MOD);
}

static void begin(struct load *load, struct connection *c)
{
	c->sent = 0;
	c->got = 0;
	c->began = dt_clock_ns();
	ask(load, c);
}

static void take(struct load *load, struct connection *c)
{
	ssize_t n = recv(c->fd, chunk, sizeof(chunk), MSG_DONTWAIT);
	uint64_t now;

	if (n < 0 && errno == EAGAIN)
		return;
	if (n <= 0)
		give_up("the server hung up");
	if (c->got + (size_t)n > load->answer.len)
		give_up("an answer is too long");
	if (!load->is_raw && !c->is_checked &&
	    memcmp(load->answer.ptr + c->got, chunk, (size_t)n) != 0)
		give_up("an answer is wrong");
	c->got += (size_t)n;
	if (c->got < load->answer.len)
		return;
	c->is_checked = true;
	now = dt_clock_ns() - c->began;
	if (load->is_measuring)
		dt_buf_add(&load->times, &now, sizeof(now));
	begin(load, c);
}

static void run_for(struct load *load, uint64_t ns)
{
	uint64_t end = dt_clock_ns() + ns;
	struct epoll_event events[EVENTS];

	while (dt_clock_ns() < end) {
		int count = epoll_wait(load->epoll, events, EVENTS, STALL_MS);

		if (count == 0)
			give_up("no answer comes");
		for (int i = 0; i < count; i++) {
			struct connection *c = events[i].data.ptr;

			if (events[i].events & EPOLLOUT)
				ask(load, c);
			if (events[i].events & ~(uint32_t)EPOLLOUT)
				take(load, c);
		}
	}
}

/* figures */

static uint64_t thread_ns(uint32_t pid, const char *thread)
{
	char path[300];
	unsigned long long ns = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%u/task/%s/schedstat", pid, thread);
	file = fopen(path, "re");
	if (!file)
		return 0;
	if (fscanf(file, "%llu", &ns) != 1)
		ns = 0;
	fclose(file);
	return ns;
}

/* Processor time of a process so far. */
static uint64_t process_ns(uint32_t pid)
{
	char path[64];
	uint64_t ns = 0;
	struct dirent *entry;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%u/task", pid);
	dir = opendir(path);
	if (!dir)
		give_up("no such process");
	while ((entry = readdir(dir))) {
		if (entry->d_name[0] != '.')
			ns += thread_ns(pid, entry->d_name);
	}
	closedir(dir);
	return ns;
}

static int compare(const void *left, const void *right)
{
	const uint64_t *a = left;
	const uint64_t *b = right;

	return (*a > *b) - (*a < *b);
}

static double percentile_us(const struct dt_buf *sorted, size_t percent)
{
	const uint64_t *times = (const uint64_t *)sorted->ptr;
	size_t at = sorted->len / sizeof(*times) * percent / 100;

	return (double)times[at] / 1e3;
}

static void print_figures(struct load *load, uint64_t ns, uint64_t cpu_ns)
{
	size_t count = load->times.len / sizeof(uint64_t);

	if (count == 0)
		give_up("no call ended in time");
	qsort(load->times.ptr, count, sizeof(uint64_t), compare);
	printf("{\"calls\":%zu,\"per_second\":%.1f,\"cpu_us\":%.3f,"
	       "\"p50_us\":%.1f,\"p99_us\":%.1f}\n",
	       count, (double)count * 1e9 / (double)ns,
	       (double)cpu_ns / 1e3 / (double)count,
	       percentile_us(&load->times, 50),
	       percentile_us(&load->times, 99));
}

static void measure(struct load *load)
{
	uint64_t ns = load->ms * UINT64_C(1000000);
	uint64_t began;
	uint64_t cpu;

	for (uint32_t i = 0; i < load->connection_count; i++)
		begin(load, &load->connections[i]);
	run_for(load, ns / 10);
	load->is_measuring = true;
	cpu = process_ns(load->pid);
	began = dt_clock_ns();
	run_for(load, ns);
	ns = dt_clock_ns() - began;
	print_figures(load, ns, process_ns(load->pid) - cpu);
}

static bool read_args(struct load *load, char **argv)
{
	load->is_raw = !strcmp(argv[1], "raw");
	return (load->is_raw || !strcmp(argv[1], "ws")) &&
	       !dt_str_to_u32(dt_str(argv[2]), &load->port, NULL) &&
	       !dt_str_to_u32(dt_str(argv[3]), &load->pid, NULL) &&
	       !dt_str_to_u32(dt_str(argv[4]), &load->connection_count, NULL) &&
	       !dt_str_to_u32(dt_str(argv[5]), &load->size, NULL) &&
	       !dt_str_to_u32(dt_str(argv[6]), &load->ms, NULL);
}

int main(int argc, char **argv)
{
	struct load load = { .epoll = epoll_create1(EPOLL_CLOEXEC) };

	if (argc != 7 || !read_args(&load, argv)) {
		fprintf(stderr, "usage: bench-load ws|raw PORT PID "
		                "CONNECTIONS SIZE MS\n");
		return 2;
	}
	make_frames(&load);
	dt_buf_init(&load.times, DT_LIMIT_QUEUE);
	load.connections =
		dt_alloc(load.connection_count * sizeof(*load.connections));
	for (uint32_t i = 0; i < load.connection_count; i++) {
		struct connection *c = &load.connections[i];

		c->fd = dial(&load);
		watch(&load, c, EPOLL_CTL_ADD);
	}
	measure(&load);
	return 0; /* and the system takes everything back */
}
