/* wire/framed.h - messages behind a head that tells their length, as language
 * servers (LSP 3.17, base protocol) and debuggers talk. */
#ifndef DT_WIRE_FRAMED_H
#define DT_WIRE_FRAMED_H

#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>

/* The reading half. */
struct dt_framed {
	struct dt_buf line; /* of the head, where it came in pieces */
	struct dt_buf body; /* the same of a message */
	size_t limit;       /* for one message */
	size_t head_bytes;  /* of the head under way */
	size_t length;      /* what it says */
	bool has_length;
	bool is_in_body;
	bool is_handed_out; /* `body` was given away as the last message */
};

void dt_framed_init(struct dt_framed *framed, size_t limit);
void dt_framed_done(struct dt_framed *framed);

/*
 * Take bytes until one message is complete (*out_message, borrowed until the
 * next call or from the input) or the input is used up (its ptr is NULL).
 * DT_E_PROTO: this is no head, or one without a length.  DT_E_LIMIT: the message
 * will be longer than the limit; none of it was kept.
 */
enum dt_err dt_framed_read(struct dt_framed *framed, struct dt_str bytes,
                           size_t *out_used, struct dt_str *out_message,
                           struct dt_fail *fail) DT_MUST_CHECK;

#define DT_FRAMED_HEAD 48
/* The head of a message of so many bytes; returns its own length. */
size_t dt_framed_head(char out[DT_FRAMED_HEAD], size_t length);

#endif
