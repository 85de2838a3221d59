/* dialect/claude_notebook.h - NotebookEdit: one cell of a Jupyter notebook. */
#ifndef DT_DIALECT_CLAUDE_NOTEBOOK_H
#define DT_DIALECT_CLAUDE_NOTEBOOK_H

#include "dialect/claude_hook.h"

/* The notebook's text with the cell replaced, inserted or deleted.  Outputs are
 * left as they are: what the CLI does to them is no change of the person's. */
enum dt_err dt_claude_notebook_propose(struct dt_arena *arena,
                                       const struct dt_json *json,
                                       struct dt_str old, struct dt_str *out,
                                       struct dt_fail *fail) DT_MUST_CHECK;

/* The tool's input as one object, with the cell as the person left it.
 * DT_E_UNSUPPORTED when more than that cell was changed. */
enum dt_err dt_claude_notebook_put_input(
	struct dt_json_out *out, struct dt_arena *arena,
	const struct dt_json *json, const struct dt_claude_accepted *accepted,
	struct dt_fail *fail) DT_MUST_CHECK;

#endif
