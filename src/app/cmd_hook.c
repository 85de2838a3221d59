/*
 * app/cmd_hook.c - dovetail hook claude: what Claude Code runs before an edit.
 *
 * Whatever goes wrong here must not stop the agent: without an answer from the
 * daemon nothing is printed, and the CLI goes on as it would without us.  Its
 * exit code is then 1, which the CLI shows to the person and passes over.
 */
#include "app/cmd_hook.h"

#include "app/daemon_start.h"
#include "base/buf.h"
#include "base/limits.h"
#include "hub/env.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static enum dt_err read_stdin(struct dt_buf *out, struct dt_fail *fail)
{
	for (;;) {
		char *room = dt_buf_reserve(out, 64u * DT_KIB);
		ssize_t n;

		if (!room)
			return dt_buf_check(out, "the hook's input", fail);
		n = read(STDIN_FILENO, room, 64u * DT_KIB);
		if (n == 0)
			return DT_E_OK;
		if (n > 0)
			dt_buf_grew(out, (size_t)n);
		else if (errno != EINTR)
			return dt_fail_sys(fail,
			                   "cannot read the hook's input");
	}
}

struct reply {
	struct dt_str output;
};
static const struct dt_field reply_fields[] = {
	DT_FIELD(struct reply, output, STR, DT_REQ, ""),
	DT_FIELD_END,
};
static const struct dt_shape reply_shape = DT_SHAPE(struct reply, reply_fields);

static enum dt_err ask(struct dt_str input, struct dt_arena *arena,
                       struct reply *out, struct dt_fail *fail)
{
	struct dt_remote *remote;
	struct dt_json_out *params;
	enum dt_err err = dt_daemon_reach(&remote, fail);

	if (err)
		return err;
	params = dt_remote_begin(remote);
	dt_json_key(params, "input");
	dt_json_put_raw(params, input);
	err = dt_remote_fetch(remote, "hook/claude", arena, &reply_shape, out,
	                      fail);
	dt_remote_free(remote);
	return err;
}

/* The input goes as it came, when it is JSON at all. */
static enum dt_err relay(struct dt_arena *arena, struct dt_buf *input,
                         struct dt_fail *fail)
{
	const struct dt_json *json;
	struct reply reply = { 0 };
	enum dt_err err = read_stdin(input, fail);

	if (!err)
		err = dt_json_read(arena, dt_buf_str(input), &json, fail);
	if (!err)
		err = ask(json->raw, arena, &reply, fail);
	if (!err && (fwrite(reply.output.ptr, 1, reply.output.len, stdout) !=
	                     reply.output.len ||
	             fflush(stdout)))
		err = dt_fail_sys(fail, "cannot print the answer");
	return err;
}

static enum dt_err run_claude(const void *options, char *const *args,
                              struct dt_fail *fail)
{
	struct dt_arena arena = { 0 };
	struct dt_fail why = { 0 };
	struct dt_buf input;
	enum dt_err err;

	(void)options;
	(void)args;
	/* For a daemon that we may have to start. */
	setenv(DT_ENV_STARTED_BY, "hook", 1);
	dt_buf_init(&input, DT_LIMIT_MESSAGE);
	err = relay(&arena, &input, &why);
	dt_buf_done(&input);
	dt_arena_done(&arena);
	/* Exit code 1 whatever it was: 2 would stop the agent. */
	if (err)
		return dt_fail(fail, DT_E_SYS, "this edit is not reviewed: %s",
		               why.msg);
	return DT_E_OK;
}

static enum dt_err run_nothing(const void *options, char *const *args,
                               struct dt_fail *fail)
{
	(void)options;
	(void)args;
	return dt_fail(fail, DT_E_ARGS,
	               "which hook? `dovetail help hook` lists them");
}

static const struct dt_command claude = {
	.name = "claude",
	.summary = "Ask for a verdict before Claude Code edits",
	.doc = "Read what Claude Code tells a PreToolUse hook from standard input, "
	       "wait for\nthe person's verdict, and print what the CLI reads. "
	       "`dovetail run claude`\nsets it up.",
	.run = run_claude,
};

static const struct dt_command *const subcommands[] = {
	&claude,
	&dt_cmd_hook_install,
	&dt_cmd_hook_uninstall,
	NULL,
};

const struct dt_command dt_cmd_hook = {
	.name = "hook",
	.args = "COMMAND",
	.max_args = DT_ARGS_ANY,
	.summary = "Review edits in every permission mode",
	.doc = "What agents run before they edit, so that changes are reviewed "
	       "in every\nmode.",
	.subcommands = subcommands,
	.run = run_nothing,
};
