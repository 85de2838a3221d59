/*
 * dialect/mcp_call.c - tools/call, and the methods that are carried out alike.
 *
 * A call ends exactly once, by its reply, by a cancellation, or by a question
 * that the agent answers in a call of its own.  What it tells on the way is
 * dropped when the agent does not keep up; its answer never is.
 */
#include "dialect/mcp_call.h"

#include "base/buf.h"
#include "base/limits.h"
#include "base/sha256.h"
#include "rpc/code.h"

/* replies */

/* `call` NULL: there is but the content. */
static struct dt_json_out *write_tool_reply(struct dt_mcp_turn *turn,
                                            const struct dt_call *call,
                                            const struct dt_content *content,
                                            bool is_error)
{
	struct dt_json_out *out = dt_mcp_begin(turn);

	dt_json_key(out, "content");
	dt_json_begin_array(out);
	for (; content; content = content->next)
		dt_mcp_put_content(out, content, turn->revision);
	dt_json_end_array(out);
	if (call && call->structured.ptr && turn->revision >= DT_MCP_2025_06) {
		dt_json_key(out, "structuredContent");
		dt_json_put_written(out, call->structured);
	}
	if (is_error) {
		dt_json_key(out, "isError");
		dt_json_put_bool(out, true);
	}
	return out;
}

/* A sentence instead of a reply.  Since 2025-11-25 the model reads also what is
 * wrong with its arguments. */
static void refuse_tool(struct dt_mcp_turn *turn, const struct dt_fail *fail)
{
	struct dt_content content = { .text = dt_str(fail->msg) };

	if (fail->code == DT_E_ARGS && turn->revision < DT_MCP_2025_11)
		dt_request_fail_with(turn->req, fail);
	else
		dt_mcp_end(turn, write_tool_reply(turn, NULL, &content, true));
}

static void reply_tool(struct dt_mcp_turn *turn, const struct dt_call *call,
                       const struct dt_content *content, bool is_error)
{
	struct dt_json_out *out =
		write_tool_reply(turn, call, content, is_error);
	struct dt_fail fail = { 0 };

	if (!out->buf->overflow) {
		dt_mcp_end(turn, out);
		return;
	}
	dt_fail(&fail, DT_E_LIMIT, "%s: the reply is larger than %u bytes",
	        call->tool->name, DT_LIMIT_MESSAGE);
	refuse_tool(turn, &fail);
}

static void reply_method(struct dt_mcp_turn *turn, const struct dt_call *call,
                         const struct dt_content *content)
{
	struct dt_json_out *out = dt_mcp_begin(turn);

	dt_mcp_put_reply(turn, call->tool->name, content, out);
	dt_mcp_end(turn, out);
}

/* The client would have to declare what it lacks. */
static void refuse_lacking(struct dt_mcp_turn *turn, const char *what,
                           const char *message)
{
	const char *data =
		dt_arena_printf(&turn->req->arena,
	                        "{\"requiredCapabilities\":{\"%s\":{}}}", what);

	dt_mcp_fail(turn, DT_MCP_LACKS, 400, dt_str(data), "%s", message);
}

/* A method has no way to say "this went wrong" but an error. */
static void refuse_method(struct dt_mcp_turn *turn, enum dt_err why,
                          const char *message)
{
	const struct dt_mcp_work *work = turn->req->owner;
	int code = why == DT_E_ARGS ? DT_RPC_INVALID_PARAMS : DT_RPC_INTERNAL;
	struct dt_buf data;
	struct dt_json_out out;

	if (why != DT_E_MISSING || !work->uri.ptr) {
		dt_mcp_fail(turn, code, 200, (struct dt_str){ 0 }, "%s",
		            message);
		return;
	}
	dt_buf_init(&data, DT_LIMIT_MESSAGE);
	out = dt_json_out(&data);
	dt_json_begin_object(&out);
	dt_json_key(&out, "uri");
	dt_json_put_str(&out, work->uri);
	dt_json_end_object(&out);
	code = DT_RPC_INVALID_PARAMS;
	if (turn->revision < DT_MCP_2026_07)
		code = DT_MCP_NO_RESOURCE;
	dt_mcp_fail(turn, code, 200, dt_buf_str(&data), "%s", message);
	dt_buf_done(&data);
}

static void on_call_end(struct dt_call *call, const struct dt_content *content,
                        bool is_error, void *owner)
{
	struct dt_mcp_work *work = owner;
	struct dt_mcp_turn *turn = &work->turn;
	const char *text =
		is_error ? dt_arena_strndup(call->arena, content->text.ptr,
	                                    content->text.len)
			 : NULL;

	dt_mcp_work_end(work);
	if (call->lacks && turn->revision >= DT_MCP_2026_07)
		refuse_lacking(turn, call->lacks, text);
	else if (work->is_tool)
		reply_tool(turn, call, content, is_error);
	else if (is_error)
		refuse_method(turn, call->failed, text);
	else
		reply_method(turn, call, content);
}

/* on the way */

