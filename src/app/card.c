/*
 * app/card.c - a command shown, accepted or rejected with one key.
 *
 * The daemon has put it into words that cannot be mistaken; here they are printed
 * whole, however long they are.  An agent that no longer waits takes its command
 * along, so the question is a watch as well, as in judge.c.
 */
#include "app/card.h"

#include "app/terminal.h"
#include "app/text.h"
#include "base/limits.h"

#include <stdio.h>

#define WATCH_MS 1000
#define COMMENT_MAX (16u * DT_KIB)

struct sitting {
	struct dt_judge *judge;
	const struct dt_review_info *review;
	struct dt_arena arena;
	enum dt_step step;
	bool is_over;
};

static void end(struct sitting *s, enum dt_step step)
{
	s->step = step;
	s->is_over = true;
}

void dt_card_print(struct dt_arena *arena, const struct dt_review_info *r)
{
	printf("\n    %s\n\n", dt_text_safe(arena, r->command));
	printf("  In %s", dt_text_safe(arena, r->folder));
	if (r->timeout_ms)
		printf(", for at most %g s", r->timeout_ms / 1000.0);
	puts(".");
	if (r->reason && *r->reason)
		printf("  Asked because %s.\n", dt_text_safe(arena, r->reason));
}

static void show(struct sitting *s)
{
	const struct dt_judge *judge = s->judge;

	printf("\n%s wants to run a command  [%.8s, %zu of %zu]\n",
	       dt_reviews_agent(&s->arena, judge->queue, s->review),
	       s->review->id, judge->position + 1, judge->queue->reviews.count);
	dt_card_print(&s->arena, s->review);
}

/* Once a second while the person thinks. */
static enum dt_err watch(struct sitting *s, struct dt_fail *fail)
{
	struct dt_arena arena = { 0 };
	struct dt_review_list list = { 0 };
	const struct dt_review_info *reviews;
	bool is_waiting = false;
	enum dt_err err = dt_reviews_waiting(s->judge->remote, s->judge->folder,
	                                     &arena, &list, fail);

	reviews = list.reviews.ptr;
	for (size_t i = 0; i < list.reviews.count; i++)
		is_waiting |= !strcmp(reviews[i].id, s->review->id);
	if (!err && !is_waiting) {
		puts("\nDecided elsewhere, or the agent no longer waits.");
		end(s, DT_STEP_DONE);
	}
	dt_arena_done(&arena);
	return err;
}

static enum dt_err next_key(struct sitting *s, int *out, struct dt_fail *fail)
{
	enum dt_err err = DT_E_OK;

	*out = DT_KEY_NONE;
	dt_terminal_begin_keys();
	while (*out == DT_KEY_NONE && !s->is_over && !err) {
		*out = dt_terminal_key(WATCH_MS);
		if (*out == DT_KEY_NONE)
			err = watch(s, fail);
	}
	dt_terminal_end_keys();
	return err;
}

/* the keys */

/* That somebody else was first is news, not a failure. */
static enum dt_err decide(struct sitting *s, const struct dt_decision *decision,
                          const char *word, struct dt_fail *fail)
{
	struct dt_fail why = { 0 };
	enum dt_err err = dt_reviews_decide(s->judge->remote, decision,
	                                    &s->arena, NULL, &why);

	if (err && err != DT_E_STATE && err != DT_E_MISSING)
		return dt_fail(fail, err, "%s", why.msg);
	puts(err ? dt_text_safe(&s->arena, why.msg) : word);
	end(s, DT_STEP_DONE);
	return DT_E_OK;
}

static enum dt_err accept_once(struct sitting *s, struct dt_fail *fail)
{
	struct dt_decision decision = { .id = s->review->id,
		                        .is_accepted = true };

	return decide(s, &decision, "Accepted, this once.", fail);
}

static enum dt_err accept_always(struct sitting *s, struct dt_fail *fail)
{
	struct dt_decision decision = { .id = s->review->id,
		                        .is_accepted = true,
		                        .is_lasting = true };

