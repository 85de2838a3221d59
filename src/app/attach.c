/*
 * app/attach.c - the daemon's socket without a loop.
 *
 * app/remote.c is how commands talk to the daemon.  A relay lives as long as its
 * client and is to weigh next to nothing, so it does without libuv.
 */
#include "app/attach.h"

#include "app/environment.h"
#include "base/path.h"
#include "data/field.h"
#include "hub/control.h"
#include "hub/dirs.h"
#include "loop/os.h"
#include "rpc/code.h"

#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* connecting */

static enum dt_err connect_to(int fd, const char *path, struct dt_fail *fail)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	pid_t pid;
	uid_t uid;

	if (strlen(path) >= sizeof(addr.sun_path))
		return dt_fail(fail, DT_E_LIMIT, "%s is too long a name", path);
	snprintf(addr.sun_path, sizeof(addr.sun_path), "%s", path);
	if (connect(fd, (struct sockaddr *)&addr, sizeof(addr)))
		return errno == ENOENT || errno == ECONNREFUSED ||
		                       errno == EAGAIN
		               ? dt_fail(fail, DT_E_MISSING,
		                         "no daemon is running; `dovetail "
		                         "start` starts it")
		               : dt_fail_sys(fail, "%s", path);
	/* In /tmp anybody could have been there first. */
	if (dt_os_peer(fd, &pid, &uid, fail))
		return DT_E_SYS;
	if (uid != getuid())
		return dt_fail(fail, DT_E_DENIED,
		               "the daemon behind the socket belongs to "
		               "somebody else; set XDG_RUNTIME_DIR");
	return DT_E_OK;
}

enum dt_err dt_attach_connect(int *out_fd, struct dt_fail *fail)
{
	struct dt_arena arena = { 0 };
	struct dt_dirs dirs;
	enum dt_err err = dt_dirs_find(&arena, &dirs, fail);
	int fd = -1;

	if (!err) {
		fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
		            0);
		err = fd < 0 ? dt_fail_sys(fail, "socket")
		             : connect_to(fd, dirs.socket, fail);
	}
	dt_arena_done(&arena);
	if (err && fd >= 0)
		close(fd);
	else if (!err)
		*out_fd = fd;
	return err;
}

/* asking */

static struct dt_json_out begin(struct dt_buf *out, int id, const char *method)
{
	struct dt_json_out json = dt_json_out(out);

	dt_json_begin_object(&json);
	dt_json_key(&json, "jsonrpc");
	dt_json_put_z(&json, "2.0");
	dt_json_key(&json, "id");
	dt_json_put_int(&json, id);
	dt_json_key(&json, "method");
	dt_json_put_z(&json, method);
	dt_json_key(&json, "params");
	dt_json_begin_object(&json);
	return json;
}

static void end(struct dt_json_out *json)
{
	dt_json_end_object(json);
	dt_json_end_object(json);
	dt_buf_add_char(json->buf, '\n');
}

static void put(struct dt_json_out *json, const char *key, const char *value)
{
	if (!value)
		return;
	dt_json_key(json, key);
	dt_json_put_z(json, value);
}

static void hello(struct dt_buf *out)
{
	struct dt_json_out json = begin(out, 0, "hello");

	dt_json_key(&json, "protocol");
	dt_json_put_int(&json, DT_CONTROL_PROTOCOL);
	end(&json);
}

void dt_attach_ask(const struct dt_attach *attach, struct dt_buf *out)
{
	struct dt_arena arena = { 0 };
	struct dt_names env = dt_environment_pick(&arena, environ);
	struct dt_json_out json;
	const char *folder;

	hello(out);
	json = begin(out, 1, "mcp.attach");
	put(&json, "workspace", attach->workspace);
	if (!dt_path_real(&arena, ".", &folder, NULL))
		put(&json, "folder", folder);
	put(&json, "session", attach->session);
	if (attach->client) {
		dt_json_key(&json, "client");
		dt_json_put_int(&json, attach->client);
	}
	dt_json_key(&json, "brief");
	dt_json_put_bool(&json, attach->is_brief);
	dt_json_key(&json, "full");
	dt_json_put_bool(&json, attach->is_full);
	dt_json_key(&json, "env");
	dt_json_begin_array(&json);
	for (size_t i = 0; i < env.count; i++)
		dt_json_put_z(&json, env.ptr[i]);
	dt_json_end_array(&json);
	end(&json);
	dt_arena_done(&arena);
}

void dt_attach_leave(const char *session, struct dt_buf *out)
{
	struct dt_json_out json;

	hello(out);
	json = begin(out, 1, "mcp.detach");
	put(&json, "session", session);
	end(&json);
}

void dt_attach_ask_terminal(const struct dt_attach_terminal *attach,
                            struct dt_buf *out)
{
	struct dt_json_out json;

	hello(out);
	json = begin(out, 1, "terminal.attach");
	put(&json, "folder", attach->folder);
	put(&json, "name", attach->name);
	dt_json_key(&json, "share");
	dt_json_put_bool(&json, attach->shares);
	dt_json_key(&json, "readOnly");
	dt_json_put_bool(&json, attach->only_reads);
	dt_json_key(&json, "rows");
	dt_json_put_int(&json, attach->rows);
	dt_json_key(&json, "columns");
	dt_json_put_int(&json, attach->columns);
	end(&json);
}

/* answers */

struct error {
	int64_t code;
	const char *message;
};

static const struct dt_field result_fields[] = {
	DT_FIELD(struct dt_attached, session, NAME, 0, ""),
	DT_FIELD(struct dt_attached, workspace, NAME, 0, ""),
	DT_FIELD_AS("resumed", struct dt_attached, is_resumed, BOOL, 0, ""),
	DT_FIELD_END,
};
static const struct dt_shape result_shape =
	DT_SHAPE(struct dt_attached, result_fields);

static const struct dt_field error_fields[] = {
	DT_FIELD(struct error, code, I64, DT_REQ, ""),
	DT_FIELD(struct error, message, NAME, DT_REQ, ""),
	DT_FIELD_END,
};
static const struct dt_shape error_shape = DT_SHAPE(struct error, error_fields);

enum dt_err dt_attach_refusal(struct dt_arena *arena,
                              const struct dt_json *error, struct dt_fail *fail)
{
	struct error e = { 0 };
	enum dt_err err = dt_shape_read(&error_shape, arena, error, &e, fail);

	if (err)
		return err;
	return dt_fail(fail,
	               e.code == (int)e.code ? dt_rpc_err((int)e.code)
	                                     : DT_E_SYS,
	               "%s", e.message);
}

enum dt_err dt_attach_read_result(struct dt_arena *arena, struct dt_str line,
                                  const struct dt_json **out_result,
                                  struct dt_fail *fail)
{
	const struct dt_json *json;
	enum dt_err err = dt_json_read(arena, line, &json, fail);

	if (err)
		return err;
	if (dt_json_get(json, "error"))
		return dt_attach_refusal(arena, dt_json_get(json, "error"),
		                         fail);
	*out_result = dt_json_get(json, "result");
	return DT_E_OK;
}

enum dt_err dt_attach_read(struct dt_arena *arena, struct dt_str line,
                           struct dt_attached *out, struct dt_fail *fail)
{
	const struct dt_json *result;
	enum dt_err err = dt_attach_read_result(arena, line, &result, fail);

	return err ? err
	           : dt_shape_read(&result_shape, arena, result, out, fail);
}
