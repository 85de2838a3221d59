/* review/changeset.c - old texts read, digests taken, kinds corrected. */
#include "review/changeset.h"

#include "base/file.h"
#include "base/limits.h"
#include "editor/ranges.h"
#include "editor/text.h"
#include "review/edits.h"
#include "review/rules.h"
#include "review/tree.h"
#include "review/write.h"

#include <stdlib.h>
#include <unistd.h>

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

/* What a change is made of and makes. */
struct making {
	const struct dt_change *change;
	struct dt_documents *docs;
	struct dt_entry *entry;
	size_t *room;      /* of dt_edits_apply() */
	struct dt_buf now; /* the text to be edited */
};

static bool has_edits(const struct dt_change *change)
{
	return change->edits.count > 0 || change->ranges.count > 0;
}

static enum dt_err apply_ranges(const struct dt_items *ranges,
                                struct dt_str before, struct dt_str *out,
                                struct dt_fail *fail)
{
	struct dt_buf made;
	enum dt_err err;

	dt_buf_init(&made, DT_LIMIT_FILE);
	err = dt_ranges_apply(ranges, before, &made, fail);
	if (err) {
		dt_buf_done(&made);
		return err;
	}
	out->len = made.len;
	out->ptr = dt_buf_take(&made);
	return DT_E_OK;
}

static enum dt_err apply(const struct dt_change *change, struct dt_str before,
                         size_t *room, struct dt_str *out, struct dt_fail *fail)
{
	struct dt_fail why = { 0 };
	enum dt_err err = DT_E_OK;

	if (has_edits(change) && change->text.ptr)
		err = dt_fail(&why, DT_E_ARGS, "give text or edits, not both");
	else if (change->edits.count > 0)
		err = dt_edits_apply(&change->edits, before, room, out, &why);
	else if (change->ranges.count > 0)
		err = apply_ranges(&change->ranges, before, out, &why);
	else
		*out = dt_text_own(change->text.ptr ? change->text
		                                    : DT_STR(""));
	return err ? dt_fail(fail, err, "%s: %s", change->path, why.msg)
	           : DT_E_OK;
}

enum dt_err dt_change_apply(const struct dt_change *change,
                            struct dt_str before, struct dt_str *out,
                            struct dt_fail *fail)
{
	size_t room = DT_LIMIT_EDIT_TEXT;

	return apply(change, before, &room, out, fail);
}

/* Nothing but the text of another file, as it is now. */
static enum dt_err copy_source(struct making *m, struct dt_str *out,
                               struct dt_fail *fail)
{
	struct dt_buf text;
	enum dt_err err;

	dt_buf_init(&text, DT_LIMIT_FILE);
	err = dt_documents_read(m->docs, m->change->source, DT_TEXT_TOLD, &text,
	                        NULL, fail);
	if (err) {
		dt_buf_done(&text);
		return err;
	}
	out->len = text.len;
	out->ptr = dt_buf_take(&text);
	return DT_E_OK;
}

static enum dt_err text_after(struct making *m, struct dt_fail *fail)
{
	const struct dt_change *change = m->change;
	struct dt_str *out = &m->entry->proposed;
	struct dt_str now = { dt_buf_z(&m->now), m->now.len };
	bool keeps = change->is_save || change->kind == DT_CHANGE_RENAME;

	if (change->kind == DT_CHANGE_DELETE)
		return DT_E_OK;
	if (change->source)
		return copy_source(m, out, fail);
	if (!keeps || has_edits(change) || change->text.ptr)
		return apply(change, now, m->room, out, fail);
	*out = dt_text_own(now);
	return DT_E_OK;
}

/* True when it needs no old text. */
static bool can_be_new(const struct dt_change *change)
{
	return change->kind != DT_CHANGE_DELETE &&
	       change->kind != DT_CHANGE_RENAME && !has_edits(change) &&
	       !change->is_save;
}

/* A text is told later by the name it was asked by, and links may lead elsewhere
 * then. */
static enum dt_err check_led(const struct making *m,
                             const struct dt_text_origin *origin,
                             struct dt_fail *fail)
{
	if (!origin->is_led || !origin->kept.code || origin->is_outside)
		return DT_E_OK;
	return dt_fail(fail, DT_E_DENIED,
	               "%s leads to a file that is kept from agents: name "
	               "that file itself",
	               m->change->path);
}

/* Of a text that is edited, what is saved of it is what a review replaces. */
static enum dt_err read_old(struct making *m, struct dt_fail *fail)
{
	struct dt_entry *e = m->entry;
	struct dt_str old = dt_buf_str(&m->now);
	struct dt_text_origin origin;
	struct dt_buf disk;
	enum dt_err err = DT_E_OK;

