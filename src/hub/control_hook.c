/*
 * hub/control_hook.c - an agent's hook asks for a verdict.
 *
 * In every permission mode, and without an IDE link, the CLI runs `dovetail hook
 * claude` before an edit; that command hands us what it was told and prints what
 * we answer.  An empty output means: go on as if we were not there, and is for
 * edits the CLI itself asks about.  What we cannot show, the CLI is told to ask
 * about.  A hook that is killed while its CLI lives (Esc) takes its edit back;
 * when both are gone the review is orphaned.
 *
 * A hook outlives us: it asks again, under the name it has given itself, and is
 * told the verdict that was given meanwhile or waits on for the same review.
 */
#include "hub/control.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/log.h"
#include "base/path.h"
#include "dialect/claude_hook.h"
#include "dialect/claude_tools.h"
#include "dialect/claude_words.h"
#include "hub/hook_gone.h"
#include "hub/session.h"
#include "hub/whose.h"
#include "hub/workspace.h"
#include "loop/os.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Our answer is a string inside JSON, which at most doubles it. */
#define OUTPUT_BYTES (DT_LIMIT_MESSAGE / 2 - DT_KIB)

struct hook_args {
	struct dt_str input;
	const char *call;
	bool is_again;
	const char *input_file;
};
static const struct dt_field hook_fields[] = {
	DT_FIELD(struct hook_args, input, RAW, 0,
	         "What the CLI gave the hook."),
	DT_FIELD(struct hook_args, call, NAME, 0,
	         "What the hook calls itself; no two are called the same."),
	DT_FIELD_AS("isAgain", struct hook_args, is_again, BOOL, 0,
	            "It has asked before, and its daemon went away."),
	DT_FIELD_AS("inputFile", struct hook_args, input_file, PATH, 0,
	            "Or a private file in the run directory with that, which "
	            "is removed."),
	DT_FIELD_END,
};

/* One hook that waits.  It lives in its request's arena. */
struct hooking {
	struct dt_request *req;
	struct dt_answer verdict;
	struct dt_claude_hook hook;
	struct dt_hub *hub;
	struct dt_workspace *ws;
	const char *call;  /* or NULL */
	struct dt_str old; /* ptr NULL: there is no file */
	struct dt_str proposed;
	bool has_link; /* the CLI will ask over its IDE link */
	struct dt_hook_cli cli;
};

static void reply_output(struct dt_request *req, struct dt_str output)
{
	struct dt_json_out *out = dt_request_begin(req);

	dt_json_begin_object(out);
	dt_json_key(out, "output");
	dt_json_put_str(out, output);
	dt_json_end_object(out);
	dt_request_end(req);
}

static void step_aside(struct dt_request *req)
{
	reply_output(req, DT_STR(""));
}

static void answer(struct dt_request *req, enum dt_claude_decision decision,
                   const char *reason)
{
	struct dt_buf output;

	dt_buf_init(&output, OUTPUT_BYTES);
	dt_claude_hook_answer(decision, reason, &output);
	reply_output(req, dt_buf_str(&output));
	dt_buf_done(&output);
}

/* We cannot show it, so the CLI has to. */
static void answer_ask(struct dt_request *req, const char *why)
{
	dt_log(DT_LOG_INFO, "a hook lets its agent ask: %s", why);
	answer(req, DT_CLAUDE_ASK,
	       dt_arena_printf(&req->arena,
	                       "Dovetail cannot show this change: %s.", why));
}

/* what the hook was told */

