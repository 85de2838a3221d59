/* app/cmd_review_decide.c - dovetail review accept and reject, for scripts. */
#include "app/cmd_review.h"
#include "app/command.h"
#include "app/folder.h"
#include "app/remote.h"
#include "app/reviews.h"
#include "app/text.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/utf8.h"

#define WAIT_MAX 86400 /* seconds */

/* Of both commands; each has one that the other does not. */
struct options {
	bool is_next;
	struct dt_maybe_u32 wait;
	bool is_all;
	bool is_json;
	const char *text_file;
	const char *comment;
	bool is_lasting;
};

/* clang-format off */
#define WHICH_OPTIONS                                                        \
	DT_OPTION(struct options, is_next, FLAG,                             \
	          "the one that has waited longest", .name = "next"),        \
	DT_OPTION(struct options, wait, NUMBER,                              \
	          "wait this long for one to come", .name = "wait",          \
	          .value = "SECONDS"),                                       \
	DT_OPTION(struct options, is_all, FLAG,                              \
	          "--next of every workspace", .name = "all"),               \
	DT_OPTION(struct options, is_json, FLAG, "print JSON",               \
	          .name = "json")
/* clang-format on */

static const struct dt_option accept_table[] = {
	WHICH_OPTIONS,
	DT_OPTION(struct options, text_file, TEXT,
	          "accept the text of this file instead", .name = "text-file",
	          .value = "FILE"),
	DT_OPTION(struct options, comment, TEXT, "words for the agent",
	          .name = "comment", .value = "TEXT"),
	DT_OPTION(struct options, is_lasting, FLAG,
	          "allow the program of a command from now on",
	          .name = "always"),
	DT_OPTION_END,
};

static const struct dt_option reject_table[] = {
	WHICH_OPTIONS,
	DT_OPTION(struct options, comment, TEXT, "why, for the agent",
	          .name = "comment", .value = "TEXT"),
	DT_OPTION_END,
};

static enum dt_err find_next(struct dt_remote *remote,
                             const struct options *options,
                             struct dt_arena *arena, const char **out_id,
                             struct dt_fail *fail)
{
	struct dt_review_list list = { 0 };
	const struct dt_review_info *first;
	const char *folder = NULL;
	enum dt_err err = DT_E_OK;

	if (!options->is_all)
		err = dt_folder_find(arena, NULL, &folder, fail);
	if (!err && options->wait.value > 0)
		return dt_reviews_wait(remote, folder,
		                       options->wait.value * 1000, arena,
		                       out_id, fail);
	if (!err)
		err = dt_reviews_waiting(remote, folder, arena, &list, fail);
	if (err)
		return err;
	if (list.reviews.count == 0)
		return dt_fail(fail, DT_E_MISSING,
		               "no change waits; --wait SECONDS waits for one");
	first = list.reviews.ptr;
	*out_id = first->id;
	return DT_E_OK;
}

static enum dt_err check(const struct options *options, const char *id,
                         struct dt_fail *fail)
{
	bool wants_next = options->is_next || options->wait.is_set;

	if (wants_next == (id != NULL))
		return dt_fail(fail, DT_E_ARGS,
		               "say which change: either its ID or --next");
	if (options->wait.value > WAIT_MAX)
		return dt_fail(fail, DT_E_ARGS,
		               "--wait takes at most %u seconds", WAIT_MAX);
	return DT_E_OK;
}

static enum dt_err read_text(const char *path, struct dt_buf *out,
                             struct dt_fail *fail)
{
	enum dt_err err = dt_file_read(path, out, fail);

	if (!err && !dt_utf8_is_valid(dt_buf_str(out)))
		err = dt_fail(fail, DT_E_ARGS, "%s is not UTF-8 text", path);
	return err;
}

struct reply {
	const char *id;
	const char *state;
	const char *warning; /* it was decided, but something else is wrong */
};

static const struct dt_field reply_fields[] = {
	DT_FIELD(struct reply, id, NAME, DT_REQ, ""),
	DT_FIELD(struct reply, state, NAME, DT_REQ, ""),
	DT_FIELD(struct reply, warning, NAME, 0, ""),
	DT_FIELD_END,
};

