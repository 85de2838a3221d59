/* base/sha256.c - SHA-256 (FIPS 180-4, 6.2) over text that is all there. */
#include "base/sha256.h"

#include "base/sha256_fast.h"
#include "base/str.h"

#include <string.h>

#define BLOCK 64

const uint32_t dt_sha256_k[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
	0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
	0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
	0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
	0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
	0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
	0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
	0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotr(uint32_t x, unsigned n)
{
	return x >> n | x << (32 - n);
}

static uint32_t load_be(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 |
	       (uint32_t)p[2] << 8 | p[3];
}

static void schedule(uint32_t w[64], const uint8_t *p)
{
	for (unsigned t = 0; t < 16; t++)
		w[t] = load_be(p + (size_t)4 * t);
	for (unsigned t = 16; t < 64; t++) {
		uint32_t x = w[t - 15];
		uint32_t y = w[t - 2];

		w[t] = w[t - 16] + (rotr(x, 7) ^ rotr(x, 18) ^ x >> 3) +
		       w[t - 7] + (rotr(y, 17) ^ rotr(y, 19) ^ y >> 10);
	}
}

/* The sums and functions of section 4.1.2, under the standard's letters. */
static uint32_t first(uint32_t e, uint32_t f, uint32_t g)
{
	return (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + ((e & f) ^ (~e & g));
}

static uint32_t second(uint32_t a, uint32_t b, uint32_t c)
{
	return (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) +
	       ((a & b) ^ (a & c) ^ (b & c));
}

static void add_block(uint32_t sum[8], const uint8_t *p)
{
	uint32_t a = sum[0];
	uint32_t b = sum[1];
	uint32_t c = sum[2];
	uint32_t d = sum[3];
	uint32_t e = sum[4];
	uint32_t f = sum[5];
	uint32_t g = sum[6];
	uint32_t h = sum[7];
	uint32_t w[64];

	schedule(w, p);
	for (unsigned t = 0; t < 64; t++) {
		uint32_t one = h + first(e, f, g) + dt_sha256_k[t] + w[t];
		uint32_t two = second(a, b, c);

		h = g;
		g = f;
		f = e;
		e = d + one;
		d = c;
		c = b;
		b = a;
		a = one + two;
	}
	sum[0] += a;
	sum[1] += b;
	sum[2] += c;
	sum[3] += d;
	sum[4] += e;
	sum[5] += f;
	sum[6] += g;
	sum[7] += h;
}

static void add_blocks(uint32_t sum[8], const uint8_t *p, size_t blocks)
{
	if (dt_sha256_fast(sum, p, blocks))
		return;
	for (; blocks; blocks--, p += BLOCK)
		add_block(sum, p);
}

void dt_sha256(const void *ptr, size_t len, uint8_t out[32])
{
	uint32_t sum[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
		            0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
	const uint8_t *p = ptr;
	uint8_t tail[2 * BLOCK] = { 0 };
	uint64_t bits = (uint64_t)len * 8;
	size_t rest = len % BLOCK;
	/* The mark and the length take nine bytes after the rest. */
	size_t tail_len = rest + 9 <= BLOCK ? BLOCK : (size_t)2 * BLOCK;

	add_blocks(sum, p, len / BLOCK);
	if (rest)
		memcpy(tail, p + (len - rest), rest);
	tail[rest] = 0x80;
	for (unsigned i = 0; i < 8; i++)
		tail[tail_len - 1 - i] = (uint8_t)(bits >> (8 * i));
	for (size_t at = 0; at < tail_len; at += BLOCK)
		add_block(sum, tail + at);
	for (unsigned i = 0; i < 32; i++)
		out[i] = (uint8_t)(sum[i / 4] >> (24 - 8 * (i % 4)));
}

void dt_sha256_hex(const void *ptr, size_t len, char out[DT_SHA256_TEXT])
{
	uint8_t digest[32];

	dt_sha256(ptr, len, digest);
	dt_str_hex(digest, sizeof(digest), out);
}
