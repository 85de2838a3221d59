/*
 * dialect/mcp_watch.c - who wants to hear of changes, and when they are told.
 *
 * Legacy clients subscribe to resources and are told of lists unasked; modern
 * ones hold a request open that names what they want.  The first change is told
 * at once; what follows within a short time is told together at its end.
 */
#include "dialect/mcp.h"

#include "base/buf.h"
#include "base/limits.h"
#include "base/path.h"
#include "rpc/code.h"

#include <stdlib.h>

#define LISTS_MS 2000
#define URIS_MS 250

enum kind {
	TOOLS = 1 << 0,
	PROMPTS = 1 << 1,
	RESOURCES = 1 << 2,
};
static const struct {
	enum kind kind;
	const char *member; /* of a filter */
	const char *method;
} kinds[] = {
	{ TOOLS, "toolsListChanged", "notifications/tools/list_changed" },
	{ PROMPTS, "promptsListChanged", "notifications/prompts/list_changed" },
	{ RESOURCES, "resourcesListChanged",
	  "notifications/resources/list_changed" },
};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

struct uri {
	struct dt_list link;
	char text[];
};

/* A request of the modern era that stays open; lives in its arena. */
struct listen {
	struct dt_list link;
	struct dt_mcp_watch *watch;
	struct dt_request *req;
	unsigned kinds;
	struct dt_names uris;
};

struct dt_mcp_watch {
	struct dt_agent *agent;
	struct dt_mcp *mcp;
	struct dt_list listens;
	size_t listen_count;
	struct dt_list uris; /* subscribed to, by a legacy client */
	size_t uri_count;
	struct dt_list changed; /* uris to tell of */
	unsigned lists;         /* kinds to tell of */
	bool is_waiting_lists;
	bool is_waiting_uris;
};

static struct dt_mcp_watch *watch_of(struct dt_agent *agent, struct dt_mcp *mcp)
{
	struct dt_mcp_watch *watch = mcp->watch;

	if (watch)
		return watch;
	watch = dt_alloc(sizeof(*watch));
	watch->agent = agent;
	watch->mcp = mcp;
	dt_list_init(&watch->listens);
	dt_list_init(&watch->uris);
	dt_list_init(&watch->changed);
	mcp->watch = watch;
	return watch;
}

static struct uri *find(struct dt_list *list, const char *text)
{
	dt_list_each(uri, list, struct uri, link) {
		if (!strcmp(uri->text, text))
			return uri;
	}
	return NULL;
}

static void add(struct dt_list *list, const char *text)
{
	struct uri *uri = dt_alloc(sizeof(*uri) + strlen(text) + 1);

	memcpy(uri->text, text, strlen(text) + 1);
	dt_list_append(list, &uri->link);
}

static void drop(struct uri *uri)
{
	dt_list_remove(&uri->link);
	free(uri);
}

void dt_mcp_watch_free(struct dt_mcp *mcp)
{
	struct dt_mcp_watch *watch = mcp->watch;

	if (!watch)
		return;
	dt_list_each(uri, &watch->uris, struct uri, link)
		drop(uri);
	dt_list_each(uri, &watch->changed, struct uri, link)
		drop(uri);
	free(watch);
	mcp->watch = NULL;
}

/* telling */

static void put_subscription(struct dt_json_out *out, struct dt_str id)
{
	dt_json_key(out, "_meta");
	dt_json_begin_object(out);
	dt_json_key(out, "io.modelcontextprotocol/subscriptionId");
	dt_json_put_raw(out, id);
	dt_json_end_object(out);
}

/* {"uri":...,"_meta":{subscription}}, either of which may be left out. */
static void write_params(struct dt_buf *buf, const char *uri, struct dt_str id)
{
	struct dt_json_out out = dt_json_out(buf);

	dt_json_begin_object(&out);
	dt_mcp_put_pair(&out, "uri", uri);
	if (id.ptr)
		put_subscription(&out, id);
	dt_json_end_object(&out);
}

/* These are false when nobody reads: then it is told later. */
static bool tell_listener(struct listen *listen, const char *method,
                          const char *uri)
{
	struct dt_buf params;

	if (dt_request_is_clogged(listen->req))
		return false;
	dt_buf_init(&params, DT_LIMIT_MESSAGE);
	write_params(&params, uri, listen->req->id);
	dt_request_notify(listen->req, method, dt_buf_str(&params));
	dt_buf_done(&params);
	return true;
}

