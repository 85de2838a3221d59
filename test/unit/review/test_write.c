/*
 * test/unit/review/test_write.c - which files are written for a change set.
 *
 * That all are written or none is base/replace.c's, and proved there.
 */
#include "review/write.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/tempdir.h"
#include "unit.h"

struct fixture {
	struct dt_documents docs;
	struct dt_arena arena;
	const char *dir;
	struct dt_changeset set;
	struct dt_fail fail;
};

static const char *at(struct fixture *f, const char *name)
{
	return dt_arena_printf(&f->arena, "%s/%s", f->dir, name);
}

static void begin(struct fixture *f, void **state)
{
	const char *root;

	*f = (struct fixture){ .dir = *state };
	root = at(f, "w");
	tempdir_mkdir(f->dir, "w");
	tempdir_mkdir(f->dir, "w/sub");
	tempdir_mkdir(f->dir, "out");
	tempdir_put(f->dir, "w/a", "a\n");
	tempdir_put(f->dir, "w/b", "b\n");
	tempdir_put(f->dir, "w/sub/c", "c\n");
	tempdir_put(f->dir, "out/o", "o\n");
	tempdir_link(f->dir, "w/away", "../out");
	tempdir_link(f->dir, "w/link", "a");
	/* Another way to the workspace. */
	tempdir_link(f->dir, "other", "w");
	dt_documents_init(&f->docs, &root, 1);
}

static void end(struct fixture *f)
{
	dt_changeset_done(&f->set);
	dt_documents_done(&f->docs);
	dt_arena_done(&f->arena);
}

static void set_up(struct fixture *f, struct dt_change *changes, size_t count)
{
	struct dt_items items = { changes, count };

	dt_changeset_done(&f->set);
	f->fail = (struct dt_fail){ 0 };
	assert_ok(dt_changeset_init(&f->set, &items, &f->docs, &f->fail));
	for (size_t i = 0; i < count; i++)
		dt_entry_set_final(&f->set.entries[i],
		                   f->set.entries[i].proposed);
}

static enum dt_err write_set(struct fixture *f, bool is_forced)
{
	return dt_changeset_write(&f->set, &f->docs, NULL, is_forced, &f->fail);
}

static void set_up_one(struct fixture *f, const char *name, const char *text)
{
	struct dt_change change = {
		.kind = DT_CHANGE_EDIT,
		.path = at(f, name),
		.text = dt_str(text),
	};

	set_up(f, &change, 1);
}

static void assert_text(struct fixture *f, const char *name, const char *text)
{
	struct dt_buf now;

	dt_buf_init(&now, DT_MIB);
	assert_ok(dt_file_read(at(f, name), &now, NULL));
	assert_string_equal(dt_buf_z(&now), text);
	dt_buf_done(&now);
}

static bool is_there(struct fixture *f, const char *name)
{
	return access(at(f, name), F_OK) == 0;
}

test(every_kind_of_change_is_written)
{
	struct fixture f;

	begin(&f, state);
	set_up(&f,
	       (struct dt_change[]){
		       { DT_CHANGE_EDIT, at(&f, "w/a"), .text = DT_STR("A\n") },
		       { DT_CHANGE_CREATE, at(&f, "w/new/n"),
	                 .text = DT_STR("n") },
		       { DT_CHANGE_DELETE, at(&f, "w/b") },
		       { DT_CHANGE_RENAME, at(&f, "w/sub/c"),
	                 at(&f, "w/moved/c") },
	       },
	       4);
	dt_entry_set_final(&f.set.entries[0], DT_STR("the person's\n"));
	assert_ok(write_set(&f, false));
	assert_text(&f, "w/a", "the person's\n");
	assert_text(&f, "w/new/n", "n");
	assert_false(is_there(&f, "w/b"));
	assert_false(is_there(&f, "w/sub/c"));
	assert_text(&f, "w/moved/c", "c\n");
	end(&f);
}

