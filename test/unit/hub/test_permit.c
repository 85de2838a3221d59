/*
 * test/unit/hub/test_permit.c - commands of agents, run by the real editor or
 * put in front of a person.
 */
#include "ask_op.h"

#include "editor/git_write.h"
#include "editor/run.h"
#include "editor/terminal.h"
#include "hub/permit.h"

#include <sys/stat.h>

/* A workspace with an agent and a person. */
struct scene {
	struct world *w;
	struct dt_workspace *ws;
	struct client *agent;
	struct client *person;
	struct asked asked;
};

static struct scene open_scene(struct world *w)
{
	struct scene s = { .w = w, .ws = serve(w) };

	s.agent = connect_agent(s.ws, w);
	s.person = connect_command(w);
	return s;
}

static void run_in(struct scene *s, const char *cwd, const char *command,
                   const char *argument)
{
	/* Nothing of it may be needed once the operation has begun. */
	char *lent = dt_strdup(argument ? argument : "");
	const char *words[] = { lent };
	struct dt_run_command_args args = {
		.command = command,
		.args = { .ptr = words, .count = argument ? 1 : 0 },
		.cwd = cwd,
		.timeout_ms = { true, 20000 },
	};

	begin_op(&s->asked, s->w, s->ws, &dt_op_run_command, &args);
	memset(lent, '-', strlen(lent));
	free(lent);
}

static void run(struct scene *s, const char *command, const char *argument)
{
	run_in(s, NULL, command, argument);
}

static const char *result(struct scene *s, const char *path)
{
	wait_for(s->w, s->asked.ended);
	assert_string_equal(s->asked.fail.msg, "");
	return at(s->w, s->asked.json, path);
}

static void expect_refusal(struct scene *s, enum dt_err code, const char *part)
{
	wait_for(s->w, s->asked.ended);
	assert_int_equal(s->asked.fail.code, code);
	if (!strstr(s->asked.fail.msg, part))
		fail_msg("%s", s->asked.fail.msg);
}

world_test(what_is_allowed_runs_at_once)
{
	struct scene s = open_scene(*state);

	run(&s, "git", "--version");
	assert_memory_equal(result(&s, "stdout"), "git version ", 12);
	assert_string_equal(at(s.w, s.asked.json, "exitCode"), "0");
	assert_int_equal(s.w->hub.inbox.count, 0);
}

world_test(another_program_waits_for_a_person)
{
	struct scene s = open_scene(*state);
	struct dt_review *r;
	const char *list;

	run(&s, "echo", "hello there");
	r = last_review(s.w);
	assert_string_equal(r->card.command, "echo 'hello there'");
	assert_string_equal(r->card.folder, dt_workspace_root(s.ws));
	assert_string_equal(r->card.program, "echo");
	assert_int_equal(r->card.timeout_ms, 20000);
	assert_int_equal(r->set.count, 0);
	list = ask(s.person, "review/list", "{}");
	assert_string_equal(at(s.w, list, "result.reviews.0.command"),
	                    "echo 'hello there'");
	assert_string_equal(at(s.w, list, "result.reviews.0.reason"),
	                    "echo is not among the programs that may run "
	                    "without asking");
	assert_int_equal(s.asked.ended, 0);
	decide(s.person, r->id, "\"verdict\":\"accept\"");
	assert_string_equal(result(&s, "stdout"), "hello there\n");
	/* This once. */
	run(&s, "echo", "again");
	last_review(s.w);
	dt_answer_drop(&s.asked.answer);
}

world_test(what_a_person_rejects_does_not_run)
{
	struct scene s = open_scene(*state);
	char *file = text_of(s.w, "%s/made", s.w->project);

	run(&s, "touch", file);
	decide(s.person, last_review(s.w)->id,
	       "\"verdict\":\"reject\",\"comment\":\"not here\"");
	expect_refusal(&s, DT_E_DENIED,
	               "The person rejected this command: not here");
	assert_false(is_there(file));
}