static bool tell_session(struct dt_mcp_watch *watch, const char *method,
                         const char *uri)
{
	struct dt_peer *peer = watch->agent->peer;
	struct dt_buf params;

	if (dt_link_is_clogged(dt_peer_link(peer)))
		return false;
	dt_buf_init(&params, DT_LIMIT_MESSAGE);
	if (uri)
		write_params(&params, uri, (struct dt_str){ 0 });
	dt_peer_notify(peer, method, dt_buf_str(&params));
	dt_buf_done(&params);
	return true;
}

static bool tell_list(struct dt_mcp_watch *watch, size_t k)
{
	bool is_told = true;

	dt_list_each(listen, &watch->listens, struct listen, link) {
		if (listen->kinds & kinds[k].kind)
			is_told &= tell_listener(listen, kinds[k].method, NULL);
	}
	if (watch->mcp->revision != DT_MCP_NONE)
		is_told &= tell_session(watch, kinds[k].method, NULL);
	return is_told;
}

static bool tell_uri(struct dt_mcp_watch *watch, const char *uri)
{
	static const char method[] = "notifications/resources/updated";
	bool is_told = true;

	dt_list_each(listen, &watch->listens, struct listen, link) {
		for (size_t i = 0; i < listen->uris.count; i++) {
			if (!strcmp(listen->uris.ptr[i], uri))
				is_told &= tell_listener(listen, method, uri);
		}
	}
	if (find(&watch->uris, uri))
		is_told &= tell_session(watch, method, uri);
	return is_told;
}

static void on_lists(struct dt_peer *peer, void *owner);
static void on_uris(struct dt_peer *peer, void *owner);

/* A session that is not ready yet is told when it is. */
static bool is_held(const struct dt_mcp_watch *watch)
{
	return watch->mcp->revision != DT_MCP_NONE && !watch->agent->is_ready;
}

static void flush_lists(struct dt_mcp_watch *watch)
{
	unsigned lists = watch->lists;

	if (!lists || watch->is_waiting_lists || is_held(watch))
		return;
	watch->lists = 0;
	watch->is_waiting_lists = true;
	dt_peer_after(watch->agent->peer, LISTS_MS, on_lists, watch);
	for (size_t k = 0; k < KINDS; k++) {
		if (lists & kinds[k].kind && !tell_list(watch, k))
			watch->lists |= kinds[k].kind;
	}
}

static void flush_uris(struct dt_mcp_watch *watch)
{
	if (dt_list_is_empty(&watch->changed) || watch->is_waiting_uris ||
	    is_held(watch))
		return;
	watch->is_waiting_uris = true;
	dt_peer_after(watch->agent->peer, URIS_MS, on_uris, watch);
	dt_list_each(uri, &watch->changed, struct uri, link) {
		if (tell_uri(watch, uri->text))
			drop(uri);
	}
}

static void on_lists(struct dt_peer *peer, void *owner)
{
	struct dt_mcp_watch *watch = owner;

	(void)peer;
	watch->is_waiting_lists = false;
	flush_lists(watch);
}

static void on_uris(struct dt_peer *peer, void *owner)
{
	struct dt_mcp_watch *watch = owner;

	(void)peer;
	watch->is_waiting_uris = false;
	flush_uris(watch);
}

/* Whether anybody wants to hear of it. */
static bool is_watched(struct dt_mcp_watch *watch, const char *uri)
{
	if (find(&watch->uris, uri))
		return true;
	dt_list_each(listen, &watch->listens, struct listen, link) {
		for (size_t i = 0; i < listen->uris.count; i++) {
			if (!strcmp(listen->uris.ptr[i], uri))
				return true;
		}
	}
	return false;
}

static void change_uri(struct dt_mcp_watch *watch, const char *uri)
{
	if (is_watched(watch, uri) && !find(&watch->changed, uri))
		add(&watch->changed, uri);
	flush_uris(watch);
}

static bool is_list_watched(struct dt_mcp_watch *watch, enum kind kind)
{
	dt_list_each(listen, &watch->listens, struct listen, link) {
		if (listen->kinds & kind)
			return true;
	}
	return watch->mcp->revision != DT_MCP_NONE;
}

/* What nobody hears does not hold up what somebody listens for next. */
static void change_list(struct dt_mcp_watch *watch, enum kind kind)
{
	if (is_list_watched(watch, kind))
		watch->lists |= kind;
	flush_lists(watch);
}

/* PREFIX/PATH, where the prefix of a plain file is "file://". */
static void change_file(struct dt_mcp_watch *watch, const char *prefix,
                        const char *path)
{
	struct dt_arena arena = { 0 };
	const char *uri = dt_path_to_uri(&arena, path);

	change_uri(watch, dt_arena_printf(&arena, "%s%s", prefix,
	                                  uri + strlen("file://")));
	dt_arena_done(&arena);
}

