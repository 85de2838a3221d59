/*
 * editor/operation.h - what an editor can do, as one table.
 *
 * An operation is one thing an editor can do for an agent, neutral of both: one
 * const entry here and nowhere else.  Positions are 0-based lines and UTF-16
 * columns, as in LSP; faces convert.  The plugin protocol will send an operation
 * as "extension/<name>" with its arguments encoded by `args`.
 */
#ifndef DT_EDITOR_OPERATION_H
#define DT_EDITOR_OPERATION_H

#include "base/str.h"
#include "data/field.h"
#include "editor/proposal.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What doing it does to the person's world.  Policy is keyed on this. */
enum dt_effect {
	DT_READS,  /* looks; never asks */
	DT_SHOWS,  /* moves the person's view */
	DT_ASKS,   /* changes only what the person accepts */
	DT_WRITES, /* changes text */
	DT_RUNS,   /* runs programs */
};

/* A document that is open. */
struct dt_document_info {
	const char *path;
	const char *label;
	const char *language;
	bool is_active;
	bool is_dirty;
	bool is_overtaken; /* its file was changed by somebody else meanwhile */
};

/* What the person has selected; `path` NULL: nothing is known. */
struct dt_selection {
	const char *path;
	struct dt_str text; /* empty: the cursor stands at range.start */
	struct dt_range range;
	bool is_lasting; /* an editor still shows it, so it may be sent again */
};

enum dt_severity { DT_SEV_ERROR, DT_SEV_WARNING, DT_SEV_INFO, DT_SEV_HINT };

struct dt_diagnostic {
	struct dt_str message;
	int severity; /* enum dt_severity */
	struct dt_range range;
	const char *source;    /* or NULL */
	const char *code;      /* or NULL */
	struct dt_names about; /* other files that the message speaks of */
};

struct dt_file_diagnostics {
	const char *path;
	struct dt_items items; /* struct dt_diagnostic */
};

/* Arguments and results, by operation. */

struct dt_open_args {
	const char *path;
	bool is_preview;
	struct dt_str start_text; /* select from here ... */
	struct dt_str end_text;   /* ... to the end of this */
	bool to_line_end;
	bool is_frontmost;
	struct dt_maybe_u32 line; /* 0-based, when no text is given */
	uint32_t character;
};
struct dt_open_result {
	const char *path;
	const char *language;
	uint32_t line_count;
};

struct dt_path_args {
	const char *path;
};
struct dt_found_result {
	bool is_found;
	bool is_dirty;
	bool is_overtaken; /* as in struct dt_document_info */
};

struct dt_get_selection_args {
	bool is_latest; /* also one in a document that is not active any more */
};

struct dt_documents_result {
	struct dt_items items; /* struct dt_document_info */
};

struct dt_folders_result {
	struct dt_names folders; /* absolute, the main one first */
};

struct dt_run_code_args {
	struct dt_str code;
};
struct dt_run_code_result {
	struct dt_str output;
};

struct dt_operation {
	const char *name; /* lowerCamelCase, as in the editor protocol */
	const char *doc;
	struct dt_shape args;
	struct dt_shape result;
	enum dt_effect effect;
	unsigned deadline_ms; /* 0: may wait for a person for ever */
	unsigned index;       /* in dt_operations[] */
};

/* dt_op_open_file and so on: one per line of editor/operations.def. */
#define X(id, name, args, result, effect, deadline, doc)                       \
	extern const struct dt_operation dt_op_##id;
#include "editor/operations.def"
#undef X

enum {
#define X(id, name, args, result, effect, deadline, doc) DT_OP_##id,
#include "editor/operations.def"
#undef X
	DT_OP_COUNT,
};

extern const struct dt_operation *const dt_operations[DT_OP_COUNT];

const char *dt_effect_name(enum dt_effect effect); /* "reads" */

/* Shapes that faces use too. */
extern const struct dt_shape dt_shape_range;
extern const struct dt_shape dt_shape_text_edit;
extern const struct dt_shape dt_shape_range_edit;
extern const struct dt_shape dt_shape_change;
extern const char *const dt_change_kinds[]; /* "create", "change", ..., NULL */

#endif
