/*
 * app/judge.c - a change shown, edited, accepted or rejected with one key.
 *
 * Other surfaces may decide it at any time, so the question is also a watch:
 * once a second the daemon is asked whether the change still waits.  What a person
 * makes of it is a draft (draft.c, revise.c): it stays on disk until the change is
 * decided, and the daemon keeps its texts with the review, should the agent leave.
 * Only what was shown is accepted.
 */
#include "app/judge.h"

#include "app/card.h"
#include "app/diff.h"
#include "app/draft.h"
#include "app/program.h"
#include "app/revise.h"
#include "app/terminal.h"
#include "app/text.h"
#include "base/file.h"
#include "base/hunk.h"
#include "base/limits.h"

#include <stdio.h>
#include <unistd.h>

#define WATCH_MS 1000
#define COMMENT_MAX (16u * DT_KIB)
#define OTHER_LINES 8 /* the heads, ours and git's, and the question */
#define FILE_LINES 4  /* git's head of each further file */

/* One change while it is in front of the person. */
struct sitting {
	struct dt_judge *judge;
	struct dt_review_info review;
	struct dt_diff diff;
	struct dt_draft draft;
	char shown[DT_SHA256_TEXT]; /* the draft when it was shown last */
	bool is_draft;              /* and that was not the proposal */
	struct dt_arena arena;
	size_t waiting; /* how many waited when we looked last */
	enum dt_step step;
	bool is_over;
	bool is_cut;     /* a signal, or the terminal is gone */
	bool is_kept;    /* the daemon has the person's texts ... */
	bool *kept;      /* ... by file */
	enum dt_err err; /* of a watch, and its sentence */
	struct dt_fail fail;
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

/* Which of several changes of the same file this is. */
static void print_siblings(struct sitting *s)
{
	size_t n = 0;
	size_t count = dt_reviews_of_file(s->judge->queue, &s->review, &n);

	if (count > 1)
		printf("  It is number %zu of %zu changes of this file that "
		       "wait.\n",
		       n, count);
}

/* What there is to see of a change. */
struct survey {
	size_t lines; /* of its diff */
	bool is_plain;
};

static void survey_line(char mark, struct dt_str line, void *owner)
{
	struct survey *survey = owner;

	survey->lines++;
	survey->is_plain &= mark == ' ' || dt_text_is_plain(line);
}

static void survey_file(struct survey *survey, struct dt_str old,
                        struct dt_str text)
{
	struct dt_hunks hunks;

	dt_hunks_init(&hunks, old, text, NULL);
	for (size_t i = 0; i < hunks.count; i++) {
		survey->lines++; /* its head */
		dt_hunks_show(&hunks, i, NULL, survey_line, survey);
	}
	dt_hunks_done(&hunks);
}

static struct survey look(struct sitting *s)
{
	const struct dt_review_file *files = first_entry(s);
	struct survey survey = { .is_plain = true };
	struct dt_buf edited;

