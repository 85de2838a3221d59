#include "agent.h"

#include "dialect/claude_lock.h"

#include <netinet/in.h>
#include <sys/socket.h>

#define FOREIGN "{\"pid\":1,\"ideName\":\"Other\",\"transport\":\"ws\"}"

static char *lock_path(struct world *w, const struct dt_workspace *ws)
{
	return text_of(w, "%s/.claude/ide/%u.lock", w->home, ws->record.port);
}

static char *lock_text(struct world *w, const struct dt_workspace *ws,
                       const char *folders)
{
	return text_of(w,
	               "{\"pid\":%d,\"workspaceFolders\":[%s],"
	               "\"ideName\":\"Dovetail\",\"transport\":\"ws\","
	               "\"runningInWindows\":false,\"authToken\":\"%s\","
	               "\"workspace\":\"%s\",\"isBridge\":true,"
	               "\"maker\":\"dovetail\"}\n",
	               (int)getpid(), folders, ws->record.token,
	               dt_workspace_root(ws));
}

/* Somebody else's listener on a port; 0: the kernel's choice. */
static int take_port(unsigned port)
{
	struct sockaddr_in addr = {
		.sin_family = AF_INET,
		.sin_port = htons((uint16_t)port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_int_equal(bind(fd, (struct sockaddr *)&addr, sizeof(addr)), 0);
	assert_int_equal(listen(fd, 1), 0);
	return fd;
}

static unsigned port_of(int fd)
{
	struct sockaddr_in addr;
	socklen_t size = sizeof(addr);

	assert_int_equal(getsockname(fd, (struct sockaddr *)&addr, &size), 0);
	return ntohs(addr.sin_port);
}

/* the lock */

world_test(serving_writes_the_lock_byte_for_byte)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);

	assert_string_equal(file_text(w, lock_path(w, ws)),
	                    lock_text(w, ws, quoted(w, w->project)));
	assert_int_equal(mode_of(lock_path(w, ws)), 0600);
	assert_int_equal(mode_of(text_of(w, "%s/.claude/ide", w->home)), 0700);
	assert_string_equal(dt_workspace_lock(ws, &w->arena), lock_path(w, ws));
	assert_in_range(ws->record.port, 10000, 32767);
}

world_test(there_is_no_lock_but_the_one_below_home)
{
	struct world *w = *state;
	char *other = make_folder(w, "claude");

	setenv("CLAUDE_CONFIG_DIR", other, 1);
	serve(w);
	unsetenv("CLAUDE_CONFIG_DIR");
	assert_false(is_there(text_of(w, "%s/ide", other)));
}

world_test(a_lock_that_vanishes_is_there_again_within_a_second)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	char *path = lock_path(w, ws);
	uint64_t gone;

	for (int i = 0; i < 2; i++) {
		assert_int_equal(unlink(path), 0);
		gone = dt_clock_ms();
		wait_for(w, is_there(path));
		assert_in_range(dt_clock_ms() - gone, 0, 1000);
		assert_string_equal(file_text(w, path),
		                    lock_text(w, ws, quoted(w, w->project)));
	}
}

world_test(the_whole_folder_may_vanish)
{
	struct world *w = *state;
	char *path = lock_path(w, serve(w));

	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(text_of(w, "%s/.claude/ide", w->home)), 0);
	assert_int_equal(rmdir(text_of(w, "%s/.claude", w->home)), 0);
	wait_for(w, is_there(path));
}

world_test(a_foreign_lock_in_our_place_is_never_touched)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	char *path = lock_path(w, ws);

	put_file(path, FOREIGN);
	run_for(w, 1200);
	assert_string_equal(file_text(w, path), FOREIGN);
	/* Nor when everything is published again. */
	dt_hub_reload(&w->hub);
	assert_string_equal(file_text(w, path), FOREIGN);
	serve_at(w, make_folder(w, "q"));
	assert_string_equal(file_text(w, path), FOREIGN);
	stop_hub(w);
	assert_string_equal(file_text(w, path), FOREIGN);
}

world_test(stopping_removes_the_lock)
{
	struct world *w = *state;
	char *path = lock_path(w, serve(w));

	assert_true(is_there(path));
	dt_hub_stop(&w->hub);
	assert_false(is_there(path));
	run_for(w, 1000);
	assert_false(is_there(path));
}

world_test(an_inner_workspace_names_no_folders)
{
	struct world *w = *state;
	char *inner = make_folder(w, "p/inner");
	char *beside = make_folder(w, "pq");
	struct dt_workspace *in = serve_at(w, inner);
	struct dt_workspace *out;

	assert_string_equal(file_text(w, lock_path(w, in)),
	                    lock_text(w, in, quoted(w, inner)));
	out = serve(w);
	serve_at(w, beside);
	assert_string_equal(file_text(w, lock_path(w, in)),
	                    lock_text(w, in, ""));
	assert_string_equal(file_text(w, lock_path(w, out)),
	                    lock_text(w, out, quoted(w, w->project)));
	assert_non_null(strstr(file_text(w, lock_path(w, serve_at(w, beside))),
	                       quoted(w, beside)));
}

