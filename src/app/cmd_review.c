/*
 * app/cmd_review.c - dovetail review: the changes that wait, one after the
 * other, shown and decided with one key each.
 *
 * The queue is here: which change comes next, waiting when there is none, a
 * daemon that goes away and comes back.  What happens to one change is
 * judge.c's.
 */
#include "app/cmd_review.h"

#include "app/folder.h"
#include "app/judge.h"
#include "app/program.h"
#include "app/settings.h"
#include "app/terminal.h"
#include "app/text.h"
#include "base/clock.h"

#include <time.h>

#define COMING_BACK_MS 15000 /* its parent has brought it back by then */

#define LISTEN_MS 250 /* how late a key is seen while none waits */

struct options {
	bool is_all;
	bool is_watch;
};

static const struct dt_option options_table[] = {
	DT_OPTION(struct options, is_all, FLAG, "of every workspace",
	          .name = "all"),
	DT_OPTION(struct options, is_watch, FLAG,
	          "ring the terminal's bell when a change comes",
	          .name = "watch"),
	DT_OPTION_END,
};

/* The one behind `after` in the list, the first one behind the last. */
static size_t pick(const struct dt_review_list *list, const char *after)
{
	const struct dt_review_info *reviews = list->reviews.ptr;

	for (size_t i = 0; i + 1 < list->reviews.count; i++) {
		if (!strcmp(reviews[i].id, after))
			return i + 1;
	}
	return 0;
}

/* Wait until something waits, or until the person has enough. */
static enum dt_err listen(struct dt_judge *judge, struct dt_arena *arena,
                          bool *out_quit, struct dt_fail *fail)
{
	enum dt_err err = DT_E_TIMEOUT;
	struct dt_fail why = { 0 };

	dt_terminal_begin_keys();
	while (err == DT_E_TIMEOUT && !*out_quit) {
		const char *id;
		int key = dt_terminal_key(0);

		*out_quit = key == 'q' || key == DT_KEY_END;
		if (key == DT_KEY_NONE)
			err = dt_reviews_wait(judge->remote, judge->folder,
			                      LISTEN_MS, arena, &id, &why);
	}
	dt_terminal_end_keys();
	if (*out_quit)
		return DT_E_OK;
	if (!err && judge->has_bell)
		dt_terminal_bell();
	return err ? dt_fail(fail, err, "%s", why.msg) : DT_E_OK;
}

static enum dt_err wait_for_one(struct dt_judge *judge, struct dt_arena *arena,
                                bool *out_quit, struct dt_fail *fail)
{
	printf("No change waits%s%s. Waiting for the next; q ends.\n",
	       judge->folder ? " in " : "",
	       judge->folder ? dt_text_safe(arena, judge->folder) : "");
	return listen(judge, arena, out_quit, fail);
}

/* One change from the list; `after` is the id of the one put off before. */
static enum dt_err take_one(struct dt_judge *judge, char after[DT_JUDGE_ID],
                            bool *out_quit, struct dt_fail *fail)
{
	struct dt_arena arena = { 0 };
	struct dt_review_list list = { 0 };
	const struct dt_review_info *next;
	enum dt_step step = DT_STEP_DONE;
	enum dt_err err;

	err = dt_reviews_waiting(judge->remote, judge->folder, &arena, &list,
	                         fail);
	if (!err && list.reviews.count == 0) {
		err = wait_for_one(judge, &arena, out_quit, fail);
	} else if (!err) {
		judge->queue = &list;
		judge->position = pick(&list, after);
		next = list.reviews.ptr;
		next += judge->position;
		if (!strcmp(next->id, after))
			puts("No other change waits.");
		snprintf(after, DT_JUDGE_ID, "%s", next->id);
		err = dt_judge_review(judge, &step, fail);
		if (step != DT_STEP_NEXT)
			after[0] = '\0';
		*out_quit = step == DT_STEP_QUIT;
	}
	dt_arena_done(&arena);
	return err;
}

