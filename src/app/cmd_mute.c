/* app/cmd_mute.c - dovetail mute and unmute: what agents are not told. */
#include "app/command.h"
#include "app/remote.h"
#include "app/text.h"
#include "base/clock.h"

#define SECONDS_MAX (366u * 24 * 60 * 60)

/* mute */

struct options {
	const char *time;
};

static const struct dt_option options_table[] = {
	DT_OPTION(struct options, time, TEXT,
	          "so long: 90s, 30m, 2h, 1d; default: until unmuted",
	          .name = "for", .value = "TIME"),
	DT_OPTION_END,
};

struct mute_reply {
	int64_t until_ms;
	uint32_t agents;
};

static const struct dt_field mute_fields[] = {
	DT_FIELD_AS("untilMs", struct mute_reply, until_ms, I64, DT_REQ, ""),
	DT_FIELD(struct mute_reply, agents, U32, 0, ""),
	DT_FIELD_END,
};

static const struct dt_shape mute_shape =
	DT_SHAPE(struct mute_reply, mute_fields);

static enum dt_err read_time(const char *text, uint32_t *out,
                             struct dt_fail *fail)
{
	static const struct {
		char letter;
		uint32_t seconds;
	} units[] = { { 's', 1 }, { 'm', 60 }, { 'h', 3600 }, { 'd', 86400 } };
	struct dt_str number = dt_str(text);
	uint32_t value;

	for (size_t i = 0; i < 4 && number.len > 0; i++) {
		if (number.ptr[number.len - 1] != units[i].letter)
			continue;
		number.len--;
		if (dt_str_to_u32(number, &value, NULL) || value == 0 ||
		    value > SECONDS_MAX / units[i].seconds)
			break;
		*out = value * units[i].seconds;
		return DT_E_OK;
	}
	return dt_fail(fail, DT_E_ARGS,
	               "--for takes a number and a unit, up to 366 days: 90s, "
	               "30m, 2h or 1d");
}

static enum dt_err send_mute(struct dt_remote *remote, struct dt_arena *arena,
                             const char *agent, uint32_t seconds,
                             struct dt_fail *fail)
{
	struct dt_json_out *out = dt_remote_begin(remote);
	struct mute_reply reply = { 0 };
	const char *end = "until `dovetail unmute`";
	enum dt_err err;

	dt_remote_put(out, "agent", agent);
	dt_json_key(out, "seconds");
	dt_json_put_int(out, seconds);
	err = dt_remote_fetch(remote, "mute", arena, &mute_shape, &reply, fail);
	if (err)
		return err;
	if (reply.until_ms)
		end = dt_text_until(arena, reply.until_ms, dt_clock_wall_ms());
	if (!agent)
		printf("No agent is told what you select or mention %s, and "
		       "no notice is given.\n",
		       end);
	else
		printf("%s is not told what you select or mention %s%s.\n",
		       dt_text_safe(arena, agent), end,
		       reply.agents ? "" : "; it is not connected now");
	return DT_E_OK;
}

static enum dt_err mute(const void *opts, char *const *args,
                        struct dt_fail *fail)
{
	const struct options *options = opts;
	struct dt_arena arena = { 0 };
	struct dt_remote *remote = NULL;
	uint32_t seconds = 0;
	enum dt_err err = DT_E_OK;

	if (options->time)
		err = read_time(options->time, &seconds, fail);
	if (!err)
		err = dt_remote_open(&remote, fail);
	if (!err)
		err = send_mute(remote, &arena, args[0], seconds, fail);
	dt_remote_free(remote);
	dt_arena_done(&arena);
	return err;
}

const struct dt_command dt_cmd_mute = {
	.name = "mute",
	.args = "[AGENT]",
	.summary = "Do not tell agents what you do",
	.doc = "Send an agent no selections and mentions, or without AGENT send none "
	       "to any and\ngive no notice when a review opens: do not disturb. "
	       "AGENT is a name as `dovetail\nstatus` prints it, or the "
	       "beginning of a session's id. Restarts do not end it.",
	.options = options_table,
	.options_size = sizeof(struct options),
	.max_args = 1,
	.run = mute,
};

/* unmute */

struct unmute_reply {
	uint32_t ended;
	uint32_t agents;
};

static const struct dt_field unmute_fields[] = {
	DT_FIELD(struct unmute_reply, ended, U32, DT_REQ, ""),
	DT_FIELD(struct unmute_reply, agents, U32, 0, ""),
	DT_FIELD_END,
};

static const struct dt_shape unmute_shape =
	DT_SHAPE(struct unmute_reply, unmute_fields);

static enum dt_err send_unmute(struct dt_remote *remote, struct dt_arena *arena,
                               const char *agent, struct dt_fail *fail)
{
	struct dt_json_out *out = dt_remote_begin(remote);
	struct unmute_reply reply = { 0 };
	enum dt_err err;

	dt_remote_put(out, "agent", agent);
	err = dt_remote_fetch(remote, "unmute", arena, &unmute_shape, &reply,
	                      fail);
	if (err)
		return err;
	if (!reply.ended && agent)
		return dt_fail(
			fail, DT_E_MISSING,
			"there is no mute of %s; `dovetail status` shows "
			"those there are",
			dt_text_safe(arena, agent));
	puts(reply.ended ? "Told again what you select and mention."
	                 : "No agent was muted.");
	if (reply.agents)
		printf("%s still muted: see `dovetail status`, and mute of "
		       "[context] in dovetail.conf.\n",
		       reply.agents == 1 ? "One agent is" : "Some agents are");
	return DT_E_OK;
}

static enum dt_err unmute(const void *opts, char *const *args,
                          struct dt_fail *fail)
{
	struct dt_arena arena = { 0 };
	struct dt_remote *remote = NULL;
	enum dt_err err = dt_remote_open(&remote, fail);

	(void)opts;
	if (!err)
		err = send_unmute(remote, &arena, args[0], fail);
	dt_remote_free(remote);
	dt_arena_done(&arena);
	return err;
}

const struct dt_command dt_cmd_unmute = {
	.name = "unmute",
	.args = "[AGENT]",
	.summary = "Tell agents again what you do",
	.doc = "End the mute of AGENT, or every one.",
	.max_args = 1,
	.run = unmute,
};
