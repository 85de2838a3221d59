/*
 * editor/code.h - what goes into questions about code, and comes out.
 *
 * A place is a file and a position in it.  Who asks may name the symbol there:
 * a position that is a little off is then taken for the nearest one of that
 * name, and the result says so (`moved`).  Texts are what a language server or
 * an editor says.
 */
#ifndef DT_EDITOR_CODE_H
#define DT_EDITOR_CODE_H

#include "base/str.h"
#include "data/field.h"
#include "editor/operation.h"

#include <stdbool.h>
#include <stdint.h>

/* arguments */

/* How much of a position is known; without a line it goes by the symbol. */
enum dt_code_known { DT_CODE_AT, DT_CODE_ON_LINE, DT_CODE_IN_FILE };

struct dt_code_place {
	const char *path;
	struct dt_position at;
	const char *symbol; /* the name that is there, or NULL */
	int known;          /* enum dt_code_known */
	const char *note;   /* how it was found, for `moved`; or NULL */
};

struct dt_locate_args {
	struct dt_code_place place;
	uint32_t offset;           /* leave out so many */
	struct dt_maybe_u32 limit; /* and tell at most so many */
};

enum dt_code_direction { DT_CODE_BOTH, DT_CODE_UP, DT_CODE_DOWN };

struct dt_hierarchy_args {
	struct dt_code_place place;
	int direction; /* enum dt_code_direction; up: callers, supertypes */
};

struct dt_search_symbols_args {
	const char *query;
	struct dt_maybe_u32 limit;
};

/* results */

/* It was asked somewhere else than told; note NULL: it was not. */
struct dt_code_moved {
	struct dt_position at;
	const char *note;
};

/* Who answered, and about what. */
struct dt_code_source {
	const char *path;   /* the file, links resolved; NULL: none */
	const char *server; /* name of the language server */
	const char *busy;   /* what it is still at: there may be more */
	const char *doubt;  /* why there may be more all the same */
	struct dt_code_moved moved;
};

struct dt_location {
	const char *path;
	struct dt_range range;
	struct dt_str preview; /* the line it begins on; absent: not known */
};
struct dt_locations_result {
	struct dt_items items; /* struct dt_location */
	uint32_t total;        /* told or not */
	struct dt_code_source source;
};

struct dt_hover_result {
	bool is_found;
	struct dt_str text; /* Markdown */
	struct dt_range range;
	struct dt_names origins; /* files it quotes, where that matters */
	struct dt_code_source source;
};

struct dt_signature_parameter {
	struct dt_str label;
	struct dt_str doc;
};
struct dt_signature {
	struct dt_str label;
	struct dt_str doc;
	struct dt_items parameters; /* struct dt_signature_parameter */
};
struct dt_signatures_result {
	struct dt_items items; /* struct dt_signature */
	uint32_t active;
	uint32_t parameter;      /* the active one of the active */
	struct dt_names origins; /* as in struct dt_hover_result */
	struct dt_code_source source;
};

/* A symbol of a file or of the workspace; in the order of the text. */
struct dt_symbol {
	const char *name;
	const char *kind; /* as LSP names them: "function" */
	const char *detail;
	const char *container; /* or NULL */
	uint32_t depth;        /* symbols around it */
	const char *path;
	struct dt_range range;     /* all of it */
	struct dt_range selection; /* its name */
};
struct dt_symbols_result {
	struct dt_items items; /* struct dt_symbol */
	uint32_t total;
	struct dt_names servers;  /* that were asked, where there are several */
	struct dt_names failures; /* servers that could not, and why */
	struct dt_code_source source;
};

struct dt_hierarchy_item {
	const char *name;
	const char *kind;
	const char *detail;
	const char *path;
	struct dt_range range;
	struct dt_range selection;
	struct dt_items
		sites; /* struct dt_range: where it calls or is called */
};
struct dt_hierarchy_result {
	bool is_found;
	const char *name;   /* what there is at the place */
	struct dt_items up; /* struct dt_hierarchy_item */
	struct dt_items down;
	const char *missing; /* which of both the server cannot tell; or NULL */
	struct dt_code_source source;
};

struct dt_ranges_result {
	struct dt_items items; /* struct dt_range, the innermost first */
	struct dt_code_source source;
};

extern const char *const dt_code_directions[]; /* "both", "up", "down" */
extern const char *const dt_code_knowns[];     /* "place", "line", "file" */

extern const struct dt_field dt_place_args_fields[];
extern const struct dt_field dt_locate_args_fields[];
extern const struct dt_field dt_hierarchy_args_fields[];
extern const struct dt_field dt_search_symbols_args_fields[];
extern const struct dt_field dt_locations_result_fields[];
extern const struct dt_field dt_hover_result_fields[];
extern const struct dt_field dt_signatures_result_fields[];
extern const struct dt_field dt_symbols_result_fields[];
extern const struct dt_field dt_hierarchy_result_fields[];
extern const struct dt_field dt_ranges_result_fields[];

#endif
