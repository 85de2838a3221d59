/* test/unit/store/test_activity.c - twin of src/store/activity.c */
#include "store/activity.h"

#include "store/fixture.h"

/* What a list gave: "ID kind what status|" for each. */
struct look {
	struct fixture *f;
	char text[1024];
	size_t count;
	int64_t last_id;
};

static void on_list(struct dt_store *store, const struct dt_activity_list *list,
                    const struct dt_fail *fail, void *owner)
{
	struct look *look = owner;
	size_t len = 0;

	on_done(store, fail, look->f);
	look->count = list->count;
	look->last_id = list->last_id;
	for (size_t i = 0; i < list->count; i++) {
		const struct dt_activity_record *r = &list->records[i];

		len += (size_t)snprintf(look->text + len,
		                        sizeof(look->text) - len,
		                        "%lld %s %s %s|", (long long)r->id,
		                        dt_activity_kinds[r->kind], r->what,
		                        r->status ? r->status : "-");
	}
}

static struct look list(struct fixture *f, struct dt_activity_filter filter)
{
	struct look look = { .f = f };

	dt_store_list_activity(f->store, &filter, on_list, &look);
	settle(f);
	assert_string_equal(f->fail.msg, "");
	return look;
}

static int64_t put_id;

static void on_put(struct dt_store *store, int64_t last_id,
                   const struct dt_fail *fail, void *owner)
{
	on_done(store, fail, owner);
	put_id = last_id;
}

static void put_all(struct fixture *f, const struct dt_activity_record *records,
                    size_t count)
{
	dt_store_put_activity(f->store, records, count, on_put, f);
	settle(f);
	assert_string_equal(f->fail.msg, "");
}

static void put_some(struct fixture *f)
{
	const struct dt_activity_record records[] = {
		{ .at_ms = 10, .kind = DT_ACTIVITY_DAEMON, .what = "started" },
		{ .at_ms = 20,
		  .kind = DT_ACTIVITY_CALL,
		  .what = "a",
		  .status = "done",
		  .workspace = "w",
		  .session = ID_A,
		  .agent = "x",
		  .took_us = 5,
		  .message = "m" },
		{ .at_ms = 30,
		  .kind = DT_ACTIVITY_CALL,
		  .what = "b",
		  .status = "failed",
		  .workspace = "v",
		  .session = ID_C },
		{ .at_ms = 40,
		  .kind = DT_ACTIVITY_CALL,
		  .what = "a",
		  .status = "late",
		  .workspace = "w",
		  .session = ID_B },
	};

	put_all(f, records, 4);
}

#define FILTER(...) ((struct dt_activity_filter){ __VA_ARGS__ })

test(everything_has_one_growing_number)
{
	struct fixture f;

	begin(&f);
	assert_int_equal(list(&f, FILTER(.limit = 0)).last_id, 0);
	put_some(&f);
	assert_int_equal(put_id, 4);
	assert_string_equal(list(&f, FILTER(.limit = 0)).text,
	                    "1 daemon started -|2 call a done|3 call b failed|"
	                    "4 call a late|");
	assert_int_equal(list(&f, FILTER(.limit = 1)).last_id, 4);
	end(&f);
}

test(a_filter_is_all_of_its_parts)
{
	struct fixture f;

	begin(&f);
	put_some(&f);
	assert_string_equal(list(&f, FILTER(.after_id = 3)).text,
	                    "4 call a late|");
	assert_string_equal(
		list(&f, FILTER(.what = "a", .status = "done")).text,
		"2 call a done|");
	assert_string_equal(
		list(&f, FILTER(.kinds = 1u << DT_ACTIVITY_DAEMON)).text,
		"1 daemon started -|");
	assert_string_equal(list(&f, FILTER(.session = "a1")).text,
	                    "4 call a late|");
	assert_string_equal(list(&f, FILTER(.without = "a")).text,
	                    "1 daemon started -|3 call b failed|");
	/* What is no workspace's is everybody's. */
	assert_string_equal(list(&f, FILTER(.workspace = "v")).text,
	                    "1 daemon started -|3 call b failed|");
	end(&f);
}

test(the_first_or_the_last_ones_in_the_same_order)
{
	struct fixture f;

	begin(&f);
	put_some(&f);
	assert_string_equal(list(&f, FILTER(.limit = 2)).text,
	                    "1 daemon started -|2 call a done|");
	assert_string_equal(
		list(&f, FILTER(.limit = 2, .is_latest = true)).text,
		"3 call b failed|4 call a late|");
	end(&f);
}

static void check_whole(struct dt_store *store,
                        const struct dt_activity_list *all,
                        const struct dt_fail *fail, void *owner)
{
	const struct dt_activity_record *r = &all->records[1];

	on_done(store, fail, owner);
	assert_int_equal(r->at_ms, 20);
	assert_string_equal(r->workspace, "w");
	assert_string_equal(r->session, ID_A);
	assert_string_equal(r->agent, "x");
	assert_int_equal(r->took_us, 5);
	assert_string_equal(r->message, "m");
	assert_null(all->records[0].session);
}

test(a_record_comes_back_as_it_was)
{
	struct dt_activity_filter filter = { 0 };
	struct fixture f;

	begin(&f);
	put_some(&f);
	dt_store_list_activity(f.store, &filter, check_whole, &f);
	settle(&f);
	assert_string_equal(f.fail.msg, "");
	end(&f);
}

static void prune(struct fixture *f, int64_t before_ms, size_t keep)
{
	dt_store_prune_activity(f->store, before_ms, keep, on_done, f);
	settle(f);
	assert_string_equal(f->fail.msg, "");
}

test(what_is_old_is_forgotten)
{
	struct fixture f;

	begin(&f);
	put_some(&f);
	prune(&f, 30, 100);
	assert_string_equal(list(&f, FILTER(.limit = 0)).text,
	                    "3 call b failed|4 call a late|");
	end(&f);
}

test(of_calls_the_last_so_many_are_kept)
{
	struct fixture f;

	begin(&f);
	put_some(&f);
	prune(&f, 0, 3);
	assert_int_equal(list(&f, FILTER(.limit = 0)).count, 4);
	prune(&f, 0, 1);
	assert_string_equal(list(&f, FILTER(.limit = 0)).text,
	                    "4 call a late|");
	end(&f);
}

test(a_number_is_never_given_twice)
{
	struct fixture f;

	begin(&f);
	put_some(&f);
	prune(&f, 1000, 100);
	assert_int_equal(list(&f, FILTER(.limit = 0)).count, 0);
	assert_int_equal(list(&f, FILTER(.limit = 0)).last_id, 4);
	close_store(&f);
	open_store(&f);
	put_some(&f);
	assert_int_equal(put_id, 8);
	close_store(&f);
	remove_dir(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_has_one_growing_number),
		cmocka_unit_test(a_filter_is_all_of_its_parts),
		cmocka_unit_test(the_first_or_the_last_ones_in_the_same_order),
		cmocka_unit_test(a_record_comes_back_as_it_was),
		cmocka_unit_test(what_is_old_is_forgotten),
		cmocka_unit_test(of_calls_the_last_so_many_are_kept),
		cmocka_unit_test(a_number_is_never_given_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
