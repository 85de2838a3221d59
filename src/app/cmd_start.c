/* app/cmd_start.c - dovetail start and dovetail restart. */
#include "app/command.h"
#include "app/daemon_start.h"
#include "app/folder.h"
#include "app/program.h"
#include "app/text.h"

struct options {
	const char *workspace;
};

static const struct dt_option options_table[] = {
	DT_OPTION(struct options, workspace, TEXT,
	          "the folder to serve; default: this one's workspace",
	          .name = "workspace", .value = "DIR"),
	DT_OPTION_END,
};

static enum dt_err open_and_tell(struct dt_remote *remote, const char *named,
                                 struct dt_fail *fail)
{
	struct dt_workspace_info info = { 0 };
	struct dt_arena arena = { 0 };
	enum dt_err err = dt_folder_serve(remote, named, &arena, &info, fail);

	if (!err)
		printf("Serving %s on port %u.\nNext: %s\n",
		       dt_text_safe(&arena, info.root), info.port,
		       dt_program_run_agent(&arena));
	dt_arena_done(&arena);
	return err;
}

static enum dt_err start(const void *opts, char *const *args,
                         struct dt_fail *fail)
{
	const struct options *options = opts;
	struct dt_remote *remote;
	enum dt_err err = dt_daemon_reach(&remote, fail);

	(void)args;
	if (err)
		return err;
	err = open_and_tell(remote, options->workspace, fail);
	dt_remote_free(remote);
	return err;
}

const struct dt_command dt_cmd_start = {
	.name = "start",
	.summary = "Start the daemon",
	.doc = "Start the daemon in the background unless it runs, and serve a "
	       "workspace.",
	.options = options_table,
	.options_size = sizeof(struct options),
	.run = start,
};

static enum dt_err restart(const void *opts, char *const *args,
                           struct dt_fail *fail)
{
	struct dt_fail why = { 0 };
	struct dt_remote *remote;
	size_t waiting;
	enum dt_err err = dt_daemon_waiting(&waiting, &why);

	(void)opts;
	(void)args;
	if (!err)
		err = dt_daemon_stop(true, &why);
	if (err && err != DT_E_MISSING)
		return dt_fail(fail, err, "%s", why.msg);
	err = dt_daemon_reach(&remote, fail);
	if (err)
		return err;
	printf("The daemon runs again (pid %d).\n", (int)dt_remote_pid(remote));
	if (waiting)
		printf("%zu %s for a verdict. What came by a hook waits on; "
		       "see `dovetail review list`.\n",
		       waiting,
		       waiting == 1 ? "change waited" : "changes waited");
	dt_remote_free(remote);
	return DT_E_OK;
}

const struct dt_command dt_cmd_restart = {
	.name = "restart",
	.summary = "Restart the daemon",
	.doc = "Stop the daemon and start it again, perhaps in a newer version. "
	       "Workspaces,\nports and tokens are kept, and changes that came by a "
	       "hook wait on. Others can\nstill be seen, but the agents that "
	       "proposed them do not wait any more.",
	.run = restart,
	.persons = "restart the daemon",
};
