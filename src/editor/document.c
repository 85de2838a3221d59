/*
 * editor/document.c - open documents, and texts read beneath the roots.
 *
 * What an agent may see is opened by base/file.c beneath a root, and what was
 * opened is judged by the name it has, not by the one it was asked by: there is
 * no moment between a check and the open.  A person's own commands and the base
 * of a diff may lie anywhere the person can read.
 */
#include "editor/document.h"

#include "base/file.h"
#include "base/limits.h"
#include "base/path.h"
#include "editor/language.h"

#include <stdlib.h>
#include <sys/stat.h>

#define LARGE ((off_t)DT_MIB) /* worth remembering what it was */
#define SETTLED_SECONDS 2

void dt_documents_init(struct dt_documents *docs, const char *const *roots,
                       size_t root_count)
{
	*docs = (struct dt_documents){ .root_count = root_count };
	docs->roots = dt_alloc(root_count * sizeof(*docs->roots));
	for (size_t i = 0; i < root_count; i++)
		docs->roots[i] = dt_strdup(roots[i]);
	dt_list_init(&docs->list);
}

void dt_documents_done(struct dt_documents *docs)
{
	dt_list_each(doc, &docs->list, struct dt_document, link)
		dt_documents_close(docs, doc);
	for (size_t i = 0; i < docs->root_count; i++)
		free(docs->roots[i]);
	free(docs->roots);
	*docs = (struct dt_documents){ 0 };
}

struct dt_document *dt_documents_find(struct dt_documents *docs,
                                      const char *path)
{
	dt_list_each(doc, &docs->list, struct dt_document, link) {
		if (!strcmp(doc->path, path))
			return doc;
	}
	return NULL;
}

/* Whether the file is another than the last time; false also when it is gone. */
static bool restamp(struct dt_document *doc)
{
	struct dt_document_stamp *old = &doc->stamp;
	struct dt_document_stamp now = { 0 };
	struct stat st;
	bool is_same;

	if (!stat(doc->path, &st))
		now = (struct dt_document_stamp){ st.st_ino, st.st_size,
			                          st.st_mtim };
	is_same = old->inode == now.inode && old->size == now.size &&
	          old->changed.tv_sec == now.changed.tv_sec &&
	          old->changed.tv_nsec == now.changed.tv_nsec;
	*old = now;
	return !is_same && now.inode;
}

enum dt_err dt_documents_open(struct dt_documents *docs, const char *path,
                              struct dt_document **out, struct dt_fail *fail)
{
	struct dt_document *doc = dt_documents_find(docs, path);
	struct dt_buf text;
	enum dt_err err;

	if (doc) {
		*out = doc;
		return DT_E_OK;
	}
	if (docs->count >= DT_LIMIT_OPEN_FILES)
		return dt_fail(fail, DT_E_LIMIT,
		               "%u documents are open; close some first",
		               DT_LIMIT_OPEN_FILES);
	dt_buf_init(&text, DT_LIMIT_FILE);
	err = dt_documents_read(docs, path, DT_TEXT_INSIDE, &text, NULL, fail);
	dt_buf_done(&text);
	if (err)
		return err;
	doc = dt_alloc(sizeof(*doc));
	doc->path = dt_strdup(path);
	doc->language = dt_language_of(path);
	doc->version = ++docs->version;
	dt_buf_init(&doc->overlay, DT_LIMIT_FILE);
	(void)restamp(doc);
	dt_list_append(&docs->list, &doc->link);
	docs->count++;
	*out = doc;
	return DT_E_OK;
}

void dt_documents_close(struct dt_documents *docs, struct dt_document *doc)
{
	if (docs->active == doc)
		docs->active = NULL;
	docs->dirty_count -= doc->has_overlay;
	dt_list_remove(&doc->link);
	docs->count--;
	dt_buf_done(&doc->overlay);
	free(doc->path);
	free(doc);
}

const char *dt_documents_root_of(const struct dt_documents *docs,
                                 const char *path, const char **out_relative)
{
	for (size_t i = 0; i < docs->root_count; i++) {
		const char *root = docs->roots[i];
		const char *rest = path + strlen(root);

		if (!dt_path_is_beneath(path, root))
			continue;
		while (*rest == '/')
			rest++;
		*out_relative = rest;
		return root;
	}
	return NULL;
}

enum dt_err dt_documents_check(const struct dt_documents *docs,
                               const char *path, struct dt_fail *fail)
{
	return docs->guard ? docs->guard(docs->guard_owner, path, fail)
	                   : DT_E_OK;
}

/* A file of the disk on its way into a buffer. */
struct reading {
	struct dt_documents *docs;
	const char *path;
	struct dt_buf *out;
	struct dt_text_origin *origin;
};

