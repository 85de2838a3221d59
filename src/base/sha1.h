/* base/sha1.h - SHA-1, for the WebSocket handshake and nothing else. */
#ifndef DT_BASE_SHA1_H
#define DT_BASE_SHA1_H

#include <stddef.h>
#include <stdint.h>

void dt_sha1(const void *ptr, size_t len, uint8_t out[20]);

#endif
