/* test/unit/backend/test_lsp_report.c - problems on their way into the cache. */
#include "backend/lsp_fake.h"
#include "backend/lsp_world.h"

static const char *begin(struct lsp_world *w, void **state, const char *mode,
                         const char *text)
{
	lsp_world_begin(w, state);
	lsp_world_fake(w, mode);
	return lsp_world_put(w, "a.c", text);
}

/* "severity line:character-line:character source code message|" */
static const char *problems(struct lsp_world *w, const char *path)
{
	struct dt_items files = dt_problems_get(w->problems, &w->arena, path);
	const struct dt_file_diagnostics *file = files.ptr;
	struct dt_buf text;
	const char *copy;

	dt_buf_init(&text, DT_MIB);
	for (size_t i = 0; files.count && i < file->items.count; i++) {
		const struct dt_diagnostic *d =
			(struct dt_diagnostic *)file->items.ptr + i;

		dt_buf_addf(&text, "%d %u:%u-%u:%u %s %s %.*s|", d->severity,
		            d->range.start.line, d->range.start.character,
		            d->range.end.line, d->range.end.character,
		            d->source, d->code, DT_STR_ARG(d->message));
	}
	copy = dt_arena_strdup(&w->arena, dt_buf_z(&text));
	dt_buf_done(&text);
	return copy;
}

test(a_refresh_ends_when_the_report_of_this_text_is_there)
{
	struct lsp_world w;
	const char *path = begin(&w, state, "", "a bad text\n");

	lsp_world_refresh(&w, path);
	assert_string_equal(w.fail.msg, "");
	assert_string_equal(w.server, "clangd");
	assert_string_equal(problems(&w, path), "1 0:1-0:4 clangd 7 bad word|");
	/* The same text: at once, and nothing changed. */
	lsp_world_refresh(&w, path);
	assert_int_equal(w.fail.code, DT_E_OK);
	assert_int_equal(w.problem_changes, 1);
	lsp_world_put(&w, "a.c", "good\n");
	lsp_world_refresh(&w, path);
	assert_string_equal(problems(&w, path), "");
	assert_int_equal(w.problem_changes, 2);
	lsp_world_end(&w);
}

test(it_is_known_which_other_files_a_problem_speaks_of)
{
	struct lsp_world w;
	const char *path = begin(&w, state, "", "a bad header\n");
	const struct dt_file_diagnostics *file;
	const struct dt_diagnostic *d;

	lsp_world_refresh(&w, path);
	assert_string_equal(problems(&w, path),
	                    "1 0:1-0:4 clangd 7 bad word\n\n.env.h:3:5: note: "
	                    "declared here|");
	file = dt_problems_get(w.problems, &w.arena, path).ptr;
	d = file->items.ptr;
	assert_int_equal(d->about.count, 1);
	assert_string_equal(d->about.ptr[0], "/h/.env.h");
	lsp_world_end(&w);
}

test(a_server_that_reports_nothing_is_not_waited_for_longer)
{
	struct lsp_world w;
	const char *path = begin(&w, state, "quiet", "text\n");

	lsp_world_ask(&w, path, "fake/any");
	dt_lsp_refresh(w.lsp, path, 50, lsp_world_on_reply, &w);
	lsp_world_wait(&w);
	assert_int_equal(w.fail.code, DT_E_TIMEOUT);
	lsp_world_end(&w);
}

test(one_that_never_reports_is_not_waited_for_to_the_end)
{
	struct lsp_world w;
	uint64_t began_ms = dt_clock_ms();

	begin(&w, state, "quiet", "text\n");
	/* Nobody knows whether this one ever does. */
	lsp_world_refresh(&w, lsp_world_put(&w, "a.zig", "text\n"));
	assert_int_equal(w.fail.code, DT_E_TIMEOUT);
	assert_string_equal(w.fail.msg, "zls reports nothing of a.zig");
	assert_true(dt_clock_ms() - began_ms >= w.lsp->times.hush_ms);
	assert_true(dt_clock_ms() - began_ms < PATIENCE_MS);
	lsp_world_end(&w);
}

