/*
 * backend/lsp_server.c - one language server, from its start to its end and to
 * the next start.
 *
 * A life ends when both the process and the conversation are over.  What was
 * asked of it fails then with the reason, and is not asked again: the question
 * may be what it died of.  What is asked in the pause after a crash waits for
 * the next start.  One that refuses to start is asked nothing until a restart,
 * since it would say the same again.  The timer means, by phase: STARTING, it must be ready; READY,
 * look whether anybody needs it; STOPPING, it does not listen; DOWN, the pause
 * is over.
 */
#include "backend/lsp_state.h"
#include "backend/lsp_watched.h"
#include "base/clock.h"
#include "base/log.h"

#include <stdlib.h>

#define LEFTOVER_MS 1000 /* between the ends of process and conversation */

static void set_phase(struct dt_lsp_server *server, enum dt_lsp_phase phase)
{
	static const char *const names[] = { "down", "starting", "ready",
		                             "stopping" };

	dt_log(DT_LOG_INFO, "%s in %s: %s", server->entry.name, server->folder,
	       names[phase]);
	server->phase = phase;
	server->since_ms = dt_clock_wall_ms();
}

static void free_server(struct dt_lsp_server *server)
{
	dt_timer_free(server->timer);
	dt_arena_done(&server->life);
	dt_arena_done(&server->birth);
	free(server);
}

bool dt_lsp_server_is_up(const struct dt_lsp_server *server)
{
	return server->phase == DT_LSP_READY && server->child && server->peer &&
	       !server->why.code;
}

static void fail_requests(struct dt_lsp_server *server,
                          const struct dt_fail *why)
{
	dt_list_each(r, &server->requests, struct dt_lsp_request, link) {
		dt_lsp_request_end_later(r, why);
	}
}

/* the end */

static bool is_given_up(const struct dt_lsp_server *server)
{
	size_t size = DT_LIMIT_LSP_CRASHES;
	uint64_t oldest;

	if (server->crash_count < size)
		return false;
	oldest = server->crashes[server->crash_count % size];
	return dt_clock_ms() - oldest < DT_LIMIT_LSP_CRASHES_MS;
}

/* 1, 2, 4 ... seconds, by the crashes of the last minutes. */
static uint64_t pause_ms(const struct dt_lsp_server *server)
{
	uint64_t now_ms = dt_clock_ms();
	bool is_first = true;
	uint64_t pause = server->lsp->times.pause_ms;

	for (size_t i = 0; i < server->crash_count && i < DT_LIMIT_LSP_CRASHES;
	     i++) {
		if (now_ms - server->crashes[i] >= DT_LIMIT_LSP_CRASHES_MS)
			continue;
		if (!is_first)
			pause *= 2;
		is_first = false;
	}
	return pause;
}

static void note_crash(struct dt_lsp_server *server)
{
	dt_log(DT_LOG_WARN, "%s", server->why.msg);
	server->last_error = server->why;
	server->crashes[server->crash_count++ % DT_LIMIT_LSP_CRASHES] =
		dt_clock_ms();
	dt_timer_start(server->timer, pause_ms(server));
}

static void start(struct dt_lsp_server *server);

/* Both the process and the conversation are over. */
static void end_life(struct dt_lsp_server *server)
{
	bool was_told_to = server->phase == DT_LSP_STOPPING;
	struct dt_fail why = server->why;

	if (!server->lsp) {
		free_server(server);
		return;
	}
	dt_timer_stop(server->timer);
	dt_lsp_report_forget(server);
	dt_lsp_docs_done(server);
	dt_lsp_tasks_done(server);
	dt_lsp_sources_free(server->sources);
	server->capabilities = NULL;
	server->doubt = NULL;
	dt_lsp_watched_done(server);
	dt_arena_done(&server->life);
	set_phase(server, DT_LSP_DOWN);
	if (!was_told_to && !server->is_refused)
		note_crash(server);
	if (!was_told_to || server->lsp->is_stopped)
		fail_requests(server, &why);
	else if (server->request_count)
		start(server);
}

static void end_life_when_over(struct dt_lsp_server *server)
{
	if (!server->child && !server->peer)
		end_life(server);
	else if (server->phase != DT_LSP_STOPPING)
		dt_timer_start(server->timer, LEFTOVER_MS);
}

