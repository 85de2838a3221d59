/*
 * hub/control_review.c - the inbox as the command line sees it.
 *
 * Waiting reviews are in memory, ended ones in the store; a list of both is put
 * together here.  A verdict from a process that descends from an agent is
 * refused: reviews protect from mistakes, and an agent approving its own change
 * is one.
 */
#include "hub/control.h"

#include "base/clock.h"
#include "base/limits.h"
#include "base/log.h"
#include "base/utf8.h"
#include "hub/cut.h"
#include "hub/session.h"
#include "hub/workspace.h"

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* what a review looks like */

static void put_str(struct dt_json_out *out, const char *key, const char *value)
{
	if (!value)
		return;
	dt_json_key(out, key);
	dt_json_put_z(out, value);
}

static void put_text(struct dt_json_out *out, const char *key,
                     struct dt_str text)
{
	if (!text.ptr)
		return;
	dt_json_key(out, key);
	dt_json_put_str(out, text);
}

static void put_bool(struct dt_json_out *out, const char *key, bool value)
{
	dt_json_key(out, key);
	dt_json_put_bool(out, value);
}

static void put_int(struct dt_json_out *out, const char *key, int64_t value)
{
	dt_json_key(out, key);
	dt_json_put_int(out, value);
}

/* What both kinds of review have in common. */
struct summary {
	const char *id;
	const char *workspace;
	const char *agent;
	const char *session;
	const char *title;
	const char *reason;
	struct dt_card card;
	enum dt_review_state state;
	int64_t opened_ms;
	int64_t decided_ms;
	const char *comment;
	const char *decided_by;
	const char *problem;
};

static void write_summary(struct dt_json_out *out, struct dt_hub *hub,
                          const struct summary *s)
{
	const struct dt_workspace *ws = dt_workspace_by_id(hub, s->workspace);

	put_str(out, "id", s->id);
	put_str(out, "root", ws ? dt_workspace_root(ws) : NULL);
	put_str(out, "agent", s->agent);
	put_str(out, "session", s->session);
	put_str(out, "title", s->title);
	put_str(out, "reason", s->reason);
	dt_control_put_card(out, &s->card);
	put_str(out, "state", dt_review_state_names[s->state]);
	dt_json_key(out, "openedMs");
	dt_json_put_int(out, s->opened_ms);
	dt_json_key(out, "decidedMs");
	dt_json_put_int(out, s->decided_ms);
	put_str(out, "comment", s->comment);
	put_str(out, "decidedBy", s->decided_by);
	put_str(out, "problem", s->problem);
}

/*
 * The texts of a review, all of them or, where they would not fit into an
 * answer, the beginning of what changes.
 */
struct texts {
	struct dt_hub *hub;
	const char *id;
	struct dt_cut_texts *ptr; /* by entry */
	size_t count;
	bool is_cut;
};

static void begin_texts(struct texts *t, struct dt_hub *hub, const char *id,
                        size_t count)
{
	*t = (struct texts){ .hub = hub, .id = id, .count = count };
	t->ptr = dt_alloc(count * sizeof(*t->ptr));
}

static void write_texts(struct dt_json_out *out, struct texts *t, size_t at)
{
	struct dt_cut_texts *texts = &t->ptr[at];
	struct dt_str old = texts->old;
	struct dt_cut cut;
	char *whole;

	if (t->is_cut) {
		whole = dt_cut_keep(t->hub->dirs.state, t->id, at,
		                    dt_cut_new(texts));
		dt_cut_apply(texts, DT_LIMIT_CUT / (t->count ? t->count : 1),
		             &cut);
		put_bool(out, "isCut", true);
		put_int(out, "linesBefore", (int64_t)cut.before);
		put_int(out, "linesShown", (int64_t)cut.shown);
		put_int(out, "linesAll", (int64_t)cut.all);
		put_str(out, "whole", whole);
		free(whole);
	}
	put_text(out, "old", texts->old);
	put_text(out, "proposed", texts->proposed);
	put_text(out, "final", texts->final);
	put_bool(out, "isLossy", !dt_utf8_is_valid(old));
}

