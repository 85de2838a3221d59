/* hub/config_globs.h - keys of dovetail.conf that are lists of patterns. */
#ifndef DT_HUB_CONFIG_GLOBS_H
#define DT_HUB_CONFIG_GLOBS_H

#include "base/err.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>

/* One pattern, and where it stands. */
struct dt_config_glob {
	const char *text;
	const char *file;
	unsigned line;
	bool is_repository; /* of the repository's own file */
};

/* Zeroed storage is an empty list. */
struct dt_config_globs {
	struct dt_config_glob *list;
	size_t count;
};

/* DT_E_ARGS unless every word is a pattern of files. */
enum dt_err dt_config_globs_check(struct dt_str words,
                                  struct dt_fail *fail) DT_MUST_CHECK;

/* Add the words of a value that was checked; `where` has the rest. */
void dt_config_globs_add(struct dt_config_globs *globs, struct dt_str words,
                         const struct dt_config_glob *where);
void dt_config_globs_done(struct dt_config_globs *globs);

#endif
