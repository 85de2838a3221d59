/*
 * tool/terminal_tools.c - terminals made, typed into, read and ended.
 *
 * What may be typed is decided in the hub, or by a person: what types has no
 * deadline of its own, and timeoutMs counts from the start of the command.
 */
#include "tool/terminal_tools.h"

#include "editor/terminal.h"
#include "tool/call.h"

#define LOOK_MS 10000
#define RUN_MS 600000
#define TIMEOUT_MAX_MS 590000
#define LINES_MAX 5000

#define TARGET_FIELDS(T)                                                       \
	DT_FIELD(T, name, NAME, 0, "Name of the terminal."),                   \
		DT_FIELD(T, index, MAYBE_U32, 0,                               \
	                 "Its number, instead of the name. Neither: the one "  \
	                 "you used last.")

#define WHICH_FIELDS(T)                                                        \
	DT_FIELD(T, name, NAME, DT_REQ, "Name of the terminal."),              \
		DT_FIELD(T, index, U32, DT_REQ, "Its number.")

static struct dt_terminal_target target_of(const char *name,
                                           struct dt_maybe_u32 index)
{
	return (struct dt_terminal_target){ name, index };
}

/* False: it is refused, and that is said. */
static bool check_timeout(struct dt_call *call, struct dt_maybe_u32 timeout)
{
	if (!timeout.is_set ||
	    (timeout.value > 0 && timeout.value <= TIMEOUT_MAX_MS))
		return true;
	dt_call_failf(call, DT_E_ARGS,
	              "timeoutMs: %u is not from 1 to %u milliseconds",
	              timeout.value, TIMEOUT_MAX_MS);
	return false;
}

/* listTerminals */

static void on_reply(struct dt_call *call, const void *result)
{
	dt_call_reply_result(call, result);
}

static void list_terminals(struct dt_call *call, const void *args)
{
	(void)args;
	dt_call_perform(call, &dt_op_list_terminals, NULL, on_reply);
}

/* createTerminal */

/* Names are the caller's: they are read from call->json. */
struct variables {
	char none;
};
static const struct dt_shape variables =
	DT_SHAPE(struct variables, dt_no_fields);

struct create_args {
	const char *name;
	const char *cwd;
	struct variables env;
};
static const struct dt_field create_args[] = {
	DT_FIELD(struct create_args, name, NAME, 0,
	         "Letters, digits, '.', '_' and '-'; absent: one is made up."),
	DT_FIELD(struct create_args, cwd, NAME, 0,
	         "Folder of the workspace to begin in; absent: the main one. "
	         "Relative paths are taken from that one."),
	DT_FIELD_OBJECT(
		"env", struct create_args, env, struct variables, variables, 0,
		"Variables to set, name to text. Those that decide what "
		"programs run (PATH, LD_*, GIT_* ...) are refused."),
	DT_FIELD_END,
};

static enum dt_err add_pair(struct dt_call *call, const struct dt_json *key,
                            struct dt_names *out, struct dt_fail *fail)
{
	const struct dt_json *value = dt_json_value(key);
	struct dt_str name = dt_json_text(call->arena, key);
	struct dt_str text;

	if (value->type != DT_JSON_STRING)
		return dt_fail(fail, DT_E_ARGS, "env.%.*s: expected string",
		               DT_STR_ARG(name));
	text = dt_json_text(call->arena, value);
	if (memchr(text.ptr, '\0', text.len) ||
	    (name.len && memchr(name.ptr, '\0', name.len)))
		return dt_fail(fail, DT_E_ARGS, "env: a NUL is in it");
	out->ptr[out->count++] = dt_arena_printf(
		call->arena, "%.*s=%.*s", DT_STR_ARG(name), DT_STR_ARG(text));
	return DT_E_OK;
}

static enum dt_err read_env(struct dt_call *call, struct dt_names *out,
                            struct dt_fail *fail)
{
	const struct dt_json *env = dt_json_get(call->json, "env");
	enum dt_err err = DT_E_OK;

