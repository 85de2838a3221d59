/*
 * tool/symbol_place.c - the name that was told, found in the text.
 *
 * The file is read as any file is, so what is kept from agents is not looked
 * into.  What a word is, is the same for all languages here: letters, digits,
 * '_', '$' and all that is not ASCII.
 */
#include "tool/symbol_place.h"

#include "base/utf8.h"
#include "editor/files.h"
#include "editor/text.h"

#include <ctype.h>

#define NEAR_LINES 10

struct settling {
	struct dt_code_place place;
	dt_symbol_fn *then;
};

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' ||
	       (unsigned char)c >= 0x80;
}

/* Of "a::b", "a.b" and "a->b" the last part. */
static struct dt_str last_part(const char *symbol)
{
	size_t len = strlen(symbol);
	size_t at = len;

	while (at > 0 && is_word(symbol[at - 1]))
		at--;
	return at < len ? (struct dt_str){ symbol + at, len - at }
	                : dt_str(symbol);
}

static size_t distance(size_t a, size_t b)
{
	return a > b ? a - b : b - a;
}

/* The word in a line that is nearest to a byte of it; false: it is not there. */
static bool find_word(struct dt_str line, struct dt_str word, size_t near,
                      size_t *out)
{
	bool is_found = false;

	for (size_t i = 0; i + word.len <= line.len; i++) {
		size_t end = i + word.len;

		if (memcmp(line.ptr + i, word.ptr, word.len) != 0 ||
		    (i > 0 && is_word(line.ptr[i - 1])) ||
		    (end < line.len && is_word(line.ptr[end])))
			continue;
		if (!is_found || distance(i, near) < distance(*out, near))
			*out = i;
		is_found = true;
	}
	return is_found;
}

static bool find_on(struct dt_str text, uint32_t line, struct dt_str word,
                    size_t near, struct dt_position *out)
{
	struct dt_str found = dt_text_line(text, line);
	size_t byte;

	if (!find_word(found, word, near, &byte))
		return false;
	*out = (struct dt_position){
		line,
		(uint32_t)dt_utf16_len((struct dt_str){ found.ptr, byte }),
	};
	return true;
}

/* By line outwards, the ones behind first; of the line by column. */
static bool find_near(struct dt_str text, const struct dt_code_place *place,
                      struct dt_str word, struct dt_position *out)
{
	uint32_t line = place->at.line;
	struct dt_str here = dt_text_line(text, line);
	size_t near = dt_utf16_to_byte(here, place->at.character);

	if (find_on(text, line, word, near, out))
		return true;
	for (uint32_t i = 1; i <= NEAR_LINES; i++) {
		if (find_on(text, line + i, word, 0, out) ||
		    (line >= i && find_on(text, line - i, word, 0, out)))
			return true;
	}
	return false;
}

static bool find_first(struct dt_str text, struct dt_str word,
                       struct dt_position *out)
{
	uint32_t line = 0;

	while (text.len > 0) {
		if (find_on(dt_str_cut(&text, '\n'), 0, word, 0, out)) {
			out->line = line;
			return true;
		}
		line++;
	}
	return false;
}

static const char *word_at(struct dt_arena *arena, struct dt_str line,
                           uint32_t character)
{
	size_t start = dt_utf16_to_byte(line, character);
	size_t end = start;

	while (start > 0 && is_word(line.ptr[start - 1]))
		start--;
	while (end < line.len && is_word(line.ptr[end]))
		end++;
	return dt_arena_strndup(arena, line.len ? line.ptr + start : "",
	                        end - start);
}

static void on_text(struct dt_call *call, const void *result)
{
	const struct dt_read_file_result *file = result;
	const struct settling *s = call->state;
	struct dt_symbol_place found = { s->place.path, s->place.at, NULL };
	const char *symbol = s->place.symbol;
	bool is_there = true;

	if (symbol && s->place.known == DT_CODE_IN_FILE)
		is_there = find_first(file->text, last_part(symbol), &found.at);
	else if (symbol)
		is_there = find_near(file->text, &s->place, last_part(symbol),
		                     &found.at);
	if (!is_there) {
		dt_call_failf(call, DT_E_MISSING,
		              "%s is not %s %s: read the file again", symbol,
		              s->place.known == DT_CODE_IN_FILE
		                      ? "in"
		                      : "near that line of",
		              s->place.path);
		return;
	}
	if (!symbol && s->place.known != DT_CODE_AT) {
		dt_call_failf(call, DT_E_ARGS,
		              "column: missing; or give the symbol");
		return;
	}
	found.name =
		word_at(call->arena, dt_text_line(file->text, found.at.line),
	                found.at.character);
	call->state = NULL;
	s->then(call, &found);
}

void dt_symbol_settle(struct dt_call *call, const struct dt_code_place *place,
                      dt_symbol_fn *then)
{
	struct settling *s = dt_arena_alloc(call->arena, sizeof(*s));
	struct dt_read_file_args read = { .path = place->path };

	s->place = *place;
	s->then = then;
	if (s->place.symbol && !*s->place.symbol)
		s->place.symbol = NULL;
	s->place.path = dt_arena_strdup(call->arena, place->path);
	call->state = s;
	dt_call_perform(call, &dt_op_read_file, &read, on_text);
}
