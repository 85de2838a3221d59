/* test/unit/backend/test_watch_files.c - agents that wait for changes. */
#include "backend/watch_files.h"

#include "base/limits.h"
#include "watch_world.h"

#define AGENT "agent-1"
#define OTHER "agent-2"

struct asked {
	struct dt_answer answer;
	int ended;
	struct dt_fail fail;
	char id[32];
	char told[2048]; /* "created a.c|" ... */
	size_t count;
	int64_t last;
	bool is_cut;
	size_t root_len;
};

struct trial {
	struct watch_world w;
	struct dt_editor *editor;
	struct asked asked; /* what was asked last */
};

static bool may_leave(void *owner, const char *path)
{
	(void)owner;
	return !strstr(path, "secret");
}

static void on_end(struct dt_answer *answer, const void *result,
                   const struct dt_fail *fail, void *owner)
{
	const struct dt_watch_files_result *found = result;
	struct asked *asked = owner;

	(void)answer;
	asked->ended++;
	if (fail)
		asked->fail = *fail;
	if (!found)
		return;
	snprintf(asked->id, sizeof(asked->id), "%s", found->id);
	asked->last = found->last;
	asked->is_cut = found->is_cut;
	asked->count = found->changes.count;
	for (size_t i = 0; i < asked->count; i++) {
		const struct dt_file_change *change =
			(struct dt_file_change *)found->changes.ptr + i;
		size_t len = strlen(asked->told);

		snprintf(asked->told + len, sizeof(asked->told) - len, "%s %s|",
		         dt_file_kind_names[change->kind],
		         change->path + asked->root_len + 1);
	}
}

static void ask(struct trial *t, struct asked *asked,
                const struct dt_operation *op, const void *args,
                const char *asker)
{
	*asked = (struct asked){ .root_len = strlen(t->w.root) };
	dt_answer_init(&asked->answer, on_end, asked);
	asked->answer.asker = asker;
	t->editor->backend->perform(t->editor, op, args, &asked->answer);
}

/* Asked, and answered. */
static const char *watch_as(struct trial *t, const char *asker,
                            struct dt_watch_files_args args)
{
	ask(t, &t->asked, &dt_op_watch_files, &args, asker);
	watch_world_until(&t->w, t->asked.ended);
	assert_int_equal(t->asked.ended, 1);
	return t->asked.told;
}

#define WATCH(t, ...)                                                          \
	watch_as(t, AGENT,                                                     \
	         (struct dt_watch_files_args){ .since = -1, __VA_ARGS__ })

static void begin(struct trial *t, void **state, const char *line)
{
	*t = (struct trial){ 0 };
	watch_world_begin(&t->w, state);
	t->w.world.may_leave = may_leave;
	watch_world_sh(&t->w, line);
	t->editor = dt_headless_new(&t->w.world);
}

static void end(struct trial *t)
{
	t->editor->backend->stop(t->editor);
	t->editor->backend->free(t->editor);
	watch_world_end(&t->w);
}

test(changes_are_told_to_who_asks_again)
{
	struct trial t;
	int64_t first;

	begin(&t, state, "mkdir src && echo >src/a.c && echo >src/b.c");
	assert_string_equal(WATCH(&t, .pattern = "src/**"), "");
	assert_int_equal(t.asked.fail.code, DT_E_OK);
	assert_string_equal(t.asked.id, "watch-1");
	watch_world_sh(&t.w, "echo >>src/a.c; rm src/b.c; echo >src/c.c; "
	                     "echo >other");
	assert_string_equal(WATCH(&t, .id = "watch-1", .wait_ms = PATIENCE_MS),
	                    "changed src/a.c|deleted src/b.c|created src/c.c|");
	first = t.asked.last;
	/* It is told once, unless somebody asks from before. */
	assert_string_equal(WATCH(&t, .id = "watch-1"), "");
	assert_int_equal(t.asked.last, first);
	assert_string_equal(watch_as(&t, AGENT,
	                             (struct dt_watch_files_args){
					     .id = "watch-1", .since = 1 }),
	                    "deleted src/b.c|created src/c.c|");
	end(&t);
}

