/*
 * hub/daemon_record.c - the daemon's folders in a file that it keeps locked.
 *
 * The lock is one of the open file (F_OFD_SETLK): it is shared with children,
 * and one can ask whether it is held without taking it, so that commands which
 * look cannot get in the way of a daemon that starts.  A record that is read
 * while it is written is not JSON yet, and counts as none.
 */
#include "hub/daemon_record.h"

#include "base/buf.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/path.h"
#include "data/field.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#define MAX_RECORD (16u * DT_KIB)

static const struct dt_field fields[] = {
	DT_FIELD(struct dt_daemon_record, run, NAME, DT_REQ, "Its socket's."),
	DT_FIELD(struct dt_daemon_record, state, NAME, DT_REQ, "Its history."),
	DT_FIELD(struct dt_daemon_record, config, NAME, DT_REQ, "Its rules."),
	DT_FIELD(struct dt_daemon_record, pid, I64, DT_REQ, "Who it is."),
	DT_FIELD_END,
};
static const struct dt_shape shape = DT_SHAPE(struct dt_daemon_record, fields);

static const char *folder_of(struct dt_arena *arena, const char *home)
{
	return dt_path_join(arena, home, ".local/state/dovetail");
}

static const char *path_of(struct dt_arena *arena, const char *home)
{
	struct utsname names;
	char *path;
	char *host;

	if (uname(&names) < 0)
		names.nodename[0] = '\0';
	path = dt_arena_printf(arena, "%s/daemon-%s.json",
	                       folder_of(arena, home), names.nodename);
	host = strrchr(path, '\0') - strlen(names.nodename) - strlen(".json");
	for (; *host; host++) {
		if (*host == '/')
			*host = '_';
	}
	return path;
}

static struct flock whole_file(void)
{
	return (struct flock){ .l_type = F_WRLCK, .l_whence = SEEK_SET };
}

static bool is_held(int fd)
{
	struct flock lock = whole_file();

	return !fcntl(fd, F_OFD_GETLK, &lock) && lock.l_type != F_UNLCK;
}

/* Nobody else can have written it. */
static bool is_ours(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISREG(st.st_mode) &&
	       st.st_uid == geteuid() && !(st.st_mode & 022);
}

static enum dt_err parse(struct dt_arena *arena, struct dt_str text,
                         struct dt_daemon_record *out)
{
	const struct dt_json *json;
	enum dt_err err;

	text.ptr = dt_arena_strndup(arena, text.ptr, text.len);
	err = dt_json_read(arena, text, &json, NULL);
	if (!err)
		err = dt_shape_read(&shape, arena, json, out, NULL);
	if (!err && (!dt_path_is_absolute(out->run) ||
	             !dt_path_is_absolute(out->state) ||
	             !dt_path_is_absolute(out->config)))
		err = DT_E_ARGS;
	return err;
}

static bool read_text(int fd, struct dt_buf *out)
{
	char part[1024];
	ssize_t n;

	while ((n = read(fd, part, sizeof(part))) != 0) {
		if (n > 0)
			dt_buf_add(out, part, (size_t)n);
		else if (errno != EINTR)
			return false;
	}
	return !dt_buf_check(out, "the record", NULL);
}

bool dt_daemon_record_read(struct dt_arena *arena, const char *home,
                           struct dt_daemon_record *out)
{
	int fd = open(path_of(arena, home),
	              O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct dt_daemon_record record = { 0 };
	struct dt_buf text;
	bool is_read;

	if (fd < 0)
		return false;
	dt_buf_init(&text, MAX_RECORD);
	/* Asked before: who holds it has written it, or is about to. */
	record.is_alive = is_held(fd);
	is_read = is_ours(fd) && read_text(fd, &text) &&
	          !parse(arena, dt_buf_str(&text), &record);
	dt_buf_done(&text);
	close(fd);
	if (is_read)
		*out = record;
	return is_read;
}

/* taking it */

/* Written in place: a new file would not be the one that is locked. */
static bool write_record(int fd, const struct dt_daemon_record *record)
{
	struct dt_json_out out;
	struct dt_buf text;
	bool is_whole;

	dt_buf_init(&text, MAX_RECORD);
	out = dt_json_out(&text);
	dt_shape_write(&shape, record, &out);
	dt_buf_add_char(&text, '\n');
	is_whole = !dt_buf_check(&text, "the record", NULL) &&
	           !ftruncate(fd, 0) &&
	           pwrite(fd, text.ptr, text.len, 0) == (ssize_t)text.len;
	dt_buf_done(&text);
	return is_whole;
}

static enum dt_err take(int fd, const char *path,
                        const struct dt_daemon_record *record,
                        struct dt_fail *fail)
{
	struct flock lock = whole_file();

	if (!is_ours(fd))
		return dt_fail(fail, DT_E_DENIED,
		               "%s belongs to others, or they may write it",
		               path);
	if (fcntl(fd, F_OFD_SETLK, &lock) < 0) {
		if (errno == EAGAIN || errno == EACCES)
			return dt_fail(fail, DT_E_STATE,
			               "a daemon runs already: see `dovetail "
			               "status`, or end it with `dovetail "
			               "stop`");
		return dt_fail_sys(fail, "%s", path);
	}
	if (!write_record(fd, record))
		return dt_fail_sys(fail, "%s", path);
	return DT_E_OK;
}

enum dt_err dt_daemon_record_take(const char *home,
                                  const struct dt_daemon_record *record,
                                  int *out_fd, struct dt_fail *fail)
{
	struct dt_arena arena = { 0 };
	const char *path = path_of(&arena, home);
	enum dt_err err = dt_file_make_dirs(folder_of(&arena, home), fail);
	int fd = -1;

	if (!err) {
		fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW,
		          0600);
		err = fd < 0 ? dt_fail_sys(fail, "%s", path)
		             : take(fd, path, record, fail);
	}
	dt_arena_done(&arena);
	if (err && fd >= 0)
		close(fd);
	else if (!err)
		*out_fd = fd;
	return err;
}
