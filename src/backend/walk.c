/*
 * backend/walk.c - a queue of folders, each opened beneath the root.
 *
 * A folder that cannot be opened, or went meanwhile, is passed over: a listing
 * of the rest is worth more than none.
 */
#include "backend/walk.h"

#include "base/arena.h"
#include "base/beneath.h"
#include "base/limits.h"
#include "base/list.h"

#include <dirent.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const skipped[] = { ".git",        ".hg",   ".svn",
	                               "__pycache__", ".venv", "node_modules",
	                               NULL };

struct folder {
	struct dt_list link;
	const char *name; /* "" or "src/" */
	unsigned depth;
};

struct walk {
	struct dt_arena arena;
	struct dt_list queue;
	const struct dt_walk_spec *spec;
	unsigned seen;
	bool is_whole;
};

bool dt_walk_skips(const char *name)
{
	for (size_t i = 0; skipped[i]; i++) {
		if (!strcmp(name, skipped[i]))
			return true;
	}
	return false;
}

static void add_folder(struct walk *w, const char *name, unsigned depth)
{
	struct folder *folder = dt_arena_alloc(&w->arena, sizeof(*folder));

	folder->name = name;
	folder->depth = depth;
	dt_list_append(&w->queue, &folder->link);
}

/* Some file systems do not say what an entry is. */
static unsigned char type_of(int fd, const struct dirent *entry)
{
	struct stat st;

	if (entry->d_type != DT_UNKNOWN)
		return entry->d_type;
	if (fstatat(fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW))
		return DT_UNKNOWN;
	return (unsigned char)IFTODT(st.st_mode);
}

static void visit(struct walk *w, const struct folder *in, int fd,
                  const struct dirent *entry)
{
	unsigned char type = type_of(fd, entry);
	const char *name;

	if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") ||
	    dt_walk_skips(entry->d_name))
		return;
	name = dt_arena_printf(&w->arena, "%s%s%s", in->name, entry->d_name,
	                       type == DT_DIR ? "/" : "");
	if ((type == DT_REG || type == DT_LNK) && w->spec->on_file)
		w->spec->on_file(name, w->spec->owner);
	else if (type == DT_DIR && in->depth < DT_LIMIT_LIST_DEPTH)
		add_folder(w, name, in->depth + 1);
	else if (type == DT_DIR)
		w->is_whole = false;
}

static void read_folder(struct walk *w, const struct folder *folder)
{
	const struct dt_walk_spec *spec = w->spec;
	const struct dirent *entry;
	DIR *dir = NULL;
	int fd;

	if (dt_beneath_open(spec->root, *folder->name ? folder->name : ".", &fd,
	                    NULL))
		return;
	if (!spec->on_folder || spec->on_folder(folder->name, fd, spec->owner))
		dir = fdopendir(fd);
	if (!dir) {
		close(fd);
		return;
	}
	while (w->seen < DT_LIMIT_LIST_FILES && (entry = readdir(dir))) {
		w->seen++;
		visit(w, folder, fd, entry);
	}
	closedir(dir);
}

bool dt_walk_folders(const struct dt_walk_spec *spec)
{
	struct walk w = { .spec = spec, .is_whole = true };

	dt_list_init(&w.queue);
	add_folder(&w, spec->from, 0);
	while (!dt_list_is_empty(&w.queue)) {
		struct folder *folder =
			DT_LIST_OF(w.queue.next, struct folder, link);

		dt_list_remove(&folder->link);
		read_folder(&w, folder);
	}
	dt_arena_done(&w.arena);
	return w.is_whole && w.seen < DT_LIMIT_LIST_FILES;
}

bool dt_walk(const char *root, const char *from, dt_walk_fn *fn, void *owner)
{
	struct dt_walk_spec spec = {
		.root = root,
		.from = from,
		.on_file = fn,
		.owner = owner,
	};

	return dt_walk_folders(&spec);
}
