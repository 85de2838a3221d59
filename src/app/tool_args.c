/*
 * app/tool_args.c - key=value typed by a JSON Schema.
 *
 * Whether the values are good is for the tool to say; here they only get the
 * type that its schema names.
 */
#include "app/tool_args.h"

#include "base/buf.h"
#include "base/limits.h"

/* One word, cut at its first "=". */
struct pair {
	const char *key;
	struct dt_str value;
};

static enum dt_err cut(struct dt_arena *arena, const char *word,
                       struct pair *out, struct dt_fail *fail)
{
	struct dt_str rest = dt_str(word);
	struct dt_str key = dt_str_cut(&rest, '=');

	if (!rest.ptr || !key.len)
		return dt_fail(fail, DT_E_ARGS,
		               "\"%s\" is not KEY=VALUE, nor is it one JSON "
		               "object",
		               word);
	out->key = dt_arena_strndup(arena, key.ptr, key.len);
	out->value = rest;
	return DT_E_OK;
}

/* "integer", "array" ...; of several the first; "" when it does not say. */
static const char *type_of(struct dt_arena *arena,
                           const struct dt_json *property)
{
	const struct dt_json *type = dt_json_get(property, "type");
	struct dt_str text;

	if (type && type->type == DT_JSON_ARRAY)
		type = dt_json_first(type);
	if (!type || type->type != DT_JSON_STRING)
		return "";
	text = dt_json_text(arena, type);
	return dt_arena_strndup(arena, text.ptr, text.len);
}

/* What is written as JSON and not as text; null fits wherever it is said. */
static const struct {
	const char *name;
	enum dt_json_type types[2];
} raw_types[] = {
	{ "integer", { DT_JSON_NUMBER, DT_JSON_NUMBER } },
	{ "number", { DT_JSON_NUMBER, DT_JSON_NUMBER } },
	{ "boolean", { DT_JSON_FALSE, DT_JSON_TRUE } },
	{ "object", { DT_JSON_OBJECT, DT_JSON_OBJECT } },
	{ "null", { DT_JSON_NULL, DT_JSON_NULL } },
};
#define RAW_COUNT (sizeof(raw_types) / sizeof(raw_types[0]))

static bool is_raw(const char *type)
{
	for (size_t i = 0; i < RAW_COUNT; i++) {
		if (!strcmp(raw_types[i].name, type))
			return true;
	}
	return false;
}

static bool fits(const struct dt_json *json, const char *type)
{
	for (size_t i = 0; i < RAW_COUNT; i++) {
		if (!strcmp(raw_types[i].name, type))
			return json->type == DT_JSON_NULL ||
			       json->type == raw_types[i].types[0] ||
			       json->type == raw_types[i].types[1];
	}
	return false;
}

/* One value of the type; what is not JSON there is refused here, since it would
 * break the message. */
static enum dt_err put_value(struct dt_arena *arena, const struct pair *pair,
                             const char *type, struct dt_json_out *out,
                             struct dt_fail *fail)
{
	const struct dt_json *json;

	if (!is_raw(type)) {
		dt_json_put_str(out, pair->value);
		return DT_E_OK;
	}
	if (dt_json_read(arena, pair->value, &json, NULL) || !fits(json, type))
		return dt_fail(fail, DT_E_ARGS,
		               "%s is of type %s, not \"%.*s\"", pair->key,
		               type, DT_STR_ARG(pair->value));
	dt_json_put_raw(out, json->raw);
	return DT_E_OK;
}

static bool is_before(struct dt_arena *arena, char *const *words,
                      char *const *word, const char *key)
{
	for (; words != word; words++) {
		struct pair pair;

		if (!cut(arena, *words, &pair, NULL) && !strcmp(pair.key, key))
			return true;
	}
	return false;
}

