/*
 * app/shown.c - the two trees of a change as a person may look at them.
 *
 * git and pagers pass on what they find in a file, and a terminal obeys it.  So
 * they are given copies in which every hidden character is spelled out; the
 * trees themselves stay as they are, for the person edits there.
 */
#include "app/shown.h"

#include "base/file.h"
#include "base/limits.h"
#include "base/path.h"
#include "base/visible.h"

#include <dirent.h>
#include <string.h>
#include <unistd.h>

/* One file or folder below "a" or "b". */
typedef enum dt_err see_fn(struct dt_arena *arena, const char *from,
                           const char *to, void *owner, struct dt_fail *fail);

/* Every file below FROM, with its place below TO, where names are spelled out. */
static enum dt_err walk(struct dt_arena *arena, const char *from,
                        const char *to, see_fn *see, void *owner,
                        struct dt_fail *fail)
{
	const struct dirent *item;
	enum dt_err err = DT_E_OK;
	DIR *dir = opendir(from);

	if (!dir)
		return dt_fail_sys(fail, "cannot look into %s", from);
	while (!err && (item = readdir(dir))) {
		struct dt_buf name;
		const char *file = dt_path_join(arena, from, item->d_name);
		const char *copy;

		if (!strcmp(item->d_name, ".") || !strcmp(item->d_name, ".."))
			continue;
		dt_buf_init(&name, SIZE_MAX);
		if (dt_visible_add(&name, dt_str(item->d_name),
		                   DT_LAYOUT_NONE) &&
		    owner)
			*(bool *)owner = true;
		copy = dt_path_join(arena, to, dt_buf_z(&name));
		dt_buf_done(&name);
		err = dt_file_is_dir(file)
		              ? walk(arena, file, copy, see, owner, fail)
		              : see(arena, file, copy, owner, fail);
	}
	closedir(dir);
	return err;
}

static enum dt_err look(struct dt_arena *arena, const char *from,
                        const char *to, void *owner, struct dt_fail *fail)
{
	bool *has_hidden = owner;
	struct dt_buf text;
	enum dt_err err;

	(void)arena;
	(void)to;
	dt_buf_init(&text, DT_LIMIT_FILE);
	err = dt_file_read(from, &text, fail);
	if (!err && dt_visible_count(dt_buf_str(&text), DT_LAYOUT_FILE) > 0)
		*has_hidden = true;
	dt_buf_done(&text);
	return err;
}

static enum dt_err copy(struct dt_arena *arena, const char *from,
                        const char *to, void *owner, struct dt_fail *fail)
{
	struct dt_buf text;
	struct dt_buf shown;
	enum dt_err err;

	(void)owner;
	dt_buf_init(&text, DT_LIMIT_FILE);
	dt_buf_init(&shown, SIZE_MAX);
	err = dt_file_read(from, &text, fail);
	if (!err)
		err = dt_file_make_dirs(dt_path_join(arena, to, ".."), fail);
	if (!err) {
		dt_visible_add(&shown, dt_buf_str(&text), DT_LAYOUT_FILE);
		err = dt_file_write(to, dt_buf_str(&shown), 0600, fail);
	}
	dt_buf_done(&shown);
	dt_buf_done(&text);
	return err;
}

static enum dt_err for_both(struct dt_arena *arena, const char *from,
                            const char *to, see_fn *see, void *owner,
                            struct dt_fail *fail)
{
	enum dt_err err = walk(arena, dt_path_join(arena, from, "a"),
	                       dt_path_join(arena, to, "a"), see, owner, fail);

	if (err)
		return err;
	return walk(arena, dt_path_join(arena, from, "b"),
	            dt_path_join(arena, to, "b"), see, owner, fail);
}

enum dt_err dt_shown_make(struct dt_arena *arena, const char *folder,
                          const char **out, struct dt_fail *fail)
{
	const char *shown = dt_path_join(arena, folder, "shown");
	bool has_hidden = false;
	enum dt_err err =
		for_both(arena, folder, shown, look, &has_hidden, fail);

	*out = folder;
	if (err || !has_hidden)
		return err;
	*out = shown;
	dt_file_remove_tree(shown);
	err = dt_file_make_dirs(dt_path_join(arena, shown, "a"), fail);
	if (!err)
		err = dt_file_make_dirs(dt_path_join(arena, shown, "b"), fail);
	return err ? err : for_both(arena, folder, shown, copy, NULL, fail);
}
