/*
 * tool/completion.c - completion/complete: files of the workspace by how they
 * begin, and the values an argument may have.
 *
 * What can be completed is said by the tables: a prompt's argument is a path,
 * has a list of values, or is left to the person.
 */
#include "base/limits.h"
#include "editor/files.h"
#include "tool/methods.h"
#include "tool/prompt.h"

/* One more than is told, so that the dialect sees that there are more. */
#define VALUES_MAX (DT_LIMIT_COMPLETIONS + 1)

/* What is being completed, between operations. */
struct completing {
	const char *before;   /* of the value, and stays: "a.c, " */
	const char *typed;    /* what is completed */
	bool is_of_template;  /* paths without the slash in front */
	bool has_tried_below; /* names below the root */
};

static void reply_values(struct dt_call *call, const char *const *values,
                         const char *typed)
{
	for (; values && *values; values++) {
		if (dt_str_starts(dt_str(*values), dt_str(typed)))
			dt_call_add(call, dt_str(*values));
	}
	dt_call_reply(call);
}

/* files */

static void list_files(struct dt_call *call);

static void on_files(struct dt_call *call, const void *result)
{
	const struct dt_list_files_result *found = result;
	struct completing *c = call->state;

	if (found->paths.count == 0 && c->is_of_template &&
	    !c->has_tried_below) {
		c->has_tried_below = true;
		list_files(call);
		return;
	}
	for (size_t i = 0; i < found->paths.count; i++) {
		const char *path = found->paths.ptr[i] + c->is_of_template;

		dt_call_add(call, dt_str(dt_arena_printf(call->arena, "%s%s",
		                                         c->before, path)));
	}
	dt_call_reply(call);
}

static void list_files(struct dt_call *call)
{
	const struct completing *c = call->state;
	bool is_path = c->is_of_template && !c->has_tried_below;
	struct dt_list_files_args list = {
		.prefix =
			is_path ? dt_arena_printf(call->arena, "/%s", c->typed)
				: c->typed,
		.has_hidden = strchr(c->typed, '.') != NULL,
		.limit = { true, VALUES_MAX },
	};

	dt_call_perform(call, &dt_op_list_files, &list, on_files);
}

/* prompts */

/* Several paths are separated by commas; the last one is completed. */
static void complete_path(struct dt_call *call, const char *value)
{
	struct completing *c = dt_arena_alloc(call->arena, sizeof(*c));
	const char *comma = strrchr(value, ',');
	const char *typed = comma ? comma + 1 : value;

	typed += strspn(typed, " ");
	c->before =
		dt_arena_strndup(call->arena, value, (size_t)(typed - value));
	c->typed = typed;
	call->state = c;
	list_files(call);
}

static void complete_prompt(struct dt_call *call,
                            const struct dt_complete_args *args)
{
	const char *name = args->ref.name ? args->ref.name : "";
	const struct dt_prompt *prompt = dt_prompt_find(dt_str(name));
	const struct dt_prompt_arg *arg = prompt ? prompt->args : NULL;

	if (!prompt) {
		dt_call_failf(call, DT_E_ARGS, "no prompt is named %s", name);
		return;
	}
	while (arg && arg->name && strcmp(arg->name, args->argument.name) != 0)
		arg++;
	if (!arg || !arg->name)
		dt_call_failf(call, DT_E_ARGS,
		              "the prompt %s has no argument %s", name,
		              args->argument.name);
	else if (arg->is_path)
		complete_path(call, args->argument.value);
	else
		reply_values(call, arg->values, args->argument.value);
}

/* resources */

static bool is_template(const char *uri)
{
	for (size_t i = 0; dt_resource_templates[i]; i++) {
		if (!strcmp(dt_resource_templates[i], uri))
			return true;
	}
	return false;
}

static void complete_resource(struct dt_call *call,
                              const struct dt_complete_args *args)
{
	struct completing *c = dt_arena_alloc(call->arena, sizeof(*c));
	const char *uri = args->ref.uri ? args->ref.uri : "";

	if (!is_template(uri)) {
		dt_call_failf(call, DT_E_ARGS, "no template is %s", uri);
		return;
	}
	if (strcmp(args->argument.name, "path") != 0) {
		dt_call_failf(call, DT_E_ARGS, "%s has no %s", uri,
		              args->argument.name);
		return;
	}
	c->before = "";
	c->typed = args->argument.value;
	c->is_of_template = true;
	call->state = c;
	list_files(call);
}

void dt_complete(struct dt_call *call, const void *args)
{
	const struct dt_complete_args *wanted = args;

	if (!strcmp(wanted->ref.type, "ref/prompt"))
		complete_prompt(call, wanted);
	else if (!strcmp(wanted->ref.type, "ref/resource"))
		complete_resource(call, wanted);
	else
		dt_call_failf(call, DT_E_ARGS,
		              "ref.type: must be ref/prompt or ref/resource");
}
