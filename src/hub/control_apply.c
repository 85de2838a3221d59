/*
 * hub/control_apply.c - a person's own text, kept with a review; and a change
 * whose agent has left, written by us.
 *
 * Everywhere else the agent writes the file.  Here nobody else would, and the
 * person has asked for it: beneath the workspace's roots, on top of what the
 * change was made from, in one step.
 */
#include "hub/control.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/path.h"
#include "hub/workspace.h"

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
	struct dt_str text;
};
static const struct dt_field keep_fields[] = {
	DT_FIELD(struct keep_args, id, NAME, DT_REQ, "The whole id."),
	DT_FIELD(struct keep_args, text, STR, DT_REQ | DT_BIG,
	         "What the person has made of the proposal."),
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
	enum dt_err err = dt_control_check_decider(client, wanted->id, &fail);

	if (err) {
		dt_request_fail_with(req, &fail);
		return;
	}
	if (!dt_inbox_find(&hub->inbox, wanted->id, &r, NULL) &&
	    r->state == DT_REVIEW_WAITING && r->set.count == 1)
		dt_inbox_keep(r, wanted->text);
	if (hub->store)
		dt_store_put_edit(hub->store, wanted->id, wanted->text, on_kept,
		                  req);
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

static void on_recorded(struct dt_store *store, const struct dt_fail *fail,
                        void *owner)
{
	struct applying *a = owner;
	struct dt_fail why = { 0 };

	(void)store;
	if (!fail->code) {
		reply_ended(a->req, a->id, DT_REVIEW_ACCEPTED, a->path);
		return;
	}
	dt_fail(&why, fail->code,
	        "the file is written, but the history does not know: %s",
	        fail->msg);
	dt_request_fail_with(a->req, &why);
}

static enum dt_err check(struct applying *a, const struct dt_review_record *r,
                         struct dt_fail *fail)
{
	const struct dt_entry_record *e = r->entries;

	if (r->state != DT_REVIEW_ORPHANED && r->state != DT_REVIEW_WITHDRAWN)
		return dt_fail(fail, DT_E_STATE, "review %.8s is %s already",
		               r->id, dt_review_state_names[r->state]);
	if (r->entry_count != 1 || e->kind == DT_ENTRY_RENAME)
		return dt_fail(fail, DT_E_UNSUPPORTED,
		               "review %.8s is not of one text: only such a "
		               "change can be applied",
		               r->id);
	if (!dt_workspace_by_id(a->hub, r->workspace))
		return dt_fail(fail, DT_E_MISSING,
		               "the workspace of %s is not served: run "
		               "`dovetail start` there",
		               e->path);
	if (!a->wanted->is_forced && dt_control_is_stale(a->hub, r, e))
		return dt_fail(fail, DT_E_STATE,
		               "%s has changed since this was proposed: "
		               "--force writes it all the same",
		               e->path);
	return DT_E_OK;
}

static enum dt_err write_file(struct applying *a,
                              const struct dt_review_record *r,
                              struct dt_str text, struct dt_fail *fail)
{
	struct dt_workspace *ws = dt_workspace_by_id(a->hub, r->workspace);
	const struct dt_entry_record *e = r->entries;
	const char *relative = NULL;
	const char *root;
	const char *real;
	enum dt_err err = dt_path_real(&a->req->arena, e->path, &real, fail);

	if (err)
		return err;
	root = dt_documents_root_of(&ws->docs, real, &relative);
	if (!root || !*relative)
		return dt_fail(fail, DT_E_DENIED,
		               "%s is outside the workspace: it is not written "
		               "from here",
		               e->path);
	if (e->kind == DT_ENTRY_DELETE)
		return dt_file_remove_beneath(root, relative, fail);
	return dt_file_write_beneath(root, relative, text, fail);
}

static void on_fetched(struct dt_store *store, const struct dt_review_record *r,
                       const struct dt_fail *fail, void *owner)
{
	struct applying *a = owner;
	struct dt_outcome_record outcome = { .accepted = true };
	struct dt_verdict_record verdict = {
		.state = DT_REVIEW_ACCEPTED,
		.is_applied = true,
		.decided_ms = dt_clock_wall_ms(),
		.decided_by = dt_control_user(),
		.surface = "terminal",
		.outcomes = &outcome,
		.outcome_count = 1,
	};
	struct dt_fail why = { 0 };
	enum dt_err err;

	if (!r) {
		dt_request_fail_with(a->req, fail);
		return;
	}
	err = check(a, r, &why);
	if (!err) {
		outcome.final_text = r->entries[0].final_text.ptr
		                             ? r->entries[0].final_text
		                             : r->entries[0].proposed_text;
		err = write_file(a, r, outcome.final_text, &why);
	}
	if (err) {
		dt_request_fail_with(a->req, &why);
		return;
	}
	a->id = dt_arena_strdup(&a->req->arena, r->id);
	a->path = dt_arena_strdup(&a->req->arena, r->entries[0].path);
	verdict.review = a->id;
	dt_store_put_verdict(store, &verdict, on_recorded, a);
}

static void apply(struct dt_client *client, struct dt_request *req,
                  const void *args)
{
	const struct apply_args *wanted = args;
	struct dt_hub *hub = client->hub;
	struct applying *a = dt_arena_alloc(&req->arena, sizeof(*a));
	struct dt_fail fail = { 0 };
	struct dt_review *r;
	enum dt_err err = dt_control_check_decider(client, wanted->id, &fail);

	if (!err && !dt_inbox_find(&hub->inbox, wanted->id, &r, NULL))
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
	{ "review/keep", DT_SHAPE(struct keep_args, keep_fields), keep },
	{ "review/apply", DT_SHAPE(struct apply_args, apply_fields), apply },
	{ .name = NULL },
};
