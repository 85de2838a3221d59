/*
 * hub/mcp_stream.h - one HTTP answer that MCP messages go back by.
 *
 * For hub/mcp_http.c alone.
 */
#ifndef DT_HUB_MCP_STREAM_H
#define DT_HUB_MCP_STREAM_H

#include "base/list.h"
#include "link/http_conn.h"
#include "link/link.h"
#include "rpc/exchange.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * An answer is one JSON text, or a stream of events once something comes before
 * it.  With a number, its events have ids and are kept, so that a client that
 * lost the connection gets what it missed; without, it dies with its connection.
 */
struct dt_mcp_stream {
	struct dt_exchange x;
	struct dt_list link;       /* in the streams of the endpoint */
	struct dt_list peers;      /* in those of its session; or alone */
	struct dt_link *carrier;   /* whose messages these are */
	struct dt_http_conn *conn; /* NULL: nobody reads */
	/* The head of the request that is handed up right now, or NULL. */
	const struct dt_http_head *const *head;
	const char *extra;     /* a header line of the answer, or NULL; lent */
	uint64_t number;       /* 0: events have no ids */
	uint64_t last_id;      /* of the newest event */
	uint64_t sent_id;      /* of the newest that a connection got */
	struct dt_list events; /* that are kept */
	size_t bytes;          /* of them */
	size_t count;
	bool is_primed;    /* begins with an event that has but an id */
	bool takes_events; /* the client accepts a stream */
	bool is_begun;     /* as a stream of events */
	bool is_over;      /* the last message was sent, or is kept */
	struct dt_mcp_stream *general; /* of its session; NULL: it has none */
	/* Nobody reads it any more: they hung up, or the answer came after
	 * that and is kept.  May free it; or NULL. */
	void (*on_gone)(struct dt_mcp_stream *stream);
};

struct dt_mcp_stream *dt_mcp_stream_new(struct dt_list *all,
                                        struct dt_link *link);
/* Answer by this connection from now on, which is held. */
void dt_mcp_stream_attach(struct dt_mcp_stream *stream,
                          struct dt_http_conn *conn);
/* Begin as a stream of events, and send those that are kept behind `last_id`. */
void dt_mcp_stream_resume(struct dt_mcp_stream *stream, uint64_t last_id);
/* Something to keep the connection alive, if it is time to. */
void dt_mcp_stream_beat(struct dt_mcp_stream *stream);
/* End what is open and free it. */
void dt_mcp_stream_free(struct dt_mcp_stream *stream);

#endif
