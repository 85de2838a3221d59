/*
 * test/conformance/fixtures.c - the tools, resources and prompts that the
 * official conformance suite calls by name.
 *
 * They are never in what is shipped.  Each does in a few lines what the suite's
 * documentation of that scenario asks for.
 */
#include "fixtures.h"

#include "base/buf.h"
#include "dialect/mcp.h"
#include "hub/mcp_stream.h"
#include "hub/session.h"
#include "wire/sse.h"

#include <stdlib.h>

#define PNG                                                                    \
	"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwAD" \
	"hgGAWjR9awAAAABJRU5ErkJggg=="
#define WAV "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA="

struct dt_hub *fixture_hub;

struct no_args {
	char nothing;
};
#define NO_ARGS                                                                \
	{                                                                      \
		.size = sizeof(struct no_args), .fields = dt_no_fields         \
	}
#define FORM(members, required)                                                \
	"\"requestedSchema\":{\"type\":\"object\",\"properties\":{" members    \
	"},\"required\":[" required "]}"

/* contents */

static void add(struct dt_call *call, enum dt_content_kind kind,
                const char *uri, const char *mime, const char *text)
{
	struct dt_content piece = {
		.kind = kind,
		.uri = uri,
		.mime = mime,
		.text = dt_str(text),
	};

	dt_call_add_content(call, &piece);
}

static void simple_text(struct dt_call *call, const void *args)
{
	(void)args;
	dt_call_reply_text(call, "This is a simple text response for testing.");
}

static void image(struct dt_call *call, const void *args)
{
	(void)args;
	add(call, DT_CONTENT_IMAGE, NULL, "image/png", PNG);
	dt_call_reply(call);
}

static void audio(struct dt_call *call, const void *args)
{
	(void)args;
	add(call, DT_CONTENT_AUDIO, NULL, "audio/wav", WAV);
	dt_call_reply(call);
}

static void embedded(struct dt_call *call, const void *args)
{
	(void)args;
	add(call, DT_CONTENT_RESOURCE, "test://embedded-resource", "text/plain",
	    "This is an embedded resource content.");
	dt_call_reply(call);
}

static void mixed(struct dt_call *call, const void *args)
{
	(void)args;
	dt_call_add(call, DT_STR("Multiple content types test:"));
	add(call, DT_CONTENT_IMAGE, NULL, "image/png", PNG);
	add(call, DT_CONTENT_RESOURCE, "test://mixed-content-resource",
	    "application/json", "{\"test\":\"data\",\"value\":123}");
	dt_call_reply(call);
}

static void error(struct dt_call *call, const void *args)
{
	(void)args;
	dt_call_failf(call, DT_E_STATE,
	              "This tool intentionally returns an error for testing");
}

/* on the way */

static void progress(struct dt_call *call, const void *args)
{
	(void)args;
	for (uint64_t done = 0; done <= 100; done += 50)
		dt_call_progress(call,
		                 &(struct dt_progress){ done, 100, NULL });
	dt_call_reply_text(call, "Progress was reported.");
}

static void logging(struct dt_call *call, const void *args)
{
	(void)args;
	dt_call_log(call, DT_LEVEL_INFO, "fixture",
	            DT_STR("\"Tool execution started\""));
	dt_call_log(call, DT_LEVEL_INFO, "fixture",
	            DT_STR("\"Tool processing data\""));
	dt_call_log(call, DT_LEVEL_INFO, "fixture",
	            DT_STR("\"Tool execution completed\""));
	dt_call_reply_text(call, "Logs were sent.");
}

/* questions */

#define ELICIT "elicitation/create"
#define SAMPLE "sampling/createMessage"
#define ROOTS "roots/list"
#define NAME_FORM                                                              \
	"{\"message\":\"What is your name?\"," FORM(                           \
		"\"name\":{\"type\":\"string\"}", "\"name\"") "}"
