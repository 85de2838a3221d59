/*
 * hub/control_view.c - open, select, mention: a person's hand at the command
 * line in place of an editor.  Lines and columns are 1-based here, columns
 * count characters.
 */
#include "hub/control.h"

#include "base/limits.h"
#include "base/path.h"
#include "editor/text.h"
#include "hub/events.h"
#include "hub/gate.h"
#include "hub/mute.h"
#include "hub/session.h"
#include "hub/workspace.h"
#include "rpc/code.h"

/* What is selected and mentioned are the person's words to agents. */
#define SPEAKS "select or mention for the person"

/* An operation on the workspace's editor whose end answers the request. */
struct doing {
	struct dt_answer answer;
	struct dt_workspace *ws;
	struct dt_request *req;
	const char *path;
	uint32_t lines;
};

/* Why no agent is told of it, for the person; or nothing. */
static void put_withheld(struct dt_json_out *out, const struct dt_workspace *ws,
                         const char *path)
{
	struct dt_fail fail = { 0 };

	if (!*path)
		return;
	if (dt_mute_has_all(ws->hub))
		dt_fail(&fail, DT_E_DENIED,
		        "agents are muted: `dovetail unmute` ends that");
	if (!fail.code && !dt_gate_check_path(ws, path, &fail))
		return;
	dt_json_key(out, "withheld");
	dt_json_put_z(out, fail.msg);
}

static void on_done(struct dt_answer *answer, const void *result,
                    const struct dt_fail *fail, void *owner)
{
	struct doing *doing = owner;
	struct dt_json_out *out;

	(void)answer;
	(void)result;
	if (fail) {
		dt_request_fail_with(doing->req, fail);
		return;
	}
	out = dt_request_begin(doing->req);
	dt_json_begin_object(out);
	dt_json_key(out, "path");
	dt_json_put_z(out, doing->path);
	dt_json_key(out, "lines");
	dt_json_put_int(out, doing->lines);
	put_withheld(out, doing->ws, doing->path);
	dt_json_end_object(out);
	dt_request_end(doing->req);
}

static void perform(struct dt_workspace *ws, struct dt_request *req,
                    const struct dt_operation *op, const void *args,
                    const char *path, uint32_t lines)
{
	struct doing *doing = dt_arena_alloc(&req->arena, sizeof(*doing));

	doing->ws = ws;
	doing->req = req;
	doing->path = path;
	doing->lines = lines;
	dt_answer_init(&doing->answer, on_done, doing);
	ws->editor->backend->perform(ws->editor, op, args, &doing->answer);
}

/* The workspace of a path, else the one the person is in; fails the request when
 * there is none. */
static struct dt_workspace *workspace_for(struct dt_client *client,
                                          struct dt_request *req,
                                          const char *path, const char *folder)
{
	struct dt_workspace *ws =
		dt_hub_workspace_at(client->hub, &req->arena, path);
	struct dt_fail fail = { 0 };

	if (!ws && folder)
		ws = dt_hub_workspace_at(client->hub, &req->arena, folder);
	if (ws)
		return ws;
	dt_fail(&fail, DT_E_MISSING,
	        "%s is in no folder that is served: run `dovetail start` there",
	        path);
	dt_request_fail_with(req, &fail);
	return NULL;
}

/* A file as agents know it: by its real path where a link leads into the
 * workspace, for their folder is a real path too; else as it was given. */
static const char *known_as(const struct dt_workspace *ws,
                            struct dt_request *req, const char *path)
{
	const char *root = dt_workspace_root(ws);
	const char *real;

	if (!dt_path_is_beneath(path, root) &&
	    !dt_path_real(&req->arena, path, &real, NULL) &&
	    dt_path_is_beneath(real, root))
		return real;
	return path;
}

/* The text of a file, for turning a person's columns into positions. */
static bool read_text(struct dt_workspace *ws, struct dt_request *req,
                      const char *path, struct dt_buf *out)
{
	struct dt_fail fail = { 0 };

	dt_buf_init(out, DT_LIMIT_FILE);
	if (!dt_documents_read(&ws->docs, path, DT_TEXT_ANYWHERE, out, NULL,
	                       &fail))
		return true;
	dt_buf_done(out);
	dt_request_fail_with(req, &fail);
	return false;
}

/* open */

struct open_args {
	const char *path;
	const char *folder;
	uint32_t line;
	uint32_t column;
};
static const struct dt_field open_fields[] = {
	DT_FIELD(struct open_args, path, PATH, DT_REQ, "The file."),
	DT_FIELD(struct open_args, folder, PATH, 0, "Where the person is."),
	DT_FIELD(struct open_args, line, U32, 0, "1-based line."),
	DT_FIELD(struct open_args, column, U32, 0, "1-based column."),
	DT_FIELD_END,
};

static void open_file(struct dt_client *client, struct dt_request *req,
                      const void *args)
{
	const struct open_args *wanted = args;
	struct dt_open_args open = { .is_frontmost = true };
	struct dt_workspace *ws =
		workspace_for(client, req, wanted->path, wanted->folder);
	struct dt_position at;
	struct dt_buf text;

	if (!ws)
		return;
	open.path = known_as(ws, req, wanted->path);
	if (!read_text(ws, req, open.path, &text))
		return;
	at = dt_text_from_person(dt_buf_str(&text), wanted->line,
	                         wanted->column ? wanted->column : 1);
	dt_buf_done(&text);
	open.line = (struct dt_maybe_u32){ true, at.line };
	open.character = at.character;
	perform(ws, req, &dt_op_open_file, &open, open.path, at.line + 1);
}

