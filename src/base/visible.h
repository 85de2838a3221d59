/* base/visible.h - what a reader would not see in a text, spelled out. */
#ifndef DT_BASE_VISIBLE_H
#define DT_BASE_VISIBLE_H

#include "base/buf.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * True for characters that a terminal obeys, that show as nothing or as a blank,
 * or that turn round the text after them: controls, zero-width and other
 * invisible characters, blanks other than the space, bidirectional marks.
 */
bool dt_visible_is_hidden(uint32_t code);

/* The character at the start of a text that is not empty, and the length of it in
 * bytes; false and 1 when the byte there is not UTF-8. */
bool dt_visible_read(struct dt_str text, uint32_t *out_code, size_t *out_len);

/* Which controls are part of the layout and stay as they are. */
enum dt_layout {
	DT_LAYOUT_NONE, /* a name, a word, one line */
	DT_LAYOUT_TABS, /* one line of a file, without its end */
	DT_LAYOUT_FILE, /* tabs and line ends, LF or CRLF */
};

/*
 * Append the text with everything hidden spelled out: "<U+202E>" for a
 * character, "<0xFF>" for a byte that is not UTF-8.  What looks like that in the
 * text itself gets its "<" spelled out, so two texts never come out alike.
 * Returns how many were spelled out.
 */
size_t dt_visible_add(struct dt_buf *out, struct dt_str text,
                      enum dt_layout layout);

/* How many hidden characters and bytes there are; what only looks spelled out
 * is not counted. */
size_t dt_visible_count(struct dt_str text, enum dt_layout layout);

#endif
