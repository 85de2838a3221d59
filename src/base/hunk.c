/*
 * base/hunk.c - a change taken in pieces, and put together again.
 *
 * Lines keep their line breaks, so nothing has to be guessed when they are put
 * together: CRLF and a last line without a break come out as they went in.
 * Which hunks are taken is for whoever asks the person.
 */
#include "base/hunk.h"

/* As many common lines between two edits as their contexts show. */
#define JOIN (2 * DT_HUNK_CONTEXT)

static size_t old_end(const struct dt_edit *edit)
{
	return edit->old_first + edit->old_count;
}

static size_t new_end(const struct dt_edit *edit)
{
	return edit->new_first + edit->new_count;
}

void dt_hunks_init(struct dt_hunks *hunks, struct dt_str old,
                   struct dt_str fresh, size_t *work)
{
	const struct dt_edit *edits;

	*hunks = (struct dt_hunks){ 0 };
	hunks->old = dt_lines_split(&hunks->arena, old);
	hunks->fresh = dt_lines_split(&hunks->arena, fresh);
	hunks->edits =
		dt_lines_diff(&hunks->arena, hunks->old, hunks->fresh, work);
	edits = hunks->edits.ptr;
	/* There is room for all of them, should every hunk be split. */
	hunks->ptr = dt_arena_alloc(&hunks->arena,
	                            hunks->edits.count * sizeof(*hunks->ptr));
	for (size_t i = 0; i < hunks->edits.count; i++) {
		bool is_near =
			i > 0 &&
			edits[i].old_first - old_end(&edits[i - 1]) <= JOIN;

		if (!is_near)
			hunks->ptr[hunks->count++].first_edit = i;
		hunks->ptr[hunks->count - 1].edit_count++;
	}
}

void dt_hunks_done(struct dt_hunks *hunks)
{
	dt_arena_done(&hunks->arena);
	*hunks = (struct dt_hunks){ 0 };
}

bool dt_hunks_split(struct dt_hunks *hunks, size_t n)
{
	struct dt_hunk whole = hunks->ptr[n];
	struct dt_hunk *parts = hunks->ptr + n;
	size_t more = whole.edit_count - 1;

	if (more == 0)
		return false;
	memmove(parts + 1 + more, parts + 1,
	        (hunks->count - n - 1) * sizeof(*parts));
	hunks->count += more;
	for (size_t i = 0; i <= more; i++)
		parts[i] = (struct dt_hunk){
			.first_edit = whole.first_edit + i,
			.edit_count = 1,
		};
	return true;
}

struct dt_edit dt_hunks_range(const struct dt_hunks *hunks, size_t n)
{
	const struct dt_hunk *hunk = &hunks->ptr[n];
	const struct dt_edit *first = hunks->edits.ptr + hunk->first_edit;
	const struct dt_edit *last = first + hunk->edit_count - 1;

	return (struct dt_edit){
		.old_first = first->old_first,
		.old_count = old_end(last) - first->old_first,
		.new_first = first->new_first,
		.new_count = new_end(last) - first->new_first,
	};
}

static void add_lines(struct dt_buf *out, struct dt_lines lines, size_t from,
                      size_t end)
{
	for (; from < end; from++)
		dt_buf_add_str(out, lines.ptr[from]);
}

void dt_hunks_text(const struct dt_hunks *hunks, size_t n, struct dt_buf *out)
{
	struct dt_edit range = dt_hunks_range(hunks, n);

	add_lines(out, hunks->fresh, range.new_first, new_end(&range));
}

/* showing */

struct showing {
	dt_hunk_line_fn *fn;
	void *owner;
};

static void show_lines(const struct showing *s, char mark,
                       struct dt_lines lines, size_t from, size_t end)
{
	for (; from < end; from++)
		s->fn(mark, lines.ptr[from], s->owner);
}

void dt_hunks_show(const struct dt_hunks *hunks, size_t n,
                   struct dt_edit *out_range, dt_hunk_line_fn *fn, void *owner)
{
	const struct dt_hunk *hunk = &hunks->ptr[n];
	const struct dt_edit *edit = hunks->edits.ptr + hunk->first_edit;
	struct showing showing = { fn, owner };
	struct dt_edit range = dt_hunks_range(hunks, n);
	size_t before = range.old_first < DT_HUNK_CONTEXT ? range.old_first
	                                                  : DT_HUNK_CONTEXT;
	size_t end = old_end(&range);
	size_t after = hunks->old.count - end;
	size_t at;

	/* Other edits are not common lines. */
	if (hunk->first_edit > 0 &&
	    range.old_first - old_end(edit - 1) < before)
		before = range.old_first - old_end(edit - 1);
	if (hunk->first_edit + hunk->edit_count < hunks->edits.count)
		after = edit[hunk->edit_count].old_first - end;
	if (after > DT_HUNK_CONTEXT)
		after = DT_HUNK_CONTEXT;
	at = range.old_first - before;
	if (out_range)
		*out_range = (struct dt_edit){
			.old_first = at,
			.old_count = before + range.old_count + after,
			.new_first = range.new_first - before,
			.new_count = before + range.new_count + after,
		};
	for (size_t i = 0; i < hunk->edit_count; i++, edit++) {
		show_lines(&showing, ' ', hunks->old, at, edit->old_first);
		at = old_end(edit);
		show_lines(&showing, '-', hunks->old, edit->old_first, at);
		show_lines(&showing, '+', hunks->fresh, edit->new_first,
		           new_end(edit));
	}
	show_lines(&showing, ' ', hunks->old, at, end + after);
}

/* putting together */

static bool ends_line(struct dt_str text)
{
	return text.len == 0 || text.ptr[text.len - 1] == '\n';
}

/* The line break the old text has there. */
static struct dt_str break_at(const struct dt_hunks *hunks, size_t line)
{
	struct dt_str text = hunks->old.ptr[line];

	if (text.len >= 2 && text.ptr[text.len - 2] == '\r')
		return DT_STR("\r\n");
	return DT_STR("\n");
}

static void add_hunk(const struct dt_hunks *hunks, size_t n, struct dt_buf *out)
{
	const struct dt_hunk *hunk = &hunks->ptr[n];
	struct dt_edit range = dt_hunks_range(hunks, n);
	size_t end = old_end(&range);

	if (!hunk->is_taken) {
		add_lines(out, hunks->old, range.old_first, end);
		return;
	}
	if (!hunk->text.ptr) {
		dt_hunks_text(hunks, n, out);
		return;
	}
	dt_buf_add_str(out, hunk->text);
	if (!ends_line(hunk->text) && end < hunks->old.count)
		dt_buf_add_str(out, break_at(hunks, end));
}

void dt_hunks_apply(const struct dt_hunks *hunks, struct dt_buf *out)
{
	size_t at = 0;

	for (size_t i = 0; i < hunks->count; i++) {
		struct dt_edit range = dt_hunks_range(hunks, i);

		add_lines(out, hunks->old, at, range.old_first);
		add_hunk(hunks, i, out);
		at = old_end(&range);
	}
	add_lines(out, hunks->old, at, hunks->old.count);
}
