/*
 * hub/bridge.c - how a workspace is, which tools work, which tools fit.
 *
 * All of it is looked up when asked; nothing is kept for it.  What happened is
 * bridge_activity.c.
 */
#include "hub/bridge.h"

#include "backend/headless.h"
#include "base/clock.h"
#include "base/limits.h"
#include "hub/checkpoint.h"
#include "hub/route.h"
#include "tool/search.h"

#include <stdlib.h>

#define FOUND_LIMIT 20 /* tools, unless told */

static const char *time_text(struct dt_arena *arena, int64_t ms)
{
	char text[DT_CLOCK_TEXT];

	if (ms == 0)
		return NULL;
	dt_clock_format(ms, text);
	return dt_arena_strdup(arena, text);
}

/* status */

/* There is no plugin yet: the only backend is what there is without one. */
static bool is_attached(const struct dt_workspace *ws)
{
	return strcmp(ws->editor->backend->name, "headless") != 0;
}

static const char *tier_of(const struct dt_workspace *ws)
{
	return is_attached(ws) ? "full" : "headless";
}

const char *dt_bridge_short_id(struct dt_arena *arena, const char *id)
{
	return id ? dt_arena_printf(arena, "%.8s", id) : NULL;
}

static void list_sessions(struct dt_workspace *ws, struct dt_arena *arena,
                          struct dt_items *out)
{
	struct dt_status_session *sessions = dt_arena_alloc(
		arena, (ws->session_count + 1) * sizeof(*sessions));
	size_t count = 0;

	dt_list_each(s, &ws->sessions, struct dt_session, link) {
		sessions[count++] = (struct dt_status_session){
			.id = dt_bridge_short_id(arena, s->id),
			.agent = dt_session_name(s),
			.version =
				s->agent.version[0] ? s->agent.version : NULL,
			.connected_at = time_text(arena, s->connected_ms),
			.running =
				(uint32_t)dt_peer_request_count(s->agent.peer),
			.waiting = (uint32_t)dt_session_waiting(s),
		};
	}
	*out = (struct dt_items){ sessions, count };
}

static void list_previous(struct dt_workspace *ws, struct dt_arena *arena,
                          struct dt_items *out)
{
	struct dt_items past = dt_checkpoint_sessions(ws);
	const struct dt_past_session *sessions = past.ptr;
	struct dt_previous_session *previous =
		dt_arena_alloc(arena, (past.count + 1) * sizeof(*previous));

	for (size_t i = 0; i < past.count; i++)
		previous[i] = (struct dt_previous_session){
			dt_bridge_short_id(arena, sessions[i].id),
			sessions[i].agent,
		};
	*out = (struct dt_items){ previous, past.count };
}

/* "TIMEOUT" is "timeout" for who reads it. */
static const char *code_text(struct dt_arena *arena, enum dt_err code)
{
	char *text = dt_arena_strdup(arena, dt_err_name(code));

	for (char *c = text; *c; c++) {
		if (*c >= 'A' && *c <= 'Z')
			*c = (char)(*c - 'A' + 'a');
	}
	return text;
}

void dt_bridge_status(struct dt_workspace *ws, struct dt_arena *arena,
                      struct dt_status_result *out)
{
	struct dt_status_editor *editor =
		dt_arena_alloc(arena, sizeof(*editor));
	int64_t up_ms = dt_clock_wall_ms() - ws->hub->started_ms;

	editor->name = ws->editor->backend->name;
	editor->breaker = "closed"; /* the headless one is never spared */
	editor->unseen = dt_headless_unseen(ws->editor);
	*out = (struct dt_status_result){
		.version = DT_VERSION,
		.uptime_seconds = up_ms > 0 ? (uint32_t)(up_ms / 1000) : 0,
		.workspace = ws->record.id,
		.folders = ws->record.roots,
		.is_editor_attached = is_attached(ws),
		.tier = tier_of(ws),
		.session_count = (uint32_t)ws->session_count,
		.editors = { editor, 1 },
		.reviews_waiting = (uint32_t)dt_workspace_waiting(ws),
		.last_connect_at = time_text(arena, ws->connected_ms),
		.last_disconnect_at = time_text(arena, ws->disconnected_ms),
	};
	list_sessions(ws, arena, &out->sessions);
	list_previous(ws, arena, &out->previous);
	if (ws->disconnected_ms) {
		out->last_disconnect_code =
			code_text(arena, ws->disconnected_why.code);
		out->last_disconnect_reason = ws->disconnected_why.msg;
	}
}

void dt_bridge_get_status(struct dt_session *s, struct dt_workspace *ws,
                          const void *args, struct dt_answer *answer)
{
	struct dt_status_result result;
	struct dt_arena arena = { 0 };

	(void)s;
	(void)args;
	dt_bridge_status(ws, &arena, &result);
	dt_answer_end(answer, &result);
	dt_arena_done(&arena);
}

/* capabilities */

static size_t count_tools(const struct dt_dialect *dialect)
{
	size_t count = 0;

	while (dt_dialect_tool(dialect, count))
		count++;
	return count;
}

/* dt_wish_is_read() and review/rules.c in words; a test looks the names up. */
static const char asking[] =
	"runCommand, runTests, executeInTerminal and sendTerminalCommand run the "
	"programs of allowedPrograms without asking where they read, or change "
	"what can be brought back. Any other program waits until the person "
	"allows it, and so does a command that discards work or history, writes "
	"files, fetches code, can print files that are kept from agents, or runs "
	"tests, scripts or hooks whose defining files (package.json, Makefile, "
	"conftest.py ...) the person has not seen as they are. gitAdd, "
	"gitCommit, gitCheckout, gitStash, gitFetch and gitPush run without "
	"asking, but for such files; gitStashPop, gitPull, a forced gitPush and "
	"what githubPR and githubIssue write wait for the person. Changes of "
	"files are written at once where the person's rules allow it; else the "
	"person decides.";

