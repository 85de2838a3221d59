/*
 * app/relay.h - an MCP client on one side, a daemon that may go away on the
 * other, and what has to be said so that the client does not notice.
 *
 * Lines go in by the functions here, bytes come out by the two queues.  Nothing
 * here reads or writes a file: app/relay_loop.c does.
 */
#ifndef DT_APP_RELAY_H
#define DT_APP_RELAY_H

#include "base/buf.h"
#include "base/list.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

struct dt_relay {
	struct dt_buf to_client;

	/* What goes before all else: the handshake with the daemon. */
	struct dt_buf first;
	/* Whole lines of the client's; the first `sent` bytes are on their way
	 * but stay until their line is over, since half a line that went down
	 * with a daemon was never heard. */
	struct dt_buf to_daemon;
	size_t sent;
	uint64_t taken; /* bytes that ever came into to_daemon ... */
	uint64_t gone;  /* ... and that left it */

	struct dt_list open;  /* the client's requests without an answer */
	struct dt_list asked; /* the daemon's requests without an answer */

	/* The client's own handshake, to be said again to another daemon. */
	struct dt_buf initialize;  /* its params; empty: it has sent none */
	struct dt_buf initialized; /* the notification */
	bool is_initialize_open;

	bool is_ready;     /* to_daemon may be sent */
	bool is_replaying; /* waits for the answer to our initialize */
	char why[200]; /* nobody will answer, and why; empty: somebody may */
};

void dt_relay_init(struct dt_relay *relay);
void dt_relay_done(struct dt_relay *relay);

/* A line from the client; one from the daemon, once attached. */
void dt_relay_take(struct dt_relay *relay, struct dt_str line);
void dt_relay_hear(struct dt_relay *relay, struct dt_str line);
/* A line of the client's that was longer than one may be. */
void dt_relay_take_too_long(struct dt_relay *relay);

/* What is to be written to the daemon next, and how much of it was. */
struct dt_str dt_relay_next(const struct dt_relay *relay);
void dt_relay_wrote(struct dt_relay *relay, size_t len);

/* The daemon went away: what it has not been told waits for the next one. */
void dt_relay_lost(struct dt_relay *relay);
/*
 * There is one again.  Resumed: the session is the same, and its requests still
 * run.  Else the client's handshake is said again, what was under way is
 * answered with an error, and what waited is sent.
 */
void dt_relay_attached(struct dt_relay *relay, bool is_resumed);
/* Nobody will answer: all that waits gets this error, and all that comes, until
 * dt_relay_hope(). */
void dt_relay_give_up(struct dt_relay *relay, const char *why);
void dt_relay_hope(struct dt_relay *relay);

/* True while an answer to the client is due. */
bool dt_relay_is_busy(const struct dt_relay *relay);

#endif
