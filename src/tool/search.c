/*
 * tool/search.c - tools ranked by words, and names that were mistyped.
 *
 * People and models type parts of words in any case, so a word is found
 * wherever it stands.  There is no index: the tables are small.
 */
#include "tool/search.h"

#include <stddef.h>
#include <stdint.h>

#define SCORE_SAME 90 /* the whole name */
#define SCORE_BEGIN 40
#define SCORE_NAME 30
#define SCORE_TITLE 20
#define SCORE_GROUP 15
#define SCORE_DOC 10
#define SCORE_WORD 100 /* for each word that is there at all */
#define SLIP_NAME 64   /* longer names are not compared */
#define SLIP_SHARE 4   /* one slip for so many characters */

static bool has(struct dt_str text, struct dt_str word)
{
	for (size_t i = 0; i + word.len <= text.len; i++) {
		if (dt_str_eq_nocase((struct dt_str){ text.ptr + i, word.len },
		                     word))
			return true;
	}
	return false;
}

static bool begins(struct dt_str text, struct dt_str word)
{
	return text.len >= word.len &&
	       dt_str_eq_nocase((struct dt_str){ text.ptr, word.len }, word);
}

static unsigned score_word(const struct dt_tool *tool, const char *group,
                           struct dt_str word)
{
	struct dt_str name = dt_str(tool->name);

	if (dt_str_eq_nocase(name, word))
		return SCORE_SAME;
	if (begins(name, word))
		return SCORE_BEGIN;
	if (has(name, word))
		return SCORE_NAME;
	if (has(dt_str(tool->title), word))
		return SCORE_TITLE;
	if (has(dt_str(group), word))
		return SCORE_GROUP;
	return has(dt_str(tool->doc), word) ? SCORE_DOC : 0;
}

unsigned dt_tool_score(const struct dt_tool *tool, const char *group,
                       struct dt_str query)
{
	unsigned score = 0;
	bool is_empty = true;

	while (query.len) {
		struct dt_str word = dt_str_cut(&query, ' ');
		unsigned found;

		if (word.len == 0)
			continue;
		is_empty = false;
		found = score_word(tool, group, word);
		if (found)
			score += SCORE_WORD + found;
	}
	return is_empty ? 1 : score;
}

static size_t least(size_t a, size_t b, size_t c)
{
	size_t ab = a < b ? a : b;

	return ab < c ? ab : c;
}

/* Levenshtein's distance, row by row. */
static size_t distance(struct dt_str a, struct dt_str b)
{
	size_t row[SLIP_NAME + 1];

	for (size_t k = 0; k <= b.len; k++)
		row[k] = k;
	for (size_t i = 1; i <= a.len; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t k = 1; k <= b.len; k++) {
			size_t above = row[k];
			bool is_same = dt_str_eq_nocase(
				(struct dt_str){ a.ptr + i - 1, 1 },
				(struct dt_str){ b.ptr + k - 1, 1 });

			row[k] = least(above + 1, row[k - 1] + 1,
			               diagonal + !is_same);
			diagonal = above;
		}
	}
	return row[b.len];
}

size_t dt_tool_slip(const char *name, struct dt_str typed)
{
	struct dt_str whole = dt_str(name);
	size_t found;

	if (typed.len > SLIP_NAME || whole.len > SLIP_NAME)
		return SIZE_MAX;
	found = distance(whole, typed);
	return found <= 1 + whole.len / SLIP_SHARE ? found : SIZE_MAX;
}
