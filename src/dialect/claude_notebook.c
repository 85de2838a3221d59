/*
 * dialect/claude_notebook.c - a notebook changed where the cell stands, byte for
 * byte the same elsewhere.  Everything built here is bounded by the message and
 * the file it comes from.
 */
#include "dialect/claude_notebook.h"

enum mode { REPLACE, INSERT, DELETE };
static const char *const modes[] = { "replace", "insert", "delete", NULL };

struct input {
	const char *path;
	const char *cell; /* NULL: before all others, when inserting */
	const char *type;
	struct dt_str source;
	int mode;
};
static const struct dt_field input_fields[] = {
	DT_FIELD_AS("notebook_path", struct input, path, NAME, DT_REQ, ""),
	DT_FIELD_AS("cell_id", struct input, cell, NAME, DT_OMIT, ""),
	DT_FIELD_AS("cell_type", struct input, type, NAME, DT_OMIT, ""),
	DT_FIELD_AS("new_source", struct input, source, STR, 0, ""),
	DT_FIELD_AS("edit_mode", struct input, mode, ENUM, 0, "",
	            .names = modes, .def = "\"replace\""),
	DT_FIELD_END,
};
static const struct dt_shape input_shape = DT_SHAPE(struct input, input_fields);

static enum dt_err find_cells(struct dt_arena *arena, struct dt_str text,
                              const struct dt_json **out, struct dt_fail *fail)
{
	const struct dt_json *json;

	if (!text.ptr)
		return dt_fail(fail, DT_E_ARGS, "there is no such notebook");
	if (dt_json_read(arena, text, &json, NULL))
		return dt_fail(fail, DT_E_ARGS, "the notebook is not JSON");
	*out = dt_json_get(json, "cells");
	if (!*out || (*out)->type != DT_JSON_ARRAY)
		return dt_fail(fail, DT_E_ARGS, "the notebook has no cells");
	return DT_E_OK;
}

/* "cell-3" is the fourth, for notebooks whose cells have no ids. */
static bool is_number(const char *cell, uint32_t *out)
{
	struct dt_str rest = dt_str(cell);

	if (!dt_str_starts(rest, DT_STR("cell-")))
		return false;
	rest.ptr += 5;
	rest.len -= 5;
	return !dt_str_to_u32(rest, out, NULL);
}

static const struct dt_json *find_cell(struct dt_arena *arena,
                                       const struct dt_json *cells,
                                       const char *cell)
{
	uint32_t wanted = 0;
	bool has_number = is_number(cell, &wanted);
	uint32_t number = 0;
	const struct dt_json *numbered = NULL;

	dt_json_each(each, cells) {
		const struct dt_json *id = dt_json_get(each, "id");

		if (id && id->type == DT_JSON_STRING &&
		    dt_str_is(dt_json_text(arena, id), cell))
			return each;
		if (has_number && number++ == wanted)
			numbered = each;
	}
	return numbered;
}

/* `text` with the bytes of `cut` replaced by `with`. */
static struct dt_str splice(struct dt_arena *arena, struct dt_str text,
                            struct dt_str cut, struct dt_str with)
{
	size_t before = (size_t)(cut.ptr - text.ptr);
	size_t after = text.len - before - cut.len;
	char *made = dt_arena_bytes(arena, before + with.len + after);

	memcpy(made, text.ptr, before);
	memcpy(made + before, with.ptr, with.len);
	memcpy(made + before + with.len, cut.ptr + cut.len, after);
	return (struct dt_str){ made, before + with.len + after };
}

static void put_cell(struct dt_json_out *out, const struct input *input)
{
	bool is_code = !input->type || !strcmp(input->type, "code");

	dt_json_begin_object(out);
	dt_json_key(out, "cell_type");
	dt_json_put_z(out, is_code ? "code" : input->type);
	if (is_code) {
		dt_json_key(out, "execution_count");
		dt_json_put_null(out);
		dt_json_key(out, "outputs");
		dt_json_begin_array(out);
		dt_json_end_array(out);
	}
	dt_json_key(out, "metadata");
	dt_json_begin_object(out);
	dt_json_end_object(out);
	dt_json_key(out, "source");
	dt_json_put_str(out, input->source);
	dt_json_end_object(out);
}

static struct dt_str insert(struct dt_arena *arena, struct dt_str text,
                            const struct dt_json *cells,
                            const struct dt_json *after,
                            const struct input *input)
{
	struct dt_str at = { after ? after->raw.ptr + after->raw.len
		                   : cells->raw.ptr + 1,
		             0 };
	struct dt_json_out out;
	struct dt_str made;
	struct dt_buf cell;

	dt_buf_init(&cell, SIZE_MAX);
	if (after)
		dt_buf_add_z(&cell, ",\n");
	out = dt_json_out(&cell);
	put_cell(&out, input);
	if (!after && cells->count)
		dt_buf_add_z(&cell, ",\n");
	made = splice(arena, text, at, dt_buf_str(&cell));
	dt_buf_done(&cell);
	return made;
}

static struct dt_str replace(struct dt_arena *arena, struct dt_str text,
                             struct dt_str cut, struct dt_str source)
{
	struct dt_json_out out;
	struct dt_str made;
	struct dt_buf string;

	dt_buf_init(&string, SIZE_MAX);
	out = dt_json_out(&string);
	dt_json_put_str(&out, source);
	made = splice(arena, text, cut, dt_buf_str(&string));
	dt_buf_done(&string);
	return made;
}

