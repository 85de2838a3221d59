/* base/sha256_fast.h - SHA-256 by the instructions a processor has for it. */
#ifndef DT_BASE_SHA256_FAST_H
#define DT_BASE_SHA256_FAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The constants of FIPS 180-4, 4.2.2. */
extern const uint32_t dt_sha256_k[64];

/* Add so many blocks of 64 bytes to the sum.  False: this processor has no such
 * instructions, and nothing was done. */
bool dt_sha256_fast(uint32_t sum[8], const uint8_t *p, size_t blocks);

#endif
