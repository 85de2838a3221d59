/* base/log.c - a line is one write(), so that lines of several processes do
 * not mix. */
#include "base/log.h"

#include "base/clock.h"
#include "base/utf8.h"
#include "base/visible.h"

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

/* Copy text, hidden characters spelled out as visible.h does it, without memory
 * from the heap; returns the bytes written. */
static size_t escape(char *out, size_t size, const char *text)
{
	struct dt_str rest = dt_str(text);
	size_t n = 0;

	while (rest.len > 0 && n + sizeof("<U+10FFFF>") < size) {
		uint32_t code;
		size_t len;

		if (!dt_visible_read(rest, &code, &len))
			n += (size_t)snprintf(out + n, size - n, "<0x%02X>",
			                      code);
		else if (dt_visible_is_hidden(code))
			n += (size_t)snprintf(out + n, size - n, "<U+%04X>",
			                      code);
		else
			n += (size_t)snprintf(out + n, size - n, "%.*s",
			                      (int)len, rest.ptr);
		rest.ptr += len;
		rest.len -= len;
	}
	return n;
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
	text[dt_utf8_cut(dt_str(text), sizeof(text))] = '\0';
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
