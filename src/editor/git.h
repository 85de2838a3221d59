/*
 * editor/git.h - what goes into the operations on a repository, and comes out.
 *
 * All arguments begin with the file or folder they are about, which also says
 * what repository is meant; NULL: the one of the first root.  Paths in results
 * are absolute.  Whatever quotes files does it file by file, so that what is
 * kept from agents can be taken out.
 */
#ifndef DT_EDITOR_GIT_H
#define DT_EDITOR_GIT_H

#include "base/str.h"
#include "data/field.h"

#include <stdbool.h>
#include <stdint.h>

struct dt_git_args {
	const char *path;
};

/* A file that is not as it was committed. */
struct dt_git_change {
	const char *path;
	const char *old_path; /* of a rename or copy; or NULL */
	const char *state;    /* "modified", "both added", ... */
};
struct dt_git_status_result {
	const char *root;     /* the top of the work tree */
	const char *branch;   /* NULL: HEAD is detached */
	const char *head;     /* NULL: there is no commit yet */
	const char *upstream; /* or NULL */
	struct dt_maybe_u32 ahead;
	struct dt_maybe_u32 behind;
	const char *doing; /* "merge", "rebase", ...; or NULL */
	struct dt_items staged;
	struct dt_items unstaged;
	struct dt_names untracked;
	struct dt_items conflicts;
	uint32_t stashes;
	bool is_cut;
};

/* The work tree against the index; with `is_staged` the index against HEAD;
 * with `from` that commit against the work tree or `to`. */
struct dt_git_diff_args {
	const char *path;
	const char *from;
	const char *to;
	bool is_staged;
	bool is_from_base; /* since the two parted, not from `from` itself */
	bool is_stat;      /* numbers alone */
	struct dt_maybe_u32 context;
};
struct dt_git_file_diff {
	const char *path;
	const char *old_path; /* of a rename or copy; or NULL */
	uint32_t added;
	uint32_t deleted;
	struct dt_str text;
};
struct dt_git_diff_result {
	struct dt_items files; /* struct dt_git_file_diff */
	bool is_cut;
	uint32_t left_out; /* files kept from agents */
};

struct dt_git_commit_info {
	const char *hash;
	const char *author;
	const char *email;
	const char *date; /* ISO 8601 */
	struct dt_names parents;
	const char *subject;
	struct dt_str body;
};
struct dt_git_log_args {
	const char *path;
	const char *from; /* the newest; NULL: HEAD */
	const char *base; /* without what is reached from here; or NULL */
	uint32_t limit;
	uint32_t skip;
	struct dt_maybe_u32 first_line; /* 0-based: changes of these lines */
	struct dt_maybe_u32 last_line;
};
struct dt_git_log_result {
	struct dt_items commits; /* struct dt_git_commit_info */
	bool is_cut;
};

struct dt_git_show_args {
	const char *path;
	const char *commit;
	bool has_patch;
};
struct dt_git_show_result {
	struct dt_git_diff_result diff; /* first: the gate takes it for one */
	struct dt_git_commit_info commit;
};

struct dt_git_blame_args {
	const char *path;
	struct dt_maybe_u32 first_line; /* 0-based */
	struct dt_maybe_u32 last_line;
};
struct dt_git_blame_line {
	uint32_t line; /* 0-based */
	const char *hash;
	const char *author;
	const char *date;
	const char *subject;
	struct dt_str text;
};
struct dt_git_blame_result {
	const char *path;
	struct dt_items lines; /* struct dt_git_blame_line */
	bool is_cut;
};

struct dt_git_branches_args {
	const char *path;
	bool has_remote;
};
struct dt_git_branch {
	const char *name; /* "main", "origin/main" */
	bool is_remote;
	bool is_current;
	const char *hash;
	const char *upstream; /* or NULL */
	const char *track;    /* "ahead 1, behind 2", "gone"; or NULL */
	const char *date;
	const char *subject;
};
struct dt_git_branches_result {
	const char *current; /* NULL: HEAD is detached */
	struct dt_items branches;
	bool is_cut;
};

struct dt_git_stash_info {
	uint32_t index;
	const char *hash;
	const char *date;
	const char *message;
};
struct dt_git_stashes_result {
	struct dt_items stashes;
};

struct dt_git_hotspots_args {
	const char *path;
	uint32_t days;
	uint32_t limit;
};
struct dt_git_hotspot {
	const char *path;
	uint32_t commits;
};
struct dt_git_hotspots_result {
	uint32_t commits; /* that were looked at */
	struct dt_items hotspots;
	bool is_cut; /* older commits of the time were not looked at */
};

extern const struct dt_field dt_git_args_fields[];
extern const struct dt_field dt_git_status_fields[];
extern const struct dt_field dt_git_diff_args_fields[];
extern const struct dt_field dt_git_diff_fields[];
extern const struct dt_field dt_git_log_args_fields[];
extern const struct dt_field dt_git_log_fields[];
extern const struct dt_field dt_git_show_args_fields[];
extern const struct dt_field dt_git_show_fields[];
extern const struct dt_field dt_git_blame_args_fields[];
extern const struct dt_field dt_git_blame_fields[];
extern const struct dt_field dt_git_branches_args_fields[];
extern const struct dt_field dt_git_branches_fields[];
extern const struct dt_field dt_git_stashes_fields[];
extern const struct dt_field dt_git_hotspots_args_fields[];
extern const struct dt_field dt_git_hotspots_fields[];

/* Shapes that faces use too. */
extern const struct dt_shape dt_shape_git_commit;
extern const struct dt_shape dt_shape_git_change;
extern const struct dt_shape dt_shape_git_branch;
extern const struct dt_shape dt_shape_git_stash;
extern const struct dt_shape dt_shape_git_hotspot;

#endif
