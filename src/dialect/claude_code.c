/*
 * dialect/claude_code.c - Claude Code's IDE protocol: MCP over a WebSocket,
 * found through a lock file.
 *
 * Here is what is said without being asked: selections, mentions, and when.  The
 * tools are in claude_tools.c, the lock file in claude_lock.c.  What the real
 * CLI does, and how that was seen, is docs/protocol/claude-code.md.
 */
#include "base/buf.h"
#include "base/clock.h"
#include "base/limits.h"
#include "base/path.h"
#include "dialect/claude_lock.h"
#include "dialect/claude_tools.h"
#include "dialect/claude_words.h"
#include "dialect/dialect.h"
#include "dialect/mcp.h"

#include <limits.h>
#include <stdlib.h>

/* The CLI drops what comes too soon after its tools/list was answered.  200 ms are
 * enough when the machine is idle; with seven CLIs on two cores one in ten was
 * lost at 200 and at 500 ms, none at 1000. */
#define READY_MS 1000
/* A selection is used up by a prompt; by then the CLI has taken it. */
#define RESEND_MS 500

#define WORDS_MAX (8u * DT_KIB) /* then no more are kept */

/* dialect/dialects.def names it; nobody else does. */
extern const struct dt_dialect dt_dialect_claude_code;

struct claude {
	struct dt_mcp mcp;
	bool is_listed;
	char *lasting; /* parameters of a selection that an editor still shows */
	struct dt_buf words; /* of the person's, for the next prompt */
};

static struct claude *of(struct dt_agent *agent)
{
	return agent->state;
}

/* words that wait for a prompt */

void dt_claude_keep_words(struct dt_agent *agent, bool is_accepted,
                          const char *path, const char *comment)
{
	struct dt_buf *words = &of(agent)->words;

	if (!comment || !*comment || words->len > WORDS_MAX)
		return;
	if (!words->limit)
		dt_buf_init(words, DT_LIMIT_ARGUMENTS);
	dt_claude_words_later(is_accepted, path, comment, words);
}

void dt_claude_take_words(struct dt_agent *agent, struct dt_buf *out)
{
	if (agent->dialect != &dt_dialect_claude_code)
		return;
	dt_buf_add_str(out, dt_buf_str(&of(agent)->words));
	dt_buf_done(&of(agent)->words);
}

/* requests */

static void on_ready(struct dt_peer *peer, void *owner)
{
	struct dt_agent *agent = owner;

	(void)peer;
	agent->is_ready = true;
	agent->host->on_ready(agent);
}

static void on_listed(struct dt_agent *agent)
{
	if (of(agent)->is_listed)
		return;
	of(agent)->is_listed = true;
	dt_peer_after(agent->peer, READY_MS, on_ready, agent);
}

static void on_request(struct dt_agent *agent, struct dt_request *req,
                       const struct dt_json *params)
{
	dt_mcp_legacy_request(agent, &of(agent)->mcp, req, params, on_listed);
}

static void on_notify(struct dt_agent *agent, const char *method,
                      const struct dt_json *params)
{
	const struct dt_json *pid;
	int64_t number;

	if (dt_mcp_legacy_notify(agent, &of(agent)->mcp, method, params))
		return;
	pid = dt_json_get(params, "pid");
	if (!strcmp(method, "ide_connected") && pid &&
	    dt_json_to_i64(pid, &number) && number > 0 && number <= INT_MAX)
		agent->pid = (pid_t)number;
}

/* events */

static void write_position(struct dt_json_out *out, const char *name,
                           struct dt_position at)
{
	dt_json_key(out, name);
	dt_json_begin_object(out);
	dt_json_key(out, "line");
	dt_json_put_int(out, at.line);
	dt_json_key(out, "character");
	dt_json_put_int(out, at.character);
	dt_json_end_object(out);
}

/* Never null: the CLI drops a message with one.  A cleared selection has empty
 * texts and a range all the same. */
