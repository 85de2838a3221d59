/*
 * editor/change.h - changes that nobody is asked about yet: looked at, held as
 * unsaved text, or staged until they are proposed together.
 */
#ifndef DT_EDITOR_CHANGE_H
#define DT_EDITOR_CHANGE_H

#include "base/str.h"
#include "data/field.h"
#include "editor/proposal.h"

#include <stdint.h>

/* What the changes of a struct dt_propose_args make. */
struct dt_preview_result {
	struct dt_items changes; /* struct dt_change with both texts and base */
};

struct dt_set_buffer_args {
	const char *path;
	struct dt_str text;
	const char *base; /* SHA-256 of the text that was edited; NULL: any */
};

/* A transaction belongs to the session that began it. */
struct dt_transaction_args {
	const char *id; /* to begin one: NULL for an id of ours */
};
struct dt_transaction_result {
	const char *id;
	uint32_t file_count;
};
struct dt_stage_args {
	const char *id;
	struct dt_items changes; /* struct dt_change */
};

extern const struct dt_field dt_preview_result_fields[];
extern const struct dt_field dt_set_buffer_args_fields[];
extern const struct dt_field dt_begin_transaction_args_fields[];
extern const struct dt_field dt_transaction_args_fields[];
extern const struct dt_field dt_transaction_result_fields[];
extern const struct dt_field dt_stage_args_fields[];

#endif
