/*
 * hub/control_terminal.c - the person's view of agents' terminals.
 *
 * A command that looks into one becomes a viewer: from the answer on its
 * connection carries lines of wire/tty.h.  Terminals are listed and looked into
 * by persons alone; an agent has its own by tools.
 */
#include "hub/control.h"

#include "backend/headless.h"
#include "backend/terminals.h"
#include "base/limits.h"
#include "base/log.h"
#include "hub/record.h"
#include "hub/session.h"
#include "hub/workspace.h"
#include "wire/tty.h"

#include <stdlib.h>

#define LOOKS "look into terminals"

/* terminals */

/* Whose it is, for a person. */
static const char *agent_of(struct dt_workspace *ws,
                            const struct dt_terminal *t)
{
	struct dt_session *s = NULL;

	if (!t->owner)
		return "you";
	dt_list_each(place, &ws->hub->workspaces, struct dt_workspace, link) {
		if (!s)
			s = dt_session_find(place, dt_str(t->owner));
	}
	return s ? dt_session_name(s) : "an agent that left";
}

static void put_number(struct dt_json_out *out, const char *key, int64_t value)
{
	dt_json_key(out, key);
	dt_json_put_int(out, value);
}

static void put_terminal(struct dt_json_out *out, struct dt_workspace *ws,
                         const struct dt_terminal *t)
{
	struct dt_terminal_info info;

	dt_terminal_describe(t, NULL, &info);
	dt_json_begin_object(out);
	dt_json_key(out, "name");
	dt_json_put_z(out, info.name);
	put_number(out, "index", info.index);
	dt_json_key(out, "agent");
	dt_json_put_z(out, agent_of(ws, t));
	dt_json_key(out, "folder");
	dt_json_put_z(out, info.cwd);
	dt_json_key(out, "shell");
	dt_json_put_z(out, info.shell);
	dt_json_key(out, "state");
	dt_json_put_z(out, dt_terminal_states[info.state]);
	dt_json_key(out, "shared");
	dt_json_put_bool(out, info.is_shared);
	put_number(out, "viewers", info.viewers);
	dt_json_end_object(out);
}

static void terminals(struct dt_client *client, struct dt_request *req,
                      const void *args)
{
	struct dt_json_out *out = dt_request_begin(req);

	(void)args;
	dt_json_begin_object(out);
	dt_json_key(out, "terminals");
	dt_json_begin_array(out);
	dt_list_each(ws, &client->hub->workspaces, struct dt_workspace, link) {
		struct dt_terminals *set = dt_headless_terminals(ws->editor);
		struct dt_terminal *t = NULL;

		while (set && (t = dt_terminals_next(set, t)))
			put_terminal(out, ws, t);
	}
	dt_json_end_array(out);
	dt_json_end_object(out);
	dt_request_end(req);
}

/* viewers */

struct look {
	struct dt_viewer viewer;
	struct dt_link *link;
	struct dt_terminals *set;
	struct dt_terminal *terminal; /* NULL: it has ended */
};

static void send(struct look *l, enum dt_tty_type type, struct dt_str bytes)
{
	struct dt_buf line;

	dt_buf_init(&line, 2 * bytes.len + 1);
	dt_tty_write(&line, type, bytes);
	dt_link_send(l->link, dt_buf_str(&line));
	dt_buf_done(&line);
}

static void on_output(struct dt_str bytes, void *owner)
{
	send(owner, DT_TTY_OUTPUT, bytes);
}

static bool is_clogged(void *owner)
{
	return dt_link_is_clogged(((struct look *)owner)->link);
}

static void on_end(const char *why, void *owner)
{
	struct look *l = owner;

	l->terminal = NULL;
	send(l, DT_TTY_END, dt_str(why));
	dt_link_close(l->link, DT_LINK_DONE, "");
}

static const struct dt_viewer_events viewer_events = {
	.on_output = on_output,
	.is_clogged = is_clogged,
	.on_end = on_end,
};

static void take(struct look *l, enum dt_tty_type type, struct dt_str bytes)
{
	struct dt_pty_size size;
	struct dt_fail fail = { 0 };

	if (type == DT_TTY_SIZE &&
	    !dt_tty_read_size(bytes, &size.rows, &size.columns, NULL))
		dt_terminal_resize(l->terminal, &l->viewer, size);
	else if (type == DT_TTY_INPUT && l->viewer.may_type &&
	         dt_terminal_type(l->terminal, bytes, false, &fail))
		dt_log(DT_LOG_DEBUG, "not typed: %s", fail.msg);
}

