/*
 * base/replace.c - all files of a change, or none.
 *
 * Three rounds over the files: look, write the new texts beside the old ones,
 * and change the names.  Until the last round a failure only removes what was
 * made here; in it, what was done is undone from the end, for the old files are
 * still there under other names.  After a crash in the last round some files are
 * new and some are old: whoever has written down what was to be done resumes it.
 * The invariant that resuming rests on: an old file is kept under its other name
 * until all new ones are in place.
 *
 * Folders are opened beneath their roots once and held, so that a name checked
 * is the name changed, whatever others rename above it.
 */
#include "base/replace.h"

#include "base/arena.h"
#include "base/beneath.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/log.h"
#include "base/path.h"
#include "base/rand.h"
#include "base/sha256.h"
#include "base/trash.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* A name in a folder that is open. */
struct spot {
	int folder; /* -1: none */
	const char *name;
};

struct step {
	const struct dt_replacement *wanted;
	struct spot from; /* none: nothing is there */
	struct spot to;
	struct stat seen; /* what is there, as it was looked at */
	const char *temp; /* the new text, beside `to`; NULL: none */
	const char *kept; /* the old file, beside `from`; NULL: not yet */
	bool is_placed;   /* `to` is the new text */
	bool is_done;     /* by a run that was cut off */
};

/* A folder that was made here, in the order of making. */
struct made {
	struct made *before;
	struct spot spot;
};

struct work {
	struct dt_arena arena;
	struct step *steps;
	size_t count;
	const char *mark; /* in all names that are made here */
	struct made *made;
};

static const char *name_of(struct work *w, const struct step *s,
                           const char *what)
{
	return dt_arena_printf(&w->arena, ".dovetail-%s-%zu.%s", w->mark,
	                       (size_t)(s - w->steps), what);
}

static bool is_same(const struct dt_replacement *r)
{
	return r->from.root && r->to.root &&
	       !strcmp(r->from.root, r->to.root) &&
	       !strcmp(r->from.relative, r->to.relative);
}

/* looking */

/* The folder that was decided about has no links in its path.  One that has
 * become a link since leads to another. */
static enum dt_err open_folder(struct work *w, const char *root,
                               const char *dir, int *out, struct dt_fail *fail)
{
	const char *opened;
	int fd = -1;
	enum dt_err err =
		dt_beneath_open_named(&w->arena, root, dir, &fd, &opened, fail);

	if (err)
		return err;
	if (strcmp(opened, dt_path_join(&w->arena, root, dir)) != 0) {
		close(fd);
		return dt_fail(fail, DT_E_DENIED,
		               "%s is a link now, and links are not written",
		               dir);
	}
	*out = fd;
	return DT_E_OK;
}

/* The folder of a name, which is made where it is missing and may be. */
static enum dt_err open_spot(struct work *w, const struct dt_place_at *place,
                             bool can_make, struct spot *out,
                             struct dt_fail *fail)
{
	const char *name = dt_path_base(place->relative);
	size_t len = strlen(place->relative) - strlen(name);
	const char *dir =
		len ? dt_arena_strndup(&w->arena, place->relative, len - 1)
		    : ".";
	struct dt_place_at above = { place->root, dir };
	struct made *made;
	struct dt_fail why = { 0 };
	enum dt_err err = open_folder(w, place->root, dir, &out->folder, &why);

	out->name = name;
	if (err != DT_E_MISSING || !can_make || !len)
		return err ? dt_fail(fail, err, "%s", why.msg) : DT_E_OK;
	made = dt_arena_alloc(&w->arena, sizeof(*made));
	err = open_spot(w, &above, true, &made->spot, fail);
	if (err)
		return err;
	if (mkdirat(made->spot.folder, made->spot.name, 0777) < 0) {
		err = dt_fail_sys(fail, "cannot make the folder %s", dir);
		close(made->spot.folder);
		return err;
	}
	made->before = w->made;
	w->made = made;
	return open_folder(w, place->root, dir, &out->folder, fail);
}

/* What is there, whatever its text is. */
static enum dt_err look_at(struct step *s, struct dt_fail *fail)
{
	const char *name = s->wanted->from.relative;
	struct stat st;

