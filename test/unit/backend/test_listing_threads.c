/* test/unit/backend/test_listing_threads.c - a listing, a search and a tree of
 * imports when no thread can be had. */
#include "backend/listing.h"

#include "backend/headless.h"
#include "base/path.h"
#include "base/tempdir.h"
#include "editor/operation.h"
#include "editor/project.h"
#include "editor/search.h"
#include "unit.h"

#include <uv.h>

int __wrap_uv_thread_create_ex(uv_thread_t *tid,
                               const uv_thread_options_t *options,
                               uv_thread_cb entry, void *arg);
int __wrap_uv_thread_create_ex(uv_thread_t *tid,
                               const uv_thread_options_t *options,
                               uv_thread_cb entry, void *arg)
{
	(void)tid;
	(void)options;
	(void)entry;
	(void)arg;
	return UV_EAGAIN;
}

static void on_end(struct dt_answer *answer, const void *result,
                   const struct dt_fail *fail, void *owner)
{
	(void)answer;
	assert_null(result);
	*(struct dt_fail *)owner = *fail;
}

test(no_thread_is_a_failure_of_the_listing_alone)
{
	static const struct dt_list_files_args args = { 0 };
	const char *root = "/nonexistent";
	struct dt_names roots = { &root, 1 };
	char *env[] = { NULL };
	struct dt_loop *loop = dt_loop_new();
	struct dt_listing_spec spec = { loop, &roots, NULL, env };
	struct dt_fail fail = { 0 };
	struct dt_answer answer;

	dt_answer_init(&answer, on_end, &fail);
	dt_listing_start(&spec, &args, &answer);
	dt_loop_run(loop);
	assert_int_equal(fail.code, DT_E_SYS);
	assert_non_null(strstr(fail.msg, "listing thread: cannot be started"));
	dt_loop_free(loop);
}

static char **no_env(void *owner, const char *asker, struct dt_arena *arena)
{
	(void)asker;
	(void)owner;
	return dt_arena_alloc(arena, sizeof(char *));
}

/* A ripgrep that finds nothing. */
static const char *find(void *owner, const char *asker, struct dt_arena *arena,
                        const char *program)
{
	(void)asker;
	(void)owner;
	(void)arena;
	return !strcmp(program, "rg") ? "/bin/true" : NULL;
}

/* Of a workspace with one file that is not saved. */
static struct dt_fail fail_of(const char *root, const struct dt_operation *op,
                              const void *args)
{
	struct dt_arena arena = { 0 };
	const char *path = dt_path_join(&arena, root, "a.c");
	struct dt_fail fail = { 0 };
	struct dt_documents docs;
	struct dt_document *doc;
	struct dt_world world = {
		.loop = dt_loop_new(),
		.docs = &docs,
		.env = no_env,
		.find = find,
	};
	struct dt_editor *editor;
	struct dt_answer answer;

	tempdir_put(root, "a.c", "");
	dt_documents_init(&docs, &root, 1);
	editor = dt_headless_new(&world);
	assert_ok(dt_documents_open(&docs, path, &doc, NULL));
	dt_document_set_overlay(&docs, doc, DT_STR("needle\n"));
	dt_answer_init(&answer, on_end, &fail);
	editor->backend->perform(editor, op, args, &answer);
	dt_loop_run(world.loop);
	editor->backend->free(editor);
	dt_documents_done(&docs);
	dt_loop_run(world.loop);
	dt_loop_free(world.loop);
	dt_arena_done(&arena);
	return fail;
}

test(no_thread_is_a_failure_of_the_search_alone)
{
	static const struct dt_search_args args = { .query = "needle" };
	struct dt_fail fail = fail_of(*state, &dt_op_search, &args);

	assert_int_equal(fail.code, DT_E_SYS);
	assert_non_null(strstr(fail.msg, "search thread: cannot be started"));
}

test(no_thread_is_a_failure_of_the_tree_alone)
{
	struct dt_arena arena = { 0 };
	struct dt_imports_args args = {
		.path = dt_path_join(&arena, *state, "a.c"),
	};
	struct dt_fail fail = fail_of(*state, &dt_op_get_imports, &args);

	assert_int_equal(fail.code, DT_E_SYS);
	assert_non_null(strstr(fail.msg, "imports thread: cannot be started"));
	dt_arena_done(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_thread_is_a_failure_of_the_listing_alone),
		cmocka_unit_test_setup_teardown(
			no_thread_is_a_failure_of_the_search_alone,
			tempdir_open, tempdir_close),
		cmocka_unit_test_setup_teardown(
			no_thread_is_a_failure_of_the_tree_alone, tempdir_open,
			tempdir_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