world_test(a_command_nobody_waits_for_is_withdrawn)
{
	struct scene s = open_scene(*state);
	char *id;
	const char *answer;

	run(&s, "echo", "x");
	id = dt_arena_strdup(&s.w->arena, last_review(s.w)->id);
	dt_answer_drop(&s.asked.answer);
	assert_int_equal(s.w->hub.inbox.count, 0);
	answer = ask(s.person, "review/get",
	             text_of(s.w, "{\"id\":\"%s\"}", id));
	assert_string_equal(at(s.w, answer, "result.state"), "withdrawn");
	assert_string_equal(at(s.w, answer, "result.command"), "echo x");
	/* Nor can it be run later. */
	answer = decide(s.person, id, "\"verdict\":\"accept\"");
	assert_non_null(strstr(answer, "withdrawn already"));
	answer = ask(s.person, "review/apply",
	             text_of(s.w, "{\"id\":\"%s\"}", id));
	assert_non_null(strstr(answer, "is a command"));
}

world_test(a_command_cannot_be_edited)
{
	struct scene s = open_scene(*state);
	const char *answer;

	run(&s, "echo", "x");
	answer = decide(s.person, last_review(s.w)->id,
	                "\"verdict\":\"accept\",\"text\":\"rm\"");
	assert_non_null(strstr(answer, "a text fits only one"));
	ask(s.person, "review/keep",
	    text_of(s.w, "{\"id\":\"%s\",\"text\":\"rm\"}",
	            last_review(s.w)->id));
	assert_string_equal(last_review(s.w)->card.command, "echo x");
	dt_answer_drop(&s.asked.answer);
}

world_test(arguments_of_allowed_programs_are_looked_at)
{
	struct scene s = open_scene(*state);

	run(&s, "git", "-cx=y");
	assert_null(last_review(s.w)->card.program);
	dt_answer_drop(&s.asked.answer);
	run(&s, "git", "--exec-path=/");
	last_review(s.w);
	dt_answer_drop(&s.asked.answer);
}

static void policy_allow_cat(struct scene *s)
{
	ask(s->person, "policy/allow", "{\"names\":[\"cat\"]}");
}

/* The gate cannot see what a program prints of it. */
world_test(a_file_that_is_kept_from_agents_is_asked_about)
{
	struct scene s = open_scene(*state);

	make_file(s.w, ".env", "TOKEN=x\n");
	run_in(&s, NULL, "git", "-C.env");
	last_review(s.w);
	dt_answer_drop(&s.asked.answer);
	policy_allow_cat(&s);
	run_in(&s, NULL, "cat", "--x=HEAD:.env");
	assert_non_null(strstr(last_review(s.w)->reason, "kept from agents"));
	dt_answer_drop(&s.asked.answer);
}

world_test(what_cannot_be_done_is_not_asked_about)
{
	struct scene s = open_scene(*state);

	run(&s, "no-such-program", NULL);
	expect_refusal(&s, DT_E_MISSING,
	               "there is no program no-such-program on PATH");
	run_in(&s, "/", "echo", NULL);
	expect_refusal(&s, DT_E_DENIED, "/ is outside the workspace");
	run_in(&s, "/", "git", NULL);
	expect_refusal(&s, DT_E_DENIED, "/ is outside the workspace");
	run_in(&s, "none", "git", NULL);
	expect_refusal(&s, DT_E_MISSING, "is not a folder");
	assert_int_equal(s.w->hub.inbox.count, 0);
}

/* what is looked at first */

static void git(struct scene *s, const char *command)
{
	const char *line = text_of(
		s->w,
		"cd %s && git -c user.name=n -c user.email=e@x %s >/dev/null "
		"2>&1",
		s->w->project, command);

	if (system(line) != 0)
		fail_msg("git %s", command);
}

/* A repository whose tests are a script that leaves a file. */
static void make_repository(struct scene *s)
{
	make_file(s->w, "Makefile", "check:\n\techo tested >made\n");
	make_file(s->w, "a.c", "int a;\n");
	git(s, "init -b main");
	git(s, "config user.name n");
	git(s, "config user.email e@x");
	git(s, "add -A");
	git(s, "commit -m first");
	ask(s->person, "policy/allow", "{\"names\":[\"make\"]}");
}

static struct dt_review *wait_for_card(struct scene *s, const char *why)
{
	wait_for(s->w, s->w->hub.inbox.count > 0 || s->asked.ended);
	assert_string_equal(s->asked.fail.msg, "");
	assert_int_equal(s->asked.ended, 0);
	if (!strstr(last_review(s->w)->reason, why))
		fail_msg("%s", last_review(s->w)->reason);
	return last_review(s->w);
}

