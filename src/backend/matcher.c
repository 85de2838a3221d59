/*
 * backend/matcher.c - memmem() for what stands for itself, base/regex.h for the
 * rest.
 *
 * An expression is tried line by line, within limits, so that no pattern of an
 * agent holds the thread that looks.  Which texts are looked at is decided in
 * backend/search.c.
 */
#include "backend/matcher.h"

#include "base/limits.h"
#include "base/regex.h"
#include "base/utf8.h"

#include <stdlib.h>

#define HARD_MAX 100 /* lines that were too much; then no more are tried */

struct dt_matcher {
	char *literal; /* or NULL: the expression */
	size_t literal_len;
	struct dt_regex *regex;
	struct dt_buf scratch; /* a line that is no UTF-8 */
	unsigned hard;
};

static bool is_plain(const struct dt_matcher_spec *spec)
{
	return !spec->is_regex && spec->is_case_sensitive;
}

static enum dt_err compile(struct dt_matcher *m,
                           const struct dt_matcher_spec *spec,
                           struct dt_fail *fail)
{
	unsigned flags = (spec->is_regex ? 0 : DT_REGEX_LITERAL) |
	                 (spec->is_case_sensitive ? 0 : DT_REGEX_NOCASE);
	struct dt_fail why = { 0 };
	enum dt_err err = dt_regex_new(spec->query, flags, &m->regex, &why);

	return err ? dt_fail(fail, err,
	                     "query: %s; leave out isRegex to look for the "
	                     "text itself",
	                     why.msg)
	           : DT_E_OK;
}

enum dt_err dt_matcher_new(const struct dt_matcher_spec *spec,
                           struct dt_matcher **out, struct dt_fail *fail)
{
	struct dt_matcher *m = dt_alloc(sizeof(*m));
	enum dt_err err = DT_E_OK;

	dt_buf_init(&m->scratch, DT_LIMIT_FILE);
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
	dt_regex_free(m->regex);
	dt_buf_done(&m->scratch);
	free(m);
}

bool dt_matcher_gave_up(const struct dt_matcher *m)
{
	return m->hard > 0;
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

/* The line as the expression may see it: bytes stay where they are. */
static struct dt_str as_text(struct dt_matcher *m, struct dt_str line)
{
	if (dt_utf8_is_valid(line))
		return line;
	dt_buf_clear(&m->scratch);
	dt_buf_add_str(&m->scratch, line);
	for (size_t i = 0; i < m->scratch.len; i++) {
		if ((unsigned char)m->scratch.ptr[i] >= 0x80)
			m->scratch.ptr[i] = '?';
	}
	return dt_buf_str(&m->scratch);
}

/* Whether it is in the line, and where first. */
static bool matches(struct dt_matcher *m, struct dt_hit *hit)
{
	struct dt_regex_match match;
	enum dt_err err =
		dt_regex_find(m->regex, as_text(m, hit->text), 0, &match, NULL);

	if (err) {
		m->hard += err != DT_E_MISSING;
		return false;
	}
	hit->start = match.start;
	hit->end = match.end;
	return true;
}

bool dt_matcher_next(struct dt_matcher *m, struct dt_scan *scan,
                     struct dt_hit *out)
{
	if (m->literal)
		return find_literal(m, scan, out);
	do {
		out->line = scan->line;
		if (m->hard >= HARD_MAX || !dt_scan_line(scan, &out->text))
			return false;
	} while (!matches(m, out));
	return true;
}
