/* review/changeset.h - a proposal held against what is there. */
#ifndef DT_REVIEW_CHANGESET_H
#define DT_REVIEW_CHANGESET_H

#include "base/err.h"
#include "base/sha256.h"
#include "base/str.h"
#include "editor/document.h"
#include "editor/operation.h"

#include <stdbool.h>
#include <stddef.h>

/* One file of a change set, or a folder, whose path ends with a slash and which
 * has no texts.  Texts are owned; an absent one has ptr NULL. */
struct dt_entry {
	enum dt_change_kind kind;
	char *path;
	char *new_path; /* or NULL */
	/* Where it is written: the same with the links in its folders followed
	 * when it was proposed, which is what rules and the gate judge; or
	 * NULL. */
	char *place;
	char digest
		[DT_SHA256_TEXT]; /* of the old text; "" when there is none */
	/* Of the text that was edited, where it was not saved; else "". */
	char unsaved[DT_SHA256_TEXT];
	struct dt_str old_text; /* on disk */
	struct dt_str proposed;
	struct dt_str final; /* a person's, and then the verdict's */
	bool is_outside;     /* not beneath the workspace's roots */
	bool is_settings;    /* of git, an agent, an editor or a shell */
	bool is_left_out;    /* of what was accepted: it stays as it is */
	bool is_save;        /* the proposed text was there, unsaved */
	bool to_trash;       /* what is deleted goes there */
	char *trashed;       /* and that is where it went; or NULL */
};

/* What a person made of one entry. */
struct dt_final {
	struct dt_str text; /* ptr NULL: as proposed */
	bool is_left_out;   /* it is not in what was accepted */
};

struct dt_changeset {
	struct dt_entry *entries;
	size_t count;
};

/*
 * Read the old texts and see what each change really is: a file that is not
 * there is created, though the agent called it changed, and the other way
 * round.  Edits are made of the text of now, saved or not.  DT_E_ARGS: no
 * changes, one of what is not a file, two of one file, edits that do not fit, or
 * edits of what is no text.  DT_E_MISSING: nothing is there to be edited,
 * deleted or renamed.  DT_E_STATE: a text that is not the one it was made from,
 * or a file that must not be there.  DT_E_DENIED: edits of a file outside the
 * roots.  DT_E_LIMIT: too many.  DT_E_SYS, DT_E_LIMIT: an old text that cannot
 * be read.
 */
enum dt_err dt_changeset_init(struct dt_changeset *set,
                              const struct dt_items *changes,
                              struct dt_documents *docs,
                              struct dt_fail *fail) DT_MUST_CHECK;
void dt_changeset_done(struct dt_changeset *set);

/*
 * The text that a change by text, edits or ranges makes of another, on the heap.
 * DT_E_ARGS, DT_E_LIMIT: edits that do not fit, or too many.
 */
enum dt_err dt_change_apply(const struct dt_change *change,
                            struct dt_str before, struct dt_str *out,
                            struct dt_fail *fail) DT_MUST_CHECK;

/* Which texts are told. */
enum dt_told_texts {
	DT_TOLD_NONE,
	DT_TOLD_PROPOSED,
	DT_TOLD_FINAL,
};
/* The entries as agents are told of them, on the heap; what is in the list is
 * borrowed from the set. */
struct dt_change *dt_changeset_list(const struct dt_changeset *set,
                                    enum dt_told_texts texts);

/* Put a final text in place of the one there may be; it is copied. */
void dt_entry_set_final(struct dt_entry *entry, struct dt_str text);

/* The text of a slice, owned by whoever keeps it; absent stays absent. */
struct dt_str dt_text_own(struct dt_str text);

/* Of the text it was made from: unsaved, or on disk; "" when there was none. */
const char *dt_entry_base(const struct dt_entry *entry);

/* True when the file no longer holds what the change was made from. */
bool dt_entry_is_stale(const struct dt_entry *entry, struct dt_documents *docs);

#endif
