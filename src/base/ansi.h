/* base/ansi.h - what a program prints, cut into text and escape sequences. */
#ifndef DT_BASE_ANSI_H
#define DT_BASE_ANSI_H

#include "base/buf.h"
#include "base/str.h"

#include <stddef.h>

enum dt_ansi_type {
	DT_ANSI_TEXT,    /* bytes from 0x20 on, in any encoding, but 0x7f */
	DT_ANSI_CONTROL, /* one byte: CR, LF, BS, ... */
	DT_ANSI_CSI,     /* ESC [ params final */
	DT_ANSI_OSC,     /* ESC ] params, without its end */
	DT_ANSI_OTHER,   /* ESC and a letter; DCS and other strings */
};

struct dt_ansi_token {
	enum dt_ansi_type type;
	struct dt_str bytes;  /* as it came */
	struct dt_str params; /* CSI: between '[' and the end; OSC: its text */
	char final;           /* CSI and OTHER: the last byte */
};

/* Tokens are lent.  Zeroed but for dt_ansi_init() is the start. */
typedef void dt_ansi_fn(const struct dt_ansi_token *token, void *owner);

struct dt_ansi {
	int state;
	struct dt_buf pending; /* of a sequence that is not whole yet */
};

void dt_ansi_init(struct dt_ansi *ansi);
void dt_ansi_done(struct dt_ansi *ansi);

/*
 * Hand out what is whole.  A sequence that goes on beyond DT_LIMIT_SEQUENCE is
 * none: what comes behind is text again.
 */
void dt_ansi_feed(struct dt_ansi *ansi, struct dt_str bytes, dt_ansi_fn *fn,
                  void *owner);

/* The number at a place among the parameters, `otherwise` where there is none. */
unsigned dt_ansi_number(const struct dt_ansi_token *token, size_t index,
                        unsigned otherwise);

#endif
