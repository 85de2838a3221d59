/*
 * hub/mcp_http.c - POST, GET and DELETE of MCP's Streamable HTTP.
 *
 * What a message means is the dialect's, how answers are written mcp_stream.c's.
 * Here a request finds its session: by the header that names one, by an
 * initialize that begins one, else the one of its connection alone.
 */
#include "hub/mcp_http.h"

#include "base/limits.h"
#include "base/log.h"
#include "dialect/mcp.h"
#include "hub/env.h"
#include "hub/mcp_stream.h"
#include "hub/session.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define BEAT_MS 15000
#define SESSION_HEADER "mcp-session-id"
#define KEEP_STREAMS 20        /* of a session, that nobody reads */
#define KEEP_ALL (8u * DT_MIB) /* of all of them, in a workspace */

struct dt_mcp_http {
	struct dt_workspace *ws;
	const struct dt_dialect *dialect;
	struct dt_list links;   /* struct session_link */
	struct dt_list streams; /* struct dt_mcp_stream, of all */
	struct dt_timer *beat;
	const struct dt_http_head *head; /* of the request at hand */
	pid_t pid;                       /* whose it is, or 0 */
};

/* The link of a session that is reached by request after request. */
struct session_link {
	struct dt_link link;
	struct dt_list all;
	struct dt_mcp_http *http;
	struct dt_session *session;
	struct dt_list streams;        /* its own, the general one first */
	struct dt_mcp_stream *general; /* what belongs to no request */
	uint64_t next_number;
	struct dt_timer *idle;
	struct dt_timer *closing;
	char header[80]; /* "Mcp-Session-Id: ..." */
};

/* The link of an agent without a session: one connection. */
struct dt_mcp_visit {
	struct dt_link link;
	struct dt_mcp_http *http;
	struct dt_http_conn *conn;
	struct dt_session *session; /* NULL: nobody needed one yet */
};

static void refuse(struct dt_http_conn *conn, unsigned status, const char *why,
                   const char *extra)
{
	char text[300];
	int len = snprintf(text, sizeof(text), "%s\n", why);

	dt_http_conn_reply(conn, status, "text/plain; charset=utf-8",
	                   (struct dt_str){ text, (size_t)len }, extra);
}

/* the link of a session */

static struct session_link *session_of(struct dt_link *link)
{
	return DT_LIST_OF(link, struct session_link, link);
}

static void session_send(struct dt_link *link, struct dt_str message)
{
	struct dt_mcp_stream *general = session_of(link)->general;

	general->x.carrier->send(&general->x, message);
}

static bool session_is_clogged(struct dt_link *link)
{
	struct dt_mcp_stream *general = session_of(link)->general;

	return general->x.carrier->is_clogged(&general->x);
}

/* The end comes from the loop, as with every carrier. */
static void on_closing(struct dt_timer *timer, void *owner)
{
	struct session_link *s = owner;
	struct dt_fail why = { 0 };

	(void)timer;
	dt_fail(&why, DT_E_CLOSED, "the session was ended");
	dt_link_deliver_end(&s->link, &why);
	while (!dt_list_is_empty(&s->streams))
		dt_mcp_stream_free(DT_LIST_OF(s->streams.next,
		                              struct dt_mcp_stream, peers));
	dt_list_remove(&s->all);
	dt_timer_free(s->idle);
	dt_timer_free(s->closing);
	free(s);
}

static void session_close(struct dt_link *link, enum dt_link_end end,
                          const char *reason)
{
	struct session_link *s = session_of(link);

	(void)end;
	(void)reason;
	if (s->closing)
		return;
	s->closing = dt_timer_new(link->loop, on_closing, s);
	dt_timer_start(s->closing, 0);
}

static const struct dt_link_carrier session_carrier = {
	.name = "http",
	.send = session_send,
	.close = session_close,
	.is_clogged = session_is_clogged,
};

static void on_idle(struct dt_timer *timer, void *owner)
{
	struct session_link *s = owner;

	(void)timer;
	if (s->general->conn || dt_peer_request_count(s->session->agent.peer))
		dt_timer_start(s->idle, DT_LIMIT_HTTP_SESSION_MS);
	else
		dt_link_close(&s->link, DT_LINK_DONE, "idle");
}

static struct dt_mcp_stream *add_stream(struct session_link *s)
{
	struct dt_mcp_stream *stream =
		dt_mcp_stream_new(&s->http->streams, &s->link);

	stream->number = ++s->next_number;
	dt_list_append(&s->streams, &stream->peers);
	return stream;
}

