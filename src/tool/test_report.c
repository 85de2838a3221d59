/*
 * tool/test_report.c - what test runners print for people, read line by line.
 *
 * Each format is one pure function over a text.  What is not understood is
 * passed over; that nothing was understood is told, so that the caller can show
 * the text itself.  Formats made for programs are in test_report_json.c.
 */
#include "tool/test_report.h"

#include "base/str.h"
#include "base/utf8.h"

#include <ctype.h>
#include <string.h>

/* what readers share */

struct dt_test_failure *dt_test_fail(struct dt_test_reader *r,
                                     struct dt_str name)
{
	struct dt_items *all = &r->report->failures;
	struct dt_test_failure *list = all->ptr;

	r->open = NULL;
	if (all->count == DT_TEST_FAILURES_MAX) {
		r->report->is_cut = true;
		return NULL;
	}
	if (!list)
		all->ptr = list = dt_arena_alloc(
			r->arena, DT_TEST_FAILURES_MAX * sizeof(*list));
	r->open = &list[all->count++];
	r->open->name = dt_arena_strndup(r->arena, name.ptr, name.len);
	r->open->message = "";
	return r->open;
}

void dt_test_say(struct dt_test_reader *r, struct dt_test_failure *failure,
                 struct dt_str line)
{
	size_t have = failure ? strlen(failure->message) : 0;

	if (!failure || have + line.len + 1 > DT_TEST_MESSAGE_MAX)
		return;
	failure->message =
		dt_arena_printf(r->arena, "%s%s%.*s", failure->message,
	                        have ? "\n" : "", DT_STR_ARG(line));
}

static struct dt_str next_line(struct dt_str *rest)
{
	struct dt_str line = dt_str_cut(rest, '\n');

	if (line.len > 0 && line.ptr[line.len - 1] == '\r')
		line.len--;
	return line;
}

static const char *find(struct dt_str text, const char *part)
{
	return text.len ? memmem(text.ptr, text.len, part, strlen(part)) : NULL;
}

static bool starts(struct dt_str line, const char *start)
{
	return dt_str_starts(line, dt_str(start));
}

static struct dt_str behind(struct dt_str line, size_t n)
{
	return (struct dt_str){ line.ptr + n, line.len - n };
}

static size_t digits(const char *at, const char *end)
{
	size_t n = 0;

	while (at + n < end && isdigit((unsigned char)at[n]) && n < 9)
		n++;
	return n;
}

bool dt_test_number(struct dt_str line, const char *word, uint32_t *out)
{
	const char *at = find(line, word);
	const char *start = at;

	while (start && start > line.ptr && isdigit((unsigned char)start[-1]))
		start--;
	return start && start < at &&
	       !dt_str_to_u32((struct dt_str){ start, (size_t)(at - start) },
	                      out, NULL);
}

static bool is_path_char(char c)
{
	return c && !strchr(" \t\"'()<>,;", c);
}

bool dt_test_place(struct dt_arena *arena, struct dt_str text,
                   const char **out_file, uint32_t *out_line)
{
	const char *end = text.ptr + text.len;

	for (const char *at = text.ptr; at && at < end; at++) {
		const char *start = at;
		size_t n = *at == ':' ? digits(at + 1, end) : 0;

		if (n == 0)
			continue;
		while (start > text.ptr && is_path_char(start[-1]))
			start--;
		/* "file:line", and not the time of day. */
		if (start == at || isdigit((unsigned char)at[-1]) ||
		    !memchr(start, '.', (size_t)(at - start)) ||
		    dt_str_to_u32((struct dt_str){ at + 1, n }, out_line, NULL))
			continue;
		if (at - start > 7 && !memcmp(start, "file://", 7))
			start += 7;
		*out_file =
			dt_arena_strndup(arena, start, (size_t)(at - start));
		return true;
	}
	return false;
}

static void place(struct dt_test_reader *r, struct dt_str line)
{
	if (r->open)
		dt_test_place(r->arena, line, &r->open->file, &r->open->line);
}

/* pytest */

static struct dt_str strip(struct dt_str s, char c)
{
	while (s.len > 0 && (*s.ptr == c || *s.ptr == ' '))
		s = behind(s, 1);
	while (s.len > 0 && (s.ptr[s.len - 1] == c || s.ptr[s.len - 1] == ' '))
		s.len--;
	return s;
}

/* "test_a.py::TestC::test_x - why" of the summary: its section was TestC.test_x,
 * where there was one. */
