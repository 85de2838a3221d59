/*
 * app/judge.c - a change shown, edited, accepted or rejected with one key.
 *
 * Other surfaces may decide it at any time, so the question is also a watch:
 * once a second the daemon is asked whether the change still waits.  A person's
 * edit stays on disk until the change is decided.
 */
#include "app/judge.h"

#include "app/diff.h"
#include "app/terminal.h"
#include "app/text.h"
#include "base/limits.h"

#include <stdio.h>
#include <unistd.h>

#define WATCH_MS 1000
#define COMMENT_MAX (16u * DT_KIB)

/* One change while it is in front of the person. */
struct sitting {
	struct dt_judge *judge;
	struct dt_review_info review;
	struct dt_diff diff;
	struct dt_arena arena;
	enum dt_step step;
	bool is_over;
};

static void end(struct sitting *s, enum dt_step step)
{
	s->step = step;
	s->is_over = true;
}

static const struct dt_review_file *first_entry(const struct sitting *s)
{
	return s->review.entries.ptr;
}

static void print_head(struct sitting *s)
{
	const struct dt_review_file *entry = first_entry(s);

	printf("\n%s wants to %s  [%.8s",
	       dt_text_safe(&s->arena, s->review.agent),
	       dt_reviews_subject(&s->arena, &s->review), s->review.id);
	if (s->judge->waiting > 1)
		printf(", %zu wait", s->judge->waiting);
	puts("]");
	if (s->review.reason && *s->review.reason)
		printf("  %s\n", dt_text_safe(&s->arena, s->review.reason));
	if (entry->is_stale)
		puts("  The file has changed on disk since this was proposed.");
	if (entry->is_lossy)
		puts("  The file is not UTF-8 text; the old side is not exact.");
}

static enum dt_err show(struct sitting *s, struct dt_fail *fail)
{
	print_head(s);
	return dt_diff_show(&s->diff,
	                    dt_config_get(s->judge->config, "review.pager"),
	                    fail);
}

/* What stands in the file now, and whether it is still the proposal.  False and
 * a sentence when it cannot be used. */
static bool read_edit(struct sitting *s, struct dt_buf *text, bool *out_edited)
{
	struct dt_fail why = { 0 };

	if (dt_diff_read(&s->diff, text, &why)) {
		puts(dt_text_safe(&s->arena, why.msg));
		*out_edited = true;
		return false;
	}
	*out_edited = !dt_str_eq(dt_buf_str(text), first_entry(s)->proposed);
	return true;
}

static bool is_edited(struct sitting *s)
{
	struct dt_buf text;
	bool edited;

	if (!strcmp(first_entry(s)->kind, "delete"))
		return false;
	dt_buf_init(&text, DT_LIMIT_FILE);
	(void)read_edit(s, &text, &edited);
	dt_buf_done(&text);
	return edited;
}

/* Send a verdict.  That somebody else was first is news, not a failure. */
static enum dt_err decide(struct sitting *s, const struct dt_decision *decision,
                          struct dt_fail *fail)
{
	struct dt_fail why = { 0 };
	enum dt_err err = dt_reviews_decide(s->judge->remote, decision,
	                                    &s->arena, NULL, &why);

	if (!err) {
		puts(decision->is_accepted ? "Accepted." : "Rejected.");
		dt_diff_remove(&s->diff);
		s->diff.folder = NULL;
		end(s, DT_STEP_DONE);
		return DT_E_OK;
	}
	if (err == DT_E_STATE || err == DT_E_MISSING) {
		puts(dt_text_safe(&s->arena, why.msg));
		end(s, DT_STEP_DONE);
		return DT_E_OK;
	}
	return dt_fail(fail, err, "%s", why.msg);
}

/* the keys */

static enum dt_err accept_it(struct sitting *s, struct dt_fail *fail)
{
	struct dt_decision decision = { .id = s->review.id,
		                        .is_accepted = true };
	enum dt_err err = DT_E_OK;
	bool is_fine = true;
	bool edited = false;
	struct dt_buf text;

	dt_buf_init(&text, DT_LIMIT_FILE);
	if (strcmp(first_entry(s)->kind, "delete") != 0)
		is_fine = read_edit(s, &text, &edited);
	if (edited)
		decision.text = text.len ? dt_buf_str(&text) : DT_STR("");
	if (is_fine)
		err = decide(s, &decision, fail);
	dt_buf_done(&text);
	return err;
}

