/* backend/matcher.h - a text looked for in others, line by line. */
#ifndef DT_BACKEND_MATCHER_H
#define DT_BACKEND_MATCHER_H

#include "base/err.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dt_matcher;

/* What is looked for: itself, or a regular expression (PCRE2). */
struct dt_matcher_spec {
	struct dt_str query;
	bool is_regex;
	bool is_case_sensitive;
};

/* DT_E_ARGS and a sentence when it is no regular expression. */
enum dt_err dt_matcher_new(const struct dt_matcher_spec *spec,
                           struct dt_matcher **out,
                           struct dt_fail *fail) DT_MUST_CHECK;
void dt_matcher_free(struct dt_matcher *matcher);

/* A line was too much for the limits of base/regex.h and was passed over. */
bool dt_matcher_gave_up(const struct dt_matcher *matcher);

/* How far a text is read; begin with the text alone. */
struct dt_scan {
	struct dt_str text;
	size_t at;     /* byte where the next line begins */
	uint32_t line; /* 0-based number of it */
};

/* A line in which it is, without its end; bytes are counted in the line. */
struct dt_hit {
	uint32_t line;
	struct dt_str text;
	size_t start;
	size_t end;
	uint64_t offset; /* of the text in its file, where that is known */
};

/* The next line with a match; false: there is none. */
bool dt_matcher_next(struct dt_matcher *matcher, struct dt_scan *scan,
                     struct dt_hit *out);

/* Take the next line, without LF or CRLF; false: there is none. */
bool dt_scan_line(struct dt_scan *scan, struct dt_str *out);

#endif