test(what_was_left_out_is_not_written)
{
	struct fixture f;

	begin(&f, state);
	set_up(&f,
	       (struct dt_change[]){
		       { DT_CHANGE_EDIT, at(&f, "w/a"), .text = DT_STR("A\n") },
		       { DT_CHANGE_DELETE, at(&f, "w/b") },
		       { DT_CHANGE_EDIT, at(&f, "w/sub/c"),
	                 .text = DT_STR("C\n") },
	       },
	       3);
	f.set.entries[0].is_left_out = true;
	f.set.entries[1].is_left_out = true;
	tempdir_put(f.dir, "w/a", "it may change\n");
	assert_ok(write_set(&f, false));
	assert_text(&f, "w/a", "it may change\n");
	assert_text(&f, "w/b", "b\n");
	assert_text(&f, "w/sub/c", "C\n");
	end(&f);
}

test(a_file_may_be_named_through_links_of_folders)
{
	struct fixture f;

	begin(&f, state);
	set_up_one(&f, "other/sub/../sub/c", "C\n");
	assert_ok(write_set(&f, false));
	assert_text(&f, "w/sub/c", "C\n");
	set_up_one(&f, "other/x/y/z", "z");
	assert_ok(write_set(&f, false));
	assert_text(&f, "w/x/y/z", "z");
	end(&f);
}

test(a_file_by_two_names_is_not_written)
{
	struct fixture f;
	struct dt_change changes[2] = {
		{ .kind = DT_CHANGE_EDIT, .text = DT_STR("1\n") },
		{ .kind = DT_CHANGE_EDIT, .text = DT_STR("2\n") },
	};

	begin(&f, state);
	changes[0].path = at(&f, "w/sub/c");
	changes[1].path = at(&f, "other/sub/c");
	set_up(&f, changes, 2);
	for (int is_forced = 0; is_forced < 2; is_forced++) {
		assert_int_equal(write_set(&f, is_forced), DT_E_ARGS);
		assert_string_equal(f.fail.msg,
		                    "sub/c is in the change by two names");
		assert_text(&f, "w/sub/c", "c\n");
	}
	changes[1].path = at(&f, "w/b");
	changes[1].kind = DT_CHANGE_RENAME;
	changes[1].new_path = at(&f, "other/sub/c");
	set_up(&f, changes, 2);
	assert_int_equal(write_set(&f, false), DT_E_ARGS);
	assert_text(&f, "w/sub/c", "c\n");
	end(&f);
}

test(nothing_is_written_outside_the_roots)
{
	static const char *const names[] = { "out/o", "out/new", "w/away/o",
		                             "w/away/deep/new", "w/../out/o" };
	struct fixture f;

	begin(&f, state);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		set_up_one(&f, names[i], "x");
		assert_int_equal(write_set(&f, false), DT_E_DENIED);
		assert_non_null(strstr(f.fail.msg, "outside the workspace"));
		assert_int_equal(write_set(&f, true), DT_E_DENIED);
		assert_int_equal(dt_changeset_check(&f.set, &f.docs, NULL),
		                 DT_E_DENIED);
	}
	set_up_one(&f, "w/a", "x");
	assert_ok(dt_changeset_check(&f.set, &f.docs, &f.fail));
	assert_text(&f, "w/a", "a\n");
	assert_text(&f, "out/o", "o\n");
	assert_false(is_there(&f, "out/new"));
	assert_false(is_there(&f, "out/deep"));
	end(&f);
}

test(a_link_is_not_written)
{
	struct fixture f;

	begin(&f, state);
	set_up_one(&f, "w/link", "x");
	assert_int_equal(write_set(&f, true), DT_E_DENIED);
	assert_text(&f, "w/a", "a\n");
	end(&f);
}

