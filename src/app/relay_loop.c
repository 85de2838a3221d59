/*
 * app/relay_loop.c - bytes between standard input and output and the daemon.
 *
 * What the lines mean is app/relay.c's.  Here are the files, the daemon's coming
 * and going, and when to end.  One poll() and no libuv: there is one of these
 * processes for each client, for as long as that runs.
 *
 * Standard input and output may be shared with other programs, so they are not
 * made non-blocking: a socket is asked not to wait by each call, and a pipe that
 * poll() calls writable takes PIPE_BUF bytes.
 */
#include "app/relay_loop.h"

#include "app/attach.h"
#include "app/daemon_start.h"
#include "app/relay.h"
#include "base/clock.h"
#include "base/limits.h"
#include "base/log.h"
#include "loop/os.h"
#include "wire/lines.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK (256u * DT_KIB) /* read at once: most lines are whole then */
#define LARGE (32u * DT_KIB)  /* memory beyond it is not kept */
#define FIRST_DELAY_MS 10
#define LAST_DELAY_MS 1000
#define AWAY_MS 60000   /* a daemon that is gone for longer does not come */
#define COMING_MS 10000 /* one that did not start, but somebody else's may */
#define ATTACH_MS 10000 /* a daemon that says nothing for longer hangs */
#define DRAIN_MS 1000   /* for answers that are due when the client has ended */
#define GOODBYE_MS 500
#define SWOLLEN_MS 1000 /* memory is given back when nothing large comes */

#define GONE                                                                   \
	"the daemon is gone and did not come back; `dovetail start` starts it"
#define HANGS                                                                  \
	"the daemon does not answer; `dovetail restart` starts another one"
#define ENDED "the input ended before there was an answer"

enum state {
	AWAY,      /* tries to connect, again and again */
	ATTACHING, /* connected; the daemon has yet to say yes */
	UP,
	OVER, /* gave up; tries once for each message */
};

struct loop {
	struct dt_relay relay;
	enum state state;
	struct dt_attach attach;
	char *session; /* ours in the daemon; NULL: none yet */
	int fd;        /* to the daemon; -1: none */
	struct dt_lines from_client;
	struct dt_lines from_daemon;
	bool is_skipping; /* to the end of a line that is too long */
	bool is_socket;   /* standard output */
	bool has_ended;   /* standard input */
	bool is_leaving;  /* the client does not read any more */
	uint64_t delay_ms;
	uint64_t next_ms;   /* the next try; ATTACHING: the end of this one */
	uint64_t until_ms;  /* AWAY: hope ends; has_ended: patience does */
	uint64_t shrink_ms; /* memory is given back; 0: there is none */
	struct dt_fail why; /* the daemon could not be started */
	char *chunk;        /* what is read; NULL: the memory was given back */
};

static volatile sig_atomic_t is_signalled;

static void on_signal(int number)
{
	(void)number;
	is_signalled = 1;
}

/* the daemon */

static void close_daemon(struct loop *l)
{
	if (l->fd >= 0)
		close(l->fd);
	l->fd = -1;
	dt_lines_done(&l->from_daemon);
	dt_lines_init(&l->from_daemon, DT_LIMIT_MESSAGE);
}

static void give_up(struct loop *l, const char *why)
{
	dt_log(DT_LOG_ERROR, "%s", why);
	close_daemon(l);
	dt_relay_give_up(&l->relay, why);
	l->state = OVER;
}

static void go_away(struct loop *l, uint64_t patience_ms)
{
	uint64_t now = dt_clock_ms();

	l->state = AWAY;
	l->delay_ms = FIRST_DELAY_MS;
	l->next_ms = now + l->delay_ms;
	if (!l->has_ended)
		l->until_ms = now + patience_ms;
}

static void lose(struct loop *l)
{
	bool was_up = l->state == UP;

	close_daemon(l);
	dt_relay_lost(&l->relay);
	if (was_up) {
		dt_log(DT_LOG_INFO, "the daemon went away");
		go_away(l, AWAY_MS);
	} else {
		l->state = AWAY;
		l->next_ms = dt_clock_ms() + l->delay_ms;
	}
}

static enum dt_err try_connect(struct loop *l, struct dt_fail *fail)
{
	enum dt_err err = dt_attach_connect(&l->fd, fail);

	if (err)
		return err;
	l->attach.session = l->session;
	dt_attach_ask(&l->attach, &l->relay.first);
	l->state = ATTACHING;
	l->next_ms = dt_clock_ms() + ATTACH_MS;
	return DT_E_OK;
}

