/* hub/place.h - what a workspace keeps between runs: its port and its token. */
#ifndef DT_HUB_PLACE_H
#define DT_HUB_PLACE_H

#include "base/arena.h"
#include "base/err.h"
#include "base/rand.h"
#include "data/field.h"
#include "hub/dirs.h"

#include <stdbool.h>
#include <stdint.h>

/* Ports lie below the ephemeral range, so nobody gets ours by chance. */
#define DT_PORT_FIRST 10000u
#define DT_PORT_LAST 32767u

struct dt_place_record {
	const char *id;        /* 32 hex digits */
	struct dt_names roots; /* real paths, the main one first */
	uint32_t port;
	const char *token;
	int64_t used_ms; /* wall; when it was last asked for, 0: not known */
};

/* state/workspaces/ID.json, 0600 in 0700.  */
enum dt_err dt_place_save(const struct dt_dirs *dirs,
                          const struct dt_place_record *record,
                          struct dt_fail *fail) DT_MUST_CHECK;

/* The record whose main root is `root`; DT_E_MISSING when there is none. */
enum dt_err dt_place_find(struct dt_arena *arena, const struct dt_dirs *dirs,
                          const char *root, struct dt_place_record *out,
                          struct dt_fail *fail) DT_MUST_CHECK;

/* The record that was used last, of those whose folder is there; DT_E_MISSING
 * when there is none. */
enum dt_err dt_place_last(struct dt_arena *arena, const struct dt_dirs *dirs,
                          struct dt_place_record *out,
                          struct dt_fail *fail) DT_MUST_CHECK;

/* A record for a new workspace: fresh id, port and token. */
void dt_place_make(struct dt_arena *arena, const char *root,
                   struct dt_place_record *out);
/* Another port and, with it, another token. */
void dt_place_move(struct dt_arena *arena, struct dt_place_record *record);

/*
 * Which folder is the workspace of `folder` (absolute): the folder itself when
 * it was named; else the nearest one above that `is_known` knows; else the top
 * of its git work tree; else the folder.  "/" and the home folder only when
 * named: DT_E_ARGS.  A git worktree is a workspace of its own even inside
 * another.  The result is a real path in the arena.
 */
typedef bool dt_place_known_fn(const char *root, void *owner);
struct dt_place_question {
	const char *folder;
	bool is_named;
	const char *home;
	dt_place_known_fn *is_known;
	void *owner;
};
enum dt_err dt_place_root(struct dt_arena *arena,
                          const struct dt_place_question *question,
                          const char **out_root,
                          struct dt_fail *fail) DT_MUST_CHECK;

/*
 * True when somebody who is in the folder means a project by that: it lies in a
 * known workspace or a git work tree, or has a file that projects have at their
 * top.  The home folder is none, whatever lies in it.
 */
bool dt_place_is_project(struct dt_arena *arena,
                         const struct dt_place_question *question);

#endif