static struct session_link *begin_session(struct dt_mcp_http *http)
{
	struct session_link *s = dt_alloc(sizeof(*s));

	s->http = http;
	s->link.carrier = &session_carrier;
	s->link.loop = http->ws->hub->loop;
	dt_list_init(&s->streams);
	dt_list_append(&http->links, &s->all);
	s->general = add_stream(s);
	s->general->takes_events = true;
	s->idle = dt_timer_new(s->link.loop, on_idle, s);
	dt_timer_set_background(s->idle);
	dt_timer_start(s->idle, DT_LIMIT_HTTP_SESSION_MS);
	s->session = dt_session_new(http->ws, http->dialect, &s->link, NULL);
	dt_env_meet(http->ws, s->session);
	dt_session_see(s->session, http->pid);
	snprintf(s->header, sizeof(s->header), "Mcp-Session-Id: %s",
	         s->session->id);
	return s;
}

static struct session_link *find_session(struct dt_mcp_http *http,
                                         struct dt_str id)
{
	dt_list_each(s, &http->links, struct session_link, all) {
		if (!s->closing && dt_str_is(id, s->session->id))
			return s;
	}
	return NULL;
}

/* the link of a connection */

static struct dt_mcp_visit *visit_of(struct dt_link *link)
{
	return DT_LIST_OF(link, struct dt_mcp_visit, link);
}

/* There is nobody to hear what belongs to no request. */
static void visit_send(struct dt_link *link, struct dt_str message)
{
	(void)link;
	(void)message;
}

static bool visit_is_clogged(struct dt_link *link)
{
	(void)link;
	return true;
}

static void visit_close(struct dt_link *link, enum dt_link_end end,
                        const char *reason)
{
	(void)end;
	(void)reason;
	if (visit_of(link)->conn)
		dt_http_conn_close(visit_of(link)->conn);
}

static const struct dt_link_carrier visit_carrier = {
	.name = "http-stateless",
	.send = visit_send,
	.close = visit_close,
	.is_clogged = visit_is_clogged,
};

static struct dt_mcp_visit *get_visit(struct dt_mcp_http *http,
                                      struct dt_mcp_visit **visit,
                                      struct dt_http_conn *conn)
{
	struct dt_mcp_visit *v = *visit;

	if (v)
		return v;
	v = dt_alloc(sizeof(*v));
	v->http = http;
	v->conn = conn;
	v->link.carrier = &visit_carrier;
	v->link.loop = http->ws->hub->loop;
	v->session = dt_session_new(http->ws, http->dialect, &v->link, NULL);
	dt_session_see(v->session, http->pid);
	v->session->agent.is_stateless = true;
	dt_env_meet(http->ws, v->session);
	dt_peer_share(v->session->agent.peer);
	*visit = v;
	return v;
}

void dt_mcp_visit_end(struct dt_mcp_visit *visit)
{
	struct dt_fail why = { 0 };

	if (!visit)
		return;
	visit->conn = NULL;
	dt_fail(&why, DT_E_CLOSED, "the connection ended");
	dt_link_deliver_end(&visit->link, &why);
	free(visit);
}

/* POST */

static bool takes(const struct dt_http_head *head, const char *type)
{
	struct dt_str accept = dt_http_get(head, "accept");

	return !accept.ptr || dt_http_accepts(head, type);
}

/* One that comes without a session begins one when it is an initialize. */
static bool is_initialize(struct dt_str body)
{
	struct dt_arena arena = { 0 };
	const struct dt_json *json;
	const struct dt_json *method;
	bool is_it = false;

	if (!dt_json_read(&arena, body, &json, NULL)) {
		method = dt_json_get(json, "method");
		is_it = method && dt_str_is(method->raw, "\"initialize\"") &&
		        !dt_mcp_is_modern(dt_json_get(json, "params"));
	}
	dt_arena_done(&arena);
	return is_it;
}

static void on_modern_gone(struct dt_mcp_stream *stream)
{
	dt_peer_cancel_exchange(visit_of(stream->carrier)->session->agent.peer,
	                        &stream->x);
}

/* All sessions together keep no more than so much of them; the one that was
 * kept last stays, however large it is. */
static void forget_oldest(struct dt_mcp_http *http,
                          const struct dt_mcp_stream *last)
{
	size_t bytes = 0;

	dt_list_each(each, &http->streams, struct dt_mcp_stream, link)
		bytes += each->is_over ? each->bytes : 0;
	dt_list_each(each, &http->streams, struct dt_mcp_stream, link) {
		if (bytes <= KEEP_ALL)
			break;
		if (each->is_over && each != last) {
			bytes -= each->bytes;
			dt_mcp_stream_free(each);
		}
	}
}