/* The one word of a key may be the whole array. */
static bool is_whole(struct dt_arena *arena, const char *key,
                     char *const *words)
{
	const struct dt_json *json;
	struct pair pair;

	if (cut(arena, *words, &pair, NULL) || pair.value.len == 0 ||
	    pair.value.ptr[0] != '[' ||
	    dt_json_read(arena, pair.value, &json, NULL) ||
	    json->type != DT_JSON_ARRAY)
		return false;
	while (*++words) {
		if (!cut(arena, *words, &pair, NULL) && !strcmp(pair.key, key))
			return false;
	}
	return true;
}

/* All values of the key, from its first word on. */
static enum dt_err put_array(struct dt_arena *arena, const char *key,
                             const struct dt_json *property, char *const *words,
                             struct dt_json_out *out, struct dt_fail *fail)
{
	const char *type = type_of(arena, dt_json_get(property, "items"));
	enum dt_err err = DT_E_OK;

	dt_json_begin_array(out);
	for (; *words && !err; words++) {
		struct pair pair;

		err = cut(arena, *words, &pair, fail);
		if (!err && !strcmp(pair.key, key))
			err = put_value(arena, &pair, type, out, fail);
	}
	dt_json_end_array(out);
	return err;
}

static enum dt_err unknown(const struct dt_json *properties, const char *key,
                           struct dt_fail *fail)
{
	struct dt_buf names;
	enum dt_err err;

	dt_buf_init(&names, SIZE_MAX);
	if (properties && properties->type == DT_JSON_OBJECT) {
		dt_json_each(name, properties)
			dt_buf_addf(&names, "%s%.*s", names.len ? ", " : "",
			            (int)name->raw.len - 2, name->raw.ptr + 1);
	}
	err = dt_fail(fail, DT_E_ARGS, "there is no argument \"%s\", but %s",
	              key, names.len ? dt_buf_z(&names) : "none at all");
	dt_buf_done(&names);
	return err;
}

/* What the words say about one key, at its first word. */
static enum dt_err put_pair(struct dt_arena *arena,
                            const struct dt_json *properties,
                            char *const *words, struct dt_json_out *out,
                            struct dt_fail *fail)
{
	const struct dt_json *property;
	const char *type;
	struct pair pair;
	enum dt_err err = cut(arena, *words, &pair, fail);

	if (err)
		return err;
	property = properties ? dt_json_get(properties, pair.key) : NULL;
	if (!property)
		return unknown(properties, pair.key, fail);
	type = type_of(arena, property);
	dt_json_key(out, pair.key);
	if (!strcmp(type, "array") && is_whole(arena, pair.key, words)) {
		dt_json_put_raw(out, pair.value);
		return DT_E_OK;
	}
	if (!strcmp(type, "array"))
		return put_array(arena, pair.key, property, words, out, fail);
	for (char *const *later = words + 1; *later; later++) {
		if (is_before(arena, later, later + 1, pair.key))
			return dt_fail(fail, DT_E_ARGS,
			               "%s is one value, and given twice",
			               pair.key);
	}
	return put_value(arena, &pair, type, out, fail);
}

enum dt_err dt_tool_args_read(struct dt_arena *arena,
                              const struct dt_json *schema, char *const *words,
                              struct dt_str *out, struct dt_fail *fail)
{
	const struct dt_json *properties = dt_json_get(schema, "properties");
	struct dt_json_out json;
	struct dt_buf buf;
	enum dt_err err = DT_E_OK;

	dt_buf_init(&buf, DT_LIMIT_MESSAGE);
	json = dt_json_out(&buf);
	dt_json_begin_object(&json);
	for (char *const *word = words; *word && !err; word++) {
		struct pair pair;

		err = cut(arena, *word, &pair, fail);
		if (!err && !is_before(arena, words, word, pair.key))
			err = put_pair(arena, properties, word, &json, fail);
	}
	if (!err) {
		dt_json_end_object(&json);
		err = dt_buf_check(&buf, "the arguments", fail);
	}
	if (!err)
		*out = (struct dt_str){
			dt_arena_strndup(arena, buf.ptr, buf.len), buf.len
		};
	dt_buf_done(&buf);
	return err;
}
