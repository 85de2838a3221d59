/* editor/terminal.c - shapes of what terminals are asked and tell. */
#include "editor/terminal.h"

const char *const dt_terminal_states[] = { "starting", "ready", "busy", "ended",
	                                   NULL };

#define ITS_INDEX(T) DT_FIELD(T, index, U32, DT_REQ, "Its number.")
#define ITS_NAME(T) DT_FIELD(T, name, NAME, DT_REQ, "Its name.")
#define TOOK(T)                                                                \
	DT_FIELD_AS("tookMs", T, took_ms, U32, DT_REQ, "How long it took.")
#define TIMEOUT(T, text)                                                       \
	DT_FIELD_AS("timeoutMs", T, timeout_ms, MAYBE_U32, DT_OMIT, text)

const struct dt_field dt_terminal_target_fields[] = {
	DT_FIELD(struct dt_terminal_target, name, NAME, DT_OMIT,
	         "The terminal by its name."),
	DT_FIELD(struct dt_terminal_target, index, MAYBE_U32, DT_OMIT,
	         "The terminal by its number."),
	DT_FIELD_END,
};
static const struct dt_shape target =
	DT_SHAPE(struct dt_terminal_target, dt_terminal_target_fields);

#define TARGET(T)                                                              \
	DT_FIELD_OBJECT("terminal", T, target, struct dt_terminal_target,      \
	                target, 0, "Which one; absent: the latest.")

const struct dt_field dt_terminal_info_fields[] = {
	ITS_INDEX(struct dt_terminal_info),
	ITS_NAME(struct dt_terminal_info),
	DT_FIELD(struct dt_terminal_info, cwd, PATH, DT_REQ,
	         "The folder it began in."),
	DT_FIELD(struct dt_terminal_info, shell, NAME, DT_REQ, "Its shell."),
	DT_FIELD(struct dt_terminal_info, state, ENUM, DT_REQ, "How it is.",
	         .names = dt_terminal_states),
	DT_FIELD_AS("shared", struct dt_terminal_info, is_shared, BOOL, DT_REQ,
	            "Every agent may use it."),
	DT_FIELD_AS("own", struct dt_terminal_info, is_own, BOOL, DT_REQ,
	            "The caller made it."),
	DT_FIELD(struct dt_terminal_info, rows, U32, DT_REQ, "Its height."),
	DT_FIELD(struct dt_terminal_info, columns, U32, DT_REQ, "Its width."),
	DT_FIELD(struct dt_terminal_info, lines, U32, DT_REQ,
	         "Lines of text that are kept."),
	DT_FIELD(struct dt_terminal_info, viewers, U32, DT_REQ,
	         "Persons who look in."),
	DT_FIELD_AS("exitCode", struct dt_terminal_info, exit_code, MAYBE_U32,
	            DT_OMIT, "Of a shell that has ended."),
	DT_FIELD_END,
};
static const struct dt_shape info =
	DT_SHAPE(struct dt_terminal_info, dt_terminal_info_fields);

const struct dt_field dt_list_terminals_result_fields[] = {
	DT_FIELD(struct dt_list_terminals_result, terminals, ITEMS, DT_REQ,
	         "Those the caller may use.", .shape = &info),
	DT_FIELD_END,
};

const struct dt_field dt_create_terminal_args_fields[] = {
	DT_FIELD(struct dt_create_terminal_args, name, NAME, DT_OMIT,
	         "Its name."),
	DT_FIELD(struct dt_create_terminal_args, cwd, NAME, DT_OMIT,
	         "Its folder; absent: the main one."),
	DT_FIELD(struct dt_create_terminal_args, env, NAMES, DT_OMIT,
	         "\"NAME=value\" strings."),
	DT_FIELD_END,
};

