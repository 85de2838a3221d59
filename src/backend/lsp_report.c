/*
 * backend/lsp_report.c - the problems a language server finds, on their way into
 * the cache.
 *
 * A server pushes them whenever it likes, or is asked for them, or both
 * (rust-analyzer): two sources then, so that neither takes away what the other
 * found.  What cannot be decoded is left out, the rest of the report counts.
 *
 * Most servers say which version of the text a report is about.  One that does
 * not (typescript-language-server) sends its report in parts, and none at all
 * when it would be as empty as the one before, also for a first text without
 * problems: there, being quiet for a while has to do.  One that has never
 * reported anything is not waited for to the end either; that is a failure then.
 */
#include "backend/lsp_state.h"
#include "base/path.h"

#include <stdlib.h>

/* decoding */

static bool read_position(const struct dt_json *json, struct dt_position *out)
{
	const struct dt_json *line = dt_json_get(json, "line");
	const struct dt_json *character = dt_json_get(json, "character");

	return line && character && dt_json_to_u32(line, &out->line) &&
	       dt_json_to_u32(character, &out->character);
}

static const char *read_code(struct dt_arena *arena, const struct dt_json *code)
{
	struct dt_str text;

	if (!code)
		return NULL;
	if (code->type == DT_JSON_NUMBER)
		return dt_arena_strndup(arena, code->raw.ptr, code->raw.len);
	if (code->type != DT_JSON_STRING)
		return NULL;
	text = dt_json_text(arena, code);
	return dt_arena_strndup(arena, text.ptr, text.len);
}

/* LSP counts from 1; what is not said is for us to choose: an error. */
static int read_severity(const struct dt_json *severity)
{
	uint32_t value;

	if (!severity || !dt_json_to_u32(severity, &value) || value < 1 ||
	    value > 4)
		return DT_SEV_ERROR;
	return DT_SEV_ERROR + (int)value - 1;
}

/*
 * What it has to do with other places.  Its message goes to the end of the
 * problem's own, as clangd does it for those who cannot take it apart, and the
 * file is kept apart: it may be one that agents are not told of.
 */
static void read_related(struct dt_arena *arena, const struct dt_json *list,
                         struct dt_diagnostic *out)
{
	if (!list || list->type != DT_JSON_ARRAY)
		return;
	out->about.ptr =
		dt_arena_alloc(arena, (list->count + 1) * sizeof(char *));
	dt_json_each(one, list) {
		const struct dt_json *message = dt_json_get(one, "message");
		const struct dt_json *location = dt_json_get(one, "location");
		const char *uri =
			read_code(arena, dt_json_get(location, "uri"));
		struct dt_position at;
		const char *path;

		if (!uri || dt_path_from_uri(arena, uri, &path, NULL))
			continue;
		out->about.ptr[out->about.count++] = path;
		if (!message || message->type != DT_JSON_STRING ||
		    !read_position(dt_json_get(dt_json_get(location, "range"),
		                               "start"),
		                   &at))
			continue;
		out->message = dt_str(dt_arena_printf(
			arena, "%.*s\n\n%s:%u:%u: note: %.*s",
			DT_STR_ARG(out->message), dt_path_base(path),
			at.line + 1, at.character + 1,
			DT_STR_ARG(dt_json_text(arena, message))));
	}
}

static bool read_problem(struct dt_arena *arena, const char *server,
                         const struct dt_json *json, struct dt_diagnostic *out)
{
	const struct dt_json *range = dt_json_get(json, "range");
	const struct dt_json *message = dt_json_get(json, "message");

	if (!message || message->type != DT_JSON_STRING ||
	    !read_position(dt_json_get(range, "start"), &out->range.start) ||
	    !read_position(dt_json_get(range, "end"), &out->range.end))
		return false;
	out->message = dt_json_text(arena, message);
	out->severity = read_severity(dt_json_get(json, "severity"));
	out->source = read_code(arena, dt_json_get(json, "source"));
	out->code = read_code(arena, dt_json_get(json, "code"));
	if (!out->source)
		out->source = server;
	read_related(arena, dt_json_get(json, "relatedInformation"), out);
	return true;
}

static void set_problems(struct dt_lsp_server *server, const char *path,
                         const char *source, const struct dt_json *items)
{
	struct dt_arena arena = { 0 };
	struct dt_diagnostic *list;
	size_t count = 0;

	list = dt_arena_alloc(&arena, items->count * sizeof(*list));
	dt_json_each(item, items) {
		if (read_problem(&arena, server->entry.name, item,
		                 &list[count]))
			count++;
	}
	dt_problems_set(server->lsp->problems, path, source, list, count);
	dt_arena_done(&arena);
}

