/*
 * test/unit/editor/fill.h - a value for every field of a shape.
 *
 * The field tables are checked against their structs when they are compiled;
 * that a struct is the one its user expects is checked by nobody but the tests
 * that fill every member and let it be used.
 */
#ifndef DT_TEST_EDITOR_FILL_H
#define DT_TEST_EDITOR_FILL_H

#include "data/field.h"
#include "data/json.h"
#include "unit.h"

#include <stdlib.h>

/* What there are several choices for. */
struct fill {
	const char *path; /* for every PATH */
	uint32_t number;  /* counts up, so that no two numbers are the same */
};

static void fill_shape(struct fill *fill, const struct dt_shape *shape,
                       struct dt_json_out *out);

static void fill_array(struct fill *fill, const struct dt_field *field,
                       struct dt_json_out *out)
{
	dt_json_begin_array(out);
	for (int i = 0; i < 2; i++) {
		if (field->type == DT_T_ITEMS)
			fill_shape(fill, field->shape, out);
		else if (field->type == DT_T_PATHS)
			dt_json_put_z(out, fill->path);
		else
			dt_json_put_z(out, "name");
	}
	dt_json_end_array(out);
}

static void fill_field(struct fill *fill, const struct dt_field *field,
                       struct dt_json_out *out)
{
	const char *const *last = field->names;

	switch (field->type) {
	case DT_T_STR:
		dt_json_put_str(out, DT_STR("te\0xt name \xf0\x9f\x98\x80"));
		break;
	case DT_T_NAME:
		dt_json_put_z(out, "name");
		break;
	case DT_T_PATH:
		dt_json_put_z(out, fill->path);
		break;
	case DT_T_BOOL:
		dt_json_put_bool(out, true);
		break;
	case DT_T_U32:
	case DT_T_MAYBE_U32:
	case DT_T_I64:
		dt_json_put_int(out, ++fill->number);
		break;
	case DT_T_ENUM:
		while (last[1])
			last++;
		dt_json_put_z(out, *last);
		break;
	case DT_T_RAW:
		dt_json_put_raw(out, DT_STR("{\"any\":[1]}"));
		break;
	case DT_T_NAMES:
	case DT_T_PATHS:
	case DT_T_ITEMS:
		fill_array(fill, field, out);
		break;
	case DT_T_OBJECT:
		fill_shape(fill, field->shape, out);
		break;
	}
}

static void fill_shape(struct fill *fill, const struct dt_shape *shape,
                       struct dt_json_out *out)
{
	dt_json_begin_object(out);
	for (const struct dt_field *f = shape->fields; f->name; f++) {
		dt_json_key(out, f->name);
		fill_field(fill, f, out);
	}
	dt_json_end_object(out);
}

/* The JSON of a shape with every field there, in the arena. */
static inline const struct dt_json *fill_json(struct dt_arena *arena,
                                              const struct dt_shape *shape,
                                              const char *path)
{
	struct fill fill = { .path = path };
	const struct dt_json *json = NULL;
	struct dt_json_out out;
	struct dt_buf text;
	char *copy;

	dt_buf_init(&text, 1u << 16);
	out = dt_json_out(&text);
	fill_shape(&fill, shape, &out);
	copy = dt_arena_strndup(arena, text.ptr, text.len);
	assert_ok(dt_json_read(arena, (struct dt_str){ copy, text.len }, &json,
	                       NULL));
	dt_buf_done(&text);
	return json;
}

/*
 * A struct of the shape with every field set.  It is a block of its own and of
 * the exact size, so that a sanitizer sees who takes it for a larger one; free()
 * it.
 */
static inline void *fill_struct(struct dt_arena *arena,
                                const struct dt_shape *shape, const char *path)
{
	void *out = calloc(1, shape->size ? shape->size : 1);
	struct dt_fail fail = { 0 };

	assert_non_null(out);
	if (dt_shape_read(shape, arena, fill_json(arena, shape, path), out,
	                  &fail))
		fail_msg("%s", fail.msg);
	return out;
}

/* The text of a struct's JSON; free() it. */
static inline char *fill_text(const struct dt_shape *shape, const void *value)
{
	struct dt_json_out out;
	struct dt_buf text;

	dt_buf_init(&text, 1u << 16);
	out = dt_json_out(&text);
	dt_shape_write(shape, value, &out);
	assert_false(text.overflow);
	return dt_buf_take(&text);
}

#endif
