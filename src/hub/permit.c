/*
 * hub/permit.c - a command allowed by policy, or by a person.
 *
 * What is allowed goes on without a trace here.  For the rest a card waits in
 * the inbox, and its call with it: the arguments are kept, and what is run in the
 * end is what the card says.
 */
#include "hub/permit.h"

#include "base/limits.h"
#include "base/path.h"
#include "hub/arguments.h"
#include "hub/env.h"
#include "hub/gate.h"
#include "hub/look.h"
#include "hub/policy.h"
#include "hub/session.h"
#include "hub/wish.h"

#include <stdlib.h>

/* A command that is looked at, and then in front of a person. */
struct permit {
	struct dt_arena arena;
	struct dt_run_wish wish;
	struct dt_needs needs;
	struct dt_look *look;       /* while it goes on */
	struct dt_seen_file *files; /* that the person has not seen so */
	size_t file_count;
	struct dt_answer answer; /* of the inbox */
	struct dt_answer *agent; /* and of who asked */
	struct dt_caller *caller;
	const struct dt_operation *op;
	void *args;
	dt_permit_fn *perform;
};

bool dt_permit_is_needed(const struct dt_operation *op)
{
	return dt_wish_is_read(op);
}

/* what is allowed */

/* An argument on its way past the gate. */
struct look {
	const struct dt_workspace *ws;
	struct dt_arena *arena;
	const char *folder;
	struct dt_fail *fail;
	enum dt_err err;
};

static bool see_path(const char *path, void *owner)
{
	struct look *l = owner;
	const char *lead = dt_path_lead(l->arena, l->folder, path);

	l->err = dt_gate_check_path(
		l->ws, dt_path_join(l->arena, l->folder, path), l->fail);
	if (!l->err && lead)
		l->err = dt_gate_check_path(l->ws, lead, l->fail);
	return !l->err;
}

/* What a program prints of a file that is kept from agents is not seen by the
 * gate, so whoever names one is asked about. */
static enum dt_err check_gate(struct permit *p, const struct dt_workspace *ws,
                              struct dt_fail *fail)
{
	const struct dt_wish *command = &p->wish.command;
	struct look l = { ws, &p->arena, command->folder, fail, DT_E_OK };

	for (size_t i = 0; i < command->args.count && !l.err; i++) {
		if (i >= p->needs.at)
			l.folder = p->needs.folder;
		dt_arguments_paths(&p->arena, command->args.ptr[i], see_path,
		                   &l);
	}
	return l.err;
}

static enum dt_err check(struct permit *p, const struct dt_workspace *ws,
                         struct dt_fail *fail)
{
	const char *allow = dt_config_get(ws->config, "run.allow");
	enum dt_err err =
		dt_policy_check_wish(&p->arena, allow, &ws->record.roots,
	                             &p->wish.command, &p->needs, fail);

	return err ? err : check_gate(p, ws, fail);
}

static bool is_inside(const struct dt_workspace *ws, const char *folder)
{
	const char *relative;

	return dt_documents_root_of(&ws->docs, folder, &relative) != NULL;
}

/* The next piece of a line that is not ended may make anything of it. */
static enum dt_err check_line(struct permit *p, const struct dt_workspace *ws,
                              struct dt_fail *fail)
{
	struct dt_run_wish *wish = &p->wish;
	enum dt_err err = dt_policy_read_line(&p->arena, wish->line,
	                                      &wish->command, fail);

	if (err)
		return err;
	if (!wish->has_enter)
		return dt_fail(fail, DT_E_DENIED, "the line is not ended");
	if (wish->doubt)
		return dt_fail(fail, DT_E_DENIED, "%s", wish->doubt);
	if (!is_inside(ws, wish->command.folder))
		return dt_fail(fail, DT_E_DENIED,
		               "the shell has left the workspace");
	return check(p, ws, fail);
}

static enum dt_err check_wish(struct permit *p, const struct dt_workspace *ws,
                              struct dt_fail *fail)
{
	if (p->wish.is_free)
		return DT_E_OK;
	if (p->wish.is_own) {
		p->needs = (struct dt_needs){ p->wish.needs, "git",
			                      p->wish.command.folder, 0 };
		return p->wish.why
		               ? dt_fail(fail, DT_E_DENIED, "%s", p->wish.why)
		               : DT_E_OK;
	}
	return p->wish.line ? check_line(p, ws, fail) : check(p, ws, fail);
}