/* refreshes */

/* One that asked waits for the answer, whatever else is reported. */
static bool waits_for(const struct dt_lsp_request *r,
                      const struct dt_lsp_doc *doc)
{
	return !r->method && r->is_sent && !r->is_over &&
	       r->call == DT_CALL_OVER && !strcmp(r->path, doc->path);
}

static void end_refreshes(struct dt_lsp_server *server,
                          const struct dt_lsp_doc *doc)
{
	static const struct dt_fail ok;

	if (doc->reported < doc->version)
		return;
	dt_list_each(r, &server->requests, struct dt_lsp_request, link) {
		if (waits_for(r, doc))
			dt_lsp_request_end_later(r, &ok);
	}
}

static bool is_unheard(const struct dt_lsp_doc *doc)
{
	return !doc->reported && !doc->is_heard_of;
}

static void end_unreported(struct dt_lsp_request *r)
{
	struct dt_fail fail = { 0 };

	dt_fail(&fail, DT_E_TIMEOUT, "%s reports nothing of %s",
	        r->server->entry.name, dt_path_base(r->path));
	dt_lsp_request_end_later(r, &fail);
}

/* How long it may be quiet about a text before that is all it says. */
static uint64_t quiet_ms(const struct dt_lsp_request *r,
                         const struct dt_lsp_doc *doc)
{
	const struct dt_lsp_times *times = &r->lsp->times;

	return is_unheard(doc) && !r->is_hasty ? times->hush_ms
	                                       : times->news_ms;
}

/* Whether it may never report on this text.  Those that were tested do, and a
 * first text may take them long. */
static bool may_be_quiet(const struct dt_lsp_request *r)
{
	const struct dt_lsp_server *server = r->server;

	return !server->is_versioned &&
	       (r->is_hasty || server->is_unversioned ||
	        !server->entry.is_tested);
}

static void on_quiet(struct dt_timer *timer, void *owner)
{
	struct dt_lsp_request *r = owner;
	struct dt_lsp_doc *doc = dt_lsp_docs_find(r->server, r->path);

	if (!doc)
		return;
	/* It may still be loading the project. */
	if (is_unheard(doc) && dt_lsp_server_progress(r->server)) {
		dt_timer_start(timer, quiet_ms(r, doc));
		return;
	}
	/* Who has the time takes the word of one that reports on others. */
	if (is_unheard(doc) && (r->is_hasty || !r->server->is_unversioned)) {
		doc->missed = doc->version;
		end_unreported(r);
		return;
	}
	doc->reported = doc->version;
	doc->is_shaken = false;
	end_refreshes(r->server, doc);
}

static void wait_for_quiet(struct dt_lsp_request *r, uint64_t ms)
{
	if (!r->quiet)
		r->quiet = dt_timer_new(r->lsp->world.loop, on_quiet, r);
	dt_timer_start(r->quiet, ms);
}

/* A report that does not say about what. */
static void take_unversioned(struct dt_lsp_server *server,
                             struct dt_lsp_doc *doc)
{
	const struct dt_lsp_times *times = &server->lsp->times;

	server->is_unversioned = true;
	doc->is_heard_of = true;
	doc->is_shaken = false;
	dt_list_each(r, &server->requests, struct dt_lsp_request, link) {
		if (waits_for(r, doc))
			wait_for_quiet(r, doc->reported ? times->part_ms
			                                : times->news_ms);
	}
}

static void take_versioned(struct dt_lsp_server *server, struct dt_lsp_doc *doc,
                           uint32_t version)
{
	server->is_versioned = true;
	doc->is_shaken = false;
	/* One that is not told yet is of a text that was closed meanwhile. */
	if (version > doc->reported && version <= doc->version)
		doc->reported = version;
	end_refreshes(server, doc);
}

/* pushed */

