/* test/unit/backend/test_problems.c - one cache for all who look. */
#include "backend/problems.h"

#include "base/limits.h"
#include "unit.h"

#include <stdlib.h>

struct seen {
	struct dt_problems *problems;
	struct dt_arena arena;
	int changes;
	const char *path; /* of the last change; in the arena */
};

static void on_change(const char *path, void *owner)
{
	struct seen *seen = owner;

	seen->changes++;
	seen->path = dt_arena_strdup(&seen->arena, path);
}

static void begin(struct seen *seen)
{
	*seen = (struct seen){ 0 };
	seen->problems = dt_problems_new(on_change, seen);
}

static void end(struct seen *seen)
{
	dt_problems_free(seen->problems);
	dt_arena_done(&seen->arena);
}

static struct dt_diagnostic problem(const char *message)
{
	return (struct dt_diagnostic){ .message = dt_str(message) };
}

static void set(struct seen *seen, const char *path, const char *source,
                const char *message)
{
	struct dt_diagnostic d = problem(message);

	dt_problems_set(seen->problems, path, source, &d, 1);
}

/* "path: message (source) ..." of all files. */
static const char *all(struct seen *seen, const char *path)
{
	struct dt_items files =
		dt_problems_get(seen->problems, &seen->arena, path);
	struct dt_buf text;
	const char *copy;

	dt_buf_init(&text, DT_MIB);
	for (size_t i = 0; i < files.count; i++) {
		const struct dt_file_diagnostics *file =
			(struct dt_file_diagnostics *)files.ptr + i;

		dt_buf_addf(&text, "%s:", file->path);
		for (size_t k = 0; k < file->items.count; k++) {
			const struct dt_diagnostic *d =
				(struct dt_diagnostic *)file->items.ptr + k;

			dt_buf_addf(&text, " %.*s (%s)", DT_STR_ARG(d->message),
			            d->source);
		}
		dt_buf_add_char(&text, '\n');
	}
	copy = dt_arena_strdup(&seen->arena, dt_buf_z(&text));
	dt_buf_done(&text);
	return copy;
}

test(each_source_has_its_own_say)
{
	struct seen seen;

	begin(&seen);
	assert_string_equal(all(&seen, NULL), "");
	set(&seen, "/a", "clangd", "one");
	set(&seen, "/a", "lint", "two");
	set(&seen, "/b", "clangd", "three");
	assert_string_equal(
		all(&seen, NULL),
		"/a: one (clangd) two (lint)\n/b: three (clangd)\n");
	assert_string_equal(all(&seen, "/b"), "/b: three (clangd)\n");
	assert_string_equal(all(&seen, "/c"), "");
	set(&seen, "/a", "clangd", "other");
	assert_string_equal(all(&seen, "/a"),
	                    "/a: two (lint) other (clangd)\n");
	assert_int_equal(seen.changes, 4);
	end(&seen);
}

test(only_what_is_other_than_before_is_a_change)
{
	struct dt_diagnostic d = problem("text");
	struct seen seen;
	int64_t version;

	begin(&seen);
	version = dt_problems_version(seen.problems, NULL);
	dt_problems_set(seen.problems, "/a", "s", NULL, 0);
	assert_int_equal(seen.changes, 0);
	dt_problems_set(seen.problems, "/a", "s", &d, 1);
	dt_problems_set(seen.problems, "/a", "s", &d, 1);
	assert_int_equal(seen.changes, 1);
	assert_string_equal(seen.path, "/a");
	assert_true(dt_problems_version(seen.problems, NULL) > version);
	d.severity = DT_SEV_HINT;
	dt_problems_set(seen.problems, "/a", "s", &d, 1);
	d.range.end.line = 1;
	dt_problems_set(seen.problems, "/a", "s", &d, 1);
	d.code = "c";
	dt_problems_set(seen.problems, "/a", "s", &d, 1);
	d.source = "other";
	dt_problems_set(seen.problems, "/a", "s", &d, 1);
	assert_int_equal(seen.changes, 5);
	dt_problems_set(seen.problems, "/a", "s", NULL, 0);
	assert_int_equal(seen.changes, 6);
	assert_string_equal(all(&seen, NULL), "");
	end(&seen);
}