	dt_buf_init(&disk, DT_LIMIT_FILE);
	if (dt_documents_is_dirty(m->docs, e->path)) {
		dt_sha256_hex(old.ptr, old.len, e->unsaved);
		err = dt_documents_read_saved(m->docs, e->path, &disk, &origin,
		                              fail);
		if (!err)
			err = check_led(m, &origin, fail);
		if (!err)
			e->is_outside |= origin.is_outside;
		old = dt_buf_str(&disk);
	}
	if (err == DT_E_MISSING && can_be_new(m->change)) {
		e->kind = DT_CHANGE_CREATE;
		err = DT_E_OK;
	} else if (!err) {
		dt_sha256_hex(old.ptr, old.len, e->digest);
		e->old_text = dt_text_own(
			(struct dt_str){ old.len ? old.ptr : "", old.len });
	}
	dt_buf_done(&disk);
	return err;
}

static enum dt_err check_old(const struct making *m, struct dt_fail *fail)
{
	const struct dt_change *change = m->change;
	bool is_edited = has_edits(change) || change->is_save;

	/* Whether a piece fits tells what is in a file that agents may not
	 * read. */
	if (m->entry->is_outside && is_edited)
		return dt_fail(fail, DT_E_DENIED,
		               "%s is outside the workspace; give its whole "
		               "new text instead of edits",
		               change->path);
	if (change->is_new)
		return dt_fail(fail, DT_E_STATE, "%s is there already",
		               change->path);
	if (is_edited && dt_text_is_binary(dt_buf_str(&m->now)))
		return dt_fail(fail, DT_E_ARGS,
		               "%s is no text, so it cannot be edited",
		               change->path);
	return is_edited ? dt_documents_check_saved(m->docs, change->path, fail)
	                 : DT_E_OK;
}

static enum dt_err check_base(const struct making *m, struct dt_fail *fail)
{
	const char *base = m->change->base;

	if (!base || !strcmp(base, dt_entry_base(m->entry)))
		return DT_E_OK;
	return dt_fail(fail, DT_E_STATE,
	               "%s has changed meanwhile; read it again",
	               m->change->path);
}

/* What is deleted was listed just now; what is made may be there. */
static enum dt_err make_folder(struct making *m, struct dt_fail *fail)
{
	struct dt_entry *e = m->entry;
	char *path = e->path;

	e->path = dt_asprintf("%s/", path);
	free(path);
	if (e->kind == DT_CHANGE_DELETE)
		return DT_E_OK;
	e->kind = DT_CHANGE_CREATE;
	if (m->change->text.len)
		return dt_fail(fail, DT_E_ARGS,
		               "%s is a folder and has no text", e->path);
	if (access(e->path, F_OK) == 0)
		return dt_fail(fail, DT_E_STATE, "%s is there already",
		               e->path);
	return DT_E_OK;
}

/*
 * What is kept from agents is not moved or deleted for one: under another name,
 * or from the trash, it would be free.  A folder is judged by what may be in it;
 * all that is in it has an entry of its own.
 */
static enum dt_err check_kept(const struct making *m, struct dt_fail *fail)
{
	const struct dt_change *change = m->change;
	struct dt_arena arena = { 0 };
	struct dt_fail why = { 0 };
	enum dt_err err = DT_E_OK;

	if (change->kind == DT_CHANGE_DELETE ||
	    change->kind == DT_CHANGE_RENAME)
		err = dt_documents_check(
			m->docs,
			dt_arena_printf(&arena, "%s%s", change->path,
		                        change->is_folder ? "/*" : ""),
			&why);
	dt_arena_done(&arena);
	if (!err)
		return DT_E_OK;
	return dt_fail(fail, DT_E_DENIED,
	               "%s; it is not moved or deleted from here: ask the "
	               "person to do it",
	               why.msg);
}

static enum dt_err make(struct making *m, struct dt_fail *fail)
{
	const struct dt_change *change = m->change;
	struct dt_entry *entry = m->entry;
	struct dt_text_origin origin;
	struct dt_fail why = { 0 };
	enum dt_err err = check_kept(m, fail);