static void on_progress(struct dt_call *call, const struct dt_progress *p,
                        void *owner)
{
	struct dt_mcp_work *work = owner;
	struct dt_mcp_turn *turn = &work->turn;
	struct dt_json_out out;
	struct dt_buf params;

	(void)call;
	/* The numbers only grow. */
	if ((work->has_told && p->done <= work->told) ||
	    dt_request_is_clogged(turn->req))
		return;
	work->has_told = true;
	work->told = p->done;
	dt_buf_init(&params, DT_LIMIT_MESSAGE);
	out = dt_json_out(&params);
	dt_json_begin_object(&out);
	dt_json_key(&out, "progressToken");
	dt_json_put_raw(&out, turn->progress);
	dt_json_key(&out, "progress");
	dt_json_put_int(&out, (int64_t)p->done);
	if (p->total) {
		dt_json_key(&out, "total");
		dt_json_put_int(&out, (int64_t)p->total);
	}
	if (turn->revision >= DT_MCP_2025_03)
		dt_mcp_put_pair(&out, "message", p->message);
	dt_json_end_object(&out);
	dt_request_notify(turn->req, "notifications/progress",
	                  dt_buf_str(&params));
	dt_buf_done(&params);
}

static void on_log(struct dt_call *call, enum dt_call_level level,
                   const char *logger, struct dt_str json, void *owner)
{
	struct dt_mcp_work *work = owner;
	struct dt_mcp_turn *turn = &work->turn;
	/* Legacy clients may change their mind while it runs. */
	int wanted = turn->revision < DT_MCP_2026_07 ? turn->mcp->level
	                                             : turn->level;
	struct dt_json_out out;
	struct dt_buf params;

	(void)call;
	if ((int)level < wanted || dt_request_is_clogged(turn->req))
		return;
	dt_buf_init(&params, DT_LIMIT_MESSAGE);
	out = dt_json_out(&params);
	dt_json_begin_object(&out);
	dt_mcp_put_pair(&out, "level", dt_mcp_levels[level]);
	dt_mcp_put_pair(&out, "logger", logger);
	dt_json_key(&out, "data");
	dt_json_put_raw(&out, json);
	dt_json_end_object(&out);
	dt_request_notify(turn->req, "notifications/message",
	                  dt_buf_str(&params));
	dt_buf_done(&params);
}

static const struct dt_call_face talking = {
	.progress = on_progress,
	.log = on_log,
	.can_ask = dt_mcp_can_ask,
	.ask = dt_mcp_ask,
};
static const struct dt_call_face quiet = {
	.log = on_log,
	.can_ask = dt_mcp_can_ask,
	.ask = dt_mcp_ask,
};

/* the end before the end */

void dt_mcp_work_end(struct dt_mcp_work *work)
{
	if (work->is_counted)
		work->turn.mcp->calls--;
	work->is_counted = false;
	dt_mcp_ask_end(work);
}

static void on_cancel(struct dt_request *req, void *owner)
{
	struct dt_mcp_work *work = owner;

	dt_mcp_work_end(work);
	dt_call_drop(work->call);
	dt_request_end(req);
}

static void refuse_call(struct dt_mcp_work *work, const struct dt_fail *fail)
{
	dt_mcp_work_end(work);
	if (work->is_tool)
		refuse_tool(&work->turn, fail);
	else
		refuse_method(&work->turn, fail->code, fail->msg);
}

/* What the call is about, so that a sealed state fits no other. */
static struct dt_str about(struct dt_mcp_turn *turn, const struct dt_tool *tool)
{
	static const char *const members[] = { "name", "arguments", "uri" };
	struct dt_arena *arena = &turn->req->arena;
	char *text =
		dt_arena_printf(arena, "%s %s", turn->req->method, tool->name);

	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		const struct dt_json *value =
			dt_json_get(turn->params, members[i]);
		char digest[DT_SHA256_TEXT] = "";

		if (value)
			dt_sha256_hex(value->raw.ptr, value->raw.len, digest);
		text = dt_arena_printf(arena, "%s %s", text, digest);
	}
	return dt_str(text);
}

/* A call come again brings the answers and the state it was given. */
static bool read_answers(struct dt_mcp_work *work, struct dt_call_spec *spec)
{
	struct dt_mcp_turn *turn = &work->turn;
	const struct dt_json *answers =
		dt_json_get(turn->params, "inputResponses");
	const struct dt_json *state = dt_json_get(turn->params, "requestState");
	struct dt_str text;

	if (turn->revision < DT_MCP_2026_07 || (!turn->client && !state))
		return true;
	work->about = about(turn, spec->tool);
	if (answers && answers->type != DT_JSON_OBJECT) {
		dt_mcp_fail(turn, DT_RPC_INVALID_PARAMS, 200,
		            (struct dt_str){ 0 },
		            "inputResponses: expected object");
		return false;
	}
	spec->answers = answers;
	if (!state)
		return true;
	text = state->type == DT_JSON_STRING
	               ? dt_json_text(&turn->req->arena, state)
	               : (struct dt_str){ 0 };
	if (dt_mcp_unseal(turn, work->about, text, &spec->asked_state))
		return true;
	dt_mcp_fail(turn, DT_RPC_INVALID_PARAMS, 200, (struct dt_str){ 0 },
	            "requestState: not ours, too old, or of another request");
	return false;
}