test(who_waits_is_told_when_it_happens)
{
	struct dt_watch_files_args args = { .pattern = "*.c",
		                            .id = "mine",
		                            .since = -1,
		                            .wait_ms = PATIENCE_MS };
	struct asked asked;
	struct trial t;

	begin(&t, state, "mkdir d");
	assert_string_equal(WATCH(&t, .pattern = "*.c", .id = "mine"), "");
	ask(&t, &asked, &dt_op_watch_files, &args, AGENT);
	for (int i = 0; i < 20; i++)
		uv_run(dt_loop_uv(t.w.loop), UV_RUN_NOWAIT);
	assert_int_equal(asked.ended, 0);
	watch_world_sh(&t.w, "echo >d/x.c");
	watch_world_until(&t.w, asked.ended);
	assert_string_equal(asked.told, "created d/x.c|");
	assert_string_equal(asked.id, "mine");
	end(&t);
}

test(time_that_is_over_is_an_answer)
{
	uint64_t began_ms;
	struct trial t;

	begin(&t, state, "true");
	WATCH(&t, .pattern = "**");
	began_ms = dt_clock_ms();
	assert_string_equal(WATCH(&t, .id = "watch-1", .wait_ms = 50), "");
	assert_int_equal(t.asked.fail.code, DT_E_OK);
	assert_true(dt_clock_ms() - began_ms >= 45);
	end(&t);
}

test(what_is_ignored_or_kept_back_is_not_told)
{
	struct trial t;

	begin(&t, state, "git init -q . && echo '*.o' >.gitignore");
	WATCH(&t, .pattern = "**");
	watch_world_sh(&t.w, "echo >a.o; echo >secret; echo >.git/x; echo >b");
	assert_string_equal(WATCH(&t, .id = "watch-1", .wait_ms = PATIENCE_MS),
	                    "created b|");
	end(&t);
}

test(several_changes_of_a_file_are_one)
{
	struct trial t;

	begin(&t, state, "echo >old");
	WATCH(&t, .pattern = "**");
	watch_world_sh(&t.w, "echo >new; echo >brief");
	/* Seen in two steps. */
	watch_as(&t, OTHER,
	         (struct dt_watch_files_args){ .pattern = "**",
	                                       .wait_ms = 200 });
	watch_world_sh(&t.w, "echo >>new; rm brief old; echo >~end");
	watch_as(&t, OTHER,
	         (struct dt_watch_files_args){
			 .id = "watch-2", .since = -1, .wait_ms = 200 });
	watch_world_sh(&t.w, "echo >old");
	watch_as(&t, OTHER,
	         (struct dt_watch_files_args){ .id = "watch-2",
	                                       .since = -1,
	                                       .wait_ms = PATIENCE_MS });
	assert_string_equal(WATCH(&t, .id = "watch-1"),
	                    "created new|created ~end|changed old|");
	end(&t);
}

test(a_watch_is_its_sessions_alone)
{
	struct dt_unwatch_files_args unwatch = { .id = "watch-1" };
	struct dt_watch_files_args args = { .id = "watch-1",
		                            .since = -1,
		                            .wait_ms = PATIENCE_MS };
	struct asked asked;
	struct trial t;

	begin(&t, state, "true");
	WATCH(&t, .pattern = "**");
	watch_as(&t, OTHER, args);
	assert_int_equal(t.asked.fail.code, DT_E_MISSING);
	assert_string_equal(t.asked.fail.msg,
	                    "there is no watch watch-1: begin one with "
	                    "pattern");
	ask(&t, &t.asked, &dt_op_unwatch_files, &unwatch, OTHER);
	assert_int_equal(t.asked.fail.code, DT_E_MISSING);
	/* Who waits is told that it ended. */
	ask(&t, &asked, &dt_op_watch_files, &args, AGENT);
	ask(&t, &t.asked, &dt_op_unwatch_files, &unwatch, AGENT);
	assert_int_equal(t.asked.ended, 1);
	assert_int_equal(t.asked.fail.code, DT_E_OK);
	assert_int_equal(asked.fail.code, DT_E_CLOSED);
	/* It goes with its session. */
	WATCH(&t, .pattern = "**");
	t.editor->backend->leave(t.editor, OTHER);
	WATCH(&t, .id = "watch-2");
	assert_int_equal(t.asked.fail.code, DT_E_OK);
	t.editor->backend->leave(t.editor, AGENT);
	WATCH(&t, .id = "watch-2");
	assert_int_equal(t.asked.fail.code, DT_E_MISSING);
	/* The person's does not. */
	watch_as(&t, NULL, (struct dt_watch_files_args){ .pattern = "**" });
	t.editor->backend->leave(t.editor, AGENT);
	watch_as(&t, NULL, (struct dt_watch_files_args){ .id = "watch-3" });
	assert_int_equal(t.asked.fail.code, DT_E_OK);
	end(&t);
}

