/*
 * hub/control_gate.c - mute and unmute, as the command line asks for them.
 *
 * An agent that was muted must not end that, so both are for persons.
 */
#include "hub/control.h"

#include "base/clock.h"
#include "hub/gate.h"
#include "hub/mute.h"

#define HEARS "decide what it hears"

struct mute_args {
	const char *agent;
	uint32_t seconds;
};
static const struct dt_field mute_fields[] = {
	DT_FIELD(struct mute_args, agent, NAME, 0, "Absent: every one.",
	         .def = "\"\""),
	DT_FIELD(struct mute_args, seconds, U32, 0, "0: until it is ended."),
	DT_FIELD_END,
};

struct unmute_args {
	const char *agent;
};
static const struct dt_field unmute_fields[] = {
	DT_FIELD(struct unmute_args, agent, NAME, 0, "Absent: every one.",
	         .def = "\"\""),
	DT_FIELD_END,
};

/* How many agents that are connected are meant, or "": are muted. */
static size_t count(struct dt_hub *hub, const char *agent)
{
	size_t n = 0;

	dt_list_each(ws, &hub->workspaces, struct dt_workspace, link) {
		dt_list_each(s, &ws->sessions, struct dt_session, link)
			n += *agent ? dt_session_is_named(s, agent)
			            : dt_gate_is_muted(s);
	}
	return n;
}

static void reply(struct dt_request *req, const char *key, int64_t value,
                  size_t agents)
{
	struct dt_json_out *out = dt_request_begin(req);

	dt_json_begin_object(out);
	dt_json_key(out, key);
	dt_json_put_int(out, value);
	dt_json_key(out, "agents");
	dt_json_put_int(out, (int64_t)agents);
	dt_json_end_object(out);
	dt_request_end(req);
}

static void mute(struct dt_client *client, struct dt_request *req,
                 const void *args)
{
	const struct mute_args *wanted = args;
	int64_t until_ms =
		wanted->seconds ? dt_clock_wall_ms() + wanted->seconds * 1000LL
				: 0;
	struct dt_fail fail = { 0 };

	if (dt_mute_begin(client->hub, wanted->agent, until_ms, &fail))
		dt_request_fail_with(req, &fail);
	else
		reply(req, "untilMs", until_ms,
		      count(client->hub, wanted->agent));
}

static void unmute(struct dt_client *client, struct dt_request *req,
                   const void *args)
{
	const struct unmute_args *wanted = args;
	size_t ended = dt_mute_end(client->hub, wanted->agent);

	/* Those that dovetail.conf mutes, or another mute, are so still. */
	reply(req, "ended", (int64_t)ended, count(client->hub, ""));
}

const struct dt_method dt_methods_gate[] = {
	{ "mute", DT_SHAPE(struct mute_args, mute_fields), mute,
	  .persons = HEARS },
	{ "unmute", DT_SHAPE(struct unmute_args, unmute_fields), unmute,
	  .persons = HEARS },
	{ .name = NULL },
};