world_test(tests_run_while_what_defines_them_is_as_it_was_seen)
{
	struct scene s = open_scene(*state);
	char *made = text_of(s.w, "%s/made", s.w->project);

	make_repository(&s);
	run(&s, "make", "check");
	assert_string_equal(result(&s, "exitCode"), "0");
	assert_true(is_there(made));
	unlink(made);
	make_file(s.w, "Makefile", "check:\n\techo evil >made\n");
	run(&s, "make", "check");
	decide(s.person,
	       wait_for_card(&s, "Makefile is not as you last saw it")->id,
	       "\"verdict\":\"reject\"");
	expect_refusal(&s, DT_E_DENIED, "rejected");
	assert_false(is_there(made));
	/* Accepted once, it is seen. */
	run(&s, "make", "check");
	decide(s.person, wait_for_card(&s, "Makefile")->id,
	       "\"verdict\":\"accept\"");
	assert_string_equal(result(&s, "exitCode"), "0");
	run(&s, "make", "check");
	assert_string_equal(result(&s, "exitCode"), "0");
	assert_int_equal(s.w->hub.inbox.count, 0);
}

/* Who looked at the file has looked at another one. */
world_test(what_changes_again_while_a_card_waits_does_not_run)
{
	struct scene s = open_scene(*state);
	const char *id;

	make_repository(&s);
	make_file(s.w, "Makefile", "check:\n\ttrue\n");
	run(&s, "make", "check");
	id = wait_for_card(&s, "Makefile")->id;
	make_file(s.w, "Makefile", "check:\n\techo evil >made\n");
	decide(s.person, id, "\"verdict\":\"accept\"");
	expect_refusal(&s, DT_E_STATE, "changed again");
	assert_false(is_there(text_of(s.w, "%s/made", s.w->project)));
}

world_test(a_text_that_was_accepted_is_seen)
{
	struct scene s = open_scene(*state);
	char *path = text_of(s.w, "%s/Makefile", s.w->project);
	const char *text = "check:\n\ttrue\n";

	make_repository(&s);
	decide(s.person, propose(s.agent, path, text, "tab")->id,
	       "\"verdict\":\"accept\"");
	put_file(path, text);
	run(&s, "make", "check");
	assert_string_equal(result(&s, "exitCode"), "0");
	put_file(path, "check:\n\tfalse\n");
	run(&s, "make", "check");
	wait_for_card(&s, "Makefile");
	dt_answer_drop(&s.asked.answer);
}

world_test(a_look_that_nobody_waits_for_ends)
{
	struct scene s = open_scene(*state);

	make_repository(&s);
	run(&s, "make", "check");
	dt_answer_drop(&s.asked.answer);
	run_for(s.w, 100);
	assert_int_equal(s.asked.ended, 0);
	assert_false(is_there(text_of(s.w, "%s/made", s.w->project)));
}

static void commit(struct scene *s, const char *message)
{
	struct dt_git_commit_args args = { .message = message, .is_all = true };

	begin_op(&s->asked, s->w, s->ws, &dt_op_git_commit, &args);
}

/* What is committed is seen, so nothing unseen is committed in passing. */
world_test(a_commit_of_what_defines_tests_is_asked_about)
{
	struct scene s = open_scene(*state);
	struct dt_review *r;

	make_repository(&s);
	make_file(s.w, "a.c", "int b;\n");
	commit(&s, "second");
	result(&s, "hash");
	make_file(s.w, "Makefile", "check:\n\techo evil >made\n");
	commit(&s, "it's third");
	r = wait_for_card(&s, "Makefile is not as you last saw it");
	assert_string_equal(r->card.command,
	                    "git commit '--message=it'\\''s third' --all");
	decide(s.person, r->id, "\"verdict\":\"accept\"");
	result(&s, "hash");
	run(&s, "make", "check");
	assert_string_equal(result(&s, "exitCode"), "0");
}

