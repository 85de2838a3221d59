/*
 * editor/change.h - changes that nobody is asked about yet: looked at, held as
 * unsaved text, or staged until they are proposed together.
 */
#ifndef DT_EDITOR_CHANGE_H
#define DT_EDITOR_CHANGE_H

#include "base/str.h"
#include "data/field.h"
#include "editor/proposal.h"

#include <stdbool.h>
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

/* A pattern replaced in files; nothing is written. */
struct dt_search_replace_args {
	struct dt_str pattern;
	struct dt_str replacement;
	const char *glob; /* of dt_list_files_args; or NULL */
	bool is_regex;
	bool has_case;
};
struct dt_replaced_file {
	const char *path;
	const char *base; /* SHA-256 of the old text */
	struct dt_str old_text;
	struct dt_str text;
	uint32_t count; /* of replacements */
};
struct dt_search_replace_result {
	struct dt_items files; /* struct dt_replaced_file */
	uint32_t replacements;
	uint32_t matched;  /* files */
	uint32_t searched; /* files */
	uint32_t skipped;  /* no text, or too large */
	bool is_cut;       /* not all are listed, or not all were searched */
};

extern const struct dt_field dt_search_replace_args_fields[];
extern const struct dt_field dt_search_replace_result_fields[];
extern const struct dt_field dt_preview_result_fields[];
extern const struct dt_field dt_set_buffer_args_fields[];
extern const struct dt_field dt_begin_transaction_args_fields[];
extern const struct dt_field dt_transaction_args_fields[];
extern const struct dt_field dt_transaction_result_fields[];
extern const struct dt_field dt_stage_args_fields[];

#endif
