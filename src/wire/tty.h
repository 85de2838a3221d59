/* wire/tty.h - a terminal's bytes as lines, for who looks into one. */
#ifndef DT_WIRE_TTY_H
#define DT_WIRE_TTY_H

#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"

/* What a line is: its first byte. */
enum dt_tty_type {
	DT_TTY_OUTPUT = 'o', /* to the viewer: bytes */
	DT_TTY_END = 'e',    /* to the viewer, and last: why */
	DT_TTY_INPUT = 'i',  /* from the viewer: bytes */
	DT_TTY_SIZE = 's',   /* from the viewer: "ROWS COLUMNS" */
};

/* Append one, without the end of its line. */
void dt_tty_write(struct dt_buf *out, enum dt_tty_type type,
                  struct dt_str bytes);

/* Take one apart; the bytes are appended.  DT_E_PROTO: it is none. */
enum dt_err dt_tty_read(struct dt_str line, enum dt_tty_type *out_type,
                        struct dt_buf *out, struct dt_fail *fail) DT_MUST_CHECK;

/* The numbers of a DT_TTY_SIZE.  DT_E_PROTO: these are none. */
enum dt_err dt_tty_read_size(struct dt_str bytes, unsigned *out_rows,
                             unsigned *out_columns,
                             struct dt_fail *fail) DT_MUST_CHECK;

#endif