const struct dt_field dt_send_terminal_args_fields[] = {
	TARGET(struct dt_send_terminal_args),
	DT_FIELD(struct dt_send_terminal_args, text, NAME, DT_REQ,
	         "What is typed."),
	DT_FIELD_AS("newline", struct dt_send_terminal_args, adds_newline, BOOL,
	            0, "Press Enter behind it."),
	DT_FIELD_END,
};

const struct dt_field dt_execute_terminal_args_fields[] = {
	TARGET(struct dt_execute_terminal_args),
	DT_FIELD(struct dt_execute_terminal_args, command, NAME, DT_REQ,
	         "One line for the shell."),
	TIMEOUT(struct dt_execute_terminal_args, "How long is waited."),
	DT_FIELD_END,
};

const struct dt_field dt_execute_terminal_result_fields[] = {
	ITS_INDEX(struct dt_execute_terminal_result),
	ITS_NAME(struct dt_execute_terminal_result),
	DT_FIELD_AS("exitCode", struct dt_execute_terminal_result, exit_code,
	            MAYBE_U32, DT_OMIT, "Absent: it still runs."),
	DT_FIELD(struct dt_execute_terminal_result, output, STR, DT_BIG,
	         "What it printed."),
	DT_FIELD_AS("cut", struct dt_execute_terminal_result, is_cut, BOOL, 0,
	            "The beginning is left out."),
	DT_FIELD_AS("timedOut", struct dt_execute_terminal_result, is_late,
	            BOOL, 0, "The time was over; it runs on."),
	DT_FIELD_AS("ended", struct dt_execute_terminal_result, has_ended, BOOL,
	            0, "The shell ended with it."),
	TOOK(struct dt_execute_terminal_result),
	DT_FIELD_END,
};

const struct dt_field dt_terminal_output_args_fields[] = {
	TARGET(struct dt_terminal_output_args),
	DT_FIELD(struct dt_terminal_output_args, lines, MAYBE_U32, DT_OMIT,
	         "At most so many."),
	DT_FIELD_END,
};

const struct dt_field dt_terminal_output_result_fields[] = {
	DT_FIELD_OBJECT("terminal", struct dt_terminal_output_result, terminal,
	                struct dt_terminal_info, info, DT_REQ,
	                "How the terminal is."),
	DT_FIELD(struct dt_terminal_output_result, output, STR, DT_BIG,
	         "The last lines."),
	DT_FIELD(struct dt_terminal_output_result, lines, U32, DT_REQ,
	         "How many these are."),
	DT_FIELD_AS("cut", struct dt_terminal_output_result, is_cut, BOOL, 0,
	            "There are more above."),
	DT_FIELD_END,
};

const struct dt_field dt_wait_terminal_args_fields[] = {
	TARGET(struct dt_wait_terminal_args),
	DT_FIELD(struct dt_wait_terminal_args, pattern, NAME, DT_REQ,
	         "A regular expression, held against each line."),
	TIMEOUT(struct dt_wait_terminal_args, "How long is waited."),
	DT_FIELD_END,
};

const struct dt_field dt_wait_terminal_result_fields[] = {
	ITS_INDEX(struct dt_wait_terminal_result),
	ITS_NAME(struct dt_wait_terminal_result),
	DT_FIELD_AS("matched", struct dt_wait_terminal_result, is_matched, BOOL,
	            DT_REQ, "A line matched."),
	DT_FIELD(struct dt_wait_terminal_result, line, STR, DT_BIG,
	         "That line."),
	DT_FIELD_AS("timedOut", struct dt_wait_terminal_result, is_late, BOOL,
	            0, "The time was over."),
	DT_FIELD_AS("ended", struct dt_wait_terminal_result, has_ended, BOOL, 0,
	            "The shell ended before there was one."),
	TOOK(struct dt_wait_terminal_result),
	DT_FIELD_END,
};

const struct dt_field dt_dispose_terminal_result_fields[] = {
	ITS_INDEX(struct dt_dispose_terminal_result),
	ITS_NAME(struct dt_dispose_terminal_result),
	DT_FIELD_END,
};
