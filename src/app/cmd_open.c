/* app/cmd_open.c - dovetail open, select and mention: context for an agent. */
#include "app/command.h"
#include "app/folder.h"
#include "app/remote.h"
#include "app/target.h"
#include "app/text.h"

static void put_number(struct dt_json_out *out, const char *name,
                       uint32_t number)
{
	dt_json_key(out, name);
	dt_json_put_int(out, number);
}

/* Begin parameters with where the person is: a file outside of every workspace
 * belongs to that one. */
static enum dt_err begin(struct dt_remote *remote, struct dt_arena *arena,
                         struct dt_json_out **out, struct dt_fail *fail)
{
	const char *folder;
	enum dt_err err = dt_folder_find(arena, NULL, &folder, fail);

	if (err)
		return err;
	*out = dt_remote_begin(remote);
	dt_remote_put(*out, "folder", folder);
	return DT_E_OK;
}

struct view_reply {
	const char *withheld;
};

static const struct dt_field view_fields[] = {
	DT_FIELD(struct view_reply, withheld, NAME, 0, ""),
	DT_FIELD_END,
};

static const struct dt_shape view_shape =
	DT_SHAPE(struct view_reply, view_fields);

/* Have it done, and say so when no agent hears of it. */
static enum dt_err show(struct dt_remote *remote, struct dt_arena *arena,
                        const char *method, struct dt_fail *fail)
{
	struct view_reply reply = { 0 };
	enum dt_err err = dt_remote_fetch(remote, method, arena, &view_shape,
	                                  &reply, fail);

	if (!err && reply.withheld)
		printf("No agent is told: %s.\n",
		       dt_text_safe(arena, reply.withheld));
	return err;
}

/* open */

static enum dt_err send_open(struct dt_remote *remote, struct dt_arena *arena,
                             const struct dt_target *target,
                             struct dt_fail *fail)
{
	struct dt_json_out *out;
	enum dt_err err = begin(remote, arena, &out, fail);

	if (err)
		return err;
	dt_remote_put(out, "path", target->path);
	if (target->start.line)
		put_number(out, "line", target->start.line);
	if (target->start.column)
		put_number(out, "column", target->start.column);
	return show(remote, arena, "open", fail);
}

static enum dt_err open_file(const void *options, char *const *args,
                             struct dt_fail *fail)
{
	struct dt_arena arena = { 0 };
	struct dt_target target = { 0 };
	struct dt_remote *remote = NULL;
	enum dt_err err = dt_target_read(&arena, args[0], &target, fail);

	(void)options;
	if (!err && target.end.line)
		err = dt_fail(
			fail, DT_E_ARGS,
			"open takes one position; `dovetail select` takes "
			"a range");
	if (!err)
		err = dt_remote_open(&remote, fail);
	if (!err)
		err = send_open(remote, &arena, &target, fail);
	dt_remote_free(remote);
	dt_arena_done(&arena);
	return err;
}

const struct dt_command dt_cmd_open = {
	.name = "open",
	.args = "FILE[:LINE[:COLUMN]]",
	.summary = "Open a file",
	.doc = "Open a file, as if in an editor: agents are told that it is the "
	       "active one.\nLines and columns count from 1.",
	.min_args = 1,
	.max_args = 1,
	.run = open_file,
};

/* select */

struct select_options {
	bool is_clear;
};

static const struct dt_option select_table[] = {
	DT_OPTION(struct select_options, is_clear, FLAG, "select nothing",
	          .name = "clear"),
	DT_OPTION_END,
};

static enum dt_err read_range(struct dt_arena *arena, const char *text,
                              struct dt_target *out, struct dt_fail *fail)
{
	enum dt_err err = dt_target_read(arena, text, out, fail);

	if (err)
		return err;
	if (!out->start.line || (out->start.column && !out->end.line))
		return dt_fail(fail, DT_E_ARGS,
		               "say what to select: FILE:LINE[:COLUMN]-LINE"
		               "[:COLUMN]");
	if (!out->start.column)
		out->start.column = 1;
	if (!out->end.line)
		out->end.line = out->start.line;
	return DT_E_OK;
}

static enum dt_err write_selection(struct dt_remote *remote,
                                   struct dt_arena *arena, const char *text,
                                   struct dt_fail *fail)
{
	struct dt_target target = { 0 };
	struct dt_json_out *out;
	enum dt_err err = read_range(arena, text, &target, fail);

	if (!err)
		err = begin(remote, arena, &out, fail);
	if (err)
		return err;
	dt_remote_put(out, "path", target.path);
	put_number(out, "startLine", target.start.line);
	put_number(out, "startColumn", target.start.column);
	put_number(out, "endLine", target.end.line);
	put_number(out, "endColumn", target.end.column);
	return DT_E_OK;
}

