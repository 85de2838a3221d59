/* test/unit/backend/test_terminals.c - whose terminals are whose, who looks in,
 * and lines that are awaited. */
#include "backend/terminal_world.h"

#include <stdio.h>

static void assert_failed(const struct world *w, enum dt_err code,
                          const char *why)
{
	assert_null(w->result);
	if (w->fail.code != code || !strstr(w->fail.msg, why))
		fail_msg("not \"%s\": %s", why, w->fail.msg);
}

static size_t count(struct world *w)
{
	const struct dt_list_terminals_result *list =
		world_do(w, &dt_op_list_terminals, NULL);

	assert_non_null(list);
	return list->terminals.count;
}

static const void *send_text(struct world *w, const char *name,
                             const char *text)
{
	struct dt_send_terminal_args args = {
		.target = { .name = name },
		.text = text,
		.adds_newline = true,
	};

	return world_do(w, &dt_op_send_terminal, &args);
}

static const struct dt_wait_terminal_result *await(struct world *w,
                                                   const char *pattern,
                                                   uint32_t ms)
{
	struct dt_wait_terminal_args args = {
		.pattern = pattern,
		.timeout_ms = { true, ms },
	};

	return world_do(w, &dt_op_wait_terminal_output, &args);
}

static const void *dispose(struct world *w, const char *name)
{
	struct dt_terminal_target target = { .name = name };

	return world_do(w, &dt_op_dispose_terminal, &target);
}

test(one_belongs_to_who_made_it)
{
	struct world w;

	world_begin(&w, *state, "/bin/sh");
	assert_non_null(world_create(&w, "mine"));
	assert_int_equal(count(&w), 1);
	w.asker = "two";
	assert_int_equal(count(&w), 0);
	assert_null(send_text(&w, "mine", "x"));
	assert_failed(&w, DT_E_MISSING, "no terminal named \"mine\"");
	/* A name says nothing about others. */
	assert_non_null(world_create(&w, "mine"));
	assert_null(world_create(&w, "mine"));
	assert_failed(&w, DT_E_STATE, "already");
	w.asker = NULL;
	assert_int_equal(count(&w), 2);
	world_end(&w);
}

test(one_that_is_shared_is_everybody_s)
{
	struct dt_terminal *t;
	struct world w;

	world_begin(&w, *state, "/bin/sh");
	assert_non_null(world_create(&w, "mine"));
	assert_ok(dt_terminals_named(w.set, "mine", &t, NULL));
	t->is_shared = true;
	w.asker = "two";
	assert_int_equal(count(&w), 1);
	assert_non_null(send_text(&w, "mine", "echo x"));
	world_end(&w);
}

test(terminals_end_with_their_session_unless_shared)
{
	struct dt_terminal *t;
	struct world w;

	world_begin(&w, *state, "/bin/sh");
	assert_non_null(world_create(&w, "a"));
	assert_non_null(world_create(&w, "b"));
	assert_ok(dt_terminals_named(w.set, "b", &t, NULL));
	t->is_shared = true;
	w.editor->backend->leave(w.editor, "nobody");
	assert_int_equal(count(&w), 2);
	w.editor->backend->leave(w.editor, "one");
	assert_int_equal(count(&w), 1);
	assert_ok(dt_terminals_named(w.set, "b", &t, NULL));
	assert_null(t->owner);
	world_end(&w);
}

test(there_are_not_too_many)
{
	struct world w;

	world_begin(&w, *state, "/bin/sh");
	for (unsigned i = 0; i < DT_LIMIT_TERMINALS; i++)
		assert_non_null(world_create(&w, NULL));
	assert_null(world_create(&w, NULL));
	assert_failed(&w, DT_E_LIMIT, "10 terminals");
	/* One that has ended makes room. */
	assert_non_null(send_text(&w, "terminal-3", "exit"));
	world_run_for(&w, 1000);
	assert_non_null(world_create(&w, NULL));
	assert_int_equal(count(&w), DT_LIMIT_TERMINALS);
	w.asker = "two";
	assert_non_null(world_create(&w, NULL));
	world_end(&w);
}

test(names_and_folders_are_checked)
{
	struct dt_create_terminal_args args = { .cwd = "sub" };
	const struct dt_terminal_info *info;
	struct world w;

	world_begin(&w, *state, "/bin/sh");
	assert_null(world_create(&w, "a b"));
	assert_failed(&w, DT_E_ARGS, "no name");
	assert_null(world_create(&w, "12"));
	assert_null(world_create(&w, ""));
	assert_null(world_create(&w, "-x"));
	info = world_do(&w, &dt_op_create_terminal, &args);
	assert_non_null(info);
	assert_string_equal(info->cwd,
	                    dt_arena_printf(&w.arena, "%s/w/sub", w.dir));
	args.cwd = "..";
	assert_null(world_do(&w, &dt_op_create_terminal, &args));
	assert_failed(&w, DT_E_DENIED, "outside the workspace");
	args.cwd = "/etc";
	assert_null(world_do(&w, &dt_op_create_terminal, &args));
	assert_failed(&w, DT_E_DENIED, "outside the workspace");
	args.cwd = "nowhere";
	assert_null(world_do(&w, &dt_op_create_terminal, &args));
	assert_failed(&w, DT_E_MISSING, "not a folder");
	args = (struct dt_create_terminal_args){
		.env = { (const char *[]){ "LD_PRELOAD=x" }, 1 },
	};
	assert_null(world_do(&w, &dt_op_create_terminal, &args));
	assert_failed(&w, DT_E_DENIED, "LD_PRELOAD");
	world_end(&w);
}

