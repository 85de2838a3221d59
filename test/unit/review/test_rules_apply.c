/* test/unit/review/test_rules_apply.c - rules asked about what is on disk. */
#include "review/rules.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/limits.h"
#include "base/tempdir.h"
#include "unit.h"

struct fixture {
	struct dt_documents docs;
	struct dt_arena arena;
	const char *dir; /* the workspace is its folder tests/w */
	struct dt_rules rules;
};

static const char *at(struct fixture *f, const char *name)
{
	return dt_arena_printf(&f->arena, "%s/%s", f->dir, name);
}

static void begin(struct fixture *f, void **state)
{
	const char *root;

	*f = (struct fixture){ .dir = *state };
	tempdir_mkdir(f->dir, "tests");
	tempdir_mkdir(f->dir, "tests/w");
	tempdir_mkdir(f->dir, "tests/w/migrations");
	tempdir_put(f->dir, "tests/w/a.c", "1\n2\n3\n");
	tempdir_put(f->dir, "tests/w/migrations/1.sql", "1\n");
	tempdir_put(f->dir, "outside", "far\n");
	tempdir_link(f->dir, "tests/w/m", "migrations");
	tempdir_link(f->dir, "tests/w/away", "../..");
	root = at(f, "tests/w");
	dt_documents_init(&f->docs, &root, 1);
}

static void end(struct fixture *f)
{
	dt_rules_done(&f->rules);
	dt_documents_done(&f->docs);
	dt_arena_done(&f->arena);
}

static void add(struct fixture *f, enum dt_rule_action action, const char *text)
{
	struct dt_rule rule = { .action = action, .text = text, .file = "f" };

	assert_ok(dt_rules_add(&f->rules, &rule, NULL));
}

static enum dt_rule_action apply(struct fixture *f, struct dt_change *changes,
                                 size_t count)
{
	struct dt_items items = { changes, count };
	struct dt_changeset set;
	struct dt_ruling ruling;

	assert_ok(dt_changeset_init(&set, &items, &f->docs, NULL));
	ruling = dt_rules_apply(&f->rules, "claude-code", &f->docs, &set);
	dt_changeset_done(&set);
	return ruling.action;
}

static enum dt_rule_action apply_one(struct fixture *f, const char *name,
                                     const char *text)
{
	struct dt_change change = {
		.kind = DT_CHANGE_EDIT,
		.path = at(f, name),
		.text = dt_str(text),
	};

	return apply(f, &change, 1);
}

test(paths_are_relative_to_the_workspace)
{
	struct fixture f;

	begin(&f, state);
	add(&f, DT_RULE_DENY, "w/**");
	add(&f, DT_RULE_ASK, "kind:test");
	add(&f, DT_RULE_ALLOW, "*");
	assert_int_equal(apply_one(&f, "tests/w/a.c", "x"), DT_RULE_ALLOW);
	assert_int_equal(apply_one(&f, "tests/w/w/a.c", "x"), DT_RULE_DENY);
	assert_int_equal(apply_one(&f, "tests/w/test/a.c", "x"), DT_RULE_ASK);
	end(&f);
}

test(what_is_there_tells_create_from_change)
{
	struct fixture f;

	begin(&f, state);
	add(&f, DT_RULE_DENY, "kind:create");
	add(&f, DT_RULE_ALLOW, "kind:change");
	assert_int_equal(apply_one(&f, "tests/w/a.c", "x"), DT_RULE_ALLOW);
	assert_int_equal(apply_one(&f, "tests/w/b.c", "x"), DT_RULE_DENY);
	end(&f);
}

