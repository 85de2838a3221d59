/* Randomness: whole, spread out, and never the same twice. */
#include "unit.h"

#include "base/rand.h"

#include <string.h>

test(bytes_fill_all_that_was_asked_for_and_no_more)
{
	static uint8_t bytes[100002];
	unsigned seen[256] = { 0 };

	dt_rand_bytes(bytes + 1, 100000);
	assert_int_equal(bytes[0], 0);
	assert_int_equal(bytes[100001], 0);
	for (size_t i = 1; i <= 100000; i++)
		seen[bytes[i]]++;
	/* 390 expected; 13 deviations off would be a broken generator. */
	for (unsigned i = 0; i < 256; i++) {
		assert_true(seen[i] > 130);
		assert_true(seen[i] < 650);
	}
	dt_rand_bytes(bytes, 0);
	assert_int_equal(bytes[0], 0);
}

test(below_reaches_every_value_and_stays_below)
{
	unsigned seen[7] = { 0 };

	for (int i = 0; i < 7000; i++) {
		uint32_t value = dt_rand_below(7);

		assert_true(value < 7);
		seen[value]++;
	}
	for (int i = 0; i < 7; i++) {
		assert_true(seen[i] > 600);
		assert_true(seen[i] < 1400);
	}
	assert_int_equal(dt_rand_below(1), 0);
}

test(below_is_uniform_for_a_bound_that_does_not_divide)
{
	/* A plain remainder would fall below half in two cases of three. */
	const uint32_t bound = 0xc0000000;
	unsigned low = 0;

	for (int i = 0; i < 20000; i++)
		low += dt_rand_below(bound) < bound / 3;
	assert_true(low > 6000);
	assert_true(low < 7300);
}

static void assert_hex(const char *text, size_t len)
{
	assert_int_equal(strlen(text), len);
	assert_int_equal(strspn(text, "0123456789abcdef"), len);
}

test(ids_and_tokens_are_hex_and_differ)
{
	char id[2][DT_ID_TEXT];
	char token[2][DT_TOKEN_TEXT];

	for (int i = 0; i < 2; i++) {
		dt_rand_id(id[i]);
		dt_rand_token(token[i]);
		assert_hex(id[i], 32);
		assert_hex(token[i], 64);
	}
	assert_string_not_equal(id[0], id[1]);
	assert_string_not_equal(token[0], token[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_fill_all_that_was_asked_for_and_no_more),
		cmocka_unit_test(below_reaches_every_value_and_stays_below),
		cmocka_unit_test(
			below_is_uniform_for_a_bound_that_does_not_divide),
		cmocka_unit_test(ids_and_tokens_are_hex_and_differ),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
