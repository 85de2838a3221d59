/*
 * backend/terminal_run.c - a command typed into a shell, and its end awaited.
 *
 * The shell tells by marks when it waits for a command, when that begins and how
 * it ended (backend/shell.c), so the exit code is the true one and the output is
 * all that was printed in between.  A command that takes longer than its caller
 * waits runs on; one whose caller is gone is interrupted.
 */
#include "backend/terminals.h"

#include "base/clock.h"
#include "base/limits.h"

#include <stdlib.h>

#define PROMPT_MS 300 /* from the end of a command to a prompt without mark */
#define TAKEN_MS 5000 /* from Enter to the begin of a command */
#define INTERRUPTS_MAX 10
#define PROGRESS_MS 500

enum stage {
	WAITING, /* for the shell */
	TYPED,   /* and Enter was pressed */
	RUNNING,
	LEAVING, /* a command that has no end is interrupted */
};

struct run {
	struct dt_terminal_watch watch;
	struct dt_terminal *t;
	struct dt_answer *answer;
	struct dt_timer *deadline;
	struct dt_timer *patience; /* with the shell */
	char *command;
	enum stage stage;
	unsigned interrupts;
	struct dt_screen_place from;
	uint64_t began_ms;
	uint64_t told_ms;
	uint64_t told_line;
};

static void free_run(struct run *r)
{
	dt_list_remove(&r->watch.link);
	dt_timer_free(r->deadline);
	dt_timer_free(r->patience);
	free(r->command);
	free(r);
}

static void fail_with(struct run *r, enum dt_err code, const char *why)
{
	struct dt_answer *answer = r->answer;

	free_run(r);
	dt_answer_failf(answer, code, "%s", why);
}

static struct dt_str trim_end(struct dt_str text)
{
	while (text.len > 0 && text.ptr[text.len - 1] == '\n')
		text.len--;
	return text;
}

static void reply(struct run *r, bool is_late)
{
	struct dt_answer *answer = r->answer;
	struct dt_execute_terminal_result result = {
		.index = r->t->index,
		.name = r->t->name,
		.is_late = is_late,
		.has_ended = r->t->state == DT_TERMINAL_ENDED,
		.took_ms = (uint32_t)(dt_clock_ms() - r->began_ms),
	};
	struct dt_screen_place from = r->from;
	struct dt_buf text;

	if (!is_late)
		result.exit_code = (struct dt_maybe_u32){ true, r->t->code };
	dt_buf_init(&text, 2 * DT_LIMIT_SCREEN);
	if (from.line <= dt_screen_last(&r->t->screen))
		result.is_cut = dt_screen_text(&r->t->screen, from,
		                               DT_LIMIT_TERMINAL_TEXT,
		                               &text) > from.line;
	dt_buf_z(&text);
	result.output = trim_end(dt_buf_str(&text));
	free_run(r);
	dt_answer_end(answer, &result);
	dt_buf_done(&text);
}

static void type(struct run *r)
{
	struct dt_fail fail = { 0 };
	/* Whatever stands in the line is not part of it: Ctrl-U. */
	enum dt_err err = dt_terminal_type(r->t, DT_STR("\x15"), false, &fail);

	if (!err)
		err = dt_terminal_type(r->t, dt_str(r->command), true, &fail);
	if (err) {
		fail_with(r, err, fail.msg);
		return;
	}
	r->stage = TYPED;
	r->from = r->t->typed;
	r->told_line = r->from.line;
	if (r->t->has_begin)
		dt_timer_start(r->patience, TAKEN_MS);
	else
		dt_timer_stop(r->patience);
}

static void refuse(struct run *r)
{
	fail_with(r, DT_E_ARGS,
	          "the shell waits for the rest of this command: a quote, a "
	          "bracket or a word like `done` is missing");
}

/* It stands at the prompt for the rest of a command that has none. */
static void give_back(struct run *r)
{
	bool is_hopeless = r->interrupts++ == INTERRUPTS_MAX;

	/* A Ctrl-C that comes while the shell draws its prompt may be lost. */
	r->stage = LEAVING;
	if (is_hopeless || dt_terminal_type(r->t, DT_STR("\x03"), false, NULL))
		refuse(r);
	else
		dt_timer_start(r->patience, PROMPT_MS);
}

static void on_patience(struct dt_timer *timer, void *owner)
{
	struct run *r = owner;

	(void)timer;
	if (r->stage == WAITING)
		type(r);
	else
		give_back(r);
}

static void on_mark(struct dt_terminal_watch *watch, char mark)
{
	struct run *r = (struct run *)watch;

	if (r->stage == WAITING) {
		/* A prompt that somebody made anew has no mark for us. */
		if (mark == 'D')
			dt_timer_start(r->patience, PROMPT_MS);
		else if (mark == 'B')
			type(r);
	} else if (r->stage == LEAVING) {
		if (mark == 'B' || mark == 'D')
			refuse(r);
	} else if (mark == 'C') {
		r->stage = RUNNING;
		r->from = r->t->typed;
		r->told_line = r->from.line;
		dt_timer_stop(r->patience);
	} else if (mark == 'D') {
		/* Without a begin the shell did not understand it. */
		reply(r, false);
	} else if (mark == 'P' && r->stage == TYPED) {
		give_back(r);
	}
}

