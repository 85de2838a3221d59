/* base/base64.h - base64 with padding (RFC 4648 section 4). */
#ifndef DT_BASE_BASE64_H
#define DT_BASE_BASE64_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of text, NUL included, for `len` bytes of data. */
#define DT_BASE64_TEXT(len) (((len) + 2) / 3 * 4 + 1)

void dt_base64_write(const void *ptr, size_t len, char *out);

/* The way back: *out_len bytes at `out`, which has room for 3 bytes of every 4.
 * False when it is not strict base64. */
bool dt_base64_read(const char *text, size_t text_len, void *out,
                    size_t *out_len);
/* True when `text` is the strict encoding of exactly `len` bytes. */
bool dt_base64_is_of(const char *text, size_t text_len, size_t len);

#endif
