/* review/changeset.c - old texts read, digests taken, kinds corrected. */
#include "review/changeset.h"

#include "base/limits.h"

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

static struct dt_str text_after(const struct dt_change *change,
                                struct dt_str before)
{
	if (change->kind == DT_CHANGE_DELETE)
		return (struct dt_str){ 0 };
	if (change->text.ptr)
		return dt_text_own(change->text);
	/* What is only renamed stays as it is. */
	return dt_text_own(change->kind == DT_CHANGE_RENAME ? before
	                                                    : DT_STR(""));
}

static enum dt_err init_entry(struct dt_entry *entry,
                              const struct dt_change *change,
                              struct dt_documents *docs, struct dt_fail *fail)
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
	if (err == DT_E_MISSING && entry->kind != DT_CHANGE_DELETE &&
	    entry->kind != DT_CHANGE_RENAME) {
		entry->kind = DT_CHANGE_CREATE;
		entry->proposed = text_after(change, (struct dt_str){ 0 });
		return DT_E_OK;
	}
	if (err) {
		dt_buf_done(&old);
		return dt_fail(fail, err, "%s", why.msg);
	}
	if (entry->kind == DT_CHANGE_CREATE)
		entry->kind = DT_CHANGE_EDIT;
	dt_sha256_hex(old.ptr, old.len, entry->digest);
	entry->old_text.len = old.len;
	entry->old_text.ptr = dt_buf_take(&old);
	entry->proposed = text_after(change, entry->old_text);
	return DT_E_OK;
}

enum dt_err dt_changeset_init(struct dt_changeset *set,
                              const struct dt_items *changes,
                              struct dt_documents *docs, struct dt_fail *fail)
{
	const struct dt_change *change = changes->ptr;

	if (changes->count == 0)
		return dt_fail(fail, DT_E_ARGS, "the change has no files");
	*set = (struct dt_changeset){ .count = changes->count };
	set->entries = dt_alloc(changes->count * sizeof(*set->entries));
	for (size_t i = 0; i < changes->count; i++) {
		enum dt_err err =
			init_entry(&set->entries[i], &change[i], docs, fail);

		if (err) {
			dt_changeset_done(set);
			return err;
		}
	}
	return DT_E_OK;
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
