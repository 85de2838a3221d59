/* test/unit/backend/test_code_place.c - positions a little off. */
#include "backend/code_place.h"

#include "unit.h"

#define TEXT                                                                   \
	"int größe(int a);\n"                                                \
	"\n"                                                                   \
	"\tint b = größe (1) + \xf0\x9f\x98\x80 ab;\n"                       \
	"b = ab+a;\n"

struct settled {
	struct dt_code_place place;
	struct dt_code_moved moved;
	struct dt_arena arena;
	struct dt_fail fail;
	enum dt_err err;
};

typedef enum dt_err settle_fn(struct dt_arena *arena, struct dt_str text,
                              struct dt_code_place *place,
                              struct dt_code_moved *moved,
                              struct dt_fail *fail);

static struct settled settle_by(settle_fn *fn, const char *text, uint32_t line,
                                uint32_t character, const char *symbol)
{
	struct settled s = {
		.place = { .at = { line, character }, .symbol = symbol },
	};

	s.err = fn(&s.arena, dt_str(text), &s.place, &s.moved, &s.fail);
	return s;
}

static struct settled settle(uint32_t line, uint32_t character,
                             const char *symbol)
{
	return settle_by(dt_code_settle, TEXT, line, character, symbol);
}

static void assert_at(struct settled s, uint32_t line, uint32_t character,
                      const char *note)
{
	assert_string_equal(s.fail.msg, "");
	assert_int_equal(s.place.at.line, line);
	assert_int_equal(s.place.at.character, character);
	if (note) {
		assert_non_null(s.moved.note);
		assert_non_null(strstr(s.moved.note, note));
		assert_int_equal(s.moved.at.line, line);
		assert_int_equal(s.moved.at.character, character);
	} else {
		assert_null(s.moved.note);
	}
	dt_arena_done(&s.arena);
}

static void assert_failed(struct settled s, enum dt_err err, const char *msg)
{
	assert_int_equal(s.err, err);
	assert_string_equal(s.fail.msg, msg);
	dt_arena_done(&s.arena);
}

test(a_word_stays_where_it_is)
{
	assert_at(settle(0, 4, NULL), 0, 4, NULL);
	assert_at(settle(0, 7, NULL), 0, 7, NULL);
	/* Marks are not moved either: an operator has a definition too. */
	assert_at(settle(3, 6, NULL), 3, 6, NULL);
	assert_at(settle(0, 9, NULL), 0, 9, NULL);
}

test(a_blank_is_the_word_before_it_or_behind_it)
{
	assert_at(settle(2, 14, NULL), 2, 9, "before");
	assert_at(settle(2, 0, NULL), 2, 1, "behind");
	assert_at(settle(2, 8, NULL), 2, 9, "behind");
	assert_at(settle(2, 23, NULL), 2, 21, "before");
	/* Behind the end of the line. */
	assert_at(settle(0, 99, NULL), 0, 17, NULL);
	assert_at(settle(1, 0, NULL), 1, 0, NULL);
}

test(the_symbol_that_is_there_is_not_moved)
{
	assert_at(settle(0, 4, "größe"), 0, 4, NULL);
	assert_at(settle(0, 8, "größe"), 0, 8, NULL);
	assert_at(settle(0, 9, "größe"), 0, 9, NULL);
	assert_at(settle(3, 4, "ab"), 3, 4, NULL);
}

test(the_nearest_symbol_of_the_name_is_taken)
{
	assert_at(settle(1, 0, "größe"), 2, 9, "größe is not at the place");
	assert_at(settle(2, 30, "ab"), 2, 24, "nearest");
	assert_at(settle(3, 0, "ab"), 3, 4, "nearest");
	/* Not a part of another word. */
	assert_at(settle(3, 4, "a"), 3, 7, "nearest");
	/* Behind the end of the file. */
	assert_at(settle(UINT32_MAX, 0, "ab"), 3, 4, "nearest");
}

test(of_a_qualified_name_the_last_part_counts)
{
	assert_at(settle(0, 0, "x::größe"), 0, 4, "nearest");
	assert_at(settle(3, 0, "this.ab"), 3, 4, "nearest");
	assert_at(settle(3, 0, "p->ab"), 3, 4, "nearest");
	assert_at(settle(3, 0, "+"), 3, 6, "nearest");
}

test(a_symbol_far_away_is_named_with_its_line)
{
	char text[64] = "far\n";

	memset(text + 4, '\n', 20);
	assert_failed(settle_by(dt_code_settle, text, 20, 0, "far"),
	              DT_E_MISSING,
	              "far is not within 10 lines of line 21; the nearest one "
	              "is on line 1");
	assert_at(settle_by(dt_code_settle, text, 10, 0, "far"), 0, 0,
	          "nearest");
	assert_failed(settle_by(dt_code_settle, text, 0, 0, "fa"), DT_E_MISSING,
	              "fa is nowhere in this file");
	assert_failed(settle_by(dt_code_settle, "", 0, 0, "a"), DT_E_MISSING,
	              "a is nowhere in this file");
}

