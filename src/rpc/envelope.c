/*
 * rpc/envelope.c - the members of a message sorted and checked.
 *
 * What is in `params` is left to dialects and to hub/control.c; whose answer it
 * is, and what becomes of a fault, to rpc/peer.c.
 */
#include "rpc/envelope.h"

#define MAX_ID 256 /* bytes; longer ids are refused */

static bool id_is_valid(const struct dt_json *id)
{
	return (id->type == DT_JSON_STRING || id->type == DT_JSON_NUMBER) &&
	       id->raw.len <= MAX_ID;
}

/* True for a key with this name, however it is written. */
static bool is_named(const struct dt_json *key, struct dt_str name)
{
	struct dt_str raw = { key->raw.ptr + 1, key->raw.len - 2 };

	return key->has_escapes ? dt_json_key_is(key, name.ptr)
	                        : dt_str_eq(raw, name);
}

/* Sort the members into the envelope, the first of each name.  False when that
 * does not tell whether one is there twice: a name came again, or is not ours. */
static bool read_members(const struct dt_json *json, struct dt_envelope *env)
{
	const struct {
		struct dt_str name;
		const struct dt_json **value;
	} members[] = {
		{ DT_STR("jsonrpc"), &env->version },
		{ DT_STR("id"), &env->id },
		{ DT_STR("method"), &env->method },
		{ DT_STR("params"), &env->params },
		{ DT_STR("result"), &env->result },
		{ DT_STR("error"), &env->error },
	};
	const size_t count = sizeof(members) / sizeof(members[0]);
	bool is_sure = true;

	dt_json_each(key, json) {
		size_t i = 0;

		while (i < count && !is_named(key, members[i].name))
			i++;
		if (i < count && !*members[i].value)
			*members[i].value = dt_json_value(key);
		else
			is_sure = false;
	}
	return is_sure;
}

const char *dt_envelope_read(const struct dt_json *json,
                             struct dt_envelope *out_env)
{
	struct dt_envelope *env = out_env;
	bool has_twice = false;

	if (json->type != DT_JSON_OBJECT)
		return "a message is an object";
	if (!read_members(json, env))
		has_twice = dt_json_find_duplicate(json);
	if (!env->version || !dt_str_is(env->version->raw, "\"2.0\""))
		return "jsonrpc must be \"2.0\"";
	if (has_twice)
		return "a member is there twice";
	if (env->method && env->method->type != DT_JSON_STRING)
		return "method must be a string";
	/* Behind a NUL a name would be cut, and mean another. */
	if (env->method && env->method->has_escapes &&
	    memmem(env->method->raw.ptr, env->method->raw.len, "\\u0000", 6))
		return "method must hold no NUL";
	if (env->id && env->method && !id_is_valid(env->id))
		return "id must be a string or a number, and short";
	if (env->takes_null_params && env->params &&
	    env->params->type == DT_JSON_NULL)
		env->params = NULL;
	if (env->params && env->params->type != DT_JSON_OBJECT &&
	    env->params->type != DT_JSON_ARRAY)
		return "params must be an object or an array";
	if (!env->method && !env->result && !env->error)
		return "neither a request nor an answer";
	return NULL;
}

struct dt_str dt_envelope_id(const struct dt_envelope *env)
{
	return env->id && id_is_valid(env->id) ? env->id->raw
	                                       : (struct dt_str){ 0 };
}

bool dt_envelope_is_answer(const struct dt_envelope *env)
{
	return !env->method && (env->result || env->error);
}