static void on_message(struct dt_link *link, struct dt_str message, void *owner)
{
	struct look *l = owner;
	enum dt_tty_type type;
	struct dt_fail fail = { 0 };
	struct dt_buf bytes;

	dt_buf_init(&bytes, DT_LIMIT_TYPED);
	if (dt_tty_read(message, &type, &bytes, &fail))
		dt_link_close(link, DT_LINK_CONFUSED, fail.msg);
	else if (l->terminal)
		take(l, type, dt_buf_str(&bytes));
	dt_buf_done(&bytes);
}

static void on_closed(struct dt_link *link, const struct dt_fail *why,
                      void *owner)
{
	struct look *l = owner;

	(void)link;
	(void)why;
	if (l->terminal) {
		dt_terminal_look_away(l->terminal, &l->viewer);
		dt_terminals_looked_away(l->set, l->terminal);
	}
	free(l);
}

static const struct dt_link_events link_events = { on_message, on_closed };

/* terminal.attach */

struct attach_args {
	const char *folder;
	const char *name;
	bool shares;
	bool only_reads;
	uint32_t rows;
	uint32_t columns;
};
static const struct dt_field attach_fields[] = {
	DT_FIELD(struct attach_args, folder, PATH, DT_REQ,
	         "Where the person is."),
	DT_FIELD(struct attach_args, name, NAME, DT_REQ, "Or its number."),
	DT_FIELD_AS("share", struct attach_args, shares, BOOL, 0,
	            "Every agent may use it from now on."),
	DT_FIELD_AS("readOnly", struct attach_args, only_reads, BOOL, 0,
	            "Nothing is typed, and its size stays."),
	DT_FIELD(struct attach_args, rows, U32, 0, "Of the person's."),
	DT_FIELD(struct attach_args, columns, U32, 0, "Of the person's."),
	DT_FIELD_END,
};

static enum dt_err find(struct dt_client *client, struct dt_request *req,
                        const struct attach_args *args,
                        struct dt_workspace **out_ws, struct dt_terminal **out,
                        struct dt_fail *fail)
{
	struct dt_workspace *ws =
		dt_hub_workspace_at(client->hub, &req->arena, args->folder);
	struct dt_terminals *set =
		ws ? dt_headless_terminals(ws->editor) : NULL;

	if (!set)
		return dt_fail(fail, DT_E_MISSING,
		               "%s is in no folder that is served: `dovetail "
		               "terminals` tells where there are terminals",
		               args->folder);
	*out_ws = ws;
	return dt_terminals_named(set, args->name, out, fail);
}

static void attach(struct dt_client *client, struct dt_request *req,
                   const void *args)
{
	const struct attach_args *wanted = args;
	struct dt_workspace *ws;
	struct dt_terminal *t;
	struct dt_fail fail = { 0 };
	struct dt_json_out *out;
	struct look *l;

	if (find(client, req, wanted, &ws, &t, &fail)) {
		dt_request_fail_with(req, &fail);
		return;
	}
	t->is_shared |= wanted->shares;
	l = dt_alloc(sizeof(*l));
	l->viewer.events = &viewer_events;
	l->viewer.owner = l;
	l->viewer.may_type = !wanted->only_reads;
	l->viewer.size = (struct dt_pty_size){ wanted->rows, wanted->columns };
	l->set = dt_headless_terminals(ws->editor);
	l->terminal = t;
	/* What a terminal shows is nothing for a transcript. */
	dt_recorder_leave(dt_peer_link(client->peer));
	out = dt_request_begin(req);
	put_terminal(out, ws, t);
	dt_request_end(req);
	l->link = dt_control_release(client);
	dt_link_start(l->link, &link_events, l);
	dt_terminal_look(t, &l->viewer);
	if (t->state == DT_TERMINAL_ENDED) {
		dt_terminal_look_away(t, &l->viewer);
		on_end("its shell has ended", l);
	}
}

const struct dt_method dt_methods_terminal[] = {
	{ "terminals", DT_SHAPE_EMPTY, terminals, .persons = LOOKS },
	{ "terminal.attach", DT_SHAPE(struct attach_args, attach_fields),
	  attach, .persons = LOOKS },
	{ .name = NULL },
};
