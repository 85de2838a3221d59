/* editor/search.h - what goes into searchText, and comes out. */
#ifndef DT_EDITOR_SEARCH_H
#define DT_EDITOR_SEARCH_H

#include "base/str.h"
#include "data/field.h"
#include "editor/operation.h"

#include <stdbool.h>
#include <stdint.h>

/* What is looked for, and where. */
struct dt_search_args {
	const char *query;
	const char *glob; /* of the name, as in struct dt_list_files_args */
	bool is_regex;    /* else the query stands for itself */
	bool is_case_sensitive;
	uint32_t max;     /* lines; 0 or more than that: DT_LIMIT_FOUND */
	uint32_t context; /* lines before and after each; DT_LIMIT_CONTEXT */
};

/* A line in which it is. */
struct dt_search_match {
	const char *path;
	struct dt_range range;  /* the first time it is in the line */
	struct dt_str text;     /* without its end */
	bool is_part;           /* the line is longer: `text` is some of it */
	struct dt_names before; /* lines, the nearest last */
	struct dt_names after;
};
struct dt_search_result {
	struct dt_items matches; /* struct dt_search_match, by path and line */
	bool is_cut;             /* there may be more */
	const char *source;      /* "ripgrep", or "dovetail" without it */
};

/* Their fields, for the table of operations. */
extern const struct dt_field dt_search_args_fields[];
extern const struct dt_field dt_search_result_fields[];

#endif