/* port and token */

world_test(port_and_token_are_the_same_in_the_next_run)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	unsigned port = ws->record.port;
	char *token = text_of(w, "%s", ws->record.token);
	char *id = text_of(w, "%s", ws->record.id);

	restart_hub(w);
	ws = serve(w);
	assert_int_equal(ws->record.port, port);
	assert_string_equal(ws->record.token, token);
	assert_string_equal(ws->record.id, id);
	assert_false(ws->is_moved);
}

world_test(a_port_that_is_taken_makes_port_and_token_new)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	unsigned port = ws->record.port;
	char *token = text_of(w, "%s", ws->record.token);
	char *id = text_of(w, "%s", ws->record.id);
	char *old = lock_path(w, ws);
	int fd;

	assert_false(ws->is_moved);
	stop_hub(w);
	fd = take_port(port);
	start_loop(w);
	start_hub(w);
	ws = serve(w);
	assert_int_not_equal(ws->record.port, port);
	assert_string_not_equal(ws->record.token, token);
	assert_string_equal(ws->record.id, id);
	assert_true(ws->is_moved);
	assert_false(is_there(old));
	assert_true(is_there(lock_path(w, ws)));
	assert_ptr_equal(ws->door.token, ws->record.token);
	assert_int_equal(ws->door.port, ws->record.port);
	close(fd);
	/* The new one is kept, and is no news next time. */
	port = ws->record.port;
	restart_hub(w);
	assert_int_equal(serve(w)->record.port, port);
	assert_false(serve(w)->is_moved);
}

world_test(a_port_in_a_foreign_lock_is_avoided)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	char *path = lock_path(w, ws);
	unsigned port = ws->record.port;

	stop_hub(w);
	put_file(path, FOREIGN);
	start_loop(w);
	start_hub(w);
	ws = serve(w);
	assert_int_not_equal(ws->record.port, port);
	assert_true(ws->is_moved);
	assert_string_equal(file_text(w, path), FOREIGN);
}

world_test(an_explicit_port_is_had_or_is_an_error)
{
	struct world *w = *state;
	int fd = take_port(0);
	unsigned port = port_of(fd);
	struct dt_workspace *ws = NULL;
	struct dt_fail fail = { 0 };

	assert_int_equal(
		dt_hub_serve(&w->hub, w->project, true, port, &ws, &fail),
		DT_E_STATE);
	assert_non_null(strstr(fail.msg, text_of(w, "port %u", port)));
	assert_null(ws);
	assert_int_equal(dt_hub_workspace_count(&w->hub), 0);
	close(fd);
	assert_ok(dt_hub_serve(&w->hub, w->project, true, port, &ws, NULL));
	assert_int_equal(ws->record.port, port);
	assert_true(is_there(lock_path(w, ws)));
}

world_test(an_explicit_port_in_a_foreign_lock_is_an_error)
{
	struct world *w = *state;
	struct dt_workspace *ws = NULL;
	struct dt_fail fail = { 0 };

	mkdir(text_of(w, "%s/.claude", w->home), 0700);
	mkdir(text_of(w, "%s/.claude/ide", w->home), 0700);
	put_file(text_of(w, "%s/.claude/ide/10001.lock", w->home), FOREIGN);
	assert_int_equal(
		dt_hub_serve(&w->hub, w->project, true, 10001, &ws, &fail),
		DT_E_STATE);
	assert_string_equal(fail.msg,
	                    "port 10001 is in another program's lock file");
}

world_test(a_number_that_is_no_port_is_an_error)
{
	struct world *w = *state;
	struct dt_workspace *ws = NULL;
	struct dt_fail fail = { 0 };

	assert_int_equal(dt_hub_serve(&w->hub, w->project, true, 65536 + 10001,
	                              &ws, &fail),
	                 DT_E_ARGS);
	assert_string_equal(fail.msg, "75537 is no port: the last is 65535");
}

world_test(what_is_served_is_found_and_keeps_its_port)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct dt_workspace *again = NULL;
	struct dt_fail fail = { 0 };

	assert_ptr_equal(serve(w), ws);
	assert_ok(dt_hub_serve(&w->hub, w->project, true, ws->record.port,
	                       &again, NULL));
	assert_ptr_equal(again, ws);
	assert_int_equal(dt_hub_serve(&w->hub, w->project, true,
	                              ws->record.port - 1, &again, &fail),
	                 DT_E_STATE);
	assert_string_equal(fail.msg,
	                    text_of(w,
	                            "%s is served on port %u already: stop it "
	                            "first",
	                            w->project, ws->record.port));
}

/* guests */

