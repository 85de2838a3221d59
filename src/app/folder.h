/* app/folder.h - which workspace a command means. */
#ifndef DT_APP_FOLDER_H
#define DT_APP_FOLDER_H

#include "app/remote.h"
#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

struct dt_workspace_info {
	const char *id;
	const char *root;
	const char *lock;
	uint32_t port;
	bool is_new;
};

/* The real path of the folder `named`, NULL: the current one. */
enum dt_err dt_folder_find(struct dt_arena *arena, const char *named,
                           const char **out,
                           struct dt_fail *fail) DT_MUST_CHECK;

/* Have a folder served, with our environment. */
enum dt_err dt_folder_serve(struct dt_remote *remote, const char *named,
                            struct dt_arena *arena,
                            struct dt_workspace_info *out,
                            struct dt_fail *fail) DT_MUST_CHECK;

#endif
