#include "agent.h"

#include <sys/wait.h>

world_test(a_folder_is_served_by_the_rules_of_places)
{
	struct world *w = *state;
	struct dt_workspace *ws = NULL;
	struct dt_fail fail = { 0 };
	char *sub;

	make_folder(w, "p/.git");
	sub = make_folder(w, "p/sub");
	assert_ok(dt_hub_serve(&w->hub, sub, false, 0, &ws, NULL));
	assert_string_equal(dt_workspace_root(ws), w->project);
	assert_int_equal(dt_hub_serve(&w->hub, w->home, false, 0, &ws, &fail),
	                 DT_E_ARGS);
	assert_int_equal(dt_hub_serve(&w->hub, text_of(w, "%s/none", w->dir),
	                              false, 0, &ws, NULL),
	                 DT_E_MISSING);
	assert_int_equal(dt_hub_workspace_count(&w->hub), 1);
	assert_ok(dt_hub_serve(&w->hub, sub, true, 0, &ws, NULL));
	assert_string_equal(dt_workspace_root(ws), sub);
	assert_int_equal(dt_hub_workspace_count(&w->hub), 2);
}

/* Known is also what an earlier run served. */
world_test(a_workspace_of_an_earlier_run_is_known)
{
	struct world *w = *state;
	struct dt_workspace *ws = NULL;
	char *sub = make_folder(w, "p/sub");

	serve(w);
	restart_hub(w);
	assert_int_equal(dt_hub_workspace_count(&w->hub), 0);
	assert_ok(dt_hub_serve(&w->hub, sub, false, 0, &ws, NULL));
	assert_string_equal(dt_workspace_root(ws), w->project);
}

world_test(a_symlinked_folder_is_the_real_one)
{
	struct world *w = *state;
	char *link = text_of(w, "%s/link", w->dir);
	struct dt_workspace *ws = NULL;

	assert_int_equal(symlink(w->project, link), 0);
	assert_ok(dt_hub_serve(&w->hub, link, false, 0, &ws, NULL));
	assert_string_equal(dt_workspace_root(ws), w->project);
	assert_ptr_equal(serve(w), ws);
	assert_ptr_equal(dt_hub_workspace_at(&w->hub, &w->arena,
	                                     text_of(w, "%s/new.txt", link)),
	                 ws);
	assert_null(dt_hub_workspace_at(&w->hub, &w->arena, w->dir));
	assert_null(dt_hub_workspace_at(&w->hub, &w->arena, "/none/none"));
}

world_test(a_stopped_hub_starts_with_nothing)
{
	struct world *w = *state;

	serve(w);
	assert_true(is_there(text_of(w, "%s/served", w->hub.dirs.run)));
	restart_hub(w);
	assert_int_equal(dt_hub_workspace_count(&w->hub), 0);
	assert_false(is_there(text_of(w, "%s/served", w->hub.dirs.run)));
}

world_test(a_restarted_hub_serves_the_same_workspaces)
{
	struct world *w = *state;
	char *other = make_folder(w, "q\nr");
	unsigned port = serve(w)->record.port;

	serve_at(w, other);
	w->hub.is_restarting = true;
	restart_hub(w);
	assert_int_equal(dt_hub_workspace_count(&w->hub), 2);
	assert_int_equal(dt_workspace_by_root(&w->hub, w->project)->record.port,
	                 port);
	assert_non_null(dt_workspace_by_root(&w->hub, other));
}

