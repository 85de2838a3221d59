/*
 * hub/seen.h - files that say what a test suite, a script or a hook does, and
 * which of them the person has seen.
 *
 * A file is seen as it is committed, or when the person accepted its text in a
 * review, or accepted a command that was asked about because of it.
 */
#ifndef DT_HUB_SEEN_H
#define DT_HUB_SEEN_H

#include "base/arena.h"
#include "base/err.h"
#include "base/sha256.h"
#include "data/field.h"
#include "review/inbox.h"

#include <stdbool.h>
#include <stddef.h>

/* One file as it is now; digest "": it is not there. */
struct dt_seen_file {
	const char *path; /* absolute */
	char digest[DT_SHA256_TEXT];
};

/* The patterns of base/glob.h, for any folder, of the files that define what a
 * program does; NULL: of every program. */
struct dt_names dt_seen_globs(struct dt_arena *arena, const char *program);
bool dt_seen_is_defining(const char *path);

/* A file as it is; what cannot be read has a digest that nothing else has. */
struct dt_seen_file dt_seen_read(const char *path);

/* Whether the person saw it so.  `state` is the state directory. */
bool dt_seen_has(const char *state, const struct dt_seen_file *file);
/* From now on it is. */
enum dt_err dt_seen_add(const char *state, const struct dt_seen_file *files,
                        size_t count, struct dt_fail *fail) DT_MUST_CHECK;

/* What a person has just accepted; a verdict of the rules is none. */
void dt_seen_review(const char *state, const struct dt_review *review);

#endif