test(a_source_that_ended_knows_nothing)
{
	struct seen seen;

	begin(&seen);
	set(&seen, "/a", "x", "one");
	set(&seen, "/b", "x", "two");
	set(&seen, "/b", "y", "three");
	dt_problems_forget(seen.problems, "x", "/a");
	assert_string_equal(seen.path, "/a");
	assert_string_equal(all(&seen, NULL), "/b: two (x) three (y)\n");
	dt_problems_forget(seen.problems, "x", NULL);
	assert_string_equal(seen.path, "/b");
	assert_string_equal(all(&seen, NULL), "/b: three (y)\n");
	dt_problems_forget(seen.problems, "x", NULL);
	assert_int_equal(seen.changes, 5);
	end(&seen);
}

test(a_file_that_is_gone_has_no_problems)
{
	struct seen seen;

	begin(&seen);
	set(&seen, "/a", "x", "one");
	set(&seen, "/a", "y", "two");
	set(&seen, "/b", "y", "three");
	dt_problems_forget(seen.problems, NULL, "/a");
	assert_int_equal(seen.changes, 4);
	assert_string_equal(seen.path, "/a");
	assert_string_equal(all(&seen, NULL), "/b: three (y)\n");
	end(&seen);
}

test(what_is_said_twice_is_told_once)
{
	struct dt_diagnostic d[] = { problem("one"), problem("two"),
		                     problem("one") };
	struct seen seen;

	begin(&seen);
	d[0].source = d[1].source = d[2].source = "clang";
	dt_problems_set(seen.problems, "/a", "x", d, 3);
	dt_problems_set(seen.problems, "/a", "y", d, 1);
	assert_string_equal(all(&seen, "/a"), "/a: one (clang) two (clang)\n");
	end(&seen);
}

test(each_change_of_a_file_has_a_greater_version)
{
	struct seen seen;
	int64_t first;
	int64_t then;

	begin(&seen);
	first = dt_problems_version(seen.problems, "/a");
	assert_int_equal(first, dt_problems_version(seen.problems, NULL));
	set(&seen, "/a", "x", "one");
	then = dt_problems_version(seen.problems, "/a");
	assert_true(then > first);
	set(&seen, "/b", "x", "one");
	assert_true(dt_problems_version(seen.problems, "/b") > then);
	assert_int_equal(dt_problems_version(seen.problems, "/a"), then);
	dt_problems_forget(seen.problems, "x", "/a");
	assert_true(dt_problems_version(seen.problems, "/a") >
	            dt_problems_version(seen.problems, "/b"));
	/* That of a file nobody knows any more is not too small. */
	for (size_t i = 0; i < DT_LIMIT_PROBLEM_FILES; i++) {
		char *path = dt_asprintf("/%zu", i);

		set(&seen, path, "x", "m");
		free(path);
	}
	assert_true(dt_problems_version(seen.problems, "/a") >= then);
	end(&seen);
}

