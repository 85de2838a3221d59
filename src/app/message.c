/* app/message.c - the outermost members of a message, and no more of it. */
#include "app/message.h"

#include "data/json_skim.h"

#define VERSION_KEY "io.modelcontextprotocol/protocolVersion"

/* Null means the same as no id: nobody waits for it. */
static bool is_id(struct dt_str id)
{
	return id.ptr && !dt_str_is(id, "null");
}

static struct dt_str unquoted(struct dt_str string)
{
	if (string.len < 2 || string.ptr[0] != '"')
		return (struct dt_str){ 0 };
	return (struct dt_str){ string.ptr + 1, string.len - 2 };
}

struct dt_message dt_message_read(struct dt_str text)
{
	struct dt_message e = { 0 };
	struct dt_json_skim skim;
	struct dt_str value;
	struct dt_str key;
	bool has_result = false;

	if (!dt_json_skim(&skim, text) || !skim.is_object)
		return e;
	while (dt_json_skim_next(&skim, &key, &value)) {
		if (dt_str_is(key, "\"id\""))
			e.id = value;
		else if (dt_str_is(key, "\"method\""))
			e.method = unquoted(value);
		else if (dt_str_is(key, "\"params\""))
			e.params = value;
		else if (dt_str_is(key, "\"error\""))
			e.is_error = true;
		else if (dt_str_is(key, "\"result\""))
			has_result = true;
		/* A result may be long; behind an id, nothing in it or after
		 * it is of interest. */
		if (e.id.ptr && dt_json_skim_is_next(&skim, "result")) {
			has_result = true;
			break;
		}
	}
	if (skim.is_broken)
		return (struct dt_message){ 0 };
	if (e.method.ptr)
		e.kind = is_id(e.id) ? DT_MESSAGE_REQUEST
		                     : DT_MESSAGE_NOTIFICATION;
	else if (is_id(e.id) && (has_result || e.is_error))
		e.kind = DT_MESSAGE_ANSWER;
	return e;
}

void dt_message_each(struct dt_str line, dt_message_fn *fn, void *owner)
{
	struct dt_json_skim skim;
	struct dt_message e;
	struct dt_str value;
	struct dt_str key;

	if (!dt_json_skim(&skim, line) || skim.is_object) {
		e = dt_message_read(line);
		fn(&e, owner);
		return;
	}
	while (dt_json_skim_next(&skim, &key, &value)) {
		e = dt_message_read(value);
		fn(&e, owner);
	}
}

bool dt_message_is_modern(const struct dt_message *message)
{
	struct dt_str meta = dt_json_skim_get(message->params, "_meta");

	return dt_json_skim_get(meta, VERSION_KEY).ptr != NULL;
}

struct dt_str dt_message_cancels(const struct dt_message *message)
{
	if (!dt_str_is(message->method, "notifications/cancelled"))
		return (struct dt_str){ 0 };
	return dt_json_skim_get(message->params, "requestId");
}