/* Once more, after a pause that grows. */
static void retry(struct loop *l)
{
	struct dt_fail fail = { 0 };
	enum dt_err err = try_connect(l, &fail);

	if (!err)
		return;
	if (err != DT_E_MISSING) {
		give_up(l, fail.msg);
	} else if (dt_clock_ms() >= l->until_ms) {
		give_up(l, l->why.code ? l->why.msg : GONE);
	} else {
		l->delay_ms *= 2;
		if (l->delay_ms > LAST_DELAY_MS)
			l->delay_ms = LAST_DELAY_MS;
		l->next_ms = dt_clock_ms() + l->delay_ms;
	}
}

static void connect_first(struct loop *l)
{
	struct dt_fail fail = { 0 };
	enum dt_err err = try_connect(l, &fail);

	if (!err)
		return;
	if (err != DT_E_MISSING) {
		give_up(l, fail.msg);
		return;
	}
	/* When it does not start, somebody else may be starting it. */
	if (dt_daemon_start(&l->why))
		go_away(l, COMING_MS);
	else
		go_away(l, AWAY_MS);
	l->next_ms = 0;
}

static void hear_attached(struct loop *l, struct dt_str line)
{
	struct dt_arena arena = { 0 };
	struct dt_attached attached = { 0 };
	struct dt_fail fail = { 0 };

	if (dt_attach_read(&arena, line, &attached, &fail)) {
		give_up(l, fail.msg);
	} else if (attached.session) {
		free(l->session);
		l->session = dt_strdup(attached.session);
		l->state = UP;
		l->why = (struct dt_fail){ 0 };
		dt_log(DT_LOG_INFO, "session %.8s of %s", attached.session,
		       attached.workspace ? attached.workspace : "?");
		dt_relay_attached(&l->relay, attached.is_resumed);
	}
	dt_arena_done(&arena);
}

static void hear(struct loop *l, struct dt_str bytes)
{
	while (bytes.len && l->fd >= 0) {
		struct dt_str line;
		size_t used;

		if (dt_lines_read(&l->from_daemon, bytes, &used, &line, NULL)) {
			lose(l);
			return;
		}
		bytes.ptr += used;
		bytes.len -= used;
		if (!line.ptr)
			continue;
		if (l->state == UP)
			dt_relay_hear(&l->relay, line);
		else
			hear_attached(l, line);
	}
}

static char *get_chunk(struct loop *l)
{
	if (!l->chunk)
		l->chunk = dt_realloc(NULL, CHUNK);
	return l->chunk;
}

/* So much was read at once, or is held, that its memory has to go again. */
static void note_size(struct loop *l, size_t len)
{
	if (len > LARGE)
		l->shrink_ms = dt_clock_ms() + SWOLLEN_MS;
}

/* False when nothing more is there now. */
static bool read_daemon(struct loop *l)
{
	ssize_t n = recv(l->fd, get_chunk(l), CHUNK, 0);

	if (n > 0) {
		note_size(l, (size_t)n);
		hear(l, (struct dt_str){ l->chunk, (size_t)n });
	} else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
		lose(l);
	}
	return n > 0 && l->fd >= 0;
}

/* It takes nothing any more; what it said before is still to be read. */
static void bury_daemon(struct loop *l)
{
	while (read_daemon(l))
		continue;
	if (l->fd >= 0)
		lose(l);
}

static void write_daemon(struct loop *l)
{
	struct dt_str next;

	while (l->fd >= 0 && (next = dt_relay_next(&l->relay)).len) {
		ssize_t n = send(l->fd, next.ptr, next.len, MSG_NOSIGNAL);

		if (n >= 0)
			dt_relay_wrote(&l->relay, (size_t)n);
		else if (errno == EAGAIN || errno == EINTR)
			return;
		else
			bury_daemon(l);
	}
}

/* the client */

static void take_line(struct loop *l, struct dt_str line)
{
	struct dt_fail fail = { 0 };

	if (l->state == OVER && !l->has_ended && !try_connect(l, &fail)) {
		l->until_ms = dt_clock_ms() + COMING_MS;
		l->delay_ms = FIRST_DELAY_MS;
		dt_relay_hope(&l->relay);
	}
	dt_relay_take(&l->relay, line);
}

/* The rest of a line that is too long; what comes behind it. */
static struct dt_str skip_line(struct loop *l, struct dt_str bytes)
{
	const char *lf = memchr(bytes.ptr, '\n', bytes.len);
	size_t used = lf ? (size_t)(lf + 1 - bytes.ptr) : bytes.len;

	l->is_skipping = !lf;
	return (struct dt_str){ bytes.ptr + used, bytes.len - used };
}

