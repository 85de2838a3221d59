/*
 * tool/run_tools.c - commands and tests, run without a shell.
 *
 * A command that the person has not allowed waits for a verdict first, so these
 * tools have no deadline of their own: the time limit counts from the start of
 * the program.
 */
#include "tool/run_tools.h"

#include "base/limits.h"
#include "base/path.h"
#include "base/utf8.h"
#include "editor/run.h"
#include "tool/call.h"
#include "tool/test_report.h"

#define COMMAND_MAX_MS 600000
#define TESTS_MS 300000
#define TAIL_BYTES (16u * DT_KIB) /* of an output nobody understood */

/* runCommand */

static const struct dt_field command_args[] = {
	DT_FIELD(struct dt_run_command_args, command, NAME, DT_REQ,
	         "Name of the program, looked for on PATH; no shell."),
	DT_FIELD(struct dt_run_command_args, args, NAMES, 0,
	         "Its arguments, one string each."),
	DT_FIELD(struct dt_run_command_args, cwd, NAME, 0,
	         "Folder of the workspace to run in; absent: the main one. "
	         "Relative paths are taken from that one."),
	DT_FIELD_AS("timeout", struct dt_run_command_args, timeout_ms,
	            MAYBE_U32, 0,
	            "Milliseconds after which it is ended, 600000 at most; "
	            "absent: 60000."),
	DT_FIELD_END,
};

struct ran {
	int64_t exit_code;
	const char *signal;
	struct dt_str out;
	struct dt_str err;
	uint32_t took_ms;
	bool is_late;
	bool is_cut;
	bool is_out_cut;
	bool is_err_cut;
	uint32_t max_bytes;
	uint32_t left_running;
	const char *note;
};
static const struct dt_field ran_fields[] = {
	DT_FIELD_AS("exitCode", struct ran, exit_code, I64, DT_REQ,
	            "Its exit code; 128 + N when signal N ended it."),
	DT_FIELD(struct ran, signal, NAME, DT_OMIT,
	         "The signal that ended it."),
	DT_FIELD_AS("stdout", struct ran, out, STR, DT_REQ, "What it printed."),
	DT_FIELD_AS("stderr", struct ran, err, STR, DT_REQ,
	            "What it printed as errors."),
	DT_FIELD_AS("durationMs", struct ran, took_ms, U32, DT_REQ,
	            "How long it ran."),
	DT_FIELD_AS("timedOut", struct ran, is_late, BOOL, DT_REQ,
	            "It was ended because its time was over."),
	DT_FIELD_AS("truncated", struct ran, is_cut, BOOL, DT_REQ,
	            "The middle of an output is left out."),
	DT_FIELD_AS("stdoutTruncated", struct ran, is_out_cut, BOOL, DT_OMIT,
	            "The middle of stdout is left out."),
	DT_FIELD_AS("stderrTruncated", struct ran, is_err_cut, BOOL, DT_OMIT,
	            "The middle of stderr is left out."),
	DT_FIELD_AS("maxBytes", struct ran, max_bytes, U32, DT_OMIT,
	            "How much of each output is kept."),
	DT_FIELD_AS("leftRunning", struct ran, left_running, U32, DT_OMIT,
	            "Processes it started that have left it and still run."),
	DT_FIELD(struct ran, note, NAME, DT_OMIT, "What else to know."),
	DT_FIELD_END,
};

static const char *note_of(struct dt_call *call,
                           const struct dt_run_command_result *result)
{
	const struct dt_run_command_args *args = call->args;

	if (result->is_late)
		return dt_arena_printf(
			call->arena,
			"It was ended after %u ms with all it had started; a "
			"longer timeout lets it run on.",
			args->timeout_ms.is_set ? args->timeout_ms.value
						: DT_COMMAND_MS);
	if (result->left_running)
		return "It left processes behind that are not in its group: "
		       "they go on.";
	if (result->is_out_cut || result->is_err_cut)
		return "Beginning and end of the output are kept; have the "
		       "program print less to see the rest.";
	return NULL;
}

