/*
 * review/staging.c - transactions: change sets that grow before they are shown.
 *
 * A file is read when it is staged first; what it held then is the base that
 * the review is held against later, so a change of somebody else in between is
 * seen.  A staging that fails leaves the transaction as it was.
 */
#include "review/staging.h"

#include "base/clock.h"
#include "base/limits.h"
#include "base/rand.h"

#include <stdlib.h>

void dt_staging_init(struct dt_staging *staging)
{
	dt_list_init(&staging->list);
}

void dt_staging_done(struct dt_staging *staging)
{
	dt_list_each(t, &staging->list, struct dt_transaction, link)
		dt_transaction_free(t);
}

void dt_transaction_free(struct dt_transaction *t)
{
	dt_list_remove(&t->link);
	dt_changeset_done(&t->set);
	free(t->id);
	free(t->session);
	free(t);
}

void dt_staging_leave(struct dt_staging *staging, const char *session)
{
	dt_list_each(t, &staging->list, struct dt_transaction, link) {
		if (!strcmp(t->session, session))
			dt_transaction_free(t);
	}
}

/* beginning */

static bool is_id(const char *id)
{
	size_t len = strlen(id);

	return len > 0 && len <= DT_TRANSACTION_NAME_MAX &&
	       strspn(id, "abcdefghijklmnopqrstuvwxyz"
	                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") == len;
}

static struct dt_transaction *find(struct dt_staging *staging,
                                   const char *session, const char *id)
{
	dt_list_each(t, &staging->list, struct dt_transaction, link) {
		if (!strcmp(t->session, session) && !strcmp(t->id, id))
			return t;
	}
	return NULL;
}

static size_t count_of(struct dt_staging *staging, const char *session)
{
	uint64_t now_ms = dt_clock_ms();
	size_t count = 0;

	dt_list_each(t, &staging->list, struct dt_transaction, link) {
		if (now_ms - t->touched_ms > DT_LIMIT_TRANSACTION_MS)
			dt_transaction_free(t);
		else
			count += !strcmp(t->session, session);
	}
	return count;
}

enum dt_err dt_staging_begin(struct dt_staging *staging, const char *session,
                             const char *id, struct dt_transaction **out,
                             struct dt_fail *fail)
{
	char made[DT_ID_TEXT];
	struct dt_transaction *t;

	if (id && !is_id(id))
		return dt_fail(fail, DT_E_ARGS,
		               "an id has 1 to %u letters, digits, '-', '_' "
		               "or '.'",
		               DT_TRANSACTION_NAME_MAX);
	if (count_of(staging, session) >= DT_LIMIT_TRANSACTIONS)
		return dt_fail(fail, DT_E_LIMIT,
		               "%u transactions are open; commit or roll back "
		               "one first",
		               DT_LIMIT_TRANSACTIONS);
	if (id && find(staging, session, id))
		return dt_fail(fail, DT_E_STATE,
		               "there is a transaction %s already", id);
	if (!id)
		dt_rand_id(made);
	t = dt_alloc(sizeof(*t));
	t->staging = staging;
	t->id = dt_strdup(id ? id : made);
	t->session = dt_strdup(session);
	t->touched_ms = dt_clock_ms();
	dt_list_append(&staging->list, &t->link);
	*out = t;
	return DT_E_OK;
}

enum dt_err dt_staging_find(struct dt_staging *staging, const char *session,
                            const char *id, struct dt_transaction **out,
                            struct dt_fail *fail)
{
	struct dt_transaction *t;

	count_of(staging, session); /* what is too old is gone */
	t = find(staging, session, id);
	if (!t)
		return dt_fail(fail, DT_E_MISSING,
		               "you have no transaction %s: it is over, its "
		               "session has ended, or it was left alone for %u "
		               "minutes",
		               id, DT_LIMIT_TRANSACTION_MS / 60000);
	t->touched_ms = dt_clock_ms();
	*out = t;
	return DT_E_OK;
}

/* staging */

static struct dt_entry *entry_of(const struct dt_changeset *set,
                                 const char *path)
{
	for (size_t i = 0; i < set->count; i++) {
		struct dt_entry *e = &set->entries[i];

		if (!strcmp(e->path, path) ||
		    (e->new_path && !strcmp(e->new_path, path)))
			return e;
	}
	return NULL;
}

/* One more edit of a file that is staged: from its staged text. */
static enum dt_err restage(const struct dt_entry *staged,
                           const struct dt_change *change,
                           struct dt_changeset *out, struct dt_fail *fail)
{
	struct dt_entry *e = dt_alloc(sizeof(*e));
	bool is_text = staged->kind == DT_CHANGE_CREATE ||
	               staged->kind == DT_CHANGE_EDIT;
	bool stays_text = change->kind == DT_CHANGE_CREATE ||
	                  change->kind == DT_CHANGE_EDIT;

	*out = (struct dt_changeset){ e, 1 };
	*e = *staged;
	e->path = dt_strdup(staged->path);
	e->new_path = NULL;
	e->place = staged->place ? dt_strdup(staged->place) : NULL;
	e->old_text = dt_text_own(staged->old_text);
	e->proposed = (struct dt_str){ 0 };
	if (!is_text || !stays_text)
		return dt_fail(fail, DT_E_STATE,
		               "%s is staged to be deleted or renamed, or "
		               "edited before: that does not go together",
		               change->path);
	return dt_change_apply(change, staged->proposed, &e->proposed, fail);
}

static enum dt_err stage_one(const struct dt_transaction *t,
                             const struct dt_change *change,
                             struct dt_documents *docs,
                             struct dt_changeset *out, struct dt_fail *fail)
{
	const struct dt_entry *staged = entry_of(&t->set, change->path);
	struct dt_items one = { (void *)(uintptr_t)change, 1 };

	if (change->new_path && entry_of(&t->set, change->new_path))
		return dt_fail(fail, DT_E_STATE, "%s is staged already",
		               change->new_path);
	return staged ? restage(staged, change, out, fail)
	              : dt_changeset_init(out, &one, docs, fail);
}

static size_t bytes_of(const struct dt_entry *e)
{
	return e->old_text.len + e->proposed.len;
}

/* Put an entry in place of the one of its file, or behind all. */
static void keep(struct dt_transaction *t, const struct dt_changeset *one)
{
	struct dt_entry *before = entry_of(&t->set, one->entries[0].path);

	t->bytes += bytes_of(&one->entries[0]);
	if (before) {
		struct dt_changeset old = { dt_alloc(sizeof(*old.entries)), 1 };

		t->bytes -= bytes_of(before);
		*old.entries = *before;
		*before = one->entries[0];
		dt_changeset_done(&old);
	} else {
		t->set.entries = dt_realloc(t->set.entries,
		                            (t->set.count + 1) *
		                                    sizeof(*t->set.entries));
		t->set.entries[t->set.count++] = one->entries[0];
	}
	free(one->entries);
}

static enum dt_err check_room(const struct dt_transaction *t,
                              const struct dt_changeset *made, size_t count,
                              struct dt_fail *fail)
{
	size_t bytes = t->bytes;

	for (size_t i = 0; i < count; i++)
		bytes += bytes_of(&made[i].entries[0]);
	if (bytes > DT_LIMIT_STAGED)
		return dt_fail(fail, DT_E_LIMIT,
		               "the texts of this transaction would be larger "
		               "than %u MiB; commit it first",
		               DT_LIMIT_STAGED / DT_MIB);
	if (t->set.count + count > DT_LIMIT_CHANGES)
		return dt_fail(fail, DT_E_LIMIT,
		               "the transaction would have more than %u "
		               "files; commit it first",
		               DT_LIMIT_CHANGES);
	return DT_E_OK;
}

/* Two changes of one file in one call would both be made of the same text. */
static enum dt_err check_once(const struct dt_items *changes,
                              struct dt_fail *fail)
{
	const struct dt_change *all = changes->ptr;

	for (size_t i = 1; i < changes->count; i++) {
		for (size_t k = 0; k < i; k++) {
			if (!strcmp(all[i].path, all[k].path))
				return dt_fail(fail, DT_E_ARGS,
				               "%s is in the change more than "
				               "once",
				               all[i].path);
		}
	}
	return DT_E_OK;
}

enum dt_err dt_transaction_stage(struct dt_transaction *t,
                                 const struct dt_items *changes,
                                 struct dt_documents *docs,
                                 struct dt_items *out, struct dt_fail *fail)
{
	const struct dt_change *all = changes->ptr;
	struct dt_changeset *made =
		dt_alloc((changes->count + 1) * sizeof(*made));
	struct dt_changeset named = { 0 };
	enum dt_err err = check_once(changes, fail);

	for (size_t i = 0; i < changes->count && !err; i++)
		err = stage_one(t, &all[i], docs, &made[i], fail);
	if (!err)
		err = check_room(t, made, changes->count, fail);
	if (err) {
		for (size_t i = 0; i < changes->count; i++)
			dt_changeset_done(&made[i]);
		free(made);
		return err;
	}
	named.entries = dt_alloc((changes->count + 1) * sizeof(*named.entries));
	for (size_t i = 0; i < changes->count; i++) {
		named.entries[named.count++] = made[i].entries[0];
		keep(t, &made[i]);
	}
	/* The texts are the transaction's. */
	*out = (struct dt_items){ dt_changeset_list(&named, DT_TOLD_PROPOSED),
		                  named.count };
	free(named.entries);
	free(made);
	return DT_E_OK;
}

struct dt_items dt_transaction_list(const struct dt_transaction *t)
{
	struct dt_change *list = dt_changeset_list(&t->set, DT_TOLD_PROPOSED);

	for (size_t i = 0; i < t->set.count; i++) {
		list[i].old_text = (struct dt_str){ 0 };
		list[i].is_new = list[i].kind == DT_CHANGE_CREATE;
		list[i].is_save = false;
	}
	return (struct dt_items){ list, t->set.count };
}