/* How much of an entry is told. */
enum detail {
	DETAIL_NAMES,
	DETAIL_STATE, /* and what a list of open ones shows */
	DETAIL_TEXTS, /* and the texts, for one that is looked at */
};

static void write_live_entry(struct dt_json_out *out, const struct dt_review *r,
                             size_t at, struct dt_documents *docs,
                             struct texts *texts, enum detail detail)
{
	const struct dt_entry *e = &r->set.entries[at];

	dt_json_begin_object(out);
	put_str(out, "kind", dt_change_kinds[e->kind]);
	put_str(out, "path", e->path);
	put_str(out, "newPath", e->new_path);
	put_bool(out, "isOutside", e->is_outside);
	put_bool(out, "isSettings", e->is_settings);
	if (detail == DETAIL_TEXTS)
		write_texts(out, texts, at);
	if (detail != DETAIL_NAMES)
		put_bool(out, "isStale", docs && dt_entry_is_stale(e, docs));
	if (detail == DETAIL_STATE)
		put_bool(out, "isEdited", e->final.ptr != NULL);
	dt_json_end_object(out);
}

static void write_live(struct dt_json_out *out, const struct dt_review *r,
                       struct dt_hub *hub, enum detail detail)
{
	struct dt_workspace *ws = dt_workspace_by_id(hub, r->workspace);
	struct summary s = {
		.id = r->id,
		.workspace = r->workspace,
		.agent = r->agent,
		.session = r->session,
		.title = r->title,
		.reason = r->reason,
		.card = r->card,
		.state = r->state,
		.opened_ms = r->opened_ms,
	};
	struct texts texts;

	begin_texts(&texts, hub, r->id, r->set.count);
	for (size_t i = 0; i < r->set.count; i++)
		texts.ptr[i] =
			(struct dt_cut_texts){ r->set.entries[i].old_text,
			                       r->set.entries[i].proposed,
			                       r->set.entries[i].final };
	texts.is_cut = detail == DETAIL_TEXTS &&
	               dt_cut_is_needed(texts.ptr, texts.count);
	dt_json_begin_object(out);
	write_summary(out, hub, &s);
	dt_json_key(out, "entries");
	dt_json_begin_array(out);
	for (size_t i = 0; i < r->set.count; i++)
		write_live_entry(out, r, i, ws ? &ws->docs : NULL, &texts,
		                 detail);
	dt_json_end_array(out);
	dt_json_end_object(out);
	free(texts.ptr);
}

bool dt_control_is_stale(struct dt_hub *hub, const struct dt_review_record *r,
                         const struct dt_entry_record *e)
{
	struct dt_workspace *ws = dt_workspace_by_id(hub, r->workspace);
	struct dt_entry entry = {
		.path = (char *)(uintptr_t)e->path,
		/* Both lists name the kinds in the same order. */
		.kind = (enum dt_change_kind)e->kind,
	};

	if (r->state == DT_REVIEW_ACCEPTED || r->state == DT_REVIEW_REJECTED)
		return false; /* it is done, whatever the file is now */
	snprintf(entry.digest, sizeof(entry.digest), "%s",
	         e->base_digest ? e->base_digest : "");
	return ws && dt_entry_is_stale(&entry, &ws->docs);
}

static void write_kept_entry(struct dt_json_out *out, struct dt_hub *hub,
                             const struct dt_review_record *r, size_t at,
                             struct texts *texts, enum detail detail)
{
	const struct dt_entry_record *e = &r->entries[at];
	struct dt_workspace *ws = dt_workspace_by_id(hub, r->workspace);

	dt_json_begin_object(out);
	put_str(out, "kind", dt_change_kinds[e->kind]);
	put_str(out, "path", e->path);
	put_str(out, "newPath", e->new_path);
	put_bool(out, "isOutside", false);
	put_bool(out, "isSettings",
	         ws && (dt_rules_is_settings(&ws->docs, e->path) ||
	                (e->new_path &&
	                 dt_rules_is_settings(&ws->docs, e->new_path))));
	if (detail == DETAIL_TEXTS)
		write_texts(out, texts, at);
	if (detail != DETAIL_NAMES)
		put_bool(out, "isStale", dt_control_is_stale(hub, r, e));
	if (detail == DETAIL_STATE)
		put_bool(out, "isEdited", e->is_edited);
	if (dt_review_is_accepted(r->state) && !e->accepted)
		put_bool(out, "isLeftOut", true);
	dt_json_end_object(out);
}

