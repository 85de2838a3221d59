/* loop/os.h - what the loop asks of the operating system itself. */
#ifndef DT_LOOP_OS_H
#define DT_LOOP_OS_H

#include "base/err.h"

#include <stdbool.h>
#include <sys/types.h>

/* Who is at the other end of a connected Unix socket. */
enum dt_err dt_os_peer(int fd, pid_t *out_pid, uid_t *out_uid,
                       struct dt_fail *fail) DT_MUST_CHECK;

/* The parent of a process; 0 when there is none or it cannot be told. */
pid_t dt_os_parent(pid_t pid);

/* True when `pid` is `ancestor` or one of its descendants. */
bool dt_os_is_descendant(pid_t pid, pid_t ancestor);

/* Give large blocks back to the system as soon as they are freed: a daemon that
 * once carried a large diff does not stay large. */
void dt_os_keep_memory_small(void);

#endif
