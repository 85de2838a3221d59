/* base/err.c - recording what went wrong, once, in words. */
#include "base/err.h"

#include "base/str.h"
#include "base/utf8.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const names[DT_E_COUNT] = {
#define X(name, text) #name,
	DT_ERR_MAP(X)
#undef X
};

static const char *const texts[DT_E_COUNT] = {
#define X(name, text) text,
	DT_ERR_MAP(X)
#undef X
};

/*
 * vsnprintf() counts bytes: a message it cut may end inside a character.  Cut
 * it there, or earlier so that `spare` more bytes fit; returns its length.
 */
static size_t cut(struct dt_fail *fail, size_t spare)
{
	struct dt_str whole = dt_str(fail->msg);
	size_t max = sizeof(fail->msg) - 1;
	size_t len;

	if (whole.len < max && whole.len + spare <= max)
		return whole.len;
	len = dt_utf8_cut(whole, max - spare);
	fail->msg[len] = '\0';
	return len;
}

enum dt_err(dt_fail)(struct dt_fail *fail, enum dt_err code, const char *fmt,
                     ...)
{
	va_list args;

	if (!fail || fail->code != DT_E_OK)
		return code;
	*fail = (struct dt_fail){ .code = code };
	va_start(args, fmt);
	vsnprintf(fail->msg, sizeof(fail->msg), fmt, args);
	va_end(args);
	cut(fail, 0);
	return code;
}

enum dt_err(dt_fail_sys)(struct dt_fail *fail, const char *fmt, ...)
{
	int saved = errno;
	const char *reason = strerror(saved);
	va_list args;
	size_t len;

	if (!fail || fail->code != DT_E_OK)
		return DT_E_SYS;
	*fail = (struct dt_fail){ .code = DT_E_SYS, .sys_errno = saved };
	va_start(args, fmt);
	vsnprintf(fail->msg, sizeof(fail->msg), fmt, args);
	va_end(args);
	/* A long path must not push out the reason. */
	len = cut(fail, strlen(reason) + 2);
	snprintf(fail->msg + len, sizeof(fail->msg) - len, ": %s", reason);
	return DT_E_SYS;
}

const char *dt_err_name(enum dt_err err)
{
	return err < DT_E_COUNT ? names[err] : "?";
}

const char *dt_err_text(enum dt_err err)
{
	return err < DT_E_COUNT ? texts[err] : "?";
}
