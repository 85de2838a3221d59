/*
 * app/main.c - the program: one command, one sentence when it fails, one exit
 * code.
 */
#include "app/command.h"
#include "app/daemon_start.h"
#include "app/exit_code.h"
#include "app/text.h"

#include <signal.h>

int main(int argc, char **argv)
{
	struct dt_fail fail = { 0 };
	enum dt_err err;

	/* A daemon or a pager that went away is an error to report, not a
	 * reason to die. */
	signal(SIGPIPE, SIG_IGN);
	dt_daemon_set_program(argc > 0 ? argv[0] : "dovetail");
	err = dt_command_run(argc > 0 ? argv + 1 : argv, &fail);
	fflush(stdout);
	if (err && fail.msg[0]) {
		struct dt_arena arena = { 0 };

		fprintf(stderr, "dovetail: %s\n",
		        dt_text_safe(&arena, fail.msg));
		dt_arena_done(&arena);
	}
	return dt_exit_code(err);
}
