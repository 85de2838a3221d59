/*
 * hub/route.c - proposals go to the inbox, the rest to an editor.
 *
 * What needs no editor is answered here.  What the workspace's editor cannot do
 * ends with a sentence that says what is missing.  Policy is asked by effect,
 * before the tool runs; what is in a proposal is for the rules of review/.
 */
#include "hub/route.h"

#include "hub/policy.h"

static void propose(struct dt_session *s, struct dt_workspace *ws,
                    const void *args, struct dt_answer *answer)
{
	struct dt_review_spec spec = {
		.workspace = ws->record.id,
		.session = s->id,
		.agent = dt_session_name(s),
		.args = args,
		.docs = &ws->docs,
		.rules = dt_config_rules(ws->config),
	};

	dt_inbox_open(&ws->hub->inbox, &spec, answer);
}

static void withdraw(struct dt_session *s, const void *args,
                     struct dt_answer *answer)
{
	const struct dt_withdraw_args *wanted = args;
	struct dt_withdraw_result result = {
		.count = dt_inbox_withdraw(&s->ws->hub->inbox, s->id,
		                           wanted->title,
		                           "The agent took the change back."),
	};

	dt_answer_end(answer, &result);
}

static void get_folders(struct dt_workspace *ws, struct dt_answer *answer)
{
	struct dt_folders_result result = { ws->record.roots };

	dt_answer_end(answer, &result);
}

static void perform(struct dt_caller *caller, const struct dt_operation *op,
                    const void *args, struct dt_answer *answer)
{
	struct dt_session *s = caller->owner;
	struct dt_workspace *ws = caller->place;

	if (!ws)
		dt_answer_failf(answer, DT_E_CLOSED,
		                "that workspace is not served any more");
	else if (op == &dt_op_propose)
		propose(s, ws, args, answer);
	else if (op == &dt_op_withdraw)
		withdraw(s, args, answer);
	else if (op == &dt_op_get_folders)
		get_folders(ws, answer);
	else if (ws->editor->can[op->index])
		ws->editor->backend->perform(ws->editor, op, args, answer);
	else
		dt_answer_failf(answer, DT_E_UNSUPPORTED,
		                "%s needs an editor that can do it, and none "
		                "is attached.",
		                op->name);
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
