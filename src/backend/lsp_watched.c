/*
 * backend/lsp_watched.c - files that change on disk, as a server wants to hear
 * of them.
 *
 * A server registers patterns, and hears of what fits, all of a time in one
 * message.  clangd registers none and reads headers by itself: whatever is of a
 * server's language, or says how a project is built, makes it look again.
 */
#include "backend/lsp_watched.h"

#include "backend/lsp_state.h"
#include "base/glob.h"
#include "base/path.h"
#include "editor/language.h"

#include <stdlib.h>

#define METHOD "workspace/didChangeWatchedFiles"
#define ALL_KINDS 7 /* WatchKind: create, change, delete */

struct dt_lsp_watcher {
	struct dt_list link;
	char *id;
	char *base; /* folder the pattern is relative to; NULL: the server's */
	char *glob; /* NULL: everything */
	uint32_t kinds;
};

/* registrations */

static void forget(struct dt_lsp_watcher *watcher)
{
	dt_list_remove(&watcher->link);
	free(watcher->id);
	free(watcher->base);
	free(watcher->glob);
	free(watcher);
}

void dt_lsp_watched_done(struct dt_lsp_server *server)
{
	dt_list_each(watcher, &server->watchers, struct dt_lsp_watcher, link)
		forget(watcher);
}

static size_t count(const struct dt_lsp_server *server)
{
	size_t found = 0;

	dt_list_each(watcher, &server->watchers, struct dt_lsp_watcher, link)
		found++;
	return found;
}

static char *text_of(const struct dt_json *json)
{
	struct dt_arena arena = { 0 };
	struct dt_str text;
	char *copy;

	if (!json || json->type != DT_JSON_STRING)
		return NULL;
	text = dt_json_text(&arena, json);
	copy = dt_strndup(text.ptr, text.len);
	dt_arena_done(&arena);
	return copy;
}

/* Of a RelativePattern: a URI, or a WorkspaceFolder that has one. */
static char *base_of(const struct dt_json *base)
{
	struct dt_arena arena = { 0 };
	const char *path = NULL;
	char *uri;
	char *copy = NULL;

	if (base && base->type == DT_JSON_OBJECT)
		base = dt_json_get(base, "uri");
	uri = text_of(base);
	if (uri && !dt_path_from_uri(&arena, uri, &path, NULL))
		copy = dt_strdup(path);
	free(uri);
	dt_arena_done(&arena);
	return copy;
}

/* A pattern that is not ours to understand fits everything. */
static void set_glob(struct dt_lsp_watcher *watcher,
                     const struct dt_json *pattern)
{
	if (pattern && pattern->type == DT_JSON_OBJECT) {
		watcher->base = base_of(dt_json_get(pattern, "baseUri"));
		pattern = dt_json_get(pattern, "pattern");
	}
	watcher->glob = text_of(pattern);
	if (watcher->glob && (strchr(watcher->glob, '[') ||
	                      dt_glob_check(dt_str(watcher->glob), NULL))) {
		free(watcher->glob);
		watcher->glob = NULL;
	}
}

/* `from` is a FileSystemWatcher, or NULL: everything. */
static void add(struct dt_lsp_server *server, const struct dt_json *id,
                const struct dt_json *from)
{
	const struct dt_json *kind = dt_json_get(from, "kind");
	struct dt_lsp_watcher *watcher = dt_alloc(sizeof(*watcher));

	watcher->id = text_of(id);
	if (!kind || !dt_json_to_u32(kind, &watcher->kinds))
		watcher->kinds = ALL_KINDS;
	/* One more than the limit stands for all the others. */
	if (count(server) < DT_LIMIT_LSP_WATCHERS)
		set_glob(watcher, dt_json_get(from, "globPattern"));
	dt_list_append(&server->watchers, &watcher->link);
}

static bool is_about_files(const struct dt_json *registration)
{
	const struct dt_json *method = dt_json_get(registration, "method");

	return method && method->type == DT_JSON_STRING &&
	       dt_json_key_is(method, METHOD);
}

static void register_one(struct dt_lsp_server *server,
                         const struct dt_json *registration)
{
	const struct dt_json *id = dt_json_get(registration, "id");
	const struct dt_json *options =
		dt_json_get(registration, "registerOptions");
	const struct dt_json *watchers = dt_json_get(options, "watchers");

	if (!watchers || watchers->type != DT_JSON_ARRAY) {
		add(server, id, NULL);
		return;
	}
	dt_json_each(watcher, watchers) {
		if (count(server) <= DT_LIMIT_LSP_WATCHERS)
			add(server, id, watcher);
	}
}

void dt_lsp_watched_register(struct dt_lsp_server *server,
                             const struct dt_json *registrations)
{
	if (!registrations || registrations->type != DT_JSON_ARRAY)
		return;
	dt_json_each(registration, registrations) {
		if (is_about_files(registration) &&
		    count(server) <= DT_LIMIT_LSP_WATCHERS)
			register_one(server, registration);
	}
}

static void unregister_one(struct dt_lsp_server *server, const char *id)
{
	dt_list_each(watcher, &server->watchers, struct dt_lsp_watcher, link) {
		if (watcher->id && id && !strcmp(watcher->id, id))
			forget(watcher);
	}
}

