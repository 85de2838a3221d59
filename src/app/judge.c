/*
 * app/judge.c - a change shown, edited, accepted or rejected with one key.
 *
 * Other surfaces may decide it at any time, so the question is also a watch:
 * once a second the daemon is asked whether the change still waits.  A person's
 * edit stays on disk until the change is decided, and the daemon keeps it with
 * the review, should the agent leave.  Going through the hunks is pick.c's.
 */
#include "app/judge.h"

#include "app/card.h"
#include "app/diff.h"
#include "app/pick.h"
#include "app/program.h"
#include "app/terminal.h"
#include "app/text.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/path.h"

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
	struct dt_arena arena;
	size_t waiting; /* how many waited when we looked last */
	enum dt_step step;
	bool is_over;
	bool is_cut;     /* a signal, or the terminal is gone */
	bool is_kept;    /* the daemon has the edit */
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

/* Only a change of one text can be edited. */
static bool can_edit(const struct sitting *s)
{
	return s->review.entries.count == 1 && !first_entry(s)->is_cut &&
	       dt_reviews_text(first_entry(s)).ptr;
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

		if (can_edit(s) && !dt_diff_read(&s->diff, &edited, NULL))
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
}

/* Above a diff that fills the terminal the head is out of sight, and who decides
 * is to see what it is about. */
static enum dt_err show(struct sitting *s, struct dt_fail *fail)
{
	struct survey survey = look(s);
	size_t rows = dt_terminal_rows();
	bool is_long = rows > 0 && survey.lines + OTHER_LINES > rows;
	enum dt_err err;

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

	if (!can_edit(s))
		return false;
	dt_buf_init(&text, DT_LIMIT_FILE);
	(void)read_edit(s, &text, &edited);
	dt_buf_done(&text);
	return edited;
}

/* Have the daemon keep the edit.  It is on disk here, too, so a failure costs
 * nothing yet. */
