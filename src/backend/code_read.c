/* backend/code_read.c - what may be one, many, a text or an object. */
#include "backend/code_read.h"

#include "base/buf.h"
#include "base/limits.h"
#include "base/path.h"

static bool is_a(const struct dt_json *json, enum dt_json_type type)
{
	return json && json->type == type;
}

const struct dt_json *dt_code_list(const struct dt_json *json)
{
	static const struct dt_json none = { .type = DT_JSON_ARRAY, .span = 1 };

	return is_a(json, DT_JSON_ARRAY) ? json : &none;
}

uint32_t dt_code_read_u32(const struct dt_json *json, uint32_t otherwise)
{
	uint32_t value;

	return is_a(json, DT_JSON_NUMBER) && dt_json_to_u32(json, &value)
	               ? value
	               : otherwise;
}

bool dt_code_read_position(const struct dt_json *json, struct dt_position *out)
{
	const struct dt_json *line = dt_json_get(json, "line");
	const struct dt_json *character = dt_json_get(json, "character");
	struct dt_position at;

	if (!is_a(line, DT_JSON_NUMBER) || !is_a(character, DT_JSON_NUMBER) ||
	    !dt_json_to_u32(line, &at.line) ||
	    !dt_json_to_u32(character, &at.character))
		return false;
	*out = at;
	return true;
}

bool dt_code_read_range(const struct dt_json *json, struct dt_range *out)
{
	struct dt_range range;

	if (!json ||
	    !dt_code_read_position(dt_json_get(json, "start"), &range.start) ||
	    !dt_code_read_position(dt_json_get(json, "end"), &range.end))
		return false;
	*out = range;
	return true;
}

const char *dt_code_read_name(struct dt_arena *arena,
                              const struct dt_json *json)
{
	struct dt_str text;

	if (!is_a(json, DT_JSON_STRING))
		return NULL;
	text = dt_json_text(arena, json);
	return dt_arena_strndup(arena, text.ptr, text.len);
}

const char *dt_code_read_path(struct dt_arena *arena,
                              const struct dt_json *json)
{
	const char *uri = dt_code_read_name(arena, json);
	const char *path;

	return uri && !dt_path_from_uri(arena, uri, &path, NULL) ? path : NULL;
}

struct dt_names dt_code_read_names(struct dt_arena *arena,
                                   const struct dt_json *json)
{
	struct dt_names names = {
		.ptr = dt_arena_alloc(arena, (dt_code_list(json)->count + 1) *
		                                     sizeof(const char *)),
	};

	dt_json_each(one, dt_code_list(json)) {
		const char *name = dt_code_read_name(arena, one);

		if (name)
			names.ptr[names.count++] = name;
	}
	return names;
}

const char *dt_code_read_kind(const struct dt_json *json)
{
	static const char *const kinds[] = {
		"symbol",   "file",        "module",        "namespace",
		"package",  "class",       "method",        "property",
		"field",    "constructor", "enum",          "interface",
		"function", "variable",    "constant",      "string",
		"number",   "boolean",     "array",         "object",
		"key",      "null",        "enumMember",    "struct",
		"event",    "operator",    "typeParameter",
	};
	uint32_t kind = 0;

	if (!is_a(json, DT_JSON_NUMBER) || !dt_json_to_u32(json, &kind) ||
	    kind >= sizeof(kinds) / sizeof(kinds[0]))
		kind = 0;
	return kinds[kind];
}

/* locations */

static bool read_location(struct dt_arena *arena, const struct dt_json *json,
                          struct dt_location *out)
{
	const struct dt_json *uri = dt_json_get(json, "uri");
	const struct dt_json *target = dt_json_get(json, "targetUri");

	out->path = dt_code_read_path(arena, target ? target : uri);
	if (!out->path)
		return false;
	if (!target)
		return dt_code_read_range(dt_json_get(json, "range"),
		                          &out->range);
	return dt_code_read_range(dt_json_get(json, "targetSelectionRange"),
	                          &out->range) ||
	       dt_code_read_range(dt_json_get(json, "targetRange"),
	                          &out->range);
}

struct dt_items dt_code_read_locations(struct dt_arena *arena,
                                       const struct dt_json *json)
{
	size_t room = dt_code_list(json)->count + 1;
	struct dt_location *list = dt_arena_alloc(arena, room * sizeof(*list));
	struct dt_items items = { .ptr = list };

	if (is_a(json, DT_JSON_OBJECT) && read_location(arena, json, list))
		items.count = 1;
	dt_json_each(one, dt_code_list(json)) {
		struct dt_location location = { 0 };

		if (read_location(arena, one, &location))
			list[items.count++] = location;
	}
	return items;
}

/* texts */

/* A MarkedString with a language is a block of code. */
static void add_text(struct dt_arena *arena, const struct dt_json *json,
                     struct dt_buf *out)
{
	const struct dt_json *value = dt_json_get(json, "value");
	const struct dt_json *language = dt_json_get(json, "language");
	struct dt_str text = { 0 };

	if (is_a(json, DT_JSON_STRING))
		text = dt_json_text(arena, json);
	else if (is_a(value, DT_JSON_STRING))
		text = dt_json_text(arena, value);
	if (text.len == 0)
		return;
	if (out->len > 0)
		dt_buf_add_z(out, "\n\n");
	if (is_a(language, DT_JSON_STRING)) {
		struct dt_str name = dt_json_text(arena, language);

		dt_buf_addf(out, "```%.*s\n", DT_STR_ARG(name));
		dt_buf_add_str(out, text);
		dt_buf_add_z(out, "\n```");
	} else {
		dt_buf_add_str(out, text);
	}
}

static struct dt_str without_breaks(struct dt_str text)
{
	while (text.len > 0 && text.ptr[0] == '\n') {
		text.ptr++;
		text.len--;
	}
	while (text.len > 0 && text.ptr[text.len - 1] == '\n')
		text.len--;
	return text;
}

struct dt_str dt_code_read_text(struct dt_arena *arena,
                                const struct dt_json *json)
{
	struct dt_str text = { 0 };
	struct dt_buf buf;

	if (!json)
		return text;
	dt_buf_init(&buf, DT_LIMIT_MESSAGE);
	if (json->type != DT_JSON_ARRAY)
		add_text(arena, json, &buf);
	dt_json_each(one, dt_code_list(json)) {
		add_text(arena, one, &buf);
	}
	text = without_breaks(dt_buf_str(&buf));
	text.ptr = text.len > 0 ? dt_arena_strndup(arena, text.ptr, text.len)
	                        : NULL;
	dt_buf_done(&buf);
	return text;
}
