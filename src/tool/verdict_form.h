/*
 * tool/verdict_form.h - a verdict asked for by MCP's elicitation: the form that
 * is shown by the agent's own program, and what the person made of it.
 */
#ifndef DT_TOOL_VERDICT_FORM_H
#define DT_TOOL_VERDICT_FORM_H

#include "base/arena.h"
#include "base/limits.h"
#include "base/str.h"
#include "data/json.h"
#include "editor/operation.h"

#include <stdbool.h>

#define DT_VERDICT_KEY "verdict" /* of the question and its answer */

/* What a form is about. */
struct dt_verdict_question {
	const char *title;
	const char *reason;  /* or NULL */
	struct dt_str files; /* all of them, a line each */
	struct dt_str diff;
	bool is_cut; /* the diff is not all of it */
};

/* The whole list of files is worth a form up to here. */
#define DT_VERDICT_FILES_BYTES (8u * DT_KIB)

/* All files, and as much of the diff as a form can show; what it leaves out it
 * says. */
struct dt_str dt_verdict_message(struct dt_arena *arena,
                                 const struct dt_verdict_question *question);

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
