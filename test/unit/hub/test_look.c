/*
 * test/unit/hub/test_look.c - what the real git tells of a work tree before a
 * command runs.
 */
#include "hub/look.h"

#include "ask_op.h"
#include "hub/programs.h"

#include <stdlib.h>

struct scene {
	struct world *w;
	struct dt_workspace *ws;
	int ended;
	const char *doubt;
	size_t file_count;
	struct dt_seen_file file;
	const char *folder; /* NULL: the project */
};

static void git(struct world *w, const char *command)
{
	const char *line = text_of(
		w,
		"cd %s && git -c user.name=n -c user.email=e@x %s >/dev/null "
		"2>&1",
		w->project, command);

	if (system(line) != 0)
		fail_msg("git %s", command);
}

static struct scene open_scene(struct world *w, bool is_repository)
{
	struct scene s = { .w = w };

	if (is_repository) {
		git(w, "init -b main");
		make_file(w, "a.c", "int a;\n");
		make_file(w, "package.json", "{}\n");
		git(w, "add -A");
		git(w, "commit -m first");
	}
	s.ws = serve(w);
	connect_agent(s.ws, w);
	return s;
}

static void on_look(struct dt_look *look, const struct dt_look_end *end,
                    void *owner)
{
	struct scene *s = owner;

	(void)look;
	s->ended++;
	s->doubt = end->doubt ? dt_arena_strdup(&s->w->arena, end->doubt) : "";
	s->file_count = end->file_count;
	if (end->file_count > 0) {
		s->file = end->files[0];
		s->file.path =
			dt_arena_strdup(&s->w->arena, end->files[0].path);
	}
}

static const char *doubt(struct scene *s, const char *program, unsigned what)
{
	const char *folder = s->folder ? s->folder : s->w->project;
	struct dt_needs needs = { what, program, folder, 0 };
	struct dt_look *look;

	s->ended = 0;
	assert_ok(dt_look_start(&last_session(s->ws)->agent.caller, &needs,
	                        on_look, s, &look, NULL));
	assert_int_equal(s->ended, 0);
	wait_for(s->w, s->ended);
	return s->doubt;
}

#define assert_part(text, part)                                                \
	do {                                                                   \
		if (!strstr(text, part))                                       \
			fail_msg("%s", text);                                  \
	} while (0)

world_test(what_is_committed_is_seen)
{
	struct scene s = open_scene(*state, true);

	assert_string_equal(doubt(&s, "npm", DT_NEED_SEEN), "");
	assert_string_equal(doubt(&s, "git", DT_NEED_ALL_SEEN), "");
	make_file(s.w, "a.c", "int b;\n");
	assert_string_equal(doubt(&s, "npm", DT_NEED_SEEN), "");
}

world_test(a_change_is_not_until_it_is_accepted)
{
	struct scene s = open_scene(*state, true);

	make_file(s.w, "package.json", "{\"scripts\":{}}\n");
	assert_string_equal(doubt(&s, "npm", DT_NEED_SEEN),
	                    "package.json is not as you last saw it, and says "
	                    "what runs");
	assert_string_equal(doubt(&s, "git", DT_NEED_ALL_SEEN),
	                    "package.json is not as you last saw it, and says "
	                    "what runs later");
	/* Nothing of another program's. */
	assert_string_equal(doubt(&s, "go", DT_NEED_SEEN), "");
	git(s.w, "add -A");
	doubt(&s, "npm", DT_NEED_SEEN);
	assert_int_equal(s.file_count, 1);
	assert_ok(dt_seen_add(s.w->hub.dirs.state, &s.file, 1, NULL));
	assert_string_equal(doubt(&s, "npm", DT_NEED_SEEN), "");
	unlink(s.file.path);
	assert_part(doubt(&s, "npm", DT_NEED_SEEN), "package.json");
}

world_test(new_and_ignored_files_count)
{
	struct scene s = open_scene(*state, true);

	make_folder(s.w, "p/tests");
	make_folder(s.w, "p/node_modules");
	make_file(s.w, "tests/conftest.py", "x\n");
	assert_part(doubt(&s, "pytest", DT_NEED_SEEN), "tests/conftest.py is");
	make_file(s.w, ".gitignore", ".npmrc\nnode_modules/\n");
	make_file(s.w, ".npmrc", "x\n");
	make_file(s.w, "node_modules/package.json", "x\n");
	assert_string_equal(doubt(&s, "npm", DT_NEED_SEEN),
	                    ".gitignore, .npmrc are not as you last saw them, "
	                    "and say what runs");
}

/* One text is in the index, another in sight. */
world_test(what_is_staged_and_changed_again_is_never_seen)
{
	struct scene s = open_scene(*state, true);

	make_file(s.w, "package.json", "{\"evil\":1}\n");
	git(s.w, "add -A");
	make_file(s.w, "package.json", "{ }\n");
	doubt(&s, "npm", DT_NEED_SEEN);
	assert_ok(dt_seen_add(s.w->hub.dirs.state, &s.file, 1, NULL));
	assert_part(doubt(&s, "git", DT_NEED_ALL_SEEN), "package.json is");
	git(s.w, "add -A");
	assert_string_equal(doubt(&s, "git", DT_NEED_ALL_SEEN), "");
}

