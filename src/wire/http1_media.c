/* wire/http1_media.c - media types in Content-Type and Accept. */
#include "wire/http1.h"

/* "text/html;q=1" without what follows the semicolon. */
static struct dt_str bare(struct dt_str value)
{
	return dt_str_trim(dt_str_cut(&value, ';'));
}

bool dt_http_is_type(const struct dt_http_head *head, const char *type)
{
	struct dt_str value = dt_http_get(head, "content-type");

	return value.ptr && dt_str_eq_nocase(bare(value), dt_str(type));
}

/* One range of Accept against a type. */
static bool covers(struct dt_str range, struct dt_str type)
{
	struct dt_str major = type;

	if (dt_str_is(range, "*/*") || dt_str_eq_nocase(range, type))
		return true;
	major = dt_str_cut(&major, '/');
	if (range.len != major.len + 2 ||
	    memcmp(range.ptr + major.len, "/*", 2) != 0)
		return false;
	range.len = major.len;
	return dt_str_eq_nocase(range, major);
}

bool dt_http_accepts(const struct dt_http_head *head, const char *type)
{
	for (size_t i = 0; i < head->header_count; i++) {
		struct dt_str list = head->headers[i].value;

		if (!dt_str_eq_nocase(head->headers[i].name, DT_STR("accept")))
			continue;
		while (list.ptr) {
			struct dt_str range = bare(dt_str_cut(&list, ','));

			if (covers(range, dt_str(type)))
				return true;
		}
	}
	return false;
}
