/*
 * app/revise.c - an editor, the hunks of a file, and the way through the files.
 *
 * An editor that fails, or is left without saving, has changed nothing.  Of
 * several files each is asked about as pick.c asks about hunks, and edits and
 * hunks of one lead back to the question about it.
 */
#include "app/revise.h"

#include "app/pick.h"
#include "app/terminal.h"
#include "app/text.h"
#include "base/limits.h"
#include "base/path.h"

#include <stdio.h>

static const struct dt_review_file *entry(const struct dt_revise *r, size_t i)
{
	const struct dt_review_file *entries = r->draft->review->entries.ptr;

	return &entries[i];
}

static void say_no_text(const struct dt_revise *r, size_t i)
{
	puts(entry(r, i)->is_cut ? "Only a part of this text is here, so it "
	                           "cannot be edited."
	                         : "There is no text to edit.");
}

static void print_why(const struct dt_fail *why)
{
	struct dt_arena arena = { 0 };

	puts(dt_text_safe(&arena, why->msg));
	dt_arena_done(&arena);
}

/* one file */

/* What the editor left: true when it is a text, and another than before. */
static bool is_new_text(const struct dt_revise *r, size_t i,
                        struct dt_str before)
{
	struct dt_fail why = { 0 };
	struct dt_buf now;
	bool is_new = false;

	dt_buf_init(&now, DT_LIMIT_FILE);
	if (dt_draft_read(r->draft, i, &now, &why))
		print_why(&why);
	else if (dt_str_eq(dt_buf_str(&now), before))
		puts("Nothing was edited.");
	else
		is_new = true;
	dt_buf_done(&now);
	return is_new;
}

static enum dt_err edit_file(struct dt_revise *r, size_t i, bool *out_new,
                             struct dt_fail *fail)
{
	bool was_left_out = dt_draft_is_left_out(r->draft, i);
	struct dt_fail why = { 0 };
	struct dt_buf before;
	enum dt_err err;

	*out_new = false;
	if (!dt_draft_has_text(r->draft, i)) {
		say_no_text(r, i);
		return DT_E_OK;
	}
	dt_buf_init(&before, DT_LIMIT_FILE);
	err = dt_draft_take(r->draft, i, fail);
	if (!err && dt_draft_read(r->draft, i, &before, &why)) {
		/* The person can mend it where it was spoilt. */
		print_why(&why);
		why = (struct dt_fail){ 0 };
	}
	if (!err &&
	    dt_diff_edit_file(r->draft->diff->after[i], r->editor, &why)) {
		print_why(&why);
		err = dt_draft_write(r->draft, i, dt_buf_str(&before), fail);
	} else if (!err) {
		*out_new = is_new_text(r, i, dt_buf_str(&before));
	}
	dt_buf_done(&before);
	if (!err && !*out_new && was_left_out)
		err = dt_draft_leave_out(r->draft, i, fail);
	return err;
}

static void print_taken(const struct dt_hunks *hunks)
{
	struct dt_arena arena = { 0 };
	size_t count = 0;

	for (size_t i = 0; i < hunks->count; i++)
		count += hunks->ptr[i].is_taken;
	printf("%zu of %s taken.\n", count,
	       dt_text_count(&arena, hunks->count, "hunk"));
	dt_arena_done(&arena);
}

/* What the hunks came to.  All of them is the text as it was. */
static enum dt_err take_hunks(struct dt_revise *r, size_t i,
                              const struct dt_hunks *hunks,
                              enum dt_revised *out, struct dt_fail *fail)
{
	struct dt_buf text;
	enum dt_err err;

	dt_buf_init(&text, DT_LIMIT_FILE);
	dt_hunks_apply(hunks, &text);
	err = dt_buf_check(&text, "the text", fail);
	if (!err && dt_str_eq(dt_buf_str(&text), entry(r, i)->old)) {
		*out = DT_REVISED_EMPTY;
	} else if (!err) {
		print_taken(hunks);
		*out = DT_REVISED;
		err = dt_draft_write(r->draft, i, dt_buf_str(&text), fail);
	}
	dt_buf_done(&text);
	return err;
}

