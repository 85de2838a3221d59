/* loop/os.h - what the loop asks of the operating system itself. */
#ifndef DT_LOOP_OS_H
#define DT_LOOP_OS_H

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Who is at the other end of a connected Unix socket. */
enum dt_err dt_os_peer(int fd, pid_t *out_pid, uid_t *out_uid,
                       struct dt_fail *fail) DT_MUST_CHECK;
/* A descriptor that stands for that process as long as it lives and for no other
 * afterwards; -1 where the kernel has none. */
int dt_os_peer_handle(int fd);
bool dt_os_handle_is_alive(int handle);

/*
 * Whose socket is at the other end of a TCP connection within this machine; the
 * number names the socket.  DT_E_MISSING: nobody holds it any more;
 * DT_E_UNSUPPORTED: the kernel does not tell.
 */
enum dt_err dt_os_tcp_peer(int fd, uid_t *out_uid, uint64_t *out_socket,
                           struct dt_fail *fail) DT_MUST_CHECK;
/* A process of ours that holds a socket, the newest first, but before all those
 * of `likely`, which ends with 0; 0: none that we can see. */
pid_t dt_os_socket_holder(uint64_t socket, const pid_t *likely);

/*
 * The socket that whoever started this process listens on for it, as systemd
 * does; 0 when there is none.  Asked once more it is still there; forgetting
 * it keeps it from programs we start.
 */
int dt_os_listen_fd(void);
void dt_os_forget_listen_fd(void);
/* True for a Unix socket that listens. */
bool dt_os_is_listening(int fd);

/* One process, also when its number has become another's. */
struct dt_process {
	pid_t pid;
	uint64_t started; /* ticks after the machine did; 0: not known */
};

/* What the kernel tells of one; false when there is none. */
struct dt_os_stat {
	struct dt_process process;
	pid_t parent;
	pid_t session;
	bool is_ended; /* and its parent has not noticed yet */
	char name[16];
};
bool dt_os_stat(pid_t pid, struct dt_os_stat *out);
/* Whether that process, and no later one, is still there. */
bool dt_os_is_alive(struct dt_process process);

/* The parent of a process; 0 when there is none or it cannot be told. */
pid_t dt_os_parent(pid_t pid);

/* When a process was started, in ticks since the machine was; 0 when it has
 * ended.  With it a process is told from a later one of the same number. */
uint64_t dt_os_started(pid_t pid);

/* True when `pid` is `ancestor` or one of its descendants. */
bool dt_os_is_descendant(pid_t pid, pid_t ancestor);

/* A variable of the environment a process was started with, in the arena; NULL
 * when it has none, is gone, or is not ours to look at. */
const char *dt_os_variable(struct dt_arena *arena, pid_t pid, const char *name);

/*
 * How many processes of ours were started with this pair ("NAME=value") in their
 * environment; each gets the signal, unless that is 0.  Members of the process
 * group are left out (0: nobody is), and who has cleared its environment is not
 * found.
 */
unsigned dt_os_signal_marked(const char *pair, int number, pid_t group);

/* The folder a process works in, in the arena; NULL as above. */
const char *dt_os_folder(struct dt_arena *arena, pid_t pid);

/* Bytes of memory that the processes of a group hold; 0 when there are none. */
int64_t dt_os_group_memory(pid_t group);

/*
 * A daemon that once carried a large diff does not stay large, and one that
 * carries many does not fetch the same pages again for each: what is freed is
 * kept until dt_os_release_memory().
 */
void dt_os_keep_memory_small(void);
void dt_os_release_memory(void);
/* Let go of pages of programs and libraries that only the start needed; one
 * that is needed again comes again. */
void dt_os_release_code(void);

#endif
