/* base/rand.c - bytes from the kernel, shaped into numbers and ids. */
#include "base/rand.h"

#include "base/log.h"
#include "base/os.h"
#include "base/str.h"

#include <assert.h>

void dt_rand_bytes(void *out, size_t len)
{
	if (!dt_os_random(out, len))
		dt_panic("the kernel gives no random bytes");
}

uint32_t dt_rand_below(uint32_t bound)
{
	uint32_t over;
	uint32_t value;

	assert(bound > 0);
	/* 2^32 mod bound: below it the remainders would not be uniform. */
	over = -bound % bound;
	do
		dt_rand_bytes(&value, sizeof(value));
	while (value < over);
	return value % bound;
}

void dt_rand_id(char out[DT_ID_TEXT])
{
	uint8_t bytes[(DT_ID_TEXT - 1) / 2];

	dt_rand_bytes(bytes, sizeof(bytes));
	dt_str_hex(bytes, sizeof(bytes), out);
}

void dt_rand_token(char out[DT_TOKEN_TEXT])
{
	uint8_t bytes[(DT_TOKEN_TEXT - 1) / 2];

	dt_rand_bytes(bytes, sizeof(bytes));
	dt_str_hex(bytes, sizeof(bytes), out);
}