static void on_ran(struct dt_call *call, const void *result)
{
	const struct dt_run_command_result *end = result;
	bool is_cut = end->is_out_cut || end->is_err_cut;
	struct ran ran = {
		.exit_code = end->exit_code,
		.signal = end->signal,
		.out = end->out,
		.err = end->err,
		.took_ms = end->took_ms,
		.is_late = end->is_late,
		.is_cut = is_cut,
		.is_out_cut = end->is_out_cut,
		.is_err_cut = end->is_err_cut,
		.max_bytes = is_cut ? DT_LIMIT_OUTPUT : 0,
		.left_running = end->left_running,
		.note = note_of(call, end),
	};

	dt_call_reply_result(call, &ran);
}

static void run_command(struct dt_call *call, const void *args)
{
	const struct dt_run_command_args *wanted = args;
	struct dt_maybe_u32 timeout = wanted->timeout_ms;

	if (timeout.is_set &&
	    (timeout.value == 0 || timeout.value > COMMAND_MAX_MS))
		dt_call_failf(call, DT_E_ARGS,
		              "timeout: %u is not from 1 to %u milliseconds",
		              timeout.value, COMMAND_MAX_MS);
	else if (!*wanted->command)
		dt_call_failf(call, DT_E_ARGS, "command: empty");
	else
		dt_call_perform(call, &dt_op_run_command, wanted, on_ran);
}

/* runTests */

struct tests_args {
	const char *filter;
	const char *runner;
	const char *cwd;
	struct dt_maybe_u32 timeout_ms;
};
static const struct dt_field tests_args[] = {
	DT_FIELD(struct tests_args, filter, NAME, 0,
	         "Which tests, as the runner takes it: part of a name, or an "
	         "expression; absent: all."),
	DT_FIELD(struct tests_args, runner, NAME, 0,
	         "Which of the runners of the project; absent: the likeliest."),
	DT_FIELD(struct tests_args, cwd, NAME, 0,
	         "Folder of the workspace; absent: the main one."),
	DT_FIELD_AS("timeoutMs", struct tests_args, timeout_ms, MAYBE_U32, 0,
	            "Milliseconds after which it is ended, 1800000 at most; "
	            "absent: 300000."),
	DT_FIELD_END,
};

static const struct dt_field failure_fields[] = {
	DT_FIELD(struct dt_test_failure, name, NAME, DT_REQ, "The test."),
	DT_FIELD(struct dt_test_failure, file, NAME, DT_OMIT,
	         "Absolute path of the file where it failed."),
	DT_FIELD(struct dt_test_failure, line, U32, DT_OMIT, "1-based line."),
	DT_FIELD(struct dt_test_failure, message, NAME, DT_REQ,
	         "What it says."),
	DT_FIELD_END,
};
static const struct dt_shape failure =
	DT_SHAPE(struct dt_test_failure, failure_fields);

struct tested {
	const char *runner;
	const char *command;
	const char *cwd;
	struct dt_names runners;
	bool is_success;
	int64_t exit_code;
	bool is_parsed;
	uint32_t passed;
	uint32_t failed;
	uint32_t skipped;
	struct dt_items failures;
	bool is_cut;
	uint32_t took_ms;
	bool is_late;
	struct dt_str output;
	const char *note;
};
static const struct dt_field tested_fields[] = {
	DT_FIELD(struct tested, runner, NAME, DT_REQ, "What ran them."),
	DT_FIELD(struct tested, command, NAME, DT_REQ, "The command."),
	DT_FIELD(struct tested, cwd, NAME, DT_REQ, "Where it ran."),
	DT_FIELD(struct tested, runners, NAMES, DT_REQ,
	         "All runners of this project."),
	DT_FIELD_AS("success", struct tested, is_success, BOOL, DT_REQ,
	            "The runner says that all is well."),
	DT_FIELD_AS("exitCode", struct tested, exit_code, I64, DT_REQ,
	            "The runner's exit code."),
	DT_FIELD_AS("parsed", struct tested, is_parsed, BOOL, DT_REQ,
	            "The output was understood; else the numbers are not known "
	            "and output has its end."),
	DT_FIELD(struct tested, passed, U32, DT_REQ, "How many passed."),
	DT_FIELD(struct tested, failed, U32, DT_REQ,
	         "How many failed, errors included."),
	DT_FIELD(struct tested, skipped, U32, DT_REQ, "How many were skipped."),
	DT_FIELD(struct tested, failures, ITEMS, DT_REQ, "What failed.",
	         .shape = &failure),
	DT_FIELD_AS("truncated", struct tested, is_cut, BOOL, DT_REQ,
	            "There are more failures."),
	DT_FIELD_AS("durationMs", struct tested, took_ms, U32, DT_REQ,
	            "How long it ran."),
	DT_FIELD_AS("timedOut", struct tested, is_late, BOOL, DT_REQ,
	            "It was ended because its time was over."),
	DT_FIELD(struct tested, output, STR, DT_OMIT,
	         "The end of what was printed, where there is nothing better."),
	DT_FIELD(struct tested, note, NAME, DT_OMIT, "What else to know."),
	DT_FIELD_END,
};