static enum dt_err pick_hunks(struct dt_revise *r, size_t i,
                              struct dt_hunks *hunks, enum dt_revised *out,
                              struct dt_fail *fail)
{
	const struct dt_diff *diff = r->draft->diff;
	struct dt_pick pick = {
		.hunks = hunks,
		.file = dt_arena_printf(r->draft->arena, "%s/hunk-%s",
		                        diff->folder,
		                        dt_path_base(diff->after[i])),
		.editor = r->editor,
		.key = r->key,
		.owner = r->owner,
	};

	if (hunks->count == 0)
		puts("There is no difference.");
	else if (dt_pick_hunks(&pick))
		return take_hunks(r, i, hunks, out, fail);
	return DT_E_OK;
}

static enum dt_err hunks_of_file(struct dt_revise *r, size_t i,
                                 enum dt_revised *out, struct dt_fail *fail)
{
	struct dt_fail why = { 0 };
	enum dt_err err = DT_E_OK;
	struct dt_hunks hunks;
	struct dt_buf text;

	*out = DT_REVISED_NOT;
	if (!dt_draft_has_text(r->draft, i)) {
		say_no_text(r, i);
		return DT_E_OK;
	}
	if (entry(r, i)->is_lossy) {
		puts("The file is not UTF-8 text, so what is left out of the "
		     "change could not be kept\nas it is. Accept or reject it "
		     "as a whole.");
		return DT_E_OK;
	}
	dt_buf_init(&text, DT_LIMIT_FILE);
	if (dt_draft_read(r->draft, i, &text, &why)) {
		print_why(&why);
	} else {
		dt_hunks_init(&hunks, entry(r, i)->old, dt_buf_str(&text),
		              NULL);
		err = pick_hunks(r, i, &hunks, out, fail);
		dt_hunks_done(&hunks);
	}
	dt_buf_done(&text);
	return err;
}

/* several files */

/* What a key does to the round. */
enum turn {
	TURN_AGAIN, /* ask about the same one, shown again */
	TURN_ASK,   /* the same without showing it */
	TURN_NEXT,
	TURN_BACK, /* leave it at that */
};

/* The way through the files. */
struct round {
	struct dt_revise *revise;
	size_t at;
	struct dt_fail *fail;
	enum dt_err err;
};

static enum turn take(struct round *r)
{
	r->err = dt_draft_take(r->revise->draft, r->at++, r->fail);
	return TURN_NEXT;
}

static enum turn leave(struct round *r)
{
	r->err = dt_draft_leave_out(r->revise->draft, r->at++, r->fail);
	return TURN_NEXT;
}

static enum turn take_rest(struct round *r)
{
	while (r->at < dt_draft_count(r->revise->draft) && !r->err)
		take(r);
	return TURN_NEXT;
}

static enum turn leave_rest(struct round *r)
{
	while (r->at < dt_draft_count(r->revise->draft) && !r->err)
		leave(r);
	return TURN_NEXT;
}

static enum turn edit(struct round *r)
{
	bool is_new;

	r->err = edit_file(r->revise, r->at, &is_new, r->fail);
	return is_new ? TURN_AGAIN : TURN_ASK;
}

static enum turn hunks(struct round *r)
{
	enum dt_revised revised;

	r->err = hunks_of_file(r->revise, r->at, &revised, r->fail);
	if (!r->err && revised == DT_REVISED_EMPTY) {
		puts("Nothing of this file was taken: it is left out.");
		return leave(r);
	}
	return revised == DT_REVISED ? TURN_AGAIN : TURN_ASK;
}

static enum turn back(struct round *r)
{
	(void)r;
	return TURN_BACK;
}

static enum turn explain(struct round *r);