static enum dt_err reject_it(struct sitting *s, struct dt_fail *fail)
{
	struct dt_decision decision = { .id = s->review.id };
	enum dt_err err = DT_E_OK;
	struct dt_buf line;

	dt_buf_init(&line, COMMENT_MAX);
	fputs("Why, for the record (Enter: no reason, Ctrl-C: back): ", stdout);
	if (dt_terminal_line(&line)) {
		if (line.len > 0)
			decision.comment = dt_buf_z(&line);
		err = decide(s, &decision, fail);
	} else {
		puts("");
	}
	dt_buf_done(&line);
	return err;
}

static enum dt_err edit_it(struct sitting *s, struct dt_fail *fail)
{
	struct dt_fail why = { 0 };

	if (s->review.entries.count != 1 ||
	    !strcmp(first_entry(s)->kind, "delete")) {
		puts("Only a change of one text can be edited.");
		return DT_E_OK;
	}
	if (dt_diff_edit(&s->diff,
	                 dt_config_get(s->judge->config, "review.editor"),
	                 &why)) {
		puts(dt_text_safe(&s->arena, why.msg));
		return DT_E_OK;
	}
	return show(s, fail);
}

static enum dt_err put_off(struct sitting *s, struct dt_fail *fail)
{
	(void)fail;
	end(s, DT_STEP_NEXT);
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
	{ 'a', "accept", "the agent makes the change as it is shown",
	  accept_it },
	{ 'e', "edit", "change the new text in your editor first", edit_it },
	{ 'r', "reject", "the agent does not make it; you may say why",
	  reject_it },
	{ 'n', "next", "decide later, show the next one", put_off },
	{ 's', "show", "show the change again", show },
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

/* Say how a change ended that ended without us. */
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
		is_waiting |= !strcmp(reviews[i].id, s->review.id);
	if (!err && !is_waiting) {
		puts("\nDecided elsewhere, or taken back by the agent.");
		end(s, DT_STEP_DONE);
	}
	dt_arena_done(&arena);
	return err;
}

static enum dt_err ask(struct sitting *s, struct dt_fail *fail)
{
	const struct key *chosen = NULL;
	enum dt_err err = DT_E_OK;

	fputs("[a]ccept [e]dit [r]eject [n]ext [s]how [q]uit [?] ", stdout);
	dt_terminal_begin_keys();
	while (!err && !s->is_over && !chosen) {
		int key = dt_terminal_key(WATCH_MS);

		if (key == DT_KEY_NONE)
			err = watch(s, fail);
		else
			chosen = find_key(key);
	}
	dt_terminal_end_keys();
	if (err)
		puts("");
	if (!chosen)
		return err;
	puts(chosen->word);
	return chosen->act(s, fail);
}

/* Folders go unless they hold an edit that nobody has decided. */
static void tidy(struct sitting *s)
{
	if (s->diff.folder && !is_edited(s))
		dt_diff_remove(&s->diff);
	else if (s->diff.folder && s->step == DT_STEP_DONE)
		printf("Your edit is kept in %s\n", s->diff.edited);
	if (s->judge->base && rmdir(s->judge->base) == 0)
		s->judge->base = NULL;
}

enum dt_err dt_judge_review(struct dt_judge *judge, const char *id,
                            enum dt_step *out_step, struct dt_fail *fail)
{
	struct sitting s = { .judge = judge, .step = DT_STEP_DONE };
	const struct dt_json *result;
	struct dt_fail why = { 0 };
	enum dt_err err;

	err = dt_reviews_get(judge->remote, id, &s.arena, &result, &why);
	if (err == DT_E_MISSING) { /* it was quicker than we */
		dt_arena_done(&s.arena);
		return DT_E_OK;
	}
	if (err)
		dt_fail(fail, err, "%s", why.msg);
	if (!err)
		err = dt_reviews_read(&s.arena, result, &s.review, fail);
	if (!err && !judge->base)
		err = dt_diff_make_folder(&judge->arena, &judge->base, fail);
	if (!err)
		err = dt_diff_open(&s.arena, judge->base, &s.review, &s.diff,
		                   fail);
	if (!err)
		err = show(&s, fail);
	while (!err && !s.is_over)
		err = ask(&s, fail);
	*out_step = s.step;
	tidy(&s);
	dt_arena_done(&s.arena);
	return err;
}
