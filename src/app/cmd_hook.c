/*
 * app/cmd_hook.c - dovetail hook claude: what Claude Code runs before an edit.
 *
 * The CLI makes the edit when a hook has nothing to say, so this one always has:
 * the person's verdict, or, when no daemon can be reached, what app/hook_down.c
 * makes of that.  A daemon that goes away while a review waits is found or
 * started again, and the same review goes on: this process names itself, and
 * the review is kept under that name.
 *
 * Before a prompt it is run as well: what the person said with a verdict, and
 * could not be told then, goes with that.  A prompt is never held up or refused.
 */
#include "app/cmd_hook.h"

#include "app/daemon_start.h"
#include "app/hook_down.h"
#include "app/settings.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/rand.h"
#include "hub/dirs.h"
#include "hub/env.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* A daemon that our own edit crashes must not be started for ever. */
#define MAX_LOSSES 10 /* in LOSS_WINDOW_MS */
#define LOSS_WINDOW_MS 60000
#define PAUSE_MS 200

/* One edit on its way to a verdict. */
struct hooking {
	struct dt_arena arena;
	struct dt_buf input;
	struct dt_config *config;
	char name[DT_ID_TEXT];          /* of this process, nobody else's */
	bool is_again;                  /* a daemon has heard of it before */
	uint64_t losses_ms[MAX_LOSSES]; /* when daemons went away, in a ring */
	unsigned loss;
};

/* To the end, even of what is too large: who writes must not be cut off. */
static enum dt_err read_stdin(struct dt_buf *out, struct dt_fail *fail)
{
	static char rest[64u * DT_KIB];

