/* editor/files.h - what goes into readFile and listFiles, and comes out. */
#ifndef DT_EDITOR_FILES_H
#define DT_EDITOR_FILES_H

#include "base/str.h"
#include "data/field.h"

#include <stdbool.h>
#include <stdint.h>

struct dt_read_file_args {
	const char *path;
	struct dt_maybe_u32 max_bytes; /* larger files are DT_E_LIMIT */
};
struct dt_read_file_result {
	const char *path; /* links resolved */
	const char *language;
	struct dt_str text; /* any bytes */
	bool is_dirty;      /* it is unsaved text, not what is on disk */
};

/* Which files, and how many of them.  Names are relative to the directory, or
 * to their root where none is given. */
struct dt_list_files_args {
	const char *directory; /* NULL: every root */
	const char *prefix; /* of the name or its last part; or of the path */
	const char *glob;   /* of the name, without a slash of its last part */
	uint32_t depth;     /* what is deeper is one entry; 0: nothing is */
	bool has_hidden;    /* also names that begin with a dot */
	struct dt_maybe_u32 limit; /* of names; DT_LIMIT_LISTED at most */
};
struct dt_list_files_result {
	struct dt_names paths; /* sorted; folders end with a slash */
	uint32_t total;        /* that fit, listed or not */
	bool is_cut;           /* not all are listed, or not all were seen */
	const char *source;    /* "git", or "walk" where git knows nothing */
};

#endif