#define OK_FORM                                                                \
	"{\"message\":\"Go on?\"," FORM("\"ok\":{\"type\":\"boolean\"}",       \
	                                "\"ok\"") "}"
#define COLOR_FORM                                                             \
	"{\"message\":\"Which color?\"," FORM(                                 \
		"\"color\":{\"type\":\"string\"}", "\"color\"") "}"
#define CAPITAL                                                                \
	"{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\","    \
	"\"text\":\"What is the capital of France?\"}}],\"maxTokens\":100}"

/* An answer that is none counts as not given, and is asked for again. */
static const struct dt_json *answer(const struct dt_call *call, const char *key)
{
	const struct dt_json *json = dt_call_answer(call, key);

	return json && json->type == DT_JSON_OBJECT ? json : NULL;
}

static void ask_one(struct dt_call *call, const char *key, const char *method,
                    const char *params, const char *state)
{
	struct dt_ask one = { NULL, key, method, dt_str(params) };

	dt_call_ask(call, &one, dt_str(state));
}

/* A member of an answer's content, as text. */
static struct dt_str said(struct dt_call *call, const struct dt_json *json,
                          const char *name)
{
	const struct dt_json *content = dt_json_get(json, "content");
	const struct dt_json *value = dt_json_get(content, name);

	return value && value->type == DT_JSON_STRING
	               ? dt_json_text(call->arena, value)
	               : DT_STR("nobody");
}

static void ask_name(struct dt_call *call, const void *args)
{
	const struct dt_json *json = answer(call, "user_name");

	(void)args;
	if (!json)
		ask_one(call, "user_name", ELICIT, NAME_FORM, NULL);
	else
		dt_call_reply_text(
			call,
			dt_arena_printf(call->arena, "Hello, %.*s!",
		                        DT_STR_ARG(said(call, json, "name"))));
}

static void ask_sampling(struct dt_call *call, const void *args)
{
	(void)args;
	if (!answer(call, "capital_question"))
		ask_one(call, "capital_question", SAMPLE, CAPITAL, NULL);
	else
		dt_call_reply_text(call, "Thank you for the answer.");
}

static void ask_roots(struct dt_call *call, const void *args)
{
	(void)args;
	if (!answer(call, "client_roots"))
		ask_one(call, "client_roots", ROOTS, "{}", NULL);
	else
		dt_call_reply_text(call, "Thank you for the roots.");
}

static void ask_with_state(struct dt_call *call, const void *args)
{
	(void)args;
	if (!answer(call, "confirm"))
		ask_one(call, "confirm", ELICIT, OK_FORM, "the-state");
	else if (dt_str_is(call->asked_state, "the-state"))
		dt_call_reply_text(call, "state-ok");
	else
		dt_call_failf(call, DT_E_STATE, "the state was not given back");
}

static void ask_three(struct dt_call *call, const void *args)
{
	struct dt_ask roots = { NULL, "client_roots", ROOTS, DT_STR("{}") };
	struct dt_ask sample = { &roots, "greeting", SAMPLE, DT_STR(CAPITAL) };
	struct dt_ask name = { &sample, "user_name", ELICIT,
		               DT_STR(NAME_FORM) };

	(void)args;
	if (answer(call, "user_name") && answer(call, "greeting") &&
	    answer(call, "client_roots"))
		dt_call_reply_text(call, "All three were answered.");
	else
		dt_call_ask(call, &name, DT_STR("three"));
}

static void ask_twice(struct dt_call *call, const void *args)
{
	(void)args;
	if (dt_str_is(call->asked_state, "second") && answer(call, "step2"))
		dt_call_reply_text(call, "Both steps are done.");
	else if (dt_str_is(call->asked_state, "first") && answer(call, "step1"))
		ask_one(call, "step2", ELICIT, COLOR_FORM, "second");
	else
		ask_one(call, "step1", ELICIT, NAME_FORM, "first");
}