static struct dt_names list_programs(struct dt_workspace *ws,
                                     struct dt_arena *arena)
{
	struct dt_str rest = dt_str(dt_config_get(ws->config, "run.allow"));
	struct dt_names names = {
		.ptr = dt_arena_alloc(arena,
		                      (rest.len / 2 + 1) * sizeof(*names.ptr)),
	};

	for (;;) {
		struct dt_str word = dt_str_cut_word(&rest);

		if (word.len == 0)
			return names;
		names.ptr[names.count++] =
			dt_arena_strndup(arena, word.ptr, word.len);
	}
}

void dt_bridge_get_capabilities(struct dt_session *s, struct dt_workspace *ws,
                                const void *args, struct dt_answer *answer)
{
	const struct dt_dialect *dialect = s->agent.dialect;
	size_t total = count_tools(dialect);
	struct dt_arena arena = { 0 };
	struct dt_capability *tools =
		dt_arena_alloc(&arena, (total + 1) * sizeof(*tools));
	struct dt_capabilities_result result = {
		.editor = ws->editor->backend->name,
		.is_editor_attached = is_attached(ws),
		.tier = tier_of(ws),
		.total = (uint32_t)total,
		.programs = list_programs(ws, &arena),
		.asking = asking,
		.tools = { tools, total },
	};

	(void)args;
	for (size_t i = 0; i < total; i++) {
		const struct dt_tool *tool = dt_dialect_tool(dialect, i);

		tools[i].name = tool->name;
		tools[i].is_available =
			!tool->needs || dt_route_can(ws, tool->needs);
		if (tools[i].is_available)
			result.available++;
		else
			tools[i].missing = dt_arena_printf(
				&arena,
				"It needs an editor that can do %s, and none "
				"is attached.",
				tool->needs->name);
	}
	dt_answer_end(answer, &result);
	dt_arena_done(&arena);
}

/* search */

struct match {
	const struct dt_tool *tool;
	const char *group;
	unsigned score;
	size_t place; /* in the dialect's order */
};

static bool is_wanted(const char *group, const struct dt_names *categories)
{
	for (size_t i = 0; i < categories->count; i++) {
		if (dt_str_eq_nocase(dt_str(group), dt_str(categories->ptr[i])))
			return true;
	}
	return categories->count == 0;
}

static int compare(const void *a, const void *b)
{
	const struct match *one = a;
	const struct match *two = b;

	if (one->score != two->score)
		return one->score > two->score ? -1 : 1;
	return one->place < two->place ? -1 : one->place > two->place;
}

static size_t find_matches(struct dt_agent *agent,
                           const struct dt_search_tools_args *wanted,
                           struct match *out)
{
	const struct dt_dialect *dialect = agent->dialect;
	const char *hidden = dt_agent_hidden(agent);
	size_t count = 0;

	for (size_t g = 0; dialect->groups[g]; g++) {
		const struct dt_tool_group *group = dialect->groups[g];

		if (!is_wanted(group->name, &wanted->categories))
			continue;
		for (size_t i = 0; i < group->count; i++) {
			struct match match = {
				.tool = &group->tools[i],
				.group = group->name,
				.score = dt_tool_score(&group->tools[i],
				                       group->name,
				                       dt_str(wanted->query)),
				.place = count,
			};

			if (match.score &&
			    !dt_tool_is_hidden(hidden, match.tool->name))
				out[count++] = match;
		}
	}
	qsort(out, count, sizeof(*out), compare);
	return count;
}

static struct dt_str schema_text(struct dt_arena *arena,
                                 const struct dt_tool *tool)
{
	struct dt_str text;
	struct dt_buf buf;
	struct dt_json_out out;

	if (tool->schema)
		return dt_str(tool->schema);
	dt_buf_init(&buf, DT_MIB);
	out = dt_json_out(&buf);
	dt_shape_write_schema(&tool->args, &out);
	text.ptr = dt_arena_strndup(arena, buf.ptr, buf.len);
	text.len = buf.len;
	dt_buf_done(&buf);
	return text;
}

void dt_bridge_search_tools(struct dt_session *s, struct dt_workspace *ws,
                            const void *args, struct dt_answer *answer)
{
	const struct dt_search_tools_args *wanted = args;
	struct dt_arena arena = { 0 };
	struct match *matches = dt_arena_alloc(
		&arena, (count_tools(s->agent.dialect) + 1) * sizeof(*matches));
	size_t matched = find_matches(&s->agent, wanted, matches);
	size_t limit = wanted->limit ? wanted->limit : FOUND_LIMIT;
	size_t count = matched < limit ? matched : limit;
	struct dt_found_tool *found =
		dt_arena_alloc(&arena, (count + 1) * sizeof(*found));
	struct dt_search_tools_result result = {
		.tools = { found, count },
		.matched = (uint32_t)matched,
	};

	(void)ws;
	for (size_t i = 0; i < count; i++) {
		const struct dt_tool *tool = matches[i].tool;

		found[i] = (struct dt_found_tool){
			.name = tool->name,
			.title = tool->title,
			.doc = tool->doc,
			.category = matches[i].group,
			.effect = dt_effect_name(tool->effect),
			.is_listed = dt_agent_lists(&s->agent, tool),
		};
		if (wanted->has_schemas)
			found[i].schema = schema_text(&arena, tool);
	}
	dt_answer_end(answer, &result);
	dt_arena_done(&arena);
}
