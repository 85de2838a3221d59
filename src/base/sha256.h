/* base/sha256.h - SHA-256: the digest a review keeps of its base text. */
#ifndef DT_BASE_SHA256_H
#define DT_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

void dt_sha256(const void *ptr, size_t len, uint8_t out[32]);

#define DT_SHA256_TEXT 65
void dt_sha256_hex(const void *ptr, size_t len, char out[DT_SHA256_TEXT]);

#endif
