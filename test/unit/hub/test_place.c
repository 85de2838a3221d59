#include "base/tempdir.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/log.h"
#include "hub/place.h"

static struct dt_arena arena;

static int begin(void **state)
{
	dt_log_set_level(DT_LOG_ERROR);
	return tempdir_open(state);
}

static int end(void **state)
{
	dt_arena_done(&arena);
	return tempdir_close(state);
}

#define test_in_place(name) cmocka_unit_test_setup_teardown(name, begin, end)

#define path_of(...) dt_arena_printf(&arena, __VA_ARGS__)

/* records */

static struct dt_dirs dirs_in(const char *folder)
{
	return (struct dt_dirs){ .state = path_of("%s/state", folder) };
}

test(a_new_place_has_an_id_a_port_and_a_token)
{
	for (int i = 0; i < 200; i++) {
		struct dt_place_record made;

		dt_place_make(&arena, "/w", &made);
		assert_int_equal(strlen(made.id), 32);
		assert_int_equal(strlen(made.token), 64);
		assert_in_range(made.port, 10000, 32767);
		assert_int_equal(made.roots.count, 1);
		assert_string_equal(made.roots.ptr[0], "/w");
	}
}

test(moving_changes_port_and_token_and_keeps_the_id)
{
	struct dt_place_record made;
	struct dt_place_record moved;

	dt_place_make(&arena, "/w", &made);
	moved = made;
	dt_place_move(&arena, &moved);
	assert_string_equal(moved.id, made.id);
	assert_string_not_equal(moved.token, made.token);
}

test(what_is_saved_is_found_by_its_root)
{
	struct dt_dirs dirs = dirs_in(*state);
	struct dt_place_record made[3];
	struct dt_place_record found;

	for (int i = 0; i < 3; i++) {
		dt_place_make(&arena, path_of("/w/%d", i), &made[i]);
		assert_ok(dt_place_save(&dirs, &made[i], NULL));
	}
	for (int i = 0; i < 3; i++) {
		assert_ok(dt_place_find(&arena, &dirs, path_of("/w/%d", i),
		                        &found, NULL));
		assert_string_equal(found.id, made[i].id);
		assert_int_equal(found.port, made[i].port);
		assert_string_equal(found.token, made[i].token);
	}
}

test(what_was_never_saved_is_missing)
{
	struct dt_dirs dirs = dirs_in(*state);
	struct dt_place_record found;
	struct dt_fail fail = { 0 };

	assert_int_equal(dt_place_find(&arena, &dirs, "/w", &found, &fail),
	                 DT_E_MISSING);
	assert_string_equal(fail.msg, "/w has not been served before");
}

test(saving_again_replaces)
{
	struct dt_dirs dirs = dirs_in(*state);
	struct dt_place_record made;
	struct dt_place_record found;

	dt_place_make(&arena, "/w", &made);
	assert_ok(dt_place_save(&dirs, &made, NULL));
	made.port = 12345;
	assert_ok(dt_place_save(&dirs, &made, NULL));
	assert_ok(dt_place_find(&arena, &dirs, "/w", &found, NULL));
	assert_int_equal(found.port, 12345);
}

