/* base/str.c - slices compared and cut; strings on the heap. */
#include "base/str.h"

#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool dt_str_eq_nocase(struct dt_str a, struct dt_str b)
{
	if (a.len != b.len)
		return false;
	for (size_t i = 0; i < a.len; i++) {
		if (lower(a.ptr[i]) != lower(b.ptr[i]))
			return false;
	}
	return true;
}

const char *dt_str_find(struct dt_str in, struct dt_str what)
{
	return in.len ? memmem(in.ptr, in.len, what.ptr, what.len) : NULL;
}

bool dt_str_starts(struct dt_str s, struct dt_str prefix)
{
	return s.len >= prefix.len &&
	       (prefix.len == 0 || !memcmp(s.ptr, prefix.ptr, prefix.len));
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

struct dt_str dt_str_trim(struct dt_str s)
{
	while (s.len && is_blank(s.ptr[0])) {
		s.ptr++;
		s.len--;
	}
	while (s.len && is_blank(s.ptr[s.len - 1]))
		s.len--;
	return s;
}

struct dt_str dt_str_cut(struct dt_str *s, char sep)
{
	struct dt_str before = *s;
	const char *at = s->len ? memchr(s->ptr, sep, s->len) : NULL;

	if (!at) {
		*s = (struct dt_str){ 0 };
		return before;
	}
	before.len = (size_t)(at - s->ptr);
	s->ptr = at + 1;
	s->len -= before.len + 1;
	return before;
}

struct dt_str dt_str_cut_word(struct dt_str *s)
{
	struct dt_str rest = dt_str_trim(*s);
	struct dt_str word = { rest.ptr, 0 };

	while (word.len < rest.len && rest.ptr[word.len] != ' ' &&
	       rest.ptr[word.len] != '\t')
		word.len++;
	if (word.len > 0)
		rest.ptr += word.len;
	rest.len -= word.len;
	*s = rest;
	return word;
}

enum dt_err dt_str_to_u32(struct dt_str s, uint32_t *out, struct dt_fail *fail)
{
	uint64_t value = 0;

	if (s.len == 0 || s.len > 10)
		return dt_fail(fail, DT_E_ARGS, "\"%.*s\" is not a number",
		               DT_STR_ARG(s));
	for (size_t i = 0; i < s.len; i++) {
		if (s.ptr[i] < '0' || s.ptr[i] > '9')
			return dt_fail(fail, DT_E_ARGS,
			               "\"%.*s\" is not a number",
			               DT_STR_ARG(s));
		value = value * 10 + (uint64_t)(s.ptr[i] - '0');
	}
	if (value > UINT32_MAX)
		return dt_fail(fail, DT_E_ARGS, "%.*s is too large",
		               DT_STR_ARG(s));
	*out = (uint32_t)value;
	return DT_E_OK;
}

bool dt_str_eq_secret(struct dt_str a, struct dt_str b)
{
	unsigned char differ = a.len != b.len;

	/* Walk all of `a` whatever `b` is: time tells only a's length. */
	for (size_t i = 0; i < a.len; i++) {
		char other = b.len ? b.ptr[i % b.len] : '\0';

		differ |= (unsigned char)(a.ptr[i] ^ other);
	}
	return differ == 0;
}

void dt_str_hex(const void *ptr, size_t len, char *out)
{
	const unsigned char *p = ptr;

	for (size_t i = 0; i < len; i++) {
		*out++ = "0123456789abcdef"[p[i] >> 4];
		*out++ = "0123456789abcdef"[p[i] & 15];
	}
	*out = '\0';
}

void *dt_alloc(size_t size)
{
	void *ptr = calloc(1, size ? size : 1);

	if (!ptr)
		dt_panic("out of memory (%zu bytes)", size);
	return ptr;
}

void *dt_realloc(void *ptr, size_t size)
{
	void *grown = realloc(ptr, size ? size : 1);

	if (!grown)
		dt_panic("out of memory (%zu bytes)", size);
	return grown;
}

char *dt_strdup(const char *z)
{
	return dt_strndup(z, strlen(z));
}

char *dt_strndup(const char *ptr, size_t len)
{
	char *copy = dt_realloc(NULL, len + 1);

	if (len)
		memcpy(copy, ptr, len);
	copy[len] = '\0';
	return copy;
}

char *dt_asprintf(const char *fmt, ...)
{
	char *text = NULL;
	va_list args;
	int len;

	va_start(args, fmt);
	len = vasprintf(&text, fmt, args);
	va_end(args);
	if (len < 0)
		dt_panic("out of memory");
	return text;
}
