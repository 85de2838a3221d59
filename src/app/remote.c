/*
 * app/remote.c - calls to the daemon, one at a time.
 *
 * The methods are hub/control.c's; see docs/protocol/control.md.  Nothing here
 * starts a daemon; daemon_start.c does.
 *
 * A call may take hours, when a person is to answer it.  Whether the daemon is
 * still there all that time is asked every few seconds on the same connection.
 * Beats are counted, not seconds: a command that was stopped itself, or slept
 * with its machine, has missed none.
 */
#include "app/remote.h"

#include "base/limits.h"
#include "hub/control.h"
#include "hub/dirs.h"
#include "link/link.h"
#include "rpc/code.h"
#include "rpc/peer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define BEAT_MAX_MS 5000

static struct dt_patience patience = { .ms = DT_REMOTE_PATIENCE_MS };

static uint32_t beat_ms(void)
{
	return patience.ms / 3 < BEAT_MAX_MS ? patience.ms / 3 : BEAT_MAX_MS;
}

/* The call that is under way. */
struct answer {
	struct dt_arena *arena;
	const struct dt_json *result;
	struct dt_fail *fail;
	enum dt_err err;
};

struct dt_remote {
	struct dt_loop *loop;
	struct dt_peer *peer; /* NULL: the connection is gone */
	struct dt_buf params;
	struct dt_json_out writer;
	struct answer *answer; /* NULL: nobody waits for it any more */
	struct dt_timer *beat;
	bool is_asked;       /* whether it lives, and it has not said so */
	uint32_t unanswered; /* beats since then */
};

void dt_remote_set_patience(const struct dt_patience *wanted)
{
	patience = *wanted;
}

static void on_request(struct dt_peer *peer, struct dt_request *req,
                       const struct dt_json *params, void *owner)
{
	(void)peer;
	(void)params;
	(void)owner;
	dt_request_fail(req, DT_RPC_NO_METHOD, "this is a command");
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
	struct dt_remote *remote = owner;

	(void)peer;
	(void)why;
	remote->peer = NULL;
}

/* Who is behind the socket; false when nobody is. */
static bool peer_of(struct dt_remote *remote, pid_t *out_pid, uid_t *out_uid)
{
	struct dt_link *link;

	if (!remote->peer)
		return false;
	link = dt_peer_link(remote->peer);
	return !dt_stream_credentials(link->carrier->stream(link), out_pid,
	                              out_uid, NULL);
}

pid_t dt_remote_pid(struct dt_remote *remote)
{
	pid_t pid;
	uid_t uid;

	return peer_of(remote, &pid, &uid) ? pid : 0;
}

/* whether it is still there */

static bool is_quiet(const struct dt_remote *remote)
{
	uint32_t quiet_ms = remote->unanswered * beat_ms();

	return quiet_ms >= DT_REMOTE_PATIENCE_MS || quiet_ms >= patience.ms / 2;
}

/* An error is a word, too: older daemons do not know the question. */
static void on_alive(struct dt_peer *peer, const struct dt_json *result,
                     const struct dt_fail *fail, void *owner)
{
	struct dt_remote *remote = owner;

	(void)peer;
	(void)result;
	(void)fail;
	if (is_quiet(remote) && patience.on_quiet && remote->answer)
		patience.on_quiet(dt_remote_pid(remote), false);
	remote->is_asked = false;
	remote->unanswered = 0;
}

static enum dt_err fail_hanging(int pid, struct dt_fail *fail)
{
	/* It would be everybody's. */
	if (pid <= 0)
		return dt_fail(fail, DT_E_SYS, "the daemon does not answer");
	return dt_fail(fail, DT_E_SYS,
	               "the daemon (pid %d) does not answer: `kill -CONT %d` "
	               "wakes one that was stopped, `kill -9 %d` ends one that "
	               "hangs, and another takes its place",
	               pid, pid, pid);
}

static void give_up(struct dt_remote *remote)
{
	remote->answer->err =
		fail_hanging((int)dt_remote_pid(remote), remote->answer->fail);
	remote->answer = NULL;
	dt_loop_stop(remote->loop);
}

static void on_beat(struct dt_timer *timer, void *owner)
{
	struct dt_remote *remote = owner;
	bool was_quiet = is_quiet(remote);

	(void)timer;
	if (!remote->peer || !remote->answer)
		return;
	if (patience.on_beat)
		patience.on_beat();
	if (!remote->is_asked) {
		remote->is_asked = true;
		dt_peer_call(remote->peer, "ping", DT_STR("{}"), 0, on_alive,
		             remote);
		return;
	}
	remote->unanswered++;
	if (is_quiet(remote) && !was_quiet && patience.on_quiet)
		patience.on_quiet(dt_remote_pid(remote), true);
	if (remote->unanswered * beat_ms() >= patience.ms)
		give_up(remote);
}

static const struct dt_peer_events peer_events = {
	.on_request = on_request,
	.on_notify = on_notify,
	.on_closed = on_closed,
};

enum dt_err dt_remote_open_any(struct dt_remote **out, struct dt_fail *fail)
{
	struct dt_arena arena = { 0 };
	struct dt_remote *remote;
	struct dt_stream *stream;
	struct dt_dirs dirs;
	enum dt_err err = dt_dirs_find(&arena, &dirs, fail);

	if (!err) {
		remote = dt_alloc(sizeof(*remote));
		remote->loop = dt_loop_new();
		remote->beat = dt_timer_new(remote->loop, on_beat, remote);
		dt_buf_init(&remote->params, DT_LIMIT_MESSAGE);
		stream = dt_stream_connect_unix(remote->loop, dirs.socket);
		remote->peer = dt_peer_new(dt_link_lines_new(stream),
		                           &peer_events, remote);
		dt_peer_start(remote->peer);
		*out = remote;
	}
	dt_arena_done(&arena);
	return err;
}

