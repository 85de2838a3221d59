/* test/unit/store/test_activity_import.c - twin of src/store/activity_import.c */
#include "store/activity.h"

#include "store/fixture.h"

#define LINE(id, what)                                                         \
	"{\"id\":" id ",\"atMs\":20,\"kind\":\"call\",\"what\":\"" what        \
	"\",\"status\":\"done\",\"tookUs\":7}"

struct look {
	struct fixture *f;
	struct dt_activity_import result;
};

static void on_import(struct dt_store *store,
                      const struct dt_activity_import *result,
                      const struct dt_fail *fail, void *owner)
{
	struct look *look = owner;

	on_done(store, fail, look->f);
	look->result = *result;
}

static struct dt_activity_import import(struct fixture *f,
                                        const char *const *texts, size_t count)
{
	struct look look = { .f = f };
	struct dt_str lines[32];

	assert_true(count <= 32);
	for (size_t i = 0; i < count; i++)
		lines[i] = dt_str(texts[i]);
	dt_store_import_activity(f->store, lines, count, on_import, &look);
	settle(f);
	assert_string_equal(f->fail.msg, "");
	return look.result;
}

static struct dt_activity_import import_one(struct fixture *f, const char *text)
{
	return import(f, &text, 1);
}

test(lines_are_kept_with_their_numbers)
{
	static const char *const lines[] = { LINE("7", "a"), LINE("9", "b") };
	struct dt_activity_import result;
	struct fixture f;

	begin(&f);
	result = import(&f, lines, 2);
	assert_int_equal(result.taken, 2);
	assert_int_equal(result.known + result.bad, 0);
	assert_int_equal(
		query(f.path, "SELECT sum(id) FROM activity WHERE took_us = 7"),
		16);
	end(&f);
}

test(what_is_there_already_is_not_kept_twice)
{
	static const char *const lines[] = { LINE("7", "a"), LINE("7", "a"),
		                             LINE("8", "a") };
	struct dt_activity_import result;
	struct fixture f;

	begin(&f);
	result = import(&f, lines, 3);
	assert_int_equal(result.taken, 1);
	assert_int_equal(result.known, 2);
	end(&f);
}

/* A daemon that starts serves its folders within a millisecond. */
test(what_happened_at_once_is_not_the_same)
{
	static const char served[] =
		"{\"id\":%d,\"atMs\":20,\"kind\":\"workspace\","
		"\"what\":\"served\",\"workspace\":\"%s\","
		"\"message\":\"%s\"}";
	const char *lines[3];
	char texts[3][200];
	struct dt_activity_import result;
	struct fixture f;

	snprintf(texts[0], sizeof(texts[0]), served, 1, "w1", "/a");
	snprintf(texts[1], sizeof(texts[1]), served, 2, "w2", "/a");
	snprintf(texts[2], sizeof(texts[2]), served, 3, "w2", "/b");
	for (int i = 0; i < 3; i++)
		lines[i] = texts[i];
	begin(&f);
	result = import(&f, lines, 3);
	assert_int_equal(result.taken, 3);
	result = import(&f, lines, 3);
	assert_int_equal(result.taken, 0);
	assert_int_equal(result.known, 3);
	end(&f);
}

test(a_number_that_is_taken_becomes_another)
{
	struct fixture f;

	begin(&f);
	assert_int_equal(import_one(&f, LINE("7", "a")).taken, 1);
	assert_int_equal(import_one(&f, LINE("7", "b")).taken, 1);
	assert_int_equal(query(f.path, "SELECT id FROM activity"
	                               " WHERE what = 'b'"),
	                 8);
	end(&f);
}

test(bad_lines_are_counted_and_the_rest_is_kept)
{
	static const char *const lines[] = {
		LINE("1", "a"),
		"",
		"{",
		"[]",
		"null",
		"{\"id\":1}",
		LINE("0", "zero"),
		LINE("-3", "less"),
		LINE("\"4\"", "text"),
		LINE("9007199254740993", "large"),
		LINE("2", ""),
		"{\"id\":3,\"atMs\":0,\"kind\":\"daemon\",\"what\":\"x\"}",
		"{\"id\":3,\"atMs\":9999999999999,\"kind\":\"daemon\","
		"\"what\":\"x\"}",
		"{\"id\":3,\"atMs\":1,\"kind\":\"party\",\"what\":\"x\"}",
		"{\"id\":3,\"atMs\":1,\"kind\":\"call\",\"what\":\"x\"}",
		"{\"id\":3,\"atMs\":1,\"kind\":\"call\",\"what\":\"x\","
		"\"status\":\"done\",\"tookUs\":-1}",
		LINE("2", "b"),
	};
	size_t count = sizeof(lines) / sizeof(lines[0]);
	struct dt_activity_import result;
	struct fixture f;

	begin(&f);
	result = import(&f, lines, count);
	assert_int_equal(result.taken, 2);
	assert_int_equal(result.bad, count - 2);
	assert_int_equal(result.bad_line, 1);
	assert_true(result.why.msg[0]);
	assert_int_equal(query(f.path, "SELECT count(*) FROM activity"), 2);
	end(&f);
}

test(a_line_may_not_be_endless)
{
	char *line = dt_alloc(70000);
	struct fixture f;

	memset(line, ' ', 69999);
	begin(&f);
	assert_int_equal(import_one(&f, line).bad, 1);
	end(&f);
	free(line);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_kept_with_their_numbers),
		cmocka_unit_test(what_is_there_already_is_not_kept_twice),
		cmocka_unit_test(what_happened_at_once_is_not_the_same),
		cmocka_unit_test(a_number_that_is_taken_becomes_another),
		cmocka_unit_test(bad_lines_are_counted_and_the_rest_is_kept),
		cmocka_unit_test(a_line_may_not_be_endless),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
