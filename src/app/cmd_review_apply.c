/* app/cmd_review_apply.c - dovetail review apply: a change that is not on disk. */
#include "app/cmd_review.h"
#include "app/command.h"
#include "app/diff.h"
#include "app/remote.h"
#include "app/reviews.h"
#include "app/settings.h"
#include "app/terminal.h"
#include "app/text.h"

struct options {
	bool is_sure;
	bool is_forced;
	bool is_json;
};

static const struct dt_option options_table[] = {
	DT_OPTION(struct options, is_sure, FLAG, "do not ask", .name = "yes"),
	DT_OPTION(struct options, is_forced, FLAG,
	          "although the file has changed meanwhile", .name = "force"),
	DT_OPTION(struct options, is_json, FLAG, "print JSON", .name = "json"),
	DT_OPTION_END,
};

static enum dt_err show(struct dt_arena *arena,
                        const struct dt_review_info *review,
                        struct dt_fail *fail)
{
	struct dt_config *config = NULL;
	enum dt_err err = dt_settings_read(&config, fail);

	if (!err)
		dt_reviews_print_cut(arena, review);
	if (!err)
		err = dt_diff_print(arena, review,
		                    dt_config_get(config, "review.pager"),
		                    fail);
	dt_config_free(config);
	return err;
}

/* The person sees what would be written, and says whether. */
static enum dt_err ask(struct dt_arena *arena,
                       const struct dt_review_info *review, bool *out_sure,
                       struct dt_fail *fail)
{
	enum dt_err err;
	int key;

	if (!dt_terminal_is_there())
		return dt_fail(fail, DT_E_STATE,
		               "apply asks before it writes and needs a "
		               "terminal; --yes does without");
	err = show(arena, review, fail);
	if (err)
		return err;
	if (dt_reviews_is_stale(review))
		puts("What is on disk has changed since this was proposed.");
	printf("Apply: %s? [y/n] ", dt_reviews_subject(arena, review));
	dt_terminal_begin_keys();
	do {
		key = dt_terminal_key(-1);
	} while (key != 'y' && key != 'n' && key != 'q' && key != DT_KEY_END);
	dt_terminal_end_keys();
	puts(key == 'y' ? "yes" : "no");
	*out_sure = key == 'y';
	return DT_E_OK;
}

static enum dt_err send(struct dt_remote *remote, const struct options *options,
                        const char *id, struct dt_arena *arena,
                        struct dt_fail *fail)
{
	struct dt_json_out *params = dt_remote_begin(remote);
	const struct dt_json *result;
	enum dt_err err;

	dt_remote_put(params, "id", id);
	dt_json_key(params, "isForced");
	dt_json_put_bool(params, options->is_forced);
	err = dt_remote_call(remote, "review/apply", arena, &result, fail);
	if (!err && options->is_json)
		dt_remote_print(result);
	return err;
}

static void print_done(struct dt_arena *arena,
                       const struct dt_review_info *review)
{
	const struct dt_review_file *files = review->entries.ptr;

	for (size_t i = 0; i < review->entries.count; i++) {
		const struct dt_review_file *file = &files[i];

		printf("%s %s\n",
		       !strcmp(file->kind, "delete") ? "deleted" : "written",
		       dt_text_safe(arena, file->new_path ? file->new_path
		                                          : file->path));
	}
}

static enum dt_err apply(const struct options *options,
                         struct dt_remote *remote, const char *id,
                         struct dt_arena *arena, struct dt_fail *fail)
{
	struct dt_review_info review = { 0 };
	const struct dt_json *result;
	bool is_sure = options->is_sure;
	enum dt_err err = dt_reviews_get(remote, id, arena, &result, fail);

	if (!err)
		err = dt_reviews_read(arena, result, &review, fail);
	if (!err && review.command)
		err = dt_fail(fail, DT_E_STATE,
		              "%.8s is a command: it runs only while its agent "
		              "waits, and cannot be applied later",
		              review.id);
	if (err)
		return err;
	/* What will be refused anyway is not asked about. */
	if (!is_sure && strcmp(review.state, "rejected") != 0 &&
	    strcmp(review.state, "waiting") != 0 &&
	    (!dt_reviews_is_stale(&review) || options->is_forced)) {
		err = ask(arena, &review, &is_sure, fail);
		if (err || !is_sure)
			return err;
	}
	err = send(remote, options, review.id, arena, fail);
	if (!err && !options->is_json)
		print_done(arena, &review);
	return err;
}

static enum dt_err run(const void *opts, char *const *args,
                       struct dt_fail *fail)
{
	struct dt_arena arena = { 0 };
	struct dt_remote *remote;
	enum dt_err err = dt_remote_open(&remote, fail);

	if (err)
		return err;
	err = apply(opts, remote, args[0], &arena, fail);
	dt_remote_free(remote);
	dt_arena_done(&arena);
	return err;
}

const struct dt_command dt_cmd_review_apply = {
	.name = "apply",
	.args = "ID",
	.summary = "Write a change that is not on disk",
	.doc = "Write a change whose agent has gone or took it back to its file, "
	       "with your\nedits if there are any; or one that was accepted and "
	       "is not on disk as it was.\nA file that has changed meanwhile is "
	       "left alone.",
	.options = options_table,
	.options_size = sizeof(struct options),
	.min_args = 1,
	.max_args = 1,
	.run = run,
};
