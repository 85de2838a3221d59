/*
 * base/file.c - whole files read and written, folders made.
 *
 * Questions about a file are asked of the descriptor, never of the name, so
 * that nobody can swap the file between question and use.  Which files a peer
 * may touch is decided above, in editor/document.c.
 */
#include "base/file.h"

#include "base/arena.h"
#include "base/beneath.h"
#include "base/os.h"
#include "base/path.h"
#include "base/rand.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* O_NONBLOCK: opening a FIFO must not wait for a writer. */
#define READ_FLAGS (O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)

static enum dt_err too_large(const char *name, const struct dt_buf *out,
                             struct dt_fail *fail)
{
	return dt_fail(fail, DT_E_LIMIT, "%s is larger than %zu bytes", name,
	               out->limit);
}

/*
 * Append everything `fd` gives.  The `size` bytes that fstat() promised go
 * straight to the buffer; it may give fewer, and files of /proc give more.
 */
static enum dt_err read_all(int fd, const char *name, size_t size,
                            struct dt_buf *out, struct dt_fail *fail)
{
	for (;;) {
		char spare[4096];
		char *at = size > 0 ? dt_buf_reserve(out, size) : spare;
		ssize_t n;

		if (!at)
			return too_large(name, out, fail);
		n = read(fd, at, size > 0 ? size : sizeof(spare));
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return dt_fail_sys(fail, "cannot read %s", name);
		if (n == 0)
			return DT_E_OK;
		if (size > 0) {
			dt_buf_grew(out, (size_t)n);
			size -= (size_t)n;
			continue;
		}
		dt_buf_add(out, spare, (size_t)n);
		if (out->overflow)
			return too_large(name, out, fail);
	}
}

/* The same for what must be a regular file; on failure `out` is as it was. */
static enum dt_err read_regular(int fd, const char *name, struct dt_buf *out,
                                struct dt_fail *fail)
{
	bool overflow = out->overflow;
	size_t len = out->len;
	struct stat st;
	enum dt_err err;

	if (fstat(fd, &st) < 0)
		return dt_fail_sys(fail, "cannot look at %s", name);
	if (!S_ISREG(st.st_mode))
		return dt_fail(fail, DT_E_ARGS, "%s is not a regular file",
		               name);
	err = read_all(fd, name, (size_t)st.st_size, out, fail);
	if (err) {
		out->len = len;
		out->overflow = overflow;
	}
	return err;
}

static enum dt_err open_anywhere(const char *path, int *out_fd,
                                 struct dt_fail *fail)
{
	int fd = open(path, READ_FLAGS);

	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return dt_fail(fail, DT_E_MISSING, "%s is not there", path);
	if (fd < 0)
		return dt_fail_sys(fail, "cannot open %s", path);
	*out_fd = fd;
	return DT_E_OK;
}

enum dt_err dt_file_read(const char *path, struct dt_buf *out,
                         struct dt_fail *fail)
{
	enum dt_err err;
	int fd;

	err = open_anywhere(path, &fd, fail);
	if (err)
		return err;
	err = read_regular(fd, path, out, fail);
	close(fd);
	return err;
}

/* As dt_beneath_open_named(), for a path that may lie anywhere. */
static enum dt_err open_named(struct dt_arena *arena, const char *path,
                              int *out_fd, const char **out_path,
                              struct dt_fail *fail)
{
	char name[PATH_MAX];
	enum dt_err err;
	int fd = -1;

	err = open_anywhere(path, &fd, fail);
	if (err)
		return err;
	if (!dt_os_name_of(fd, name, sizeof(name))) {
		close(fd);
		return dt_fail(fail, DT_E_DENIED,
		               "%s: the system does not tell which file that "
		               "is; /proc may be missing",
		               path);
	}
	*out_fd = fd;
	*out_path = dt_arena_strdup(arena, name);
	return DT_E_OK;
}

enum dt_err dt_file_read_named(struct dt_arena *arena, const char *root,
                               const char *relative, struct dt_buf *out,
                               const char **out_path, struct dt_fail *fail)
{
	enum dt_err err;
	int fd;

	if (root)
		err = dt_beneath_open_named(arena, root,
		                            *relative ? relative : ".", &fd,
		                            out_path, fail);
	else
		err = open_named(arena, relative, &fd, out_path, fail);
	if (err)
		return err;
	err = read_regular(fd, relative, out, fail);
	close(fd);
	return err;
}

enum dt_err dt_file_read_beneath(const char *root, const char *relative,
                                 struct dt_buf *out, struct dt_fail *fail)
{
	enum dt_err err;
	int fd;

	if (!*relative)
		relative = "."; /* the root itself is there, but no file */
	err = dt_beneath_open(root, relative, &fd, fail);
	if (err)
		return err;
	err = read_regular(fd, relative, out, fail);
	close(fd);
	return err;
}

enum dt_err dt_file_read_at(int folder, const char *name, struct dt_buf *out,
                            struct dt_fail *fail)
{
	int fd = openat(folder, name, READ_FLAGS | O_NOFOLLOW);
	enum dt_err err;