static void keep_edit(struct sitting *s)
{
	struct dt_buf text;
	bool edited = false;

	if (!can_edit(s))
		return;
	dt_buf_init(&text, DT_LIMIT_FILE);
	if (read_edit(s, &text, &edited) && edited)
		s->is_kept = !dt_reviews_keep(s->judge->remote, s->review.id,
		                              text.len ? dt_buf_str(&text)
		                                       : DT_STR(""),
		                              &s->arena, NULL);
	dt_buf_done(&text);
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

static enum dt_err accept_it(struct sitting *s, struct dt_fail *fail)
{
	struct dt_decision decision = { .id = s->review.id,
		                        .is_accepted = true };
	enum dt_err err = DT_E_OK;
	bool is_fine = true;
	bool edited = false;
	struct dt_buf text;

	dt_buf_init(&text, DT_LIMIT_FILE);
	if (can_edit(s))
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

/* Whether there is one text to work on; says so when not. */
static bool is_text(const struct sitting *s)
{
	if (can_edit(s))
		return true;
	puts(first_entry(s)->is_cut
	             ? "Only a part of this text is here, so it cannot be edited."
	             : "Only a change of one text can be edited.");
	return false;
}

static enum dt_err edit_it(struct sitting *s, struct dt_fail *fail)
{
	struct dt_fail why = { 0 };

	if (!is_text(s))
		return DT_E_OK;
	if (dt_diff_edit(&s->diff,
	                 dt_config_get(s->judge->config, "review.editor"),
	                 &why)) {
		puts(dt_text_safe(&s->arena, why.msg));
		return DT_E_OK;
	}
	keep_edit(s);
	return show(s, fail);
}

static void print_taken(struct sitting *s, const struct dt_hunks *hunks)
{
	size_t count = 0;

	for (size_t i = 0; i < hunks->count; i++)
		count += hunks->ptr[i].is_taken;
	printf("%zu of %s taken.\n", count,
	       dt_text_count(&s->arena, hunks->count, "hunk"));
}

/* What the hunks came to.  All of them is the change as proposed. */
static enum dt_err take_text(struct sitting *s, const struct dt_hunks *hunks,
                             struct dt_str text, struct dt_fail *fail)
{
	struct dt_str old = first_entry(s)->old;
	enum dt_err err;
	int key;

	if (!dt_str_eq(text, old)) {
		print_taken(s, hunks);
		err = dt_file_write(s->diff.edited, text, 0600, fail);
		return err ? err : accept_it(s, fail);
	}
	fputs("Nothing of the change was taken. Reject it? [y/n] ", stdout);
	do {
		key = next_key(s);
	} while (key != 'y' && key != 'n' && key != DT_KEY_END);
	puts(key == 'y' ? "yes" : "no");
	return key == 'y' ? reject_it(s, fail) : DT_E_OK;
}

static enum dt_err pick_hunks(struct sitting *s, struct dt_hunks *hunks,
                              struct dt_fail *fail)
{
	const char *file =
		dt_arena_printf(&s->arena, "%s/hunk-%s", s->diff.folder,
	                        dt_path_base(s->diff.edited));
	struct dt_pick pick = {
		.hunks = hunks,
		.file = file,
		.editor = dt_config_get(s->judge->config, "review.editor"),
		.key = next_key,
		.owner = s,
	};
	enum dt_err err = DT_E_OK;
	struct dt_buf text;

	if (hunks->count == 0) {
		puts("There is no difference.");
		return DT_E_OK;
	}
	if (!dt_pick_hunks(&pick)) {
		if (s->is_cut)
			end(s, DT_STEP_QUIT);
		return DT_E_OK;
	}
	dt_buf_init(&text, DT_LIMIT_FILE);
	dt_hunks_apply(hunks, &text);
	err = dt_buf_check(&text, "the text", fail);
	if (!err)
		err = take_text(s, hunks, dt_buf_str(&text), fail);
	dt_buf_done(&text);
	return err;
}

static enum dt_err go_through(struct sitting *s, struct dt_fail *fail)
{
	enum dt_err err = DT_E_OK;
	struct dt_hunks hunks;
	struct dt_buf text;
	bool edited;

	if (!is_text(s))
		return DT_E_OK;
	if (first_entry(s)->is_lossy) {
		puts("The file is not UTF-8 text, so what is left out of the "
		     "change could not be kept\nas it is. Accept or reject it "
		     "as a whole.");
		return DT_E_OK;
	}
	dt_buf_init(&text, DT_LIMIT_FILE);
	if (read_edit(s, &text, &edited)) {
		dt_hunks_init(&hunks, first_entry(s)->old, dt_buf_str(&text),
		              NULL);
		err = pick_hunks(s, &hunks, fail);
		dt_hunks_done(&hunks);
	}
	dt_buf_done(&text);
	return err;
}

/* As it is now: the file may have changed while the person thought. */
static enum dt_err show_again(struct sitting *s, struct dt_fail *fail)
{
	struct dt_review_info now = { 0 };
	const struct dt_json *result;

	if (!dt_reviews_get(s->judge->remote, s->review.id, &s->arena, &result,
	                    NULL) &&
	    !dt_reviews_read(&s->arena, result, &now, NULL))
		s->review = now;
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
	{ 'h', "hunks", "take or leave each part of the change", go_through },
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

	fputs("[a]ccept [e]dit [h]unks [r]eject [n]ext [s]how [q]uit [?] ",
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

/* Folders go unless they hold an edit that nobody has decided. */
static void tidy(struct sitting *s)
{
	bool is_safe = s->step == DT_STEP_DONE && s->is_kept;

	if (s->diff.folder && (is_safe || !is_edited(s)))
		dt_diff_remove(&s->diff);
	else if (s->diff.folder && s->step == DT_STEP_DONE)
		printf("Your edit is kept in %s\n", s->diff.edited);
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