static void write_kept(struct dt_json_out *out,
                       const struct dt_review_record *r, struct dt_hub *hub,
                       enum detail detail)
{
	struct summary s = {
		.id = r->id,
		.workspace = r->workspace,
		.agent = r->agent,
		.session = r->session,
		.title = r->title,
		.reason = r->reason,
		.card = dt_control_card_of(r),
		/* Its end could not be kept: it does not wait any more. */
		.state = r->state == DT_REVIEW_WAITING ? DT_REVIEW_ORPHANED
		                                       : r->state,
		.opened_ms = r->opened_ms,
		.decided_ms = r->decided_ms,
		.comment = r->comment,
		.decided_by = r->decided_by,
		.problem = r->problem,
	};
	struct texts texts;

	begin_texts(&texts, hub, r->id, r->entry_count);
	for (size_t i = 0; i < r->entry_count; i++)
		texts.ptr[i] = (struct dt_cut_texts){
			r->entries[i].old_text,
			r->entries[i].proposed_text,
			r->entries[i].final_text,
		};
	texts.is_cut = detail == DETAIL_TEXTS &&
	               dt_cut_is_needed(texts.ptr, texts.count);
	dt_json_begin_object(out);
	write_summary(out, hub, &s);
	dt_json_key(out, "entries");
	dt_json_begin_array(out);
	for (size_t i = 0; i < r->entry_count; i++)
		write_kept_entry(out, hub, r, i, &texts, detail);
	dt_json_end_array(out);
	dt_json_end_object(out);
	free(texts.ptr);
}

/* list */

struct list_args {
	const char *folder;
	struct dt_names states;
	bool is_open;
};
static const struct dt_field list_fields[] = {
	DT_FIELD(struct list_args, folder, PATH, 0, "Absent: everywhere."),
	DT_FIELD(struct list_args, states, NAMES, 0, "Absent: waiting."),
	DT_FIELD_AS("isOpen", struct list_args, is_open, BOOL, 0,
	            "Instead of states: all a person may still act on."),
	DT_FIELD_END,
};

/* A list on its way to the store and back. */
struct listing {
	struct dt_hub *hub;
	struct dt_request *req;
	const char *workspace; /* id, or NULL: all */
	unsigned states;
	bool is_open;
};

static bool read_states(const struct dt_names *names, unsigned *out,
                        struct dt_fail *fail)
{
	if (names->count == 0)
		*out = 1u << DT_REVIEW_WAITING;
	for (size_t i = 0; i < names->count; i++) {
		unsigned state = 0;

		while (state < DT_REVIEW_STATES &&
		       strcmp(dt_review_state_names[state], names->ptr[i]) != 0)
			state++;
		if (state == DT_REVIEW_STATES) {
			dt_fail(fail, DT_E_ARGS, "states: no state \"%s\"",
			        names->ptr[i]);
			return false;
		}
		*out |= 1u << state;
	}
	return true;
}

bool dt_control_scope(struct dt_hub *hub, struct dt_arena *arena,
                      const char *folder, const char **out,
                      struct dt_fail *fail)
{
	struct dt_workspace *ws;

	*out = NULL;
	if (!folder)
		return true;
	ws = dt_hub_workspace_at(hub, arena, folder);
	if (!ws) {
		dt_fail(fail, DT_E_MISSING,
		        "%s is not served: run `dovetail start` there, or ask "
		        "for all with --all",
		        folder);
		return false;
	}
	*out = dt_arena_strdup(arena, ws->record.id);
	return true;
}

bool dt_control_is_in(const struct dt_review *r, const char *workspace)
{
	return r->state == DT_REVIEW_WAITING &&
	       (!workspace || !strcmp(r->workspace, workspace));
}

/* What was accepted and not written is told of while it could simply be written
 * now.  Where the file has changed since, it may be what the person wants. */