/* A session keeps some answers that nobody read; not all of them. */
static void on_legacy_gone(struct dt_mcp_stream *stream)
{
	struct session_link *s = session_of(stream->carrier);
	size_t count = 0;

	dt_list_each(each, &s->streams, struct dt_mcp_stream, peers)
		count += each->is_over;
	dt_list_each(each, &s->streams, struct dt_mcp_stream, peers) {
		if (count <= KEEP_STREAMS)
			break;
		if (each->is_over) {
			dt_mcp_stream_free(each);
			count--;
		}
	}
	forget_oldest(s->http, stream);
}

/* Hand the message up; the stream is gone, or somebody's, when it returns. */
static void take(struct dt_mcp_http *http, struct dt_session *session,
                 struct dt_mcp_stream *stream, const struct dt_http_head *head,
                 struct dt_str body)
{
	struct dt_link *link = stream->carrier;

	stream->head = &http->head;
	stream->takes_events = takes(head, "text/event-stream");
	stream->x.has_answer_only = !stream->takes_events && !stream->general;
	http->head = head;
	if (link->tap)
		link->tap(link, true, body, link->tap_owner);
	switch (dt_peer_take(session->agent.peer, &stream->x, body)) {
	case DT_TAKEN_REQUEST:
	case DT_TAKEN_REFUSED:
		break;
	case DT_TAKEN_OTHER:
		dt_mcp_stream_free(stream); /* says 202 */
		break;
	}
	http->head = NULL;
}

static void post_session(struct session_link *s, struct dt_http_conn *conn,
                         const struct dt_http_head *head, struct dt_str body)
{
	struct dt_mcp_stream *stream = add_stream(s);
	struct dt_str version = dt_http_get(head, "mcp-protocol-version");

	dt_timer_start(s->idle, DT_LIMIT_HTTP_SESSION_MS);
	stream->extra = s->header;
	stream->general = s->general;
	stream->on_gone = on_legacy_gone;
	/* Older clients take no event without data. */
	stream->is_primed =
		dt_str_is(version, dt_mcp_revisions[DT_MCP_2025_11]);
	dt_mcp_stream_attach(stream, conn);
	take(s->http, s->session, stream, head, body);
}

static void post_initialize(struct dt_mcp_http *http, struct dt_http_conn *conn,
                            const struct dt_http_head *head, struct dt_str body)
{
	struct session_link *s = begin_session(http);

	post_session(s, conn, head, body);
	if (!s->session->agent.has_begun)
		dt_link_close(&s->link, DT_LINK_REFUSED, "no initialize");
}

static void post_visit(struct dt_mcp_visit *visit, struct dt_http_conn *conn,
                       const struct dt_http_head *head, struct dt_str body)
{
	struct dt_mcp_http *http = visit->http;
	struct dt_mcp_stream *stream =
		dt_mcp_stream_new(&http->streams, &visit->link);

	stream->on_gone = on_modern_gone;
	dt_mcp_stream_attach(stream, conn);
	take(http, visit->session, stream, head, body);
}

static bool is_full(struct dt_mcp_http *http, struct dt_http_conn *conn)
{
	struct dt_fail fail = { 0 };

	if (!dt_session_check_room(http->ws, &fail))
		return false;
	refuse(conn, 503, fail.msg, NULL);
	return true;
}

/* Whether the request is of a session's; it was refused where not. */
static struct session_link *enter(struct dt_mcp_http *http,
                                  struct dt_http_conn *conn,
                                  const struct dt_http_head *head)
{
	struct dt_str id = dt_http_get(head, SESSION_HEADER);
	struct dt_str version = dt_http_get(head, "mcp-protocol-version");
	struct session_link *s = find_session(http, id);

	if (!s) {
		refuse(conn, 404, "no such session: initialize again", NULL);
	} else if (version.ptr && !dt_mcp_find_revision(version)) {
		refuse(conn, 400, "MCP-Protocol-Version: not one we speak",
		       NULL);
		s = NULL;
	}
	return s;
}

static void post(struct dt_mcp_http *http, struct dt_mcp_visit **visit,
                 struct dt_http_conn *conn, const struct dt_http_head *head,
                 struct dt_str body)
{
	struct dt_str method = dt_http_get(head, "mcp-method");
	/* An initialize is known by its body, whatever its head says. */
	bool is_modern = method.ptr && !dt_str_is(method, "initialize");
	struct session_link *s;

