/* app/cmd_stop.c - dovetail stop. */
#include "app/command.h"
#include "app/daemon_start.h"

static enum dt_err run(const void *options, char *const *args,
                       struct dt_fail *fail)
{
	struct dt_fail why = { 0 };
	enum dt_err err = dt_daemon_stop(false, &why);

	(void)options;
	(void)args;
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
	.doc = "Stop the daemon. Changes that wait are withdrawn.",
	.run = run,
	.persons = "stop the daemon",
};
