/* test/unit/backend/test_hits.c - twin of src/backend/hits.c */
#include "backend/hits.h"

#include "base/buf.h"
#include "base/limits.h"
#include "unit.h"

#include <stdlib.h>

static void add(struct dt_hits *hits, uint32_t line, struct dt_str text,
                size_t start, size_t end)
{
	struct dt_hit hit = { line, text, start, end };

	dt_hits_add(hits, &hit, end > 0);
}

/* "path:line:start-end text <before >after|" each. */
static void assert_hits(struct dt_hits *hits, const char *wanted, bool is_cut)
{
	struct dt_search_result result = { 0 };
	const struct dt_search_match *match;
	struct dt_buf out;

	dt_hits_list(hits, &result);
	match = result.matches.ptr;
	dt_buf_init(&out, 1u << 20);
	for (size_t i = 0; i < result.matches.count; i++) {
		dt_buf_addf(&out, "%s:%u:%u-%u %.*s", match[i].path,
		            match[i].range.start.line,
		            match[i].range.start.character,
		            match[i].range.end.character,
		            DT_STR_ARG(match[i].text));
		for (size_t k = 0; k < match[i].before.count; k++)
			dt_buf_addf(&out, " <%s", match[i].before.ptr[k]);
		for (size_t k = 0; k < match[i].after.count; k++)
			dt_buf_addf(&out, " >%s", match[i].after.ptr[k]);
		dt_buf_add_z(&out, "|");
	}
	assert_string_equal(dt_buf_z(&out), wanted);
	assert_int_equal(result.is_cut, is_cut);
	dt_buf_done(&out);
}

test(hits_are_sorted_by_file_and_line)
{
	struct dt_hits hits;

	dt_hits_init(&hits, 9, 0);
	add(&hits, 1, DT_STR("b1"), 0, 1);
	add(&hits, 7, DT_STR("b7"), 1, 2);
	assert_true(dt_hits_end_file(&hits, "/b"));
	add(&hits, 3, DT_STR("a3"), 0, 2);
	assert_true(dt_hits_end_file(&hits, "/a"));
	assert_hits(&hits, "/a:3:0-2 a3|/b:1:0-1 b1|/b:7:1-2 b7|", false);
	dt_hits_done(&hits);
}

test(lines_beside_a_hit_belong_to_it_when_they_follow)
{
	struct dt_hits hits;

	dt_hits_init(&hits, 9, 2);
	add(&hits, 0, DT_STR("0"), 0, 0);
	add(&hits, 1, DT_STR("hit"), 0, 3);
	add(&hits, 2, DT_STR("hit"), 0, 3);
	add(&hits, 3, DT_STR("3"), 0, 0);
	add(&hits, 4, DT_STR("4"), 0, 0);
	add(&hits, 8, DT_STR("8"), 0, 0);
	add(&hits, 9, DT_STR("hit"), 0, 3);
	assert_true(dt_hits_end_file(&hits, "/a"));
	assert_hits(&hits,
	            "/a:1:0-3 hit <0 >hit >3|/a:2:0-3 hit <0 <hit >3 >4|"
	            "/a:9:0-3 hit <8|",
	            false);
	dt_hits_done(&hits);
}

test(what_is_left_out_does_not_count)
{
	struct dt_hits hits;

	dt_hits_init(&hits, 1, 0);
	add(&hits, 1, DT_STR("secret"), 0, 1);
	add(&hits, 2, DT_STR("secret"), 0, 1);
	assert_true(dt_hits_end_file(&hits, NULL));
	add(&hits, 1, DT_STR("told"), 0, 1);
	assert_true(dt_hits_end_file(&hits, "/a"));
	assert_hits(&hits, "/a:1:0-1 told|", false);
	add(&hits, 1, DT_STR("one more"), 0, 1);
	assert_false(dt_hits_end_file(&hits, "/b"));
	assert_hits(&hits, "/a:1:0-1 told|", true);
	dt_hits_done(&hits);
}

test(columns_are_utf16_units)
{
	struct dt_hits hits;

	dt_hits_init(&hits, 9, 0);
	add(&hits, 0, DT_STR("\xf0\x9f\x98\x80 \xc3\xa4x"), 5, 7);
	add(&hits, 1, DT_STR("\xff\xff x"), 3, 4);
	dt_hits_end_file(&hits, "/a");
	assert_hits(&hits,
	            "/a:0:3-4 \xf0\x9f\x98\x80 \xc3\xa4x|/a:1:3-4 \xff\xff x|",
	            false);
	dt_hits_done(&hits);
}

test(a_long_line_is_cut_around_the_match)
{
	size_t len = 3 * (size_t)DT_LIMIT_FOUND_LINE;
	char *long_line = malloc(len);
	struct dt_search_result result = { 0 };
	const struct dt_search_match *match;
	struct dt_hits hits;

	assert_non_null(long_line);
	for (size_t i = 0; i < len; i += 2)
		memcpy(long_line + i, "\xc3\xa4", 2);
	dt_hits_init(&hits, 9, 0);
	add(&hits, 0, (struct dt_str){ long_line, len }, 2000, 2002);
	add(&hits, 1, (struct dt_str){ long_line, len }, 0, 2);
	dt_hits_end_file(&hits, "/a");
	dt_hits_list(&hits, &result);
	match = result.matches.ptr;
	assert_int_equal(match[0].range.start.character, 1000);
	assert_true(match[0].is_part);
	assert_int_equal(match[0].text.len, DT_LIMIT_FOUND_LINE);
	assert_memory_equal(match[0].text.ptr, "\xc3\xa4", 2);
	assert_true(match[1].is_part);
	assert_int_equal(match[1].text.len, DT_LIMIT_FOUND_LINE);
	dt_hits_done(&hits);
	free(long_line);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hits_are_sorted_by_file_and_line),
		cmocka_unit_test(
			lines_beside_a_hit_belong_to_it_when_they_follow),
		cmocka_unit_test(what_is_left_out_does_not_count),
		cmocka_unit_test(columns_are_utf16_units),
		cmocka_unit_test(a_long_line_is_cut_around_the_match),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