test(records_are_closed_to_others)
{
	struct dt_dirs dirs = dirs_in(*state);
	struct dt_place_record made;
	struct stat st;

	dt_place_make(&arena, "/w", &made);
	umask(0);
	assert_ok(dt_place_save(&dirs, &made, NULL));
	umask(022);
	assert_int_equal(stat(path_of("%s/workspaces", dirs.state), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	assert_int_equal(
		stat(path_of("%s/workspaces/%s.json", dirs.state, made.id),
	             &st),
		0);
	assert_int_equal(st.st_mode & 07777, 0600);
}

#define ID "0123456789abcdef0123456789abcdef"
#define TOKEN ID ID

test(the_last_one_used_is_found)
{
	struct dt_dirs dirs = dirs_in(*state);
	struct dt_place_record found;

	assert_int_equal(dt_place_last(&arena, &dirs, &found, NULL),
	                 DT_E_MISSING);
	for (int i = 0; i < 4; i++) {
		struct dt_place_record made;
		const char *name = path_of("w%d", i);

		/* The last is gone, and one was never used. */
		if (i < 3)
			tempdir_mkdir(*state, name);
		dt_place_make(&arena, path_of("%s/%s", (char *)*state, name),
		              &made);
		made.used_ms = i == 2 ? 0 : 100 + i;
		assert_ok(dt_place_save(&dirs, &made, NULL));
	}
	assert_ok(dt_place_last(&arena, &dirs, &found, NULL));
	assert_string_equal(found.roots.ptr[0],
	                    path_of("%s/w1", (char *)*state));
	assert_int_equal(found.used_ms, 101);
}

static void put_record(const struct dt_dirs *dirs, const char *text)
{
	tempdir_put(dirs->state, "workspaces/" ID ".json", text);
}

test(a_record_spoilt_by_hand_is_passed_over)
{
	static const char *const bad[] = {
		"",
		"{}",
		"[]",
		"{\"id\":\"short\",\"roots\":[\"/w\"],\"port\":10000,"
		"\"token\":\"" TOKEN "\"}",
		"{\"id\":\"" ID "\",\"roots\":[],\"port\":10000,"
		"\"token\":\"" TOKEN "\"}",
		"{\"id\":\"" ID "\",\"roots\":[\"/w\"],\"port\":0,"
		"\"token\":\"" TOKEN "\"}",
		"{\"id\":\"" ID "\",\"roots\":[\"/w\"],\"port\":65536,"
		"\"token\":\"" TOKEN "\"}",
		"{\"id\":\"" ID "\",\"roots\":[\"/w\"],\"port\":10000,"
		"\"token\":\"\"}",
		"{\"id\":\"" ID "\",\"roots\":[\"/w\"],\"port\":\"10000\","
		"\"token\":\"" TOKEN "\"}",
	};
	struct dt_dirs dirs = dirs_in(*state);
	struct dt_place_record found;

	tempdir_mkdir(*state, "state");
	tempdir_mkdir(*state, "state/workspaces");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		put_record(&dirs, bad[i]);
		assert_int_equal(
			dt_place_find(&arena, &dirs, "/w", &found, NULL),
			DT_E_MISSING);
	}
	put_record(&dirs, "{\"id\":\"" ID "\",\"roots\":[\"/w\"],"
	                  "\"port\":10000,\"token\":\"" TOKEN "\"}");
	assert_ok(dt_place_find(&arena, &dirs, "/w", &found, NULL));
}

test(a_state_folder_that_cannot_be_made_is_named)
{
	struct dt_dirs dirs = dirs_in(*state);
	struct dt_place_record made;
	struct dt_fail fail = { 0 };

	tempdir_put(*state, "state", "a file");
	dt_place_make(&arena, "/w", &made);
	assert_int_equal(dt_place_save(&dirs, &made, &fail), DT_E_SYS);
	assert_non_null(strstr(fail.msg, "/state"));
}

/* which folder */

static const char *known; /* a root that is known, or NULL */

static bool is_known(const char *root, void *owner)
{
	assert_ptr_equal(owner, &known);
	return known && !strcmp(root, known);
}

static enum dt_err ask(const char *home, const char *folder, bool is_named,
                       const char **out, struct dt_fail *fail)
{
	struct dt_place_question question = {
		.folder = folder,
		.is_named = is_named,
		.home = home,
		.is_known = is_known,
		.owner = &known,
	};

	return dt_place_root(&arena, &question, out, fail);
}

static const char *root_of(const char *dir, const char *folder)
{
	const char *root = NULL;

	assert_ok(ask(path_of("%s/home", dir), path_of("%s/%s", dir, folder),
	              false, &root, NULL));
	assert_true(strlen(root) >= strlen(dir));
	return root + strlen(dir) + (root[strlen(dir)] == '/');
}

/* home/r is a git repository, home/plain is none. */
static int begin_tree(void **state)
{
	static const char *const folders[] = {
		"home",           "home/plain",
		"home/plain/sub", "home/r",
		"home/r/.git",    "home/r/src",
		"home/r/src/sub", "home/r/trees",
		"home/r/trees/w", "home/r/trees/w/src",
		"home/r/module",  "home/r/module/src",
	};

	known = NULL;
	if (begin(state))
		return -1;
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		tempdir_mkdir(*state, folders[i]);
	tempdir_put(*state, "home/r/trees/w/.git",
	            "gitdir: /x/r/.git/worktrees/w\n");
	tempdir_put(*state, "home/r/module/.git",
	            "gitdir: ../.git/modules/module\n");
	return 0;
}

#define test_in_tree(name)                                                     \
	cmocka_unit_test_setup_teardown(name, begin_tree, end)

test(without_git_it_is_the_folder_itself)
{
	assert_string_equal(root_of(*state, "home/plain/sub"),
	                    "home/plain/sub");
}

test(in_a_repository_it_is_its_top)
{
	assert_string_equal(root_of(*state, "home/r"), "home/r");
	assert_string_equal(root_of(*state, "home/r/src/sub"), "home/r");
	assert_string_equal(root_of(*state, "home/r/../r/src/./"), "home/r");
}

test(the_nearest_known_one_above_comes_first)
{
	known = path_of("%s/home/r/src", (char *)*state);
	assert_string_equal(root_of(*state, "home/r/src/sub"), "home/r/src");
	assert_string_equal(root_of(*state, "home/r"), "home/r");
	known = path_of("%s/home/plain", (char *)*state);
	assert_string_equal(root_of(*state, "home/plain/sub"), "home/plain");
	known = path_of("%s", (char *)*state);
	assert_string_equal(root_of(*state, "home/r"), "home/r");
}

test(a_worktree_is_a_workspace_of_its_own)
{
	assert_string_equal(root_of(*state, "home/r/trees/w/src"),
	                    "home/r/trees/w");
	known = path_of("%s/home/r", (char *)*state);
	assert_string_equal(root_of(*state, "home/r/trees/w/src"),
	                    "home/r/trees/w");
	assert_string_equal(root_of(*state, "home/r/trees"), "home/r");
}

test(a_submodule_belongs_to_a_known_repository_around_it)
{
	assert_string_equal(root_of(*state, "home/r/module/src"),
	                    "home/r/module");
	known = path_of("%s/home/r", (char *)*state);
	assert_string_equal(root_of(*state, "home/r/module/src"), "home/r");
	/* Also where the names look like a worktree's. */
	tempdir_put(*state, "home/r/module/.git",
	            "gitdir: /x/r/.git/worktrees/w/modules/module\n");
	assert_string_equal(root_of(*state, "home/r/module/src"), "home/r");
}

test(home_and_the_root_are_served_only_when_named)
{
	const char *home = path_of("%s/home", (char *)*state);
	struct dt_fail fail = { 0 };
	const char *root;

	assert_int_equal(ask(home, home, false, &root, &fail), DT_E_ARGS);
	assert_string_equal(
		fail.msg,
		path_of("%s as a whole is served only when named: cd into a "
	                "project, or give --workspace %s",
	                home, home));
	assert_int_equal(ask(home, "/", false, &root, NULL), DT_E_ARGS);
	assert_int_equal(ask(home, path_of("%s/", home), false, &root, NULL),
	                 DT_E_ARGS);
	assert_ok(ask(home, home, true, &root, NULL));
	assert_string_equal(root, home);
	assert_ok(ask(home, "/", true, &root, NULL));
	assert_string_equal(root, "/");
}

test(a_home_under_git_does_not_swallow_its_projects)
{
	tempdir_mkdir(*state, "home/.git");
	assert_string_equal(root_of(*state, "home/plain/sub"),
	                    "home/plain/sub");
	known = path_of("%s/home", (char *)*state);
	assert_string_equal(root_of(*state, "home/plain/sub"),
	                    "home/plain/sub");
}

test(a_named_folder_is_taken_as_it_is)
{
	const char *home = path_of("%s/home", (char *)*state);
	const char *folder = path_of("%s/r/src", home);
	const char *root;

	known = path_of("%s/r", home);
	assert_ok(ask(home, folder, true, &root, NULL));
	assert_string_equal(root, folder);
}

test(links_are_resolved)
{
	const char *home = path_of("%s/home", (char *)*state);
	const char *linked_home = path_of("%s/link", (char *)*state);
	const char *root;

	tempdir_link(*state, "link", "home");
	tempdir_link(*state, "home/to-src", "r/src");
	assert_string_equal(root_of(*state, "home/to-src"), "home/r");
	assert_ok(ask(home, path_of("%s/to-src", home), true, &root, NULL));
	assert_string_equal(root, path_of("%s/r/src", home));
	/* Also of the home folder. */
	assert_int_equal(ask(linked_home, home, false, &root, NULL), DT_E_ARGS);
	assert_int_equal(ask(home, linked_home, false, &root, NULL), DT_E_ARGS);
}

test(what_is_no_folder_is_refused)
{
	const char *home = path_of("%s/home", (char *)*state);
	struct dt_fail fail = { 0 };
	const char *root;

	tempdir_put(*state, "home/file", "");
	assert_int_equal(
		ask(home, path_of("%s/file", home), true, &root, &fail),
		DT_E_MISSING);
	assert_string_equal(fail.msg, path_of("%s/file is not a folder", home));
	assert_int_equal(ask(home, path_of("%s/none", home), true, &root, NULL),
	                 DT_E_MISSING);
	assert_int_equal(
		ask(home, path_of("%s/none/none", home), true, &root, NULL),
		DT_E_MISSING);
}

static bool is_project(const char *dir, const char *folder)
{
	struct dt_place_question question = {
		.folder = path_of("%s/%s", dir, folder),
		.home = path_of("%s/home", dir),
		.is_known = is_known,
		.owner = &known,
	};

	return dt_place_is_project(&arena, &question);
}

test(a_project_is_known_or_looks_like_one)
{
	assert_true(is_project(*state, "home/r"));
	assert_true(is_project(*state, "home/r/src/sub"));
	assert_false(is_project(*state, "home/plain/sub"));
	assert_false(is_project(*state, "none/none"));
	tempdir_put(*state, "home/plain/sub/package.json", "{}");
	assert_true(is_project(*state, "home/plain/sub"));
	assert_false(is_project(*state, "home/plain"));
	known = path_of("%s/home/plain", (char *)*state);
	assert_true(is_project(*state, "home/plain"));
	tempdir_put(*state, "home/Makefile", "");
	assert_false(is_project(*state, "home"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_place(a_new_place_has_an_id_a_port_and_a_token),
		test_in_place(moving_changes_port_and_token_and_keeps_the_id),
		test_in_place(what_is_saved_is_found_by_its_root),
		test_in_place(what_was_never_saved_is_missing),
		test_in_place(saving_again_replaces),
		test_in_place(records_are_closed_to_others),
		test_in_place(the_last_one_used_is_found),
		test_in_place(a_record_spoilt_by_hand_is_passed_over),
		test_in_place(a_state_folder_that_cannot_be_made_is_named),
		test_in_tree(without_git_it_is_the_folder_itself),
		test_in_tree(in_a_repository_it_is_its_top),
		test_in_tree(the_nearest_known_one_above_comes_first),
		test_in_tree(a_worktree_is_a_workspace_of_its_own),
		test_in_tree(
			a_submodule_belongs_to_a_known_repository_around_it),
		test_in_tree(home_and_the_root_are_served_only_when_named),
		test_in_tree(a_home_under_git_does_not_swallow_its_projects),
		test_in_tree(a_named_folder_is_taken_as_it_is),
		test_in_tree(links_are_resolved),
		test_in_tree(what_is_no_folder_is_refused),
		test_in_tree(a_project_is_known_or_looks_like_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