test(the_lines_of_all_files_are_counted_together)
{
	struct fixture f;
	struct dt_change changes[2] = {
		{ .kind = DT_CHANGE_EDIT, .text = DT_STR("1\nX\n3\n") },
		{ .kind = DT_CHANGE_EDIT, .text = DT_STR("1\n2\n") },
	};

	begin(&f, state);
	changes[0].path = at(&f, "tests/w/a.c");
	changes[1].path = at(&f, "tests/w/migrations/1.sql");
	add(&f, DT_RULE_DENY, "lines>=3");
	add(&f, DT_RULE_ALLOW, "*");
	assert_int_equal(apply(&f, changes, 1), DT_RULE_ALLOW);
	assert_int_equal(apply(&f, changes, 2), DT_RULE_DENY);
	end(&f);
}

test(the_strictest_answer_about_several_files_counts)
{
	struct fixture f;
	struct dt_change changes[2] = {
		{ .kind = DT_CHANGE_EDIT, .text = DT_STR("x") },
		{ .kind = DT_CHANGE_EDIT, .text = DT_STR("x") },
	};

	begin(&f, state);
	add(&f, DT_RULE_ASK, "*.sql");
	add(&f, DT_RULE_ALLOW, "*");
	for (int i = 0; i < 2; i++) {
		changes[i].path = at(&f, "tests/w/a.c");
		changes[!i].path = at(&f, "tests/w/migrations/1.sql");
		assert_int_equal(apply(&f, changes, 2), DT_RULE_ASK);
	}
	end(&f);
}

test(a_new_name_is_asked_about_as_well)
{
	struct fixture f;
	struct dt_change change = { .kind = DT_CHANGE_RENAME };

	begin(&f, state);
	add(&f, DT_RULE_DENY, "migrations/**");
	add(&f, DT_RULE_ALLOW, "kind:rename");
	change.path = at(&f, "tests/w/a.c");
	change.new_path = at(&f, "tests/w/b.c");
	assert_int_equal(apply(&f, &change, 1), DT_RULE_ALLOW);
	change.new_path = at(&f, "tests/w/migrations/b.c");
	assert_int_equal(apply(&f, &change, 1), DT_RULE_DENY);
	change.new_path = at(&f, "tests/w/m/b.c");
	assert_int_equal(apply(&f, &change, 1), DT_RULE_DENY);
	change.new_path = at(&f, "b.c");
	assert_int_equal(apply(&f, &change, 1), DT_RULE_ASK);
	end(&f);
}

test(another_way_to_a_file_is_no_way_around_a_rule)
{
	struct fixture f;

	begin(&f, state);
	add(&f, DT_RULE_DENY, "migrations/** | m/2.sql");
	add(&f, DT_RULE_ALLOW, "*");
	assert_int_equal(apply_one(&f, "tests/w/m/1.sql", "x"), DT_RULE_DENY);
	assert_int_equal(apply_one(&f, "tests/w/m/new.sql", "x"), DT_RULE_DENY);
	assert_int_equal(apply_one(&f, "tests/w/m/2.sql", "x"), DT_RULE_DENY);
	assert_int_equal(apply_one(&f, "tests/w/m/new/3.sql", "x"),
	                 DT_RULE_DENY);
	assert_int_equal(apply_one(&f, "tests/w/x/../migrations/1.sql", "x"),
	                 DT_RULE_DENY);
	end(&f);
}

test(what_is_outside_is_not_allowed_by_rules_for_the_workspace)
{
	struct fixture f;

	begin(&f, state);
	add(&f, DT_RULE_ALLOW, "*");
	assert_int_equal(apply_one(&f, "outside", "x"), DT_RULE_ASK);
	assert_int_equal(apply_one(&f, "new", "x"), DT_RULE_ASK);
	assert_int_equal(apply_one(&f, "tests/w/away/outside", "x"),
	                 DT_RULE_ASK);
	assert_int_equal(apply_one(&f, "tests/w/away/new", "x"), DT_RULE_ASK);
	assert_int_equal(apply_one(&f, "tests/w/../../new", "x"), DT_RULE_ASK);
	add(&f, DT_RULE_ALLOW, "kind:outside");
	assert_int_equal(apply_one(&f, "outside", "x"), DT_RULE_ALLOW);
	assert_int_equal(apply_one(&f, "tests/w/away/new", "x"), DT_RULE_ALLOW);
	end(&f);
}

