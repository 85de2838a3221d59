/*
 * hub/place.c - workspace records, and the rules by which a folder finds its
 * workspace.
 *
 * Records are files, not rows: they survive a damaged database, and the port
 * and token agents hold stay good.
 */
#include "hub/place.h"

#include "base/buf.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/log.h"
#include "base/path.h"
#include "data/field.h"

#include <dirent.h>
#include <sys/stat.h>

#define MAX_RECORD (256u * DT_KIB)

static const struct dt_field record_fields[] = {
	DT_FIELD(struct dt_place_record, id, NAME, DT_REQ, "Who it is."),
	DT_FIELD(struct dt_place_record, roots, NAMES, DT_REQ, "Its folders."),
	DT_FIELD(struct dt_place_record, port, U32, DT_REQ, "Where it is."),
	DT_FIELD(struct dt_place_record, token, NAME, DT_REQ, "Its secret."),
	DT_FIELD_AS("usedMs", struct dt_place_record, used_ms, I64, DT_OMIT,
	            "When it was last asked for."),
	DT_FIELD_END,
};
static const struct dt_shape record_shape =
	DT_SHAPE(struct dt_place_record, record_fields);

static char *records_dir(struct dt_arena *arena, const struct dt_dirs *dirs)
{
	return dt_arena_printf(arena, "%s/workspaces", dirs->state);
}

enum dt_err dt_place_save(const struct dt_dirs *dirs,
                          const struct dt_place_record *record,
                          struct dt_fail *fail)
{
	struct dt_arena arena = { 0 };
	const char *folder = records_dir(&arena, dirs);
	struct dt_json_out out;
	struct dt_buf text;
	enum dt_err err;

	dt_buf_init(&text, MAX_RECORD);
	out = dt_json_out(&text);
	dt_shape_write(&record_shape, record, &out);
	dt_buf_add_char(&text, '\n');
	err = dt_file_make_dirs(dirs->state, fail);
	if (!err)
		err = dt_file_private_dir(folder, fail);
	if (!err)
		err = dt_file_write(dt_arena_printf(&arena, "%s/%s.json",
		                                    folder, record->id),
		                    dt_buf_str(&text), 0600, fail);
	dt_buf_done(&text);
	dt_arena_done(&arena);
	return err;
}

/* What a record must be to be used: files can be edited by hand. */
static bool is_usable(const struct dt_place_record *record)
{
	return strlen(record->id) == DT_ID_TEXT - 1 &&
	       record->roots.count > 0 && record->port > 0 &&
	       record->port <= 65535 &&
	       strlen(record->token) == DT_TOKEN_TEXT - 1;
}

static enum dt_err read_record(struct dt_arena *arena, const char *path,
                               struct dt_place_record *out)
{
	const struct dt_json *json;
	struct dt_buf text;
	enum dt_err err;

	dt_buf_init(&text, MAX_RECORD);
	err = dt_file_read(path, &text, NULL);
	if (!err)
		err = dt_json_read(arena, dt_buf_str(&text), &json, NULL);
	if (!err)
		err = dt_shape_read(&record_shape, arena, json, out, NULL);
	dt_buf_done(&text);
	if (!err && !is_usable(out))
		err = DT_E_ARGS;
	return err;
}

/* What is asked of the records; true for the one that is wanted, and then no
 * other is looked at. */
typedef bool want_fn(const struct dt_place_record *record, void *owner);

/* Read the records one after the other until `want` is content. */
static bool search(struct dt_arena *arena, const struct dt_dirs *dirs,
                   want_fn *want, void *owner)
{
	const char *folder = records_dir(arena, dirs);
	DIR *dir = opendir(folder);
	struct dirent *item;
	bool is_found = false;

	while (dir && !is_found && (item = readdir(dir))) {
		struct dt_place_record record = { 0 };
		const char *path;

		if (item->d_name[0] == '.')
			continue;
		path = dt_arena_printf(arena, "%s/%s", folder, item->d_name);
		if (read_record(arena, path, &record))
			dt_log(DT_LOG_WARN, "%s is no workspace record", path);
		else
			is_found = want(&record, owner);
	}
	if (dir)
		closedir(dir);
	return is_found;
}

struct by_root {
	const char *root;
	struct dt_place_record *out;
};

static bool has_root(const struct dt_place_record *record, void *owner)
{
	struct by_root *by = owner;

	if (strcmp(record->roots.ptr[0], by->root) != 0)
		return false;
	*by->out = *record;
	return true;
}

enum dt_err dt_place_find(struct dt_arena *arena, const struct dt_dirs *dirs,
                          const char *root, struct dt_place_record *out,
                          struct dt_fail *fail)
{
	struct by_root by = { .root = root, .out = out };

	if (search(arena, dirs, has_root, &by))
		return DT_E_OK;
	return dt_fail(fail, DT_E_MISSING, "%s has not been served before",
	               root);
}

static bool is_later(const struct dt_place_record *record, void *owner)
{
	struct dt_place_record *last = owner;

	if (record->used_ms > last->used_ms &&
	    dt_file_is_dir(record->roots.ptr[0]))
		*last = *record;
	return false;
}

enum dt_err dt_place_last(struct dt_arena *arena, const struct dt_dirs *dirs,
                          struct dt_place_record *out, struct dt_fail *fail)
{
	struct dt_place_record last = { 0 };

