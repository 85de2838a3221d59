/*
 * app/json_edit.c - a JSON text changed in one place.
 *
 * The text is the person's: what is not changed keeps every byte.
 */
#include "app/json_edit.h"

#include "base/buf.h"

#define INDENT "  "

struct dt_str dt_json_edit_splice(struct dt_arena *arena, struct dt_str text,
                                  struct dt_str cut, const char *with)
{
	size_t before = (size_t)(cut.ptr - text.ptr);
	const char *rest = cut.ptr + cut.len;
	const char *made =
		dt_arena_printf(arena, "%.*s%s%.*s", (int)before, text.ptr,
	                        with, (int)(text.len - before - cut.len), rest);

	return dt_str(made);
}

static struct dt_str end_of(const struct dt_json *value)
{
	return (struct dt_str){ value->raw.ptr + value->raw.len, 0 };
}

/* The end of the last member; of its value, in an object. */
static struct dt_str last_end(const struct dt_json *of)
{
	const struct dt_json *last = NULL;

	dt_json_each(member, of)
		last = of->type == DT_JSON_OBJECT ? dt_json_value(member)
		                                  : member;
	return end_of(last);
}

struct dt_str dt_json_edit_append(struct dt_arena *arena, struct dt_str text,
                                  const struct dt_json *to, const char *member,
                                  int depth)
{
	static const char blanks[] = INDENT INDENT INDENT;
	int inner = depth * (int)strlen(INDENT);
	int outer = inner - (int)strlen(INDENT);

	if (to->count)
		return dt_json_edit_splice(arena, text, last_end(to),
		                           dt_arena_printf(arena, ",\n%.*s%s",
		                                           inner, blanks,
		                                           member));
	return dt_json_edit_splice(
		arena, text, to->raw,
		dt_arena_printf(arena, "%c\n%.*s%s\n%.*s%c", to->raw.ptr[0],
	                        inner, blanks, member, outer, blanks,
	                        to->raw.ptr[to->raw.len - 1]));
}

struct dt_str dt_json_edit_cut(struct dt_arena *arena, struct dt_str text,
                               const struct dt_json *of,
                               const struct dt_json *member)
{
	const struct dt_json *next = dt_json_next(of, member);
	const struct dt_json *before = NULL;
	const struct dt_json *last =
		of->type == DT_JSON_OBJECT ? dt_json_value(member) : member;
	const char *from = of->raw.ptr + 1;
	const char *to = of->raw.ptr + of->raw.len - 1;

	dt_json_each(each, of) {
		if (each == member)
			break;
		before =
			of->type == DT_JSON_OBJECT ? dt_json_value(each) : each;
	}
	if (before) {
		from = end_of(before).ptr;
		to = end_of(last).ptr;
	} else if (next) {
		from = member->raw.ptr;
		to = next->raw.ptr;
	}
	return dt_json_edit_splice(
		arena, text, (struct dt_str){ from, (size_t)(to - from) }, "");
}

const struct dt_json *dt_json_edit_key(const struct dt_json *object,
                                       const char *name)
{
	dt_json_each(key, object) {
		if (dt_json_key_is(key, name))
			return key;
	}
	return NULL;
}

const char *dt_json_edit_string(struct dt_arena *arena, const char *z)
{
	struct dt_json_out out;
	const char *string;
	struct dt_buf buf;

	dt_buf_init(&buf, SIZE_MAX);
	out = dt_json_out(&buf);
	dt_json_put_z(&out, z);
	string = dt_arena_strdup(arena, dt_buf_z(&buf));
	dt_buf_done(&buf);
	return string;
}
