/* app/cmd_serve.c - dovetail serve. */
#include "app/command.h"
#include "app/folder.h"
#include "app/program.h"
#include "app/remote.h"
#include "base/file.h"
#include "base/path.h"
#include "hub/daemon.h"
#include "loop/os.h"

#include <fcntl.h>
#include <unistd.h>

struct options {
	const char *workspace;
	struct dt_maybe_u32 port;
	const char *record;
	bool is_background;
};

static const struct dt_option options_table[] = {
	DT_OPTION(struct options, workspace, TEXT,
	          "the folder to serve; default: this one", .name = "workspace",
	          .value = "DIR"),
	DT_OPTION(struct options, port, NUMBER,
	          "listen here; an error when it is taken", .name = "port",
	          .value = "N"),
	DT_OPTION(struct options, record, TEXT,
	          "write what passes each link to files here", .name = "record",
	          .value = "DIR"),
	DT_OPTION(struct options, is_background, FLAG,
	          "log to the file; used by `dovetail start`",
	          .name = "background"),
	DT_OPTION_END,
};

/* DT_E_STATE when a daemon runs already. */
static enum dt_err refuse_second(struct dt_fail *fail)
{
	struct dt_remote *remote;
	struct dt_fail why = { 0 };
	enum dt_err err = dt_remote_open(&remote, &why);

	if (err == DT_E_MISSING)
		return DT_E_OK;
	if (err)
		return dt_fail(fail, err, "%s", why.msg);
	dt_fail(fail, DT_E_STATE,
	        "a daemon runs already (pid %d); `dovetail stop` ends it",
	        (int)dt_remote_pid(remote));
	dt_remote_free(remote);
	return DT_E_STATE;
}

/* Whoever started us reads our stdout until we serve; what comes later must
 * not end there. */
static enum dt_err take_ready_fd(int *out, struct dt_fail *fail)
{
	int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	if (fd < 0 || null < 0 || dup2(null, STDOUT_FILENO) < 0)
		return dt_fail_sys(fail, "cannot let go of the terminal");
	close(null);
	*out = fd;
	return DT_E_OK;
}

static enum dt_err read_options(const struct options *options,
                                struct dt_arena *arena,
                                struct dt_daemon_options *out,
                                struct dt_fail *fail)
{
	if (options->port.value > 65535)
		return dt_fail(fail, DT_E_ARGS, "a port is at most 65535");
	out->port = options->port.value;
	out->is_named = options->workspace;
	out->is_background = options->is_background;
	out->next = dt_program_run_agent(arena);
	if (options->record) {
		enum dt_err err = dt_file_make_dirs(options->record, fail);

		if (!err)
			err = dt_path_real(arena, options->record, &out->record,
			                   fail);
		if (err)
			return err;
	}
	/* In the background the workspace comes with `workspace/open`, as it
	 * does from who woke us by our socket. */
	if ((options->is_background || dt_os_listen_fd()) &&
	    !options->workspace)
		return DT_E_OK;
	return dt_folder_find(arena, options->workspace, &out->workspace, fail);
}

static enum dt_err run(const void *opts, char *const *args,
                       struct dt_fail *fail)
{
	const struct options *options = opts;
	struct dt_daemon_options daemon = { .ready_fd = -1 };
	struct dt_arena arena = { 0 };
	enum dt_err err = read_options(options, &arena, &daemon, fail);

	(void)args;
	if (!err && options->is_background)
		err = take_ready_fd(&daemon.ready_fd, fail);
	else if (!err && !dt_os_listen_fd())
		err = refuse_second(fail);
	/* The daemon has said what is wrong, so there is no sentence. */
	if (!err && dt_daemon_run(&daemon))
		err = DT_E_SYS;
	dt_arena_done(&arena);
	return err;
}

const struct dt_command dt_cmd_serve = {
	.name = "serve",
	.summary = "Run the daemon in the foreground",
	.doc = "Run the daemon in the foreground and serve one workspace at once. "
	       "Ctrl-C\nends it.",
	.options = options_table,
	.options_size = sizeof(struct options),
	.run = run,
};