/* Those nobody waits for are not asked about, but should be known of. */
static enum dt_err tell_orphans(struct dt_judge *judge, struct dt_fail *fail)
{
	struct dt_arena arena = { 0 };
	struct dt_review_list list = { 0 };
	const struct dt_review_info *reviews;
	const struct dt_json *result;
	size_t count = 0;
	enum dt_err err = dt_reviews_list(judge->remote, judge->folder, &arena,
	                                  &result, fail);

	if (!err)
		err = dt_reviews_read_list(&arena, result, &list, fail);
	reviews = list.reviews.ptr;
	for (size_t i = 0; i < list.reviews.count; i++)
		count += strcmp(reviews[i].state, "waiting") != 0;
	if (!err && count > 0)
		printf("%s without an agent: `%s review list` has %s.\n",
		       count == 1
		               ? "1 change is left"
		               : dt_arena_printf(&arena, "%zu changes are left",
		                                 count),
		       dt_program_name(&arena), count == 1 ? "it" : "them");
	dt_arena_done(&arena);
	return err;
}

static enum dt_err reconnect(struct dt_judge *judge, struct dt_fail *fail)
{
	const struct timespec nap = { .tv_nsec = 200000000 };
	uint64_t until = dt_clock_ms() + COMING_BACK_MS;
	enum dt_err err;

	puts("The daemon went away. Waiting for it to come back.");
	dt_remote_free(judge->remote);
	judge->remote = NULL;
	do {
		nanosleep(&nap, NULL);
		err = dt_remote_open(&judge->remote, NULL);
	} while (err && dt_clock_ms() < until);
	if (err)
		return dt_fail(fail, DT_E_CLOSED,
		               "the daemon did not come back; `dovetail start` "
		               "starts it");
	return DT_E_OK;
}

static enum dt_err take_all(struct dt_judge *judge, struct dt_fail *fail)
{
	char after[DT_JUDGE_ID] = "";
	bool is_quit = false;
	enum dt_err err = DT_E_OK;

	while (!err && !is_quit) {
		struct dt_fail why = { 0 };

		err = take_one(judge, after, &is_quit, &why);
		if (err == DT_E_CLOSED)
			err = reconnect(judge, fail);
		else if (err)
			dt_fail(fail, err, "%s", why.msg);
	}
	return err;
}

static enum dt_err run(const void *opts, char *const *args,
                       struct dt_fail *fail)
{
	const struct options *options = opts;
	struct dt_judge judge = { 0 };
	enum dt_err err;

	(void)args;
	if (!dt_terminal_is_there())
		return dt_fail(fail, DT_E_STATE,
		               "review needs a terminal; scripts use `dovetail "
		               "review list` and `review accept`");
	err = dt_settings_read(&judge.config, fail);
	if (!err)
		err = dt_remote_open(&judge.remote, fail);
	if (!err && !options->is_all)
		err = dt_folder_find(&judge.arena, NULL, &judge.folder, fail);
	judge.has_bell = options->is_watch;
	if (!err)
		err = tell_orphans(&judge, fail);
	if (!err)
		err = take_all(&judge, fail);
	if (judge.base)
		printf("Your edits are kept in %s\n", judge.base);
	dt_remote_free(judge.remote);
	dt_config_free(judge.config);
	dt_arena_done(&judge.arena);
	return err;
}

static const struct dt_command *const subcommands[] = {
	&dt_cmd_review_list,   &dt_cmd_review_show,  &dt_cmd_review_accept,
	&dt_cmd_review_reject, &dt_cmd_review_apply, NULL,
};

const struct dt_command dt_cmd_review = {
	.name = "review",
	.args = "[COMMAND]",
	.summary = "Decide the changes agents propose",
	.doc = "Show each change that waits as a diff, and ask what to do with it: "
	       "accept it,\nedit it first, take parts of it, or reject it. Waits "
	       "for more until you\nquit.",
	.options = options_table,
	.options_size = sizeof(struct options),
	.subcommands = subcommands,
	.run = run,
};