static const struct dt_shape reply_shape = DT_SHAPE(struct reply, reply_fields);

/* The daemon's answer names the first file alone; a line for each is printed. */
static enum dt_err tell(struct dt_arena *arena,
                        const struct dt_review_info *review,
                        const struct dt_json *result, struct dt_fail *fail)
{
	const struct dt_review_file *files = review->entries.ptr;
	struct reply reply = { 0 };
	enum dt_err err =
		dt_shape_read(&reply_shape, arena, result, &reply, fail);

	if (!err && review->command)
		printf("%s %s\n", dt_text_safe(arena, reply.state),
		       dt_text_safe(arena, review->command));
	for (size_t i = 0; !err && i < review->entries.count; i++) {
		bool is_told = !strcmp(reply.state, "writing");

		printf("%s %s%s\n",
		       is_told ? "accepted" : dt_text_safe(arena, reply.state),
		       dt_text_safe(arena, files[i].path),
		       is_told ? "; the agent writes it" : "");
	}
	if (!err && reply.warning)
		fprintf(stderr, "dovetail: %s\n",
		        dt_text_safe(arena, reply.warning));
	return err;
}

static enum dt_err decide(const struct options *options,
                          struct dt_decision *decision, struct dt_arena *arena,
                          struct dt_fail *fail)
{
	struct dt_review_info review = { 0 };
	const struct dt_json *result;
	struct dt_remote *remote;
	enum dt_err err = dt_remote_open(&remote, fail);

	if (err)
		return err;
	if (!decision->id)
		err = find_next(remote, options, arena, &decision->id, fail);
	/* Afterwards it may be in no history. */
	if (!err)
		err = dt_reviews_get(remote, decision->id, arena, &result,
		                     fail);
	if (!err)
		err = dt_reviews_read(arena, result, &review, fail);
	if (!err)
		err = dt_reviews_decide(remote, decision, arena, &result, fail);
	if (!err && options->is_json)
		dt_remote_print(result);
	else if (!err)
		err = tell(arena, &review, result, fail);
	dt_remote_free(remote);
	return err;
}

static enum dt_err accept_change(const void *opts, char *const *args,
                                 struct dt_fail *fail)
{
	const struct options *options = opts;
	struct dt_decision decision = { .id = args[0],
		                        .is_accepted = true,
		                        .comment = options->comment,
		                        .is_lasting = options->is_lasting };
	struct dt_arena arena = { 0 };
	struct dt_buf text;
	enum dt_err err = check(options, args[0], fail);

	dt_buf_init(&text, DT_LIMIT_FILE);
	if (!err && options->text_file) {
		err = read_text(options->text_file, &text, fail);
		decision.text = text.len ? dt_buf_str(&text) : DT_STR("");
	}
	if (!err)
		err = decide(options, &decision, &arena, fail);
	dt_buf_done(&text);
	dt_arena_done(&arena);
	return err;
}

const struct dt_command dt_cmd_review_accept = {
	.name = "accept",
	.args = "[ID]",
	.summary = "Let the agent make the change",
	.doc = "Accept a change: the agent makes it. The beginning of its id is "
	       "enough.",
	.options = accept_table,
	.options_size = sizeof(struct options),
	.max_args = 1,
	.run = accept_change,
};

static enum dt_err reject_change(const void *opts, char *const *args,
                                 struct dt_fail *fail)
{
	const struct options *options = opts;
	struct dt_decision decision = { .id = args[0],
		                        .comment = options->comment };
	struct dt_arena arena = { 0 };
	enum dt_err err = check(options, args[0], fail);

	if (!err)
		err = decide(options, &decision, &arena, fail);
	dt_arena_done(&arena);
	return err;
}

const struct dt_command dt_cmd_review_reject = {
	.name = "reject",
	.args = "[ID]",
	.summary = "Turn the change down",
	.doc = "Reject a change. The beginning of its id is enough.",
	.options = reject_table,
	.options_size = sizeof(struct options),
	.max_args = 1,
	.run = reject_change,
};