/* Beneath a root, or anywhere; by the name of what was opened it is judged. */
static enum dt_err read_as(const struct reading *r, const char *root,
                           const char *relative, struct dt_fail *fail)
{
	struct dt_arena arena = { 0 };
	const char *opened;
	enum dt_err err = dt_file_read_named(&arena, root, relative, r->out,
	                                     &opened, fail);

	if (!err) {
		r->origin->is_led = strcmp(opened, r->path) != 0;
		(void)!dt_documents_check(r->docs, opened, &r->origin->kept);
	}
	dt_arena_done(&arena);
	return err;
}

static enum dt_err read_disk(const struct reading *r, enum dt_text_scope scope,
                             struct dt_fail *fail)
{
	const char *relative;
	const char *root = dt_documents_root_of(r->docs, r->path, &relative);
	struct dt_fail inside = { 0 };
	enum dt_err err = DT_E_DENIED;

	if (root)
		err = read_as(r, root, *relative ? relative : ".", &inside);
	if (root && (err != DT_E_DENIED || scope != DT_TEXT_ANYWHERE))
		return err ? dt_fail(fail, err, "%s", inside.msg) : DT_E_OK;
	if (scope != DT_TEXT_ANYWHERE)
		return dt_fail(fail, DT_E_DENIED, "%s is outside the workspace",
		               r->path);
	r->origin->is_outside = true;
	return read_as(r, NULL, r->path, fail);
}

/* "" when there is nothing that can be read. */
static void digest_saved(struct dt_documents *docs, const char *path,
                         char out[DT_SHA256_TEXT])
{
	struct dt_text_origin origin = { 0 };
	struct dt_buf text;
	struct reading r = { docs, path, &text, &origin };

	*out = '\0';
	dt_buf_init(&text, DT_LIMIT_FILE);
	if (!read_disk(&r, DT_TEXT_INSIDE, NULL))
		dt_sha256_hex(text.ptr, text.len, out);
	dt_buf_done(&text);
}

void dt_document_set_overlay(struct dt_documents *docs, struct dt_document *doc,
                             struct dt_str text)
{
	if (text.ptr && !doc->has_overlay)
		digest_saved(docs, doc->path, doc->saved);
	doc->is_overtaken &= text.ptr != NULL;
	dt_buf_done(&doc->overlay);
	docs->dirty_count -= doc->has_overlay;
	doc->has_overlay = text.ptr != NULL;
	docs->dirty_count += doc->has_overlay;
	dt_buf_add_str(&doc->overlay, text);
	doc->version = ++docs->version;
}

static void tell(struct dt_documents *docs, const char *path,
                 enum dt_document_change change)
{
	if (docs->on_change)
		docs->on_change(docs, path, change, docs->owner);
}

void dt_documents_wrote(struct dt_documents *docs, const char *path)
{
	struct dt_document *doc = dt_documents_find(docs, path);

	if (!doc)
		return;
	dt_document_set_overlay(docs, doc, (struct dt_str){ 0 });
	(void)restamp(doc);
	tell(docs, path, DT_DOCUMENT_CHANGED);
}

void dt_documents_removed(struct dt_documents *docs, const char *path)
{
	struct dt_document *doc = dt_documents_find(docs, path);

	if (!doc)
		return;
	dt_documents_close(docs, doc);
	tell(docs, path, DT_DOCUMENT_CLOSED);
}

/* A file that is gone has nothing in it that saving could undo. */
static bool is_overtaken(struct dt_documents *docs,
                         const struct dt_document *doc)
{
	char now[DT_SHA256_TEXT];

	digest_saved(docs, doc->path, now);
	return *now && strcmp(doc->saved, now) != 0;
}

void dt_documents_noticed(struct dt_documents *docs, struct dt_document *doc)
{
	bool was_overtaken = doc->is_overtaken;
	bool is_other = restamp(doc);
	char *path;

	if (doc->has_overlay) {
		doc->is_overtaken = is_overtaken(docs, doc);
		if (doc->is_overtaken != was_overtaken)
			tell(docs, doc->path, DT_DOCUMENT_CHANGED);
	} else if (!doc->stamp.inode) {
		path = dt_strdup(doc->path);
		dt_documents_removed(docs, path);
		free(path);
	} else if (is_other) {
		doc->version = ++docs->version;
		tell(docs, doc->path, DT_DOCUMENT_CHANGED);
	}
}

/* Under whatever name it is asked for. */
static const struct dt_document *find_dirty(struct dt_documents *docs,
                                            const char *path)
{
	const struct dt_document *doc = dt_documents_find(docs, path);
	struct dt_arena arena = { 0 };
	const char *real;

	if (!doc && docs->dirty_count > 0 &&
	    !dt_path_real(&arena, path, &real, NULL))
		doc = dt_documents_find(docs, real);
	dt_arena_done(&arena);
	return doc && doc->has_overlay ? doc : NULL;
}