static void read_pytest_summary(struct dt_test_reader *r, struct dt_str line)
{
	struct dt_test_failure *list = r->report->failures.ptr;
	const char *dash = find(line, " - ");
	struct dt_str id = { line.ptr,
		             dash ? (size_t)(dash - line.ptr) : line.len };
	struct dt_str file = id;
	const char *colons = find(id, "::");
	char *name;

	file.len = colons ? (size_t)(colons - id.ptr) : id.len;
	name = dt_arena_strndup(r->arena, id.ptr + file.len, id.len - file.len);
	for (char *at = name; (at = strstr(at, "::"));) {
		*at = '.';
		memmove(at + 1, at + 2, strlen(at + 2) + 1);
	}
	for (size_t i = 0; i < r->report->failures.count; i++) {
		if (*name && !strcmp(list[i].name, name + 1)) {
			list[i].name =
				dt_arena_strndup(r->arena, id.ptr, id.len);
			return;
		}
	}
	if (!dt_test_fail(r, id))
		return;
	r->open->file = dt_arena_strndup(r->arena, file.ptr, file.len);
	if (dash)
		dt_test_say(r, r->open,
		            behind(line, (size_t)(dash - line.ptr) + 3));
}

static void read_pytest_end(struct dt_test_reader *r, struct dt_str line)
{
	struct dt_test_report *report = r->report;
	uint32_t errors = 0;
	bool is_known = false;

	line = strip(line, '=');
	if (!find(line, " in ") || line.len == 0 ||
	    (line.ptr[line.len - 1] != 's' && line.ptr[line.len - 1] != ')'))
		return;
	is_known |= dt_test_number(line, " passed", &report->passed);
	is_known |= dt_test_number(line, " failed", &report->failed);
	is_known |= dt_test_number(line, " skipped", &report->skipped);
	is_known |= dt_test_number(line, " error", &errors);
	report->failed += errors;
	report->is_known |= is_known || starts(line, "no tests ran in ");
}

static void read_pytest(struct dt_test_reader *r, struct dt_str text)
{
	static const char at_setup[] = "ERROR at setup of ";
	static const char at_teardown[] = "ERROR at teardown of ";

	while (text.len > 0) {
		struct dt_str line = next_line(&text);

		if (starts(line, "___") && line.ptr[line.len - 1] == '_') {
			line = strip(line, '_');
			if (starts(line, at_setup))
				line = behind(line, sizeof(at_setup) - 1);
			if (starts(line, at_teardown))
				line = behind(line, sizeof(at_teardown) - 1);
			dt_test_fail(r, line);
		} else if (starts(line, "E   ")) {
			dt_test_say(r, r->open, behind(line, 4));
		} else if (starts(line, "FAILED ")) {
			read_pytest_summary(r, behind(line, 7));
		} else if (starts(line, "ERROR ")) {
			read_pytest_summary(r, behind(line, 6));
		} else if (starts(line, "===")) {
			read_pytest_end(r, line);
			r->open = NULL;
		} else if (find(line, ": in ") && line.ptr[0] != '/') {
			place(r, line);
		} else {
			read_pytest_end(r, line);
		}
	}
}

/* unittest */

static void read_unittest_place(struct dt_test_reader *r, struct dt_str line)
{
	const char *quote = find(line, "\", line ");
	const char *end = line.ptr + line.len;
	struct dt_str number;

	if (!r->open || !quote)
		return;
	number = (struct dt_str){ quote + 8, digits(quote + 8, end) };
	line = behind(line, strlen("  File \""));
	r->open->file = dt_arena_strndup(r->arena, line.ptr,
	                                 (size_t)(quote - line.ptr));
	if (dt_str_to_u32(number, &r->open->line, NULL))
		r->open->line = 0;
}

static void read_unittest_end(struct dt_test_report *report, struct dt_str line,
                              uint32_t total)
{
	static const char *const words[] = { "failures=", "errors=", "skipped=",
		                             "unexpected successes=" };
	uint32_t counts[4] = { 0 };
	uint32_t gone;

	for (size_t i = 0; i < 4; i++) {
		const char *at = find(line, words[i]);

		if (!at)
			continue;
		at += strlen(words[i]);
		if (dt_str_to_u32(
			    (struct dt_str){ at,
		                             digits(at, line.ptr + line.len) },
			    &counts[i], NULL))
			counts[i] = 0;
	}
	report->failed = counts[0] + counts[1] + counts[3];
	report->skipped = counts[2];
	gone = report->failed + report->skipped;
	report->passed = total > gone ? total - gone : 0;
	report->is_known = true;
}

