/* test/unit/hub/test_whose.c - the person's processes and those of agents. */
#include "hub/whose.h"

#include "agent.h"

#include <signal.h>
#include <sys/wait.h>

/* A child that runs until it is ended, and its child, which it tells. */
static pid_t start_two(pid_t *out_child)
{
	int told[2];
	pid_t pid;

	assert_int_equal(pipe2(told, O_CLOEXEC), 0);
	fflush(NULL);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		pid_t child = fork();

		if (child > 0 &&
		    write(told[1], &child, sizeof(child)) != sizeof(child))
			_exit(1);
		pause();
		_exit(0);
	}
	assert_int_equal(read(told[0], out_child, sizeof(*out_child)),
	                 sizeof(*out_child));
	close(told[0]);
	close(told[1]);
	return pid;
}

static void end_process(pid_t pid)
{
	assert_int_equal(kill(pid, SIGKILL), 0);
	waitpid(pid, NULL, 0);
}

world_test(a_number_that_is_another_s_now_is_not_remembered)
{
	struct dt_fail fail = { 0 };
	struct world *w = *state;
	pid_t child;
	pid_t agent = start_two(&child);

	dt_whose_remember(&w->hub, agent);
	assert_int_equal(w->hub.known_count, 1);
	assert_int_equal(dt_whose_check(&w->hub, child, "fly", &fail),
	                 DT_E_DENIED);
	assert_non_null(strstr(fail.msg, "an agent cannot fly, and process"));
	dt_whose_remember(&w->hub, agent);
	assert_int_equal(w->hub.known_count, 1);
	/* What it left behind has another parent now. */
	end_process(agent);
	assert_ok(dt_whose_check(&w->hub, child, "fly", NULL));
	end_process(child);
}

world_test(neither_we_nor_init_are_agents)
{
	struct world *w = *state;

	dt_whose_remember(&w->hub, getpid());
	dt_whose_remember(&w->hub, 1);
	dt_whose_remember(&w->hub, 0);
	dt_whose_remember_caller(&w->hub, getpid(), getppid());
	assert_int_equal(w->hub.known_count, 0);
	assert_ok(dt_whose_check(&w->hub, getpid(), "fly", NULL));
}

world_test(who_has_ended_is_refused)
{
	struct dt_fail fail = { 0 };
	struct world *w = *state;
	pid_t child;
	pid_t agent = start_two(&child);

	end_process(child);
	end_process(agent);
	assert_int_equal(dt_whose_check(&w->hub, agent, "fly", &fail),
	                 DT_E_DENIED);
	assert_non_null(strstr(fail.msg, "only you can fly, and process"));
}

world_test(a_claim_only_adds_to_what_the_kernel_told)
{
	pid_t child;
	pid_t agent = start_two(&child);

	assert_true(dt_whose_can_be(0, agent));
	assert_true(dt_whose_can_be(agent, agent));
	assert_true(dt_whose_can_be(agent, child));
	/* Its parent, which is no shell: a launcher. */
	assert_true(dt_whose_can_be(child, agent));
	assert_false(dt_whose_can_be(agent, 1));
	assert_false(dt_whose_can_be(0, 1));
	assert_false(dt_whose_can_be(child, getpid()));
	assert_false(dt_whose_can_be(agent, 99999999));
	end_process(child);
	end_process(agent);
	(void)state;
}

world_test(the_memory_is_bounded_and_the_dead_go_first)
{
	struct world *w = *state;
	pid_t child;
	pid_t agent = start_two(&child);

	dt_whose_remember(&w->hub, child);
	end_process(child);
	dt_whose_remember(&w->hub, agent);
	for (pid_t pid = 2; w->hub.known_count < DT_LIMIT_KNOWN; pid++) {
		pid_t each = fork();

		if (each == 0)
			_exit(0);
		/* A zombie is remembered as any other. */
		dt_whose_remember(&w->hub, each);
		if (pid > 2 * DT_LIMIT_KNOWN)
			fail_msg("they are not remembered");
	}
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
	dt_whose_remember(&w->hub, getppid());
	assert_true(w->hub.known_count <= 3);
	end_process(agent);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(a_number_that_is_another_s_now_is_not_remembered),
		test_in_world(neither_we_nor_init_are_agents),
		test_in_world(who_has_ended_is_refused),
		test_in_world(a_claim_only_adds_to_what_the_kernel_told),
		test_in_world(the_memory_is_bounded_and_the_dead_go_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