/* Only a file that a hook has put there, and nobody else. */
static enum dt_err read_input_file(struct dt_hub *hub, const char *path,
                                   struct dt_buf *out, struct dt_fail *fail)
{
	const char *name = dt_path_base(path);
	enum dt_err err = DT_E_OK;
	int folder = open(hub->dirs.run, O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct stat st;

	if (folder < 0)
		return dt_fail_sys(fail, "%s", hub->dirs.run);
	if (strncmp(name, "hook-", 5) != 0 ||
	    fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
	    !S_ISREG(st.st_mode) || st.st_uid != geteuid() ||
	    (st.st_mode & 077) || st.st_nlink != 1)
		err = dt_fail(fail, DT_E_DENIED,
		              "%s is no input that a hook has put there", path);
	if (!err)
		err = dt_file_read_at(folder, name, out, fail);
	if (!err)
		unlinkat(folder, name, 0);
	close(folder);
	return err;
}

static enum dt_err read_input(struct dt_client *client, struct dt_request *req,
                              const struct hook_args *wanted,
                              const struct dt_json **out, struct dt_fail *fail)
{
	struct dt_str input = wanted->input;
	struct dt_buf text;
	enum dt_err err;

	if (!wanted->input_file && !input.ptr)
		return dt_fail(fail, DT_E_ARGS, "input: missing");
	if (!wanted->input_file)
		return dt_json_read(&req->arena, input, out, fail);
	dt_buf_init(&text, DT_LIMIT_HOOK_INPUT);
	err = read_input_file(client->hub, wanted->input_file, &text, fail);
	if (!err) {
		input.ptr = dt_arena_strndup(&req->arena, text.ptr, text.len);
		input.len = text.len;
	}
	dt_buf_done(&text);
	return err ? err : dt_json_read(&req->arena, input, out, fail);
}

/* reading the file */

/* The text of the file now; absent when there is none. */
static enum dt_err read_now(struct hooking *h, struct dt_str *out,
                            struct dt_fail *fail)
{
	struct dt_fail why = { 0 };
	struct dt_buf text;
	enum dt_err err;

