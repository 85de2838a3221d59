/* editor/ranges.h - ranges of a text replaced, as editors describe a change. */
#ifndef DT_EDITOR_RANGES_H
#define DT_EDITOR_RANGES_H

#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "data/field.h"
#include "editor/operation.h"

/*
 * Append the text with every struct dt_range_edit done.  All ranges are those of
 * the text before: none moves another.  Several insertions at one place come in
 * the order of the list.  A byte order mark is no column and stays.  In a text
 * whose lines end in CRLF, new lines that end in LF get CRLF.  Whole lines may
 * end, and begin, one line past the last; a text that did not end in a line end
 * does not then.
 *
 * DT_E_ARGS: two that overlap, one that ends before it begins, or one of a place
 * that is not there, unless it is marked as loose.  DT_E_LIMIT: more than
 * DT_LIMIT_EDITS, or what does not fit into the buffer.
 */
enum dt_err dt_ranges_apply(const struct dt_items *edits, struct dt_str text,
                            struct dt_buf *out,
                            struct dt_fail *fail) DT_MUST_CHECK;

#endif
