/*
 * hub/control_log.c - the history as the command line sees it.
 *
 * Everything is read from the store, which also has what still waits or is still
 * connected.  Who follows the log waits for a number to grow and then lists
 * what is new: nothing is kept here for those who follow.
 */
#include "hub/control.h"

#include "hub/audit.h"
#include "hub/workspace.h"
#include "rpc/code.h"
#include "store/audit.h"
#include "store/reviews.h"
#include "store/sessions.h"

#include <stdlib.h>

/* list */

static const char *const kinds[] = { "all", "reviews", "sessions", "audit",
	                             NULL };
enum { LIST_ALL, LIST_REVIEWS, LIST_SESSIONS, LIST_AUDIT };

struct list_args {
	int what;
	uint32_t limit;
	int64_t since_ms;
};
static const struct dt_field list_fields[] = {
	DT_FIELD(struct list_args, what, ENUM, 0, "Absent: all.",
	         .names = kinds),
	DT_FIELD(struct list_args, limit, U32, 0,
	         "The latest so many; 0: as many as there are."),
	DT_FIELD_AS("sinceMs", struct list_args, since_ms, I64, 0,
	            "Only what happened then or later."),
	DT_FIELD_END,
};

/* One line of the log: one of the two is there. */
struct item {
	int64_t at_ms; /* when it last changed */
	size_t place;  /* among those of the same time */
	const struct dt_review_record *review;
	const struct dt_session_record *session;
};

/* A list on its way to the store, twice, and back. */
struct listing {
	struct dt_hub *hub;
	struct dt_request *req;
	const struct list_args *wanted;
	uint64_t sequence; /* what the list has at least */
	struct dt_session_record *sessions;
	size_t session_count;
};

static void put_str(struct dt_json_out *out, const char *key, const char *value)
{
	if (!value)
		return;
	dt_json_key(out, key);
	dt_json_put_z(out, value);
}

static void put_int(struct dt_json_out *out, const char *key, int64_t value)
{
	dt_json_key(out, key);
	dt_json_put_int(out, value);
}

static void write_session(struct dt_json_out *out,
                          const struct dt_session_record *s)
{
	dt_json_begin_object(out);
	put_str(out, "type", "session");
	put_str(out, "id", s->id);
	put_str(out, "root", s->root);
	put_str(out, "agent", s->agent);
	put_str(out, "version", s->version);
	put_int(out, "connectedMs", s->connected_ms);
	put_int(out, "disconnectedMs", s->disconnected_ms);
	dt_json_end_object(out);
}

static void write_review(struct dt_json_out *out, struct dt_hub *hub,
                         const struct dt_review_record *r)
{
	const struct dt_workspace *ws = dt_workspace_by_id(hub, r->workspace);

	dt_json_begin_object(out);
	put_str(out, "type", "review");
	put_str(out, "id", r->id);
	put_str(out, "root", ws ? dt_workspace_root(ws) : NULL);
	put_str(out, "agent", r->agent);
	put_str(out, "session", r->session);
	put_str(out, "reason", r->reason);
	dt_control_put_card(out, &(struct dt_card){ .command = r->command,
	                                            .folder = r->folder });
	put_str(out, "state", dt_review_state_names[r->state]);
	put_int(out, "openedMs", r->opened_ms);
	put_int(out, "decidedMs", r->decided_ms);
	put_str(out, "decidedBy", r->decided_by);
	put_str(out, "surface", r->surface);
	put_str(out, "comment", r->comment);
	put_str(out, "problem", r->problem);
	dt_json_key(out, "entries");
	dt_json_begin_array(out);
	for (size_t i = 0; i < r->entry_count; i++) {
		dt_json_begin_object(out);
		put_str(out, "kind", dt_change_kinds[r->entries[i].kind]);
		put_str(out, "path", r->entries[i].path);
		put_str(out, "newPath", r->entries[i].new_path);
		if (r->state == DT_REVIEW_ACCEPTED && !r->entries[i].accepted) {
			dt_json_key(out, "isLeftOut");
			dt_json_put_bool(out, true);
		}
		dt_json_end_object(out);
	}
	dt_json_end_array(out);
	dt_json_end_object(out);
}

