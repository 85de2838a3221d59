/*
 * backend/terminal.c - bytes of a pty on their way to text, marks and viewers.
 *
 * Who may use a terminal is decided by the set it is in.  A shell that has ended
 * leaves its text.  Persons see the bytes as they came, but only the first of
 * them who may type sees what a terminal answers to: two answers would be typed
 * twice, and one to a question of an hour ago is none.
 */
#include "backend/terminal.h"

#include "base/limits.h"

#include <stdlib.h>

#define ROWS 30
#define COLUMNS 120
#define SLICE (4u * DT_KIB) /* fewer lines than a screen keeps */
#define BEAT_MS 100
#define SIDE_MAX 1000 /* rows and columns */

/* viewers */

/* A terminal answers to it, or does what only its owner should. */
static bool is_question(const struct dt_ansi_token *token)
{
	switch (token->type) {
	case DT_ANSI_CONTROL:
		return token->final == 0x05 || token->final == 0x07;
	case DT_ANSI_CSI:
		return strchr("cnqtxpu", token->final) != NULL;
	case DT_ANSI_OTHER:
		return strchr("Zc\\", token->final) != NULL;
	case DT_ANSI_OSC:
		return true;
	case DT_ANSI_TEXT:
		return false;
	}
	return true;
}

static void keep_harmless(const struct dt_ansi_token *token, void *owner)
{
	if (!is_question(token))
		dt_buf_add_str(owner, token->bytes);
}

static void show_filtered(struct dt_viewer *v, struct dt_str bytes)
{
	struct dt_buf out;

	/* A sequence that came in pieces leaves with its last one. */
	dt_buf_init(&out, bytes.len + DT_LIMIT_SEQUENCE);
	dt_ansi_feed(&v->ansi, bytes, keep_harmless, &out);
	if (out.len > 0)
		v->events->on_output(dt_buf_str(&out), v->owner);
	dt_buf_done(&out);
}

/* The latest, from the beginning of a line where something is missing. */
static void replay(struct dt_terminal *t, struct dt_viewer *v)
{
	struct dt_str bytes = dt_buf_str(&t->raw);

	if (bytes.len > DT_LIMIT_REPLAY) {
		bytes.ptr += bytes.len - DT_LIMIT_REPLAY;
		bytes.len = DT_LIMIT_REPLAY;
		dt_str_cut(&bytes, '\n');
	}
	dt_ansi_done(&v->ansi);
	dt_ansi_init(&v->ansi);
	v->is_behind = false;
	if (bytes.len > 0)
		show_filtered(v, bytes);
}

static bool is_first(const struct dt_terminal *t, const struct dt_viewer *v)
{
	dt_list_each(other, &t->viewers, struct dt_viewer, link) {
		if (other->may_type)
			return other == v;
	}
	return false;
}

static void show(struct dt_terminal *t, struct dt_str bytes)
{
	dt_list_each(v, &t->viewers, struct dt_viewer, link) {
		if (v->is_behind)
			continue;
		if (v->events->is_clogged(v->owner)) {
			v->is_behind = true;
			dt_timer_start(t->beat, BEAT_MS);
		} else if (is_first(t, v)) {
			v->events->on_output(bytes, v->owner);
		} else {
			show_filtered(v, bytes);
		}
	}
}

static void on_beat(struct dt_timer *timer, void *owner)
{
	struct dt_terminal *t = owner;
	bool is_any_behind = false;

	dt_list_each(v, &t->viewers, struct dt_viewer, link) {
		if (v->is_behind && !v->events->is_clogged(v->owner))
			replay(t, v);
		is_any_behind |= v->is_behind;
	}
	if (is_any_behind)
		dt_timer_start(timer, BEAT_MS);
}

static void end_viewers(struct dt_terminal *t, const char *why)
{
	while (!dt_list_is_empty(&t->viewers)) {
		struct dt_viewer *v =
			DT_LIST_OF(t->viewers.next, struct dt_viewer, link);

		dt_list_remove(&v->link);
		dt_ansi_done(&v->ansi);
		v->events->on_end(why, v->owner);
	}
}

static void end_watches(struct dt_terminal *t)
{
	while (!dt_list_is_empty(&t->watches)) {
		struct dt_terminal_watch *w = DT_LIST_OF(
			t->watches.next, struct dt_terminal_watch, link);

		dt_list_remove(&w->link);
		w->on_end(w);
	}
}

/* marks */

/* Whose mark it is: the secret stands behind it. */
static bool is_ours(const struct dt_terminal *t, struct dt_str mark)
{
	struct dt_str secret = dt_str(t->secret);

	return mark.len > secret.len &&
	       !memcmp(mark.ptr + mark.len - secret.len, secret.ptr,
	               secret.len);
}