void dt_remote_free(struct dt_remote *remote)
{
	if (!remote)
		return;
	remote->answer = NULL;
	dt_timer_free(remote->beat);
	if (remote->peer)
		dt_peer_close(remote->peer, DT_LINK_DONE, "");
	dt_loop_run(remote->loop); /* until all is closed */
	dt_loop_free(remote->loop);
	dt_buf_done(&remote->params);
	free(remote);
}

/* calls */

struct dt_json_out *dt_remote_begin(struct dt_remote *remote)
{
	dt_buf_clear(&remote->params);
	remote->writer = dt_json_out(&remote->params);
	dt_json_begin_object(&remote->writer);
	return &remote->writer;
}

void dt_remote_put(struct dt_json_out *out, const char *name, const char *value)
{
	if (!value)
		return;
	dt_json_key(out, name);
	dt_json_put_z(out, value);
}

/* The result is lent until we return, so keep a copy. */
static enum dt_err keep(struct answer *answer, const struct dt_json *result)
{
	struct dt_str raw = result->raw;

	raw.ptr = dt_arena_strndup(answer->arena, raw.ptr, raw.len);
	return dt_json_read(answer->arena, raw, &answer->result, answer->fail);
}

static void on_reply(struct dt_peer *peer, const struct dt_json *result,
                     const struct dt_fail *fail, void *owner)
{
	struct dt_remote *remote = owner;
	struct answer *answer = remote->answer;

	(void)peer;
	if (!answer)
		return;
	if (fail) {
		answer->err = fail->code;
		*answer->fail = *fail;
	} else {
		answer->err = keep(answer, result);
	}
	dt_loop_stop(remote->loop);
}

/* What became of a daemon that did not answer. */
static enum dt_err explain(const struct dt_fail *why, struct dt_fail *fail)
{
	if (why->code == DT_E_SYS &&
	    (why->sys_errno == ENOENT || why->sys_errno == ECONNREFUSED))
		return dt_fail(fail, DT_E_MISSING,
		               "no daemon is running; `dovetail start` starts "
		               "it");
	if (why->code == DT_E_CLOSED || why->sys_errno == EPIPE ||
	    why->sys_errno == ECONNRESET)
		return dt_fail(fail, DT_E_CLOSED,
		               "the daemon went away; `dovetail status` says "
		               "whether it came back");
	return dt_fail(fail, why->code, "%s", why->msg);
}

enum dt_err dt_remote_call(struct dt_remote *remote, const char *method,
                           struct dt_arena *arena,
                           const struct dt_json **out_result,
                           struct dt_fail *fail)
{
	struct dt_fail why = { 0 };
	struct answer answer = { .arena = arena, .fail = &why };
	enum dt_err err;

	if (!remote->peer) {
		dt_fail(&why, DT_E_CLOSED, "closed");
		return explain(&why, fail);
	}
	if (remote->params.len > 0)
		dt_json_end_object(&remote->writer);
	err = dt_buf_check(&remote->params, "the text", fail);
	if (err)
		return err;
	remote->answer = &answer;
	dt_peer_call(remote->peer, method, dt_buf_str(&remote->params), 0,
	             on_reply, remote);
	dt_buf_clear(&remote->params);
	dt_timer_repeat(remote->beat, beat_ms());
	dt_loop_run(remote->loop);
	dt_timer_stop(remote->beat);
	remote->answer = NULL;
	if (answer.err)
		return explain(&why, fail);
	if (out_result)
		*out_result = answer.result;
	return DT_E_OK;
}

enum dt_err dt_remote_fetch(struct dt_remote *remote, const char *method,
                            struct dt_arena *arena,
                            const struct dt_shape *shape, void *out,
                            struct dt_fail *fail)
{
	const struct dt_json *result;
	enum dt_err err = dt_remote_call(remote, method, arena, &result, fail);

	if (err)
		return err;
	return dt_shape_read(shape, arena, result, out, fail);
}

static enum dt_err hello(struct dt_remote *remote, struct dt_fail *fail)
{
	struct dt_json_out *out = dt_remote_begin(remote);
	struct dt_arena arena = { 0 };
	enum dt_err err;
	pid_t pid;
	uid_t uid;

	dt_json_key(out, "protocol");
	dt_json_put_int(out, DT_CONTROL_PROTOCOL);
	err = dt_remote_call(remote, "hello", &arena, NULL, fail);
	dt_arena_done(&arena);
	if (err)
		return err;
	if (!peer_of(remote, &pid, &uid))
		return dt_fail(fail, DT_E_CLOSED,
		               "the daemon went away; `dovetail status` says "
		               "whether it runs");
	/* In /tmp anybody could have been there first. */
	if (uid != getuid())
		return dt_fail(fail, DT_E_DENIED,
		               "the daemon behind the socket belongs to "
		               "somebody else; set XDG_RUNTIME_DIR");
	return DT_E_OK;
}

enum dt_err dt_remote_open(struct dt_remote **out, struct dt_fail *fail)
{
	struct dt_remote *remote = NULL;
	enum dt_err err = dt_remote_open_any(&remote, fail);

	if (!err)
		err = hello(remote, fail);
	if (err)
		dt_remote_free(remote);
	else
		*out = remote;
	return err;
}

void dt_remote_print(const struct dt_json *result)
{
	printf("%.*s\n", DT_STR_ARG(result->raw));
}
