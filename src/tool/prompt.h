/* tool/prompt.h - texts that tell a model how to use the tools for a task. */
#ifndef DT_TOOL_PROMPT_H
#define DT_TOOL_PROMPT_H

#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>

struct dt_prompt_arg {
	const char *name;
	const char *doc;
	bool is_required;
	bool is_path;              /* a file of the workspace */
	const char *const *values; /* all it may be, ends with NULL; or NULL */
};

/*
 * A prompt: one const entry.  In `text`, {file} stands for an argument,
 * {file|the open files} for one that may be absent with what stands there then,
 * and [getDiagnostics] for a tool.  A tool that is not offered is named in a
 * sentence at the end, so the model does not look for it.
 *
 * What an argument says is data.  It is put between guillemets, which the texts
 * use for nothing else, on one line and without anything invisible.
 */
struct dt_prompt {
	const char *name;
	const char *title;
	const char *doc;
	const struct dt_prompt_arg *args; /* ends with a NULL name; or NULL */
	const char *text;
};

/* The value of an argument; ptr NULL or nothing but blanks: absent. */
typedef struct dt_str dt_prompt_value_fn(const char *name, void *owner);
typedef bool dt_prompt_has_fn(const char *tool, void *owner);

/* DT_E_ARGS when a required argument is absent, one is not among its values or
 * too long. */
enum dt_err dt_prompt_write(const struct dt_prompt *prompt,
                            dt_prompt_value_fn *value, dt_prompt_has_fn *has,
                            void *owner, struct dt_buf *out,
                            struct dt_fail *fail) DT_MUST_CHECK;

/* All of them; each is written in one of tool/prompts_*.def. */
/* Ends with one that has no name. */
extern const struct dt_prompt dt_prompts[];
extern const size_t dt_prompt_count;

const struct dt_prompt *dt_prompt_find(struct dt_str name); /* or NULL */

#endif
