/*
 * app/cmd_attach_terminal.c - dovetail attach-terminal: the person looks into a
 * terminal of an agent, and types into it.
 *
 * Keys go there as they are but for the one that ends the look.  The terminal
 * stays as it was when we leave: what programs there have set is set back here.
 */
#include "app/attach.h"
#include "app/command.h"
#include "app/folder.h"
#include "app/terminal.h"
#include "app/text.h"
#include "base/limits.h"
#include "wire/lines.h"
#include "wire/tty.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

#define DETACH_KEY '\x1c' /* Ctrl-\ */
#define CTRL_C '\x03'
#define CHUNK 4096
#define HELLO_MS 10000

/* Colours, cursor, keys, mouse, paste and the other screen, as they were. */
#define USUAL                                                                  \
	"\033[0m\033[?25h\033[?1l\033>\033[?1000l\033[?1002l\033[?1003l"       \
	"\033[?1006l\033[?2004l\033[?1049l"

struct options {
	bool shares;
	bool only_reads;
};

static const struct dt_option options_table[] = {
	DT_OPTION(struct options, shares, FLAG,
	          "let every agent of the folder use it", .name = "share"),
	DT_OPTION(struct options, only_reads, FLAG, "look, but do not type",
	          .name = "read-only"),
	DT_OPTION_END,
};

struct look {
	int fd;
	const struct options *options;
	struct dt_arena *arena;
	struct dt_lines lines;
	struct dt_buf out; /* to the daemon */
	unsigned answers;  /* to hello and to the request, so far */
	const char *name;
	const char *agent;
	bool is_over;
	bool is_detached;
	char *why; /* it ended; or NULL */
	struct dt_fail fail;
	struct termios usual;
	bool is_raw;
};

static volatile sig_atomic_t has_resized;
static volatile sig_atomic_t is_signalled;

static void on_signal(int number)
{
	if (number == SIGWINCH)
		has_resized = 1;
	else
		is_signalled = 1;
}

/* our terminal */

static void begin_raw(struct look *l)
{
	struct termios raw;

	if (tcgetattr(STDIN_FILENO, &l->usual) < 0)
		return;
	raw = l->usual;
	cfmakeraw(&raw);
	tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
	l->is_raw = true;
}

static void end_raw(struct look *l)
{
	if (!l->is_raw)
		return;
	l->is_raw = false;
	fputs(USUAL, stdout);
	fflush(stdout);
	tcsetattr(STDIN_FILENO, TCSADRAIN, &l->usual);
}

static void catch_signals(sigset_t *old)
{
	/* They come in ppoll() alone, so none is missed. */
	static const int numbers[] = { SIGWINCH, SIGTERM, SIGHUP, SIGINT };
	struct sigaction action = { .sa_handler = on_signal };
	sigset_t blocked;

	sigemptyset(&blocked);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		sigaddset(&blocked, numbers[i]);
		sigaction(numbers[i], &action, NULL);
	}
	sigprocmask(SIG_BLOCK, &blocked, old);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		sigdelset(old, numbers[i]);
}

/* to the daemon */

static void send_line(struct look *l, enum dt_tty_type type,
                      struct dt_str bytes)
{
	dt_tty_write(&l->out, type, bytes);
	dt_buf_add_char(&l->out, '\n');
}

static void send_size(struct look *l)
{
	unsigned rows;
	unsigned columns;
	char text[32];
	int len;

	has_resized = 0;
	dt_terminal_size(&rows, &columns);
	len = snprintf(text, sizeof(text), "%u %u", rows, columns);
	send_line(l, DT_TTY_SIZE, (struct dt_str){ text, (size_t)len });
}

static void flush(struct look *l)
{
	while (l->out.len > 0 && l->fd >= 0) {
		ssize_t n = send(l->fd, l->out.ptr, l->out.len, MSG_NOSIGNAL);

		if (n < 0 && errno != EAGAIN && errno != EINTR)
			l->is_over = true;
		if (n < 0)
			return;
		dt_buf_consume(&l->out, (size_t)n);
	}
}

static void take_keys(struct look *l)
{
	char keys[CHUNK];
	ssize_t n = read(STDIN_FILENO, keys, sizeof(keys));
	struct dt_str typed = { keys, n > 0 ? (size_t)n : 0 };
	const char *end;

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	end = memchr(keys, DETACH_KEY, typed.len);
	if (!end && l->options->only_reads)
		end = memchr(keys, CTRL_C, typed.len);
	if (end)
		typed.len = (size_t)(end - keys);
	if (typed.len > 0 && !l->options->only_reads)
		send_line(l, DT_TTY_INPUT, typed);
	if (end || n <= 0)
		l->is_detached = l->is_over = true;
}

/* from the daemon */

struct told {
	const char *name;
	const char *agent;
};
static const struct dt_field told_fields[] = {
	DT_FIELD(struct told, name, NAME, 0, ""),
	DT_FIELD(struct told, agent, NAME, 0, ""),
	DT_FIELD_END,
};
static const struct dt_shape told_shape = DT_SHAPE(struct told, told_fields);

static void hear_answer(struct look *l, struct dt_str line)
{
	const struct dt_json *result;
	struct told told = { 0 };

	if (dt_attach_read_result(l->arena, line, &result, &l->fail) ||
	    dt_shape_read(&told_shape, l->arena, result, &told, &l->fail)) {
		l->is_over = true;
		return;
	}
	if (++l->answers < 2)
		return;
	l->name = told.name;
	l->agent = told.agent;
	printf("[dovetail: terminal %s of %s; %s]\r\n",
	       dt_text_safe(l->arena, told.name),
	       dt_text_safe(l->arena, told.agent),
	       l->options->only_reads ? "Ctrl-C or Ctrl-\\ leaves it"
	                              : "Ctrl-\\ leaves it");
	fflush(stdout);
	begin_raw(l);
}

