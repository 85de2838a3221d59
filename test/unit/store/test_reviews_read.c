/* test/unit/store/test_reviews_read.c - reviews listed and fetched. */
#include "store/reviews.h"

#include "store/fixture.h"

#define LARGE (1024 * 1024)

/* What a callback checks, and what it checks with. */
struct look {
	struct fixture *f;
	void (*check)(const struct dt_review_record *review, const void *with);
	const void *with;
	char ids[8][40]; /* of a list */
	size_t count;
};

static void on_get(struct dt_store *store,
                   const struct dt_review_record *review,
                   const struct dt_fail *fail, void *owner)
{
	struct look *look = owner;

	on_done(store, fail, look->f);
	assert_int_equal(review == NULL, fail->code != DT_E_OK);
	if (review && look->check)
		look->check(review, look->with);
}

static void get(struct fixture *f, const char *id,
                void (*check)(const struct dt_review_record *review,
                              const void *with),
                const void *with)
{
	struct look look = { .f = f, .check = check, .with = with };

	dt_store_get_review(f->store, id, on_get, &look);
	settle(f);
}

static void on_list(struct dt_store *store,
                    const struct dt_review_record *reviews, size_t count,
                    const struct dt_fail *fail, void *owner)
{
	struct look *look = owner;

	on_done(store, fail, look->f);
	look->count = count;
	for (size_t i = 0; i < count && i < 8; i++) {
		const struct dt_entry_record *entry = &reviews[i].entries[0];

		snprintf(look->ids[i], sizeof(look->ids[i]), "%s",
		         reviews[i].id);
		assert_int_equal(reviews[i].entry_count, 1);
		assert_string_equal(entry->path, "/w/a.c");
		assert_null(entry->old_text.ptr);
		assert_null(entry->proposed_text.ptr);
		assert_null(entry->final_text.ptr);
	}
}

/* The ids of a list are those given, in that order. */
static void expect_list(struct fixture *f, struct dt_review_filter filter,
                        const char *const *ids, size_t count)
{
	struct look look = { .f = f };

	dt_store_list_reviews(f->store, &filter, on_list, &look);
	settle(f);
	assert_string_equal(f->fail.msg, "");
	assert_int_equal(look.count, count);
	for (size_t i = 0; i < count; i++)
		assert_string_equal(look.ids[i], ids[i]);
}

#define IDS(...)                                                               \
	(const char *const[]){ __VA_ARGS__ },                                  \
		sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *)

test(an_empty_history_lists_nothing)
{
	struct fixture f;

	begin(&f);
	expect_list(&f, (struct dt_review_filter){ 0 }, NULL, 0);
	end(&f);
}

test(a_list_is_newest_first_and_filtered)
{
	struct fixture f;

	begin(&f);
	put(&f, ID_A, "w", 10, DT_STR("new"));
	put(&f, ID_B, "other", 30, DT_STR("new"));
	put(&f, ID_C, "w", 20, DT_STR("new"));
	expect_list(&f, (struct dt_review_filter){ 0 }, IDS(ID_B, ID_C, ID_A));
	expect_list(&f, (struct dt_review_filter){ .limit = 2 },
	            IDS(ID_B, ID_C));
	expect_list(&f, (struct dt_review_filter){ .workspace = "w" },
	            IDS(ID_C, ID_A));
	expect_list(&f, (struct dt_review_filter){ .workspace = "none" }, NULL,
	            0);
	decide(&f, ID_C, DT_REVIEW_ACCEPTED, 40, DT_STR("edited"));
	expect_list(
		&f,
		(struct dt_review_filter){ .states = 1u << DT_REVIEW_WAITING },
		IDS(ID_B, ID_A));
	expect_list(
		&f,
		(struct dt_review_filter){ .workspace = "w",
	                                   .states = 1u << DT_REVIEW_ACCEPTED |
	                                             1u << DT_REVIEW_ORPHANED },
		IDS(ID_C));
	end(&f);
}

test(of_two_opened_in_the_same_moment_the_later_comes_first)
{
	struct fixture f;

	begin(&f);
	put(&f, ID_B, "w", 10, DT_STR("new"));
	put(&f, ID_A, "w", 10, DT_STR("new"));
	put(&f, ID_C, "w", 10, DT_STR("new"));
	expect_list(&f, (struct dt_review_filter){ 0 }, IDS(ID_C, ID_A, ID_B));
	end(&f);
}

test(a_list_has_a_largest_length)
{
	struct look look = { 0 };
	struct dt_review_filter filter = { .limit = DT_STORE_LIST_MAX + 1 };
	struct fixture f;

	begin(&f);
	tamper(f.path, "WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL"
	               " SELECT i + 1 FROM n WHERE i < 1100)"
	               " INSERT INTO review (id, workspace, state, opened_ms)"
	               " SELECT printf('%032x', i), 'w', 0, i FROM n");
	tamper(f.path, "INSERT INTO entry (review, position, kind, path)"
	               " SELECT id, 0, 1, '/w/a.c' FROM review");
	look.f = &f;
	dt_store_list_reviews(f.store, &filter, on_list, &look);
	settle(&f);
	assert_int_equal(look.count, DT_STORE_LIST_MAX);
	end(&f);
}

