/* review/tree.h - a folder as the files that are in it. */
#ifndef DT_REVIEW_TREE_H
#define DT_REVIEW_TREE_H

#include "base/arena.h"
#include "base/err.h"
#include "editor/document.h"
#include "editor/operation.h"

/*
 * The changes with those that delete a folder replaced by one for each file in
 * it, hidden and ignored ones too, and one for each folder behind what is in it.
 * What comes out is in the arena or borrowed from what went in.  DT_E_DENIED: a
 * folder that is a link, a root or outside of all, or has something in it that
 * is no file, or a repository.  DT_E_LIMIT: more than a change may have.
 */
enum dt_err dt_changes_expand(struct dt_arena *arena,
                              const struct dt_items *changes,
                              const struct dt_documents *docs,
                              struct dt_items *out,
                              struct dt_fail *fail) DT_MUST_CHECK;

/* Paths of folders among those of a change set end with a slash. */
bool dt_tree_is_folder(const char *path);

#endif
