#include "unit.h"

#include "app/reviews.h"

static struct dt_arena arena;

static int end(void **state)
{
	(void)state;
	dt_arena_done(&arena);
	return 0;
}

static const struct dt_json *parse(const char *text)
{
	const struct dt_json *json;

	assert_ok(dt_json_read(&arena, dt_str(text), &json, NULL));
	return json;
}

#define ENTRY "{\"kind\":\"change\",\"path\":\"/w/a.c\"}"
#define REVIEW(id, entries)                                                    \
	"{\"id\":\"" id "\",\"root\":\"/w\",\"agent\":\"claude-code\","        \
	"\"state\":\"waiting\",\"openedMs\":5,\"entries\":[" entries "]}"

test(a_review_is_read_with_what_is_absent_left_out)
{
	struct dt_review_info review = { 0 };
	const struct dt_review_file *file;

	assert_ok(dt_reviews_read(&arena, parse(REVIEW("ab", ENTRY)), &review,
	                          NULL));
	assert_string_equal(review.id, "ab");
	assert_int_equal(review.opened_ms, 5);
	assert_null(review.reason);
	file = review.entries.ptr;
	assert_string_equal(file->path, "/w/a.c");
	assert_null(file->old.ptr);
	assert_null(file->final.ptr);
	assert_false(file->is_outside);
}

test(a_workspace_that_is_not_served_has_no_root)
{
	struct dt_review_info review = { 0 };

	assert_ok(dt_reviews_read(
		&arena,
		parse("{\"id\":\"ab\",\"agent\":\"x\",\"state\":"
	              "\"accepted\",\"entries\":[" ENTRY "]}"),
		&review, NULL));
	assert_string_equal(dt_reviews_subject(&arena, &review),
	                    "change /w/a.c");
}

test(an_empty_text_is_not_an_absent_one)
{
	struct dt_review_info review = { 0 };
	const struct dt_review_file *file;

	assert_ok(dt_reviews_read(
		&arena,
		parse(REVIEW("ab", "{\"kind\":\"change\",\"path\":\"/w/a\","
	                           "\"old\":\"\",\"proposed\":\"x\"}")),
		&review, NULL));
	file = review.entries.ptr;
	assert_non_null(file->old.ptr);
	assert_int_equal(file->old.len, 0);
	assert_str(file->proposed, "x");
}

test(a_review_of_nothing_is_refused)
{
	struct dt_review_info review = { 0 };
	struct dt_fail why = { 0 };

	assert_int_equal(
		dt_reviews_read(&arena, parse(REVIEW("ab", "")), &review, &why),
		DT_E_PROTO);
	assert_string_equal(why.msg, "the review holds no change");
}

static int digits_of(const char *text)
{
	struct dt_review_list list = { 0 };

	assert_ok(dt_reviews_read_list(&arena, parse(text), &list, NULL));
	return dt_reviews_id_digits(&list);
}

test(ids_are_as_short_as_they_can_be_told_apart)
{
	assert_int_equal(digits_of("{\"reviews\":[]}"), 8);
	assert_int_equal(digits_of("{\"reviews\":[" REVIEW(
				 "0123456789ab",
				 ENTRY) "," REVIEW("1123456789ab", ENTRY) "]}"),
	                 8);
	assert_int_equal(
		digits_of("{\"reviews\":[" REVIEW(
			"0123456789ab",
			ENTRY) "," REVIEW("f", ENTRY) "," REVIEW("01234567890b",
	                                                         ENTRY) "]}"),
		11);
}

static const char *subject_of(const char *entries)
{
	struct dt_review_info review = { .root = "/w" };
	struct dt_review_list list = { 0 };
	const char *text = dt_arena_printf(
		&arena,
		"{\"reviews\":[{\"id\":\"a\",\"root\":\"/w\",\"agent\":\"x\","
		"\"state\":\"waiting\",\"entries\":[%s]}]}",
		entries);

	assert_ok(dt_reviews_read_list(&arena, parse(text), &list, NULL));
	review = *(struct dt_review_info *)list.reviews.ptr;
	return dt_reviews_subject(&arena, &review);
}

test(the_subject_names_every_file_and_what_happens_to_it)
{
	assert_string_equal(subject_of(ENTRY), "change a.c");
	assert_string_equal(
		subject_of("{\"kind\":\"create\",\"path\":\"/etc/x\","
	                   "\"isOutside\":true}"),
		"create /etc/x (outside the workspace)");
	assert_string_equal(
		subject_of(ENTRY ",{\"kind\":\"rename\",\"path\":\"/w/b\","
	                         "\"newPath\":\"/w/c\"}"),
		"change a.c, rename b to c");
	assert_string_equal(subject_of("{\"kind\":\"change\","
	                               "\"path\":\"/w/\\u001b.c\"}"),
	                    "change <U+001B>.c");
}