static void ask_what_it_can(struct dt_call *call, const void *args)
{
	struct dt_ask name = { NULL, "user_name", ELICIT, DT_STR(NAME_FORM) };
	struct dt_ask sample = { NULL, "greeting", SAMPLE, DT_STR(CAPITAL) };
	bool can_elicit = dt_call_can_ask(call, ELICIT);
	bool can_sample = dt_call_can_ask(call, SAMPLE);

	(void)args;
	if (answer(call, "user_name") || answer(call, "greeting") ||
	    (!can_elicit && !can_sample)) {
		dt_call_reply_text(call, "That was all.");
		return;
	}
	if (can_elicit && can_sample)
		sample.next = &name;
	dt_call_ask(call, can_sample ? &sample : &name, (struct dt_str){ 0 });
}

static void need_sampling(struct dt_call *call, const void *args)
{
	(void)args;
	if (dt_call_can_ask(call, SAMPLE))
		dt_call_reply_text(call, "It can be sampled.");
	else
		dt_call_fail_lacks(call, "sampling");
}

/* questions of the legacy era */

static void reply_with(struct dt_call *call, const char *what,
                       const struct dt_json *json)
{
	dt_call_reply_text(call, dt_arena_printf(call->arena, "%s: %.*s", what,
	                                         DT_STR_ARG(json->raw)));
}

/* A text argument, quoted as it came. */
static const char *quoted(struct dt_call *call, const char *name)
{
	const struct dt_json *value = dt_json_get(call->json, name);

	return value ? dt_arena_strndup(call->arena, value->raw.ptr,
	                                value->raw.len)
	             : "\"\"";
}

static void sampling(struct dt_call *call, const void *args)
{
	const struct dt_json *json = answer(call, "sample");

	(void)args;
	if (json)
		reply_with(call, "LLM response", json);
	else if (!dt_call_can_ask(call, SAMPLE))
		dt_call_fail_lacks(call, "sampling");
	else
		ask_one(call, "sample", SAMPLE,
		        dt_arena_printf(
				call->arena,
				"{\"messages\":[{\"role\":\"user\",\"content\":"
				"{\"type\":\"text\",\"text\":%s}}],"
				"\"maxTokens\":100}",
				quoted(call, "prompt")),
		        NULL);
}

static void elicit(struct dt_call *call, const char *params)
{
	const struct dt_json *json = answer(call, "form");

	if (json)
		reply_with(call, "User response", json);
	else if (!dt_call_can_ask(call, ELICIT))
		dt_call_fail_lacks(call, "elicitation");
	else
		ask_one(call, "form", ELICIT, params, NULL);
}

static void elicitation(struct dt_call *call, const void *args)
{
	(void)args;
	elicit(call,
	       call->json ? dt_arena_printf(
				    call->arena,
				    "{\"message\":%s," FORM(
					    "\"username\":{\"type\":\"string\","
					    "\"description\":\"The name\"},"
					    "\"email\":{\"type\":\"string\","
					    "\"description\":\"The address\"}",
					    "\"username\",\"email\"") "}",
				    quoted(call, "message"))
	                  : "{}");
}

static void elicitation_defaults(struct dt_call *call, const void *args)
{
	(void)args;
	elicit(call, "{\"message\":\"With defaults\"," FORM(
			     "\"name\":{\"type\":\"string\",\"default\":"
			     "\"John Doe\"},"
			     "\"age\":{\"type\":\"integer\",\"default\":30},"
			     "\"score\":{\"type\":\"number\",\"default\":95.5},"
			     "\"status\":{\"type\":\"string\",\"enum\":["
			     "\"active\",\"inactive\",\"pending\"],"
			     "\"default\":\"active\"},"
			     "\"verified\":{\"type\":\"boolean\",\"default\":"
			     "true}",
			     "") "}");
}

#define TITLED(n) "{\"const\":\"value" n "\",\"title\":\"Option " n "\"}"