static void check_id(const struct dt_review_record *review, const void *with)
{
	assert_string_equal(review->id, with);
}

test(a_review_is_found_by_any_beginning_no_other_shares)
{
	struct fixture f;

	begin(&f);
	put(&f, ID_A, "w", 1, DT_STR("new"));
	put(&f, ID_B, "w", 1, DT_STR("new"));
	put(&f, ID_C, "w", 1, DT_STR("new"));
	get(&f, ID_A, check_id, ID_A);
	assert_string_equal(f.fail.msg, "");
	get(&f, "a0", check_id, ID_A);
	assert_string_equal(f.fail.msg, "");
	get(&f, "b", check_id, ID_C);
	assert_string_equal(f.fail.msg, "");

	get(&f, "a", NULL, NULL);
	assert_int_equal(f.fail.code, DT_E_ARGS);
	assert_non_null(strstr(f.fail.msg, "more than one review begins with "
	                                   "a;"));
	get(&f, "f", NULL, NULL);
	assert_int_equal(f.fail.code, DT_E_MISSING);
	assert_string_equal(f.fail.msg, "there is no review f in the history");
	end(&f);
}

test(what_can_be_no_id_is_refused)
{
	static const char too_long[] = ID_A "0";
	static const char *const wrong[] = { "",    "g",  "A0",
		                             "a0'", "a%", too_long };
	struct fixture f;

	begin(&f);
	put(&f, ID_A, "w", 1, DT_STR("new"));
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		get(&f, wrong[i], NULL, NULL);
		assert_int_equal(f.fail.code, DT_E_ARGS);
		assert_non_null(strstr(f.fail.msg, "is no review id"));
	}
	end(&f);
}

/* Every byte value, NUL and broken UTF-8 among them, a mebibyte of it. */
static struct dt_str noise(unsigned seed)
{
	char *bytes = dt_alloc(LARGE);

	for (size_t i = 0; i < LARGE; i++) {
		seed = seed * 1103515245u + 12345u;
		bytes[i] = (char)(seed >> 16);
	}
	return (struct dt_str){ bytes, LARGE };
}

static void expect_text(struct dt_str found, struct dt_str wanted)
{
	assert_int_equal(found.ptr == NULL, wanted.ptr == NULL);
	assert_int_equal(found.len, wanted.len);
	if (wanted.len)
		assert_memory_equal(found.ptr, wanted.ptr, wanted.len);
}

static void check_whole(const struct dt_review_record *review, const void *with)
{
	const struct dt_entry_record *wanted = with;

	assert_string_equal(review->id, ID_A);
	assert_string_equal(review->workspace, "w");
	assert_string_equal(review->session, "s");
	assert_string_equal(review->agent, "Claude Code");
	assert_string_equal(review->title, "a.c \xe2\x9c\xbb");
	assert_null(review->reason);
	assert_int_equal(review->state, DT_REVIEW_ACCEPTED);
	assert_int_equal(review->opened_ms, 1700000000123);
	assert_int_equal(review->decided_ms, 1700000000456);
	assert_string_equal(review->comment, "fine");
	assert_string_equal(review->decided_by, "ann");
	assert_string_equal(review->surface, "terminal");
	assert_int_equal(review->entry_count, 4);
	for (size_t i = 0; i < 4; i++) {
		const struct dt_entry_record *entry = &review->entries[i];

		assert_int_equal(entry->kind, wanted[i].kind);
		assert_string_equal(entry->path, wanted[i].path);
		assert_int_equal(entry->accepted, wanted[i].accepted);
		expect_text(entry->old_text, wanted[i].old_text);
		expect_text(entry->proposed_text, wanted[i].proposed_text);
		expect_text(entry->final_text, wanted[i].final_text);
	}
	assert_string_equal(review->entries[1].base_digest, "d1");
	assert_string_equal(review->entries[3].new_path, "/w/\xff");
	assert_null(review->entries[0].new_path);
}

