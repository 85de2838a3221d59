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
#include "tool/caller.h"
#include "tool/content.h"
#include "tool/tool.h"

#include <stdbool.h>
#include <stddef.h>

/* What an agent can be asked in the middle of a call. */
struct dt_ask {
	struct dt_ask *next;
	const char *key;      /* the tool's name for the answer */
	const char *method;   /* "elicitation/create" */
	struct dt_str params; /* JSON object */
};

enum dt_call_level {
	DT_LEVEL_DEBUG,
	DT_LEVEL_INFO,
	DT_LEVEL_NOTICE,
	DT_LEVEL_WARNING,
	DT_LEVEL_ERROR,
};

/* How the call ended: `content` is what the agent reads; `is_error` says that it
 * is a sentence about what went wrong.  The call is freed behind it. */
typedef void dt_call_end_fn(struct dt_call *call,
                            const struct dt_content *content, bool is_error,
                            void *owner);

/* What a dialect can do for a call while it runs; each may be NULL. */
struct dt_call_face {
	void (*progress)(struct dt_call *call, const struct dt_progress *p,
	                 void *owner);
	void (*log)(struct dt_call *call, enum dt_call_level level,
	            const char *logger, struct dt_str json, void *owner);
	/* `method` is one of struct dt_ask. */
	bool (*can_ask)(struct dt_call *call, const char *method, void *owner);
	/* Ask, then dt_call_again(); or end the call in a way that lets the
	 * agent come again with the answers. */
	void (*ask)(struct dt_call *call, const struct dt_ask *asks,
	            struct dt_str state, void *owner);
};

struct dt_call {
	struct dt_arena *arena; /* lives as long as the call */
	struct dt_caller *caller;
	const struct dt_tool *tool;
	const void *args;           /* decoded */
	const struct dt_json *json; /* as they came; for run() alone */
	void *agent;                /* the dialect's: on whose behalf */
	void *state;                /* the tool's own, between operations */
	/* Answers to what was asked, an object by key, and the state that was
	 * given along; both empty in the first run. */
	const struct dt_json *answers;
	struct dt_str asked_state;
	struct dt_str structured; /* the reply as JSON, by tool->result */
	enum dt_err failed;       /* why it failed, once it has */
	const char *lacks; /* what the agent would have to be able to do, as
	                    * MCP names it ("sampling"); or NULL */
	/* tool/call.c's */
	const struct dt_call_face *face;
	dt_call_end_fn *on_end;
	void *owner;
	struct dt_answer answer;
	struct dt_answer aside;
	void (*on_result)(struct dt_call *call, const void *result);
	void (*on_failure)(struct dt_call *call, const struct dt_fail *fail);
	struct dt_timer *deadline;
	struct dt_timer *heartbeat;
	uint64_t told;     /* of progress; the next is no less */
	const char *doing; /* told with each beat; or NULL */
	uint64_t began_ns;
	size_t promised; /* of the output, until it ends */
	bool *is_over; /* set when the call ends, while run() is on the stack */
	struct dt_content *first;
	struct dt_content *last;
	bool is_too_large; /* a part of the reply was left out */
	bool is_performing;
	bool is_counting; /* the numbers of progress are the tool's */
	bool has_aside;   /* begun, and perhaps ended */
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
	const char *folder; /* of paths that are not absolute; or NULL */
	void *agent;
	const struct dt_call_face *face; /* or NULL */
	const struct dt_json *answers;   /* with the state: a call come again */
	struct dt_str asked_state;
	dt_call_end_fn *on_end;
	void *owner;
};
enum dt_err dt_call_start(const struct dt_call_spec *spec,
                          struct dt_call **out_call,
                          struct dt_fail *fail) DT_MUST_CHECK;

/* The agent cancelled or is gone: nothing is replied.  Frees the call. */
void dt_call_drop(struct dt_call *call);
/* For dialects: it was ended by a question to the agent.  The same. */
void dt_call_leave(struct dt_call *call);

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

/* The same beside the one that is under way, if any; what comes of it is not
 * told.  One at a time: a second one takes the place of the first. */
void dt_call_perform_aside(struct dt_call *call, const struct dt_operation *op,
                           const void *args);

/*
 * For tools: ask the agent's own side, which may be a person.  run() is called
 * again when the answers are in: for this call, or for a new one when the agent
 * must come again; so run() begins by looking at what was answered.  `state`
 * comes back as it is, and nobody can have changed it.  dt_call_ask() is false
 * when the agent comes again with a new call: this one has ended then, and is
 * not touched any more.  Else an operation may be under way meanwhile.
 */
bool dt_call_can_ask(struct dt_call *call, const char *method);
bool dt_call_ask(struct dt_call *call, const struct dt_ask *asks,
                 struct dt_str state);
/* The answer by its key, or NULL. */
const struct dt_json *dt_call_answer(const struct dt_call *call,
                                     const char *key);
/* For dialects: the answers are in. */
void dt_call_again(struct dt_call *call, const struct dt_json *answers,
                   struct dt_str state);

/* For tools: say how far it is.  Calls that say nothing get a beat every five
 * seconds where the agent wants to hear.  A message without numbers is told at
 * once and with each beat from now on.  All may be dropped. */
void dt_call_progress(struct dt_call *call, const struct dt_progress *p);
void dt_call_log(struct dt_call *call, enum dt_call_level level,
                 const char *logger, struct dt_str json);

/* For tools: what to reply.  Text is lent until dt_call_reply(). */
void dt_call_add(struct dt_call *call, struct dt_str text);
/* A struct as the text of its JSON, as Claude Code's tools answer.  What would
 * be larger than a message makes the reply a failure. */
void dt_call_add_shape(struct dt_call *call, const struct dt_shape *shape,
                       const void *value);
/* Any piece; the struct is copied, what it points to is lent. */
void dt_call_add_content(struct dt_call *call, const struct dt_content *piece);
/* The result by tool->result: structured where the agent takes that, and as
 * text. */
void dt_call_reply_result(struct dt_call *call, const void *value);
void dt_call_reply(struct dt_call *call);
void dt_call_reply_text(struct dt_call *call, const char *text);
void dt_call_fail(struct dt_call *call, const struct dt_fail *fail);
/* It cannot work with this agent, which has not said that it can do `what`. */
void dt_call_fail_lacks(struct dt_call *call, const char *what);
void dt_call_failf(struct dt_call *call, enum dt_err code, const char *fmt, ...)
	DT_PRINTF(3, 4);

#endif
