/*
 * data/field_schema.c - what agents are told about a shape: its JSON Schema.
 *
 * Agents are told that unknown members are refused, whether they are or not: a
 * model that believes it invents fewer.
 */
#include "data/field.h"

const char *dt_field_type_name(const struct dt_field *field)
{
	switch (field->type) {
	case DT_T_STR:
	case DT_T_NAME:
	case DT_T_PATH:
	case DT_T_ENUM:
		return "string";
	case DT_T_BOOL:
		return "boolean";
	case DT_T_U32:
	case DT_T_MAYBE_U32:
	case DT_T_I64:
		return "integer";
	case DT_T_NAMES:
	case DT_T_PATHS:
	case DT_T_ITEMS:
		return "array";
	case DT_T_OBJECT:
		return "object";
	case DT_T_RAW:
		break;
	}
	return "any";
}

static void put_pair(struct dt_json_out *out, const char *key,
                     const char *value)
{
	dt_json_key(out, key);
	dt_json_put_z(out, value);
}

static void write_members(const struct dt_shape *shape,
                          const struct dt_field *more, struct dt_json_out *out);

static void write_type(const struct dt_field *field, struct dt_json_out *out)
{
	/* A schema that names no type takes any value. */
	if (field->type == DT_T_RAW)
		return;
	put_pair(out, "type", dt_field_type_name(field));
	if (field->type == DT_T_U32 || field->type == DT_T_MAYBE_U32) {
		dt_json_key(out, "minimum");
		dt_json_put_int(out, 0);
	} else if (field->type == DT_T_ENUM) {
		dt_json_key(out, "enum");
		dt_json_begin_array(out);
		for (const char *const *name = field->names; *name; name++)
			dt_json_put_z(out, *name);
		dt_json_end_array(out);
	} else if (field->type == DT_T_NAMES || field->type == DT_T_PATHS) {
		dt_json_key(out, "items");
		dt_json_begin_object(out);
		put_pair(out, "type", "string");
		dt_json_end_object(out);
	} else if (field->type == DT_T_ITEMS) {
		dt_json_key(out, "items");
		dt_shape_write_schema(field->shape, out);
	} else if (field->type == DT_T_OBJECT) {
		write_members(field->shape, NULL, out);
	}
}

static void write_field(const struct dt_field *field, struct dt_json_out *out)
{
	dt_json_begin_object(out);
	write_type(field, out);
	if (field->doc)
		put_pair(out, "description", field->doc);
	if (field->def) {
		dt_json_key(out, "default");
		dt_json_put_raw(out, dt_str(field->def));
	}
	dt_json_end_object(out);
}

static bool has_required(const struct dt_shape *shape)
{
	for (const struct dt_field *f = shape->fields; f->name; f++) {
		if (f->flags & DT_REQ)
			return true;
	}
	return false;
}

static void write_required(const struct dt_shape *shape,
                           struct dt_json_out *out)
{
	dt_json_key(out, "required");
	dt_json_begin_array(out);
	for (const struct dt_field *f = shape->fields; f->name; f++) {
		if (f->flags & DT_REQ)
			dt_json_put_z(out, f->name);
	}
	dt_json_end_array(out);
}

/* Everything of an object's schema but its type. */
static void write_members(const struct dt_shape *shape,
                          const struct dt_field *more, struct dt_json_out *out)
{
	dt_json_key(out, "properties");
	dt_json_begin_object(out);
	for (const struct dt_field *f = shape->fields; f->name; f++) {
		dt_json_key(out, f->name);
		write_field(f, out);
	}
	if (more) {
		dt_json_key(out, more->name);
		write_field(more, out);
	}
	dt_json_end_object(out);
	if (has_required(shape))
		write_required(shape, out);
	dt_json_key(out, "additionalProperties");
	dt_json_put_bool(out, false);
}

void dt_shape_write_schema_and(const struct dt_shape *shape,
                               const struct dt_field *more,
                               struct dt_json_out *out)
{
	dt_json_begin_object(out);
	put_pair(out, "type", "object");
	write_members(shape, more, out);
	dt_json_end_object(out);
}

void dt_shape_write_schema(const struct dt_shape *shape,
                           struct dt_json_out *out)
{
	dt_shape_write_schema_and(shape, NULL, out);
}
