/* editor/text.h - lines and positions in a text. */
#ifndef DT_EDITOR_TEXT_H
#define DT_EDITOR_TEXT_H

#include "base/str.h"
#include "editor/operation.h"

#include <stdbool.h>
#include <stdint.h>

/* Lines end in LF, CRLF or CR.  A text has at least one line; what follows the
 * last line end is a line too, empty or not. */
uint32_t dt_text_line_count(struct dt_str text);

/* No text: a NUL near its beginning, as git sees it. */
bool dt_text_is_binary(struct dt_str text);

/* A line without its end; ptr NULL when there is no such line. */
struct dt_str dt_text_line(struct dt_str text, uint32_t line);

/* Positions to bytes and back.  What is past an end becomes that end, what is
 * inside a character its beginning. */
size_t dt_text_to_byte(struct dt_str text, struct dt_position at);
struct dt_position dt_text_to_position(struct dt_str text, size_t byte);

/* The part of the text a range covers; empty when it ends before it starts. */
struct dt_str dt_text_slice(struct dt_str text, struct dt_range range);

/*
 * The command line's way of counting, 1-based lines and columns in characters,
 * as a position.  Column 0 means the end of the line.
 */
struct dt_position dt_text_from_person(struct dt_str text, uint32_t line,
                                       uint32_t column);

#endif
