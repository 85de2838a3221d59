/*
 * editor/code.c - the fields of what is asked and told about code.
 *
 * Positions are those of the operations, 0-based; tools have tables of their own
 * over the same structs.
 */
#include "editor/code.h"

#include "editor/code_file.h"

/* arguments */

/* clang-format off */
/* The members of a place inside the struct T. */
#define PLACE(T, place)                                                      \
	DT_FIELD_AS("path", T, place path, PATH, DT_REQ, "The file."),       \
	DT_FIELD_AS("line", T, place at.line, U32, DT_REQ, "0-based line."), \
	DT_FIELD_AS("character", T, place at.character, U32, DT_REQ,         \
	            "0-based column in UTF-16 units."),                      \
	DT_FIELD_AS("symbol", T, place symbol, NAME, DT_OMIT,                \
	            "The name that is there; one nearby is taken."),         \
	DT_FIELD_AS("known", T, place known, ENUM, DT_OMIT,                  \
	            "How much of the position is known.",                    \
	            .names = dt_code_knowns, .def = "\"place\""),            \
	DT_FIELD_AS("note", T, place note, NAME, DT_OMIT,                    \
	            "How it was found.")
/* clang-format on */

const char *const dt_code_knowns[] = { "place", "line", "file", NULL };

const struct dt_field dt_place_args_fields[] = {
	PLACE(struct dt_code_place, ),
	DT_FIELD_END,
};

const struct dt_field dt_locate_args_fields[] = {
	PLACE(struct dt_locate_args, place.),
	DT_FIELD(struct dt_locate_args, offset, U32, DT_OMIT,
	         "Leave out so many."),
	DT_FIELD(struct dt_locate_args, limit, MAYBE_U32, DT_OMIT,
	         "At most so many."),
	DT_FIELD_END,
};

const struct dt_field dt_lines_args_fields[] = {
	DT_FIELD(struct dt_lines_args, path, PATH, DT_REQ, "The file."),
	DT_FIELD_AS("firstLine", struct dt_lines_args, first, MAYBE_U32,
	            DT_OMIT, "0-based; absent: the first."),
	DT_FIELD_AS("lastLine", struct dt_lines_args, last, MAYBE_U32, DT_OMIT,
	            "0-based, included; absent: the last."),
	DT_FIELD(struct dt_lines_args, limit, MAYBE_U32, DT_OMIT,
	         "At most so many."),
	DT_FIELD_END,
};

const char *const dt_code_directions[] = { "both", "up", "down", NULL };

const struct dt_field dt_hierarchy_args_fields[] = {
	PLACE(struct dt_hierarchy_args, place.),
	DT_FIELD(struct dt_hierarchy_args, direction, ENUM, 0,
	         "Up: callers, supertypes; down: callees, subtypes.",
	         .names = dt_code_directions, .def = "\"both\""),
	DT_FIELD_END,
};

const struct dt_field dt_search_symbols_args_fields[] = {
	DT_FIELD(struct dt_search_symbols_args, query, NAME, DT_REQ,
	         "A name or a part of it."),
	DT_FIELD(struct dt_search_symbols_args, limit, MAYBE_U32, DT_OMIT,
	         "At most so many."),
	DT_FIELD_END,
};

const struct dt_field dt_restart_servers_args_fields[] = {
	DT_FIELD(struct dt_restart_servers_args, name, NAME, DT_OMIT,
	         "Of this name; absent: all."),
	DT_FIELD_END,
};

/* who answered */

static const struct dt_field position_fields[] = {
	DT_FIELD(struct dt_position, line, U32, DT_REQ, "0-based line."),
	DT_FIELD(struct dt_position, character, U32, DT_REQ,
	         "0-based column in UTF-16 units."),
	DT_FIELD_END,
};
static const struct dt_shape position =
	DT_SHAPE(struct dt_position, position_fields);