void dt_mcp_on_event(struct dt_agent *agent, struct dt_mcp *mcp,
                     const struct dt_event *event)
{
	struct dt_mcp_watch *watch = watch_of(agent, mcp);

	switch (event->type) {
	case DT_EVENT_SELECTION:
		change_uri(watch, "dovetail://selection");
		break;
	case DT_EVENT_MENTION:
		break;
	case DT_EVENT_DOCUMENTS:
		change_file(watch, "file://", event->path);
		if (event->change != DT_DOCUMENT_CHANGED)
			change_list(watch, RESOURCES);
		break;
	case DT_EVENT_DIAGNOSTICS:
		change_uri(watch, "dovetail://diagnostics");
		if (event->path)
			change_file(watch, "dovetail://diagnostics",
			            event->path);
		break;
	case DT_EVENT_TOOLS:
		if (agent->dialect->changes & DT_CHANGES_TOOLS)
			change_list(watch, TOOLS);
		break;
	case DT_EVENT_PROMPTS:
		if (agent->dialect->changes & DT_CHANGES_PROMPTS)
			change_list(watch, PROMPTS);
		break;
	}
}

void dt_mcp_watch_ready(struct dt_mcp *mcp)
{
	if (!mcp->watch)
		return;
	flush_lists(mcp->watch);
	flush_uris(mcp->watch);
}

static bool is_file(const char *uri)
{
	return !strncmp(uri, "file://", strlen("file://"));
}

static bool wants_files(struct dt_mcp_watch *watch)
{
	dt_list_each(uri, &watch->uris, struct uri, link) {
		if (is_file(uri->text))
			return true;
	}
	dt_list_each(listen, &watch->listens, struct listen, link) {
		for (size_t i = 0; i < listen->uris.count; i++) {
			if (is_file(listen->uris.ptr[i]))
				return true;
		}
	}
	return false;
}

/* Files that somebody wants to hear of have to be watched. */
static void note_files(struct dt_mcp_watch *watch)
{
	struct dt_agent *agent = watch->agent;
	bool listened = agent->listens;

	agent->listens = wants_files(watch);
	if (agent->listens && !listened && agent->host->on_listens)
		agent->host->on_listens(agent);
}

/* What is subscribed to is kept, so it has a limit as arguments have. */
static bool is_too_large(struct dt_mcp_turn *turn)
{
	if (!turn->params || turn->params->raw.len <= DT_LIMIT_ARGUMENTS)
		return false;
	dt_mcp_fail(turn, DT_RPC_INVALID_PARAMS, 200, (struct dt_str){ 0 },
	            "params: larger than %u bytes", DT_LIMIT_ARGUMENTS);
	return true;
}

/* resources/subscribe */

void dt_mcp_subscribe(struct dt_mcp_turn *turn, bool is_wanted)
{
	const struct dt_json *named = dt_json_get(turn->params, "uri");
	struct dt_mcp_watch *watch = watch_of(turn->agent, turn->mcp);
	struct dt_arena *arena = &turn->req->arena;
	struct dt_str text;
	struct uri *known;

	if (is_too_large(turn))
		return;
	if (!named || named->type != DT_JSON_STRING) {
		dt_mcp_fail(turn, DT_RPC_INVALID_PARAMS, 200,
		            (struct dt_str){ 0 }, "uri: missing");
		return;
	}
	text = dt_json_text(arena, named);
	known = find(&watch->uris, dt_arena_strndup(arena, text.ptr, text.len));
	if (is_wanted && !known && watch->uri_count >= DT_LIMIT_SUBSCRIPTIONS) {
		dt_mcp_fail(turn, DT_MCP_BUSY, 200, (struct dt_str){ 0 },
		            "more than %u subscriptions",
		            DT_LIMIT_SUBSCRIPTIONS);
		return;
	}
	if (is_wanted && !known) {
		add(&watch->uris, dt_arena_strndup(arena, text.ptr, text.len));
		watch->uri_count++;
	} else if (!is_wanted && known) {
		drop(known);
		watch->uri_count--;
	}
	note_files(watch);
	dt_mcp_end_empty(turn);
}

/* subscriptions/listen */

static void forget(struct listen *listen)
{
	dt_list_remove(&listen->link);
	listen->watch->listen_count--;
	note_files(listen->watch);
}

static void on_cancel(struct dt_request *req, void *owner)
{
	struct listen *listen = owner;

	forget(listen);
	dt_request_end(req);
}

