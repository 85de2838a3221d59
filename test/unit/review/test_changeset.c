/* test/unit/review/test_changeset.c - proposals held against the disk. */
#include "review/changeset.h"

#include "base/arena.h"
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
	tempdir_put(f->dir, "w/a.c", "old\n");
	tempdir_put(f->dir, "outside", "far\n");
	dt_documents_init(&f->docs, &root, 1);
}

static void end(struct fixture *f)
{
	dt_changeset_done(&f->set);
	dt_documents_done(&f->docs);
	dt_arena_done(&f->arena);
}

static enum dt_err init(struct fixture *f, struct dt_change *changes,
                        size_t count)
{
	struct dt_items items = { changes, count };

	dt_changeset_done(&f->set);
	f->fail = (struct dt_fail){ 0 };
	return dt_changeset_init(&f->set, &items, &f->docs, &f->fail);
}

static enum dt_err init_one(struct fixture *f, enum dt_change_kind kind,
                            const char *name, struct dt_str text)
{
	struct dt_change change = {
		.kind = kind,
		.path = at(f, name),
		.text = text,
	};

	return init(f, &change, 1);
}

/* sha256sum of "old\n" */
#define OLD_DIGEST                                                             \
	"01d09d19c2139a46aebfb577780d123d7396e97201bc7ead210a2ebff8239dee"

test(a_file_that_is_there_is_changed)
{
	const struct dt_entry *e;
	struct fixture f;

	begin(&f, state);
	for (int kind = DT_CHANGE_CREATE; kind <= DT_CHANGE_EDIT; kind++) {
		assert_ok(init_one(&f, (enum dt_change_kind)kind, "w/a.c",
		                   DT_STR("new\n")));
		assert_int_equal(f.set.count, 1);
		e = &f.set.entries[0];
		assert_int_equal(e->kind, DT_CHANGE_EDIT);
		assert_string_equal(e->path, at(&f, "w/a.c"));
		assert_null(e->new_path);
		assert_string_equal(e->digest, OLD_DIGEST);
		assert_str(e->old_text, "old\n");
		assert_str(e->proposed, "new\n");
		assert_null(e->final.ptr);
		assert_false(e->is_outside);
	}
	end(&f);
}

test(a_file_that_is_not_there_is_created)
{
	const struct dt_entry *e;
	struct fixture f;

	begin(&f, state);
	for (int kind = DT_CHANGE_CREATE; kind <= DT_CHANGE_EDIT; kind++) {
		assert_ok(init_one(&f, (enum dt_change_kind)kind, "w/no/ne.c",
		                   DT_STR("new\n")));
		e = &f.set.entries[0];
		assert_int_equal(e->kind, DT_CHANGE_CREATE);
		assert_string_equal(e->digest, "");
		assert_null(e->old_text.ptr);
		assert_str(e->proposed, "new\n");
		assert_false(e->is_outside);
	}
	end(&f);
}

test(an_empty_file_is_not_the_same_as_none)
{
	const struct dt_entry *e;
	struct fixture f;

	begin(&f, state);
	tempdir_put(f.dir, "w/empty", "");
	assert_ok(init_one(&f, DT_CHANGE_EDIT, "w/empty", DT_STR("")));
	e = &f.set.entries[0];
	assert_int_equal(e->kind, DT_CHANGE_EDIT);
	assert_int_equal(strlen(e->digest), 64);
	assert_non_null(e->old_text.ptr);
	assert_int_equal(e->old_text.len, 0);
	assert_non_null(e->proposed.ptr);
	assert_int_equal(e->proposed.len, 0);
	end(&f);
}

test(a_new_file_without_a_text_is_empty)
{
	struct fixture f;

	begin(&f, state);
	assert_ok(
		init_one(&f, DT_CHANGE_CREATE, "w/new", (struct dt_str){ 0 }));
	assert_non_null(f.set.entries[0].proposed.ptr);
	assert_int_equal(f.set.entries[0].proposed.len, 0);
	end(&f);
}

test(a_deleted_file_has_no_text_afterwards)
{
	struct fixture f;

	begin(&f, state);
	assert_ok(init_one(&f, DT_CHANGE_DELETE, "w/a.c", DT_STR("ignored")));
	assert_int_equal(f.set.entries[0].kind, DT_CHANGE_DELETE);
	assert_str(f.set.entries[0].old_text, "old\n");
	assert_null(f.set.entries[0].proposed.ptr);
	end(&f);
}