	if (fstatat(s->from.folder, s->from.name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT
		               ? dt_fail(fail, DT_E_STATE, "%s is gone", name)
		               : dt_fail_sys(fail, "cannot look at %s", name);
	if (S_ISLNK(st.st_mode))
		return dt_fail(fail, DT_E_DENIED,
		               "%s is a link, and links are not written", name);
	if (!S_ISREG(st.st_mode))
		return dt_fail(fail, DT_E_ARGS, "%s is not a regular file",
		               name);
	if (st.st_nlink > 1)
		return dt_fail(fail, DT_E_DENIED,
		               "%s has %lu names: writing it would part them",
		               name, (unsigned long)st.st_nlink);
	/* A new file in its place asks for rights in the folder alone. */
	if (is_same(s->wanted) &&
	    faccessat(s->from.folder, s->from.name, W_OK, AT_EACCESS) < 0)
		return dt_fail_sys(fail, "cannot write %s", name);
	s->seen = st;
	return DT_E_OK;
}

static enum dt_err compare(struct step *s, struct dt_fail *fail)
{
	char digest[DT_SHA256_TEXT];
	struct dt_buf text;
	enum dt_err err;

	dt_buf_init(&text, DT_LIMIT_FILE);
	err = dt_file_read_at(s->from.folder, s->from.name, &text, fail);
	if (!err)
		dt_sha256_hex(text.ptr, text.len, digest);
	dt_buf_done(&text);
	if (!err && strcmp(digest, s->wanted->digest) != 0)
		err = dt_fail(fail, DT_E_STATE,
		              "%s has changed since this was proposed",
		              s->wanted->from.relative);
	return err;
}

static enum dt_err look_at_folder(struct step *s, struct dt_fail *fail)
{
	const char *name = s->wanted->from.relative;
	struct stat st;

	if (fstatat(s->from.folder, s->from.name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return dt_fail(fail, DT_E_STATE, "%s is gone", name);
	if (!S_ISDIR(st.st_mode))
		return dt_fail(fail, DT_E_STATE, "%s is not a folder any more",
		               name);
	return DT_E_OK;
}

static enum dt_err look_from(struct work *w, struct step *s,
                             struct dt_fail *fail)
{
	const struct dt_replacement *r = s->wanted;
	struct dt_fail why = { 0 };
	enum dt_err err = open_spot(w, &r->from, false, &s->from, &why);

	if (err == DT_E_MISSING && r->is_forced)
		return DT_E_OK; /* there is not even a folder */
	if (!err)
		err = r->is_folder ? look_at_folder(s, &why) : look_at(s, &why);
	if (err == DT_E_STATE && r->is_forced) {
		close(s->from.folder);
		s->from.folder = -1;
		return DT_E_OK;
	}
	if (err)
		return dt_fail(fail, err, "%s", why.msg);
	return r->is_forced || r->is_folder ? DT_E_OK : compare(s, fail);
}

static enum dt_err look_to(struct work *w, struct step *s, struct dt_fail *fail)
{
	struct stat st;
	enum dt_err err = open_spot(w, &s->wanted->to, true, &s->to, fail);

	if (err)
		return err;
	if (is_same(s->wanted) && s->from.folder >= 0)
		return DT_E_OK;
	if (fstatat(s->to.folder, s->to.name, &st, AT_SYMLINK_NOFOLLOW) == 0)
		return dt_fail(fail, DT_E_STATE, "%s is there already",
		               s->wanted->to.relative);
	return DT_E_OK;
}

static enum dt_err look(struct work *w, struct dt_fail *fail)
{
	enum dt_err err = DT_E_OK;

	/* All old files first: no folder is made for what is refused. */
	for (size_t i = 0; i < w->count && !err; i++) {
		if (w->steps[i].wanted->from.root && !w->steps[i].is_done)
			err = look_from(w, &w->steps[i], fail);
	}
	for (size_t i = 0; i < w->count && !err; i++) {
		if (w->steps[i].wanted->to.root && !w->steps[i].is_done)
			err = look_to(w, &w->steps[i], fail);
	}
	return err;
}

/* writing */

static enum dt_err prepare(struct work *w, struct dt_fail *fail)
{
	for (size_t i = 0; i < w->count; i++) {
		struct step *s = &w->steps[i];
		bool is_there = s->from.folder >= 0;
		struct dt_fail why = { 0 };
		const char *temp;

		if (s->to.folder < 0 || s->wanted->is_folder || s->is_done)
			continue;
		temp = name_of(w, s, "new");
		if (dt_file_write_at(s->to.folder, temp, s->wanted->text,
		                     is_there ? s->seen.st_mode & 07777 : 0666,
		                     is_there, &why)) {
			errno = why.sys_errno;
			return dt_fail_sys(fail, "cannot write %s",
			                   s->wanted->to.relative);
		}
		s->temp = temp;
	}
	return DT_E_OK;
}

/* changing names */

/* Where the file system can, the name is never without a file. */
static enum dt_err keep_old(struct work *w, struct step *s,
                            struct dt_fail *fail)
{
	const char *kept = name_of(w, s, "old");
	int folder = s->from.folder;

	if (!(s->temp && is_same(s->wanted) &&
	      linkat(folder, s->from.name, folder, kept, 0) == 0) &&
	    renameat(folder, s->from.name, folder, kept) < 0)
		return dt_fail_sys(fail, "cannot replace %s",
		                   s->wanted->from.relative);
	s->kept = kept;
	return DT_E_OK;
}

/* That what was kept is what was looked at, for others write, too.  The new text
 * is in its place by now, so whoever comes later writes to that. */
static enum dt_err check_kept(const struct step *s, struct dt_fail *fail)
{
	const struct stat *seen = &s->seen;
	struct stat now;

	if (s->wanted->is_forced)
		return DT_E_OK;
	if (fstatat(s->from.folder, s->kept, &now, AT_SYMLINK_NOFOLLOW) < 0)
		return dt_fail_sys(fail, "cannot look at %s", s->kept);
	if (now.st_ino != seen->st_ino || now.st_size != seen->st_size ||
	    now.st_mtim.tv_sec != seen->st_mtim.tv_sec ||
	    now.st_mtim.tv_nsec != seen->st_mtim.tv_nsec)
		return dt_fail(fail, DT_E_STATE,
		               "%s has changed while this was written",
		               s->wanted->from.relative);
	return DT_E_OK;
}

static enum dt_err place(struct step *s, struct dt_fail *fail)
{
	int folder = s->to.folder;
	bool is_done;

	if (s->kept && is_same(s->wanted)) {
		is_done = renameat(folder, s->temp, folder, s->to.name) == 0;
	} else {
		/* Unlike rename() this replaces nothing. */
		is_done = linkat(folder, s->temp, folder, s->to.name, 0) == 0;
		if (!is_done && errno != EEXIST)
			is_done = renameat(folder, s->temp, folder,
			                   s->to.name) == 0;
	}
	if (!is_done)
		return dt_fail_sys(fail, "cannot write %s",
		                   s->wanted->to.relative);
	s->is_placed = true;
	return DT_E_OK;
}

static enum dt_err make_folder(struct step *s, struct dt_fail *fail)
{
	if (s->to.folder < 0)
		return DT_E_OK; /* it is removed in the end */
	if (mkdirat(s->to.folder, s->to.name, 0777) < 0)
		return dt_fail_sys(fail, "cannot make the folder %s",
		                   s->wanted->to.relative);
	s->is_placed = true;
	return DT_E_OK;
}

static enum dt_err commit(struct work *w, struct dt_fail *fail)
{
	enum dt_err err = DT_E_OK;

	for (size_t i = 0; i < w->count && !err; i++) {
		struct step *s = &w->steps[i];

		if (s->is_done)
			continue;
		if (s->wanted->is_folder) {
			err = make_folder(s, fail);
			continue;
		}
		if (s->from.folder >= 0)
			err = keep_old(w, s, fail);
		if (!err && s->temp)
			err = place(s, fail);
		if (!err && s->kept)
			err = check_kept(s, fail);
	}
	return err;
}

static void undo_names(struct work *w)
{
	for (size_t i = w->count; i > 0; i--) {
		struct step *s = &w->steps[i - 1];
		int folder = s->from.folder;

		if (s->is_placed && !(s->kept && is_same(s->wanted)))
			unlinkat(s->to.folder, s->to.name,
			         s->wanted->is_folder ? AT_REMOVEDIR : 0);
		if (!s->kept ||
		    renameat(folder, s->kept, folder, s->from.name) == 0)
			continue;
		dt_log(DT_LOG_ERROR, "%s could not be put back; it is now %s",
		       s->wanted->from.relative, s->kept);
		s->kept = NULL;
	}
}

/* Into the trash as it was named; false: it is still there. */
static bool put_away(struct work *w, const struct step *s)
{
	const struct dt_replacement *r = s->wanted;
	const char *path =
		dt_path_join(&w->arena, r->from.root, r->from.relative);
	struct dt_fail why = { 0 };

	if (!r->trash || r->to.root)
		return false;
	if (!dt_trash_put(r->trash, s->from.folder, s->kept, path, r->trashed,
	                  &why))
		return true;
	dt_log(DT_LOG_INFO, "%s is deleted for good: %s", path, why.msg);
	return false;
}

/* What was made beside the files, and is of no use any more. */
static void clean(struct work *w, bool is_done)
{
	for (size_t i = 0; i < w->count; i++) {
		struct step *s = &w->steps[i];

		if (s->temp)
			unlinkat(s->to.folder, s->temp, 0);
		if (s->kept && !(is_done && put_away(w, s)))
			unlinkat(s->from.folder, s->kept, 0);
	}
}

/* Those in which others have put something stay. */
static void remove_folders(struct work *w)
{
	for (size_t i = 0; i < w->count; i++) {
		const struct step *s = &w->steps[i];

		if (s->wanted->is_folder && s->from.folder >= 0)
			unlinkat(s->from.folder, s->from.name, AT_REMOVEDIR);
	}
}

static void undo_folders(struct work *w)
{
	for (struct made *m = w->made; m; m = m->before)
		unlinkat(m->spot.folder, m->spot.name, AT_REMOVEDIR);
}

static void close_spot(struct spot spot)
{
	if (spot.folder >= 0)
		close(spot.folder);
}

static void close_all(struct work *w)
{
	for (size_t i = 0; i < w->count; i++) {
		close_spot(w->steps[i].from);
		close_spot(w->steps[i].to);
	}
	for (struct made *m = w->made; m; m = m->before)
		close_spot(m->spot);
}

/* what was cut off */

/* True when that name is a regular file; `st` is of it then. */
static bool is_file(struct spot spot, const char *name, struct stat *st)
{
	return spot.folder >= 0 &&
	       fstatat(spot.folder, name, st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISREG(st->st_mode);
}

static bool is_there(struct spot spot)
{
	struct stat st;

	return spot.folder >= 0 &&
	       fstatat(spot.folder, spot.name, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

static bool has_text(struct spot spot, struct dt_str text)
{
	struct dt_buf now;
	struct stat st;
	bool is_same_text;

	if (!is_file(spot, spot.name, &st) || (size_t)st.st_size != text.len)
		return false;
	dt_buf_init(&now, DT_LIMIT_FILE);
	is_same_text = !dt_file_read_at(spot.folder, spot.name, &now, NULL) &&
	               dt_str_eq(dt_buf_str(&now), text);
	dt_buf_done(&now);
	return is_same_text;
}

/* Whether the names are what they are to be. */
static bool is_as_wanted(const struct step *s)
{
	const struct dt_replacement *r = s->wanted;
	struct stat st;

	if (r->is_folder && r->to.root)
		return s->to.folder >= 0 &&
		       fstatat(s->to.folder, s->to.name, &st,
		               AT_SYMLINK_NOFOLLOW) == 0 &&
		       S_ISDIR(st.st_mode);
	if (r->from.root && !is_same(r) && is_there(s->from))
		return false;
	return !r->to.root || has_text(s->to, r->text);
}

/* The old file gets its name back, unless another has it by now. */
static void put_back(const struct step *s, const char *kept)
{
	int folder = s->from.folder;

	if (!is_there(s->from) &&
	    linkat(folder, kept, folder, s->from.name, 0) < 0 &&
	    renameat(folder, kept, folder, s->from.name) < 0)
		dt_log(DT_LOG_ERROR, "%s could not be put back; it is now %s",
		       s->wanted->from.relative, kept);
	else
		unlinkat(folder, kept, 0);
}

/*
 * Find out how far one file came, and leave it done or as it was.  What is done
 * can be undone only where there is a sign that it was done here: the old file,
 * or the new one under its other name.
 */
static void survey(struct work *w, struct step *s)
{
	const struct dt_replacement *r = s->wanted;
	const char *temp = name_of(w, s, "new");
	const char *kept = name_of(w, s, "old");
	struct stat new_st;
	struct stat st;
	bool is_linked;
	bool has_kept;

	if (r->from.root && open_spot(w, &r->from, false, &s->from, NULL))
		s->from.folder = -1;
	if (r->to.root && open_spot(w, &r->to, false, &s->to, NULL))
		s->to.folder = -1;
	has_kept = is_file(s->from, kept, &st);
	s->is_done = is_as_wanted(s);
	is_linked = is_file(s->to, temp, &new_st) &&
	            is_file(s->to, s->to.name, &st) &&
	            st.st_ino == new_st.st_ino;
	if (s->to.folder >= 0)
		unlinkat(s->to.folder, temp, 0);
	if (s->is_done) {
		s->kept = has_kept ? kept : NULL;
		s->is_placed =
			r->to.root && !r->is_folder && (has_kept || is_linked);
		return;
	}
	if (has_kept)
		put_back(s, kept);
	close_spot(s->from);
	close_spot(s->to);
	s->from.folder = -1;
	s->to.folder = -1;
}

/*
 * Old files go only when all new ones are in place: where one that was replaced
 * has gone, nothing was left to do, and what others changed since is no reason
 * to undo the rest.
 */
static void keep_if_all_was_done(struct work *w)
{
	bool was_all_done = false;

	for (size_t i = 0; i < w->count; i++) {
		const struct step *s = &w->steps[i];

		was_all_done |= s->is_done && s->wanted->from.root &&
		                !s->wanted->is_folder && !s->kept;
	}
	for (size_t i = 0; was_all_done && i < w->count; i++) {
		struct step *s = &w->steps[i];

		if (s->is_done && s->kept && !put_away(w, s))
			unlinkat(s->from.folder, s->kept, 0);
		if (s->is_done)
			s->kept = NULL;
		s->is_placed = false;
	}
}

/* all of it */

static enum dt_err run(const struct dt_replacement *list, size_t count,
                       const char *mark, bool is_resumed, struct dt_fail *fail)
{
	struct work w = { .count = count, .mark = mark };
	char id[DT_ID_TEXT];
	enum dt_err err;

	if (!mark) {
		dt_rand_id(id);
		w.mark = id;
	}
	w.steps = dt_arena_alloc(&w.arena, count * sizeof(*w.steps));
	for (size_t i = 0; i < count; i++) {
		w.steps[i].wanted = &list[i];
		w.steps[i].from.folder = -1;
		w.steps[i].to.folder = -1;
	}
	for (size_t i = 0; is_resumed && i < count; i++)
		survey(&w, &w.steps[i]);
	keep_if_all_was_done(&w);
	err = look(&w, fail);
	if (!err)
		err = prepare(&w, fail);
	if (!err)
		err = commit(&w, fail);
	/* Folders that were made are empty only without what is in them. */
	if (err)
		undo_names(&w);
	clean(&w, !err);
	if (err)
		undo_folders(&w);
	else
		remove_folders(&w);
	close_all(&w);
	dt_arena_done(&w.arena);
	return err;
}

enum dt_err dt_files_replace(const struct dt_replacement *list, size_t count,
                             const char *mark, struct dt_fail *fail)
{
	return run(list, count, mark, false, fail);
}

enum dt_err dt_files_resume(const struct dt_replacement *list, size_t count,
                            const char *mark, struct dt_fail *fail)
{
	return run(list, count, mark, true, fail);
}
