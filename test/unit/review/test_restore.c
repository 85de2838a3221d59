#include "review/restore.h"

#include "box.h"

test(a_change_set_comes_back_as_it_was_proposed)
{
	char digest[DT_SHA256_TEXT];
	struct dt_entry_record entries[] = {
		{ .kind = DT_ENTRY_CHANGE,
		  .base_digest = digest,
		  .old_text = DT_STR("old\n"),
		  .proposed_text = DT_STR("new\n"),
		  .final_text = DT_STR("mine\n"),
		  .is_edited = true },
		{ .kind = DT_ENTRY_CREATE,
		  .path = "/nonexistent/b",
		  .proposed_text = DT_STR("") },
	};
	struct dt_review_record record = { .entries = entries,
		                           .entry_count = 2 };
	struct dt_changeset set;
	struct box box;

	box_begin(&box, NONE);
	entries[0].path = box.file;
	dt_sha256_hex("old\n", 4, digest);
	dt_changeset_restore(&set, &record, &box.docs);
	assert_int_equal(set.count, 2);
	assert_int_equal(set.entries[0].kind, DT_CHANGE_EDIT);
	assert_str(set.entries[0].old_text, "old\n");
	assert_str(set.entries[0].proposed, "new\n");
	assert_str(set.entries[0].final, "mine\n");
	assert_false(set.entries[0].is_outside);
	assert_false(dt_entry_is_stale(&set.entries[0], &box.docs));
	write_file(box.file, 0, DT_STR("else\n"));
	assert_true(dt_entry_is_stale(&set.entries[0], &box.docs));
	assert_int_equal(set.entries[1].kind, DT_CHANGE_CREATE);
	assert_null(set.entries[1].old_text.ptr);
	assert_null(set.entries[1].final.ptr);
	assert_non_null(set.entries[1].proposed.ptr);
	dt_changeset_done(&set);
	box_end(&box);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_change_set_comes_back_as_it_was_proposed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
