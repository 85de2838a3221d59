/*
 * tool/prompt_methods.c - prompts/get: a prompt written for this very list of
 * tools.  The texts are in prompts.c, how they are filled in prompt.c.
 */
#include "base/buf.h"
#include "base/limits.h"
#include "tool/groups.h"
#include "tool/methods.h"
#include "tool/prompt.h"

#define TEXT_MAX (256u * DT_KIB)

/* Where the arguments are. */
struct asked {
	struct dt_arena *arena;
	const struct dt_json *json; /* an object, or NULL */
	struct dt_caller *caller;
};

static struct dt_str value_of(const char *name, void *owner)
{
	const struct asked *asked = owner;
	const struct dt_json *value =
		asked->json ? dt_json_get(asked->json, name) : NULL;

	if (!value || value->type != DT_JSON_STRING)
		return (struct dt_str){ 0 };
	return dt_json_text(asked->arena, value);
}

static bool is_listed(struct dt_caller *caller, const struct dt_tool *tool)
{
	return !caller->lists || caller->lists(caller, tool);
}

static bool is_offered(const char *tool, void *owner)
{
	const struct asked *asked = owner;

	for (size_t i = 0; dt_tool_groups[i]; i++) {
		const struct dt_tool_group *group = dt_tool_groups[i];

		for (size_t k = 0; k < group->count; k++) {
			if (!strcmp(group->tools[k].name, tool))
				return is_listed(asked->caller,
				                 &group->tools[k]);
		}
	}
	return false;
}

/* As the protocol has it: an object whose members are all strings. */
static enum dt_err read_arguments(const struct dt_get_prompt_args *args,
                                  struct asked *asked, struct dt_fail *fail)
{
	enum dt_err err;

	if (!args->arguments.ptr)
		return DT_E_OK;
	err = dt_json_read_utf8(asked->arena, args->arguments, &asked->json,
	                        fail);
	if (err)
		return err;
	if (asked->json->type == DT_JSON_NULL) {
		asked->json = NULL;
		return DT_E_OK;
	}
	if (asked->json->type != DT_JSON_OBJECT)
		return dt_fail(fail, DT_E_ARGS, "arguments: expected object");
	dt_json_each(key, asked->json) {
		struct dt_str name = dt_json_text(asked->arena, key);

		if (dt_json_value(key)->type != DT_JSON_STRING)
			return dt_fail(fail, DT_E_ARGS,
			               "arguments.%.*s: expected string",
			               DT_STR_ARG(name));
	}
	return DT_E_OK;
}

void dt_get_prompt(struct dt_call *call, const void *args)
{
	const struct dt_get_prompt_args *wanted = args;
	const struct dt_prompt *prompt = dt_prompt_find(dt_str(wanted->name));
	struct asked asked = { .arena = call->arena, .caller = call->caller };
	struct dt_content piece = { .kind = DT_CONTENT_TEXT };
	struct dt_fail fail = { 0 };
	struct dt_buf text;

	if (!prompt) {
		dt_call_failf(call, DT_E_ARGS, "no prompt is named %s",
		              wanted->name);
		return;
	}
	dt_buf_init(&text, TEXT_MAX);
	if (read_arguments(wanted, &asked, &fail) ||
	    dt_prompt_write(prompt, value_of, is_offered, &asked, &text,
	                    &fail)) {
		dt_call_fail(call, &fail);
	} else {
		piece.text = dt_buf_str(&text);
		piece.doc = prompt->doc;
		dt_call_add_content(call, &piece);
		dt_call_reply(call);
	}
	dt_buf_done(&text);
}
