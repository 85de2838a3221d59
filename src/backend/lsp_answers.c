/*
 * backend/lsp_answers.c - what a language server asks and tells by itself.
 *
 * Everything is answered at once; what nobody here can do is refused with a
 * reason, as a server that is not answered may wait for ever.  There is no
 * window: a message with buttons gets no button.  Whether an edit is wanted is
 * for whoever asked the question it belongs to.
 */
#include "backend/lsp_state.h"
#include "backend/lsp_watched.h"
#include "base/log.h"
#include "base/path.h"
#include "base/utf8.h"
#include "rpc/code.h"

#include <stdlib.h>

struct asked {
	struct dt_lsp_server *server;
	struct dt_request *req;
	const struct dt_json *params;
};

static void answer_null(const struct asked *a)
{
	dt_json_put_null(dt_request_begin(a->req));
	dt_request_end(a->req);
}

/* settings */

/* A section, "python.analysis", of the entry's settings; NULL: none. */
static const struct dt_json *find_section(struct dt_arena *arena,
                                          const struct dt_json *settings,
                                          const struct dt_json *item)
{
	const struct dt_json *section = dt_json_get(item, "section");
	const struct dt_json *at = settings;
	struct dt_str rest;

	if (!section || section->type != DT_JSON_STRING)
		return settings;
	rest = dt_json_text(arena, section);
	while (at && rest.len) {
		struct dt_str name = dt_str_cut(&rest, '.');

		at = dt_json_get(at,
		                 dt_arena_strndup(arena, name.ptr, name.len));
	}
	return at;
}

static void answer_configuration(const struct asked *a)
{
	const struct dt_json *items = dt_json_get(a->params, "items");
	const struct dt_json *settings = NULL;
	struct dt_arena *arena = &a->req->arena;
	struct dt_json_out *out;

	if (!a->server->entry.settings ||
	    dt_json_read(arena, dt_str(a->server->entry.settings), &settings,
	                 NULL))
		settings = NULL;
	if (!items || items->type != DT_JSON_ARRAY) {
		dt_request_fail(a->req, DT_RPC_INVALID_PARAMS,
		                "items: expected array");
		return;
	}
	out = dt_request_begin(a->req);
	dt_json_begin_array(out);
	dt_json_each(item, items) {
		const struct dt_json *found =
			find_section(arena, settings, item);

		if (found)
			dt_json_put_raw(out, found->raw);
		else
			dt_json_put_null(out);
	}
	dt_json_end_array(out);
	dt_request_end(a->req);
}

static void answer_folders(const struct asked *a)
{
	const char *folder = a->server->folder;
	struct dt_json_out *out = dt_request_begin(a->req);

	dt_json_begin_array(out);
	dt_json_begin_object(out);
	dt_json_key(out, "uri");
	dt_json_put_z(out, dt_path_to_uri(&a->req->arena, folder));
	dt_json_key(out, "name");
	dt_json_put_z(out, dt_path_base(folder));
	dt_json_end_object(out);
	dt_json_end_array(out);
	dt_request_end(a->req);
}

/* edits */

static bool offer_edit(struct dt_lsp_server *server, const struct dt_json *edit)
{
	dt_list_each(r, &server->requests, struct dt_lsp_request, link) {
		if (r->is_sent && r->on_edit)
			return r->on_edit(edit, r->owner);
	}
	return false;
}

static void answer_edit(const struct asked *a)
{
	const struct dt_json *edit = dt_json_get(a->params, "edit");
	bool is_taken = edit && offer_edit(a->server, edit);
	struct dt_json_out *out = dt_request_begin(a->req);

	dt_json_begin_object(out);
	dt_json_key(out, "applied");
	dt_json_put_bool(out, is_taken);
	if (!is_taken) {
		dt_json_key(out, "failureReason");
		dt_json_put_z(out, "nobody asked for a change");
	}
	dt_json_end_object(out);
	dt_request_end(a->req);
}

/* registrations */

static void answer_register(const struct asked *a)
{
	dt_lsp_watched_register(a->server,
	                        dt_json_get(a->params, "registrations"));
	answer_null(a);
}

static void answer_unregister(const struct asked *a)
{
	/* The specification's own spelling. */
	dt_lsp_watched_unregister(a->server,
	                          dt_json_get(a->params, "unregisterations"));
	answer_null(a);
}

/* windows */

static void answer_show_document(const struct asked *a)
{
	struct dt_json_out *out = dt_request_begin(a->req);

	dt_json_begin_object(out);
	dt_json_key(out, "success");
	dt_json_put_bool(out, false);
	dt_json_end_object(out);
	dt_request_end(a->req);
}

static void log_message(struct dt_lsp_server *server, enum dt_log_level level,
                        const struct dt_json *params)
{
	const struct dt_json *message = dt_json_get(params, "message");
	struct dt_arena arena = { 0 };
	struct dt_str text;

	if (!message || message->type != DT_JSON_STRING ||
	    dt_log_level() < level)
		return;
	text = dt_json_text(&arena, message);
	if (text.len > DT_LIMIT_PROBLEM_CHARS)
		text.len = DT_LIMIT_PROBLEM_CHARS;
	dt_log(level, "%s: %.*s", server->entry.name, DT_STR_ARG(text));
	dt_arena_done(&arena);
}