void dt_lsp_watched_unregister(struct dt_lsp_server *server,
                               const struct dt_json *unregistrations)
{
	if (!unregistrations || unregistrations->type != DT_JSON_ARRAY)
		return;
	dt_json_each(registration, unregistrations) {
		char *id = text_of(dt_json_get(registration, "id"));

		if (is_about_files(registration))
			unregister_one(server, id);
		free(id);
	}
}

/* telling */

static bool fits(const struct dt_lsp_server *server,
                 const struct dt_lsp_watcher *watcher,
                 const struct dt_file_change *change)
{
	const char *base = watcher->base ? watcher->base : server->folder;
	const char *rest = change->path + strlen(base);

	if (!(watcher->kinds >> change->kind & 1) && !change->is_replaced)
		return false;
	if (!dt_path_is_beneath(change->path, base))
		return false;
	return !watcher->glob ||
	       dt_glob_matches(dt_str(watcher->glob), dt_str(change->path)) ||
	       dt_glob_matches(dt_str(watcher->glob),
	                       dt_str(rest + strspn(rest, "/")));
}

static bool is_wanted(struct dt_lsp_server *server,
                      const struct dt_file_change *change)
{
	dt_list_each(watcher, &server->watchers, struct dt_lsp_watcher, link) {
		if (fits(server, watcher, change))
			return true;
	}
	return false;
}

static void put_change(struct dt_json_out *out, const char *uri,
                       enum dt_file_kind kind)
{
	dt_json_begin_object(out);
	dt_json_key(out, "uri");
	dt_json_put_z(out, uri);
	dt_json_key(out, "type");
	dt_json_put_int(out, (int)kind + 1);
	dt_json_end_object(out);
}

void dt_lsp_watched_tell(struct dt_lsp_server *server,
                         const struct dt_file_change *changes, size_t count)
{
	struct dt_arena arena = { 0 };
	struct dt_buf params;
	struct dt_json_out out;
	size_t told = 0;

	dt_buf_init(&params, DT_LIMIT_MESSAGE);
	out = dt_json_out(&params);
	dt_json_begin_object(&out);
	dt_json_key(&out, "changes");
	dt_json_begin_array(&out);
	for (size_t i = 0; i < count; i++) {
		const struct dt_file_change *change = &changes[i];
		const char *uri;

		if (!is_wanted(server, change))
			continue;
		uri = dt_path_to_uri(&arena, change->path);
		if (change->is_replaced)
			put_change(&out, uri, DT_FILE_CREATED);
		put_change(&out, uri, (enum dt_file_kind)change->kind);
		told++;
	}
	dt_json_end_array(&out);
	dt_json_end_object(&out);
	if (told > 0)
		dt_peer_notify(server->peer, METHOD, dt_buf_str(&params));
	dt_buf_done(&params);
	dt_arena_done(&arena);
}

/* Another file may mean something else now. */
static bool is_felt(const struct dt_lsp_server *server,
                    const struct dt_file_change *change)
{
	const char *name = dt_path_base(change->path);
	const char *const *markers = server->entry.markers;

	if (!dt_path_is_beneath(change->path, server->folder))
		return false;
	for (size_t i = 0; markers && markers[i]; i++) {
		if (!strcmp(markers[i], name))
			return true;
	}
	return dt_lsp_is_for(&server->entry, dt_language_of(change->path));
}

/*
 * typescript-language-server watches nothing, and looks at a text again only when
 * one that it has open is another: what changed is opened there.  Such servers do
 * not say, either, which text they report on.
 */
static void open_felt(struct dt_lsp_server *server,
                      const struct dt_file_change *changes, size_t count)
{
	size_t opened = 0;

	if (!dt_list_is_empty(&server->watchers) || server->is_versioned)
		return;
	for (size_t i = 0; i < count && opened < DT_LIMIT_LSP_OPENED; i++) {
		const char *language = dt_language_of(changes[i].path);

		if (changes[i].kind == DT_FILE_DELETED ||
		    !dt_path_is_beneath(changes[i].path, server->folder) ||
		    !dt_lsp_is_for(&server->entry, language))
			continue;
		dt_lsp_docs_open(server, changes[i].path);
		opened++;
	}
}

void dt_lsp_watched_take(struct dt_lsp_server *server,
                         const struct dt_file_changes *changes)
{
	struct dt_file_change *others =
		dt_alloc((changes->count + 1) * sizeof(*others));
	bool is_shaken = changes->is_lost;
	bool is_open = changes->is_lost;
	size_t count = 0;

	for (size_t i = 0; i < changes->count; i++) {
		const struct dt_file_change *change = &changes->ptr[i];

		is_shaken |= is_felt(server, change);
		/* Of those that are open it is told with their text. */
		if (dt_lsp_docs_find(server, change->path))
			is_open = true;
		else
			others[count++] = *change;
	}
	dt_lsp_watched_tell(server, others, count);
	if (is_open && dt_lsp_docs_sync(server, NULL, NULL))
		is_shaken = false;
	if (is_shaken)
		dt_lsp_docs_shake(server);
	open_felt(server, others, count);
	free(others);
}
