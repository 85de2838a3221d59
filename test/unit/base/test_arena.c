/* Arenas: nothing moves, everything is aligned, all of it goes at once. */
#include "unit.h"

#include "base/arena.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

test(an_empty_arena_holds_nothing)
{
	struct dt_arena arena = { 0 };

	dt_arena_done(&arena);
	dt_arena_done(&arena);
	assert_null(arena.last);
}

test(alloc_is_aligned_and_zeroed_after_odd_sizes)
{
	static const char zeroes[8192];
	struct dt_arena arena = { 0 };

	for (size_t size = 0; size < 8192; size += 37) {
		char *odd = dt_arena_bytes(&arena, size % 17 + 1);
		char *p;

		memset(odd, 0xff, size % 17 + 1);
		p = dt_arena_alloc(&arena, size);
		assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
		assert_memory_equal(p, zeroes, size);
		memset(p, 0xff, size);
	}
	dt_arena_done(&arena);
}

test(pieces_do_not_overlap_and_do_not_move)
{
	enum { COUNT = 3000 };
	static unsigned char *pieces[COUNT];
	static size_t sizes[COUNT];
	struct dt_arena arena = { 0 };

	for (size_t i = 0; i < COUNT; i++) {
		/* A large one now and then, from the very first. */
		sizes[i] = i % 100 == 0 ? 5000 + i * 100 : i * 7 % 300;
		pieces[i] = (unsigned char *)dt_arena_bytes(&arena, sizes[i]);
		memset(pieces[i], (int)(i % 251), sizes[i]);
	}
	for (size_t i = 0; i < COUNT; i++) {
		for (size_t at = 0; at < sizes[i]; at++)
			assert_int_equal(pieces[i][at], i % 251);
	}
	dt_arena_done(&arena);
}

test(a_large_piece_does_not_waste_the_room_of_the_current_block)
{
	struct dt_arena arena = { 0 };
	char *a = dt_arena_bytes(&arena, 10);
	char *large = dt_arena_bytes(&arena, 100000);
	char *b = dt_arena_bytes(&arena, 10);

	assert_ptr_equal(b, a + 10);
	memset(large, 1, 100000);
	dt_arena_done(&arena);
}

test(shrink_gives_back_the_end_of_the_last_piece)
{
	struct dt_arena arena = { 0 };
	char *a = dt_arena_bytes(&arena, 100);
	char *b;
	char *c;

	dt_arena_shrink(&arena, a, 100, 10);
	b = dt_arena_bytes(&arena, 50);
	assert_ptr_equal(b, a + 10);
	c = dt_arena_bytes(&arena, 1);
	/* `b` is not the last any more: nothing happens. */
	dt_arena_shrink(&arena, b, 50, 1);
	assert_ptr_equal(dt_arena_bytes(&arena, 1), c + 1);
	dt_arena_done(&arena);
}

test(shrink_works_on_a_large_first_piece)
{
	struct dt_arena arena = { 0 };
	char *a = dt_arena_bytes(&arena, 100000);

	dt_arena_shrink(&arena, a, 100000, 10);
	assert_ptr_equal(dt_arena_bytes(&arena, 1000), a + 10);
	dt_arena_done(&arena);
}

test(strings_are_copied_and_null_stays_null)
{
	struct dt_arena arena = { 0 };
	char long_text[5000];

	memset(long_text, 'y', sizeof(long_text));
	long_text[sizeof(long_text) - 1] = '\0';
	assert_null(dt_arena_strdup(&arena, NULL));
	assert_string_equal(dt_arena_strdup(&arena, "abc"), "abc");
	assert_string_equal(dt_arena_strndup(&arena, "abc", 2), "ab");
	assert_string_equal(dt_arena_strndup(&arena, NULL, 0), "");
	assert_string_equal(dt_arena_printf(&arena, "%d %s", 5, "x"), "5 x");
	assert_string_equal(dt_arena_printf(&arena, "%s", ""), "");
	assert_string_equal(dt_arena_printf(&arena, "%s", long_text),
	                    long_text);
	dt_arena_done(&arena);
}

test(an_arena_is_usable_again_after_done)
{
	struct dt_arena arena = { 0 };

	dt_arena_bytes(&arena, 5000);
	dt_arena_done(&arena);
	assert_string_equal(dt_arena_strdup(&arena, "again"), "again");
	dt_arena_done(&arena);
}

test(a_size_beyond_all_memory_aborts)
{
	int status;
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		struct dt_arena arena = { 0 };

		close(STDERR_FILENO);
		dt_arena_bytes(&arena, 100);
		dt_arena_alloc(&arena, SIZE_MAX - 8);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGABRT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_arena_holds_nothing),
		cmocka_unit_test(alloc_is_aligned_and_zeroed_after_odd_sizes),
		cmocka_unit_test(pieces_do_not_overlap_and_do_not_move),
		cmocka_unit_test(
			a_large_piece_does_not_waste_the_room_of_the_current_block),
		cmocka_unit_test(shrink_gives_back_the_end_of_the_last_piece),
		cmocka_unit_test(shrink_works_on_a_large_first_piece),
		cmocka_unit_test(strings_are_copied_and_null_stays_null),
		cmocka_unit_test(an_arena_is_usable_again_after_done),
		cmocka_unit_test(a_size_beyond_all_memory_aborts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
