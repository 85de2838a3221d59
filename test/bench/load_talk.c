/*
 * test/bench/load_talk.c - a client of MCP up to its first answer, and its end.
 *
 * Every question of a connection is the same, so every answer is as long as the
 * first, which is looked at here: a call must come back with its text, a list
 * with all tools.  Nothing is measured here, so everything blocks.
 */
#include "load.h"

#include "base/limits.h"
#include "wire/http1.h"
#include "wire/ws.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define TOOLS 150

/* messages */

/* Source code as it stands in a JSON string: many escapes, and now and then a
 * character that is not ASCII. */
static void add_text(struct dt_buf *out, size_t len)
{
	static const char piece[] =
		"static int handler(struct ctx *c, const char *name)\\n{\\n"
		"\\tif (!name || strcmp(name, \\\"value\\\") == 0) {\\n"
		"\\t\\tlog_warn(c, \\\"bad name: %s\\\", name);\\n"
		"\\t\\treturn -1;\\n\\t}\\n"
		"\\t/* café — the usual table */\\n"
		"\\treturn c->table[index & 0xff](c, name);\\n}\\n\\n";

	for (; len >= sizeof(piece) - 1; len -= sizeof(piece) - 1)
		dt_buf_add_z(out, piece);
	for (; len > 0; len--)
		dt_buf_add_char(out, '.');
}

/* The question; `text` is what a call is to come back with. */
static void make_question(const struct load_spec *spec, struct dt_buf *json,
                          struct dt_buf *text)
{
	static const char end[] = "\"}}}";
	size_t around;

	if (!spec->tool) {
		dt_buf_add_z(json, "{\"jsonrpc\":\"2.0\",\"id\":1,"
		                   "\"method\":\"tools/list\"}");
		return;
	}
	dt_buf_addf(json,
	            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\","
	            "\"params\":{\"name\":\"%s\",\"arguments\":{\"text\":\"",
	            spec->tool);
	around = json->len + sizeof(end) - 1;
	add_text(text, spec->size > around ? spec->size - around : 0);
	dt_buf_add_str(json, dt_buf_str(text));
	dt_buf_add_z(json, end);
}

/* carriers */

static void add_frame(struct dt_buf *out, struct dt_str message)
{
	static const uint8_t mask[4] = { 0x37, 0xfa, 0x21, 0x3d };
	uint8_t head[DT_WS_HEAD];

	dt_buf_add(out, head,
	           dt_ws_write_head(head, DT_WS_TEXT, message.len, mask));
	dt_buf_add_str(out, message);
	dt_ws_mask(out->ptr + out->len - message.len, message.len, mask, 0);
}

static void add_token(struct dt_buf *out, const struct load_spec *spec)
{
	if (spec->token)
		dt_buf_addf(out, "Authorization: Bearer %s\r\n", spec->token);
}

static void add_request(struct dt_buf *out, const struct load_talk *talk,
                        const struct load_spec *spec, const char *method,
                        struct dt_str message)
{
	dt_buf_addf(out,
	            "%s /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n"
	            "Content-Type: application/json\r\n"
	            "Accept: application/json, text/event-stream\r\n",
	            method);
	add_token(out, spec);
	if (talk->session)
		dt_buf_addf(out,
		            "Mcp-Session-Id: %s\r\n"
		            "Mcp-Protocol-Version: 2025-11-25\r\n",
		            talk->session);
	dt_http_write_length(out, message.len);
	dt_http_write_end(out);
	dt_buf_add_str(out, message);
}

/* One message as it goes over the wire. */
static void add_message(struct dt_buf *out, const struct load_talk *talk,
                        const struct load_spec *spec, struct dt_str message)
{
	if (spec->carrier == LOAD_WS) {
		add_frame(out, message);
	} else if (spec->carrier == LOAD_HTTP) {
		add_request(out, talk, spec, "POST", message);
	} else {
		dt_buf_add_str(out, message);
		dt_buf_add_char(out, '\n');
	}
}

static bool is_whole_frame(struct dt_str bytes)
{
	const unsigned char *at = (const unsigned char *)bytes.ptr;
	uint64_t len = bytes.len < 2 ? 0 : at[1];
	size_t head = len < 126 ? 2 : len == 126 ? 4 : 10;

	if (bytes.len < head)
		return false;
	if (head > 2) {
		len = 0;
		for (size_t i = 2; i < head; i++)
			len = len << 8 | at[i];
	}
	return bytes.len >= head + len;
}

