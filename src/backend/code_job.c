/*
 * backend/code_job.c - a question, its answer, and perhaps another question.
 *
 * A server that cannot do what was asked may know it by an older name, which is
 * tried before the failure is told.  One that has not seen the whole workspace
 * yet would give half an answer, and some a wrong one: it is asked again until it
 * has, or until our patience ends, and then the answer says that there may be
 * more.
 */
#include "backend/code_job.h"

#include "backend/code_place.h"
#include "backend/lsp_table.h"
#include "base/clock.h"
#include "base/limits.h"
#include "base/path.h"
#include "editor/language.h"

#include <stdlib.h>

#define AGAIN_MS 150
#define REFRESH_MS 10000

static void free_job(struct dt_code_job *job)
{
	dt_timer_free(job->timer);
	dt_arena_done(&job->arena);
	free(job);
}

void dt_code_drop(struct dt_answer *answer, void *performer)
{
	struct dt_code_job *job = performer;

	(void)answer;
	if (job->request)
		dt_lsp_drop(job->request);
	free_job(job);
}

struct dt_code_job *dt_code_new(struct dt_headless *h, const char *path,
                                struct dt_answer *answer)
{
	struct dt_code_job *job = dt_alloc(sizeof(*job));

	job->h = h;
	job->answer = answer;
	job->since_ms = dt_clock_ms();
	if (path)
		job->place.path = dt_headless_path(&job->arena, path);
	job->source.path = job->place.path;
	answer->on_drop = dt_code_drop;
	answer->performer = job;
	return job;
}

uint32_t dt_code_limit(struct dt_maybe_u32 wanted, uint32_t most)
{
	return wanted.is_set && wanted.value < most ? wanted.value : most;
}

void dt_code_end(struct dt_code_job *job, const void *result)
{
	job->answer->on_drop = NULL;
	dt_answer_end(job->answer, result);
	free_job(job);
}

void dt_code_fail(struct dt_code_job *job, const struct dt_fail *fail)
{
	job->answer->on_drop = NULL;
	dt_answer_fail(job->answer, fail);
	free_job(job);
}

/* places */

bool dt_code_text(struct dt_headless *h, const char *path, struct dt_buf *out)
{
	dt_buf_init(out, DT_LIMIT_FILE);
	return !dt_documents_read(h->docs, path, DT_TEXT_TOLD, out, NULL, NULL);
}

typedef enum dt_err settle_fn(struct dt_arena *arena, struct dt_str text,
                              struct dt_code_place *place,
                              struct dt_code_moved *moved,
                              struct dt_fail *fail);

static bool find(struct dt_code_job *job, const struct dt_code_place *place,
                 settle_fn *settle)
{
	struct dt_fail fail = { 0 };
	struct dt_buf text;
	enum dt_err err;

	job->place.at = place->at;
	job->place.symbol = dt_arena_strdup(&job->arena, place->symbol);
	job->place.known = place->known;
	dt_buf_init(&text, DT_LIMIT_FILE);
	err = dt_documents_read(job->h->docs, job->place.path, DT_TEXT_TOLD,
	                        &text, NULL, &fail);
	if (!err)
		err = settle(&job->arena, dt_buf_str(&text), &job->place,
		             &job->source.moved, &fail);
	dt_buf_done(&text);
	if (place->note)
		job->source.moved = (struct dt_code_moved){
			.at = job->place.at,
			.note = dt_arena_strdup(&job->arena, place->note),
		};
	if (err)
		dt_code_fail(job, &fail);
	return !err;
}

bool dt_code_find_place(struct dt_code_job *job,
                        const struct dt_code_place *place)
{
	return find(job, place, dt_code_settle);
}

bool dt_code_find_call(struct dt_code_job *job,
                       const struct dt_code_place *place)
{
	return find(job, place, dt_code_settle_call);
}

/* parameters */

static void put_position(struct dt_json_out *out, const char *name,
                         struct dt_position at)
{
	dt_json_key(out, name);
	dt_json_begin_object(out);
	dt_json_key(out, "line");
	dt_json_put_int(out, at.line);
	dt_json_key(out, "character");
	dt_json_put_int(out, at.character);
	dt_json_end_object(out);
}

void dt_code_put_place(struct dt_code_job *job, struct dt_json_out *out)
{
	put_position(out, "position", job->place.at);
}

void dt_code_put_range(struct dt_json_out *out, const char *name,
                       const struct dt_range *range)
{
	dt_json_key(out, name);
	dt_json_begin_object(out);
	put_position(out, "start", range->start);
	put_position(out, "end", range->end);
	dt_json_end_object(out);
}

static void write_params(struct dt_code_job *job, struct dt_buf *buf)
{
	struct dt_json_out out = dt_json_out(buf);

	dt_json_begin_object(&out);
	if (!job->step->is_bare) {
		dt_json_key(&out, "textDocument");
		dt_json_begin_object(&out);
		dt_json_key(&out, "uri");
		dt_json_put_z(&out,
		              dt_path_to_uri(&job->arena, job->place.path));
		dt_json_end_object(&out);
	}
	if (job->step->params)
		job->step->params(job, &out);
	dt_json_end_object(&out);
}