void dt_lsp_server_break(struct dt_lsp_server *server,
                         const struct dt_fail *why)
{
	if (!server->why.code)
		server->why = *why;
	if (server->child)
		dt_child_end(server->child);
	else if (server->peer)
		dt_peer_close(server->peer, DT_LINK_DONE, "");
}

void dt_lsp_server_refuse(struct dt_lsp_server *server,
                          const struct dt_fail *why)
{
	dt_log(DT_LOG_WARN, "%s", why->msg);
	server->is_refused = true;
	server->last_error = *why;
	fail_requests(server, why);
	dt_lsp_server_break(server, why);
}

/* The last line that says something, without what a terminal would obey. */
static struct dt_str last_line(struct dt_str text)
{
	struct dt_str last = { 0 };

	while (text.len) {
		struct dt_str line = dt_str_trim(dt_str_cut(&text, '\n'));

		if (line.len)
			last = line;
	}
	return last;
}

static void on_child_end(struct dt_child *child, const struct dt_child_end *end,
                         void *owner)
{
	struct dt_lsp_server *server = owner;
	struct dt_str line = last_line(end->errors);
	const char *name = server->entry.name;
	const char *between = line.len ? ": " : "";

	(void)child;
	server->child = NULL;
	if (end->signal)
		dt_fail(&server->why, DT_E_CLOSED,
		        "%s crashed (signal %d)%s%.*s", name, end->signal,
		        between, DT_STR_ARG(line));
	else
		dt_fail(&server->why, DT_E_CLOSED,
		        "%s ended by itself (exit code %d)%s%.*s", name,
		        end->code, between, DT_STR_ARG(line));
	end_life_when_over(server);
}

static void on_peer_closed(struct dt_peer *peer, const struct dt_fail *why,
                           void *owner)
{
	struct dt_lsp_server *server = owner;
	struct dt_fail ours = { 0 };

	(void)peer;
	server->peer = NULL;
	if (!server->lsp) {
		free_server(server);
		return;
	}
	if (why->code == DT_E_PROTO || why->code == DT_E_LIMIT)
		dt_fail(&ours, DT_E_CLOSED, "%s was ended: %s",
		        server->entry.name, why->msg);
	if (ours.code)
		dt_lsp_server_break(server, &ours);
	end_life_when_over(server);
}

/* the start */

static void on_request(struct dt_peer *peer, struct dt_request *req,
                       const struct dt_json *params, void *owner)
{
	struct dt_lsp_server *server = owner;

	(void)peer;
	dt_lsp_call_note_word(server);
	dt_lsp_answer(server, req, params);
}

static void on_notify(struct dt_peer *peer, const char *method,
                      const struct dt_json *params, void *owner)
{
	struct dt_lsp_server *server = owner;

	(void)peer;
	dt_lsp_call_note_word(server);
	dt_lsp_hear(server, method, params);
}

static const struct dt_peer_events peer_events = {
	.on_request = on_request,
	.on_notify = on_notify,
	.on_closed = on_peer_closed,
};

static enum dt_err spawn(struct dt_lsp_server *server, struct dt_fail *fail)
{
	const struct dt_world *world = &server->lsp->world;
	struct dt_arena arena = { 0 };
	struct dt_child_spec spec = {
		.argv = dt_lsp_command(world, &arena, &server->entry,
		                       server->root, server->folder),
		.env = world->env(world->owner, DT_ASKER_ALL, &arena),
		.folder = server->folder,
	};
	enum dt_err err;

	if (spec.argv)
		err = dt_child_start(world->loop, &spec, on_child_end, server,
		                     &server->child, fail);
	else
		err = dt_fail(fail, DT_E_UNSUPPORTED,
		              "%s is not there any more; to have it: %s",
		              server->entry.name, server->entry.install);
	if (!err && spec.argv)
		dt_world_ran(world, DT_ASKER_ALL, spec.argv[0]);
	dt_arena_done(&arena);
	if (err)
		return err;
	server->peer =
		dt_peer_new(dt_link_framed_new(dt_child_stream(server->child),
	                                       DT_LIMIT_LSP_MESSAGE),
	                    &peer_events, server);
	dt_peer_allow_null_params(server->peer);
	dt_peer_start(server->peer);
	return DT_E_OK;
}

static void start(struct dt_lsp_server *server)
{
	struct dt_fail fail = { 0 };

	server->why = (struct dt_fail){ 0 };
	server->late = 0;
	if (spawn(server, &fail)) {
		server->last_error = fail;
		fail_requests(server, &fail);
		return;
	}
	set_phase(server, DT_LSP_STARTING);
	dt_timer_start(server->timer, server->lsp->times.start_ms);
	dt_lsp_hello(server);
}

