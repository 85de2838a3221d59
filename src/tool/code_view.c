/* tool/code_view.c - places, ranges and symbols counted from 1. */
#include "tool/code_view.h"

const struct dt_field dt_place_view_fields[] = {
	DT_PLACE_FIELDS(struct dt_place_view, ),
	DT_FIELD_END,
};
static const struct dt_field adjusted_fields[] = {
	DT_FIELD_AS("filePath", struct dt_adjusted_view, path, NAME, DT_OMIT,
	            "Absolute path of the file."),
	DT_FIELD(struct dt_adjusted_view, line, U32, DT_REQ, "1-based line."),
	DT_FIELD(struct dt_adjusted_view, column, U32, DT_REQ,
	         "1-based column."),
	DT_FIELD(struct dt_adjusted_view, note, NAME, DT_OMIT, "Why there."),
	DT_FIELD_END,
};
const struct dt_shape dt_shape_adjusted_view =
	DT_SHAPE(struct dt_adjusted_view, adjusted_fields);

static const struct dt_field position_fields[] = {
	DT_FIELD(struct dt_position, line, U32, DT_REQ, "1-based line."),
	DT_FIELD_AS("column", struct dt_position, character, U32, DT_REQ,
	            "1-based column, in UTF-16 units."),
	DT_FIELD_END,
};
const struct dt_shape dt_shape_code_position =
	DT_SHAPE(struct dt_position, position_fields);

static const struct dt_field range_fields[] = {
	DT_FIELD_OBJECT("start", struct dt_range, start, struct dt_position,
	                dt_shape_code_position, DT_REQ, "Where it begins."),
	DT_FIELD_OBJECT("end", struct dt_range, end, struct dt_position,
	                dt_shape_code_position, DT_REQ,
	                "Where it ends, exclusive."),
	DT_FIELD_END,
};
const struct dt_shape dt_shape_code_range =
	DT_SHAPE(struct dt_range, range_fields);

static const struct dt_field location_fields[] = {
	DT_FIELD_AS("filePath", struct dt_location, path, NAME, DT_REQ,
	            "Absolute path of the file."),
	DT_FIELD_OBJECT("range", struct dt_location, range, struct dt_range,
	                dt_shape_code_range, DT_REQ, "Where in it."),
	DT_FIELD(struct dt_location, preview, STR, DT_OMIT,
	         "The line it begins on."),
	DT_FIELD_END,
};
const struct dt_shape dt_shape_code_location =
	DT_SHAPE(struct dt_location, location_fields);

static const struct dt_field symbol_fields[] = {
	DT_FIELD(struct dt_symbol, name, NAME, DT_REQ, "Its name."),
	DT_FIELD(struct dt_symbol, kind, NAME, DT_REQ,
	         "What it is: function, class, variable ..."),
	DT_FIELD(struct dt_symbol, detail, NAME, DT_OMIT,
	         "More of it, as its type."),
	DT_FIELD(struct dt_symbol, container, NAME, DT_OMIT,
	         "The symbol it is in."),
	DT_FIELD(struct dt_symbol, depth, U32, DT_OMIT,
	         "How many symbols are around it."),
	DT_FIELD_AS("filePath", struct dt_symbol, path, NAME, DT_REQ,
	            "Absolute path of the file."),
	DT_FIELD_OBJECT("range", struct dt_symbol, range, struct dt_range,
	                dt_shape_code_range, DT_REQ, "All of it."),
	DT_FIELD_OBJECT("selectionRange", struct dt_symbol, selection,
	                struct dt_range, dt_shape_code_range, DT_REQ,
	                "Its name: ask other tools about this place."),
	DT_FIELD_END,
};
const struct dt_shape dt_shape_code_symbol =
	DT_SHAPE(struct dt_symbol, symbol_fields);

static const struct dt_field item_fields[] = {
	DT_FIELD(struct dt_hierarchy_item, name, NAME, DT_REQ, "Its name."),
	DT_FIELD(struct dt_hierarchy_item, kind, NAME, DT_REQ,
	         "What it is: function, class ..."),
	DT_FIELD(struct dt_hierarchy_item, detail, NAME, DT_OMIT,
	         "More of it."),
	DT_FIELD_AS("filePath", struct dt_hierarchy_item, path, NAME, DT_REQ,
	            "Absolute path of the file."),
	DT_FIELD_OBJECT("range", struct dt_hierarchy_item, range,
	                struct dt_range, dt_shape_code_range, DT_REQ,
	                "All of it."),
	DT_FIELD_OBJECT("selectionRange", struct dt_hierarchy_item, selection,
	                struct dt_range, dt_shape_code_range, DT_REQ,
	                "Its name."),
	DT_FIELD_AS("callSites", struct dt_hierarchy_item, sites, ITEMS,
	            DT_OMIT, "Where the calls are, in the caller's file.",
	            .shape = &dt_shape_code_range),
	DT_FIELD_END,
};
const struct dt_shape dt_shape_code_item =
	DT_SHAPE(struct dt_hierarchy_item, item_fields);

