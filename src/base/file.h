/* base/file.h - reading and writing whole files without races. */
#ifndef DT_BASE_FILE_H
#define DT_BASE_FILE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <sys/types.h>

/*
 * Append a regular file to `out`, up to the buffer's limit (DT_E_LIMIT beyond
 * it).  DT_E_MISSING when it is not there.  On failure `out` is as it was.
 */
enum dt_err dt_file_read(const char *path, struct dt_buf *out,
                         struct dt_fail *fail) DT_MUST_CHECK;

/*
 * The same for a file below `root`, by a path relative to it.  The kernel
 * resolves the name beneath the root (openat2 RESOLVE_BENEATH; a checked walk
 * where it has none), so no link leads out: DT_E_DENIED.
 */
enum dt_err dt_file_read_beneath(const char *root, const char *relative,
                                 struct dt_buf *out,
                                 struct dt_fail *fail) DT_MUST_CHECK;

/*
 * The same, and the path that the file has when all links are followed, asked of
 * the open file; see dt_beneath_open_named().  Root NULL: `relative` is an
 * absolute path and may lie anywhere.
 */
enum dt_err dt_file_read_named(struct dt_arena *arena, const char *root,
                               const char *relative, struct dt_buf *out,
                               const char **out_path,
                               struct dt_fail *fail) DT_MUST_CHECK;

/*
 * Replace or create `path` in one step: temporary file, fsync, rename.  `mode`
 * is exact, whatever the umask.  A link at `path` is replaced, not followed.
 */
enum dt_err dt_file_write(const char *path, struct dt_str text, mode_t mode,
                          struct dt_fail *fail) DT_MUST_CHECK;

/*
 * In a folder that is open.  A link is not followed: DT_E_DENIED.  What is
 * written must be new, and is whole and on the disk afterwards, or not there;
 * unless the mode is exact, the umask is taken off it.
 */
enum dt_err dt_file_read_at(int folder, const char *name, struct dt_buf *out,
                            struct dt_fail *fail) DT_MUST_CHECK;
enum dt_err dt_file_write_at(int folder, const char *name, struct dt_str text,
                             mode_t mode, bool is_exact,
                             struct dt_fail *fail) DT_MUST_CHECK;

/* mkdir -p; folders made here get 0700, those there stay as they are. */
enum dt_err dt_file_make_dirs(const char *path,
                              struct dt_fail *fail) DT_MUST_CHECK;

/*
 * A folder of ours alone: made with 0700 when missing, as are those above;
 * refused unless it is a real directory (no link), owned by us, closed to
 * others (DT_E_DENIED).
 */
enum dt_err dt_file_private_dir(const char *path,
                                struct dt_fail *fail) DT_MUST_CHECK;

/* rm -rf: as much of it as can be; links are removed, not followed. */
void dt_file_remove_tree(const char *path);

bool dt_file_is_dir(const char *path);

#endif