world_test(tools_that_overwrite_or_discard_are_asked_about)
{
	struct scene s = open_scene(*state);
	struct dt_git_pop_args pop = { 0 };
	struct dt_git_pull_args pull = { .is_rebase = true };
	struct dt_git_push_args push = { .is_forced = true };

	make_repository(&s);
	make_file(s.w, "a.c", "int b;\n");
	git(&s, "stash");
	begin_op(&s.asked, s.w, s.ws, &dt_op_git_stash_pop, &pop);
	wait_for_card(&s, "the stash is dropped");
	dt_answer_drop(&s.asked.answer);
	git(&s, "rev-parse refs/stash");
	begin_op(&s.asked, s.w, s.ws, &dt_op_git_pull, &pull);
	assert_string_equal(
		wait_for_card(&s, "nobody has reviewed")->card.command,
		"git pull --rebase");
	dt_answer_drop(&s.asked.answer);
	begin_op(&s.asked, s.w, s.ws, &dt_op_git_push, &push);
	wait_for_card(&s, "discard");
	dt_answer_drop(&s.asked.answer);
	assert_int_equal(s.w->hub.inbox.count, 0);
}

world_test(what_prints_a_file_that_is_kept_is_asked_about)
{
	struct scene s = open_scene(*state);

	make_repository(&s);
	run(&s, "git", "show");
	assert_string_equal(result(&s, "exitCode"), "0");
	make_file(s.w, ".env", "TOKEN=x\n");
	git(&s, "add -f .env");
	run(&s, "git", "diff");
	wait_for_card(&s, "it can print .env");
	dt_answer_drop(&s.asked.answer);
	git(&s, "commit -m env");
	git(&s, "rm .env");
	git(&s, "commit -m gone");
	run(&s, "git", "show");
	wait_for_card(&s, ".env as it was committed");
	dt_answer_drop(&s.asked.answer);
	run(&s, "git", "diff");
	assert_string_equal(result(&s, "exitCode"), "0");
}

/* terminals */

static void create_with(struct scene *s, const char *name, const char *variable)
{
	const char *pairs[] = { variable };
	struct dt_create_terminal_args args = { .name = name,
		                                .env = { pairs, 1 } };

	ask_op(s->w, s->ws, &dt_op_create_terminal, &args);
}

static void create(struct scene *s, const char *name, const char *cwd)
{
	struct dt_create_terminal_args args = { .name = name, .cwd = cwd };

	ask_op(s->w, s->ws, &dt_op_create_terminal, &args);
}

static void execute(struct scene *s, const char *line)
{
	char *lent = dt_strdup(line);
	struct dt_execute_terminal_args args = {
		.command = lent,
		.timeout_ms = { true, 20000 },
	};

	begin_op(&s->asked, s->w, s->ws, &dt_op_execute_in_terminal, &args);
	memset(lent, '-', strlen(lent));
	free(lent);
}

static void send(struct scene *s, const char *text, bool adds_newline)
{
	struct dt_send_terminal_args args = { .text = text,
		                              .adds_newline = adds_newline };

	begin_op(&s->asked, s->w, s->ws, &dt_op_send_terminal, &args);
}

/* It waits, as this text and for this reason; nobody goes on waiting. */
static void expect_card(struct scene *s, const char *text, const char *why)
{
	struct dt_review *r;

	assert_int_equal(s->asked.ended, 0);
	r = last_review(s->w);
	assert_string_equal(r->card.command, text);
	if (!strstr(r->reason, why))
		fail_msg("%s", r->reason);
	dt_answer_drop(&s->asked.answer);
	assert_int_equal(s->w->hub.inbox.count, 0);
}

world_test(plain_lines_of_allowed_programs_are_typed_at_once)
{
	struct scene s = open_scene(*state);

	execute(&s, "git --version");
	assert_memory_equal(result(&s, "output"), "git version ", 12);
	send(&s, "git status", true);
	result(&s, "name");
	send(&s, "\x03", false);
	result(&s, "name");
	assert_int_equal(s.w->hub.inbox.count, 0);
}

world_test(other_lines_wait_for_a_person)
{
	struct scene s = open_scene(*state);
	struct dt_review *r;

	execute(&s, "echo one | tr a-z A-Z; exit_code() { return 3; }; "
	            "exit_code");
	assert_int_equal(s.asked.ended, 0);
	r = last_review(s.w);
	assert_string_equal(r->card.command,
	                    "echo one | tr a-z A-Z; exit_code() { return 3; }; "
	                    "exit_code");
	assert_string_equal(r->card.folder, dt_workspace_root(s.ws));
	assert_null(r->card.program);
	/* It runs on when its caller does not wait any more. */
	assert_int_equal(r->card.timeout_ms, 0);
	decide(s.person, r->id, "\"verdict\":\"accept\"");
	assert_string_equal(result(&s, "output"), "ONE");
	assert_string_equal(at(s.w, s.asked.json, "exitCode"), "3");
}

