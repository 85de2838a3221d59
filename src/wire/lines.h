/* wire/lines.h - one message per line, as MCP on stdio and our control socket. */
#ifndef DT_WIRE_LINES_H
#define DT_WIRE_LINES_H

#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>

/* The reading half.  `partial` holds a line that came in pieces. */
struct dt_lines {
	struct dt_buf partial;
	bool is_handed_out; /* `partial` was given away in the last line */
};

void dt_lines_init(struct dt_lines *lines, size_t limit);
void dt_lines_done(struct dt_lines *lines);

/*
 * Take bytes until one line is complete (*out_line, without LF or CRLF, borrowed
 * until the next call) or the input is used up (out_line->ptr is NULL).  Empty
 * lines are skipped.  DT_E_LIMIT: the line is longer than the limit.
 */
enum dt_err dt_lines_read(struct dt_lines *lines, struct dt_str bytes,
                          size_t *out_used, struct dt_str *out_line,
                          struct dt_fail *fail) DT_MUST_CHECK;

#endif
