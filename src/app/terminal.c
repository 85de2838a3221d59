/*
 * app/terminal.c - keys and lines from the terminal.
 *
 * Signals that end a program are caught while we read, so that the mode is
 * always put back and the caller can tidy up.  There is one terminal, so its
 * state is the file's.
 */
#include "app/terminal.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
#define SIGNAL_COUNT (sizeof(signals) / sizeof(signals[0]))

static volatile sig_atomic_t was_signalled;
static struct sigaction old_actions[SIGNAL_COUNT];
static struct sigaction old_resize;
static struct termios usual;

static void on_signal(int number)
{
	(void)number;
	was_signalled = 1;
}

static void catch_signals(void)
{
	/* No SA_RESTART: what we wait in must end. */
	struct sigaction action = { .sa_handler = on_signal };

	was_signalled = 0;
	for (size_t i = 0; i < SIGNAL_COUNT; i++)
		sigaction(signals[i], &action, &old_actions[i]);
}

static void release_signals(void)
{
	for (size_t i = 0; i < SIGNAL_COUNT; i++)
		sigaction(signals[i], &old_actions[i], NULL);
}

bool dt_terminal_is_there(void)
{
	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
}

bool dt_terminal_has_colours(void)
{
	const char *plain = getenv("NO_COLOR");
	const char *terminal = getenv("TERM");

	return isatty(STDOUT_FILENO) && !(plain && *plain) && terminal &&
	       *terminal && strcmp(terminal, "dumb") != 0;
}

void dt_terminal_begin_keys(void)
{
	struct termios raw;

	fflush(stdout);
	catch_signals();
	if (tcgetattr(STDIN_FILENO, &usual) < 0)
		return;
	raw = usual;
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	/* What was typed before the question is no answer to it. */
	tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw);
}

void dt_terminal_end_keys(void)
{
	tcsetattr(STDIN_FILENO, TCSADRAIN, &usual);
	release_signals();
}

size_t dt_terminal_rows(void)
{
	struct winsize size;

	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) < 0 ? 0 : size.ws_row;
}

static void on_resize(int number)
{
	(void)number; /* it has ended the poll, and that is all */
}

void dt_terminal_begin_screen(void)
{
	struct sigaction action = { .sa_handler = on_resize };

	sigaction(SIGWINCH, &action, &old_resize);
	dt_terminal_begin_keys();
	fputs("\033[?1049h\033[?25l\033[2J", stdout);
}

void dt_terminal_end_screen(void)
{
	fputs("\033[?25h\033[?1049l", stdout);
	fflush(stdout);
	dt_terminal_end_keys();
	sigaction(SIGWINCH, &old_resize, NULL);
}

void dt_terminal_size(unsigned *out_rows, unsigned *out_columns)
{
	struct winsize size = { 0 };

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) < 0)
		size = (struct winsize){ 0 };
	*out_rows = size.ws_row ? size.ws_row : 24;
	*out_columns = size.ws_col ? size.ws_col : 80;
}

void dt_terminal_bell(void)
{
	putchar('\a');
	fflush(stdout);
}

int dt_terminal_key(int timeout_ms)
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

bool dt_terminal_line(struct dt_buf *out)
{
	bool is_done = false;
	char c;

	fflush(stdout);
	dt_buf_clear(out);
	catch_signals();
	while (!is_done && read(STDIN_FILENO, &c, 1) == 1) {
		is_done = c == '\n';
		if (!is_done)
			dt_buf_add_char(out, c);
	}
	release_signals();
	return is_done;
}
