/*
 * tool/edit_tools.c - changes proposed to the person by any MCP client.
 *
 * What becomes of a proposal is tool/change.c's; here is what agents may say.
 */
#include "tool/edit_tools.h"

#include "tool/change.h"

/* proposeEdit */

struct propose_args {
	struct dt_items changes; /* struct dt_change */
	const char *title;
	const char *reason;
	bool writes;
	bool waits;
};

static const struct dt_field change_fields[] = {
	DT_FIELD(struct dt_change, path, PATH, DT_REQ,
	         "Absolute path of the file."),
	DT_FIELD(struct dt_change, kind, ENUM, 0,
	         "A file that is not there is created by change as well; with "
	         "newPath it is renamed.",
	         .names = dt_change_kinds, .def = "\"change\""),
	DT_FIELD_AS("newPath", struct dt_change, new_path, PATH, DT_OMIT,
	            "Where the file goes, when it is renamed."),
	DT_FIELD(struct dt_change, text, STR, DT_BIG | DT_OMIT,
	         "The whole new text; for new files, or instead of edits."),
	DT_FIELD(struct dt_change, edits, ITEMS, DT_OMIT,
	         "What to replace in the file, one after the other.",
	         .shape = &dt_shape_text_edit),
	DT_FIELD_END,
};
static const struct dt_shape change_shape =
	DT_SHAPE(struct dt_change, change_fields);

static const struct dt_field propose_fields[] = {
	DT_FIELD(struct propose_args, changes, ITEMS, DT_REQ,
	         "All files that belong together, each once.",
	         .shape = &change_shape),
	DT_FIELD(struct propose_args, title, NAME, DT_OMIT,
	         "The change in a few words."),
	DT_FIELD(struct propose_args, reason, NAME, DT_OMIT,
	         "Why, for the person who decides."),
	DT_FIELD_AS("write", struct propose_args, writes, BOOL, 0,
	            "Have the accepted texts written: all files or none."),
	DT_FIELD_AS(
		"wait", struct propose_args, waits, BOOL, 0,
		"Wait for the verdict; false: return at once with an id for "
		"getReview.",
		.def = "true"),
	DT_FIELD_END,
};

/* Make the changes fit for the hub, in place. */
static bool tidy(struct dt_call *call, const struct propose_args *wanted)
{
	struct dt_change *changes = wanted->changes.ptr;

	for (size_t i = 0; i < wanted->changes.count; i++) {
		struct dt_change *c = &changes[i];

		if (c->new_path && c->kind != DT_CHANGE_DELETE)
			c->kind = DT_CHANGE_RENAME;
		if (c->kind == DT_CHANGE_RENAME && !c->new_path) {
			dt_call_failf(call, DT_E_ARGS,
			              "changes[%zu].newPath: missing", i);
			return false;
		}
		if (c->kind <= DT_CHANGE_EDIT && !c->text.ptr &&
		    c->edits.count == 0) {
			dt_call_failf(call, DT_E_ARGS,
			              "changes[%zu]: give text or edits", i);
			return false;
		}
	}
	return true;
}

static void propose_edit(struct dt_call *call, const void *args)
{
	const struct propose_args *wanted = args;
	struct dt_change_spec spec = {
		.changes = wanted->changes,
		.title = wanted->title,
		.reason = wanted->reason,
		.writes = wanted->writes,
		.waits = wanted->waits,
		.has_texts = true,
		.is_own_writer = true,
	};

	if (!dt_change_resume(call, &spec) && tidy(call, wanted))
		dt_change_submit(call, &spec);
}

/* getReview */

struct get_args {
	const char *id;
	bool waits;
};

static const struct dt_field get_fields[] = {
	DT_FIELD(struct get_args, id, NAME, DT_REQ,
	         "The id that proposeEdit gave."),
	DT_FIELD_AS("wait", struct get_args, waits, BOOL, 0,
	            "Wait until it is decided."),
	DT_FIELD_END,
};

static void get_review(struct dt_call *call, const void *args)
{
	const struct get_args *wanted = args;

	dt_change_await(call, wanted->id, wanted->waits);
}

static const struct dt_tool tools[] = {
	{
		.name = "proposeEdit",
		.title = "Propose a change",
		.doc = "Show a change of one or more files to the person and "
		       "wait for the verdict, which may take long. Give each "
		       "file its whole new text, or edits that replace pieces "
		       "of it. Returns accepted or rejected, the person's "
		       "comment, and what was accepted: the person may have "
		       "edited a file (edited) or left it out (leftOut). With "
		       "write the accepted texts are written for you; "
		       "otherwise write them yourself. With wait: false it "
		       "returns at once and getReview has the verdict.",
		.args = DT_SHAPE(struct propose_args, propose_fields),
		.result = DT_TOLD_SHAPE,
		.effect = DT_ASKS,
		.run = propose_edit,
	},
	{
		.name = "getReview",
		.title = "Look at a proposed change",
		.doc = "The verdict on a change that proposeEdit did not wait "
		       "for. A verdict is told once.",
		.args = DT_SHAPE(struct get_args, get_fields),
		.result = DT_TOLD_SHAPE,
		.effect = DT_READS,
		.run = get_review,
	},
};

const struct dt_tool_group dt_tools_edit = {
	.name = "edit",
	.doc = "Changes that a person accepts or rejects.",
	.tools = tools,
	.count = sizeof(tools) / sizeof(tools[0]),
};
