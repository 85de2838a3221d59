/* tool/tool.h - what a tool is. */
#ifndef DT_TOOL_TOOL_H
#define DT_TOOL_TOOL_H

#include "data/field.h"
#include "editor/operation.h"

#include <stddef.h>

struct dt_call; /* one tools/call under way; see tool/call.h */

/*
 * A tool is an operation bound to a public name: one const entry in the table of
 * its dialect or group, and nowhere else.  The schema sent to agents, the
 * argument decoder, docs/tools.md and `dovetail tools` are all made from it.
 *
 * The list of tools never depends on which editor is attached.  The dispatcher
 * decodes the arguments by `args`, asks policy by `effect` and calls run() on
 * the loop.  run() leads to exactly one dt_call_reply() or dt_call_fail(), now
 * or later.  When the deadline passes or the agent is gone the dispatcher ends
 * the call and drops what comes after.
 *
 * `args` points to a decoded struct of args.size bytes.  It lives, with all it
 * points to, as long as the call.  Tools free nothing.
 */
struct dt_tool {
	const char *name;  /* as agents see it */
	const char *title; /* for people; NULL: the name */
	const char *doc;   /* for the model: when to use it, what comes back */
	struct dt_shape args;
	struct dt_shape result; /* what it answers; no fields: text alone */
	/* The JSON Schema of the arguments where no shape can say it; NULL: by
	 * `args`.  Such a tool reads call->json. */
	const char *schema;
	enum dt_effect effect;
	/* The operation without which it cannot; NULL: it always works. */
	const struct dt_operation *needs;
	unsigned flags;       /* enum dt_tool_flag, or-ed */
	unsigned deadline_ms; /* 0: may wait for the person for ever */
	void (*run)(struct dt_call *call, const void *args);
};

/* What agents are told of a tool beside its effect. */
enum dt_tool_flag {
	DT_TOOL_REPEATABLE = 1 << 0, /* twice does no more than once */
	DT_TOOL_ADDS = 1 << 1,   /* writes or runs, but takes nothing away */
	DT_TOOL_ABROAD = 1 << 2, /* reaches beyond this machine */
	DT_TOOL_EXTRA = 1 << 3,  /* not in the slim list; called all the same */
};

/* Tools that belong together: one table, one heading of docs/tools.md. */
struct dt_tool_group {
	const char *name;
	const char *doc; /* one sentence */
	const struct dt_tool *tools;
	size_t count;
};

#endif
