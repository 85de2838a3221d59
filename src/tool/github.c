/*
 * tool/github.c - the words of a gh command, and what it printed.
 *
 * Every value is one word with its option, as "--title=...", so that none can be
 * taken for an option.  gh is asked for JSON where it has some.
 */
#include "tool/github.h"

#define WORDS_MAX 16 /* but for those of comments */

void dt_gh_begin(struct dt_gh_words *w, struct dt_call *call, size_t more)
{
	*w = (struct dt_gh_words){ .call = call };
	w->names.ptr = dt_arena_alloc(
		call->arena, (WORDS_MAX + more) * sizeof(*w->names.ptr));
}

void dt_gh_say(struct dt_gh_words *w, const char *word)
{
	w->names.ptr[w->names.count++] = word;
}

void dt_gh_say_value(struct dt_gh_words *w, const char *option,
                     const char *value)
{
	if (value)
		dt_gh_say(w, dt_arena_printf(w->call->arena, "%s=%s", option,
		                             value));
}

void dt_gh_say_number(struct dt_gh_words *w, const char *prefix,
                      uint32_t number)
{
	dt_gh_say(w, dt_arena_printf(w->call->arena, "%s%u", prefix, number));
}

void dt_gh_perform(struct dt_gh_words *w, const struct dt_operation *op,
                   const char *directory, dt_result_fn *on_result)
{
	struct dt_github_args args = { .path = directory, .words = w->names };

	dt_call_perform(w->call, op, &args, on_result);
}

/* what gh printed */

const struct dt_json *dt_gh_read(struct dt_call *call,
                                 const struct dt_github_result *gh)
{
	const struct dt_json *json = NULL;

	if (gh->is_cut || dt_json_read(call->arena, gh->output, &json, NULL))
		return NULL;
	return json;
}

const char *dt_gh_text(struct dt_call *call, const struct dt_json *json,
                       const char *name)
{
	const struct dt_json *value = json ? dt_json_get(json, name) : NULL;
	struct dt_str text;

	if (!value || value->type != DT_JSON_STRING)
		return NULL;
	text = dt_json_text(call->arena, value);
	return dt_arena_strndup(call->arena, text.ptr, text.len);
}

struct dt_maybe_u32 dt_gh_number(const struct dt_json *json, const char *name)
{
	const struct dt_json *value = json ? dt_json_get(json, name) : NULL;
	struct dt_maybe_u32 number = { 0 };

	number.is_set = value && dt_json_to_u32(value, &number.value);
	return number;
}

const char *dt_gh_address(struct dt_call *call, struct dt_str text,
                          struct dt_maybe_u32 *number)
{
	struct dt_str last = { 0 };
	const char *address;
	const char *tail;

	while (text.len > 0) {
		struct dt_str line = dt_str_trim(dt_str_cut(&text, '\n'));

		if (line.len > 0)
			last = line;
	}
	address = dt_arena_strndup(call->arena, last.len ? last.ptr : "",
	                           last.len);
	tail = strrchr(address, '/');
	number->is_set =
		tail && !dt_str_to_u32(dt_str(tail + 1), &number->value, NULL);
	return address;
}

struct dt_str dt_gh_raw(const struct dt_json *json)
{
	return json ? json->raw : (struct dt_str){ 0 };
}