/* 0: it is never stopped. */
static uint64_t idle_ms(const struct dt_lsp_server *server)
{
	const struct dt_world *world = &server->lsp->world;
	const char *value = NULL;
	uint32_t minutes;

	if (world->setting)
		value = world->setting(world->owner, "lsp.idle_minutes");
	if (!value || dt_str_to_u32(dt_str(value), &minutes, NULL))
		minutes = DT_LIMIT_LSP_IDLE_MINUTES;
	return minutes * server->lsp->times.minute_ms;
}

void dt_lsp_server_ready(struct dt_lsp_server *server)
{
	uint64_t idle = idle_ms(server);

	set_phase(server, DT_LSP_READY);
	server->last_error = (struct dt_fail){ 0 };
	dt_timer_stop(server->timer);
	if (idle)
		dt_timer_start(server->timer, idle);
	dt_lsp_sources_start(server);
	dt_list_each(r, &server->requests, struct dt_lsp_request, link) {
		if (!r->is_over)
			dt_lsp_call_send(server, r);
	}
}

/* stopping */

static void on_shutdown(struct dt_peer *peer, const struct dt_json *result,
                        const struct dt_fail *fail, void *owner)
{
	(void)result;
	(void)owner;
	(void)fail;
	if (dt_peer_is_over(peer))
		return;
	dt_peer_notify(peer, "exit", (struct dt_str){ 0 });
	dt_peer_close(peer, DT_LINK_DONE, "");
}

void dt_lsp_server_stop(struct dt_lsp_server *server)
{
	struct dt_fail why = { 0 };

	if (server->phase == DT_LSP_STOPPING)
		return;
	dt_fail(&why, DT_E_CLOSED, "%s was stopped", server->entry.name);
	dt_timer_stop(server->timer);
	fail_requests(server, &why);
	if (server->phase == DT_LSP_DOWN)
		return;
	server->why = why;
	set_phase(server, DT_LSP_STOPPING);
	dt_timer_start(server->timer, server->lsp->times.stop_ms);
	if (server->peer)
		dt_peer_call(server->peer, "shutdown", (struct dt_str){ 0 }, 0,
		             on_shutdown, server);
}

static void look_whether_idle(struct dt_lsp_server *server)
{
	uint64_t idle = idle_ms(server);
	uint64_t unused = dt_clock_ms() - server->used_ms;

	if (!idle)
		return;
	if (!server->request_count && unused >= idle)
		dt_lsp_server_stop(server);
	else
		dt_timer_start(server->timer,
		               unused < idle ? idle - unused : idle);
}

/* Of process and conversation only one is over, or it does not stop. */
static void end_leftover(struct dt_lsp_server *server)
{
	struct dt_fail why = { 0 };

	dt_fail(&why, DT_E_CLOSED, "%s closed its output", server->entry.name);
	dt_lsp_server_break(server, &why);
}

static void on_timer(struct dt_timer *timer, void *owner)
{
	struct dt_lsp_server *server = owner;
	struct dt_fail why = { 0 };

	(void)timer;
	switch (server->phase) {
	case DT_LSP_DOWN:
		if (server->request_count && !is_given_up(server))
			start(server);
		break;
	case DT_LSP_READY:
		if (dt_lsp_server_is_up(server))
			look_whether_idle(server);
		else
			end_leftover(server);
		break;
	case DT_LSP_STARTING:
		if (server->child && server->peer)
			dt_fail(&why, DT_E_CLOSED, "%s was not ready in %d s",
			        server->entry.name,
			        (int)server->lsp->times.start_ms / 1000);
		if (why.code)
			dt_lsp_server_break(server, &why);
		else
			end_leftover(server);
		break;
	case DT_LSP_STOPPING:
		end_leftover(server);
		break;
	}
}

/* asked */

