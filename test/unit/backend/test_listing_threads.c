/* test/unit/backend/test_listing_threads.c - a listing when no thread can be had. */
#include "backend/listing.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_thread_is_a_failure_of_the_listing_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
