/*
 * review/write.c - which files the entries of a change set mean.
 *
 * Everywhere else the agent writes what was accepted.  Here the names agents use
 * are led to the roots, links of folders included, for base/replace.c to do the
 * writing.
 */
#include "review/write.h"

#include "base/limits.h"
#include "base/path.h"
#include "base/replace.h"
#include "review/tree.h"

#include <stdio.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* An absolute path with the folders that are there resolved; the file's own
 * name stays as it is, for a link there must be seen. */
static const char *resolve(struct dt_arena *arena, const char *path)
{
	const char *name = dt_path_base(path);
	const char *dir = dt_path_join(arena, path, "..");
	const char *real;

	if (!strcmp(path, "/"))
		return path;
	if (dt_path_real(arena, dir, &real, NULL))
		real = resolve(arena, dir);
	return dt_path_join(arena, real, name);
}

/* The repository's own files are git's: a hook or a setting there is a program
 * that git runs later, and nothing in there is edited as text for another
 * reason.  Whatever the case, for some file systems know none. */
static bool is_git_s(const char *relative)
{
	struct dt_str rest = dt_str(relative);

	while (rest.len > 0) {
		struct dt_str part = dt_str_cut(&rest, '/');

		if (part.len == 4 && !strncasecmp(part.ptr, ".git", 4))
			return true;
	}
	return false;
}

char *dt_entry_place(const char *path)
{
	struct dt_arena arena = { 0 };
	char *place =
		dt_strdup(resolve(&arena, dt_path_join(&arena, "/", path)));

	dt_arena_done(&arena);
	return place;
}

/* `expected` is where it has to be; or NULL. */
static enum dt_err place_of(struct dt_arena *arena,
                            const struct dt_documents *docs, const char *path,
                            const char *expected, struct dt_place_at *out,
                            struct dt_fail *fail)
{
	const char *named = resolve(arena, dt_path_join(arena, "/", path));

	if (expected && strcmp(named, expected) != 0)
		return dt_fail(fail, DT_E_STATE,
		               "%s leads elsewhere than when this was proposed",
		               path);
	out->root = dt_documents_root_of(docs, named, &out->relative);
	if (!out->root || !*out->relative)
		return dt_fail(fail, DT_E_DENIED,
		               "%s is outside the workspace: it is not written "
		               "from here",
		               path);
	return DT_E_OK;
}

static enum dt_err plan(struct dt_arena *arena, const struct dt_entry *e,
                        const struct dt_documents *docs,
                        struct dt_replacement *out, struct dt_fail *fail)
{
	bool is_folder = dt_tree_is_folder(e->path);
	bool has_old =
		e->kind != DT_CHANGE_CREATE || (out->is_forced && !is_folder);
	const char *expected = out->is_forced ? NULL : e->place;
	enum dt_err err = DT_E_OK;

	if (has_old)
		err = place_of(arena, docs, e->path,
		               e->new_path ? NULL : expected, &out->from, fail);
	if (!err && e->kind != DT_CHANGE_DELETE)
		err = place_of(arena, docs, e->new_path ? e->new_path : e->path,
		               expected, &out->to, fail);
	out->text = e->final;
	out->digest = e->digest;
	out->is_folder = is_folder;
	if (e->to_trash && e->kind == DT_CHANGE_DELETE)
		out->trash = docs->trash;
	return err;
}

static bool is_one(const struct dt_place_at *a, const struct dt_place_at *b)
{
	return a->root && b->root && !strcmp(a->root, b->root) &&
	       !strcmp(a->relative, b->relative);
}

