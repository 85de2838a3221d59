#include "agent.h"

#include "hub/daemon.h"

#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

/* The real daemon in processes of its own. */
struct daemon {
	pid_t parent;
	char line[300]; /* what it said when it was ready, or not */
};

/*
 * A process whose group all daemons join.  It ends them when the test does, or
 * when the test program is gone and its end of the pipe with it.
 */
static pid_t guard;
static int guard_end;

static void start_guard(void)
{
	char byte;
	int ends[2];

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	fflush(NULL);
	guard = fork();
	assert_true(guard >= 0);
	if (guard == 0) {
		setpgid(0, 0);
		close(ends[1]);
		while (read(ends[0], &byte, 1) > 0)
			continue;
		kill(0, SIGKILL);
	}
	setpgid(guard, guard);
	close(ends[0]);
	guard_end = ends[1];
}

static int begin(void **state)
{
	start_guard();
	return open_empty_world(state);
}

static int end(void **state)
{
	close(guard_end);
	waitpid(guard, NULL, 0);
	return close_world(state);
}

#define test_of_daemon(name) cmocka_unit_test_setup_teardown(name, begin, end)

static struct dt_daemon_options options_for(const struct world *w)
{
	return (struct dt_daemon_options){
		.workspace = w->project,
		.is_named = true,
		.is_background = true,
		.next = "",
	};
}

static struct daemon start_daemon(struct dt_daemon_options options)
{
	struct daemon d = { 0 };
	size_t len = 0;
	ssize_t n;
	int ends[2];

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	fflush(NULL);
	d.parent = fork();
	assert_true(d.parent >= 0);
	if (d.parent == 0) {
		int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

		dup2(null, STDERR_FILENO);
		dt_log_set(DT_LOG_WARN, STDERR_FILENO);
		setpgid(0, guard);
		close(guard_end);
		close(ends[0]);
		options.ready_fd = ends[1];
		exit(dt_daemon_run(&options));
	}
	close(ends[1]);
	while ((n = read(ends[0], d.line + len, sizeof(d.line) - 1 - len)) > 0)
		len += (size_t)n;
	close(ends[0]);
	return d;
}

