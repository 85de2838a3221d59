/*
 * editor/ranges.c - positions found in one walk over the lines, then one copy.
 *
 * A thousand edits of a large text cost two sorts and two walks.  Sentences
 * count from 1, as agents and people do.
 */
#include "editor/ranges.h"

#include "base/limits.h"
#include "base/utf8.h"

#include <stdlib.h>

#define BOM "\xef\xbb\xbf"

/* One end of a range, and the byte it turned out to be. */
struct end {
	struct dt_position at;
	const struct dt_range_edit *edit;
	size_t *byte;
};

struct span {
	size_t index; /* in the list of edits */
	size_t start;
	size_t end;
};

static int by_position(const void *a, const void *b)
{
	const struct dt_position *x = &((const struct end *)a)->at;
	const struct dt_position *y = &((const struct end *)b)->at;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return (x->character > y->character) - (x->character < y->character);
}

static int by_byte(const void *a, const void *b)
{
	const struct span *x = a;
	const struct span *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->end != y->end)
		return x->end < y->end ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

/* Where the walk is: in which line, how far in it, and where that ends. */
struct walk {
	struct dt_str text;
	size_t at;
	size_t line_end;
	uint32_t line;
	size_t column;
};

static void find_line_end(struct walk *w)
{
	size_t n = w->at;

	while (n < w->text.len && w->text.ptr[n] != '\n' &&
	       w->text.ptr[n] != '\r')
		n++;
	w->line_end = n;
	w->column = 0;
}

/* False in the last line. */
static bool go_to_next_line(struct walk *w)
{
	size_t n = w->line_end;

	if (n == w->text.len)
		return false;
	w->at = n + 1;
	if (w->text.ptr[n] == '\r' && w->at < w->text.len &&
	    w->text.ptr[w->at] == '\n')
		w->at++;
	w->line++;
	find_line_end(w);
	return true;
}

static enum dt_err find_column(struct walk *w, const struct end *e,
                               struct dt_fail *fail)
{
	struct dt_str rest = { w->text.ptr + w->at, w->line_end - w->at };

	rest.len = dt_utf16_to_byte(rest, e->at.character - w->column);
	w->column += dt_utf16_len(rest);
	w->at += rest.len;
	*e->byte = w->at;
	if (e->edit->is_loose || w->at < w->line_end ||
	    e->at.character <= w->column)
		return DT_E_OK;
	return dt_fail(fail, DT_E_ARGS,
	               "line %u has %zu columns, and no column %u",
	               e->at.line + 1, w->column + 1, e->at.character + 1);
}

static enum dt_err find_all(struct end *ends, size_t count, struct dt_str text,
                            struct dt_fail *fail)
{
	struct walk w = { .text = text };
	enum dt_err err = DT_E_OK;

	qsort(ends, count, sizeof(*ends), by_position);
	find_line_end(&w);
	for (size_t i = 0; i < count && !err; i++) {
		const struct end *e = &ends[i];
		bool is_there = true;

		while (w.line < e->at.line && is_there)
			is_there = go_to_next_line(&w);
		if (w.line == e->at.line)
			err = find_column(&w, e, fail);
		else if (e->edit->is_loose ||
		         (e->edit->is_lines && e->at.line == w.line + 1))
			*e->byte = text.len;
		else
			err = dt_fail(fail, DT_E_ARGS,
			              "the file has %u lines, and no line %u",
			              w.line + 1, e->at.line + 1);
	}
	return err;
}

static enum dt_err check(const struct span *spans, size_t count,
                         struct dt_fail *fail)
{
	for (size_t i = 0; i < count; i++) {
		if (spans[i].end < spans[i].start)
			return dt_fail(fail, DT_E_ARGS,
			               "edits[%zu] ends before it begins",
			               spans[i].index);
		if (i > 0 && spans[i].start < spans[i - 1].end)
			return dt_fail(fail, DT_E_ARGS,
			               "edits[%zu] and edits[%zu] overlap",
			               spans[i - 1].index, spans[i].index);
	}
	return DT_E_OK;
}

static bool has_crlf(struct dt_str text)
{
	const char *first = text.len ? memchr(text.ptr, '\n', text.len) : NULL;

	return first && first > text.ptr && first[-1] == '\r';
}

static void add_lines(struct dt_buf *out, struct dt_str text, bool with_cr)
{
	const char *lf;

	if (text.len && memchr(text.ptr, '\r', text.len))
		with_cr = false;
	while (with_cr && text.len && (lf = memchr(text.ptr, '\n', text.len))) {
		size_t n = (size_t)(lf - text.ptr);

		dt_buf_add(out, text.ptr, n);
		dt_buf_add_z(out, "\r\n");
		text.ptr += n + 1;
		text.len -= n + 1;
	}
	dt_buf_add_str(out, text);
}

/* Lines at the end of a text that ends in none. */
static void add_last_lines(struct dt_buf *out, const struct span *span,
                           struct dt_str text, struct dt_str fresh,
                           bool is_crlf)
{
	if (span->start == text.len && fresh.len > 0)
		dt_buf_add_z(out, is_crlf ? "\r\n" : "\n");
	if (fresh.len > 0 && fresh.ptr[fresh.len - 1] == '\n')
		fresh.len--;
	add_lines(out, fresh, is_crlf);
}

static void copy(const struct dt_range_edit *edits, const struct span *spans,
                 size_t count, struct dt_str text, struct dt_buf *out)
{
	bool is_crlf = has_crlf(text);
	bool is_open = text.len && text.ptr[text.len - 1] != '\n';
	size_t at = 0;

	for (size_t i = 0; i < count; i++) {
		const struct dt_range_edit *edit = &edits[spans[i].index];

		dt_buf_add(out, text.ptr + at, spans[i].start - at);
		if (edit->is_lines && is_open && spans[i].end == text.len)
			add_last_lines(out, &spans[i], text, edit->text,
			               is_crlf);
		else
			add_lines(out, edit->text, is_crlf);
		at = spans[i].end;
	}
	dt_buf_add(out, text.ptr + at, text.len - at);
}

enum dt_err dt_ranges_apply(const struct dt_items *edits, struct dt_str text,
                            struct dt_buf *out, struct dt_fail *fail)
{
	const struct dt_range_edit *list = edits->ptr;
	size_t count = edits->count;
	struct span *spans;
	struct end *ends;
	enum dt_err err;

	if (count > DT_LIMIT_EDITS)
		return dt_fail(fail, DT_E_LIMIT,
		               "these are more than %u edits; give the whole "
		               "new text instead",
		               DT_LIMIT_EDITS);
	if (!text.ptr)
		text.ptr = "";
	if (dt_str_starts(text, DT_STR(BOM))) {
		dt_buf_add_z(out, BOM);
		text.ptr += strlen(BOM);
		text.len -= strlen(BOM);
	}
	spans = dt_alloc((count + 1) * sizeof(*spans));
	ends = dt_alloc((2 * count + 1) * sizeof(*ends));
	for (size_t i = 0; i < count; i++) {
		spans[i].index = i;
		ends[2 * i] = (struct end){ list[i].range.start, &list[i],
			                    &spans[i].start };
		ends[2 * i + 1] = (struct end){ list[i].range.end, &list[i],
			                        &spans[i].end };
	}
	err = find_all(ends, 2 * count, text, fail);
	if (!err) {
		qsort(spans, count, sizeof(*spans), by_byte);
		err = check(spans, count, fail);
	}
	if (!err) {
		copy(list, spans, count, text, out);
		err = dt_buf_check(out, "the new text", fail);
	}
	free(ends);
	free(spans);
	return err;
}
