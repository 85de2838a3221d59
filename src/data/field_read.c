/*
 * data/field_read.c - JSON objects decoded into structs by their field tables.
 *
 * What a value means is for the caller; here it only gets the right type, and
 * what does not have it is refused by a sentence that names the member from the
 * outermost object on: "edits[2].line: expected integer".  Everything decoded
 * lives in the arena; nothing points into the text.
 */
#include "data/field.h"

#include "base/path.h"
#include "base/utf8.h"

#include <assert.h>

/* Where we are, for messages: a member by name, an element by index. */
struct place {
	const struct place *around;
	const char *name; /* NULL: an element */
	size_t index;
};

struct decoder {
	struct dt_arena *arena;
	const char *folder; /* of paths that are not absolute; or NULL */
	struct dt_fail *fail;
};

const struct dt_field dt_no_fields[] = { DT_FIELD_END };

static const struct dt_json empty_object = {
	.type = DT_JSON_OBJECT,
	.span = 1,
	.raw = { "{}", 2 },
};

static void write_place(struct dt_buf *buf, const struct place *here)
{
	if (!here)
		return;
	write_place(buf, here->around);
	if (!here->name)
		dt_buf_addf(buf, "[%zu]", here->index);
	else
		dt_buf_addf(buf, buf->len ? ".%s" : "%s", here->name);
}

static enum dt_err refuse(const struct decoder *d, const struct place *here,
                          const char *why)
{
	struct dt_buf place;
	enum dt_err err;

	dt_buf_init(&place, sizeof(d->fail->msg));
	write_place(&place, here);
	err = dt_fail(d->fail, DT_E_ARGS, "%s%s%s", dt_buf_z(&place),
	              here ? ": " : "", why);
	dt_buf_done(&place);
	return err;
}

/* Copied unless dt_json_text() already did. */
static struct dt_str own_text(const struct decoder *d,
                              const struct dt_json *json)
{
	struct dt_str text = dt_json_text(d->arena, json);

	if (!json->has_escapes)
		text.ptr = dt_arena_strndup(d->arena, text.ptr, text.len);
	return text;
}

static enum dt_err read_str(const struct decoder *d, const struct place *here,
                            const struct dt_json *json, struct dt_str *out)
{
	if (json->type != DT_JSON_STRING)
		return refuse(d, here, "expected string");
	*out = own_text(d, json);
	return DT_E_OK;
}

static enum dt_err read_name(const struct decoder *d, const struct place *here,
                             const struct dt_json *json, const char **out)
{
	struct dt_str text;

	if (json->type != DT_JSON_STRING)
		return refuse(d, here, "expected string");
	text = dt_json_text(d->arena, json);
	if (memchr(text.ptr, '\0', text.len))
		return refuse(d, here, "contains a NUL character");
	*out = dt_arena_strndup(d->arena, text.ptr, text.len);
	return DT_E_OK;
}

static enum dt_err read_path(const struct decoder *d, const struct place *here,
                             const struct dt_json *json, const char **out)
{
	struct dt_fail why = { 0 };
	const char *text = "";
	enum dt_err err = read_name(d, here, json, &text);

	if (err)
		return err;
	if (!dt_path_is_absolute(text) &&
	    !dt_str_starts(dt_str(text), DT_STR("file:"))) {
		if (!d->folder || !*text || strstr(text, "://"))
			return refuse(d, here, "not an absolute path");
		*out = dt_path_join(d->arena, d->folder, text);
		return DT_E_OK;
	}
	if (dt_path_from_uri(d->arena, text, out, &why))
		return refuse(d, here, why.msg);
	return DT_E_OK;
}

static enum dt_err read_bool(const struct decoder *d, const struct place *here,
                             const struct dt_json *json, bool *out)
{
	if (json->type != DT_JSON_TRUE && json->type != DT_JSON_FALSE)
		return refuse(d, here, "expected boolean");
	*out = json->type == DT_JSON_TRUE;
	return DT_E_OK;
}

