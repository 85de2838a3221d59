/* Paths as text, as links, as URIs. */
#include "unit.h"

#include "base/path.h"
#include "tempdir.h"

static struct dt_arena arena;

static int release(void **state)
{
	(void)state;
	dt_arena_done(&arena);
	return 0;
}

test(join_makes_absolute_and_normal)
{
	/* clang-format off */
	static const struct { const char *dir, *path, *expected; } cases[] = {
		{ "/a/b", "c", "/a/b/c" },
		{ "/a/b", "/c", "/c" },
		{ "/a/b", "", "/a/b" },
		{ "/a/b", ".", "/a/b" },
		{ "/a/b", "..", "/a" },
		{ "/a/b", "../..", "/" },
		{ "/a/b", "../../../..", "/" },
		{ "/a/b", "../../../x", "/x" },
		{ "/a/b", "./c//d/", "/a/b/c/d" },
		{ "/a/b", "c/../d/./e", "/a/b/d/e" },
		{ "/a/b", "...", "/a/b/..." },
		{ "/a/b", ".c/..d", "/a/b/.c/..d" },
		{ "/a//b/../c/", "d", "/a/c/d" },
		{ "/", "x", "/x" },
		{ "/", "", "/" },
		{ "/a", "//x///y//", "/x/y" },
		{ "/a", "/", "/" },
		{ "/a", "/..", "/" },
		{ "/a", "b c\n\xc3\xa9", "/a/b c\n\xc3\xa9" },
	};
	/* clang-format on */

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(
			dt_path_join(&arena, cases[i].dir, cases[i].path),
			cases[i].expected);
}

test(beneath_goes_by_whole_parts)
{
	assert_true(dt_path_is_beneath("/a/b", "/a"));
	assert_true(dt_path_is_beneath("/a", "/a"));
	assert_true(dt_path_is_beneath("/a", "/"));
	assert_true(dt_path_is_beneath("/", "/"));
	assert_false(dt_path_is_beneath("/ab", "/a"));
	assert_false(dt_path_is_beneath("/a", "/a/b"));
	assert_false(dt_path_is_beneath("/", "/a"));
	assert_false(dt_path_is_beneath("/b/a", "/a"));
}

test(base_is_what_follows_the_last_slash)
{
	assert_string_equal(dt_path_base("/a/b.c"), "b.c");
	assert_string_equal(dt_path_base("b.c"), "b.c");
	assert_string_equal(dt_path_base("/b"), "b");
	assert_string_equal(dt_path_base("/"), "/");
	assert_string_equal(dt_path_base("/a/"), "");
	assert_string_equal(dt_path_base(""), "");
	assert_true(dt_path_is_absolute("/x"));
	assert_false(dt_path_is_absolute("x/"));
	assert_false(dt_path_is_absolute(""));
}

/* Resolve `name` below the folder; the answer relative to it as well. */
static const char *real(const char *dir, const char *name)
{
	struct dt_fail fail = { 0 };
	const char *out = NULL;
	const char *path = dt_arena_printf(&arena, "%s/%s", dir, name);
	enum dt_err err = dt_path_real(&arena, path, &out, &fail);

	if (err) {
		assert_null(out);
		assert_int_equal(fail.code, err);
		return dt_err_name(err);
	}
	assert_non_null(out);
	assert_true(dt_path_is_beneath(out, dir));
	return out + strlen(dir);
}

test(real_resolves_links_and_lets_the_last_part_be_missing)
{
	const char *dir = *state;

	tempdir_mkdir(dir, "sub");
	tempdir_put(dir, "sub/file", "x");
	tempdir_link(dir, "to_sub", "sub");
	tempdir_link(dir, "sub/to_file", "file");
	assert_string_equal(real(dir, "sub/file"), "/sub/file");
	assert_string_equal(real(dir, "to_sub/to_file"), "/sub/file");
	assert_string_equal(real(dir, "to_sub/new"), "/sub/new");
	assert_string_equal(real(dir, "to_sub/../new"), "/new");
	assert_string_equal(real(dir, "to_sub"), "/sub");
	assert_string_equal(real(dir, "."), "");
	assert_string_equal(real(dir, "none/new"), "MISSING");
	assert_string_equal(real(dir, "none/.."), "MISSING");
	assert_string_equal(real(dir, "sub/file/new"), "MISSING");
}

