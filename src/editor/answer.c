/* editor/answer.c - exactly one end. */
#include "editor/answer.h"

#include "base/utf8.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

void dt_answer_init(struct dt_answer *answer, dt_answer_fn *on_end, void *owner)
{
	*answer = (struct dt_answer){ .on_end = on_end, .owner = owner };
}

void dt_answer_end(struct dt_answer *answer, const void *result)
{
	assert(!answer->has_ended);
	answer->has_ended = true;
	answer->on_end(answer, result, NULL, answer->owner);
}

void dt_answer_fail(struct dt_answer *answer, const struct dt_fail *fail)
{
	assert(!answer->has_ended);
	answer->has_ended = true;
	answer->on_end(answer, NULL, fail, answer->owner);
}

void dt_answer_failf(struct dt_answer *answer, enum dt_err code,
                     const char *fmt, ...)
{
	struct dt_fail fail = { .code = code };
	va_list args;

	va_start(args, fmt);
	vsnprintf(fail.msg, sizeof(fail.msg), fmt, args);
	va_end(args);
	fail.msg[dt_utf8_cut(dt_str(fail.msg), sizeof(fail.msg))] = '\0';
	dt_answer_fail(answer, &fail);
}

void dt_answer_shown(struct dt_answer *answer)
{
	if (answer->on_shown)
		answer->on_shown(answer, answer->owner);
}

void dt_answer_progress(struct dt_answer *answer,
                        const struct dt_progress *progress)
{
	if (answer->on_progress)
		answer->on_progress(answer, progress, answer->owner);
}

void dt_answer_drop(struct dt_answer *answer)
{
	if (answer->has_ended)
		return;
	answer->has_ended = true;
	if (answer->on_drop)
		answer->on_drop(answer, answer->performer);
}