static enum dt_err read_i64(const struct decoder *d, const struct place *here,
                            const struct dt_json *json, int64_t *out)
{
	struct dt_str raw = json->raw;

	if (dt_json_to_i64(json, out))
		return DT_E_OK;
	if (json->type != DT_JSON_NUMBER || memchr(raw.ptr, '.', raw.len) ||
	    memchr(raw.ptr, 'e', raw.len) || memchr(raw.ptr, 'E', raw.len))
		return refuse(d, here, "expected integer");
	return refuse(d, here, "out of range");
}

static enum dt_err read_u32(const struct decoder *d, const struct place *here,
                            const struct dt_json *json, uint32_t *out)
{
	int64_t value = 0;
	enum dt_err err = read_i64(d, here, json, &value);

	if (err)
		return err;
	if (!dt_json_to_u32(json, out))
		return refuse(d, here, "out of range");
	return DT_E_OK;
}

static enum dt_err refuse_enum(const struct decoder *d,
                               const struct place *here,
                               const struct dt_field *field)
{
	const char *why = "expected one of";

	for (int i = 0; field->names[i]; i++)
		why = dt_arena_printf(d->arena, "%s%s %s", why, i ? "," : "",
		                      field->names[i]);
	return refuse(d, here, why);
}

static enum dt_err read_enum(const struct decoder *d, const struct place *here,
                             const struct dt_field *field,
                             const struct dt_json *json, int *out)
{
	if (json->type != DT_JSON_STRING)
		return refuse(d, here, "expected string");
	for (int i = 0; field->names[i]; i++) {
		if (dt_json_key_is(json, field->names[i])) {
			*out = i;
			return DT_E_OK;
		}
	}
	return refuse_enum(d, here, field);
}

static enum dt_err read_names(const struct decoder *d, const struct place *here,
                              const struct dt_field *field,
                              const struct dt_json *json, struct dt_names *out)
{
	struct place element = { .around = here };

	if (json->type != DT_JSON_ARRAY)
		return refuse(d, here, "expected array");
	out->ptr = dt_arena_alloc(d->arena, json->count * sizeof(*out->ptr));
	out->count = json->count;
	dt_json_each(member, json) {
		const char **name = &out->ptr[element.index];
		enum dt_err err;

		if (field->type == DT_T_PATHS)
			err = read_path(d, &element, member, name);
		else
			err = read_name(d, &element, member, name);
		if (err)
			return err;
		element.index++;
	}
	return DT_E_OK;
}

static enum dt_err read_object(const struct decoder *d,
                               const struct place *here,
                               const struct dt_shape *shape,
                               const struct dt_json *json, void *out);

static enum dt_err read_items(const struct decoder *d, const struct place *here,
                              const struct dt_shape *shape,
                              const struct dt_json *json, struct dt_items *out)
{
	struct place element = { .around = here };
	char *item;

	if (json->type != DT_JSON_ARRAY)
		return refuse(d, here, "expected array");
	item = dt_arena_alloc(d->arena, json->count * shape->size);
	*out = (struct dt_items){ item, json->count };
	dt_json_each(member, json) {
		enum dt_err err = read_object(d, &element, shape, member, item);

		if (err)
			return err;
		element.index++;
		item += shape->size;
	}
	return DT_E_OK;
}

static enum dt_err read_value(const struct decoder *d, const struct place *here,
                              const struct dt_field *field,
                              const struct dt_json *json, void *out)
{
	struct dt_maybe_u32 *maybe = out;

	switch (field->type) {
	case DT_T_STR:
		return read_str(d, here, json, out);
	case DT_T_NAME:
		return read_name(d, here, json, out);
	case DT_T_PATH:
		return read_path(d, here, json, out);
	case DT_T_BOOL:
		return read_bool(d, here, json, out);
	case DT_T_U32:
		return read_u32(d, here, json, out);
	case DT_T_MAYBE_U32:
		maybe->is_set = true;
		return read_u32(d, here, json, &maybe->value);
	case DT_T_I64:
		return read_i64(d, here, json, out);
	case DT_T_ENUM:
		return read_enum(d, here, field, json, out);
	case DT_T_RAW:
		*(struct dt_str *)out = (struct dt_str){
			dt_arena_strndup(d->arena, json->raw.ptr,
			                 json->raw.len),
			json->raw.len,
		};
		return DT_E_OK;
	case DT_T_NAMES:
	case DT_T_PATHS:
		return read_names(d, here, field, json, out);
	case DT_T_ITEMS:
		return read_items(d, here, field->shape, json, out);
	case DT_T_OBJECT:
		return read_object(d, here, field->shape, json, out);
	}
	assert(!"a type of field that is not in the list");
	return DT_E_ARGS;
}

