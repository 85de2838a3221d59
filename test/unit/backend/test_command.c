/* test/unit/backend/test_command.c - real programs, run for an agent. */
#include "backend/command.h"

#include "base/limits.h"
#include "base/tempdir.h"
#include "editor/run.h"
#include "loop/spawn.h"
#include "unit.h"

#include <signal.h>
#include <unistd.h>

struct fixture {
	struct dt_loop *loop;
	struct dt_documents docs;
	struct dt_headless h;
	struct dt_arena arena;
	const char *dir;

	struct dt_answer answer;
	int ended;
	struct dt_fail fail;
	struct dt_run_command_result result; /* in the arena */
	int told;
	uint64_t last_done;
	char *message; /* of the last progress that had one */
};

static char **world_env(void *owner, const char *asker, struct dt_arena *arena)
{
	static char *env[] = { "PATH=/usr/bin:/bin",
		               "MINE=1",
		               "DOVETAIL_SOCKET=secret",
		               "GIT_DIR=/none",
		               "GIT_PAGER=cat",
		               "CLAUDE_CODE_SSE_PORT=1",
		               NULL };

	(void)asker;
	(void)owner;
	(void)arena;
	return env;
}

static const char *world_find(void *owner, const char *asker,
                              struct dt_arena *arena, const char *program)
{
	(void)asker;
	(void)owner;
	return dt_spawn_find(arena, program, "/usr/bin:/bin");
}

static void begin(struct fixture *f, void **state)
{
	*f = (struct fixture){ .loop = dt_loop_new(), .dir = *state };
	tempdir_mkdir(f->dir, "w");
	tempdir_mkdir(f->dir, "w/sub");
	dt_documents_init(
		&f->docs,
		(const char *[]){ dt_arena_printf(&f->arena, "%s/w", f->dir) },
		1);
	f->h.docs = &f->docs;
	f->h.world = (struct dt_world){
		.loop = f->loop,
		.docs = &f->docs,
		.env = world_env,
		.find = world_find,
	};
}

static void end(struct fixture *f)
{
	dt_loop_run(f->loop);
	dt_loop_free(f->loop);
	dt_documents_done(&f->docs);
	dt_arena_done(&f->arena);
	free(f->message);
}

static struct dt_str keep(struct fixture *f, struct dt_str text)
{
	text.ptr = dt_arena_strndup(&f->arena, text.ptr, text.len);
	return text;
}

static void on_end(struct dt_answer *answer, const void *result,
                   const struct dt_fail *fail, void *owner)
{
	struct fixture *f = owner;

	(void)answer;
	f->ended++;
	if (fail) {
		f->fail = *fail;
		return;
	}
	f->result = *(const struct dt_run_command_result *)result;
	f->result.program = dt_arena_strdup(&f->arena, f->result.program);
	f->result.cwd = dt_arena_strdup(&f->arena, f->result.cwd);
	f->result.signal = dt_arena_strdup(&f->arena, f->result.signal);
	f->result.out = keep(f, f->result.out);
	f->result.err = keep(f, f->result.err);
}

static void on_progress(struct dt_answer *answer,
                        const struct dt_progress *progress, void *owner)
{
	struct fixture *f = owner;

	(void)answer;
	assert_true(!f->told || progress->done > f->last_done);
	f->told++;
	f->last_done = progress->done;
	free(f->message);
	f->message = progress->message ? dt_strdup(progress->message) : NULL;
}

static void start(struct fixture *f, const struct dt_run_command_args *args)
{
	f->ended = 0;
	f->fail = (struct dt_fail){ 0 };
	dt_answer_init(&f->answer, on_end, f);
	f->answer.on_progress = on_progress;
	dt_run_command_start(&f->h, args, &f->answer);
}

static void run(struct fixture *f, const struct dt_run_command_args *args)
{
	start(f, args);
	dt_loop_run(f->loop);
	assert_int_equal(f->ended, 1);
}

/* A script stands for any program that does what it does. */
static struct dt_run_command_args sh(const char **words, const char *script)
{
	words[0] = "-c";
	words[1] = script;
	return (struct dt_run_command_args){ .command = "sh",
		                             .args = { words, 2 } };
}