enum dt_err dt_documents_check_saved(struct dt_documents *docs,
                                     const char *path, struct dt_fail *fail)
{
	const struct dt_document *doc = find_dirty(docs, path);

	if (!doc || !is_overtaken(docs, doc))
		return DT_E_OK;
	return dt_fail(fail, DT_E_STATE,
	               "%s was changed on disk by somebody else since it was "
	               "edited here, and saving would undo that: give its "
	               "whole new text, or closeTab to give up what is unsaved",
	               doc->path);
}

bool dt_documents_is_dirty(struct dt_documents *docs, const char *path)
{
	return find_dirty(docs, path) != NULL;
}

enum dt_err dt_documents_read_origin(struct dt_documents *docs,
                                     const char *path, enum dt_text_scope scope,
                                     struct dt_buf *out,
                                     struct dt_text_origin *origin,
                                     struct dt_fail *fail)
{
	const struct dt_document *doc = find_dirty(docs, path);
	struct reading r = { docs, path, out, origin };
	size_t len = out->len;
	enum dt_err err;

	*origin = (struct dt_text_origin){ 0 };
	if (doc) {
		dt_buf_add_str(out, dt_buf_str(&doc->overlay));
		err = dt_buf_check(out, path, fail);
		(void)!dt_documents_check(docs, doc->path, &origin->kept);
	} else {
		err = read_disk(&r, scope, fail);
	}
	if (!err && scope == DT_TEXT_TOLD && origin->kept.code) {
		out->len = len;
		err = dt_fail(fail, DT_E_DENIED, "%s", origin->kept.msg);
	}
	return err;
}

enum dt_err dt_documents_read(struct dt_documents *docs, const char *path,
                              enum dt_text_scope scope, struct dt_buf *out,
                              bool *out_is_outside, struct dt_fail *fail)
{
	struct dt_text_origin origin;
	enum dt_err err =
		dt_documents_read_origin(docs, path, scope, out, &origin, fail);

	if (out_is_outside)
		*out_is_outside = origin.is_outside;
	return err;
}

enum dt_err dt_documents_read_saved(struct dt_documents *docs, const char *path,
                                    struct dt_buf *out,
                                    struct dt_text_origin *origin,
                                    struct dt_fail *fail)
{
	struct reading r = { docs, path, out, origin };

	*origin = (struct dt_text_origin){ 0 };
	return read_disk(&r, DT_TEXT_ANYWHERE, fail);
}

/* digests */

static bool is_same_time(struct timespec a, struct timespec b)
{
	return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

static bool is_same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
	       a->st_size == b->st_size &&
	       is_same_time(a->st_mtim, b->st_mtim) &&
	       is_same_time(a->st_ctim, b->st_ctim);
}

/* What was written a moment ago may be written again at the same time. */
static bool is_settled(const struct stat *st)
{
	return time(NULL) - st->st_ctim.tv_sec >= SETTLED_SECONDS;
}

static const char *find_digest(const struct dt_documents *docs,
                               const struct stat *now)
{
	for (size_t i = 0; i < DT_DIGESTS_SEEN; i++) {
		if (docs->seen[i].digest[0] &&
		    is_same_file(&docs->seen[i].file, now))
			return docs->seen[i].digest;
	}
	return NULL;
}

static void keep_digest(struct dt_documents *docs, const struct stat *before,
                        const char *path, const char digest[DT_SHA256_TEXT])
{
	struct dt_digest_seen *slot = &docs->seen[docs->seen_next];
	struct stat now;

	if (before->st_size < LARGE || !is_settled(before) ||
	    stat(path, &now) || !is_same_file(before, &now))
		return;
	slot->file = now;
	memcpy(slot->digest, digest, sizeof(slot->digest));
	docs->seen_next = (docs->seen_next + 1) % DT_DIGESTS_SEEN;
}

enum dt_err dt_documents_digest(struct dt_documents *docs, const char *path,
                                char out[DT_SHA256_TEXT], struct dt_fail *fail)
{
	bool is_dirty = find_dirty(docs, path) != NULL;
	const char *known = NULL;
	struct stat st = { 0 };
	struct dt_buf text;
	enum dt_err err;

	if (!is_dirty && !stat(path, &st))
		known = find_digest(docs, &st);
	if (known) {
		memcpy(out, known, DT_SHA256_TEXT);
		return DT_E_OK;
	}
	dt_buf_init(&text, DT_LIMIT_FILE);
	err = dt_documents_read(docs, path, DT_TEXT_ANYWHERE, &text, NULL,
	                        fail);
	if (!err)
		dt_sha256_hex(text.ptr, text.len, out);
	dt_buf_done(&text);
	if (!err && !is_dirty)
		keep_digest(docs, &st, path, out);
	return err;
}
