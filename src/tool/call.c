/*
 * tool/call.c - arguments decoded, the tool run, the deadline watched.
 *
 * Who the agent is and how a reply looks on the wire is the dialect's; who
 * performs operations is the hub's.  A call ends exactly once, and everything
 * it allocated is in the arena it was given.
 */
#include "tool/call.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "loop/budget.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

#define BEAT_MS 5000

const char *const dt_call_statuses[] = { "done",    "failed", "refused", "late",
	                                 "dropped", "asked",  NULL };

static void note(struct dt_caller *caller, const struct dt_call_note *note)
{
	if (caller->on_called)
		caller->on_called(caller, note);
}

static void release(struct dt_call *call, enum dt_call_status status,
                    const char *message)
{
	struct dt_call_note ended = {
		.tool = call->tool,
		.status = status,
		.took_us = (dt_clock_ns() - call->began_ns) / 1000,
		.message = message,
	};

	call->has_ended = true;
	if (call->is_over)
		*call->is_over = true;
	dt_budget_redeem(call->caller->output, call->promised);
	call->promised = 0;
	dt_timer_free(call->deadline);
	call->deadline = NULL;
	dt_timer_free(call->heartbeat);
	call->heartbeat = NULL;
	if (call->is_performing)
		dt_answer_drop(&call->answer);
	if (call->has_aside)
		dt_answer_drop(&call->aside);
	note(call->caller, &ended);
}

static void end(struct dt_call *call, enum dt_call_status status,
                const char *message)
{
	assert(!call->has_ended);
	release(call, status, message);
	call->on_end(call, call->first, status != DT_CALL_DONE, call->owner);
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

static void beat(struct dt_call *call)
{
	uint64_t seconds = (dt_clock_ns() - call->began_ns) / 1000000000;
	struct dt_progress p = {
		.done = seconds > call->told ? seconds : call->told,
		.message = call->doing,
	};

	call->told = p.done + 1;
	call->face->progress(call, &p, call->owner);
}

/* An agent that waits wants to see that we live. */
static void on_beat(struct dt_timer *timer, void *owner)
{
	(void)timer;
	beat(owner);
}

static void start_timers(struct dt_call *call)
{
	struct dt_loop *loop = call->caller->loop;

	if (call->tool->deadline_ms) {
		call->deadline = dt_timer_new(loop, on_deadline, call);
		dt_timer_start(call->deadline, call->tool->deadline_ms);
	}
	if (call->face && call->face->progress && !call->is_counting) {
		call->heartbeat = dt_timer_new(loop, on_beat, call);
		dt_timer_repeat(call->heartbeat, BEAT_MS);
	}
}

static enum dt_err read_args(const struct dt_call_spec *spec, void **out,
                             struct dt_fail *fail)
{
	const struct dt_shape *shape = &spec->tool->args;

	if (spec->args && spec->args->type != DT_JSON_OBJECT)
		return dt_fail(fail, DT_E_ARGS, "arguments: expected object");
	if (spec->args &&
	    dt_shape_small_bytes(shape, spec->args) > DT_LIMIT_ARGUMENTS)
		return dt_fail(fail, DT_E_ARGS,
		               "arguments: larger than %u bytes",
		               DT_LIMIT_ARGUMENTS);
	*out = dt_arena_alloc(spec->arena, shape->size);
	return dt_shape_read_in(shape, spec->arena, spec->args, spec->folder,
	                        *out, fail);
}

enum dt_err dt_call_start(const struct dt_call_spec *spec,
                          struct dt_call **out_call, struct dt_fail *fail)
{
	const struct dt_tool *tool = spec->tool;
	struct dt_call *call;
	bool is_over = false;
	void *args = NULL;
	enum dt_err err;

	err = read_args(spec, &args, fail);
	if (!err)
		err = spec->caller->allow(spec->caller, tool, fail);
	if (err) {
		note(spec->caller,
		     &(struct dt_call_note){ .tool = tool,
		                             .status = DT_CALL_REFUSED,
		                             .message = fail->msg });
		return err;
	}
	call = dt_arena_alloc(spec->arena, sizeof(*call));
	call->arena = spec->arena;
	call->caller = spec->caller;
	call->tool = tool;
	call->args = args;
	call->json = spec->args;
	call->agent = spec->agent;
	call->face = spec->face;
	call->answers = spec->answers;
	call->asked_state = spec->asked_state;
	call->on_end = spec->on_end;
	call->owner = spec->owner;
	call->began_ns = dt_clock_ns();
	*out_call = call;
	call->is_over = &is_over;
	tool->run(call, args);
	/* Most calls have ended by now, and freed themselves. */
	if (is_over)
		return DT_E_OK;
	call->is_over = NULL;
	call->json = NULL;
	/* One that waits for a person is small, and may wait for days. */
	if (tool->effect != DT_ASKS)
		call->promised = dt_budget_promise(spec->caller->output);
	start_timers(call);
	return DT_E_OK;
}

void dt_call_drop(struct dt_call *call)
{
	if (!call->has_ended)
		release(call, DT_CALL_DROPPED, NULL);
}

void dt_call_leave(struct dt_call *call)
{
	release(call, DT_CALL_ASKED, NULL);
}

/* operations */

static void on_operation_progress(struct dt_answer *answer,
                                  const struct dt_progress *progress,
                                  void *owner)
{
	(void)answer;
	dt_call_progress(owner, progress);
}

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
	call->answer.on_progress = on_operation_progress;
	call->caller->perform(call->caller, op, args, &call->answer);
}

