/*
 * dialect/mcp_legacy.c - initialize, ping, lists, tools/call, cancellation.
 *
 * Which tools there are is the dialect's; what they do is tool/'s.
 */
#include "dialect/mcp_legacy.h"

#include "base/buf.h"
#include "base/limits.h"
#include "rpc/code.h"

#include <stdio.h>
#include <stdlib.h>

/* Newest first; dates compare as text. */
static const char *const versions[] = { "2025-11-25", "2025-06-18",
	                                "2025-03-26", "2024-11-05" };

bool dt_mcp_legacy_is_before(const struct dt_mcp_legacy *mcp,
                             const char *version)
{
	return mcp->version && strcmp(mcp->version, version) < 0;
}

/* initialize */

struct client_info {
	const char *name;
	const char *version;
};
static const struct dt_field client_fields[] = {
	DT_FIELD(struct client_info, name, NAME, 0, "The client."),
	DT_FIELD(struct client_info, version, NAME, 0, "Its version."),
	DT_FIELD_END,
};
static const struct dt_shape client_shape =
	DT_SHAPE(struct client_info, client_fields);

struct initialize {
	const char *version;
	struct client_info client;
};
static const struct dt_field initialize_fields[] = {
	DT_FIELD_AS("protocolVersion", struct initialize, version, NAME, DT_REQ,
	            "The newest version the client speaks."),
	DT_FIELD_OBJECT("clientInfo", struct initialize, client,
	                struct client_info, client_shape, 0, "Who it is."),
	DT_FIELD_END,
};
static const struct dt_shape initialize_shape =
	DT_SHAPE(struct initialize, initialize_fields);

static void keep(char *out, size_t size, const char *text)
{
	if (text)
		snprintf(out, size, "%s", text);
}

/* The client's version when we speak it, else our newest. */
static const char *agree(const char *wanted)
{
	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		if (!strcmp(versions[i], wanted))
			return versions[i];
	}
	return versions[0];
}

static void initialize(struct dt_agent *agent, struct dt_mcp_legacy *mcp,
                       struct dt_request *req, const struct dt_json *params)
{
	struct initialize args = { 0 };
	struct dt_fail fail = { 0 };
	struct dt_json_out *out;

	if (dt_shape_read(&initialize_shape, &req->arena, params, &args,
	                  &fail)) {
		dt_request_fail_with(req, &fail);
		return;
	}
	mcp->version = agree(args.version);
	keep(agent->name, sizeof(agent->name), args.client.name);
	keep(agent->version, sizeof(agent->version), args.client.version);
	out = dt_request_begin(req);
	dt_json_begin_object(out);
	dt_json_key(out, "protocolVersion");
	dt_json_put_z(out, mcp->version);
	dt_json_key(out, "capabilities");
	dt_json_put_raw(out, DT_STR("{\"tools\":{\"listChanged\":false}}"));
	dt_json_key(out, "serverInfo");
	dt_json_begin_object(out);
	dt_json_key(out, "name");
	dt_json_put_z(out, "dovetail");
	dt_json_key(out, "version");
	dt_json_put_z(out, DT_VERSION);
	dt_json_end_object(out);
	dt_json_end_object(out);
	dt_request_end(req);
}

/* tools/list */

static void write_tools(const struct dt_dialect *dialect,
                        struct dt_json_out *out)
{
	const struct dt_tool *tool;

	dt_json_begin_object(out);
	dt_json_key(out, "tools");
	dt_json_begin_array(out);
	for (size_t i = 0; (tool = dt_dialect_tool(dialect, i)); i++) {
		dt_json_begin_object(out);
		dt_json_key(out, "name");
		dt_json_put_z(out, tool->name);
		dt_json_key(out, "description");
		dt_json_put_z(out, tool->doc);
		dt_json_key(out, "inputSchema");
		dt_shape_write_schema(&tool->args, out);
		dt_json_end_object(out);
	}
	dt_json_end_array(out);
	dt_json_end_object(out);
}

static void list_tools(struct dt_agent *agent, struct dt_request *req)
{
	write_tools(agent->dialect, dt_request_begin(req));
	dt_request_end(req);
}

static void list_nothing(struct dt_request *req, const char *member)
{
	struct dt_json_out *out = dt_request_begin(req);

	dt_json_begin_object(out);
	dt_json_key(out, member);
	dt_json_begin_array(out);
	dt_json_end_array(out);
	dt_json_end_object(out);
	dt_request_end(req);
}

static void answer_empty(struct dt_request *req)
{
	struct dt_json_out *out = dt_request_begin(req);

	dt_json_begin_object(out);
	dt_json_end_object(out);
	dt_request_end(req);
}