test(titles_that_name_a_file_say_nothing)
{
	struct dt_review_file file = { .path = "/w/a.c" };
	struct dt_review_info review = { .entries = { &file, 1 } };

	assert_null(dt_reviews_words(&arena, &review));
	review.title = "a.c and 2 more";
	assert_null(dt_reviews_words(&arena, &review));
	review.reason = "it\nleaks";
	assert_string_equal(dt_reviews_words(&arena, &review),
	                    "it<U+000A>leaks");
	review.title = "Free it";
	assert_string_equal(dt_reviews_words(&arena, &review),
	                    "Free it: it<U+000A>leaks");
	review.reason = "";
	assert_string_equal(dt_reviews_words(&arena, &review), "Free it");
	review.command = "make"; /* its reason is the daemon's */
	assert_null(dt_reviews_words(&arena, &review));
}

test(one_stale_file_makes_a_stale_review)
{
	struct dt_review_file files[] = { { .kind = "change" },
		                          { .kind = "change" } };
	struct dt_review_info review = { .entries = { files, 2 } };

	assert_false(dt_reviews_is_stale(&review));
	files[1].is_stale = true;
	assert_true(dt_reviews_is_stale(&review));
}

test(what_a_file_would_get_is_the_persons_text_first)
{
	struct dt_review_file file = { .kind = "change",
		                       .proposed = DT_STR("p") };

	assert_str(dt_reviews_text(&file), "p");
	file.final = DT_STR("");
	assert_str(dt_reviews_text(&file), "");
	file.kind = "delete";
	assert_null(dt_reviews_text(&file).ptr);
}

#define REVIEW_OF(id, session, path)                                           \
	"{\"id\":\"" id "\",\"agent\":\"claude-code\",\"session\":\"" session  \
	"\",\"state\":\"waiting\",\"entries\":[{\"kind\":\"change\",\"path\":" \
	"\"" path "\"}]}"

test(reviews_of_one_file_and_agents_of_one_name_are_told_apart)
{
	struct dt_review_list list = { 0 };
	const struct dt_review_info *reviews;
	size_t n = 0;

	assert_ok(dt_reviews_read_list(
		&arena,
		parse("{\"reviews\":[" REVIEW_OF(
			"1", "abcdef",
			"/w/a") "," REVIEW_OF("2", "abcdef",
	                                      "/w/b") "," REVIEW_OF("3",
	                                                            "abcdef",
	                                                            "/w/a") "]}"),
		&list, NULL));
	reviews = list.reviews.ptr;
	assert_int_equal(dt_reviews_of_file(&list, &reviews[2], &n), 2);
	assert_int_equal(n, 2);
	assert_int_equal(dt_reviews_of_file(&list, &reviews[1], &n), 1);
	assert_int_equal(n, 1);
	assert_null(reviews[0].root);
	assert_string_equal(dt_reviews_agent(&arena, &list, &reviews[0]),
	                    "claude-code");
	((struct dt_review_info *)list.reviews.ptr)[1].session = "123456";
	assert_string_equal(dt_reviews_agent(&arena, &list, &reviews[0]),
	                    "claude-code abcd");
	assert_string_equal(dt_reviews_agent(&arena, &list, &reviews[1]),
	                    "claude-code 1234");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(
			a_review_is_read_with_what_is_absent_left_out, end),
		cmocka_unit_test_teardown(
			a_workspace_that_is_not_served_has_no_root, end),
		cmocka_unit_test_teardown(an_empty_text_is_not_an_absent_one,
		                          end),
		cmocka_unit_test_teardown(a_review_of_nothing_is_refused, end),
		cmocka_unit_test_teardown(
			ids_are_as_short_as_they_can_be_told_apart, end),
		cmocka_unit_test_teardown(
			the_subject_names_every_file_and_what_happens_to_it,
			end),
		cmocka_unit_test_teardown(titles_that_name_a_file_say_nothing,
		                          end),
		cmocka_unit_test(one_stale_file_makes_a_stale_review),
		cmocka_unit_test(
			what_a_file_would_get_is_the_persons_text_first),
		cmocka_unit_test_teardown(
			reviews_of_one_file_and_agents_of_one_name_are_told_apart,
			end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