void dt_lsp_server_take(struct dt_lsp_server *server, struct dt_lsp_request *r)
{
	struct dt_fail fail = { 0 };

	server->used_ms = dt_clock_ms();
	if (server->request_count >= DT_LIMIT_LSP_REQUESTS)
		dt_fail(&fail, DT_E_LIMIT, "%s has %d questions to answer",
		        server->entry.name, DT_LIMIT_LSP_REQUESTS);
	else if (server->lsp->is_stopped)
		dt_fail(&fail, DT_E_CLOSED, "Dovetail stops");
	else if (server->is_refused)
		fail = server->last_error;
	else if (server->phase == DT_LSP_DOWN && is_given_up(server))
		dt_fail(&fail, DT_E_CLOSED,
		        "%s is given up for now, it "
		        "crashed %d times; the last: %s",
		        server->entry.name, DT_LIMIT_LSP_CRASHES,
		        server->last_error.msg);
	if (fail.code) {
		dt_lsp_request_end_later(r, &fail);
		return;
	}
	r->server = server;
	server->request_count++;
	dt_list_remove(&r->link);
	dt_list_append(&server->requests, &r->link);
	if (dt_lsp_server_is_up(server))
		dt_lsp_call_send(server, r);
	else if (server->phase == DT_LSP_DOWN &&
	         !dt_timer_is_running(server->timer))
		start(server);
}

/* birth */

static const char *const *copy_list(struct dt_arena *arena,
                                    const char *const *list)
{
	const char **copy;
	size_t count = 0;

	while (list && list[count])
		count++;
	copy = dt_arena_alloc(arena, (count + 1) * sizeof(*copy));
	for (size_t i = 0; i < count; i++)
		copy[i] = dt_arena_strdup(arena, list[i]);
	return copy;
}

struct dt_lsp_server *dt_lsp_server_new(struct dt_lsp *lsp,
                                        const struct dt_lsp_entry *entry,
                                        const char *root, const char *folder,
                                        const char *key)
{
	struct dt_lsp_server *server = dt_alloc(sizeof(*server));
	struct dt_arena *arena = &server->birth;

	server->lsp = lsp;
	server->entry = (struct dt_lsp_entry){
		.name = dt_arena_strdup(arena, entry->name),
		.languages = copy_list(arena, entry->languages),
		.argv = copy_list(arena, entry->argv),
		.markers = copy_list(arena, entry->markers),
		.settings = dt_arena_strdup(arena, entry->settings),
		.options = dt_arena_strdup(arena, entry->options),
		.install = dt_arena_strdup(arena, entry->install),
		.is_tested = entry->is_tested,
		.is_rash = entry->is_rash,
		.is_local = entry->is_local,
		.wants_sources = entry->wants_sources,
	};
	server->root = dt_arena_strdup(arena, root);
	server->folder = dt_arena_strdup(arena, folder);
	server->key = dt_arena_strdup(arena, key);
	server->since_ms = dt_clock_wall_ms();
	server->timer = dt_timer_new(lsp->world.loop, on_timer, server);
	dt_list_init(&server->docs);
	dt_list_init(&server->watchers);
	dt_list_init(&server->requests);
	dt_list_append(&lsp->servers, &server->link);
	lsp->server_count++;
	return server;
}

void dt_lsp_server_free(struct dt_lsp_server *server)
{
	dt_list_each(r, &server->requests, struct dt_lsp_request, link)
		dt_lsp_drop(r);
	dt_lsp_docs_done(server);
	dt_lsp_tasks_done(server);
	dt_lsp_sources_free(server->sources);
	dt_lsp_watched_done(server);
	dt_list_remove(&server->link);
	server->lsp->server_count--;
	server->lsp = NULL;
	dt_timer_stop(server->timer);
	if (server->child)
		dt_child_stop(server->child);
	server->child = NULL;
	if (server->peer)
		dt_peer_close(server->peer, DT_LINK_DONE, "");
	else
		free_server(server);
}

/* what is told of it */

const char *dt_lsp_server_state(const struct dt_lsp_server *server,
                                struct dt_arena *arena)
{
	(void)arena;
	switch (server->phase) {
	case DT_LSP_STARTING:
		return "starting";
	case DT_LSP_READY:
		return "ready";
	case DT_LSP_STOPPING:
		return "stopping";
	case DT_LSP_DOWN:
		break;
	}
	if (server->is_refused)
		return "refused";
	if (is_given_up(server))
		return "given up";
	return dt_timer_is_running(server->timer) ? "crashed" : "stopped";
}

const char *dt_lsp_server_progress(const struct dt_lsp_server *server)
{
	for (size_t i = 0; i < DT_LIMIT_LSP_PROGRESS; i++) {
		if (server->tasks[i].token && server->tasks[i].text)
			return server->tasks[i].text;
	}
	return server->sources ? "looking for the source files" : NULL;
}
