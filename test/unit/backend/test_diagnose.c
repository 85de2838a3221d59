/*
 * test/unit/backend/test_diagnose.c - problems asked for and watched.
 *
 * The programs of test_linters.c's kind look; how language servers do is shown
 * in test_lsp_report.c, and with real ones in test/e2e.
 */
#include "backend/headless.h"

#include "base/clock.h"
#include "base/limits.h"
#include "base/tempdir.h"
#include "editor/diagnostics.h"
#include "loop/spawn.h"
#include "unit.h"

#include <signal.h>
#include <uv.h>

#define PATIENCE_MS 20000

struct fixture {
	struct dt_loop *loop;
	struct dt_documents docs;
	struct dt_arena arena;
	const char *dir;
	struct dt_editor *editor;
	int events;
	/* What came. */
	struct dt_answer answer;
	int ended;
	bool is_changed;
	bool is_watched;
	bool is_pending;
	int64_t version;
	char told[4000]; /* "NAME: MESSAGE|... by WHO, ...; LINTER: error" */
};

static char **env(void *owner, const char *asker, struct dt_arena *arena)
{
	char **list = dt_arena_alloc(arena, 2 * sizeof(*list));

	(void)asker;
	(void)owner;
	list[0] = dt_arena_printf(arena, "PATH=%s", getenv("PATH"));
	return list;
}

static const char *find(void *owner, const char *asker, struct dt_arena *arena,
                        const char *program)
{
	struct fixture *f = owner;
	const char *file = dt_arena_printf(arena, "%s/bin/%s", f->dir, program);

	(void)asker;
	return access(file, X_OK) ? NULL : file;
}

static const char *setting(void *owner, const char *key)
{
	(void)owner;
	(void)key;
	return "";
}

static void on_event(struct dt_editor *editor, struct dt_event *event,
                     void *owner)
{
	struct fixture *f = owner;

	(void)editor;
	if (event->type == DT_EVENT_DIAGNOSTICS)
		f->events++;
}

static void begin(struct fixture *f, void **state)
{
	*f = (struct fixture){ .dir = *state, .loop = dt_loop_new() };
	signal(SIGPIPE, SIG_IGN); /* as main() does */
	tempdir_mkdir(f->dir, "w");
	tempdir_mkdir(f->dir, "bin");
	dt_documents_init(
		&f->docs,
		(const char *[]){ dt_arena_printf(&f->arena, "%s/w", f->dir) },
		1);
	f->editor = dt_headless_new(&(struct dt_world){
		.docs = &f->docs,
		.loop = f->loop,
		.owner = f,
		.env = env,
		.find = find,
		.setting = setting,
	});
	f->editor->on_event = on_event;
	f->editor->owner = f;
}

static void end(struct fixture *f)
{
	f->editor->backend->stop(f->editor);
	/* Nothing of it may keep the loop. */
	dt_loop_run(f->loop);
	f->editor->backend->free(f->editor);
	dt_documents_done(&f->docs);
	dt_loop_run(f->loop);
	dt_loop_free(f->loop);
	dt_arena_done(&f->arena);
}

/* jq that finds this wrong after a while. */
static void linter(struct fixture *f, const char *wait, const char *message)
{
	char *text = dt_asprintf("#!/bin/sh\nsleep %s\n[ -z '%s' ] && exit 0\n"
	                         "echo 'parse error: %s at line 1, column 1' "
	                         ">&2\nexit 2\n",
	                         wait, message, message);

	tempdir_put(f->dir, "bin/jq", text);
	assert_int_equal(
		chmod(dt_arena_printf(&f->arena, "%s/bin/jq", f->dir), 0755),
		0);
	free(text);
}

static const char *put(struct fixture *f, const char *name, const char *text)
{
	const char *path = dt_arena_printf(&f->arena, "%s/w/%s", f->dir, name);

	tempdir_put(f->dir, path + strlen(f->dir) + 1, text);
	usleep(25000); /* two changes can be told apart */
	return path;
}

static void note(struct fixture *f, const struct dt_diagnostics_result *found)
{
	const struct dt_file_diagnostics *files = found->items.ptr;
	const struct dt_linter_error *errors = found->errors.ptr;
	struct dt_buf text;

	dt_buf_init(&text, sizeof(f->told) - 1);
	for (size_t i = 0; i < found->items.count; i++) {
		const struct dt_diagnostic *d = files[i].items.ptr;

		dt_buf_addf(&text, "%s: ", strrchr(files[i].path, '/') + 1);
		for (size_t k = 0; k < files[i].items.count; k++)
			dt_buf_addf(&text, "%.*s|", DT_STR_ARG(d[k].message));
	}
	for (size_t i = 0; i < found->who.count; i++)
		dt_buf_addf(&text, " by %s", found->who.ptr[i]);
	for (size_t i = 0; i < found->errors.count; i++)
		dt_buf_addf(&text, "; %s: %s", errors[i].linter,
		            errors[i].message);
	memcpy(f->told, dt_buf_z(&text), text.len + 1);
	dt_buf_done(&text);
	f->is_watched = found->is_watched;
	f->is_pending = found->is_pending;
	f->version = found->version;
}

