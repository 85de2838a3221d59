/* review/restore.c - entries of the store, as entries of a change set. */
#include "review/restore.h"

#include "base/buf.h"
#include "base/limits.h"
#include "review/rules.h"

#include <stdio.h>

static char *dup_or_null(const char *z)
{
	return z ? dt_strdup(z) : NULL;
}

/* What was outside of the roots may be inside by now, and the other way round. */
static bool is_outside(struct dt_documents *docs, const char *path)
{
	struct dt_buf text;
	bool is_outside = false;
	enum dt_err err;

	dt_buf_init(&text, DT_LIMIT_FILE);
	err = dt_documents_read(docs, path, DT_TEXT_ANYWHERE, &text,
	                        &is_outside, NULL);
	dt_buf_done(&text);
	return !err && is_outside;
}

static void restore_one(struct dt_entry *e, const struct dt_entry_record *kept,
                        struct dt_documents *docs)
{
	*e = (struct dt_entry){
		/* Both lists name the kinds in the same order. */
		.kind = (enum dt_change_kind)kept->kind,
		.path = dt_strdup(kept->path),
		.new_path = dup_or_null(kept->new_path),
		.old_text = dt_text_own(kept->old_text),
		.proposed = dt_text_own(kept->proposed_text),
		.is_outside = is_outside(docs, kept->path),
		.to_trash = true,
	};
	snprintf(e->digest, sizeof(e->digest), "%s",
	         kept->base_digest ? kept->base_digest : "");
	if (kept->is_edited)
		e->final = dt_text_own(kept->final_text);
	e->is_settings =
		dt_rules_is_settings(docs, e->path) ||
		(e->new_path && dt_rules_is_settings(docs, e->new_path));
}

void dt_changeset_restore(struct dt_changeset *set,
                          const struct dt_review_record *record,
                          struct dt_documents *docs)
{
	*set = (struct dt_changeset){ .count = record->entry_count };
	set->entries = dt_alloc(set->count * sizeof(*set->entries));
	for (size_t i = 0; i < set->count; i++)
		restore_one(&set->entries[i], &record->entries[i], docs);
}
