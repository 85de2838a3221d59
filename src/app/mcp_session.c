/*
 * app/mcp_session.c - lines to the daemon and back, waiting for each answer.
 *
 * Of what the daemon says in between, a person may be told how a call goes on;
 * other notifications are passed over, and requests get the answer that we
 * cannot do that.
 */
#include "app/mcp_session.h"

#include "app/attach.h"
#include "app/daemon_start.h"
#include "app/folder.h"
#include "app/message.h"
#include "app/text.h"
#include "base/limits.h"
#include "rpc/code.h"
#include "wire/lines.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define CHUNK (64u * DT_KIB)
#define SENTENCE 200
#define VERSION "2025-11-25"

struct dt_mcp_session {
	int fd;
	int64_t last_id;
	bool is_talking;
	char said[SENTENCE]; /* printed last */
	struct dt_lines lines;
	struct dt_str rest; /* of what was read and not taken apart yet */
	char chunk[CHUNK];
};

static enum dt_err gone(struct dt_fail *fail)
{
	return dt_fail(fail, DT_E_CLOSED,
	               "the daemon went away; `dovetail status` says whether "
	               "it came back");
}

static bool wait_for(const struct dt_mcp_session *s, short events)
{
	struct pollfd p = { .fd = s->fd, .events = events };

	return poll(&p, 1, -1) > 0;
}

static enum dt_err send_all(struct dt_mcp_session *s, struct dt_str bytes,
                            struct dt_fail *fail)
{
	while (bytes.len) {
		ssize_t n = send(s->fd, bytes.ptr, bytes.len, MSG_NOSIGNAL);

		if (n > 0) {
			bytes.ptr += n;
			bytes.len -= (size_t)n;
		} else if (errno == EAGAIN) {
			(void)wait_for(s, POLLOUT);
		} else if (errno != EINTR) {
			return gone(fail);
		}
	}
	return DT_E_OK;
}

/* The next line; lent until the one after. */
static enum dt_err read_line(struct dt_mcp_session *s, struct dt_str *out,
                             struct dt_fail *fail)
{
	for (;;) {
		size_t used;
		ssize_t n;

		if (dt_lines_read(&s->lines, s->rest, &used, out, fail))
			return DT_E_LIMIT;
		s->rest.ptr += used;
		s->rest.len -= used;
		if (out->ptr)
			return DT_E_OK;
		if (!wait_for(s, POLLIN))
			continue;
		n = recv(s->fd, s->chunk, sizeof(s->chunk), 0);
		if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
			return gone(fail);
		s->rest = (struct dt_str){ s->chunk, n > 0 ? (size_t)n : 0 };
	}
}

/* talking */

static enum dt_err send_message(struct dt_mcp_session *s, int64_t id,
                                const char *method, struct dt_str params,
                                struct dt_fail *fail)
{
	struct dt_json_out out;
	struct dt_buf buf;
	enum dt_err err;

	dt_buf_init(&buf, DT_LIMIT_MESSAGE);
	out = dt_json_out(&buf);
	dt_json_begin_object(&out);
	dt_json_key(&out, "jsonrpc");
	dt_json_put_z(&out, "2.0");
	if (id) {
		dt_json_key(&out, "id");
		dt_json_put_int(&out, id);
	}
	dt_json_key(&out, "method");
	dt_json_put_z(&out, method);
	if (params.len) {
		dt_json_key(&out, "params");
		dt_json_put_raw(&out, params);
	}
	dt_json_end_object(&out);
	dt_buf_add_char(&buf, '\n');
	err = dt_buf_check(&buf, "the message", fail);
	if (!err)
		err = send_all(s, dt_buf_str(&buf), fail);
	dt_buf_done(&buf);
	return err;
}

static enum dt_err refuse(struct dt_mcp_session *s, struct dt_str id,
                          struct dt_fail *fail)
{
	struct dt_buf buf;
	enum dt_err err;

	dt_buf_init(&buf, DT_LIMIT_MESSAGE);
	dt_buf_addf(&buf,
	            "{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"error\":{\"code\":%d,"
	            "\"message\":\"nobody is here to be asked\"}}\n",
	            DT_STR_ARG(id), DT_RPC_NO_METHOD);
	err = send_all(s, dt_buf_str(&buf), fail);
	dt_buf_done(&buf);
	return err;
}

/* The line that answers our last request. */
/* What was said before is not said again. */
static void talk(struct dt_mcp_session *s, struct dt_str params)
{
	struct dt_arena arena = { 0 };
	const struct dt_json *json;
	const struct dt_json *message;
	const char *text;

	if (dt_json_read(&arena, params, &json, NULL))
		goto out;
	message = dt_json_get(json, "message");
	if (!message || message->type != DT_JSON_STRING)
		goto out;
	text = dt_text_code(&arena, dt_json_text(&arena, message));
	if (strncmp(text, s->said, SENTENCE - 1) != 0)
		fprintf(stderr, "dovetail: %s\n", text);
	snprintf(s->said, SENTENCE, "%s", text);
out:
	dt_arena_done(&arena);
}