test(what_is_not_there_is_neither_deleted_nor_renamed)
{
	struct fixture f;

	begin(&f, state);
	assert_int_equal(init_one(&f, DT_CHANGE_DELETE, "w/none", DT_STR("")),
	                 DT_E_MISSING);
	assert_int_equal(init_one(&f, DT_CHANGE_RENAME, "w/none", DT_STR("")),
	                 DT_E_MISSING);
	assert_int_equal(f.fail.code, DT_E_MISSING);
	assert_non_null(strstr(f.fail.msg, "none"));
	assert_null(f.set.entries);
	end(&f);
}

static void rename_to(struct fixture *f, const char *name, struct dt_str text)
{
	struct dt_change change = {
		.kind = DT_CHANGE_RENAME,
		.path = at(f, "w/a.c"),
		.new_path = at(f, name),
		.text = text,
	};

	assert_ok(init(f, &change, 1));
	assert_int_equal(f->set.entries[0].kind, DT_CHANGE_RENAME);
}

test(a_renamed_file_keeps_its_text_unless_there_is_a_new_one)
{
	struct fixture f;

	begin(&f, state);
	rename_to(&f, "w/b.c", DT_STR("new"));
	assert_string_equal(f.set.entries[0].new_path, at(&f, "w/b.c"));
	assert_str(f.set.entries[0].proposed, "new");
	rename_to(&f, "w/b.c", (struct dt_str){ 0 });
	assert_str(f.set.entries[0].proposed, "old\n");
	rename_to(&f, "w/b.c", DT_STR(""));
	assert_non_null(f.set.entries[0].proposed.ptr);
	assert_int_equal(f.set.entries[0].proposed.len, 0);
	end(&f);
}

test(the_same_path_twice_is_no_new_path)
{
	struct fixture f;

	begin(&f, state);
	rename_to(&f, "w/a.c", DT_STR("new"));
	assert_null(f.set.entries[0].new_path);
	end(&f);
}

test(texts_are_bytes)
{
	static const char binary[] = "\x7f"
				     "ELF\0\xff\xfe\0";
	const struct dt_str text = { binary, sizeof(binary) };
	const struct dt_entry *e;
	struct fixture f;
	FILE *file;

	begin(&f, state);
	file = fopen(at(&f, "w/binary"), "w");
	assert_non_null(file);
	assert_int_equal(fwrite(binary, 1, sizeof(binary), file),
	                 sizeof(binary));
	fclose(file);
	assert_ok(init_one(&f, DT_CHANGE_EDIT, "w/binary", text));
	e = &f.set.entries[0];
	assert_true(dt_str_eq(e->old_text, text));
	assert_true(dt_str_eq(e->proposed, text));
	assert_ptr_not_equal(e->proposed.ptr, text.ptr);
	assert_false(dt_entry_is_stale(e, &f.docs));
	end(&f);
}

test(what_lies_outside_is_marked)
{
	struct fixture f;

	begin(&f, state);
	tempdir_link(f.dir, "w/link", "../outside");
	assert_ok(init_one(&f, DT_CHANGE_EDIT, "outside", DT_STR("")));
	assert_true(f.set.entries[0].is_outside);
	assert_str(f.set.entries[0].old_text, "far\n");
	assert_ok(init_one(&f, DT_CHANGE_EDIT, "w/link", DT_STR("")));
	assert_true(f.set.entries[0].is_outside);
	assert_str(f.set.entries[0].old_text, "far\n");
	assert_ok(init_one(&f, DT_CHANGE_EDIT, "w/../new", DT_STR("")));
	assert_true(f.set.entries[0].is_outside);
	assert_int_equal(f.set.entries[0].kind, DT_CHANGE_CREATE);
	end(&f);
}

test(what_cannot_be_read_cannot_be_changed)
{
	struct fixture f;

	begin(&f, state);
	tempdir_mkdir(f.dir, "w/folder");
	tempdir_link(f.dir, "w/loop", "loop");
	tempdir_put(f.dir, "w/large", "");
	assert_int_equal(truncate(at(&f, "w/large"), DT_LIMIT_FILE + 1), 0);
	assert_int_equal(init_one(&f, DT_CHANGE_EDIT, "w/folder", DT_STR("")),
	                 DT_E_ARGS);
	assert_int_equal(init_one(&f, DT_CHANGE_EDIT, "w/loop", DT_STR("")),
	                 DT_E_SYS);
	assert_int_equal(init_one(&f, DT_CHANGE_EDIT, "w/large", DT_STR("")),
	                 DT_E_LIMIT);
	assert_int_equal(f.fail.code, DT_E_LIMIT);
	assert_true(f.fail.msg[0]);
	end(&f);
}

