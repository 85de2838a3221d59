/* test/unit/store/test_sessions.c - twin of src/store/sessions.c */
#include "store/sessions.h"

#include "store/fixture.h"

/* What a list gave: "ID agent version connected disconnected|" for each, the id
 * cut to two digits. */
struct look {
	struct fixture *f;
	char text[512];
	size_t count;
};

static void on_list(struct dt_store *store,
                    const struct dt_session_record *sessions, size_t count,
                    const struct dt_fail *fail, void *owner)
{
	struct look *look = owner;
	size_t len = 0;

	on_done(store, fail, look->f);
	look->count = count;
	for (size_t i = 0; i < count; i++)
		len += (size_t)snprintf(
			look->text + len, sizeof(look->text) - len,
			"%.2s %s %s %lld %lld|", sessions[i].id,
			sessions[i].agent ? sessions[i].agent : "-",
			sessions[i].version ? sessions[i].version : "-",
			(long long)sessions[i].connected_ms,
			(long long)sessions[i].disconnected_ms);
}

static void expect_list(struct fixture *f, struct dt_session_filter filter,
                        const char *text)
{
	struct look look = { .f = f };

	dt_store_list_sessions(f->store, &filter, on_list, &look);
	settle(f);
	assert_string_equal(f->fail.msg, "");
	assert_string_equal(look.text, text);
}

static void put_session(struct fixture *f, const char *id, const char *agent,
                        int64_t connected_ms, int64_t disconnected_ms)
{
	struct dt_session_record session = {
		.id = id,
		.workspace = "w",
		.root = "/w",
		.agent = agent,
		.version = agent ? "1.2" : NULL,
		.connected_ms = connected_ms,
		.disconnected_ms = disconnected_ms,
	};

	dt_store_put_session(f->store, &session, on_done, f);
	settle(f);
	assert_string_equal(f->fail.msg, "");
}

#define ALL ((struct dt_session_filter){ 0 })

test(sessions_are_listed_the_latest_first)
{
	struct fixture f;

	begin(&f);
	expect_list(&f, ALL, "");
	put_session(&f, ID_A, "one", 10, 0);
	put_session(&f, ID_C, "three", 30, 0);
	put_session(&f, ID_B, "two", 20, 25);
	expect_list(&f, ALL,
	            "b0 three 1.2 30 0|a1 two 1.2 20 25|a0 one 1.2 10 0|");
	expect_list(&f, (struct dt_session_filter){ .limit = 1 },
	            "b0 three 1.2 30 0|");
	end(&f);
}

test(a_known_session_is_brought_up_to_date)
{
	struct fixture f;

	begin(&f);
	put_session(&f, ID_A, NULL, 10, 0);
	expect_list(&f, ALL, "a0 - - 10 0|");
	put_session(&f, ID_A, "one", 10, 0);
	put_session(&f, ID_A, "one", 10, 40);
	expect_list(&f, ALL, "a0 one 1.2 10 40|");
	end(&f);
}

test(since_counts_both_ends_of_a_session)
{
	struct fixture f;

	begin(&f);
	put_session(&f, ID_A, "one", 10, 50);
	put_session(&f, ID_B, "two", 20, 30);
	put_session(&f, ID_C, "three", 40, 0);
	expect_list(&f, (struct dt_session_filter){ .since_ms = 40 },
	            "b0 three 1.2 40 0|a0 one 1.2 10 50|");
	expect_list(&f, (struct dt_session_filter){ .since_ms = 51 }, "");
	end(&f);
}

test(sessions_of_a_run_that_was_cut_short_end_with_the_next)
{
	struct fixture f;

	begin(&f);
	put_session(&f, ID_A, "one", 10, 0);
	put_session(&f, ID_B, "two", 20, 30);
	dt_store_end_sessions(f.store, 99, on_done, &f);
	settle(&f);
	assert_string_equal(f.fail.msg, "");
	expect_list(&f, ALL, "a1 two 1.2 20 30|a0 one 1.2 10 99|");
	end(&f);
}

test(old_sessions_are_forgotten_but_not_open_ones)
{
	struct fixture f;

	begin(&f);
	put_session(&f, ID_A, "one", 10, 0);
	put_session(&f, ID_B, "two", 20, 30);
	put_session(&f, ID_C, "three", 20, 31);
	dt_store_prune(f.store, 31, on_done, &f);
	settle(&f);
	assert_string_equal(f.fail.msg, "");
	expect_list(&f, ALL, "b0 three 1.2 20 31|a0 one 1.2 10 0|");
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sessions_are_listed_the_latest_first),
		cmocka_unit_test(a_known_session_is_brought_up_to_date),
		cmocka_unit_test(since_counts_both_ends_of_a_session),
		cmocka_unit_test(
			sessions_of_a_run_that_was_cut_short_end_with_the_next),
		cmocka_unit_test(old_sessions_are_forgotten_but_not_open_ones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
