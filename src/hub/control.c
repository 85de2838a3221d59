/*
 * hub/control.c - commands let in, their requests handed to the method tables.
 *
 * Only processes of the same user get in.  The first request is hello, so that
 * a command and a daemon of different age find out before anything else.
 */
#include "hub/control.h"

#include "base/limits.h"
#include "base/log.h"
#include "hub/record.h"
#include "hub/whose.h"
#include "loop/stream.h"
#include "rpc/code.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define EXCESS 32 /* connections above the limit, for a moment */

struct dt_control {
	struct dt_hub *hub;
	struct dt_listener *listener;
	struct dt_list clients; /* by age */
	size_t client_count;
	bool is_lent; /* the socket is somebody else's to remove */
};

static void forget(struct dt_client *client)
{
	dt_list_remove(&client->link);
	if (!client->is_leaving)
		client->control->client_count--;
	if (client->handle >= 0)
		close(client->handle);
	free(client);
}

/* hello */

struct hello {
	uint32_t protocol;
};
static const struct dt_field hello_fields[] = {
	DT_FIELD(struct hello, protocol, U32, DT_REQ, "The command's."),
	DT_FIELD_END,
};
static const struct dt_shape hello_shape = DT_SHAPE(struct hello, hello_fields);

static void hello(struct dt_client *client, struct dt_request *req,
                  const struct dt_json *params)
{
	struct hello args = { 0 };
	struct dt_fail fail = { 0 };
	struct dt_json_out *out;

	if (dt_shape_read(&hello_shape, &req->arena, params, &args, &fail)) {
		dt_request_fail_with(req, &fail);
		return;
	}
	if (args.protocol != DT_CONTROL_PROTOCOL) {
		dt_request_fail(req, DT_RPC_STATE,
		                "the daemon is of another version: run "
		                "`dovetail restart`, which keeps ports and "
		                "tokens");
		return;
	}
	client->has_said_hello = true;
	out = dt_request_begin(req);
	dt_json_begin_object(out);
	dt_json_key(out, "protocol");
	dt_json_put_int(out, DT_CONTROL_PROTOCOL);
	dt_json_key(out, "version");
	dt_json_put_z(out, DT_VERSION);
	dt_json_key(out, "pid");
	dt_json_put_int(out, getpid());
	dt_json_end_object(out);
	dt_request_end(req);
}

/* requests */

static const struct dt_method *find_method(const char *name)
{
	static const struct dt_method *const tables[] = {
		dt_methods_apply,  dt_methods_card,     dt_methods_daemon,
		dt_methods_gate,   dt_methods_hook,     dt_methods_log,
		dt_methods_lsp,    dt_methods_mcp,      dt_methods_ops,
		dt_methods_review, dt_methods_terminal, dt_methods_view,
		dt_methods_wait,
	};

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		for (const struct dt_method *m = tables[i]; m->name; m++) {
			if (!strcmp(m->name, name))
				return m;
		}
	}
	return NULL;
}

static void on_request(struct dt_peer *peer, struct dt_request *req,
                       const struct dt_json *params, void *owner)
{
	struct dt_client *client = owner;
	const struct dt_method *method = find_method(req->method);
	struct dt_fail fail = { 0 };
	void *args;

	if (client->is_excess && strcmp(req->method, "hello") != 0 &&
	    strcmp(req->method, "stop") != 0) {
		dt_request_fail(req, DT_RPC_LIMIT,
		                "too many commands are connected to the "
		                "daemon: end some of them, or run `dovetail "
		                "restart`");
		dt_peer_close(peer, DT_LINK_REFUSED, "");
		return;
	}
	if (!strcmp(req->method, "hello")) {
		hello(client, req, params);
		return;
	}
	/* stop is understood by every daemon, whatever its age. */
	if (!client->has_said_hello && strcmp(req->method, "stop") != 0) {
		dt_request_fail(req, DT_RPC_STATE, "say hello first");
		return;
	}
	if (!method) {
		dt_request_fail(req, DT_RPC_NO_METHOD,
		                "the daemon does not know this: run "
		                "`dovetail restart`");
		return;
	}
	args = dt_arena_alloc(&req->arena, method->args.size);
	if ((method->persons &&
	     dt_control_check_person(client, method->persons, &fail)) ||
	    dt_shape_read(&method->args, &req->arena, params, args, &fail))
		dt_request_fail_with(req, &fail);
	else
		method->run(client, req, args);
}

static void on_notify(struct dt_peer *peer, const char *method,
                      const struct dt_json *params, void *owner)
{
	(void)peer;
	(void)params;
	(void)owner;
	dt_log(DT_LOG_DEBUG, "a command said %s", method);
}

static void on_closed(struct dt_peer *peer, const struct dt_fail *why,
                      void *owner)
{
	struct dt_client *client = owner;

	(void)peer;
	(void)why;
	forget(client);
}