static void read_unittest(struct dt_test_reader *r, struct dt_str text)
{
	uint32_t total = 0;
	bool has_run = false;

	while (text.len > 0) {
		struct dt_str line = next_line(&text);

		if (starts(line, "FAIL: "))
			dt_test_fail(r, behind(line, 6));
		else if (starts(line, "ERROR: "))
			dt_test_fail(r, behind(line, 7));
		else if (starts(line, "  File \""))
			read_unittest_place(r, line);
		else if (starts(line, "Ran ") && find(line, " in "))
			has_run = dt_test_number(line, " test", &total);
		else if (has_run &&
		         (starts(line, "OK") || starts(line, "FAILED (")))
			read_unittest_end(r->report, line, total);
		else if (line.len == 0 && r->open && *r->open->message)
			r->open = NULL;
		else if (line.len > 0 && !strchr(" -=T", line.ptr[0]))
			dt_test_say(r, r->open, line);
	}
}

/* cargo */

static void read_cargo(struct dt_test_reader *r, struct dt_str text)
{
	struct dt_test_report *report = r->report;
	bool is_told = false; /* the message has begun */

	while (text.len > 0) {
		struct dt_str line = next_line(&text);
		uint32_t n[3] = { 0 };

		if (starts(line, "---- ") && find(line, " stdout ----")) {
			line = behind(line, 5);
			line.len =
				(size_t)(find(line, " stdout ----") - line.ptr);
			dt_test_fail(r, line);
			is_told = false;
		} else if (r->open && !is_told && find(line, " panicked at ")) {
			place(r, line);
			is_told = true;
		} else if (starts(line, "stack backtrace:") ||
		           starts(line, "note: ") ||
		           starts(line, "failures:")) {
			r->open = NULL;
		} else if (starts(line, "test result: ") &&
		           dt_test_number(line, " passed", &n[0]) &&
		           dt_test_number(line, " failed", &n[1]) &&
		           dt_test_number(line, " ignored", &n[2])) {
			report->passed += n[0];
			report->failed += n[1];
			report->skipped += n[2];
			report->is_known = true;
		} else if (is_told && line.len > 0) {
			dt_test_say(r, r->open, line);
		}
	}
}

/* ctest */

static void read_ctest_line(struct dt_test_reader *r, struct dt_str line)
{
	const char *colon = find(line, ": ");
	const char *stars = find(line, "***");
	struct dt_str name;

	r->open = NULL;
	if (!colon || !stars || stars < colon)
		return;
	name = (struct dt_str){ colon + 2, (size_t)(stars - colon - 2) };
	if (starts(behind(line, (size_t)(stars - line.ptr)), "***Skipped") ||
	    starts(behind(line, (size_t)(stars - line.ptr)), "***Not Run"))
		r->report->skipped++;
	else
		dt_test_fail(r, strip(name, '.'));
}

static void read_ctest(struct dt_test_reader *r, struct dt_str text)
{
	struct dt_test_report *report = r->report;

	while (text.len > 0) {
		struct dt_str line = next_line(&text);
		const char *total = find(line, " tests failed out of ");
		uint32_t count = 0;

		if (find(line, " Test ") && find(line, "#") &&
		    find(line, "/") && find(line, " sec")) {
			read_ctest_line(r, line);
		} else if (total) {
			total += strlen(" tests failed out of ");
			report->is_known =
				dt_test_number(line, " tests failed",
			                       &report->failed) &&
				!dt_str_to_u32(
					(struct dt_str){
						total,
						digits(total,
			                               line.ptr + line.len) },
					&count, NULL);
			report->passed = count - report->failed;
			if (report->passed >= report->skipped)
				report->passed -= report->skipped;
			return;
		} else if (starts(line, "    Start ")) {
			r->open = NULL;
		} else if (line.len > 0) {
			place(r, line);
			dt_test_say(r, r->open, line);
		}
	}
}

/* meson */

static bool read_meson_count(struct dt_str line, const char *word,
                             uint32_t *out)
{
	struct dt_str rest;

	if (!starts(line, word))
		return false;
	rest = dt_str_trim(behind(line, strlen(word)));
	return !dt_str_to_u32(rest, out, NULL);
}

static void read_meson_end(struct dt_test_report *report, struct dt_str line)
{
	uint32_t n = 0;

	if (read_meson_count(line, "Ok:", &n) ||
	    read_meson_count(line, "Expected Fail:", &n)) {
		report->passed += n;
		report->is_known = true;
	} else if (read_meson_count(line, "Fail:", &n) ||
	           read_meson_count(line, "Unexpected Pass:", &n) ||
	           read_meson_count(line, "Timeout:", &n)) {
		report->failed += n;
	} else if (read_meson_count(line, "Skipped:", &n)) {
		report->skipped += n;
	}
}