static bool is_whole_response(struct dt_str bytes, struct dt_http_head *head)
{
	struct dt_http_body body;
	struct dt_str piece;
	size_t used;

	if (dt_http_read_response(bytes, false, head, &used, NULL))
		load_give_up("an answer is not HTTP");
	if (used == 0)
		return false;
	if (dt_http_body_start(&body, head, DT_LIMIT_MESSAGE, NULL))
		load_give_up("an answer is too long");
	while (!body.is_done && used < bytes.len) {
		struct dt_str rest = { bytes.ptr + used, bytes.len - used };
		size_t step;

		if (dt_http_body_read(&body, rest, &step, &piece, NULL))
			load_give_up("an answer is not HTTP");
		used += step;
	}
	return body.is_done;
}

static bool is_whole(const struct load_spec *spec, struct dt_str bytes)
{
	struct dt_http_head head;

	if (spec->carrier == LOAD_WS)
		return is_whole_frame(bytes);
	if (spec->carrier == LOAD_HTTP)
		return is_whole_response(bytes, &head);
	return bytes.len && bytes.ptr[bytes.len - 1] == '\n';
}

/* talking */

static void put(int fd, struct dt_str bytes)
{
	while (bytes.len) {
		ssize_t n = send(fd, bytes.ptr, bytes.len, MSG_NOSIGNAL);

		if (n <= 0)
			load_give_up("a message could not be sent");
		bytes.ptr += n;
		bytes.len -= (size_t)n;
	}
}

static void read_some(int fd, struct dt_buf *into)
{
	char bytes[4096];
	ssize_t n = recv(fd, bytes, sizeof(bytes), 0);

	if (n <= 0)
		load_give_up("the server hung up");
	dt_buf_add(into, bytes, (size_t)n);
}

/* Say something and read what comes back. */
static void exchange(struct load_talk *talk, const struct load_spec *spec,
                     struct dt_str bytes, struct dt_buf *reply)
{
	dt_buf_clear(reply);
	put(talk->fd, bytes);
	do
		read_some(talk->fd, reply);
	while (!is_whole(spec, dt_buf_str(reply)));
}

static void upgrade(struct load_talk *talk, const struct load_spec *spec,
                    struct dt_buf *bytes, struct dt_buf *reply)
{
	struct dt_http_head head;
	size_t used = 0;

	dt_buf_add_z(bytes,
	             "GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n"
	             "Upgrade: websocket\r\nConnection: Upgrade\r\n"
	             "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: mcp"
	             "\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n");
	add_token(bytes, spec);
	dt_http_write_end(bytes);
	put(talk->fd, dt_buf_str(bytes));
	while (used == 0) {
		read_some(talk->fd, reply);
		if (dt_http_read_response(dt_buf_str(reply), false, &head,
		                          &used, NULL))
			load_give_up("the upgrade was not answered in HTTP");
	}
	if (head.status != 101)
		load_give_up("the upgrade was refused");
}

/* The session that an HTTP answer names, or NULL. */
static char *read_session(const struct load_spec *spec,
                          const struct dt_buf *reply)
{
	struct dt_http_head head;
	struct dt_str id;

	if (spec->carrier != LOAD_HTTP)
		return NULL;
	if (!is_whole_response(dt_buf_str(reply), &head) || head.status != 200)
		load_give_up("initialize was refused");
	id = dt_http_get(&head, "mcp-session-id");
	return dt_asprintf("%.*s", DT_STR_ARG(id));
}

static void initialize(struct load_talk *talk, const struct load_spec *spec,
                       struct dt_buf *bytes, struct dt_buf *reply)
{
	dt_buf_clear(bytes);
	add_message(bytes, talk, spec,
	            DT_STR("{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":"
	                   "\"initialize\",\"params\":{\"protocolVersion\":"
	                   "\"2025-11-25\",\"capabilities\":{},\"clientInfo\":"
	                   "{\"name\":\"bench\",\"version\":\"1\"}}}"));
	exchange(talk, spec, dt_buf_str(bytes), reply);
	talk->session = read_session(spec, reply);
	dt_buf_clear(bytes);
	add_message(bytes, talk, spec,
	            DT_STR("{\"jsonrpc\":\"2.0\",\"method\":"
	                   "\"notifications/initialized\"}"));
	if (spec->carrier == LOAD_HTTP)
		exchange(talk, spec, dt_buf_str(bytes), reply);
	else
		put(talk->fd, dt_buf_str(bytes));
}