/* A cell goes with the comma behind it, or the one before the last. */
static struct dt_str delete (struct dt_arena *arena, struct dt_str text,
                             const struct dt_json *cells,
                             const struct dt_json *cell)
{
	const struct dt_json *next = dt_json_next(cells, cell);
	const struct dt_json *before = NULL;
	const char *from = cell->raw.ptr;
	const char *to = from + cell->raw.len;

	dt_json_each(each, cells) {
		if (each == cell)
			break;
		before = each;
	}
	if (next)
		to = next->raw.ptr;
	else if (before)
		from = before->raw.ptr + before->raw.len;
	return splice(arena, text, (struct dt_str){ from, (size_t)(to - from) },
	              (struct dt_str){ "", 0 });
}

static enum dt_err change(struct dt_arena *arena, const struct input *input,
                          struct dt_str old, struct dt_str *out,
                          struct dt_fail *fail)
{
	const struct dt_json *cell = NULL;
	const struct dt_json *source;
	const struct dt_json *cells;
	enum dt_err err = find_cells(arena, old, &cells, fail);

	if (err)
		return err;
	if (input->cell)
		cell = find_cell(arena, cells, input->cell);
	if (!cell && (input->cell || input->mode != INSERT))
		return dt_fail(fail, DT_E_ARGS, "the notebook has no cell %s",
		               input->cell ? input->cell : "without an id");
	source = cell ? dt_json_get(cell, "source") : NULL;
	switch ((enum mode)input->mode) {
	case INSERT:
		*out = insert(arena, old, cells, cell, input);
		return DT_E_OK;
	case DELETE:
		*out = delete (arena, old, cells, cell);
		return DT_E_OK;
	case REPLACE:
		break;
	}
	if (!source)
		return dt_fail(fail, DT_E_ARGS, "cell %s has no source",
		               input->cell);
	*out = replace(arena, old, source->raw, input->source);
	return DT_E_OK;
}

enum dt_err dt_claude_notebook_propose(struct dt_arena *arena,
                                       const struct dt_json *json,
                                       struct dt_str old, struct dt_str *out,
                                       struct dt_fail *fail)
{
	struct input input = { 0 };
	enum dt_err err =
		dt_shape_read(&input_shape, arena, json, &input, fail);

	return err ? err : change(arena, &input, old, out, fail);
}

/* The source of the cell in the person's text; it is a string or an array of
 * lines. */
static bool read_source(struct dt_arena *arena, const struct dt_json *source,
                        struct dt_str *out)
{
	struct dt_buf text;

	if (source && source->type == DT_JSON_STRING) {
		*out = dt_json_text(arena, source);
		return true;
	}
	if (!source || source->type != DT_JSON_ARRAY)
		return false;
	dt_buf_init(&text, SIZE_MAX);
	dt_json_each(line, source) {
		if (line->type == DT_JSON_STRING)
			dt_buf_add_str(&text, dt_json_text(arena, line));
	}
	*out = (struct dt_str){ dt_arena_strndup(arena, text.ptr, text.len),
		                text.len };
	dt_buf_done(&text);
	return true;
}

/* The cell the edit is about, in a text that has it. */
static const struct dt_json *edited_cell(struct dt_arena *arena,
                                         const struct dt_json *cells,
                                         const struct input *input)
{
	const struct dt_json *cell =
		input->cell ? find_cell(arena, cells, input->cell) : NULL;

	if (input->mode != INSERT)
		return cell;
	return cell ? dt_json_next(cells, cell) : dt_json_first(cells);
}

/* Only what the tool would write again can be carried. */
static enum dt_err check_carried(struct dt_arena *arena,
                                 const struct input *input,
                                 const struct dt_json *source,
                                 const struct dt_claude_accepted *accepted,
                                 struct dt_fail *fail)
{
	struct dt_str again = { 0 };

	/* However the person wrote the source, it is written our way. */
	if (input->mode != DELETE &&
	    !change(arena, input, accepted->old, &again, NULL) &&
	    dt_str_eq(again, replace(arena, accepted->final, source->raw,
	                             input->source)))
		return DT_E_OK;
	return dt_fail(fail, DT_E_UNSUPPORTED,
	               "The person changed more than the source of the cell, "
	               "which NotebookEdit cannot write. Nothing was written.");
}

enum dt_err dt_claude_notebook_put_input(
	struct dt_json_out *out, struct dt_arena *arena,
	const struct dt_json *json, const struct dt_claude_accepted *accepted,
	struct dt_fail *fail)
{
	const struct dt_json *source = NULL;
	const struct dt_json *cells;
	const struct dt_json *cell;
	struct input input = { 0 };
	enum dt_err err =
		dt_shape_read(&input_shape, arena, json, &input, fail);

	if (!err)
		err = find_cells(arena, accepted->final, &cells, fail);
	if (err)
		return err;
	cell = edited_cell(arena, cells, &input);
	if (cell)
		source = dt_json_get(cell, "source");
	if (!source || !read_source(arena, source, &input.source))
		return dt_fail(fail, DT_E_UNSUPPORTED,
		               "The person's notebook has no such cell any "
		               "more. Nothing was written.");
	err = check_carried(arena, &input, source, accepted, fail);
	if (!err)
		dt_shape_write(&input_shape, &input, out);
	return err;
}
