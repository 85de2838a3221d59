/* test/unit/hub/client.h - raw bytes and messages to a hub, by real sockets. */
#ifndef DT_TEST_HUB_CLIENT_H
#define DT_TEST_HUB_CLIENT_H

#include "world.h"

#include "data/json.h"
#include "wire/handshake.h"
#include "wire/http1.h"

/* clients: bytes */

static inline void on_raw_read(struct dt_stream *stream, char *bytes,
                               size_t len, void *owner)
{
	struct client *c = owner;

	(void)stream;
	dt_buf_add(&c->in, bytes, len);
}

static inline void on_raw_closed(struct dt_stream *stream,
                                 const struct dt_fail *why, void *owner)
{
	struct client *c = owner;

	(void)stream;
	c->is_closed = true;
	c->why = *why;
}

static inline struct client *new_client(struct world *w,
                                        struct dt_stream *stream)
{
	struct client *c = dt_alloc(sizeof(*c));

	c->w = w;
	c->stream = stream;
	dt_buf_init(&c->in, DT_LIMIT_MESSAGE);
	c->next = w->clients;
	w->clients = c;
	return c;
}

static inline struct client *connect_raw(struct world *w, unsigned port)
{
	static const struct dt_stream_events events = {
		.on_read = on_raw_read,
		.on_closed = on_raw_closed,
	};
	struct client *c = new_client(
		w, dt_stream_connect_tcp(w->loop, "127.0.0.1", port));

	dt_stream_start(c->stream, &events, c);
	return c;
}

static inline void send_raw(struct client *c, const char *text)
{
	struct dt_str part = dt_str(text);

	dt_stream_write(c->stream, &part, 1);
}

/* A request and the status of its answer. */
static inline unsigned ask_http(struct world *w, unsigned port,
                                const char *request)
{
	struct client *c = connect_raw(w, port);
	struct dt_http_head head;
	struct dt_fail fail = { 0 };
	size_t used = 0;

	send_raw(c, request);
	wait_for(w, c->is_closed ||
	                    (!dt_http_read_response(dt_buf_str(&c->in), false,
	                                            &head, &used, &fail) &&
	                     used));
	assert_false(c->is_closed);
	drop(c);
	return head.status;
}

/* clients: messages */

static inline void on_link_message(struct dt_link *link, struct dt_str message,
                                   void *owner)
{
	struct client *c = owner;

	(void)link;
	c->heard = dt_realloc(c->heard, (c->count + 1) * sizeof(*c->heard));
	c->heard_ms =
		dt_realloc(c->heard_ms, (c->count + 1) * sizeof(uint64_t));
	c->heard_ms[c->count] = dt_clock_ms();
	c->heard[c->count++] = dt_strndup(message.ptr, message.len);
}

static inline void on_link_closed(struct dt_link *link,
                                  const struct dt_fail *why, void *owner)
{
	struct client *c = owner;

	(void)link;
	c->link = NULL;
	c->is_closed = true;
	c->why = *why;
}

static inline void start_link(struct client *c, struct dt_link *link)
{
	static const struct dt_link_events events = {
		.on_message = on_link_message,
		.on_closed = on_link_closed,
	};

	c->link = link;
	dt_link_start(link, &events, c);
}

static inline char *upgrade_request(struct world *w, unsigned port,
                                    const char *token, const char *key)
{
	return text_of(w,
	               "GET / HTTP/1.1\r\nHost: 127.0.0.1:%u\r\n"
	               "Connection: Upgrade\r\nUpgrade: websocket\r\n"
	               "Sec-WebSocket-Version: 13\r\n"
	               "Sec-WebSocket-Key: %s\r\n"
	               "Sec-WebSocket-Protocol: mcp\r\n"
	               "X-Claude-Code-Ide-Authorization: %s\r\n\r\n",
	               port, key, token);
}