	if (!dt_http_is_type(head, "application/json")) {
		refuse(conn, 415, "Content-Type: application/json is wanted",
		       NULL);
	} else if (!takes(head, "application/json") &&
	           !takes(head, "text/event-stream")) {
		refuse(conn, 406,
		       "Accept: application/json, text/event-stream is wanted",
		       NULL);
	} else if (dt_http_get(head, SESSION_HEADER).ptr && !is_modern) {
		s = enter(http, conn, head);
		if (s)
			post_session(s, conn, head, body);
	} else if (!is_modern && is_initialize(body)) {
		if (!is_full(http, conn))
			post_initialize(http, conn, head, body);
	} else if (*visit || !is_full(http, conn)) {
		post_visit(get_visit(http, visit, conn), conn, head, body);
	}
}

/* GET and DELETE */

/* The stream of an event: "STREAM-EVENT", as mcp_stream.c writes them.  NULL:
 * there is none, or no more. */
static struct dt_mcp_stream *find_stream(struct session_link *s,
                                         struct dt_str id, uint64_t *out_event)
{
	struct dt_str stream = dt_str_cut(&id, '-');
	uint32_t number;
	uint32_t event;

	if (dt_str_to_u32(stream, &number, NULL) ||
	    dt_str_to_u32(id, &event, NULL))
		return NULL;
	*out_event = event;
	dt_list_each(each, &s->streams, struct dt_mcp_stream, peers) {
		if (each->number == number)
			return each;
	}
	return NULL;
}

static void get(struct session_link *s, struct dt_http_conn *conn,
                const struct dt_http_head *head)
{
	struct dt_str last = dt_http_get(head, "last-event-id");
	struct dt_mcp_stream *wanted = s->general;
	uint64_t event = s->general->sent_id;

	if (!takes(head, "text/event-stream")) {
		refuse(conn, 406, "Accept: text/event-stream is wanted", NULL);
		return;
	}
	if (last.ptr)
		wanted = find_stream(s, last, &event);
	if (!wanted) {
		refuse(conn, 400,
		       "Last-Event-ID: that stream is over, or never was",
		       NULL);
		return;
	}
	dt_timer_start(s->idle, DT_LIMIT_HTTP_SESSION_MS);
	wanted->extra = s->header;
	dt_mcp_stream_attach(wanted, conn);
	dt_mcp_stream_resume(wanted, event);
}

static void get_or_delete(struct dt_mcp_http *http, struct dt_http_conn *conn,
                          const struct dt_http_head *head)
{
	struct session_link *s;

	if (!dt_http_get(head, SESSION_HEADER).ptr) {
		refuse(conn, 405, "only POST, but within a session",
		       "Allow: POST");
		return;
	}
	s = enter(http, conn, head);
	if (!s)
		return;
	if (dt_str_is(head->method, "GET")) {
		get(s, conn, head);
	} else {
		dt_http_conn_reply(conn, 204, NULL, (struct dt_str){ 0 }, NULL);
		dt_link_close(&s->link, DT_LINK_DONE, "ended by the client");
	}
}

void dt_mcp_http_set_peer(struct dt_mcp_http *http, pid_t pid)
{
	http->pid = pid;
}

void dt_mcp_http_request(struct dt_mcp_http *http, struct dt_mcp_visit **visit,
                         struct dt_http_conn *conn,
                         const struct dt_http_head *head, struct dt_str body)
{
	if (dt_str_is(head->method, "POST"))
		post(http, visit, conn, head, body);
	else if (dt_str_is(head->method, "GET") ||
	         dt_str_is(head->method, "DELETE"))
		get_or_delete(http, conn, head);
	else
		refuse(conn, 405, "POST, GET and DELETE are served here",
		       "Allow: POST, GET, DELETE");
}

/* life */

static void on_beat(struct dt_timer *timer, void *owner)
{
	struct dt_mcp_http *http = owner;

	(void)timer;
	dt_list_each(stream, &http->streams, struct dt_mcp_stream, link)
		dt_mcp_stream_beat(stream);
}

struct dt_mcp_http *dt_mcp_http_new(struct dt_workspace *ws,
                                    const struct dt_dialect *dialect)
{
	struct dt_mcp_http *http = dt_alloc(sizeof(*http));

	http->ws = ws;
	http->dialect = dialect;
	dt_list_init(&http->links);
	dt_list_init(&http->streams);
	http->beat = dt_timer_new(ws->hub->loop, on_beat, http);
	dt_timer_repeat(http->beat, BEAT_MS);
	dt_timer_set_background(http->beat);
	return http;
}

void dt_mcp_http_free(struct dt_mcp_http *http)
{
	dt_timer_free(http->beat);
	free(http);
}
