/*
 * backend/screen.c - a printed stream read as a person would, line by line.
 *
 * An agent reads text, not a picture, so this is a terminal of one line: what is
 * written over is gone, what was scrolled away is kept.  Moves to other lines and
 * full-screen programs are not followed; nothing of the latter is kept.  Rows are
 * counted by characters, wide ones too, which matters to long lines alone that
 * are written over.
 */
#include "backend/screen.h"

#include "base/limits.h"
#include "base/utf8.h"

#include <stdlib.h>

#define BLANK 0u              /* was never written */
#define BEHIND_TAB UINT32_MAX /* belongs to the tab before it */
#define REPLACEMENT 0xfffdu
#define TAB_WIDTH 8u

void dt_screen_init(struct dt_screen *screen, unsigned columns,
                    dt_screen_mark_fn *on_mark, void *owner)
{
	*screen = (struct dt_screen){
		.columns = columns,
		.lines = dt_alloc(DT_LIMIT_SCREEN_LINES *
		                  sizeof(*screen->lines)),
		.on_mark = on_mark,
		.owner = owner,
	};
	dt_ansi_init(&screen->ansi);
}

/* the lines */

static void forget_first(struct dt_screen *s)
{
	struct dt_screen_line *line = &s->lines[s->first];

	s->bytes -= line->len;
	free(line->ptr);
	*line = (struct dt_screen_line){ 0 };
	s->first = (s->first + 1) % DT_LIMIT_SCREEN_LINES;
	s->line_count--;
	s->first_number++;
}

void dt_screen_done(struct dt_screen *s)
{
	while (s->line_count > 0)
		forget_first(s);
	free(s->lines);
	free(s->cells);
	dt_ansi_done(&s->ansi);
	*s = (struct dt_screen){ 0 };
}

static size_t cell_text(uint32_t cell, char out[4])
{
	if (cell == BEHIND_TAB)
		return 0;
	return dt_utf8_put(out, cell == BLANK ? ' ' : cell);
}

/* The cells from one on as text, without blanks at the end. */
static void add_cells(const struct dt_screen *s, size_t from,
                      struct dt_buf *out)
{
	size_t count = s->count;
	char text[4];

	while (count > from &&
	       (s->cells[count - 1] == BLANK || s->cells[count - 1] == ' '))
		count--;
	for (size_t i = from; i < count; i++)
		dt_buf_add(out, text, cell_text(s->cells[i], text));
}

static void end_line(struct dt_screen *s)
{
	struct dt_buf text;
	size_t at;

	dt_buf_init(&text, DT_LIMIT_SCREEN);
	add_cells(s, 0, &text);
	if (s->line_count == DT_LIMIT_SCREEN_LINES)
		forget_first(s);
	while (s->line_count > 0 && s->bytes + text.len > DT_LIMIT_SCREEN)
		forget_first(s);
	at = (s->first + s->line_count++) % DT_LIMIT_SCREEN_LINES;
	s->bytes += text.len;
	s->lines[at].len = text.len;
	/* Many lines are kept: none has more memory than it needs. */
	s->lines[at].ptr = text.len ? dt_strndup(text.ptr, text.len) : NULL;
	dt_buf_done(&text);
	s->count = 0;
	s->cursor = 0;
	s->row = 0;
}

/* characters */

/* So many cells there are; new ones are blank. */
static void reach(struct dt_screen *s, size_t count)
{
	if (count > s->cap) {
		s->cap = count + count / 2 + 64;
		s->cells = dt_realloc(s->cells, s->cap * sizeof(*s->cells));
	}
	while (s->count < count)
		s->cells[s->count++] = BLANK;
}

static void put(struct dt_screen *s, uint32_t code)
{
	if (s->cursor >= DT_LIMIT_SCREEN_LINE)
		end_line(s);
	/* The last column waits for the next character before it wraps. */
	if (s->cursor - s->row >= s->columns)
		s->row += s->columns;
	reach(s, s->cursor + 1);
	s->cells[s->cursor++] = code;
}

static void put_tab(struct dt_screen *s)
{
	size_t stop = (s->cursor - s->row) / TAB_WIDTH * TAB_WIDTH + TAB_WIDTH;
	size_t left = s->row + stop - s->cursor;

	/* Over text it is a move. */
	if (s->cursor < s->count) {
		s->cursor += left;
		return;
	}
	put(s, '\t');
	while (--left > 0)
		put(s, BEHIND_TAB);
}