static void write_all(struct dt_str bytes)
{
	while (bytes.len > 0) {
		ssize_t n = write(STDOUT_FILENO, bytes.ptr, bytes.len);

		if (n < 0 && errno != EINTR && errno != EAGAIN)
			return;
		if (n > 0) {
			bytes.ptr += n;
			bytes.len -= (size_t)n;
		}
	}
}

static void hear_line(struct look *l, struct dt_str line)
{
	enum dt_tty_type type;
	struct dt_buf bytes;

	if (l->answers < 2) {
		hear_answer(l, line);
		return;
	}
	dt_buf_init(&bytes, DT_LIMIT_MESSAGE);
	if (dt_tty_read(line, &type, &bytes, &l->fail)) {
		l->is_over = true;
	} else if (type == DT_TTY_OUTPUT) {
		write_all(dt_buf_str(&bytes));
	} else if (type == DT_TTY_END) {
		l->why = dt_arena_strdup(l->arena, dt_buf_z(&bytes));
		l->is_over = true;
	}
	dt_buf_done(&bytes);
}

static void hear(struct look *l)
{
	char chunk[CHUNK * 4];
	ssize_t n = recv(l->fd, chunk, sizeof(chunk), 0);
	struct dt_str rest = { chunk, n > 0 ? (size_t)n : 0 };

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		dt_fail(&l->fail, DT_E_CLOSED, "the daemon hung up");
		l->is_over = true;
	}
	while (rest.len > 0 && !l->is_over) {
		struct dt_str line;
		size_t used;

		if (dt_lines_read(&l->lines, rest, &used, &line, &l->fail)) {
			l->is_over = true;
			return;
		}
		rest.ptr += used;
		rest.len -= used;
		if (line.ptr)
			hear_line(l, line);
	}
}

/* turning */

static void turn(struct look *l, const sigset_t *signals)
{
	bool is_up = l->answers == 2;
	struct timespec patience = { HELLO_MS / 1000, 0 };
	struct pollfd fds[] = {
		{ .fd = is_up && l->is_raw ? STDIN_FILENO : -1,
		  .events = POLLIN },
		{ .fd = l->fd,
		  .events = (short)(POLLIN | (l->out.len ? POLLOUT : 0)) },
	};
	int n = ppoll(fds, 2, is_up ? NULL : &patience, signals);

	if (n == 0) {
		dt_fail(&l->fail, DT_E_TIMEOUT, "the daemon does not answer");
		l->is_over = true;
	}
	if (is_signalled)
		l->is_detached = l->is_over = true;
	if (n <= 0 && !has_resized)
		return;
	if (has_resized && is_up)
		send_size(l);
	if (n > 0 && fds[1].revents & (POLLIN | POLLHUP | POLLERR))
		hear(l);
	if (n > 0 && fds[0].revents && !l->is_over)
		take_keys(l);
	flush(l);
}

static enum dt_err look(struct look *l, struct dt_fail *fail)
{
	sigset_t signals;

	catch_signals(&signals);
	flush(l);
	while (!l->is_over)
		turn(l, &signals);
	flush(l);
	end_raw(l);
	if (l->is_detached)
		printf("\n[dovetail: left; `dovetail attach-terminal %s` looks "
		       "in again]\n",
		       dt_text_safe(l->arena, l->name ? l->name : ""));
	else if (l->why)
		printf("\n[dovetail: terminal %s is over: %s]\n",
		       dt_text_safe(l->arena, l->name),
		       dt_text_safe(l->arena, l->why));
	else
		return dt_fail(fail, l->fail.code, "%s", l->fail.msg);
	return DT_E_OK;
}

static enum dt_err run(const void *opts, char *const *args,
                       struct dt_fail *fail)
{
	struct dt_arena arena = { 0 };
	struct look l = { .fd = -1, .options = opts, .arena = &arena };
	struct dt_attach_terminal wanted = {
		.name = args[0],
		.shares = l.options->shares,
		.only_reads = l.options->only_reads,
	};
	enum dt_err err = DT_E_OK;

	if (!dt_terminal_is_there())
		err = dt_fail(fail, DT_E_STATE,
		              "attach-terminal needs a terminal to show "
		              "another one in");
	if (!err)
		err = dt_folder_find(&arena, NULL, &wanted.folder, fail);
	if (!err)
		err = dt_attach_connect(&l.fd, fail);
	if (!err) {
		dt_lines_init(&l.lines, DT_LIMIT_MESSAGE);
		dt_buf_init(&l.out, DT_MIB);
		dt_terminal_size(&wanted.rows, &wanted.columns);
		dt_attach_ask_terminal(&wanted, &l.out);
		err = look(&l, fail);
		dt_lines_done(&l.lines);
		dt_buf_done(&l.out);
		close(l.fd);
	}
	dt_arena_done(&arena);
	return err;
}

const struct dt_command dt_cmd_attach_terminal = {
	.name = "attach-terminal",
	.args = "NAME",
	.summary = "Look into a terminal of an agent",
	.doc = "Show the terminal NAME, or of that number, of an agent in this "
	       "folder, and type\ninto it. Several may look in at once; the "
	       "smallest of their windows is its size.\nCtrl-\\ leaves it as "
	       "it is. A terminal ends with its agent, unless it is shared.",
	.options = options_table,
	.options_size = sizeof(struct options),
	.min_args = 1,
	.max_args = 1,
	.run = run,
};