test(real_follows_a_link_that_leads_to_nothing)
{
	const char *dir = *state;

	tempdir_mkdir(dir, "sub");
	tempdir_link(dir, "dangling", "sub/new");
	tempdir_link(dir, "twice", "dangling");
	tempdir_link(dir, "nowhere", "none/new");
	tempdir_link(dir, "up", "sub/../sub/other");
	tempdir_link(dir, "slash", "sub/new//");
	tempdir_link(dir, "loop", "loop");
	assert_string_equal(real(dir, "dangling"), "/sub/new");
	assert_string_equal(real(dir, "twice"), "/sub/new");
	assert_string_equal(real(dir, "up"), "/sub/other");
	assert_string_equal(real(dir, "slash"), "/sub/new");
	assert_string_equal(real(dir, "nowhere"), "MISSING");
	assert_string_equal(real(dir, "loop"), "SYS");
}

/* Every name a path goes by, each without the folder, blanks between. */
static const char *names(const char *dir, const char *name)
{
	const char *path = dt_arena_printf(&arena, "%s/%s", dir, name);
	const char *all = "";

	for (int i = 0; path && i < 5; i++) {
		const char *normal = dt_path_join(&arena, "/", path);

		all = dt_arena_printf(&arena, "%s %s", all,
		                      normal + strlen(dir) + 1);
		path = dt_path_follow(&arena, path);
	}
	return all + 1;
}

test(follow_goes_from_name_to_name_one_link_at_a_time)
{
	const char *dir = *state;

	tempdir_mkdir(dir, "sub");
	tempdir_mkdir(dir, "sub/deep");
	tempdir_put(dir, "sub/file", "");
	tempdir_put(dir, "file", "");
	tempdir_link(dir, "to_file", "sub/file");
	tempdir_link(dir, "twice", "to_file");
	tempdir_link(dir, "to_deep", "sub/deep");
	tempdir_link(dir, "absolute", dt_arena_printf(&arena, "%s/sub", dir));
	tempdir_link(dir, "dangling", "none/new");
	tempdir_link(dir, "loop", "loop");
	assert_string_equal(names(dir, "sub/file"), "sub/file");
	assert_string_equal(names(dir, "none/x"), "none/x");
	assert_string_equal(names(dir, "./sub//file"), "sub/file");
	assert_string_equal(names(dir, "to_file"), "to_file sub/file");
	assert_string_equal(names(dir, "twice"), "twice to_file sub/file");
	assert_string_equal(names(dir, "absolute/file"),
	                    "absolute/file sub/file");
	assert_string_equal(names(dir, "dangling"), "dangling none/new");
	/* As text it is one file, for the kernel another. */
	assert_string_equal(names(dir, "to_deep/../file"), "file sub/file");
	assert_string_equal(names(dir, "loop"), "loop loop loop loop loop");
}

test(real_sees_where_an_absolute_dangling_link_leads)
{
	const char *dir = *state;
	const char *out = NULL;

	tempdir_link(dir, "out", "/tmp/dovetail-no-such-file");
	assert_ok(dt_path_real(&arena, dt_arena_printf(&arena, "%s/out", dir),
	                       &out, NULL));
	assert_string_equal(dt_path_base(out), "dovetail-no-such-file");
	assert_false(dt_path_is_beneath(out, dir));
}

test(real_takes_relative_and_empty_paths)
{
	const char *out = NULL;

	assert_ok(dt_path_real(&arena, ".", &out, NULL));
	assert_true(dt_path_is_absolute(out));
	assert_ok(dt_path_real(&arena, "no-such-file-here", &out, NULL));
	assert_true(dt_path_is_absolute(out));
	assert_string_equal(dt_path_base(out), "no-such-file-here");
	assert_ok(dt_path_real(&arena, "/", &out, NULL));
	assert_string_equal(out, "/");
	assert_int_equal(dt_path_real(&arena, "", &out, NULL), DT_E_MISSING);
}

test(a_folder_that_is_missing_may_end_in_a_slash)
{
	const char *dir = *state;

	assert_string_equal(real(dir, "new/"), "/new");
	assert_string_equal(real(dir, "new///"), "/new");
}

test(uris_escape_what_rfc_3986_wants_escaped)
{
	assert_string_equal(dt_path_to_uri(&arena, "/a/b-c_d.e~f"),
	                    "file:///a/b-c_d.e~f");
	assert_string_equal(dt_path_to_uri(&arena, "/a b/100%#?[x]\\\""),
	                    "file:///a%20b/100%25%23%3F%5Bx%5D%5C%22");
	assert_string_equal(dt_path_to_uri(&arena, "/\xc3\xa9\x01\x7f\xff"),
	                    "file:///%C3%A9%01%7F%FF");
	assert_string_equal(dt_path_to_uri(&arena, "/a:b@c!$&'()*+,;="),
	                    "file:///a:b@c!$&'()*+,;=");
	assert_string_equal(dt_path_to_uri(&arena, "/"), "file:///");
}

