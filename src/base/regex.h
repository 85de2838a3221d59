/*
 * base/regex.h - regular expressions of agents and people, by PCRE2.
 *
 * ^ and $ mean lines, which end in LF, CRLF or CR.  A search that would take too
 * long ends with a failure; how long that is depends on the pattern alone.
 */
#ifndef DT_BASE_REGEX_H
#define DT_BASE_REGEX_H

#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"

#include <stdint.h>

#define DT_REGEX_MAX 8192 /* bytes of a pattern */

struct dt_regex;

enum dt_regex_flag {
	DT_REGEX_LITERAL = 1 << 0, /* no character means anything else */
	DT_REGEX_NOCASE = 1 << 1,
};

/* DT_E_ARGS: what is no pattern, with the place; or an empty one. */
enum dt_err dt_regex_new(struct dt_str pattern, unsigned flags,
                         struct dt_regex **out,
                         struct dt_fail *fail) DT_MUST_CHECK;
void dt_regex_free(struct dt_regex *regex);

/*
 * The first match at or behind a byte of a text, which is valid UTF-8.
 * DT_E_MISSING: there is none; DT_E_LIMIT: it takes too long.
 */
struct dt_regex_match {
	size_t start;
	size_t end;
};
enum dt_err dt_regex_find(struct dt_regex *regex, struct dt_str text,
                          size_t from, struct dt_regex_match *out,
                          struct dt_fail *fail) DT_MUST_CHECK;

/*
 * Append the text with every match replaced; *out_count says how many.  In the
 * replacement of a pattern that is not literal $1, ${name} and $0 stand for
 * groups and the whole match, $$ for a dollar.  DT_E_ARGS: a replacement that
 * names what is not there; DT_E_LIMIT.
 */
enum dt_err dt_regex_replace(struct dt_regex *regex, struct dt_str text,
                             struct dt_str replacement, struct dt_buf *out,
                             uint32_t *out_count,
                             struct dt_fail *fail) DT_MUST_CHECK;

#endif