test(one_that_reports_on_others_says_that_this_is_clean)
{
	struct lsp_world w;
	const char *path = begin(&w, state, "parts", "good\n");

	/* The fake says nothing where the report before was as empty. */
	lsp_world_refresh(&w, path);
	assert_int_equal(w.fail.code, DT_E_OK);
	lsp_world_refresh(&w, lsp_world_put(&w, "b.c", "good\n"));
	assert_string_equal(w.fail.msg, "");
	lsp_world_end(&w);
}

static void refresh_soon(struct lsp_world *w, const char *path)
{
	dt_lsp_refresh_soon(w->lsp, path, PATIENCE_MS, lsp_world_on_reply, w);
	lsp_world_wait(w);
}

test(who_is_in_haste_waits_once_for_a_server_that_reports_nothing)
{
	struct lsp_world w;
	const char *path = begin(&w, state, "quiet", "text\n");
	uint64_t began_ms;

	lsp_world_ask(&w, path, "fake/any");
	began_ms = dt_clock_ms();
	refresh_soon(&w, path);
	assert_int_equal(w.fail.code, DT_E_TIMEOUT);
	assert_string_equal(w.fail.msg, "clangd reports nothing of a.c");
	assert_in_range(dt_clock_ms() - began_ms, 90, PATIENCE_MS / 2);
	began_ms = dt_clock_ms();
	refresh_soon(&w, path);
	assert_int_equal(w.fail.code, DT_E_TIMEOUT);
	assert_in_range(dt_clock_ms() - began_ms, 0, 90);
	/* Another text may be another matter. */
	lsp_world_put(&w, "a.c", "other\n");
	began_ms = dt_clock_ms();
	refresh_soon(&w, path);
	assert_in_range(dt_clock_ms() - began_ms, 90, PATIENCE_MS / 2);
	lsp_world_end(&w);
}

test(who_is_in_haste_has_the_reports_there_are)
{
	struct lsp_world w;
	const char *path = begin(&w, state, "parts", "bad\n");

	refresh_soon(&w, path);
	assert_string_equal(w.fail.msg, "");
	assert_string_equal(problems(&w, path), "1 0:1-0:4 clangd 7 bad word|");
	lsp_world_end(&w);
}

test(a_report_that_nobody_waited_for_counts)
{
	struct lsp_world w;
	const char *path = begin(&w, state, "parts", "bad\n");

	lsp_world_ask(&w, path, "fake/any");
	lsp_world_until(&w, w.problem_changes > 0);
	lsp_world_refresh(&w, path);
	assert_string_equal(w.fail.msg, "");
	lsp_world_end(&w);
}

test(a_report_in_parts_is_over_when_it_is_quiet)
{
	struct lsp_world w;
	const char *path = begin(&w, state, "parts", "bad\n");
	uint64_t began_ms;

	lsp_world_refresh(&w, path);
	assert_string_equal(w.fail.msg, "");
	assert_string_equal(problems(&w, path), "1 0:1-0:4 clangd 7 bad word|");
	lsp_world_put(&w, "a.c", "good\n");
	lsp_world_refresh(&w, path);
	assert_string_equal(problems(&w, path), "");
	/* Still good: no report comes, and that is the news. */
	lsp_world_put(&w, "a.c", "better\n");
	began_ms = dt_clock_ms();
	lsp_world_refresh(&w, path);
	assert_string_equal(w.fail.msg, "");
	assert_in_range(dt_clock_ms() - began_ms, 90, PATIENCE_MS / 2);
	began_ms = dt_clock_ms();
	lsp_world_refresh(&w, path);
	assert_in_range(dt_clock_ms() - began_ms, 0, 90);
	lsp_world_end(&w);
}

test(a_server_that_can_be_asked_is_asked)
{
	struct lsp_world w;
	const char *path = begin(&w, state, "pull", "text\n");

	lsp_world_refresh(&w, path);
	assert_string_equal(w.fail.msg, "");
	assert_string_equal(problems(&w, path), "0 3:0-3:1 s c pulled|");
	lsp_world_end(&w);
}

