/* base/os_linux.c - Linux: getrandom(2), openat2(2) and /proc/self/fd. */
#include "base/os.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

/* openat2() gives up with EAGAIN when somebody renames folders meanwhile. */
#define TRIES 16

bool dt_os_random(void *out, size_t len)
{
	char *at = out;

	while (len > 0) {
		ssize_t n = getrandom(at, len, 0);

		if (n < 0 && errno != EINTR)
			return false;
		if (n > 0) {
			at += n;
			len -= (size_t)n;
		}
	}
	return true;
}

/* openat2() until it says something. */
static long open_how(int folder_fd, const char *path, struct open_how *how)
{
	long fd = -1;

	for (int i = 0; i < TRIES; i++) {
		fd = syscall(SYS_openat2, folder_fd, path, how, sizeof(*how));
		if (fd >= 0 || (errno != EAGAIN && errno != EINTR))
			break;
	}
	return fd;
}

bool dt_os_open_beneath(int root_fd, const char *relative, int flags,
                        int *out_fd)
{
	struct open_how how = {
		.flags = (unsigned)(flags | O_CLOEXEC),
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,
	};
	long fd = open_how(root_fd, relative, &how);

	if (fd < 0) {
		/* A sandbox that does not know the call says EPERM. */
		if (errno == EPERM)
			errno = ENOSYS;
		return false;
	}
	*out_fd = (int)fd;
	return true;
}

bool dt_os_name_of(int fd, char *out, size_t size)
{
	static const char gone[] = " (deleted)";
	size_t gone_len = sizeof(gone) - 1;
	char link[64];
	ssize_t n;
	size_t len;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, out, size);
	if (n <= 0 || (size_t)n >= size || out[0] != '/')
		return false;
	len = (size_t)n;
	if (len > gone_len && !memcmp(out + len - gone_len, gone, gone_len))
		len -= gone_len;
	out[len] = '\0';
	return true;
}

bool dt_os_has_no_links(const char *path)
{
	struct open_how how = {
		.flags = O_PATH | O_CLOEXEC,
		.resolve = RESOLVE_NO_SYMLINKS,
	};
	long fd = open_how(AT_FDCWD, path, &how);

	if (fd >= 0)
		close((int)fd);
	return fd >= 0;
}
