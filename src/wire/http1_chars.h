/* wire/http1_chars.h - which bytes may stand where in HTTP/1.1 (RFC 9110 5). */
#ifndef DT_WIRE_HTTP1_CHARS_H
#define DT_WIRE_HTTP1_CHARS_H

#include <stdbool.h>
#include <string.h>

static inline bool dt_http_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Methods and names are tokens (RFC 9110 5.6.2). */
static inline bool dt_http_is_token(char c)
{
	char small = (char)(c | 0x20);

	return (small >= 'a' && small <= 'z') || dt_http_is_digit(c) ||
	       (c != '\0' && strchr("!#$%&'*+-.^_`|~", c));
}

/* Values, reasons and chunk extensions: anything but controls; tabs pass. */
static inline bool dt_http_is_text(char c)
{
	return (unsigned char)c >= ' ' ? c != 0x7f : c == '\t';
}

#endif
