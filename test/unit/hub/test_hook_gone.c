#include "agent.h"

#include "hub/hook_gone.h"
#include "loop/os.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* A process that does nothing. */
static pid_t spawn(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		pause();
		_exit(0);
	}
	assert_true(pid > 0);
	return pid;
}

static void reap(pid_t pid)
{
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

world_test(the_cli_is_the_known_one_or_the_parent)
{
	struct dt_hook_cli cli = dt_hook_cli_of(getpid(), 0);
	pid_t child = spawn();

	(void)state;
	assert_int_equal(cli.pid, getppid());
	assert_true(dt_hook_cli_is_alive(&cli));
	cli = dt_hook_cli_of(child, 0);
	assert_int_equal(cli.pid, getpid());
	cli = dt_hook_cli_of(getpid(), child);
	assert_int_equal(cli.pid, child);
	assert_true(dt_hook_cli_is_alive(&cli));
	reap(child);
	assert_false(dt_hook_cli_is_alive(&cli));
}

world_test(another_process_of_that_number_is_not_the_cli)
{
	struct dt_hook_cli cli = dt_hook_cli_of(getpid(), getpid());

	(void)state;
	cli.started--;
	assert_false(dt_hook_cli_is_alive(&cli));
	cli = dt_hook_cli_of(0, 0);
	assert_false(dt_hook_cli_is_alive(&cli));
}

/* The state a review ends in after its hook went, with a CLI that lives or not
 * when it is looked at again. */
static const char *state_of(struct world *w, bool is_alive, bool stops)
{
	struct dt_workspace *ws = serve(w);
	struct client *c = connect_command(w);
	pid_t child = spawn();
	struct dt_hook_cli cli = dt_hook_cli_of(child, child);
	char *file = make_file(w, "a.txt", "one\n");
	struct dt_change change = {
		.kind = DT_CHANGE_EDIT,
		.path = file,
		.text = DT_STR("two\n"),
	};
	struct dt_propose_args args = {
		.title = "a.txt",
		.changes = { &change, 1 },
	};
	struct dt_review_spec spec = {
		.workspace = ws->record.id,
		.session = "s",
		.agent = "a",
		.args = &args,
		.docs = &ws->docs,
	};
	struct dt_answer answer;
	const char *review;
	char *id;

	dt_answer_init(&answer, NULL, NULL);
	dt_inbox_open(&w->hub.inbox, &spec, &answer);
	review = dt_inbox_retract(&answer);
	assert_non_null(review);
	id = text_of(w, "%s", review);
	dt_hook_gone(&w->hub, &cli, id);
	dt_answer_drop(&answer);
	if (!is_alive)
		reap(child);
	if (stops)
		dt_hook_gone_stop(&w->hub);
	wait_for(w, dt_list_is_empty(&w->hub.leavings));
	if (is_alive)
		reap(child);
	return at(w, ask(c, "review/get", text_of(w, "{\"id\":\"%s\"}", id)),
	          "result.state");
}

world_test(a_cli_that_lives_took_its_edit_back)
{
	assert_string_equal(state_of(*state, true, false), "withdrawn");
}

world_test(a_cli_that_died_leaves_an_orphan)
{
	assert_string_equal(state_of(*state, false, false), "orphaned");
}

world_test(a_hub_that_stops_looks_at_once)
{
	assert_string_equal(state_of(*state, false, true), "orphaned");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(the_cli_is_the_known_one_or_the_parent),
		test_in_world(another_process_of_that_number_is_not_the_cli),
		test_in_world(a_cli_that_lives_took_its_edit_back),
		test_in_world(a_cli_that_died_leaves_an_orphan),
		test_in_world(a_hub_that_stops_looks_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