static void on_got(struct dt_answer *answer, const void *result,
                   const struct dt_fail *fail, void *owner)
{
	struct fixture *f = owner;

	(void)answer;
	assert_null(fail);
	note(f, result);
	f->ended++;
}

static void on_watched(struct dt_answer *answer, const void *result,
                       const struct dt_fail *fail, void *owner)
{
	const struct dt_watch_diagnostics_result *watched = result;
	struct fixture *f = owner;

	(void)answer;
	assert_null(fail);
	note(f, &watched->found);
	f->is_changed = watched->is_changed;
	f->ended++;
}

#define until(f, condition)                                                    \
	do {                                                                   \
		uint64_t until_ = dt_clock_ms() + PATIENCE_MS;                 \
                                                                               \
		while (!(condition)) {                                         \
			assert_true(dt_clock_ms() < until_);                   \
			uv_run(dt_loop_uv((f)->loop), UV_RUN_NOWAIT);          \
			if (!(condition))                                      \
				usleep(1000);                                  \
		}                                                              \
	} while (0)

static void ask(struct fixture *f, const char *path, uint32_t wait_ms)
{
	struct dt_diagnostics_args args = { path, wait_ms };
	int ended = f->ended;

	dt_answer_init(&f->answer, on_got, f);
	f->editor->backend->perform(f->editor, &dt_op_get_diagnostics, &args,
	                            &f->answer);
	assert_int_equal(f->ended, ended);
	until(f, f->ended > ended);
}

static void watch(struct fixture *f, const char *path, int64_t since,
                  uint32_t wait_ms)
{
	struct dt_watch_diagnostics_args args = { path, since, wait_ms };

	dt_answer_init(&f->answer, on_watched, f);
	f->editor->backend->perform(f->editor, &dt_op_watch_diagnostics, &args,
	                            &f->answer);
}

test(a_file_is_looked_at_as_it_is_now)
{
	struct fixture f;
	const char *path;

	begin(&f, state);
	linter(&f, "0", "one");
	path = put(&f, "a.json", "x");
	ask(&f, path, PATIENCE_MS);
	assert_string_equal(f.told, "a.json: one| by jq");
	assert_true(f.is_watched);
	assert_false(f.is_pending);
	assert_int_equal(f.events, 1);
	/* An agent writes the file, and tells nobody. */
	linter(&f, "0", "two");
	put(&f, "a.json", "xx");
	ask(&f, path, PATIENCE_MS);
	assert_string_equal(f.told, "a.json: two| by jq");
	linter(&f, "0", "");
	put(&f, "a.json", "xxx");
	/* So it is seen also by who asks for all. */
	ask(&f, NULL, PATIENCE_MS);
	assert_string_equal(f.told, " by jq");
	assert_int_equal(f.events, 3);
	end(&f);
}

test(who_has_no_time_is_told_what_is_known)
{
	struct fixture f;
	uint64_t began;
	const char *path;

	begin(&f, state);
	linter(&f, "0", "old");
	path = put(&f, "a.json", "x");
	ask(&f, path, PATIENCE_MS);
	linter(&f, "1", "new");
	put(&f, "a.json", "xx");
	began = dt_clock_ms();
	ask(&f, path, 50);
	assert_true(dt_clock_ms() - began < 900);
	assert_string_equal(f.told, "a.json: old| by jq");
	assert_true(f.is_pending);
	ask(&f, NULL, 0);
	assert_true(f.is_pending);
	/* The look goes on, for the next one. */
	until(&f, f.events == 2);
	ask(&f, path, 0);
	assert_string_equal(f.told, "a.json: new| by jq");
	end(&f);
}

test(that_nobody_can_look_is_said)
{
	struct fixture f;

	begin(&f, state);
	ask(&f, put(&f, "a.rs", "x"), PATIENCE_MS);
	assert_false(f.is_watched);
	assert_non_null(strstr(f.told, "; language server: no language server "
	                               "for rust is installed"));
	/* Of all files only those count that somebody looks at. */
	ask(&f, NULL, PATIENCE_MS);
	assert_string_equal(f.told, "");
	assert_false(f.is_watched);
	ask(&f, "/etc/passwd", PATIENCE_MS);
	assert_non_null(strstr(f.told, "outside the workspace"));
	end(&f);
}

