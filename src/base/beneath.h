/* base/beneath.h - opening a file below a folder, and never outside of it. */
#ifndef DT_BASE_BENEATH_H
#define DT_BASE_BENEATH_H

#include "base/arena.h"
#include "base/err.h"

/*
 * Open `relative` below `root` for reading.  Links are followed as long as they
 * stay below; an absolute path or one that leads out is DT_E_DENIED, whatever
 * others rename meanwhile.  The kernel does it where it can.
 */
enum dt_err dt_beneath_open(const char *root, const char *relative, int *out_fd,
                            struct dt_fail *fail) DT_MUST_CHECK;

/*
 * The same, and the path that what was opened has: the root and what comes below
 * it when all links are followed, in the arena.  It is asked of the open file,
 * so it is that of the file that will be read, whatever others rename meanwhile.
 * DT_E_DENIED when it cannot be told.
 */
enum dt_err dt_beneath_open_named(struct dt_arena *arena, const char *root,
                                  const char *relative, int *out_fd,
                                  const char **out_path,
                                  struct dt_fail *fail) DT_MUST_CHECK;

/* The same without the kernel's help, for systems that have none. */
enum dt_err dt_beneath_walk(const char *root, const char *relative, int *out_fd,
                            struct dt_fail *fail) DT_MUST_CHECK;

#endif
