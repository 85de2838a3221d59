/* base/log.c - a line is one write(), so that lines of several processes do
 * not mix. */
#include "base/log.h"

#include "base/clock.h"
#include "base/utf8.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINE 1024

static enum dt_log_level max_level = DT_LOG_WARN;
static int out_fd = STDERR_FILENO;

static const char *const level_names[] = { "error", "warn", "info", "debug" };

void dt_log_set(enum dt_log_level level, int fd)
{
	max_level = level;
	out_fd = fd;
}

void dt_log_set_level(enum dt_log_level level)
{
	max_level = level;
}

enum dt_log_level dt_log_level(void)
{
	return max_level;
}

/* Those of Latin-1 take two bytes, and terminals obey them all the same. */
static bool is_latin_control(const unsigned char *p)
{
	return p[0] == 0xc2 && p[1] >= 0x80 && p[1] < 0xa0;
}

/* Copy text, control characters shown as \xNN; returns the bytes written. */
static size_t escape(char *out, size_t size, const char *text)
{
	const unsigned char *p = (const unsigned char *)text;
	size_t n = 0;

	for (; *p && n + 5 < size; p++) {
		bool is_latin = is_latin_control(p);

		p += is_latin;
		if (is_latin || *p < 0x20 || *p == 0x7f)
			n += (size_t)snprintf(out + n, size - n, "\\x%02x", *p);
		else
			out[n++] = (char)*p;
	}
	return dt_utf8_cut((struct dt_str){ out, n }, n);
}

static void DT_PRINTF(2, 0)
	write_line(enum dt_log_level level, const char *fmt, va_list args)
{
	char text[LINE / 2];
	char line[LINE];
	char stamp[DT_CLOCK_TEXT];
	size_t n;

	dt_clock_format(dt_clock_wall_ms(), stamp);
	vsnprintf(text, sizeof(text), fmt, args);
	n = (size_t)snprintf(line, sizeof(line), "%s %s ", stamp,
	                     level_names[level]);
	n += escape(line + n, sizeof(line) - n - 1, text);
	line[n++] = '\n';
	/* A log that cannot be written must not stop the program. */
	while (write(out_fd, line, n) < 0 && errno == EINTR)
		continue;
}

void dt_log(enum dt_log_level level, const char *fmt, ...)
{
	int saved = errno;
	va_list args;

	if (level > max_level)
		return;
	va_start(args, fmt);
	write_line(level, fmt, args);
	va_end(args);
	errno = saved;
}

void dt_panic(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	write_line(DT_LOG_ERROR, fmt, args);
	va_end(args);
	abort();
}