/* The size of a change of a.c, found by halving. */
static uint32_t size_of(struct fixture *f, const char *before,
                        const char *after)
{
	struct dt_change change = { .kind = DT_CHANGE_EDIT,
		                    .path = at(f, "tests/w/a.c"),
		                    .text = dt_str(after) };
	uint32_t low = 0;
	uint32_t high = 10000000;

	tempdir_put(f->dir, "tests/w/a.c", before);
	while (low < high) {
		uint32_t middle = low + (high - low + 1) / 2;

		dt_rules_done(&f->rules);
		add(f, DT_RULE_DENY,
		    dt_arena_printf(&f->arena, "lines>=%u", middle));
		if (apply(f, &change, 1) == DT_RULE_DENY)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

test(lines_removed_and_lines_added_are_counted)
{
	struct fixture f;

	begin(&f, state);
	assert_int_equal(size_of(&f, "a\nb\nc\n", "a\nb\nc\n"), 0);
	assert_int_equal(size_of(&f, "a\nb\nc\n", "a\nB\nc\n"), 2);
	assert_int_equal(size_of(&f, "a\nb\nc\n", "a\nc\n"), 1);
	assert_int_equal(size_of(&f, "a\nb\nc\n", "c\nb\na\n"), 4);
	assert_int_equal(size_of(&f, "a\nb\nc\n", "x\na\nb\nc\ny\n"), 2);
	assert_int_equal(size_of(&f, "a\nb\n", "a\nb"), 2);
	assert_int_equal(size_of(&f, "a\r\nb\r\n", "a\nb\n"), 4);
	assert_int_equal(size_of(&f, "", "a\nb\nc"), 3);
	end(&f);
}

/* Lines that are all there and all elsewhere, in a change of many files. */
test(what_takes_too_long_counts_too_high_and_never_too_low)
{
	enum { FILES = 20, LINES = 50000 };
	struct dt_change changes[FILES];
	struct dt_buf forth;
	struct dt_buf back;
	struct fixture f;
	uint64_t began;

	begin(&f, state);
	dt_buf_init(&forth, DT_MIB);
	dt_buf_init(&back, DT_MIB);
	for (unsigned i = 0; i < LINES; i++) {
		dt_buf_addf(&forth, "%u\n", i * 7919 % LINES);
		dt_buf_addf(&back, "%u\n", i * 104729 % LINES);
	}
	for (size_t i = 0; i < FILES; i++) {
		const char *name = dt_arena_printf(&f.arena, "tests/w/%zu", i);

		tempdir_put(f.dir, name, dt_buf_z(&forth));
		changes[i] = (struct dt_change){ .kind = DT_CHANGE_EDIT,
			                         .path = at(&f, name),
			                         .text = dt_buf_str(&back) };
	}
	add(&f, DT_RULE_DENY, "lines>=1000000");
	began = dt_clock_ms();
	assert_int_equal(apply(&f, changes, FILES), DT_RULE_DENY);
	assert_true(dt_clock_ms() - began < 10000);
	dt_buf_done(&forth);
	dt_buf_done(&back);
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_tempdir(paths_are_relative_to_the_workspace),
		test_in_tempdir(what_is_there_tells_create_from_change),
		test_in_tempdir(the_lines_of_all_files_are_counted_together),
		test_in_tempdir(lines_removed_and_lines_added_are_counted),
		test_in_tempdir(
			what_takes_too_long_counts_too_high_and_never_too_low),
		test_in_tempdir(
			the_strictest_answer_about_several_files_counts),
		test_in_tempdir(a_new_name_is_asked_about_as_well),
		test_in_tempdir(another_way_to_a_file_is_no_way_around_a_rule),
		test_in_tempdir(
			what_is_outside_is_not_allowed_by_rules_for_the_workspace),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