/* tools/call */

static void write_content(struct dt_request *req,
                          const struct dt_content *content, bool is_error)
{
	struct dt_json_out *out = dt_request_begin(req);

	dt_json_begin_object(out);
	dt_json_key(out, "content");
	dt_json_begin_array(out);
	for (; content; content = content->next) {
		dt_json_begin_object(out);
		dt_json_key(out, "type");
		dt_json_put_str(out, DT_STR("text"));
		dt_json_key(out, "text");
		dt_json_put_str(out, content->text);
		dt_json_end_object(out);
	}
	dt_json_end_array(out);
	if (is_error) {
		dt_json_key(out, "isError");
		dt_json_put_bool(out, true);
	}
	dt_json_end_object(out);
	dt_request_end(req);
}

static void on_call_end(struct dt_call *call, const struct dt_content *content,
                        bool is_error, void *owner)
{
	(void)call;
	write_content(owner, content, is_error);
}

static void on_cancel(struct dt_request *req, void *owner)
{
	struct dt_call **call = owner;

	dt_call_drop(*call);
	dt_request_end(req);
}

/* A refusal before the tool ran: since 2025-11-25 the model reads it. */
static void refuse_call(struct dt_mcp_legacy *mcp, struct dt_request *req,
                        const struct dt_fail *fail)
{
	struct dt_content content = { .text = dt_str(fail->msg) };

	if (fail->code == DT_E_ARGS &&
	    dt_mcp_legacy_is_before(mcp, "2025-11-25"))
		dt_request_fail_with(req, fail);
	else
		write_content(req, &content, true);
}

static void call_tool(struct dt_agent *agent, struct dt_mcp_legacy *mcp,
                      struct dt_request *req, const struct dt_json *params)
{
	const struct dt_json *name = dt_json_get(params, "name");
	struct dt_call_spec spec = {
		.arena = &req->arena,
		.caller = &agent->caller,
		.args = dt_json_get(params, "arguments"),
		.agent = agent,
		.on_end = on_call_end,
		.owner = req,
	};
	struct dt_fail fail = { 0 };
	struct dt_call **call;
	struct dt_str text;

	if (!name || name->type != DT_JSON_STRING) {
		dt_request_fail(req, DT_RPC_INVALID_PARAMS, "name: missing");
		return;
	}
	text = dt_json_text(&req->arena, name);
	spec.tool = dt_dialect_find_tool(agent->dialect, text);
	if (!spec.tool) {
		dt_fail(&fail, DT_E_ARGS, "no tool is named %.*s",
		        DT_STR_ARG(text));
		dt_request_fail_with(req, &fail);
		return;
	}
	/* The call may end, and free the request, before start returns. */
	call = dt_arena_alloc(&req->arena, sizeof(struct dt_call *));
	req->on_cancel = on_cancel;
	req->owner = call;
	if (dt_call_start(&spec, call, &fail))
		refuse_call(mcp, req, &fail);
}

/* dispatch */

void dt_mcp_legacy_request(struct dt_agent *agent, struct dt_mcp_legacy *mcp,
                           struct dt_request *req, const struct dt_json *params,
                           void (*on_listed)(struct dt_agent *agent))
{
	if (!strcmp(req->method, "initialize")) {
		initialize(agent, mcp, req, params);
	} else if (!strcmp(req->method, "ping")) {
		answer_empty(req);
	} else if (!mcp->version) {
		dt_request_fail(req, DT_RPC_INVALID_REQUEST,
		                "not initialized: send initialize first");
	} else if (!strcmp(req->method, "tools/call")) {
		call_tool(agent, mcp, req, params);
	} else if (!strcmp(req->method, "tools/list")) {
		list_tools(agent, req);
		on_listed(agent);
	} else if (!strcmp(req->method, "prompts/list")) {
		list_nothing(req, "prompts");
	} else if (!strcmp(req->method, "resources/list")) {
		list_nothing(req, "resources");
	} else {
		struct dt_fail fail = { 0 };

		dt_fail(&fail, DT_E_METHOD, "no method is named %.100s",
		        req->method);
		dt_request_fail_with(req, &fail);
	}
}

bool dt_mcp_legacy_notify(struct dt_agent *agent, const char *method,
                          const struct dt_json *params)
{
	const struct dt_json *id;

	if (strncmp(method, "notifications/", 14) != 0)
		return false;
	id = params ? dt_json_get(params, "requestId") : NULL;
	if (!strcmp(method, "notifications/cancelled") && id)
		dt_peer_cancel(agent->peer, id->raw);
	return true;
}
