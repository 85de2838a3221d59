/* test/unit/review/test_tree.c - twin of src/review/tree.c */
#include "review/tree.h"

#include "base/file.h"
#include "base/limits.h"
#include "base/tempdir.h"
#include "review/write.h"
#include "unit.h"

#include <stdio.h>
#include <unistd.h>

struct fixture {
	struct dt_documents docs;
	struct dt_arena arena;
	const char *dir;
	struct dt_items found;
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
	tempdir_mkdir(f->dir, "w/sub/deep");
	tempdir_put(f->dir, "w/sub/.hidden", "h\n");
	tempdir_put(f->dir, "w/sub/deep/c", "c\n");
	tempdir_put(f->dir, "w/a", "a\n");
	tempdir_mkdir(f->dir, "out");
	dt_documents_init(&f->docs, &root, 1);
}

static void end(struct fixture *f)
{
	dt_documents_done(&f->docs);
	dt_arena_done(&f->arena);
}

static struct dt_change folder_at(struct fixture *f, const char *name)
{
	return (struct dt_change){ .kind = DT_CHANGE_DELETE,
		                   .path = at(f, name),
		                   .is_folder = true,
		                   .to_trash = true };
}

static enum dt_err expand(struct fixture *f, const char *name)
{
	struct dt_change change = folder_at(f, name);
	struct dt_items one = { &change, 1 };

	f->fail = (struct dt_fail){ 0 };
	return dt_changes_expand(&f->arena, &one, &f->docs, &f->found,
	                         &f->fail);
}

static size_t place_of(struct fixture *f, const char *name)
{
	const struct dt_change *list = f->found.ptr;
	size_t i = 0;

	while (i < f->found.count && strcmp(list[i].path, at(f, name)) != 0)
		i++;
	assert_true(i < f->found.count && list[i].to_trash);
	return i;
}

test(a_folder_comes_behind_what_is_in_it)
{
	struct fixture f;

	begin(&f, state);
	assert_ok(expand(&f, "w/sub"));
	assert_int_equal(f.found.count, 4);
	assert_true(place_of(&f, "w/sub/deep/c") < place_of(&f, "w/sub/deep"));
	assert_true(place_of(&f, "w/sub/.hidden") < place_of(&f, "w/sub"));
	assert_int_equal(place_of(&f, "w/sub"), 3);
	/* What is a file is deleted as one. */
	assert_ok(expand(&f, "w/a"));
	assert_int_equal(f.found.count, 1);
	assert_false(((struct dt_change *)f.found.ptr)->is_folder);
	end(&f);
}

test(what_is_no_file_keeps_the_whole_folder)
{
	struct fixture f;

	begin(&f, state);
	assert_int_equal(expand(&f, "w/none"), DT_E_MISSING);
	assert_int_equal(expand(&f, "w"), DT_E_DENIED);
	assert_int_equal(expand(&f, "out"), DT_E_DENIED);
	tempdir_link(f.dir, "w/sub/deep/link", "../../../out");
	assert_int_equal(expand(&f, "w/sub"), DT_E_DENIED);
	assert_int_equal(unlink(at(&f, "w/sub/deep/link")), 0);
	tempdir_mkdir(f.dir, "w/sub/.git");
	assert_int_equal(expand(&f, "w/sub"), DT_E_DENIED);
	assert_int_equal(rmdir(at(&f, "w/sub/.git")), 0);
	for (unsigned i = 0; i < DT_LIMIT_CHANGES; i++)
		tempdir_put(f.dir, dt_arena_printf(&f.arena, "w/sub/%u", i),
		            "");
	assert_int_equal(expand(&f, "w/sub"), DT_E_LIMIT);
	end(&f);
}

static bool is_there(struct fixture *f, const char *name)
{
	return access(at(f, name), F_OK) == 0;
}

/* Through the change set to the disk. */
static enum dt_err change(struct fixture *f, struct dt_change change,
                          struct dt_changeset *set)
{
	struct dt_items one = { &change, 1 };
	enum dt_err err;

	f->fail = (struct dt_fail){ 0 };
	err = dt_changeset_init(set, &one, &f->docs, &f->fail);
	for (size_t i = 0; i < set->count; i++)
		dt_entry_set_final(&set->entries[i], set->entries[i].proposed);
	return err;
}

