/*
 * base/hunk.h - a change in pieces that can be taken or left one by one.
 *
 * Edits with few common lines between them are one hunk, as in a diff.  The
 * texts are borrowed; they outlive the hunks.
 */
#ifndef DT_BASE_HUNK_H
#define DT_BASE_HUNK_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/linediff.h"

#include <stdbool.h>
#include <stddef.h>

#define DT_HUNK_CONTEXT 3 /* common lines shown around a hunk */

struct dt_hunk {
	size_t first_edit;
	size_t edit_count;
	bool is_taken;
	struct dt_str text; /* instead of its new lines; ptr NULL: those */
};

struct dt_hunks {
	struct dt_arena arena;
	struct dt_lines old;
	struct dt_lines fresh;
	struct dt_edits edits;
	struct dt_hunk *ptr;
	size_t count;
};

/* An absent text is an empty one; `work` is that of dt_lines_diff(). */
void dt_hunks_init(struct dt_hunks *hunks, struct dt_str old,
                   struct dt_str fresh, size_t *work);
void dt_hunks_done(struct dt_hunks *hunks);

/* Make hunks of the single edits of one; false when there is only one. */
bool dt_hunks_split(struct dt_hunks *hunks, size_t n);

/* The lines a hunk takes away and those it brings, common ones between its
 * edits included. */
struct dt_edit dt_hunks_range(const struct dt_hunks *hunks, size_t n);

/* The new lines of a hunk, appended. */
void dt_hunks_text(const struct dt_hunks *hunks, size_t n, struct dt_buf *out);

/*
 * One line of a hunk as a diff shows it: `mark` is ' ', '-' or '+'; the line has
 * its line break, if any.
 */
typedef void dt_hunk_line_fn(char mark, struct dt_str line, void *owner);
/* All of them with DT_HUNK_CONTEXT common ones around.  `out_range` (or NULL)
 * is what they cover. */
void dt_hunks_show(const struct dt_hunks *hunks, size_t n,
                   struct dt_edit *out_range, dt_hunk_line_fn *fn, void *owner);

/*
 * The old text with what was taken, appended byte for byte.  Of a text of its
 * own that lacks its line break where lines follow, the break is put there: two
 * lines never become one.
 */
void dt_hunks_apply(const struct dt_hunks *hunks, struct dt_buf *out);

#endif
