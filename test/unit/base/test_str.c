/* Slices compared and cut; strings on the heap. */
#include "unit.h"

#include "base/str.h"

#include <stdlib.h>

test(slices_are_equal_by_their_bytes)
{
	struct dt_str none = { 0 };

	assert_true(dt_str_eq(DT_STR("a\0b"), DT_STR("a\0b")));
	assert_false(dt_str_eq(DT_STR("a\0b"), DT_STR("a\0c")));
	assert_false(dt_str_eq(DT_STR("ab"), DT_STR("abc")));
	assert_true(dt_str_eq(none, DT_STR("")));
	assert_true(dt_str_is(DT_STR("abc"), "abc"));
	assert_false(dt_str_is(none, "abc"));
	assert_int_equal(dt_str(NULL).len, 0);
}

test(nocase_folds_ascii_letters_only)
{
	assert_true(dt_str_eq_nocase(DT_STR("Upgrade-Z"), DT_STR("uPGRADE-z")));
	assert_false(dt_str_eq_nocase(DT_STR("@"), DT_STR("`")));
	assert_false(dt_str_eq_nocase(DT_STR("["), DT_STR("{")));
	assert_false(dt_str_eq_nocase(DT_STR("\xc3\x84"), DT_STR("\xc3\xa4")));
	assert_false(dt_str_eq_nocase(DT_STR("a"), DT_STR("ab")));
}

test(a_piece_is_found_where_it_is_first)
{
	struct dt_str in = DT_STR("a\0bab");

	assert_ptr_equal(dt_str_find(in, DT_STR("b")), in.ptr + 2);
	assert_ptr_equal(dt_str_find(in, DT_STR("ab")), in.ptr + 3);
	assert_null(dt_str_find(in, DT_STR("ba\0")));
	assert_null(dt_str_find((struct dt_str){ 0 }, DT_STR("a")));
}

test(starts_takes_empty_and_absent_prefixes)
{
	struct dt_str none = { 0 };

	assert_true(dt_str_starts(DT_STR("abc"), DT_STR("ab")));
	assert_true(dt_str_starts(DT_STR("abc"), DT_STR("abc")));
	assert_false(dt_str_starts(DT_STR("ab"), DT_STR("abc")));
	assert_false(dt_str_starts(DT_STR("abc"), DT_STR("b")));
	assert_true(dt_str_starts(DT_STR("abc"), none));
	assert_true(dt_str_starts(none, none));
}

test(trim_takes_spaces_and_tabs_off_both_ends)
{
	struct dt_str none = { 0 };

	assert_str(dt_str_trim(DT_STR(" \t a b\t ")), "a b");
	assert_str(dt_str_trim(DT_STR("\na\r")), "\na\r");
	assert_int_equal(dt_str_trim(DT_STR(" \t ")).len, 0);
	assert_int_equal(dt_str_trim(none).len, 0);
}

test(cut_splits_at_the_first_separator)
{
	struct dt_str s = DT_STR("a,,b");
	struct dt_str part = dt_str_cut(&s, ',');

	assert_str(part, "a");
	part = dt_str_cut(&s, ',');
	assert_str(part, "");
	assert_str(s, "b");
	part = dt_str_cut(&s, ',');
	assert_str(part, "b");
	assert_null(s.ptr);
	assert_int_equal(s.len, 0);
	assert_int_equal(dt_str_cut(&s, ',').len, 0);
}

test(cut_at_the_end_leaves_an_empty_rest_that_is_there)
{
	struct dt_str s = DT_STR("a,");
	struct dt_str part = dt_str_cut(&s, ',');

	assert_str(part, "a");
	assert_int_equal(s.len, 0);
	assert_non_null(s.ptr);
}

test(numbers_are_read_whole)
{
	uint32_t n = 1;

	assert_ok(dt_str_to_u32(DT_STR("0"), &n, NULL));
	assert_int_equal(n, 0);
	assert_ok(dt_str_to_u32(DT_STR("007"), &n, NULL));
	assert_int_equal(n, 7);
	assert_ok(dt_str_to_u32(DT_STR("4294967295"), &n, NULL));
	assert_int_equal(n, UINT32_MAX);
}

