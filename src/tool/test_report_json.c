/*
 * tool/test_report_json.c - test runners that tell their results as JSON.
 *
 * go prints one object a line; jest and vitest one for all.  An output that was
 * cut is not valid any more, and then nothing is known.
 */
#include "tool/test_report.h"

#include "data/json.h"

#include <ctype.h>
#include <string.h>

static struct dt_str member(struct dt_arena *arena, const struct dt_json *json,
                            const char *name)
{
	const struct dt_json *value = dt_json_get(json, name);

	return value && value->type == DT_JSON_STRING
	               ? dt_json_text(arena, value)
	               : (struct dt_str){ 0 };
}

static uint32_t number(const struct dt_json *json, const char *name)
{
	const struct dt_json *value = dt_json_get(json, name);
	uint32_t n = 0;

	return value && dt_json_to_u32(value, &n) ? n : 0;
}

/* go */

#define SAID_MAX 2000 /* lines that are kept until their test has ended */

struct said {
	struct dt_str package;
	struct dt_str test;
	struct dt_str line;
};

struct go {
	struct dt_test_reader *r;
	struct said *said;
	size_t count;
};

static void keep_output(struct go *go, const struct said *said)
{
	static const char *const noise[] = { "=== ", "--- ", "FAIL", "PASS",
		                             "ok " };
	struct dt_str text = dt_str_trim(said->line);

	while (text.len > 0 && text.ptr[text.len - 1] == '\n')
		text.len--;
	for (size_t i = 0; i < sizeof(noise) / sizeof(noise[0]); i++) {
		if (dt_str_starts(text, dt_str(noise[i])))
			return;
	}
	if (text.len == 0 || go->count == SAID_MAX)
		return;
	go->said[go->count] = *said;
	go->said[go->count++].line = text;
}

static void fail_go(struct go *go, struct dt_str package, struct dt_str test)
{
	struct dt_test_failure *f =
		dt_test_fail(go->r, test.len ? test : package);

	for (size_t i = 0; f && i < go->count; i++) {
		const struct said *said = &go->said[i];

		if (!dt_str_eq(said->package, package) ||
		    !dt_str_eq(said->test, test))
			continue;
		if (!f->file)
			dt_test_place(go->r->arena, said->line, &f->file,
			              &f->line);
		dt_test_say(go->r, f, said->line);
	}
}

static void read_go_event(struct go *go, const struct dt_json *event,
                          size_t *failed_before)
{
	struct dt_arena *arena = go->r->arena;
	struct dt_test_report *report = go->r->report;
	struct dt_str action = member(arena, event, "Action");
	struct said said = {
		.package = member(arena, event, "Package"),
		.test = member(arena, event, "Test"),
		.line = member(arena, event, "Output"),
	};

	report->is_known |= action.len > 0;
	if (dt_str_is(action, "output")) {
		keep_output(go, &said);
	} else if (dt_str_is(action, "pass") && said.test.len) {
		report->passed++;
	} else if (dt_str_is(action, "skip") && said.test.len) {
		report->skipped++;
	} else if (dt_str_is(action, "fail") && said.test.len) {
		report->failed++;
		fail_go(go, said.package, said.test);
	} else if (dt_str_is(action, "fail")) {
		/* A package without a failed test could not be built. */
		if (report->failed == *failed_before) {
			report->failed++;
			fail_go(go, said.package, said.test);
		}
		*failed_before = report->failed;
	}
}

void dt_test_read_go(struct dt_test_reader *r, struct dt_str out)
{
	struct go go = { .r = r };
	size_t failed_before = 0;

	go.said = dt_arena_alloc(r->arena, SAID_MAX * sizeof(*go.said));
	while (out.len > 0) {
		struct dt_str line = dt_str_cut(&out, '\n');
		const struct dt_json *event;

		if (line.len > 0 && line.ptr[0] == '{' &&
		    !dt_json_read(r->arena, line, &event, NULL))
			read_go_event(&go, event, &failed_before);
	}
}

