/*
 * tool/transaction_tools.c - edits of many calls that become one change.
 *
 * What is staged is kept by the hub and belongs to the session.  It is proposed
 * as a whole: one review, all files or none, and nothing at all when one of the
 * files is not what it was when it was staged.
 */
#include "tool/transaction_tools.h"

#include "base/linediff.h"
#include "base/path.h"
#include "editor/change.h"
#include "tool/change.h"
#include "tool/edit_args.h"

#define SHORT_MS 5000
#define STAGE_MS 10000

/* beginTransaction, rollbackTransaction */

struct transaction_args {
	const char *id;
};
static const struct dt_field begin_fields[] = {
	DT_FIELD_AS("transactionId", struct transaction_args, id, NAME, DT_OMIT,
	            "A name of your own for it; one is made when absent."),
	DT_FIELD_END,
};
static const struct dt_field id_fields[] = {
	DT_FIELD_AS("transactionId", struct transaction_args, id, NAME, DT_REQ,
	            "The id that beginTransaction gave."),
	DT_FIELD_END,
};

struct transaction {
	const char *id;
	uint32_t files;
};
static const struct dt_field transaction_fields[] = {
	DT_FIELD_AS("transactionId", struct transaction, id, NAME, DT_REQ,
	            "Its id."),
	DT_FIELD(struct transaction, files, U32, DT_REQ,
	         "How many files it has, or had."),
	DT_FIELD_END,
};

static void on_transaction(struct dt_call *call, const void *result)
{
	const struct dt_transaction_result *found = result;
	struct transaction told = { found->id, found->file_count };

	dt_call_reply_result(call, &told);
}

static void begin_transaction(struct dt_call *call, const void *args)
{
	const struct transaction_args *wanted = args;
	struct dt_transaction_args begin = { wanted->id };

	dt_call_perform(call, &dt_op_begin_transaction, &begin, on_transaction);
}

static void roll_back(struct dt_call *call, const void *args)
{
	const struct transaction_args *wanted = args;
	struct dt_transaction_args drop = { wanted->id };

	dt_call_perform(call, &dt_op_drop_transaction, &drop, on_transaction);
}

/* stageEdit */

struct stage_args {
	const char *id;
	struct dt_piece_args piece;
};
static const struct dt_field stage_fields[] = {
	DT_FIELD_AS("transactionId", struct stage_args, id, NAME, DT_REQ,
	            "The id that beginTransaction gave."),
	DT_PIECE_FIELDS(struct stage_args, piece),
	DT_FIELD_END,
};

/* What is staged, while the folders are asked for. */
struct staging {
	struct dt_change change;
	struct dt_names folders;
};

static void on_staged(struct dt_call *call, const void *result)
{
	const struct dt_preview_result *staged = result;
	const struct staging *staging = call->state;
	struct dt_teller teller = {
		.arena = call->arena,
		.folders = staging->folders,
		.work = DT_LINES_WORK,
	};
	struct dt_told told = { .verdict = DT_TOLD_UNASKED };

	dt_teller_show(&teller, &staged->changes, &told);
	dt_call_reply_result(call, &told);
}

static void on_folders(struct dt_call *call, const void *result)
{
	const struct dt_folders_result *found = result;
	const struct stage_args *wanted = call->args;
	struct staging *staging = call->state;
	struct dt_stage_args stage = {
		.id = wanted->id,
		.changes = { &staging->change, 1 },
	};

	staging->folders = dt_teller_folders(call->arena, &found->folders);
	dt_call_perform(call, &dt_op_stage_change, &stage, on_staged);
}

static void stage_edit(struct dt_call *call, const void *args)
{
	const struct stage_args *wanted = args;
	struct staging *staging = dt_arena_alloc(call->arena, sizeof(*staging));
	struct dt_change *change = &staging->change;

	if (!dt_piece_read(call, &wanted->piece, change))
		return;
	change->path = dt_path_join(call->arena, "/", change->path);
	call->state = staging;
	dt_call_perform(call, &dt_op_get_folders, NULL, on_folders);
}

