/*
 * dialect/mcp_headers.c - does the head of an HTTP request say what its body
 * says?
 *
 * Since 2026-07-28 proxies may route by headers, so the two must agree: the
 * version, the method, the name of what is called or read, and arguments that a
 * schema marks with x-mcp-header.
 */
#include "dialect/mcp.h"

#include "base/base64.h"

static struct dt_str header(struct dt_mcp_turn *turn, const char *name)
{
	struct dt_exchange *x = turn->req->exchange;

	return x->carrier->header(x, name);
}

/* What a header stands for: values that no header may hold are base64 between
 * "=?base64?" and "?=".  ptr NULL: that was not base64. */
static struct dt_str decode(struct dt_arena *arena, struct dt_str value)
{
	static const struct dt_str head = DT_STR("=?base64?");
	static const struct dt_str tail = DT_STR("?=");
	struct dt_str out = { 0 };
	char *bytes;

	if (value.len < head.len + tail.len || !dt_str_starts(value, head) ||
	    memcmp(value.ptr + value.len - tail.len, tail.ptr, tail.len) != 0)
		return value;
	value.ptr += head.len;
	value.len -= head.len + tail.len;
	bytes = dt_arena_bytes(arena, value.len + 1);
	if (dt_base64_read(value.ptr, value.len, bytes, &out.len))
		out.ptr = bytes;
	return out;
}

/* A member of the body against its header. */
static enum dt_err compare(struct dt_mcp_turn *turn, const char *name,
                           struct dt_str wanted, struct dt_fail *fail)
{
	struct dt_str value = header(turn, name);
	struct dt_str said;

	if (!value.ptr)
		return dt_fail(fail, DT_E_PROTO, "%s: the header is missing",
		               name);
	said = decode(&turn->req->arena, value);
	if (!said.ptr)
		return dt_fail(fail, DT_E_PROTO, "%s: bad base64", name);
	if (!dt_str_eq(said, wanted))
		return dt_fail(fail, DT_E_PROTO,
		               "%s: the header says %.*s and the body %.*s",
		               name, DT_STR_ARG(said), DT_STR_ARG(wanted));
	return DT_E_OK;
}

enum dt_err dt_mcp_check_headers(struct dt_mcp_turn *turn,
                                 struct dt_str version, struct dt_fail *fail)
{
	static const struct {
		const char *method;
		const char *member;
	} named[] = {
		{ "tools/call", "name" },
		{ "prompts/get", "name" },
		{ "resources/read", "uri" },
	};
	const char *method = turn->req->method;
	const struct dt_json *value = NULL;
	enum dt_err err;

	if (!turn->req->exchange)
		return DT_E_OK;
	err = compare(turn, "mcp-protocol-version", version, fail);
	if (!err)
		err = compare(turn, "mcp-method", dt_str(method), fail);
	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++) {
		if (!strcmp(method, named[i].method))
			value = dt_json_get(turn->params, named[i].member);
	}
	if (err || !value || value->type != DT_JSON_STRING)
		return err;
	return compare(turn, "mcp-name", dt_json_text(&turn->req->arena, value),
	               fail);
}

/* arguments */

static bool is_nothing(const struct dt_json *value)
{
	return !value || value->type == DT_JSON_NULL;
}

/* A number is the same number however it is written. */
static bool is_same_number(const struct dt_json *number, struct dt_str text)
{
	struct dt_json said = { .type = DT_JSON_NUMBER, .raw = text };
	int64_t a;
	int64_t b;

	return text.len && text.ptr[text.len - 1] != '-' &&
	       dt_json_to_i64(number, &a) && dt_json_to_i64(&said, &b) &&
	       a == b;
}

static enum dt_err check_one(struct dt_mcp_turn *turn, const char *name,
                             const struct dt_json *value, struct dt_fail *fail)
{
	struct dt_arena *arena = &turn->req->arena;
	struct dt_str sent = header(turn, name);
	struct dt_str said = decode(arena, sent);

	if (is_nothing(value))
		return sent.ptr ? dt_fail(fail, DT_E_PROTO,
		                          "%s: the body has no such argument",
		                          name)
		                : DT_E_OK;
	if (value->type == DT_JSON_NUMBER && said.ptr &&
	    is_same_number(value, said))
		return DT_E_OK;
	return compare(turn, name,
	               value->type == DT_JSON_STRING
	                       ? dt_json_text(arena, value)
	                       : value->raw,
	               fail);
}

/* Walk the properties of a schema beside the arguments. */
static enum dt_err check_members(struct dt_mcp_turn *turn,
                                 const struct dt_json *schema,
                                 const struct dt_json *args,
                                 struct dt_fail *fail)
{
	const struct dt_json *properties = dt_json_get(schema, "properties");
	struct dt_arena *arena = &turn->req->arena;

	if (!properties || properties->type != DT_JSON_OBJECT)
		return DT_E_OK;
	dt_json_each(key, properties) {
		struct dt_str text = dt_json_text(arena, key);
		const char *name = dt_arena_strndup(arena, text.ptr, text.len);
		const struct dt_json *property = dt_json_value(key);
		const struct dt_json *mark =
			dt_json_get(property, "x-mcp-header");
		const struct dt_json *value = dt_json_get(args, name);
		enum dt_err err;

		if (mark && mark->type == DT_JSON_STRING) {
			text = dt_json_text(arena, mark);
			err = check_one(turn,
			                dt_arena_printf(arena, "mcp-param-%.*s",
			                                DT_STR_ARG(text)),
			                value, fail);
		} else {
			err = check_members(turn, property, value, fail);
		}
		if (err)
			return err;
	}
	return DT_E_OK;
}

enum dt_err dt_mcp_check_arguments(struct dt_mcp_turn *turn,
                                   const struct dt_tool *tool,
                                   struct dt_fail *fail)
{
	const struct dt_json *schema;

	if (turn->revision < DT_MCP_2026_07 || !turn->req->exchange ||
	    !tool->schema || !strstr(tool->schema, "x-mcp-header"))
		return DT_E_OK;
	if (dt_json_read(&turn->req->arena, dt_str(tool->schema), &schema,
	                 fail))
		return fail->code;
	return check_members(turn, schema,
	                     dt_json_get(turn->params, "arguments"), fail);
}
