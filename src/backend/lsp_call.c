/*
 * backend/lsp_call.c - a question on its way to a server that is ready.
 *
 * The server is told the texts of now, then asked.  A question that nobody waits
 * for any more is cancelled there.  Deadlines are lsp.c's; here it is counted
 * how often they pass while the server says nothing at all, which is what a
 * server does that hangs.
 */
#include "backend/lsp_state.h"
#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>

/* LSP's error -32801: the text changed while it was thinking.  The number is
 * not among ours, the words are what all servers say. */
static bool is_content_modified(const struct dt_fail *fail)
{
	return fail->code == DT_E_SYS &&
	       strcasestr(fail->msg, "content modified");
}

static void on_reply(struct dt_peer *peer, const struct dt_json *result,
                     const struct dt_fail *fail, void *owner)
{
	struct dt_lsp_request *r = owner;
	struct dt_fail why = { 0 };

	r->call = DT_CALL_OVER;
	/* The end of this life tells why, and then it fails. */
	if (dt_peer_is_over(peer))
		return;
	dt_lsp_call_note_word(r->server);
	if (!fail) {
		dt_lsp_request_end(r, result, NULL);
		return;
	}
	if (is_content_modified(fail) && !r->is_again) {
		r->is_again = true;
		dt_lsp_call_send(r->server, r);
		return;
	}
	dt_fail(&why, fail->code == DT_E_METHOD ? DT_E_UNSUPPORTED : fail->code,
	        "%s: %s", r->server->entry.name, fail->msg);
	/* What is too large fails before dt_peer_call() returns. */
	dt_lsp_request_end_later(r, &why);
}

const struct dt_json *dt_lsp_call_can(const struct dt_lsp_server *server,
                                      const char *provider)
{
	const struct dt_json *at = server->capabilities;
	struct dt_str rest = dt_str(provider);

	while (at && rest.len) {
		struct dt_str name = dt_str_cut(&rest, '.');
		char *z = dt_strndup(name.ptr, name.len);

		at = dt_json_get(at, z);
		free(z);
	}
	if (!at || at->type == DT_JSON_NULL || at->type == DT_JSON_FALSE)
		return NULL;
	return at;
}

void dt_lsp_call_send(struct dt_lsp_server *server, struct dt_lsp_request *r)
{
	struct dt_fail fail = { 0 };
	uint64_t call;

	r->is_sent = true;
	if (r->provider && !dt_lsp_call_can(server, r->provider))
		dt_fail(&fail, DT_E_UNSUPPORTED, "%s cannot do %s",
		        server->entry.name, r->method);
	if (fail.code || dt_lsp_docs_sync(server, r->path, &fail)) {
		dt_lsp_request_end_later(r, &fail);
		return;
	}
	server->asked++;
	if (!r->method) {
		dt_lsp_report_want(r);
		return;
	}
	call = dt_peer_call(server->peer, r->method, dt_buf_str(&r->params), 0,
	                    on_reply, r);
	if (call != DT_CALL_OVER)
		r->call = call;
}

void dt_lsp_call_cancel(struct dt_lsp_server *server, struct dt_lsp_request *r)
{
	uint64_t call = r->call;
	char params[48];
	int len;

	r->call = DT_CALL_OVER;
	if (call == DT_CALL_OVER || !server->peer)
		return;
	dt_peer_forget(server->peer, call);
	len = snprintf(params, sizeof(params), "{\"id\":%llu}",
	               (unsigned long long)call);
	dt_peer_notify(server->peer, "$/cancelRequest",
	               (struct dt_str){ params, (size_t)len });
}

void dt_lsp_call_note_word(struct dt_lsp_server *server)
{
	server->late = 0;
	server->heard_ms = dt_clock_ms();
}

void dt_lsp_call_note_late(struct dt_lsp_server *server)
{
	uint64_t silent_ms = dt_clock_ms() - server->heard_ms;
	struct dt_fail why = { 0 };

	if (++server->late < DT_LIMIT_LSP_LATE ||
	    silent_ms < server->lsp->times.silent_ms)
		return;
	dt_fail(&why, DT_E_CLOSED, "%s hung: no word for %llu s",
	        server->entry.name, (unsigned long long)silent_ms / 1000);
	dt_lsp_server_break(server, &why);
}