static const struct dt_field moved_fields[] = {
	DT_FIELD_OBJECT("at", struct dt_code_moved, at, struct dt_position,
	                position, DT_REQ, "Where it was asked."),
	DT_FIELD(struct dt_code_moved, note, NAME, DT_OMIT, "Why there."),
	DT_FIELD_END,
};
static const struct dt_shape moved =
	DT_SHAPE(struct dt_code_moved, moved_fields);

static const struct dt_field source_fields[] = {
	DT_FIELD(struct dt_code_source, path, PATH, DT_OMIT, "The file."),
	DT_FIELD(struct dt_code_source, server, NAME, DT_OMIT, "Its name."),
	DT_FIELD(struct dt_code_source, busy, NAME, DT_OMIT,
	         "What it is still at."),
	DT_FIELD(struct dt_code_source, doubt, NAME, DT_OMIT,
	         "Why there may be more."),
	DT_FIELD_OBJECT("moved", struct dt_code_source, moved,
	                struct dt_code_moved, moved, DT_OMIT,
	                "It was asked elsewhere than told."),
	DT_FIELD_END,
};
static const struct dt_shape source =
	DT_SHAPE(struct dt_code_source, source_fields);

/* clang-format off */
#define SOURCE(T)                                                            \
	DT_FIELD_OBJECT("source", T, source, struct dt_code_source, source,  \
	                DT_OMIT, "Who answered.")
#define RANGE(T, json, member, text)                                         \
	DT_FIELD_OBJECT(json, T, member, struct dt_range, dt_shape_range,    \
	                DT_REQ, text)
/* clang-format on */

/* locations */

static const struct dt_field location_fields[] = {
	DT_FIELD(struct dt_location, path, PATH, DT_REQ, "The file."),
	RANGE(struct dt_location, "range", range, "Where in it."),
	DT_FIELD(struct dt_location, preview, STR, DT_OMIT, "The line."),
	DT_FIELD_END,
};
static const struct dt_shape location =
	DT_SHAPE(struct dt_location, location_fields);

const struct dt_field dt_locations_result_fields[] = {
	DT_FIELD_AS("locations", struct dt_locations_result, items, ITEMS,
	            DT_REQ, "The places.", .shape = &location),
	DT_FIELD(struct dt_locations_result, total, U32, DT_REQ,
	         "How many there are."),
	SOURCE(struct dt_locations_result),
	DT_FIELD_END,
};

/* hover and signatures */

const struct dt_field dt_hover_result_fields[] = {
	DT_FIELD_AS("found", struct dt_hover_result, is_found, BOOL, DT_REQ,
	            "There is something to say."),
	DT_FIELD(struct dt_hover_result, text, STR, DT_OMIT | DT_BIG,
	         "Markdown."),
	DT_FIELD_OBJECT("range", struct dt_hover_result, range, struct dt_range,
	                dt_shape_range, DT_OMIT, "What it is about."),
	DT_FIELD(struct dt_hover_result, origins, PATHS, DT_OMIT,
	         "Files it quotes, where that matters."),
	SOURCE(struct dt_hover_result),
	DT_FIELD_END,
};

static const struct dt_field parameter_fields[] = {
	DT_FIELD(struct dt_signature_parameter, label, STR, DT_REQ,
	         "As in the signature."),
	DT_FIELD(struct dt_signature_parameter, doc, STR, DT_OMIT, "Markdown."),
	DT_FIELD_END,
};
static const struct dt_shape parameter =
	DT_SHAPE(struct dt_signature_parameter, parameter_fields);

static const struct dt_field signature_fields[] = {
	DT_FIELD(struct dt_signature, label, STR, DT_REQ, "The signature."),
	DT_FIELD(struct dt_signature, doc, STR, DT_OMIT, "Markdown."),
	DT_FIELD(struct dt_signature, parameters, ITEMS, DT_REQ,
	         "Its parameters.", .shape = &parameter),
	DT_FIELD_END,
};
static const struct dt_shape signature =
	DT_SHAPE(struct dt_signature, signature_fields);