	dt_buf_init(&edited, DT_LIMIT_FILE);
	for (size_t i = 0; i < s->review.entries.count; i++) {
		struct dt_str text = dt_reviews_text(&files[i]);

		if (dt_draft_is_left_out(&s->draft, i))
			continue;
		dt_buf_clear(&edited);
		if (text.ptr && !dt_draft_read(&s->draft, i, &edited, NULL))
			text = dt_buf_str(&edited);
		survey.lines += i ? FILE_LINES : 0;
		survey.is_plain &= dt_text_is_plain(dt_str(files[i].path));
		survey_file(&survey, files[i].old, text);
	}
	dt_buf_done(&edited);
	return survey;
}

/* What a person should know of each file before all else. */
static void print_warnings(struct sitting *s, const struct survey *survey)
{
	const struct dt_review_file *files = first_entry(s);

	dt_reviews_print_settings(&s->arena, &s->review);
	dt_reviews_print_cut(&s->arena, &s->review);
	for (size_t i = 0; i < s->review.entries.count; i++) {
		const char *name =
			dt_text_path(&s->arena, files[i].path, s->review.root);

		if (files[i].is_stale)
			printf("  %s has changed on disk since this was "
			       "proposed.\n",
			       name);
		if (files[i].is_lossy)
			printf("  %s is not UTF-8 text; the old side is not "
			       "exact.\n",
			       name);
	}
	if (!survey->is_plain)
		puts("  It has hidden characters; they are spelled out, as "
		     "<U+200B>.");
}

/* How what is shown differs from what the agent wants. */
static void print_draft(struct sitting *s)
{
	const struct dt_review_file *files = first_entry(s);

	puts("  It is shown with your changes, as it would be written.");
	for (size_t i = 0; i < s->review.entries.count; i++) {
		if (dt_draft_is_left_out(&s->draft, i))
			printf("  %s is left out.\n",
			       dt_text_path(&s->arena, files[i].path,
			                    s->review.root));
	}
}

static void print_head(struct sitting *s, const struct survey *survey)
{
	const struct dt_judge *judge = s->judge;
	const char *words = dt_reviews_words(&s->arena, &s->review);

	printf("\n%s wants to %s",
	       dt_reviews_agent(&s->arena, judge->queue, &s->review),
	       dt_reviews_subject(&s->arena, &s->review));
	if (!judge->folder && s->review.root)
		printf(" in %s", dt_text_safe(&s->arena, s->review.root));
	printf("  [%.8s, %zu of %zu]\n", s->review.id, judge->position + 1,
	       judge->queue->reviews.count);
	print_siblings(s);
	if (words)
		printf("  %s\n", words);
	print_warnings(s, survey);
	if (s->is_draft)
		print_draft(s);
}

/* What the files hold now, where that is not what the change began with: a draft
 * is shown against what is there. */
static void refresh_old(struct sitting *s)
{
	const struct dt_review_file *files = first_entry(s);
	struct dt_buf now;

	dt_buf_init(&now, DT_LIMIT_FILE);
	for (size_t i = 0; i < s->review.entries.count; i++) {
		dt_buf_clear(&now);
		if (files[i].is_stale && files[i].old.ptr &&
		    !dt_file_read(files[i].path, &now, NULL))
			(void)!dt_diff_put(s->diff.before[i], dt_buf_str(&now),
			                   NULL);
	}
	dt_buf_done(&now);
}

/* Remember what is about to be seen.  A draft that is no text is said to be none,
 * and cannot be accepted. */
static void remember_shown(struct sitting *s)
{
	struct dt_draft_state state;
	struct dt_fail why = { 0 };

	s->shown[0] = '\0';
	s->is_draft = true;
	if (dt_draft_look(&s->draft, &state, &why)) {
		puts(dt_text_safe(&s->arena, why.msg));
		return;
	}
	s->is_draft = state.is_changed;
	memcpy(s->shown, state.digest, sizeof(s->shown));
	if (s->is_draft)
		refresh_old(s);
}

/* Above a diff that fills the terminal the head is out of sight, and who decides
 * is to see what it is about. */
static enum dt_err show(struct sitting *s, struct dt_fail *fail)
{
	struct survey survey;
	size_t rows = dt_terminal_rows();
	bool is_long;
	enum dt_err err;

