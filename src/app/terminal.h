/* app/terminal.h - one key or one line from the person. */
#ifndef DT_APP_TERMINAL_H
#define DT_APP_TERMINAL_H

#include "base/buf.h"

#include <stdbool.h>

/* What dt_terminal_key() gives besides a key. */
enum {
	DT_KEY_NONE = -1, /* none came in time */
	DT_KEY_END = -2,  /* a signal, or the terminal is gone */
};

/* True when a person sits at both ends. */
bool dt_terminal_is_there(void);

/* Whether what is printed there may be coloured: on a terminal that knows
 * colours, unless NO_COLOR is set to something (no-color.org). */
bool dt_terminal_has_colours(void);

/*
 * Between these two the terminal gives keys at once and does not show them, and
 * signals that end a program are kept for dt_terminal_key() to report.
 */
void dt_terminal_begin_keys(void);
void dt_terminal_end_keys(void);

/* How many lines it has now; 0 when that cannot be told. */
size_t dt_terminal_rows(void);

/*
 * The same, with a screen of its own that leaves no trace; a terminal that
 * changes its size ends dt_terminal_key() with DT_KEY_NONE.
 */
void dt_terminal_begin_screen(void);
void dt_terminal_end_screen(void);

/* 24 rows of 80 columns where the terminal does not say; never 0. */
void dt_terminal_size(unsigned *out_rows, unsigned *out_columns);

/* Ring the bell. */
void dt_terminal_bell(void);

/* Wait for one key. */
int dt_terminal_key(int timeout_ms);

/* Read a line the person edits and ends with Enter; false at the end of input
 * or at Ctrl-C.  The line break is not part of it. */
bool dt_terminal_line(struct dt_buf *out);

#endif
