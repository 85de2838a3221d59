/* app/cmd_review_list.c - dovetail review list and show. */
#include "app/card.h"
#include "app/cmd_review.h"
#include "app/command.h"
#include "app/diff.h"
#include "app/folder.h"
#include "app/remote.h"
#include "app/reviews.h"
#include "app/settings.h"
#include "app/terminal.h"
#include "app/text.h"
#include "base/clock.h"

/* list */

struct list_options {
	bool is_all;
	bool is_json;
};

static const struct dt_option list_table[] = {
	DT_OPTION(struct list_options, is_all, FLAG, "of every workspace",
	          .name = "all"),
	DT_OPTION(struct list_options, is_json, FLAG, "print JSON",
	          .name = "json"),
	DT_OPTION_END,
};

/* What a person should know besides: ", orphaned, edited". */
static const char *state_of(struct dt_arena *arena,
                            const struct dt_review_list *list,
                            const struct dt_review_info *review)
{
	bool is_waiting = !strcmp(review->state, "waiting");
	bool has_file = review->entries.count > 0;
	const char *rank = "";
	size_t n = 0;
	size_t count = has_file ? dt_reviews_of_file(list, review, &n) : 0;

	if (count > 1)
		rank = dt_arena_printf(arena, ", %zu of %zu of this file", n,
		                       count);
	return dt_arena_printf(
		arena, "%s%s%s%s%s%s%s", is_waiting ? "" : ", ",
		is_waiting ? "" : dt_text_safe(arena, review->state),
		review->problem ? ": " : "",
		review->problem ? dt_text_safe(arena, review->problem) : "",
		dt_reviews_is_edited(review) ? ", with your edits" : "",
		dt_reviews_is_stale(review) ? ", the file has changed since"
					    : "",
		rank);
}

static void print_list(struct dt_arena *arena,
                       const struct dt_review_list *list, bool is_all)
{
	const struct dt_review_info *review = list->reviews.ptr;
	int digits = dt_reviews_id_digits(list);

	for (size_t i = 0; i < list->reviews.count; i++, review++) {
		const char *words = dt_reviews_words(arena, review);

		printf("%.*s  %s%s%s  %s, %s%s\n", digits, review->id,
		       dt_reviews_subject(arena, review),
		       is_all && review->root ? " in " : "",
		       is_all && review->root
		               ? dt_text_safe(arena, review->root)
		               : "",
		       dt_reviews_agent(arena, list, review),
		       dt_text_ago(arena, review->opened_ms,
		                   dt_clock_wall_ms()),
		       state_of(arena, list, review));
		if (words)
			printf("%*s%s\n", digits + 2, "", words);
	}
}

static enum dt_err list(const void *opts, char *const *args,
                        struct dt_fail *fail)
{
	const struct list_options *options = opts;
	struct dt_arena arena = { 0 };
	struct dt_review_list found = { 0 };
	const struct dt_json *result;
	const char *folder = NULL;
	struct dt_remote *remote = NULL;
	enum dt_err err = dt_remote_open(&remote, fail);

	(void)args;
	if (!err && !options->is_all)
		err = dt_folder_find(&arena, NULL, &folder, fail);
	if (!err)
		err = dt_reviews_list(remote, folder, &arena, &result, fail);
	if (!err)
		err = dt_reviews_read_list(&arena, result, &found, fail);
	if (!err && options->is_json)
		dt_remote_print(dt_json_get(result, "reviews"));
	else if (!err && found.reviews.count == 0 && dt_terminal_is_there())
		puts("No change waits.");
	else if (!err)
		print_list(&arena, &found, options->is_all);
	dt_remote_free(remote);
	dt_arena_done(&arena);
	return err;
}

const struct dt_command dt_cmd_review_list = {
	.name = "list",
	.summary = "The changes that wait for a verdict",
	.doc = "List the changes that wait for a verdict, the oldest first, and "
	       "before them\nthose whose agent has gone, or took them back after "
	       "you had edited them, and\nthose that were accepted and did not "
	       "get to the disk.",
	.options = list_table,
	.options_size = sizeof(struct list_options),
	.run = list,
};

/* show */

struct show_options {
	bool is_json;
};

static const struct dt_option show_table[] = {
	DT_OPTION(struct show_options, is_json, FLAG, "print JSON",
	          .name = "json"),
	DT_OPTION_END,
};

static enum dt_err show_diff(struct dt_arena *arena,
                             const struct dt_review_info *review,
                             struct dt_fail *fail)
{
	const char *words = dt_reviews_words(arena, review);
	struct dt_config *config = NULL;
	enum dt_err err = dt_settings_read(&config, fail);

	/* Whatever reads a diff passes over it. */
	if (!err && review->problem)
		printf("%s: %s\n\n", dt_text_safe(arena, review->state),
		       dt_text_safe(arena, review->problem));
	if (!err && words)
		printf("%s\n\n", words);
	if (!err)
		dt_reviews_print_settings(arena, review);
	if (!err)
		dt_reviews_print_cut(arena, review);
	if (!err)
		err = dt_diff_print(arena, review,
		                    dt_config_get(config, "review.pager"),
		                    fail);
	dt_config_free(config);
	return err;
}

static enum dt_err show(const void *opts, char *const *args,
                        struct dt_fail *fail)
{
	const struct show_options *options = opts;
	struct dt_arena arena = { 0 };
	struct dt_review_info review = { 0 };
	const struct dt_json *result;
	struct dt_remote *remote;
	enum dt_err err = dt_remote_open(&remote, fail);

	if (err)
		return err;
	err = dt_reviews_get(remote, args[0], &arena, &result, fail);
	if (!err)
		err = dt_reviews_read(&arena, result, &review, fail);
	if (!err && options->is_json)
		dt_remote_print(result);
	else if (!err && review.command)
		dt_card_print(&arena, &review);
	else if (!err)
		err = show_diff(&arena, &review, fail);
	dt_remote_free(remote);
	dt_arena_done(&arena);
	return err;
}

const struct dt_command dt_cmd_review_show = {
	.name = "show",
	.args = "ID",
	.summary = "Print one of them as a diff",
	.doc = "Print a change as a diff. The beginning of its id is enough.",
	.options = show_table,
	.options_size = sizeof(struct show_options),
	.min_args = 1,
	.max_args = 1,
	.run = show,
};
