#include "unit.h"

#include "app/draft.h"
#include "base/file.h"
#include "base/limits.h"

#include <unistd.h>

static struct dt_arena arena;
static const char *base;
static struct dt_review_info review;
static struct dt_diff diff;
static struct dt_draft draft;

enum { CHANGE, CREATE, DELETE, RENAME, FOLDER, FILES };

static struct dt_review_file files[FILES] = {
	{ .kind = "change",
	  .path = "/w/a",
	  .old = DT_STR("old\n"),
	  .proposed = DT_STR("new\n") },
	{ .kind = "create", .path = "/w/c", .proposed = DT_STR("c\n") },
	{ .kind = "delete", .path = "/w/d", .old = DT_STR("d\n") },
	{ .kind = "rename",
	  .path = "/w/r",
	  .new_path = "/w/s/r",
	  .old = DT_STR("r\n"),
	  .proposed = DT_STR("r\n") },
	{ .kind = "create", .path = "/w/f/" },
};

static void open_draft(size_t count)
{
	review = (struct dt_review_info){
		.id = "abc",
		.root = "/w",
		.entries = { files, count },
	};
	assert_ok(dt_diff_open(&arena, base, &review, &diff, NULL));
	draft = (struct dt_draft){ &arena, &review, &diff };
}

static int start(void **state)
{
	(void)state;
	diff = (struct dt_diff){ 0 };
	return dt_diff_make_folder(&arena, &base, NULL);
}

static int end(void **state)
{
	int rc;

	(void)state;
	dt_diff_remove(&diff);
	rc = rmdir(base); /* fails when something is left */
	dt_arena_done(&arena);
	return rc;
}

/* What stands in the layout; NULL: no such file. */
static const char *laid(const char *name)
{
	const char *path = dt_arena_printf(&arena, "%s/%s", diff.folder, name);
	const char *text = NULL;
	struct dt_buf buf;

	dt_buf_init(&buf, DT_LIMIT_FILE);
	if (!dt_file_read(path, &buf, NULL))
		text = dt_arena_strdup(&arena, dt_buf_z(&buf));
	dt_buf_done(&buf);
	return text;
}

static struct dt_draft_state look(void)
{
	struct dt_draft_state now = { 0 };

	assert_ok(dt_draft_look(&draft, &now, NULL));
	return now;
}

test(a_new_draft_is_the_proposal)
{
	struct dt_draft_state now;

	(void)state;
	open_draft(FILES);
	now = look();
	assert_false(now.is_changed);
	assert_int_equal(now.taken, FILES);
	for (size_t i = 0; i < FILES; i++) {
		assert_null(now.files[i].text.ptr);
		assert_false(now.files[i].is_left_out);
		assert_int_equal(dt_draft_has_text(&draft, i),
		                 i != DELETE && i != FOLDER);
	}
}

test(of_what_is_left_out_nothing_differs)
{
	struct dt_draft_state now;

	(void)state;
	open_draft(FILES);
	for (size_t i = 0; i < FILES; i++) {
		assert_ok(dt_draft_leave_out(&draft, i, NULL));
		assert_ok(dt_draft_leave_out(&draft, i, NULL)); /* again */
		assert_true(dt_draft_is_left_out(&draft, i));
	}
	assert_string_equal(laid("b/a"), "old\n");
	assert_null(laid("b/c"));
	assert_string_equal(laid("b/d"), "d\n");
	assert_string_equal(laid("b/r"), "r\n");
	assert_null(laid("b/s/r"));
	now = look();
	assert_true(now.is_changed);
	assert_int_equal(now.taken, 0);
	for (size_t i = 0; i < FILES; i++)
		assert_ok(dt_draft_take(&draft, i, NULL));
	assert_string_equal(laid("b/a"), "new\n");
	assert_string_equal(laid("b/c"), "c\n");
	assert_null(laid("b/d"));
	assert_null(laid("b/r"));
	assert_string_equal(laid("b/s/r"), "r\n");
	assert_false(look().is_changed);
}

test(a_text_outlives_being_left_out)
{
	struct dt_draft_state now;

	(void)state;
	open_draft(FILES);
	assert_ok(dt_draft_write(&draft, CHANGE, DT_STR("mine\n"), NULL));
	assert_ok(dt_draft_leave_out(&draft, CHANGE, NULL));
	assert_string_equal(laid("b/a"), "old\n");
	assert_ok(dt_draft_take(&draft, CHANGE, NULL));
	now = look();
	assert_true(now.is_changed);
	assert_str(now.files[CHANGE].text, "mine\n");
	/* Laid out again, it is as the person left it. */
	open_draft(FILES);
	assert_str(look().files[CHANGE].text, "mine\n");
	assert_ok(dt_draft_reset(&draft, NULL));
	assert_false(look().is_changed);
	assert_string_equal(laid("b/a"), "new\n");
}

test(a_file_as_it_was_is_left_out_of_several)
{
	(void)state;
	open_draft(2);
	assert_ok(dt_draft_write(&draft, CHANGE, DT_STR("old\n"), NULL));
	assert_true(look().files[CHANGE].is_left_out);
	assert_int_equal(look().taken, 1);
}

test(one_file_as_it_was_is_a_text_like_others)
{
	(void)state;
	open_draft(1);
	assert_ok(dt_draft_write(&draft, 0, DT_STR("old\n"), NULL));
	assert_str(look().files[0].text, "old\n");
	assert_ok(dt_draft_write(&draft, 0, DT_STR(""), NULL));
	assert_non_null(look().files[0].text.ptr);
	assert_int_equal(look().files[0].text.len, 0);
}

test(whatever_differs_has_another_digest)
{
	struct dt_draft_state before;

	(void)state;
	open_draft(FILES);
	before = look();
	assert_string_equal(look().digest, before.digest);
	assert_ok(dt_draft_leave_out(&draft, DELETE, NULL));
	assert_string_not_equal(look().digest, before.digest);
	before = look();
	assert_ok(dt_draft_write(&draft, CREATE, DT_STR(""), NULL));
	assert_string_not_equal(look().digest, before.digest);
}

test(what_is_no_text_any_more_is_said)
{
	struct dt_draft_state now;
	struct dt_fail fail = { 0 };

	(void)state;
	open_draft(1);
	assert_ok(dt_draft_write(&draft, 0, DT_STR("\xff"), NULL));
	assert_int_equal(dt_draft_look(&draft, &now, &fail), DT_E_ARGS);
	assert_non_null(strstr(fail.msg, "not UTF-8"));
}

int main(void)
{
#define IN_FOLDER(name) cmocka_unit_test_setup_teardown(name, start, end)
	const struct CMUnitTest tests[] = {
		IN_FOLDER(a_new_draft_is_the_proposal),
		IN_FOLDER(of_what_is_left_out_nothing_differs),
		IN_FOLDER(a_text_outlives_being_left_out),
		IN_FOLDER(a_file_as_it_was_is_left_out_of_several),
		IN_FOLDER(one_file_as_it_was_is_a_text_like_others),
		IN_FOLDER(whatever_differs_has_another_digest),
		IN_FOLDER(what_is_no_text_any_more_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