/* "2/3 x:unit / bad FAIL  0.01s" */
static bool read_meson_line(struct dt_test_reader *r, struct dt_str line)
{
	static const char *const ends[] = { " FAIL ", " ERROR ", " TIMEOUT ",
		                            " UNEXPECTEDPASS " };
	const char *slash = find(line, "/");
	const char *name = find(line, " ");

	if (!slash || !name || name < slash ||
	    !isdigit((unsigned char)line.ptr[0]))
		return false;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		const char *at = find(line, ends[i]);

		if (!at || at <= name)
			continue;
		dt_test_fail(r, dt_str_trim((struct dt_str){
					name, (size_t)(at - name) }));
		return true;
	}
	r->open = NULL;
	return true;
}

static void read_meson(struct dt_test_reader *r, struct dt_str text)
{
	bool is_over = false;

	while (text.len > 0) {
		struct dt_str line = dt_str_trim(next_line(&text));

		is_over |= starts(line, "Summary of Failures:");
		if (is_over || !r->open)
			read_meson_end(r->report, line);
		if (is_over || line.len == 0)
			continue;
		/* Bars, and how to run it again. */
		if (read_meson_line(r, line) || starts(line, "\xe2\x80\x95") ||
		    starts(line, ">>> "))
			continue;
		place(r, line);
		dt_test_say(r, r->open, line);
	}
	read_meson_end(r->report, text);
}

/* node --test: TAP, or its own way */

static void drop_open(struct dt_test_reader *r)
{
	if (r->open)
		r->report->failures.count--;
	r->open = NULL;
}

static void read_tap_member(struct dt_test_reader *r, struct dt_str line,
                            bool *is_text)
{
	if (starts(line, "location: '")) {
		place(r, line);
		*is_text = false;
	} else if (starts(line, "failureType: 'subtestsFailed'")) {
		drop_open(r);
	} else if (starts(line, "error: |")) {
		*is_text = true;
	} else if (starts(line, "error: ")) {
		line = strip(behind(line, 7), '\'');
		dt_test_say(r, r->open, line);
	} else if (starts(line, "code: ") || starts(line, "stack: ") ||
	           starts(line, "name: ")) {
		*is_text = false;
	} else if (*is_text && line.len > 0) {
		dt_test_say(r, r->open, line);
	}
}

static bool read_node_end(struct dt_test_report *report, struct dt_str line)
{
	static const char info[] = "\xe2\x84\xb9 ";
	struct dt_str rest;
	uint32_t n = 0;

	if (starts(line, info))
		rest = behind(line, sizeof(info) - 1);
	else if (starts(line, "# "))
		rest = behind(line, 2);
	else
		return false;
	if (starts(rest, "pass ") &&
	    !dt_str_to_u32(behind(rest, 5), &n, NULL)) {
		report->passed = n;
		report->is_known = true;
	} else if (starts(rest, "fail ") &&
	           !dt_str_to_u32(behind(rest, 5), &n, NULL)) {
		report->failed = n;
	} else if (starts(rest, "skipped ") &&
	           !dt_str_to_u32(behind(rest, 8), &n, NULL)) {
		report->skipped = n;
	}
	return true;
}

static void read_tap(struct dt_test_reader *r, struct dt_str text)
{
	bool is_text = false;

	while (text.len > 0) {
		struct dt_str line = dt_str_trim(next_line(&text));
		const char *dash = find(line, " - ");

		if (read_node_end(r->report, line))
			continue;
		if (starts(line, "not ok ") && dash && !find(line, "# SKIP") &&
		    !find(line, "# TODO")) {
			dt_test_fail(
				r, behind(line, (size_t)(dash - line.ptr) + 3));
			is_text = false;
		} else if (dt_str_is(line, "...") || starts(line, "ok ")) {
			r->open = NULL;
		} else if (r->open) {
			read_tap_member(r, line, &is_text);
		}
	}
}

/* Behind "failing tests:" there is "test at FILE:L:C", a cross with the name, and
 * the message. */
