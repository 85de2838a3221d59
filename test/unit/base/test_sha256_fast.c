/* SHA-256 by the processor's instructions, where it has them. */
#include "unit.h"

#include "base/sha256_fast.h"

#include <string.h>

static const uint32_t start[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372,
	                           0xa54ff53a, 0x510e527f, 0x9b05688c,
	                           0x1f83d9ab, 0x5be0cd19 };

/* "abc" with its mark and its length, as FIPS 180 has it. */
test(a_block_comes_out)
{
	static const uint32_t expected[8] = {
		0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223,
		0xb00361a3, 0x96177a9c, 0xb410ff61, 0xf20015ad,
	};
	uint8_t block[64] = { 'a', 'b', 'c', 0x80, [63] = 24 };
	uint32_t sum[8];

	memcpy(sum, start, sizeof(sum));
	if (!dt_sha256_fast(sum, block, 1))
		skip();
	assert_memory_equal(sum, expected, sizeof(sum));
}

test(blocks_together_are_as_one_by_one)
{
	uint8_t blocks[64 * 5 + 1];
	uint32_t one[8];
	uint32_t all[8];

	for (size_t i = 0; i < sizeof(blocks); i++)
		blocks[i] = (uint8_t)(i * 31 + i / 7);
	memcpy(one, start, sizeof(one));
	memcpy(all, start, sizeof(all));
	/* From an odd address, too. */
	if (!dt_sha256_fast(all, blocks + 1, 5))
		skip();
	for (size_t i = 0; i < 5; i++)
		assert_true(dt_sha256_fast(one, blocks + 1 + 64 * i, 1));
	assert_memory_equal(one, all, sizeof(one));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_block_comes_out),
		cmocka_unit_test(blocks_together_are_as_one_by_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
