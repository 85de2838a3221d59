/*
 * tool/edit_args.c - places counted from 1 turned into ranges.
 *
 * What can be refused without the file is refused here, by the name of the
 * argument; whether a place is there is for who has the text.
 */
#include "tool/edit_args.h"

#include "base/limits.h"

enum { INSERT, DELETE, REPLACE };
static const char *const types[] = { "insert", "delete", "replace", NULL };

static const struct dt_field place_edit_fields[] = {
	DT_FIELD(struct dt_place_edit, type, ENUM, DT_REQ,
	         "insert text at line and column; delete or replace what lies "
	         "from there to endLine and endColumn.",
	         .names = types),
	DT_FIELD(struct dt_place_edit, line, MAYBE_U32, DT_REQ,
	         "1-based line."),
	DT_FIELD(struct dt_place_edit, column, MAYBE_U32, DT_REQ,
	         "1-based column in UTF-16 units; one past the last is the end "
	         "of the line."),
	DT_FIELD_AS("endLine", struct dt_place_edit, end_line, MAYBE_U32,
	            DT_OMIT, "Line of the end."),
	DT_FIELD_AS("endColumn", struct dt_place_edit, end_column, MAYBE_U32,
	            DT_OMIT, "Column behind the last character."),
	DT_FIELD(struct dt_place_edit, text, STR, DT_BIG | DT_OMIT,
	         "What comes there."),
	DT_FIELD_END,
};
const struct dt_shape dt_shape_place_edit =
	DT_SHAPE(struct dt_place_edit, place_edit_fields);

/* NULL: it is well. */
static const char *read_edit(const struct dt_place_edit *edit,
                             struct dt_range_edit *out)
{
	struct dt_position start = { edit->line.value, edit->column.value };
	struct dt_position end = { edit->end_line.value,
		                   edit->end_column.value };

	if (edit->type == INSERT) {
		if (edit->end_line.is_set || edit->end_column.is_set)
			return "insert has no end: use replace";
		end = start;
	} else if (!edit->end_line.is_set || !edit->end_column.is_set) {
		return "give endLine and endColumn";
	}
	if (edit->type == DELETE && edit->text.len)
		return "delete has no text: use replace";
	if (edit->type != DELETE && !edit->text.ptr)
		return "text: missing";
	if (!start.line || !start.character || !end.line || !end.character)
		return "lines and columns count from 1";
	out->range.start =
		(struct dt_position){ start.line - 1, start.character - 1 };
	out->range.end =
		(struct dt_position){ end.line - 1, end.character - 1 };
	out->text = edit->text;
	return NULL;
}

bool dt_place_edits_read(struct dt_call *call, const struct dt_items *edits,
                         struct dt_items *out)
{
	const struct dt_place_edit *list = edits->ptr;
	struct dt_range_edit *ranges;

	if (edits->count == 0) {
		dt_call_failf(call, DT_E_ARGS, "edits: there are none");
		return false;
	}
	if (edits->count > DT_LIMIT_EDITS) {
		dt_call_failf(call, DT_E_LIMIT, "edits: at most %u in one call",
		              DT_LIMIT_EDITS);
		return false;
	}
	ranges = dt_arena_alloc(call->arena, edits->count * sizeof(*ranges));
	for (size_t i = 0; i < edits->count; i++) {
		const char *wrong = read_edit(&list[i], &ranges[i]);

		if (wrong) {
			dt_call_failf(call, DT_E_ARGS, "edits[%zu]: %s", i,
			              wrong);
			return false;
		}
	}
	*out = (struct dt_items){ ranges, edits->count };
	return true;
}

/* pieces */

enum { LINE_RANGE, SEARCH_REPLACE, EDITS, CONTENT };
const char *const dt_piece_operations[] = { "lineRange", "searchReplace",
	                                    "edits", "content", NULL };

/* Whole lines, so the new ones end as a line does. */
static const char *read_lines(struct dt_call *call,
                              const struct dt_piece_args *args,
                              struct dt_change *out)
{
	struct dt_range_edit *edit = dt_arena_alloc(call->arena, sizeof(*edit));
	struct dt_str text = args->new_content;
	uint32_t first = args->start_line.value;
	uint32_t last = args->end_line.value;

	if (!args->start_line.is_set || !args->end_line.is_set)
		return "lineRange: give startLine and endLine";
	if (first == 0)
		return "startLine: counts from 1";
	if (last + 1 < first)
		return "endLine: is before startLine";
	if (!text.ptr)
		return "lineRange: give newContent; empty text deletes lines";
	if (text.len && text.ptr[text.len - 1] != '\n') {
		char *ended = dt_arena_alloc(call->arena, text.len + 1);

		memcpy(ended, text.ptr, text.len);
		ended[text.len] = '\n';
		text = (struct dt_str){ ended, text.len + 1 };
	}
	*edit = (struct dt_range_edit){
		.range = { { first - 1, 0 }, { last, 0 } },
		.text = text,
		.is_lines = true,
	};
	out->ranges = (struct dt_items){ edit, 1 };
	return NULL;
}

static const char *read_search(struct dt_call *call,
                               const struct dt_piece_args *args,
                               struct dt_change *out)
{
	struct dt_text_edit *edit = dt_arena_alloc(call->arena, sizeof(*edit));

	if (!args->search.len)
		return "search: missing";
	if (!args->replace.ptr)
		return "replace: missing";
	*edit = (struct dt_text_edit){
		.old_text = args->search,
		.new_text = args->replace,
		.is_all = args->is_all,
		.alias = "search",
	};
	out->edits = (struct dt_items){ edit, 1 };
	return NULL;
}

bool dt_piece_read(struct dt_call *call, const struct dt_piece_args *args,
                   struct dt_change *out)
{
	const char *wrong = NULL;

	*out = (struct dt_change){ .kind = DT_CHANGE_EDIT, .path = args->path };
	switch (args->operation) {
	case LINE_RANGE:
		wrong = read_lines(call, args, out);
		break;
	case SEARCH_REPLACE:
		wrong = read_search(call, args, out);
		break;
	case EDITS:
		return dt_place_edits_read(call, &args->edits, &out->ranges);
	default:
		out->text = args->new_content;
		if (!out->text.ptr)
			wrong = "newContent: missing";
	}
	if (wrong)
		dt_call_failf(call, DT_E_ARGS, "%s", wrong);
	return !wrong;
}