	for (;;) {
		char *room = dt_buf_reserve(out, sizeof(rest));
		ssize_t n =
			read(STDIN_FILENO, room ? room : rest, sizeof(rest));

		if (n == 0)
			return dt_buf_check(out, "the hook's input", fail);
		if (n > 0 && room)
			dt_buf_grew(out, (size_t)n);
		else if (n < 0 && errno != EINTR)
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

/* What does not fit into a message goes by a file that the daemon removes. */
static enum dt_err put_input(struct dt_json_out *params, struct dt_arena *arena,
                             struct dt_str input, struct dt_fail *fail)
{
	char id[DT_ID_TEXT];
	struct dt_dirs dirs;
	const char *path;
	enum dt_err err;

	if (input.len <= DT_LIMIT_MESSAGE - DT_KIB) {
		dt_json_key(params, "input");
		dt_json_put_raw(params, input);
		return DT_E_OK;
	}
	err = dt_dirs_find(arena, &dirs, fail);
	if (err)
		return err;
	dt_rand_id(id);
	path = dt_arena_printf(arena, "%s/hook-%s", dirs.run, id);
	dt_remote_put(params, "inputFile", path);
	return dt_file_write(path, input, 0600, fail);
}

static enum dt_err ask(struct hooking *h, struct dt_str input,
                       struct reply *out, struct dt_fail *fail)
{
	struct dt_remote *remote;
	struct dt_json_out *params;
	enum dt_err err = dt_daemon_reach(&remote, fail);

	if (err)
		return err;
	params = dt_remote_begin(remote);
	err = put_input(params, &h->arena, input, fail);
	dt_remote_put(params, "call", h->name);
	dt_json_key(params, "isAgain");
	dt_json_put_bool(params, h->is_again);
	h->is_again = true;
	if (!err)
		err = dt_remote_fetch(remote, "hook/claude", &h->arena,
		                      &reply_shape, out, fail);
	dt_remote_free(remote);
	return err;
}

/* A CLI that was killed leaves its hooks behind, and nobody reads what they
 * print: such a hook must not keep a review open, nor start daemons. */
static void end_when_alone(void)
{
	struct pollfd reader = { .fd = STDOUT_FILENO };

	if (poll(&reader, 1, 0) > 0 && reader.revents & (POLLERR | POLLHUP))
		_exit(1);
}

/* Whether the daemon has only gone away, and not too often. */
static bool may_ask_again(struct hooking *h, enum dt_err err)
{
	const struct timespec pause = { .tv_nsec = PAUSE_MS * 1000000L };
	uint64_t now = dt_clock_ms();
	uint64_t oldest = h->losses_ms[h->loss];

	if (err != DT_E_CLOSED && err != DT_E_CANCELLED)
		return false;
	h->losses_ms[h->loss] = now;
	h->loss = (h->loss + 1) % MAX_LOSSES;
	/* Whoever stops a daemon wants to see it gone. */
	nanosleep(&pause, NULL);
	end_when_alone();
	return !oldest || now - oldest > LOSS_WINDOW_MS;
}

/* before a prompt */

static bool is_prompt(const struct dt_json *input, struct dt_arena *arena)
{
	const struct dt_json *event = dt_json_get(input, "hook_event_name");

	return event && event->type == DT_JSON_STRING &&
	       dt_str_is(dt_json_text(arena, event), "UserPromptSubmit");
}

static void give_up(int number)
{
	(void)number;
	_exit(0);
}

/* Without a daemon, or with one that hangs, there is nothing to say. */
static void fetch_words(struct dt_str input, struct dt_arena *arena,
                        struct reply *out)
{
	struct dt_remote *remote;

	out->output = DT_STR("");
	signal(SIGALRM, give_up);
	alarm(1);
	if (dt_remote_open(&remote, NULL))
		return;
	if (put_input(dt_remote_begin(remote), arena, input, NULL) ||
	    dt_remote_fetch(remote, "hook/prompt", arena, &reply_shape, out,
	                    NULL))
		out->output = DT_STR("");
	dt_remote_free(remote);
	alarm(0);
}

/* The input goes as it came, when it is JSON at all. */
static enum dt_err find_verdict(struct hooking *h, struct reply *out,
                                struct dt_fail *fail)
{
	const struct dt_json *json;
	struct dt_fail why = { 0 };
	enum dt_err err = read_stdin(&h->input, fail);

	if (!err)
		err = dt_json_read(&h->arena, dt_buf_str(&h->input), &json,
		                   fail);
	if (err)
		return err;
	if (is_prompt(json, &h->arena)) {
		fetch_words(json->raw, &h->arena, out);
		return DT_E_OK;
	}
	do {
		why = (struct dt_fail){ 0 };
		err = ask(h, json->raw, out, &why);
	} while (err && may_ask_again(h, err));
	return err ? dt_fail(fail, err, "%s", why.msg) : DT_E_OK;
}

static void tell_quiet(pid_t pid, bool is_quiet)
{
	fprintf(stderr,
	        is_quiet ? "dovetail: the daemon (pid %d) does not answer; "
	                   "the edit goes on waiting\n"
	                 : "dovetail: the daemon (pid %d) answers again\n",
	        (int)pid);
}

static enum dt_err run_claude(const void *options, char *const *args,
                              struct dt_fail *fail)
{
	struct hooking h = { 0 };
	struct reply reply = { 0 };
	struct dt_patience patience = {
		.on_quiet = tell_quiet,
		.on_beat = end_when_alone,
	};
	struct dt_fail why = { 0 };
	struct dt_buf down;
	enum dt_err err = DT_E_OK;

	(void)options;
	(void)args;
	/* For a daemon that we may have to start. */
	setenv(DT_ENV_STARTED_BY, "hook", 1);
	dt_buf_init(&h.input, DT_LIMIT_HOOK_INPUT);
	dt_buf_init(&down, DT_MIB);
	dt_rand_id(h.name);
	if (dt_settings_read(&h.config, NULL))
		h.config = dt_config_new();
	patience.ms = dt_config_number(h.config, "hook.hang_seconds") * 1000;
	dt_remote_set_patience(&patience);
	if (find_verdict(&h, &reply, &why)) {
		dt_hook_down(h.config, why.msg, &down);
		reply.output = dt_buf_str(&down);
	}
	if (fwrite(reply.output.ptr, 1, reply.output.len, stdout) !=
	            reply.output.len ||
	    fflush(stdout))
		/* Exit code 2 is the one that stops the edit. */
		err = dt_fail(fail, DT_E_ARGS, "cannot print the answer: %s",
		              strerror(errno));
	dt_config_free(h.config);
	dt_buf_done(&down);
	dt_buf_done(&h.input);
	dt_arena_done(&h.arena);
	return err;
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
	       "`dovetail run claude`\nsets it up. When no daemon can be "
	       "reached the CLI asks by itself, unless\n[hook] when_down in "
	       "dovetail.conf says otherwise.",
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
