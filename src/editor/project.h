/* editor/project.h - what is asked about a project as a whole: the note that one
 * agent leaves for the next, what files import, and the clipboard. */
#ifndef DT_EDITOR_PROJECT_H
#define DT_EDITOR_PROJECT_H

#include "base/str.h"
#include "data/field.h"

#include <stdbool.h>
#include <stdint.h>

/* The note of a workspace. */
struct dt_set_note_args {
	struct dt_str note; /* empty: there is to be none */
};
struct dt_note_result {
	struct dt_str note;     /* ptr NULL: there is none */
	const char *updated_at; /* as dt_clock_format() writes it */
	const char *updated_by; /* the agent */
	uint32_t age_seconds;
};

/* What a file imports of the workspace, and what that imports ... */
struct dt_imports_args {
	const char *path;
	uint32_t depth; /* of the tree, DT_LIMIT_IMPORT_DEPTH at most */
	bool has_external;
};
struct dt_import {
	const char *from; /* the file */
	const char *to;   /* another file; or NULL: it is external */
	const char *name; /* as it is written */
	uint32_t line;    /* 0-based */
	uint32_t depth;   /* of `from`; 0: the file that was asked about */
};
struct dt_imports_result {
	const char *path; /* links resolved */
	const char *language;
	struct dt_items imports; /* struct dt_import, the nearest first */
	uint32_t file_count;     /* that were read */
	bool is_cut;             /* a limit was reached */
};

struct dt_clipboard {
	struct dt_str text;
	bool is_cut; /* there was more */
};

/* Their fields, for the table of operations. */
extern const struct dt_field dt_set_note_args_fields[];
extern const struct dt_field dt_note_result_fields[];
extern const struct dt_field dt_imports_args_fields[];
extern const struct dt_field dt_imports_result_fields[];
extern const struct dt_field dt_clipboard_fields[];

#endif