static void write_audit(struct dt_json_out *out,
                        const struct dt_audit_record *a)
{
	dt_json_begin_object(out);
	put_str(out, "type", "audit");
	put_str(out, "id", a->id);
	put_str(out, "root", a->root);
	put_str(out, "agent", a->agent);
	put_str(out, "session", a->session);
	put_str(out, "kind", dt_audit_kind_names[a->kind]);
	put_str(out, "path", a->path);
	put_int(out, "atMs", a->at_ms);
	put_int(out, "bytes", a->bytes);
	put_int(out, "lines", a->lines);
	put_int(out, "times", a->times);
	put_str(out, "denied", a->denied);
	dt_json_end_object(out);
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* By time; what happened at once stays in the order it was given. */
static int compare(const void *a, const void *b)
{
	const struct item *one = a;
	const struct item *two = b;

	if (one->at_ms != two->at_ms)
		return one->at_ms < two->at_ms ? -1 : 1;
	return one->place < two->place ? -1 : one->place > two->place;
}

/* Both lists came the newest first. */
static size_t merge(const struct listing *l,
                    const struct dt_review_record *reviews, size_t count,
                    struct item *out)
{
	size_t n = 0;

	for (size_t i = l->session_count; i > 0; i--) {
		const struct dt_session_record *s = &l->sessions[i - 1];

		out[n] = (struct item){
			.at_ms = later(s->connected_ms, s->disconnected_ms),
			.place = n,
			.session = s,
		};
		n++;
	}
	for (size_t i = count; i > 0; i--) {
		const struct dt_review_record *r = &reviews[i - 1];

		out[n] = (struct item){
			.at_ms = later(r->opened_ms, r->decided_ms),
			.place = n,
			.review = r,
		};
		n++;
	}
	qsort(out, n, sizeof(*out), compare);
	return n;
}

static void reply(struct listing *l, const struct dt_review_record *reviews,
                  size_t review_count)
{
	struct item *items = dt_arena_alloc(
		&l->req->arena,
		(review_count + l->session_count + 1) * sizeof(*items));
	size_t count = merge(l, reviews, review_count, items);
	uint32_t limit = l->wanted->limit;
	struct dt_json_out *out = dt_request_begin(l->req);

	dt_json_begin_object(out);
	put_int(out, "sequence", (int64_t)l->sequence);
	dt_json_key(out, "items");
	dt_json_begin_array(out);
	for (size_t i = limit && limit < count ? count - limit : 0; i < count;
	     i++) {
		if (items[i].review)
			write_review(out, l->hub, items[i].review);
		else
			write_session(out, items[i].session);
	}
	dt_json_end_array(out);
	dt_json_end_object(out);
	dt_request_end(l->req);
}

static void on_reviews(struct dt_store *store,
                       const struct dt_review_record *reviews, size_t count,
                       const struct dt_fail *fail, void *owner)
{
	struct listing *l = owner;

	(void)store;
	if (fail->code)
		dt_request_fail_with(l->req, fail);
	else
		reply(l, reviews, count);
}

static void list_reviews(struct listing *l)
{
	struct dt_review_filter filter = { .since_ms = l->wanted->since_ms };

	if (l->wanted->what == LIST_SESSIONS)
		reply(l, NULL, 0);
	else if (l->hub->store)
		dt_store_list_reviews(l->hub->store, &filter, on_reviews, l);
	else
		dt_request_fail(l->req, DT_RPC_STATE, "the daemon stops");
}

/* They are lent until we return, so keep copies. */
static void on_sessions(struct dt_store *store,
                        const struct dt_session_record *sessions, size_t count,
                        const struct dt_fail *fail, void *owner)
{
	struct listing *l = owner;
	struct dt_arena *arena = &l->req->arena;

	(void)store;
	if (fail->code) {
		dt_request_fail_with(l->req, fail);
		return;
	}
	l->sessions = dt_arena_alloc(arena, (count + 1) * sizeof(*sessions));
	l->session_count = count;
	for (size_t i = 0; i < count; i++) {
		struct dt_session_record *s = &l->sessions[i];

		*s = sessions[i];
		s->id = dt_arena_strdup(arena, s->id);
		s->root = dt_arena_strdup(arena, s->root);
		s->agent = dt_arena_strdup(arena, s->agent);
		s->version = dt_arena_strdup(arena, s->version);
	}
	list_reviews(l);
}

static void on_audits(struct dt_store *store,
                      const struct dt_audit_record *audits, size_t count,
                      const struct dt_fail *fail, void *owner)
{
	struct listing *l = owner;
	struct dt_json_out *out;

	(void)store;
	if (fail->code) {
		dt_request_fail_with(l->req, fail);
		return;
	}
	out = dt_request_begin(l->req);
	dt_json_begin_object(out);
	put_int(out, "sequence", (int64_t)l->sequence);
	dt_json_key(out, "items");
	dt_json_begin_array(out);
	for (size_t i = count; i > 0; i--)
		write_audit(out, &audits[i - 1]);
	dt_json_end_array(out);
	dt_json_end_object(out);
	dt_request_end(l->req);
}

static void list_audits(struct listing *l)
{
	struct dt_audit_filter filter = {
		.since_ms = l->wanted->since_ms,
		.limit = l->wanted->limit,
	};

	dt_audit_write(l->hub);
	l->sequence = l->hub->log_sequence;
	dt_store_list_audits(l->hub->store, &filter, on_audits, l);
}

static void list(struct dt_client *client, struct dt_request *req,
                 const void *args)
{
	const struct list_args *wanted = args;
	struct dt_session_filter filter = { .since_ms = wanted->since_ms };
	struct listing *l = dt_arena_alloc(&req->arena, sizeof(*l));

	l->hub = client->hub;
	l->req = req;
	l->wanted = wanted;
	l->sequence = client->hub->log_sequence;
	if (!client->hub->store)
		dt_request_fail(req, DT_RPC_STATE, "the daemon stops");
	else if (wanted->what == LIST_AUDIT)
		list_audits(l);
	else if (wanted->what == LIST_REVIEWS)
		list_reviews(l);
	else
		dt_store_list_sessions(client->hub->store, &filter, on_sessions,
		                       l);
}

/* wait */

struct wait_args {
	int64_t sequence;
	uint32_t timeout_ms;
};
static const struct dt_field wait_fields[] = {
	DT_FIELD(struct wait_args, sequence, I64, DT_REQ,
	         "What the last list had."),
	DT_FIELD_AS("timeoutMs", struct wait_args, timeout_ms, U32, 0,
	            "0: for ever."),
	DT_FIELD_END,
};

struct wait {
	struct dt_list link;
	struct dt_hub *hub;
	struct dt_request *req;
	struct dt_timer *deadline;
};

static void end_wait(struct wait *w)
{
	struct dt_json_out *out;

	dt_list_remove(&w->link);
	dt_timer_free(w->deadline);
	out = dt_request_begin(w->req);
	dt_json_begin_object(out);
	put_int(out, "sequence", (int64_t)w->hub->log_sequence);
	dt_json_end_object(out);
	dt_request_end(w->req);
}

static void on_deadline(struct dt_timer *timer, void *owner)
{
	(void)timer;
	end_wait(owner);
}

/* The command went away. */
static void on_cancel(struct dt_request *req, void *owner)
{
	struct wait *w = owner;

	dt_list_remove(&w->link);
	dt_timer_free(w->deadline);
	dt_request_end(req);
}

static void wait_for(struct dt_client *client, struct dt_request *req,
                     const void *args)
{
	const struct wait_args *wanted = args;
	struct wait *w = dt_arena_alloc(&req->arena, sizeof(*w));

	w->hub = client->hub;
	w->req = req;
	w->deadline = dt_timer_new(client->hub->loop, on_deadline, w);
	dt_list_append(&client->hub->log_waits, &w->link);
	req->on_cancel = on_cancel;
	req->owner = w;
	if ((uint64_t)wanted->sequence != client->hub->log_sequence)
		end_wait(w);
	else if (wanted->timeout_ms > 0)
		dt_timer_start(w->deadline, wanted->timeout_ms);
}

void dt_control_log_changed(struct dt_hub *hub)
{
	hub->log_sequence++;
	dt_list_each(w, &hub->log_waits, struct wait, link)
		end_wait(w);
}

const struct dt_method dt_methods_log[] = {
	{ "log/list", DT_SHAPE(struct list_args, list_fields), list },
	{ "log/wait", DT_SHAPE(struct wait_args, wait_fields), wait_for },
	{ .name = NULL },
};