	(void)search(arena, dirs, is_later, &last);
	if (!last.used_ms)
		return dt_fail(fail, DT_E_MISSING,
		               "no workspace has been used before");
	*out = last;
	return DT_E_OK;
}

void dt_place_move(struct dt_arena *arena, struct dt_place_record *record)
{
	char token[DT_TOKEN_TEXT];

	dt_rand_token(token);
	record->token = dt_arena_strdup(arena, token);
	record->port =
		DT_PORT_FIRST + dt_rand_below(DT_PORT_LAST - DT_PORT_FIRST + 1);
}

void dt_place_make(struct dt_arena *arena, const char *root,
                   struct dt_place_record *out)
{
	char id[DT_ID_TEXT];

	dt_rand_id(id);
	*out = (struct dt_place_record){ .id = dt_arena_strdup(arena, id) };
	out->roots.ptr = dt_arena_alloc(arena, sizeof(const char *));
	out->roots.ptr[0] = dt_arena_strdup(arena, root);
	out->roots.count = 1;
	dt_place_move(arena, out);
}

/* which folder */

enum git_kind {
	GIT_NONE,
	GIT_TOP,      /* .git is a folder, or a file of a submodule */
	GIT_WORKTREE, /* .git is a file that points into worktrees/ */
};

/* "gitdir: .../worktrees/NAME"; with a submodule of a worktree more follows. */
static bool is_worktree_link(struct dt_str text)
{
	static const struct dt_str parent = DT_STR("/worktrees/");
	struct dt_str line = dt_str_cut(&text, '\n');
	const char *slash = line.len ? memrchr(line.ptr, '/', line.len) : NULL;
	size_t len = slash ? (size_t)(slash + 1 - line.ptr) : 0;

	return len >= parent.len &&
	       !memcmp(line.ptr + len - parent.len, parent.ptr, parent.len);
}

static enum git_kind git_kind_of(struct dt_arena *arena, const char *folder)
{
	const char *dot_git = dt_path_join(arena, folder, ".git");
	enum git_kind kind = GIT_TOP;
	struct dt_buf text;
	struct stat st;

	if (lstat(dot_git, &st))
		return GIT_NONE;
	if (!S_ISREG(st.st_mode))
		return GIT_TOP;
	dt_buf_init(&text, 16u * DT_KIB);
	if (!dt_file_read(dot_git, &text, NULL) &&
	    is_worktree_link(dt_buf_str(&text)))
		kind = GIT_WORKTREE;
	dt_buf_done(&text);
	return kind;
}

static bool is_reserved(const char *folder, const char *home)
{
	return !strcmp(folder, "/") || !strcmp(folder, home);
}

static const char *parent_of(struct dt_arena *arena, const char *folder)
{
	return dt_path_join(arena, folder, "..");
}

/* Walk up from the folder; the first known workspace wins, else git's top. */
static const char *find_above(struct dt_arena *arena,
                              const struct dt_place_question *q,
                              const char *start, const char *home)
{
	const char *top = NULL;
	const char *at = start;

	while (!is_reserved(at, home)) {
		enum git_kind kind = git_kind_of(arena, at);

		if (q->is_known(at, q->owner))
			return at;
		if (kind != GIT_NONE && !top)
			top = at;
		if (kind == GIT_WORKTREE)
			break;
		at = parent_of(arena, at);
	}
	return top ? top : start;
}

enum dt_err dt_place_root(struct dt_arena *arena,
                          const struct dt_place_question *q,
                          const char **out_root, struct dt_fail *fail)
{
	const char *start;
	const char *home;
	enum dt_err err;

	err = dt_path_real(arena, q->folder, &start, fail);
	if (err)
		return err;
	if (!dt_file_is_dir(start))
		return dt_fail(fail, DT_E_MISSING, "%s is not a folder",
		               q->folder);
	if (dt_path_real(arena, q->home, &home, NULL))
		home = q->home;
	*out_root = start;
	if (q->is_named)
		return DT_E_OK;
	if (is_reserved(start, home))
		return dt_fail(
			fail, DT_E_ARGS,
			"%s as a whole is served only when named: cd into "
			"a project, or give --workspace %s",
			start, start);
	*out_root = find_above(arena, q, start, home);
	return DT_E_OK;
}

static bool has_marker(struct dt_arena *arena, const char *folder)
{
	static const char *const markers[] = {
		".git",         ".hg",          ".svn",        ".jj",
		"package.json", "Cargo.toml",   "go.mod",      "pyproject.toml",
		"setup.py",     "meson.build",  "pom.xml",     "CMakeLists.txt",
		"Makefile",     "build.gradle", "Gemfile",     "composer.json",
		"mix.exs",      "deno.json",    "flake.nix",   ".dovetail.conf",
		".vscode",      ".idea",        "BUILD.bazel",
	};
	struct stat st;

	for (size_t i = 0; i < sizeof(markers) / sizeof(markers[0]); i++) {
		if (!lstat(dt_path_join(arena, folder, markers[i]), &st))
			return true;
	}
	return false;
}

bool dt_place_is_project(struct dt_arena *arena,
                         const struct dt_place_question *q)
{
	const char *folder;
	const char *root;

	if (dt_place_root(arena, q, &root, NULL) ||
	    dt_path_real(arena, q->folder, &folder, NULL))
		return false;
	return strcmp(root, folder) != 0 || q->is_known(root, q->owner) ||
	       has_marker(arena, root);
}
