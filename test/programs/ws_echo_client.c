/*
 * ws-echo-client URL - connect to ws://127.0.0.1:PORT/PATH?QUERY and return each
 * message with its opcode until the server closes.  Exit status 0: the
 * connection was opened and came to its end.
 */
#include "echo.h"

static int status = 1;

/* The parts of a URL.  No name is looked up: the suites are on this machine. */
struct url {
	struct dt_str host; /* with the port */
	uint32_t port;
	const char *target;
};

static enum dt_err read_url(const char *text, struct url *out,
                            struct dt_fail *fail)
{
	struct dt_str scheme = DT_STR("ws://");
	struct dt_str rest = dt_str(text);
	struct dt_str port;
	const char *slash;

	if (!dt_str_starts(rest, scheme))
		return dt_fail(fail, DT_E_ARGS, "%s: not ws://", text);
	slash = strchr(text + scheme.len, '/');
	out->target = slash ? slash : "/";
	out->host.ptr = text + scheme.len;
	out->host.len =
		slash ? (size_t)(slash - out->host.ptr) : strlen(out->host.ptr);
	port = out->host;
	if (!dt_str_is(dt_str_cut(&port, ':'), "127.0.0.1"))
		return dt_fail(fail, DT_E_ARGS, "%s: not 127.0.0.1", text);
	return dt_str_to_u32(port, &out->port, fail);
}

static enum dt_err shake(struct echo *e, size_t *out_used, struct dt_fail *fail)
{
	struct dt_http_head head;
	enum dt_err err = dt_http_read_response(dt_buf_str(&e->head), false,
	                                        &head, out_used, fail);

	if (err || *out_used == 0)
		return err;
	return dt_handshake_check_accept(&head, e->key, NULL, fail);
}

static void ask(struct dt_stream *stream, const struct url *url,
                const char *key)
{
	struct dt_str question;
	struct dt_buf out;

	dt_buf_init(&out, DT_LIMIT_HTTP_HEAD);
	dt_http_write_request(&out, "GET", url->target);
	dt_http_write_header(&out, "Host", url->host);
	dt_http_write_header(&out, "Upgrade", DT_STR("websocket"));
	dt_http_write_header(&out, "Connection", DT_STR("Upgrade"));
	dt_http_write_header(&out, "Sec-WebSocket-Version", DT_STR("13"));
	dt_http_write_header(&out, "Sec-WebSocket-Key", dt_str(key));
	dt_http_write_end(&out);
	question = dt_buf_str(&out);
	dt_stream_write(stream, &question, 1);
	dt_buf_done(&out);
}

static void on_end(struct echo *e, const struct dt_fail *why)
{
	if (e->is_open)
		status = 0;
	else
		fprintf(stderr, "not connected: %s\n", why->msg);
}

int main(int argc, char **argv)
{
	struct dt_loop *loop;
	char key[DT_HANDSHAKE_KEY];
	struct dt_stream *stream;
	struct dt_fail fail = { 0 };
	struct url url;
	struct echo *e;

	signal(SIGPIPE, SIG_IGN);
	if (argc != 2 || read_url(argv[1], &url, &fail)) {
		fprintf(stderr, "%s\nusage: ws-echo-client URL\n", fail.msg);
		return 2;
	}
	loop = dt_loop_new();
	dt_handshake_make_key(key);
	stream = dt_stream_connect_tcp(loop, "127.0.0.1", url.port);
	e = echo_new(stream, DT_WS_CLIENT, shake);
	e->key = key;
	e->on_end = on_end;
	ask(stream, &url, key);
	dt_loop_run(loop);
	dt_loop_free(loop);
	return status;
}
