/* tool/caller.h - whoever calls tools, and what is noted of each call. */
#ifndef DT_TOOL_CALLER_H
#define DT_TOOL_CALLER_H

#include "base/err.h"
#include "editor/answer.h"
#include "loop/loop.h"
#include "tool/tool.h"

#include <stdbool.h>
#include <stdint.h>

/* How a call ended, for those who keep a history. */
enum dt_call_status {
	DT_CALL_DONE,
	DT_CALL_FAILED,
	DT_CALL_REFUSED, /* before it began: arguments, policy, limits */
	DT_CALL_LATE,    /* its deadline passed */
	DT_CALL_DROPPED, /* cancelled, or the agent is gone */
	DT_CALL_ASKED,   /* the agent comes again with the answers */
};
#define DT_CALL_STATUS_COUNT (DT_CALL_ASKED + 1)
extern const char *const dt_call_statuses[]; /* "done", ..., NULL */

struct dt_call_note {
	const struct dt_tool *tool;
	enum dt_call_status status;
	uint64_t took_us;
	const char *message; /* why it failed, or NULL */
};

/*
 * Whoever calls tools: hub/session.c embeds it.  perform() routes an operation
 * to whoever can do it and ends the answer exactly once; allow() asks policy.
 */
struct dt_caller {
	struct dt_loop *loop;
	struct dt_budget *output; /* results on their way count; or NULL */
	void *owner;              /* the session */
	void *place;              /* the workspace, which outlives it */
	const char *folder;       /* its first one */
	void (*perform)(struct dt_caller *caller, const struct dt_operation *op,
	                const void *args, struct dt_answer *answer);
	enum dt_err (*allow)(struct dt_caller *caller,
	                     const struct dt_tool *tool, struct dt_fail *fail);
	/* Whether a tool is in the caller's list; NULL: all are. */
	bool (*lists)(struct dt_caller *caller, const struct dt_tool *tool);
	/* Each call that ended, once; may be NULL. */
	void (*on_called)(struct dt_caller *caller,
	                  const struct dt_call_note *note);
};

#endif
