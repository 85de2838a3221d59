/*
 * tool/methods.h - requests of MCP that are carried out as a call.
 *
 * They are tools in all but name: decoded, watched and cancelled alike.  What
 * they reply is content that the dialect writes into the shape of the method.
 * A thing that does not exist is DT_E_ARGS for prompts and DT_E_MISSING for
 * resources.
 */
#ifndef DT_TOOL_METHODS_H
#define DT_TOOL_METHODS_H

#include "tool/call.h"
#include "tool/tool.h"

/* For a dialect's `methods`; ends with a NULL name. */
extern const struct dt_tool dt_methods[];

/* prompts/get: one text; its doc is the prompt's. */
struct dt_get_prompt_args {
	const char *name;
	struct dt_str
		arguments; /* JSON: an object of strings; ptr NULL: none */
};
void dt_get_prompt(struct dt_call *call, const void *args);

/* completion/complete: one text for each value, one more than may be told when
 * there are more. */
struct dt_complete_ref {
	const char *type; /* "ref/prompt" or "ref/resource" */
	const char *name;
	const char *uri;
};
struct dt_complete_argument {
	const char *name;
	const char *value; /* so far */
};
struct dt_complete_args {
	struct dt_complete_ref ref;
	struct dt_complete_argument argument;
};
void dt_complete(struct dt_call *call, const void *args);

/* resources/list, resources/templates/list: links.  resources/read: what the
 * resource holds, as text or as a blob. */
struct dt_read_resource_args {
	const char *uri;
};
void dt_list_resources(struct dt_call *call, const void *args);
void dt_list_templates(struct dt_call *call, const void *args);
void dt_read_resource(struct dt_call *call, const void *args);

/* The templates; completion fills in {+path}. */
extern const char *const dt_resource_templates[]; /* ends with NULL */

#endif
