/*
 * hub/control_apply.c - a person's own text, kept with a review; and a change
 * that is not on disk, written by us.
 *
 * Its agent has left, or it was accepted and did not get there.  Nobody else
 * would write it, and the person has asked for it: that is written down first,
 * then hub/aftermath.c writes.
 */
#include "hub/control.h"

#include "base/clock.h"
#include "hub/aftermath.h"
#include "hub/workspace.h"
#include "review/write.h"

static void reply_ended(struct dt_request *req, const char *id,
                        enum dt_review_state state, const char *path)
{
	struct dt_json_out *out = dt_request_begin(req);

	dt_json_begin_object(out);
	dt_json_key(out, "id");
	dt_json_put_z(out, id);
	dt_json_key(out, "state");
	dt_json_put_z(out, dt_review_state_names[state]);
	dt_json_key(out, "path");
	dt_json_put_z(out, path);
	dt_json_end_object(out);
	dt_request_end(req);
}

/* keep */

struct keep_args {
	const char *id;
	uint32_t file;
	struct dt_str text;
};
static const struct dt_field keep_fields[] = {
	DT_FIELD(struct keep_args, id, NAME, DT_REQ, "The whole id."),
	DT_FIELD(struct keep_args, file, U32, 0, "Which, counted from 0."),
	DT_FIELD(struct keep_args, text, STR, DT_BIG,
	         "What the person has made of the proposal; absent: nothing "
	         "any more."),
	DT_FIELD_END,
};

static void on_kept(struct dt_store *store, const struct dt_fail *fail,
                    void *owner)
{
	struct dt_request *req = owner;
	struct dt_json_out *out;

	(void)store;
	if (fail->code) {
		dt_request_fail_with(req, fail);
		return;
	}
	out = dt_request_begin(req);
	dt_json_begin_object(out);
	dt_json_end_object(out);
	dt_request_end(req);
}

static void keep(struct dt_client *client, struct dt_request *req,
                 const void *args)
{
	const struct keep_args *wanted = args;
	struct dt_hub *hub = client->hub;
	struct dt_fail fail = { 0 };
	struct dt_review *r;

	if (!dt_inbox_find(&hub->inbox, wanted->id, &r, NULL) &&
	    r->state == DT_REVIEW_WAITING && wanted->file < r->set.count)
		dt_inbox_keep(r, wanted->file, wanted->text);
	if (hub->store)
		dt_store_put_edit(hub->store, wanted->id, wanted->file,
		                  wanted->text, on_kept, req);
	else
		on_kept(NULL, &fail, req);
}

/* apply */

struct apply_args {
	const char *id;
	bool is_forced;
};
static const struct dt_field apply_fields[] = {
	DT_FIELD(struct apply_args, id, NAME, DT_REQ, "Any unique beginning."),
	DT_FIELD_AS("isForced", struct apply_args, is_forced, BOOL, 0,
	            "Although the file has changed meanwhile."),
	DT_FIELD_END,
};

/* A change on its way from the store to the file and back. */
struct applying {
	struct dt_hub *hub;
	struct dt_request *req;
	const struct apply_args *wanted;
	const char *id;
	const char *path;
};

static void on_finished(const struct dt_fail *fail, void *owner)
{
	struct applying *a = owner;
	struct dt_fail why = { 0 };

	if (!fail->code) {
		reply_ended(a->req, a->id, DT_REVIEW_ACCEPTED, a->path);
		return;
	}
	dt_fail(&why, fail->code, "nothing is written: %s%s", fail->msg,
	        fail->code == DT_E_STATE && !a->wanted->is_forced
	                ? ": --force writes it all the same"
	                : "");
	dt_request_fail_with(a->req, &why);
}

static void on_recorded(struct dt_store *store, const struct dt_fail *fail,
                        void *owner)
{
	struct applying *a = owner;
	struct dt_fail why = { 0 };

	(void)store;
	if (!fail->code && a->hub->store) {
		dt_aftermath_finish(a->hub, a->id, on_finished, a);
		return;
	}
	dt_fail(&why, fail->code ? fail->code : DT_E_STATE,
	        "nothing is written: %s",
	        fail->code ? fail->msg : "the daemon stops");
	dt_request_fail_with(a->req, &why);
}

/* Whether a review of that state may be written; stored as waiting is one that
 * could not be ended, for it is not in the inbox. */
static bool can_apply(enum dt_review_state state)
{
	return state != DT_REVIEW_REJECTED;
}

static enum dt_err check_files(struct applying *a,
                               const struct dt_review_record *r,
                               struct dt_workspace *ws, struct dt_fail *fail)
{
	struct dt_changeset set = dt_changeset_kept(&a->req->arena, r);
	bool is_written = true;

