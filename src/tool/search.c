/*
 * tool/search.c - tools ranked by words.
 *
 * People and models type parts of words in any case, so a word is found
 * wherever it stands.  There is no index: the tables are small.
 */
#include "tool/search.h"

#define SCORE_SAME 90 /* the whole name */
#define SCORE_BEGIN 40
#define SCORE_NAME 30
#define SCORE_TITLE 20
#define SCORE_GROUP 15
#define SCORE_DOC 10
#define SCORE_WORD 100 /* for each word that is there at all */

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
