/* app/text.c - texts made fit for a person and a terminal. */
#include "app/text.h"

#include "base/path.h"
#include "base/utf8.h"

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

/* Those of Latin-1 take two bytes, and terminals obey them all the same. */
static bool is_control(const unsigned char *p)
{
	return *p < 0x20 || *p == 0x7f ||
	       (*p == 0xc2 && p[1] >= 0x80 && p[1] < 0xa0);
}

const char *dt_text_safe(struct dt_arena *arena, const char *z)
{
	const unsigned char *p = (const unsigned char *)z;
	size_t size = strlen(z) * 4 + 1;
	char *out = dt_arena_bytes(arena, size);
	size_t n = 0;

	for (; *p; p++) {
		if (!is_control(p)) {
			out[n++] = (char)*p;
			continue;
		}
		p += *p == 0xc2;
		n += (size_t)snprintf(out + n, size - n, "\\x%02x", *p);
	}
	out[n] = '\0';
	dt_arena_shrink(arena, out, size, n + 1);
	return out;
}

/* How many bytes the character at `p` has, 0 when it is none. */
static size_t character(struct dt_str rest)
{
	size_t len = 1;

	while (len <= 4 && len <= rest.len) {
		if (dt_utf8_is_valid((struct dt_str){ rest.ptr, len }))
			return len;
		len++;
	}
	return 0;
}

const char *dt_text_code(struct dt_arena *arena, struct dt_str line)
{
	size_t size = line.len * 4 + 1;
	char *out = dt_arena_bytes(arena, size);
	size_t n = 0;

	while (line.len > 0) {
		unsigned char c = (unsigned char)line.ptr[0];
		size_t len = character(line);
		bool is_shown = c == '\t' ||
		                (len == 1 && c >= 0x20 && c != 0x7f) ||
		                (len > 1 &&
		                 !is_control((const unsigned char *)line.ptr));

		if (is_shown)
			memcpy(out + n, line.ptr, len);
		else
			len = 1;
		n += is_shown ? len
		              : (size_t)snprintf(out + n, size - n, "\\x%02x",
		                                 c);
		line.ptr += len;
		line.len -= len;
	}
	out[n] = '\0';
	dt_arena_shrink(arena, out, size, n + 1);
	return out;
}

bool dt_text_is_plain(struct dt_str line)
{
	if (line.len && line.ptr[line.len - 1] == '\n')
		line.len--;
	if (line.len && line.ptr[line.len - 1] == '\r')
		line.len--;
	for (size_t i = 0; i < line.len; i++) {
		unsigned char c = (unsigned char)line.ptr[i];
		unsigned char next =
			i + 1 < line.len ? (unsigned char)line.ptr[i + 1] : 0;

		if (c != '\t' && is_control((unsigned char[]){ c, next }))
			return false;
	}
	return true;
}

const char *dt_text_ago(struct dt_arena *arena, int64_t wall_ms, int64_t now_ms)
{
	int64_t minutes = (now_ms - wall_ms) / 60000;

	if (minutes < 1)
		return "just now";
	if (minutes < 90)
		return dt_arena_printf(arena, "%d min ago", (int)minutes);
	if (minutes < 48 * 60)
		return dt_arena_printf(arena, "%d h ago", (int)(minutes / 60));
	return dt_arena_printf(arena, "%d days ago", (int)(minutes / 60 / 24));
}

const char *dt_text_until(struct dt_arena *arena, int64_t wall_ms,
                          int64_t now_ms)
{
	time_t now = (time_t)(now_ms / 1000);
	time_t end = (time_t)(wall_ms / 1000);
	struct tm today;
	struct tm then;
	char text[32] = "";
	bool is_today;

	if (!localtime_r(&now, &today) || !localtime_r(&end, &then))
		return "for long";
	is_today =
		today.tm_year == then.tm_year && today.tm_yday == then.tm_yday;
	strftime(text, sizeof(text), is_today ? "%H:%M" : "%Y-%m-%d %H:%M",
	         &then);
	return dt_arena_printf(arena, "until %s", text);
}

const char *dt_text_path(struct dt_arena *arena, const char *path,
                         const char *root)
{
	if (root && strcmp(path, root) != 0 && dt_path_is_beneath(path, root))
		path += strlen(root) + (root[1] != '\0');
	return dt_text_safe(arena, path);
}

const char *dt_text_count(struct dt_arena *arena, uint64_t count,
                          const char *noun)
{
	return dt_arena_printf(arena, "%llu %s%s", (unsigned long long)count,
	                       noun, count == 1 ? "" : "s");
}