	if (!env || env->type != DT_JSON_OBJECT)
		return DT_E_OK;
	out->ptr = dt_arena_alloc(call->arena,
	                          (env->count + 1) * sizeof(*out->ptr));
	dt_json_each(key, env) {
		err = err ? err : add_pair(call, key, out, fail);
	}
	return err;
}

static void create_terminal(struct dt_call *call, const void *args)
{
	const struct create_args *wanted = args;
	struct dt_create_terminal_args create = {
		.name = wanted->name,
		.cwd = wanted->cwd,
	};
	struct dt_fail fail = { 0 };

	if (read_env(call, &create.env, &fail))
		dt_call_fail(call, &fail);
	else
		dt_call_perform(call, &dt_op_create_terminal, &create,
		                on_reply);
}

/* sendTerminalCommand */

struct send_args {
	const char *text;
	const char *name;
	struct dt_maybe_u32 index;
	bool adds_newline;
};
static const struct dt_field send_args[] = {
	DT_FIELD(struct send_args, text, NAME, DT_REQ,
	         "What to type: a command, an answer to a program, or a key "
	         "such as \\u0003 for Ctrl-C."),
	TARGET_FIELDS(struct send_args),
	DT_FIELD_AS("addNewline", struct send_args, adds_newline, BOOL, 0,
	            "Press Enter behind it.", .def = "true"),
	DT_FIELD_END,
};

struct sent {
	const char *name;
	uint32_t index;
	bool is_sent;
};
static const struct dt_field sent_fields[] = {
	WHICH_FIELDS(struct sent),
	DT_FIELD_AS("sent", struct sent, is_sent, BOOL, DT_REQ,
	            "It was typed."),
	DT_FIELD_END,
};

static void on_sent(struct dt_call *call, const void *result)
{
	const struct dt_terminal_info *info = result;
	struct sent sent = { info->name, info->index, true };

	dt_call_reply_result(call, &sent);
}

static void send_command(struct dt_call *call, const void *args)
{
	const struct send_args *wanted = args;
	struct dt_send_terminal_args send = {
		.target = target_of(wanted->name, wanted->index),
		.text = wanted->text,
		.adds_newline = wanted->adds_newline,
	};

	dt_call_perform(call, &dt_op_send_terminal, &send, on_sent);
}

/* executeInTerminal */

struct execute_args {
	const char *command;
	const char *name;
	struct dt_maybe_u32 index;
	struct dt_maybe_u32 timeout_ms;
};
static const struct dt_field execute_args[] = {
	DT_FIELD(struct execute_args, command, NAME, DT_REQ,
	         "One line for the shell of the terminal."),
	DT_FIELD(struct execute_args, name, NAME, 0, "Name of the terminal."),
	DT_FIELD(struct execute_args, index, MAYBE_U32, 0,
	         "Its number, instead of the name. Neither: the one you used "
	         "last, or a new one."),
	DT_FIELD_AS("timeoutMs", struct execute_args, timeout_ms, MAYBE_U32, 0,
	            "Milliseconds to wait for its end, 590000 at most; absent: "
	            "60000. It runs on when they are over."),
	DT_FIELD_END,
};

struct executed {
	const char *name;
	uint32_t index;
	struct dt_maybe_u32 exit_code;
	struct dt_str output;
	uint32_t took_ms;
	bool is_late;
	bool is_cut;
	bool has_ended;
	const char *note;
};
static const struct dt_field executed_fields[] = {
	WHICH_FIELDS(struct executed),
	DT_FIELD_AS("exitCode", struct executed, exit_code, MAYBE_U32, DT_OMIT,
	            "The command's exit code; absent while it runs."),
	DT_FIELD(struct executed, output, STR, DT_REQ,
	         "What it printed, as plain text; stdout and stderr are one in "
	         "a terminal."),
	DT_FIELD_AS("durationMs", struct executed, took_ms, U32, DT_REQ,
	            "How long was waited."),
	DT_FIELD_AS("timedOut", struct executed, is_late, BOOL, DT_REQ,
	            "The time was over, and it still runs."),
	DT_FIELD_AS("truncated", struct executed, is_cut, BOOL, DT_REQ,
	            "The beginning of the output is left out."),
	DT_FIELD_AS("ended", struct executed, has_ended, BOOL, DT_OMIT,
	            "The shell ended with it, and so did the terminal."),
	DT_FIELD(struct executed, note, NAME, DT_OMIT, "What else to know."),
	DT_FIELD_END,
};