static const struct dt_json *read_default(const struct decoder *d,
                                          const struct dt_field *field)
{
	const struct dt_json *json = NULL;
	enum dt_err err =
		dt_json_read(d->arena, dt_str(field->def), &json, NULL);

	assert(!err);
	return err ? NULL : json;
}

/* The value given for a field; null counts as absent where it can. */
static const struct dt_json *find_value(const struct dt_field *field,
                                        const struct dt_json *object)
{
	const struct dt_json *json = dt_json_get(object, field->name);

	if (json && json->type == DT_JSON_NULL && field->type != DT_T_RAW &&
	    !(field->flags & DT_REQ))
		return NULL;
	return json;
}

static enum dt_err refuse_unknown(const struct decoder *d,
                                  const struct place *here,
                                  const struct dt_shape *shape,
                                  const struct dt_json *json)
{
	dt_json_each(key, json) {
		const struct dt_field *field = shape->fields;
		struct place member = { .around = here };

		while (field->name && !dt_json_key_is(key, field->name))
			field++;
		if (field->name)
			continue;
		/* As it was written: no NUL and no control character. */
		member.name = dt_arena_strndup(
			d->arena, key->raw.ptr + 1,
			dt_utf8_cut((struct dt_str){ key->raw.ptr + 1,
		                                     key->raw.len - 2 },
		                    100));
		return refuse(d, &member, "unknown");
	}
	return DT_E_OK;
}

static enum dt_err read_object(const struct decoder *d,
                               const struct place *here,
                               const struct dt_shape *shape,
                               const struct dt_json *json, void *out)
{
	enum dt_err err = DT_E_OK;

	if (json->type != DT_JSON_OBJECT)
		return refuse(d, here, "expected object");
	if (shape->is_strict)
		err = refuse_unknown(d, here, shape, json);
	for (const struct dt_field *f = shape->fields; !err && f->name; f++) {
		struct place member = { .around = here, .name = f->name };
		const struct dt_json *value = find_value(f, json);

		if (!value && (f->flags & DT_REQ))
			return refuse(d, &member, "missing");
		if (!value && f->def)
			value = read_default(d, f);
		if (value)
			err = read_value(d, &member, f, value,
			                 (char *)out + f->offset);
	}
	return err;
}

enum dt_err dt_shape_read(const struct dt_shape *shape, struct dt_arena *arena,
                          const struct dt_json *json, void *out,
                          struct dt_fail *fail)
{
	return dt_shape_read_in(shape, arena, json, NULL, out, fail);
}

enum dt_err dt_shape_read_in(const struct dt_shape *shape,
                             struct dt_arena *arena, const struct dt_json *json,
                             const char *folder, void *out,
                             struct dt_fail *fail)
{
	struct decoder d = { arena, folder, fail };

	return read_object(&d, NULL, shape, json ? json : &empty_object, out);
}

static size_t small_value_bytes(const struct dt_field *field,
                                const struct dt_json *value)
{
	size_t bytes = value->raw.len;

	if (field->flags & DT_BIG)
		return 0;
	if (field->type == DT_T_OBJECT)
		return dt_shape_small_bytes(field->shape, value);
	if (field->type != DT_T_ITEMS || value->type != DT_JSON_ARRAY)
		return bytes;
	dt_json_each(item, value) {
		bytes -= item->raw.len;
		bytes += dt_shape_small_bytes(field->shape, item);
	}
	return bytes;
}

size_t dt_shape_small_bytes(const struct dt_shape *shape,
                            const struct dt_json *json)
{
	size_t bytes = json ? json->raw.len : 0;

	for (const struct dt_field *f = shape->fields; f->name; f++) {
		const struct dt_json *value = dt_json_get(json, f->name);

		if (!value)
			continue;
		bytes -= value->raw.len;
		bytes += small_value_bytes(f, value);
	}
	return bytes;
}