/* Agents name files as they like; two names may lead to one. */
static enum dt_err check_places(const struct dt_replacement *list, size_t count,
                                struct dt_fail *fail)
{
	for (size_t i = 1; i < count; i++) {
		const struct dt_replacement *r = &list[i];

		for (size_t k = 0; k < i; k++) {
			const struct dt_replacement *other = &list[k];

			if (is_one(&r->from, &other->from) ||
			    is_one(&r->from, &other->to) ||
			    is_one(&r->to, &other->from) ||
			    is_one(&r->to, &other->to))
				return dt_fail(fail, DT_E_ARGS,
				               "%s is in the change by two "
				               "names",
				               r->from.root ? r->from.relative
				                            : r->to.relative);
		}
	}
	return DT_E_OK;
}

/* Texts that are edited must be what they were as well, or what was typed since
 * would be given up. */
static enum dt_err check_unsaved(const struct dt_entry *e,
                                 struct dt_documents *docs,
                                 struct dt_fail *fail)
{
	if (!e->unsaved[0] && !dt_documents_is_dirty(docs, e->path))
		return DT_E_OK;
	if (!dt_entry_is_stale(e, docs))
		return DT_E_OK;
	return dt_fail(fail, DT_E_STATE,
	               "the unsaved text of %s has changed since this was "
	               "proposed",
	               e->path);
}

static void tell_documents(struct dt_arena *arena, const struct dt_entry *e,
                           struct dt_documents *docs)
{
	const char *path = resolve(arena, dt_path_join(arena, "/", e->path));

	if (dt_tree_is_folder(e->path))
		return;
	if (e->kind == DT_CHANGE_DELETE || e->new_path)
		dt_documents_removed(docs, path);
	else
		dt_documents_wrote(docs, path);
}

static enum dt_err plan_all(struct dt_arena *arena,
                            const struct dt_changeset *set,
                            const struct dt_documents *docs,
                            struct dt_replacement *list, struct dt_fail *fail)
{
	enum dt_err err = DT_E_OK;

	for (size_t i = 0; i < set->count && !err; i++)
		err = plan(arena, &set->entries[i], docs, &list[i], fail);
	return err ? err : check_places(list, set->count, fail);
}

/* By the name the agent used, and by that which links lead to. */
static enum dt_err check_git(struct dt_arena *arena,
                             const struct dt_documents *docs, const char *path,
                             const struct dt_place_at *place,
                             struct dt_fail *fail)
{
	const char *relative;

	path = dt_path_join(arena, "/", path);
	if (!dt_documents_root_of(docs, path, &relative))
		relative = "";
	if (!is_git_s(relative) && !(place->root && is_git_s(place->relative)))
		return DT_E_OK;
	return dt_fail(fail, DT_E_DENIED,
	               "%s belongs to git and is not written from here: use "
	               "the git tools, or ask the person to do it",
	               path);
}

enum dt_err dt_changeset_check(const struct dt_changeset *set,
                               const struct dt_documents *docs,
                               struct dt_fail *fail)
{
	struct dt_arena arena = { 0 };
	struct dt_replacement *list =
		dt_arena_alloc(&arena, set->count * sizeof(*list));
	enum dt_err err = plan_all(&arena, set, docs, list, fail);

	for (size_t i = 0; i < set->count && !err; i++) {
		const struct dt_entry *e = &set->entries[i];

		err = check_git(&arena, docs, e->path, &list[i].from, fail);
		if (!err)
			err = check_git(&arena, docs,
			                e->new_path ? e->new_path : e->path,
			                &list[i].to, fail);
	}
	dt_arena_done(&arena);
	return err;
}

/* The entries that a person has not left out; they borrow. */
static struct dt_changeset taken_of(struct dt_arena *arena,
                                    const struct dt_changeset *set)
{
	struct dt_changeset taken = { 0 };

	taken.entries =
		dt_arena_alloc(arena, set->count * sizeof(*taken.entries));
	for (size_t i = 0; i < set->count; i++) {
		if (!set->entries[i].is_left_out)
			taken.entries[taken.count++] = set->entries[i];
	}
	return taken;
}

/* Where things went in the trash is for whoever owns the entries. */
static void give_back(const struct dt_changeset *taken,
                      const struct dt_changeset *set)
{
	size_t k = 0;

	for (size_t i = 0; i < set->count; i++) {
		if (!set->entries[i].is_left_out)
			set->entries[i].trashed = taken->entries[k++].trashed;
	}
}