/* Its number means it and no other as long as it lives. */
static bool is_there(const struct dt_client *client)
{
	struct dt_process process = { client->pid, client->started };

	return client->handle >= 0 ? dt_os_handle_is_alive(client->handle)
	                           : dt_os_is_alive(process);
}

enum dt_err dt_control_check_person(struct dt_client *client, const char *what,
                                    struct dt_fail *fail)
{
	struct dt_fail why = { 0 };
	enum dt_err err = dt_whose_check(client->hub, client->pid, what, &why);

	/* Afterwards: what was looked at was this process. */
	if (!err && !is_there(client))
		err = dt_fail(&why, DT_E_DENIED,
		              "only you can %s, and the command has ended "
		              "before it was known whose it was: run it in a "
		              "terminal of your own",
		              what);
	if (err)
		dt_log(DT_LOG_WARN, "process %d was refused: %s",
		       (int)client->pid, why.msg);
	return err ? dt_fail(fail, err, "%s", why.msg) : DT_E_OK;
}

struct dt_link *dt_control_release(struct dt_client *client)
{
	struct dt_link *link = dt_peer_release(client->peer);

	forget(client);
	return link;
}

/* Where there are too many commands, the oldest that asks nothing goes.  False:
 * all of them wait for something. */
static bool make_room(struct dt_control *control)
{
	struct dt_link *link;

	if (control->client_count < DT_LIMIT_COMMANDS)
		return true;
	dt_list_each(client, &control->clients, struct dt_client, link) {
		if (client->is_leaving || dt_peer_request_count(client->peer))
			continue;
		dt_log(DT_LOG_WARN,
		       "%u commands are connected: process %d, which asks "
		       "nothing, makes room",
		       DT_LIMIT_COMMANDS, (int)client->pid);
		client->is_leaving = true;
		control->client_count--;
		link = dt_peer_link(client->peer);
		dt_stream_close(link->carrier->stream(link));
		return true;
	}
	dt_log(DT_LOG_WARN, "%u commands are connected: one more refused",
	       DT_LIMIT_COMMANDS);
	return false;
}

static const struct dt_peer_events peer_events = {
	.on_request = on_request,
	.on_notify = on_notify,
	.on_closed = on_closed,
};

static void on_accept(struct dt_listener *listener, struct dt_stream *stream,
                      void *owner)
{
	struct dt_control *control = owner;
	struct dt_client *client;
	struct dt_fail fail = { 0 };
	struct dt_os_stat process;
	struct dt_link *link;
	bool is_excess;
	pid_t pid;
	uid_t uid;

	(void)listener;
	if (dt_stream_credentials(stream, &pid, &uid, &fail) ||
	    uid != geteuid()) {
		dt_log(DT_LOG_WARN, "a command of another user was refused");
		dt_stream_close(stream);
		return;
	}
	is_excess = !make_room(control);
	/* Those that go and those that are told no are few. */
	if (control->client_count >= DT_LIMIT_COMMANDS + EXCESS) {
		dt_stream_close(stream);
		return;
	}
	client = dt_alloc(sizeof(*client));
	client->is_excess = is_excess;
	control->client_count++;
	client->control = control;
	client->hub = control->hub;
	client->pid = pid;
	client->handle = dt_stream_peer_handle(stream);
	if (dt_os_stat(pid, &process))
		client->started = process.process.started;
	dt_list_append(&control->clients, &client->link);
	dt_stream_set_budget(stream, control->hub->commands);
	link = dt_link_lines_new(stream);
	if (control->hub->recorder)
		dt_recorder_watch(control->hub->recorder, link, "control");
	client->peer = dt_peer_new(link, &peer_events, client);
	dt_peer_start(client->peer);
}

/* life */

enum dt_err dt_control_new(struct dt_hub *hub, int fd, struct dt_control **out,
                           struct dt_fail *fail)
{
	struct dt_control *control = dt_alloc(sizeof(*control));
	const char *path = hub->dirs.socket;
	enum dt_err err;

	control->hub = hub;
	control->is_lent = fd > 0;
	dt_list_init(&control->clients);
	/* Whoever holds the run directory's lock owns the socket: a file that
	 * is there was left by a daemon that is gone. */
	if (fd > 0)
		err = dt_listen_fd(hub->loop, fd, on_accept, control,
		                   &control->listener, fail);
	else if (unlink(path) && errno != ENOENT)
		err = dt_fail_sys(fail, "%s", path);
	else
		err = dt_listen_unix(hub->loop, path, on_accept, control,
		                     &control->listener, fail);
	if (err) {
		free(control);
		return err;
	}
	*out = control;
	return DT_E_OK;
}

void dt_control_stop(struct dt_control *control)
{
	dt_listener_close(control->listener);
	control->listener = NULL;
	if (!control->is_lent)
		unlink(control->hub->dirs.socket);
	dt_list_each(client, &control->clients, struct dt_client, link)
		dt_peer_close(client->peer, DT_LINK_AWAY, "dovetail stops");
}

void dt_control_free(struct dt_control *control)
{
	free(control);
}