test(a_link_out_of_the_workspace_is_outside)
{
	struct dt_create_terminal_args args = { .cwd = "away" };
	struct world w;

	world_begin(&w, *state, "/bin/sh");
	assert_int_equal(
		symlink("/etc", dt_arena_printf(&w.arena, "%s/w/away", w.dir)),
		0);
	assert_null(world_do(&w, &dt_op_create_terminal, &args));
	assert_failed(&w, DT_E_DENIED, "outside the workspace");
	world_end(&w);
}

test(a_line_is_awaited)
{
	const struct dt_wait_terminal_result *found;
	struct world w;

	world_begin(&w, *state, "/bin/bash");
	assert_non_null(world_create(&w, NULL));
	assert_non_null(
		send_text(&w, NULL, "sleep 0.3; echo 'listening on 4711'"));
	found = await(&w, "on \\d+$", 10000);
	assert_non_null(found);
	assert_true(found->is_matched);
	assert_str(found->line, "listening on 4711");
	/* It is found again: nothing was typed in between. */
	assert_true(await(&w, "4711", 100)->is_matched);
	found = await(&w, "nothing like it", 50);
	assert_false(found->is_matched);
	assert_true(found->is_late);
	/* A prompt has no end. */
	assert_non_null(send_text(&w, NULL, "read -p 'Name? ' name"));
	assert_true(await(&w, "^Name\\?", 5000)->is_matched);
	assert_non_null(send_text(&w, NULL, "x"));
	assert_non_null(send_text(&w, NULL, "exit"));
	found = await(&w, "nothing like it", 5000);
	assert_true(found->has_ended);
	world_end(&w);
}

test(a_pattern_that_is_none_or_too_much_is_refused)
{
	struct world w;

	world_begin(&w, *state, "/bin/bash");
	assert_non_null(world_create(&w, NULL));
	assert_null(await(&w, "(", 100));
	assert_failed(&w, DT_E_ARGS, "the pattern is wrong");
	assert_non_null(send_text(&w, NULL, "printf '%050d!\\n' 0 | tr 0 a"));
	assert_null(await(&w, "^(a+)+$", 10000));
	assert_failed(&w, DT_E_LIMIT, "too many steps");
	world_end(&w);
}

test(who_waits_is_told_of_the_end)
{
	struct dt_wait_terminal_args args = { .pattern = "x{9}" };
	struct dt_answer answer;
	struct dt_terminal *t;
	struct world w;

	world_begin(&w, *state, "/bin/sh");
	assert_non_null(world_create(&w, "a"));
	world_start(&w, &dt_op_wait_terminal_output, &args, &answer);
	assert_ok(dt_terminals_named(w.set, "a", &t, NULL));
	dt_terminal_close(t, false);
	assert_true(w.has_ended);
	assert_failed(&w, DT_E_CLOSED, "was closed");
	assert_null(dispose(&w, "a"));
	assert_failed(&w, DT_E_MISSING, "no terminal named");
	world_end(&w);
}