/* What is kept from finding the runner to its end. */
struct testing {
	struct dt_test_runner runner;
	struct dt_names names;
};

static struct dt_str tail_of(struct dt_str text)
{
	size_t cut = text.len > TAIL_BYTES ? text.len - TAIL_BYTES : 0;

	/* Not in the middle of a character. */
	while (cut < text.len && ((unsigned char)text.ptr[cut] & 0xc0) == 0x80)
		cut++;
	return (struct dt_str){ text.ptr + cut, text.len - cut };
}

/* Paths as other tools take them. */
static void resolve(struct dt_call *call, struct dt_items *failures,
                    const char *cwd)
{
	struct dt_test_failure *list = failures->ptr;

	for (size_t i = 0; i < failures->count; i++) {
		if (list[i].file)
			list[i].file =
				dt_path_join(call->arena, cwd, list[i].file);
	}
}

static const char *words_of(struct dt_call *call,
                            const struct dt_test_runner *runner)
{
	const char *words;
	struct dt_buf buf;

	dt_buf_init(&buf, DT_LIMIT_MESSAGE);
	dt_run_words(&buf, runner->command, &runner->args);
	words = dt_arena_strdup(call->arena, dt_buf_z(&buf));
	dt_buf_done(&buf);
	return words;
}

static const char *tests_note(const struct dt_call *call,
                              const struct testing *t,
                              const struct dt_run_command_result *end)
{
	const struct tests_args *args = call->args;

	if (end->is_late)
		return "It was ended with all it had started because its time "
		       "was over.";
	if (args->filter && !t->runner.has_filter)
		return "This runner takes no filter: all tests ran.";
	return NULL;
}

static void on_tested(struct dt_call *call, const void *result)
{
	const struct dt_run_command_result *end = result;
	const struct testing *t = call->state;
	struct dt_test_report report;
	struct tested tested = {
		.runner = t->runner.name,
		.command = words_of(call, &t->runner),
		.cwd = end->cwd,
		.runners = t->names,
		.is_success = end->exit_code == 0,
		.exit_code = end->exit_code,
		.took_ms = end->took_ms,
		.is_late = end->is_late,
		.note = tests_note(call, t, end),
	};

	dt_test_report_read(call->arena, t->runner.name, end->out, end->err,
	                    &report);
	resolve(call, &report.failures, end->cwd);
	tested.is_parsed = report.is_known;
	tested.passed = report.passed;
	tested.failed = report.failed;
	tested.skipped = report.skipped;
	tested.failures = report.failures;
	tested.is_cut = report.is_cut;
	if (!report.is_known || (!tested.is_success && report.failed == 0))
		tested.output = tail_of(end->out.len ? end->out : end->err);
	dt_call_reply_result(call, &tested);
}

static struct dt_names copy_names(struct dt_arena *arena,
                                  const struct dt_names *names)
{
	struct dt_names copy = {
		.ptr = dt_arena_alloc(arena,
		                      (names->count + 1) * sizeof(char *)),
		.count = names->count,
	};

	for (size_t i = 0; i < names->count; i++)
		copy.ptr[i] = dt_arena_strdup(arena, names->ptr[i]);
	return copy;
}

