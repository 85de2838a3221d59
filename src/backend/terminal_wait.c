/*
 * backend/terminal_wait.c - a line that matches, awaited.
 *
 * Looked at is what came behind what was typed last, so that nothing is missed
 * between typing and waiting.  A line that is still written to counts: prompts
 * have no end.
 */
#include "backend/terminals.h"

#include "base/clock.h"
#include "base/limits.h"
#include "base/regex.h"

#include <stdlib.h>

struct wait {
	struct dt_terminal_watch watch;
	struct dt_terminal *t;
	struct dt_answer *answer;
	struct dt_timer *deadline;
	struct dt_regex *regex;
	uint64_t next; /* the line to look at */
	uint64_t began_ms;
};

static void free_wait(struct wait *w)
{
	dt_list_remove(&w->watch.link);
	dt_timer_free(w->deadline);
	dt_regex_free(w->regex);
	free(w);
}

static void reply(struct wait *w, const struct dt_str *line, bool is_late)
{
	struct dt_answer *answer = w->answer;
	struct dt_wait_terminal_result result = {
		.index = w->t->index,
		.name = w->t->name,
		.is_matched = line != NULL,
		.line = line ? *line : (struct dt_str){ 0 },
		.is_late = is_late,
		.has_ended = !line && !is_late,
		.took_ms = (uint32_t)(dt_clock_ms() - w->began_ms),
	};

	free_wait(w);
	dt_answer_end(answer, &result);
}

/* True when it is over: the line matched, or the pattern is too much. */
static bool look_at(struct wait *w, uint64_t number)
{
	struct dt_answer *answer = w->answer;
	struct dt_regex_match match;
	struct dt_fail fail = { 0 };
	struct dt_buf text;
	struct dt_str line;
	enum dt_err err;

	dt_buf_init(&text, DT_LIMIT_SCREEN);
	dt_screen_line(&w->t->screen, number, &text);
	line = (struct dt_str){ dt_buf_z(&text), text.len };
	err = dt_regex_find(w->regex, line, 0, &match, &fail);
	if (!err) {
		reply(w, &line, false);
	} else if (err != DT_E_MISSING) {
		free_wait(w);
		dt_answer_fail(answer, &fail);
	}
	dt_buf_done(&text);
	return err != DT_E_MISSING;
}

/* True when it is over. */
static bool look(struct wait *w)
{
	const struct dt_screen *screen = &w->t->screen;

	if (w->next < dt_screen_first(screen))
		w->next = dt_screen_first(screen);
	for (; w->next < dt_screen_last(screen); w->next++) {
		if (look_at(w, w->next))
			return true;
	}
	return w->next == dt_screen_last(screen) && look_at(w, w->next);
}

static void on_text(struct dt_terminal_watch *watch)
{
	(void)look((struct wait *)watch);
}

static void on_mark(struct dt_terminal_watch *watch, char mark)
{
	(void)watch;
	(void)mark;
}

static void on_end(struct dt_terminal_watch *watch)
{
	struct wait *w = (struct wait *)watch;
	struct dt_answer *answer = w->answer;

	if (!w->t->is_gone) {
		reply(w, NULL, false);
		return;
	}
	free_wait(w);
	dt_answer_failf(answer, DT_E_CLOSED, "the terminal was closed");
}

static void on_deadline(struct dt_timer *timer, void *owner)
{
	(void)timer;
	reply(owner, NULL, true);
}

static void on_drop(struct dt_answer *answer, void *performer)
{
	(void)answer;
	free_wait(performer);
}

void dt_terminals_do_wait(struct dt_headless *h, const void *args,
                          struct dt_answer *answer)
{
	const struct dt_wait_terminal_args *wanted = args;
	struct dt_fail fail = { 0 };
	struct dt_regex *regex;
	struct dt_terminal *t;
	struct wait *w;

	if (dt_terminals_find(h->terminals, answer->asker, &wanted->target, &t,
	                      &fail) ||
	    dt_regex_new(dt_str(wanted->pattern), 0, &regex, &fail)) {
		dt_answer_fail(answer, &fail);
		return;
	}
	w = dt_alloc(sizeof(*w));
	*w = (struct wait){
		.watch = { .on_text = on_text,
		           .on_mark = on_mark,
		           .on_end = on_end },
		.t = t,
		.answer = answer,
		.regex = regex,
		.next = t->typed.line,
		.began_ms = dt_clock_ms(),
	};
	w->deadline = dt_timer_new(h->world.loop, on_deadline, w);
	answer->on_drop = on_drop;
	answer->performer = w;
	dt_terminal_watch(t, &w->watch);
	dt_timer_start(w->deadline, wanted->timeout_ms.is_set
	                                    ? wanted->timeout_ms.value
	                                    : DT_TERMINAL_WAIT_MS);
	if (!look(w) && t->state == DT_TERMINAL_ENDED)
		reply(w, NULL, false);
}