test(a_review_comes_back_byte_for_byte)
{
	struct dt_str old = noise(1);
	struct dt_str proposed = noise(2);
	struct dt_str final = noise(3);
	const struct dt_entry_record entries[] = {
		{ .kind = DT_ENTRY_CREATE,
		  .path = "/w/new",
		  .proposed_text = DT_STR(""),
		  .accepted = true,
		  .final_text = DT_STR("") },
		{ .kind = DT_ENTRY_CHANGE,
		  .path = "/w/large",
		  .base_digest = "d1",
		  .old_text = old,
		  .proposed_text = proposed,
		  .accepted = true,
		  .final_text = final },
		{ .kind = DT_ENTRY_DELETE,
		  .path = "/w/gone",
		  .old_text = DT_STR("\0"),
		  .accepted = true },
		{ .kind = DT_ENTRY_RENAME,
		  .path = "/w/a",
		  .new_path = "/w/\xff",
		  .old_text = DT_STR("x"),
		  .proposed_text = DT_STR("x\r\n"),
		  .final_text = DT_STR("half edited") },
	};
	const struct dt_outcome_record outcomes[] = {
		{ .accepted = true, .final_text = DT_STR("") },
		{ .accepted = true, .final_text = final },
		{ .accepted = true },
		{ .accepted = false, .final_text = DT_STR("half edited") },
	};
	const struct dt_review_record review = {
		.id = ID_A,
		.workspace = "w",
		.session = "s",
		.agent = "Claude Code",
		.title = "a.c \xe2\x9c\xbb",
		.opened_ms = 1700000000123,
		.entries = entries,
		.entry_count = 4,
	};
	const struct dt_verdict_record verdict = {
		.review = ID_A,
		.state = DT_REVIEW_ACCEPTED,
		.decided_ms = 1700000000456,
		.comment = "fine",
		.decided_by = "ann",
		.surface = "terminal",
		.outcomes = outcomes,
		.outcome_count = 4,
	};
	struct fixture f;

	begin(&f);
	dt_store_put_review(f.store, &review, on_done, &f);
	dt_store_put_verdict(f.store, &verdict, on_done, &f);
	settle(&f);
	assert_string_equal(f.fail.msg, "");
	close_store(&f);
	open_store(&f);
	get(&f, ID_A, check_whole, entries);
	assert_string_equal(f.fail.msg, "");
	f.closed = 0;
	end(&f);
	free((char *)old.ptr);
	free((char *)proposed.ptr);
	free((char *) final.ptr);
}

static void check_as_proposed(const struct dt_review_record *review,
                              const void *with)
{
	expect_text(review->entries[0].final_text, dt_str(with));
	assert_true(review->entries[0].accepted);
}

static void check_undecided(const struct dt_review_record *review,
                            const void *with)
{
	(void)with;
	assert_int_equal(review->decided_ms, 0);
	assert_false(review->entries[0].accepted);
	assert_null(review->entries[0].final_text.ptr);
}

test(the_final_text_is_told_only_once_there_is_one)
{
	struct fixture f;

	begin(&f);
	put(&f, ID_A, "w", 1, DT_STR("new"));
	get(&f, ID_A, check_undecided, NULL);
	decide(&f, ID_A, DT_REVIEW_ACCEPTED, 2, DT_STR("new"));
	get(&f, ID_A, check_as_proposed, "new");
	assert_string_equal(f.fail.msg, "");
	end(&f);
}

test(a_state_or_kind_we_do_not_know_is_an_error_and_no_crash)
{
	struct fixture f;

	begin(&f);
	put(&f, ID_A, "w", 1, DT_STR("new"));
	put(&f, ID_B, "w", 1, DT_STR("new"));
	tamper(f.path, "UPDATE review SET state = 40 WHERE id LIKE 'a0%'");
	get(&f, ID_A, NULL, NULL);
	assert_int_equal(f.fail.code, DT_E_STATE);
	expect_list(&f, (struct dt_review_filter){ 0 }, IDS(ID_B));
	decide(&f, ID_A, DT_REVIEW_REJECTED, 2, (struct dt_str){ 0 });
	assert_int_equal(f.fail.code, DT_E_STATE);
	tamper(f.path, "UPDATE review SET state = -1 WHERE id LIKE 'a0%'");
	decide(&f, ID_A, DT_REVIEW_REJECTED, 2, (struct dt_str){ 0 });
	assert_int_equal(f.fail.code, DT_E_STATE);
	tamper(f.path, "UPDATE entry SET kind = -1");
	get(&f, ID_B, NULL, NULL);
	assert_int_equal(f.fail.code, DT_E_STATE);
	assert_non_null(strstr(f.fail.msg, "a kind this Dovetail"));
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_history_lists_nothing),
		cmocka_unit_test(a_list_is_newest_first_and_filtered),
		cmocka_unit_test(
			of_two_opened_in_the_same_moment_the_later_comes_first),
		cmocka_unit_test(a_list_has_a_largest_length),
		cmocka_unit_test(
			a_review_is_found_by_any_beginning_no_other_shares),
		cmocka_unit_test(what_can_be_no_id_is_refused),
		cmocka_unit_test(a_review_comes_back_byte_for_byte),
		cmocka_unit_test(the_final_text_is_told_only_once_there_is_one),
		cmocka_unit_test(
			a_state_or_kind_we_do_not_know_is_an_error_and_no_crash),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