const struct dt_field dt_signatures_result_fields[] = {
	DT_FIELD_AS("signatures", struct dt_signatures_result, items, ITEMS,
	            DT_REQ, "The signatures.", .shape = &signature),
	DT_FIELD(struct dt_signatures_result, active, U32, DT_REQ,
	         "The one that fits, from 0."),
	DT_FIELD(struct dt_signatures_result, parameter, U32, DT_REQ,
	         "The parameter that is there, from 0."),
	DT_FIELD(struct dt_signatures_result, origins, PATHS, DT_OMIT,
	         "Files it quotes, where that matters."),
	SOURCE(struct dt_signatures_result),
	DT_FIELD_END,
};

/* symbols */

static const struct dt_field symbol_fields[] = {
	DT_FIELD(struct dt_symbol, name, NAME, DT_REQ, "Its name."),
	DT_FIELD(struct dt_symbol, kind, NAME, DT_REQ, "What it is."),
	DT_FIELD(struct dt_symbol, detail, NAME, DT_OMIT, "More of it."),
	DT_FIELD(struct dt_symbol, container, NAME, DT_OMIT, "Where it is in."),
	DT_FIELD(struct dt_symbol, depth, U32, DT_REQ,
	         "How many symbols are around it."),
	DT_FIELD(struct dt_symbol, path, PATH, DT_REQ, "The file."),
	RANGE(struct dt_symbol, "range", range, "All of it."),
	RANGE(struct dt_symbol, "selection", selection, "Its name."),
	DT_FIELD_END,
};
static const struct dt_shape symbol = DT_SHAPE(struct dt_symbol, symbol_fields);

const struct dt_field dt_symbols_result_fields[] = {
	DT_FIELD_AS("symbols", struct dt_symbols_result, items, ITEMS, DT_REQ,
	            "The symbols.", .shape = &symbol),
	DT_FIELD(struct dt_symbols_result, total, U32, DT_REQ,
	         "How many there are."),
	DT_FIELD(struct dt_symbols_result, servers, NAMES, DT_OMIT,
	         "Servers that were asked."),
	DT_FIELD(struct dt_symbols_result, failures, NAMES, DT_OMIT,
	         "Servers that could not, and why."),
	SOURCE(struct dt_symbols_result),
	DT_FIELD_END,
};

/* hierarchies */

static const struct dt_field item_fields[] = {
	DT_FIELD(struct dt_hierarchy_item, name, NAME, DT_REQ, "Its name."),
	DT_FIELD(struct dt_hierarchy_item, kind, NAME, DT_REQ, "What it is."),
	DT_FIELD(struct dt_hierarchy_item, detail, NAME, DT_OMIT,
	         "More of it."),
	DT_FIELD(struct dt_hierarchy_item, path, PATH, DT_REQ, "The file."),
	RANGE(struct dt_hierarchy_item, "range", range, "All of it."),
	RANGE(struct dt_hierarchy_item, "selection", selection, "Its name."),
	DT_FIELD(struct dt_hierarchy_item, sites, ITEMS, DT_REQ,
	         "Where the calls are.", .shape = &dt_shape_range),
	DT_FIELD_END,
};
static const struct dt_shape item =
	DT_SHAPE(struct dt_hierarchy_item, item_fields);

const struct dt_field dt_hierarchy_result_fields[] = {
	DT_FIELD_AS("found", struct dt_hierarchy_result, is_found, BOOL, DT_REQ,
	            "There is something at the place."),
	DT_FIELD(struct dt_hierarchy_result, name, NAME, DT_OMIT, "Its name."),
	DT_FIELD(struct dt_hierarchy_result, up, ITEMS, DT_REQ,
	         "Callers, or supertypes.", .shape = &item),
	DT_FIELD(struct dt_hierarchy_result, down, ITEMS, DT_REQ,
	         "Callees, or subtypes.", .shape = &item),
	DT_FIELD(struct dt_hierarchy_result, missing, NAME, DT_OMIT,
	         "What the server cannot tell."),
	SOURCE(struct dt_hierarchy_result),
	DT_FIELD_END,
};

