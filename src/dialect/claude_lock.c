/*
 * dialect/claude_lock.c - lock files written, recognised and removed.
 *
 * A lock is ours when it names us as its maker; it is this workspace's, and not
 * stale, when its token and pid are.  What is not ours is never removed.
 */
#include "dialect/claude_lock.h"

#include "base/file.h"
#include "base/limits.h"
#include "base/log.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <unistd.h>

#define MAKER "dovetail"
#define MAX_LOCK (64u * DT_KIB)

static const struct dt_field lock_fields[] = {
	DT_FIELD(struct dt_claude_lock, pid, I64, 0, "Whose death ends it."),
	DT_FIELD_AS("workspaceFolders", struct dt_claude_lock, folders, NAMES,
	            0, "Folders it serves, real paths."),
	DT_FIELD_AS("ideName", struct dt_claude_lock, ide_name, NAME, DT_OMIT,
	            "Shown to the person."),
	DT_FIELD(struct dt_claude_lock, transport, NAME, DT_OMIT, "\"ws\"."),
	DT_FIELD_AS("runningInWindows", struct dt_claude_lock, is_in_windows,
	            BOOL, 0, "For WSL."),
	DT_FIELD_AS("authToken", struct dt_claude_lock, token, NAME, DT_OMIT,
	            "What the agent must show."),
	DT_FIELD(struct dt_claude_lock, workspace, NAME, DT_OMIT,
	         "The main folder."),
	DT_FIELD_AS("isBridge", struct dt_claude_lock, is_bridge, BOOL, 0,
	            "Not an editor itself."),
	DT_FIELD(struct dt_claude_lock, maker, NAME, DT_OMIT, "Who wrote it."),
	DT_FIELD_END,
};
static const struct dt_shape lock_shape =
	DT_SHAPE(struct dt_claude_lock, lock_fields);

enum dt_err dt_claude_lock_read(struct dt_arena *arena, struct dt_str text,
                                struct dt_claude_lock *out,
                                struct dt_fail *fail)
{
	const struct dt_json *json;
	enum dt_err err = dt_json_read(arena, text, &json, fail);

	*out = (struct dt_claude_lock){ 0 };
	if (err)
		return err;
	if (json->type != DT_JSON_OBJECT)
		return dt_fail(fail, DT_E_ARGS, "a lock file is an object");
	return dt_shape_read(&lock_shape, arena, json, out, fail);
}

void dt_claude_lock_write(const struct dt_place *place, struct dt_buf *out)
{
	struct dt_claude_lock lock = {
		.pid = place->pid,
		.folders = { (const char **)(uintptr_t)place->roots,
		             place->is_nested ? 0 : place->root_count },
		.ide_name = place->name,
		.transport = "ws",
		.token = place->token,
		.workspace = place->roots[0],
		.is_bridge = true,
		.maker = MAKER,
	};
	struct dt_json_out json = dt_json_out(out);

	dt_shape_write(&lock_shape, &lock, &json);
	dt_buf_add_char(out, '\n');
}

static char *lock_dir(struct dt_arena *arena, const struct dt_place *place)
{
	return dt_arena_printf(arena, "%s/.claude/ide", place->home);
}

char *dt_claude_lock_path(struct dt_arena *arena, const struct dt_place *place)
{
	return dt_arena_printf(arena, "%s/.claude/ide/%u.lock", place->home,
	                       place->port);
}

enum dt_err dt_claude_announce(const struct dt_place *place,
                               struct dt_fail *fail)
{
	struct dt_arena arena = { 0 };
	struct dt_buf text;
	enum dt_err err;

	dt_buf_init(&text, MAX_LOCK);
	dt_claude_lock_write(place, &text);
	err = dt_file_make_dirs(lock_dir(&arena, place), fail);
	if (!err)
		err = dt_buf_check(&text, "the lock file", fail);
	if (!err)
		err = dt_file_write(dt_claude_lock_path(&arena, place),
		                    dt_buf_str(&text), 0600, fail);
	dt_buf_done(&text);
	dt_arena_done(&arena);
	return err;
}

/* Read the lock at `path`.  DT_E_MISSING: there is none. */
static enum dt_err read_at(struct dt_arena *arena, const char *path,
                           struct dt_claude_lock *out)
{
	struct dt_buf text;
	enum dt_err err;

	dt_buf_init(&text, MAX_LOCK);
	err = dt_file_read(path, &text, NULL);
	if (!err)
		err = dt_claude_lock_read(arena, dt_buf_str(&text), out, NULL);
	dt_buf_done(&text);
	return err;
}

enum dt_presence dt_claude_presence(const struct dt_place *place)
{
	struct dt_arena arena = { 0 };
	struct dt_claude_lock lock;
	enum dt_presence found = DT_PRESENCE_FOREIGN;
	enum dt_err err =
		read_at(&arena, dt_claude_lock_path(&arena, place), &lock);

	if (err == DT_E_MISSING)
		found = DT_PRESENCE_NONE;
	else if (!err && lock.maker && !strcmp(lock.maker, MAKER))
		found = lock.token && !strcmp(lock.token, place->token) &&
		                        lock.pid == place->pid
		                ? DT_PRESENCE_OURS
		                : DT_PRESENCE_NONE; /* ours, but stale */
	dt_arena_done(&arena);
	return found;
}

void dt_claude_withdraw(const struct dt_place *place)
{
	struct dt_arena arena = { 0 };

	if (dt_claude_presence(place) == DT_PRESENCE_OURS)
		unlink(dt_claude_lock_path(&arena, place));
	dt_arena_done(&arena);
}

static void clean_one(const char *path)
{
	struct dt_arena arena = { 0 };
	struct dt_claude_lock lock;

	if (!read_at(&arena, path, &lock) && lock.maker &&
	    !strcmp(lock.maker, MAKER) && lock.pid > 0 &&
	    kill((pid_t)lock.pid, 0) < 0 && errno == ESRCH) {
		dt_log(DT_LOG_INFO, "removed the stale lock %s", path);
		unlink(path);
	}
	dt_arena_done(&arena);
}

void dt_claude_clean(const struct dt_place *place)
{
	struct dt_arena arena = { 0 };
	const char *folder = lock_dir(&arena, place);
	DIR *dir = opendir(folder);
	struct dirent *item;

	while (dir && (item = readdir(dir))) {
		size_t len = strlen(item->d_name);

		if (len > 5 && !strcmp(item->d_name + len - 5, ".lock"))
			clean_one(dt_arena_printf(&arena, "%s/%s", folder,
			                          item->d_name));
	}
	if (dir)
		closedir(dir);
	dt_arena_done(&arena);
}