static bool is_listed(const struct listing *l, const struct dt_review_record *r)
{
	if (!l->is_open || r->state != DT_REVIEW_UNWRITTEN)
		return true;
	for (size_t i = 0; i < r->entry_count; i++) {
		if (dt_control_is_stale(l->hub, r, &r->entries[i]))
			return false;
	}
	return true;
}

/* Ended ones came newest first; people decide the oldest first. */
static void reply_list(struct listing *l, const struct dt_review_record *kept,
                       size_t count)
{
	struct dt_json_out *out = dt_request_begin(l->req);
	enum detail detail = l->is_open ? DETAIL_STATE : DETAIL_NAMES;

	dt_json_begin_object(out);
	dt_json_key(out, "reviews");
	dt_json_begin_array(out);
	for (size_t i = count; i > 0; i--) {
		if (is_listed(l, &kept[i - 1]))
			write_kept(out, &kept[i - 1], l->hub, detail);
	}
	if (l->states & (1u << DT_REVIEW_WAITING)) {
		dt_list_each(r, &l->hub->inbox.list, struct dt_review, link) {
			if (dt_control_is_in(r, l->workspace))
				write_live(out, r, l->hub, detail);
		}
	}
	dt_json_end_array(out);
	dt_json_end_object(out);
	dt_request_end(l->req);
}

static void on_listed(struct dt_store *store,
                      const struct dt_review_record *reviews, size_t count,
                      const struct dt_fail *fail, void *owner)
{
	struct listing *l = owner;

	(void)store;
	if (fail->code)
		dt_log(DT_LOG_WARN, "the history cannot be read: %s",
		       fail->msg);
	reply_list(l, reviews, fail->code ? 0 : count);
}

static void list(struct dt_client *client, struct dt_request *req,
                 const void *args)
{
	const struct list_args *wanted = args;
	struct listing *l = dt_arena_alloc(&req->arena, sizeof(*l));
	struct dt_review_filter filter = { 0 };
	struct dt_fail fail = { 0 };

	l->hub = client->hub;
	l->req = req;
	if (!read_states(&wanted->states, &l->states, &fail) ||
	    !dt_control_scope(client->hub, &req->arena, wanted->folder,
	                      &l->workspace, &fail)) {
		dt_request_fail_with(req, &fail);
		return;
	}
	l->is_open = wanted->is_open;
	if (l->is_open) {
		/* Withdrawn ones are many. */
		filter.edited = 1u << DT_REVIEW_WITHDRAWN;
		l->states = 1u << DT_REVIEW_WAITING | 1u << DT_REVIEW_ORPHANED |
		            1u << DT_REVIEW_WITHDRAWN |
		            1u << DT_REVIEW_UNWRITTEN;
	}
	filter.workspace = l->workspace;
	filter.states = l->states & ~(1u << DT_REVIEW_WAITING);
	if (filter.states && client->hub->store)
		dt_store_list_reviews(client->hub->store, &filter, on_listed,
		                      l);
	else
		reply_list(l, NULL, 0);
}

/* get */

struct get_args {
	const char *id;
};
static const struct dt_field get_fields[] = {
	DT_FIELD(struct get_args, id, NAME, DT_REQ, "Any unique beginning."),
	DT_FIELD_END,
};

struct getting {
	struct dt_hub *hub;
	struct dt_request *req;
};

static void on_got(struct dt_store *store, const struct dt_review_record *r,
                   const struct dt_fail *fail, void *owner)
{
	struct getting *g = owner;

	(void)store;
	if (!r) {
		dt_request_fail_with(g->req, fail);
		return;
	}
	write_kept(dt_request_begin(g->req), r, g->hub, DETAIL_TEXTS);
	dt_request_end(g->req);
}

