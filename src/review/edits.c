/*
 * review/edits.c - old pieces found, and new ones put in their place.
 *
 * Nothing is guessed: a piece that is not there exactly, or is there twice, is
 * refused by a sentence that tells the model what to do about it.
 */
#include "review/edits.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/limits.h"

#include <stdlib.h>

static struct dt_str with_crlf(struct dt_arena *arena, struct dt_str text)
{
	struct dt_str out;
	struct dt_buf buf;

	dt_buf_init(&buf, 2 * text.len + 1);
	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] == '\n')
			dt_buf_add_char(&buf, '\r');
		dt_buf_add_char(&buf, text.ptr[i]);
	}
	out.ptr = dt_arena_strndup(arena, buf.ptr, buf.len);
	out.len = buf.len;
	dt_buf_done(&buf);
	return out;
}

/* The edit as it fits the text. */
static struct dt_text_edit fit(struct dt_arena *arena,
                               const struct dt_text_edit *edit,
                               struct dt_str text)
{
	struct dt_text_edit fitted = *edit;

	if (dt_str_find(text, edit->old_text) ||
	    !dt_str_find(text, DT_STR("\r\n")) ||
	    dt_str_find(edit->old_text, DT_STR("\r")))
		return fitted;
	fitted.old_text = with_crlf(arena, edit->old_text);
	if (!dt_str_find(edit->new_text, DT_STR("\r")))
		fitted.new_text = with_crlf(arena, edit->new_text);
	return fitted;
}

static const char *name_of(const struct dt_text_edit *edit)
{
	return edit->alias ? edit->alias : "oldText";
}

#define NAMED 5 /* places in a sentence */

/* The lines, from 1, where it begins: "3, 17 and more". */
static enum dt_err refuse_many(const struct dt_text_edit *edit,
                               struct dt_str text, size_t count,
                               struct dt_fail *fail)
{
	const char *from = text.ptr;
	struct dt_buf lines;
	size_t line = 1;
	enum dt_err err;
	const char *at;

	dt_buf_init(&lines, DT_KIB);
	for (size_t i = 0;
	     i < NAMED && (at = dt_str_find(text, edit->old_text)); i++) {
		for (; from < at; from++)
			line += *from == '\n';
		dt_buf_addf(&lines, i ? ", %zu" : "%zu", line);
		text.len -= (size_t)(at - text.ptr) + edit->old_text.len;
		text.ptr = at + edit->old_text.len;
	}
	err = dt_fail(fail, DT_E_ARGS,
	              "%s is in the file %zu times, in lines %s%s; give more "
	              "of the lines around it%s",
	              name_of(edit), count, dt_buf_z(&lines),
	              count > NAMED ? " and more" : "",
	              edit->alias ? "" : ", or replaceAll");
	dt_buf_done(&lines);
	return err;
}

static enum dt_err apply(const struct dt_text_edit *edit, struct dt_str text,
                         struct dt_buf *out, struct dt_fail *fail)
{
	size_t count =
		dt_buf_add_replaced(out, text, edit->old_text, edit->new_text);

	if (count == 0)
		return dt_fail(fail, DT_E_ARGS,
		               "%s is not in the file as it is now; read the "
		               "file again",
		               name_of(edit));
	if (count > 1 && !edit->is_all)
		return refuse_many(edit, text, count, fail);
	return dt_buf_check(out, "the new text", fail);
}

static enum dt_err apply_one(const struct dt_text_edit *edit,
                             struct dt_str text, size_t *room,
                             struct dt_buf *out, struct dt_fail *fail)
{
	struct dt_arena arena = { 0 };
	struct dt_text_edit fitted;
	enum dt_err err;

	if (text.len > *room)
		return dt_fail(fail, DT_E_LIMIT,
		               "these are too many edits of so large a file; "
		               "give its whole new text instead");
	*room -= text.len;
	if (edit->old_text.len == 0)
		return dt_fail(fail, DT_E_ARGS,
		               "%s is empty; give the whole text instead",
		               name_of(edit));
	fitted = fit(&arena, edit, text);
	err = apply(&fitted, text, out, fail);
	dt_arena_done(&arena);
	return err;
}

enum dt_err dt_edits_apply(const struct dt_items *edits, struct dt_str text,
                           size_t *room, struct dt_str *out,
                           struct dt_fail *fail)
{
	const struct dt_text_edit *list = edits->ptr;
	struct dt_str now;
	char *made;

	if (edits->count > DT_LIMIT_EDITS)
		return dt_fail(fail, DT_E_LIMIT,
		               "these are more than %u edits; give the whole "
		               "new text instead",
		               DT_LIMIT_EDITS);
	made = dt_strndup(text.len ? text.ptr : "", text.len);
	now = (struct dt_str){ made, text.len };
	for (size_t i = 0; i < edits->count; i++) {
		struct dt_fail why = { 0 };
		struct dt_buf next;
		enum dt_err err;

		dt_buf_init(&next, DT_LIMIT_FILE);
		err = apply_one(&list[i], now, room, &next, &why);
		free(made);
		if (err) {
			dt_buf_done(&next);
			return list[i].alias
			               ? dt_fail(fail, err, "%s", why.msg)
			               : dt_fail(fail, err, "edits[%zu]: %s", i,
			                         why.msg);
		}
		now.len = next.len;
		now.ptr = made = dt_buf_take(&next);
	}
	*out = now;
	return DT_E_OK;
}
