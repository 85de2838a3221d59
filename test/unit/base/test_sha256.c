/* SHA-256 against the vectors of FIPS 180 and at every length of a tail. */
#include "unit.h"

#include "base/sha256.h"
#include "base/str.h"

#include <stdlib.h>

static void assert_digest(const void *ptr, size_t len, const char *expected)
{
	uint8_t digest[32];
	char text[2 * sizeof(digest) + 1];

	dt_sha256(ptr, len, digest);
	dt_str_hex(digest, sizeof(digest), text);
	assert_string_equal(text, expected);
}

test(the_known_vectors_come_out)
{
	assert_digest(
		NULL, 0,
		"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	assert_digest(
		"abc", 3,
		"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	assert_digest(
		"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
		"248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

test(a_million_letters_come_out)
{
	char *text = dt_alloc(1000000);

	memset(text, 'a', 1000000);
	assert_digest(
		text, 1000000,
		"cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
	free(text);
}

/* The digest of the digests, computed with another implementation. */
test(every_length_around_the_blocks_comes_out)
{
	static uint8_t digests[301][32];
	uint8_t text[300];

	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = (uint8_t)(i * 7);
	for (size_t len = 0; len <= sizeof(text); len++)
		dt_sha256(text, len, digests[len]);
	assert_digest(
		digests, sizeof(digests),
		"3b05b530351f50663ba5ac734c246d169eafec6b57c70dc6dc94cad39d04aad8");
}

test(the_hex_form_is_the_digest_in_hex)
{
	char out[DT_SHA256_TEXT];

	dt_sha256_hex("abc", 3, out);
	assert_string_equal(
		out,
		"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_known_vectors_come_out),
		cmocka_unit_test(a_million_letters_come_out),
		cmocka_unit_test(every_length_around_the_blocks_comes_out),
		cmocka_unit_test(the_hex_form_is_the_digest_in_hex),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
