/*
 * dialect/claude_hook.h - Claude Code's PreToolUse hook: an edit in any
 * permission mode, turned into a proposal, and the verdict turned into what the
 * CLI reads.  Pure functions; docs/protocol/claude-hook.md.
 */
#ifndef DT_DIALECT_CLAUDE_HOOK_H
#define DT_DIALECT_CLAUDE_HOOK_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "data/field.h"
#include "data/json.h"

#include <stdbool.h>

enum dt_claude_edit {
	DT_CLAUDE_EDIT,
	DT_CLAUDE_MULTI_EDIT,
	DT_CLAUDE_WRITE,
	DT_CLAUDE_NOTEBOOK_EDIT,
};

/* What the CLI says before it edits.  Everything is in the arena it was read
 * into, or in the JSON. */
struct dt_claude_hook {
	const char *session; /* the CLI's own id of its session */
	const char *folder;  /* its working directory */
	const char *mode;    /* "default", "acceptEdits", "auto", ... */
	enum dt_claude_edit tool;
	const char *path; /* absolute, of the file it wants to change */
	const struct dt_json *input;
};

/*
 * Read the hook's input.  DT_E_UNSUPPORTED: it is about something else than an
 * edit of a file, which is none of our business.
 */
enum dt_err dt_claude_hook_read(struct dt_arena *arena,
                                const struct dt_json *json,
                                struct dt_claude_hook *out,
                                struct dt_fail *fail) DT_MUST_CHECK;

/*
 * The whole text the file would have afterwards; `old` has ptr NULL when there
 * is no file.  DT_E_ARGS: the edit does not fit the text; DT_E_UNSUPPORTED: the
 * file is no UTF-8 text.
 */
enum dt_err dt_claude_hook_propose(struct dt_arena *arena,
                                   const struct dt_claude_hook *hook,
                                   struct dt_str old, struct dt_str *out,
                                   struct dt_fail *fail) DT_MUST_CHECK;

/* A verdict: what there was, what was proposed, what the person made of it. */
struct dt_claude_accepted {
	struct dt_str old;
	struct dt_str proposed;
	struct dt_str final;
	const char *comment; /* the person's words, or NULL */
};

/*
 * The hook's output.  Accepted as proposed: allow.  With the person's own text:
 * allow with an input that makes exactly that text, and the model is told what
 * differs; DT_E_UNSUPPORTED when this tool cannot make it, with a sentence for
 * the model.  A comment reaches the model as well.
 */
enum dt_err dt_claude_hook_allow(struct dt_arena *arena,
                                 const struct dt_claude_hook *hook,
                                 const struct dt_claude_accepted *accepted,
                                 struct dt_buf *buf,
                                 struct dt_fail *fail) DT_MUST_CHECK;

/* Deny: the model gets the reason.  Ask: the CLI asks the person by itself, in
 * whatever mode it is, and shows the reason. */
enum dt_claude_decision { DT_CLAUDE_DENY, DT_CLAUDE_ASK };
void dt_claude_hook_answer(enum dt_claude_decision decision, const char *reason,
                           struct dt_buf *buf);

#endif
