/*
 * hub/route.c - proposals go to the inbox, the rest to an editor.
 *
 * What needs no editor is answered here.  What the workspace's editor cannot do
 * ends with a sentence that says what is missing.  Policy is asked by effect,
 * before the tool runs; what is in a proposal is for the rules of review/.
 */
#include "hub/route.h"

#include "hub/policy.h"

static struct dt_session *session_of(struct dt_caller *caller)
{
	return DT_LIST_OF(caller, struct dt_session, agent.caller);
}

static void propose(struct dt_session *s, const void *args,
                    struct dt_answer *answer)
{
	struct dt_review_spec spec = {
		.workspace = s->ws->record.id,
		.session = s->id,
		.agent = dt_session_name(s),
		.args = args,
		.docs = &s->ws->docs,
		.rules = dt_config_rules(s->ws->config),
	};

	dt_inbox_open(&s->ws->hub->inbox, &spec, answer);
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

static void get_folders(struct dt_session *s, struct dt_answer *answer)
{
	struct dt_folders_result result = { s->ws->record.roots };

	dt_answer_end(answer, &result);
}

static void perform(struct dt_caller *caller, const struct dt_operation *op,
                    const void *args, struct dt_answer *answer)
{
	struct dt_session *s = session_of(caller);
	struct dt_editor *editor = s->ws->editor;

	if (op == &dt_op_propose)
		propose(s, args, answer);
	else if (op == &dt_op_withdraw)
		withdraw(s, args, answer);
	else if (op == &dt_op_get_folders)
		get_folders(s, answer);
	else if (editor->can[op->index])
		editor->backend->perform(editor, op, args, answer);
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

void dt_route_init(struct dt_session *s)
{
	s->agent.caller = (struct dt_caller){
		.loop = s->ws->hub->loop,
		.perform = perform,
		.allow = allow,
	};
}