/* select */

struct select_args {
	const char *path;
	const char *folder;
	bool is_clear;
	uint32_t start_line;
	uint32_t start_column;
	uint32_t end_line;
	uint32_t end_column;
};
static const struct dt_field select_fields[] = {
	DT_FIELD(struct select_args, path, PATH, 0, "The file."),
	DT_FIELD(struct select_args, folder, PATH, 0, "Where the person is."),
	DT_FIELD_AS("clear", struct select_args, is_clear, BOOL, 0,
	            "Select nothing."),
	DT_FIELD_AS("startLine", struct select_args, start_line, U32, 0,
	            "1-based."),
	DT_FIELD_AS("startColumn", struct select_args, start_column, U32, 0,
	            "1-based; 0: the line's start."),
	DT_FIELD_AS("endLine", struct select_args, end_line, U32, 0,
	            "1-based."),
	DT_FIELD_AS("endColumn", struct select_args, end_column, U32, 0,
	            "1-based, exclusive; 0: the line's end."),
	DT_FIELD_END,
};

static void select_range(struct dt_client *client, struct dt_request *req,
                         const void *args)
{
	const struct select_args *wanted = args;
	const char *where = wanted->path ? wanted->path : wanted->folder;
	struct dt_selection selection = { 0 };
	struct dt_workspace *ws;
	struct dt_buf text;

	if (!where || (!wanted->path && !wanted->is_clear)) {
		dt_request_fail(req, DT_RPC_INVALID_PARAMS, "path: missing");
		return;
	}
	ws = workspace_for(client, req, where, wanted->folder);
	if (!ws)
		return;
	if (wanted->is_clear) {
		perform(ws, req, &dt_op_select, &selection, "", 0);
		return;
	}
	selection.path = known_as(ws, req, wanted->path);
	if (!read_text(ws, req, selection.path, &text))
		return;
	selection.range.start = dt_text_from_person(
		dt_buf_str(&text), wanted->start_line,
		wanted->start_column ? wanted->start_column : 1);
	selection.range.end = dt_text_from_person(
		dt_buf_str(&text), wanted->end_line, wanted->end_column);
	dt_buf_done(&text);
	if (selection.range.end.line < selection.range.start.line) {
		dt_request_fail(req, DT_RPC_INVALID_PARAMS,
		                "it ends before it starts");
		return;
	}
	perform(ws, req, &dt_op_select, &selection, selection.path,
	        selection.range.end.line - selection.range.start.line + 1);
}

/* mention */

struct mention_args {
	const char *path;
	const char *folder;
	uint32_t first_line;
	uint32_t last_line;
	const char *agent;
};
static const struct dt_field mention_fields[] = {
	DT_FIELD(struct mention_args, path, PATH, DT_REQ, "The file."),
	DT_FIELD(struct mention_args, folder, PATH, 0, "Where the person is."),
	DT_FIELD_AS("firstLine", struct mention_args, first_line, U32, 0,
	            "1-based; 0: the whole file."),
	DT_FIELD_AS("lastLine", struct mention_args, last_line, U32, 0,
	            "1-based, included."),
	DT_FIELD(struct mention_args, agent, NAME, 0, "Only this agent."),
	DT_FIELD_END,
};

static void mention(struct dt_client *client, struct dt_request *req,
                    const void *args)
{
	const struct mention_args *wanted = args;
	struct dt_workspace *ws =
		workspace_for(client, req, wanted->path, wanted->folder);
	struct dt_mention what = { 0 };
	struct dt_session *session;
	struct dt_fail fail = { 0 };
	struct dt_json_out *out;

	if (!ws)
		return;
	what.path = known_as(ws, req, wanted->path);
	if (wanted->first_line) {
		uint32_t last = wanted->last_line > wanted->first_line
		                        ? wanted->last_line
		                        : wanted->first_line;

		what.first =
			(struct dt_maybe_u32){ true, wanted->first_line - 1 };
		what.last = (struct dt_maybe_u32){ true, last - 1 };
	}
	if (dt_events_mention(ws, &what, wanted->agent, &session, &fail)) {
		dt_request_fail_with(req, &fail);
		return;
	}
	out = dt_request_begin(req);
	dt_json_begin_object(out);
	dt_json_key(out, "agent");
	dt_json_put_z(out, session ? dt_session_name(session) : "");
	dt_json_key(out, "isWaiting");
	dt_json_put_bool(out, !session);
	dt_json_end_object(out);
	dt_request_end(req);
}

const struct dt_method dt_methods_view[] = {
	{ "open", DT_SHAPE(struct open_args, open_fields), open_file },
	{ "select", DT_SHAPE(struct select_args, select_fields), select_range,
	  .persons = SPEAKS },
	{ "mention", DT_SHAPE(struct mention_args, mention_fields), mention,
	  .persons = SPEAKS },
	{ .name = NULL },
};
