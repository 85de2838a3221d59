/* app/message.h - what a JSON-RPC message is, for who passes it on. */
#ifndef DT_APP_MESSAGE_H
#define DT_APP_MESSAGE_H

#include "base/str.h"

#include <stdbool.h>

enum dt_message_kind {
	DT_MESSAGE_OTHER, /* whoever it is for will say what is wrong */
	DT_MESSAGE_REQUEST,
	DT_MESSAGE_NOTIFICATION,
	DT_MESSAGE_ANSWER,
};

/* All slices are as they stand in the message; absent ones have no ptr. */
struct dt_message {
	enum dt_message_kind kind;
	struct dt_str id;
	struct dt_str method; /* without its quotes */
	struct dt_str params;
	bool is_error; /* of an answer */
};

struct dt_message dt_message_read(struct dt_str text);

/* Each message of a line: of a batch one after the other, else the line. */
typedef void dt_message_fn(const struct dt_message *message, void *owner);
void dt_message_each(struct dt_str line, dt_message_fn *fn, void *owner);

/* True when the message says its protocol version itself (MCP 2026-07-28), so
 * that it needs no handshake before it. */
bool dt_message_is_modern(const struct dt_message *message);

/* The id of the request that a notification cancels; ptr NULL: it does not. */
struct dt_str dt_message_cancels(const struct dt_message *message);

#endif
