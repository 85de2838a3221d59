/* editor/terminal.h - terminals: what goes in and what comes out. */
#ifndef DT_EDITOR_TERMINAL_H
#define DT_EDITOR_TERMINAL_H

#include "data/field.h"

#include <stdbool.h>
#include <stdint.h>

/* How a terminal is. */
enum dt_terminal_state {
	DT_TERMINAL_STARTING, /* its shell is not there yet, or tells nothing */
	DT_TERMINAL_READY,    /* the shell waits for a command */
	DT_TERMINAL_BUSY,     /* a command runs */
	DT_TERMINAL_ENDED,    /* the shell is gone; the text is not */
};
extern const char *const dt_terminal_states[];

struct dt_terminal_info {
	uint32_t index; /* names it as long as the workspace is served */
	const char *name;
	const char *cwd; /* where it began */
	const char *shell;
	int state; /* enum dt_terminal_state */
	bool is_shared;
	bool is_own; /* the caller made it */
	uint32_t rows;
	uint32_t columns;
	uint32_t lines;                /* of text that are kept */
	uint32_t viewers;              /* persons who look in */
	struct dt_maybe_u32 exit_code; /* of a shell that has ended */
};

/* Which one: by one of these; neither: the caller's latest. */
struct dt_terminal_target {
	const char *name;
	struct dt_maybe_u32 index;
};

struct dt_list_terminals_result {
	struct dt_items terminals; /* struct dt_terminal_info */
};

struct dt_create_terminal_args {
	const char *name;    /* NULL: one is made up */
	const char *cwd;     /* absolute, file:// or in the main folder; NULL */
	struct dt_names env; /* "NAME=value" */
};

struct dt_send_terminal_args {
	struct dt_terminal_target target;
	const char *text;
	bool adds_newline;
};

struct dt_execute_terminal_args {
	struct dt_terminal_target target; /* nothing there: one is made */
	const char *command;
	struct dt_maybe_u32 timeout_ms;
};
struct dt_execute_terminal_result {
	uint32_t index;
	const char *name;
	struct dt_maybe_u32 exit_code; /* not set: it still runs */
	struct dt_str output;
	bool is_cut;    /* what is above is forgotten */
	bool is_late;   /* the time was over; the command runs on */
	bool has_ended; /* the shell ended with it */
	uint32_t took_ms;
};

struct dt_terminal_output_args {
	struct dt_terminal_target target;
	struct dt_maybe_u32 lines;
};
struct dt_terminal_output_result {
	struct dt_terminal_info terminal;
	struct dt_str output;
	uint32_t lines; /* in it */
	bool is_cut;    /* there are more above */
};

struct dt_wait_terminal_args {
	struct dt_terminal_target target;
	const char *pattern;
	struct dt_maybe_u32 timeout_ms;
};
struct dt_wait_terminal_result {
	uint32_t index;
	const char *name;
	bool is_matched;
	struct dt_str line; /* that matched */
	bool is_late;
	bool has_ended; /* the shell did, without a match */
	uint32_t took_ms;
};

struct dt_dispose_terminal_result {
	uint32_t index;
	const char *name;
};

#define DT_TERMINAL_RUN_MS 60000 /* unless its caller says otherwise */
#define DT_TERMINAL_WAIT_MS 30000
#define DT_TERMINAL_LINES 100

extern const struct dt_field dt_list_terminals_result_fields[];
extern const struct dt_field dt_create_terminal_args_fields[];
extern const struct dt_field dt_terminal_info_fields[];
extern const struct dt_field dt_send_terminal_args_fields[];
extern const struct dt_field dt_execute_terminal_args_fields[];
extern const struct dt_field dt_execute_terminal_result_fields[];
extern const struct dt_field dt_terminal_output_args_fields[];
extern const struct dt_field dt_terminal_output_result_fields[];
extern const struct dt_field dt_wait_terminal_args_fields[];
extern const struct dt_field dt_wait_terminal_result_fields[];
extern const struct dt_field dt_terminal_target_fields[];
extern const struct dt_field dt_dispose_terminal_result_fields[];

#endif
