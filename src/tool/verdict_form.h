/*
 * tool/verdict_form.h - a verdict asked for by MCP's elicitation: the form that
 * is shown by the agent's own program, and what the person made of it.
 */
#ifndef DT_TOOL_VERDICT_FORM_H
#define DT_TOOL_VERDICT_FORM_H

#include "base/arena.h"
#include "base/str.h"
#include "data/json.h"
#include "editor/operation.h"

#include <stdbool.h>

#define DT_VERDICT_KEY "verdict" /* of the question and its answer */

/* Title, reason (or NULL) and as much of the diff as a form can show. */
struct dt_str dt_verdict_message(struct dt_arena *arena, const char *title,
                                 const char *reason, struct dt_str diff);

/* The params of elicitation/create. */
struct dt_str dt_verdict_form(struct dt_arena *arena, struct dt_str message);

/* What came back.  Neither: the person looked away, or the answer says nothing
 * that could be taken for a verdict. */
struct dt_verdict_answer {
	bool is_missing; /* nobody answered */
	bool has_outcome;
	enum dt_outcome outcome;
	const char *comment; /* or NULL */
};
/* `answer` may be NULL. */
struct dt_verdict_answer dt_verdict_read(struct dt_arena *arena,
                                         const struct dt_json *answer);

#endif
