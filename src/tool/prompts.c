/*
 * tool/prompts.c - the list of prompts.
 *
 * Each is written in the file of its theme.  Names and arguments are those that
 * people know from other bridges; a text says what to look at first and with
 * which tool, what to answer, and when to stop.
 */
#include "tool/prompt.h"

/* clang-format off */
#define ARGS(...) ((const struct dt_prompt_arg[]){ __VA_ARGS__, { NULL } })
#define FILE_ARG                                                             \
	{ .name = "file", .doc = "The file, by its absolute path.",          \
	  .is_required = true, .is_path = true }
#define PLACE_ARGS                                                           \
	FILE_ARG,                                                            \
	{ .name = "line", .doc = "The line, counted from 1.",                \
	  .is_required = true },                                             \
	{ .name = "column", .doc = "The column, counted from 1.",            \
	  .is_required = true }
#define VALUES(...) ((const char *const[]){ __VA_ARGS__, NULL })

const struct dt_prompt dt_prompts[] = {
#include "tool/prompts_review.def"
#include "tool/prompts_status.def"
#include "tool/prompts_code.def"
#include "tool/prompts_edit.def"
	{ 0 },
};
/* clang-format on */

const size_t dt_prompt_count = sizeof(dt_prompts) / sizeof(dt_prompts[0]) - 1;

const struct dt_prompt *dt_prompt_find(struct dt_str name)
{
	for (size_t i = 0; i < dt_prompt_count; i++) {
		if (dt_str_is(name, dt_prompts[i].name))
			return &dt_prompts[i];
	}
	return NULL;
}