static const char *note_of(const struct dt_execute_terminal_result *ran)
{
	if (ran->is_late)
		return "It still runs: waitForTerminalOutput waits for a line "
		       "of it, sendTerminalCommand with \\u0003 and addNewline "
		       "false interrupts it.";
	if (ran->has_ended)
		return "The shell has ended; createTerminal makes another one.";
	if (ran->is_cut)
		return "Only the end of the output is kept; have it print "
		       "less, or into a file, to see the rest.";
	return NULL;
}

static void on_executed(struct dt_call *call, const void *result)
{
	const struct dt_execute_terminal_result *ran = result;
	struct executed executed = {
		.name = ran->name,
		.index = ran->index,
		.exit_code = ran->exit_code,
		.output = ran->output,
		.took_ms = ran->took_ms,
		.is_late = ran->is_late,
		.is_cut = ran->is_cut,
		.has_ended = ran->has_ended,
		.note = note_of(ran),
	};

	dt_call_reply_result(call, &executed);
}

static void execute(struct dt_call *call, const void *args)
{
	const struct execute_args *wanted = args;
	struct dt_execute_terminal_args execute = {
		.target = target_of(wanted->name, wanted->index),
		.command = wanted->command,
		.timeout_ms = wanted->timeout_ms,
	};

	if (check_timeout(call, wanted->timeout_ms))
		dt_call_perform(call, &dt_op_execute_in_terminal, &execute,
		                on_executed);
}

/* getTerminalOutput */

struct output_args {
	const char *name;
	struct dt_maybe_u32 index;
	uint32_t lines;
};
static const struct dt_field output_args[] = {
	TARGET_FIELDS(struct output_args),
	DT_FIELD(struct output_args, lines, U32, 0,
	         "How many of the last lines, 1 to 5000.", .def = "100"),
	DT_FIELD_END,
};

struct output {
	const char *name;
	uint32_t index;
	struct dt_str output;
	uint32_t lines;
	bool is_cut;
	const char *state;
	struct dt_maybe_u32 exit_code;
};
static const struct dt_field output_fields[] = {
	WHICH_FIELDS(struct output),
	DT_FIELD(struct output, output, STR, DT_REQ,
	         "The lines, as plain text."),
	DT_FIELD(struct output, lines, U32, DT_REQ, "How many these are."),
	DT_FIELD_AS("truncated", struct output, is_cut, BOOL, DT_REQ,
	            "There was more above; up to 5,000 lines and 1 MiB are "
	            "kept, and 256 KiB told at once."),
	DT_FIELD(struct output, state, NAME, DT_REQ,
	         "\"starting\", \"ready\", \"busy\" or \"ended\"."),
	DT_FIELD_AS("exitCode", struct output, exit_code, MAYBE_U32, DT_OMIT,
	            "Of a shell that has ended."),
	DT_FIELD_END,
};

static void on_output(struct dt_call *call, const void *result)
{
	const struct dt_terminal_output_result *found = result;
	struct output output = {
		.name = found->terminal.name,
		.index = found->terminal.index,
		.output = found->output,
		.lines = found->lines,
		.is_cut = found->is_cut,
		.state = dt_terminal_states[found->terminal.state],
		.exit_code = found->terminal.exit_code,
	};

	dt_call_reply_result(call, &output);
}

static void get_output(struct dt_call *call, const void *args)
{
	const struct output_args *wanted = args;
	struct dt_terminal_output_args output = {
		.target = target_of(wanted->name, wanted->index),
		.lines = { true, wanted->lines },
	};

	if (wanted->lines == 0 || wanted->lines > LINES_MAX)
		dt_call_failf(call, DT_E_ARGS, "lines: %u is not from 1 to %u",
		              wanted->lines, LINES_MAX);
	else
		dt_call_perform(call, &dt_op_get_terminal_output, &output,
		                on_output);
}

