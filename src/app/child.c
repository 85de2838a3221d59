/* app/child.c - fork, exec and wait, as a shell does it. */
#include "app/child.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

void dt_child_become(char *const *argv)
{
	signal(SIGPIPE, SIG_DFL); /* main() ignores it */
	execvp(argv[0], argv);
}

static void run_in_child(char *const *argv, const char *folder,
                         const char *const *env)
{
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	for (; env && env[0]; env += 2)
		setenv(env[0], env[1], 1);
	if (!folder || chdir(folder) == 0)
		dt_child_become(argv);
	_exit(errno == ENOENT ? DT_CHILD_MISSING : 126);
}

static int exit_code(int status)
{
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status)
	                           : WEXITSTATUS(status);
}

enum dt_err dt_child_run(char *const *argv, const char *folder,
                         const char *const *env, int *out_code,
                         struct dt_fail *fail)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	struct sigaction old_int;
	struct sigaction old_quit;
	int status = 0;
	pid_t ended;
	pid_t pid;

	fflush(stdout); /* what we said comes before what it says */
	pid = fork();
	if (pid < 0)
		return dt_fail_sys(fail, "cannot run %s", argv[0]);
	if (pid == 0)
		run_in_child(argv, folder, env);
	sigaction(SIGINT, &ignore, &old_int);
	sigaction(SIGQUIT, &ignore, &old_quit);
	do {
		ended = waitpid(pid, &status, 0);
	} while (ended < 0 && errno == EINTR);
	sigaction(SIGINT, &old_int, NULL);
	sigaction(SIGQUIT, &old_quit, NULL);
	if (ended < 0)
		return dt_fail_sys(fail, "cannot wait for %s", argv[0]);
	*out_code = exit_code(status);
	return DT_E_OK;
}