static void elicitation_enums(struct dt_call *call, const void *args)
{
	(void)args;
	elicit(call,
	       "{\"message\":\"Choose\"," FORM(
		       "\"untitledSingle\":{\"type\":\"string\",\"enum\":["
		       "\"option1\",\"option2\",\"option3\"]},"
		       "\"titledSingle\":{\"type\":\"string\",\"oneOf\":[" TITLED("1") "," TITLED(
			       "2") "," TITLED("3") "]},"
						    "\"legacyEnum\":{\"type\":\"string\",\"enum\":["
						    "\"opt1\",\"opt2\",\"opt3\"],\"enumNames\":["
						    "\"Option One\",\"Option Two\",\"Option Three\"]},"
						    "\"untitledMulti\":{\"type\":\"array\",\"items\":{"
						    "\"type\":\"string\",\"enum\":[\"option1\",\"option2\","
						    "\"option3\"]}},"
						    "\"titledMulti\":{\"type\":\"array\",\"items\":{"
						    "\"anyOf\":[" TITLED("1") "," TITLED(
							    "2") "," TITLED("3") "]}}",
		       "") "}");
}

/* changes */

static void tell(struct dt_call *call, enum dt_event_type type)
{
	struct dt_event event = { .type = type };

	dt_list_each(ws, &fixture_hub->workspaces, struct dt_workspace, link) {
		dt_list_each(s, &ws->sessions, struct dt_session, link)
			s->agent.dialect->on_event(&s->agent, &event);
	}
	dt_call_reply_text(call, "Listeners were told.");
}

static void change_tools(struct dt_call *call, const void *args)
{
	(void)args;
	tell(call, DT_EVENT_TOOLS);
}

static void change_prompts(struct dt_call *call, const void *args)
{
	(void)args;
	tell(call, DT_EVENT_PROMPTS);
}

/* Over HTTP the connection ends before the answer, for which the client has to
 * come back; elsewhere there is nothing to end. */
static void hang_up(struct dt_call *call, const void *args)
{
	struct dt_agent *agent = call->agent;
	struct dt_exchange *x = dt_peer_exchange(agent->peer);
	struct dt_mcp_stream *stream;
	struct dt_http_conn *conn;
	struct dt_buf out;

	(void)args;
	if (x) {
		stream = DT_LIST_OF(x, struct dt_mcp_stream, x);
		dt_mcp_stream_beat(stream);
		conn = stream->conn;
		stream->conn = NULL;
		dt_buf_init(&out, 100);
		dt_sse_write_retry(&out, 500);
		dt_http_conn_write(conn, dt_buf_str(&out));
		dt_http_conn_end(conn);
		dt_buf_done(&out);
	}
	dt_call_reply_text(call, "This was worth coming back for.");
}

static void all_is_well(struct dt_call *call, const void *args)
{
	(void)args;
	dt_call_reply_text(call, "All is well.");
}

/* clang-format off */
#define TOOL(id, text, fn) \
	{ .name = id, .doc = text, .args = NO_ARGS, .effect = DT_READS, \
	  .deadline_ms = 60000, .run = fn }
#define TOOL_WITH(id, text, fn, json) \
	{ .name = id, .doc = text, .args = NO_ARGS, .schema = json, \
	  .effect = DT_READS, .deadline_ms = 60000, .run = fn }
#define IR "test_input_required_result_"