static void get(struct dt_client *client, struct dt_request *req,
                const void *args)
{
	const struct get_args *wanted = args;
	struct getting *g = dt_arena_alloc(&req->arena, sizeof(*g));
	struct dt_fail fail = { 0 };
	struct dt_review *r;
	enum dt_err err =
		dt_inbox_find(&client->hub->inbox, wanted->id, &r, &fail);

	g->hub = client->hub;
	g->req = req;
	if (!err) {
		write_live(dt_request_begin(req), r, client->hub, DETAIL_TEXTS);
		dt_request_end(req);
	} else if (err == DT_E_MISSING && client->hub->store) {
		dt_store_get_review(client->hub->store, wanted->id, on_got, g);
	} else {
		dt_request_fail_with(req, &fail);
	}
}

/* decide */

static const char *const verdicts[] = { "accept", "reject", NULL };

static const struct dt_field final_fields[] = {
	DT_FIELD(struct dt_final, text, STR, DT_BIG,
	         "The person's own text in place of the proposal."),
	DT_FIELD_AS("isLeftOut", struct dt_final, is_left_out, BOOL, 0,
	            "The file stays as it is."),
	DT_FIELD_END,
};
static const struct dt_shape final_shape =
	DT_SHAPE(struct dt_final, final_fields);

struct decide_args {
	const char *id;
	int verdict;
	struct dt_str text;
	struct dt_items files;
	const char *comment;
	const char *surface;
	bool is_lasting;
};
static const struct dt_field decide_fields[] = {
	DT_FIELD(struct decide_args, id, NAME, DT_REQ, "Any unique beginning."),
	DT_FIELD(struct decide_args, verdict, ENUM, DT_REQ, "What is decided.",
	         .names = verdicts),
	DT_FIELD(struct decide_args, text, STR, DT_BIG,
	         "The person's own text in place of the proposal."),
	DT_FIELD(struct decide_args, files, ITEMS, 0,
	         "Of several files: what was made of each, in their order.",
	         .shape = &final_shape),
	DT_FIELD(struct decide_args, comment, NAME, 0, "The person's words."),
	DT_FIELD(struct decide_args, surface, NAME, 0, "Where.",
	         .def = "\"terminal\""),
	DT_FIELD_AS("isLasting", struct decide_args, is_lasting, BOOL, 0,
	            "Of a command: its program is allowed from now on."),
	DT_FIELD_END,
};

static void on_decided(struct dt_review *r, const struct dt_fail *fail,
                       void *owner)
{
	struct dt_request *req = owner;
	struct dt_json_out *out = dt_request_begin(req);

	dt_json_begin_object(out);
	put_str(out, "id", r->id);
	put_str(out, "state", dt_review_state_names[r->state]);
	put_str(out, "path",
	        r->set.count ? r->set.entries[0].path : r->card.folder);
	put_str(out, "command", r->card.command);
	if (r->problem)
		put_str(out, "problem", r->problem);
	else if (fail->code)
		put_str(out, "warning", fail->msg);
	dt_json_end_object(out);
	dt_request_end(req);
}

const char *dt_control_user(void)
{
	const struct passwd *user = getpwuid(geteuid());

	return user ? user->pw_name : "unknown";
}

/*
 * An orphan's agent is gone: the person can only put it away.  It is looked up
 * by the beginning of its id, then ended in the store.
 */
struct dismissal {
	struct dt_hub *hub;
	struct dt_request *req;
	const struct decide_args *wanted;
	const char *id;
	const char *path;
};

static void on_dismissed(struct dt_store *store, const struct dt_fail *fail,
                         void *owner)
{
	struct dismissal *d = owner;
	struct dt_json_out *out;

	(void)store;
	if (fail->code) {
		dt_request_fail_with(d->req, fail);
		return;
	}
	out = dt_request_begin(d->req);
	dt_json_begin_object(out);
	put_str(out, "id", d->id);
	put_str(out, "state", dt_review_state_names[DT_REVIEW_REJECTED]);
	put_str(out, "path", d->path);
	dt_json_end_object(out);
	dt_request_end(d->req);
}