static void answer_message(const struct asked *a)
{
	log_message(a->server, DT_LOG_INFO, a->params);
	answer_null(a);
}

/* All reports may be old: they are made anew when they are asked for. */
static void answer_refresh(const struct asked *a)
{
	dt_list_each(doc, &a->server->docs, struct dt_lsp_doc, link)
		doc->reported = 0;
	answer_null(a);
}

static const struct {
	const char *method;
	void (*answer)(const struct asked *a);
} answers[] = {
	{ "workspace/configuration", answer_configuration },
	{ "workspace/workspaceFolders", answer_folders },
	{ "workspace/applyEdit", answer_edit },
	{ "workspace/diagnostic/refresh", answer_refresh },
	{ "client/registerCapability", answer_register },
	{ "client/unregisterCapability", answer_unregister },
	{ "window/showDocument", answer_show_document },
	{ "window/showMessageRequest", answer_message },
	{ "window/workDoneProgress/create", answer_null },
	/* Nothing of these is kept, so nothing gets old. */
	{ "workspace/semanticTokens/refresh", answer_null },
	{ "workspace/inlayHint/refresh", answer_null },
	{ "workspace/codeLens/refresh", answer_null },
	{ "workspace/foldingRange/refresh", answer_null },
};

void dt_lsp_answer(struct dt_lsp_server *server, struct dt_request *req,
                   const struct dt_json *params)
{
	struct asked a = { server, req, params };

	for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
		if (!strcmp(req->method, answers[i].method)) {
			answers[i].answer(&a);
			return;
		}
	}
	dt_request_fail(req, DT_RPC_NO_METHOD, "dovetail does not do this");
}

/* progress */

static void end_task(struct dt_lsp_task *task)
{
	free(task->token);
	free(task->text);
	*task = (struct dt_lsp_task){ 0 };
}

void dt_lsp_tasks_done(struct dt_lsp_server *server)
{
	for (size_t i = 0; i < DT_LIMIT_LSP_PROGRESS; i++)
		end_task(&server->tasks[i]);
}

/* The task of a token, or a free one; NULL: there are too many. */
static struct dt_lsp_task *find_task(struct dt_lsp_server *server,
                                     struct dt_str token)
{
	struct dt_lsp_task *unused = NULL;

	for (size_t i = 0; i < DT_LIMIT_LSP_PROGRESS; i++) {
		struct dt_lsp_task *task = &server->tasks[i];

		if (task->token && dt_str_is(token, task->token))
			return task;
		if (!task->token && !unused)
			unused = task;
	}
	return unused;
}

static struct dt_str text_member(struct dt_arena *arena,
                                 const struct dt_json *of, const char *name)
{
	const struct dt_json *member = dt_json_get(of, name);
	struct dt_str text = { 0 };

	if (member && member->type == DT_JSON_STRING)
		text = dt_json_text(arena, member);
	if (text.len > 80)
		text.len = dt_utf8_cut(text, 80);
	return text;
}

/* "indexing: 3/7 40 %" from title, message and percentage, where there. */
static char *describe(const struct dt_json *value, const char *before)
{
	struct dt_arena arena = { 0 };
	struct dt_str title = text_member(&arena, value, "title");
	struct dt_str message = text_member(&arena, value, "message");
	const struct dt_json *percentage = dt_json_get(value, "percentage");
	struct dt_str old = dt_str(before ? before : "");
	struct dt_buf text;
	uint32_t percent;

	dt_buf_init(&text, DT_LIMIT_ARGUMENTS);
	dt_buf_add_str(&text, title.len ? title : dt_str_cut(&old, ':'));
	if (message.len || percentage)
		dt_buf_add_char(&text, ':');
	if (message.len)
		dt_buf_addf(&text, " %.*s", DT_STR_ARG(message));
	if (percentage && dt_json_to_u32(percentage, &percent))
		dt_buf_addf(&text, " %u %%", percent);
	dt_arena_done(&arena);
	return dt_buf_take(&text);
}

static void hear_progress(struct dt_lsp_server *server,
                          const struct dt_json *params)
{
	const struct dt_json *token = dt_json_get(params, "token");
	const struct dt_json *value = dt_json_get(params, "value");
	const struct dt_json *kind = dt_json_get(value, "kind");
	struct dt_lsp_task *task;
	char *text;

	if (!token || !kind || token->raw.len > 256)
		return;
	task = find_task(server, token->raw);
	if (!task)
		return;
	if (dt_str_is(kind->raw, "\"end\"")) {
		end_task(task);
		return;
	}
	dt_lsp_sources_note_progress(server);
	if (!task->token)
		task->token = dt_strndup(token->raw.ptr, token->raw.len);
	text = describe(value, task->text);
	free(task->text);
	task->text = text;
}

void dt_lsp_hear(struct dt_lsp_server *server, const char *method,
                 const struct dt_json *params)
{
	if (!strcmp(method, "textDocument/publishDiagnostics"))
		dt_lsp_report_take(server, params);
	else if (!strcmp(method, "$/progress"))
		hear_progress(server, params);
	else if (!strcmp(method, "window/showMessage"))
		log_message(server, DT_LOG_INFO, params);
	else if (!strcmp(method, "window/logMessage"))
		log_message(server, DT_LOG_DEBUG, params);
}