/* The message is lent, and the call may end after it. */
static void keep_uri(struct dt_mcp_work *work)
{
	const struct dt_json *uri = dt_json_get(work->turn.params, "uri");
	struct dt_arena *arena = &work->turn.req->arena;
	struct dt_str text;

	if (!uri || uri->type != DT_JSON_STRING)
		return;
	text = dt_json_text(arena, uri);
	work->uri.ptr = dt_arena_strndup(arena, text.ptr, text.len);
	work->uri.len = text.len;
}

static void start(struct dt_mcp_turn *turn, const struct dt_tool *tool,
                  struct dt_caller *caller, const struct dt_json *args)
{
	struct dt_mcp_work *work =
		dt_arena_alloc(&turn->req->arena, sizeof(*work));
	struct dt_fail fail = { 0 };
	struct dt_call_spec spec = {
		.arena = &turn->req->arena,
		.caller = caller,
		.tool = tool,
		.args = args,
		.folder = turn->agent->dialect->takes_workspace ? caller->folder
		                                                : NULL,
		.agent = turn->agent,
		.face = turn->progress.ptr ? &talking : &quiet,
		.on_end = on_call_end,
		.owner = work,
	};

	work->turn = *turn;
	work->is_tool = !strcmp(turn->req->method, "tools/call");
	if (!work->is_tool)
		keep_uri(work);
	if (!read_answers(work, &spec))
		return;
	work->turn.params = NULL;
	turn->req->on_cancel = on_cancel;
	turn->req->owner = work;
	work->is_counted = true;
	turn->mcp->calls++;
	/* The call may end, and free the request, before start returns. */
	if (dt_call_start(&spec, &work->call, &fail))
		refuse_call(work, &fail);
}

static bool is_busy(struct dt_mcp_turn *turn)
{
	unsigned limit = turn->agent->limits.calls;
	struct dt_fail fail = { 0 };

	if (limit == 0 || turn->mcp->calls < limit)
		return false;
	dt_agent_hit(turn->agent, "limits.calls");
	dt_fail(&fail, DT_E_LIMIT,
	        "%u calls are under way already (limits.calls): wait for one "
	        "to end",
	        limit);
	refuse_tool(turn, &fail);
	return true;
}

/* In which workspace: the caller's own or the one it names. */
static struct dt_caller *choose(struct dt_mcp_turn *turn,
                                const struct dt_json *args)
{
	const struct dt_json *named = dt_json_get(args, "workspace");
	struct dt_caller *caller = NULL;
	struct dt_fail fail = { 0 };

	if (!turn->agent->dialect->takes_workspace || !named ||
	    named->type == DT_JSON_NULL)
		return &turn->agent->caller;
	if (named->type != DT_JSON_STRING)
		dt_fail(&fail, DT_E_ARGS, "workspace: expected string");
	else
		caller = turn->agent->host->choose(
			turn->agent, dt_json_text(&turn->req->arena, named),
			&fail);
	if (!caller)
		refuse_tool(turn, &fail);
	return caller;
}

static void fail_unknown(struct dt_agent *agent, struct dt_str name,
                         struct dt_fail *fail)
{
	const char *nearest = dt_dialect_nearest(agent->dialect, name);

	if (nearest && !dt_tool_is_hidden(dt_agent_hidden(agent), nearest))
		dt_fail(fail, DT_E_ARGS,
		        "no tool is named %.*s; did you mean %s?",
		        DT_STR_ARG(name), nearest);
	else
		dt_fail(fail, DT_E_ARGS, "no tool is named %.*s",
		        DT_STR_ARG(name));
}

void dt_mcp_call_tool(struct dt_mcp_turn *turn)
{
	const struct dt_json *name = dt_json_get(turn->params, "name");
	const struct dt_json *args = dt_json_get(turn->params, "arguments");
	const struct dt_tool *tool;
	struct dt_caller *caller;
	struct dt_fail fail = { 0 };
	struct dt_str text;

	if (!name || name->type != DT_JSON_STRING) {
		dt_request_fail(turn->req, DT_RPC_INVALID_PARAMS,
		                "name: missing");
		return;
	}
	text = dt_json_text(&turn->req->arena, name);
	tool = dt_dialect_find_tool(turn->agent->dialect, text);
	if (!tool ||
	    dt_tool_is_hidden(dt_agent_hidden(turn->agent), tool->name)) {
		fail_unknown(turn->agent, text, &fail);
		dt_request_fail_with(turn->req, &fail);
		return;
	}
	if (dt_mcp_check_arguments(turn, tool, &fail)) {
		dt_mcp_fail(turn, DT_MCP_HEADERS, 400, (struct dt_str){ 0 },
		            "%s", fail.msg);
		return;
	}
	if (is_busy(turn))
		return;
	caller = choose(turn, args);
	if (caller)
		start(turn, tool, caller, args);
}

void dt_mcp_call_method(struct dt_mcp_turn *turn, const struct dt_tool *method)
{
	start(turn, method, &turn->agent->caller, turn->params);
}