test(hidden_characters_are_left_out)
{
	static const struct {
		const char *message;
		const char *shown;
	} cases[] = {
		{ "a\x1b[31mb\x07", "a[31mb" },
		{ "tab\tline\nfeed\r\n", "tab\tline\nfeed\n" },
		{ "\xe2\x80\xaeturned\xe2\x80\xac", "turned" },
		{ "\xe2\x81\xa6isolated\xe2\x81\xa9", "isolated" },
		{ "\xe2\x80\x8bzero\xef\xbb\xbf", "zero" },
		{ "\xd8\x9c", "" },
		{ "line\xe2\x80\xa8para\xe2\x80\xa9", "linepara" },
		{ "soft\xc2\xadhyphen\xe1\xa0\x8e", "softhyphen" },
		{ "tag\xf3\xa0\x81\xa1\xf3\xa0\x84\x80", "tag" },
		{ "\xef\xbf\xb9note\xef\xbf\xbb\xe2\x81\xaf", "note" },
		{ "\xc2\x9b"
		  "31m",
		  "31m" },
		{ "\xc2\xa0gr\xc3\xbc\xc3\x9f \xe2\x80\x9cso\xe2\x80\x9d",
		  "\xc2\xa0gr\xc3\xbc\xc3\x9f \xe2\x80\x9cso\xe2\x80\x9d" },
		{ "\x7f\xff\xc3(\xf0\x9f\x98\x80\xf0\x9f",
		  "(\xf0\x9f\x98\x80" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct dt_diagnostic d = problem(cases[i].message);
		struct seen seen;
		struct dt_items files;
		const struct dt_diagnostic *got;

		d.code = cases[i].message;
		d.source = cases[i].message;
		begin(&seen);
		dt_problems_set(seen.problems, "/a", "s", &d, 1);
		files = dt_problems_get(seen.problems, &seen.arena, "/a");
		got = ((struct dt_file_diagnostics *)files.ptr)->items.ptr;
		assert_int_equal(got->message.len, strlen(cases[i].shown));
		assert_string_equal(got->message.ptr, cases[i].shown);
		assert_string_equal(got->code, cases[i].shown);
		assert_string_equal(got->source, cases[i].shown);
		end(&seen);
	}
}

test(a_text_is_cut_on_a_character)
{
	char text[4 * (DT_LIMIT_PROBLEM_CHARS + 10) + 1] = "";
	struct seen seen;
	struct dt_items files;
	const struct dt_diagnostic *got;

	for (size_t i = 0; i < DT_LIMIT_PROBLEM_CHARS + 10; i++)
		memcpy(text + 4 * i, "\xf0\x9f\x98\x80", 5);
	begin(&seen);
	set(&seen, "/a", "s", text);
	files = dt_problems_get(seen.problems, &seen.arena, "/a");
	got = ((struct dt_file_diagnostics *)files.ptr)->items.ptr;
	assert_int_equal(got->message.len, 4 * DT_LIMIT_PROBLEM_CHARS);
	assert_memory_equal(got->message.ptr, text, got->message.len);
	end(&seen);
}

test(files_and_problems_have_limits)
{
	size_t count = DT_LIMIT_PROBLEMS + 1;
	struct dt_diagnostic *many = dt_alloc(count * sizeof(*many));
	struct dt_items files;
	struct seen seen;

	for (size_t i = 0; i < count; i++) {
		many[i] = problem("p");
		many[i].range.end.line = (uint32_t)i;
	}
	begin(&seen);
	for (size_t i = 0; i <= DT_LIMIT_PROBLEM_FILES; i++) {
		char *path = dt_asprintf("/%zu", i);

		set(&seen, path, "s", "m");
		free(path);
	}
	assert_int_equal(
		dt_problems_get(seen.problems, &seen.arena, NULL).count,
		DT_LIMIT_PROBLEM_FILES);
	assert_string_equal(all(&seen, "/0"), ""); /* the oldest made room */
	dt_problems_set(seen.problems, "/1", "s", many, count);
	files = dt_problems_get(seen.problems, &seen.arena, "/1");
	assert_int_equal(((struct dt_file_diagnostics *)files.ptr)->items.count,
	                 DT_LIMIT_PROBLEMS);
	free(many);
	end(&seen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_source_has_its_own_say),
		cmocka_unit_test(only_what_is_other_than_before_is_a_change),
		cmocka_unit_test(a_source_that_ended_knows_nothing),
		cmocka_unit_test(a_file_that_is_gone_has_no_problems),
		cmocka_unit_test(what_is_said_twice_is_told_once),
		cmocka_unit_test(each_change_of_a_file_has_a_greater_version),
		cmocka_unit_test(hidden_characters_are_left_out),
		cmocka_unit_test(a_text_is_cut_on_a_character),
		cmocka_unit_test(files_and_problems_have_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
