#include "tool/mime.h"

#include "unit.h"

test(names_tell_the_type)
{
	assert_string_equal(dt_mime_of("/w/a.png", false), "image/png");
	assert_string_equal(dt_mime_of("/w/A.PNG", false), "image/png");
	assert_string_equal(dt_mime_of("/w/a.json", true), "application/json");
	assert_string_equal(dt_mime_of("/w/README.md", true), "text/markdown");
	assert_string_equal(dt_mime_of("/w.png/a", true), "text/plain");
}

test(other_names_leave_it_to_the_bytes)
{
	assert_string_equal(dt_mime_of("/w/a.c", true), "text/plain");
	assert_string_equal(dt_mime_of("/w/Makefile", true), "text/plain");
	assert_string_equal(dt_mime_of("/w/a.bin", false),
	                    "application/octet-stream");
	assert_string_equal(dt_mime_of("/w/.png", true), "image/png");
}

test(text_is_utf8_without_nul)
{
	assert_true(dt_mime_is_text(DT_STR("")));
	assert_true(dt_mime_is_text((struct dt_str){ 0 }));
	assert_true(dt_mime_is_text(DT_STR("\xc3\xa4\n")));
	assert_false(dt_mime_is_text(DT_STR("a\0b")));
	assert_false(dt_mime_is_text(DT_STR("\xff\xd8")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_tell_the_type),
		cmocka_unit_test(other_names_leave_it_to_the_bytes),
		cmocka_unit_test(text_is_utf8_without_nul),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