/* waitForTerminalOutput */

struct wait_args {
	const char *pattern;
	const char *name;
	struct dt_maybe_u32 index;
	struct dt_maybe_u32 timeout_ms;
};
static const struct dt_field wait_args[] = {
	DT_FIELD(struct wait_args, pattern, NAME, DT_REQ,
	         "A regular expression (PCRE2), held against each line."),
	TARGET_FIELDS(struct wait_args),
	DT_FIELD_AS("timeoutMs", struct wait_args, timeout_ms, MAYBE_U32, 0,
	            "Milliseconds to wait, 590000 at most; absent: 30000."),
	DT_FIELD_END,
};

struct waited {
	const char *name;
	uint32_t index;
	bool is_matched;
	struct dt_str line;
	uint32_t took_ms;
	bool is_late;
	bool has_ended;
};
static const struct dt_field waited_fields[] = {
	WHICH_FIELDS(struct waited),
	DT_FIELD_AS("matched", struct waited, is_matched, BOOL, DT_REQ,
	            "A line matched."),
	DT_FIELD_AS("matchedLine", struct waited, line, STR, DT_OMIT,
	            "That line."),
	DT_FIELD_AS("elapsed", struct waited, took_ms, U32, DT_REQ,
	            "Milliseconds that were waited."),
	DT_FIELD_AS("timedOut", struct waited, is_late, BOOL, DT_REQ,
	            "The time was over before there was one."),
	DT_FIELD_AS("ended", struct waited, has_ended, BOOL, DT_OMIT,
	            "The shell ended before there was one."),
	DT_FIELD_END,
};

static void on_waited(struct dt_call *call, const void *result)
{
	const struct dt_wait_terminal_result *wait = result;
	struct waited waited = {
		.name = wait->name,
		.index = wait->index,
		.is_matched = wait->is_matched,
		.line = wait->line,
		.took_ms = wait->took_ms,
		.is_late = wait->is_late,
		.has_ended = wait->has_ended,
	};

	dt_call_reply_result(call, &waited);
}

static void wait_output(struct dt_call *call, const void *args)
{
	const struct wait_args *wanted = args;
	struct dt_wait_terminal_args wait = {
		.target = target_of(wanted->name, wanted->index),
		.pattern = wanted->pattern,
		.timeout_ms = wanted->timeout_ms,
	};

	if (check_timeout(call, wanted->timeout_ms))
		dt_call_perform(call, &dt_op_wait_terminal_output, &wait,
		                on_waited);
}

/* disposeTerminal */

static const struct dt_field dispose_args[] = {
	TARGET_FIELDS(struct dt_terminal_target),
	DT_FIELD_END,
};

struct disposed {
	const char *name;
	uint32_t index;
	bool is_disposed;
};
static const struct dt_field disposed_fields[] = {
	WHICH_FIELDS(struct disposed),
	DT_FIELD_AS("disposed", struct disposed, is_disposed, BOOL, DT_REQ,
	            "It is gone."),
	DT_FIELD_END,
};

static void on_disposed(struct dt_call *call, const void *result)
{
	const struct dt_dispose_terminal_result *gone = result;
	struct disposed disposed = { gone->name, gone->index, true };

	dt_call_reply_result(call, &disposed);
}

static void dispose(struct dt_call *call, const void *args)
{
	dt_call_perform(call, &dt_op_dispose_terminal, args, on_disposed);
}

