/*
 * app/pick.c - a change taken hunk by hunk, as `git add -p` does it.
 *
 * Nothing is decided here: the marks are on the hunks when all are asked, and
 * what becomes of them is revise.c's.
 */
#include "app/pick.h"

#include "app/diff.h"
#include "app/terminal.h"
#include "app/text.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/utf8.h"

#include <stdio.h>

/* What a key does to the round. */
enum turn {
	TURN_AGAIN, /* ask about the same one, shown again */
	TURN_NEXT,
	TURN_BACK, /* give up */
};

/* The way through the hunks. */
struct round {
	struct dt_pick *pick;
	struct dt_hunks *hunks;
	size_t at;
	size_t room; /* lines of a hunk that are still shown */
	size_t hidden;
	bool is_whole; /* show the next one whatever its size */
	bool has_colours;
};

/* Lines beside those of the hunk: its head, what is hidden, the question. */
#define OTHER_LINES 3

/* showing */

static void print_coloured(const struct round *r, const char *colour,
                           const char *text)
{
	if (r->has_colours && *colour)
		printf("\x1b[%sm%s\x1b[m\n", colour, text);
	else
		printf("%s\n", text);
}

static void print_line(char mark, struct dt_str line, void *owner)
{
	struct round *r = owner;
	struct dt_arena arena = { 0 };
	bool has_break = line.len > 0 && line.ptr[line.len - 1] == '\n';

	if (r->room == 0) {
		r->hidden++;
		return;
	}
	r->room--;
	line.len -= has_break;
	print_coloured(r,
	               mark == '-'   ? "31"
	               : mark == '+' ? "32"
	                             : "",
	               dt_arena_printf(&arena, "%c%s", mark,
	                               dt_text_code(&arena, line)));
	if (!has_break)
		puts("\\ No newline at end of file");
	dt_arena_done(&arena);
}

static void ignore_line(char mark, struct dt_str line, void *owner)
{
	(void)mark;
	(void)line;
	(void)owner;
}

/* A diff counts lines from 1, and an empty run by the line before it. */
static size_t number(size_t first, size_t count)
{
	return count > 0 ? first + 1 : first;
}

/* A hunk higher than the terminal would leave only its end to be seen. */
static size_t room_for_lines(const struct round *r)
{
	size_t rows = dt_terminal_rows();

	if (rows == 0 || r->is_whole)
		return SIZE_MAX;
	return rows > 2 * OTHER_LINES ? rows - OTHER_LINES : OTHER_LINES;
}

static void show(struct round *r)
{
	struct dt_edit range;
	char head[128];

	dt_hunks_show(r->hunks, r->at, &range, ignore_line, NULL);
	snprintf(head, sizeof(head), "@@ -%zu,%zu +%zu,%zu @@",
	         number(range.old_first, range.old_count), range.old_count,
	         number(range.new_first, range.new_count), range.new_count);
	print_coloured(r, "36", head);
	r->room = room_for_lines(r);
	r->hidden = 0;
	r->is_whole = false;
	dt_hunks_show(r->hunks, r->at, NULL, print_line, r);
	if (r->hidden)
		printf("... and %zu more lines; p prints all of them\n",
		       r->hidden);
}

/* the keys */

static void mark_rest(struct round *r, bool is_taken)
{
	for (; r->at < r->hunks->count; r->at++)
		r->hunks->ptr[r->at].is_taken = is_taken;
}

static enum turn take(struct round *r)
{
	r->hunks->ptr[r->at++].is_taken = true;
	return TURN_NEXT;
}

static enum turn leave(struct round *r)
{
	r->hunks->ptr[r->at++].is_taken = false;
	return TURN_NEXT;
}

static enum turn take_rest(struct round *r)
{
	mark_rest(r, true);
	return TURN_NEXT;
}

static enum turn leave_rest(struct round *r)
{
	mark_rest(r, false);
	return TURN_NEXT;
}

static enum turn split(struct round *r)
{
	if (!dt_hunks_split(r->hunks, r->at))
		puts("It is one piece and cannot be split.");
	return TURN_AGAIN;
}