static void take(struct loop *l, struct dt_str bytes)
{
	if (l->is_skipping)
		bytes = skip_line(l, bytes);
	while (bytes.len) {
		struct dt_str line;
		size_t used;

		if (dt_lines_read(&l->from_client, bytes, &used, &line, NULL)) {
			dt_relay_take_too_long(&l->relay);
			dt_lines_done(&l->from_client);
			dt_lines_init(&l->from_client, DT_LIMIT_MESSAGE);
			bytes = skip_line(l, bytes);
			continue;
		}
		bytes.ptr += used;
		bytes.len -= used;
		if (line.ptr)
			take_line(l, line);
	}
}

/* A last line may lack its end. */
static void end_client(struct loop *l)
{
	if (l->has_ended)
		return;
	if (!l->is_skipping)
		take(l, DT_STR("\n"));
	l->has_ended = true;
	l->until_ms = dt_clock_ms() + DRAIN_MS;
}

static void read_client(struct loop *l)
{
	ssize_t n = read(STDIN_FILENO, get_chunk(l), CHUNK);

	if (n > 0) {
		note_size(l, (size_t)n);
		take(l, (struct dt_str){ l->chunk, (size_t)n });
	} else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
		end_client(l);
	}
}

static bool can_write(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };

	return poll(&p, 1, 0) == 1 && (p.revents & POLLOUT);
}

/* As much as goes without waiting; -1 with errno EAGAIN: nothing does. */
static ssize_t write_some(const struct loop *l, const char *ptr, size_t len)
{
	if (l->is_socket)
		return send(STDOUT_FILENO, ptr, len,
		            MSG_DONTWAIT | MSG_NOSIGNAL);
	if (!can_write(STDOUT_FILENO)) {
		errno = EAGAIN;
		return -1;
	}
	return write(STDOUT_FILENO, ptr, len < PIPE_BUF ? len : PIPE_BUF);
}

static void write_client(struct loop *l)
{
	struct dt_buf *out = &l->relay.to_client;
	size_t done = 0;

	while (done < out->len) {
		ssize_t n = write_some(l, out->ptr + done, out->len - done);

		if (n < 0 && errno != EAGAIN && errno != EINTR)
			l->is_leaving = true;
		if (n < 0)
			break;
		done += (size_t)n;
	}
	dt_buf_consume(out, done);
	if (!out->len && out->cap > LARGE)
		dt_buf_done(out);
}

/* turning */

static bool is_over(const struct loop *l)
{
	if (is_signalled || l->is_leaving)
		return true;
	if (!l->has_ended)
		return false;
	if (dt_clock_ms() >= l->until_ms)
		return true;
	return !dt_relay_is_busy(&l->relay) && !l->relay.to_client.len &&
	       (l->state == OVER || !l->relay.to_daemon.len);
}

static int timeout_of(const struct loop *l)
{
	uint64_t now = dt_clock_ms();
	uint64_t until = UINT64_MAX;

	if (l->state == AWAY || l->state == ATTACHING)
		until = l->next_ms;
	if (l->has_ended && l->until_ms < until)
		until = l->until_ms;
	if (l->shrink_ms && l->shrink_ms < until)
		until = l->shrink_ms;
	if (until == UINT64_MAX)
		return -1;
	return until > now ? (int)(until - now) : 0;
}

/* What is waited for; one with nothing to wait for is left out, since its end
 * would be told again and again. */
static struct pollfd want(int fd, bool reads, bool writes)
{
	return (struct pollfd){
		.fd = reads || writes ? fd : -1,
		.events =
			(short)((reads ? POLLIN : 0) | (writes ? POLLOUT : 0)),
	};
}

/* The memory of the last line goes when another is asked for. */
static size_t held_by(struct dt_lines *lines)
{
	struct dt_str line;
	size_t used;

	if (dt_lines_read(lines, (struct dt_str){ 0 }, &used, &line, NULL))
		return 0;
	return lines->partial.cap;
}

/* A relay that once carried something large does not stay large; but while
 * such things come one after the other, their memory is used again. */
static void shrink(struct loop *l)
{
	size_t held = held_by(&l->from_client) + held_by(&l->from_daemon) +
	              l->relay.to_daemon.cap + l->relay.to_client.cap;

	note_size(l, held);
	if (l->shrink_ms && dt_clock_ms() >= l->shrink_ms) {
		l->shrink_ms = 0;
		free(l->chunk);
		l->chunk = NULL;
		dt_os_release_memory();
		dt_os_release_code();
	}
}

