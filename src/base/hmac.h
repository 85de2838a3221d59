/* base/hmac.h - HMAC with SHA-256 (RFC 2104). */
#ifndef DT_BASE_HMAC_H
#define DT_BASE_HMAC_H

#include "base/str.h"

#include <stddef.h>
#include <stdint.h>

#define DT_HMAC_BYTES 32

/* The key may have any length; the time tells the lengths alone. */
void dt_hmac_sha256(struct dt_str key, struct dt_str text,
                    uint8_t out[DT_HMAC_BYTES]);

#endif
