/*
 * backend/code_place.c - positions a little off, put right.
 *
 * All is done in bytes of the text and turned into a position once: a file may
 * be one long line.  A word is letters, digits, '_', '$' and whatever is not
 * ASCII; what a language calls a name is the server's to know.
 */
#include "backend/code_place.h"

#include "editor/text.h"

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_' || c == '$' ||
	       (unsigned char)c >= 0x80;
}

static bool is_word_at(struct dt_str text, size_t at)
{
	return at < text.len && is_word(text.ptr[at]);
}

static bool is_blank_at(struct dt_str text, size_t at)
{
	return at >= text.len || text.ptr[at] == ' ' || text.ptr[at] == '\t' ||
	       text.ptr[at] == '\n' || text.ptr[at] == '\r';
}

/* Where the word begins that covers this byte or ends before it. */
static size_t word_start(struct dt_str text, size_t at)
{
	while (at > 0 && is_word(text.ptr[at - 1]))
		at--;
	return at;
}

static size_t word_end(struct dt_str text, size_t at)
{
	while (is_word_at(text, at))
		at++;
	return at;
}

/* The part of a qualified name that a position can be on. */
static struct dt_str last_part(const char *symbol)
{
	struct dt_str name = dt_str(symbol);
	size_t at = name.len;

	/* "operator+" and such have no word at their end and stay whole. */
	while (at > 0 && is_word(name.ptr[at - 1]))
		at--;
	if (at == name.len)
		return name;
	return (struct dt_str){ name.ptr + at, name.len - at };
}

static bool is_whole(struct dt_str text, size_t at, struct dt_str name)
{
	bool begins =
		!is_word(name.ptr[0]) || at == 0 || !is_word(text.ptr[at - 1]);
	bool ends = !is_word(name.ptr[name.len - 1]) ||
	            !is_word_at(text, at + name.len);

	return begins && ends;
}

/* The nearest occurrence of a name to `near` in a stretch of the text; false:
 * there is none. */
static bool find_nearest(struct dt_str text, struct dt_str name, size_t near,
                         struct dt_str stretch, size_t *out)
{
	const char *end = stretch.ptr + stretch.len;
	const char *hit = stretch.ptr;
	size_t best = SIZE_MAX;

	while (hit < end &&
	       (hit = memmem(hit, (size_t)(end - hit), name.ptr, name.len))) {
		size_t at = (size_t)(hit - text.ptr);
		size_t away = at > near ? at - near : near - at;

		if (is_whole(text, at, name) && away < best) {
			best = away;
			*out = at;
		}
		hit++;
	}
	return best != SIZE_MAX;
}

/* A line and so many around it. */
static struct dt_str stretch_of(struct dt_str text, uint32_t line,
                                uint32_t around)
{
	struct dt_position first = { .line = line > around ? line - around
		                                           : 0 };
	struct dt_position end = { .line = line + around + 1 };
	size_t from = dt_text_to_byte(text, first);

	return (struct dt_str){ text.ptr + from,
		                dt_text_to_byte(text, end) - from };
}

static void move(struct dt_str text, size_t byte, const char *note,
                 struct dt_code_place *place, struct dt_code_moved *moved)
{
	place->at = dt_text_to_position(text, byte);
	moved->at = place->at;
	moved->note = note;
}

static enum dt_err settle_anywhere(struct dt_str text,
                                   struct dt_code_place *place,
                                   struct dt_code_moved *moved,
                                   struct dt_fail *fail)
{
	struct dt_str name = last_part(place->symbol);
	size_t found;

	if (!find_nearest(text, name, 0, text, &found))
		return dt_fail(fail, DT_E_MISSING,
		               "%.*s is nowhere in this file",
		               DT_STR_ARG(name));
	move(text, found, "this is the first one in the file", place, moved);
	return DT_E_OK;
}

static enum dt_err settle_symbol(struct dt_arena *arena, struct dt_str text,
                                 struct dt_code_place *place,
                                 struct dt_code_moved *moved,
                                 struct dt_fail *fail)
{
	struct dt_str name = last_part(place->symbol);
	size_t near = dt_text_to_byte(text, place->at);
	size_t start = word_start(text, near);
	uint32_t count = dt_text_line_count(text);
	uint32_t line = place->at.line < count ? place->at.line : count;
	size_t found;

