/*
 * app/demo_agent.c - a scripted agent that is real in all but its ideas.
 *
 * It finds the daemon by its lock file, speaks Claude Code's dialect over a
 * WebSocket, asks with openDiff, and writes accepted texts itself, as Claude
 * Code does; docs/protocol/claude-code.md.  openDiff cannot delete, so the last
 * step proposes to empty a file, and says so.
 */
#include "app/demo_agent.h"

#include "base/buf.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/path.h"
#include "client/dial.h"
#include "data/json.h"
#include "rpc/code.h"
#include "rpc/peer.h"

#include <stdio.h>
#include <unistd.h>

#define LOCK_MAX (64u * DT_KIB)

const struct dt_demo_step dt_demo_steps[DT_DEMO_STEPS] = {
	{
		.file = "wordcount.py",
		.saying = "\"The\" and \"the\" are counted as two words. I "
			  "can fix that.",
		.before = "import collections\n"
			  "\n"
			  "\n"
			  "def count(text):\n"
			  "    words = text.split()\n"
			  "    return collections.Counter(words)\n"
			  "\n"
			  "\n"
			  "def top(text, n):\n"
			  "    return count(text).most_common(n)\n",
		.after = "import collections\n"
			 "import re\n"
			 "\n"
			 "\n"
			 "def count(text):\n"
			 "    words = re.findall(r\"\\w+\", text.lower())\n"
			 "    return collections.Counter(words)\n"
			 "\n"
			 "\n"
			 "def top(text, n):\n"
			 "    return count(text).most_common(n)\n",
	},
	{
		.file = "test_wordcount.py",
		.saying = "Nothing tests this. Here is a first test.",
		.after = "from wordcount import top\n"
			 "\n"
			 "\n"
			 "def test_case_does_not_matter():\n"
			 "    assert top(\"The cat, the hat\", 1) == "
			 "[(\"the\", 2)]\n",
	},
	{
		.file = "wordcount_old.py",
		.saying = "Nobody imports this file. I would delete all of "
			  "it.",
		.before = "# Kept from before the rewrite.\n"
			  "def count_words(text):\n"
			  "    found = {}\n"
			  "    for word in text.split(\" \"):\n"
			  "        found[word] = found.get(word, 0) + 1\n"
			  "    return found\n",
		.after = "",
	},
};

struct agent {
	const struct dt_demo_agent *spec;
	struct dt_loop *loop;
	struct dt_peer *peer; /* NULL: not connected */
	size_t step;
	struct dt_fail why;
};

/* The end, good or bad; `why` has the reason by then. */
static void leave(struct agent *a)
{
	if (a->peer)
		dt_peer_close(a->peer, DT_LINK_DONE, "");
}

static void call(struct agent *a, const char *method, struct dt_buf *params,
                 dt_reply_fn *fn)
{
	dt_peer_call(a->peer, method, dt_buf_str(params), 0, fn, a);
	dt_buf_done(params);
}

static void put(struct dt_json_out *out, const char *key, const char *value)
{
	dt_json_key(out, key);
	dt_json_put_z(out, value);
}

/* proposals */

static const char *path_of(struct agent *a, struct dt_arena *arena)
{
	return dt_path_join(arena, a->spec->folder,
	                    dt_demo_steps[a->step].file);
}

/* The text of the item at `index` of a tool's answer; ptr NULL: none. */
static struct dt_str item_text(struct dt_arena *arena,
                               const struct dt_json *result, size_t index)
{
	const struct dt_json *content = dt_json_get(result, "content");
	const struct dt_json *text;

	if (!content || content->type != DT_JSON_ARRAY)
		return (struct dt_str){ 0 };
	dt_json_each(item, content) {
		if (index--)
			continue;
		text = dt_json_get(item, "text");
		if (text && text->type == DT_JSON_STRING)
			return dt_json_text(arena, text);
		break;
	}
	return (struct dt_str){ 0 };
}

/* Do what the person decided, and tell. */
static enum dt_err obey(struct agent *a, struct dt_arena *arena,
                        const struct dt_json *result)
{
	struct dt_str verdict = item_text(arena, result, 0);
	struct dt_str text = item_text(arena, result, 1);
	const char *file = dt_demo_steps[a->step].file;
	enum dt_err err = DT_E_OK;

	if (dt_str_is(verdict, "FILE_SAVED") && text.ptr) {
		err = dt_file_write(path_of(a, arena), text, 0600, &a->why);
		if (!err)
			dprintf(a->spec->report_fd, "%s %s\n",
			        text.len ? "wrote" : "emptied", file);
	} else if (dt_str_is(verdict, "DIFF_REJECTED")) {
		dprintf(a->spec->report_fd, "left %s alone\n", file);
	} else {
		err = dt_fail(&a->why, DT_E_PROTO, "openDiff: %.*s",
		              DT_STR_ARG(verdict));
	}
	return err;
}

static void propose(struct agent *a);

static void on_verdict(struct dt_peer *peer, const struct dt_json *result,
                       const struct dt_fail *fail, void *owner)
{
	struct dt_arena arena = { 0 };
	struct agent *a = owner;

	(void)peer;
	if (fail)
		a->why = *fail;
	if (fail || obey(a, &arena, result) || ++a->step == DT_DEMO_STEPS)
		leave(a);
	else
		propose(a);
	dt_arena_done(&arena);
}