/* As kill -9 ends a daemon: in a child, so that nothing is said or removed. */
world_test(a_killed_hub_comes_back_with_port_token_and_lock)
{
	struct world *w = *state;
	pid_t child = fork();
	struct dt_workspace *ws;
	char *served = text_of(w, "%s/r/dovetail/served", w->dir);
	char *stale = text_of(w, "%s/.claude/ide/1.lock", w->home);
	char *lock;
	int status;

	if (child == 0) {
		start_hub(w);
		serve(w);
		put_file(stale, text_of(w,
		                        "{\"pid\":%d,\"maker\":"
		                        "\"dovetail\"}",
		                        (int)getpid()));
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_true(is_there(served));
	assert_true(is_there(stale));
	start_hub(w);
	assert_int_equal(dt_hub_workspace_count(&w->hub), 1);
	ws = serve(w);
	assert_false(ws->is_moved);
	lock = file_text(w, dt_workspace_lock(ws, &w->arena));
	assert_non_null(strstr(lock, text_of(w, "{\"pid\":%d,", getpid())));
	assert_non_null(strstr(lock, ws->record.token));
	/* What else the dead process had published is gone. */
	assert_false(is_there(stale));
}

world_test(a_list_of_folders_that_makes_no_sense_is_survived)
{
	struct world *w = *state;

	put_file(text_of(w, "%s/r/dovetail/served", w->dir),
	         text_of(w, "\n\n%s\n", w->project));
	start_hub(w);
	assert_int_equal(dt_hub_workspace_count(&w->hub), 0);
}

world_test(reviews_that_waited_in_the_last_run_are_orphans)
{
	struct world *w = *state;
	pid_t child = fork();
	struct client *command;
	const char *list;
	int status;

	if (child == 0) {
		struct client *c;

		start_hub(w);
		c = connect_agent(serve(w), w);
		propose(c, make_file(w, "a", "1\n"), "2\n", "tab");
		/* The answer comes behind the store's queue. */
		c = connect_command(w);
		ask(c, "review/list", "{\"states\":[\"accepted\"]}");
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	start_hub(w);
	command = connect_command(w);
	list = ask(command, "review/list", "{\"states\":[\"orphaned\"]}");
	assert_string_equal(at(w, list, "result.reviews.0.state"), "orphaned");
	assert_string_equal(at(w, list, "result.reviews.0.title"), "tab");
	assert_null(at(w, list, "result.reviews.1"));
}

world_test(the_configuration_is_read_again)
{
	struct world *w = *state;
	struct dt_workspace *ws;
	char *conf = text_of(w, "%s/c/dovetail/dovetail.conf", w->dir);
	char *lock;

	start_hub(w);
	ws = serve(w);
	lock = dt_workspace_lock(ws, &w->arena);
	mkdir(text_of(w, "%s/c/dovetail", w->dir), 0700);
	put_file(conf, "[claude]\nide_name = Other\n[log]\nlevel = debug\n"
	               "odd = 1\n");
	dt_hub_reload(&w->hub);
	assert_non_null(strstr(file_text(w, lock), "\"ideName\":\"Other\""));
	assert_int_equal(dt_log_level(), DT_LOG_DEBUG);
	assert_int_equal(dt_config_warning_count(w->hub.config), 1);
	assert_true(log_has(w, "odd"));
}

/* No room for the state directory: a clear error, agents still served. */
world_test(without_a_state_folder_agents_are_served_all_the_same)
{
	struct world *w = *state;
	struct dt_workspace *ws;
	struct client *c;
	const char *status;

	put_file(text_of(w, "%s/s/dovetail", w->dir), "in the way");
	start_hub(w);
	ws = serve(w);
	c = connect_agent(ws, w);
	propose(c, make_file(w, "a", "1\n"), "2\n", "tab");
	status = ask(connect_command(w), "status", "{}");
	assert_non_null(strstr(at(w, status, "result.store"), "dovetail"));
	assert_string_not_equal(at(w, status, "result.store"), "ok");
	assert_true(log_has(w, "port and token are not kept"));
	assert_true(log_has(w, "reviews are not kept"));
	decide(connect_command(w), last_review(w)->id,
	       "\"verdict\":\"accept\"");
	expect_texts(c, c->id, "FILE_SAVED", "2\n");
}

world_test(a_socket_that_cannot_be_made_is_an_error)
{
	struct world *w = *state;
	struct dt_hub_options options = { .record = text_of(w, "%s/rec",
		                                            w->dir) };
	struct dt_fail fail = { 0 };

	make_folder(w, "r/dovetail/control.sock");
	make_folder(w, "r/dovetail/control.sock/x");
	assert_int_not_equal(dt_hub_init(&w->hub, w->loop, &options, &fail),
	                     DT_E_OK);
	assert_non_null(strstr(fail.msg, "control.sock"));
}

world_test(stopping_twice_is_stopping_once)
{
	struct world *w = *state;

	serve(w);
	dt_hub_stop(&w->hub);
	dt_hub_stop(&w->hub);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(a_folder_is_served_by_the_rules_of_places),
		test_in_world(a_workspace_of_an_earlier_run_is_known),
		test_in_world(a_symlinked_folder_is_the_real_one),
		test_in_world(a_stopped_hub_starts_with_nothing),
		test_in_world(a_restarted_hub_serves_the_same_workspaces),
		test_in_empty_world(
			a_killed_hub_comes_back_with_port_token_and_lock),
		test_in_empty_world(
			a_list_of_folders_that_makes_no_sense_is_survived),
		test_in_empty_world(
			reviews_that_waited_in_the_last_run_are_orphans),
		test_in_empty_world(the_configuration_is_read_again),
		test_in_empty_world(
			without_a_state_folder_agents_are_served_all_the_same),
		test_in_empty_world(a_socket_that_cannot_be_made_is_an_error),
		test_in_world(stopping_twice_is_stopping_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
