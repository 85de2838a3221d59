/*
 * loop/spawn.c - fork twice, so that init reaps the program and not we.
 *
 * Other threads may hold any lock while we fork: between fork and exec there are
 * only system calls.
 */
#include "loop/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static bool is_program(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
	       access(path, X_OK) == 0;
}

const char *dt_spawn_find(struct dt_arena *arena, const char *name,
                          const char *path)
{
	struct dt_str rest = dt_str(path);

	if (strchr(name, '/'))
		return is_program(name) ? name : NULL;
	while (rest.len > 0 && *name) {
		struct dt_str folder = dt_str_cut(&rest, ':');
		const char *file = dt_arena_printf(arena, "%.*s/%s",
		                                   DT_STR_ARG(folder), name);

		/* An empty or relative one would be wherever we are. */
		if (folder.len > 0 && folder.ptr[0] == '/' && is_program(file))
			return file;
	}
	return NULL;
}

static void become(char *const *argv, char *const *env, const char *folder)
{
	int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);

	signal(SIGPIPE, SIG_DFL);
	for (int fd = 0; fd <= 2; fd++)
		dup2(nowhere, fd);
	if (nowhere >= 0 && chdir(folder) == 0)
		execve(argv[0], argv, env);
	_exit(127);
}

enum dt_err dt_spawn(char *const *argv, char *const *env, const char *folder,
                     struct dt_fail *fail)
{
	int status = 0;
	pid_t ended;
	pid_t pid = fork();

	if (pid < 0)
		return dt_fail_sys(fail, "cannot run %s", argv[0]);
	if (pid == 0) {
		setsid();
		pid = fork();
		if (pid == 0)
			become(argv, env, folder);
		_exit(pid < 0);
	}
	do {
		ended = waitpid(pid, &status, 0);
	} while (ended < 0 && errno == EINTR);
	if (ended < 0 || status != 0)
		return dt_fail(fail, DT_E_SYS, "cannot run %s", argv[0]);
	return DT_E_OK;
}
