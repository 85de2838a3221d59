/* test/unit/backend/test_kept.c - twin of src/backend/kept.c */
#include "backend/kept.h"

#include "base/tempdir.h"
#include "unit.h"

static bool is_kept_name(const char *path)
{
	return strstr(path, "secret") != NULL;
}

struct fixture {
	struct dt_documents docs;
	struct dt_world world;
	struct dt_kept *kept;
	const char *root;
};

static void begin(struct fixture *f, void **state)
{
	*f = (struct fixture){ .root = *state };
	tempdir_mkdir(f->root, "sub");
	tempdir_put(f->root, "sub/a.c", "");
	dt_documents_init(&f->docs, &f->root, 1);
	f->world = (struct dt_world){
		.loop = dt_loop_new(),
		.docs = &f->docs,
		.is_kept_name = is_kept_name,
	};
	f->kept = dt_kept_new(&f->world);
}

static void end(struct fixture *f)
{
	dt_kept_free(f->kept);
	dt_loop_run(f->world.loop);
	dt_loop_free(f->world.loop);
	dt_documents_done(&f->docs);
}

test(until_it_is_known_there_may_be_some)
{
	struct fixture f;

	begin(&f, state);
	assert_true(dt_kept_may_be(f.kept));
	assert_true(dt_kept_may_be(f.kept));
	dt_loop_run(f.world.loop);
	assert_false(dt_kept_may_be(f.kept));
	end(&f);
}

test(one_in_any_folder_is_found)
{
	struct fixture f;

	begin(&f, state);
	tempdir_mkdir(f.root, "sub/deep");
	tempdir_put(f.root, "sub/deep/secret.h", "");
	assert_true(dt_kept_may_be(f.kept));
	dt_loop_run(f.world.loop);
	assert_true(dt_kept_may_be(f.kept));
	end(&f);
}

/* Before, while and after it was looked. */
test(one_that_comes_is_known_at_once)
{
	struct dt_file_change change = { .path = "/w/secret" };
	struct dt_file_changes changes = { .ptr = &change, .count = 1 };
	struct dt_file_changes lost = { .is_lost = true };
	struct fixture f;

	begin(&f, state);
	assert_true(dt_kept_may_be(f.kept));
	dt_kept_take(f.kept, &changes);
	dt_loop_run(f.world.loop);
	assert_true(dt_kept_may_be(f.kept));
	dt_kept_free(f.kept);
	f.kept = dt_kept_new(&f.world);
	assert_true(dt_kept_may_be(f.kept));
	dt_loop_run(f.world.loop);
	assert_false(dt_kept_may_be(f.kept));
	change.path = "/w/a";
	dt_kept_take(f.kept, &changes);
	assert_false(dt_kept_may_be(f.kept));
	dt_kept_take(f.kept, &lost);
	assert_true(dt_kept_may_be(f.kept));
	end(&f);
}

test(a_look_may_outlive_who_wanted_it)
{
	struct fixture f;

	begin(&f, state);
	assert_true(dt_kept_may_be(f.kept));
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_tempdir(until_it_is_known_there_may_be_some),
		test_in_tempdir(one_in_any_folder_is_found),
		test_in_tempdir(one_that_comes_is_known_at_once),
		test_in_tempdir(a_look_may_outlive_who_wanted_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
