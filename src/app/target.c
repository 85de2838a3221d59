/*
 * app/target.c - where a file's name ends and a position begins.
 *
 * Both may hold colons.  Only the disk can tell, so the candidates are tried
 * from the longest name on.
 */
#include "app/target.h"

#include "base/path.h"

#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

static bool read_number(struct dt_str text, uint32_t *out)
{
	return !dt_str_to_u32(text, out, NULL) && *out > 0;
}

static bool read_spot(struct dt_str text, struct dt_spot *out)
{
	struct dt_str line = dt_str_cut(&text, ':');

	if (text.ptr && !read_number(text, &out->column))
		return false;
	return read_number(line, &out->line);
}

/* What stands behind a name: "3", "3:5", "3-7", "3:5-7:2". */
static bool read_position(const char *text, struct dt_target *out)
{
	struct dt_str end = dt_str(text);
	struct dt_str start = dt_str_cut(&end, '-');

	out->start = out->end = (struct dt_spot){ 0 };
	if (end.ptr && !read_spot(end, &out->end))
		return false;
	return read_spot(start, &out->start);
}

static bool is_there(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0;
}

static enum dt_err make_absolute(struct dt_arena *arena, const char *name,
                                 const char **out, struct dt_fail *fail)
{
	char folder[4096];

	if (!getcwd(folder, sizeof(folder)))
		return dt_fail_sys(fail, "cannot tell the current folder");
	*out = dt_path_join(arena, folder, name);
	return DT_E_OK;
}

enum dt_err dt_target_read(struct dt_arena *arena, const char *text,
                           struct dt_target *out, struct dt_fail *fail)
{
	struct dt_target found = { 0 };
	const char *missing = text;

	if (*text && is_there(text)) {
		*out = found;
		return make_absolute(arena, text, &out->path, fail);
	}
	for (size_t at = strlen(text); at-- > 1;) {
		const char *name;

		if (text[at] != ':' || !read_position(text + at + 1, &found))
			continue;
		name = missing = dt_arena_strndup(arena, text, at);
		if (!is_there(name))
			continue;
		*out = found;
		return make_absolute(arena, name, &out->path, fail);
	}
	return dt_fail(fail, DT_E_MISSING, "there is no file %s", missing);
}
