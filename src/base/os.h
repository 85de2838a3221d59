/*
 * base/os.h - what every system does its own way; one os_SYSTEM.c each.
 *
 * For base/ alone.  Errors stay in errno: the caller knows the sentence.
 */
#ifndef DT_BASE_OS_H
#define DT_BASE_OS_H

#include <stdbool.h>
#include <stddef.h>

/* Fill `out` from the kernel's generator; waits until it is seeded. */
bool dt_os_random(void *out, size_t len);

/*
 * Open `relative` below the folder `root_fd`, close-on-exec; the kernel lets
 * nothing lead out of it (EXDEV).  ENOSYS when the kernel cannot do that.
 */
bool dt_os_open_beneath(int root_fd, const char *relative, int flags,
                        int *out_fd);

/*
 * The absolute name by which the system knows what is open now, whatever it was
 * opened by; one that was removed or replaced since keeps its last name.  False
 * when there is none, or it does not fit.
 */
bool dt_os_name_of(int fd, char *out, size_t size);

/* The kernel says that a path is there and that none of its parts is a link;
 * false also where it cannot say so. */
bool dt_os_has_no_links(const char *path);

#endif
