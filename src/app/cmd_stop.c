/* app/cmd_stop.c - dovetail stop. */
#include "app/command.h"
#include "app/daemon_start.h"
#include "app/terminal.h"
#include "base/limits.h"

struct options {
	bool is_forced;
};

static const struct dt_option options_table[] = {
	DT_OPTION(struct options, is_forced, FLAG,
	          "do not ask, though changes wait for a verdict",
	          .name = "force"),
	DT_OPTION_END,
};

/* Nothing passes unseen when it stops, but who waits would wait for longer. */
static enum dt_err agree(size_t waiting, struct dt_fail *fail)
{
	const char *what = waiting == 1 ? "change waits" : "changes wait";
	struct dt_buf line;
	bool is_yes;

	if (!dt_terminal_is_there())
		return dt_fail(fail, DT_E_STATE,
		               "%zu %s for a verdict: `dovetail review` "
		               "decides, --force stops all the same",
		               waiting, what);
	printf("%zu %s for a verdict. What came by a hook waits on: the hook "
	       "starts the daemon\nagain. All else is withdrawn. Stop? [y/N] ",
	       waiting, what);
	fflush(stdout);
	dt_buf_init(&line, DT_KIB);
	is_yes = dt_terminal_line(&line) && (!strcmp(dt_buf_z(&line), "y") ||
	                                     !strcmp(dt_buf_z(&line), "yes"));
	dt_buf_done(&line);
	if (!is_yes)
		return dt_fail(fail, DT_E_CANCELLED, "the daemon goes on");
	return DT_E_OK;
}

static enum dt_err run(const void *opts, char *const *args,
                       struct dt_fail *fail)
{
	const struct options *options = opts;
	struct dt_fail why = { 0 };
	size_t waiting = 0;
	enum dt_err err = DT_E_OK;

	(void)args;
	if (!options->is_forced)
		err = dt_daemon_waiting(&waiting, fail);
	if (!err && waiting)
		err = agree(waiting, fail);
	if (err)
		return err;
	err = dt_daemon_stop(false, &why);
	if (err == DT_E_MISSING) {
		puts("No daemon is running.");
		return DT_E_OK;
	}
	if (err)
		return dt_fail(fail, err, "%s", why.msg);
	puts("The daemon has stopped.");
	return DT_E_OK;
}

const struct dt_command dt_cmd_stop = {
	.name = "stop",
	.summary = "Stop the daemon",
	.doc = "Stop the daemon. While changes wait for a verdict it asks first: "
	       "those that came\nby a hook wait on, and the hook starts the daemon "
	       "again; all others are\nwithdrawn.",
	.options = options_table,
	.options_size = sizeof(struct options),
	.run = run,
	.persons = "stop the daemon",
};
