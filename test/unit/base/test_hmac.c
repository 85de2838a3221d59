#include "unit.h"

#include "base/hmac.h"

/* RFC 4231, the cases 1 to 4, 6 and 7. */
struct known {
	const char *name;
	char key_byte; /* repeated key_len times, where key is NULL */
	size_t key_len;
	const char *key;
	char text_byte;
	size_t text_len;
	const char *text;
	const char *mac;
};

static const struct known cases[] = {
	{ "1", 0x0b, 20, NULL, 0, 0, "Hi There",
	  "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7" },
	{ "2", 0, 0, "Jefe", 0, 0, "what do ya want for nothing?",
	  "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843" },
	{ "3", (char)0xaa, 20, NULL, (char)0xdd, 50, NULL,
	  "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe" },
	{ "6", (char)0xaa, 131, NULL, 0, 0,
	  "Test Using Larger Than Block-Size Key - Hash Key First",
	  "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54" },
	{ "7", (char)0xaa, 131, NULL, 0, 0,
	  "This is a test using a larger than block-size key and a larger "
	  "than block-size data. The key needs to be hashed before being used "
	  "by the HMAC algorithm.",
	  "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2" },
};

static struct dt_str fill(char *space, const char *z, char byte, size_t len)
{
	if (z)
		return dt_str(z);
	memset(space, byte, len);
	return (struct dt_str){ space, len };
}

test(the_cases_of_rfc_4231_hold)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct known *c = &cases[i];
		char key[200];
		char text[200];
		uint8_t mac[DT_HMAC_BYTES];
		char hex[2 * DT_HMAC_BYTES + 1];

		dt_hmac_sha256(fill(key, c->key, c->key_byte, c->key_len),
		               fill(text, c->text, c->text_byte, c->text_len),
		               mac);
		dt_str_hex(mac, sizeof(mac), hex);
		assert_string_equal(hex, c->mac);
	}
}

test(an_empty_key_and_an_empty_text_have_a_mac_too)
{
	uint8_t mac[DT_HMAC_BYTES];
	char hex[2 * DT_HMAC_BYTES + 1];

	dt_hmac_sha256((struct dt_str){ 0 }, (struct dt_str){ 0 }, mac);
	dt_str_hex(mac, sizeof(mac), hex);
	assert_string_equal(
		hex, "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c71214"
		     "4292c5ad");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_cases_of_rfc_4231_hold),
		cmocka_unit_test(an_empty_key_and_an_empty_text_have_a_mac_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