world_test(more_agents_than_allowed_are_refused)
{
	struct world *w = *state;
	struct dt_workspace *ws;

	stop_hub(w);
	mkdir(text_of(w, "%s/c/dovetail", w->dir), 0700);
	put_file(text_of(w, "%s/c/dovetail/dovetail.conf", w->dir),
	         "[limits]\nsessions = 1\n");
	start_loop(w);
	start_hub(w);
	ws = serve(w);
	connect_agent(ws, w);
	assert_int_equal(
		ask_http(w, ws->record.port,
	                 upgrade_request(w, ws->record.port, ws->record.token,
	                                 "dGhlIHNhbXBsZSBub25jZQ==")),
		503);
	assert_int_equal(ws->session_count, 1);
}

world_test(guests_are_counted_until_they_leave)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *guest = connect_raw(w, ws->record.port);

	wait_for(w, ws->stranger_count == 1);
	connect_agent(ws, w);
	assert_int_equal(ws->stranger_count, 1);
	assert_int_equal(ws->session_count, 1);
	drop(guest);
	wait_for(w, ws->stranger_count == 0);
}

world_test(stopping_closes_guests_and_agents)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *guest = connect_raw(w, ws->record.port);
	struct client *agent = connect_agent(ws, w);

	send_raw(guest, "GET / HT");
	wait_for(w, ws->stranger_count == 1);
	dt_hub_stop(&w->hub);
	wait_for(w, guest->is_closed && agent->is_closed);
	assert_string_equal(agent->why.msg, "closed by the peer (1001)");
}

world_test(the_oldest_stranger_goes_first)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *first = connect_raw(w, ws->record.port);
	struct client *agent = connect_agent(ws, w);
	struct client *last = NULL;

	for (int i = 0; i < DT_LIMIT_STRANGERS - 1; i++)
		last = connect_raw(w, ws->record.port);
	wait_for(w, ws->stranger_count == DT_LIMIT_STRANGERS);
	run_for(w, DT_LIMIT_STRANGER_MS + 20);
	connect_raw(w, ws->record.port);
	wait_for(w, first->is_closed);
	assert_int_equal(ws->stranger_count, DT_LIMIT_STRANGERS);
	assert_false(last->is_closed);
	assert_false(agent->is_closed);
}

/* finding */

world_test(the_innermost_workspace_holds_a_path)
{
	struct world *w = *state;
	char *inner = make_folder(w, "p/inner");
	struct dt_workspace *out = serve(w);
	struct dt_workspace *in = serve_at(w, inner);
	struct dt_hub *hub = &w->hub;

	assert_ptr_equal(dt_workspace_of(hub, w->project), out);
	assert_ptr_equal(dt_workspace_of(hub, text_of(w, "%s/a", inner)), in);
	assert_ptr_equal(
		dt_workspace_of(hub, text_of(w, "%s/innermost", w->project)),
		out);
	assert_null(dt_workspace_of(hub, w->dir));
	assert_null(dt_workspace_of(hub, text_of(w, "%sx", w->project)));
	assert_ptr_equal(dt_workspace_by_root(hub, inner), in);
	assert_null(dt_workspace_by_root(hub, w->dir));
	assert_ptr_equal(dt_workspace_by_id(hub, in->record.id), in);
	assert_null(dt_workspace_by_id(hub, "none"));
}

world_test(the_latest_environment_is_kept)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	const char *first[] = { "A=1", "B=2" };
	const char *second[] = { "C=3" };
	struct dt_names env = { first, 2 };

	dt_workspace_set_env(ws, &env);
	env = (struct dt_names){ second, 1 };
	dt_workspace_set_env(ws, &env);
	assert_int_equal(ws->env.count, 1);
	assert_string_equal(ws->env.ptr[0], "C=3");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(serving_writes_the_lock_byte_for_byte),
		test_in_world(there_is_no_lock_but_the_one_below_home),
		test_in_world(
			a_lock_that_vanishes_is_there_again_within_a_second),
		test_in_world(the_whole_folder_may_vanish),
		test_in_world(a_foreign_lock_in_our_place_is_never_touched),
		test_in_world(stopping_removes_the_lock),
		test_in_world(an_inner_workspace_names_no_folders),
		test_in_world(port_and_token_are_the_same_in_the_next_run),
		test_in_world(a_port_that_is_taken_makes_port_and_token_new),
		test_in_world(a_port_in_a_foreign_lock_is_avoided),
		test_in_world(an_explicit_port_is_had_or_is_an_error),
		test_in_world(an_explicit_port_in_a_foreign_lock_is_an_error),
		test_in_world(a_number_that_is_no_port_is_an_error),
		test_in_world(what_is_served_is_found_and_keeps_its_port),
		test_in_world(more_agents_than_allowed_are_refused),
		test_in_world(guests_are_counted_until_they_leave),
		test_in_world(stopping_closes_guests_and_agents),
		test_in_world(the_oldest_stranger_goes_first),
		test_in_world(the_innermost_workspace_holds_a_path),
		test_in_world(the_latest_environment_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
