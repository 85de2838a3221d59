/*
 * tool/call.c - arguments decoded, the tool run, the deadline watched.
 *
 * Who the agent is and how a reply looks on the wire is the dialect's; who
 * performs operations is the hub's.  A call ends exactly once, and everything
 * it allocated is in the arena it was given.
 */
#include "tool/call.h"

#include "base/buf.h"
#include "base/limits.h"
#include "base/utf8.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

static void release(struct dt_call *call)
{
	call->has_ended = true;
	if (call->is_over)
		*call->is_over = true;
	dt_timer_free(call->deadline);
	call->deadline = NULL;
	if (call->is_performing)
		dt_answer_drop(&call->answer);
}

static void end(struct dt_call *call, bool is_error)
{
	assert(!call->has_ended);
	release(call);
	call->on_end(call, call->first, is_error, call->owner);
}

static void fail_late(struct dt_call *call, dt_failure_fn *on_failure)
{
	struct dt_fail fail = { 0 };

	dt_fail(&fail, DT_E_TIMEOUT, "%s: no answer within %u ms",
	        call->tool->name, call->tool->deadline_ms);
	on_failure(call, &fail);
}

/* The tool hears of it as of any other failure: some know what to say then. */
static void on_deadline(struct dt_timer *timer, void *owner)
{
	struct dt_call *call = owner;

	(void)timer;
	call->is_late = true;
	if (!call->is_performing) {
		fail_late(call, dt_call_fail);
		return;
	}
	call->is_performing = false;
	dt_answer_drop(&call->answer);
	fail_late(call, call->on_failure);
}

enum dt_err dt_call_start(const struct dt_call_spec *spec,
                          struct dt_call **out_call, struct dt_fail *fail)
{
	const struct dt_tool *tool = spec->tool;
	struct dt_call *call;
	bool is_over = false;
	enum dt_err err;
	void *args;

	if (spec->args && spec->args->type != DT_JSON_OBJECT)
		return dt_fail(fail, DT_E_ARGS, "arguments: expected object");
	if (spec->args &&
	    dt_shape_small_bytes(&tool->args, spec->args) > DT_LIMIT_ARGUMENTS)
		return dt_fail(fail, DT_E_ARGS,
		               "arguments: larger than %u bytes",
		               DT_LIMIT_ARGUMENTS);
	args = dt_arena_alloc(spec->arena, tool->args.size);
	err = dt_shape_read(&tool->args, spec->arena, spec->args, args, fail);
	if (err)
		return err;
	err = spec->caller->allow(spec->caller, tool, fail);
	if (err)
		return err;
	call = dt_arena_alloc(spec->arena, sizeof(*call));
	call->arena = spec->arena;
	call->caller = spec->caller;
	call->tool = tool;
	call->args = args;
	call->agent = spec->agent;
	call->on_end = spec->on_end;
	call->owner = spec->owner;
	*out_call = call;
	call->is_over = &is_over;
	tool->run(call, args);
	/* Most calls have ended by now, and freed themselves. */
	if (is_over)
		return DT_E_OK;
	call->is_over = NULL;
	if (tool->deadline_ms) {
		call->deadline =
			dt_timer_new(spec->caller->loop, on_deadline, call);
		dt_timer_start(call->deadline, tool->deadline_ms);
	}
	return DT_E_OK;
}

void dt_call_drop(struct dt_call *call)
{
	if (!call->has_ended)
		release(call);
}

/* operations */

static void on_answer(struct dt_answer *answer, const void *result,
                      const struct dt_fail *fail, void *owner)
{
	struct dt_call *call = owner;

	(void)answer;
	call->is_performing = false;
	if (fail)
		call->on_failure(call, fail);
	else
		call->on_result(call, result);
}

void dt_call_perform_or(struct dt_call *call, const struct dt_operation *op,
                        const void *args, dt_result_fn *on_result,
                        dt_failure_fn *on_failure)
{
	assert(!call->is_performing && !call->has_ended);
	if (call->is_late) {
		fail_late(call, on_failure);
		return;
	}
	call->on_result = on_result;
	call->on_failure = on_failure;
	call->is_performing = true;
	dt_answer_init(&call->answer, on_answer, call);
	call->caller->perform(call->caller, op, args, &call->answer);
}

void dt_call_perform(struct dt_call *call, const struct dt_operation *op,
                     const void *args, dt_result_fn *on_result)
{
	dt_call_perform_or(call, op, args, on_result, dt_call_fail);
}

/* replies */

void dt_call_add(struct dt_call *call, struct dt_str text)
{
	struct dt_content *piece = dt_arena_alloc(call->arena, sizeof(*piece));

	piece->text = text;
	if (call->last)
		call->last->next = piece;
	else
		call->first = piece;
	call->last = piece;
}

void dt_call_add_shape(struct dt_call *call, const struct dt_shape *shape,
                       const void *value)
{
	struct dt_buf text;
	struct dt_json_out out;

	dt_buf_init(&text, DT_LIMIT_MESSAGE);
	out = dt_json_out(&text);
	dt_shape_write(shape, value, &out);
	call->is_too_large |= text.overflow;
	dt_call_add(call, (struct dt_str){ dt_arena_strndup(call->arena,
	                                                    text.ptr, text.len),
	                                   text.len });
	dt_buf_done(&text);
}

void dt_call_reply(struct dt_call *call)
{
	if (call->is_too_large)
		dt_call_failf(call, DT_E_LIMIT,
		              "%s: the reply is larger than %u bytes",
		              call->tool->name, DT_LIMIT_MESSAGE);
	else
		end(call, false);
}

void dt_call_reply_text(struct dt_call *call, const char *text)
{
	dt_call_add(call, dt_str(text));
	dt_call_reply(call);
}

void dt_call_fail(struct dt_call *call, const struct dt_fail *fail)
{
	call->first = call->last = NULL;
	dt_call_add(call, dt_str(dt_arena_strdup(call->arena, fail->msg)));
	end(call, true);
}

void dt_call_failf(struct dt_call *call, enum dt_err code, const char *fmt, ...)
{
	struct dt_fail fail = { .code = code };
	va_list args;

	va_start(args, fmt);
	vsnprintf(fail.msg, sizeof(fail.msg), fmt, args);
	va_end(args);
	fail.msg[dt_utf8_cut(dt_str(fail.msg), sizeof(fail.msg))] = '\0';
	dt_call_fail(call, &fail);
}