static void on_mark(struct dt_str mark, void *owner)
{
	struct dt_terminal *t = owner;
	struct dt_str rest = mark;
	struct dt_str letter = dt_str_cut(&rest, ';');
	uint32_t code;

	if (letter.len != 1 || !strchr("BCDP", letter.ptr[0]) ||
	    !is_ours(t, mark))
		return;
	if (letter.ptr[0] == 'C') {
		t->state = DT_TERMINAL_BUSY;
		t->is_done = false;
		t->typed = dt_screen_here(&t->screen);
	} else if (letter.ptr[0] == 'D') {
		t->is_done = true;
		if (!dt_str_to_u32(dt_str_cut(&rest, ';'), &code, NULL))
			t->code = code;
	} else if (letter.ptr[0] == 'B') {
		t->state = DT_TERMINAL_READY;
		t->was_ready = true;
	}
	dt_list_each(w, &t->watches, struct dt_terminal_watch, link)
		w->on_mark(w, letter.ptr[0]);
}

/* the pty */

static void keep_raw(struct dt_terminal *t, struct dt_str bytes)
{
	if (t->raw.len + bytes.len > t->raw.limit)
		dt_buf_consume(&t->raw, t->raw.len > DT_LIMIT_REPLAY
		                                ? t->raw.len - DT_LIMIT_REPLAY
		                                : 0);
	dt_buf_add_str(&t->raw, bytes);
}

static void on_read(struct dt_pty *pty, struct dt_str bytes, void *owner)
{
	struct dt_terminal *t = owner;

	(void)pty;
	if (t->is_gone)
		return;
	while (bytes.len > 0) {
		struct dt_str slice = bytes;

		if (slice.len > SLICE)
			slice.len = SLICE;
		keep_raw(t, slice);
		dt_screen_feed(&t->screen, slice);
		show(t, slice);
		dt_list_each(w, &t->watches, struct dt_terminal_watch, link)
			w->on_text(w);
		bytes.ptr += slice.len;
		bytes.len -= slice.len;
	}
}

static void free_terminal(struct dt_terminal *t)
{
	dt_timer_free(t->beat);
	dt_screen_done(&t->screen);
	dt_buf_done(&t->raw);
	free(t->name);
	free(t->owner);
	free(t->folder);
	free(t->shell);
	free(t->variables);
	free(t);
}

static void on_closed(struct dt_pty *pty, const struct dt_pty_end *end,
                      void *owner)
{
	struct dt_terminal *t = owner;

	(void)pty;
	t->pty = NULL;
	t->state = DT_TERMINAL_ENDED;
	t->code = (uint32_t)end->code;
	if (t->is_gone) {
		free_terminal(t);
		return;
	}
	end_watches(t);
	end_viewers(t, "its shell has ended");
	if (t->on_ended)
		t->on_ended(t, t->set);
}

static const struct dt_pty_events pty_events = { on_read, on_closed };

/* life */

static char *copy(const char *text)
{
	return text ? dt_strdup(text) : NULL;
}

enum dt_err dt_terminal_open(const struct dt_terminal_spec *spec,
                             struct dt_terminal **out, struct dt_fail *fail)
{
	struct dt_terminal *t = dt_alloc(sizeof(*t));
	struct dt_pty_spec pty = {
		.argv = spec->shell->argv,
		.env = spec->shell->env,
		.folder = spec->folder,
		.size = { ROWS, COLUMNS },
		.mark = spec->shell->mark,
	};
	enum dt_err err;

	*t = (struct dt_terminal){
		.index = spec->index,
		.name = copy(spec->name),
		.owner = copy(spec->owner),
		.folder = copy(spec->folder),
		.shell = copy(spec->shell->name),
		.variables = copy(spec->variables),
		.has_marks = spec->shell->has_marks,
		.has_begin = spec->shell->has_begin,
		.size = pty.size,
	};
	memcpy(t->secret, spec->secret, sizeof(t->secret));
	dt_list_init(&t->link);
	dt_list_init(&t->watches);
	dt_list_init(&t->viewers);
	dt_buf_init(&t->raw, 2 * DT_LIMIT_REPLAY);
	dt_screen_init(&t->screen, COLUMNS, on_mark, t);
	t->beat = dt_timer_new(spec->loop, on_beat, t);
	err = dt_pty_open(spec->loop, &pty, &pty_events, t, &t->pty, fail);
	if (err)
		free_terminal(t);
	else
		*out = t;
	return err;
}

void dt_terminal_close(struct dt_terminal *t, bool is_at_once)
{
	dt_list_remove(&t->link);
	t->on_ended = NULL;
	t->is_gone = true;
	end_watches(t);
	end_viewers(t, "it was closed");
	if (t->pty)
		dt_pty_close(t->pty, is_at_once);
	else
		free_terminal(t);
}

