/* review/edits.h - pieces of a text replaced, as agents describe a change. */
#ifndef DT_REVIEW_EDITS_H
#define DT_REVIEW_EDITS_H

#include "base/err.h"
#include "base/str.h"
#include "data/field.h"
#include "editor/operation.h"

/*
 * Apply edits (struct dt_text_edit) one after the other, each to what the one
 * before made.  The new text is the caller's to free.  In a file with CRLF an
 * edit written with LF alone means the same lines.  Every edit goes over the
 * whole text, whose bytes are taken from *room, which all files of a change
 * share; it begins as DT_LIMIT_EDIT_TEXT.
 *
 * DT_E_ARGS: an old text that is empty, is not there, or is there more than once
 * and not all are meant.  DT_E_LIMIT: more than DT_LIMIT_EDITS, or no room.
 */
enum dt_err dt_edits_apply(const struct dt_items *edits, struct dt_str text,
                           size_t *room, struct dt_str *out,
                           struct dt_fail *fail) DT_MUST_CHECK;

#endif
