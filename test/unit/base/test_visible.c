#include "unit.h"

#include "base/visible.h"

static void expect(struct dt_str text, enum dt_layout layout, const char *shown,
                   size_t count)
{
	struct dt_buf out;

	dt_buf_init(&out, 4096);
	assert_int_equal(dt_visible_add(&out, text, layout), count);
	assert_string_equal(dt_buf_z(&out), shown);
	assert_int_equal(dt_visible_count(text, layout), count);
	dt_buf_done(&out);
}

test(hidden_characters_are_spelled_out)
{
	static const struct {
		struct dt_str text;
		const char *shown;
	} cases[] = {
		{ DT_STR("\x1b[8m"), "<U+001B>[8m" },
		{ DT_STR("\xc2\x9b"), "<U+009B>" },
		{ DT_STR("\xe2\x80\xae"), "<U+202E>" }, /* right to left */
		{ DT_STR("\xe2\x81\xa6"), "<U+2066>" }, /* an isolate */
		{ DT_STR("\xe2\x80\x8b"), "<U+200B>" }, /* of no width */
		{ DT_STR("\xef\xbb\xbf"), "<U+FEFF>" },
		{ DT_STR("\xc2\xad"), "<U+00AD>" },
		{ DT_STR("\xc2\xa0"), "<U+00A0>" },
		{ DT_STR("\xe3\x85\xa4"), "<U+3164>" }, /* a name in code */
		{ DT_STR("\xe2\x80\xa8"), "<U+2028>" },
		{ DT_STR("\xf3\xa0\x81\x81"), "<U+E0041>" }, /* a tag */
		{ DT_STR("\xf3\xa0\x84\x81"), "<U+E0101>" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		expect(cases[i].text, DT_LAYOUT_FILE, cases[i].shown, 1);
}

test(what_a_person_sees_stays)
{
	static const char *const texts[] = {
		"plain", "gr\xc3\xbcn", "\xe4\xb8\xad\xe3\x80\x80\xe6\x96\x87",
		/* an umbrella with its colours */
		"\xe2\x98\x82\xef\xb8\x8f", "a < b > c", "<U+>", "<U+zz>", ""
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		expect(dt_str(texts[i]), DT_LAYOUT_NONE, texts[i], 0);
	expect(DT_STR("a\xef\xb8\x8f"), DT_LAYOUT_NONE, "a<U+FE0F>", 1);
}

test(layout_stays_where_it_is_asked_for)
{
	struct dt_str text = DT_STR("\ta\r\nb\rc\n");

	expect(text, DT_LAYOUT_FILE, "\ta\r\nb<U+000D>c\n", 1);
	expect(text, DT_LAYOUT_TABS, "\ta<U+000D><U+000A>b<U+000D>c<U+000A>",
	       4);
	expect(text, DT_LAYOUT_NONE,
	       "<U+0009>a<U+000D><U+000A>b<U+000D>c<U+000A>", 5);
}

test(no_two_texts_come_out_alike)
{
	expect(DT_STR("\xe2\x80\x8b"), DT_LAYOUT_NONE, "<U+200B>", 1);
	expect(DT_STR("<U+200B>"), DT_LAYOUT_NONE, "<U+003C>U+200B>", 0);
	expect(DT_STR("\xff"), DT_LAYOUT_NONE, "<0xFF>", 1);
	expect(DT_STR("<0xFF>"), DT_LAYOUT_NONE, "<U+003C>0xFF>", 0);
}

test(bytes_that_are_not_utf_8_are_spelled_out)
{
	expect(DT_STR("caf\xe9 \xe2\x82"), DT_LAYOUT_NONE,
	       "caf<0xE9> <0xE2><0x82>", 3);
	expect(DT_STR("\xc0\xaf\xed\xa0\x80"), DT_LAYOUT_NONE,
	       "<0xC0><0xAF><0xED><0xA0><0x80>", 5);
	expect(DT_STR("a\0b"), DT_LAYOUT_FILE, "a<U+0000>b", 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hidden_characters_are_spelled_out),
		cmocka_unit_test(what_a_person_sees_stays),
		cmocka_unit_test(layout_stays_where_it_is_asked_for),
		cmocka_unit_test(no_two_texts_come_out_alike),
		cmocka_unit_test(bytes_that_are_not_utf_8_are_spelled_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