static void on_runners(struct dt_call *call, const void *result)
{
	const struct dt_find_tests_result *found = result;
	const struct dt_test_runner *runners = found->runners.ptr;
	const struct tests_args *wanted = call->args;
	struct testing *t = dt_arena_alloc(call->arena, sizeof(*t));
	struct dt_run_command_args run = { .timeout_ms = { true, TESTS_MS } };
	const char *names = "";

	t->names.ptr = dt_arena_alloc(call->arena, (found->runners.count + 1) *
	                                                   sizeof(char *));
	for (size_t i = 0; i < found->runners.count; i++) {
		const char *name =
			dt_arena_strdup(call->arena, runners[i].name);

		t->names.ptr[t->names.count++] = name;
		names = dt_arena_printf(call->arena, "%s%s%s", names,
		                        i ? ", " : "", name);
		if (run.command ||
		    (wanted->runner && strcmp(wanted->runner, name) != 0))
			continue;
		t->runner = runners[i];
		t->runner.name = name;
		run.command = t->runner.command =
			dt_arena_strdup(call->arena, runners[i].command);
		run.args = t->runner.args =
			copy_names(call->arena, &runners[i].args);
		run.cwd = dt_arena_strdup(call->arena, runners[i].cwd);
	}
	if (wanted->timeout_ms.is_set)
		run.timeout_ms = wanted->timeout_ms;
	call->state = t;
	if (found->runners.count == 0)
		dt_call_failf(call, DT_E_MISSING,
		              "No tests of a known kind were found here: say "
		              "in cwd where they are, or run them with "
		              "runCommand.");
	else if (!run.command)
		dt_call_failf(call, DT_E_ARGS,
		              "runner: this project has %s, not %s", names,
		              wanted->runner);
	else
		dt_call_perform(call, &dt_op_run_command, &run, on_tested);
}

static void run_tests(struct dt_call *call, const void *args)
{
	const struct tests_args *wanted = args;
	struct dt_maybe_u32 timeout = wanted->timeout_ms;
	struct dt_find_tests_args find = { .cwd = wanted->cwd,
		                           .filter = wanted->filter };

	if (timeout.is_set &&
	    (timeout.value == 0 || timeout.value > DT_LIMIT_COMMAND_MS))
		dt_call_failf(call, DT_E_ARGS,
		              "timeoutMs: %u is not from 1 to %u milliseconds",
		              timeout.value, DT_LIMIT_COMMAND_MS);
	else
		dt_call_perform(call, &dt_op_find_tests, &find, on_runners);
}

static const struct dt_tool tools[] = {
	{
		.name = "runCommand",
		.title = "Run a command",
		.doc = "Run a program in the workspace and wait for its end: "
		       "exit code, stdout and stderr. No shell: no pipes, "
		       "globs or variables, and one argument per string. "
		       "There is nothing to read on stdin. A program that the "
		       "person has not allowed, and a command that discards "
		       "work or history, writes files from elsewhere, leads "
		       "out of the workspace or runs something else, wait for "
		       "the person's verdict first, which may take long.",
		.args = DT_SHAPE(struct dt_run_command_args, command_args),
		.result = DT_SHAPE(struct ran, ran_fields),
		.effect = DT_RUNS,
		.needs = &dt_op_run_command,
		.run = run_command,
	},
	{
		.name = "runTests",
		.title = "Run the tests",
		.doc = "Find out how this project runs its tests (pytest, "
		       "unittest, cargo, go, vitest, jest, npm scripts, meson, "
		       "ctest, make check or test), run them, and tell how many "
		       "passed, failed and were skipped, and of each failure "
		       "its file, line and message. A runner that the person "
		       "has not allowed waits for the person's verdict first, "
		       "which may take long, and so do tests whose "
		       "configuration (package.json, conftest.py, Makefile "
		       "...) the person has not seen as it is.",
		.args = DT_SHAPE(struct tests_args, tests_args),
		.result = DT_SHAPE(struct tested, tested_fields),
		.effect = DT_RUNS,
		.needs = &dt_op_run_command,
		.run = run_tests,
	},
};

const struct dt_tool_group dt_tools_run = {
	.name = "run",
	.doc = "Commands and tests, run where the person allows it.",
	.tools = tools,
	.count = sizeof(tools) / sizeof(tools[0]),
};
