/* editor/text.c - one walk over the lines serves every question here. */
#include "editor/text.h"

#include "base/utf8.h"

#define LOOKED_AT 8000 /* bytes, for a NUL */

/* The line that begins at `at`, and where the next one begins. */
struct walk {
	struct dt_str text;
	size_t at;
	struct dt_str line;
	bool is_last;
};

static void read_line(struct walk *w)
{
	const char *begin = w->text.len ? w->text.ptr + w->at : "";
	size_t left = w->text.len - w->at;
	size_t n = 0;

	while (n < left && begin[n] != '\n' && begin[n] != '\r')
		n++;
	w->line = (struct dt_str){ begin, n };
	w->is_last = n == left;
	if (w->is_last)
		return;
	w->at += n + 1;
	if (begin[n] == '\r' && n + 1 < left && begin[n + 1] == '\n')
		w->at++;
}

bool dt_text_is_binary(struct dt_str text)
{
	size_t len = text.len < LOOKED_AT ? text.len : LOOKED_AT;

	return len && memchr(text.ptr, '\0', len);
}

uint32_t dt_text_line_count(struct dt_str text)
{
	struct walk w = { .text = text };
	uint32_t count = 0;

	do {
		read_line(&w);
		count++;
	} while (!w.is_last);
	return count;
}

struct dt_str dt_text_line(struct dt_str text, uint32_t line)
{
	struct walk w = { .text = text };

	for (uint32_t i = 0;; i++) {
		read_line(&w);
		if (i == line)
			return w.line;
		if (w.is_last)
			return (struct dt_str){ 0 };
	}
}

size_t dt_text_to_byte(struct dt_str text, struct dt_position at)
{
	struct dt_str line = dt_text_line(text, at.line);

	if (!line.ptr)
		return text.len;
	if (text.len == 0)
		return 0;
	return (size_t)(line.ptr - text.ptr) +
	       dt_utf16_to_byte(line, at.character);
}

struct dt_position dt_text_to_position(struct dt_str text, size_t byte)
{
	struct walk w = { .text = text };
	struct dt_position at = { 0 };
	size_t begin;

	for (;;) {
		begin = w.at;
		read_line(&w);
		if (w.is_last || w.at > byte)
			break;
		at.line++;
	}
	if (byte > begin + w.line.len)
		byte = begin + w.line.len;
	w.line.len = dt_utf8_cut(w.line, byte - begin);
	at.character = (uint32_t)dt_utf16_len(w.line);
	return at;
}

struct dt_str dt_text_slice(struct dt_str text, struct dt_range range)
{
	size_t start = dt_text_to_byte(text, range.start);
	size_t end = dt_text_to_byte(text, range.end);

	if (end <= start)
		return (struct dt_str){ "", 0 };
	return (struct dt_str){ text.ptr + start, end - start };
}

struct dt_position dt_text_from_person(struct dt_str text, uint32_t line,
                                       uint32_t column)
{
	struct dt_position at = { .line = line ? line - 1 : 0 };
	struct dt_str found = dt_text_line(text, at.line);

	if (!found.ptr)
		return dt_text_to_position(text, text.len);
	if (column)
		found.len = dt_utf8_to_byte(found, column - 1);
	at.character = (uint32_t)dt_utf16_len(found);
	return at;
}