static void on_orphan(struct dt_store *store, const struct dt_review_record *r,
                      const struct dt_fail *fail, void *owner)
{
	struct dismissal *d = owner;
	struct dt_verdict_record verdict = {
		.state = DT_REVIEW_REJECTED,
		.decided_ms = dt_clock_wall_ms(),
		.comment = d->wanted->comment,
		.decided_by = dt_control_user(),
		.surface = d->wanted->surface,
	};
	struct dt_fail why = { 0 };

	if (!r) {
		dt_request_fail_with(d->req, fail);
		return;
	}
	if (!d->hub->store) /* it was asked before */
		dt_fail(&why, DT_E_STATE, "the daemon stops");
	else if (r->state != DT_REVIEW_ORPHANED &&
	         r->state != DT_REVIEW_UNWRITTEN &&
	         r->state != DT_REVIEW_WAITING)
		dt_fail(&why, DT_E_STATE, "review %.8s is %s already", r->id,
		        dt_review_verdict_name(r->state));
	else if (d->wanted->verdict == 0)
		dt_fail(&why, DT_E_STATE,
		        "the agent of review %.8s is gone: nobody would make "
		        "the change; apply writes it, reject puts it away",
		        r->id);
	if (why.code) {
		dt_request_fail_with(d->req, &why);
		return;
	}
	d->id = dt_arena_strdup(&d->req->arena, r->id);
	d->path = dt_arena_strdup(&d->req->arena, r->entry_count
	                                                  ? r->entries[0].path
	                                                  : r->folder);
	verdict.review = d->id;
	dt_store_put_verdict(store, &verdict, on_dismissed, d);
}

static void dismiss(struct dt_client *client, struct dt_request *req,
                    const struct decide_args *wanted)
{
	struct dismissal *d = dt_arena_alloc(&req->arena, sizeof(*d));

	d->hub = client->hub;
	d->req = req;
	d->wanted = wanted;
	dt_store_get_review(client->hub->store, wanted->id, on_orphan, d);
}

/* Whether what was made of the files fits them. */
static enum dt_err check_finals(const struct dt_review *r,
                                const struct decide_args *wanted,
                                struct dt_fail *fail)
{
	const struct dt_final *finals = wanted->files.ptr;
	size_t count = wanted->files.count;

	if (wanted->text.ptr && r->set.count != 1)
		return dt_fail(
			fail, DT_E_ARGS,
			"review %.8s has %zu files: a text fits only one",
			r->id, r->set.count);
	if (count && count != r->set.count)
		return dt_fail(fail, DT_E_ARGS,
		               "review %.8s has %zu files, and files has %zu",
		               r->id, r->set.count, count);
	for (size_t i = 0; i < count; i++) {
		if (finals[i].text.ptr && !r->set.entries[i].proposed.ptr)
			return dt_fail(fail, DT_E_ARGS, "%s gets no text",
			               r->set.entries[i].path);
	}
	return DT_E_OK;
}

static void decide(struct dt_client *client, struct dt_request *req,
                   const void *args)
{
	const struct decide_args *wanted = args;
	struct dt_final one = { .text = wanted->text };
	struct dt_verdict verdict = {
		.outcome = wanted->verdict == 0 ? DT_ACCEPTED : DT_REJECTED,
		.finals = wanted->files.count ? wanted->files.ptr : &one,
		.final_count = wanted->files.count ? wanted->files.count : 1,
		.comment = wanted->comment,
		.decided_by = dt_control_user(),
		.surface = wanted->surface,
	};
	struct dt_fail fail = { 0 };
	struct dt_review *r = NULL;
	enum dt_err err =
		dt_inbox_find(&client->hub->inbox, wanted->id, &r, &fail);

	if (err == DT_E_MISSING && client->hub->store) {
		dismiss(client, req, wanted);
		return;
	}
	if (!err)
		err = check_finals(r, wanted, &fail);
	if (!err && wanted->is_lasting)
		err = dt_control_allow_card(client->hub, r, &verdict, &fail);
	if (!err)
		err = dt_inbox_decide(r, &verdict, on_decided, req, &fail);
	if (err)
		dt_request_fail_with(req, &fail);
}

const struct dt_method dt_methods_review[] = {
	{ "review/list", DT_SHAPE(struct list_args, list_fields), list },
	{ "review/get", DT_SHAPE(struct get_args, get_fields), get },
	{ "review/decide", DT_SHAPE(struct decide_args, decide_fields), decide,
	  .persons = DT_CONTROL_DECIDES },
	{ .name = NULL },
};
