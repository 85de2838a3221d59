/*
 * base/hmac.c - HMAC-SHA-256, for what we hand out and must know again.
 *
 * The text is copied behind the padded key, because base/sha256.c hashes whole
 * texts; what is signed here is short.
 */
#include "base/hmac.h"

#include "base/sha256.h"

#include <stdlib.h>

#define BLOCK 64

void dt_hmac_sha256(struct dt_str key, struct dt_str text,
                    uint8_t out[DT_HMAC_BYTES])
{
	uint8_t padded[BLOCK] = { 0 };
	uint8_t outer[BLOCK + DT_HMAC_BYTES];
	uint8_t *inner = dt_alloc(BLOCK + text.len);

	if (key.len > BLOCK)
		dt_sha256(key.ptr, key.len, padded);
	else if (key.len)
		memcpy(padded, key.ptr, key.len);
	for (size_t i = 0; i < BLOCK; i++) {
		inner[i] = padded[i] ^ 0x36;
		outer[i] = padded[i] ^ 0x5c;
	}
	if (text.len)
		memcpy(inner + BLOCK, text.ptr, text.len);
	dt_sha256(inner, BLOCK + text.len, outer + BLOCK);
	dt_sha256(outer, sizeof(outer), out);
	free(inner);
}