test(a_program_gets_its_words_and_a_clean_environment)
{
	const char *words[2];
	struct dt_run_command_args args =
		sh(words, "pwd; env | grep -v ^PWD= | sort | cut -c1-13; "
	                  "echo no >&2; exit 7");
	struct fixture f;

	begin(&f, state);
	run(&f, &args);
	assert_string_equal(f.fail.msg, "");
	assert_int_equal(f.result.exit_code, 7);
	assert_null(f.result.signal);
	assert_string_equal(f.result.out.ptr,
	                    dt_arena_printf(&f.arena,
	                                    "%s/w\nDOVETAIL_RUN=\n"
	                                    "GIT_PAGER=cat\nMINE=1\n"
	                                    "PATH=/usr/bin\n",
	                                    f.dir));
	assert_str(f.result.err, "no\n");
	assert_false(f.result.is_late || f.result.is_out_cut);
	end(&f);
}

test(it_runs_where_it_was_told_to)
{
	struct dt_run_command_args args = { .command = "pwd", .cwd = "sub" };
	struct fixture f;

	begin(&f, state);
	run(&f, &args);
	assert_string_equal(f.result.out.ptr,
	                    dt_arena_printf(&f.arena, "%s/w/sub\n", f.dir));
	args.cwd = "..";
	run(&f, &args);
	assert_int_equal(f.fail.code, DT_E_DENIED);
	args.cwd = "none";
	run(&f, &args);
	assert_int_equal(f.fail.code, DT_E_MISSING);
	tempdir_link(f.dir, "w/out", "..");
	args.cwd = "out";
	run(&f, &args);
	assert_int_equal(f.fail.code, DT_E_DENIED);
	end(&f);
}

test(a_missing_program_is_a_sentence)
{
	struct dt_run_command_args args = { .command = "no-such-program" };
	struct fixture f;

	begin(&f, state);
	run(&f, &args);
	assert_int_equal(f.fail.code, DT_E_MISSING);
	assert_string_equal(f.fail.msg,
	                    "there is no program no-such-program on PATH: "
	                    "install it, or ask the person to");
	args.command = "./none";
	run(&f, &args);
	assert_string_equal(f.fail.msg, "there is no program ./none: install "
	                                "it, or ask the person to");
	end(&f);
}

test(programs_of_the_project_come_first)
{
	struct dt_run_command_args args = { .command = "jest", .cwd = "sub" };
	struct fixture f;

	begin(&f, state);
	tempdir_mkdir(f.dir, "w/node_modules");
	tempdir_mkdir(f.dir, "w/node_modules/.bin");
	tempdir_put(f.dir, "w/node_modules/.bin/jest", "#!/bin/sh\necho own\n");
	tempdir_put(f.dir, "w/node_modules/.bin/true", "#!/bin/sh\necho own\n");
	for (int i = 0; i < 2; i++)
		assert_int_equal(
			chmod(dt_arena_printf(&f.arena,
		                              "%s/w/node_modules/.bin/%s",
		                              f.dir, i ? "jest" : "true"),
		              0755),
			0);
	run(&f, &args);
	assert_str(f.result.out, "own\n");
	/* But only those that projects bring along. */
	args.command = "true";
	run(&f, &args);
	assert_str(f.result.out, "");
	end(&f);
}

test(the_middle_of_a_long_output_is_left_out)
{
	const char *words[2];
	struct dt_run_command_args args =
		sh(words, "echo first; yes 0123456789abcde | head -100000; "
	                  "echo last");
	struct fixture f;

	begin(&f, state);
	run(&f, &args);
	assert_true(f.result.is_out_cut);
	assert_false(f.result.is_err_cut);
	assert_in_range(f.result.out.len, DT_LIMIT_OUTPUT,
	                DT_LIMIT_OUTPUT + 100);
	assert_memory_equal(f.result.out.ptr, "first\n", 6);
	assert_memory_equal(f.result.out.ptr + f.result.out.len - 5, "last\n",
	                    5);
	assert_non_null(strstr(f.result.out.ptr,
	                       "[... 1075723 bytes are left out here ...]"));
	end(&f);
}

test(lines_are_told_while_it_runs)
{
	const char *words[2];
	struct dt_run_command_args args = sh(
		words, "echo one; sleep 0.2; printf 'two\\007\\n' >&2; seq 9");
	struct fixture f;

	begin(&f, state);
	run(&f, &args);
	assert_int_equal(f.told, 2);
	assert_string_equal(f.message, "two ");
	end(&f);
}