static const char *from(const char *uri)
{
	const char *out = NULL;
	enum dt_err err = dt_path_from_uri(&arena, uri, &out, NULL);

	return err ? dt_err_name(err) : out;
}

test(every_byte_survives_the_way_there_and_back)
{
	char path[257] = "/";

	for (int i = 1; i < 256; i++)
		path[i] = (char)i;
	assert_string_equal(from(dt_path_to_uri(&arena, path)), path);
}

test(uris_come_in_several_forms)
{
	assert_string_equal(from("file:///a%20b"), "/a b");
	assert_string_equal(from("file:///%c3%A9"), "/\xc3\xa9");
	assert_string_equal(from("file://localhost/a"), "/a");
	assert_string_equal(from("FILE:///a"), "/a");
	assert_string_equal(from("file:/a"), "/a");
	assert_string_equal(from("/plain/%20/path"), "/plain/%20/path");
	assert_string_equal(from("file:///no/raw space"), "/no/raw space");
}

test(what_is_no_escape_is_kept)
{
	assert_string_equal(from("file:///no/100%"), "/no/100%");
	assert_string_equal(from("file:///no/100%2"), "/no/100%2");
	assert_string_equal(from("file:///no/%zz%4g"), "/no/%zz%4g");
	assert_string_equal(from("file:///no/%%41"), "/no/%A");
}

test(what_is_no_file_is_refused)
{
	assert_string_equal(from("http:///a"), "ARGS");
	assert_string_equal(from("file://host/a"), "ARGS");
	assert_string_equal(from("file://"), "ARGS");
	assert_string_equal(from("file:a"), "ARGS");
	assert_string_equal(from("file"), "ARGS");
	assert_string_equal(from("untitled:Untitled-1"), "ARGS");
	assert_string_equal(from("relative/path"), "ARGS");
	assert_string_equal(from(""), "ARGS");
	assert_string_equal(from("file:///a%00b"), "ARGS");
}

test(a_uri_whose_raw_form_exists_means_that_file)
{
	const char *dir = *state;
	const char *uri = dt_arena_printf(&arena, "file://%s/a%%20b", dir);

	assert_string_equal(from(uri), dt_arena_printf(&arena, "%s/a b", dir));
	tempdir_put(dir, "a%20b", "x");
	assert_string_equal(from(uri),
	                    dt_arena_printf(&arena, "%s/a%%20b", dir));
}

static void assert_lead(const char *dir, const char *path, const char *expected)
{
	assert_string_equal(dt_path_lead(&arena, dir, path),
	                    dt_arena_printf(&arena, "%s%s", dir, expected));
}

test(lead_goes_where_the_system_goes)
{
	const char *dir = *state;

	tempdir_mkdir(dir, "a");
	tempdir_mkdir(dir, "a/b");
	tempdir_link(dir, "link", "a/b");
	tempdir_link(dir, "gone", "no/where");
	tempdir_link(dir, "loop", "loop");
	assert_lead(dir, "a/b", "/a/b");
	assert_lead(dir, "link/x", "/a/b/x");
	assert_lead(dir, "link/new/x", "/a/b/new/x");
	/* As text it would be "x". */
	assert_lead(dir, "link/../x", "/a/x");
	assert_lead(dir, "gone/x", "/no/where/x");
	assert_lead(dir, "new/link", "/new/link");
	assert_string_equal(dt_path_lead(&arena, dir, "/"), "/");
	assert_null(dt_path_lead(&arena, dir, "loop/x"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(join_makes_absolute_and_normal),
		cmocka_unit_test(beneath_goes_by_whole_parts),
		cmocka_unit_test(base_is_what_follows_the_last_slash),
		test_in_tempdir(
			real_resolves_links_and_lets_the_last_part_be_missing),
		test_in_tempdir(real_follows_a_link_that_leads_to_nothing),
		test_in_tempdir(
			follow_goes_from_name_to_name_one_link_at_a_time),
		test_in_tempdir(
			real_sees_where_an_absolute_dangling_link_leads),
		cmocka_unit_test(real_takes_relative_and_empty_paths),
		test_in_tempdir(a_folder_that_is_missing_may_end_in_a_slash),
		cmocka_unit_test(uris_escape_what_rfc_3986_wants_escaped),
		cmocka_unit_test(every_byte_survives_the_way_there_and_back),
		cmocka_unit_test(uris_come_in_several_forms),
		cmocka_unit_test(what_is_no_escape_is_kept),
		cmocka_unit_test(what_is_no_file_is_refused),
		test_in_tempdir(a_uri_whose_raw_form_exists_means_that_file),
		test_in_tempdir(lead_goes_where_the_system_goes),
	};

	return cmocka_run_group_tests(tests, NULL, release);
}