world_test(a_folder_that_is_ignored_counts_where_it_is_worked_in)
{
	struct scene s = open_scene(*state, true);

	make_file(s.w, ".gitignore", "out/\n");
	git(s.w, "add -A");
	git(s.w, "commit -m ignore");
	make_folder(s.w, "p/out");
	make_folder(s.w, "p/out/x");
	make_file(s.w, "out/package.json", "{}\n");
	assert_string_equal(doubt(&s, "npm", DT_NEED_SEEN), "");
	s.folder = text_of(s.w, "%s/out/x", s.w->project);
	assert_part(doubt(&s, "npm", DT_NEED_SEEN), "out/package.json is");
}

world_test(hooks_in_the_work_tree_count)
{
	struct scene s = open_scene(*state, true);

	make_folder(s.w, "p/hooks");
	make_file(s.w, "hooks/pre-push", "x\n");
	assert_string_equal(doubt(&s, "git", DT_NEED_SEEN), "");
	git(s.w, "config core.hooksPath hooks");
	assert_part(doubt(&s, "git", DT_NEED_SEEN), "hooks/pre-push is");
	git(s.w, "config core.hooksPath /nowhere");
	assert_string_equal(doubt(&s, "git", DT_NEED_SEEN), "");
}

world_test(without_git_all_is_asked_about_once)
{
	struct scene s = open_scene(*state, false);

	assert_string_equal(doubt(&s, "npm", DT_NEED_SEEN), "");
	make_file(s.w, "package.json", "{}\n");
	assert_part(doubt(&s, "npm", DT_NEED_SEEN), "package.json is");
	assert_ok(dt_seen_add(s.w->hub.dirs.state, &s.file, 1, NULL));
	assert_string_equal(doubt(&s, "npm", DT_NEED_SEEN), "");
	/* git itself does nothing here. */
	assert_string_equal(doubt(&s, "git", DT_NEED_ALL_SEEN), "");
	assert_part(doubt(&s, "git", DT_NEED_INDEX), "no repository");
	assert_part(doubt(&s, "rg", DT_NEED_TREE), "no repository");
}

world_test(many_files_do_not_hide_the_one_that_matters)
{
	struct scene s = open_scene(*state, false);

	for (int i = 0; i < 5000; i++)
		make_file(s.w, text_of(s.w, "%d", i), "");
	assert_part(doubt(&s, "npm", DT_NEED_SEEN), "could not be found out");
}

world_test(files_that_are_kept_are_found_where_they_are)
{
	struct scene s = open_scene(*state, true);

	make_file(s.w, ".env", "TOKEN=x\n");
	assert_string_equal(doubt(&s, "git", DT_NEED_INDEX), "");
	assert_string_equal(doubt(&s, "git", DT_NEED_HISTORY), "");
	assert_string_equal(doubt(&s, "rg", DT_NEED_TREE),
	                    "it can print .env, which is kept from agents");
	git(s.w, "add .env");
	assert_string_equal(doubt(&s, "git", DT_NEED_INDEX),
	                    "it can print .env, which is kept from agents");
	assert_string_equal(doubt(&s, "git", DT_NEED_CHANGED),
	                    "it can print .env, which is kept from agents");
	git(s.w, "commit -m env");
	assert_string_equal(doubt(&s, "git", DT_NEED_CHANGED), "");
	/* Staged, and back in the work tree. */
	make_file(s.w, ".env", "TOKEN=y\n");
	git(s.w, "add .env");
	make_file(s.w, ".env", "TOKEN=x\n");
	assert_part(doubt(&s, "git", DT_NEED_CHANGED), "print .env");
	git(s.w, "reset --hard");
	git(s.w, "mv .env plain.txt");
	assert_part(doubt(&s, "git", DT_NEED_CHANGED), "print .env");
	git(s.w, "reset --hard");
	git(s.w, "rm .env");
	git(s.w, "commit -m gone");
	assert_string_equal(doubt(&s, "git", DT_NEED_INDEX), "");
	assert_string_equal(doubt(&s, "git", DT_NEED_HISTORY),
	                    "it can print .env as it was committed, which is "
	                    "kept from agents");
	/* Only a stash and the reflog know of it. */
	git(s.w, "reset --hard HEAD~2");
	assert_part(doubt(&s, "git", DT_NEED_HISTORY), ".env as it was");
}

world_test(a_look_can_be_stopped)
{
	struct scene s = open_scene(*state, true);
	struct dt_needs needs = { DT_NEED_HISTORY, "git", s.w->project, 0 };
	struct dt_look *look;

	assert_ok(dt_look_start(&last_session(s.ws)->agent.caller, &needs,
	                        on_look, &s, &look, NULL));
	dt_look_stop(look);
	run_for(s.w, 100);
	assert_int_equal(s.ended, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(what_is_committed_is_seen),
		test_in_world(a_change_is_not_until_it_is_accepted),
		test_in_world(new_and_ignored_files_count),
		test_in_world(what_is_staged_and_changed_again_is_never_seen),
		test_in_world(
			a_folder_that_is_ignored_counts_where_it_is_worked_in),
		test_in_world(hooks_in_the_work_tree_count),
		test_in_world(without_git_all_is_asked_about_once),
		test_in_world(many_files_do_not_hide_the_one_that_matters),
		test_in_world(files_that_are_kept_are_found_where_they_are),
		test_in_world(a_look_can_be_stopped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