	dt_buf_init(&text, DT_LIMIT_FILE);
	err = dt_documents_read(&h->ws->docs, h->hook.path, DT_TEXT_ANYWHERE,
	                        &text, NULL, &why);
	*out = (struct dt_str){ 0 };
	if (!err)
		*out = (struct dt_str){ dt_arena_strndup(&h->req->arena,
			                                 text.ptr, text.len),
			                text.len };
	dt_buf_done(&text);
	if (err && err != DT_E_MISSING)
		return dt_fail(fail, err, "%s", why.msg);
	return DT_E_OK;
}

/* the verdict */

/* Accepted, but it cannot be made: the comment is told all the same. */
static void deny(struct hooking *h, const struct dt_propose_result *verdict,
                 const char *reason)
{
	struct dt_buf words;

	dt_buf_init(&words, OUTPUT_BYTES);
	dt_claude_words_reason(reason, verdict->comment, &words);
	answer(h->req, DT_CLAUDE_DENY, dt_buf_z(&words));
	dt_buf_done(&words);
}

static void allow(struct hooking *h, const struct dt_propose_result *verdict)
{
	const struct dt_change *change = verdict->changes.ptr;
	struct dt_claude_accepted accepted = {
		.old = h->old,
		.proposed = h->proposed,
		.final = change->text,
		.comment = verdict->comment,
	};
	struct dt_fail fail = { 0 };
	struct dt_buf output;
	struct dt_str now;

	if (read_now(h, &now, &fail) || !dt_str_eq(now, h->old) ||
	    !now.ptr != !h->old.ptr) {
		deny(h, verdict,
		     "The file was changed while this change waited for "
		     "review. Read it again.");
		return;
	}
	dt_buf_init(&output, OUTPUT_BYTES);
	if (dt_claude_hook_allow(&h->req->arena, &h->hook, &accepted, &output,
	                         &fail))
		deny(h, verdict, fail.msg);
	else
		reply_output(h->req, dt_buf_str(&output));
	dt_buf_done(&output);
}

static void reject(struct hooking *h, const struct dt_propose_result *verdict)
{
	const char *reason = "The person rejected this change.";

	if (verdict->comment && verdict->comment[0])
		reason = dt_arena_printf(&h->req->arena,
		                         "The person rejected this change: %s",
		                         verdict->comment);
	answer(h->req, DT_CLAUDE_DENY, reason);
}

static void on_verdict(struct dt_answer *given, const void *result,
                       const struct dt_fail *fail, void *owner)
{
	const struct dt_propose_result *verdict = result;
	struct hooking *h = owner;

	(void)given;
	/* Taken back, as when the daemon stops: the hook then says so and
	 * gives no answer. */
	if (fail && fail->code == DT_E_CANCELLED)
		dt_request_fail_with(h->req, fail);
	else if (fail && fail->code == DT_E_DENIED)
		answer(h->req, DT_CLAUDE_DENY, fail->msg);
	else if (fail)
		answer_ask(h->req, fail->msg);
	else if (verdict->outcome == DT_ACCEPTED)
		allow(h, verdict);
	else
		reject(h, verdict);
}

/* The hook was killed, or the CLI is gone. */
static void on_cancel(struct dt_request *req, void *owner)
{
	struct hooking *h = owner;
	struct dt_hub *hub = h->ws->hub;
	const char *review = NULL;

	if (!hub->is_stopping && dt_hook_cli_is_alive(&h->cli))
		review = dt_inbox_retract(&h->verdict);
	if (review)
		dt_hook_gone(hub, &h->cli, review);
	dt_answer_drop(&h->verdict);
	dt_request_end(req);
}

/* asking */

/* The CLI this hook belongs to, when its IDE link is there; or NULL.  A CLI may
 * be an MCP client of ours as well: over that it asks nothing. */
static struct dt_session *session_of(const struct dt_client *client)
{
	dt_list_each(ws, &client->hub->workspaces, struct dt_workspace, link) {
		dt_list_each(s, &ws->sessions, struct dt_session, link) {
			if (s->agent.pid &&
			    !s->agent.dialect->takes_workspace &&
			    dt_os_is_descendant(client->pid, s->agent.pid))
				return s;
		}
	}
	return NULL;
}

/* The CLI tells its hooks which process it is; 0: not this one. */
static pid_t agent_of(const struct dt_client *client, struct dt_arena *arena)
{
	const char *named = dt_os_variable(arena, client->pid, "CLAUDE_PID");
	uint32_t pid = 0;

	if (!named || dt_str_to_u32(dt_str(named), &pid, NULL) ||
	    pid > INT32_MAX)
		return 0;
	return (pid_t)pid;
}

static void remember(struct dt_session *s, const struct dt_claude_hook *hook,
                     pid_t pid)
{
	bool is_hidden;

	s->hook.mark = dt_mark_of(pid, &is_hidden);
	s->hook.called_ms = dt_clock_wall_ms();
	snprintf(s->hook.session, sizeof(s->hook.session), "%s", hook->session);
	snprintf(s->hook.mode, sizeof(s->hook.mode), "%s", hook->mode);
}

/*
 * Of a rewrite of about 2,000 changed lines and more the CLI (2.1.325) drops the
 * verdict that openDiff brings it, and reports a rejection.  In manual mode what
 * a hook allows is asked about no more, so such edits are asked about here; well
 * below, for what the CLI counts is not known exactly.
 */
#define LARGE_LINES 1500

static size_t count_lines(struct dt_str text)
{
	size_t lines = 0;

	while (text.len > 0) {
		dt_str_cut(&text, '\n');
		lines++;
	}
	return lines;
}

/* Without the lines that both have at their beginning and at their end: as many
 * as can have changed at most. */
static size_t count_changed(struct dt_str old, struct dt_str new)
{
	size_t shorter = old.len < new.len ? old.len : new.len;
	size_t head = 0;
	size_t tail = 0;

	while (head < shorter && old.ptr[head] == new.ptr[head])
		head++;
	while (head > 0 && old.ptr[head - 1] != '\n')
		head--;
	while (tail < shorter - head &&
	       old.ptr[old.len - tail - 1] == new.ptr[new.len - tail - 1])
		tail++;
	old = (struct dt_str){ old.ptr + head, old.len - head - tail };
	new = (struct dt_str){ new.ptr + head, new.len - head - tail };
	return count_lines(old) + count_lines(new);
}

static bool is_lost_over_link(const struct hooking *h)
{
	return !strcmp(h->hook.mode, "default") &&
	       count_changed(h->old.ptr ? h->old : DT_STR(""), h->proposed) >
	               LARGE_LINES;
}

/* In these modes the CLI asks over its link, in plan mode whatever a hook
 * allows: asked by both, a person would decide the same change twice. */
static bool asks_itself(const struct dt_claude_hook *hook)
{
	return !strcmp(hook->mode, "default") || !strcmp(hook->mode, "plan");
}

/* Where the IDE link asks, only what is denied is answered here: after openDiff
 * failed the CLI would go on with a dialog of its own. */
static void open_review(struct hooking *h)
{
	struct dt_change change = {
		.kind = DT_CHANGE_EDIT,
		.path = h->hook.path,
		.text = h->proposed,
	};
	struct dt_propose_args propose = {
		.title = dt_path_base(h->hook.path),
		.changes = { &change, 1 },
	};
	struct dt_review_spec spec = {
		.workspace = h->ws->record.id,
		.session = h->hook.session,
		.agent = "claude-code",
		.call = h->call,
		.args = &propose,
		.docs = &h->ws->docs,
		.rules = dt_config_rules(h->ws->config),
	};

	if (h->has_link && !is_lost_over_link(h) && !dt_inbox_denies(&spec)) {
		step_aside(h->req);
		return;
	}
	dt_answer_init(&h->verdict, on_verdict, h);
	h->req->on_cancel = on_cancel;
	h->req->owner = h;
	dt_inbox_open(&h->ws->hub->inbox, &spec, &h->verdict);
}

static enum dt_err find_workspace(struct hooking *h, struct dt_fail *fail)
{
	h->ws = dt_hub_workspace_at(h->hub, &h->req->arena, h->hook.path);
	if (h->ws)
		return DT_E_OK;
	return dt_hub_serve(h->hub, h->hook.folder, false, 0, &h->ws, fail);
}

static void review(struct hooking *h)
{
	struct dt_fail fail = { 0 };
	enum dt_err err = find_workspace(h, &fail);

	if (!err)
		err = read_now(h, &h->old, &fail);
	if (!err)
		err = dt_claude_hook_propose(&h->req->arena, &h->hook, h->old,
		                             &h->proposed, &fail);
	if (!err)
		open_review(h);
	else if (h->has_link)
		step_aside(h->req);
	else
		answer_ask(h->req, fail.msg);
}

/* asking again */

static struct dt_str copy(struct dt_arena *arena, struct dt_str text)
{
	if (!text.ptr)
		return text;
	return (struct dt_str){ dt_arena_strndup(arena, text.ptr, text.len),
		                text.len };
}

/* The verdict that was given while nobody waited for it. */
static void tell_kept(struct hooking *h, const struct dt_review_record *r)
{
	struct dt_change change = { .text = r->entries[0].final_text };
	struct dt_propose_result verdict = {
		.comment = r->comment,
		.changes = { &change, 1 },
	};

	if (r->state != DT_REVIEW_REJECTED)
		allow(h, &verdict);
	else if (r->decided_by && !strcmp(r->decided_by, "policy"))
		answer(h->req, DT_CLAUDE_DENY,
		       dt_arena_printf(&h->req->arena,
		                       "Dovetail's policy denies this change "
		                       "(%s).",
		                       r->comment ? r->comment : ""));
	else
		reject(h, &verdict);
}

static void wait_on(struct hooking *h, const struct dt_review_record *r)
{
	struct dt_review_spec spec = {
		.workspace = h->ws->record.id,
		.session = h->hook.session,
		.agent = "claude-code",
		.call = h->call,
		.docs = &h->ws->docs,
	};

	dt_answer_init(&h->verdict, on_verdict, h);
	h->req->on_cancel = on_cancel;
	h->req->owner = h;
	dt_inbox_resume(&h->hub->inbox, &spec, r, &h->verdict);
	/* It was killed while we looked. */
	if (!h->req->peer)
		on_cancel(h->req, h);
}

static bool is_decided(const struct dt_review_record *r)
{
	return r->state == DT_REVIEW_ACCEPTED ||
	       r->state == DT_REVIEW_WRITING ||
	       r->state == DT_REVIEW_UNWRITTEN ||
	       r->state == DT_REVIEW_REJECTED;
}

static void on_found(struct dt_store *store, const struct dt_review_record *r,
                     const struct dt_fail *fail, void *owner)
{
	struct hooking *h = owner;
	struct dt_fail why = { 0 };

	(void)store;
	(void)fail; /* nothing was kept of it, so it begins once more */
	if (h->hub->is_stopping) {
		dt_fail(&why, DT_E_CANCELLED, "the daemon stops");
		dt_request_fail_with(h->req, &why);
	} else if (!h->req->peer && (!r || is_decided(r))) {
		dt_request_end(h->req); /* it was killed while we looked */
	} else if (!r || r->entry_count != 1) {
		review(h);
	} else if (find_workspace(h, &why)) {
		answer_ask(h->req, why.msg);
	} else {
		h->old = copy(&h->req->arena, r->entries[0].old_text);
		h->proposed = copy(&h->req->arena, r->entries[0].proposed_text);
		if (is_decided(r))
			tell_kept(h, r);
		else
			wait_on(h, r);
	}
}

static void on_reopened(struct dt_store *store, const struct dt_fail *fail,
                        void *owner)
{
	(void)store;
	(void)owner;
	if (fail->code)
		dt_log(DT_LOG_WARN, "a review that goes on: %s", fail->msg);
}

/* The store does one after the other, and nothing between these two. */
static void look_again(struct hooking *h)
{
	dt_store_reopen_review(h->hub->store, h->call, on_reopened, NULL);
	dt_store_get_call(h->hub->store, h->call, on_found, h);
}

static void hook_claude(struct dt_client *client, struct dt_request *req,
                        const void *args)
{
	const struct hook_args *wanted = args;
	struct hooking *h = dt_arena_alloc(&req->arena, sizeof(*h));
	struct dt_session *session;
	const struct dt_json *json;
	struct dt_fail fail = { 0 };
	enum dt_err err = read_input(client, req, wanted, &json, &fail);

	h->req = req;
	h->hub = client->hub;
	h->call = wanted->call;
	if (!err)
		err = dt_claude_hook_read(&req->arena, json, &h->hook, &fail);
	if (err && err != DT_E_UNSUPPORTED) {
		dt_request_fail_with(req, &fail);
		return;
	}
	if (err) {
		step_aside(req);
		return;
	}
	dt_whose_remember_caller(client->hub, client->pid,
	                         agent_of(client, &req->arena));
	session = session_of(client);
	if (session)
		remember(session, &h->hook, client->pid);
	h->has_link = session && asks_itself(&h->hook);
	h->cli = dt_hook_cli_of(client->pid, session ? session->agent.pid : 0);
	if (wanted->is_again && h->call && h->hub->store)
		look_again(h);
	else
		review(h);
}

/* The person sends a prompt: what they said before, where there was no room for
 * it, goes with that. */
static void hook_prompt(struct dt_client *client, struct dt_request *req,
                        const void *args)
{
	struct dt_session *session = session_of(client);
	struct dt_buf output;
	struct dt_buf words;

	(void)args;
	dt_buf_init(&words, DT_LIMIT_ARGUMENTS);
	dt_buf_init(&output, OUTPUT_BYTES);
	if (session)
		dt_claude_take_words(&session->agent, &words);
	if (words.len > 0)
		dt_claude_words_prompt(dt_buf_str(&words), &output);
	reply_output(req, output.len ? dt_buf_str(&output) : DT_STR(""));
	dt_buf_done(&output);
	dt_buf_done(&words);
}

const struct dt_method dt_methods_hook[] = {
	{ "hook/claude", DT_SHAPE(struct hook_args, hook_fields), hook_claude },
	{ "hook/prompt", DT_SHAPE(struct hook_args, hook_fields), hook_prompt },
	{ .name = NULL },
};
