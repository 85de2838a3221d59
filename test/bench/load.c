/*
 * bench-load CARRIER [OPTION...] - questions, one after the other on each
 * connection, and what they cost.
 *
 *	ws, http, raw      to the port that -p names
 *	stdio -- COMMAND   to a server that is started
 *
 *	-p PORT  -t TOKEN  where to, and a bearer's token
 *	-n COUNT           connections (default 1)
 *	-c TOOL -b BYTES   ask for tools/call of a tool that answers with its
 *	                   text, as so many bytes of JSON; else for tools/list
 *	-r ASK,REPLY       raw: bytes of a question and of an answer
 *	-s PID             a process whose time and memory count, beside the one
 *	                   that is started; can be given twice
 *	-m MS              how long; 0: the first answer alone
 *
 * What is said is load_talk.c's.  After a tenth of the time has passed
 * unmeasured, the processor time of the processes, all their threads, is taken
 * at both ends of the rest.  Prints one JSON object.
 */
#include "load.h"

#include "base/clock.h"
#include "base/limits.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#define EVENTS 256
#define STALL_MS 5000
#define CHUNK (256 * 1024)
#define PIDS 3

struct connection {
	struct load_talk talk;
	size_t sent; /* of the question */
	size_t got;  /* of the answer */
	uint64_t began;
	bool is_blocked;
};

struct load {
	struct load_spec spec;
	uint32_t connection_count;
	uint32_t ms;
	uint32_t pids[PIDS];
	size_t pid_count;
	struct connection *connections;
	int epoll;
	uint64_t first_ns;   /* from nothing to the first answer */
	struct dt_buf times; /* uint64_t, ns; of the calls that are measured */
	bool is_measuring;
};

static char chunk[CHUNK];

void load_give_up(const char *why)
{
	fprintf(stderr, "bench-load: %s\n", why);
	exit(1);
}

/* calls */

static void watch(struct load *load, struct connection *c, int op)
{
	struct epoll_event event = {
		.events = c->is_blocked ? EPOLLIN | EPOLLOUT : EPOLLIN,
		.data.ptr = c,
	};

	if (epoll_ctl(load->epoll, op, c->talk.fd, &event))
		load_give_up("epoll_ctl");
}

static void ask(struct load *load, struct connection *c)
{
	bool was_blocked = c->is_blocked;

	c->is_blocked = false;
	while (c->sent < c->talk.question.len && !c->is_blocked) {
		ssize_t n = send(c->talk.fd, c->talk.question.ptr + c->sent,
		                 c->talk.question.len - c->sent,
		                 MSG_DONTWAIT | MSG_NOSIGNAL);

		if (n < 0 && errno != EAGAIN)
			load_give_up("the server hung up");
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
	ssize_t n = recv(c->talk.fd, chunk, sizeof(chunk), MSG_DONTWAIT);
	uint64_t now;

	if (n < 0 && errno == EAGAIN)
		return;
	if (n <= 0)
		load_give_up("the server hung up");
	c->got += (size_t)n;
	if (c->got > c->talk.reply_len)
		load_give_up("an answer is too long");
	if (c->got < c->talk.reply_len)
		return;
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
			load_give_up("no answer comes");
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
		load_give_up("no such process");
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

static uint64_t all_ns(const struct load *load)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < load->pid_count; i++)
		ns += process_ns(load->pids[i]);
	return ns;
}

/* Resident memory of all processes, in KiB. */
static unsigned long all_kib(const struct load *load)
{
	unsigned long pages = 0;

	for (size_t i = 0; i < load->pid_count; i++) {
		unsigned long resident = 0;
		char path[64];
		FILE *file;

		snprintf(path, sizeof(path), "/proc/%u/statm", load->pids[i]);
		file = fopen(path, "re");
		if (!file || fscanf(file, "%*u %lu", &resident) != 1)
			load_give_up("no such process");
		fclose(file);
		pages += resident;
	}
	return pages * (unsigned long)sysconf(_SC_PAGESIZE) / 1024;
}