world_test(what_is_sent_waits_as_well)
{
	struct scene s = open_scene(*state);
	char *file = text_of(s.w, "%s/made", s.w->project);
	char *line = text_of(s.w, "touch %s", file);

	create(&s, "work", NULL);
	send(&s, line, true);
	assert_string_equal(last_review(s.w)->card.program, "touch");
	decide(s.person, last_review(s.w)->id,
	       "\"verdict\":\"reject\",\"comment\":\"no\"");
	expect_refusal(&s, DT_E_DENIED, "rejected this command: no");
	assert_false(is_there(file));
	send(&s, line, true);
	decide(s.person, last_review(s.w)->id, "\"verdict\":\"accept\"");
	assert_string_equal(result(&s, "name"), "work");
	wait_for(s.w, is_there(file));
}

world_test(what_a_line_could_do_is_looked_at)
{
	struct scene s = open_scene(*state);

	create(&s, "work", NULL);
	make_file(s.w, ".env", "TOKEN=x\n");
	execute(&s, "git -c x status");
	expect_card(&s, "git -c x status", "terminal work, with Enter");
	execute(&s, "git log ../x");
	expect_card(&s, "git log ../x", "outside the workspace");
	policy_allow_cat(&s);
	execute(&s, "cat .env");
	expect_card(&s, "cat .env", "kept from agents");
	send(&s, "git status", false);
	expect_card(&s, "git status", "not ended");
	send(&s, "y", true);
	expect_card(&s, "y", "y is not among");
	send(&s, "git\nls", true);
	expect_card(&s, "$'git\\nls'", "more than words");
	send(&s, "$'x'", true);
	expect_card(&s, "$'$\\'x\\''", "more than words");
}

/* More of them decide what a program runs than anybody can list. */
world_test(lines_are_asked_about_where_an_agent_set_variables)
{
	struct scene s = open_scene(*state);

	create_with(&s, "work", "BIOME_BINARY=./x");
	execute(&s, "git --version");
	expect_card(&s, "git --version",
	            "has set in this terminal: BIOME_BINARY");
	send(&s, "git --version", true);
	expect_card(&s, "git --version", "BIOME_BINARY");
	send(&s, "\x03", false);
	result(&s, "name");
}

/* To what runs in the terminal it may mean anything. */
world_test(what_a_command_would_read_is_asked_about)
{
	struct scene s = open_scene(*state);

	execute(&s, "git --version");
	result(&s, "output");
	send(&s, "cat", true);
	decide(s.person, last_review(s.w)->id, "\"verdict\":\"accept\"");
	result(&s, "name");
	send(&s, "git status", true);
	expect_card(&s, "git status", "a command runs in the terminal");
	send(&s, "\x03", true);
	expect_card(&s, "$'\\x03'", "more than words");
	send(&s, "\x03", false);
	result(&s, "name");
}

world_test(a_line_that_was_begun_makes_another_of_the_next)
{
	struct scene s = open_scene(*state);

	execute(&s, "git --version");
	result(&s, "output");
	send(&s, "echo ", false);
	decide(s.person, last_review(s.w)->id, "\"verdict\":\"accept\"");
	result(&s, "name");
	send(&s, "git --version", true);
	expect_card(&s, "git --version", "stands in the line already");
	/* Here it is emptied first. */
	execute(&s, "git --version");
	assert_memory_equal(result(&s, "output"), "git version ", 12);
	send(&s, "git --version", true);
	result(&s, "name");
}

world_test(words_of_a_shell_that_run_others_are_allowed_but_once)
{
	struct scene s = open_scene(*state);

	execute(&s, "eval ls");
	assert_null(last_review(s.w)->card.program);
	expect_card(&s, "eval ls", "eval is not among");
}

world_test(a_shell_that_left_the_workspace_is_asked_about)
{
	struct scene s = open_scene(*state);

	execute(&s, "cd /");
	decide(s.person, last_review(s.w)->id, "\"verdict\":\"accept\"");
	result(&s, "exitCode");
	execute(&s, "git --version");
	assert_string_equal(last_review(s.w)->card.folder, "/");
	expect_card(&s, "git --version", "has left the workspace");
}

