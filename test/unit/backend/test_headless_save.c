/* test/unit/backend/test_headless_save.c - text that is not saved. */
#include "backend/headless_world.h"

test(unsaved_text_is_dirty_until_it_is_saved)
{
	struct fixture f;
	struct stat st;

	begin(&f, state);
	assert_int_equal(chmod(f.a, 0751), 0);
	assert_ok(with_path(&f, &dt_op_check_dirty, f.a));
	assert_false(f.found.is_found);
	assert_ok(open_file(&f, f.a));
	assert_ok(with_path(&f, &dt_op_check_dirty, f.a));
	assert_true(f.found.is_found);
	assert_false(f.found.is_dirty);

	dt_document_set_overlay(&f.docs, f.docs.active, DT_STR("un\0saved"));
	assert_ok(with_path(&f, &dt_op_check_dirty, f.a));
	assert_true(f.found.is_dirty);
	assert_ok(with_path(&f, &dt_op_save_document, f.a));
	assert_true(f.found.is_dirty);
	assert_ok(with_path(&f, &dt_op_check_dirty, f.a));
	assert_false(f.found.is_dirty);

	assert_int_equal(stat(f.a, &st), 0);
	assert_int_equal(st.st_size, 8);
	assert_int_equal(st.st_mode & 07777, 0751);
	end(&f);
}

test(saving_what_is_not_dirty_writes_nothing)
{
	struct fixture f;

	begin(&f, state);
	assert_ok(open_file(&f, f.a));
	assert_int_equal(unlink(f.a), 0);
	assert_ok(with_path(&f, &dt_op_save_document, f.a));
	assert_true(f.found.is_found);
	assert_false(f.found.is_dirty);
	assert_int_not_equal(access(f.a, F_OK), 0);
	assert_ok(with_path(&f, &dt_op_save_document, f.b));
	assert_false(f.found.is_found);
	end(&f);
}

test(a_file_that_went_is_written_anew)
{
	struct fixture f;

	begin(&f, state);
	assert_ok(open_file(&f, f.a));
	dt_document_set_overlay(&f.docs, f.docs.active, DT_STR(""));
	assert_int_equal(unlink(f.a), 0);
	assert_ok(with_path(&f, &dt_op_save_document, f.a));
	assert_int_equal(access(f.a, F_OK), 0);
	end(&f);
}

test(text_that_cannot_be_saved_is_not_lost)
{
	struct fixture f;

	begin(&f, state);
	assert_ok(open_file(&f, f.a));
	dt_document_set_overlay(&f.docs, f.docs.active, DT_STR("unsaved"));
	assert_int_equal(unlink(f.a), 0);
	assert_int_equal(mkdir(f.a, 0700), 0);
	assert_int_equal(with_path(&f, &dt_op_save_document, f.a), DT_E_SYS);
	assert_true(f.fail.msg[0]);
	assert_ok(with_path(&f, &dt_op_check_dirty, f.a));
	assert_true(f.found.is_dirty);
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_tempdir(unsaved_text_is_dirty_until_it_is_saved),
		test_in_tempdir(saving_what_is_not_dirty_writes_nothing),
		test_in_tempdir(a_file_that_went_is_written_anew),
		test_in_tempdir(text_that_cannot_be_saved_is_not_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