/* It may come when the file was gone and is there again. */
test(a_report_of_a_text_that_was_closed_is_no_report_of_the_next)
{
	struct lsp_world w;
	const char *path = begin(&w, state, "", "good\n");
	const struct dt_json *json = NULL;
	struct dt_lsp_server *server;

	lsp_world_refresh(&w, path);
	server = DT_LIST_OF(w.lsp->servers.next, struct dt_lsp_server, link);
	assert_ok(dt_json_read(
		&w.arena,
		dt_str(dt_arena_printf(&w.arena,
	                               "{\"uri\":\"%s\",\"version\":9,"
	                               "\"diagnostics\":[]}",
	                               dt_path_to_uri(&w.arena, path))),
		&json, NULL));
	dt_lsp_report_take(server, json);
	lsp_world_put(&w, "a.c", "a bad text\n");
	lsp_world_refresh(&w, path);
	assert_string_equal(problems(&w, path), "1 0:1-0:4 clangd 7 bad word|");
	lsp_world_end(&w);
}

/* rust-analyzer does both. */
test(what_is_pushed_does_not_end_the_wait_for_what_is_asked)
{
	struct lsp_world w;
	const char *path = begin(&w, state, "push-and-pull", "bad\n");

	lsp_world_refresh(&w, path);
	assert_string_equal(w.fail.msg, "");
	assert_string_equal(problems(&w, path), "1 0:1-0:4 clangd 7 bad word|"
	                                        "0 3:0-3:1 s c pulled|");
	/* The answer to it, where it still came, was read. */
	lsp_world_ask(&w, path, "fake/any");
	lsp_world_end(&w);
}

test(what_a_server_reported_goes_with_it)
{
	struct lsp_world w;
	const char *path = begin(&w, state, "", "bad\n");
	const char *other = lsp_world_put(&w, "b.c", "bad\n");

	lsp_world_refresh(&w, path);
	lsp_world_refresh(&w, other);
	assert_string_not_equal(problems(&w, path), "");
	lsp_world_ask(&w, path, "fake/crash");
	assert_int_equal(w.fail.code, DT_E_CLOSED);
	assert_string_equal(problems(&w, path), "");
	assert_string_equal(problems(&w, other), "");
	lsp_world_end(&w);
}

test(what_cannot_be_read_is_left_out)
{
	static const char *const reports[] = {
		"{}",
		"{\"uri\":7,\"diagnostics\":[]}",
		"{\"uri\":\"file:///a\",\"diagnostics\":{}}",
		"{\"uri\":\"http://a\",\"diagnostics\":[]}",
		"{\"uri\":\"file:///a\",\"diagnostics\":[1,{},{\"message\":1},"
		"{\"message\":\"m\",\"range\":{\"start\":{\"line\":-1,"
		"\"character\":0},\"end\":{}}}]}",
	};
	struct lsp_world w;
	const char *path = begin(&w, state, "", "text\n");
	struct dt_lsp_server *server;

	lsp_world_ask(&w, path, "fake/any");
	server = DT_LIST_OF(w.lsp->servers.next, struct dt_lsp_server, link);
	for (size_t i = 0; i < sizeof(reports) / sizeof(reports[0]); i++) {
		const struct dt_json *json = NULL;

		assert_ok(dt_json_read(&w.arena, dt_str(reports[i]), &json,
		                       NULL));
		dt_lsp_report_take(server, json);
	}
	dt_lsp_report_take(server, NULL);
	assert_int_equal(w.problem_changes, 0);
	lsp_world_end(&w);
}

#define with_folder(name)                                                      \
	cmocka_unit_test_setup_teardown(name, tempdir_open, tempdir_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		with_folder(
			a_refresh_ends_when_the_report_of_this_text_is_there),
		with_folder(it_is_known_which_other_files_a_problem_speaks_of),
		with_folder(
			a_server_that_reports_nothing_is_not_waited_for_longer),
		with_folder(
			one_that_never_reports_is_not_waited_for_to_the_end),
		with_folder(one_that_reports_on_others_says_that_this_is_clean),
		with_folder(
			who_is_in_haste_waits_once_for_a_server_that_reports_nothing),
		with_folder(who_is_in_haste_has_the_reports_there_are),
		with_folder(a_report_that_nobody_waited_for_counts),
		with_folder(a_report_in_parts_is_over_when_it_is_quiet),
		with_folder(a_server_that_can_be_asked_is_asked),
		with_folder(
			a_report_of_a_text_that_was_closed_is_no_report_of_the_next),
		with_folder(
			what_is_pushed_does_not_end_the_wait_for_what_is_asked),
		with_folder(what_a_server_reported_goes_with_it),
		with_folder(what_cannot_be_read_is_left_out),
	};

	fake_run();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
