/* SHA-1 against the vectors of FIPS 180 and at every length of a tail. */
#include "unit.h"

#include "base/sha1.h"
#include "base/str.h"

#include <stdlib.h>

static void assert_digest(const void *ptr, size_t len, const char *expected)
{
	uint8_t digest[20];
	char text[2 * sizeof(digest) + 1];

	dt_sha1(ptr, len, digest);
	dt_str_hex(digest, sizeof(digest), text);
	assert_string_equal(text, expected);
}

test(the_known_vectors_come_out)
{
	assert_digest(NULL, 0, "da39a3ee5e6b4b0d3255bfef95601890afd80709");
	assert_digest("abc", 3, "a9993e364706816aba3e25717850c26c9cd0d89d");
	assert_digest(
		"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
		"84983e441c3bd26ebaae4aa1f95129e5e54670f1");
}

test(a_million_letters_come_out)
{
	char *text = dt_alloc(1000000);

	memset(text, 'a', 1000000);
	assert_digest(text, 1000000,
	              "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
	free(text);
}

/* The digest of the digests, computed with another implementation. */
test(every_length_around_the_blocks_comes_out)
{
	static uint8_t digests[301][20];
	uint8_t text[300];

	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = (uint8_t)(i * 7);
	for (size_t len = 0; len <= sizeof(text); len++)
		dt_sha1(text, len, digests[len]);
	assert_digest(digests, sizeof(digests),
	              "2d095daa1437f7f4f361cd003710e0b4d4d9af37");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_known_vectors_come_out),
		cmocka_unit_test(a_million_letters_come_out),
		cmocka_unit_test(every_length_around_the_blocks_comes_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