/* jest, vitest */

/* The line in that very file where it failed; 0: it is not told. */
static uint32_t line_in(struct dt_str message, const char *file)
{
	size_t len = strlen(file);
	const char *end = message.ptr + message.len;
	const char *at = message.len
	                         ? memmem(message.ptr, message.len, file, len)
	                         : NULL;
	struct dt_str digits = { 0 };
	uint32_t line = 0;

	if (!at || at + len >= end || at[len] != ':')
		return 0;
	digits.ptr = at + len + 1;
	while (digits.ptr + digits.len < end &&
	       isdigit((unsigned char)digits.ptr[digits.len]))
		digits.len++;
	return dt_str_to_u32(digits, &line, NULL) ? 0 : line;
}

/* The message without the calls that led to it. */
static struct dt_str without_stack(struct dt_str message)
{
	const char *stack =
		message.len ? memmem(message.ptr, message.len, "\n    at ", 8)
			    : NULL;

	if (stack)
		message.len = (size_t)(stack - message.ptr);
	return message;
}

static void fail_jest(struct dt_test_reader *r, struct dt_str name,
                      const char *file, struct dt_str message)
{
	struct dt_test_failure *f = dt_test_fail(r, name);
	struct dt_str text = without_stack(message);

	if (!f)
		return;
	f->file = file;
	f->line = line_in(message, file);
	if (text.len > DT_TEST_MESSAGE_MAX - 1)
		text.len = DT_TEST_MESSAGE_MAX - 1;
	dt_test_say(r, f, text);
}

static struct dt_str first_message(struct dt_arena *arena,
                                   const struct dt_json *test)
{
	const struct dt_json *all = dt_json_get(test, "failureMessages");
	const struct dt_json *first =
		all && all->type == DT_JSON_ARRAY ? dt_json_first(all) : NULL;

	return first && first->type == DT_JSON_STRING
	               ? dt_json_text(arena, first)
	               : (struct dt_str){ 0 };
}

static void read_jest_file(struct dt_test_reader *r, const struct dt_json *json)
{
	const struct dt_json *tests = dt_json_get(json, "assertionResults");
	struct dt_str name = member(r->arena, json, "name");
	const char *file = dt_arena_strndup(r->arena, name.ptr, name.len);
	bool has_any =
		tests && tests->type == DT_JSON_ARRAY && dt_json_first(tests);

	for (const struct dt_json *test = has_any ? dt_json_first(tests) : NULL;
	     test; test = dt_json_next(tests, test)) {
		if (dt_str_is(member(r->arena, test, "status"), "failed"))
			fail_jest(r, member(r->arena, test, "fullName"), file,
			          first_message(r->arena, test));
	}
	/* It could not even be read. */
	if (!has_any && dt_str_is(member(r->arena, json, "status"), "failed")) {
		r->report->failed++;
		fail_jest(r, name, file, member(r->arena, json, "message"));
	}
}

void dt_test_read_jest(struct dt_test_reader *r, struct dt_str out)
{
	struct dt_test_report *report = r->report;
	const struct dt_json *json;
	const struct dt_json *files;

	/* What tests print themselves may stand before it. */
	while (out.len > 0 && !dt_str_starts(out, DT_STR("{\"num")))
		dt_str_cut(&out, '\n');
	if (out.len == 0 || dt_json_read(r->arena, out, &json, NULL))
		return;
	report->is_known = dt_json_get(json, "numTotalTests") != NULL;
	report->passed = number(json, "numPassedTests");
	report->failed = number(json, "numFailedTests");
	report->skipped =
		number(json, "numPendingTests") + number(json, "numTodoTests");
	files = dt_json_get(json, "testResults");
	if (!files || files->type != DT_JSON_ARRAY)
		return;
	dt_json_each(file, files)
		read_jest_file(r, file);
}
