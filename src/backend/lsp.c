/*
 * backend/lsp.c - questions to language servers, and how they end.
 *
 * Which server is asked is lsp_find.c's to say.  Each question ends exactly
 * once: with an answer, a failure, its deadline or because it was dropped.  What
 * can be said at once is said in the next turn, so that whoever asks has the
 * request in hand when it ends.
 */
#include "backend/lsp.h"

#include "backend/lsp_state.h"
#include "backend/lsp_watched.h"
#include "base/clock.h"
#include "base/path.h"
#include "loop/os.h"

#include <stdlib.h>

/* requests */

static void free_request(struct dt_lsp_request *r)
{
	dt_timer_free(r->timer);
	dt_timer_free(r->quiet);
	dt_list_remove(&r->link);
	dt_buf_done(&r->params);
	free(r->path);
	free(r->method);
	free(r->provider);
	free(r);
}

/* Out of its server's hands, which may still be thinking about it. */
static void leave_server(struct dt_lsp_request *r)
{
	if (!r->server)
		return;
	dt_lsp_call_cancel(r->server, r);
	r->server->request_count--;
	r->server = NULL;
	dt_list_remove(&r->link);
	dt_list_append(&r->lsp->others, &r->link);
}

static bool is_early(const struct dt_lsp_request *r)
{
	const struct dt_lsp_doc *doc = NULL;

	if (r->server->entry.is_rash && r->path)
		doc = dt_lsp_docs_find(r->server, r->path);
	return doc && dt_clock_ms() - doc->opened_ms < DT_LIMIT_LSP_NEWS_MS;
}

void dt_lsp_request_end(struct dt_lsp_request *r, const struct dt_json *result,
                        const struct dt_fail *fail)
{
	struct dt_lsp_server *server = r->server;
	struct dt_lsp_reply reply = { .result = result };
	dt_lsp_fn *fn = r->fn;
	void *owner = r->owner;

	if (server) {
		reply.capabilities = server->capabilities;
		reply.server = server->entry.name;
		reply.busy = dt_lsp_server_progress(server);
		reply.doubt = server->doubt;
		reply.is_early = is_early(r);
		reply.is_young = dt_clock_wall_ms() - server->since_ms <
		                 DT_LIMIT_LSP_YOUNG_MS;
	}
	leave_server(r);
	free_request(r);
	fn(fail ? NULL : &reply, fail, owner);
}

void dt_lsp_request_end_later(struct dt_lsp_request *r,
                              const struct dt_fail *fail)
{
	r->fail = *fail;
	r->is_over = true;
	if (r->quiet)
		dt_timer_stop(r->quiet);
	if (fail->code)
		leave_server(r);
	dt_timer_start(r->timer, 0);
}

static void end_late(struct dt_lsp_request *r)
{
	struct dt_lsp_server *server = r->server;
	struct dt_fail fail = { 0 };
	struct dt_arena arena = { 0 };
	const char *busy = dt_lsp_server_progress(server);

	if (server->phase != DT_LSP_READY)
		dt_fail(&fail, DT_E_TIMEOUT, "%s was not ready in %u ms: %s",
		        server->entry.name, r->deadline_ms,
		        dt_lsp_server_state(server, &arena));
	else
		dt_fail(&fail, DT_E_TIMEOUT, "%s did not answer in %u ms%s%s%s",
		        server->entry.name, r->deadline_ms, busy ? " (" : "",
		        busy ? busy : "", busy ? ")" : "");
	dt_arena_done(&arena);
	if (r->is_sent)
		dt_lsp_call_note_late(server);
	dt_lsp_request_end(r, NULL, &fail);
}

static void on_timer(struct dt_timer *timer, void *owner)
{
	struct dt_lsp_request *r = owner;
	struct dt_fail fail = r->fail; /* is told when the request is gone */

	(void)timer;
	if (r->is_over)
		dt_lsp_request_end(r, NULL, fail.code ? &fail : NULL);
	else
		end_late(r);
}

static struct dt_lsp_request *new_request(struct dt_lsp *lsp,
                                          const struct dt_lsp_ask *ask,
                                          dt_lsp_fn *fn, void *owner)
{
	struct dt_lsp_request *r = dt_alloc(sizeof(*r));

	*r = (struct dt_lsp_request){
		.lsp = lsp,
		.fn = fn,
		.on_edit = ask->on_edit,
		.owner = owner,
		.timer = dt_timer_new(lsp->world.loop, on_timer, r),
		.path = ask->path ? dt_strdup(ask->path) : NULL,
		.method = ask->method ? dt_strdup(ask->method) : NULL,
		.provider = ask->provider ? dt_strdup(ask->provider) : NULL,
		.deadline_ms = ask->deadline_ms,
		.is_hasty = ask->is_hasty,
		.call = DT_CALL_OVER,
	};
	dt_buf_init(&r->params, ask->params.len);
	dt_buf_add_str(&r->params, ask->params);
	dt_list_append(&lsp->others, &r->link);
	dt_timer_start(r->timer, ask->deadline_ms);
	return r;
}

