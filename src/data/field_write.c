/*
 * data/field_write.c - structs encoded as JSON objects by their field tables.
 *
 * The twin of field_read.c: what it writes, that one reads back the same.  What
 * is absent in the struct is null, or left out where the field says DT_OMIT.
 */
#include "data/field.h"

#include <assert.h>

static bool is_zero(const struct dt_field *field, const void *at)
{
	switch (field->type) {
	case DT_T_STR:
	case DT_T_RAW:
		return !((const struct dt_str *)at)->ptr;
	case DT_T_NAME:
	case DT_T_PATH:
		return !*(const char *const *)at;
	case DT_T_BOOL:
		return !*(const bool *)at;
	case DT_T_U32:
		return *(const uint32_t *)at == 0;
	case DT_T_MAYBE_U32:
		return !((const struct dt_maybe_u32 *)at)->is_set;
	case DT_T_I64:
		return *(const int64_t *)at == 0;
	case DT_T_ENUM:
		return *(const int *)at == 0;
	case DT_T_NAMES:
	case DT_T_PATHS:
		return ((const struct dt_names *)at)->count == 0;
	case DT_T_ITEMS:
		return ((const struct dt_items *)at)->count == 0;
	case DT_T_OBJECT:
		for (const struct dt_field *f = field->shape->fields; f->name;
		     f++) {
			if (!is_zero(f, (const char *)at + f->offset))
				return false;
		}
		return true;
	}
	return false;
}

static void write_str(const struct dt_str *text, struct dt_json_out *out)
{
	if (text->ptr)
		dt_json_put_str(out, *text);
	else
		dt_json_put_null(out);
}

static void write_raw(const struct dt_str *json, struct dt_json_out *out)
{
	if (json->ptr)
		dt_json_put_raw(out, *json);
	else
		dt_json_put_null(out);
}

static void write_maybe(const struct dt_maybe_u32 *number,
                        struct dt_json_out *out)
{
	if (number->is_set)
		dt_json_put_int(out, number->value);
	else
		dt_json_put_null(out);
}

static void write_names(const struct dt_names *names, struct dt_json_out *out)
{
	dt_json_begin_array(out);
	for (size_t i = 0; i < names->count; i++)
		dt_json_put_z(out, names->ptr[i]);
	dt_json_end_array(out);
}

static void write_items(const struct dt_shape *shape,
                        const struct dt_items *items, struct dt_json_out *out)
{
	const char *item = items->ptr;

	dt_json_begin_array(out);
	for (size_t i = 0; i < items->count; i++)
		dt_shape_write(shape, item + i * shape->size, out);
	dt_json_end_array(out);
}

static const char *enum_name(const struct dt_field *field, int value)
{
	for (int i = 0; field->names[i]; i++) {
		if (i == value)
			return field->names[i];
	}
	assert(!"a value that its enum does not have");
	return NULL;
}

static void write_value(const struct dt_field *field, const void *at,
                        struct dt_json_out *out)
{
	switch (field->type) {
	case DT_T_STR:
		write_str(at, out);
		break;
	case DT_T_RAW:
		write_raw(at, out);
		break;
	case DT_T_NAME:
	case DT_T_PATH:
		dt_json_put_z(out, *(const char *const *)at);
		break;
	case DT_T_BOOL:
		dt_json_put_bool(out, *(const bool *)at);
		break;
	case DT_T_U32:
		dt_json_put_int(out, *(const uint32_t *)at);
		break;
	case DT_T_MAYBE_U32:
		write_maybe(at, out);
		break;
	case DT_T_I64:
		dt_json_put_int(out, *(const int64_t *)at);
		break;
	case DT_T_ENUM:
		dt_json_put_z(out, enum_name(field, *(const int *)at));
		break;
	case DT_T_NAMES:
	case DT_T_PATHS:
		write_names(at, out);
		break;
	case DT_T_ITEMS:
		write_items(field->shape, at, out);
		break;
	case DT_T_OBJECT:
		dt_shape_write(field->shape, at, out);
		break;
	}
}

void dt_shape_write(const struct dt_shape *shape, const void *in,
                    struct dt_json_out *out)
{
	dt_json_begin_object(out);
	for (const struct dt_field *f = shape->fields; f->name; f++) {
		const void *at = (const char *)in + f->offset;

		if ((f->flags & DT_OMIT) && is_zero(f, at))
			continue;
		dt_json_key(out, f->name);
		write_value(f, at, out);
	}
	dt_json_end_object(out);
}
