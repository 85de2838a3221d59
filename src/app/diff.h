/*
 * app/diff.h - a review laid out as files, so that git can show it and an
 * editor can edit it.
 */
#ifndef DT_APP_DIFF_H
#define DT_APP_DIFF_H

#include "app/reviews.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

/* A folder of ours alone below $TMPDIR, for the diffs of this run. */
enum dt_err dt_diff_make_folder(struct dt_arena *arena, const char **out,
                                struct dt_fail *fail) DT_MUST_CHECK;

/*
 * One review: "a" below the folder holds the old texts, "b" the new ones, by
 * their names in the workspace.  A person's edits happen in "b" and stay there
 * until dt_diff_remove().
 */
struct dt_diff {
	const char *base;
	const char *folder; /* of this review, in base */
	const char *edited; /* the first file of "b" */
	/* By file of the review: where its old text lies, and its new one, be
	 * there one or not. */
	const char **before;
	const char **after;
};

/* Lay out a review below `base`; one that is there already stays. */
enum dt_err dt_diff_open(struct dt_arena *arena, const char *base,
                         const struct dt_review_info *review,
                         struct dt_diff *out,
                         struct dt_fail *fail) DT_MUST_CHECK;
void dt_diff_remove(const struct dt_diff *diff);

/* Show it with git and its pager, or `pager` unless that is empty; with diff(1)
 * where there is no git. */
enum dt_err dt_diff_show(const struct dt_diff *diff, const char *pager,
                         struct dt_fail *fail) DT_MUST_CHECK;

/* The same of one of its files. */
enum dt_err dt_diff_show_file(const struct dt_diff *diff, size_t file,
                              const char *pager,
                              struct dt_fail *fail) DT_MUST_CHECK;

/* Write a file of the layout, with the folders above it. */
enum dt_err dt_diff_put(const char *file, struct dt_str text,
                        struct dt_fail *fail) DT_MUST_CHECK;

/* A review as a patch that `git apply` takes in the workspace. */
void dt_diff_write(const struct dt_review_info *review, struct dt_buf *out);

/* Show a review, and leave nothing behind; where nobody looks, print it. */
enum dt_err dt_diff_print(struct dt_arena *arena,
                          const struct dt_review_info *review,
                          const char *pager,
                          struct dt_fail *fail) DT_MUST_CHECK;

/* Let the person edit a file: `editor`, else $VISUAL, $EDITOR or vi. */
enum dt_err dt_diff_edit_file(const char *file, const char *editor,
                              struct dt_fail *fail) DT_MUST_CHECK;

/* What a file holds now.  DT_E_ARGS when it is no text any more. */
enum dt_err dt_diff_read_file(const char *file, struct dt_buf *out,
                              struct dt_fail *fail) DT_MUST_CHECK;

#endif
