/* base/sha1.c - SHA-1 (FIPS 180-4, 6.1) over text that is all there at once. */
#include "base/sha1.h"

#include <string.h>

#define BLOCK 64

static uint32_t rotl(uint32_t x, unsigned n)
{
	return x << n | x >> (32 - n);
}

static uint32_t load_be(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 |
	       (uint32_t)p[2] << 8 | p[3];
}

/* The function and the constant of round t; x, y, z as in the standard. */
static uint32_t mix(unsigned t, uint32_t x, uint32_t y, uint32_t z)
{
	if (t < 20)
		return ((x & y) | (~x & z)) + 0x5a827999;
	if (t < 40)
		return (x ^ y ^ z) + 0x6ed9eba1;
	if (t < 60)
		return ((x & y) | (x & z) | (y & z)) + 0x8f1bbcdc;
	return (x ^ y ^ z) + 0xca62c1d6;
}

static void add_block(uint32_t h[5], const uint8_t *p)
{
	uint32_t a = h[0];
	uint32_t b = h[1];
	uint32_t c = h[2];
	uint32_t d = h[3];
	uint32_t e = h[4];
	uint32_t w[80];

	for (unsigned t = 0; t < 16; t++)
		w[t] = load_be(p + (size_t)4 * t);
	for (unsigned t = 16; t < 80; t++)
		w[t] = rotl(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
	for (unsigned t = 0; t < 80; t++) {
		uint32_t next = rotl(a, 5) + mix(t, b, c, d) + e + w[t];

		e = d;
		d = c;
		c = rotl(b, 30);
		b = a;
		a = next;
	}
	h[0] += a;
	h[1] += b;
	h[2] += c;
	h[3] += d;
	h[4] += e;
}

void dt_sha1(const void *ptr, size_t len, uint8_t out[20])
{
	uint32_t h[5] = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476,
		          0xc3d2e1f0 };
	const uint8_t *p = ptr;
	uint8_t tail[2 * BLOCK] = { 0 };
	uint64_t bits = (uint64_t)len * 8;
	size_t rest = len % BLOCK;
	/* The mark and the length take nine bytes after the rest. */
	size_t tail_len = rest + 9 <= BLOCK ? BLOCK : (size_t)2 * BLOCK;

	for (size_t at = 0; len - at >= BLOCK; at += BLOCK)
		add_block(h, p + at);
	if (rest)
		memcpy(tail, p + (len - rest), rest);
	tail[rest] = 0x80;
	for (unsigned i = 0; i < 8; i++)
		tail[tail_len - 1 - i] = (uint8_t)(bits >> (8 * i));
	for (size_t at = 0; at < tail_len; at += BLOCK)
		add_block(h, tail + at);
	for (unsigned i = 0; i < 20; i++)
		out[i] = (uint8_t)(h[i / 4] >> (24 - 8 * (i % 4)));
}