static void print_figures(struct load *load, uint64_t ns, uint64_t cpu_ns)
{
	size_t count = load->times.len / sizeof(uint64_t);

	if (count == 0)
		load_give_up("no call ended in time");
	qsort(load->times.ptr, count, sizeof(uint64_t), compare);
	printf("\"calls\":%zu,\"per_second\":%.1f,\"cpu_us\":%.3f,"
	       "\"p50_us\":%.1f,\"p99_us\":%.1f,",
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
	cpu = all_ns(load);
	began = dt_clock_ns();
	run_for(load, ns);
	ns = dt_clock_ns() - began;
	print_figures(load, ns, all_ns(load) - cpu);
}

/* life */

static void open_all(struct load *load)
{
	uint64_t began = dt_clock_ns();

	load->connections =
		dt_alloc(load->connection_count * sizeof(*load->connections));
	for (uint32_t i = 0; i < load->connection_count; i++) {
		struct connection *c = &load->connections[i];

		load_talk_open(&c->talk, &load->spec);
		c->sent = c->talk.question.len;
		c->got = c->talk.reply_len;
		if (i == 0)
			load->first_ns = dt_clock_ns() - began;
		if (c->talk.pid)
			load->pids[load->pid_count++] = (uint32_t)c->talk.pid;
		watch(load, c, EPOLL_CTL_ADD);
	}
}

/* What is still on its way comes first. */
static void finish(struct load *load, struct connection *c)
{
	while (c->sent < c->talk.question.len)
		ask(load, c);
	while (c->got < c->talk.reply_len) {
		ssize_t n = recv(c->talk.fd, chunk, sizeof(chunk), 0);

		if (n <= 0)
			load_give_up("the server hung up");
		c->got += (size_t)n;
	}
	load_talk_close(&c->talk, &load->spec);
}

static bool read_carrier(struct load *load, const char *name)
{
	static const char *const names[] = { "ws", "http", "stdio", "raw" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcmp(name, names[i])) {
			load->spec.carrier = (enum load_carrier)i;
			return true;
		}
	}
	return false;
}

static bool read_number(const char *text, uint32_t *out)
{
	return !dt_str_to_u32(dt_str(text), out, NULL);
}

static bool read_raw(const char *text, struct load_spec *spec)
{
	struct dt_str rest = dt_str(text);
	struct dt_str ask = dt_str_cut(&rest, ',');

	return !dt_str_to_u32(ask, &spec->raw_ask, NULL) &&
	       !dt_str_to_u32(rest, &spec->raw_reply, NULL);
}

static bool read_option(struct load *load, int option)
{
	switch (option) {
	case 'p':
		return read_number(optarg, &load->spec.port);
	case 't':
		load->spec.token = optarg;
		return true;
	case 'n':
		return read_number(optarg, &load->connection_count);
	case 'c':
		load->spec.tool = optarg;
		return true;
	case 'b':
		return read_number(optarg, &load->spec.size);
	case 'r':
		return read_raw(optarg, &load->spec);
	case 's':
		return load->pid_count < PIDS - 1 &&
		       read_number(optarg, &load->pids[load->pid_count++]);
	case 'm':
		return read_number(optarg, &load->ms);
	default:
		return false;
	}
}

static bool read_args(struct load *load, int argc, char **argv)
{
	bool is_good = argc > 1 && read_carrier(load, argv[1]);
	int option;

	optind = 2;
	while (is_good &&
	       (option = getopt(argc, argv, "+p:t:n:c:b:r:s:m:")) >= 0)
		is_good = read_option(load, option);
	load->spec.command = argv + optind;
	/* One process is all that is started. */
	return is_good && (load->spec.carrier != LOAD_STDIO ||
	                   (optind < argc && load->connection_count == 1));
}

int main(int argc, char **argv)
{
	struct load load = {
		.epoll = epoll_create1(EPOLL_CLOEXEC),
		.connection_count = 1,
	};
	const struct load_talk *first;

	if (!read_args(&load, argc, argv)) {
		fprintf(stderr, "usage: bench-load ws|http|raw|stdio "
		                "[-p PORT] [-t TOKEN] [-n COUNT] "
		                "[-c TOOL -b BYTES] [-r ASK,REPLY] [-s PID] "
		                "[-m MS] [-- COMMAND...]\n");
		return 2;
	}
	dt_buf_init(&load.times, DT_LIMIT_QUEUE);
	open_all(&load);
	first = &load.connections[0].talk;
	printf("{");
	if (load.ms)
		measure(&load);
	printf("\"first_us\":%.1f,\"rss_kib\":%lu,\"ask_bytes\":%zu,"
	       "\"reply_bytes\":%zu}\n",
	       (double)load.first_ns / 1e3, all_kib(&load), first->question.len,
	       first->reply_len);
	for (uint32_t i = 0; i < load.connection_count; i++)
		finish(&load, &load.connections[i]);
	return 0;
}
