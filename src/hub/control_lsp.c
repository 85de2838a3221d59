/* hub/control_lsp.c - what `dovetail lsp` asks: the language servers of the
 * workspace the person is in. */
#include "hub/control.h"

#include "editor/code_file.h"
#include "hub/workspace.h"
#include "rpc/code.h"

/* An operation of the workspace's editor whose result is the answer. */
struct doing {
	struct dt_answer answer;
	const struct dt_operation *op;
	struct dt_request *req;
};

static void on_done(struct dt_answer *answer, const void *result,
                    const struct dt_fail *fail, void *owner)
{
	struct doing *doing = owner;

	(void)answer;
	if (fail) {
		dt_request_fail_with(doing->req, fail);
		return;
	}
	dt_shape_write(&doing->op->result, result,
	               dt_request_begin(doing->req));
	dt_request_end(doing->req);
}

/* The command went away. */
static void on_cancel(struct dt_request *req, void *owner)
{
	struct doing *doing = owner;

	dt_answer_drop(&doing->answer);
	dt_request_end(req);
}

static void perform(struct dt_client *client, struct dt_request *req,
                    const char *folder, const struct dt_operation *op,
                    const void *args)
{
	struct dt_workspace *ws =
		dt_hub_workspace_at(client->hub, &req->arena, folder);
	struct doing *doing = dt_arena_alloc(&req->arena, sizeof(*doing));
	struct dt_fail fail = { 0 };

	if (!ws) {
		dt_fail(&fail, DT_E_MISSING,
		        "%s is in no folder that is served: run `dovetail "
		        "start` there",
		        folder);
		dt_request_fail_with(req, &fail);
		return;
	}
	doing->op = op;
	doing->req = req;
	req->on_cancel = on_cancel;
	req->owner = doing;
	dt_answer_init(&doing->answer, on_done, doing);
	ws->editor->backend->perform(ws->editor, op, args, &doing->answer);
}

struct lsp_args {
	const char *folder;
	const char *name;
};
static const struct dt_field list_fields[] = {
	DT_FIELD(struct lsp_args, folder, PATH, DT_REQ, "Where the person is."),
	DT_FIELD_END,
};
static const struct dt_field restart_fields[] = {
	DT_FIELD(struct lsp_args, folder, PATH, DT_REQ, "Where the person is."),
	DT_FIELD(struct lsp_args, name, NAME, 0, "One server; absent: all."),
	DT_FIELD_END,
};

static void list(struct dt_client *client, struct dt_request *req,
                 const void *args)
{
	const struct lsp_args *wanted = args;

	perform(client, req, wanted->folder, &dt_op_list_servers, NULL);
}

static void restart(struct dt_client *client, struct dt_request *req,
                    const void *args)
{
	const struct lsp_args *wanted = args;
	struct dt_restart_servers_args servers = { .name = wanted->name };

	perform(client, req, wanted->folder, &dt_op_restart_servers, &servers);
}

const struct dt_method dt_methods_lsp[] = {
	{ "lsp/list", DT_SHAPE(struct lsp_args, list_fields), list },
	{ "lsp/restart", DT_SHAPE(struct lsp_args, restart_fields), restart },
	{ .name = NULL },
};