	if (err)
		return err;
	if (change->is_folder)
		return make_folder(m, fail);
	if (change->kind == DT_CHANGE_DELETE && dt_file_is_dir(change->path))
		return dt_fail(fail, DT_E_ARGS,
		               "%s is a folder: say recursive to delete it "
		               "with all that is in it",
		               change->path);
	err = dt_documents_read_origin(m->docs, change->path, DT_TEXT_ANYWHERE,
	                               &m->now, &origin, &why);
	entry->is_outside = origin.is_outside;
	if (err == DT_E_MISSING && can_be_new(change)) {
		entry->kind = DT_CHANGE_CREATE;
		err = check_base(m, fail);
		return err ? err : text_after(m, fail);
	}
	if (err)
		return dt_fail(fail, err, "%s", why.msg);
	if (entry->kind == DT_CHANGE_CREATE)
		entry->kind = DT_CHANGE_EDIT;
	err = check_led(m, &origin, fail);
	if (!err)
		err = check_old(m, fail);
	if (!err)
		err = read_old(m, fail);
	if (!err)
		err = check_base(m, fail);
	return err ? err : text_after(m, fail);
}

static enum dt_err init_entry(struct dt_entry *entry,
                              const struct dt_change *change,
                              struct dt_documents *docs, size_t *room,
                              struct dt_fail *fail)
{
	struct making m = { .change = change, .docs = docs, .entry = entry };
	enum dt_err err;

	m.room = room;
	entry->kind = (enum dt_change_kind)change->kind;
	entry->path = dt_strdup(change->path);
	entry->is_save = change->is_save;
	entry->to_trash = change->to_trash;
	if (change->new_path && strcmp(change->new_path, change->path) != 0)
		entry->new_path = dt_strdup(change->new_path);
	entry->place =
		dt_entry_place(entry->new_path ? entry->new_path : entry->path);
	entry->is_settings = dt_rules_is_settings(docs, entry->path) ||
	                     (entry->new_path &&
	                      dt_rules_is_settings(docs, entry->new_path));
	dt_buf_init(&m.now, DT_LIMIT_FILE);
	err = make(&m, fail);
	dt_buf_done(&m.now);
	return err;
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

static enum dt_err init(struct dt_changeset *set,
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

enum dt_err dt_changeset_init(struct dt_changeset *set,
                              const struct dt_items *changes,
                              struct dt_documents *docs, struct dt_fail *fail)
{
	struct dt_arena arena = { 0 };
	struct dt_items all;
	enum dt_err err = dt_changes_expand(&arena, changes, docs, &all, fail);

	if (!err)
		err = init(set, &all, docs, fail);
	dt_arena_done(&arena);
	return err;
}

void dt_changeset_done(struct dt_changeset *set)
{
	for (size_t i = 0; i < set->count; i++) {
		struct dt_entry *entry = &set->entries[i];

		free(entry->path);
		free(entry->new_path);
		free(entry->place);
		free(entry->trashed);
		free_text(entry->old_text);
		free_text(entry->proposed);
		free_text(entry->final);
	}
	free(set->entries);
	*set = (struct dt_changeset){ 0 };
}

struct dt_change *dt_changeset_list(const struct dt_changeset *set,
                                    enum dt_told_texts texts)
{
	struct dt_change *changes = dt_alloc(set->count * sizeof(*changes));

	for (size_t i = 0; i < set->count; i++) {
		const struct dt_entry *e = &set->entries[i];
		struct dt_change *change = &changes[i];

		change->kind = e->kind;
		change->path = e->path;
		change->new_path = e->new_path;
		change->base = dt_entry_base(e);
		change->old_text = e->old_text;
		change->is_outside = e->is_outside;
		change->is_settings = e->is_settings;
		change->is_save = e->is_save;
		change->is_folder = dt_tree_is_folder(e->path);
		change->to_trash = e->to_trash;
		change->trashed = e->trashed;
		if (texts == DT_TOLD_PROPOSED)
			change->text = e->proposed;
		change->is_left_out = e->is_left_out;
		if (texts == DT_TOLD_FINAL && !e->is_left_out) {
			change->text = e->final;
			change->is_edited = !dt_str_eq(e->final, e->proposed);
		}
	}
	return changes;
}

void dt_entry_set_final(struct dt_entry *entry, struct dt_str text)
{
	free_text(entry->final);
	entry->final = dt_text_own(text);
}

const char *dt_entry_base(const struct dt_entry *entry)
{
	return entry->unsaved[0] ? entry->unsaved : entry->digest;
}

bool dt_entry_is_stale(const struct dt_entry *entry, struct dt_documents *docs)
{
	char digest[DT_SHA256_TEXT] = "";
	struct dt_fail why = { 0 };
	enum dt_err err;

	if (dt_tree_is_folder(entry->path))
		return (access(entry->path, F_OK) == 0) ==
		       (entry->kind == DT_CHANGE_CREATE);
	err = dt_documents_digest(docs, entry->path, digest, &why);
	/* What is there and cannot be read is not what was there. */
	return (err && err != DT_E_MISSING) ||
	       strcmp(digest, dt_entry_base(entry)) != 0;
}