	/* How far it came, and what can be done, is seen when it goes on. */
	if (r->state == DT_REVIEW_WRITING && r->writer != DT_WRITER_AGENT)
		return DT_E_OK;
	for (size_t i = 0; i < set.count; i++) {
		if (dt_entry_is_written(&set.entries[i], &ws->docs))
			continue;
		is_written = false;
		if (!a->wanted->is_forced &&
		    dt_entry_is_stale(&set.entries[i], &ws->docs))
			return dt_fail(fail, DT_E_STATE,
			               "%s has changed since this was "
			               "proposed: --force writes it all the "
			               "same",
			               set.entries[i].path);
	}
	if (is_written && r->state == DT_REVIEW_ACCEPTED)
		return dt_fail(fail, DT_E_STATE,
		               "review %.8s is accepted already, and on disk",
		               r->id);
	return DT_E_OK;
}

static enum dt_err check(struct applying *a, const struct dt_review_record *r,
                         struct dt_fail *fail)
{
	struct dt_workspace *ws = dt_workspace_by_id(a->hub, r->workspace);

	/* It was asked before; nothing could be written down any more. */
	if (!a->hub->store)
		return dt_fail(fail, DT_E_STATE, "the daemon stops");
	if (r->command)
		return dt_fail(fail, DT_E_STATE,
		               "review %.8s is a command: it ran only while "
		               "its agent waited",
		               r->id);
	if (!can_apply(r->state))
		return dt_fail(fail, DT_E_STATE, "review %.8s is %s already",
		               r->id, dt_review_verdict_name(r->state));
	if (!ws)
		return dt_fail(fail, DT_E_MISSING,
		               "the workspace of %s is not served: run "
		               "`dovetail start` there",
		               r->entries[0].path);
	return check_files(a, r, ws, fail);
}

static void record(struct applying *a, const struct dt_review_record *r)
{
	struct dt_outcome_record *outcomes = dt_arena_alloc(
		&a->req->arena, r->entry_count * sizeof(*outcomes));
	struct dt_verdict_record verdict = {
		.review = a->id,
		.state = DT_REVIEW_WRITING,
		.is_applied = true,
		.writer =
			a->wanted->is_forced ? DT_WRITER_FORCED : DT_WRITER_WE,
		.decided_ms = dt_clock_wall_ms(),
		.comment = r->comment,
		.decided_by = dt_control_user(),
		.surface = "terminal",
		.outcomes = outcomes,
		.outcome_count = r->entry_count,
	};

	for (size_t i = 0; i < r->entry_count; i++) {
		const struct dt_entry_record *e = &r->entries[i];

		outcomes[i].accepted =
			!dt_review_is_accepted(r->state) || e->accepted;
		outcomes[i].final_text =
			e->final_text.ptr ? e->final_text : e->proposed_text;
	}
	dt_store_put_verdict(a->hub->store, &verdict, on_recorded, a);
}

static void on_fetched(struct dt_store *store, const struct dt_review_record *r,
                       const struct dt_fail *fail, void *owner)
{
	struct applying *a = owner;
	struct dt_fail why = { 0 };

	(void)store;
	if (!r) {
		dt_request_fail_with(a->req, fail);
		return;
	}
	if (check(a, r, &why)) {
		dt_request_fail_with(a->req, &why);
		return;
	}
	a->id = dt_arena_strdup(&a->req->arena, r->id);
	a->path = dt_arena_strdup(&a->req->arena, r->entries[0].path);
	record(a, r);
}

static void apply(struct dt_client *client, struct dt_request *req,
                  const void *args)
{
	const struct apply_args *wanted = args;
	struct dt_hub *hub = client->hub;
	struct applying *a = dt_arena_alloc(&req->arena, sizeof(*a));
	struct dt_fail fail = { 0 };
	struct dt_review *r;
	enum dt_err err = DT_E_OK;

	if (!dt_inbox_find(&hub->inbox, wanted->id, &r, NULL))
		err = dt_fail(&fail, DT_E_STATE,
		              "the agent of review %.8s waits for the verdict: "
		              "accept it, and the agent writes the file",
		              r->id);
	if (!err && !hub->store)
		err = dt_fail(&fail, DT_E_STATE, "there is no history");
	if (err) {
		dt_request_fail_with(req, &fail);
		return;
	}
	a->hub = hub;
	a->req = req;
	a->wanted = wanted;
	dt_store_get_review(hub->store, wanted->id, on_fetched, a);
}

const struct dt_method dt_methods_apply[] = {
	{ "review/keep", DT_SHAPE(struct keep_args, keep_fields), keep,
	  .persons = DT_CONTROL_DECIDES },
	{ "review/apply", DT_SHAPE(struct apply_args, apply_fields), apply,
	  .persons = DT_CONTROL_DECIDES },
	{ .name = NULL },
};