/* lines of a file */

static const struct dt_field hint_fields[] = {
	DT_FIELD_OBJECT("at", struct dt_inlay_hint, at, struct dt_position,
	                position, DT_REQ, "Where it would be shown."),
	DT_FIELD(struct dt_inlay_hint, label, STR, DT_REQ, "The hint."),
	DT_FIELD(struct dt_inlay_hint, kind, NAME, DT_OMIT,
	         "\"type\" or \"parameter\"."),
	DT_FIELD_END,
};
static const struct dt_shape hint = DT_SHAPE(struct dt_inlay_hint, hint_fields);

const struct dt_field dt_inlay_hints_result_fields[] = {
	DT_FIELD_AS("hints", struct dt_inlay_hints_result, items, ITEMS, DT_REQ,
	            "The hints.", .shape = &hint),
	DT_FIELD(struct dt_inlay_hints_result, total, U32, DT_REQ,
	         "How many there are."),
	SOURCE(struct dt_inlay_hints_result),
	DT_FIELD_END,
};

static const struct dt_field token_fields[] = {
	DT_FIELD_OBJECT("at", struct dt_token, at, struct dt_position, position,
	                DT_REQ, "Where it begins."),
	DT_FIELD(struct dt_token, length, U32, DT_REQ, "In UTF-16 units."),
	DT_FIELD(struct dt_token, text, STR, DT_OMIT, "The token."),
	DT_FIELD(struct dt_token, type, NAME, DT_REQ, "What it is."),
	DT_FIELD(struct dt_token, modifiers, NAMES, DT_OMIT, "And how."),
	DT_FIELD_END,
};
static const struct dt_shape token = DT_SHAPE(struct dt_token, token_fields);

const struct dt_field dt_tokens_result_fields[] = {
	DT_FIELD_AS("tokens", struct dt_tokens_result, items, ITEMS, DT_REQ,
	            "The tokens.", .shape = &token),
	DT_FIELD(struct dt_tokens_result, total, U32, DT_REQ,
	         "How many there are."),
	DT_FIELD(struct dt_tokens_result, types, NAMES, DT_REQ,
	         "All types of the server."),
	DT_FIELD(struct dt_tokens_result, modifiers, NAMES, DT_REQ,
	         "All modifiers of the server."),
	SOURCE(struct dt_tokens_result),
	DT_FIELD_END,
};

static const struct dt_field folding_fields[] = {
	DT_FIELD_AS("firstLine", struct dt_folding, first, U32, DT_REQ,
	            "0-based."),
	DT_FIELD_AS("lastLine", struct dt_folding, last, U32, DT_REQ,
	            "0-based, included."),
	DT_FIELD(struct dt_folding, kind, NAME, DT_OMIT, "What it holds."),
	DT_FIELD_END,
};
static const struct dt_shape folding =
	DT_SHAPE(struct dt_folding, folding_fields);

const struct dt_field dt_foldings_result_fields[] = {
	DT_FIELD_AS("ranges", struct dt_foldings_result, items, ITEMS, DT_REQ,
	            "What can be folded.", .shape = &folding),
	DT_FIELD(struct dt_foldings_result, total, U32, DT_REQ,
	         "How many there are."),
	SOURCE(struct dt_foldings_result),
	DT_FIELD_END,
};

const struct dt_field dt_ranges_result_fields[] = {
	DT_FIELD_AS("ranges", struct dt_ranges_result, items, ITEMS, DT_REQ,
	            "The innermost first.", .shape = &dt_shape_range),
	SOURCE(struct dt_ranges_result),
	DT_FIELD_END,
};

static const struct dt_field link_fields[] = {
	RANGE(struct dt_document_link, "range", range, "The link."),
	DT_FIELD(struct dt_document_link, target, NAME, DT_OMIT,
	         "Where it leads: a path or a URI."),
	DT_FIELD(struct dt_document_link, tooltip, NAME, DT_OMIT,
	         "What is said of it."),
	DT_FIELD_END,
};
static const struct dt_shape link =
	DT_SHAPE(struct dt_document_link, link_fields);