/* What nobody has to be asked about, for it cannot be done.  Of a line only its
 * shell knows. */
static enum dt_err check_possible(struct dt_arena *arena,
                                  const struct dt_workspace *ws,
                                  const char *asker,
                                  const struct dt_run_wish *wish,
                                  struct dt_fail *fail)
{
	const struct dt_wish *command = &wish->command;

	if (wish->line)
		return DT_E_OK;
	if (!is_inside(ws, command->folder))
		return dt_fail(fail, DT_E_DENIED, "%s is outside the workspace",
		               command->folder);
	if (!strchr(command->name, '/') &&
	    !dt_env_find(ws, asker, arena, command->name))
		return dt_fail(fail, DT_E_MISSING,
		               "there is no program %s on PATH: install it, or "
		               "ask the person to",
		               command->name);
	return DT_E_OK;
}

/* What a person may allow for good: a plain name that is not allowed yet and
 * does not stand for every other program. */
static const char *lasting(const struct dt_workspace *ws, const char *name)
{
	bool is_known =
		dt_policy_has(dt_config_get(ws->config, "run.allow"), name);

	if (is_known || dt_policy_runs_anything(name) ||
	    dt_policy_check_name(name, NULL))
		return NULL;
	return name;
}

/* the person */

static void free_permit(struct permit *p)
{
	dt_arena_done(&p->arena);
	free(p);
}

static void refuse(struct permit *p, const char *comment)
{
	if (comment && *comment)
		dt_answer_failf(p->agent, DT_E_DENIED,
		                "The person rejected this command: %s",
		                comment);
	else
		dt_answer_failf(p->agent, DT_E_DENIED,
		                "The person rejected this command.");
}

/* What was accepted with the command is what it was then. */
static enum dt_err keep_seen(const struct permit *p, struct dt_fail *fail)
{
	const struct dt_workspace *ws = p->caller->place;

	for (size_t i = 0; i < p->file_count; i++) {
		struct dt_seen_file now = dt_seen_read(p->files[i].path);

		if (strcmp(now.digest, p->files[i].digest) != 0)
			return dt_fail(fail, DT_E_STATE,
			               "%s was changed again while the command "
			               "waited: nothing was run, ask again",
			               now.path);
	}
	/* Not to remember it means to be asked again. */
	(void)!dt_seen_add(ws->hub->dirs.state, p->files, p->file_count, NULL);
	return DT_E_OK;
}

static void perform_kept(struct permit *p)
{
	struct dt_fail fail = { 0 };

	if (!p->caller->place)
		dt_answer_failf(p->agent, DT_E_CLOSED,
		                "that workspace is not served any more");
	else if (keep_seen(p, &fail))
		dt_answer_fail(p->agent, &fail);
	else
		p->perform(p->caller->place, p->op, p->args, p->agent);
}

static void on_verdict(struct dt_answer *answer, const void *result,
                       const struct dt_fail *fail, void *owner)
{
	const struct dt_propose_result *verdict = result;
	struct permit *p = owner;

	(void)answer;
	p->agent->on_drop = NULL;
	if (fail)
		dt_answer_fail(p->agent, fail);
	else if (verdict->outcome != DT_ACCEPTED)
		refuse(p, verdict->comment);
	else
		perform_kept(p);
	free_permit(p);
}

static void on_drop(struct dt_answer *answer, void *performer)
{
	struct permit *p = performer;

	(void)answer;
	if (p->look)
		dt_look_stop(p->look);
	else
		dt_answer_drop(&p->answer);
	free_permit(p);
}

/* Arguments are lent, and a person takes time: they go through their own shape
 * once. */
static enum dt_err keep_args(struct permit *p, const void *args,
                             struct dt_fail *fail)
{
	const struct dt_json *json = NULL;
	struct dt_json_out out;
	struct dt_buf text;
	void *copy = dt_arena_alloc(&p->arena, p->op->args.size);
	enum dt_err err;

	dt_buf_init(&text, DT_LIMIT_MESSAGE);
	out = dt_json_out(&text);
	dt_shape_write(&p->op->args, args, &out);
	err = dt_buf_check(&text, "the command", fail);
	if (!err)
		err = dt_json_read(
			&p->arena,
			dt_str(dt_arena_strndup(&p->arena, text.ptr, text.len)),
			&json, fail);
	if (!err)
		err = dt_shape_read(&p->op->args, &p->arena, json, copy, fail);
	dt_buf_done(&text);
	p->args = copy;
	return err;
}

