/* review/changeset.c - old texts read, digests taken, kinds corrected. */
#include "review/changeset.h"

#include "base/limits.h"
#include "review/edits.h"

#include <stdlib.h>

struct dt_str dt_text_own(struct dt_str text)
{
	if (!text.ptr)
		return text;
	return (struct dt_str){ dt_strndup(text.ptr, text.len), text.len };
}

static void free_text(struct dt_str text)
{
	free((char *)(uintptr_t)text.ptr);
}

static enum dt_err text_after(const struct dt_change *change,
                              struct dt_str before, size_t *room,
                              struct dt_str *out, struct dt_fail *fail)
{
	struct dt_fail why = { 0 };
	enum dt_err err = DT_E_OK;

	if (change->kind == DT_CHANGE_DELETE)
		*out = (struct dt_str){ 0 };
	else if (change->edits.count > 0 && change->text.ptr)
		err = dt_fail(&why, DT_E_ARGS, "give text or edits, not both");
	else if (change->edits.count > 0)
		err = dt_edits_apply(&change->edits, before, room, out, &why);
	else if (change->text.ptr)
		*out = dt_text_own(change->text);
	else if (change->kind == DT_CHANGE_RENAME)
		*out = dt_text_own(before); /* what is only renamed */
	else
		*out = dt_text_own(DT_STR(""));
	return err ? dt_fail(fail, err, "%s: %s", change->path, why.msg)
	           : DT_E_OK;
}

/* True when it needs no old text. */
static bool can_be_new(const struct dt_change *change)
{
	return change->kind != DT_CHANGE_DELETE &&
	       change->kind != DT_CHANGE_RENAME && change->edits.count == 0;
}

static enum dt_err init_entry(struct dt_entry *entry,
                              const struct dt_change *change,
                              struct dt_documents *docs, size_t *room,
                              struct dt_fail *fail)
{
	struct dt_fail why = { 0 };
	struct dt_buf old;
	enum dt_err err;

	entry->kind = (enum dt_change_kind)change->kind;
	entry->path = dt_strdup(change->path);
	if (change->new_path && strcmp(change->new_path, change->path) != 0)
		entry->new_path = dt_strdup(change->new_path);
	dt_buf_init(&old, DT_LIMIT_FILE);
	err = dt_documents_read(docs, change->path, DT_TEXT_ANYWHERE, &old,
	                        &entry->is_outside, &why);
	if (err == DT_E_MISSING && can_be_new(change)) {
		entry->kind = DT_CHANGE_CREATE;
		return text_after(change, (struct dt_str){ 0 }, room,
		                  &entry->proposed, fail);
	}
	if (err) {
		dt_buf_done(&old);
		return dt_fail(fail, err, "%s", why.msg);
	}
	if (entry->kind == DT_CHANGE_CREATE)
		entry->kind = DT_CHANGE_EDIT;
	/* Whether a piece fits tells what is in a file that agents may not
	 * read. */
	if (entry->is_outside && change->edits.count > 0) {
		dt_buf_done(&old);
		return dt_fail(fail, DT_E_DENIED,
		               "%s is outside the workspace; give its whole "
		               "new text instead of edits",
		               change->path);
	}
	dt_sha256_hex(old.ptr, old.len, entry->digest);
	entry->old_text.len = old.len;
	entry->old_text.ptr = dt_buf_take(&old);
	return text_after(change, entry->old_text, room, &entry->proposed,
	                  fail);
}

static bool has_name(const struct dt_entry *e, const char *path)
{
	return !strcmp(e->path, path) ||
	       (e->new_path && !strcmp(e->new_path, path));
}

/* One file has one change, so that their order says nothing. */
static enum dt_err check_names(const struct dt_changeset *set,
                               struct dt_fail *fail)
{
	for (size_t i = 1; i < set->count; i++) {
		const struct dt_entry *e = &set->entries[i];

		for (size_t k = 0; k < i; k++) {
			const struct dt_entry *other = &set->entries[k];

			if (has_name(other, e->path) ||
			    (e->new_path && has_name(other, e->new_path)))
				return dt_fail(fail, DT_E_ARGS,
				               "%s is in the change more than "
				               "once",
				               e->path);
		}
	}
	return DT_E_OK;
}

enum dt_err dt_changeset_init(struct dt_changeset *set,
                              const struct dt_items *changes,
                              struct dt_documents *docs, struct dt_fail *fail)
{
	const struct dt_change *change = changes->ptr;
	size_t room = DT_LIMIT_EDIT_TEXT;
	enum dt_err err = DT_E_OK;

	if (changes->count == 0)
		return dt_fail(fail, DT_E_ARGS, "the change has no files");
	if (changes->count > DT_LIMIT_CHANGES)
		return dt_fail(fail, DT_E_LIMIT,
		               "the change has more than %u files",
		               DT_LIMIT_CHANGES);
	*set = (struct dt_changeset){ .count = changes->count };
	set->entries = dt_alloc(changes->count * sizeof(*set->entries));
	for (size_t i = 0; i < changes->count && !err; i++)
		err = init_entry(&set->entries[i], &change[i], docs, &room,
		                 fail);
	if (!err)
		err = check_names(set, fail);
	if (err)
		dt_changeset_done(set);
	return err;
}

void dt_changeset_done(struct dt_changeset *set)
{
	for (size_t i = 0; i < set->count; i++) {
		struct dt_entry *entry = &set->entries[i];

		free(entry->path);
		free(entry->new_path);
		free_text(entry->old_text);
		free_text(entry->proposed);
		free_text(entry->final);
	}
	free(set->entries);
	*set = (struct dt_changeset){ 0 };
}

void dt_entry_set_final(struct dt_entry *entry, struct dt_str text)
{
	free_text(entry->final);
	entry->final = dt_text_own(text);
}

bool dt_entry_is_stale(const struct dt_entry *entry, struct dt_documents *docs)
{
	char digest[DT_SHA256_TEXT] = "";
	struct dt_fail why = { 0 };
	struct dt_buf now;
	enum dt_err err;

	dt_buf_init(&now, DT_LIMIT_FILE);
	err = dt_documents_read(docs, entry->path, DT_TEXT_ANYWHERE, &now, NULL,
	                        &why);
	if (!err)
		dt_sha256_hex(now.ptr, now.len, digest);
	dt_buf_done(&now);
	/* What is there and cannot be read is not what was there. */
	return (err && err != DT_E_MISSING) ||
	       strcmp(digest, entry->digest) != 0;
}
