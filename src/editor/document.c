/*
 * editor/document.c - open documents, and texts read beneath the roots.
 *
 * What an agent may see is opened by base/file.c beneath a root, so there is no
 * moment between a check and the open.  A person's own commands and the base of
 * a diff may lie anywhere the person can read.
 */
#include "editor/document.h"

#include "base/file.h"
#include "base/limits.h"
#include "base/path.h"
#include "editor/language.h"

#include <stdlib.h>

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

void dt_document_set_overlay(struct dt_documents *docs, struct dt_document *doc,
                             struct dt_str text)
{
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

static enum dt_err read_disk(struct dt_documents *docs, const char *path,
                             enum dt_text_scope scope, struct dt_buf *out,
                             bool *out_is_outside, struct dt_fail *fail)
{
	const char *relative;
	const char *root = dt_documents_root_of(docs, path, &relative);
	struct dt_fail inside = { 0 };
	enum dt_err err = DT_E_DENIED;

	if (root)
		err = dt_file_read_beneath(root, *relative ? relative : ".",
		                           out, &inside);
	if (root && (err != DT_E_DENIED || scope == DT_TEXT_INSIDE))
		return err ? dt_fail(fail, err, "%s", inside.msg) : DT_E_OK;
	if (scope == DT_TEXT_INSIDE)
		return dt_fail(fail, DT_E_DENIED, "%s is outside the workspace",
		               path);
	if (out_is_outside)
		*out_is_outside = true;
	return dt_file_read(path, out, fail);
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

bool dt_documents_is_dirty(struct dt_documents *docs, const char *path)
{
	return find_dirty(docs, path) != NULL;
}

enum dt_err dt_documents_read(struct dt_documents *docs, const char *path,
                              enum dt_text_scope scope, struct dt_buf *out,
                              bool *out_is_outside, struct dt_fail *fail)
{
	const struct dt_document *doc = find_dirty(docs, path);

	if (out_is_outside)
		*out_is_outside = false;
	if (!doc)
		return read_disk(docs, path, scope, out, out_is_outside, fail);
	dt_buf_add_str(out, dt_buf_str(&doc->overlay));
	return dt_buf_check(out, path, fail);
}

enum dt_err dt_documents_read_saved(struct dt_documents *docs, const char *path,
                                    struct dt_buf *out, struct dt_fail *fail)
{
	return read_disk(docs, path, DT_TEXT_ANYWHERE, out, NULL, fail);
}