/* commitTransaction */

struct commit_args {
	const char *id;
	const char *title;
	const char *reason;
	bool waits;
};
static const struct dt_field commit_fields[] = {
	DT_FIELD_AS("transactionId", struct commit_args, id, NAME, DT_REQ,
	            "The id that beginTransaction gave."),
	DT_FIELD(struct commit_args, title, NAME, DT_OMIT,
	         "The change in a few words."),
	DT_FIELD(struct commit_args, reason, NAME, DT_OMIT,
	         "Why, for the person who may have to decide."),
	DT_FIELD_AS(
		"wait", struct commit_args, waits, BOOL, 0,
		"Wait for the verdict; false: return at once with an id for "
		"getReview.",
		.def = "true"),
	DT_FIELD_END,
};

static struct dt_change_spec spec_of(const struct commit_args *wanted)
{
	return (struct dt_change_spec){
		.title = wanted->title,
		.reason = wanted->reason,
		.writes = true,
		.waits = wanted->waits,
	};
}

static void on_taken(struct dt_call *call, const void *result)
{
	const struct dt_preview_result *taken = result;
	struct dt_change_spec spec = spec_of(call->args);

	spec.changes = dt_changes_copy(call->arena, &taken->changes);
	dt_change_submit(call, &spec);
}

static void commit(struct dt_call *call, const void *args)
{
	const struct commit_args *wanted = args;
	struct dt_change_spec spec = spec_of(wanted);
	struct dt_transaction_args take = { wanted->id };

	if (!dt_change_resume(call, &spec))
		dt_call_perform(call, &dt_op_take_transaction, &take, on_taken);
}

static const struct dt_tool tools[] = {
	{
		.name = "beginTransaction",
		.title = "Begin a change of several files",
		.doc = "Begin to gather edits with stageEdit that are written "
		       "together by commitTransaction, or not at all. It is "
		       "forgotten after ten minutes without a call.",
		.args = DT_SHAPE(struct transaction_args, begin_fields),
		.result = DT_SHAPE(struct transaction, transaction_fields),
		.effect = DT_READS,
		.flags = DT_TOOL_EXTRA,
		.deadline_ms = SHORT_MS,
		.run = begin_transaction,
	},
	{
		.name = "stageEdit",
		.title = "Add an edit to a transaction",
		.doc = "Stage an edit of one file; nothing is written. A file "
		       "that is staged already is edited further, so places "
		       "count in its staged text. Returns the diff of the "
		       "file as it is staged now.",
		.args = DT_SHAPE(struct stage_args, stage_fields),
		.result = DT_TOLD_SHAPE,
		.effect = DT_READS,
		.flags = DT_TOOL_EXTRA,
		.deadline_ms = STAGE_MS,
		.run = stage_edit,
	},
	{
		.name = "commitTransaction",
		.title = "Write what was staged",
		.doc = "Write all edits of a transaction together: one verdict "
		       "for all files, and all of them are written or none. "
		       "Refused when a file has changed since it was staged. "
		       "The transaction is over then, whatever comes of it. "
		       "Written at once where the person's rules allow it; "
		       "else the person decides, which may take long.",
		.args = DT_SHAPE(struct commit_args, commit_fields),
		.result = DT_TOLD_SHAPE,
		.effect = DT_ASKS,
		.flags = DT_TOOL_EXTRA,
		.run = commit,
	},
	{
		.name = "rollbackTransaction",
		.title = "Give a transaction up",
		.doc = "Forget what was staged.",
		.args = DT_SHAPE(struct transaction_args, id_fields),
		.result = DT_SHAPE(struct transaction, transaction_fields),
		.effect = DT_READS,
		.flags = DT_TOOL_EXTRA,
		.deadline_ms = SHORT_MS,
		.run = roll_back,
	},
};

const struct dt_tool_group dt_tools_transaction = {
	.name = "transactions",
	.doc = "Changes of several files, gathered and written together.",
	.tools = tools,
	.count = sizeof(tools) / sizeof(tools[0]),
};
