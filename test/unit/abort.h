/* test/unit/abort.h - bugs that must end the program. */
#ifndef DT_TEST_ABORT_H
#define DT_TEST_ABORT_H

#include "unit.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* fn() runs in a child, which an assert() must end. */
static inline void assert_aborts(void (*fn)(void))
{
	pid_t pid = fork();
	int status;

	assert_true(pid >= 0);
	if (pid == 0) {
		/* cmocka would take the signal for a failed test. */
		signal(SIGABRT, SIG_DFL);
		dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
		fn();
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGABRT);
}

#endif