bool dt_view_place(struct dt_call *call, const struct dt_place_view *from,
                   struct dt_code_place *out)
{
	if (!from->path || !from->line.is_set) {
		dt_call_failf(call, DT_E_ARGS, "%s: missing",
		              from->path ? "line" : "filePath");
		return false;
	}
	if (from->line.value == 0 ||
	    (from->column.is_set && from->column.value == 0)) {
		dt_call_failf(call, DT_E_ARGS, "%s: counts from 1",
		              from->line.value == 0 ? "line" : "column");
		return false;
	}
	*out = (struct dt_code_place){
		.path = from->path,
		.at = { .line = from->line.value - 1 },
		.symbol = from->symbol,
		.known = DT_CODE_ON_LINE,
	};
	if (from->column.is_set) {
		out->at.character = from->column.value - 1;
		out->known = DT_CODE_AT;
	}
	return true;
}

struct dt_code_end_view dt_view_code_end(struct dt_arena *arena,
                                         const struct dt_code_source *source)
{
	struct dt_code_end_view end = {
		.server = dt_arena_strdup(arena, source->server),
	};

	if (source->moved.note)
		end.adjusted = (struct dt_adjusted_view){
			.path = dt_arena_strdup(arena, source->path),
			.line = source->moved.at.line + 1,
			.column = source->moved.at.character + 1,
			.note = dt_arena_strdup(arena, source->moved.note),
		};
	if (source->busy)
		end.note = dt_arena_printf(arena,
		                           "%s has not seen the whole "
		                           "workspace yet (%s): there may be "
		                           "more, ask again",
		                           end.server ? end.server
		                                      : "the language server",
		                           source->busy);
	else if (source->doubt)
		end.note = dt_arena_strdup(arena, source->doubt);
	return end;
}

struct dt_position dt_view_position(struct dt_position at)
{
	return (struct dt_position){ at.line + 1, at.character + 1 };
}

struct dt_range dt_view_range(struct dt_range range)
{
	return (struct dt_range){ dt_view_position(range.start),
		                  dt_view_position(range.end) };
}

struct dt_str dt_view_text(struct dt_arena *arena, struct dt_str text)
{
	if (text.ptr)
		text.ptr = dt_arena_strndup(arena, text.ptr, text.len);
	return text;
}

struct dt_items dt_view_locations(struct dt_arena *arena,
                                  const struct dt_items *from)
{
	const struct dt_location *list = from->ptr;
	struct dt_location *copy =
		dt_arena_alloc(arena, (from->count + 1) * sizeof(*copy));

	for (size_t i = 0; i < from->count; i++)
		copy[i] = (struct dt_location){
			.path = dt_arena_strdup(arena, list[i].path),
			.range = dt_view_range(list[i].range),
			.preview = dt_view_text(arena, list[i].preview),
		};
	return (struct dt_items){ copy, from->count };
}

static struct dt_items view_ranges(struct dt_arena *arena,
                                   const struct dt_items *from)
{
	const struct dt_range *list = from->ptr;
	struct dt_range *copy =
		dt_arena_alloc(arena, (from->count + 1) * sizeof(*copy));

	for (size_t i = 0; i < from->count; i++)
		copy[i] = dt_view_range(list[i]);
	return (struct dt_items){ copy, from->count };
}

struct dt_items dt_view_items(struct dt_arena *arena,
                              const struct dt_items *from, uint32_t max)
{
	const struct dt_hierarchy_item *list = from->ptr;
	size_t count = from->count < max ? from->count : max;
	struct dt_hierarchy_item *copy =
		dt_arena_alloc(arena, (count + 1) * sizeof(*copy));

	for (size_t i = 0; i < count; i++)
		copy[i] = (struct dt_hierarchy_item){
			.name = dt_arena_strdup(arena, list[i].name),
			.kind = dt_arena_strdup(arena, list[i].kind),
			.detail = dt_arena_strdup(arena, list[i].detail),
			.path = dt_arena_strdup(arena, list[i].path),
			.range = dt_view_range(list[i].range),
			.selection = dt_view_range(list[i].selection),
			.sites = view_ranges(arena, &list[i].sites),
		};
	return (struct dt_items){ copy, count };
}
