/*
 * backend/lsp_docs.c - the texts a language server has, kept as they are now.
 *
 * Nothing here relies on being told: before each question every file that the
 * server has open is looked at (its unsaved text, else what stat() says), and
 * only where that is new it is read.  What is told is the whole text, which any
 * server takes.  Invariant: a document in the list is open in the server, under
 * `version`, with the text whose digest is kept.
 */
#include "backend/lsp_docs.h"

#include "backend/lsp_state.h"
#include "backend/lsp_watched.h"
#include "base/clock.h"
#include "base/path.h"
#include "base/sha256.h"
#include "editor/language.h"

#include <stdlib.h>
#include <sys/stat.h>

/* Two changes within one tick of the file system's clock look like one. */
#define TICK_NS 20000000

/* what is told */

static void begin_params(struct dt_buf *params, struct dt_json_out *out,
                         const struct dt_lsp_doc *doc)
{
	dt_buf_init(params, DT_LIMIT_MESSAGE);
	*out = dt_json_out(params);
	dt_json_begin_object(out);
	dt_json_key(out, "textDocument");
	dt_json_begin_object(out);
	dt_json_key(out, "uri");
	dt_json_put_z(out, doc->uri);
}

static void send_params(struct dt_lsp_server *server, const char *method,
                        struct dt_buf *params, struct dt_json_out *out)
{
	dt_json_end_object(out);
	dt_peer_notify(server->peer, method, dt_buf_str(params));
	dt_buf_done(params);
}

static void put_version(struct dt_json_out *out, const struct dt_lsp_doc *doc)
{
	dt_json_key(out, "version");
	dt_json_put_int(out, doc->version);
}

static void tell_opened(struct dt_lsp_server *server,
                        const struct dt_lsp_doc *doc, struct dt_str text)
{
	struct dt_buf params;
	struct dt_json_out out;

	begin_params(&params, &out, doc);
	dt_json_key(&out, "languageId");
	dt_json_put_z(&out, dt_language_of(doc->path));
	put_version(&out, doc);
	dt_json_key(&out, "text");
	dt_json_put_str(&out, text);
	dt_json_end_object(&out);
	send_params(server, "textDocument/didOpen", &params, &out);
}

static void tell_changed(struct dt_lsp_server *server,
                         const struct dt_lsp_doc *doc, struct dt_str text)
{
	struct dt_buf params;
	struct dt_json_out out;

	begin_params(&params, &out, doc);
	put_version(&out, doc);
	dt_json_end_object(&out);
	dt_json_key(&out, "contentChanges");
	dt_json_begin_array(&out);
	dt_json_begin_object(&out);
	dt_json_key(&out, "text");
	dt_json_put_str(&out, text);
	dt_json_end_object(&out);
	dt_json_end_array(&out);
	send_params(server, "textDocument/didChange", &params, &out);
}

static void tell(struct dt_lsp_server *server, const char *method,
                 const struct dt_lsp_doc *doc)
{
	struct dt_buf params;
	struct dt_json_out out;

	begin_params(&params, &out, doc);
	dt_json_end_object(&out);
	send_params(server, method, &params, &out);
}

static void tell_watched(struct dt_lsp_server *server,
                         const struct dt_lsp_doc *doc, enum dt_file_kind kind)
{
	struct dt_file_change change = { .path = doc->path, .kind = kind };

	dt_lsp_watched_tell(server, &change, 1);
}

/* the list */

struct dt_lsp_doc *dt_lsp_docs_find(struct dt_lsp_server *server,
                                    const char *path)
{
	dt_list_each(doc, &server->docs, struct dt_lsp_doc, link) {
		if (!strcmp(doc->path, path))
			return doc;
	}
	return NULL;
}

static void free_doc(struct dt_lsp_server *server, struct dt_lsp_doc *doc)
{
	dt_list_remove(&doc->link);
	server->doc_count--;
	free(doc->path);
	free(doc->uri);
	free(doc);
}

void dt_lsp_docs_done(struct dt_lsp_server *server)
{
	dt_list_each(doc, &server->docs, struct dt_lsp_doc, link)
		free_doc(server, doc);
}

static void close_doc(struct dt_lsp_server *server, struct dt_lsp_doc *doc)
{
	tell(server, "textDocument/didClose", doc);
	free_doc(server, doc);
}

static struct dt_lsp_doc *new_doc(struct dt_lsp_server *server,
                                  const char *path)
{
	struct dt_lsp_doc *doc = dt_alloc(sizeof(*doc));
	struct dt_arena arena = { 0 };

	doc->path = dt_strdup(path);
	doc->uri = dt_strdup(dt_path_to_uri(&arena, path));
	dt_list_append(&server->docs, &doc->link);
	server->doc_count++;
	dt_arena_done(&arena);
	return doc;
}

/* One that was not asked about for the longest time, and is saved. */
static void close_oldest(struct dt_lsp_server *server)
{
	dt_list_each(doc, &server->docs, struct dt_lsp_doc, link) {
		if (doc->stamp.overlay)
			continue;
		close_doc(server, doc);
		return;
	}
}

/* One more, where there is room or can be made. */
static struct dt_lsp_doc *add_doc(struct dt_lsp_server *server,
                                  const char *path)
{
	if (server->doc_count >= DT_LIMIT_LSP_FILES)
		close_oldest(server);
	return new_doc(server, path);
}

/* the texts of now */

/* False: there is no file. */
static bool stamp_of(const struct dt_lsp_server *server, const char *path,
                     struct dt_lsp_stamp *out)
{
	const struct dt_document *doc =
		dt_documents_find(server->lsp->world.docs, path);
	struct timespec now;
	struct stat st;
	int64_t age;

