/*
 * data/json_skim.c - where members begin and end.
 *
 * Strings are passed over, brackets are counted, all else is left to who reads
 * it.  Text that is no JSON is skimmed to some end, and never past its own.
 */
#include "data/json_skim.h"

#include "data/json_scan.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && is_blank(*at))
		at++;
	return at;
}

/* Behind the closing quote of a string that begins at `at`; NULL: none. */
static const char *skip_string(const char *at, const char *end)
{
	at++;
	while ((at = dt_json_skip_plain(at, end)) < end) {
		if (*at == '"')
			return at + 1;
		at += *at == '\\' ? 2 : 1;
		if (at > end)
			return NULL;
	}
	return NULL;
}

/* Behind a container that begins at `at`; NULL: it does not end. */
static const char *skip_container(const char *at, const char *end)
{
	size_t depth = 0;

	while (at < end) {
		char c = *at;

		if (c == '"') {
			at = skip_string(at, end);
			if (!at)
				return NULL;
			continue;
		}
		at++;
		if (c == '{' || c == '[')
			depth++;
		else if ((c == '}' || c == ']') && --depth == 0)
			return at;
	}
	return NULL;
}

/* Behind the value that begins at `at`; NULL: there is none. */
static const char *skip_value(const char *at, const char *end)
{
	const char *from = at;

	if (at == end)
		return NULL;
	if (*at == '"')
		return skip_string(at, end);
	if (*at == '{' || *at == '[')
		return skip_container(at, end);
	while (at < end && !is_blank(*at) && *at != ',' && *at != '}' &&
	       *at != ']')
		at++;
	return at > from ? at : NULL;
}

bool dt_json_skim(struct dt_json_skim *skim, struct dt_str text)
{
	const char *end;
	const char *at;

	*skim = (struct dt_json_skim){ 0 };
	if (!text.ptr)
		return false;
	end = text.ptr + text.len;
	at = skip_blanks(text.ptr, end);
	skim->end = end;
	if (at == end || (*at != '{' && *at != '['))
		return false;
	skim->is_object = *at == '{';
	skim->at = at + 1;
	return true;
}

/* One value; `*out` is where it stands. */
static bool take_value(struct dt_json_skim *skim, struct dt_str *out)
{
	const char *from = skip_blanks(skim->at, skim->end);
	const char *to = skip_value(from, skim->end);

	if (!to)
		return false;
	*out = (struct dt_str){ from, (size_t)(to - from) };
	skim->at = skip_blanks(to, skim->end);
	return true;
}

static bool take_member(struct dt_json_skim *skim, struct dt_str *key,
                        struct dt_str *value)
{
	*key = (struct dt_str){ 0 };
	if (!skim->is_object)
		return take_value(skim, value);
	if (!take_value(skim, key) || key->ptr[0] != '"' ||
	    skim->at == skim->end || *skim->at != ':')
		return false;
	skim->at++;
	return take_value(skim, value);
}

bool dt_json_skim_next(struct dt_json_skim *skim, struct dt_str *out_key,
                       struct dt_str *out_value)
{
	char close = skim->is_object ? '}' : ']';

	skim->at = skip_blanks(skim->at, skim->end);
	if (skim->is_broken || (skim->at < skim->end && *skim->at == close))
		return false;
	if (!take_member(skim, out_key, out_value) || skim->at == skim->end ||
	    (*skim->at != ',' && *skim->at != close)) {
		skim->is_broken = true;
		return false;
	}
	if (*skim->at == ',')
		skim->at++;
	return true;
}

bool dt_json_skim_is_next(const struct dt_json_skim *skim, const char *name)
{
	const char *at = skip_blanks(skim->at, skim->end);
	size_t len = strlen(name);

	return skim->is_object && (size_t)(skim->end - at) > len + 1 &&
	       at[0] == '"' && !memcmp(at + 1, name, len) && at[len + 1] == '"';
}

struct dt_str dt_json_skim_get(struct dt_str text, const char *name)
{
	size_t len = strlen(name);
	struct dt_json_skim skim;
	struct dt_str value;
	struct dt_str key;

	if (!dt_json_skim(&skim, text) || !skim.is_object)
		return (struct dt_str){ 0 };
	while (dt_json_skim_next(&skim, &key, &value)) {
		if (key.len == len + 2 && !memcmp(key.ptr + 1, name, len))
			return value;
	}
	return (struct dt_str){ 0 };
}
