/* hub/control_wait.c - a command waits for the next review. */
#include "hub/control.h"

#include "hub/workspace.h"

struct wait_args {
	const char *folder;
	uint32_t timeout_ms;
	const char *after;
};
static const struct dt_field wait_fields[] = {
	DT_FIELD(struct wait_args, folder, PATH, 0, "Absent: everywhere."),
	DT_FIELD_AS("timeoutMs", struct wait_args, timeout_ms, U32, 0,
	            "0: for ever."),
	DT_FIELD(struct wait_args, after, NAME, 0, "Another than this one."),
	DT_FIELD_END,
};

struct wait {
	struct dt_list link;
	struct dt_hub *hub;
	struct dt_request *req;
	const char *workspace; /* id, or NULL: all */
	const char *after;
	struct dt_timer *deadline;
};

static void end_wait(struct wait *w)
{
	dt_list_remove(&w->link);
	dt_timer_free(w->deadline);
}

static void on_wait_deadline(struct dt_timer *timer, void *owner)
{
	struct wait *w = owner;
	struct dt_fail fail = { 0 };

	(void)timer;
	end_wait(w);
	dt_fail(&fail, DT_E_TIMEOUT, "no review came in time");
	dt_request_fail_with(w->req, &fail);
}

/* The command went away. */
static void on_wait_cancel(struct dt_request *req, void *owner)
{
	end_wait(owner);
	dt_request_end(req);
}

/* Answer when there is what was waited for. */
static bool try_wait(struct wait *w)
{
	dt_list_each(r, &w->hub->inbox.list, struct dt_review, link) {
		struct dt_json_out *out;

		if (!dt_control_is_in(r, w->workspace) ||
		    (w->after && !strcmp(w->after, r->id)))
			continue;
		end_wait(w);
		out = dt_request_begin(w->req);
		dt_json_begin_object(out);
		dt_json_key(out, "id");
		dt_json_put_z(out, r->id);
		dt_json_end_object(out);
		dt_request_end(w->req);
		return true;
	}
	return false;
}

static void wait_for(struct dt_client *client, struct dt_request *req,
                     const void *args)
{
	const struct wait_args *wanted = args;
	struct wait *w = dt_arena_alloc(&req->arena, sizeof(*w));
	struct dt_fail fail = { 0 };

	if (!dt_control_scope(client->hub, &req->arena, wanted->folder,
	                      &w->workspace, &fail)) {
		dt_request_fail_with(req, &fail);
		return;
	}
	w->hub = client->hub;
	w->req = req;
	w->after = wanted->after;
	req->on_cancel = on_wait_cancel;
	req->owner = w;
	dt_list_append(&client->hub->waits, &w->link);
	if (try_wait(w) || wanted->timeout_ms == 0)
		return;
	w->deadline = dt_timer_new(client->hub->loop, on_wait_deadline, w);
	dt_timer_start(w->deadline, wanted->timeout_ms);
}

void dt_control_review_changed(struct dt_hub *hub)
{
	dt_list_each(w, &hub->waits, struct wait, link)
		try_wait(w);
}

const struct dt_method dt_methods_wait[] = {
	{ "review/wait", DT_SHAPE(struct wait_args, wait_fields), wait_for },
	{ .name = NULL },
};
