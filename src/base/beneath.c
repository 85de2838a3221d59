/*
 * base/beneath.c - a name resolved below a folder, with or without openat2().
 *
 * The walk opens one part after the other, each in the folder opened before and
 * none through a link.  When it meets a link or "..", it works out as text what
 * the whole path means, which is exact because all parts before are real
 * folders, and starts again at the root.  So no step ever leaves the root: the
 * text may be out of date by then, but it is checked again.
 */
#include "base/beneath.h"

#include "base/arena.h"
#include "base/os.h"
#include "base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

/* O_NONBLOCK: opening a FIFO must not wait for a writer. */
#define OPEN_FLAGS (O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
#define TURNS_MAX 256 /* links and ".." in one walk */

/* What errno says about opening `relative`. */
static enum dt_err say(const char *root, const char *relative,
                       struct dt_fail *fail)
{
	if (errno == EXDEV)
		return dt_fail(fail, DT_E_DENIED, "%s leads out of %s",
		               relative, root);
	if (errno == ENOENT || errno == ENOTDIR)
		return dt_fail(fail, DT_E_MISSING, "%s is not in %s", relative,
		               root);
	return dt_fail_sys(fail, "cannot open %s in %s", relative, root);
}

static enum dt_err open_root(const char *root, int *out_fd,
                             struct dt_fail *fail)
{
	int fd = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return dt_fail(fail, DT_E_MISSING, "%s is not a folder", root);
	if (fd < 0)
		return dt_fail_sys(fail, "cannot open %s", root);
	*out_fd = fd;
	return DT_E_OK;
}

/* The parts in front of `at`, all real folders, as a normal path. */
static const char *before(struct dt_arena *arena, const char *path,
                          const char *at)
{
	return dt_path_join(arena, "/",
	                    dt_arena_strndup(arena, path, at - path));
}

/* `path` with the ".." at `at` worked out; NULL and EXDEV at the root. */
static const char *step_up(struct dt_arena *arena, const char *path,
                           const char *at)
{
	const char *dir = before(arena, path, at);

	if (!strcmp(dir, "/")) {
		errno = EXDEV;
		return NULL;
	}
	return dt_arena_printf(arena, "%s%s", dt_path_join(arena, dir, ".."),
	                       at + strlen(".."));
}

/*
 * `path` with the link `name` at `at`, which could not be opened, worked out;
 * NULL and the errno of opening when it is no link.
 */
static const char *follow(struct dt_arena *arena, const char *path,
                          const char *at, int dir_fd, const char *name)
{
	int saved = errno;
	char target[PATH_MAX];
	ssize_t len = readlinkat(dir_fd, name, target, sizeof(target) - 1);

	if (len < 0) {
		errno = saved;
		return NULL;
	}
	target[len] = '\0';
	if (dt_path_is_absolute(target)) {
		errno = EXDEV;
		return NULL;
	}
	return dt_arena_printf(arena, "%s/%s%s", before(arena, path, at),
	                       target, at + strlen(name));
}

/*
 * Try `path` from the root.  Returns the path to try next, or NULL at the end:
 * then *fd is open, or -1 and errno says why.
 */
static const char *attempt(struct dt_arena *arena, int root_fd,
                           const char *path, int *fd)
{
	int dir_fd = fcntl(root_fd, F_DUPFD_CLOEXEC, 0);
	const char *next = NULL;
	const char *at = path;
	int saved;

	*fd = -1;
	while (dir_fd >= 0) {
		const char *name;
		size_t len;
		bool is_last;

		at += strspn(at, "/");
		len = strcspn(at, "/");
		is_last = at[len] == '\0';
		name = len ? dt_arena_strndup(arena, at, len) : ".";
		if (!strcmp(name, "..")) {
			next = step_up(arena, path, at);
			break;
		}
		*fd = openat(dir_fd, name,
		             OPEN_FLAGS | O_NOFOLLOW |
		                     (is_last ? 0 : O_DIRECTORY));
		if (*fd < 0)
			next = follow(arena, path, at, dir_fd, name);
		if (*fd < 0 || is_last)
			break;
		close(dir_fd);
		dir_fd = *fd;
		*fd = -1;
		at += len;
	}
	saved = errno;
	if (dir_fd >= 0)
		close(dir_fd);
	errno = saved;
	return next;
}

/* As dt_os_open_beneath(). */
static bool walk(int root_fd, const char *relative, int *out_fd)
{
	struct dt_arena arena = { 0 };
	const char *path = relative;
	int fd = -1;
	int saved;

	errno = dt_path_is_absolute(path) ? EXDEV : ENOENT;
	if (dt_path_is_absolute(path) || !path[0])
		return false;
	for (int i = 0; path && i < TURNS_MAX; i++)
		path = attempt(&arena, root_fd, path, &fd);
	saved = path ? ELOOP : errno;
	dt_arena_done(&arena);
	errno = saved;
	if (fd < 0)
		return false;
	*out_fd = fd;
	return true;
}

static enum dt_err open_in(int root_fd, const char *root, const char *relative,
                           int *out_fd, struct dt_fail *fail)
{
	bool is_open =
		dt_os_open_beneath(root_fd, relative, OPEN_FLAGS, out_fd);

	if (!is_open && errno == ENOSYS)
		is_open = walk(root_fd, relative, out_fd);
	return is_open ? DT_E_OK : say(root, relative, fail);
}

enum dt_err dt_beneath_open(const char *root, const char *relative, int *out_fd,
                            struct dt_fail *fail)
{
	enum dt_err err;
	int root_fd = -1;

	err = open_root(root, &root_fd, fail);
	if (err)
		return err;
	err = open_in(root_fd, root, relative, out_fd, fail);
	close(root_fd);
	return err;
}

/* The name of what is open, as a path below the name of the root: both are
 * compared as the system has them now, for the root may have been moved. */
static enum dt_err name_in(struct dt_arena *arena, int root_fd, int fd,
                           const char *root, const char **out)
{
	char top[PATH_MAX];
	char name[PATH_MAX];
	const char *rest;

	if (!dt_os_name_of(root_fd, top, sizeof(top)) ||
	    !dt_os_name_of(fd, name, sizeof(name)) ||
	    !dt_path_is_beneath(name, top))
		return DT_E_DENIED;
	rest = name + (strcmp(top, "/") ? strlen(top) : 0);
	*out = dt_arena_printf(arena, "%s%s", strcmp(root, "/") ? root : "",
	                       rest);
	return DT_E_OK;
}

enum dt_err dt_beneath_open_named(struct dt_arena *arena, const char *root,
                                  const char *relative, int *out_fd,
                                  const char **out_path, struct dt_fail *fail)
{
	enum dt_err err;
	int root_fd = -1;
	int fd = -1;

	err = open_root(root, &root_fd, fail);
	if (err)
		return err;
	err = open_in(root_fd, root, relative, &fd, fail);
	if (!err && name_in(arena, root_fd, fd, root, out_path)) {
		err = dt_fail(fail, DT_E_DENIED,
		              "%s: the system does not tell which file in %s "
		              "that is; it was moved, or /proc is missing",
		              relative, root);
		close(fd);
	}
	close(root_fd);
	if (!err)
		*out_fd = fd;
	return err;
}

enum dt_err dt_beneath_walk(const char *root, const char *relative, int *out_fd,
                            struct dt_fail *fail)
{
	enum dt_err err;
	int root_fd = -1;

	err = open_root(root, &root_fd, fail);
	if (err)
		return err;
	if (!walk(root_fd, relative, out_fd))
		err = say(root, relative, fail);
	close(root_fd);
	return err;
}