/* Why a person is asked, and where it is typed. */
static const char *reason(struct dt_arena *arena,
                          const struct dt_run_wish *wish, const char *why)
{
	if (!wish->line)
		return why;
	return dt_arena_printf(arena,
	                       "%s; it would be typed into %s %s, %s Enter",
	                       why, wish->terminal ? "terminal" : "a terminal",
	                       wish->terminal ? wish->terminal : "",
	                       wish->has_enter ? "with" : "without");
}

static void open_card(struct permit *p, const char *why)
{
	const struct dt_run_wish *wish = &p->wish;
	struct dt_session *s = p->caller->owner;
	struct dt_workspace *ws = p->caller->place;
	struct dt_card card = {
		.command = wish->words,
		.folder = wish->command.folder,
		.timeout_ms = wish->timeout_ms,
		.program = lasting(ws, wish->command.name),
	};
	struct dt_propose_args args = {
		.title = wish->line ? "terminal" : wish->command.name,
		.reason = reason(&p->arena, wish, why),
	};
	struct dt_review_spec spec = {
		.workspace = ws->record.id,
		.session = s->id,
		.agent = dt_session_name(s),
		.args = &args,
		.card = &card,
		.docs = &ws->docs,
	};

	dt_answer_progress(p->agent,
	                   &(struct dt_progress){ .message = DT_REVIEW_WAITS });
	dt_answer_init(&p->answer, on_verdict, p);
	p->agent->on_drop = on_drop;
	p->agent->performer = p;
	dt_inbox_open(&ws->hub->inbox, &spec, &p->answer);
}

/* A person decides, if it can be done at all. */
static void ask_person(struct permit *p, const char *why)
{
	struct dt_fail fail = { 0 };

	if (!check_possible(&p->arena, p->caller->place, p->agent->asker,
	                    &p->wish, &fail)) {
		open_card(p, why);
		return;
	}
	dt_answer_fail(p->agent, &fail);
	free_permit(p);
}

static void on_look(struct dt_look *look, const struct dt_look_end *end,
                    void *owner)
{
	struct permit *p = owner;

	(void)look;
	p->look = NULL;
	p->agent->on_drop = NULL;
	if (end->doubt && p->caller->place) {
		p->file_count = end->file_count;
		p->files = dt_arena_alloc(&p->arena, (end->file_count + 1) *
		                                             sizeof(*p->files));
		for (size_t i = 0; i < end->file_count; i++) {
			p->files[i] = end->files[i];
			p->files[i].path =
				dt_arena_strdup(&p->arena, end->files[i].path);
		}
		ask_person(p, end->doubt);
		return;
	}
	perform_kept(p);
	free_permit(p);
}

/* Arguments are kept from here on. */
static void look(struct permit *p)
{
	struct dt_fail fail = { 0 };

	if (dt_look_start(p->caller, &p->needs, on_look, p, &p->look, &fail)) {
		ask_person(p, dt_arena_strdup(&p->arena, fail.msg));
		return;
	}
	p->agent->on_drop = on_drop;
	p->agent->performer = p;
}

void dt_permit_ask(struct dt_caller *caller, const struct dt_operation *op,
                   const void *args, struct dt_answer *answer,
                   dt_permit_fn *perform)
{
	struct permit *p = dt_alloc(sizeof(*p));
	struct dt_fail why = { 0 };
	struct dt_fail fail = { 0 };
	bool is_asked;
	enum dt_err err;

	p->agent = answer;
	p->caller = caller;
	p->op = op;
	p->perform = perform;
	err = dt_wish_read(&p->arena, caller, op, args, &p->wish, &fail);
	is_asked = !err && check_wish(p, caller->place, &why);
	if (!err && !is_asked && !p->needs.what) {
		free_permit(p);
		perform(caller->place, op, args, answer);
		return;
	}
	if (!err)
		err = keep_args(p, args, &fail);
	if (err) {
		free_permit(p);
		dt_answer_fail(answer, &fail);
		return;
	}
	dt_wish_pin(&p->wish, p->args);
	if (is_asked)
		ask_person(p, dt_arena_strdup(&p->arena, why.msg));
	else
		look(p);
}