/* Wait for something, and do it. */
static void turn(struct loop *l, const sigset_t *signals)
{
	/* Who does not take what there is gets no more of it. */
	bool is_full =
		l->state == UP && l->relay.to_daemon.len > DT_LIMIT_QUEUE_HIGH;
	bool is_clogged = l->relay.to_client.len > DT_LIMIT_QUEUE_HIGH;
	struct pollfd fds[] = {
		want(STDIN_FILENO, !l->has_ended && !is_full && !is_clogged,
		     false),
		{ .fd = STDOUT_FILENO,
		  .events = l->relay.to_client.len ? POLLOUT : 0 },
		want(l->fd, !is_clogged, dt_relay_next(&l->relay).len > 0),
	};
	int ms = timeout_of(l);
	struct timespec time = { ms / 1000, ms % 1000 * 1000000L };

	if (ppoll(fds, 3, ms < 0 ? NULL : &time, signals) < 0)
		return;
	if (fds[1].revents & (POLLERR | POLLHUP | POLLNVAL))
		l->is_leaving = true;
	if (fds[2].revents & (POLLIN | POLLHUP | POLLERR) && !is_clogged)
		(void)read_daemon(l);
	if (fds[0].revents)
		read_client(l);
	if (l->state == AWAY && dt_clock_ms() >= l->next_ms)
		retry(l);
	else if (l->state == ATTACHING && dt_clock_ms() >= l->next_ms)
		give_up(l, HANGS);
	write_daemon(l);
	write_client(l);
	shrink(l);
}

/* the end */

/* What is still due when nobody waits any longer is answered all the same. */
static void answer_rest(struct loop *l)
{
	if (!l->has_ended || l->is_leaving || !dt_relay_is_busy(&l->relay))
		return;
	dt_relay_give_up(&l->relay, ENDED);
	write_client(l);
}

/* The session would wait for us; nobody comes back to it. */
static void say_goodbye(struct loop *l)
{
	struct pollfd p = { .events = POLLIN };
	struct dt_buf lines;
	char answers[DT_KIB];
	uint64_t until = dt_clock_ms() + GOODBYE_MS;
	size_t left = 2; /* lines */

	if (!l->session || l->state != UP ||
	    dt_attach_connect(&p.fd, NULL) != DT_E_OK)
		return;
	dt_buf_init(&lines, DT_KIB);
	dt_attach_leave(l->session, &lines);
	if (send(p.fd, lines.ptr, lines.len, MSG_NOSIGNAL) < 0)
		left = 0;
	while (left && dt_clock_ms() < until && poll(&p, 1, GOODBYE_MS) > 0) {
		ssize_t n = recv(p.fd, answers, sizeof(answers), 0);

		if (n <= 0)
			break;
		for (ssize_t i = 0; i < n; i++)
			left -= answers[i] == '\n' && left;
	}
	close(p.fd);
	dt_buf_done(&lines);
}

static void watch_signals(sigset_t *out_before)
{
	struct sigaction action = { .sa_handler = on_signal };
	sigset_t ours;

	/* They come while we wait and at no other time. */
	sigemptyset(&ours);
	sigaddset(&ours, SIGTERM);
	sigaddset(&ours, SIGINT);
	sigaddset(&ours, SIGHUP);
	sigprocmask(SIG_BLOCK, &ours, out_before);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
}

static void free_loop(struct loop *l)
{
	close_daemon(l);
	dt_lines_done(&l->from_client);
	dt_lines_done(&l->from_daemon);
	dt_relay_done(&l->relay);
	free(l->session);
	free(l->chunk);
	free(l);
}

void dt_relay_run(const char *workspace, bool is_full)
{
	struct loop *l = dt_alloc(sizeof(*l));
	pid_t parent = getppid();
	struct stat st;
	sigset_t before;

	l->fd = -1;
	l->attach.workspace = workspace;
	l->attach.is_full = is_full;
	/* Everything descends from init, and is not an agent for that. */
	l->attach.client = parent > 1 ? parent : 0;
	l->is_socket = !fstat(STDOUT_FILENO, &st) && S_ISSOCK(st.st_mode);
	dt_os_keep_memory_small();
	dt_relay_init(&l->relay);
	dt_lines_init(&l->from_client, DT_LIMIT_MESSAGE);
	dt_lines_init(&l->from_daemon, DT_LIMIT_MESSAGE);
	connect_first(l);
	/* What the start needed goes as well. */
	l->shrink_ms = dt_clock_ms() + SWOLLEN_MS;
	watch_signals(&before);
	while (!is_over(l))
		turn(l, &before);
	answer_rest(l);
	say_goodbye(l);
	free_loop(l);
}