	if (fd < 0 && errno == ENOENT)
		return dt_fail(fail, DT_E_MISSING, "%s is not there", name);
	if (fd < 0 && errno == ELOOP)
		return dt_fail(fail, DT_E_DENIED, "%s is a link", name);
	if (fd < 0)
		return dt_fail_sys(fail, "cannot open %s", name);
	err = read_regular(fd, name, out, fail);
	close(fd);
	return err;
}

static bool write_all(int fd, struct dt_str text)
{
	while (text.len > 0) {
		ssize_t n = write(fd, text.ptr, text.len);

		if (n < 0 && errno != EINTR)
			return false;
		if (n > 0) {
			text.ptr += n;
			text.len -= (size_t)n;
		}
	}
	return true;
}

/*
 * A new file in a folder, whole and on the disk; errno when it is not.  Unless
 * the mode is exact, the umask is taken off it.
 */
static bool write_new(int folder, const char *path, struct dt_str text,
                      mode_t mode, bool is_exact)
{
	int fd = openat(folder, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
	                is_exact ? 0600 : mode);
	bool done;

	if (fd < 0)
		return false;
	done = write_all(fd, text) && (!is_exact || fchmod(fd, mode) == 0) &&
	       fsync(fd) == 0;
	return close(fd) == 0 && done;
}

enum dt_err dt_file_write(const char *path, struct dt_str text, mode_t mode,
                          struct dt_fail *fail)
{
	struct dt_arena arena = { 0 };
	size_t dir_len = strlen(path) - strlen(dt_path_base(path));
	enum dt_err err = DT_E_OK;
	char id[DT_ID_TEXT];
	const char *temp;

	/* In the same folder, for rename() does not cross file systems. */
	dt_rand_id(id);
	temp = dt_arena_printf(&arena, "%.*s.dovetail-%s", (int)dir_len, path,
	                       id);
	if (!write_new(AT_FDCWD, temp, text, mode, true) ||
	    rename(temp, path) < 0) {
		err = dt_fail_sys(fail, "cannot write %s", path);
		unlink(temp);
	}
	dt_arena_done(&arena);
	return err;
}

enum dt_err dt_file_write_at(int folder, const char *name, struct dt_str text,
                             mode_t mode, bool is_exact, struct dt_fail *fail)
{
	bool is_ours;
	enum dt_err err;

	if (write_new(folder, name, text, mode, is_exact))
		return DT_E_OK;
	is_ours = errno != EEXIST;
	err = dt_fail_sys(fail, "cannot write %s", name);
	if (is_ours)
		unlinkat(folder, name, 0);
	return err;
}

bool dt_file_is_dir(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Some systems do not say EEXIST of a folder that is there, so ask. */
static enum dt_err make_dir(const char *path, struct dt_fail *fail)
{
	int saved;

	if (mkdir(path, 0700) == 0)
		return DT_E_OK;
	saved = errno;
	if (dt_file_is_dir(path))
		return DT_E_OK;
	errno = saved;
	return dt_fail_sys(fail, "cannot make the folder %s", path);
}

enum dt_err dt_file_make_dirs(const char *path, struct dt_fail *fail)
{
	struct dt_arena arena = { 0 };
	enum dt_err err = DT_E_OK;
	const char *end = path;

	while (!err && *end) {
		end += strspn(end, "/");
		end += strcspn(end, "/");
		err = make_dir(dt_arena_strndup(&arena, path, end - path),
		               fail);
	}
	dt_arena_done(&arena);
	return err;
}

static enum dt_err check_private(int fd, const char *path, struct dt_fail *fail)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return dt_fail_sys(fail, "cannot look at %s", path);
	if (st.st_uid != geteuid())
		return dt_fail(fail, DT_E_DENIED, "%s belongs to user %u", path,
		               (unsigned)st.st_uid);
	if (st.st_mode & 077)
		return dt_fail(fail, DT_E_DENIED,
		               "%s is open to others (mode %03o, not 700)",
		               path, (unsigned)st.st_mode & 0777);
	return DT_E_OK;
}

static int open_dir(const char *path)
{
	return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

enum dt_err dt_file_private_dir(const char *path, struct dt_fail *fail)
{
	struct dt_arena arena = { 0 };
	size_t len = strlen(path);
	enum dt_err err = DT_E_OK;
	int fd;

	/* With a slash after it O_NOFOLLOW would follow a link. */
	while (len > 1 && path[len - 1] == '/')
		len--;
	path = dt_arena_strndup(&arena, path, len);
	fd = open_dir(path);
	if (fd < 0 && errno == ENOENT) {
		err = dt_file_make_dirs(path, fail);
		fd = err ? -1 : open_dir(path);
	}
	if (fd >= 0) {
		err = check_private(fd, path, fail);
		close(fd);
	} else if (!err && (errno == ENOTDIR || errno == ELOOP)) {
		err = dt_fail(fail, DT_E_DENIED, "%s is a link or not a folder",
		              path);
	} else if (!err) {
		err = dt_fail_sys(fail, "cannot open %s", path);
	}
	dt_arena_done(&arena);
	return err;
}

static int remove_one(const char *path, const struct stat *st, int type,
                      struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	remove(path);
	return 0;
}

void dt_file_remove_tree(const char *path)
{
	nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}