static void read_node(struct dt_test_reader *r, struct dt_str text)
{
	static const char cross[] = "\xe2\x9c\x96 ";
	struct dt_str at = { 0 };
	bool is_over = false;

	while (text.len > 0) {
		struct dt_str line = dt_str_trim(next_line(&text));

		is_over |= find(line, "failing tests:") != NULL;
		if (read_node_end(r->report, line) || !is_over)
			continue;
		if (starts(line, "test at ")) {
			at = behind(line, 8);
			r->open = NULL;
		} else if (starts(line, cross) && at.len) {
			dt_test_fail(r, behind(line, sizeof(cross) - 1));
			place(r, at);
			at.len = 0;
		} else if (line.len > 0 && r->open && !*r->open->message) {
			dt_test_say(r, r->open, line);
		}
	}
}

/* mocha, and jest for people */

static void read_mocha(struct dt_test_reader *r, struct dt_str text)
{
	struct dt_test_report *report = r->report;
	struct dt_str title = { 0 };
	bool is_over = false;

	while (text.len > 0) {
		struct dt_str line = dt_str_trim(next_line(&text));
		size_t n = digits(line.ptr, line.ptr + line.len);

		if (dt_test_number(line, " passing", &report->passed))
			report->is_known = true;
		else if (dt_test_number(line, " failing", &report->failed))
			is_over = true;
		else if (dt_test_number(line, " pending", &report->skipped) ||
		         !is_over || line.len == 0)
			continue;
		else if (n > 0 && starts(behind(line, n), ") "))
			title = behind(line, n + 2);
		else if (title.len && line.ptr[line.len - 1] == ':') {
			dt_test_fail(r, title);
			if (r->open)
				r->open->name = dt_arena_printf(
					r->arena, "%s %.*s", r->open->name,
					(int)line.len - 1, line.ptr);
			title.len = 0;
		} else if (r->open && !r->open->file && starts(line, "at ")) {
			place(r, line);
		} else if (r->open && !starts(line, "at ")) {
			dt_test_say(r, r->open, line);
		}
	}
}

static void read_jest_text(struct dt_test_reader *r, struct dt_str text)
{
	static const char dot[] = "\xe2\x97\x8f ";
	struct dt_test_report *report = r->report;

	while (text.len > 0) {
		struct dt_str line = dt_str_trim(next_line(&text));

		if (starts(line, "Tests") &&
		    (find(line, " passed") || find(line, " failed"))) {
			dt_test_number(line, " passed", &report->passed);
			dt_test_number(line, " failed", &report->failed);
			dt_test_number(line, " skipped", &report->skipped);
			report->is_known = true;
		} else if (starts(line, dot)) {
			dt_test_fail(r, behind(line, sizeof(dot) - 1));
		} else if (r->open && !r->open->file && starts(line, "at ")) {
			place(r, line);
		} else if (r->open && line.len && !*r->open->message) {
			dt_test_say(r, r->open, line);
		}
	}
}

/* which is which */

typedef void read_fn(struct dt_test_reader *r, struct dt_str text);

static const struct {
	const char *runner; /* NULL: one that another starts */
	read_fn *read;
	bool is_err;
} formats[] = {
	{ "pytest", read_pytest, false },
	{ "unittest", read_unittest, true },
	{ "cargo", read_cargo, false },
	{ "ctest", read_ctest, false },
	{ "meson", read_meson, false },
	{ "go", dt_test_read_go, false },
	{ "jest", dt_test_read_jest, false },
	{ "vitest", dt_test_read_jest, false },
	{ NULL, read_tap, false },
	{ NULL, read_node, false },
	{ NULL, read_mocha, false },
	{ NULL, read_jest_text, true },
	{ NULL, read_jest_text, false },
};

#define FORMAT_COUNT (sizeof(formats) / sizeof(formats[0]))

void dt_test_report_read(struct dt_arena *arena, const char *runner,
                         struct dt_str out, struct dt_str err,
                         struct dt_test_report *report)
{
	bool is_one_of_ours = false;

	for (size_t i = 0; i < FORMAT_COUNT; i++)
		is_one_of_ours |=
			formats[i].runner && !strcmp(formats[i].runner, runner);
	*report = (struct dt_test_report){ 0 };
	for (size_t i = 0; i < FORMAT_COUNT; i++) {
		struct dt_test_reader reader = { arena, report, NULL };

		if (is_one_of_ours && (!formats[i].runner ||
		                       strcmp(formats[i].runner, runner) != 0))
			continue;
		*report = (struct dt_test_report){ 0 };
		formats[i].read(&reader, formats[i].is_err ? err : out);
		/* "# pass" alone may be anybody's. */
		if (report->is_known &&
		    (report->failed == 0 || report->failures.count > 0 ||
		     is_one_of_ours))
			return;
	}
	*report = (struct dt_test_report){ 0 };
}
