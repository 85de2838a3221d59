/* test/unit/loop/test_lineage.c - up the tree, and where the agent is in it. */
#include "loop/lineage.h"

#include "process.h"

#include <stdio.h>
#include <string.h>

static char *const nothing[] = { NULL };

test(a_lineage_leads_from_a_process_to_the_top)
{
	struct dt_lineage line;
	pid_t pid = start_with(nothing);

	assert_ok(dt_lineage_read(pid, &line, NULL));
	assert_true(line.count >= 2);
	assert_int_equal(line.of[0].process.pid, pid);
	assert_string_equal(line.of[0].name, "sleep");
	assert_int_equal(line.of[1].process.pid, getpid());
	assert_true(line.of[0].process.started >= line.of[1].process.started);
	assert_int_equal(line.of[0].session, getsid(0));
	assert_true(dt_lineage_has(&line, line.of[1].process));
	end_process(pid);
}

/* The number alone says nothing: it may be another's by now. */
test(a_process_of_the_same_number_is_another_one)
{
	struct dt_process other;
	struct dt_lineage line;

	assert_ok(dt_lineage_read(getpid(), &line, NULL));
	other = line.of[0].process;
	other.started++;
	assert_false(dt_lineage_has(&line, other));
	assert_false(dt_os_is_alive(other));
	other.started = 0;
	assert_true(dt_lineage_has(&line, other));
	assert_true(dt_os_is_alive(line.of[0].process));
}

test(what_has_ended_has_no_lineage_also_before_it_is_reaped)
{
	struct dt_fail fail = { 0 };
	struct dt_lineage line;
	pid_t pid = start_with(nothing);
	siginfo_t info;

	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	assert_int_equal(dt_lineage_read(pid, &line, &fail), DT_E_MISSING);
	assert_non_null(strstr(fail.msg, "has ended"));
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(dt_lineage_read(pid, &line, NULL), DT_E_MISSING);
}

/* Each is the child of the one before it; the last tells who it is. */
static void nest(unsigned depth, int told, int end)
{
	pid_t pid = 0;
	char byte;

	while (depth-- && pid == 0)
		pid = fork();
	if (pid == 0) {
		pid = getpid();
		if (write(told, &pid, sizeof(pid)) == sizeof(pid))
			(void)!read(end, &byte, 1);
	} else {
		waitpid(pid, NULL, 0);
	}
	_exit(0);
}

test(too_long_a_lineage_is_no_answer)
{
	struct dt_lineage line;
	int told[2];
	int end[2];
	pid_t last;
	pid_t top;

	assert_int_equal(pipe(told), 0);
	assert_int_equal(pipe(end), 0);
	fflush(NULL);
	top = fork();
	if (top == 0) {
		close(end[1]);
		nest(DT_LIMIT_ANCESTORS, told[1], end[0]);
	}
	assert_int_equal(read(told[0], &last, sizeof(last)), sizeof(last));
	assert_int_equal(dt_lineage_read(last, &line, NULL), DT_E_LIMIT);
	close(end[0]);
	close(end[1]);
	assert_int_equal(waitpid(top, NULL, 0), top);
}

test(a_mark_above_counts_as_one_s_own)
{
	char *env[] = { "CODEX_THREAD_ID=7", NULL };
	struct dt_fail fail = { 0 };
	struct dt_lineage line = { 0 };
	pid_t clean = start_with(nothing);
	pid_t marked = start_with(env);

	line.count = 1;
	assert_true(dt_os_stat(clean, &line.of[0]));
	assert_ok(dt_lineage_check_marks(&line, "fly", &fail));
	line.count = 2;
	assert_true(dt_os_stat(marked, &line.of[1]));
	assert_int_equal(dt_lineage_check_marks(&line, "fly", &fail),
	                 DT_E_DENIED);
	assert_non_null(strstr(fail.msg, "an agent cannot fly, and "
	                                 "CODEX_THREAD_ID in the environment"));
	end_process(clean);
	end_process(marked);
	/* Nobody can tell what it carries. */
	line.count = 1;
	assert_int_equal(dt_lineage_check_marks(&line, "fly", NULL),
	                 DT_E_DENIED);
}

static struct dt_lineage chain(const char *const *names, size_t leader)
{
	struct dt_lineage line = { 0 };

	for (; names[line.count]; line.count++) {
		struct dt_os_stat *at = &line.of[line.count];

		at->process.pid = 100 - (pid_t)line.count;
		at->session = 100 - (pid_t)leader;
		snprintf(at->name, sizeof(at->name), "%s", names[line.count]);
	}
	return line;
}

test(the_agent_is_the_first_above_that_is_no_shell)
{
	static const char *const usual[] = { "dovetail", "sh",   "claude",
		                             "bash",     "tmux", NULL };
	static const char *const hand[] = { "dovetail", "bash", "tmux", NULL };
	static const char *const script[] = { "dovetail", "bash", "bash",
		                              "tmux", NULL };
	struct dt_lineage line = chain(usual, 3);

	assert_int_equal(dt_lineage_agent(&line), 3);
	/* The person's own shell leads the session of its terminal. */
	line = chain(hand, 1);
	assert_int_equal(dt_lineage_agent(&line), 1);
	line = chain(script, 2);
	assert_int_equal(dt_lineage_agent(&line), 2);
	/* An agent may lead one too. */
	line = chain(usual, 2);
	assert_int_equal(dt_lineage_agent(&line), 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_lineage_leads_from_a_process_to_the_top),
		cmocka_unit_test(a_process_of_the_same_number_is_another_one),
		cmocka_unit_test(
			what_has_ended_has_no_lineage_also_before_it_is_reaped),
		cmocka_unit_test(too_long_a_lineage_is_no_answer),
		cmocka_unit_test(a_mark_above_counts_as_one_s_own),
		cmocka_unit_test(the_agent_is_the_first_above_that_is_no_shell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
