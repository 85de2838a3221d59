/*
 * tool/views.h - what editors tell, as MCP clients read it.
 *
 * Tools and resources say the same things in the same shapes.  Lines and columns
 * count from 1 here, columns in UTF-16 units.  Strings are those of the result
 * or in the arena.
 */
#ifndef DT_TOOL_VIEWS_H
#define DT_TOOL_VIEWS_H

#include "base/arena.h"
#include "data/field.h"
#include "editor/diagnostics.h"

#include <stdbool.h>
#include <stdint.h>

/* A selection; all zero: there is none. */
struct dt_selection_view {
	const char *path;
	struct dt_str text;
	uint32_t start_line;
	uint32_t start_column;
	uint32_t end_line;
	uint32_t end_column;
	bool is_empty; /* a cursor */
};
extern const struct dt_shape dt_shape_selection_view;
void dt_view_selection(const struct dt_selection *from,
                       struct dt_selection_view *out);

struct dt_tab_view {
	const char *path;
	const char *uri;
	const char *label;
	const char *language;
	bool is_active;
	bool is_dirty;
	bool is_overtaken;
};
extern const struct dt_shape dt_shape_tab_view;
/* As items of struct dt_tab_view. */
struct dt_items dt_view_tabs(struct dt_arena *arena,
                             const struct dt_documents_result *from);

struct dt_folder_view {
	const char *name;
	const char *path;
	const char *uri;
};
extern const struct dt_shape dt_shape_folder_view;
/* As items of struct dt_folder_view. */
struct dt_items dt_view_folders(struct dt_arena *arena,
                                const struct dt_folders_result *from);

struct dt_problem_view {
	const char *path;
	uint32_t line;
	uint32_t column;
	uint32_t end_line;
	uint32_t end_column;
	int severity; /* enum dt_severity */
	struct dt_str message;
	const char *source;
	const char *code;
};
struct dt_problem_counts {
	uint32_t errors;
	uint32_t warnings;
	uint32_t infos;
	uint32_t hints;
};
struct dt_problems_view {
	bool is_available;     /* somebody looks for problems */
	const char *message;   /* why there are none to see; or NULL */
	struct dt_items items; /* struct dt_problem_view, the worst first */
	struct dt_problem_counts counts; /* of all, listed or not */
	bool is_cut;
	bool is_pending;        /* somebody is still looking */
	struct dt_names who;    /* looked */
	struct dt_items errors; /* struct dt_linter_error: who could not */
	int64_t version;
};
extern const struct dt_shape dt_shape_problem_view;
extern const struct dt_field dt_problems_fields[];
extern const char *const dt_severity_names[]; /* "error", ..., NULL */
struct dt_problem_view dt_view_problem(const char *path,
                                       const struct dt_diagnostic *from);
/* Copy its strings, which are those of the result, into the arena. */
void dt_view_keep_problem(struct dt_arena *arena, struct dt_problem_view *view);
void dt_view_keep_problems(struct dt_arena *arena,
                           struct dt_problems_view *view);
/* At most `max` problems that are at least as bad as `severity`. */
void dt_view_problems(struct dt_arena *arena,
                      const struct dt_diagnostics_result *from, int severity,
                      uint32_t max, struct dt_problems_view *out);

#endif