void dt_call_perform(struct dt_call *call, const struct dt_operation *op,
                     const void *args, dt_result_fn *on_result)
{
	dt_call_perform_or(call, op, args, on_result, dt_call_fail);
}

static void on_aside(struct dt_answer *answer, const void *result,
                     const struct dt_fail *fail, void *owner)
{
	(void)answer;
	(void)result;
	(void)fail;
	(void)owner;
}

void dt_call_perform_aside(struct dt_call *call, const struct dt_operation *op,
                           const void *args)
{
	assert(!call->has_ended);
	if (call->has_aside)
		dt_answer_drop(&call->aside);
	call->has_aside = true;
	dt_answer_init(&call->aside, on_aside, call);
	call->caller->perform(call->caller, op, args, &call->aside);
}

/* questions */

bool dt_call_can_ask(struct dt_call *call, const char *method)
{
	return call->face && call->face->can_ask &&
	       call->face->can_ask(call, method, call->owner);
}

bool dt_call_ask(struct dt_call *call, const struct dt_ask *asks,
                 struct dt_str state)
{
	bool *outer = call->is_over;
	bool is_over = false;

	assert(!call->has_ended && call->face && call->face->ask);
	call->is_over = &is_over;
	call->face->ask(call, asks, state, call->owner);
	if (is_over) {
		if (outer)
			*outer = true;
		return false;
	}
	call->is_over = outer;
	return true;
}

const struct dt_json *dt_call_answer(const struct dt_call *call,
                                     const char *key)
{
	return call->answers ? dt_json_get(call->answers, key) : NULL;
}

void dt_call_again(struct dt_call *call, const struct dt_json *answers,
                   struct dt_str state)
{
	assert(!call->has_ended);
	call->answers = answers;
	call->asked_state = state;
	call->tool->run(call, call->args);
}

/* on the way */

void dt_call_progress(struct dt_call *call, const struct dt_progress *p)
{
	struct dt_progress shifted = *p;

	if (call->has_ended || !call->face || !call->face->progress)
		return;
	if (!p->done && !p->total && p->message && !call->is_counting) {
		call->doing = dt_arena_strdup(call->arena, p->message);
		beat(call);
		return;
	}
	/* The numbers are the tool's from now on, and only grow. */
	call->is_counting = true;
	dt_timer_free(call->heartbeat);
	call->heartbeat = NULL;
	shifted.done += call->told;
	shifted.total += p->total ? call->told : 0;
	call->face->progress(call, &shifted, call->owner);
}

void dt_call_log(struct dt_call *call, enum dt_call_level level,
                 const char *logger, struct dt_str json)
{
	if (!call->has_ended && call->face && call->face->log)
		call->face->log(call, level, logger, json, call->owner);
}

/* replies */

void dt_call_add_content(struct dt_call *call, const struct dt_content *piece)
{
	struct dt_content *copy = dt_arena_alloc(call->arena, sizeof(*copy));

	*copy = *piece;
	copy->next = NULL;
	if (call->last)
		call->last->next = copy;
	else
		call->first = copy;
	call->last = copy;
}

void dt_call_add(struct dt_call *call, struct dt_str text)
{
	struct dt_content piece = { .kind = DT_CONTENT_TEXT, .text = text };

	dt_call_add_content(call, &piece);
}

/* A struct as JSON, in the arena. */
static struct dt_str shape_text(struct dt_call *call,
                                const struct dt_shape *shape, const void *value)
{
	struct dt_str text;
	struct dt_buf buf;
	struct dt_json_out out;

	dt_buf_init(&buf, DT_LIMIT_MESSAGE);
	out = dt_json_out(&buf);
	dt_shape_write(shape, value, &out);
	call->is_too_large |= buf.overflow;
	text.ptr = dt_arena_strndup(call->arena, buf.ptr, buf.len);
	text.len = buf.len;
	dt_buf_done(&buf);
	return text;
}

void dt_call_add_shape(struct dt_call *call, const struct dt_shape *shape,
                       const void *value)
{
	dt_call_add(call, shape_text(call, shape, value));
}

void dt_call_reply_result(struct dt_call *call, const void *value)
{
	call->structured = shape_text(call, &call->tool->result, value);
	dt_call_add(call, call->structured);
	dt_call_reply(call);
}

void dt_call_reply(struct dt_call *call)
{
	if (call->is_too_large)
		dt_call_failf(call, DT_E_LIMIT,
		              "%s: the reply is larger than %u bytes",
		              call->tool->name, DT_LIMIT_MESSAGE);
	else
		end(call, DT_CALL_DONE, NULL);
}

void dt_call_reply_text(struct dt_call *call, const char *text)
{
	dt_call_add(call, dt_str(text));
	dt_call_reply(call);
}

void dt_call_fail(struct dt_call *call, const struct dt_fail *fail)
{
	const char *text = dt_arena_strdup(call->arena, fail->msg);

	call->first = call->last = NULL;
	call->structured = (struct dt_str){ 0 };
	call->failed = fail->code;
	dt_call_add(call, dt_str(text));
	end(call, fail->code == DT_E_TIMEOUT ? DT_CALL_LATE : DT_CALL_FAILED,
	    text);
}

void dt_call_fail_lacks(struct dt_call *call, const char *what)
{
	call->lacks = what;
	dt_call_failf(call, DT_E_UNSUPPORTED,
	              "%s works only with an agent that declares %s",
	              call->tool->name, what);
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
