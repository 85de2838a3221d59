/*
 * review/tree.c - folders taken apart, so that every file is seen and checked.
 *
 * Folders are opened beneath their root and links are not followed, so what is
 * listed is in the workspace.  Whether it is still the same when it is deleted
 * is for base/replace.c: a file that came since keeps its folder.
 */
#include "review/tree.h"

#include "base/beneath.h"
#include "base/limits.h"
#include "base/path.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEPTH_MAX 64

struct listing {
	struct dt_arena *arena;
	struct dt_change list[DT_LIMIT_CHANGES];
	size_t count;
	struct dt_fail *fail;
};

bool dt_tree_is_folder(const char *path)
{
	size_t len = strlen(path);

	return len > 1 && path[len - 1] == '/';
}

static enum dt_err add(struct listing *l, const struct dt_change *change)
{
	if (l->count == DT_LIMIT_CHANGES)
		return dt_fail(l->fail, DT_E_LIMIT,
		               "the change has more than %u files and folders",
		               DT_LIMIT_CHANGES);
	l->list[l->count++] = *change;
	return DT_E_OK;
}

static enum dt_err add_path(struct listing *l, const struct dt_change *as,
                            const char *path, bool is_folder)
{
	struct dt_change change = {
		.kind = DT_CHANGE_DELETE,
		.path = path,
		.is_folder = is_folder,
		.to_trash = as->to_trash,
	};

	return add(l, &change);
}

static enum dt_err list_folder(struct listing *l, const struct dt_change *as,
                               int fd, const char *path, unsigned depth);

/* NOLINTNEXTLINE(misc-no-recursion): DEPTH_MAX ends it. */
static enum dt_err see(struct listing *l, const struct dt_change *as, int fd,
                       const char *path, unsigned depth)
{
	const char *name = dt_path_base(path);
	struct stat st;
	int below;

	if (!strcasecmp(name, ".git"))
		return dt_fail(l->fail, DT_E_DENIED,
		               "%s is a repository and is not deleted from "
		               "here",
		               path);
	if (fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return dt_fail_sys(l->fail, "cannot look at %s", path);
	if (S_ISREG(st.st_mode))
		return add_path(l, as, path, false);
	if (!S_ISDIR(st.st_mode))
		return dt_fail(l->fail, DT_E_DENIED,
		               "%s is neither a file nor a folder, and the "
		               "whole folder stays",
		               path);
	if (depth == 0)
		return dt_fail(l->fail, DT_E_LIMIT,
		               "the folders in %s are too deep", path);
	below = openat(fd, name,
	               O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (below < 0)
		return dt_fail_sys(l->fail, "cannot open %s", path);
	return list_folder(l, as, below, path, depth - 1);
}

/* Takes the folder over.  NOLINTNEXTLINE(misc-no-recursion): see above. */
static enum dt_err list_folder(struct listing *l, const struct dt_change *as,
                               int fd, const char *path, unsigned depth)
{
	DIR *dir = fdopendir(fd);
	const struct dirent *entry;
	enum dt_err err = DT_E_OK;

	if (!dir) {
		err = dt_fail_sys(l->fail, "cannot list %s", path);
		close(fd);
		return err;
	}
	while (!err && (entry = readdir(dir))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		err = see(l, as, fd,
		          dt_path_join(l->arena, path, entry->d_name), depth);
	}
	closedir(dir);
	return err ? err : add_path(l, as, path, true);
}

static enum dt_err list_tree(struct listing *l, const struct dt_change *as,
                             const struct dt_documents *docs)
{
	const char *path = dt_path_join(l->arena, "/", as->path);
	const char *relative = "";
	const char *root = NULL;
	const char *real;
	struct stat st;
	enum dt_err err;
	int fd;

	if (lstat(path, &st) < 0)
		return errno == ENOENT ? dt_fail(l->fail, DT_E_MISSING,
		                                 "there is no %s", path)
		                       : dt_fail_sys(l->fail,
		                                     "cannot look at %s", path);
	if (!S_ISDIR(st.st_mode))
		return add_path(l, as, path,
		                false); /* it is a file after all */
	err = dt_path_real(l->arena, path, &real, l->fail);
	if (err)
		return err;
	root = dt_documents_root_of(docs, real, &relative);
	if (!root || !*relative)
		return dt_fail(l->fail, DT_E_DENIED,
		               "%s is not a folder in the workspace", path);
	err = dt_beneath_open(root, relative, &fd, l->fail);
	return err ? err : list_folder(l, as, fd, path, DEPTH_MAX);
}

enum dt_err dt_changes_expand(struct dt_arena *arena,
                              const struct dt_items *changes,
                              const struct dt_documents *docs,
                              struct dt_items *out, struct dt_fail *fail)
{
	const struct dt_change *all = changes->ptr;
	struct listing *l;
	enum dt_err err = DT_E_OK;
	bool has_tree = false;

	for (size_t i = 0; i < changes->count; i++)
		has_tree |= all[i].is_folder && all[i].kind == DT_CHANGE_DELETE;
	*out = *changes;
	if (!has_tree)
		return DT_E_OK;
	l = dt_arena_alloc(arena, sizeof(*l));
	l->arena = arena;
	l->fail = fail;
	for (size_t i = 0; i < changes->count && !err; i++) {
		if (all[i].is_folder && all[i].kind == DT_CHANGE_DELETE)
			err = list_tree(l, &all[i], docs);
		else
			err = add(l, &all[i]);
	}
	*out = (struct dt_items){ l->list, l->count };
	return err;
}
