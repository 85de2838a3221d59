/* backend/terminal.h - one terminal: its shell, its text, and who looks in. */
#ifndef DT_BACKEND_TERMINAL_H
#define DT_BACKEND_TERMINAL_H

#include "backend/screen.h"
#include "backend/shell.h"
#include "base/list.h"
#include "base/rand.h"
#include "editor/terminal.h"
#include "loop/pty.h"

struct dt_terminal;

/*
 * Somebody who waits for something in a terminal.  Each is told of text that
 * came, of marks of the shell where they come, and at last of its end.  It may
 * remove itself, nobody else.
 */
struct dt_terminal_watch {
	struct dt_list link;
	void (*on_text)(struct dt_terminal_watch *watch);
	void (*on_mark)(struct dt_terminal_watch *watch,
	                char mark); /* "BCDP" */
	void (*on_end)(struct dt_terminal_watch *watch);
};

/*
 * A person who looks in.  on_output lends what is printed, as it is or without
 * what a terminal would answer to; is_clogged says that it cannot take more, and
 * it is shown the latest when it can.  on_end comes once and last, unless it
 * leaves before.
 */
struct dt_viewer_events {
	void (*on_output)(struct dt_str bytes, void *owner);
	bool (*is_clogged)(void *owner);
	void (*on_end)(const char *why, void *owner);
};
struct dt_viewer {
	struct dt_list link;
	const struct dt_viewer_events *events;
	void *owner;
	struct dt_pty_size size;
	bool may_type;
	/* backend/terminal.c's */
	struct dt_ansi ansi;
	bool is_behind;
};

struct dt_terminal {
	struct dt_list link; /* in its set, if that still is */
	uint32_t index;
	uint64_t used; /* grows with each use */
	char *name;
	char *owner; /* the session that made it; NULL: the person */
	char *folder;
	char *shell;
	char *variables; /* names of those an agent has set; NULL: none */
	bool is_shared;
	bool is_left; /* its session is gone */
	bool has_marks;
	bool has_begin;
	enum dt_terminal_state state;
	bool was_ready; /* at least once */
	bool has_rest;  /* what was typed last is not ended by Enter */
	bool is_done; /* a command has ended, and the prompt is not there yet */
	uint32_t code;      /* of the last command; at the end the shell's */
	struct dt_pty *pty; /* NULL: it has ended */
	struct dt_pty_size size;
	struct dt_screen screen;
	struct dt_screen_place
		typed;     /* where what was typed last is answered */
	struct dt_buf raw; /* the last bytes */
	char secret[DT_ID_TEXT];
	struct dt_list watches;
	struct dt_list viewers;
	struct dt_timer *beat; /* while a viewer is behind */
	/* The shell has ended; or NULL.  It may free the terminal. */
	void (*on_ended)(struct dt_terminal *t, void *set);
	void *set;
	bool is_gone; /* freed when the shell has ended */
};

struct dt_terminal_spec {
	struct dt_loop *loop;
	const struct dt_shell *shell;
	const char *secret;
	const char *name;
	const char *owner;
	const char *folder;
	const char *variables; /* as above */
	uint32_t index;
};

enum dt_err dt_terminal_open(const struct dt_terminal_spec *spec,
                             struct dt_terminal **out,
                             struct dt_fail *fail) DT_MUST_CHECK;

/* End it: whoever waits or looks in is told, what runs in it ends, and it is
 * freed when that is so. */
void dt_terminal_close(struct dt_terminal *t, bool is_at_once);

/* Type.  With Enter behind it the answer begins on the next line. */
enum dt_err dt_terminal_type(struct dt_terminal *t, struct dt_str text,
                             bool adds_newline,
                             struct dt_fail *fail) DT_MUST_CHECK;

/*
 * Why a line that is typed now may become something else than a command of the
 * person's shell, in the arena; NULL: it does not.  An emptied line is for who
 * waits for the shell and clears what stands there.
 */
const char *dt_terminal_doubt(const struct dt_terminal *t,
                              struct dt_arena *arena, bool is_emptied);

void dt_terminal_watch(struct dt_terminal *t, struct dt_terminal_watch *watch);

/* Look in: the latest is shown at once.  The terminal takes the size of the
 * smallest viewer who may type. */
void dt_terminal_look(struct dt_terminal *t, struct dt_viewer *viewer);
void dt_terminal_look_away(struct dt_terminal *t, struct dt_viewer *viewer);
void dt_terminal_resize(struct dt_terminal *t, struct dt_viewer *viewer,
                        struct dt_pty_size size);

/* How it is; texts are lent. */
void dt_terminal_describe(const struct dt_terminal *t, const char *asker,
                          struct dt_terminal_info *out);

#endif