test(who_does_not_wait_any_more_is_forgotten)
{
	struct dt_watch_files_args args = { .id = "watch-1",
		                            .since = -1,
		                            .wait_ms = PATIENCE_MS };
	struct asked asked;
	struct trial t;

	begin(&t, state, "true");
	WATCH(&t, .pattern = "**");
	ask(&t, &asked, &dt_op_watch_files, &args, AGENT);
	dt_answer_drop(&asked.answer);
	watch_world_sh(&t.w, "echo >a");
	assert_string_equal(WATCH(&t, .id = "watch-1", .wait_ms = PATIENCE_MS),
	                    "created a|");
	assert_int_equal(asked.ended, 0);
	end(&t);
}

test(there_are_limits)
{
	struct trial t;

	begin(&t, state, "true");
	for (unsigned i = 0; i < DT_LIMIT_WATCHES; i++) {
		WATCH(&t, .pattern = "**");
		assert_int_equal(t.asked.fail.code, DT_E_OK);
	}
	WATCH(&t, .pattern = "**");
	assert_int_equal(t.asked.fail.code, DT_E_LIMIT);
	assert_non_null(strstr(t.asked.fail.msg, "unwatchFiles"));
	/* Another pattern for one that is there is no new watch. */
	WATCH(&t, .pattern = "*.c", .id = "watch-1");
	assert_int_equal(t.asked.fail.code, DT_E_OK);
	watch_world_sh(&t.w, "i=0; while [ $i -lt 600 ]; do echo >$i.c; "
	                     "i=$((i+1)); done; echo >x");
	do
		watch_as(&t, AGENT,
		         (struct dt_watch_files_args){
				 .id = "watch-1", .wait_ms = PATIENCE_MS });
	while (t.asked.count < DT_LIMIT_WATCH_KEPT);
	assert_true(t.asked.is_cut);
	assert_int_equal(t.asked.count, DT_LIMIT_WATCH_KEPT);
	end(&t);
}

test(patterns_that_fit_nothing_are_refused)
{
	static const char *const wrong[] = { "", "{a", "./a", "a/",
		                             "/elsewhere/**" };
	struct trial t;
	char *whole;

	begin(&t, state, "mkdir d");
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		WATCH(&t, .pattern = wrong[i]);
		assert_int_equal(t.asked.fail.code, DT_E_ARGS);
	}
	whole = dt_asprintf("%s/*.c", t.w.root);
	WATCH(&t, .pattern = whole);
	assert_int_equal(t.asked.fail.code, DT_E_OK);
	watch_world_sh(&t.w, "echo >d/a.c; echo >b.c");
	assert_string_equal(WATCH(&t, .id = "watch-1", .wait_ms = PATIENCE_MS),
	                    "created b.c|");
	free(whole);
	end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_tempdir(changes_are_told_to_who_asks_again),
		test_in_tempdir(who_waits_is_told_when_it_happens),
		test_in_tempdir(time_that_is_over_is_an_answer),
		test_in_tempdir(what_is_ignored_or_kept_back_is_not_told),
		test_in_tempdir(several_changes_of_a_file_are_one),
		test_in_tempdir(a_watch_is_its_sessions_alone),
		test_in_tempdir(who_does_not_wait_any_more_is_forgotten),
		test_in_tempdir(there_are_limits),
		test_in_tempdir(patterns_that_fit_nothing_are_refused),
	};

	return cmocka_run_group_tests_name("watch_files", tests, NULL, NULL);
}