static void propose(struct agent *a)
{
	const struct dt_demo_step *step = &dt_demo_steps[a->step];
	struct dt_arena arena = { 0 };
	const char *path = path_of(a, &arena);
	struct dt_json_out out;
	struct dt_buf params;

	dt_buf_init(&params, DT_LIMIT_MESSAGE);
	out = dt_json_out(&params);
	dt_json_begin_object(&out);
	put(&out, "name", "openDiff");
	dt_json_key(&out, "arguments");
	dt_json_begin_object(&out);
	put(&out, "old_file_path", path);
	put(&out, "new_file_path", path);
	put(&out, "new_file_contents", step->after);
	put(&out, "tab_name", step->file);
	dt_json_end_object(&out);
	dt_json_end_object(&out);
	call(a, "tools/call", &params, on_verdict);
	dt_arena_done(&arena);
}

/* the handshake */

static bool has_open_diff(const struct dt_json *result)
{
	const struct dt_json *tools = dt_json_get(result, "tools");
	const struct dt_json *name;

	if (!tools || tools->type != DT_JSON_ARRAY)
		return false;
	dt_json_each(tool, tools) {
		name = dt_json_get(tool, "name");
		if (name && dt_str_is(name->raw, "\"openDiff\""))
			return true;
	}
	return false;
}

static void on_tools(struct dt_peer *peer, const struct dt_json *result,
                     const struct dt_fail *fail, void *owner)
{
	struct agent *a = owner;

	(void)peer;
	if (fail)
		a->why = *fail;
	else if (!has_open_diff(result))
		dt_fail(&a->why, DT_E_PROTO, "there is no tool openDiff");
	if (a->why.code)
		leave(a);
	else
		propose(a);
}

static void on_initialized(struct dt_peer *peer, const struct dt_json *result,
                           const struct dt_fail *fail, void *owner)
{
	struct agent *a = owner;
	struct dt_buf params;

	(void)result;
	if (fail) {
		a->why = *fail;
		leave(a);
		return;
	}
	dt_buf_init(&params, DT_KIB);
	dt_peer_notify(peer, "notifications/initialized", DT_STR(""));
	dt_buf_addf(&params, "{\"pid\":%d}", (int)getpid());
	dt_peer_notify(peer, "ide_connected", dt_buf_str(&params));
	dt_buf_clear(&params);
	dt_buf_add_z(&params, "{}");
	call(a, "tools/list", &params, on_tools);
}

static void initialize(struct agent *a)
{
	struct dt_buf params;

	dt_buf_init(&params, DT_KIB);
	dt_buf_add_z(&params,
	             "{\"protocolVersion\":\"2025-11-25\","
	             "\"capabilities\":{},\"clientInfo\":{\"name\":"
	             "\"" DT_DEMO_AGENT "\",\"version\":\"" DT_VERSION "\"}}");
	call(a, "initialize", &params, on_initialized);
}

static void on_request(struct dt_peer *peer, struct dt_request *req,
                       const struct dt_json *params, void *owner)
{
	(void)peer;
	(void)params;
	(void)owner;
	dt_request_fail(req, DT_RPC_NO_METHOD, "this agent is a script");
}

static void on_notify(struct dt_peer *peer, const char *method,
                      const struct dt_json *params, void *owner)
{
	(void)peer;
	(void)method;
	(void)params;
	(void)owner;
}

static void on_closed(struct dt_peer *peer, const struct dt_fail *why,
                      void *owner)
{
	struct agent *a = owner;

	(void)peer;
	if (!a->why.code && a->step < DT_DEMO_STEPS)
		a->why = *why;
	a->peer = NULL;
}

static const struct dt_peer_events peer_events = {
	.on_request = on_request,
	.on_notify = on_notify,
	.on_closed = on_closed,
};

static void on_dialled(struct dt_link *link, const struct dt_fail *fail,
                       void *owner)
{
	struct agent *a = owner;

	if (fail) {
		a->why = *fail;
		return;
	}
	a->peer = dt_peer_new(link, &peer_events, a);
	dt_peer_start(a->peer);
	initialize(a);
}

/* The token, from where the CLI reads it. */
static enum dt_err read_token(const char *lock, struct dt_arena *arena,
                              const char **out, struct dt_fail *fail)
{
	const struct dt_json *json = NULL;
	const struct dt_json *token = NULL;
	struct dt_str text;
	struct dt_buf buf;
	enum dt_err err;

	dt_buf_init(&buf, LOCK_MAX);
	err = dt_file_read(lock, &buf, fail);
	if (!err)
		err = dt_json_read(arena, dt_buf_str(&buf), &json, fail);
	if (!err)
		token = dt_json_get(json, "authToken");
	if (!err && (!token || token->type != DT_JSON_STRING))
		err = dt_fail(fail, DT_E_PROTO, "%s holds no token", lock);
	if (!err) {
		text = dt_json_text(arena, token);
		*out = dt_arena_strndup(arena, text.ptr, text.len);
	}
	dt_buf_done(&buf);
	return err;
}

enum dt_err dt_demo_agent_run(const struct dt_demo_agent *spec,
                              struct dt_fail *fail)
{
	struct agent a = { .spec = spec };
	struct dt_dial_spec dial = {
		.port = spec->port,
		.protocol = "mcp",
		.auth_header = "X-Claude-Code-Ide-Authorization",
	};
	struct dt_arena arena = { 0 };
	enum dt_err err = read_token(spec->lock, &arena, &dial.token, fail);

	if (!err) {
		a.loop = dt_loop_new();
		dt_dial(a.loop, &dial, on_dialled, &a);
		dt_loop_run(a.loop); /* until all is closed */
		dt_loop_free(a.loop);
		err = a.why.code;
		if (err)
			dt_fail(fail, err, "%s", a.why.msg);
	}
	dt_arena_done(&arena);
	return err;
}
