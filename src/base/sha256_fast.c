/*
 * base/sha256_fast.c - SHA-256 by the instructions a processor has for it.
 *
 * A digest of 50 MB takes a second in plain C, and the daemon has one thread for
 * all agents; with these it takes some 30 ms.  Whether they are there is asked
 * while the program runs.
 */
#include "base/sha256_fast.h"

#define BLOCK 64

#if defined(__aarch64__) && defined(__linux__)

#	include <arm_neon.h>
#	include <sys/auxv.h>

#	define HAS_SHA2 (1ul << 6) /* HWCAP_SHA2 */

/* Four rounds, and four words of the schedule 16 rounds ahead. */
__attribute__((target("+crypto"))) static void add_block(uint32x4_t *abcd,
                                                         uint32x4_t *efgh,
                                                         const uint8_t *p)
{
	uint32x4_t w[4];
	uint32x4_t first = *abcd;
	uint32x4_t second = *efgh;

	for (unsigned i = 0; i < 4; i++)
		w[i] = vreinterpretq_u32_u8(
			vrev32q_u8(vld1q_u8(p + (size_t)16 * i)));
	for (unsigned i = 0; i < 16; i++) {
		uint32x4_t sum =
			vaddq_u32(w[i % 4], vld1q_u32(dt_sha256_k + 4ul * i));
		uint32x4_t before = first;

		if (i < 12)
			w[i % 4] = vsha256su1q_u32(
				vsha256su0q_u32(w[i % 4], w[(i + 1) % 4]),
				w[(i + 2) % 4], w[(i + 3) % 4]);
		first = vsha256hq_u32(first, second, sum);
		second = vsha256h2q_u32(second, before, sum);
	}
	*abcd = vaddq_u32(*abcd, first);
	*efgh = vaddq_u32(*efgh, second);
}

bool dt_sha256_fast(uint32_t sum[8], const uint8_t *p, size_t blocks)
{
	uint32x4_t abcd = vld1q_u32(sum);
	uint32x4_t efgh = vld1q_u32(sum + 4);

	if (!(getauxval(AT_HWCAP) & HAS_SHA2))
		return false;
	for (; blocks; blocks--, p += BLOCK)
		add_block(&abcd, &efgh, p);
	vst1q_u32(sum, abcd);
	vst1q_u32(sum + 4, efgh);
	return true;
}

#elif defined(__x86_64__)

#	include <cpuid.h>
#	include <immintrin.h>

#	define NEEDED __attribute__((target("sha,sse4.1,ssse3")))
#	define HAS_SHA (1u << 29)   /* of leaf 7, EBX */
#	define HAS_SSE41 (1u << 19) /* of leaf 1, ECX */

static bool has_sha(void)
{
	unsigned a;
	unsigned b;
	unsigned c;
	unsigned d;

	if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & HAS_SSE41))
		return false;
	return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & HAS_SHA);
}

NEEDED static void add_block(__m128i *abef, __m128i *cdgh, const uint8_t *p)
{
	const __m128i swap =
		_mm_set_epi64x(0x0c0d0e0f08090a0bll, 0x0405060700010203ll);
	__m128i w[4];
	__m128i first = *abef;
	__m128i second = *cdgh;

	for (unsigned i = 0; i < 4; i++)
		w[i] = _mm_shuffle_epi8(
			_mm_loadu_si128((const __m128i *)(const void *)p + i),
			swap);
	for (unsigned i = 0; i < 16; i++) {
		const void *k = dt_sha256_k + 4ul * i;
		__m128i sum = _mm_add_epi32(
			w[i % 4], _mm_loadu_si128((const __m128i *)k));

		if (i < 12)
			w[i % 4] = _mm_sha256msg2_epu32(
				_mm_add_epi32(
					_mm_sha256msg1_epu32(w[i % 4],
			                                     w[(i + 1) % 4]),
					_mm_alignr_epi8(w[(i + 3) % 4],
			                                w[(i + 2) % 4], 4)),
				w[(i + 3) % 4]);
		second = _mm_sha256rnds2_epu32(second, first, sum);
		first = _mm_sha256rnds2_epu32(first, second,
		                              _mm_shuffle_epi32(sum, 0x0e));
	}
	*abef = _mm_add_epi32(*abef, first);
	*cdgh = _mm_add_epi32(*cdgh, second);
}

NEEDED static void add_blocks(uint32_t sum[8], const uint8_t *p, size_t blocks)
{
	/* The instructions want the words in another order. */
	__m128i abef = _mm_set_epi32((int)sum[0], (int)sum[1], (int)sum[4],
	                             (int)sum[5]);
	__m128i cdgh = _mm_set_epi32((int)sum[2], (int)sum[3], (int)sum[6],
	                             (int)sum[7]);
	uint32_t out[8];

	for (; blocks; blocks--, p += BLOCK)
		add_block(&abef, &cdgh, p);
	_mm_storeu_si128((__m128i *)(void *)out, abef);
	_mm_storeu_si128((__m128i *)(void *)(out + 4), cdgh);
	sum[0] = out[3];
	sum[1] = out[2];
	sum[4] = out[1];
	sum[5] = out[0];
	sum[2] = out[7];
	sum[3] = out[6];
	sum[6] = out[5];
	sum[7] = out[4];
}

bool dt_sha256_fast(uint32_t sum[8], const uint8_t *p, size_t blocks)
{
	if (!has_sha())
		return false;
	add_blocks(sum, p, blocks);
	return true;
}

#else

bool dt_sha256_fast(uint32_t sum[8], const uint8_t *p, size_t blocks)
{
	(void)sum;
	(void)p;
	(void)blocks;
	return false;
}

#endif