static const struct key {
	char key;
	const char *word;
	const char *doc;
	enum turn (*act)(struct round *r);
} keys[] = {
	{ 'y', "yes", "take this file as it is shown", take },
	{ 'n', "no", "leave it out", leave },
	{ 'h', "hunks", "take or leave each part of it", hunks },
	{ 'e', "edit", "change its new text in your editor", edit },
	{ 'a', "all", "take this one and all that follow", take_rest },
	{ 'd', "done", "leave out this one and all that follow", leave_rest },
	{ 'q', "back", "back to the whole change, with what you did so far",
	  back },
	{ '?', "help", "this list", explain },
};

#define KEY_COUNT (sizeof(keys) / sizeof(keys[0]))

static enum turn explain(struct round *r)
{
	(void)r;
	for (size_t i = 0; i < KEY_COUNT; i++)
		printf("  %c  %-7s %s\n", keys[i].key, keys[i].word,
		       keys[i].doc);
	return TURN_ASK;
}

static const struct key *find_key(int key)
{
	for (size_t i = 0; i < KEY_COUNT; i++) {
		if (keys[i].key == key)
			return &keys[i];
	}
	return NULL;
}

static enum turn ask(struct round *r)
{
	const struct key *chosen = NULL;

	printf("(%zu/%zu) Take this file [y,n,h,e,a,d,q,?]? ", r->at + 1,
	       dt_draft_count(r->revise->draft));
	while (!chosen) {
		int key = r->revise->key(r->revise->owner);

		if (key == DT_KEY_END)
			return TURN_BACK;
		chosen = find_key(key);
	}
	puts(chosen->word);
	return chosen->act(r);
}

static enum dt_err show(struct round *r)
{
	const struct dt_draft *draft = r->revise->draft;
	const struct dt_review_file *e = entry(r->revise, r->at);
	struct dt_arena arena = { 0 };
	enum dt_err err = DT_E_OK;

	printf("\n(%zu/%zu) %s %s%s\n", r->at + 1, dt_draft_count(draft),
	       dt_text_safe(&arena, e->kind),
	       dt_text_path(&arena, e->path, draft->review->root),
	       dt_draft_is_left_out(draft, r->at) ? ", left out so far" : "");
	dt_arena_done(&arena);
	if (!dt_draft_is_left_out(draft, r->at) &&
	    (e->old.ptr || e->proposed.ptr))
		err = dt_diff_show_file(draft->diff, r->at, r->revise->pager,
		                        r->fail);
	return err;
}

static enum dt_err go_through(struct dt_revise *revise, enum dt_revised *out,
                              struct dt_fail *fail)
{
	struct round r = { .revise = revise, .fail = fail };
	struct dt_draft_state before;
	struct dt_draft_state now;
	enum turn turn = TURN_AGAIN;

	r.err = dt_draft_look(revise->draft, &before, fail);
	while (!r.err && turn != TURN_BACK &&
	       r.at < dt_draft_count(revise->draft)) {
		if (turn != TURN_ASK)
			r.err = show(&r);
		if (!r.err)
			turn = ask(&r);
	}
	if (!r.err)
		r.err = dt_draft_look(revise->draft, &now, fail);
	if (r.err)
		return r.err;
	if (turn != TURN_BACK)
		printf("%zu of %zu files taken.\n", now.taken,
		       dt_draft_count(revise->draft));
	*out = DT_REVISED;
	if (turn == TURN_BACK && !strcmp(before.digest, now.digest))
		*out = DT_REVISED_NOT;
	else if (turn != TURN_BACK && now.taken == 0)
		*out = DT_REVISED_EMPTY;
	return DT_E_OK;
}

enum dt_err dt_revise_edit(struct dt_revise *revise, enum dt_revised *out,
                           struct dt_fail *fail)
{
	bool is_new;
	enum dt_err err;

	if (dt_draft_count(revise->draft) > 1)
		return go_through(revise, out, fail);
	err = edit_file(revise, 0, &is_new, fail);
	*out = is_new ? DT_REVISED : DT_REVISED_NOT;
	return err;
}

enum dt_err dt_revise_hunks(struct dt_revise *revise, enum dt_revised *out,
                            struct dt_fail *fail)
{
	if (dt_draft_count(revise->draft) > 1)
		return go_through(revise, out, fail);
	return hunks_of_file(revise, 0, out, fail);
}
