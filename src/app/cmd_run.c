/* app/cmd_run.c - dovetail run: an agent that finds us at once. */
#include "app/child.h"
#include "app/command.h"
#include "app/daemon_start.h"
#include "app/environment.h"
#include "app/folder.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

struct options {
	const char *workspace;
};

static const struct dt_option options_table[] = {
	DT_OPTION(struct options, workspace, TEXT,
	          "the folder to serve; default: this one's workspace",
	          .name = "workspace", .value = "DIR"),
	DT_OPTION_END,
};

/* Whether the person chose how the CLI asks for permission. */
static bool has_mode(char *const *args)
{
	for (; *args; args++) {
		if (dt_str_starts(dt_str(*args), DT_STR("--permission-mode")) ||
		    !strcmp(*args, "--dangerously-skip-permissions"))
			return true;
	}
	return false;
}

static void tell(char *const *args)
{
	if (!isatty(STDERR_FILENO))
		return;
	fputs("Decide changes in another terminal: dovetail review", stderr);
	if (!has_mode(args))
		fputs(" (auto mode never asks; `-- --permission-mode default` "
		      "does)",
		      stderr);
	fputs("\n", stderr);
}

static void set_environment(struct dt_arena *arena, unsigned port)
{
	const char *lower = getenv("no_proxy");
	const char *upper = getenv("NO_PROXY");
	const char *new_lower = dt_environment_no_proxy(arena, lower, upper);
	const char *new_upper = dt_environment_no_proxy(arena, upper, lower);

	setenv("CLAUDE_CODE_SSE_PORT", dt_arena_printf(arena, "%u", port), 1);
	setenv("ENABLE_IDE_INTEGRATION", "true", 1); /* older CLIs want it */
	setenv("no_proxy", new_lower, 1);
	setenv("NO_PROXY", new_upper, 1);
}

static enum dt_err become_claude(char *const *args, struct dt_fail *fail)
{
	const char *named = getenv("DOVETAIL_CLAUDE");
	char claude[] = "claude";
	size_t count = 0;
	char **argv;

	while (args[count])
		count++;
	argv = dt_alloc((count + 2) * sizeof(*argv));
	argv[0] = named && *named ? (char *)(uintptr_t)named : claude;
	memcpy(argv + 1, args, count * sizeof(*argv));
	dt_child_become(argv);
	free(argv);
	if (errno == ENOENT && named && *named)
		return dt_fail(fail, DT_E_MISSING,
		               "DOVETAIL_CLAUDE names %s, which is not there",
		               named);
	if (errno == ENOENT)
		return dt_fail(fail, DT_E_MISSING,
		               "claude is not installed; `npm install -g "
		               "@anthropic-ai/claude-code` installs it");
	return dt_fail_sys(fail, "cannot run claude");
}

static enum dt_err run(const void *opts, char *const *args,
                       struct dt_fail *fail)
{
	const struct options *options = opts;
	struct dt_workspace_info info = { 0 };
	struct dt_arena arena = { 0 };
	struct dt_remote *remote;
	enum dt_err err;

	if (strcmp(args[0], "claude") != 0)
		return dt_fail(fail, DT_E_ARGS,
		               "cannot run \"%s\"; there is `dovetail run "
		               "claude`",
		               args[0]);
	err = dt_daemon_reach(&remote, fail);
	if (err)
		return err;
	err = dt_folder_serve(remote, options->workspace, &arena, &info, fail);
	dt_remote_free(remote);
	if (!err) {
		set_environment(&arena, info.port);
		tell(args + 1);
		err = become_claude(args + 1, fail);
	}
	dt_arena_done(&arena);
	return err;
}

const struct dt_command dt_cmd_run = {
	.name = "run",
	.args = "claude [-- ARGS...]",
	.summary = "Start an agent that is connected",
	.doc = "Start Claude Code in this folder, connected to Dovetail. The "
	       "daemon is started\nwhen it does not run. What follows -- goes to "
	       "the CLI.",
	.options = options_table,
	.options_size = sizeof(struct options),
	.min_args = 1,
	.max_args = DT_ARGS_ANY,
	.run = run,
};