test(a_file_that_is_gone_has_no_problems)
{
	struct fixture f;
	const char *path;

	begin(&f, state);
	linter(&f, "0", "one");
	path = put(&f, "a.json", "x");
	ask(&f, path, PATIENCE_MS);
	assert_int_equal(unlink(path), 0);
	ask(&f, NULL, PATIENCE_MS);
	assert_string_equal(f.told, "");
	end(&f);
}

test(texts_of_linters_are_made_fit)
{
	struct fixture f;
	char message[700];
	const char *path;

	begin(&f, state);
	linter(&f, "0",
	       "\x1b[31mred\xe2\x80\xae turned\xf3\xa0\x81\xa1 \xc3\xa9");
	path = put(&f, "a.json", "x");
	ask(&f, path, PATIENCE_MS);
	assert_string_equal(f.told, "a.json: [31mred turned \xc3\xa9| by jq");
	memset(message, 'x', sizeof(message));
	message[sizeof(message) - 1] = '\0';
	linter(&f, "0", message);
	put(&f, "a.json", "xx");
	ask(&f, path, PATIENCE_MS);
	message[DT_LIMIT_PROBLEM_CHARS] = '\0';
	assert_string_equal(
		f.told,
		dt_arena_printf(&f.arena, "a.json: %s| by jq", message));
	/* What a linter says of itself, too. */
	tempdir_put(f.dir, "bin/jq",
	            "#!/bin/sh\nprintf 'odd\\033\\342\\200\\256 end\\n' >&2\n"
	            "exit 3\n");
	put(&f, "a.json", "xxx");
	ask(&f, path, PATIENCE_MS);
	assert_non_null(strstr(f.told, "; jq: exit code 3: odd end"));
	end(&f);
}

test(who_watches_is_told_of_a_change)
{
	struct fixture f;
	const char *path;
	int64_t version;

	begin(&f, state);
	linter(&f, "0", "one");
	path = put(&f, "a.json", "x");
	watch(&f, path, 0, PATIENCE_MS);
	until(&f, f.ended == 1);
	assert_true(f.is_changed);
	assert_string_equal(f.told, "a.json: one| by jq");
	version = f.version;
	/* Nothing happens. */
	watch(&f, path, version, 100);
	until(&f, f.ended == 2);
	assert_false(f.is_changed);
	assert_int_equal(f.version, version);
	/* What happened meanwhile is told at once. */
	linter(&f, "0", "two");
	put(&f, "a.json", "xx");
	ask(&f, path, PATIENCE_MS);
	watch(&f, NULL, version, PATIENCE_MS);
	until(&f, f.ended == 4);
	assert_true(f.is_changed);
	assert_true(f.version > version);
	/* A file that is written while somebody watches is looked at. */
	watch(&f, path, f.version, PATIENCE_MS);
	uv_run(dt_loop_uv(f.loop), UV_RUN_NOWAIT);
	linter(&f, "0", "three");
	put(&f, "a.json", "xxx");
	until(&f, f.ended == 5);
	assert_string_equal(f.told, "a.json: three| by jq");
	end(&f);
}

test(who_is_gone_is_not_told)
{
	struct dt_diagnostics_args args = { .wait_ms = PATIENCE_MS };
	struct fixture f;

	begin(&f, state);
	linter(&f, "0.3", "one");
	args.path = put(&f, "a.json", "x");
	dt_answer_init(&f.answer, on_got, &f);
	f.editor->backend->perform(f.editor, &dt_op_get_diagnostics, &args,
	                           &f.answer);
	dt_answer_drop(&f.answer);
	until(&f, f.events == 1);
	watch(&f, args.path, 0, PATIENCE_MS);
	dt_answer_drop(&f.answer);
	assert_int_equal(f.ended, 0);
	end(&f);
}

test(behind_the_stop_nobody_looks)
{
	struct fixture f;

	begin(&f, state);
	linter(&f, "0", "one");
	watch(&f, put(&f, "a.json", "x"), 0, 1500);
	f.editor->backend->stop(f.editor);
	until(&f, f.ended == 1);
	assert_false(f.is_changed);
	end(&f);
}

#define with_folder(t)                                                         \
	cmocka_unit_test_setup_teardown(t, tempdir_open, tempdir_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		with_folder(a_file_is_looked_at_as_it_is_now),
		with_folder(who_has_no_time_is_told_what_is_known),
		with_folder(that_nobody_can_look_is_said),
		with_folder(a_file_that_is_gone_has_no_problems),
		with_folder(texts_of_linters_are_made_fit),
		with_folder(who_watches_is_told_of_a_change),
		with_folder(who_is_gone_is_not_told),
		with_folder(behind_the_stop_nobody_looks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