test(a_folder_is_deleted_into_the_trash)
{
	struct dt_changeset set = { 0 };
	struct fixture f;

	begin(&f, state);
	tempdir_mkdir(f.dir, "Trash");
	f.docs.trash = at(&f, "Trash");
	assert_ok(change(&f, folder_at(&f, "w/sub"), &set));
	assert_int_equal(set.count, 4);
	assert_string_equal(set.entries[3].path, at(&f, "w/sub/"));
	assert_false(dt_entry_is_stale(&set.entries[3], &f.docs));
	assert_ok(dt_changeset_write(&set, &f.docs, NULL, false, &f.fail));
	assert_false(is_there(&f, "w/sub"));
	assert_true(is_there(&f, "Trash/files/c"));
	assert_true(is_there(&f, "Trash/info/.hidden.trashinfo"));
	for (size_t i = 0; i < 4; i++)
		assert_true(dt_tree_is_folder(set.entries[i].path) !=
		            (set.entries[i].trashed != NULL));
	dt_changeset_done(&set);
	end(&f);
}

test(one_file_that_changed_keeps_the_whole_folder)
{
	struct dt_changeset set = { 0 };
	struct fixture f;

	begin(&f, state);
	assert_ok(change(&f, folder_at(&f, "w/sub"), &set));
	tempdir_put(f.dir, "w/sub/deep/c", "changed\n");
	assert_int_equal(
		dt_changeset_write(&set, &f.docs, NULL, false, &f.fail),
		DT_E_STATE);
	assert_true(is_there(&f, "w/sub/.hidden"));
	dt_changeset_done(&set);
	/* One that came since stays, and its folders with it. */
	assert_ok(change(&f, folder_at(&f, "w/sub"), &set));
	tempdir_put(f.dir, "w/sub/deep/new", "n\n");
	assert_ok(dt_changeset_write(&set, &f.docs, NULL, false, &f.fail));
	assert_false(is_there(&f, "w/sub/.hidden"));
	assert_false(is_there(&f, "w/sub/deep/c"));
	assert_true(is_there(&f, "w/sub/deep/new"));
	dt_changeset_done(&set);
	end(&f);
}

test(an_empty_folder_is_made_once)
{
	struct dt_change new_folder = { .kind = DT_CHANGE_CREATE,
		                        .is_folder = true };
	struct dt_changeset set = { 0 };
	struct fixture f;

	begin(&f, state);
	new_folder.path = at(&f, "w/x/y");
	assert_ok(change(&f, new_folder, &set));
	assert_false(dt_entry_is_stale(&set.entries[0], &f.docs));
	assert_ok(dt_changeset_write(&set, &f.docs, NULL, false, &f.fail));
	assert_true(dt_file_is_dir(at(&f, "w/x/y")));
	assert_true(dt_entry_is_stale(&set.entries[0], &f.docs));
	assert_int_equal(
		dt_changeset_write(&set, &f.docs, NULL, false, &f.fail),
		DT_E_STATE);
	dt_changeset_done(&set);
	assert_int_equal(change(&f, new_folder, &set), DT_E_STATE);
	dt_changeset_done(&set);
	new_folder.path = at(&f, "w/z");
	new_folder.text = DT_STR("text");
	assert_int_equal(change(&f, new_folder, &set), DT_E_ARGS);
	dt_changeset_done(&set);
	new_folder.text = DT_STR("");
	new_folder.path = at(&f, "out/y");
	assert_ok(change(&f, new_folder, &set));
	assert_int_equal(
		dt_changeset_write(&set, &f.docs, NULL, false, &f.fail),
		DT_E_DENIED);
	assert_false(is_there(&f, "out/y"));
	dt_changeset_done(&set);
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_tempdir(a_folder_comes_behind_what_is_in_it),
		test_in_tempdir(what_is_no_file_keeps_the_whole_folder),
		test_in_tempdir(a_folder_is_deleted_into_the_trash),
		test_in_tempdir(one_file_that_changed_keeps_the_whole_folder),
		test_in_tempdir(an_empty_folder_is_made_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
