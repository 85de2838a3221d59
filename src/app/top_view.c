/*
 * app/top_view.c - the page of `dovetail top`.
 *
 * It knows no terminal: lines go into a buffer, cut to the width.  Where there is
 * not room for all, the tools give way first, then the events; workspaces and
 * their agents are what a person looks for.
 */
#include "app/top_view.h"

#include "app/activity.h"
#include "app/text.h"
#include "base/path.h"
#include "base/str.h"

#include <inttypes.h>
#include <stdlib.h>

#define LEAST_EVENTS 4 /* lines for events where there are tools, too */

static const struct dt_field session_fields[] = {
	DT_FIELD(struct dt_top_session, agent, NAME, DT_REQ, ""),
	DT_FIELD(struct dt_top_session, version, NAME, 0, "", .def = "\"\""),
	DT_FIELD_AS("connectedMs", struct dt_top_session, connected_ms, I64, 0,
	            ""),
	DT_FIELD(struct dt_top_session, running, I64, 0, ""),
	DT_FIELD_AS("queueBytes", struct dt_top_session, queue_bytes, I64, 0,
	            ""),
	DT_FIELD(struct dt_top_session, waiting, I64, 0, ""),
	DT_FIELD_END,
};
static const struct dt_shape session_shape =
	DT_SHAPE(struct dt_top_session, session_fields);

static const struct dt_field tool_fields[] = {
	DT_FIELD(struct dt_top_tool, name, NAME, DT_REQ, ""),
	DT_FIELD(struct dt_top_tool, calls, I64, DT_REQ, ""),
	DT_FIELD(struct dt_top_tool, failed, I64, 0, ""),
	DT_FIELD_AS("p50Us", struct dt_top_tool, p50_us, I64, 0, ""),
	DT_FIELD_AS("p95Us", struct dt_top_tool, p95_us, I64, 0, ""),
	DT_FIELD_END,
};
static const struct dt_shape tool_shape =
	DT_SHAPE(struct dt_top_tool, tool_fields);

static const struct dt_field workspace_fields[] = {
	DT_FIELD(struct dt_top_workspace, root, NAME, DT_REQ, ""),
	DT_FIELD(struct dt_top_workspace, port, U32, 0, ""),
	DT_FIELD(struct dt_top_workspace, waiting, I64, 0, ""),
	DT_FIELD(struct dt_top_workspace, sessions, ITEMS, DT_REQ, "",
	         .shape = &session_shape),
	DT_FIELD(struct dt_top_workspace, tools, ITEMS, DT_REQ, "",
	         .shape = &tool_shape),
	DT_FIELD_END,
};
static const struct dt_shape workspace_shape =
	DT_SHAPE(struct dt_top_workspace, workspace_fields);

static const struct dt_field top_fields[] = {
	DT_FIELD(struct dt_top, version, NAME, DT_REQ, ""),
	DT_FIELD_AS("startedMs", struct dt_top, started_ms, I64, DT_REQ, ""),
	DT_FIELD_AS("nowMs", struct dt_top, now_ms, I64, DT_REQ, ""),
	DT_FIELD(struct dt_top, workspaces, ITEMS, DT_REQ, "",
	         .shape = &workspace_shape),
	DT_FIELD_END,
};
const struct dt_shape dt_top_shape = DT_SHAPE(struct dt_top, top_fields);

/* A tool of one workspace, with its rate. */
struct row {
	const struct dt_top_tool *tool;
	const char *root; /* of the workspace */
	double rate;      /* calls a second */
};

/* lines */

/* The first `columns` characters; how wide each is, is not looked at. */
static size_t cut(const char *text, unsigned columns)
{
	size_t len = 0;

	while (text[len] && columns) {
		len++;
		while (((unsigned char)text[len] & 0xc0) == 0x80)
			len++;
		columns--;
	}
	return len;
}

static void add_line(struct dt_buf *out, const struct dt_top_page *page,
                     const char *text)
{
	dt_buf_add(out, text, cut(text, page->columns));
	dt_buf_add_char(out, '\n');
}