/* What of the filter we can do. */
static unsigned read_kinds(struct dt_mcp_turn *turn,
                           const struct dt_json *filter)
{
	const struct dt_dialect *dialect = turn->agent->dialect;
	unsigned able = (dialect->changes & DT_CHANGES_TOOLS ? TOOLS : 0u) |
	                (dialect->changes & DT_CHANGES_PROMPTS ? PROMPTS : 0u) |
	                (dialect->methods ? RESOURCES : 0u);
	unsigned wanted = 0;

	for (size_t k = 0; k < KINDS; k++) {
		const struct dt_json *flag =
			dt_json_get(filter, kinds[k].member);

		if (flag && flag->type == DT_JSON_TRUE)
			wanted |= kinds[k].kind;
	}
	return wanted & able;
}

static struct dt_names read_uris(struct dt_arena *arena,
                                 const struct dt_json *list)
{
	struct dt_names uris = { 0 };

	if (!list || list->type != DT_JSON_ARRAY)
		return uris;
	uris.ptr = dt_arena_alloc(arena, list->count * sizeof(char *));
	dt_json_each(item, list) {
		struct dt_str text;

		if (item->type != DT_JSON_STRING ||
		    uris.count >= DT_LIMIT_SUBSCRIPTIONS)
			continue;
		text = dt_json_text(arena, item);
		uris.ptr[uris.count++] =
			dt_arena_strndup(arena, text.ptr, text.len);
	}
	return uris;
}

static void acknowledge(struct listen *listen)
{
	struct dt_buf params;
	struct dt_json_out out;

	dt_buf_init(&params, DT_LIMIT_MESSAGE);
	out = dt_json_out(&params);
	dt_json_begin_object(&out);
	put_subscription(&out, listen->req->id);
	dt_json_key(&out, "notifications");
	dt_json_begin_object(&out);
	for (size_t k = 0; k < KINDS; k++) {
		if (listen->kinds & kinds[k].kind) {
			dt_json_key(&out, kinds[k].member);
			dt_json_put_bool(&out, true);
		}
	}
	if (listen->uris.count) {
		dt_json_key(&out, "resourceSubscriptions");
		dt_json_begin_array(&out);
		for (size_t i = 0; i < listen->uris.count; i++)
			dt_json_put_z(&out, listen->uris.ptr[i]);
		dt_json_end_array(&out);
	}
	dt_json_end_object(&out);
	dt_json_end_object(&out);
	dt_request_notify(listen->req,
	                  "notifications/subscriptions/acknowledged",
	                  dt_buf_str(&params));
	dt_buf_done(&params);
}

void dt_mcp_listen(struct dt_mcp_turn *turn)
{
	const struct dt_json *filter =
		dt_json_get(turn->params, "notifications");
	struct dt_mcp_watch *watch = watch_of(turn->agent, turn->mcp);
	struct dt_exchange *x = turn->req->exchange;
	struct dt_arena *arena = &turn->req->arena;
	struct listen *listen;

	if (is_too_large(turn))
		return;
	if (x && x->has_answer_only) {
		dt_mcp_fail(turn, DT_RPC_INVALID_REQUEST, 406,
		            (struct dt_str){ 0 },
		            "subscriptions/listen: Accept must allow "
		            "text/event-stream");
		return;
	}
	if (!filter || filter->type != DT_JSON_OBJECT) {
		dt_mcp_fail(turn, DT_RPC_INVALID_PARAMS, 200,
		            (struct dt_str){ 0 }, "notifications: missing");
		return;
	}
	if (watch->listen_count >= DT_LIMIT_LISTENS) {
		dt_mcp_fail(turn, DT_MCP_BUSY_MODERN, 200, (struct dt_str){ 0 },
		            "%u subscriptions are open already",
		            DT_LIMIT_LISTENS);
		return;
	}
	listen = dt_arena_alloc(arena, sizeof(*listen));
	listen->watch = watch;
	listen->req = turn->req;
	listen->kinds = read_kinds(turn, filter);
	listen->uris =
		read_uris(arena, dt_json_get(filter, "resourceSubscriptions"));
	turn->req->on_cancel = on_cancel;
	turn->req->owner = listen;
	dt_list_append(&watch->listens, &listen->link);
	watch->listen_count++;
	note_files(watch);
	acknowledge(listen);
}

void dt_mcp_watch_stop(struct dt_mcp *mcp)
{
	if (!mcp->watch)
		return;
	dt_list_each(listen, &mcp->watch->listens, struct listen, link) {
		struct dt_json_out *out = dt_request_begin(listen->req);

		dt_json_begin_object(out);
		dt_mcp_put_pair(out, "resultType", "complete");
		put_subscription(out, listen->req->id);
		dt_json_end_object(out);
		forget(listen);
		dt_request_end(listen->req);
	}
}
