/*
 * hub/checkpoint.c - sessions and open documents written down and read again.
 *
 * It is a convenience: nothing in it is needed to serve, so whatever is wrong
 * with it is a line in the log.  No text and no token is in it.  Documents are
 * opened by the rules of any other opening, so a file that was changed by hand
 * opens nothing outside of the workspace.
 */
#include "hub/checkpoint.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/log.h"
#include "hub/session.h"

#include <stdlib.h>
#include <unistd.h>

#define VERSION 1
#define SOON_MS 1000
#define FUTURE_MS 5000 /* clocks differ a little */

struct dt_checkpoint {
	struct dt_arena arena; /* of what was read */
	struct dt_items past;  /* struct dt_past_session */
	struct dt_timer *timer;
	char *path;
	char *written; /* what the file says, but for the time; or NULL */
};

/* A checkpoint as it is in the file. */
struct content {
	uint32_t version;
	int64_t saved_ms;
	const char *workspace;
	const char *root;
	struct dt_items sessions; /* struct dt_past_session */
	struct dt_names documents;
	const char *active;
};

static const struct dt_field session_fields[] = {
	DT_FIELD(struct dt_past_session, id, NAME, DT_REQ, ""),
	DT_FIELD(struct dt_past_session, agent, NAME, DT_REQ, ""),
	DT_FIELD_AS("connectedMs", struct dt_past_session, connected_ms, I64,
	            DT_REQ, ""),
	DT_FIELD_END,
};
static const struct dt_shape session_shape =
	DT_SHAPE(struct dt_past_session, session_fields);

static const struct dt_field content_fields[] = {
	DT_FIELD(struct content, version, U32, DT_REQ, ""),
	DT_FIELD_AS("savedMs", struct content, saved_ms, I64, DT_REQ, ""),
	DT_FIELD(struct content, workspace, NAME, DT_REQ, ""),
	DT_FIELD(struct content, root, NAME, DT_REQ, ""),
	DT_FIELD(struct content, sessions, ITEMS, DT_REQ, "",
	         .shape = &session_shape),
	DT_FIELD(struct content, documents, PATHS, DT_REQ, ""),
	DT_FIELD(struct content, active, PATH, DT_OMIT, ""),
	DT_FIELD_END,
};
static const struct dt_shape content_shape =
	DT_SHAPE(struct content, content_fields);

/* writing */

static void fill(struct dt_workspace *ws, struct dt_arena *arena,
                 struct content *out)
{
	struct dt_past_session *sessions = dt_arena_alloc(
		arena, (ws->session_count + 1) * sizeof(*sessions));
	const char **documents = dt_arena_alloc(
		arena, (ws->docs.count + 1) * sizeof(*documents));
	size_t count = 0;

	*out = (struct content){
		.version = VERSION,
		.workspace = ws->record.id,
		.root = dt_workspace_root(ws),
		.sessions = { sessions, ws->session_count },
		.documents = { documents, ws->docs.count },
		.active = ws->docs.active ? ws->docs.active->path : NULL,
	};
	dt_list_each(s, &ws->sessions, struct dt_session, link) {
		sessions[count++] =
			(struct dt_past_session){ s->id, dt_session_name(s),
			                          s->connected_ms };
	}
	count = 0;
	dt_list_each(doc, &ws->docs.list, struct dt_document, link)
		documents[count++] = doc->path;
}

static char *content_text(const struct content *content)
{
	struct dt_json_out out;
	struct dt_buf text;

	dt_buf_init(&text, DT_LIMIT_MESSAGE);
	out = dt_json_out(&text);
	dt_shape_write(&content_shape, content, &out);
	return dt_buf_take(&text);
}

static void write_now(struct dt_workspace *ws)
{
	struct dt_checkpoint *c = ws->checkpoint;
	struct dt_arena arena = { 0 };
	struct content content;
	struct dt_fail fail = { 0 };
	char *text;

	fill(ws, &arena, &content);
	text = content_text(&content);
	if (c->written && !strcmp(text, c->written)) {
		free(text);
		dt_arena_done(&arena);
		return;
	}
	free(c->written);
	c->written = text;
	content.saved_ms = dt_clock_wall_ms();
	text = content_text(&content);
	if (content.sessions.count == 0 && content.documents.count == 0)
		unlink(c->path);
	else if (dt_file_write(c->path, dt_str(text), 0600, &fail))
		dt_log(DT_LOG_WARN, "no checkpoint: %s", fail.msg);
	free(text);
	dt_arena_done(&arena);
}