/* Keys that end a line or empty it: Enter, Ctrl-C and Ctrl-U. */
static void note_rest(struct dt_terminal *t, struct dt_str typed)
{
	char last = typed.len > 0 ? typed.ptr[typed.len - 1] : '\0';

	if (last)
		t->has_rest = !strchr("\r\n\x03\x15", last);
}

/* From Enter to the next mark nobody knows whether a command runs. */
static void note_enter(struct dt_terminal *t, struct dt_str typed)
{
	if (t->state != DT_TERMINAL_READY ||
	    (!memchr(typed.ptr, '\r', typed.len) &&
	     !memchr(typed.ptr, '\n', typed.len)))
		return;
	t->is_done = false;
	t->state = t->has_begin ? DT_TERMINAL_STARTING : DT_TERMINAL_BUSY;
}

enum dt_err dt_terminal_type(struct dt_terminal *t, struct dt_str text,
                             bool adds_newline, struct dt_fail *fail)
{
	struct dt_buf typed;
	enum dt_err err;

	if (!t->pty)
		return dt_fail(fail, DT_E_CLOSED,
		               "the shell of terminal %s has ended; make "
		               "another one with createTerminal",
		               t->name);
	dt_buf_init(&typed, text.len + 1);
	dt_buf_add_str(&typed, text);
	/* What the key sends. */
	if (adds_newline)
		dt_buf_add_char(&typed, '\r');
	err = dt_pty_write(t->pty, dt_buf_str(&typed), fail);
	if (!err && adds_newline)
		t->typed = (struct dt_screen_place){
			dt_screen_last(&t->screen) + 1, 0
		};
	if (!err) {
		note_rest(t, dt_buf_str(&typed));
		note_enter(t, dt_buf_str(&typed));
	}
	dt_buf_done(&typed);
	return err;
}

/* Whether a command would read it, also one that the shell has yet to start.  What
 * the shell runs for its prompt, or when it begins, reads nothing. */
static bool is_taken(const struct dt_terminal *t)
{
	if (t->state == DT_TERMINAL_READY || !t->has_marks)
		return t->pty && !dt_pty_is_in_front(t->pty);
	return t->was_ready && !t->is_done;
}

const char *dt_terminal_doubt(const struct dt_terminal *t,
                              struct dt_arena *arena, bool is_emptied)
{
	if (t->variables)
		return dt_arena_printf(arena,
		                       "the agent has set in this terminal: %s",
		                       t->variables);
	if (is_emptied)
		return NULL;
	if (is_taken(t))
		return "a command runs in the terminal, and would read it";
	return t->has_rest ? "something stands in the line already" : NULL;
}

void dt_terminal_watch(struct dt_terminal *t, struct dt_terminal_watch *watch)
{
	dt_list_append(&t->watches, &watch->link);
}

/* sizes */

static unsigned within(unsigned value)
{
	if (value < 1)
		return 1;
	return value < SIDE_MAX ? value : SIDE_MAX;
}

static void fit(struct dt_terminal *t)
{
	struct dt_pty_size size = { SIDE_MAX, SIDE_MAX };
	bool is_any = false;

	dt_list_each(v, &t->viewers, struct dt_viewer, link) {
		if (!v->may_type)
			continue;
		is_any = true;
		if (within(v->size.rows) < size.rows)
			size.rows = within(v->size.rows);
		if (within(v->size.columns) < size.columns)
			size.columns = within(v->size.columns);
	}
	if (!is_any || !t->pty)
		return;
	t->size = size;
	t->screen.columns = size.columns;
	dt_pty_resize(t->pty, size);
}

void dt_terminal_look(struct dt_terminal *t, struct dt_viewer *v)
{
	dt_ansi_init(&v->ansi);
	replay(t, v);
	dt_list_append(&t->viewers, &v->link);
	fit(t);
}

void dt_terminal_look_away(struct dt_terminal *t, struct dt_viewer *v)
{
	dt_list_remove(&v->link);
	dt_ansi_done(&v->ansi);
	fit(t);
}

void dt_terminal_resize(struct dt_terminal *t, struct dt_viewer *v,
                        struct dt_pty_size size)
{
	v->size = size;
	fit(t);
}

void dt_terminal_describe(const struct dt_terminal *t, const char *asker,
                          struct dt_terminal_info *out)
{
	bool is_own = t->owner && asker ? !strcmp(t->owner, asker)
	                                : !t->owner && !asker;

	*out = (struct dt_terminal_info){
		.index = t->index,
		.name = t->name,
		.cwd = t->folder,
		.shell = t->shell,
		.state = t->state,
		.is_shared = t->is_shared,
		.is_own = is_own,
		.rows = t->size.rows,
		.columns = t->size.columns,
		.lines = (uint32_t)t->screen.line_count + 1,
	};
	dt_list_each(v, &t->viewers, struct dt_viewer, link)
		out->viewers++;
	if (t->state == DT_TERMINAL_ENDED)
		out->exit_code = (struct dt_maybe_u32){ true, t->code };
}
