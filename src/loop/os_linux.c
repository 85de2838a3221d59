/* loop/os_linux.c - peer credentials and the process tree, the Linux way. */
#include "loop/os.h"

#include "base/str.h"

#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

/* A chain of parents longer than this is a loop made by pid reuse. */
#define MAX_ANCESTORS 1024

enum dt_err dt_os_peer(int fd, pid_t *out_pid, uid_t *out_uid,
                       struct dt_fail *fail)
{
	struct ucred cred;
	socklen_t size = sizeof(cred);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &size) < 0)
		return dt_fail_sys(fail, "peer credentials");
	*out_pid = cred.pid;
	*out_uid = cred.uid;
	return DT_E_OK;
}

pid_t dt_os_parent(pid_t pid)
{
	char path[64];
	char line[512];
	struct dt_str rest;
	const char *end;
	uint32_t parent;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	n = read(fd, line, sizeof(line) - 1);
	close(fd);
	if (n <= 0)
		return 0;
	/* "pid (name) state parent ...": the name may hold anything, ')' too. */
	end = memrchr(line, ')', (size_t)n);
	if (!end || line + n - end < 4)
		return 0;
	rest = (struct dt_str){ end + 4, (size_t)(line + n - end - 4) };
	if (dt_str_to_u32(dt_str_cut(&rest, ' '), &parent, NULL) != DT_E_OK)
		return 0;
	return (pid_t)parent;
}

bool dt_os_is_descendant(pid_t pid, pid_t ancestor)
{
	for (int i = 0; pid > 0 && i < MAX_ANCESTORS; i++) {
		if (pid == ancestor)
			return true;
		pid = dt_os_parent(pid);
	}
	return false;
}

void dt_os_keep_memory_small(void)
{
	/* glibc raises its threshold for mmap with every large block freed. */
	mallopt(M_MMAP_THRESHOLD, 128 * 1024);
	mallopt(M_ARENA_MAX, 1);
}