/* Give it to the server of its file. */
static void send_to_its_server(struct dt_lsp_request *r)
{
	struct dt_fail fail = { 0 };
	struct dt_lsp_server *server = dt_lsp_find(r->lsp, r->path, &fail);

	if (server)
		dt_lsp_server_take(server, r);
	else
		dt_lsp_request_end_later(r, &fail);
}

struct dt_lsp_request *dt_lsp_ask(struct dt_lsp *lsp,
                                  const struct dt_lsp_ask *ask, dt_lsp_fn *fn,
                                  void *owner)
{
	struct dt_lsp_request *r = new_request(lsp, ask, fn, owner);

	send_to_its_server(r);
	return r;
}

struct dt_lsp_request *dt_lsp_refresh(struct dt_lsp *lsp, const char *path,
                                      unsigned deadline_ms, dt_lsp_fn *fn,
                                      void *owner)
{
	return dt_lsp_ask(lsp,
	                  &(struct dt_lsp_ask){ .path = path,
	                                        .deadline_ms = deadline_ms },
	                  fn, owner);
}

struct dt_lsp_request *dt_lsp_refresh_soon(struct dt_lsp *lsp, const char *path,
                                           unsigned deadline_ms, dt_lsp_fn *fn,
                                           void *owner)
{
	return dt_lsp_ask(lsp,
	                  &(struct dt_lsp_ask){ .path = path,
	                                        .deadline_ms = deadline_ms,
	                                        .is_hasty = true },
	                  fn, owner);
}

/* questions to all */

static void end_whole(struct dt_lsp_request *whole)
{
	dt_lsp_fn *fn = whole->fn;
	void *owner = whole->owner;

	free_request(whole);
	fn(NULL, NULL, owner);
}

static void on_part(const struct dt_lsp_reply *reply,
                    const struct dt_fail *fail, void *owner)
{
	struct dt_lsp_request *whole = owner;

	whole->part_count--;
	whole->is_telling = true;
	whole->fn(reply, fail, whole->owner);
	whole->is_telling = false;
	if (whole->is_dropped)
		free_request(whole);
	else if (!whole->part_count)
		end_whole(whole);
}

static void on_nobody(struct dt_timer *timer, void *owner)
{
	(void)timer;
	end_whole(owner);
}

static struct dt_lsp_request *new_part(struct dt_lsp_request *whole,
                                       const struct dt_lsp_ask *ask)
{
	struct dt_lsp_request *part =
		new_request(whole->lsp, ask, on_part, whole);

	part->whole = whole;
	whole->part_count++;
	return part;
}

static bool is_asked(const struct dt_lsp_request *whole,
                     const struct dt_lsp_server *server)
{
	dt_list_each(r, &server->requests, struct dt_lsp_request, link) {
		if (r->whole == whole)
			return true;
	}
	return false;
}

/* The file is opened there: some know of no project before. */
static void ask_by_file(struct dt_lsp_request *whole, struct dt_lsp_ask ask,
                        const char *path)
{
	struct dt_fail fail = { 0 };
	struct dt_lsp_server *server = dt_lsp_find(whole->lsp, path, &fail);

	ask.path = path;
	if (!server)
		dt_lsp_request_end_later(new_part(whole, &ask), &fail);
	else if (!is_asked(whole, server))
		dt_lsp_server_take(server, new_part(whole, &ask));
}

struct dt_lsp_request *dt_lsp_ask_all(struct dt_lsp *lsp,
                                      const struct dt_lsp_ask *ask,
                                      const struct dt_names *files,
                                      dt_lsp_fn *fn, void *owner)
{
	struct dt_lsp_ask about_all = *ask;
	struct dt_lsp_request *whole;

	about_all.path = NULL;
	whole = new_request(lsp, &about_all, fn, owner);
	dt_timer_free(whole->timer);
	whole->timer = dt_timer_new(lsp->world.loop, on_nobody, whole);
	for (size_t i = 0; i < files->count; i++)
		ask_by_file(whole, about_all, files->ptr[i]);
	dt_list_each(server, &lsp->servers, struct dt_lsp_server, link) {
		bool runs = server->phase == DT_LSP_READY ||
		            server->phase == DT_LSP_STARTING;

		if (runs && !server->entry.is_local && !is_asked(whole, server))
			dt_lsp_server_take(server, new_part(whole, &about_all));
	}
	if (!whole->part_count)
		dt_timer_start(whole->timer, 0);
	return whole;
}

