/* backend/screen.h - what a terminal shows, as lines of plain text. */
#ifndef DT_BACKEND_SCREEN_H
#define DT_BACKEND_SCREEN_H

#include "base/ansi.h"
#include "base/buf.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A mark of the shell, the text of an OSC 133, where it was printed. */
typedef void dt_screen_mark_fn(struct dt_str mark, void *owner);

struct dt_screen_line {
	char *ptr;
	size_t len;
};

/*
 * Lines have numbers that only grow; the last one is still written to.  Those in
 * front are forgotten beyond DT_LIMIT_SCREEN_LINES and DT_LIMIT_SCREEN.  Members
 * are backend/screen.c's.
 */
struct dt_screen {
	struct dt_ansi ansi;
	unsigned columns;
	/* The line that is written to, a code point per cell. */
	uint32_t *cells;
	size_t count;
	size_t cap;
	size_t cursor;
	size_t row;   /* where the row of the cursor begins */
	char part[4]; /* of a character that is not whole yet */
	size_t part_len;
	/* The lines that are done, a ring. */
	struct dt_screen_line *lines;
	size_t first;
	size_t line_count;
	size_t bytes;
	uint64_t first_number;
	bool is_alternate; /* a full-screen program has it */
	dt_screen_mark_fn *on_mark;
	void *owner;
};

/* A place in the text: a line, and a character of it. */
struct dt_screen_place {
	uint64_t line;
	size_t column;
};

void dt_screen_init(struct dt_screen *screen, unsigned columns,
                    dt_screen_mark_fn *on_mark, void *owner);
void dt_screen_done(struct dt_screen *screen);

/* Print.  Anything may come: what is no UTF-8 becomes U+FFFD. */
void dt_screen_feed(struct dt_screen *screen, struct dt_str bytes);

/* The first line there is, the one that is written to, and where. */
uint64_t dt_screen_first(const struct dt_screen *screen);
uint64_t dt_screen_last(const struct dt_screen *screen);
struct dt_screen_place dt_screen_here(const struct dt_screen *screen);

/* Append a line without its end.  One that is forgotten or not there is empty. */
void dt_screen_line(const struct dt_screen *screen, uint64_t number,
                    struct dt_buf *out);

/*
 * Append the text from a place to here, of that the last `max` bytes, from the
 * beginning of a line.  Returns the line it really begins with.
 */
uint64_t dt_screen_text(const struct dt_screen *screen,
                        struct dt_screen_place from, size_t max,
                        struct dt_buf *out);

#endif