	remember_shown(s);
	survey = look(s);
	is_long = rows > 0 && survey.lines + OTHER_LINES > rows;
	print_head(s, &survey);
	if (is_long)
		puts("  It is long. Where a pager shows it, q leads to the "
		     "question.");
	err = dt_diff_show(&s->diff,
	                   dt_config_get(s->judge->config, "review.pager"),
	                   fail);
	if (!err && is_long)
		print_head(s, &survey);
	return err;
}

static bool is_edited(struct sitting *s)
{
	struct dt_draft_state state;

	return dt_draft_look(&s->draft, &state, NULL) || state.is_changed;
}

/* Have the daemon keep the texts, or forget them.  They are on disk here, too, so
 * a failure costs nothing yet. */
static void keep_edit(struct sitting *s)
{
	struct dt_draft_state state;
	bool has_failed = false;
	bool has_text = false;

	if (dt_draft_look(&s->draft, &state, NULL))
		return;
	for (size_t i = 0; i < s->review.entries.count; i++) {
		struct dt_str text = state.files[i].text;

		has_text |= text.ptr != NULL;
		if (!text.ptr && !s->kept[i])
			continue;
		if (dt_reviews_keep(s->judge->remote, s->review.id, i, text,
		                    NULL))
			has_failed = true;
		else
			s->kept[i] = text.ptr != NULL;
	}
	s->is_kept = has_text && !has_failed;
}

/* Say how a change ended that ended without us. */
static void say_ended(struct sitting *s)
{
	struct dt_review_info now = { 0 };
	const struct dt_json *result;
	const char *state = "";

	if (!dt_reviews_get(s->judge->remote, s->review.id, &s->arena, &result,
	                    NULL) &&
	    !dt_reviews_read(&s->arena, result, &now, NULL))
		state = now.state;
	if (!strcmp(state, "writing") || !strcmp(state, "unwritten"))
		state = "accepted";
	if (!strcmp(state, "accepted") || !strcmp(state, "rejected")) {
		printf("\nDecided elsewhere: %s.\n", state);
		s->is_kept = false; /* only the verdict's text is */
		return;
	}
	keep_edit(s);
	if (strcmp(state, "withdrawn") != 0 && strcmp(state, "orphaned") != 0) {
		puts("\nDecided elsewhere, or taken back by the agent.");
		return;
	}
	printf("\n%s `%s review apply %.8s` writes %s to the file.\n",
	       !strcmp(state, "withdrawn") ? "The agent took it back."
	                                   : "The agent no longer waits.",
	       dt_program_name(&s->arena), s->review.id,
	       s->is_kept ? "your text" : "it");
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
		is_waiting |= !strcmp(reviews[i].id, s->review.id);
	if (!err && s->judge->has_bell && list.reviews.count > s->waiting)
		dt_terminal_bell();
	s->waiting = list.reviews.count;
	if (!err && !is_waiting) {
		say_ended(s);
		end(s, DT_STEP_DONE);
	}
	dt_arena_done(&arena);
	return err;
}

/* The next key; DT_KEY_END also when the change is over or the daemon gone. */
static int next_key(void *owner)
{
	struct sitting *s = owner;
	int key = DT_KEY_NONE;

	dt_terminal_begin_keys();
	while (key == DT_KEY_NONE && !s->is_over && !s->err) {
		key = dt_terminal_key(WATCH_MS);
		if (key == DT_KEY_NONE)
			s->err = watch(s, &s->fail);
	}
	dt_terminal_end_keys();
	s->is_cut = key == DT_KEY_END;
	return key == DT_KEY_NONE ? DT_KEY_END : key;
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

static enum dt_err reject_it(struct sitting *s, struct dt_fail *fail);

/* To take nothing is to reject. */
static enum dt_err offer_rejection(struct sitting *s, struct dt_fail *fail)
{
	int key;

	fputs("Nothing of the change was taken. Reject it? [y/n] ", stdout);
	do {
		key = next_key(s);
	} while (key != 'y' && key != 'n' && key != DT_KEY_END);
	puts(key == 'y' ? "yes" : "no");
	if (s->is_cut)
		end(s, DT_STEP_QUIT);
	return key == 'y' ? reject_it(s, fail) : DT_E_OK;
}

/* Accept what was shown, and nothing else: an editor may have saved since. */
static enum dt_err accept_with(struct sitting *s, const char *comment,
                               struct dt_fail *fail)
{
	struct dt_decision decision = { .id = s->review.id,
		                        .is_accepted = true,
		                        .comment = comment };
	struct dt_draft_state state;
	struct dt_fail why = { 0 };

	if (dt_draft_look(&s->draft, &state, &why)) {
		puts(dt_text_safe(&s->arena, why.msg));
		return DT_E_OK;
	}
	if (strcmp(state.digest, s->shown) != 0) {
		puts("This is not what was shown: it was saved since. Look "
		     "again.");
		keep_edit(s);
		return show(s, fail);
	}
	if (state.taken == 0)
		return offer_rejection(s, fail);
	if (s->review.entries.count == 1) {
		decision.text = state.files[0].text;
	} else if (state.is_changed) {
		decision.files = state.files;
		decision.file_count = s->review.entries.count;
	}
	return decide(s, &decision, fail);
}

static enum dt_err accept_it(struct sitting *s, struct dt_fail *fail)
{
	return accept_with(s, NULL, fail);
}

static enum dt_err accept_and_say(struct sitting *s, struct dt_fail *fail)
{
	enum dt_err err = DT_E_OK;
	struct dt_buf line;

	dt_buf_init(&line, COMMENT_MAX);
	fputs("Words for the agent (Ctrl-C: back): ", stdout);
	if (dt_terminal_line(&line))
		err = accept_with(s, line.len ? dt_buf_z(&line) : NULL, fail);
	else
		puts("");
	dt_buf_done(&line);
	return err;
}

static enum dt_err reject_it(struct sitting *s, struct dt_fail *fail)
{
	struct dt_decision decision = { .id = s->review.id };
	enum dt_err err = DT_E_OK;
	struct dt_buf line;

	dt_buf_init(&line, COMMENT_MAX);
	fputs("Why, for the agent (Enter: no reason, Ctrl-C: back): ", stdout);
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

/* Whether the files are still what they were. */
static void refresh(struct sitting *s)
{
	struct dt_review_info now = { 0 };
	const struct dt_json *result;

	if (!dt_reviews_get(s->judge->remote, s->review.id, &s->arena, &result,
	                    NULL) &&
	    !dt_reviews_read(&s->arena, result, &now, NULL) &&
	    now.entries.count == s->review.entries.count)
		s->review = now;
}

typedef enum dt_err revise_fn(struct dt_revise *revise, enum dt_revised *out,
                              struct dt_fail *fail);

/* Whatever the person does to it, the whole is shown before anything else. */
static enum dt_err revise(struct sitting *s, revise_fn *fn,
                          struct dt_fail *fail)
{
	struct dt_revise how = {
		.draft = &s->draft,
		.editor = dt_config_get(s->judge->config, "review.editor"),
		.pager = dt_config_get(s->judge->config, "review.pager"),
		.key = next_key,
		.owner = s,
	};
	enum dt_revised revised = DT_REVISED_NOT;
	enum dt_err err = fn(&how, &revised, fail);

	if (err)
		return err;
	if (revised != DT_REVISED_NOT)
		keep_edit(s);
	if (s->is_cut)
		end(s, DT_STEP_QUIT);
	if (s->is_over || s->err || revised == DT_REVISED_NOT)
		return DT_E_OK;
	if (revised == DT_REVISED_EMPTY)
		err = offer_rejection(s, fail);
	if (err || s->is_over || s->err)
		return err;
	refresh(s);
	return show(s, fail);
}

static enum dt_err edit_it(struct sitting *s, struct dt_fail *fail)
{
	return revise(s, dt_revise_edit, fail);
}

static enum dt_err go_through(struct sitting *s, struct dt_fail *fail)
{
	return revise(s, dt_revise_hunks, fail);
}

/* Back to the agent's own. */
static enum dt_err drop_draft(struct sitting *s, struct dt_fail *fail)
{
	enum dt_err err;

	if (!s->is_draft) {
		puts("It is as the agent proposed it.");
		return DT_E_OK;
	}
	err = dt_draft_reset(&s->draft, fail);
	if (err)
		return err;
	keep_edit(s);
	return show(s, fail);
}

/* As it is now: the file may have changed while the person thought. */
static enum dt_err show_again(struct sitting *s, struct dt_fail *fail)
{
	refresh(s);
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
	{ 'c', "comment", "accept it, and say something to the agent",
	  accept_and_say },
	{ 'e', "edit", "change the new text in your editor first", edit_it },
	{ 'h', "hunks", "take or leave each part of the change", go_through },
	{ 'b', "back", "drop your changes, back to what was proposed",
	  drop_draft },
	{ 'r', "reject", "the agent does not make it; you may say why",
	  reject_it },
	{ 'n', "next", "decide later, show the next one", put_off },
	{ 's', "show", "show the change again", show_again },
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
	puts("Of several files, edit and hunks ask about one after the other.");
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

	fputs(s->is_draft ? "Yours: [a]ccept [c]omment [e]dit [h]unks [b]ack "
	                    "[r]eject [n]ext [q]uit [?] "
	                  : "[a]ccept [c]omment [e]dit [h]unks [r]eject "
	                    "[n]ext [s]how [q]uit [?] ",
	      stdout);
	while (!s->err && !s->is_over && !chosen)
		chosen = find_key(next_key(s));
	if (s->err)
		puts("");
	if (s->err || s->is_over || !chosen)
		return DT_E_OK;
	puts(chosen->word);
	return chosen->act(s, fail);
}

static void open_draft(struct sitting *s)
{
	const struct dt_review_file *files = first_entry(s);
	size_t count = s->review.entries.count;

	s->draft = (struct dt_draft){ &s->arena, &s->review, &s->diff };
	s->kept = dt_arena_alloc(&s->arena, count * sizeof(*s->kept));
	for (size_t i = 0; i < count; i++) {
		s->kept[i] = files[i].final.ptr != NULL;
		s->is_kept |= s->kept[i];
	}
}

/* Folders go unless they hold an edit that nobody has decided. */
static void tidy(struct sitting *s)
{
	bool is_safe = s->step == DT_STEP_DONE && s->is_kept;

	if (s->diff.folder && (is_safe || !is_edited(s)))
		dt_diff_remove(&s->diff);
	else if (s->diff.folder && s->step == DT_STEP_DONE)
		printf("Your edit is kept in %s\n", s->review.entries.count == 1
		                                            ? s->diff.edited
		                                            : s->diff.folder);
	if (s->judge->base && rmdir(s->judge->base) == 0)
		s->judge->base = NULL;
}

enum dt_err dt_judge_review(struct dt_judge *judge, enum dt_step *out_step,
                            struct dt_fail *fail)
{
	const struct dt_review_info *queue = judge->queue->reviews.ptr;
	struct sitting s = {
		.judge = judge,
		.step = DT_STEP_DONE,
		.waiting = judge->queue->reviews.count,
	};
	const struct dt_json *result;
	struct dt_fail why = { 0 };
	enum dt_err err;

	err = dt_reviews_get(judge->remote, queue[judge->position].id, &s.arena,
	                     &result, &why);
	if (err == DT_E_MISSING) { /* it was quicker than we */
		dt_arena_done(&s.arena);
		return DT_E_OK;
	}
	if (err)
		dt_fail(fail, err, "%s", why.msg);
	if (!err)
		err = dt_reviews_read(&s.arena, result, &s.review, fail);
	if (!err && s.review.command) {
		err = dt_card_judge(judge, &s.review, out_step, fail);
		dt_arena_done(&s.arena);
		return err;
	}
	if (!err && !judge->base)
		err = dt_diff_make_folder(&judge->arena, &judge->base, fail);
	if (!err)
		err = dt_diff_open(&s.arena, judge->base, &s.review, &s.diff,
		                   fail);
	open_draft(&s);
	if (!err)
		err = show(&s, fail);
	while (!err && !s.err && !s.is_over)
		err = ask(&s, fail);
	if (!err && s.err)
		err = dt_fail(fail, s.err, "%s", s.fail.msg);
	*out_step = s.step;
	tidy(&s);
	dt_arena_done(&s.arena);
	return err;
}