static void check_reply(const struct load_spec *spec, const struct dt_buf *text,
                        struct dt_str reply)
{
	static const struct dt_str schema = DT_STR("\"inputSchema\"");
	size_t count = 0;
	const char *at;

	if (spec->tool) {
		if (!memmem(reply.ptr, reply.len, text->ptr, text->len))
			load_give_up("a call came back without its text");
		return;
	}
	while ((at = memmem(reply.ptr, reply.len, schema.ptr, schema.len))) {
		at += schema.len;
		reply.len -= (size_t)(at - reply.ptr);
		reply.ptr = at;
		count++;
	}
	if (count != TOOLS)
		load_give_up("a list has not all tools");
}

/* Ask for the first time, and keep question and length. */
static void ask(struct load_talk *talk, const struct load_spec *spec)
{
	struct dt_buf bytes;
	struct dt_buf reply;
	struct dt_buf text;

	dt_buf_init(&bytes, DT_LIMIT_MESSAGE);
	dt_buf_init(&reply, DT_LIMIT_MESSAGE);
	dt_buf_init(&text, DT_LIMIT_MESSAGE);
	if (spec->carrier == LOAD_WS)
		upgrade(talk, spec, &bytes, &reply);
	initialize(talk, spec, &bytes, &reply);
	dt_buf_clear(&bytes);
	make_question(spec, &bytes, &text);
	add_message(&talk->question, talk, spec, dt_buf_str(&bytes));
	exchange(talk, spec, dt_buf_str(&talk->question), &reply);
	check_reply(spec, &text, dt_buf_str(&reply));
	talk->reply_len = reply.len;
	dt_buf_done(&bytes);
	dt_buf_done(&reply);
	dt_buf_done(&text);
}

static void ask_raw(struct load_talk *talk, const struct load_spec *spec)
{
	uint64_t lengths[2] = { spec->raw_ask, spec->raw_reply };

	put(talk->fd, (struct dt_str){ (char *)lengths, sizeof(lengths) });
	for (uint32_t i = 0; i < spec->raw_ask; i++)
		dt_buf_add_char(&talk->question, '.');
	talk->reply_len = spec->raw_reply;
}

/* connecting */

static int dial(uint32_t port)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons((uint16_t)port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int on = 1;

	if (connect(fd, (const struct sockaddr *)&address, sizeof(address)))
		load_give_up("nobody listens");
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	return fd;
}

/* One socket is both its ends, as Node's `spawn` gives its children two. */
static int start(struct load_talk *talk, char **command)
{
	int ends[2];
	posix_spawn_file_actions_t actions;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		load_give_up("socketpair");
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[1], 0);
	posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
	if (posix_spawnp(&talk->pid, command[0], &actions, NULL, command,
	                 environ))
		load_give_up("the server cannot be started");
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	return ends[0];
}

void load_talk_open(struct load_talk *talk, const struct load_spec *spec)
{
	dt_buf_init(&talk->question, DT_LIMIT_MESSAGE);
	if (spec->carrier == LOAD_STDIO)
		talk->fd = start(talk, spec->command);
	else
		talk->fd = dial(spec->port);
	if (spec->carrier == LOAD_RAW)
		ask_raw(talk, spec);
	else
		ask(talk, spec);
}

void load_talk_close(struct load_talk *talk, const struct load_spec *spec)
{
	struct dt_buf bytes;
	struct dt_buf reply;

	dt_buf_init(&bytes, DT_LIMIT_MESSAGE);
	dt_buf_init(&reply, DT_LIMIT_MESSAGE);
	if (talk->session) {
		add_request(&bytes, talk, spec, "DELETE", (struct dt_str){ 0 });
		exchange(talk, spec, dt_buf_str(&bytes), &reply);
	}
	close(talk->fd);
	if (talk->pid) {
		kill(talk->pid, SIGTERM);
		waitpid(talk->pid, NULL, 0);
	}
	dt_buf_done(&bytes);
	dt_buf_done(&reply);
	dt_buf_done(&talk->question);
	free(talk->session);
}