static void on_timer(struct dt_timer *timer, void *owner)
{
	(void)timer;
	write_now(owner);
}

void dt_checkpoint_changed(struct dt_workspace *ws)
{
	if (ws->checkpoint->timer &&
	    !dt_timer_is_running(ws->checkpoint->timer))
		dt_timer_start(ws->checkpoint->timer, SOON_MS);
}

/* reading */

static enum dt_err read_content(struct dt_workspace *ws, struct content *out,
                                struct dt_fail *fail)
{
	struct dt_checkpoint *c = ws->checkpoint;
	const struct dt_json *json;
	struct dt_buf text;
	enum dt_err err;

	dt_buf_init(&text, DT_LIMIT_MESSAGE);
	err = dt_file_read(c->path, &text, fail);
	if (!err)
		err = dt_json_read(&c->arena, dt_buf_str(&text), &json, fail);
	if (!err)
		err = dt_shape_read(&content_shape, &c->arena, json, out, fail);
	dt_buf_done(&text);
	if (!err && out->version != VERSION)
		err = dt_fail(fail, DT_E_UNSUPPORTED, "its version is %u",
		              out->version);
	if (!err && (strcmp(out->workspace, ws->record.id) != 0 ||
	             strcmp(out->root, dt_workspace_root(ws)) != 0))
		err = dt_fail(fail, DT_E_DENIED, "it is of another workspace");
	if (!err && out->saved_ms > dt_clock_wall_ms() + FUTURE_MS)
		err = dt_fail(fail, DT_E_DENIED, "it is from the future");
	return err;
}

static void open_again(struct dt_workspace *ws, const struct content *content)
{
	struct dt_document *doc;

	for (size_t i = 0; i < content->documents.count; i++) {
		const char *path = content->documents.ptr[i];
		struct dt_fail fail = { 0 };

		if (dt_documents_open(&ws->docs, path, &doc, &fail))
			dt_log(DT_LOG_INFO, "%s is not opened again: %s", path,
			       fail.msg);
		else if (content->active && !strcmp(path, content->active))
			ws->docs.active = doc;
	}
}

void dt_checkpoint_begin(struct dt_workspace *ws)
{
	struct dt_checkpoint *c = dt_alloc(sizeof(*c));
	char *folder = dt_asprintf("%s/checkpoints", ws->hub->dirs.state);
	struct content content = { 0 };
	struct dt_fail fail = { 0 };
	enum dt_err err;

	ws->checkpoint = c;
	c->path = dt_asprintf("%s/%s.json", folder, ws->record.id);
	c->timer = dt_timer_new(ws->hub->loop, on_timer, ws);
	if (dt_file_make_dirs(folder, &fail))
		dt_log(DT_LOG_WARN, "no checkpoints: %s", fail.msg);
	free(folder);
	fail = (struct dt_fail){ 0 };
	err = read_content(ws, &content, &fail);
	if (!err) {
		c->past = content.sessions;
		open_again(ws, &content);
	} else if (err != DT_E_MISSING) {
		dt_log(DT_LOG_WARN, "the checkpoint %s is not used: %s",
		       c->path, fail.msg);
	}
}

/* the end */

void dt_checkpoint_end(struct dt_workspace *ws)
{
	dt_timer_free(ws->checkpoint->timer);
	ws->checkpoint->timer = NULL;
	write_now(ws);
}

void dt_checkpoint_free(struct dt_workspace *ws)
{
	struct dt_checkpoint *c = ws->checkpoint;

	dt_arena_done(&c->arena);
	free(c->path);
	free(c->written);
	free(c);
	ws->checkpoint = NULL;
}

struct dt_items dt_checkpoint_sessions(const struct dt_workspace *ws)
{
	return ws->checkpoint->past;
}
