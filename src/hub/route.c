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
#include "hub/env.h"
#include "hub/passage.h"
#include "hub/policy.h"
#include "hub/propose.h"

static void get_folders(struct dt_workspace *ws, struct dt_answer *answer)
{
	struct dt_folders_result result = { ws->record.roots };

	dt_answer_end(answer, &result);
}

static void list_files(struct dt_workspace *ws, const void *args,
                       struct dt_answer *answer)
{
	struct dt_arena arena = { 0 };
	struct dt_listing_spec spec = {
		.loop = ws->hub->loop,
		.roots = &ws->record.roots,
		.git = dt_env_find(ws, &arena, "git"),
		.env = dt_env_list(ws, &arena),
	};

	dt_listing_start(&spec, args, answer);
	dt_arena_done(&arena);
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
	if (op == &dt_op_get_folders)
		get_folders(ws, answer);
	else if (op == &dt_op_list_files)
		list_files(ws, args, answer);
	else
		ask_editor(ws, op, args, answer);
}

static void perform(struct dt_caller *caller, const struct dt_operation *op,
                    const void *args, struct dt_answer *answer)
{
	struct dt_fail fail = { 0 };

	if (!caller->place)
		dt_answer_failf(answer, DT_E_CLOSED,
		                "that workspace is not served any more");
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

void dt_route_init(struct dt_caller *caller, struct dt_session *s,
                   struct dt_workspace *ws)
{
	*caller = (struct dt_caller){
		.loop = ws->hub->loop,
		.owner = s,
		.place = ws,
		.perform = perform,
		.allow = allow,
	};
}