static void on_text(struct dt_terminal_watch *watch)
{
	struct run *r = (struct run *)watch;
	uint64_t last = dt_screen_last(&r->t->screen);
	uint64_t now_ms = dt_clock_ms();
	struct dt_progress progress = { .done = now_ms - r->began_ms };
	struct dt_buf line;

	if (r->stage == WAITING || last <= r->told_line ||
	    now_ms - r->told_ms < PROGRESS_MS)
		return;
	r->told_ms = now_ms;
	r->told_line = last;
	dt_buf_init(&line, DT_LIMIT_SCREEN);
	dt_screen_line(&r->t->screen, last - 1, &line);
	progress.message = dt_buf_z(&line);
	dt_answer_progress(r->answer, &progress);
	dt_buf_done(&line);
}

static void on_end(struct dt_terminal_watch *watch)
{
	struct run *r = (struct run *)watch;

	if (r->stage != WAITING && !r->t->is_gone)
		reply(r, false);
	else
		fail_with(r, DT_E_CLOSED,
		          r->t->is_gone
		                  ? "the terminal was closed"
		                  : "the shell ended before it took a command");
}

static void on_deadline(struct dt_timer *timer, void *owner)
{
	struct run *r = owner;

	(void)timer;
	if (r->stage == WAITING)
		fail_with(r, DT_E_TIMEOUT,
		          "the shell was not ready in time; nothing was "
		          "typed. getTerminalOutput shows what it printed");
	else
		reply(r, true);
}

static void on_drop(struct dt_answer *answer, void *performer)
{
	struct run *r = performer;

	(void)answer;
	/* One that does not read is not to be helped. */
	if (r->stage != WAITING &&
	    dt_terminal_type(r->t, DT_STR("\x03"), false, NULL))
		r->stage = WAITING;
	free_run(r);
}

/* birth */

static enum dt_err check_command(const char *command, struct dt_fail *fail)
{
	if (!*command)
		return dt_fail(fail, DT_E_ARGS, "command: empty");
	for (const char *c = command; *c; c++) {
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			return dt_fail(fail, DT_E_ARGS,
			               "command: one line without tabs and "
			               "other control characters; join "
			               "commands with && or ;");
	}
	return DT_E_OK;
}

static enum dt_err check_terminal(const struct dt_terminal *t,
                                  struct dt_fail *fail)
{
	if (!t->has_marks)
		return dt_fail(fail, DT_E_UNSUPPORTED,
		               "the shell of terminal %s, %s, does not tell "
		               "when a command has ended; use "
		               "sendTerminalCommand and waitForTerminalOutput",
		               t->name, t->shell);
	if (t->state == DT_TERMINAL_ENDED)
		return dt_fail(fail, DT_E_CLOSED,
		               "the shell of terminal %s has ended; make "
		               "another one with createTerminal",
		               t->name);
	if (t->state == DT_TERMINAL_BUSY && !t->is_done)
		return dt_fail(fail, DT_E_STATE,
		               "a command still runs in terminal %s: wait "
		               "with waitForTerminalOutput, interrupt it "
		               "with Ctrl-C (\\u0003), or use another one",
		               t->name);
	dt_list_each(w, &t->watches, struct dt_terminal_watch, link) {
		if (w->on_text == on_text)
			return dt_fail(fail, DT_E_STATE,
			               "another command waits for terminal %s",
			               t->name);
	}
	return DT_E_OK;
}

enum dt_err dt_terminals_for_command(
	struct dt_terminals *set, const char *asker,
	const struct dt_execute_terminal_args *args, struct dt_terminal **out,
	struct dt_fail *fail)
{
	const struct dt_terminal_target *target = &args->target;
	struct dt_create_terminal_args none = { 0 };
	struct dt_fail why = { 0 };
	bool is_named = target->name || target->index.is_set;
	enum dt_err err;

	if (check_command(args->command, fail))
		return DT_E_ARGS;
	err = dt_terminals_find(set, asker, target, out, &why);
	if (!err && !is_named && (*out)->state == DT_TERMINAL_ENDED)
		err = DT_E_MISSING;
	if (err && is_named)
		return dt_fail(fail, err, "%s", why.msg);
	if (err)
		err = dt_terminals_create(set, asker, &none, out, fail);
	return err ? err : check_terminal(*out, fail);
}

void dt_terminals_do_execute(struct dt_headless *h, const void *args,
                             struct dt_answer *answer)
{
	const struct dt_execute_terminal_args *wanted = args;
	struct dt_fail fail = { 0 };
	struct dt_terminal *t;
	struct run *r;

	if (dt_terminals_for_command(h->terminals, answer->asker, wanted, &t,
	                             &fail)) {
		dt_answer_fail(answer, &fail);
		return;
	}
	r = dt_alloc(sizeof(*r));
	*r = (struct run){
		.watch = { .on_text = on_text,
		           .on_mark = on_mark,
		           .on_end = on_end },
		.t = t,
		.answer = answer,
		.command = dt_strdup(wanted->command),
		.began_ms = dt_clock_ms(),
	};
	r->deadline = dt_timer_new(h->world.loop, on_deadline, r);
	r->patience = dt_timer_new(h->world.loop, on_patience, r);
	answer->on_drop = on_drop;
	answer->performer = r;
	dt_terminal_watch(t, &r->watch);
	dt_timer_start(r->deadline, wanted->timeout_ms.is_set
	                                    ? wanted->timeout_ms.value
	                                    : DT_TERMINAL_RUN_MS);
	if (t->state == DT_TERMINAL_READY)
		type(r);
	else if (t->is_done)
		dt_timer_start(r->patience, PROMPT_MS);
}