test(its_time_is_over_in_time)
{
	const char *words[2];
	struct dt_run_command_args args =
		sh(words, "echo begun; exec sleep 600");
	struct fixture f;

	begin(&f, state);
	args.timeout_ms = (struct dt_maybe_u32){ true, 100 };
	run(&f, &args);
	assert_true(f.result.is_late);
	assert_int_equal(f.result.exit_code, 128 + SIGTERM);
	assert_string_equal(f.result.signal, "SIGTERM");
	assert_str(f.result.out, "begun\n");
	assert_in_range(f.result.took_ms, 100, 3000);
	args.timeout_ms.value = DT_LIMIT_COMMAND_MS + 1;
	run(&f, &args);
	assert_int_equal(f.fail.code, DT_E_ARGS);
	end(&f);
}

static void on_first(struct dt_answer *answer,
                     const struct dt_progress *progress, void *owner)
{
	struct fixture *f = owner;

	(void)answer;
	free(f->message);
	f->message = dt_strdup(progress->message);
	dt_loop_stop(f->loop);
}

/* Also what has left the group: the pipe tells when all of them are gone. */
test(who_is_not_waited_for_is_killed_with_all_it_started)
{
	const char *words[2];
	struct dt_run_command_args args =
		sh(words, "setsid sleep 600 & sleep 600 & echo $!; wait");
	struct fixture f;
	uint32_t pid = 0;

	begin(&f, state);
	start(&f, &args);
	f.answer.on_progress = on_first;
	dt_loop_run(f.loop);
	assert_ok(dt_str_to_u32(dt_str(f.message), &pid, NULL));
	assert_int_equal(kill((pid_t)pid, 0), 0);
	dt_answer_drop(&f.answer);
	end(&f);
	assert_int_equal(f.ended, 0);
	for (int i = 0; i < 500 && !kill((pid_t)pid, 0); i++)
		usleep(10000);
	assert_int_not_equal(kill((pid_t)pid, 0), 0);
}

test(who_has_left_the_group_and_lives_on_is_told_of)
{
	const char *words[2];
	struct dt_run_command_args args =
		sh(words, "setsid sh -c 'echo $$; exec sleep 600 >&- 2>&-' & "
	                  "sleep 0.3");
	struct fixture f;
	uint32_t pid = 0;

	begin(&f, state);
	run(&f, &args);
	assert_int_equal(f.result.left_running, 1);
	assert_ok(dt_str_to_u32(dt_str_cut(&f.result.out, '\n'), &pid, NULL));
	assert_int_equal(kill((pid_t)pid, SIGKILL), 0);
	end(&f);
}

/* Its settings would say what git runs, as the person's own do. */
test(git_takes_no_folder_for_a_repository)
{
	const char *words[] = { "-C", "sub", "rev-parse", "--git-dir" };
	struct dt_run_command_args args = { .command = "git",
		                            .args = { words, 4 } };
	struct fixture f;

	begin(&f, state);
	tempdir_put(f.dir, "w/sub/HEAD", "ref: refs/heads/main\n");
	tempdir_put(f.dir, "w/sub/config", "[core]\n\tbare = true\n");
	tempdir_mkdir(f.dir, "w/sub/objects");
	tempdir_mkdir(f.dir, "w/sub/refs");
	run(&f, &args);
	assert_int_equal(f.result.exit_code, 128);
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_tempdir(
			a_program_gets_its_words_and_a_clean_environment),
		test_in_tempdir(it_runs_where_it_was_told_to),
		test_in_tempdir(a_missing_program_is_a_sentence),
		test_in_tempdir(programs_of_the_project_come_first),
		test_in_tempdir(the_middle_of_a_long_output_is_left_out),
		test_in_tempdir(lines_are_told_while_it_runs),
		test_in_tempdir(its_time_is_over_in_time),
		test_in_tempdir(
			who_is_not_waited_for_is_killed_with_all_it_started),
		test_in_tempdir(who_has_left_the_group_and_lives_on_is_told_of),
		test_in_tempdir(git_takes_no_folder_for_a_repository),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
