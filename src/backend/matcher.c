/*
 * backend/matcher.c - memmem() for what stands for itself, PCRE2 for the rest.
 *
 * An expression is tried line by line with PCRE2's own limits, so that no
 * pattern of an agent holds the thread that looks.  Which texts are looked at
 * is decided in backend/search.c.
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "backend/matcher.h"

#include <pcre2.h>
#include <stdlib.h>

#define STEPS_MAX 200000 /* of PCRE2, on one line */
#define HEAP_KIB 16384

struct dt_matcher {
	char *literal; /* or NULL: the code */
	size_t literal_len;
	pcre2_code *code;
	pcre2_match_data *data;
	pcre2_match_context *limits;
	bool gave_up;
};

static bool is_plain(const struct dt_matcher_spec *spec)
{
	return !spec->is_regex && spec->is_case_sensitive;
}

static enum dt_err compile(struct dt_matcher *m,
                           const struct dt_matcher_spec *spec,
                           struct dt_fail *fail)
{
	uint32_t options = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF;
	PCRE2_UCHAR why[128];
	PCRE2_SIZE at;
	int code;

	if (!spec->is_regex)
		options |= PCRE2_LITERAL;
	if (!spec->is_case_sensitive)
		options |= PCRE2_CASELESS;
	m->code = pcre2_compile((PCRE2_SPTR)spec->query.ptr, spec->query.len,
	                        options, &code, &at, NULL);
	if (!m->code) {
		pcre2_get_error_message(code, why, sizeof(why));
		return dt_fail(fail, DT_E_ARGS,
		               "query: not a regular expression: %s, at "
		               "character %zu; leave out isRegex to look for "
		               "the text itself",
		               (const char *)why, (size_t)at + 1);
	}
	/* Slower without, and nothing else. */
	(void)pcre2_jit_compile(m->code, PCRE2_JIT_COMPLETE);
	m->data = pcre2_match_data_create_from_pattern(m->code, NULL);
	m->limits = pcre2_match_context_create(NULL);
	pcre2_set_match_limit(m->limits, STEPS_MAX);
	pcre2_set_heap_limit(m->limits, HEAP_KIB);
	return DT_E_OK;
}

enum dt_err dt_matcher_new(const struct dt_matcher_spec *spec,
                           struct dt_matcher **out, struct dt_fail *fail)
{
	struct dt_matcher *m = dt_alloc(sizeof(*m));
	enum dt_err err = DT_E_OK;

	if (is_plain(spec)) {
		m->literal = dt_strndup(spec->query.ptr, spec->query.len);
		m->literal_len = spec->query.len;
	} else {
		err = compile(m, spec, fail);
	}
	if (err)
		dt_matcher_free(m);
	else
		*out = m;
	return err;
}

void dt_matcher_free(struct dt_matcher *m)
{
	if (!m)
		return;
	free(m->literal);
	pcre2_code_free(m->code);
	pcre2_match_data_free(m->data);
	pcre2_match_context_free(m->limits);
	free(m);
}

bool dt_matcher_gave_up(const struct dt_matcher *m)
{
	return m->gave_up;
}

/* lines */

bool dt_scan_line(struct dt_scan *scan, struct dt_str *out)
{
	const char *begin = scan->text.ptr + scan->at;
	size_t left = scan->text.len - scan->at;
	const char *end;

	if (left == 0)
		return false;
	end = memchr(begin, '\n', left);
	*out = (struct dt_str){ begin, end ? (size_t)(end - begin) : left };
	scan->at += out->len + (end ? 1 : 0);
	scan->line++;
	if (out->len > 0 && out->ptr[out->len - 1] == '\r')
		out->len--;
	return true;
}

/* Pass over the lines before the one that holds `byte`. */
static void skip_to(struct dt_scan *scan, size_t byte)
{
	const char *text = scan->text.ptr;
	const char *end;

	while ((end = memchr(text + scan->at, '\n', byte - scan->at))) {
		scan->at = (size_t)(end - text) + 1;
		scan->line++;
	}
}

static bool find_literal(const struct dt_matcher *m, struct dt_scan *scan,
                         struct dt_hit *out)
{
	const char *from = scan->text.ptr + scan->at;
	const char *found = NULL;

	if (scan->at < scan->text.len)
		found = memmem(from, scan->text.len - scan->at, m->literal,
		               m->literal_len);
	if (!found)
		return false;
	skip_to(scan, (size_t)(found - scan->text.ptr));
	out->start = (size_t)(found - scan->text.ptr) - scan->at;
	out->end = out->start + m->literal_len;
	out->line = scan->line;
	(void)dt_scan_line(scan, &out->text); /* it holds what was found */
	return true;
}

/* Whether it is in the line, and where first. */
static bool matches(struct dt_matcher *m, struct dt_hit *hit)
{
	const PCRE2_SIZE *at;
	int count = pcre2_match(m->code, (PCRE2_SPTR)hit->text.ptr,
	                        hit->text.len, 0, 0, m->data, m->limits);

	if (count < 0) {
		m->gave_up |= count != PCRE2_ERROR_NOMATCH;
		return false;
	}
	at = pcre2_get_ovector_pointer(m->data);
	/* In older versions \K can put the start behind the end. */
	hit->start = at[0];
	hit->end = at[1] < at[0] ? at[0] : at[1];
	return true;
}

bool dt_matcher_next(struct dt_matcher *m, struct dt_scan *scan,
                     struct dt_hit *out)
{
	if (m->literal)
		return find_literal(m, scan, out);
	do {
		out->line = scan->line;
		if (!dt_scan_line(scan, &out->text))
			return false;
	} while (!matches(m, out));
	return true;
}