test(one_bad_change_spoils_the_set)
{
	struct fixture f;
	struct dt_change changes[2];

	begin(&f, state);
	changes[0] = (struct dt_change){ .kind = DT_CHANGE_EDIT,
		                         .path = at(&f, "w/a.c"),
		                         .new_path = at(&f, "w/b.c"),
		                         .text = DT_STR("x") };
	changes[1] = (struct dt_change){ .kind = DT_CHANGE_EDIT,
		                         .path = at(&f, "w"),
		                         .text = DT_STR("y") };
	assert_int_equal(init(&f, changes, 2), DT_E_ARGS);
	assert_null(f.set.entries);
	assert_int_equal(f.set.count, 0);
	changes[1].path = at(&f, "w/c.c");
	assert_ok(init(&f, changes, 2));
	assert_int_equal(f.set.count, 2);
	assert_string_equal(f.set.entries[1].path, at(&f, "w/c.c"));
	end(&f);
}

test(a_change_of_nothing_is_refused)
{
	struct fixture f;

	begin(&f, state);
	assert_int_equal(init(&f, NULL, 0), DT_E_ARGS);
	assert_string_equal(f.fail.msg, "the change has no files");
	end(&f);
}

test(unsaved_text_is_what_the_change_is_held_against)
{
	struct dt_document *doc = NULL;
	struct fixture f;

	begin(&f, state);
	assert_ok(dt_documents_open(&f.docs, at(&f, "w/a.c"), &doc, NULL));
	dt_document_set_overlay(&f.docs, doc, DT_STR("unsaved\n"));
	assert_ok(init_one(&f, DT_CHANGE_EDIT, "w/a.c", DT_STR("new\n")));
	/* It replaces what is on disk. */
	assert_str(f.set.entries[0].old_text, "old\n");
	assert_string_equal(dt_entry_base(&f.set.entries[0]),
	                    f.set.entries[0].unsaved);
	assert_false(dt_entry_is_stale(&f.set.entries[0], &f.docs));
	dt_document_set_overlay(&f.docs, doc, (struct dt_str){ 0 });
	assert_true(dt_entry_is_stale(&f.set.entries[0], &f.docs));
	end(&f);
}

test(edits_of_unsaved_text_do_not_undo_what_others_wrote)
{
	struct dt_document *doc = NULL;
	struct dt_change change = { .kind = DT_CHANGE_EDIT, .is_save = true };
	struct dt_fail fail = { 0 };
	struct fixture f;

	begin(&f, state);
	change.path = at(&f, "w/a.c");
	assert_ok(dt_documents_open(&f.docs, change.path, &doc, NULL));
	dt_document_set_overlay(&f.docs, doc, DT_STR("unsaved\n"));
	tempdir_put(f.dir, "w/a.c", "by others\n");
	assert_int_equal(dt_changeset_init(&f.set,
	                                   &(struct dt_items){ &change, 1 },
	                                   &f.docs, &fail),
	                 DT_E_STATE);
	assert_non_null(strstr(fail.msg, "closeTab"));
	/* Who gives all of the text has seen what is there. */
	assert_ok(init_one(&f, DT_CHANGE_EDIT, "w/a.c", DT_STR("new\n")));
	end(&f);
}

static bool is_stale(struct fixture *f)
{
	return dt_entry_is_stale(&f->set.entries[0], &f->docs);
}

test(a_file_that_changed_or_went_makes_a_change_stale)
{
	struct fixture f;

	begin(&f, state);
	assert_ok(init_one(&f, DT_CHANGE_EDIT, "w/a.c", DT_STR("new\n")));
	assert_false(is_stale(&f));
	tempdir_put(f.dir, "w/a.c", "old \n");
	assert_true(is_stale(&f));
	assert_int_equal(unlink(at(&f, "w/a.c")), 0);
	assert_true(is_stale(&f));
	tempdir_mkdir(f.dir, "w/a.c");
	assert_true(is_stale(&f));
	assert_int_equal(rmdir(at(&f, "w/a.c")), 0);
	tempdir_put(f.dir, "w/a.c", "old\n");
	assert_false(is_stale(&f));
	end(&f);
}