static enum dt_err read_answer(struct dt_mcp_session *s, struct dt_arena *arena,
                               struct dt_str *out, struct dt_fail *fail)
{
	const char *id = dt_arena_printf(arena, "%lld", (long long)s->last_id);
	enum dt_err err = DT_E_OK;

	while (!err) {
		struct dt_message m;

		err = read_line(s, out, fail);
		if (err)
			break;
		m = dt_message_read(*out);
		if (m.kind == DT_MESSAGE_ANSWER && dt_str_is(m.id, id))
			return DT_E_OK;
		if (m.kind == DT_MESSAGE_REQUEST)
			err = refuse(s, m.id, fail);
		else if (s->is_talking &&
		         dt_str_is(m.method, "notifications/progress"))
			talk(s, m.params);
	}
	return err;
}

void dt_mcp_session_talk(struct dt_mcp_session *s)
{
	s->is_talking = true;
}

enum dt_err dt_mcp_session_ask(struct dt_mcp_session *s, const char *method,
                               struct dt_str params, struct dt_arena *arena,
                               const struct dt_json **out_result,
                               struct dt_fail *fail)
{
	const struct dt_json *json;
	struct dt_str line;
	enum dt_err err = send_message(s, ++s->last_id, method, params, fail);

	if (!err)
		err = read_answer(s, arena, &line, fail);
	if (err)
		return err;
	line.ptr = dt_arena_strndup(arena, line.ptr, line.len);
	err = dt_json_read(arena, line, &json, fail);
	if (err)
		return err;
	*out_result = dt_json_get(json, "result");
	if (*out_result)
		return DT_E_OK;
	return dt_attach_refusal(arena, dt_json_get(json, "error"), fail);
}

/* life */

static enum dt_err attach(struct dt_mcp_session *s, const char *workspace,
                          struct dt_fail *fail)
{
	struct dt_attach asked = {
		.workspace = workspace,
		.client = getpid(),
		.is_brief = true,
		.is_full = true,
	};
	struct dt_attached attached = { 0 };
	struct dt_arena arena = { 0 };
	struct dt_buf lines;
	enum dt_err err;

	dt_buf_init(&lines, DT_LIMIT_MESSAGE);
	dt_attach_ask(&asked, &lines);
	err = send_all(s, dt_buf_str(&lines), fail);
	dt_buf_done(&lines);
	while (!err && !attached.session) {
		struct dt_str line;

		err = read_line(s, &line, fail);
		if (!err)
			err = dt_attach_read(&arena, line, &attached, fail);
	}
	dt_arena_done(&arena);
	return err;
}

static enum dt_err shake_hands(struct dt_mcp_session *s, struct dt_fail *fail)
{
	static const struct dt_str hello = DT_STR(
		"{\"protocolVersion\":\"" VERSION "\",\"capabilities\":{},"
		"\"clientInfo\":{\"name\":\"dovetail-call\",\"version\":\"" DT_VERSION
		"\"}}");
	struct dt_arena arena = { 0 };
	const struct dt_json *result;
	enum dt_err err = dt_mcp_session_ask(s, "initialize", hello, &arena,
	                                     &result, fail);

	dt_arena_done(&arena);
	if (err)
		return err;
	return send_message(s, 0, "notifications/initialized",
	                    (struct dt_str){ 0 }, fail);
}

/* The workspace of a folder, as for every command. */
static enum dt_err find_root(struct dt_arena *arena, const char *named,
                             const char **out, struct dt_fail *fail)
{
	struct dt_workspace_info info = { 0 };
	struct dt_remote *remote;
	enum dt_err err = dt_daemon_reach(&remote, fail);

	if (err)
		return err;
	err = dt_folder_serve(remote, named, arena, &info, fail);
	dt_remote_free(remote);
	*out = info.root;
	return err;
}

enum dt_err dt_mcp_session_open(const char *named, struct dt_mcp_session **out,
                                struct dt_fail *fail)
{
	struct dt_arena arena = { 0 };
	struct dt_mcp_session *s = NULL;
	const char *root;
	enum dt_err err = find_root(&arena, named, &root, fail);

	if (!err) {
		s = dt_alloc(sizeof(*s));
		s->fd = -1;
		s->rest.ptr = s->chunk;
		dt_lines_init(&s->lines, DT_LIMIT_MESSAGE);
		err = dt_attach_connect(&s->fd, fail);
	}
	if (!err)
		err = attach(s, root, fail);
	if (!err)
		err = shake_hands(s, fail);
	if (err)
		dt_mcp_session_free(s);
	else
		*out = s;
	dt_arena_done(&arena);
	return err;
}

void dt_mcp_session_free(struct dt_mcp_session *s)
{
	if (!s)
		return;
	if (s->fd >= 0)
		close(s->fd);
	dt_lines_done(&s->lines);
	free(s);
}
