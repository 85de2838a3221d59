/* test/unit/backend/test_ripgrep.c - twin of src/backend/ripgrep.c; with the
 * real ripgrep it is in test_search.c. */
#include "backend/ripgrep.h"

#include "base/buf.h"
#include "base/limits.h"
#include "unit.h"

#include <stdlib.h>

static char *words_of(const struct dt_search_args *args)
{
	const char *paths[] = { "/w", "/x" };
	struct dt_names roots = { paths, 2 };
	struct dt_arena arena = { 0 };
	char **argv = dt_ripgrep_argv(&arena, "/bin/rg", args, &roots);
	struct dt_buf out;

	dt_buf_init(&out, 1u << 20);
	for (size_t i = 0; argv[i]; i++)
		dt_buf_addf(&out, "%s ", argv[i]);
	dt_arena_done(&arena);
	return dt_buf_take(&out);
}

static void assert_has(const struct dt_search_args *args, const char *word,
                       bool has)
{
	char *words = words_of(args);

	if ((strstr(words, word) != NULL) != has)
		fail_msg("%s in %s", word, words);
	free(words);
}

test(no_argument_becomes_an_option)
{
	struct dt_search_args args = {
		.query = "--pre=sh",
		.glob = "-x*",
		.max = 5,
	};

	assert_has(&args, " --regexp=--pre=sh ", true);
	assert_has(&args, " --type-add=asked:-x* ", true);
	assert_has(&args, " -- /w /x ", true);
	assert_has(&args, "--no-config", true);
	assert_has(&args, "--fixed-strings", true);
	assert_has(&args, "--max-count=6", true);
	assert_has(&args, "--ignore-case", true);
}

test(a_glob_is_given_by_its_last_part_where_it_can)
{
	struct dt_search_args args = { .query = "q", .glob = "src/**/*.{c,h}" };

	assert_has(&args, "--type-add=asked:*.{c,h} ", true);
	args.glob = "a[1]!";
	assert_has(&args, "--type-add=asked:a\\[1\\]\\! ", true);
	args.glob = "{a/b,c}";
	assert_has(&args, "--type", false);
	args.glob = "src/**";
	assert_has(&args, "--type", false);
	args.glob = "include:c";
	assert_has(&args, "--type", false);
	args.glob = NULL;
	assert_has(&args, "--type", false);
}

/* what it says */

static bool wants(const char *path, void *owner)
{
	(void)owner;
	return strcmp(path, "/w/.env") != 0;
}

#define FILE_END(path, binary)                                                 \
	"{\"type\":\"end\",\"data\":{\"path\":{\"text\":\"" path               \
	"\"},\"binary_offset\":" binary "}}\n"
#define FOUND(line, text)                                                      \
	"{\"type\":\"match\",\"data\":{\"lines\":" text                        \
	",\"line_number\":" #line                                              \
	",\"submatches\":[{\"start\":1,\"end\":3}]}}\n"

static const char said[] = "{\"type\":\"begin\",\"data\":{}}\n" FOUND(
	3, "{\"text\":\"a\\tbc\\r\\n\"}") FILE_END("/w/a", "null")
	/* what is kept from agents, is no text or makes no sense */
	FOUND(1, "{\"text\":\"abcd\"}") FILE_END("/w/.env", "null")
		FOUND(1, "{\"text\":\"abcd\"}") FILE_END(
			"/w/bin",
			"7") "nonsense\n{}\n[]\n{\"type\":1,\"data\":[]}\n" FOUND(1,
                                                                                  "{}")
			FILE_END("/w/none", "null")
	/* no UTF-8 */
	FOUND(9, "{\"bytes\":\"/2Fi/w==\"}")
		FILE_END("/w/b", "null") "{\"type\":\"summary\",\"data\":{}}\n";

/* In pieces of so many bytes. */
static void assert_said(size_t step)
{
	struct dt_search_result result = { 0 };
	const struct dt_search_match *match;
	struct dt_ripgrep rg;
	struct dt_hits hits;

	dt_hits_init(&hits, 9, 0);
	dt_ripgrep_init(&rg, &hits, wants, NULL);
	for (size_t at = 0; at < sizeof(said) - 1; at += step) {
		size_t left = sizeof(said) - 1 - at;

		dt_ripgrep_feed(&rg,
		                (struct dt_str){ said + at,
		                                 left < step ? left : step });
	}
	dt_hits_list(&hits, &result);
	match = result.matches.ptr;
	assert_int_equal(result.matches.count, 2);
	assert_string_equal(match[0].path, "/w/a");
	assert_int_equal(match[0].range.start.line, 2);
	assert_int_equal(match[0].range.end.character, 3);
	assert_str(match[0].text, "a\tbc");
	assert_string_equal(match[1].path, "/w/b");
	assert_str(match[1].text, "\xff"
	                          "ab\xff");
	assert_true(rg.has_ended);
	assert_false(rg.is_full);
	assert_false(rg.is_cut);
	dt_ripgrep_done(&rg);
	dt_hits_done(&hits);
}

test(what_it_says_is_read_in_any_pieces)
{
	assert_said(sizeof(said));
	for (size_t step = 1; step < 99; step++)
		assert_said(step);
}

test(it_is_full_when_nothing_more_is_wanted)
{
	struct dt_ripgrep rg;
	struct dt_hits hits;

	dt_hits_init(&hits, 1, 0);
	dt_ripgrep_init(&rg, &hits, wants, NULL);
	dt_ripgrep_feed(&rg, DT_STR(said));
	assert_true(rg.is_full);
	assert_int_equal(hits.count, 1);
	dt_ripgrep_done(&rg);
	dt_hits_done(&hits);
}

test(a_line_that_is_too_long_is_passed_over)
{
	char *piece = malloc(DT_MIB);
	struct dt_ripgrep rg;
	struct dt_hits hits;

	assert_non_null(piece);
	memset(piece, 'x', DT_MIB);
	dt_hits_init(&hits, 9, 0);
	dt_ripgrep_init(&rg, &hits, wants, NULL);
	for (int i = 0; i < 9; i++)
		dt_ripgrep_feed(&rg, (struct dt_str){ piece, DT_MIB });
	dt_ripgrep_feed(&rg, DT_STR("\n"));
	dt_ripgrep_feed(&rg, DT_STR(said));
	assert_true(rg.is_cut);
	assert_int_equal(hits.count, 2);
	dt_ripgrep_done(&rg);
	dt_hits_done(&hits);
	free(piece);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_argument_becomes_an_option),
		cmocka_unit_test(a_glob_is_given_by_its_last_part_where_it_can),
		cmocka_unit_test(what_it_says_is_read_in_any_pieces),
		cmocka_unit_test(it_is_full_when_nothing_more_is_wanted),
		cmocka_unit_test(a_line_that_is_too_long_is_passed_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
