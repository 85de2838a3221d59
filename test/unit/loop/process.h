/* test/unit/loop/process.h - processes that wait to be ended. */
#ifndef DT_TEST_LOOP_PROCESS_H
#define DT_TEST_LOOP_PROCESS_H

#include "unit.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* A program that does nothing, with this environment alone. */
static inline pid_t start_with(char *const *env)
{
	static char *argv[] = { "/bin/sleep", "60", NULL };
	int ready[2];
	char byte;
	pid_t pid;

	/* The pipe closes with exec: from then on the environment is its own. */
	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		execve(argv[0], argv, env);
		_exit(1);
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 0);
	close(ready[0]);
	return pid;
}

static inline void end_process(pid_t pid)
{
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

#endif