test(a_line_that_is_not_there_is_refused)
{
	assert_failed(settle(5, 0, NULL), DT_E_ARGS,
	              "there is no line 6: the file has 5");
}

test(a_call_is_asked_about_inside_its_parentheses)
{
	assert_at(settle_by(dt_code_settle_call, TEXT, 2, 9, NULL), 2, 16,
	          "inside");
	assert_at(settle_by(dt_code_settle_call, TEXT, 3, 0, "größe"), 2, 16,
	          "inside");
	/* Neither a blank nor a name that is not called. */
	assert_at(settle_by(dt_code_settle_call, TEXT, 2, 0, NULL), 2, 0, NULL);
	assert_at(settle_by(dt_code_settle_call, TEXT, 3, 4, NULL), 3, 4, NULL);
	assert_failed(settle_by(dt_code_settle_call, TEXT, 9, 0, NULL),
	              DT_E_ARGS, "there is no line 10: the file has 5");
}

static struct settled settle_known(enum dt_code_known known, uint32_t line,
                                   const char *symbol)
{
	struct settled s = {
		.place = { .at = { line, 0 },
		           .symbol = symbol,
		           .known = (int)known },
	};

	s.err = dt_code_settle(&s.arena, dt_str(TEXT), &s.place, &s.moved,
	                       &s.fail);
	return s;
}

test(without_a_column_a_symbol_is_anywhere_on_its_line)
{
	assert_at(settle_known(DT_CODE_ON_LINE, 2, "ab"), 2, 24, NULL);
	assert_at(settle_known(DT_CODE_ON_LINE, 3, "größe"), 2, 9,
	          "not at the place");
	assert_at(settle_known(DT_CODE_ON_LINE, 2, NULL), 2, 1,
	          "the first word of the line");
}

test(without_a_line_a_symbol_is_anywhere_in_the_file)
{
	assert_at(settle_known(DT_CODE_IN_FILE, 0, "ab"), 2, 24,
	          "the first one in the file");
	assert_failed(settle_known(DT_CODE_IN_FILE, 0, "abc"), DT_E_MISSING,
	              "abc is nowhere in this file");
}

/* `$` is where the caller stands, `^` the last letter of what is called. */
test(what_is_called_is_found_before_its_parenthesis)
{
	static const char *const cases[] = {
		"f^($)",
		"a.f^(1, $2)",
		"f^ ( g(1, x), [2], $ )",
		"new F^($)",
		"f^<int>($)",
		"f^<a<b>, c>(1$)",
		"f^?.($)",
		"f^!($)",
		"f^::<T>($)",
		"f(g^($), 2)",
		"f^(g(1),\n  $2)",
		"f^($g(1))",
		"f^({a: [(1)]}, $)",
		"p^->($)",
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct dt_position at = { 0 };
		struct dt_position expected = { 0 };
		struct dt_position here = { 0 };
		struct dt_position got;
		char text[64];
		size_t len = 0;

		for (const char *c = cases[i]; *c; c++) {
			if (*c == '$') {
				at = here;
			} else if (*c == '^') {
				expected = here;
				expected.character--;
			} else {
				text[len++] = *c;
				here.character++;
				if (*c == '\n')
					here = (struct dt_position){
						here.line + 1, 0
					};
			}
		}
		got = dt_code_callee((struct dt_str){ text, len }, at);
		if (got.line != expected.line ||
		    got.character != expected.character)
			fail_msg("%s: %u:%u", cases[i], got.line,
			         got.character);
	}
}

test(without_a_call_the_place_is_left_alone)
{
	struct dt_position at = { 0, 3 };

	assert_int_equal(dt_code_callee(DT_STR("a + b"), at).character, 3);
	assert_int_equal(dt_code_callee(DT_STR("f() + b"), at).character, 3);
	assert_int_equal(dt_code_callee(DT_STR(""), at).character, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_word_stays_where_it_is),
		cmocka_unit_test(a_blank_is_the_word_before_it_or_behind_it),
		cmocka_unit_test(the_symbol_that_is_there_is_not_moved),
		cmocka_unit_test(the_nearest_symbol_of_the_name_is_taken),
		cmocka_unit_test(of_a_qualified_name_the_last_part_counts),
		cmocka_unit_test(a_symbol_far_away_is_named_with_its_line),
		cmocka_unit_test(a_line_that_is_not_there_is_refused),
		cmocka_unit_test(a_call_is_asked_about_inside_its_parentheses),
		cmocka_unit_test(
			without_a_column_a_symbol_is_anywhere_on_its_line),
		cmocka_unit_test(
			without_a_line_a_symbol_is_anywhere_in_the_file),
		cmocka_unit_test(
			what_is_called_is_found_before_its_parenthesis),
		cmocka_unit_test(without_a_call_the_place_is_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