static int exit_code(const struct daemon *d)
{
	int status;

	assert_int_equal(waitpid(d->parent, &status, 0), d->parent);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void end_daemon(const struct daemon *d)
{
	assert_int_equal(kill(d->parent, SIGTERM), 0);
	assert_int_equal(exit_code(d), 0);
}

/* A command let in by the daemon that runs, or will in a moment; its pid. */
static struct client *reach(struct world *w, pid_t *out_pid)
{
	uint64_t until = dt_clock_ms() + PATIENCE_MS;
	uint32_t pid;

	while (dt_clock_ms() < until) {
		struct client *c = connect_control(w);

		request(c, "hello", "{\"protocol\":1}");
		wait_for(w, has_heard(c) || c->is_closed);
		if (has_heard(c)) {
			assert_ok(dt_str_to_u32(
				dt_str(at(w, hear(c), "result.pid")), &pid,
				NULL));
			*out_pid = (pid_t)pid;
			return c;
		}
		run_for(w, 10);
	}
	fail_msg("nobody listens");
	return NULL;
}

/* Kill the daemon itself; returns when the next one answers. */
static struct client *kill_child(struct world *w, pid_t child, pid_t *out_pid)
{
	struct client *c = NULL;

	assert_int_equal(kill(child, SIGKILL), 0);
	do {
		if (c)
			drop(c);
		c = reach(w, out_pid);
	} while (*out_pid == child);
	return c;
}

static char *lock_of(struct world *w, struct client *command)
{
	return text_of(w, "%s",
	               at(w, ask(command, "status", "{}"),
	                  "result.workspaces.0.lock"));
}

world_test(a_daemon_serves_until_it_is_told_to_end)
{
	struct world *w = *state;
	struct daemon d = start_daemon(options_for(w));
	struct client *c;
	pid_t child;
	char *lock;

	assert_string_equal(d.line, "ok\n");
	c = reach(w, &child);
	assert_int_not_equal(child, d.parent);
	lock = lock_of(w, c);
	assert_string_equal(at(w, file_text(w, lock), "pid"),
	                    text_of(w, "%d", (int)child));
	end_daemon(&d);
	assert_false(is_there(lock));
	assert_false(
		is_there(text_of(w, "%s/r/dovetail/control.sock", w->dir)));
	assert_int_equal(kill(child, 0), -1);
}

world_test(a_command_can_stop_it)
{
	struct world *w = *state;
	struct daemon d = start_daemon(options_for(w));
	pid_t child;
	struct client *c = reach(w, &child);

	ask(c, "stop", "{}");
	assert_int_equal(exit_code(&d), 0);
}

world_test(a_killed_daemon_comes_back_with_everything)
{
	struct world *w = *state;
	struct daemon d = start_daemon(options_for(w));
	pid_t child;
	pid_t next;
	struct client *c = reach(w, &child);
	char *lock = lock_of(w, c);
	char *token = text_of(w, "%s", at(w, file_text(w, lock), "authToken"));
	const char *status;
	uint32_t port = 0;

	/* One more, opened by a command. */
	ask(c, "workspace/open",
	    text_of(w, "{\"folder\":\"%s\",\"isNamed\":true}",
	            make_folder(w, "q")));
	c = kill_child(w, child, &next);
	assert_string_equal(lock_of(w, c), lock);
	assert_string_equal(at(w, file_text(w, lock), "pid"),
	                    text_of(w, "%d", (int)next));
	assert_string_equal(at(w, file_text(w, lock), "authToken"), token);
	status = ask(c, "status", "{}");
	assert_string_equal(at(w, status, "result.restarts"), "1");
	assert_string_equal(at(w, status, "result.workspaces.1.root"),
	                    text_of(w, "%s/q", w->dir));
	/* The CLI redials the same port with the same token. */
	assert_ok(
		dt_str_to_u32(dt_str(at(w, status, "result.workspaces.0.port")),
	                      &port, NULL));
	drop(connect_ws(w, port, token));
	end_daemon(&d);
	assert_non_null(strstr(
		file_text(w, text_of(w, "%s/s/dovetail/dovetail.log", w->dir)),
		"the daemon died of signal 9"));
}

world_test(the_second_restart_takes_its_time)
{
	struct world *w = *state;
	struct daemon d = start_daemon(options_for(w));
	uint64_t start;
	pid_t child;

	reach(w, &child);
	kill_child(w, child, &child);
	start = dt_clock_ms();
	kill_child(w, child, &child);
	assert_true(dt_clock_ms() - start >= 1000);
	end_daemon(&d);
}

/* Some start us with SIGCHLD ignored; then nobody would be told. */
world_test(a_daemon_comes_back_although_sigchld_was_ignored)
{
	struct world *w = *state;
	struct daemon d;
	pid_t child;

	signal(SIGCHLD, SIG_IGN);
	d = start_daemon(options_for(w));
	signal(SIGCHLD, SIG_DFL);
	reach(w, &child);
	kill_child(w, child, &child);
	end_daemon(&d);
}

world_test(there_is_one_daemon)
{
	struct world *w = *state;
	struct daemon first = start_daemon(options_for(w));
	struct daemon second = start_daemon(options_for(w));

	assert_int_equal(exit_code(&second), 1);
	assert_string_equal(second.line,
	                    "error a daemon runs already: see `dovetail "
	                    "status`, or end it with `dovetail stop`\n");
	end_daemon(&first);
	second = start_daemon(options_for(w));
	assert_string_equal(second.line, "ok\n");
	end_daemon(&second);
}

world_test(a_daemon_whose_parent_was_killed_is_still_the_only_one)
{
	struct world *w = *state;
	struct daemon first = start_daemon(options_for(w));
	struct daemon second;
	struct client *c;
	pid_t child;
	int status;

	c = reach(w, &child);
	assert_int_equal(kill(first.parent, SIGKILL), 0);
	assert_int_equal(waitpid(first.parent, &status, 0), first.parent);
	assert_non_null(at(w, ask(c, "status", "{}"), "result.pid"));
	second = start_daemon(options_for(w));
	assert_int_equal(exit_code(&second), 1);
	ask(c, "stop", "{}");
	wait_for(w, c->is_closed);
	/* It is gone when its lock can be had. */
	wait_for(w, (second = start_daemon(options_for(w)),
	             strcmp(second.line, "ok\n") == 0 ||
	                     (exit_code(&second), false)));
	end_daemon(&second);
}

world_test(a_signal_makes_it_read_its_configuration_again)
{
	struct world *w = *state;
	struct daemon d = start_daemon(options_for(w));
	pid_t child;
	char *lock = lock_of(w, reach(w, &child));

	mkdir(text_of(w, "%s/c/dovetail", w->dir), 0700);
	put_file(text_of(w, "%s/c/dovetail/dovetail.conf", w->dir),
	         "[claude]\nide_name = Other\n");
	assert_int_equal(kill(d.parent, SIGHUP), 0);
	wait_for(w, strstr(file_text(w, lock), "\"ideName\":\"Other\""));
	end_daemon(&d);
}

static void check_refused(struct world *w, const char *sentence)
{
	struct daemon d = start_daemon(options_for(w));

	assert_string_equal(d.line, text_of(w, "error %s\n", sentence));
	assert_int_equal(exit_code(&d), 1);
}

world_test(a_run_directory_that_is_not_ours_alone_is_refused)
{
	struct world *w = *state;
	char *run = text_of(w, "%s/r/dovetail", w->dir);

	assert_int_equal(chmod(run, 0750), 0);
	check_refused(
		w, text_of(w, "%s is open to others (mode 750, not 700)", run));
	assert_int_equal(rmdir(run), 0);
	assert_int_equal(symlink(w->project, run), 0);
	check_refused(w, text_of(w, "%s is a link or not a folder", run));
	assert_int_equal(unlink(run), 0);
	put_file(run, "");
	check_refused(w, text_of(w, "%s is a link or not a folder", run));
}

/* Only root can give a folder away. */
world_test(a_run_directory_of_somebody_else_is_refused)
{
	struct world *w = *state;
	char *run = text_of(w, "%s/r/dovetail", w->dir);

	if (geteuid() != 0)
		skip();
	assert_int_equal(chown(run, 65534, 65534), 0);
	check_refused(w, text_of(w, "%s belongs to user 65534", run));
}

world_test(an_explicit_port_that_is_busy_ends_it)
{
	struct sockaddr_in addr = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	socklen_t size = sizeof(addr);
	struct world *w = *state;
	struct dt_daemon_options options = options_for(w);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct daemon d;

	assert_int_equal(bind(fd, (struct sockaddr *)&addr, size), 0);
	assert_int_equal(listen(fd, 1), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&addr, &size), 0);
	options.port = ntohs(addr.sin_port);
	d = start_daemon(options);
	assert_string_equal(
		d.line, text_of(w, "error port %u: address already in use\n",
	                        options.port));
	assert_int_equal(exit_code(&d), 1);
	close(fd);
}

