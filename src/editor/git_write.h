/*
 * editor/git_write.h - what goes into the operations that change a repository or
 * reach beyond this machine, and comes out; as in editor/git.h.
 */
#ifndef DT_EDITOR_GIT_WRITE_H
#define DT_EDITOR_GIT_WRITE_H

#include "base/str.h"
#include "data/field.h"

#include <stdbool.h>
#include <stdint.h>

/* `files` are absolute, or relative to the top. */
struct dt_git_add_args {
	const char *path;
	struct dt_names files; /* none: all that git knows */
	bool has_untracked;
};
struct dt_git_add_result {
	struct dt_names staged; /* all that is staged now */
};

struct dt_git_commit_args {
	const char *path;
	const char *message;
	struct dt_names files; /* staged first */
	bool is_all;
};
struct dt_git_commit_result {
	const char *hash;
	const char *branch; /* NULL: HEAD is detached */
	const char *subject;
	struct dt_names files;
};

struct dt_git_checkout_args {
	const char *path;
	const char *branch;
	bool is_new;
	const char *base; /* of a new one; NULL: HEAD */
};
struct dt_git_checkout_result {
	const char *branch;
	const char *previous; /* or NULL */
};

struct dt_git_stash_args {
	const char *path;
	const char *message;
	bool has_untracked;
};
struct dt_git_pop_args {
	const char *path;
	uint32_t index;
};
struct dt_git_stash_result {
	const char *hash;
};

/* What reaches beyond this machine. */
struct dt_git_fetch_args {
	const char *path;
	const char *remote; /* NULL: the one of the branch */
	bool is_all;
};
struct dt_git_ref_change {
	const char *name;
	const char *before; /* NULL: it is new */
	const char *after;  /* NULL: it is gone */
};
struct dt_git_fetch_result {
	struct dt_items refs; /* struct dt_git_ref_change */
};

struct dt_git_pull_args {
	const char *path;
	const char *remote;
	const char *branch;
	bool is_rebase;
};
struct dt_git_pull_result {
	const char *before;
	const char *after;
};

struct dt_git_push_args {
	const char *path;
	const char *remote;
	const char *branch;
	bool sets_upstream;
	bool is_forced;
};
struct dt_git_push_result {
	const char *remote;
	const char *branch;
	const char *hash;
	const char *state; /* "new", "updated", "forced", "up to date" */
};

#define DT_GIT_WRITE_MS 180000   /* for each command of git, once it runs */
#define DT_GITHUB_WRITE_MS 60000 /* once it has begun */

/* The arguments of the person's `gh`, and what it printed. */
struct dt_github_args {
	const char *path;
	struct dt_names words;
	bool is_tail; /* of a long output its end is told, not its beginning */
};
struct dt_github_result {
	struct dt_str output;
	bool is_cut;
};

extern const struct dt_field dt_git_add_args_fields[];
extern const struct dt_field dt_git_add_fields[];
extern const struct dt_field dt_git_commit_args_fields[];
extern const struct dt_field dt_git_commit_fields[];
extern const struct dt_field dt_git_checkout_args_fields[];
extern const struct dt_field dt_git_checkout_fields[];
extern const struct dt_field dt_git_stash_args_fields[];
extern const struct dt_field dt_git_stash_fields[];
extern const struct dt_field dt_git_pop_args_fields[];
extern const struct dt_field dt_git_fetch_args_fields[];
extern const struct dt_field dt_git_fetch_fields[];
extern const struct dt_field dt_git_pull_args_fields[];
extern const struct dt_field dt_git_pull_fields[];
extern const struct dt_field dt_git_push_args_fields[];
extern const struct dt_field dt_git_push_fields[];
extern const struct dt_field dt_github_args_fields[];
extern const struct dt_field dt_github_fields[];
extern const struct dt_shape dt_shape_git_ref_change;

#endif
