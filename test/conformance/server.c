/*
 * test/conformance/server.c - the hub's MCP with the fixtures of the official
 * suite, in a world of its own.
 *
 *	conformance-server --port N    Streamable HTTP and WebSocket at /mcp
 *	conformance-server --stdio     one message per line
 *
 * All but the fixtures and the token is the shipped code: the suite cannot be
 * told of a token, so Host and Origin are checked here and the token is not.
 */
#include "fixtures.h"

#include "base/file.h"
#include "base/log.h"
#include "hub/door.h"
#include "hub/mcp_http.h"
#include "hub/session.h"
#include "wire/handshake.h"

#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static char dir[] = "/tmp/dovetail-conformance-XXXXXX";
static struct dt_hub hub;
static struct dt_workspace *ws;
static struct dt_mcp_http *http;
static struct dt_door door;
static struct dt_listener *listener;

struct guest {
	struct dt_mcp_visit *visit;
};

/* the world */

static int remove_one(const char *path, const struct stat *st, int type,
                      struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static void put(const char *name, const char *text)
{
	char *path = dt_asprintf("%s/%s", dir, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		perror(path);
	if (fd >= 0)
		close(fd);
	free(path);
}

static void make_folder(const char *variable, const char *name)
{
	char *path = dt_asprintf("%s/%s", dir, name);

	mkdir(path, 0700);
	if (variable)
		setenv(variable, path, 1);
	free(path);
}

static void make_world(void)
{
	if (!mkdtemp(dir)) {
		perror(dir);
		exit(1);
	}
	make_folder("HOME", "home");
	make_folder("XDG_RUNTIME_DIR", "run");
	make_folder(NULL, "run/dovetail");
	make_folder("XDG_STATE_HOME", "state");
	make_folder("XDG_CONFIG_HOME", "config");
	make_folder(NULL, "config/dovetail");
	make_folder(NULL, "project");
	unsetenv("CLAUDE_CONFIG_DIR");
	put("config/dovetail/dovetail.conf",
	    "[limits]\nsessions = 500\ncalls = 5000\nrequests_a_minute = 0\n"
	    "notes_a_minute = 0\n");
}

static void check(enum dt_err err, const struct dt_fail *fail)
{
	if (!err)
		return;
	fprintf(stderr, "conformance-server: %s\n", fail->msg);
	exit(1);
}

/* HTTP and WebSocket */

static void refuse(struct dt_http_conn *conn, unsigned status, const char *why)
{
	dt_http_conn_reply(conn, status, "text/plain", dt_str(why), NULL);
}

static void on_request(struct dt_http_conn *conn,
                       const struct dt_http_head *head, struct dt_str body,
                       void *owner)
{
	struct guest *guest = owner;
	struct dt_fail fail = { 0 };
	unsigned status;

	if (dt_door_check_place(&door, head, &status, &fail))
		refuse(conn, status, fail.msg);
	else if (!dt_str_is(head->target, "/mcp"))
		refuse(conn, 404, "only /mcp is served\n");
	else if (!dt_handshake_is_wanted(head))
		dt_mcp_http_request(http, &guest->visit, conn, head, body);
	else if (dt_handshake_check(head, &status, &fail))
		refuse(conn, status, fail.msg);
	else
		dt_session_new_lasting(
			ws, &fixture_dialect,
			dt_http_conn_upgrade(conn, head, "mcp", NULL), NULL);
}

static void on_end(struct dt_http_conn *conn, void *owner)
{
	struct guest *guest = owner;

	(void)conn;
	dt_mcp_visit_end(guest->visit);
	free(guest);
}

static const struct dt_http_conn_events conn_events = {
	.on_request = on_request,
	.on_end = on_end,
};

static void on_accept(struct dt_listener *from, struct dt_stream *stream,
                      void *owner)
{
	(void)from;
	(void)owner;
	dt_http_conn_new(stream, &conn_events, dt_alloc(sizeof(struct guest)));
}

static void listen_tcp(unsigned port)
{
	struct dt_fail fail = { 0 };

	door.port = port;
	http = dt_mcp_http_new(ws, &fixture_dialect);
	check(dt_listen_tcp(hub.loop, port, on_accept, NULL, &listener, &fail),
	      &fail);
	fprintf(stderr, "listening on http://127.0.0.1:%u/mcp\n", port);
}

/* stdio: a process beside us copies between our ends and a socket. */

static void on_line_accept(struct dt_listener *from, struct dt_stream *stream,
                           void *owner)
{
	(void)from;
	(void)owner;
	dt_session_new(ws, &fixture_dialect, dt_link_lines_new(stream), NULL);
}

static bool copy(int from, int to)
{
	char bytes[65536];
	ssize_t len = read(from, bytes, sizeof(bytes));

	for (ssize_t at = 0; at < len;) {
		ssize_t done = write(to, bytes + at, (size_t)(len - at));

		if (done <= 0)
			return false;
		at += done;
	}
	return len > 0;
}

/* Until either end hangs up. */
static int pump(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct pollfd polls[2] = { { .fd = 0, .events = POLLIN },
		                   { .fd = fd, .events = POLLIN } };
	bool is_open = true;

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	if (connect(fd, (struct sockaddr *)&address, sizeof(address))) {
		perror(path);
		return 1;
	}
	while (is_open && poll(polls, 2, -1) > 0) {
		if (polls[1].revents)
			is_open = copy(fd, 1);
		if (is_open && polls[0].revents)
			is_open = copy(0, fd);
	}
	return 0;
}

static pid_t listen_stdio(void)
{
	char *path = dt_asprintf("%s/stdio.sock", dir);
	struct dt_fail fail = { 0 };
	pid_t child;

	check(dt_listen_unix(hub.loop, path, on_line_accept, NULL, &listener,
	                     &fail),
	      &fail);
	child = fork();
	if (child == 0)
		_exit(pump(path));
	close(0);
	free(path);
	return child;
}

/* life */

static void on_stop(struct dt_signal *sig, int number, void *owner)
{
	(void)sig;
	(void)number;
	(void)owner;
	dt_loop_stop(hub.loop);
}

int main(int argc, char **argv)
{
	bool is_stdio = argc == 2 && !strcmp(argv[1], "--stdio");
	struct dt_hub_options options = { 0 };
	struct dt_fail fail = { 0 };
	char *project;
	uint32_t port = 0;

	if (!is_stdio &&
	    (argc != 3 || dt_str_to_u32(dt_str(argv[2]), &port, NULL))) {
		fprintf(stderr, "usage: conformance-server --port N | --ws N | "
		                "--stdio\n");
		return 2;
	}
	signal(SIGPIPE, SIG_IGN);
	make_world();
	project = dt_asprintf("%s/project", dir);
	check(dt_hub_init(&hub, dt_loop_new(), &options, &fail), &fail);
	check(dt_hub_serve(&hub, project, true, 0, &ws, &fail), &fail);
	fixture_hub = &hub;
	dt_signal_new(hub.loop, SIGTERM, on_stop, NULL);
	dt_signal_new(hub.loop, SIGINT, on_stop, NULL);
	if (is_stdio) {
		listen_stdio();
		dt_signal_new(hub.loop, SIGCHLD, on_stop, NULL);
	} else {
		listen_tcp(port);
	}
	dt_loop_run(hub.loop);
	nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	_exit(0); /* the world is gone; there is nobody to say goodbye to */
}
