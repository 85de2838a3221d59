/* test/unit/backend/test_ignored.c - the real git, asked what it ignores. */
#include "backend/ignored.h"

#include "watch_world.h"

struct trial {
	struct watch_world w;
	int ended;
	char names[256]; /* with blanks between */
};

static void on_names(struct dt_str names, void *owner)
{
	struct trial *t = owner;

	t->ended++;
	while (names.len > 0) {
		struct dt_str name = dt_str_cut(&names, '\0');
		size_t len = strlen(t->names);

		snprintf(t->names + len, sizeof(t->names) - len, "%s%.*s",
		         len ? " " : "", DT_STR_ARG(name));
	}
}

static struct dt_ignored *start(struct trial *t, bool is_below,
                                const char *const *names, size_t count)
{
	struct dt_ignored *ignored;

	t->names[0] = '\0';
	t->ended = 0;
	ignored = dt_ignored_start(
		&(struct dt_ignored_spec){
			.world = &t->w.world,
			.root = t->w.root,
			.names = names,
			.count = count,
			.is_below = is_below,
		},
		on_names, t);
	assert_int_equal(t->ended, 0);
	return ignored;
}

static void begin(struct trial *t, void **state, const char *line)
{
	*t = (struct trial){ 0 };
	watch_world_begin(&t->w, state);
	watch_world_sh(&t->w, line);
}

#define REPOSITORY                                                             \
	"git init -q . && printf 'out/\\n*.o\\n' >.gitignore && mkdir -p "     \
	"out/deep src/out -- -odd && echo >out/deep/f && echo >src/out/f && "  \
	"echo >src/a.o && echo >src/a.c && echo >-odd/x.o"

test(folders_are_told_as_a_whole)
{
	static const char *const all[] = { "" };
	static const char *const some[] = { "src/", "-odd/" };
	struct trial t;

	begin(&t, state, REPOSITORY);
	start(&t, true, all, 1);
	watch_world_until(&t.w, t.ended);
	assert_string_equal(t.names, "-odd/x.o out/ src/a.o src/out/");
	start(&t, true, some, 2);
	watch_world_until(&t.w, t.ended);
	assert_string_equal(t.names, "-odd/x.o src/a.o src/out/");
	watch_world_end(&t.w);
}

test(names_are_those_below_the_root)
{
	static const char *const all[] = { "" };
	struct trial t;

	begin(&t, state,
	      "git init -q .. && printf 'out/\\n' >../.gitignore && mkdir -p "
	      "src/out ../other/out && echo >src/out/f && echo >../other/out/f");
	start(&t, true, all, 1);
	watch_world_until(&t.w, t.ended);
	assert_string_equal(t.names, "src/out/");
	watch_world_end(&t.w);
}

test(of_names_those_that_are_ignored_are_told)
{
	static const char *const names[] = { "src/a.c", "src/a.o", "-odd/x.o",
		                             "gone.o", "src/out/f" };
	struct trial t;

	begin(&t, state, REPOSITORY " && git add -f src/a.o");
	start(&t, false, names, 5);
	watch_world_until(&t.w, t.ended);
	/* What is tracked is not ignored. */
	assert_string_equal(t.names, "-odd/x.o gone.o src/out/f");
	watch_world_end(&t.w);
}

test(where_git_knows_nothing_nothing_is_ignored)
{
	static const char *const all[] = { "" };
	struct trial t;

	begin(&t, state, "mkdir out");
	start(&t, true, all, 1);
	watch_world_until(&t.w, t.ended);
	assert_string_equal(t.names, "");
	t.w.has_no_git = true;
	start(&t, false, all, 1);
	watch_world_until(&t.w, t.ended);
	assert_string_equal(t.names, "");
	watch_world_end(&t.w);
}

test(who_does_not_want_to_know_is_not_told)
{
	static const char *const all[] = { "" };
	struct trial t;

	begin(&t, state, REPOSITORY);
	dt_ignored_drop(start(&t, true, all, 1));
	t.w.has_no_git = true;
	dt_ignored_drop(start(&t, true, all, 1));
	watch_world_end(&t.w);
	assert_int_equal(t.ended, 0);
}

test(variables_of_a_hook_are_left_out)
{
	static char *const env[] = { "PATH=/bin", "GIT_DIR=/x", "HOME=/h",
		                     NULL };
	struct dt_arena arena = { 0 };
	char **kept = dt_ignored_env(&arena, env);

	assert_string_equal(kept[0], "PATH=/bin");
	assert_string_equal(kept[1], "HOME=/h");
	assert_null(kept[2]);
	dt_arena_done(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_tempdir(folders_are_told_as_a_whole),
		test_in_tempdir(names_are_those_below_the_root),
		test_in_tempdir(of_names_those_that_are_ignored_are_told),
		test_in_tempdir(where_git_knows_nothing_nothing_is_ignored),
		test_in_tempdir(who_does_not_want_to_know_is_not_told),
		cmocka_unit_test(variables_of_a_hook_are_left_out),
	};

	return cmocka_run_group_tests_name("ignored", tests, NULL, NULL);
}
