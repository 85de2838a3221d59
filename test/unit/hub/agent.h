/*
 * test/unit/hub/agent.h - Claude Code and the command line, as a hub meets them.
 */
#ifndef DT_TEST_HUB_AGENT_H
#define DT_TEST_HUB_AGENT_H

#include "client.h"

#include "hub/control.h"
#include "hub/session.h"

/* agents */

static inline struct client *connect_agent_as(struct dt_workspace *ws,
                                              struct world *w, const char *name,
                                              const char *version)
{
	struct client *c = connect_ws(w, ws->record.port, ws->record.token);

	ask(c, "initialize",
	    text_of(w,
	            "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
	            "\"clientInfo\":{\"name\":\"%s\",\"version\":\"%s\"}}",
	            name, version));
	say(c,
	    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
	return c;
}

/* The CLI as it is when its handshake is over. */
static inline struct client *connect_agent(struct dt_workspace *ws,
                                           struct world *w)
{
	return connect_agent_as(ws, w, "claude-code", "2.1.325");
}

/* One that listens to events. */
static inline struct client *connect_ready_agent(struct dt_workspace *ws,
                                                 struct world *w)
{
	struct client *c = connect_agent(ws, w);
	struct dt_session *s =
		DT_LIST_OF(ws->sessions.prev, struct dt_session, link);

	ask(c, "tools/list", "{}");
	wait_for(w, s->agent.is_ready);
	return c;
}

/* Call a tool; the answer is still to be heard. */
static inline void call(struct client *c, const char *tool, const char *args)
{
	request(c, "tools/call",
	        text_of(c->w,
	                "{\"name\":\"%s\",\"arguments\":%s,\"_meta\":{"
	                "\"progressToken\":%u}}",
	                tool, args, c->id + 1));
}

/* The next message is the result of call `id`: this text and nothing else. */
static inline void expect_text(struct client *c, unsigned id, const char *text)
{
	expect(c,
	       "{\"jsonrpc\":\"2.0\",\"id\":%u,\"result\":{\"content\":[{"
	       "\"type\":\"text\",\"text\":%s}]}}",
	       id, quoted(c->w, text));
}

static inline void expect_texts(struct client *c, unsigned id,
                                const char *first, const char *second)
{
	expect(c,
	       "{\"jsonrpc\":\"2.0\",\"id\":%u,\"result\":{\"content\":[{"
	       "\"type\":\"text\",\"text\":%s},{\"type\":\"text\","
	       "\"text\":%s}]}}",
	       id, quoted(c->w, first), quoted(c->w, second));
}

static inline void expect_is_error(struct client *c, unsigned id,
                                   const char *sentence)
{
	expect(c,
	       "{\"jsonrpc\":\"2.0\",\"id\":%u,\"result\":{\"content\":[{"
	       "\"type\":\"text\",\"text\":%s}],\"isError\":true}}",
	       id, quoted(c->w, sentence));
}

/* Call and compare, where nothing comes in between. */
static inline void check_call(struct client *c, const char *tool,
                              const char *args, const char *text)
{
	call(c, tool, args);
	expect_text(c, c->id, text);
}

/* The session of the agent that connected last. */
static inline struct dt_session *last_session(struct dt_workspace *ws)
{
	assert_true(ws->session_count > 0);
	return DT_LIST_OF(ws->sessions.prev, struct dt_session, link);
}

/* commands */

static inline struct client *connect_control(struct world *w)
{
	char *path = text_of(w, "%s/r/dovetail/control.sock", w->dir);
	struct client *c = new_client(w, dt_stream_connect_unix(w->loop, path));

	start_link(c, dt_link_lines_new(c->stream));
	return c;
}

/* A command that has said hello. */
static inline struct client *connect_command(struct world *w)
{
	struct client *c = connect_control(w);

	ask(c, "hello", "{\"protocol\":1}");
	return c;
}

/* The review that waits, opened last. */
static inline struct dt_review *last_review(struct world *w)
{
	wait_for(w, !dt_list_is_empty(&w->hub.inbox.list));
	return DT_LIST_OF(w->hub.inbox.list.prev, struct dt_review, link);
}

/* openDiff of a file; returns when the review waits. */
static inline struct dt_review *propose(struct client *c, const char *path,
                                        const char *text, const char *tab)
{
	size_t before = c->w->hub.inbox.count;

	call(c, "openDiff",
	     text_of(c->w,
	             "{\"old_file_path\":%s,\"new_file_path\":%s,"
	             "\"new_file_contents\":%s,\"tab_name\":%s}",
	             quoted(c->w, path), quoted(c->w, path), quoted(c->w, text),
	             quoted(c->w, tab)));
	wait_for(c->w, c->w->hub.inbox.count > before);
	return last_review(c->w);
}

/* Decide by the control socket; returns its answer. */
static inline const char *decide(struct client *command, const char *id,
                                 const char *more)
{
	return ask(command, "review/decide",
	           text_of(command->w, "{\"id\":\"%s\",%s}", id, more));
}

#endif