test(what_changed_meanwhile_is_written_only_by_force)
{
	struct fixture f;

	begin(&f, state);
	set_up_one(&f, "w/a", "A\n");
	tempdir_put(f.dir, "w/a", "other\n");
	assert_int_equal(write_set(&f, false), DT_E_STATE);
	assert_text(&f, "w/a", "other\n");
	assert_ok(write_set(&f, true));
	assert_text(&f, "w/a", "A\n");
	set_up_one(&f, "w/new", "n");
	tempdir_put(f.dir, "w/new", "came before\n");
	f.fail = (struct dt_fail){ 0 };
	assert_int_equal(write_set(&f, false), DT_E_STATE);
	assert_ok(write_set(&f, true));
	assert_text(&f, "w/new", "n");
	end(&f);
}

static enum dt_err check_set(struct fixture *f)
{
	return dt_changeset_check(&f->set, &f->docs, &f->fail);
}

test(what_is_git_s_is_not_written_for_agents)
{
	static const char *const names[] = {
		"w/.git/hooks/pre-commit",
		"w/sub/.git",
		"w/.GIT/config",
		"w/odd/config",
		"w/.git/../a2",
		"other/.git/config",
	};
	struct fixture f;

	begin(&f, state);
	tempdir_mkdir(f.dir, "w/.git");
	tempdir_link(f.dir, "w/odd", ".git");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		bool is_git_s = i != 4;

		set_up_one(&f, names[i], "x");
		assert_int_equal(check_set(&f),
		                 is_git_s ? DT_E_DENIED : DT_E_OK);
	}
	set_up(&f,
	       &(struct dt_change){ DT_CHANGE_RENAME, at(&f, "w/a"),
	                            at(&f, "w/.git/hooks/a") },
	       1);
	assert_int_equal(check_set(&f), DT_E_DENIED);
	assert_true(f.set.entries[0].is_settings);
	set_up_one(&f, "w/.gitignore", "x");
	assert_ok(check_set(&f));
	assert_false(f.set.entries[0].is_settings);
	end(&f);
}

/* The agent's own name for it, where the folder is a link to another. */
test(a_linked_repository_is_git_s_too)
{
	struct fixture f;

	begin(&f, state);
	tempdir_link(f.dir, "w/.git", "sub");
	set_up_one(&f, "w/.git/c", "x");
	assert_int_equal(check_set(&f), DT_E_DENIED);
	set_up_one(&f, "w/sub/c", "x");
	assert_ok(check_set(&f));
	end(&f);
}

/* Rules and the gate have judged the folder that it was then. */
test(a_folder_that_became_a_link_is_not_written_to)
{
	struct fixture f;

	begin(&f, state);
	tempdir_mkdir(f.dir, "w/d");
	set_up_one(&f, "w/d/new", "x");
	assert_string_equal(f.set.entries[0].place, at(&f, "w/d/new"));
	assert_int_equal(rmdir(at(&f, "w/d")), 0);
	tempdir_link(f.dir, "w/d", "sub");
	assert_int_equal(write_set(&f, false), DT_E_STATE);
	assert_non_null(strstr(f.fail.msg, "leads elsewhere"));
	assert_int_equal(access(at(&f, "w/sub/new"), F_OK), -1);
	/* By a link that was one before it may be written, to where it led. */
	set_up_one(&f, "w/d/new", "x");
	assert_string_equal(f.set.entries[0].place, at(&f, "w/sub/new"));
	assert_ok(write_set(&f, false));
	assert_int_equal(access(at(&f, "w/sub/new"), F_OK), 0);
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_tempdir(every_kind_of_change_is_written),
		test_in_tempdir(what_was_left_out_is_not_written),
		test_in_tempdir(a_file_may_be_named_through_links_of_folders),
		test_in_tempdir(a_file_by_two_names_is_not_written),
		test_in_tempdir(nothing_is_written_outside_the_roots),
		test_in_tempdir(a_link_is_not_written),
		test_in_tempdir(a_folder_that_became_a_link_is_not_written_to),
		test_in_tempdir(
			what_changed_meanwhile_is_written_only_by_force),
		test_in_tempdir(what_is_git_s_is_not_written_for_agents),
		test_in_tempdir(a_linked_repository_is_git_s_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