test(what_is_no_number_is_refused_and_out_is_kept)
{
	static const char *const bad[] = {
		"",   "-1", "+1",  " 1",         "1 ",
		"1x", "x",  "0x1", "4294967296", "9999999999",
		":",  "/",  "1.0", "99999999999"
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct dt_fail fail = { 0 };
		uint32_t n = 42;

		assert_int_equal(dt_str_to_u32(dt_str(bad[i]), &n, &fail),
		                 DT_E_ARGS);
		assert_int_equal(n, 42);
		assert_non_null(strstr(fail.msg, bad[i]));
	}
	assert_int_equal(
		dt_str_to_u32((struct dt_str){ 0 }, &(uint32_t){ 0 }, NULL),
		DT_E_ARGS);
}

test(secrets_are_equal_only_when_all_bytes_are)
{
	struct dt_str none = { 0 };

	assert_true(dt_str_eq_secret(DT_STR("token"), DT_STR("token")));
	assert_true(dt_str_eq_secret(none, DT_STR("")));
	assert_false(dt_str_eq_secret(DT_STR("token"), DT_STR("tokem")));
	assert_false(dt_str_eq_secret(DT_STR("xoken"), DT_STR("token")));
	assert_false(dt_str_eq_secret(DT_STR(""), DT_STR("t")));
	assert_false(dt_str_eq_secret(DT_STR("t"), none));
	/* A repeated secret is not the secret. */
	assert_false(dt_str_eq_secret(DT_STR("abab"), DT_STR("ab")));
	assert_false(dt_str_eq_secret(DT_STR("ab"), DT_STR("abab")));
}

test(hex_writes_two_digits_a_byte)
{
	char out[9];

	dt_str_hex("\x00\x9f\xff\x10", 4, out);
	assert_string_equal(out, "009fff10");
	dt_str_hex(NULL, 0, out);
	assert_string_equal(out, "");
}

test(alloc_gives_zeroes_and_never_null)
{
	char *p = dt_alloc(100);
	char *q = dt_alloc(0);
	static const char zeroes[100];

	assert_memory_equal(p, zeroes, 100);
	assert_non_null(q);
	p = dt_realloc(p, 1000);
	assert_memory_equal(p, zeroes, 100);
	free(p);
	free(q);
}

test(strings_are_copied_with_a_nul)
{
	char *a = dt_strdup("abc");
	char *b = dt_strndup("abcdef", 2);
	char *c = dt_strndup(NULL, 0);
	char *d = dt_asprintf("%s-%d", "x", 5);

	assert_string_equal(a, "abc");
	assert_string_equal(b, "ab");
	assert_string_equal(c, "");
	assert_string_equal(d, "x-5");
	free(a);
	free(b);
	free(c);
	free(d);
}

test(words_are_cut_off_the_front)
{
	struct dt_str rest = DT_STR(" \ta  bc\td ");

	assert_true(dt_str_is(dt_str_cut_word(&rest), "a"));
	assert_true(dt_str_is(dt_str_cut_word(&rest), "bc"));
	assert_true(dt_str_is(dt_str_cut_word(&rest), "d"));
	assert_int_equal(dt_str_cut_word(&rest).len, 0);
	assert_int_equal(rest.len, 0);
	assert_int_equal(dt_str_cut_word(&rest).len, 0);
	rest = (struct dt_str){ 0 };
	assert_int_equal(dt_str_cut_word(&rest).len, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slices_are_equal_by_their_bytes),
		cmocka_unit_test(nocase_folds_ascii_letters_only),
		cmocka_unit_test(a_piece_is_found_where_it_is_first),
		cmocka_unit_test(starts_takes_empty_and_absent_prefixes),
		cmocka_unit_test(trim_takes_spaces_and_tabs_off_both_ends),
		cmocka_unit_test(cut_splits_at_the_first_separator),
		cmocka_unit_test(
			cut_at_the_end_leaves_an_empty_rest_that_is_there),
		cmocka_unit_test(numbers_are_read_whole),
		cmocka_unit_test(what_is_no_number_is_refused_and_out_is_kept),
		cmocka_unit_test(secrets_are_equal_only_when_all_bytes_are),
		cmocka_unit_test(hex_writes_two_digits_a_byte),
		cmocka_unit_test(alloc_gives_zeroes_and_never_null),
		cmocka_unit_test(strings_are_copied_with_a_nul),
		cmocka_unit_test(words_are_cut_off_the_front),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