	*out = (struct dt_lsp_stamp){ .is_sure = true };
	if (doc && doc->has_overlay) {
		out->overlay = doc->version;
		return true;
	}
	if (stat(path, &st))
		return false;
	clock_gettime(CLOCK_REALTIME, &now);
	age = (now.tv_sec - st.st_mtim.tv_sec) * INT64_C(1000000000) +
	      now.tv_nsec - st.st_mtim.tv_nsec;
	out->inode = st.st_ino;
	out->size = st.st_size;
	out->changed = st.st_mtim;
	out->is_sure = age > TICK_NS;
	return true;
}

static bool is_same(const struct dt_lsp_stamp *a, const struct dt_lsp_stamp *b)
{
	return a->is_sure && a->overlay == b->overlay && a->inode == b->inode &&
	       a->size == b->size && a->changed.tv_sec == b->changed.tv_sec &&
	       a->changed.tv_nsec == b->changed.tv_nsec;
}

static enum dt_err read_text(struct dt_lsp_server *server, const char *path,
                             struct dt_buf *text, struct dt_fail *fail)
{
	struct dt_fail why = { 0 };
	enum dt_err err;

	dt_buf_init(text, DT_LIMIT_LSP_TEXT);
	/* What it says of the text is told by this name. */
	err = dt_documents_read(server->lsp->world.docs, path, DT_TEXT_TOLD,
	                        text, NULL, &why);
	if (err == DT_E_LIMIT)
		return dt_fail(fail, err,
		               "%s is larger than %u MiB: language servers are "
		               "not asked about it",
		               path, DT_LIMIT_LSP_TEXT / DT_MIB);
	if (err)
		return dt_fail(fail, err, "%s", why.msg);
	if (text->len && memchr(text->ptr, '\0', text->len))
		return dt_fail(fail, DT_E_UNSUPPORTED, "%s is no text", path);
	return DT_E_OK;
}

/* The text may have changed: tell it where it has. */
static void take_text(struct dt_lsp_server *server, struct dt_lsp_doc *doc,
                      const struct dt_lsp_stamp *stamp, struct dt_str text)
{
	bool was_unsaved = doc->stamp.overlay;
	uint8_t digest[32];
	bool is_other;

	dt_sha256(text.ptr, text.len, digest);
	is_other = memcmp(digest, doc->digest, sizeof(digest)) != 0;
	doc->stamp = *stamp;
	memcpy(doc->digest, digest, sizeof(digest));
	if (!doc->version) {
		doc->version = 1;
		doc->opened_ms = dt_clock_ms();
		tell_opened(server, doc, text);
		return;
	}
	if (is_other) {
		doc->version++;
		tell_changed(server, doc, text);
	}
	/* On the disk it is new, too. */
	if (!stamp->overlay && (is_other || was_unsaved)) {
		tell_watched(server, doc, DT_FILE_CHANGED);
		tell(server, "textDocument/didSave", doc);
	}
}

/* A document that is gone, or cannot be read any more, is closed. */
static enum dt_err sync_doc(struct dt_lsp_server *server,
                            struct dt_lsp_doc *doc, struct dt_fail *fail)
{
	struct dt_lsp_stamp stamp;
	struct dt_buf text;
	enum dt_err err;
	bool is_there = stamp_of(server, doc->path, &stamp);

	if (is_there && doc->version && is_same(&doc->stamp, &stamp))
		return DT_E_OK;
	err = read_text(server, doc->path, &text, fail);
	if (!err) {
		take_text(server, doc, &stamp, dt_buf_str(&text));
	} else if (doc->version) {
		if (!is_there)
			tell_watched(server, doc, DT_FILE_DELETED);
		close_doc(server, doc);
	} else {
		free_doc(server, doc);
	}
	dt_buf_done(&text);
	return err;
}

/* Texts with unsaved changes count also where another file is asked about. */
static void open_unsaved(struct dt_lsp_server *server)
{
	const struct dt_documents *docs = server->lsp->world.docs;

	dt_list_each(doc, &docs->list, struct dt_document, link) {
		if (doc->has_overlay &&
		    dt_lsp_is_for(&server->entry, doc->language) &&
		    dt_path_is_beneath(doc->path, server->folder) &&
		    !dt_lsp_docs_find(server, doc->path) &&
		    server->doc_count < DT_LIMIT_LSP_FILES)
			new_doc(server, doc->path);
	}
}

enum dt_err dt_lsp_docs_sync(struct dt_lsp_server *server, const char *path,
                             struct dt_fail *fail)
{
	struct dt_lsp_doc *asked = path ? dt_lsp_docs_find(server, path) : NULL;

	if (path && !asked)
		asked = add_doc(server, path);
	open_unsaved(server);
	dt_list_each(doc, &server->docs, struct dt_lsp_doc, link) {
		if (doc != asked)
			(void)sync_doc(server, doc, NULL);
	}
	if (!asked)
		return DT_E_OK;
	dt_list_remove(&asked->link);
	dt_list_append(&server->docs, &asked->link);
	return sync_doc(server, asked, fail);
}

void dt_lsp_docs_open(struct dt_lsp_server *server, const char *path)
{
	(void)sync_doc(server, add_doc(server, path), NULL);
}

void dt_lsp_docs_shake(struct dt_lsp_server *server)
{
	const struct dt_lsp_doc *saved = NULL;

	dt_list_each(doc, &server->docs, struct dt_lsp_doc, link) {
		doc->is_shaken = true;
		if (!doc->stamp.overlay)
			saved = doc;
	}
	if (saved)
		tell(server, "textDocument/didSave", saved);
}
