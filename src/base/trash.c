/*
 * base/trash.c - files moved into the trash, to be put back by a person.
 *
 * The name in info/ is taken first, so two who trash at once get two names.  A
 * file is moved and never copied: what is on another file system is refused, and
 * the trashes that the specification has at the top of those are not looked for.
 */
#include "base/trash.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define NAMES_MAX 1000 /* of one file, tried one after the other */

/* A folder of the trash, made where it is missing. */
static enum dt_err open_part(int trash, const char *name, int *out,
                             struct dt_fail *fail)
{
	if (mkdirat(trash, name, 0700) < 0 && errno != EEXIST)
		return dt_fail_sys(fail, "cannot make %s in the trash", name);
	*out = openat(trash, name,
	              O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return *out < 0 ? dt_fail_sys(fail, "cannot open %s of the trash", name)
	                : DT_E_OK;
}

/* What a person's file manager reads; times are local there. */
static void write_info(struct dt_arena *arena, const char *path,
                       struct dt_buf *out)
{
	const char *uri = dt_path_to_uri(arena, path);
	time_t now = time(NULL);
	char when[32] = "";
	struct tm local;

	if (localtime_r(&now, &local))
		strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%S", &local);
	dt_buf_addf(out, "[Trash Info]\nPath=%s\nDeletionDate=%s\n",
	            uri + strlen("file://"), when);
}

/* A name that neither folder has, taken in info/. */
static enum dt_err take_name(struct dt_arena *arena, const int *parts,
                             const char *path, const char **out,
                             struct dt_fail *fail)
{
	const char *base = dt_path_base(path);
	enum dt_err err = DT_E_OK;
	struct dt_buf info;

	dt_buf_init(&info, DT_MIB);
	write_info(arena, path, &info);
	for (unsigned i = 1; i <= NAMES_MAX; i++) {
		const char *name =
			i == 1 ? base
			       : dt_arena_printf(arena, "%s.%u", base, i);
		struct dt_fail why = { 0 };

		if (faccessat(parts[0], name, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
			continue;
		err = dt_file_write_at(
			parts[1], dt_arena_printf(arena, "%s.trashinfo", name),
			dt_buf_str(&info), 0600, true, &why);
		if (err && why.sys_errno == EEXIST)
			continue;
		if (err)
			err = dt_fail(fail, err, "%s", why.msg);
		*out = name;
		dt_buf_done(&info);
		return err;
	}
	dt_buf_done(&info);
	return dt_fail(fail, DT_E_LIMIT,
	               "the trash has too many files named %s", base);
}

static enum dt_err move(struct dt_arena *arena, const int *parts, int folder,
                        const char *name, const char *to, struct dt_fail *fail)
{
	int error;

	if (renameat(folder, name, parts[0], to) == 0)
		return DT_E_OK;
	error = errno;
	unlinkat(parts[1], dt_arena_printf(arena, "%s.trashinfo", to), 0);
	if (error == EXDEV)
		return dt_fail(fail, DT_E_UNSUPPORTED,
		               "the trash is on another file system");
	errno = error;
	return dt_fail_sys(fail, "cannot move %s into the trash", to);
}

enum dt_err dt_trash_put(const char *trash, int folder, const char *name,
                         const char *path, char **out, struct dt_fail *fail)
{
	struct dt_arena arena = { 0 };
	int parts[2] = { -1, -1 };
	const char *to;
	int top = open(trash, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	enum dt_err err;

	if (top < 0)
		return dt_fail(fail, DT_E_MISSING, "there is no trash");
	err = open_part(top, "files", &parts[0], fail);
	if (!err)
		err = open_part(top, "info", &parts[1], fail);
	if (!err)
		err = take_name(&arena, parts, path, &to, fail);
	if (!err)
		err = move(&arena, parts, folder, name, to, fail);
	if (!err)
		*out = dt_asprintf("%s/files/%s", trash, to);
	for (size_t i = 0; i < 2; i++) {
		if (parts[i] >= 0)
			close(parts[i]);
	}
	close(top);
	dt_arena_done(&arena);
	return err;
}