/* The lines of the hunk as the person leaves them, in the hunks' arena. */
static enum dt_err edit_lines(struct round *r, struct dt_buf *text,
                              struct dt_fail *fail)
{
	const char *file = r->pick->file;
	enum dt_err err;

	dt_hunks_text(r->hunks, r->at, text);
	err = dt_file_write(file, dt_buf_str(text), 0600, fail);
	if (!err)
		err = dt_diff_edit_file(file, r->pick->editor, fail);
	dt_buf_clear(text);
	if (!err)
		err = dt_file_read(file, text, fail);
	if (!err && !dt_utf8_is_valid(dt_buf_str(text)))
		err = dt_fail(fail, DT_E_ARGS,
		              "the text is not UTF-8 any more; edit it again");
	return err;
}

/* Its new lines as they are. */
static struct dt_str lines_of(const struct round *r, struct dt_arena *arena)
{
	struct dt_str lines;
	struct dt_buf text;

	dt_buf_init(&text, DT_LIMIT_FILE);
	dt_hunks_text(r->hunks, r->at, &text);
	lines = (struct dt_str){ dt_arena_strndup(arena, text.ptr, text.len),
		                 text.len };
	dt_buf_done(&text);
	return lines;
}

/* An editor that was left without saving takes nothing. */
static enum turn edit(struct round *r)
{
	struct dt_hunk *hunk = &r->hunks->ptr[r->at];
	struct dt_arena arena = { 0 };
	struct dt_fail why = { 0 };
	struct dt_buf text;
	bool is_same;
	enum dt_err err;

	dt_buf_init(&text, DT_LIMIT_FILE);
	err = edit_lines(r, &text, &why);
	is_same = !err && dt_str_eq(dt_buf_str(&text), lines_of(r, &arena));
	if (err)
		puts(dt_text_safe(&arena, why.msg));
	else if (is_same)
		puts("Nothing was edited.");
	else
		hunk->text = (struct dt_str){
			dt_arena_strndup(&r->hunks->arena,
			                 text.len ? text.ptr : "", text.len),
			text.len,
		};
	dt_buf_done(&text);
	dt_arena_done(&arena);
	return err || is_same ? TURN_AGAIN : take(r);
}

static enum turn print_whole(struct round *r)
{
	r->is_whole = true;
	return TURN_AGAIN;
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
	{ 'y', "yes", "take this hunk", take },
	{ 'n', "no", "leave it out", leave },
	{ 'a', "all", "take this one and all that follow", take_rest },
	{ 'd', "done", "leave out this one and all that follow", leave_rest },
	{ 's', "split", "ask about its parts one by one", split },
	{ 'e', "edit", "change its new lines in your editor, and take them",
	  edit },
	{ 'p', "print", "show all of its lines", print_whole },
	{ 'q', "back", "decide nothing, back to the whole change", back },
	{ '?', "help", "this list", explain },
};

#define KEY_COUNT (sizeof(keys) / sizeof(keys[0]))

static enum turn explain(struct round *r)
{
	(void)r;
	for (size_t i = 0; i < KEY_COUNT; i++)
		printf("  %c  %-7s %s\n", keys[i].key, keys[i].word,
		       keys[i].doc);
	return TURN_AGAIN;
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

	printf("(%zu/%zu) Take this hunk [y,n,a,d,s,e,p,q,?]? ", r->at + 1,
	       r->hunks->count);
	while (!chosen) {
		int key = r->pick->key(r->pick->owner);

		if (key == DT_KEY_END)
			return TURN_BACK;
		chosen = find_key(key);
	}
	puts(chosen->word);
	return chosen->act(r);
}

bool dt_pick_hunks(struct dt_pick *pick)
{
	struct round r = {
		.pick = pick,
		.hunks = pick->hunks,
		.has_colours = dt_terminal_has_colours(),
	};
	enum turn turn = TURN_NEXT;

	while (turn != TURN_BACK && r.at < r.hunks->count) {
		show(&r);
		turn = ask(&r);
	}
	return turn != TURN_BACK;
}
