/* test/unit/backend/lint_check.h - what a parser makes of an output. */
#ifndef DT_TEST_LINT_CHECK_H
#define DT_TEST_LINT_CHECK_H

#include "backend/lint_parse.h"
#include "base/buf.h"
#include "base/limits.h"
#include "unit.h"

#include <stdlib.h>

/* "PATH LINE:COLUMN-LINE:COLUMN SEVERITY CODE MESSAGE" of each, as it was
 * parsed: counted from 0. */
static void check(dt_lint_parse_fn *parse, const char *text, const char *wanted)
{
	struct dt_arena arena = { 0 };
	struct dt_lint_out out = { .arena = &arena };
	struct dt_buf told;

	dt_buf_init(&told, DT_MIB);
	assert_ok(parse(&out, dt_str(text), NULL));
	for (size_t i = 0; i < out.count; i++) {
		const struct dt_diagnostic *d = &out.items[i].diagnostic;

		dt_buf_addf(&told, "%s %u:%u-%u:%u %d %s %.*s\n",
		            out.items[i].path, d->range.start.line,
		            d->range.start.character, d->range.end.line,
		            d->range.end.character, d->severity,
		            d->code ? d->code : "-", DT_STR_ARG(d->message));
	}
	assert_string_equal(dt_buf_z(&told), wanted);
	dt_buf_done(&told);
	dt_arena_done(&arena);
}

/* Cut anywhere it is some other text, and no fault. */
static void check_cuts(dt_lint_parse_fn *parse, const char *text)
{
	for (size_t len = 0; len < strlen(text); len++) {
		char *copy = dt_strndup(text, len);
		struct dt_arena arena = { 0 };
		struct dt_lint_out out = { .arena = &arena };
		struct dt_str exact = { dt_arena_bytes(&arena, len + 1), len };

		memcpy((char *)(uintptr_t)exact.ptr, copy, len);
		(void)!parse(&out, exact, NULL);
		free(copy);
		dt_arena_done(&arena);
	}
}

#endif