static void drop_one(struct dt_lsp_request *r)
{
	leave_server(r);
	free_request(r);
}

static void drop_parts(struct dt_list *list, const struct dt_lsp_request *whole)
{
	dt_list_each(r, list, struct dt_lsp_request, link) {
		if (r->whole == whole)
			drop_one(r);
	}
}

void dt_lsp_drop(struct dt_lsp_request *r)
{
	struct dt_lsp *lsp = r->lsp;

	if (r->part_count) {
		dt_list_each(server, &lsp->servers, struct dt_lsp_server, link)
			drop_parts(&server->requests, r);
		drop_parts(&lsp->others, r);
	}
	if (r->is_telling)
		r->is_dropped = true;
	else
		drop_one(r);
}

/* the pool */

struct dt_lsp *dt_lsp_new(const struct dt_world *world,
                          struct dt_problems *problems)
{
	struct dt_lsp *lsp = dt_alloc(sizeof(*lsp));

	*lsp = (struct dt_lsp){
		.world = *world,
		.times = {
			.start_ms = DT_LIMIT_LSP_START_MS,
			.stop_ms = DT_LIMIT_LSP_STOP_MS,
			.pause_ms = DT_LIMIT_LSP_PAUSE_MS,
			.silent_ms = DT_LIMIT_LSP_SILENT_MS,
			.minute_ms = 60000,
			.news_ms = DT_LIMIT_LSP_NEWS_MS,
			.hush_ms = DT_LIMIT_LSP_HUSH_MS,
			.part_ms = DT_LIMIT_LSP_PART_MS,
			.begin_ms = DT_LIMIT_LSP_BEGIN_MS,
		},
		.problems = problems,
		.tells_sources = true,
	};
	dt_list_init(&lsp->servers);
	dt_list_init(&lsp->others);
	return lsp;
}

void dt_lsp_stop(struct dt_lsp *lsp)
{
	lsp->is_stopped = true;
	dt_lsp_restart(lsp, NULL);
}

void dt_lsp_free(struct dt_lsp *lsp)
{
	if (!lsp)
		return;
	dt_list_each(server, &lsp->servers, struct dt_lsp_server, link)
		dt_lsp_server_free(server);
	dt_list_each(r, &lsp->others, struct dt_lsp_request, link)
		free_request(r);
	free(lsp);
}

void dt_lsp_changed(struct dt_lsp *lsp, const struct dt_file_changes *changes)
{
	dt_list_each(server, &lsp->servers, struct dt_lsp_server, link) {
		if (dt_lsp_server_is_up(server))
			dt_lsp_watched_take(server, changes);
	}
}

bool dt_lsp_runs(const struct dt_lsp *lsp)
{
	dt_list_each(server, &lsp->servers, struct dt_lsp_server, link) {
		if (server->phase != DT_LSP_DOWN)
			return true;
	}
	return false;
}

struct dt_items dt_lsp_list(struct dt_lsp *lsp, struct dt_arena *arena)
{
	struct dt_lsp_info *infos =
		dt_arena_alloc(arena, lsp->server_count * sizeof(*infos));
	struct dt_items items = { infos, 0 };

	dt_list_each(server, &lsp->servers, struct dt_lsp_server, link) {
		pid_t pid = server->child ? dt_child_pid(server->child) : 0;
		const struct dt_fail *error = &server->last_error;

		infos[items.count++] = (struct dt_lsp_info){
			.name = server->entry.name,
			.folder = server->folder,
			.state = dt_lsp_server_state(server, arena),
			.pid = pid,
			.memory = pid ? dt_os_group_memory(pid) : 0,
			.since = server->since_ms,
			.requests = (int64_t)server->asked,
			.error = error->code
			                 ? dt_arena_strdup(arena, error->msg)
			                 : NULL,
			.progress = dt_arena_strdup(
				arena, dt_lsp_server_progress(server)),
		};
	}
	return items;
}

size_t dt_lsp_restart(struct dt_lsp *lsp, const char *name)
{
	size_t count = 0;

	dt_list_each(server, &lsp->servers, struct dt_lsp_server, link) {
		if (name && strcmp(server->entry.name, name) != 0)
			continue;
		server->crash_count = 0;
		server->is_refused = false;
		dt_lsp_server_stop(server);
		count++;
	}
	return count;
}