	if (place->known == DT_CODE_IN_FILE)
		return settle_anywhere(text, place, moved, fail);
	if (place->known == DT_CODE_ON_LINE &&
	    find_nearest(text, name, near, stretch_of(text, line, 0), &found)) {
		place->at = dt_text_to_position(text, found);
		return DT_E_OK;
	}
	if (text.len - start >= name.len &&
	    !memcmp(text.ptr + start, name.ptr, name.len) &&
	    is_whole(text, start, name) && line < count)
		return DT_E_OK;
	if (find_nearest(text, name, near, stretch_of(text, line, 0), &found) ||
	    find_nearest(text, name, near,
	                 stretch_of(text, line, DT_CODE_NEAR_LINES), &found)) {
		move(text, found,
		     dt_arena_printf(arena,
		                     "%.*s is not at the place that was given; "
		                     "this is the nearest one",
		                     DT_STR_ARG(name)),
		     place, moved);
		return DT_E_OK;
	}
	if (find_nearest(text, name, near, text, &found))
		return dt_fail(fail, DT_E_MISSING,
		               "%.*s is not within %u lines of line %u; the "
		               "nearest one is on line %u",
		               DT_STR_ARG(name), DT_CODE_NEAR_LINES,
		               place->at.line + 1,
		               dt_text_to_position(text, found).line + 1);
	return dt_fail(fail, DT_E_MISSING, "%.*s is nowhere in this file",
	               DT_STR_ARG(name));
}

static enum dt_err check_line(struct dt_str text,
                              const struct dt_code_place *place,
                              struct dt_fail *fail)
{
	uint32_t count = dt_text_line_count(text);

	if (place->at.line < count)
		return DT_E_OK;
	return dt_fail(fail, DT_E_ARGS, "there is no line %u: the file has %u",
	               place->at.line + 1, count);
}

static void settle_blank(struct dt_str text, struct dt_code_place *place,
                         struct dt_code_moved *moved)
{
	size_t at = dt_text_to_byte(text, place->at);
	size_t next = at;

	/* A column behind the end of the line is the end. */
	place->at = dt_text_to_position(text, at);
	if (!is_blank_at(text, at))
		return;
	if (at > 0 && is_word(text.ptr[at - 1])) {
		move(text, word_start(text, at),
		     "there is a blank; this is the word before it", place,
		     moved);
		return;
	}
	while (next < text.len &&
	       (text.ptr[next] == ' ' || text.ptr[next] == '\t'))
		next++;
	if (next > at && is_word_at(text, next))
		move(text, next,
		     place->known == DT_CODE_ON_LINE
		             ? "this is the first word of the line"
		             : "there is a blank; this is the word behind it",
		     place, moved);
}

enum dt_err dt_code_settle(struct dt_arena *arena, struct dt_str text,
                           struct dt_code_place *place,
                           struct dt_code_moved *moved, struct dt_fail *fail)
{
	enum dt_err err = DT_E_OK;

	if (place->symbol && *place->symbol)
		return settle_symbol(arena, text, place, moved, fail);
	err = check_line(text, place, fail);
	if (!err)
		settle_blank(text, place, moved);
	return err;
}

enum dt_err dt_code_settle_call(struct dt_arena *arena, struct dt_str text,
                                struct dt_code_place *place,
                                struct dt_code_moved *moved,
                                struct dt_fail *fail)
{
	bool has_symbol = place->symbol && *place->symbol;
	size_t at;
	enum dt_err err =
		has_symbol ? settle_symbol(arena, text, place, moved, fail)
			   : check_line(text, place, fail);

	if (err)
		return err;
	at = dt_text_to_byte(text, place->at);
	if (!is_word_at(text, at))
		return DT_E_OK;
	at = word_end(text, at);
	while (at < text.len && (text.ptr[at] == ' ' || text.ptr[at] == '\t'))
		at++;
	if (at < text.len && text.ptr[at] == '(')
		move(text, at + 1, "this is inside the parentheses of the call",
		     place, moved);
	return DT_E_OK;
}

#define CALL_MAX (64u * 1024) /* bytes that a call is looked for in */

/* The bracket that opens what ends before `end`, or `end` itself. */
static size_t skip_back(struct dt_str text, size_t end)
{
	size_t least = end > CALL_MAX ? end - CALL_MAX : 0;
	unsigned depth = 0;

	for (size_t i = end; i > least; i--) {
		char c = text.ptr[i - 1];

		depth += c == '>';
		depth -= c == '<' && depth > 0;
		if (depth == 0)
			return i - 1;
	}
	return end;
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* What stands before a parenthesis: blanks, type arguments, and the marks that
 * some languages put between a name and its call. */
static size_t name_before(struct dt_str text, size_t at)
{
	bool has_moved = true;

	while (at > 0 && has_moved) {
		char c = text.ptr[at - 1];
		size_t next = c == '>' ? skip_back(text, at) : at;

		has_moved = is_space(c) || (c && strchr("?.!:->", c));
		if (has_moved)
			at = next < at ? next : at - 1;
	}
	return at;
}

struct dt_position dt_code_callee(struct dt_str text, struct dt_position at)
{
	size_t from = dt_text_to_byte(text, at);
	size_t least = from > CALL_MAX ? from - CALL_MAX : 0;
	unsigned depth = 0;

	for (size_t i = from; i > least; i--) {
		char c = text.ptr[i - 1];

		if (c == ')' || c == ']' || c == '}')
			depth++;
		else if (depth > 0 && (c == '(' || c == '[' || c == '{'))
			depth--;
		else if (depth == 0 && c == '(') {
			size_t name = name_before(text, i - 1);

			return dt_text_to_position(text, name ? name - 1 : 0);
		}
	}
	return at;
}
