/*
 * Any JSON, decoded into a struct with a member of every kind.  What is taken
 * is encoded, decoded and encoded again: both times the same.  What is refused
 * is refused with a sentence.
 */
#include "base/limits.h"
#include "data/field.h"

#include "../unit/data/shapes.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct dt_field all_fields[] = ALL_FIELDS(0);
static const struct dt_shape all_shape = DT_SHAPE(struct all, all_fields);

static void check(bool holds)
{
	if (!holds)
		abort();
}

static void encode(struct dt_buf *buf, const struct all *all)
{
	struct dt_json_out out = dt_json_out(buf);

	dt_shape_write(&all_shape, all, &out);
}

static void check_round_trip(const struct all *all)
{
	struct dt_arena arena = { 0 };
	const struct dt_json *json = NULL;
	struct all again = { 0 };
	struct dt_buf first;
	struct dt_buf second;

	dt_buf_init(&first, DT_LIMIT_MESSAGE);
	dt_buf_init(&second, DT_LIMIT_MESSAGE);
	encode(&first, all);
	check(!dt_json_read(&arena, dt_buf_str(&first), &json, NULL));
	check(!dt_shape_read(&all_shape, &arena, json, &again, NULL));
	encode(&second, &again);
	check(dt_str_eq(dt_buf_str(&first), dt_buf_str(&second)));
	dt_buf_done(&first);
	dt_buf_done(&second);
	dt_arena_done(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct dt_str text = { (const char *)data, size };
	struct dt_arena arena = { 0 };
	const struct dt_json *json = NULL;
	struct dt_fail fail = { 0 };
	struct all all = { 0 };

	if (!dt_json_read(&arena, text, &json, NULL)) {
		check(dt_shape_small_bytes(&all_shape, json) <= json->raw.len);
		if (!dt_shape_read(&all_shape, &arena, json, &all, &fail))
			check_round_trip(&all);
		else
			check(fail.code == DT_E_ARGS && fail.msg[0]);
	}
	dt_arena_done(&arena);
	return 0;
}