static enum dt_err write_all(const struct dt_changeset *all,
                             struct dt_documents *docs, const char *mark,
                             bool is_forced, bool is_resumed,
                             struct dt_fail *fail)
{
	struct dt_arena arena = { 0 };
	struct dt_changeset taken = taken_of(&arena, all);
	const struct dt_changeset *set = &taken;
	struct dt_replacement *list =
		dt_arena_alloc(&arena, set->count * sizeof(*list));
	enum dt_err err = DT_E_OK;

	for (size_t i = 0; i < set->count && !err; i++) {
		list[i].is_forced = is_forced;
		list[i].trashed = &set->entries[i].trashed;
		err = is_forced || is_resumed
		              ? DT_E_OK
		              : check_unsaved(&set->entries[i], docs, fail);
	}
	if (!err)
		err = plan_all(&arena, set, docs, list, fail);
	if (!err)
		err = is_resumed
		              ? dt_files_resume(list, set->count, mark, fail)
		              : dt_files_replace(list, set->count, mark, fail);
	for (size_t i = 0; i < set->count && !err; i++)
		tell_documents(&arena, &set->entries[i], docs);
	give_back(set, all);
	dt_arena_done(&arena);
	return err;
}

enum dt_err dt_changeset_write(const struct dt_changeset *set,
                               struct dt_documents *docs, const char *mark,
                               bool is_forced, struct dt_fail *fail)
{
	return write_all(set, docs, mark, is_forced, false, fail);
}

enum dt_err dt_changeset_resume(const struct dt_changeset *set,
                                struct dt_documents *docs, const char *mark,
                                bool is_forced, struct dt_fail *fail)
{
	return write_all(set, docs, mark, is_forced, true, fail);
}

/* reviews that were kept */

struct dt_changeset dt_changeset_kept(struct dt_arena *arena,
                                      const struct dt_review_record *r)
{
	struct dt_changeset set = { .count = r->entry_count };

	set.entries = dt_arena_alloc(arena, set.count * sizeof(*set.entries));
	for (size_t i = 0; i < set.count; i++) {
		const struct dt_entry_record *e = &r->entries[i];
		struct dt_entry *entry = &set.entries[i];

		/* Both lists name the kinds in the same order. */
		entry->kind = (enum dt_change_kind)e->kind;
		entry->to_trash = true;
		entry->path = dt_arena_strdup(arena, e->path);
		entry->new_path = dt_arena_strdup(arena, e->new_path);
		snprintf(entry->digest, sizeof(entry->digest), "%s",
		         e->base_digest ? e->base_digest : "");
		entry->old_text = e->old_text;
		entry->is_left_out =
			dt_review_is_accepted(r->state) && !e->accepted;
		entry->final =
			e->final_text.ptr ? e->final_text : e->proposed_text;
	}
	return set;
}

bool dt_entry_is_written(const struct dt_entry *e, struct dt_documents *docs)
{
	const char *path = e->new_path ? e->new_path : e->path;
	struct dt_text_origin origin;
	struct dt_buf now;
	bool is_written;

	if (e->is_left_out)
		return true;
	if (dt_tree_is_folder(e->path))
		return (access(e->path, F_OK) == 0) ==
		       (e->kind == DT_CHANGE_CREATE);
	if (e->kind == DT_CHANGE_DELETE || e->new_path) {
		struct stat st;

		if (lstat(e->path, &st) == 0)
			return false;
		if (e->kind == DT_CHANGE_DELETE)
			return true;
	}
	dt_buf_init(&now, DT_LIMIT_FILE);
	is_written =
		!dt_documents_read_saved(docs, path, &now, &origin, NULL) &&
		dt_str_eq(dt_buf_str(&now), e->final);
	dt_buf_done(&now);
	return is_written;
}