const struct dt_field dt_document_links_result_fields[] = {
	DT_FIELD_AS("links", struct dt_document_links_result, items, ITEMS,
	            DT_REQ, "The links.", .shape = &link),
	SOURCE(struct dt_document_links_result),
	DT_FIELD_END,
};

static const struct dt_field lens_fields[] = {
	RANGE(struct dt_code_lens, "range", range, "What it is about."),
	DT_FIELD(struct dt_code_lens, title, NAME, DT_OMIT, "What it says."),
	DT_FIELD(struct dt_code_lens, command, NAME, DT_OMIT, "What it does."),
	DT_FIELD_END,
};
static const struct dt_shape lens = DT_SHAPE(struct dt_code_lens, lens_fields);

const struct dt_field dt_code_lenses_result_fields[] = {
	DT_FIELD_AS("lenses", struct dt_code_lenses_result, items, ITEMS,
	            DT_REQ, "The lenses.", .shape = &lens),
	DT_FIELD(struct dt_code_lenses_result, total, U32, DT_REQ,
	         "How many there are."),
	SOURCE(struct dt_code_lenses_result),
	DT_FIELD_END,
};

/* servers */

static const struct dt_field server_fields[] = {
	DT_FIELD(struct dt_server_info, name, NAME, DT_REQ, "Its name."),
	DT_FIELD(struct dt_server_info, state, NAME, DT_REQ, "How it is."),
	DT_FIELD(struct dt_server_info, root, PATH, DT_REQ, "Its folder."),
	DT_FIELD(struct dt_server_info, pid, I64, DT_OMIT, "Its process."),
	DT_FIELD(struct dt_server_info, memory, I64, DT_OMIT, "In bytes."),
	DT_FIELD_AS("sinceMs", struct dt_server_info, since_ms, I64, DT_OMIT,
	            "Since when it is so."),
	DT_FIELD(struct dt_server_info, requests, I64, DT_OMIT,
	         "What it was asked."),
	DT_FIELD(struct dt_server_info, error, NAME, DT_OMIT, "The last one."),
	DT_FIELD(struct dt_server_info, progress, NAME, DT_OMIT,
	         "What it is at."),
	DT_FIELD_AS("tested", struct dt_server_info, is_tested, BOOL, DT_REQ,
	            "Dovetail's own tests run it."),
	DT_FIELD_END,
};
static const struct dt_shape server =
	DT_SHAPE(struct dt_server_info, server_fields);

static const struct dt_field language_fields[] = {
	DT_FIELD(struct dt_language_info, language, NAME, DT_REQ, "Its id."),
	DT_FIELD(struct dt_language_info, files, U32, DT_REQ,
	         "How many files are written in it."),
	DT_FIELD(struct dt_language_info, server, NAME, DT_OMIT,
	         "The server that is there for it."),
	DT_FIELD(struct dt_language_info, program, PATH, DT_OMIT, "Its file."),
	DT_FIELD_AS("tested", struct dt_language_info, is_tested, BOOL, DT_OMIT,
	            "Dovetail was tested with it."),
	DT_FIELD(struct dt_language_info, install, NAMES, DT_OMIT,
	         "What to type to have one."),
	DT_FIELD_END,
};
static const struct dt_shape language =
	DT_SHAPE(struct dt_language_info, language_fields);

const struct dt_field dt_servers_result_fields[] = {
	DT_FIELD(struct dt_servers_result, servers, ITEMS, DT_REQ,
	         "Those that were needed.", .shape = &server),
	DT_FIELD(struct dt_servers_result, languages, ITEMS, DT_REQ,
	         "The languages that are there.", .shape = &language),
	DT_FIELD_END,
};

const struct dt_field dt_restart_servers_result_fields[] = {
	DT_FIELD(struct dt_restart_servers_result, count, U32, DT_REQ,
	         "How many."),
	DT_FIELD_END,
};
