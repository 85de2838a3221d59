/* editor/search.c - the fields of what is looked for and found. */
#include "editor/search.h"

const struct dt_field dt_search_args_fields[] = {
	DT_FIELD(struct dt_search_args, query, NAME, DT_REQ,
	         "What to look for."),
	DT_FIELD(struct dt_search_args, glob, NAME, DT_OMIT,
	         "Only in files whose name fits."),
	DT_FIELD_AS("regex", struct dt_search_args, is_regex, BOOL, 0,
	            "The query is a regular expression."),
	DT_FIELD_AS("caseSensitive", struct dt_search_args, is_case_sensitive,
	            BOOL, 0, "Upper and lower case differ."),
	DT_FIELD(struct dt_search_args, max, U32, 0, "Lines at most."),
	DT_FIELD(struct dt_search_args, context, U32, 0,
	         "Lines before and after each."),
	DT_FIELD_END,
};

static const struct dt_field match_fields[] = {
	DT_FIELD(struct dt_search_match, path, PATH, DT_REQ, "The file."),
	DT_FIELD_OBJECT("range", struct dt_search_match, range, struct dt_range,
	                dt_shape_range, DT_REQ, "Where it is."),
	DT_FIELD(struct dt_search_match, text, STR, DT_REQ, "The line."),
	DT_FIELD_AS("part", struct dt_search_match, is_part, BOOL, DT_OMIT,
	            "The line is longer."),
	DT_FIELD(struct dt_search_match, before, NAMES, 0, "Lines before."),
	DT_FIELD(struct dt_search_match, after, NAMES, 0, "Lines after."),
	DT_FIELD_END,
};
static const struct dt_shape match =
	DT_SHAPE(struct dt_search_match, match_fields);

const struct dt_field dt_search_result_fields[] = {
	DT_FIELD(struct dt_search_result, matches, ITEMS, DT_REQ,
	         "Lines in which it is.", .shape = &match),
	DT_FIELD_AS("cut", struct dt_search_result, is_cut, BOOL, DT_REQ,
	            "There may be more."),
	DT_FIELD(struct dt_search_result, source, NAME, DT_REQ, "Who looked."),
	DT_FIELD_END,
};
