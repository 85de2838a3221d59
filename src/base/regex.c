/*
 * base/regex.c - PCRE2 with our limits and our errors.
 *
 * What an agent writes as a pattern may be meant to never end; PCRE2 counts its
 * steps, and those are limited.
 */
#include "base/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>

#define STEPS_MAX 2000000u
#define DEPTH_MAX 10000u
#define HEAP_MAX_KIB 32768u

struct dt_regex {
	pcre2_code *code;
	pcre2_match_data *match;
	pcre2_match_context *limits;
	bool is_literal;
};

static enum dt_err say(int rc, enum dt_err code, struct dt_fail *fail)
{
	PCRE2_UCHAR text[128];

	if (rc == PCRE2_ERROR_MATCHLIMIT || rc == PCRE2_ERROR_DEPTHLIMIT ||
	    rc == PCRE2_ERROR_HEAPLIMIT || rc == PCRE2_ERROR_JIT_STACKLIMIT)
		return dt_fail(fail, DT_E_LIMIT,
		               "the pattern takes too many steps; make it "
		               "simpler");
	pcre2_get_error_message(rc, text, sizeof(text));
	return dt_fail(fail, code, "%s", (const char *)text);
}

enum dt_err dt_regex_new(struct dt_str pattern, unsigned flags,
                         struct dt_regex **out, struct dt_fail *fail)
{
	uint32_t options = PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C;
	pcre2_compile_context *context;
	struct dt_regex *regex;
	struct dt_fail why = { 0 };
	pcre2_code *code;
	size_t at;
	int rc;

	if (pattern.len == 0 || pattern.len > DT_REGEX_MAX)
		return dt_fail(fail, DT_E_ARGS, "a pattern has 1 to %u bytes",
		               DT_REGEX_MAX);
	if (flags & DT_REGEX_LITERAL)
		options = PCRE2_UTF | PCRE2_LITERAL;
	else
		options |= PCRE2_MULTILINE | PCRE2_UCP;
	if (flags & DT_REGEX_NOCASE)
		options |= PCRE2_CASELESS;
	context = pcre2_compile_context_create(NULL);
	pcre2_set_newline(context, PCRE2_NEWLINE_ANYCRLF);
	code = pcre2_compile((PCRE2_SPTR)pattern.ptr, pattern.len, options, &rc,
	                     &at, context);
	pcre2_compile_context_free(context);
	if (!code)
		return dt_fail(fail, DT_E_ARGS,
		               "the pattern is wrong at character %zu: %s",
		               at + 1, (say(rc, DT_E_ARGS, &why), why.msg));
	/* Without it everything works as well, only slower. */
	pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);
	regex = dt_alloc(sizeof(*regex));
	regex->code = code;
	regex->match = pcre2_match_data_create_from_pattern(code, NULL);
	regex->limits = pcre2_match_context_create(NULL);
	regex->is_literal = flags & DT_REGEX_LITERAL;
	pcre2_set_match_limit(regex->limits, STEPS_MAX);
	pcre2_set_depth_limit(regex->limits, DEPTH_MAX);
	pcre2_set_heap_limit(regex->limits, HEAP_MAX_KIB);
	*out = regex;
	return DT_E_OK;
}

void dt_regex_free(struct dt_regex *regex)
{
	if (!regex)
		return;
	pcre2_match_context_free(regex->limits);
	pcre2_match_data_free(regex->match);
	pcre2_code_free(regex->code);
	free(regex);
}

enum dt_err dt_regex_find(struct dt_regex *regex, struct dt_str text,
                          size_t from, struct dt_regex_match *out,
                          struct dt_fail *fail)
{
	const size_t *ends;
	int rc = pcre2_match(
		regex->code, (PCRE2_SPTR)(text.ptr ? text.ptr : ""), text.len,
		from, PCRE2_NO_UTF_CHECK, regex->match, regex->limits);

	if (rc == PCRE2_ERROR_NOMATCH)
		return dt_fail(fail, DT_E_MISSING, "the pattern fits nowhere");
	if (rc < 0)
		return say(rc, DT_E_ARGS, fail);
	ends = pcre2_get_ovector_pointer(regex->match);
	*out = (struct dt_regex_match){ ends[0], ends[1] };
	/* \K may move the start behind the end. */
	if (out->start > out->end)
		out->start = out->end;
	return DT_E_OK;
}

enum dt_err dt_regex_replace(struct dt_regex *regex, struct dt_str text,
                             struct dt_str replacement, struct dt_buf *out,
                             uint32_t *out_count, struct dt_fail *fail)
{
	uint32_t options = PCRE2_SUBSTITUTE_GLOBAL | PCRE2_NO_UTF_CHECK |
	                   PCRE2_SUBSTITUTE_OVERFLOW_LENGTH;
	size_t room = text.len + 4096;
	PCRE2_UCHAR *made = NULL;
	int rc = PCRE2_ERROR_NOMEMORY;

	if (room > out->limit + 1)
		room = out->limit + 1;
	if (regex->is_literal)
		options |= PCRE2_SUBSTITUTE_LITERAL;
	/* The second time there is as much room as was found missing. */
	for (int i = 0;
	     i < 2 && rc == PCRE2_ERROR_NOMEMORY && room <= out->limit + 1;
	     i++) {
		made = dt_realloc(made, room);
		rc = pcre2_substitute(
			regex->code, (PCRE2_SPTR)(text.ptr ? text.ptr : ""),
			text.len, 0, options, regex->match, regex->limits,
			(PCRE2_SPTR)(replacement.ptr ? replacement.ptr : ""),
			replacement.len, made, &room);
	}
	if (rc >= 0)
		dt_buf_add(out, made, room);
	free(made);
	if (rc == PCRE2_ERROR_NOMEMORY)
		return dt_fail(fail, DT_E_LIMIT,
		               "the new text would be too large");
	if (rc < 0)
		return say(rc, DT_E_ARGS, fail);
	*out_count = (uint32_t)rc;
	return dt_buf_check(out, "the new text", fail);
}
