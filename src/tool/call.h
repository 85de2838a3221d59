/* tool/call.h - one call of a tool, from its arguments to its reply. */
#ifndef DT_TOOL_CALL_H
#define DT_TOOL_CALL_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "data/field.h"
#include "data/json.h"
#include "editor/answer.h"
#include "loop/loop.h"
#include "tool/tool.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Whoever calls tools: hub/session.c embeds it.  perform() routes an operation
 * to whoever can do it and ends the answer exactly once; allow() asks policy.
 */
struct dt_caller {
	struct dt_loop *loop;
	void (*perform)(struct dt_caller *caller, const struct dt_operation *op,
	                const void *args, struct dt_answer *answer);
	enum dt_err (*allow)(struct dt_caller *caller,
	                     const struct dt_tool *tool, struct dt_fail *fail);
};

/* One piece of a reply. */
struct dt_content {
	struct dt_content *next;
	struct dt_str text;
};

/* How the call ended: `content` is what the agent reads; `is_error` says that it
 * is a sentence about what went wrong.  The call is freed behind it. */
typedef void dt_call_end_fn(struct dt_call *call,
                            const struct dt_content *content, bool is_error,
                            void *owner);

struct dt_call {
	struct dt_arena *arena; /* lives as long as the call */
	struct dt_caller *caller;
	const struct dt_tool *tool;
	const void *args; /* decoded */
	void *agent;      /* the dialect's: on whose behalf */
	void *state;      /* the tool's own, between operations */
	/* tool/call.c's */
	dt_call_end_fn *on_end;
	void *owner;
	struct dt_answer answer;
	void (*on_result)(struct dt_call *call, const void *result);
	void (*on_failure)(struct dt_call *call, const struct dt_fail *fail);
	struct dt_timer *deadline;
	bool *is_over; /* set when the call ends, while run() is on the stack */
	struct dt_content *first;
	struct dt_content *last;
	bool is_too_large; /* a part of the reply was left out */
	bool is_performing;
	bool is_late; /* the deadline passed: no operation is begun any more */
	bool has_ended;
};

/*
 * Decode the arguments and run the tool.  DT_E_ARGS when they do not fit and
 * DT_E_DENIED when policy refuses: nothing was started then and on_end is not
 * called.  `arena` must outlive the call.
 */
struct dt_call_spec {
	struct dt_arena *arena;
	struct dt_caller *caller;
	const struct dt_tool *tool;
	const struct dt_json *args; /* or NULL */
	void *agent;
	dt_call_end_fn *on_end;
	void *owner;
};
enum dt_err dt_call_start(const struct dt_call_spec *spec,
                          struct dt_call **out_call,
                          struct dt_fail *fail) DT_MUST_CHECK;

/* The agent cancelled or is gone: nothing is replied.  Frees the call. */
void dt_call_drop(struct dt_call *call);

/* For tools: do an operation, then come back with its result.  A failure becomes
 * the call's failure; dt_call_perform_or() lets the tool see it instead, also
 * the one of the deadline (DT_E_TIMEOUT). */
typedef void dt_result_fn(struct dt_call *call, const void *result);
typedef void dt_failure_fn(struct dt_call *call, const struct dt_fail *fail);
void dt_call_perform(struct dt_call *call, const struct dt_operation *op,
                     const void *args, dt_result_fn *on_result);
void dt_call_perform_or(struct dt_call *call, const struct dt_operation *op,
                        const void *args, dt_result_fn *on_result,
                        dt_failure_fn *on_failure);

/* For tools: what to reply.  Text is lent until dt_call_reply(). */
void dt_call_add(struct dt_call *call, struct dt_str text);
/* A struct as the text of its JSON, as Claude Code's tools answer.  What would
 * be larger than a message makes the reply a failure. */
void dt_call_add_shape(struct dt_call *call, const struct dt_shape *shape,
                       const void *value);
void dt_call_reply(struct dt_call *call);
void dt_call_reply_text(struct dt_call *call, const char *text);
void dt_call_fail(struct dt_call *call, const struct dt_fail *fail);
void dt_call_failf(struct dt_call *call, enum dt_err code, const char *fmt, ...)
	DT_PRINTF(3, 4);

#endif
