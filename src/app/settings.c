/* app/settings.c - dovetail.conf from where it is. */
#include "app/settings.h"

#include "hub/dirs.h"

enum dt_err dt_settings_read(struct dt_config **out, struct dt_fail *fail)
{
	struct dt_arena arena = { 0 };
	struct dt_dirs dirs;
	enum dt_err err = dt_dirs_find(&arena, &dirs, fail);

	if (!err) {
		*out = dt_config_new();
		dt_config_read(*out, dirs.conf, false);
	}
	dt_arena_done(&arena);
	return err;
}