static enum dt_err write_clear(struct dt_remote *remote, struct dt_arena *arena,
                               struct dt_fail *fail)
{
	struct dt_json_out *out;
	enum dt_err err = begin(remote, arena, &out, fail);

	if (err)
		return err;
	dt_json_key(out, "clear");
	dt_json_put_bool(out, true);
	return DT_E_OK;
}

static enum dt_err select_range(const void *opts, char *const *args,
                                struct dt_fail *fail)
{
	const struct select_options *options = opts;
	struct dt_arena arena = { 0 };
	struct dt_remote *remote;
	enum dt_err err;

	if (options->is_clear != !args[0])
		return dt_fail(fail, DT_E_ARGS,
		               "select takes either FILE:RANGE or --clear");
	err = dt_remote_open(&remote, fail);
	if (err)
		return err;
	if (options->is_clear)
		err = write_clear(remote, &arena, fail);
	else
		err = write_selection(remote, &arena, args[0], fail);
	if (!err)
		err = show(remote, &arena, "select", fail);
	dt_remote_free(remote);
	dt_arena_done(&arena);
	return err;
}

const struct dt_command dt_cmd_select = {
	.name = "select",
	.args = "FILE:LINE[:COLUMN]-LINE[:COLUMN]",
	.summary = "Select text for the agents",
	.doc = "Select text, as if in an editor: the agent sees it with the next "
	       "prompt. Lines\nand columns count from 1; the last column is not "
	       "part of the selection, and\nwithout it the whole line is. "
	       "FILE:LINE selects one line.",
	.options = select_table,
	.options_size = sizeof(struct select_options),
	.max_args = 1,
	.run = select_range,
};

/* mention */

struct mention_options {
	const char *agent;
};

static const struct dt_option mention_table[] = {
	DT_OPTION(struct mention_options, agent, TEXT,
	          "who is told; default: whom you prompted last",
	          .name = "agent", .value = "AGENT"),
	DT_OPTION_END,
};

struct mention_reply {
	const char *agent;
	bool is_waiting;
};

static const struct dt_field mention_fields[] = {
	DT_FIELD(struct mention_reply, agent, NAME, 0, ""),
	DT_FIELD_AS("isWaiting", struct mention_reply, is_waiting, BOOL, 0, ""),
	DT_FIELD_END,
};

static const struct dt_shape mention_shape =
	DT_SHAPE(struct mention_reply, mention_fields);

static enum dt_err send_mention(struct dt_remote *remote,
                                struct dt_arena *arena,
                                const struct dt_target *target,
                                const char *agent, struct dt_fail *fail)
{
	struct mention_reply reply = { 0 };
	struct dt_json_out *out;
	enum dt_err err = begin(remote, arena, &out, fail);

	if (err)
		return err;
	dt_remote_put(out, "path", target->path);
	if (target->start.line) {
		put_number(out, "firstLine", target->start.line);
		put_number(out, "lastLine",
		           target->end.line ? target->end.line
		                            : target->start.line);
	}
	dt_remote_put(out, "agent", agent);
	err = dt_remote_fetch(remote, "mention", arena, &mention_shape, &reply,
	                      fail);
	if (!err && reply.is_waiting && agent)
		printf("%s is not connected; it is told when it comes within a "
		       "minute.\n",
		       dt_text_safe(arena, agent));
	else if (!err && reply.is_waiting)
		puts("No agent is connected yet; the first one within a minute "
		     "is told.");
	else if (!err && reply.agent)
		printf("Told %s.\n", dt_text_safe(arena, reply.agent));
	return err;
}

static enum dt_err mention(const void *opts, char *const *args,
                           struct dt_fail *fail)
{
	const struct mention_options *options = opts;
	struct dt_arena arena = { 0 };
	struct dt_target target = { 0 };
	struct dt_remote *remote = NULL;
	enum dt_err err = dt_target_read(&arena, args[0], &target, fail);

	if (!err && (target.start.column || target.end.column))
		err = dt_fail(fail, DT_E_ARGS,
		              "a mention has lines only: FILE[:LINE[-LINE]]");
	if (!err)
		err = dt_remote_open(&remote, fail);
	if (!err)
		err = send_mention(remote, &arena, &target, options->agent,
		                   fail);
	dt_remote_free(remote);
	dt_arena_done(&arena);
	return err;
}

const struct dt_command dt_cmd_mention = {
	.name = "mention",
	.args = "FILE[:LINE[-LINE]]",
	.summary = "Mention a file to an agent",
	.doc = "Put a file, or lines of it, into the prompt of one agent.",
	.options = mention_table,
	.options_size = sizeof(struct mention_options),
	.min_args = 1,
	.max_args = 1,
	.run = mention,
};
