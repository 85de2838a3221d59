/*
 * loop/os_tcp.c - who is at the other end of a TCP connection, on Linux.
 *
 * sock_diag(7) gives the owner and the inode of the one socket that has our
 * addresses the other way round; /proc/net/tcp tells the same where a sandbox
 * has no netlink.  Which process holds that inode only /proc/PID/fd knows, so it
 * is looked for once for a connection, where it was found last time before all.
 */
#include "loop/os.h"

#include "base/buf.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/str.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

/* Both ends of a connection, as the other side has them. */
struct ends {
	struct sockaddr_in theirs;
	struct sockaddr_in ours;
};

static enum dt_err read_ends(int fd, struct ends *out, struct dt_fail *fail)
{
	socklen_t size = sizeof(out->ours);

	if (getsockname(fd, (struct sockaddr *)&out->ours, &size) < 0)
		return dt_fail_sys(fail, "addresses");
	size = sizeof(out->theirs);
	if (getpeername(fd, (struct sockaddr *)&out->theirs, &size) < 0)
		return dt_fail(fail, DT_E_MISSING, "the other side is gone");
	if (out->ours.sin_family != AF_INET)
		return dt_fail(fail, DT_E_UNSUPPORTED, "not an IPv4 socket");
	return DT_E_OK;
}

/* by netlink */

/* One for all questions: the kernel answers inside of send(). */
static int diag_socket(void)
{
	static int fd = -1;

	if (fd < 0)
		fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC,
		            NETLINK_SOCK_DIAG);
	return fd;
}

struct question {
	struct nlmsghdr head;
	struct inet_diag_req_v2 body;
};

static bool ask(const struct ends *ends)
{
	struct question q = {
		.head = { .nlmsg_len = sizeof(q),
		          .nlmsg_type = SOCK_DIAG_BY_FAMILY,
		          .nlmsg_flags = NLM_F_REQUEST },
		.body = { .sdiag_family = AF_INET,
		          .sdiag_protocol = IPPROTO_TCP,
		          .idiag_states = UINT32_MAX,
		          .id = { .idiag_sport = ends->theirs.sin_port,
		                  .idiag_dport = ends->ours.sin_port,
		                  .idiag_src = { ends->theirs.sin_addr.s_addr },
		                  .idiag_dst = { ends->ours.sin_addr.s_addr },
		                  .idiag_cookie = { INET_DIAG_NOCOOKIE,
		                                    INET_DIAG_NOCOOKIE } } },
	};

	return send(diag_socket(), &q, sizeof(q), 0) == (ssize_t)sizeof(q);
}

/* DT_E_UNSUPPORTED: this kernel has no such thing. */
static enum dt_err by_netlink(const struct ends *ends, uid_t *out_uid,
                              uint64_t *out_socket)
{
	union {
		struct nlmsghdr head;
		char bytes[4096];
	} answer;
	ssize_t n;

	if (diag_socket() < 0 || !ask(ends))
		return DT_E_UNSUPPORTED;
	n = recv(diag_socket(), &answer, sizeof(answer), MSG_DONTWAIT);
	if (n < (ssize_t)sizeof(answer.head))
		return DT_E_UNSUPPORTED;
	if (answer.head.nlmsg_type == NLMSG_ERROR) {
		const struct nlmsgerr *err = NLMSG_DATA(&answer.head);

		return err->error == -ENOENT ? DT_E_MISSING : DT_E_UNSUPPORTED;
	}
	if (answer.head.nlmsg_type != SOCK_DIAG_BY_FAMILY ||
	    n < (ssize_t)NLMSG_LENGTH(sizeof(struct inet_diag_msg)))
		return DT_E_UNSUPPORTED;
	*out_uid =
		((struct inet_diag_msg *)NLMSG_DATA(&answer.head))->idiag_uid;
	*out_socket =
		((struct inet_diag_msg *)NLMSG_DATA(&answer.head))->idiag_inode;
	return DT_E_OK;
}

/* by /proc */

/* "   0: 0100007F:1F90 0100007F:D2A4 01 ... UID TIMEOUT INODE ...": the first
 * address is the socket's own. */