world_test(a_line_goes_to_the_terminal_that_the_card_names)
{
	struct scene s = open_scene(*state);

	create(&s, "one", NULL);
	send(&s, "echo here", true);
	/* The latest is another one by now. */
	create(&s, "two", NULL);
	decide(s.person, last_review(s.w)->id, "\"verdict\":\"accept\"");
	assert_string_equal(result(&s, "name"), "one");
}

world_test(a_terminal_that_is_not_there_is_not_asked_about)
{
	struct scene s = open_scene(*state);

	send(&s, "ls", true);
	expect_refusal(&s, DT_E_MISSING, "terminal");
	execute(&s, "");
	expect_refusal(&s, DT_E_ARGS, "command: empty");
	assert_int_equal(s.w->hub.inbox.count, 0);
}

/* GitHub */

world_test(what_changes_something_at_github_waits)
{
	struct scene s = open_scene(*state);
	const char *words[] = { "pr", "merge", "3", "--body", "a b" };
	struct dt_github_args args = { .words = { .ptr = words, .count = 5 } };
	const char *pairs[] = { text_of(s.w, "PATH=%s", s.w->project) };

	/* No account can be used here: a script stands in for it. */
	dt_workspace_set_env(s.ws, &(struct dt_names){ pairs, 1 });
	begin_op(&s.asked, s.w, s.ws, &dt_op_github_write, &args);
	expect_refusal(&s, DT_E_MISSING, "no program gh on PATH");
	assert_int_equal(
		chmod(make_file(s.w, "gh", "#!/bin/sh\n>called\n"), 0755), 0);
	begin_op(&s.asked, s.w, s.ws, &dt_op_github_write, &args);
	assert_int_equal(last_review(s.w)->card.timeout_ms, DT_GITHUB_WRITE_MS);
	expect_card(&s, "gh pr merge 3 --body 'a b'", "gh is not among");
	assert_false(is_there(text_of(s.w, "%s/called", s.w->project)));
}

world_test(only_what_runs_something_needs_a_permit)
{
	(void)state;
	assert_true(dt_permit_is_needed(&dt_op_run_command));
	assert_true(dt_permit_is_needed(&dt_op_github_write));
	assert_true(dt_permit_is_needed(&dt_op_send_terminal));
	assert_true(dt_permit_is_needed(&dt_op_execute_in_terminal));
	assert_false(dt_permit_is_needed(&dt_op_github_read));
	assert_false(dt_permit_is_needed(&dt_op_get_terminal_output));
	assert_false(dt_permit_is_needed(&dt_op_read_file));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(what_is_allowed_runs_at_once),
		test_in_world(another_program_waits_for_a_person),
		test_in_world(what_a_person_rejects_does_not_run),
		test_in_world(a_command_nobody_waits_for_is_withdrawn),
		test_in_world(a_command_cannot_be_edited),
		test_in_world(arguments_of_allowed_programs_are_looked_at),
		test_in_world(a_file_that_is_kept_from_agents_is_asked_about),
		test_in_world(what_cannot_be_done_is_not_asked_about),
		test_in_world(
			tests_run_while_what_defines_them_is_as_it_was_seen),
		test_in_world(
			what_changes_again_while_a_card_waits_does_not_run),
		test_in_world(a_text_that_was_accepted_is_seen),
		test_in_world(a_look_that_nobody_waits_for_ends),
		test_in_world(a_commit_of_what_defines_tests_is_asked_about),
		test_in_world(tools_that_overwrite_or_discard_are_asked_about),
		test_in_world(what_prints_a_file_that_is_kept_is_asked_about),
		test_in_world(
			plain_lines_of_allowed_programs_are_typed_at_once),
		test_in_world(other_lines_wait_for_a_person),
		test_in_world(what_is_sent_waits_as_well),
		test_in_world(what_a_line_could_do_is_looked_at),
		test_in_world(
			lines_are_asked_about_where_an_agent_set_variables),
		test_in_world(what_a_command_would_read_is_asked_about),
		test_in_world(a_line_that_was_begun_makes_another_of_the_next),
		test_in_world(
			words_of_a_shell_that_run_others_are_allowed_but_once),
		test_in_world(a_shell_that_left_the_workspace_is_asked_about),
		test_in_world(a_line_goes_to_the_terminal_that_the_card_names),
		test_in_world(a_terminal_that_is_not_there_is_not_asked_about),
		test_in_world(what_changes_something_at_github_waits),
		test_in_world(only_what_runs_something_needs_a_permit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