/* rates */

static const struct dt_top_workspace *find_workspace(const struct dt_top *top,
                                                     const char *root)
{
	const struct dt_top_workspace *all = top->workspaces.ptr;

	for (size_t i = 0; i < top->workspaces.count; i++) {
		if (!strcmp(all[i].root, root))
			return &all[i];
	}
	return NULL;
}

static int64_t calls_before(const struct dt_top *before, const char *root,
                            const char *name)
{
	const struct dt_top_workspace *ws = find_workspace(before, root);
	const struct dt_top_tool *tools = ws ? ws->tools.ptr : NULL;

	for (size_t i = 0; ws && i < ws->tools.count; i++) {
		if (!strcmp(tools[i].name, name))
			return tools[i].calls;
	}
	return 0;
}

static double rate_of(const struct dt_top_page *page,
                      const struct dt_top_workspace *ws,
                      const struct dt_top_tool *tool)
{
	int64_t ms;
	int64_t calls;

	/* Another daemon counts from zero again. */
	if (!page->before || page->before->started_ms != page->now->started_ms)
		return 0;
	ms = page->now->now_ms - page->before->now_ms;
	calls = tool->calls - calls_before(page->before, ws->root, tool->name);
	return ms > 0 && calls > 0 ? (double)calls * 1000 / (double)ms : 0;
}

static int compare(const void *a, const void *b)
{
	const struct row *one = a;
	const struct row *two = b;

	if (one->rate != two->rate)
		return one->rate > two->rate ? -1 : 1;
	if (one->tool->calls != two->tool->calls)
		return one->tool->calls > two->tool->calls ? -1 : 1;
	return strcmp(one->tool->name, two->tool->name);
}

/* Every tool that was called, the busiest first. */
static size_t list_rows(const struct dt_top_page *page, struct dt_arena *arena,
                        struct row **out, double *out_rate)
{
	const struct dt_top_workspace *ws = page->now->workspaces.ptr;
	size_t count = 0;

	for (size_t i = 0; i < page->now->workspaces.count; i++)
		count += ws[i].tools.count;
	*out = dt_arena_alloc(arena, (count + 1) * sizeof(**out));
	count = 0;
	*out_rate = 0;
	for (size_t i = 0; i < page->now->workspaces.count; i++) {
		const struct dt_top_tool *tools = ws[i].tools.ptr;

		for (size_t k = 0; k < ws[i].tools.count; k++) {
			struct row row = { &tools[k], ws[i].root,
				           rate_of(page, &ws[i], &tools[k]) };

			(*out)[count++] = row;
			*out_rate += row.rate;
		}
	}
	qsort(*out, count, sizeof(**out), compare);
	return count;
}

/* parts */

static void add_head(struct dt_buf *out, struct dt_arena *arena,
                     const struct dt_top_page *page, double rate)
{
	const struct dt_top_workspace *ws = page->now->workspaces.ptr;
	uint64_t sessions = 0;
	uint64_t waiting = 0;

	for (size_t i = 0; i < page->now->workspaces.count; i++) {
		sessions += ws[i].sessions.count;
		waiting += (uint64_t)ws[i].waiting;
	}
	add_line(out, page,
	         dt_arena_printf(
			 arena,
			 "Dovetail %s: %s, %s, %.1f calls/s, %s waiting, "
			 "started %s",
			 dt_text_safe(arena, page->now->version),
			 dt_text_count(arena, page->now->workspaces.count,
	                               "workspace"),
			 dt_text_count(arena, sessions, "agent"), rate,
			 dt_text_count(arena, waiting, "review"),
			 dt_text_ago(arena, page->now->started_ms,
	                             page->now->now_ms)));
}

