/*
 * link/http_conn_impl.h - what the reading and the writing half of an HTTP
 * connection share; for http_conn.c and http_reply.c alone.
 */
#ifndef DT_LINK_HTTP_CONN_IMPL_H
#define DT_LINK_HTTP_CONN_IMPL_H

#include "base/buf.h"
#include "link/http_conn.h"

struct dt_http_conn {
	struct dt_stream *stream;
	const struct dt_http_conn_events *events;
	void *owner;
	struct dt_buf input; /* what is not handled yet, from the head on */
	struct dt_buf body;
	struct dt_timer *deadline;
	struct dt_timer *next; /* goes on behind a held answer; or NULL */
	uint64_t head_ms;
	uint64_t idle_ms;
	size_t head_len; /* 0: the head is not complete */
	struct dt_http_body reader;
	dt_http_conn_end_fn *on_gone; /* of the held request */
	void *gone_owner;
	unsigned minor;   /* of the request's version */
	bool is_handling; /* on_request runs */
	bool is_held;     /* on_request returns, or did, without an answer */
	bool is_begun;    /* the answer comes in pieces */
	bool is_chunked;  /* and these are chunks */
	bool is_waiting;  /* a request is there and not taken up yet */
	bool is_answered;
	bool is_head; /* the method: the answer has no body */
	bool is_upgraded;
	bool is_closing;
	bool wants_close;
};

/* The answer is written; if it was held, go on with what came meanwhile. */
void dt_http_conn_settle(struct dt_http_conn *conn);

#endif
