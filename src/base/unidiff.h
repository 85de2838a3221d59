/* base/unidiff.h - a change of one file as a unified diff. */
#ifndef DT_BASE_UNIDIFF_H
#define DT_BASE_UNIDIFF_H

#include "base/buf.h"
#include "base/str.h"

/* One file before and after.  Names are relative, with slashes. */
struct dt_unidiff {
	const char *old_name; /* NULL: the file is created */
	const char *new_name; /* NULL: it is deleted */
	struct dt_str old_text;
	struct dt_str new_text;
	size_t *work; /* of dt_lines_diff(), or NULL */
};

/*
 * Append it as git writes it, so that `git apply` and patch(1) make the new file
 * of the old one.  Nothing is appended for a file that stays as it is.
 */
void dt_unidiff_write(const struct dt_unidiff *file, struct dt_buf *out);

#endif