test(a_file_that_came_makes_its_creation_stale)
{
	struct fixture f;

	begin(&f, state);
	assert_ok(init_one(&f, DT_CHANGE_CREATE, "w/new", DT_STR("new\n")));
	assert_false(is_stale(&f));
	tempdir_put(f.dir, "w/new", "");
	assert_true(is_stale(&f));
	assert_int_equal(unlink(at(&f, "w/new")), 0);
	/* Also when what came is no text. */
	tempdir_mkdir(f.dir, "w/new");
	assert_true(is_stale(&f));
	end(&f);
}

test(an_absent_text_stays_absent_when_it_is_kept)
{
	struct dt_str none = dt_text_own((struct dt_str){ 0 });
	struct dt_str empty = dt_text_own(DT_STR(""));

	assert_null(none.ptr);
	assert_non_null(empty.ptr);
	assert_int_equal(empty.len, 0);
	free((char *)(uintptr_t)empty.ptr);
}

/* edits, and sets that cannot be */

test(edits_make_the_new_text_of_the_old_one)
{
	struct dt_text_edit edit = { DT_STR("old"), DT_STR("new"), false };
	struct dt_change change = { .kind = DT_CHANGE_EDIT,
		                    .edits = { &edit, 1 } };
	struct fixture f;

	begin(&f, state);
	change.path = at(&f, "w/a.c");
	assert_ok(init(&f, &change, 1));
	assert_str(f.set.entries[0].proposed, "new\n");
	change.kind = DT_CHANGE_RENAME;
	change.new_path = at(&f, "w/b.c");
	assert_ok(init(&f, &change, 1));
	assert_str(f.set.entries[0].proposed, "new\n");
	edit.old_text = DT_STR("none");
	assert_int_equal(init(&f, &change, 1), DT_E_ARGS);
	assert_non_null(strstr(f.fail.msg, "w/a.c: edits[0]: oldText is not"));
	change.text = DT_STR("x");
	assert_int_equal(init(&f, &change, 1), DT_E_ARGS);
	assert_non_null(strstr(f.fail.msg, "not both"));
	end(&f);
}

test(what_is_edited_must_be_there)
{
	struct dt_text_edit edit = { DT_STR("old"), DT_STR("new"), false };
	struct dt_change change = { .kind = DT_CHANGE_EDIT,
		                    .edits = { &edit, 1 } };
	struct fixture f;

	begin(&f, state);
	change.path = at(&f, "w/none");
	assert_int_equal(init(&f, &change, 1), DT_E_MISSING);
	end(&f);
}

test(a_file_is_in_a_change_only_once)
{
	struct dt_change changes[2] = {
		{ .kind = DT_CHANGE_RENAME },
		{ .kind = DT_CHANGE_CREATE, .text = DT_STR("x") },
	};
	struct fixture f;

	begin(&f, state);
	changes[0].path = at(&f, "w/a.c");
	changes[0].new_path = at(&f, "w/b.c");
	changes[1].path = at(&f, "w/c.c");
	assert_ok(init(&f, changes, 2));
	changes[1].path = at(&f, "w/b.c");
	assert_int_equal(init(&f, changes, 2), DT_E_ARGS);
	changes[1].path = at(&f, "w/a.c");
	assert_int_equal(init(&f, changes, 2), DT_E_ARGS);
	assert_non_null(strstr(f.fail.msg, "more than once"));
	end(&f);
}

test(a_change_has_only_so_many_files)
{
	struct dt_change *many =
		dt_alloc((DT_LIMIT_CHANGES + 1) * sizeof(*many));
	struct fixture f;

	begin(&f, state);
	for (unsigned i = 0; i <= DT_LIMIT_CHANGES; i++)
		many[i].path = dt_arena_printf(&f.arena, "%s/w/%u", f.dir, i);
	assert_ok(init(&f, many, DT_LIMIT_CHANGES));
	assert_int_equal(init(&f, many, DT_LIMIT_CHANGES + 1), DT_E_LIMIT);
	end(&f);
	free(many);
}

/* what is kept from agents */

static enum dt_err keep_k(void *owner, const char *path, struct dt_fail *fail)
{
	(void)owner;
	return strstr(path, "/k/")
	               ? dt_fail(fail, DT_E_DENIED, "%s is kept", path)
	               : DT_E_OK;
}

