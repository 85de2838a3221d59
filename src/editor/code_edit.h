/*
 * editor/code_edit.h - changes that an editor knows to make of code: what goes
 * into those operations and comes out.  Nothing is written: what comes out is a
 * list of changes to be proposed.
 */
#ifndef DT_EDITOR_CODE_EDIT_H
#define DT_EDITOR_CODE_EDIT_H

#include "base/str.h"
#include "data/field.h"
#include "editor/position.h"
#include "editor/proposal.h"

#include <stdbool.h>

/* What can be done about a range. */
struct dt_actions_args {
	const char *path;
	struct dt_range range;
	const char *only; /* a kind, "source.organizeImports"; NULL: any */
};
struct dt_code_action {
	const char *title;
	const char *kind; /* "quickfix", "refactor.extract"; or NULL */
	bool is_preferred;
	const char *disabled; /* why it cannot be done now; or NULL */
};
struct dt_actions_result {
	struct dt_items actions; /* struct dt_code_action */
	const char *source;      /* who knows them */
};

/* One of these as a change. */
struct dt_make_action_args {
	const char *path;
	struct dt_range range;
	const char *only;
	const char *title; /* NULL: all of that kind */
	bool is_preview;   /* it is only looked at */
};
struct dt_rename_args {
	const char *path;
	struct dt_position position;
	const char *new_name; /* NULL to see whether it can be renamed */
};
struct dt_format_args {
	const char *path;
	bool has_range;
	struct dt_range range;
};
struct dt_code_edit_result {
	struct dt_items changes; /* struct dt_change; none: nothing to do */
	const char *source;      /* the server or program */
	const char *title;       /* of the action, or NULL */
};

struct dt_can_rename_result {
	bool can_rename;
	const char *reason; /* why not */
	const char *placeholder;
	struct dt_range range;
};

extern const struct dt_field dt_actions_args_fields[];
extern const struct dt_field dt_actions_result_fields[];
extern const struct dt_field dt_make_action_args_fields[];
extern const struct dt_field dt_rename_args_fields[];
extern const struct dt_field dt_format_args_fields[];
extern const struct dt_field dt_code_edit_result_fields[];
extern const struct dt_field dt_can_rename_result_fields[];

#endif