/* Whoever reaps it may take a moment: it is a zombie then. */
static bool is_alive(uint32_t pid)
{
	char state = 'X';
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%u/stat", pid);
	file = fopen(path, "re");
	if (file && fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
		state = 'X';
	if (file)
		fclose(file);
	return state != 'X' && state != 'Z';
}

test(what_runs_in_it_ends_with_it)
{
	const struct dt_execute_terminal_result *ran;
	struct world w;
	uint32_t pid = 0;

	world_begin(&w, *state, "/bin/bash");
	assert_non_null(world_execute(
		&w, "nohup setsid sh -c 'echo $$ >pid; exec sleep 60' "
		    ">/dev/null 2>&1 &"));
	assert_non_null(world_execute(&w, "sleep 0.3"));
	ran = world_execute(&w, "cat pid");
	assert_non_null(ran);
	assert_ok(dt_str_to_u32(ran->output, &pid, NULL));
	assert_true(is_alive(pid));
	assert_non_null(dispose(&w, NULL));
	world_run_for(&w, 1200);
	assert_false(is_alive(pid));
	world_end(&w);
}

/* viewers */

struct view {
	struct dt_viewer viewer;
	struct dt_buf seen;
	bool is_clogged;
	const char *why;
};

static void on_output(struct dt_str bytes, void *owner)
{
	dt_buf_add_str(&((struct view *)owner)->seen, bytes);
}

static bool is_clogged(void *owner)
{
	return ((struct view *)owner)->is_clogged;
}

static void on_end(const char *why, void *owner)
{
	((struct view *)owner)->why = why;
}

static const struct dt_viewer_events events = { on_output, is_clogged, on_end };

static void view_init(struct view *v, bool may_type, unsigned rows,
                      unsigned columns)
{
	*v = (struct view){ .viewer = { .events = &events,
		                        .owner = v,
		                        .may_type = may_type,
		                        .size = { rows, columns } } };
	dt_buf_init(&v->seen, 8 * DT_MIB);
}

static bool sees(struct view *v, const char *text)
{
	return strstr(dt_buf_z(&v->seen), text) != NULL;
}

test(several_look_in_and_the_smallest_gives_the_size)
{
	struct view views[3];
	struct dt_terminal *t;
	struct world w;

	world_begin(&w, *state, "/bin/bash");
	assert_non_null(world_create(&w, "a"));
	assert_non_null(world_execute(&w, "echo before"));
	assert_ok(dt_terminals_named(w.set, "a", &t, NULL));
	view_init(&views[0], true, 50, 90);
	view_init(&views[1], true, 40, 100);
	view_init(&views[2], false, 5, 5);
	for (int i = 0; i < 3; i++) {
		dt_terminal_look(t, &views[i].viewer);
		assert_true(sees(&views[i], "before"));
	}
	assert_string_equal(world_execute(&w, "stty size")->output.ptr,
	                    "40 90");
	/* What a terminal answers to is for the first alone. */
	assert_non_null(world_execute(
		&w, "printf 'q\\033[6n\\033]11;?\\007\\033[31mz\\n'"));
	assert_true(sees(&views[0], "q\x1b[6n\x1b]11;?\x07\x1b[31mz"));
	assert_true(sees(&views[1], "q\x1b[31mz"));
	assert_true(sees(&views[2], "q\x1b[31mz"));
	dt_terminal_look_away(t, &views[1].viewer);
	assert_string_equal(world_execute(&w, "stty size")->output.ptr,
	                    "50 90");
	assert_non_null(dispose(&w, "a"));
	assert_string_equal(views[0].why, "it was closed");
	assert_string_equal(views[2].why, "it was closed");
	assert_null(views[1].why);
	for (int i = 0; i < 3; i++)
		dt_buf_done(&views[i].seen);
	world_end(&w);
}

test(a_viewer_that_is_slow_holds_nobody_up_and_sees_the_end)
{
	struct view slow;
	struct dt_terminal *t;
	struct world w;

	world_begin(&w, *state, "/bin/bash");
	assert_non_null(world_create(&w, "a"));
	assert_ok(dt_terminals_named(w.set, "a", &t, NULL));
	view_init(&slow, true, 24, 80);
	dt_terminal_look(t, &slow.viewer);
	slow.is_clogged = true;
	assert_non_null(world_execute(&w, "seq 200000"));
	assert_false(sees(&slow, "199999"));
	slow.is_clogged = false;
	world_run_for(&w, 300);
	assert_true(sees(&slow, "200000"));
	assert_true(slow.seen.len < DT_MIB);
	dt_terminal_look_away(t, &slow.viewer);
	dt_buf_done(&slow.seen);
	world_end(&w);
}

test(one_that_is_looked_into_outlives_its_session)
{
	struct view view;
	struct dt_terminal *t;
	struct world w;

	world_begin(&w, *state, "/bin/sh");
	assert_non_null(world_create(&w, "a"));
	assert_ok(dt_terminals_named(w.set, "a", &t, NULL));
	view_init(&view, true, 24, 80);
	dt_terminal_look(t, &view.viewer);
	w.editor->backend->leave(w.editor, "one");
	w.asker = NULL;
	assert_int_equal(count(&w), 1);
	dt_terminal_look_away(t, &view.viewer);
	dt_terminals_looked_away(w.set, t);
	assert_int_equal(count(&w), 0);
	dt_buf_done(&view.seen);
	world_end(&w);
}

test(nothing_is_made_when_the_editor_has_stopped)
{
	struct world w;

	world_begin(&w, *state, "/bin/sh");
	assert_non_null(world_create(&w, "a"));
	w.editor->backend->stop(w.editor);
	assert_null(dt_terminals_next(w.set, NULL));
	assert_null(world_create(&w, "a"));
	world_end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_tempdir(one_belongs_to_who_made_it),
		test_in_tempdir(one_that_is_shared_is_everybody_s),
		test_in_tempdir(terminals_end_with_their_session_unless_shared),
		test_in_tempdir(there_are_not_too_many),
		test_in_tempdir(names_and_folders_are_checked),
		test_in_tempdir(a_link_out_of_the_workspace_is_outside),
		test_in_tempdir(a_line_is_awaited),
		test_in_tempdir(a_pattern_that_is_none_or_too_much_is_refused),
		test_in_tempdir(who_waits_is_told_of_the_end),
		test_in_tempdir(what_runs_in_it_ends_with_it),
		test_in_tempdir(
			several_look_in_and_the_smallest_gives_the_size),
		test_in_tempdir(
			a_viewer_that_is_slow_holds_nobody_up_and_sees_the_end),
		test_in_tempdir(one_that_is_looked_into_outlives_its_session),
		test_in_tempdir(nothing_is_made_when_the_editor_has_stopped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