static size_t length_of(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first >= 0xc2 && first < 0xe0)
		return 2;
	if (first >= 0xe0 && first < 0xf0)
		return 3;
	return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

static uint32_t decode(const char *text, size_t len)
{
	static const unsigned char masks[] = { 0, 0x7f, 0x1f, 0x0f, 0x07 };
	uint32_t code = (unsigned char)text[0] & masks[len];

	for (size_t i = 1; i < len; i++)
		code = code << 6 | ((unsigned char)text[i] & 0x3f);
	return code;
}

/* A character that does not go on was none. */
static void give_up_part(struct dt_screen *s)
{
	if (s->part_len > 0)
		put(s, REPLACEMENT);
	s->part_len = 0;
}

static void put_byte(struct dt_screen *s, char c)
{
	bool goes_on = ((unsigned char)c & 0xc0) == 0x80;
	size_t len;

	if (!goes_on || s->part_len == 0)
		give_up_part(s);
	s->part[s->part_len++] = c;
	len = length_of((unsigned char)s->part[0]);
	if (len == 0) {
		give_up_part(s);
	} else if (s->part_len == len) {
		struct dt_str whole = { s->part, len };

		put(s, dt_utf8_is_valid(whole) ? decode(s->part, len)
		                               : REPLACEMENT);
		s->part_len = 0;
	}
}

static void put_text(struct dt_screen *s, struct dt_str text)
{
	for (size_t i = 0; i < text.len; i++) {
		if (s->part_len == 0 && (unsigned char)text.ptr[i] < 0x80)
			put(s, (unsigned char)text.ptr[i]);
		else
			put_byte(s, text.ptr[i]);
	}
}

/* moves */

static void control(struct dt_screen *s, char c)
{
	switch (c) {
	case '\n':
	case '\v':
	case '\f':
		end_line(s);
		break;
	case '\r':
		s->cursor = s->row;
		break;
	case '\b':
		if (s->cursor > s->row)
			s->cursor--;
		break;
	case '\t':
		put_tab(s);
		break;
	default:
		break;
	}
}

static void erase(struct dt_screen *s, size_t from, size_t to)
{
	for (size_t i = from; i < to && i < s->count; i++)
		s->cells[i] = BLANK;
	if (to >= s->count && from < s->count)
		s->count = from;
}

static void erase_in_line(struct dt_screen *s, unsigned what)
{
	if (what == 0)
		erase(s, s->cursor, s->count);
	else if (what == 1)
		erase(s, s->row, s->cursor + 1);
	else if (what == 2)
		erase(s, s->row, s->count);
}

static void remove_cells(struct dt_screen *s, size_t n)
{
	if (s->cursor >= s->count)
		return;
	if (n > s->count - s->cursor)
		n = s->count - s->cursor;
	memmove(s->cells + s->cursor, s->cells + s->cursor + n,
	        (s->count - s->cursor - n) * sizeof(*s->cells));
	s->count -= n;
}

static void insert_cells(struct dt_screen *s, size_t n)
{
	size_t count = s->count;

	if (s->cursor >= count || count + n > DT_LIMIT_SCREEN_LINE)
		return;
	reach(s, count + n);
	memmove(s->cells + s->cursor + n, s->cells + s->cursor,
	        (count - s->cursor) * sizeof(*s->cells));
	for (size_t i = 0; i < n; i++)
		s->cells[s->cursor + i] = BLANK;
}

static size_t at_most(size_t value, size_t max)
{
	return value < max ? value : max;
}

static void set_mode(struct dt_screen *s, const struct dt_ansi_token *token)
{
	unsigned mode = dt_ansi_number(token, 0, 0);

	if (token->params.len == 0 || token->params.ptr[0] != '?' ||
	    (mode != 47 && mode != 1047 && mode != 1049))
		return;
	if (!s->is_alternate && s->count > 0)
		end_line(s);
	s->is_alternate = token->final == 'h';
}

static void move(struct dt_screen *s, const struct dt_ansi_token *token)
{
	size_t n = dt_ansi_number(token, 0, 1);
	size_t end = s->row + s->columns - 1;

	if (n == 0)
		n = 1;
	if (token->final == 'C')
		s->cursor = at_most(s->cursor + n, end);
	else if (token->final == 'D')
		s->cursor = s->cursor - s->row > n ? s->cursor - n : s->row;
	else
		s->cursor = at_most(s->row + n - 1, end);
}