test(what_is_kept_is_not_moved_deleted_or_reached_by_a_link)
{
	struct dt_change copy = { .kind = DT_CHANGE_CREATE };
	struct dt_change tree = { .kind = DT_CHANGE_DELETE, .is_folder = true };
	struct dt_document *doc;
	struct fixture f;

	begin(&f, state);
	f.docs.guard = keep_k;
	tempdir_mkdir(f.dir, "w/d");
	tempdir_mkdir(f.dir, "w/d/k");
	tempdir_put(f.dir, "w/d/k/x", "kept\n");
	tempdir_link(f.dir, "w/link", "d/k/x");
	tempdir_link(f.dir, "w/folder", "d/k");
	assert_int_equal(
		init_one(&f, DT_CHANGE_DELETE, "w/d/k/x", (struct dt_str){ 0 }),
		DT_E_DENIED);
	assert_int_equal(
		init_one(&f, DT_CHANGE_RENAME, "w/d/k/x", (struct dt_str){ 0 }),
		DT_E_DENIED);
	tree.path = at(&f, "w/d");
	assert_int_equal(init(&f, &tree, 1), DT_E_DENIED);
	tree.path = at(&f, "w/d/k");
	assert_int_equal(init(&f, &tree, 1), DT_E_DENIED);
	copy.path = at(&f, "w/copy");
	copy.source = at(&f, "w/link");
	assert_int_equal(init(&f, &copy, 1), DT_E_DENIED);
	/* It may be given a new text, by its own name. */
	assert_ok(init_one(&f, DT_CHANGE_EDIT, "w/d/k/x", DT_STR("n")));
	assert_int_equal(init_one(&f, DT_CHANGE_EDIT, "w/link", DT_STR("n")),
	                 DT_E_DENIED);
	assert_int_equal(
		init_one(&f, DT_CHANGE_EDIT, "w/folder/x", DT_STR("n")),
		DT_E_DENIED);
	assert_non_null(strstr(f.fail.msg, "name that file itself"));
	/* Neither is what is on disk behind an unsaved text. */
	tempdir_put(f.dir, "w/b.c", "old\n");
	assert_ok(dt_documents_open(&f.docs, at(&f, "w/b.c"), &doc, NULL));
	dt_document_set_overlay(&f.docs, doc, DT_STR("typed\n"));
	assert_ok(init_one(&f, DT_CHANGE_EDIT, "w/b.c", DT_STR("n")));
	assert_int_equal(unlink(at(&f, "w/b.c")), 0);
	tempdir_link(f.dir, "w/b.c", "d/k/x");
	assert_int_equal(init_one(&f, DT_CHANGE_EDIT, "w/b.c", DT_STR("n")),
	                 DT_E_DENIED);
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_tempdir(a_file_that_is_there_is_changed),
		test_in_tempdir(a_file_that_is_not_there_is_created),
		test_in_tempdir(an_empty_file_is_not_the_same_as_none),
		test_in_tempdir(a_new_file_without_a_text_is_empty),
		test_in_tempdir(a_deleted_file_has_no_text_afterwards),
		test_in_tempdir(
			what_is_not_there_is_neither_deleted_nor_renamed),
		test_in_tempdir(
			a_renamed_file_keeps_its_text_unless_there_is_a_new_one),
		test_in_tempdir(the_same_path_twice_is_no_new_path),
		test_in_tempdir(texts_are_bytes),
		test_in_tempdir(what_lies_outside_is_marked),
		test_in_tempdir(what_cannot_be_read_cannot_be_changed),
		test_in_tempdir(one_bad_change_spoils_the_set),
		test_in_tempdir(a_change_of_nothing_is_refused),
		test_in_tempdir(
			unsaved_text_is_what_the_change_is_held_against),
		test_in_tempdir(
			edits_of_unsaved_text_do_not_undo_what_others_wrote),
		test_in_tempdir(
			a_file_that_changed_or_went_makes_a_change_stale),
		test_in_tempdir(a_file_that_came_makes_its_creation_stale),
		cmocka_unit_test(an_absent_text_stays_absent_when_it_is_kept),
		test_in_tempdir(edits_make_the_new_text_of_the_old_one),
		test_in_tempdir(what_is_edited_must_be_there),
		test_in_tempdir(a_file_is_in_a_change_only_once),
		test_in_tempdir(a_change_has_only_so_many_files),
		test_in_tempdir(
			what_is_kept_is_not_moved_deleted_or_reached_by_a_link),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
