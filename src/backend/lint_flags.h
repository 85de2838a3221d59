/* backend/lint_flags.h - how a C file is compiled, for who only looks at it. */
#ifndef DT_BACKEND_LINT_FLAGS_H
#define DT_BACKEND_LINT_FLAGS_H

#include "base/arena.h"

/*
 * What compile_commands.json, in the folder of the file or above it within the
 * root, or in a "build" folder there, says of include paths, macros, the
 * standard and warnings; paths are absolute.  Nothing else passes: the file came
 * with a repository, and plugins or wrappers in it would be run.  Ends with
 * NULL; empty where nothing is said of the file.
 */
char **dt_lint_flags(struct dt_arena *arena, const char *root,
                     const char *path);

#endif
