/* app/text.c - texts made fit for a person and a terminal. */
#include "app/text.h"

#include "base/path.h"
#include "base/visible.h"

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

static const char *spell_out(struct dt_arena *arena, struct dt_str text,
                             enum dt_layout layout)
{
	const char *z;
	struct dt_buf out;

	dt_buf_init(&out, SIZE_MAX);
	dt_visible_add(&out, text, layout);
	z = dt_arena_strndup(arena, out.ptr ? out.ptr : "", out.len);
	dt_buf_done(&out);
	return z;
}

const char *dt_text_safe(struct dt_arena *arena, const char *z)
{
	return spell_out(arena, dt_str(z), DT_LAYOUT_NONE);
}

const char *dt_text_code(struct dt_arena *arena, struct dt_str line)
{
	return spell_out(arena, line, DT_LAYOUT_TABS);
}

bool dt_text_is_plain(struct dt_str line)
{
	if (line.len && line.ptr[line.len - 1] == '\n')
		line.len--;
	if (line.len && line.ptr[line.len - 1] == '\r')
		line.len--;
	return dt_visible_count(line, DT_LAYOUT_TABS) == 0;
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
