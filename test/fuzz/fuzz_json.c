/*
 * Any bytes, as JSON and as text.  What is read is read again from its own raw
 * bytes, node for node the same; what is decoded or was text comes back from
 * the writer; both ways of finding plain bytes agree.
 */
#include "base/buf.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "data/json.h"
#include "data/json_scan.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
	if (!holds)
		abort();
}

/* The writer makes blanks of line breaks between tokens. */
static bool is_same(struct dt_str before, struct dt_str after)
{
	bool same = before.len == after.len;

	for (size_t i = 0; same && i < before.len; i++) {
		char c = before.ptr[i];

		if (c == '\n' || c == '\r')
			c = ' ';
		same = c == after.ptr[i];
	}
	return same;
}

static void check_rewritten(const struct dt_json *json)
{
	struct dt_arena arena = { 0 };
	const struct dt_json *again = NULL;
	struct dt_json_out out;
	struct dt_buf buf;

	dt_buf_init(&buf, DT_LIMIT_MESSAGE);
	out = dt_json_out(&buf);
	dt_json_put_raw(&out, json->raw);
	check(!dt_json_read(&arena, dt_buf_str(&buf), &again, NULL));
	for (uint32_t i = 0; i < json->span; i++) {
		check(json[i].type == again[i].type);
		check(json[i].count == again[i].count);
		check(json[i].span == again[i].span);
		check(json[i].has_escapes == again[i].has_escapes);
		check(is_same(json[i].raw, again[i].raw));
	}
	dt_buf_done(&buf);
	dt_arena_done(&arena);
}

static void check_text(struct dt_str text)
{
	struct dt_arena arena = { 0 };
	const struct dt_json *json = NULL;
	struct dt_json_out out;
	struct dt_buf buf;

	dt_buf_init(&buf, DT_LIMIT_MESSAGE);
	out = dt_json_out(&buf);
	dt_json_put_str(&out, text);
	check(!dt_json_read(&arena, dt_buf_str(&buf), &json, NULL));
	check(json->type == DT_JSON_STRING);
	if (dt_utf8_is_valid(text))
		check(dt_str_eq(dt_json_text(&arena, json), text));
	dt_buf_done(&buf);
	dt_arena_done(&arena);
}

/* Members are found by walking, and they fill their container exactly. */
static void check_container(const struct dt_json *json)
{
	uint32_t nodes = 1;
	uint32_t count = 0;

	dt_json_each(member, json) {
		nodes += member->span;
		if (json->type == DT_JSON_OBJECT)
			nodes += dt_json_value(member)->span;
		count++;
	}
	check(nodes == json->span);
	check(count == json->count);
	if (json->type == DT_JSON_OBJECT)
		(void)dt_json_find_duplicate(json);
}

static void check_node(struct dt_arena *arena, const struct dt_json *json)
{
	int64_t number;

	if (json->type == DT_JSON_STRING)
		check_text(dt_json_text(arena, json));
	if (json->type == DT_JSON_NUMBER)
		(void)dt_json_to_i64(json, &number);
	check_container(json);
}

static void check_stops(const char *ptr, size_t len)
{
	for (size_t at = 0; at + DT_JSON_STEP <= len; at++) {
		uint64_t stops = dt_json_step_stops(ptr + at);

		for (size_t i = 0; i < DT_JSON_STEP; i++)
			check((stops >> i & 1) !=
			      dt_json_is_plain(ptr[at + i]));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct dt_str text = { (const char *)data, size };
	struct dt_arena arena = { 0 };
	const struct dt_json *json = NULL;

	check_stops(text.ptr, text.len);
	check_text(text);
	if (!dt_json_read(&arena, text, &json, NULL)) {
		check_rewritten(json);
		for (uint32_t i = 0; i < json->span; i++)
			check_node(&arena, &json[i]);
	}
	dt_arena_done(&arena);
	return 0;
}
