/*
 * app/activity.c - what happened, asked for and put into one line.
 *
 * What agents and tools are called comes from outside, so nothing reaches the
 * terminal that is not made safe for it.
 */
#include "app/activity.h"

#include "app/text.h"

#include <time.h>

static const struct dt_field fields[] = {
	DT_FIELD(struct dt_activity_line, id, I64, DT_REQ, ""),
	DT_FIELD_AS("atMs", struct dt_activity_line, at_ms, I64, DT_REQ, ""),
	DT_FIELD(struct dt_activity_line, kind, NAME, DT_REQ, ""),
	DT_FIELD(struct dt_activity_line, what, NAME, DT_REQ, ""),
	DT_FIELD(struct dt_activity_line, status, NAME, 0, ""),
	DT_FIELD(struct dt_activity_line, session, NAME, 0, ""),
	DT_FIELD(struct dt_activity_line, agent, NAME, 0, ""),
	DT_FIELD_AS("tookUs", struct dt_activity_line, took_us, I64, 0, ""),
	DT_FIELD(struct dt_activity_line, message, NAME, 0, ""),
	DT_FIELD_END,
};
const struct dt_shape dt_activity_line_shape =
	DT_SHAPE(struct dt_activity_line, fields);

const char *dt_activity_took(struct dt_arena *arena, int64_t us)
{
	if (us < 1000)
		return dt_arena_printf(arena, "%d us", (int)us);
	if (us < 1000000)
		return dt_arena_printf(arena, "%.1f ms", (double)us / 1e3);
	return dt_arena_printf(arena, "%.1f s", (double)us / 1e6);
}

const char *dt_activity_text(struct dt_arena *arena,
                             const struct dt_activity_line *line, bool has_day)
{
	time_t seconds = (time_t)(line->at_ms / 1000);
	bool is_call = !strcmp(line->kind, "call");
	char when[32] = "";
	struct tm tm;

	if (localtime_r(&seconds, &tm))
		strftime(when, sizeof(when),
		         has_day ? "%Y-%m-%d %H:%M:%S" : "%H:%M:%S", &tm);
	return dt_arena_printf(
		arena, "%s  %-9s  %-20s%s%s%s%s%s", when,
		dt_text_safe(arena, is_call && line->status ? line->status
	                                                    : line->kind),
		dt_text_safe(arena, line->what), line->agent ? "  " : "",
		line->agent ? dt_text_safe(arena, line->agent) : "",
		is_call ? dt_arena_printf(
				  arena, "  %s",
				  dt_activity_took(arena, line->took_us))
			: "",
		line->message ? "  " : "",
		line->message ? dt_text_safe(arena, line->message) : "");
}

enum dt_err dt_activity_fetch(struct dt_remote *remote, struct dt_arena *arena,
                              struct dt_activity_page *page,
                              const struct dt_json **out_items,
                              struct dt_fail *fail)
{
	struct dt_json_out *params = dt_remote_begin(remote);
	const struct dt_json *result;
	const struct dt_json *last;
	enum dt_err err;

	dt_json_key(params, "afterId");
	dt_json_put_int(params, page->after_id);
	dt_json_key(params, "limit");
	dt_json_put_int(params, page->limit);
	dt_json_key(params, "isLatest");
	dt_json_put_bool(params, page->is_latest);
	dt_json_key(params, "hasCallsOnly");
	dt_json_put_bool(params, page->has_calls_only);
	err = dt_remote_call(remote, "activity/list", arena, &result, fail);
	if (err)
		return err;
	last = dt_json_get(result, "lastId");
	if (!last || !dt_json_to_i64(last, &page->last_id))
		return dt_fail(fail, DT_E_PROTO, "the daemon gave no number");
	*out_items = dt_json_get(result, "items");
	if (!*out_items || (*out_items)->type != DT_JSON_ARRAY)
		return dt_fail(fail, DT_E_PROTO, "the daemon gave no list");
	return DT_E_OK;
}