static const struct dt_tool tools[] = {
	TOOL("test_simple_text", "Answers with a text.", simple_text),
	TOOL("test_image_content", "Answers with a picture.", image),
	TOOL("test_audio_content", "Answers with a sound.", audio),
	TOOL("test_embedded_resource", "Answers with a resource.", embedded),
	TOOL("test_multiple_content_types", "Answers with three kinds.", mixed),
	TOOL("test_error_handling", "Fails.", error),
	TOOL("test_tool_with_progress", "Says how far it is.", progress),
	TOOL("test_tool_with_logging", "Logs three lines.", logging),
	TOOL("test_logging_tool", "Logs three lines.", logging),
	TOOL("test_missing_capability", "Needs sampling.", need_sampling),
	TOOL("test_streaming_elicitation", "Answers.", all_is_well),
	TOOL("test_reconnection", "Hangs up before it answers.", hang_up),
	TOOL("test_trigger_tool_change", "Changes the tools.", change_tools),
	TOOL("test_trigger_prompt_change", "Changes the prompts.",
	     change_prompts),
	TOOL(IR "elicitation", "Asks for a name.", ask_name),
	TOOL(IR "sampling", "Asks the model.", ask_sampling),
	TOOL(IR "list_roots", "Asks for the roots.", ask_roots),
	TOOL(IR "request_state", "Asks with a state.", ask_with_state),
	TOOL(IR "multiple_inputs", "Asks three things.", ask_three),
	TOOL(IR "multi_round", "Asks twice.", ask_twice),
	TOOL(IR "tampered_state", "Asks with a state.", ask_with_state),
	TOOL(IR "capabilities", "Asks what can be answered.", ask_what_it_can),
	TOOL_WITH("test_sampling", "Asks the model.", sampling,
	  "{\"type\":\"object\",\"properties\":{\"prompt\":{\"type\":\"string\","
	  "\"description\":\"What to ask\"}},\"required\":[\"prompt\"]}"),
	TOOL_WITH("test_elicitation", "Asks the person.", elicitation,
	  "{\"type\":\"object\",\"properties\":{\"message\":{\"type\":\"string\","
	  "\"description\":\"What to say\"}},\"required\":[\"message\"]}"),
	TOOL("test_elicitation_sep1034_defaults", "Asks with defaults.",
	     elicitation_defaults),
	TOOL("test_elicitation_sep1330_enums", "Asks with choices.",
	     elicitation_enums),
	TOOL_WITH("json_schema_2020_12_tool", "Has a schema of every kind.",
	  all_is_well,
	  "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\","
	  "\"type\":\"object\",\"$defs\":{\"address\":{\"$anchor\":\"addressDef\","
	  "\"type\":\"object\",\"properties\":{\"street\":{\"type\":\"string\"},"
	  "\"city\":{\"type\":\"string\"}}}},\"properties\":{\"name\":{\"type\":"
	  "\"string\"},\"address\":{\"$ref\":\"#/$defs/address\"},"
	  "\"contactMethod\":{\"type\":\"string\",\"enum\":[\"phone\",\"email\"]},"
	  "\"phone\":{\"type\":\"string\"},\"email\":{\"type\":\"string\"}},"
	  "\"allOf\":[{\"anyOf\":[{\"required\":[\"phone\"]},{\"required\":["
	  "\"email\"]}]}],\"if\":{\"properties\":{\"contactMethod\":{\"const\":"
	  "\"phone\"}},\"required\":[\"contactMethod\"]},\"then\":{\"required\":["
	  "\"phone\"]},\"else\":{\"required\":[\"email\"]},"
	  "\"additionalProperties\":false}"),
	TOOL_WITH("test_x_mcp_header", "Has an argument in a header.",
	  all_is_well,
	  "{\"type\":\"object\",\"properties\":{\"region\":{\"type\":\"string\","
	  "\"x-mcp-header\":\"Region\",\"description\":\"Where\"},\"count\":{"
	  "\"type\":\"integer\",\"description\":\"How many\"}},\"required\":["
	  "\"region\"]}"),
};
/* clang-format on */

static const struct dt_tool_group group = {
	.name = "fixtures",
	.doc = "What the suite calls.",
	.tools = tools,
	.count = sizeof(tools) / sizeof(tools[0]),
};
static const struct dt_tool_group *const groups[] = { &group, NULL };

/* resources */

static void link_to(struct dt_call *call, const char *uri, const char *name,
                    const char *mime, const char *doc)
{
	struct dt_content piece = {
		.kind = DT_CONTENT_LINK,
		.uri = uri,
		.name = name,
		.mime = mime,
		.doc = doc,
	};

	dt_call_add_content(call, &piece);
}

