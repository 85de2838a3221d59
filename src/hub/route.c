/*
 * hub/route.c - reviews are for the inbox, the rest goes to an editor.
 *
 * What needs no editor is answered here.  What the workspace's editor cannot do
 * ends with a sentence that says what is missing.  Policy is asked by effect,
 * before the tool runs; what is in a proposal is for the rules of review/, and
 * what of a file is told for the gate, see passage.c.
 */
#include "hub/route.h"

#include "backend/listing.h"
#include "hub/activity.h"
#include "hub/bridge.h"
#include "hub/checkpoint.h"
#include "hub/env.h"
#include "hub/note.h"
#include "hub/passage.h"
#include "hub/permit.h"
#include "hub/policy.h"
#include "hub/propose.h"
#include "hub/stage.h"

static void get_folders(struct dt_session *s, struct dt_workspace *ws,
                        const void *args, struct dt_answer *answer)
{
	struct dt_folders_result result = { ws->record.roots };

	(void)s;
	(void)args;
	dt_answer_end(answer, &result);
}

static void list_files(struct dt_session *s, struct dt_workspace *ws,
                       const void *args, struct dt_answer *answer)
{
	struct dt_arena arena = { 0 };
	struct dt_listing_spec spec = {
		.loop = ws->hub->loop,
		.roots = &ws->record.roots,
		.git = dt_env_find(ws, answer->asker, &arena, "git"),
		.env = dt_env_list(ws, answer->asker, &arena),
	};

	(void)s;
	if (spec.git)
		dt_activity_add_program(ws, answer->asker, spec.git);
	dt_listing_start(&spec, args, answer);
	dt_arena_done(&arena);
}

/* What needs no editor. */
typedef void own_fn(struct dt_session *s, struct dt_workspace *ws,
                    const void *args, struct dt_answer *answer);
static own_fn *const own[DT_OP_COUNT] = {
	[DT_OP_get_folders] = get_folders,
	[DT_OP_list_files] = list_files,
	[DT_OP_get_status] = dt_bridge_get_status,
	[DT_OP_list_activity] = dt_bridge_list_activity,
	[DT_OP_wait_activity] = dt_bridge_wait_activity,
	[DT_OP_get_capabilities] = dt_bridge_get_capabilities,
	[DT_OP_search_tools] = dt_bridge_search_tools,
	/* change */
	[DT_OP_preview_change] = dt_stage_preview,
	[DT_OP_save_document] = dt_stage_save,
	[DT_OP_begin_transaction] = dt_stage_begin,
	[DT_OP_stage_change] = dt_stage_change,
	[DT_OP_take_transaction] = dt_stage_take,
	[DT_OP_drop_transaction] = dt_stage_drop,
	[DT_OP_get_note] = dt_note_get,
	[DT_OP_set_note] = dt_note_set,
};

bool dt_route_can(const struct dt_workspace *ws, const struct dt_operation *op)
{
	return own[op->index] || dt_propose_can(op) ||
	       ws->editor->can[op->index];
}

static void ask_editor(struct dt_workspace *ws, const struct dt_operation *op,
                       const void *args, struct dt_answer *answer)
{
	struct dt_editor *editor = ws->editor;

	if (editor->can[op->index])
		editor->backend->perform(editor, op, args, answer);
	else
		dt_answer_failf(answer, DT_E_UNSUPPORTED,
		                "%s needs an editor that can do it, and none "
		                "is attached.",
		                op->name);
}

static void route(struct dt_caller *caller, const struct dt_operation *op,
                  const void *args, struct dt_answer *answer)
{
	struct dt_session *s = caller->owner;
	struct dt_workspace *ws = caller->place;

	if (dt_propose_perform(s, ws, op, args, answer))
		return;
	if (own[op->index])
		own[op->index](s, ws, args, answer);
	else if (dt_permit_is_needed(op))
		dt_permit_ask(caller, op, args, answer, ask_editor);
	else
		ask_editor(ws, op, args, answer);
}

static void perform(struct dt_caller *caller, const struct dt_operation *op,
                    const void *args, struct dt_answer *answer)
{
	struct dt_workspace *ws = caller->place;
	struct dt_fail fail = { 0 };

	/* Nobody could write down any more what is done now. */
	if (ws->hub->is_stopping)
		dt_answer_failf(answer, DT_E_CLOSED, "Dovetail stops");
	else if (dt_passage_check(caller, op, args, &fail))
		dt_answer_fail(answer, &fail);
	else
		route(caller, op, args, dt_passage_open(caller, op, answer));
}

static enum dt_err allow(struct dt_caller *caller, const struct dt_tool *tool,
                         struct dt_fail *fail)
{
	(void)caller;
	return dt_policy_allow(tool->effect, tool->name, fail);
}

static bool lists(struct dt_caller *caller, const struct dt_tool *tool)
{
	return dt_agent_lists(&((struct dt_session *)caller->owner)->agent,
	                      tool);
}

static void on_called(struct dt_caller *caller, const struct dt_call_note *note)
{
	struct dt_workspace *ws = caller->place;

	dt_metrics_count_call(&ws->metrics, note);
	dt_activity_add_call(caller->owner, ws, note);
	/* A tool may have opened or closed documents. */
	dt_checkpoint_changed(ws);
}

void dt_route_init(struct dt_caller *caller, struct dt_session *s,
                   struct dt_workspace *ws)
{
	*caller = (struct dt_caller){
		.loop = ws->hub->loop,
		.output = ws->hub->output,
		.owner = s,
		.place = ws,
		.folder = dt_workspace_root(ws),
		.perform = perform,
		.allow = allow,
		.lists = lists,
		.on_called = on_called,
	};
}
