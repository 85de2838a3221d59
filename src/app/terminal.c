/*
 * app/terminal.c - the terminal in raw mode, never longer than for one key.
 *
 * Signals that end a program are caught while we read, so that the mode is
 * always put back and the caller can tidy up; they come out as DT_KEY_END.
 */
#include "app/terminal.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <termios.h>
#include <unistd.h>

static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
#define SIGNAL_COUNT (sizeof(signals) / sizeof(signals[0]))

static volatile sig_atomic_t was_signalled;

static void on_signal(int number)
{
	(void)number;
	was_signalled = 1;
}

static void catch_signals(struct sigaction old[SIGNAL_COUNT])
{
	/* No SA_RESTART: what we wait in must end. */
	struct sigaction action = { .sa_handler = on_signal };

	was_signalled = 0;
	for (size_t i = 0; i < SIGNAL_COUNT; i++)
		sigaction(signals[i], &action, &old[i]);
}

static void release_signals(const struct sigaction old[SIGNAL_COUNT])
{
	for (size_t i = 0; i < SIGNAL_COUNT; i++)
		sigaction(signals[i], &old[i], NULL);
}

bool dt_terminal_is_there(void)
{
	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
}

static int read_key(int timeout_ms)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
	unsigned char key;
	int n = poll(&in, 1, timeout_ms);

	if (was_signalled)
		return DT_KEY_END;
	if (n == 0 || (n < 0 && errno == EINTR))
		return DT_KEY_NONE;
	if (n < 0 || read(STDIN_FILENO, &key, 1) != 1)
		return DT_KEY_END;
	/* Ctrl-D is the end of input as well. */
	return key == 4 ? DT_KEY_END : key;
}

int dt_terminal_key(int timeout_ms)
{
	struct sigaction old[SIGNAL_COUNT];
	struct termios usual;
	struct termios raw;
	int key;

	fflush(stdout);
	if (tcgetattr(STDIN_FILENO, &usual) < 0)
		return DT_KEY_END;
	raw = usual;
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	catch_signals(old);
	/* Not TCSAFLUSH: a key typed early counts. */
	tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
	key = read_key(timeout_ms);
	tcsetattr(STDIN_FILENO, TCSADRAIN, &usual);
	release_signals(old);
	return key;
}

bool dt_terminal_line(struct dt_buf *out)
{
	struct sigaction old[SIGNAL_COUNT];
	bool is_done = false;
	char c;

	fflush(stdout);
	dt_buf_clear(out);
	catch_signals(old);
	while (!is_done && read(STDIN_FILENO, &c, 1) == 1) {
		is_done = c == '\n';
		if (!is_done)
			dt_buf_add_char(out, c);
	}
	release_signals(old);
	return is_done;
}
