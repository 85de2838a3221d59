/*
 * ws-echo PORT - a WebSocket server on 127.0.0.1 that returns each message with
 * its opcode.  Outside suites judge the codec by it.  On SIGTERM it ends when
 * its connections have, so that a sanitizer can say what was left behind.
 */
#include "echo.h"

static enum dt_err shake(struct echo *e, size_t *out_used, struct dt_fail *fail)
{
	struct dt_http_head head;
	unsigned status = 400;
	struct dt_buf out;
	struct dt_str answer;
	enum dt_err err = dt_http_read_request(dt_buf_str(&e->head), &head,
	                                       out_used, &status, fail);

	if (!err && *out_used == 0)
		return DT_E_OK;
	if (!err && !dt_handshake_is_wanted(&head))
		err = dt_fail(fail, DT_E_PROTO, "this is a WebSocket");
	if (!err)
		err = dt_handshake_check(&head, &status, fail);
	dt_buf_init(&out, DT_LIMIT_HTTP_HEAD);
	if (err) {
		dt_http_write_status(&out, status);
		dt_http_write_length(&out, 0);
		dt_http_write_end(&out);
	} else {
		dt_handshake_write_accept(&out, &head, NULL);
		dt_http_write_end(&out);
	}
	answer = dt_buf_str(&out);
	dt_stream_write(e->stream, &answer, 1);
	dt_buf_done(&out);
	return err;
}

static void on_accept(struct dt_listener *listener, struct dt_stream *stream,
                      void *owner)
{
	(void)listener;
	(void)owner;
	echo_new(stream, DT_WS_SERVER, shake);
}

static void on_term(struct dt_signal *sig, int number, void *owner)
{
	struct dt_listener **listener = owner;

	(void)number;
	dt_listener_close(*listener);
	dt_signal_free(sig);
}

int main(int argc, char **argv)
{
	struct dt_loop *loop = dt_loop_new();
	struct dt_listener *listener;
	struct dt_fail fail = { 0 };
	uint32_t port;

	signal(SIGPIPE, SIG_IGN);
	if (argc != 2 || dt_str_to_u32(dt_str(argv[1]), &port, &fail)) {
		fprintf(stderr, "usage: ws-echo PORT\n");
		return 2;
	}
	if (dt_listen_tcp(loop, port, on_accept, NULL, &listener, &fail)) {
		fprintf(stderr, "%s\n", fail.msg);
		return 1;
	}
	dt_signal_new(loop, SIGTERM, on_term, &listener);
	dt_loop_run(loop);
	dt_loop_free(loop);
	return 0;
}
