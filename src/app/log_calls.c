/*
 * app/log_calls.c - calls of tools, printed and followed.
 *
 * Calls have numbers, so whoever follows asks for those behind the last one and
 * prints each once.
 */
#include "app/log_calls.h"

#include "app/activity.h"

#include <stdio.h>

#define LOOK_MS 2000
#define PAGE 1000

static enum dt_err print_items(const struct dt_log_calls *options,
                               struct dt_arena *arena,
                               const struct dt_json *items, int64_t *last_id,
                               struct dt_fail *fail)
{
	dt_json_each(item, items) {
		struct dt_activity_line line = { 0 };
		enum dt_err err = dt_shape_read(&dt_activity_line_shape, arena,
		                                item, &line, fail);

		if (err)
			return err;
		*last_id = line.id;
		if (options->is_json)
			dt_remote_print(item);
		else
			puts(dt_activity_text(arena, &line, true));
	}
	fflush(stdout);
	return DT_E_OK;
}

/* One page; `*out_count` is how many there were. */
static enum dt_err print_page(struct dt_remote *remote,
                              const struct dt_log_calls *options,
                              struct dt_activity_page *page,
                              uint32_t *out_count, struct dt_fail *fail)
{
	struct dt_arena arena = { 0 };
	const struct dt_json *items;
	enum dt_err err = dt_activity_fetch(remote, &arena, page, &items, fail);

	if (!err) {
		*out_count = items->count;
		err = print_items(options, &arena, items, &page->after_id,
		                  fail);
		/* Behind the last call there may be other things. */
		if (items->count < PAGE)
			page->after_id = page->last_id;
	}
	dt_arena_done(&arena);
	return err;
}

static enum dt_err wait_for_more(struct dt_remote *remote, int64_t after_id,
                                 struct dt_fail *fail)
{
	struct dt_json_out *params = dt_remote_begin(remote);
	struct dt_arena arena = { 0 };
	enum dt_err err;

	dt_json_key(params, "afterId");
	dt_json_put_int(params, after_id);
	dt_json_key(params, "timeoutMs");
	dt_json_put_int(params, LOOK_MS);
	err = dt_remote_call(remote, "activity/wait", &arena, NULL, fail);
	dt_arena_done(&arena);
	return err;
}

enum dt_err dt_log_calls(struct dt_remote *remote,
                         const struct dt_log_calls *options,
                         struct dt_fail *fail)
{
	struct dt_activity_page page = {
		.limit = options->limit,
		.is_latest = options->limit > 0,
		.has_calls_only = true,
	};
	uint32_t count = 0;
	enum dt_err err = print_page(remote, options, &page, &count, fail);

	page.is_latest = false;
	page.limit = 0;
	while (!err && options->limit == 0 && count == PAGE)
		err = print_page(remote, options, &page, &count, fail);
	while (!err && options->is_followed) {
		err = wait_for_more(remote, page.after_id, fail);
		if (!err)
			err = print_page(remote, options, &page, &count, fail);
	}
	return err;
}
