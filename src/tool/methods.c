/* tool/methods.c - the table of methods that are calls. */
#include "tool/methods.h"

#define PROMPT_MS 5000
#define LIST_MS 10000
#define READ_MS 60000

static const struct dt_field get_prompt_args[] = {
	DT_FIELD(struct dt_get_prompt_args, name, NAME, DT_REQ,
	         "Which prompt."),
	DT_FIELD(struct dt_get_prompt_args, arguments, RAW, 0,
	         "Its arguments, by name."),
	DT_FIELD_END,
};

static const struct dt_field ref_fields[] = {
	DT_FIELD(struct dt_complete_ref, type, NAME, DT_REQ,
	         "Of a prompt or of a resource."),
	DT_FIELD(struct dt_complete_ref, name, NAME, 0, "Which prompt."),
	DT_FIELD(struct dt_complete_ref, uri, NAME, 0, "Which template."),
	DT_FIELD_END,
};
static const struct dt_shape ref_shape =
	DT_SHAPE(struct dt_complete_ref, ref_fields);

static const struct dt_field argument_fields[] = {
	DT_FIELD(struct dt_complete_argument, name, NAME, DT_REQ,
	         "Which argument."),
	DT_FIELD(struct dt_complete_argument, value, NAME, DT_REQ,
	         "What was typed so far."),
	DT_FIELD_END,
};
static const struct dt_shape argument_shape =
	DT_SHAPE(struct dt_complete_argument, argument_fields);

static const struct dt_field complete_args[] = {
	DT_FIELD_OBJECT("ref", struct dt_complete_args, ref,
	                struct dt_complete_ref, ref_shape, DT_REQ,
	                "What is to be completed."),
	DT_FIELD_OBJECT("argument", struct dt_complete_args, argument,
	                struct dt_complete_argument, argument_shape, DT_REQ,
	                "The argument, as far as it goes."),
	DT_FIELD_END,
};

static const struct dt_field read_args[] = {
	DT_FIELD(struct dt_read_resource_args, uri, NAME, DT_REQ,
	         "Which resource."),
	DT_FIELD_END,
};

const struct dt_tool dt_methods[] = {
	{
		.name = "prompts/get",
		.doc = "The text of a prompt.",
		.args = DT_SHAPE(struct dt_get_prompt_args, get_prompt_args),
		.effect = DT_READS,
		.deadline_ms = PROMPT_MS,
		.run = dt_get_prompt,
	},
	{
		.name = "completion/complete",
		.doc = "What an argument may go on with.",
		.args = DT_SHAPE(struct dt_complete_args, complete_args),
		.effect = DT_READS,
		.deadline_ms = LIST_MS,
		.run = dt_complete,
	},
	{
		.name = "resources/list",
		.doc = "The open documents, and what is known of them.",
		.args = DT_SHAPE_EMPTY,
		.effect = DT_READS,
		.deadline_ms = LIST_MS,
		.run = dt_list_resources,
	},
	{
		.name = "resources/templates/list",
		.doc = "How files of the workspace are named as resources.",
		.args = DT_SHAPE_EMPTY,
		.effect = DT_READS,
		.deadline_ms = LIST_MS,
		.run = dt_list_templates,
	},
	{
		.name = "resources/read",
		.doc = "What a resource holds.",
		.args = DT_SHAPE(struct dt_read_resource_args, read_args),
		.effect = DT_READS,
		.deadline_ms = READ_MS,
		.run = dt_read_resource,
	},
	{ .name = NULL },
};