world_test(without_room_for_its_state_it_serves_and_says_so)
{
	struct world *w = *state;
	struct daemon d;
	const char *status;
	pid_t child;

	put_file(text_of(w, "%s/s/dovetail", w->dir), "in the way");
	d = start_daemon(options_for(w));
	assert_string_equal(d.line, "ok\n");
	status = ask(reach(w, &child), "status", "{}");
	assert_string_not_equal(at(w, status, "result.store"), "ok");
	assert_true(is_there(at(w, status, "result.workspaces.0.lock")));
	end_daemon(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_of_daemon(a_daemon_serves_until_it_is_told_to_end),
		test_of_daemon(a_command_can_stop_it),
		test_of_daemon(a_killed_daemon_comes_back_with_everything),
		test_of_daemon(the_second_restart_takes_its_time),
		test_of_daemon(
			a_daemon_comes_back_although_sigchld_was_ignored),
		test_of_daemon(there_is_one_daemon),
		test_of_daemon(
			a_daemon_whose_parent_was_killed_is_still_the_only_one),
		test_of_daemon(a_signal_makes_it_read_its_configuration_again),
		test_of_daemon(
			a_run_directory_that_is_not_ours_alone_is_refused),
		test_of_daemon(a_run_directory_of_somebody_else_is_refused),
		test_of_daemon(an_explicit_port_that_is_busy_ends_it),
		test_of_daemon(
			without_room_for_its_state_it_serves_and_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
