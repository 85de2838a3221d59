/* loop/os_linux.c - peer credentials and the process tree, the Linux way. */
#include "loop/os.h"

#include "base/buf.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/str.h"

#include <dirent.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

/* A chain of parents longer than this is a loop made by pid reuse. */
#define MAX_ANCESTORS 1024
#define LISTEN_FD 3

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

/* Since Linux 6.5. */
#ifndef SO_PEERPIDFD
#	define SO_PEERPIDFD 77
#endif

int dt_os_peer_handle(int fd)
{
	int handle = -1;
	socklen_t size = sizeof(handle);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERPIDFD, &handle, &size) < 0)
		return -1;
	return handle;
}

bool dt_os_handle_is_alive(int handle)
{
	struct pollfd at = { .fd = handle, .events = POLLIN };

	/* It can be read once the process has ended. */
	return poll(&at, 1, 0) == 0;
}

/* A file of /proc about a process that fits into the buffer; empty: there is
 * none. */
static struct dt_str read_proc(pid_t pid, const char *name, char *buf,
                               size_t size)
{
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return (struct dt_str){ 0 };
	n = read(fd, buf, size);
	close(fd);
	return (struct dt_str){ buf, n > 0 ? (size_t)n : 0 };
}

/* A field of /proc/PID/stat, counted from 0 behind the state; empty when there
 * is none. */
static struct dt_str stat_field(pid_t pid, unsigned index, char *line,
                                size_t size)
{
	struct dt_str rest = read_proc(pid, "stat", line, size);
	const char *end = NULL;
	size_t skip;

	/* "pid (name) state parent ...": the name may hold anything, ')' too. */
	if (rest.len)
		end = memrchr(rest.ptr, ')', rest.len);
	skip = end ? (size_t)(end - rest.ptr) + 4 : 0;
	if (!end || rest.len < skip)
		return (struct dt_str){ 0 };
	rest = (struct dt_str){ rest.ptr + skip, rest.len - skip };
	while (index-- > 0)
		dt_str_cut(&rest, ' ');
	return dt_str_cut(&rest, ' ');
}

static bool read_stat(pid_t pid, unsigned index, uint32_t *out)
{
	char line[512];

	return dt_str_to_u32(stat_field(pid, index, line, sizeof(line)), out,
	                     NULL) == DT_E_OK;
}

/* Field 22, and the state before the first that is counted. */
uint64_t dt_os_started(pid_t pid)
{
	char line[512];
	struct dt_str field = stat_field(pid, 18, line, sizeof(line) - 1);
	const char *state;

	if (!field.len)
		return 0;
	state = memrchr(line, ')', (size_t)(field.ptr - line));
	if (!state || state[2] == 'Z' || state[2] == 'X')
		return 0;
	return strtoull(field.ptr, NULL, 10);
}

pid_t dt_os_parent(pid_t pid)
{
	uint32_t parent;

	return read_stat(pid, 0, &parent) ? (pid_t)parent : 0;
}

/* proc(5): after the name come the state, the parent, the group, the session,
 * fifteen numbers, and when it was started. */
bool dt_os_stat(pid_t pid, struct dt_os_stat *out)
{
	char line[513];
	struct dt_str text = read_proc(pid, "stat", line, sizeof(line) - 1);
	const char *name = text.len ? memchr(text.ptr, '(', text.len) : NULL;
	const char *end = text.len ? memrchr(text.ptr, ')', text.len) : NULL;
	unsigned long long started = 0;
	int session = 0;
	int parent = 0;
	char state = 0;

	line[text.len] = '\0';
	if (!name || !end ||
	    /* The kernel wrote it.  NOLINTNEXTLINE(cert-err34-c) */
	    sscanf(end + 1,
	           " %c %d %*d %d %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
	           "%*s %*s %*s %*s %llu",
	           &state, &parent, &session, &started) != 4)
		return false;
	*out = (struct dt_os_stat){
		.process = { pid, started },
		.parent = parent,
		.session = session,
		.is_ended = state == 'Z' || state == 'X',
	};
	snprintf(out->name, sizeof(out->name), "%.*s", (int)(end - name - 1),
	         name + 1);
	return true;
}

bool dt_os_is_alive(struct dt_process process)
{
	struct dt_os_stat now;

	return dt_os_stat(process.pid, &now) && !now.is_ended &&
	       now.process.started == process.started;
}

/* The second number of statm: pages in memory. */
static int64_t memory_of(pid_t pid)
{
	char line[128];
	struct dt_str rest = read_proc(pid, "statm", line, sizeof(line));
	uint32_t pages;

	dt_str_cut(&rest, ' ');
	if (dt_str_to_u32(dt_str_cut(&rest, ' '), &pages, NULL))
		return 0;
	return (int64_t)pages * sysconf(_SC_PAGESIZE);
}

int64_t dt_os_group_memory(pid_t group)
{
	DIR *dir = opendir("/proc");
	const struct dirent *entry;
	int64_t bytes = 0;
	uint32_t pid;
	uint32_t of;

	while (dir && (entry = readdir(dir))) {
		if (!dt_str_to_u32(dt_str(entry->d_name), &pid, NULL) &&
		    read_stat((pid_t)pid, 1, &of) && (pid_t)of == group)
			bytes += memory_of((pid_t)pid);
	}
	if (dir)
		closedir(dir);
	return bytes;
}