static void list_resources(struct dt_call *call, const void *args)
{
	(void)args;
	link_to(call, "test://static-text", "Static text", "text/plain",
	        "A text that never changes.");
	link_to(call, "test://static-binary", "Static picture", "image/png",
	        "A picture that never changes.");
	link_to(call, "test://watched-resource", "Watched", "text/plain",
	        "A text to subscribe to.");
	dt_call_reply(call);
}

static void list_templates(struct dt_call *call, const void *args)
{
	(void)args;
	link_to(call, "test://template/{id}/data", "Template",
	        "application/json", "Data of an id.");
	dt_call_reply(call);
}

struct read_args {
	const char *uri;
};
static const struct dt_field read_fields[] = {
	DT_FIELD(struct read_args, uri, NAME, DT_REQ, "The resource."),
	DT_FIELD_END,
};

/* The id of test://template/ID/data; NULL: it is another resource. */
static const char *template_id(struct dt_call *call, const char *uri)
{
	static const char head[] = "test://template/";
	static const char tail[] = "/data";
	size_t len = strlen(uri);
	size_t around = sizeof(head) - 1 + sizeof(tail) - 1;

	if (len <= around || strncmp(uri, head, sizeof(head) - 1) != 0 ||
	    strcmp(uri + len - (sizeof(tail) - 1), tail) != 0)
		return NULL;
	return dt_arena_strndup(call->arena, uri + sizeof(head) - 1,
	                        len - around);
}

static void read_resource(struct dt_call *call, const void *args)
{
	const char *uri = ((const struct read_args *)args)->uri;
	const char *id = template_id(call, uri);

	if (!strcmp(uri, "test://static-text")) {
		add(call, DT_CONTENT_RESOURCE, uri, "text/plain",
		    "This is the content of the static text resource.");
	} else if (!strcmp(uri, "test://static-binary")) {
		add(call, DT_CONTENT_BLOB, uri, "image/png", PNG);
	} else if (!strcmp(uri, "test://watched-resource")) {
		add(call, DT_CONTENT_RESOURCE, uri, "text/plain", "Watched.");
	} else if (id) {
		add(call, DT_CONTENT_RESOURCE, uri, "application/json",
		    dt_arena_printf(call->arena,
		                    "{\"id\":\"%s\",\"templateTest\":true,"
		                    "\"data\":\"Data for ID: %s\"}",
		                    id, id));
	} else {
		dt_call_failf(call, DT_E_MISSING, "no such resource: %s", uri);
		return;
	}
	dt_call_reply(call);
}

/* prompts */

struct get_args {
	const char *name;
	struct dt_str arguments;
};
static const struct dt_field get_fields[] = {
	DT_FIELD(struct get_args, name, NAME, DT_REQ, "The prompt."),
	DT_FIELD(struct get_args, arguments, RAW, 0, "Its arguments."),
	DT_FIELD_END,
};

static struct dt_str argument(struct dt_call *call, const char *name)
{
	const struct dt_json *args = dt_json_get(call->json, "arguments");
	const struct dt_json *value = dt_json_get(args, name);

	return value && value->type == DT_JSON_STRING
	               ? dt_json_text(call->arena, value)
	               : (struct dt_str){ 0 };
}

static void prompt_with_arguments(struct dt_call *call)
{
	struct dt_str one = argument(call, "arg1");
	struct dt_str two = argument(call, "arg2");

	if (!one.ptr || !two.ptr)
		dt_call_failf(call, DT_E_ARGS, "arg1 and arg2 are wanted");
	else
		dt_call_reply_text(call,
		                   dt_arena_printf(call->arena,
		                                   "Prompt with arguments: "
		                                   "arg1='%.*s', arg2='%.*s'",
		                                   DT_STR_ARG(one),
		                                   DT_STR_ARG(two)));
}