/* asking */

static void on_failure(struct dt_code_job *job, const struct dt_fail *fail)
{
	bool cannot =
		fail->code == DT_E_UNSUPPORTED || fail->code == DT_E_METHOD;

	if (cannot && job->step->otherwise) {
		if (!job->first.code)
			job->first = *fail;
		dt_code_ask(job, job->step->otherwise);
	} else if (cannot && job->first.code) {
		dt_code_fail(job, &job->first);
	} else if (job->step->on_fail) {
		job->step->on_fail(job, fail);
	} else {
		dt_code_fail(job, fail);
	}
}

static void on_time(struct dt_timer *timer, void *owner)
{
	struct dt_code_job *job = owner;

	(void)timer;
	dt_code_ask(job, job->step);
}

static void ask_again(struct dt_code_job *job)
{
	if (!job->timer)
		job->timer = dt_timer_new(job->h->world.loop, on_time, job);
	dt_timer_start(job->timer, AGAIN_MS);
}

/* How long an answer that may be half or wrong is not taken. */
static unsigned patience_of(const struct dt_code_job *job,
                            const struct dt_lsp_reply *reply)
{
	return dt_lsp_is_unsure(reply->server) ? DT_CODE_LONG_PATIENCE_MS
	                                       : job->step->patience_ms;
}

static bool is_nothing(const struct dt_json *result)
{
	return !result || result->type == DT_JSON_NULL ||
	       (result->type == DT_JSON_ARRAY && result->count == 0);
}

static void on_reply(const struct dt_lsp_reply *reply,
                     const struct dt_fail *fail, void *owner)
{
	struct dt_code_job *job = owner;
	unsigned patience_ms;

	job->request = NULL;
	if (fail) {
		on_failure(job, fail);
		return;
	}
	patience_ms = reply->busy ? patience_of(job, reply) : 0;
	if (dt_clock_ms() - job->since_ms < patience_ms ||
	    (reply->is_early && is_nothing(reply->result))) {
		ask_again(job);
		return;
	}
	job->source.server = dt_arena_strdup(&job->arena, reply->server);
	if (patience_ms > 0)
		job->source.busy = dt_arena_strdup(&job->arena, reply->busy);
	if (job->step->patience_ms >= DT_CODE_PATIENCE_MS)
		job->source.doubt = dt_arena_strdup(&job->arena, reply->doubt);
	job->capabilities = reply->capabilities;
	job->step->take(job, reply->result);
}

static void ask_now(struct dt_code_job *job)
{
	struct dt_lsp_ask ask = {
		.path = job->place.path,
		.method = job->step->method,
		.provider = job->step->provider,
		.deadline_ms = DT_CODE_ASK_MS,
	};
	struct dt_buf params;

	dt_buf_init(&params, DT_LIMIT_MESSAGE);
	write_params(job, &params);
	ask.params = dt_buf_str(&params);
	job->request = dt_lsp_ask(job->h->lsp, &ask, on_reply, job);
	dt_buf_done(&params);
}

/* texts that are not saved */

static const char *server_of(struct dt_code_job *job, const char *path)
{
	const struct dt_lsp_entry *const *entries = dt_lsp_entries_of(
		&job->h->world, &job->arena, dt_language_of(path));

	return entries[0] ? entries[0]->name : "";
}

/* Other files of the same server. */
static void list_unsaved(struct dt_code_job *job)
{
	struct dt_documents *docs = job->h->docs;

	job->unsaved = dt_arena_alloc(&job->arena,
	                              (docs->count + 1) * sizeof(const char *));
	dt_list_each(doc, &docs->list, struct dt_document, link) {
		if (doc->has_overlay &&
		    strcmp(doc->path, job->place.path) != 0 &&
		    !strcmp(server_of(job, doc->path),
		            server_of(job, job->place.path)))
			job->unsaved[job->unsaved_count++] =
				dt_arena_strdup(&job->arena, doc->path);
	}
}

static void refresh_next(struct dt_code_job *job);

static void on_refreshed(const struct dt_lsp_reply *reply,
                         const struct dt_fail *fail, void *owner)
{
	struct dt_code_job *job = owner;

	(void)reply;
	(void)fail; /* the question itself will fail, or not */
	job->request = NULL;
	refresh_next(job);
}

static void refresh_next(struct dt_code_job *job)
{
	if (job->unsaved_count > 0)
		job->request = dt_lsp_refresh(
			job->h->lsp, job->unsaved[--job->unsaved_count],
			REFRESH_MS, on_refreshed, job);
	else
		ask_now(job);
}

void dt_code_ask(struct dt_code_job *job, const struct dt_code_step *step)
{
	struct dt_fail fail = { 0 };

	job->step = step;
	/* No server may start again. */
	if (job->h->is_stopped) {
		dt_fail(&fail, DT_E_CLOSED, "Dovetail stops");
		dt_code_fail(job, &fail);
	} else if (step->patience_ms > 0 && !job->unsaved) {
		list_unsaved(job);
		refresh_next(job);
	} else {
		ask_now(job);
	}
}