/* A WebSocket that was let in, as Claude Code opens it. */
static inline struct client *connect_ws(struct world *w, unsigned port,
                                        const char *token)
{
	struct client *c = connect_raw(w, port);
	char key[DT_HANDSHAKE_KEY];
	struct dt_http_head head;
	struct dt_fail fail = { 0 };
	size_t used = 0;

	dt_handshake_make_key(key);
	send_raw(c, upgrade_request(w, port, token, key));
	wait_for(w, !dt_http_read_response(dt_buf_str(&c->in), false, &head,
	                                   &used, &fail) &&
	                    used);
	if (dt_handshake_check_accept(&head, key, "mcp", &fail))
		fail_msg("%s", fail.msg);
	assert_str(dt_http_get(&head, "sec-websocket-protocol"), "mcp");
	start_link(c, dt_link_ws_new(c->stream, DT_WS_CLIENT,
	                             (struct dt_str){ c->in.ptr + used,
	                                              c->in.len - used }));
	return c;
}

/* Leave as the CLI does: a close frame. */
static inline void hang_up(struct client *c)
{
	dt_link_close(c->link, DT_LINK_DONE, "");
	wait_for(c->w, c->is_closed);
}

static inline void say(struct client *c, const char *message)
{
	assert_non_null(c->link);
	dt_link_send(c->link, dt_str(message));
}

static inline bool has_heard(const struct client *c)
{
	return c->taken < c->count;
}

/* The next message; the client's until the world ends. */
static inline const char *hear(struct client *c)
{
	wait_for(c->w, has_heard(c) || c->is_closed);
	if (!has_heard(c))
		fail_msg("closed: %s", c->why.msg);
	return c->heard[c->taken++];
}

/* When what hear() gave last had come. */
static inline uint64_t heard_at(const struct client *c)
{
	return c->heard_ms[c->taken - 1];
}

#define expect(c, ...)                                                         \
	assert_string_equal(hear(c), text_of((c)->w, __VA_ARGS__))

/* Nothing comes for a while. */
static inline void expect_silence(struct client *c, uint64_t ms)
{
	run_for(c->w, ms);
	if (has_heard(c))
		fail_msg("heard %s", c->heard[c->taken]);
}

/* A member of a message: "result.reviews.0.id".  Strings without their quotes,
 * other values as JSON, NULL when it is not there. */
static inline const char *at(struct world *w, const char *message,
                             const char *path)
{
	struct dt_str rest = dt_str(path);
	const struct dt_json *json = NULL;
	struct dt_str text;

	assert_ok(dt_json_read(&w->arena, dt_str(message), &json, NULL));
	while (json && rest.len) {
		struct dt_str name = dt_str_cut(&rest, '.');
		const struct dt_json *member = NULL;
		uint32_t index;

		if (json->type == DT_JSON_ARRAY &&
		    !dt_str_to_u32(name, &index, NULL)) {
			member = dt_json_first(json);
			while (member && index--)
				member = dt_json_next(json, member);
		} else {
			member = dt_json_get(json, dt_arena_strndup(&w->arena,
			                                            name.ptr,
			                                            name.len));
		}
		json = member;
	}
	if (!json)
		return NULL;
	text = json->type == DT_JSON_STRING ? dt_json_text(&w->arena, json)
	                                    : json->raw;
	return dt_arena_strndup(&w->arena, text.ptr, text.len);
}

/* Text as a JSON string, quotes included. */
static inline char *quoted(struct world *w, const char *text)
{
	struct dt_json_out out;
	struct dt_buf buf;
	char *copy;

	dt_buf_init(&buf, DT_LIMIT_MESSAGE);
	out = dt_json_out(&buf);
	dt_json_put_z(&out, text);
	copy = dt_arena_strdup(&w->arena, dt_buf_z(&buf));
	dt_buf_done(&buf);
	return copy;
}

/* Send a request; the answer is still to be heard. */
static inline void request(struct client *c, const char *method,
                           const char *params)
{
	say(c, text_of(c->w,
	               "{\"method\":\"%s\",\"params\":%s,\"jsonrpc\":\"2.0\","
	               "\"id\":%u}",
	               method, params, ++c->id));
}

static inline const char *ask(struct client *c, const char *method,
                              const char *params)
{
	request(c, method, params);
	return hear(c);
}

/* The next message is the failure of request `id`. */
static inline void expect_failure(struct client *c, unsigned id, int code,
                                  const char *sentence)
{
	expect(c,
	       "{\"jsonrpc\":\"2.0\",\"id\":%u,\"error\":{\"code\":%d,"
	       "\"message\":%s}}",
	       id, code, quoted(c->w, sentence));
}

#endif