static void prompt_with_resource(struct dt_call *call)
{
	struct dt_str uri = argument(call, "resourceUri");

	if (!uri.ptr) {
		dt_call_failf(call, DT_E_ARGS, "resourceUri is wanted");
		return;
	}
	add(call, DT_CONTENT_RESOURCE,
	    dt_arena_strndup(call->arena, uri.ptr, uri.len), "text/plain",
	    "Embedded resource content for testing.");
	dt_call_add(call,
	            DT_STR("Please process the embedded resource above."));
	dt_call_reply(call);
}

static void prompt_with_question(struct dt_call *call)
{
	if (!answer(call, "user_context"))
		ask_one(call, "user_context", ELICIT, NAME_FORM, NULL);
	else
		dt_call_reply_text(call, "A prompt with the context.");
}

static void get_prompt(struct dt_call *call, const void *args)
{
	const char *name = ((const struct get_args *)args)->name;

	if (!strcmp(name, "test_simple_prompt")) {
		dt_call_reply_text(call,
		                   "This is a simple prompt for testing.");
	} else if (!strcmp(name, "test_prompt_with_arguments")) {
		prompt_with_arguments(call);
	} else if (!strcmp(name, "test_prompt_with_embedded_resource")) {
		prompt_with_resource(call);
	} else if (!strcmp(name, "test_prompt_with_image")) {
		add(call, DT_CONTENT_IMAGE, NULL, "image/png", PNG);
		dt_call_add(call, DT_STR("Please analyze the image above."));
		dt_call_reply(call);
	} else if (!strcmp(name, IR "prompt")) {
		prompt_with_question(call);
	} else {
		dt_call_failf(call, DT_E_ARGS, "no prompt is named %s", name);
	}
}

static void complete(struct dt_call *call, const void *args)
{
	(void)args;
	dt_call_add(call, DT_STR("test"));
	dt_call_add(call, DT_STR("testing"));
	dt_call_reply(call);
}

static const struct dt_prompt_arg two_args[] = {
	{ "arg1", "The first.", true },
	{ "arg2", "The second.", true },
	{ 0 },
};
static const struct dt_prompt_arg uri_args[] = {
	{ "resourceUri", "What to embed.", true },
	{ 0 },
};

static const struct dt_prompt prompts[] = {
	{ .name = "test_simple_prompt", .doc = "A text." },
	{ .name = "test_prompt_with_arguments",
	  .doc = "A text with two arguments.",
	  .args = two_args },
	{ .name = "test_prompt_with_embedded_resource",
	  .doc = "A resource.",
	  .args = uri_args },
	{ .name = "test_prompt_with_image", .doc = "A picture." },
	{ .name = IR "prompt", .doc = "Asks before it answers." },
	{ 0 },
};

static const struct dt_tool methods[] = {
	TOOL("resources/list", "", list_resources),
	TOOL("resources/templates/list", "", list_templates),
	{ .name = "resources/read",
	  .args = DT_SHAPE(struct read_args, read_fields),
	  .effect = DT_READS,
	  .deadline_ms = 60000,
	  .run = read_resource },
	{ .name = "prompts/get",
	  .args = DT_SHAPE(struct get_args, get_fields),
	  .effect = DT_READS,
	  .deadline_ms = 60000,
	  .run = get_prompt },
	TOOL("completion/complete", "", complete),
	{ 0 },
};

const struct dt_dialect fixture_dialect = {
	.name = "fixtures",
	.doc = "What the conformance suite calls.",
	.reach = DT_REACH_WEBSOCKET | DT_REACH_HTTP | DT_REACH_STDIO,
	.path = "/mcp",
	.takes_workspace = true,
	.groups = groups,
	.prompts = prompts,
	.methods = methods,
	.changes = DT_CHANGES_TOOLS | DT_CHANGES_PROMPTS,
	.state_size = sizeof(struct dt_mcp),
	.on_request = dt_mcp_request,
	.on_notify = dt_mcp_notify,
	.on_event = dt_mcp_event,
	.on_stop = dt_mcp_stop,
	.on_close = dt_mcp_close,
};