static void add_session(struct dt_buf *out, struct dt_arena *arena,
                        const struct dt_top_page *page,
                        const struct dt_top_session *s)
{
	add_line(out, page,
	         dt_arena_printf(
			 arena,
			 "  %-24s connected %s, %" PRId64 " running, %" PRId64
			 " B queued%s%s",
			 dt_arena_printf(arena, "%s %s",
	                                 dt_text_safe(arena, s->agent),
	                                 dt_text_safe(arena, s->version)),
			 dt_text_ago(arena, s->connected_ms, page->now->now_ms),
			 s->running, s->queue_bytes, s->waiting ? ", " : "",
			 s->waiting
				 ? dt_arena_printf(arena, "%" PRId64 " waiting",
	                                           s->waiting)
				 : ""));
}

/* How many lines it took. */
static unsigned add_workspaces(struct dt_buf *out, struct dt_arena *arena,
                               const struct dt_top_page *page)
{
	const struct dt_top_workspace *ws = page->now->workspaces.ptr;
	unsigned lines = 0;

	for (size_t i = 0; i < page->now->workspaces.count; i++) {
		const struct dt_top_session *s = ws[i].sessions.ptr;

		add_line(out, page,
		         dt_arena_printf(
				 arena, "%s (port %u)%s",
				 dt_text_safe(arena, ws[i].root), ws[i].port,
				 ws[i].sessions.count ? "" : ": no agent"));
		lines += 1 + (unsigned)ws[i].sessions.count;
		for (size_t k = 0; k < ws[i].sessions.count; k++)
			add_session(out, arena, page, &s[k]);
	}
	return lines;
}

/* A tool that several workspaces call is a row of each. */
static const char *name_of(struct dt_arena *arena, const struct row *rows,
                           size_t count, size_t at)
{
	const char *name = rows[at].tool->name;

	for (size_t i = 0; i < count; i++) {
		if (i != at && !strcmp(rows[i].tool->name, name))
			return dt_text_safe(
				arena,
				dt_arena_printf(arena, "%s %s", name,
			                        dt_path_base(rows[at].root)));
	}
	return dt_text_safe(arena, name);
}

static void add_tools(struct dt_buf *out, struct dt_arena *arena,
                      const struct dt_top_page *page, const struct row *rows,
                      size_t count)
{
	add_line(out, page, "");
	add_line(out, page,
	         "TOOL                            CALLS   FAILED  CALLS/S"
	         "       P50       P95");
	for (size_t i = 0; i < count; i++) {
		const struct dt_top_tool *tool = rows[i].tool;

		add_line(
			out, page,
			dt_arena_printf(arena,
		                        "%-28s %8" PRId64 " %8" PRId64
		                        " %8.1f %9s %9s",
		                        name_of(arena, rows, count, i),
		                        tool->calls, tool->failed, rows[i].rate,
		                        dt_activity_took(arena, tool->p50_us),
		                        dt_activity_took(arena, tool->p95_us)));
	}
}

static void add_events(struct dt_buf *out, const struct dt_top_page *page,
                       size_t room)
{
	size_t count = page->events.count;

	add_line(out, page, "");
	add_line(out, page, "RECENT");
	for (size_t i = count > room ? count - room : 0; i < count; i++)
		add_line(out, page, page->events.ptr[i]);
}

void dt_top_write(struct dt_buf *out, struct dt_arena *arena,
                  const struct dt_top_page *page)
{
	struct row *rows;
	double rate;
	size_t tools = list_rows(page, arena, &rows, &rate);
	size_t events = page->events.count;
	unsigned used = 1;
	size_t room;

	add_head(out, arena, page, rate);
	used += add_workspaces(out, arena, page);
	/* Two headings with a blank line before each. */
	room = page->rows > used + 4 ? page->rows - used - 4 : 0;
	if (page->rows) {
		size_t least = events < LEAST_EVENTS ? events : LEAST_EVENTS;

		if (tools + least > room)
			tools = room > least ? room - least : 0;
		if (events > room - tools)
			events = room - tools;
	}
	if (tools)
		add_tools(out, arena, page, rows, tools);
	if (events)
		add_events(out, page, events);
}
