/* base/base64.c - writing base64, and telling whether others wrote it well. */
#include "base/base64.h"

#include <string.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
			     "abcdefghijklmnopqrstuvwxyz0123456789+/";

void dt_base64_write(const void *ptr, size_t len, char *out)
{
	const uint8_t *p = ptr;

	for (; len >= 3; p += 3, len -= 3) {
		*out++ = digits[p[0] >> 2];
		*out++ = digits[(p[0] & 3) << 4 | p[1] >> 4];
		*out++ = digits[(p[1] & 15) << 2 | p[2] >> 6];
		*out++ = digits[p[2] & 63];
	}
	if (len > 0) {
		uint8_t second = len == 2 ? p[1] : 0;

		*out++ = digits[p[0] >> 2];
		*out++ = digits[(p[0] & 3) << 4 | second >> 4];
		*out++ = len == 2 ? digits[(second & 15) << 2] : '=';
		*out++ = '=';
	}
	*out = '\0';
}

/* The six bits a character stands for; 64 and more: none. */
static size_t value_of(char c)
{
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (size_t)(at - digits) : 64;
}

bool dt_base64_is_of(const char *text, size_t text_len, size_t len)
{
	size_t pad = (3 - len % 3) % 3;
	size_t last = 0;

	if (text_len != DT_BASE64_TEXT(len) - 1)
		return false;
	for (size_t i = 0; i < text_len - pad; i++) {
		last = value_of(text[i]);
		if (last >= 64)
			return false;
	}
	for (size_t i = text_len - pad; i < text_len; i++) {
		if (text[i] != '=')
			return false;
	}
	/* Bits that no byte uses are zero (RFC 4648 section 3.5). */
	return (last & (pad == 2 ? 15u : pad == 1 ? 3u : 0u)) == 0;
}

bool dt_base64_read(const char *text, size_t text_len, void *out,
                    size_t *out_len)
{
	size_t pad = 0;
	size_t len;
	uint8_t *p = out;
	uint32_t bits = 0;

	while (pad < 2 && pad < text_len && text[text_len - pad - 1] == '=')
		pad++;
	len = text_len / 4 * 3 - (text_len ? pad : 0);
	if (text_len % 4 || !dt_base64_is_of(text, text_len, len))
		return false;
	for (size_t i = 0; i < text_len - pad; i++) {
		bits = bits << 6 | (uint32_t)value_of(text[i]);
		/* A whole byte is there with each but the first of four. */
		if (i % 4)
			*p++ = (uint8_t)(bits >> (6 - 2 * (i % 4)));
	}
	*out_len = len;
	return true;
}