void dt_lsp_report_take(struct dt_lsp_server *server,
                        const struct dt_json *params)
{
	const struct dt_json *uri = dt_json_get(params, "uri");
	const struct dt_json *items = dt_json_get(params, "diagnostics");
	const struct dt_json *version = dt_json_get(params, "version");
	struct dt_arena arena = { 0 };
	struct dt_lsp_doc *doc;
	const char *path = NULL;
	struct dt_str text;
	uint32_t about;

	if (!uri || uri->type != DT_JSON_STRING || !items ||
	    items->type != DT_JSON_ARRAY)
		return;
	text = dt_json_text(&arena, uri);
	if (!dt_path_from_uri(&arena,
	                      dt_arena_strndup(&arena, text.ptr, text.len),
	                      &path, NULL)) {
		doc = dt_lsp_docs_find(server, path);
		set_problems(server, path, server->entry.name, items);
		if (doc && version && dt_json_to_u32(version, &about))
			take_versioned(server, doc, about);
		else if (doc)
			take_unversioned(server, doc);
	}
	dt_arena_done(&arena);
}

/* asked for */

static const char *pull_source(const struct dt_lsp_server *server,
                               struct dt_arena *arena)
{
	return dt_arena_printf(arena, "%s (asked)", server->entry.name);
}

static void on_pulled(struct dt_peer *peer, const struct dt_json *result,
                      const struct dt_fail *fail, void *owner)
{
	struct dt_lsp_request *r = owner;
	const struct dt_json *items = dt_json_get(result, "items");
	struct dt_arena arena = { 0 };
	struct dt_fail why = { 0 };

	r->call = DT_CALL_OVER;
	if (dt_peer_is_over(peer))
		return;
	dt_lsp_call_note_word(r->server);
	if (fail)
		dt_fail(&why, fail->code, "%s: %s", r->server->entry.name,
		        fail->msg);
	else if (items && items->type == DT_JSON_ARRAY)
		set_problems(r->server, r->path, pull_source(r->server, &arena),
		             items);
	dt_arena_done(&arena);
	dt_lsp_request_end_later(r, &why);
}

static void pull(struct dt_lsp_request *r, const struct dt_lsp_doc *doc)
{
	struct dt_json_out out;
	struct dt_buf params;
	uint64_t call;

	dt_buf_init(&params, DT_LIMIT_ARGUMENTS);
	out = dt_json_out(&params);
	dt_json_begin_object(&out);
	dt_json_key(&out, "textDocument");
	dt_json_begin_object(&out);
	dt_json_key(&out, "uri");
	dt_json_put_z(&out, doc->uri);
	dt_json_end_object(&out);
	dt_json_end_object(&out);
	call = dt_peer_call(r->server->peer, "textDocument/diagnostic",
	                    dt_buf_str(&params), 0, on_pulled, r);
	if (call != DT_CALL_OVER)
		r->call = call;
	dt_buf_done(&params);
}

/* Whether a report may come, or may not, and nothing will say which. */
static bool is_uncertain(const struct dt_lsp_request *r,
                         const struct dt_lsp_doc *doc)
{
	if (doc->reported >= doc->version)
		return doc->is_shaken;
	return is_unheard(doc) ? may_be_quiet(r) : r->server->is_unversioned;
}

void dt_lsp_report_want(struct dt_lsp_request *r)
{
	const struct dt_lsp_doc *doc = dt_lsp_docs_find(r->server, r->path);

	if (dt_lsp_call_can(r->server, "diagnosticProvider"))
		pull(r, doc);
	else if (r->is_hasty && doc->missed == doc->version && is_unheard(doc))
		end_unreported(r);
	else if (is_uncertain(r, doc))
		wait_for_quiet(r, quiet_ms(r, doc));
	else
		end_refreshes(r->server, doc);
}

/* Another of the same name reports under it, too. */
static bool has_twin(const struct dt_lsp_server *server)
{
	dt_list_each(other, &server->lsp->servers, struct dt_lsp_server, link) {
		if (other != server && other->phase == DT_LSP_READY &&
		    !strcmp(other->entry.name, server->entry.name))
			return true;
	}
	return false;
}

void dt_lsp_report_forget(struct dt_lsp_server *server)
{
	struct dt_problems *problems = server->lsp->problems;
	struct dt_arena arena = { 0 };
	const char *sources[] = { server->entry.name,
		                  pull_source(server, &arena) };
	bool is_shared = has_twin(server);

	for (size_t i = 0; i < 2; i++) {
		if (!is_shared)
			dt_problems_forget(problems, sources[i], NULL);
		dt_list_each(doc, &server->docs, struct dt_lsp_doc, link)
			dt_problems_forget(problems, sources[i], doc->path);
	}
	dt_arena_done(&arena);
}
