/*
 * app/detach.c - two forks and a session of its own.
 *
 * An agent that is interrupted ends every process below it, so what outlives
 * the agent must not be below it.  The process in the middle ends at once; its
 * child is then nobody's, and is in no process group that a terminal or an agent
 * could name.
 */
#include "app/detach.h"

#include "app/child.h"
#include "app/environment.h"
#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_FD 1024 /* what an agent left open is below this */

static void become(char *const *argv, int out)
{
	int null = open("/dev/null", O_RDWR);
	sigset_t none;

	setsid();
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	/* It outlives this folder, and must not keep a disk busy. */
	if (null < 0 || chdir("/") < 0)
		_exit(1);
	dup2(out, STDOUT_FILENO);
	dup2(null, STDIN_FILENO);
	dup2(null, STDERR_FILENO);
	/* An agent waits for the end of every pipe that it opened. */
	for (int fd = STDERR_FILENO + 1; fd < MAX_FD; fd++)
		close(fd);
	dt_environment_forget_agents();
	dt_child_become(argv);
	_exit(DT_CHILD_MISSING);
}

enum dt_err dt_detach(char *const *argv, int out, struct dt_fail *fail)
{
	pid_t middle = fork();
	pid_t ended;
	int status = 0;

	if (middle == 0) {
		pid_t child = fork();

		if (child == 0)
			become(argv, out);
		_exit(child < 0);
	}
	if (middle < 0)
		return dt_fail_sys(fail, "cannot start %s", argv[0]);
	do {
		ended = waitpid(middle, &status, 0);
	} while (ended < 0 && errno == EINTR);
	/* ECHILD: whoever started us ignores SIGCHLD, and it is reaped. */
	if (ended == middle && status != 0)
		return dt_fail(fail, DT_E_SYS,
		               "cannot start %s: no process "
		               "is left",
		               argv[0]);
	return DT_E_OK;
}

/* systemd */

static bool is_on_path(const char *name)
{
	struct dt_str rest = dt_str(getenv("PATH"));
	bool is_there = false;

	while (rest.len && !is_there) {
		struct dt_str folder = dt_str_cut(&rest, ':');
		char *path = dt_asprintf("%.*s/%s", DT_STR_ARG(folder), name);

		is_there = folder.len && access(path, X_OK) == 0;
		free(path);
	}
	return is_there;
}

/* The socket is there as long as the person's service manager runs. */
bool dt_detach_has_systemd(void)
{
	const char *run = getenv("XDG_RUNTIME_DIR");
	char *manager;
	bool is_there;

	if (!run || run[0] != '/')
		return false;
	manager = dt_asprintf("%s/systemd/private", run);
	is_there = access(manager, F_OK) == 0;
	free(manager);
	return is_there && is_on_path("systemd-run");
}