/* sd_listen_fds(3): descriptors begin at 3, and are meant for LISTEN_PID. */
int dt_os_listen_fd(void)
{
	const char *pid = getenv("LISTEN_PID");
	const char *count = getenv("LISTEN_FDS");
	uint32_t number;

	if (!pid || dt_str_to_u32(dt_str(pid), &number, NULL) ||
	    number != (uint32_t)getpid())
		return 0;
	if (!count || dt_str_to_u32(dt_str(count), &number, NULL) ||
	    number == 0)
		return 0;
	return LISTEN_FD;
}

void dt_os_forget_listen_fd(void)
{
	if (dt_os_listen_fd())
		fcntl(LISTEN_FD, F_SETFD, FD_CLOEXEC);
	unsetenv("LISTEN_PID");
	unsetenv("LISTEN_FDS");
	unsetenv("LISTEN_FDNAMES");
}

bool dt_os_is_listening(int fd)
{
	int domain = 0;
	int is_listening = 0;
	socklen_t len = sizeof(int);

	return !getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &len) &&
	       domain == AF_UNIX &&
	       !getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &is_listening,
	                   &len) &&
	       is_listening;
}

const char *dt_os_variable(struct dt_arena *arena, pid_t pid, const char *name)
{
	const char *found = NULL;
	struct dt_str rest;
	struct dt_buf text;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/environ", (int)pid);
	dt_buf_init(&text, DT_LIMIT_ENVIRONMENT);
	if (dt_file_read(path, &text, NULL))
		dt_buf_clear(&text);
	rest = dt_buf_str(&text);
	while (rest.len && !found) {
		struct dt_str pair = dt_str_cut(&rest, '\0');

		if (dt_str_is(dt_str_cut(&pair, '='), name))
			found = dt_arena_strndup(arena, pair.ptr, pair.len);
	}
	dt_buf_done(&text);
	return found;
}

/* The pair as it stands in an environment: between two NULs, or first. */
static bool has_pair(struct dt_str environment, const char *pair)
{
	size_t len = strlen(pair) + 1;
	const char *at = environment.ptr;
	const char *end = environment.ptr + environment.len;

	while (at && at < end) {
		at = memmem(at, (size_t)(end - at), pair, len);
		if (!at || at == environment.ptr || !at[-1])
			break;
		at++;
	}
	return at && at < end;
}

static bool is_marked(const char *pid, const char *pair, struct dt_buf *scratch)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%s/environ", pid);
	dt_buf_clear(scratch);
	return !dt_file_read(path, scratch, NULL) &&
	       has_pair(dt_buf_str(scratch), pair);
}

unsigned dt_os_signal_marked(const char *pair, int number, pid_t group)
{
	DIR *proc = opendir("/proc");
	const struct dirent *entry;
	unsigned count = 0;
	struct dt_buf scratch;

	dt_buf_init(&scratch, DT_LIMIT_ENVIRONMENT);
	while (proc && (entry = readdir(proc))) {
		uint32_t pid;

		if (dt_str_to_u32(dt_str(entry->d_name), &pid, NULL) ||
		    !is_marked(entry->d_name, pair, &scratch) ||
		    (group && getpgid((pid_t)pid) == group))
			continue;
		count++;
		if (number)
			kill((pid_t)pid, number);
	}
	if (proc)
		closedir(proc);
	dt_buf_done(&scratch);
	return count;
}

const char *dt_os_folder(struct dt_arena *arena, pid_t pid)
{
	char folder[4096];
	char link[64];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/%d/cwd", (int)pid);
	n = readlink(link, folder, sizeof(folder));
	if (n <= 0 || (size_t)n == sizeof(folder))
		return NULL;
	return dt_arena_strndup(arena, folder, (size_t)n);
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
	/* From the heap, which is not trimmed with each block that is freed:
	 * a page that comes anew is cleared by the kernel, and that costs as
	 * much as all we do with a large message. */
	mallopt(M_MMAP_THRESHOLD, 16 * 1024 * 1024);
	mallopt(M_TRIM_THRESHOLD, 64 * 1024 * 1024);
	mallopt(M_ARENA_MAX, 1);
}

void dt_os_release_memory(void)
{
	malloc_trim(0);
}

/* Only what the file still has: a writable part holds what was relocated. */
static int forget_pages(struct dl_phdr_info *info, size_t size, void *user)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	(void)size;
	(void)user;
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		uintptr_t from = info->dlpi_addr + part->p_vaddr;
		uintptr_t start = from & ~(page - 1);

		if (part->p_type != PT_LOAD || (part->p_flags & PF_W))
			continue;
		/* An address of the loader's table.
		 * NOLINTNEXTLINE(performance-no-int-to-ptr) */
		(void)madvise((void *)start, from + part->p_memsz - start,
		              MADV_DONTNEED);
	}
	return 0;
}

void dt_os_release_code(void)
{
	dl_iterate_phdr(forget_pages, NULL);
}