static void write_selection(struct dt_buf *buf, const struct dt_selection *s)
{
	struct dt_json_out out = dt_json_out(buf);
	struct dt_arena arena = { 0 };

	dt_json_begin_object(&out);
	dt_json_key(&out, "text");
	dt_json_put_str(&out, s->text);
	dt_json_key(&out, "filePath");
	dt_json_put_z(&out, s->path ? s->path : "");
	dt_json_key(&out, "fileUrl");
	dt_json_put_z(&out, s->path ? dt_path_to_uri(&arena, s->path) : "");
	dt_json_key(&out, "selection");
	dt_json_begin_object(&out);
	write_position(&out, "start", s->range.start);
	write_position(&out, "end", s->range.end);
	dt_json_key(&out, "isEmpty");
	dt_json_put_bool(&out, s->text.len == 0);
	dt_json_end_object(&out);
	dt_json_end_object(&out);
	dt_arena_done(&arena);
}

static void send_selection(struct dt_agent *agent, const struct dt_selection *s)
{
	struct dt_buf params;

	dt_buf_init(&params, DT_LIMIT_MESSAGE);
	write_selection(&params, s);
	free(of(agent)->lasting);
	of(agent)->lasting =
		s->is_lasting ? dt_strdup(dt_buf_z(&params)) : NULL;
	dt_peer_notify(agent->peer, "selection_changed", dt_buf_str(&params));
	dt_buf_done(&params);
}

static void send_again(struct dt_peer *peer, void *owner)
{
	struct claude *claude = of(owner);

	if (claude->lasting)
		dt_peer_notify(peer, "selection_changed",
		               dt_str(claude->lasting));
}

void dt_claude_prompted(struct dt_agent *agent)
{
	agent->prompted_ms = dt_clock_wall_ms();
	if (of(agent)->lasting)
		dt_peer_after(agent->peer, RESEND_MS, send_again, agent);
}

/* Lines are 0-based here; keys that are not known are left out, never null. */
static void send_mention(struct dt_agent *agent, const struct dt_mention *m)
{
	struct dt_json_out out;
	struct dt_buf params;

	dt_buf_init(&params, DT_LIMIT_MESSAGE);
	out = dt_json_out(&params);
	dt_json_begin_object(&out);
	dt_json_key(&out, "filePath");
	dt_json_put_z(&out, m->path);
	if (m->first.is_set) {
		dt_json_key(&out, "lineStart");
		dt_json_put_int(&out, m->first.value);
		dt_json_key(&out, "lineEnd");
		dt_json_put_int(&out, m->last.is_set ? m->last.value
		                                     : m->first.value);
	}
	dt_json_end_object(&out);
	dt_peer_notify(agent->peer, "at_mentioned", dt_buf_str(&params));
	dt_buf_done(&params);
}

static void on_event(struct dt_agent *agent, const struct dt_event *event)
{
	switch (event->type) {
	case DT_EVENT_SELECTION:
		send_selection(agent, &event->selection);
		break;
	case DT_EVENT_MENTION:
		send_mention(agent, &event->mention);
		break;
	case DT_EVENT_TOOLS:
	case DT_EVENT_PROMPTS:
	case DT_EVENT_DOCUMENTS:
	case DT_EVENT_DIAGNOSTICS:
		break; /* its lists never change, and it asks for the rest */
	}
}

static void on_close(struct dt_agent *agent)
{
	free(of(agent)->lasting);
	dt_buf_done(&of(agent)->words);
}

static const struct dt_tool_group *const groups[] = { &dt_claude_tools, NULL };

const struct dt_dialect dt_dialect_claude_code = {
	.name = "claude-code",
	.doc = "Claude Code's IDE protocol, over a WebSocket found through "
	       "~/.claude/ide.",
	.reach = DT_REACH_WEBSOCKET,
	.path = "/",
	.auth_header = "x-claude-code-ide-authorization",
	.takes_mentions = true,
	.verdict = DT_VERDICT_DECIDED,
	.groups = groups,
	.state_size = sizeof(struct claude),
	.announce = dt_claude_announce,
	.presence = dt_claude_presence,
	.withdraw = dt_claude_withdraw,
	.clean = dt_claude_clean,
	.on_request = on_request,
	.on_notify = on_notify,
	.on_event = on_event,
	.on_close = on_close,
};
