/*
 * hub/config_globs.c - lists of patterns, word by word.
 *
 * Lines add up: of two lines that keep something from agents, the second must
 * not undo the first.  What the patterns are held against is for their readers.
 */
#include "hub/config_globs.h"

#include "base/glob.h"

#include <stdlib.h>

enum dt_err dt_config_globs_check(struct dt_str words, struct dt_fail *fail)
{
	enum dt_err err = DT_E_OK;

	for (struct dt_str word = dt_str_cut_word(&words); !err && word.len > 0;
	     word = dt_str_cut_word(&words))
		err = dt_glob_check_path(word, fail);
	return err;
}

void dt_config_globs_add(struct dt_config_globs *globs, struct dt_str words,
                         const struct dt_config_glob *where)
{
	for (struct dt_str word = dt_str_cut_word(&words); word.len > 0;
	     word = dt_str_cut_word(&words)) {
		struct dt_config_glob *glob;

		globs->list = dt_realloc(
			globs->list, (globs->count + 1) * sizeof(*globs->list));
		glob = &globs->list[globs->count++];
		*glob = *where;
		glob->text = dt_strndup(word.ptr, word.len);
		glob->file = dt_strdup(where->file);
	}
}

void dt_config_globs_done(struct dt_config_globs *globs)
{
	for (size_t i = 0; i < globs->count; i++) {
		free((char *)(uintptr_t)globs->list[i].text);
		free((char *)(uintptr_t)globs->list[i].file);
	}
	free(globs->list);
	*globs = (struct dt_config_globs){ 0 };
}