static const struct dt_tool tools[] = {
	{
		.name = "listTerminals",
		.title = "List terminals",
		.doc = "Your terminals and those the person shares with you: "
		       "name, number, folder, shell, and whether a command "
		       "runs in it.",
		.args = DT_SHAPE_EMPTY,
		.result = DT_SHAPE(struct dt_list_terminals_result,
	                           dt_list_terminals_result_fields),
		.effect = DT_READS,
		.needs = &dt_op_list_terminals,
		.flags = DT_TOOL_EXTRA,
		.deadline_ms = LOOK_MS,
		.run = list_terminals,
	},
	{
		.name = "createTerminal",
		.title = "Open a terminal",
		.doc = "Start the person's shell in a new terminal, which "
		       "stays until disposeTerminal or the end of your "
		       "session; at most 10. Use it for what keeps state or "
		       "runs on, such as a server. The person can look in "
		       "and type too. For one command and its output "
		       "runCommand is enough.",
		.args = DT_SHAPE(struct create_args, create_args),
		.result = DT_SHAPE(struct dt_terminal_info,
	                           dt_terminal_info_fields),
		.effect = DT_RUNS,
		.needs = &dt_op_create_terminal,
		.flags = DT_TOOL_ADDS,
		.deadline_ms = LOOK_MS,
		.run = create_terminal,
	},
	{
		.name = "sendTerminalCommand",
		.title = "Type into a terminal",
		.doc = "Type text into a terminal and return at once; "
		       "waitForTerminalOutput or getTerminalOutput tell what "
		       "comes of it. For a command whose end and exit code "
		       "matter use executeInTerminal. Plain commands of "
		       "allowed programs, and \\u0003 or \\u001c to end one, "
		       "are typed at once; anything else waits for the "
		       "person's verdict first, which may take long.",
		.args = DT_SHAPE(struct send_args, send_args),
		.result = DT_SHAPE(struct sent, sent_fields),
		.effect = DT_RUNS,
		.needs = &dt_op_send_terminal,
		.flags = DT_TOOL_EXTRA,
		.run = send_command,
	},
	{
		.name = "executeInTerminal",
		.title = "Run a command in a terminal",
		.doc = "Run a line in the shell of a terminal and wait for its "
		       "end: true exit code and output as plain text. The "
		       "shell keeps its folder and variables between "
		       "commands. Without a terminal one is made. A "
		       "program that the person has not allowed, and a line "
		       "with pipes, quotes and the like, wait for the "
		       "person's verdict first, which may take long.",
		.args = DT_SHAPE(struct execute_args, execute_args),
		.result = DT_SHAPE(struct executed, executed_fields),
		.effect = DT_RUNS,
		.needs = &dt_op_execute_in_terminal,
		.run = execute,
	},
	{
		.name = "getTerminalOutput",
		.title = "Read a terminal",
		.doc = "The last lines of a terminal as plain text, without "
		       "colours; full-screen programs leave none. Also of one "
		       "whose shell has ended.",
		.args = DT_SHAPE(struct output_args, output_args),
		.result = DT_SHAPE(struct output, output_fields),
		.effect = DT_READS,
		.needs = &dt_op_get_terminal_output,
		.deadline_ms = LOOK_MS,
		.run = get_output,
	},
	{
		.name = "waitForTerminalOutput",
		.title = "Wait for a line in a terminal",
		.doc = "Wait until a line matches, of those that were printed "
		       "since something was typed last; one without end, such "
		       "as a prompt, counts. Use it to know that a server is "
		       "up. timedOut says that there was none.",
		.args = DT_SHAPE(struct wait_args, wait_args),
		.result = DT_SHAPE(struct waited, waited_fields),
		.effect = DT_READS,
		.needs = &dt_op_wait_terminal_output,
		.flags = DT_TOOL_EXTRA,
		.deadline_ms = RUN_MS,
		.run = wait_output,
	},
	{
		.name = "disposeTerminal",
		.title = "Close a terminal",
		.doc = "End a terminal and all that was started in it.",
		.args = DT_SHAPE(struct dt_terminal_target, dispose_args),
		.result = DT_SHAPE(struct disposed, disposed_fields),
		.effect = DT_RUNS,
		.needs = &dt_op_dispose_terminal,
		.flags = DT_TOOL_EXTRA,
		.deadline_ms = LOOK_MS,
		.run = dispose,
	},
};

const struct dt_tool_group dt_tools_terminal = {
	.name = "terminal",
	.doc = "Terminals that stay, which the person can look into.",
	.tools = tools,
	.count = sizeof(tools) / sizeof(tools[0]),
};