static void csi(struct dt_screen *s, const struct dt_ansi_token *token)
{
	size_t n = dt_ansi_number(token, 0, 1);

	switch (token->final) {
	case 'C':
	case 'D':
	case 'G':
	case '`':
		move(s, token);
		break;
	case 'H':
	case 'f':
		/* Somewhere else: what is printed there is another line. */
		if (s->count > 0)
			end_line(s);
		break;
	case 'J':
		if (dt_ansi_number(token, 0, 0) == 0)
			erase_in_line(s, 0);
		break;
	case 'K':
		erase_in_line(s, dt_ansi_number(token, 0, 0));
		break;
	case 'P':
		remove_cells(s, n);
		break;
	case 'X':
		erase(s, s->cursor, s->cursor + n);
		break;
	case '@':
		insert_cells(s, n);
		break;
	default:
		break;
	}
}

static void on_token(const struct dt_ansi_token *token, void *owner)
{
	struct dt_screen *s = owner;

	if (token->type != DT_ANSI_TEXT)
		give_up_part(s);
	if (token->type == DT_ANSI_CSI &&
	    (token->final == 'h' || token->final == 'l'))
		set_mode(s, token);
	else if (token->type == DT_ANSI_OSC &&
	         dt_str_starts(token->params, DT_STR("133;")))
		s->on_mark((struct dt_str){ token->params.ptr + 4,
		                            token->params.len - 4 },
		           s->owner);
	else if (s->is_alternate)
		return;
	else if (token->type == DT_ANSI_TEXT)
		put_text(s, token->bytes);
	else if (token->type == DT_ANSI_CONTROL)
		control(s, token->final);
	else if (token->type == DT_ANSI_CSI)
		csi(s, token);
}

void dt_screen_feed(struct dt_screen *s, struct dt_str bytes)
{
	dt_ansi_feed(&s->ansi, bytes, on_token, s);
}

/* reading */

uint64_t dt_screen_first(const struct dt_screen *s)
{
	return s->first_number;
}

uint64_t dt_screen_last(const struct dt_screen *s)
{
	return s->first_number + s->line_count;
}

struct dt_screen_place dt_screen_here(const struct dt_screen *s)
{
	return (struct dt_screen_place){ dt_screen_last(s), s->cursor };
}

static struct dt_str done_line(const struct dt_screen *s, uint64_t number)
{
	size_t index = (size_t)(number - s->first_number);
	const struct dt_screen_line *line =
		&s->lines[(s->first + index) % DT_LIMIT_SCREEN_LINES];

	return (struct dt_str){ line->ptr, line->len };
}

void dt_screen_line(const struct dt_screen *s, uint64_t number,
                    struct dt_buf *out)
{
	if (number == dt_screen_last(s))
		add_cells(s, 0, out);
	else if (number >= s->first_number && number < dt_screen_last(s))
		dt_buf_add_str(out, done_line(s, number));
}

static void add_from(const struct dt_screen *s, struct dt_screen_place from,
                     struct dt_buf *out)
{
	struct dt_str line;
	size_t skip;

	if (from.line == dt_screen_last(s)) {
		add_cells(s, at_most(from.column, s->count), out);
		return;
	}
	line = done_line(s, from.line);
	skip = dt_utf8_to_byte(line, from.column);
	if (skip < line.len)
		dt_buf_add(out, line.ptr + skip, line.len - skip);
}

uint64_t dt_screen_text(const struct dt_screen *s, struct dt_screen_place from,
                        size_t max, struct dt_buf *out)
{
	uint64_t last = dt_screen_last(s);
	uint64_t first = last;
	size_t bytes = s->count * 4;

	if (from.line < s->first_number)
		from = (struct dt_screen_place){ s->first_number, 0 };
	while (first > from.line) {
		bytes += done_line(s, first - 1).len + 1;
		if (bytes > max)
			break;
		first--;
	}
	if (first > from.line)
		from = (struct dt_screen_place){ first, 0 };
	for (uint64_t n = from.line; n <= last; n++) {
		add_from(s, from, out);
		if (n < last)
			dt_buf_add_char(out, '\n');
		from = (struct dt_screen_place){ n + 1, 0 };
	}
	return first;
}