	if (!s->review->program) {
		puts("This can be accepted only once: its program is allowed "
		     "already, or would allow\nevery other one.");
		return DT_E_OK;
	}
	return decide(s, &decision,
	              dt_arena_printf(&s->arena,
	                              "Accepted; %s may run from now on.",
	                              s->review->program),
	              fail);
}

static enum dt_err reject_it(struct sitting *s, struct dt_fail *fail)
{
	struct dt_decision decision = { .id = s->review->id };
	enum dt_err err = DT_E_OK;
	struct dt_buf line;

	dt_buf_init(&line, COMMENT_MAX);
	fputs("Why, for the agent (Enter: no reason, Ctrl-C: back): ", stdout);
	if (dt_terminal_line(&line)) {
		if (line.len > 0)
			decision.comment = dt_buf_z(&line);
		err = decide(s, &decision, "Rejected.", fail);
	} else {
		puts("");
	}
	dt_buf_done(&line);
	return err;
}

static enum dt_err put_off(struct sitting *s, struct dt_fail *fail)
{
	(void)fail;
	end(s, DT_STEP_NEXT);
	return DT_E_OK;
}

static enum dt_err show_again(struct sitting *s, struct dt_fail *fail)
{
	(void)fail;
	show(s);
	return DT_E_OK;
}

static enum dt_err quit(struct sitting *s, struct dt_fail *fail)
{
	(void)fail;
	end(s, DT_STEP_QUIT);
	return DT_E_OK;
}

static enum dt_err explain(struct sitting *s, struct dt_fail *fail);

static const struct key {
	char key;
	const char *word;
	const char *doc;
	enum dt_err (*act)(struct sitting *s, struct dt_fail *fail);
} keys[] = {
	{ 'a', "accept", "it runs, this once", accept_once },
	{ 'A', "always", "it runs, and its program is not asked about again",
	  accept_always },
	{ 'r', "reject", "it does not run; you may say why", reject_it },
	{ 'n', "next", "decide later, show the next one", put_off },
	{ 's', "show", "show the command again", show_again },
	{ 'q', "quit", "leave what waits waiting", quit },
	{ '?', "help", "this list", explain },
};

#define KEY_COUNT (sizeof(keys) / sizeof(keys[0]))

static enum dt_err explain(struct sitting *s, struct dt_fail *fail)
{
	(void)s;
	(void)fail;
	for (size_t i = 0; i < KEY_COUNT; i++)
		printf("  %c  %-7s %s\n", keys[i].key, keys[i].word,
		       keys[i].doc);
	return DT_E_OK;
}

static const struct key *find_key(int key)
{
	if (key == DT_KEY_END)
		key = 'q';
	for (size_t i = 0; i < KEY_COUNT; i++) {
		if (keys[i].key == key)
			return &keys[i];
	}
	return NULL;
}

static enum dt_err ask(struct sitting *s, struct dt_fail *fail)
{
	const struct key *chosen = NULL;
	enum dt_err err = DT_E_OK;

	fputs("[a]ccept once [A]lways [r]eject [n]ext [s]how [q]uit [?] ",
	      stdout);
	while (!err && !s->is_over && !chosen) {
		int key;

		err = next_key(s, &key, fail);
		if (!err && !s->is_over)
			chosen = find_key(key);
	}
	if (err)
		puts("");
	if (err || s->is_over)
		return err;
	puts(chosen->word);
	return chosen->act(s, fail);
}

enum dt_err dt_card_judge(struct dt_judge *judge,
                          const struct dt_review_info *review,
                          enum dt_step *out_step, struct dt_fail *fail)
{
	struct sitting s = {
		.judge = judge,
		.review = review,
		.step = DT_STEP_DONE,
	};
	enum dt_err err = DT_E_OK;

	show(&s);
	while (!err && !s.is_over)
		err = ask(&s, fail);
	*out_step = s.step;
	dt_arena_done(&s.arena);
	return err;
}
