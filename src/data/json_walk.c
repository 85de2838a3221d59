/*
 * data/json_walk.c - finding one's way among the nodes of a document.
 *
 * Everything here trusts what json_read.c has checked.  Names are compared as
 * text, so that a key written with escapes is the same key.
 */
#include "data/json.h"

#include <stdlib.h>

/* Up to here each key is held against each; beyond, they are sorted. */
#define FEW 8

const struct dt_json *dt_json_next(const struct dt_json *of,
                                   const struct dt_json *member)
{
	const struct dt_json *last = member;

	if (of->type == DT_JSON_OBJECT)
		last = dt_json_value(member);
	last += last->span;
	return last < of + of->span ? last : NULL;
}

static bool key_is(const struct dt_json *key, struct dt_str name)
{
	struct dt_str raw = { key->raw.ptr + 1, key->raw.len - 2 };
	struct dt_arena scratch = { 0 };
	bool is_equal;

	if (!key->has_escapes)
		return dt_str_eq(raw, name);
	/* No byte takes more than the six of \uXXXX. */
	if (raw.len < name.len || raw.len > 6 * name.len)
		return false;
	is_equal = dt_str_eq(dt_json_text(&scratch, key), name);
	dt_arena_done(&scratch);
	return is_equal;
}

const struct dt_json *dt_json_get(const struct dt_json *of, const char *name)
{
	struct dt_str wanted = dt_str(name);

	if (!of || of->type != DT_JSON_OBJECT)
		return NULL;
	dt_json_each(key, of) {
		if (key_is(key, wanted))
			return dt_json_value(key);
	}
	return NULL;
}

struct named {
	struct dt_str name;
	const struct dt_json *key;
};

/* By name, and among equal names by place. */
static int compare_named(const void *left, const void *right)
{
	const struct named *a = left;
	const struct named *b = right;
	size_t len = a->name.len < b->name.len ? a->name.len : b->name.len;
	int order = len ? memcmp(a->name.ptr, b->name.ptr, len) : 0;

	if (order)
		return order;
	if (a->name.len != b->name.len)
		return a->name.len < b->name.len ? -1 : 1;
	return a->key < b->key ? -1 : 1;
}

static bool has_escaped_key(const struct dt_json *of)
{
	dt_json_each(key, of) {
		if (key->has_escapes)
			return true;
	}
	return false;
}

/* Without escapes equal keys have equal bytes. */
static const struct dt_json *find_among_few(const struct dt_json *of)
{
	dt_json_each(key, of) {
		const struct dt_json *other = key;

		while ((other = dt_json_next(of, other))) {
			if (dt_str_eq(key->raw, other->raw))
				return key;
		}
	}
	return NULL;
}

/* Sorted, because a peer chooses how many keys there are. */
static const struct dt_json *find_among_many(const struct dt_json *of)
{
	const struct dt_json *found = NULL;
	struct dt_arena scratch = { 0 };
	struct named *all = dt_arena_alloc(&scratch, of->count * sizeof(*all));
	size_t count = 0;

	dt_json_each(key, of)
		all[count++] =
			(struct named){ dt_json_text(&scratch, key), key };
	qsort(all, count, sizeof(*all), compare_named);
	for (size_t i = 1; i < count; i++) {
		if (dt_str_eq(all[i - 1].name, all[i].name) &&
		    (!found || all[i - 1].key < found))
			found = all[i - 1].key;
	}
	dt_arena_done(&scratch);
	return found;
}

const struct dt_json *dt_json_find_duplicate(const struct dt_json *of)
{
	if (of->type != DT_JSON_OBJECT || of->count < 2)
		return NULL;
	if (of->count <= FEW && !has_escaped_key(of))
		return find_among_few(of);
	return find_among_many(of);
}

bool dt_json_key_is(const struct dt_json *key, const char *name)
{
	return key_is(key, dt_str(name));
}

bool dt_json_to_u32(const struct dt_json *number, uint32_t *out)
{
	int64_t value;

	if (!dt_json_to_i64(number, &value) || value < 0 || value > UINT32_MAX)
		return false;
	*out = (uint32_t)value;
	return true;
}

bool dt_json_to_i64(const struct dt_json *number, int64_t *out)
{
	struct dt_str raw = number->raw;
	bool is_negative = raw.len && raw.ptr[0] == '-';
	int64_t value = 0;

	if (number->type != DT_JSON_NUMBER)
		return false;
	/* Counted downwards, where there is one more. */
	for (size_t i = is_negative; i < raw.len; i++) {
		if (raw.ptr[i] < '0' || raw.ptr[i] > '9' ||
		    __builtin_mul_overflow(value, 10, &value) ||
		    __builtin_sub_overflow(value, raw.ptr[i] - '0', &value))
			return false;
	}
	if (!is_negative && __builtin_sub_overflow(0, value, &value))
		return false;
	*out = value;
	return true;
}