static bool read_line(struct dt_str line, const struct ends *ends,
                      uid_t *out_uid, uint64_t *out_socket)
{
	char text[256];
	unsigned address[2];
	unsigned port[2];
	unsigned uid;
	uint64_t socket;

	snprintf(text, sizeof(text), "%.*s", DT_STR_ARG(line));
	/* The kernel wrote it.  NOLINTNEXTLINE(cert-err34-c) */
	if (sscanf(text,
	           " %*d: %8X:%4X %8X:%4X %*s %*s %*s %*s %u %*s %" SCNu64,
	           &address[0], &port[0], &address[1], &port[1], &uid,
	           &socket) != 6)
		return false;
	*out_uid = uid;
	*out_socket = socket;
	return address[0] == ends->theirs.sin_addr.s_addr &&
	       port[0] == ntohs(ends->theirs.sin_port) &&
	       address[1] == ends->ours.sin_addr.s_addr &&
	       port[1] == ntohs(ends->ours.sin_port);
}

static enum dt_err by_table(const struct ends *ends, uid_t *out_uid,
                            uint64_t *out_socket)
{
	enum dt_err err = DT_E_MISSING;
	struct dt_str rest;
	struct dt_buf text;

	dt_buf_init(&text, 16u * DT_MIB);
	if (dt_file_read("/proc/net/tcp", &text, NULL))
		err = DT_E_UNSUPPORTED;
	rest = dt_buf_str(&text);
	while (err == DT_E_MISSING && rest.len) {
		if (read_line(dt_str_cut(&rest, '\n'), ends, out_uid,
		              out_socket))
			err = DT_E_OK;
	}
	dt_buf_done(&text);
	return err;
}

enum dt_err dt_os_tcp_peer(int fd, uid_t *out_uid, uint64_t *out_socket,
                           struct dt_fail *fail)
{
	struct ends ends = { 0 };
	enum dt_err err = read_ends(fd, &ends, fail);

	if (err)
		return err;
	err = by_netlink(&ends, out_uid, out_socket);
	if (err == DT_E_UNSUPPORTED)
		err = by_table(&ends, out_uid, out_socket);
	/* A socket that was closed stays for a while, without an owner. */
	if (err == DT_E_MISSING || (!err && !*out_socket))
		return dt_fail(fail, DT_E_MISSING, "the other side is gone");
	if (err)
		return dt_fail(fail, err,
		               "the kernel does not tell who connects");
	return DT_E_OK;
}

/* which process */

static int compare(const void *a, const void *b)
{
	const uint32_t *left = a;
	const uint32_t *right = b;

	return *left < *right ? 1 : *left > *right ? -1 : 0;
}

/* The numbers in a folder of /proc, the largest first; free() them. */
static uint32_t *numbers(DIR *dir, size_t *out_count)
{
	const struct dirent *entry;
	uint32_t *all = NULL;
	size_t count = 0;
	size_t room = 0;
	uint32_t number;

	while ((entry = readdir(dir))) {
		if (dt_str_to_u32(dt_str(entry->d_name), &number, NULL))
			continue;
		if (count == room) {
			room = room ? room * 2 : 64;
			all = dt_realloc(all, room * sizeof(*all));
		}
		all[count++] = number;
	}
	if (all)
		qsort(all, count, sizeof(*all), compare);
	*out_count = count;
	return all;
}

/* New sockets have large numbers, as new processes do. */
static bool holds(pid_t pid, const char *wanted)
{
	char path[64];
	bool is_found = false;
	uint32_t *fds;
	size_t count;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	dir = opendir(path);
	if (!dir)
		return false;
	fds = numbers(dir, &count);
	for (size_t i = 0; i < count && !is_found; i++) {
		char link[64];
		ssize_t n;

		snprintf(path, sizeof(path), "%u", fds[i]);
		n = readlinkat(dirfd(dir), path, link, sizeof(link) - 1);
		link[n > 0 ? n : 0] = '\0';
		is_found = !strcmp(link, wanted);
	}
	free(fds);
	closedir(dir);
	return is_found;
}

static pid_t search(const char *wanted)
{
	DIR *proc = opendir("/proc");
	pid_t found = 0;
	uint32_t *pids;
	size_t count;

	if (!proc)
		return 0;
	pids = numbers(proc, &count);
	for (size_t i = 0; i < count && !found; i++) {
		if (holds((pid_t)pids[i], wanted))
			found = (pid_t)pids[i];
	}
	free(pids);
	closedir(proc);
	return found;
}

pid_t dt_os_socket_holder(uint64_t socket, const pid_t *likely)
{
	char wanted[64];

	snprintf(wanted, sizeof(wanted), "socket:[%" PRIu64 "]", socket);
	for (; *likely; likely++) {
		if (holds(*likely, wanted))
			return *likely;
	}
	return search(wanted);
}
