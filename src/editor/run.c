/*
 * editor/run.c - shapes of what is run, and commands put into words.
 *
 * A person decides by the words, so two commands that differ are never written
 * alike, and nothing in them looks like something else.
 */
#include "editor/run.h"

#include "base/path.h"
#include "base/visible.h"

#define TIMEOUT_DOC "Milliseconds after which it is ended."

const struct dt_field dt_run_command_args_fields[] = {
	DT_FIELD(struct dt_run_command_args, command, NAME, DT_REQ,
	         "The program."),
	DT_FIELD(struct dt_run_command_args, args, NAMES, DT_OMIT,
	         "Its arguments."),
	DT_FIELD(struct dt_run_command_args, cwd, NAME, DT_OMIT,
	         "Where it runs; absent: the main folder."),
	DT_FIELD_AS("timeoutMs", struct dt_run_command_args, timeout_ms,
	            MAYBE_U32, DT_OMIT, TIMEOUT_DOC),
	DT_FIELD_END,
};

const struct dt_field dt_run_command_result_fields[] = {
	DT_FIELD(struct dt_run_command_result, program, PATH, DT_REQ,
	         "The file that was run."),
	DT_FIELD(struct dt_run_command_result, cwd, PATH, DT_REQ,
	         "Where it ran."),
	DT_FIELD_AS("exitCode", struct dt_run_command_result, exit_code, I64,
	            DT_REQ, "128 + N when signal N ended it."),
	DT_FIELD(struct dt_run_command_result, signal, NAME, DT_OMIT,
	         "The signal that ended it."),
	DT_FIELD_AS("stdout", struct dt_run_command_result, out, STR, DT_BIG,
	            "What it printed."),
	DT_FIELD_AS("stderr", struct dt_run_command_result, err, STR, DT_BIG,
	            "What it printed as errors."),
	DT_FIELD_AS("stdoutCut", struct dt_run_command_result, is_out_cut, BOOL,
	            0, "The middle of stdout is left out."),
	DT_FIELD_AS("stderrCut", struct dt_run_command_result, is_err_cut, BOOL,
	            0, "The middle of stderr is left out."),
	DT_FIELD_AS("timedOut", struct dt_run_command_result, is_late, BOOL, 0,
	            "It was ended because its time was over."),
	DT_FIELD_AS("tookMs", struct dt_run_command_result, took_ms, U32,
	            DT_REQ, "How long it took."),
	DT_FIELD_AS("leftRunning", struct dt_run_command_result, left_running,
	            U32, DT_OMIT, "Processes it started that live on."),
	DT_FIELD_END,
};

const struct dt_field dt_find_tests_args_fields[] = {
	DT_FIELD(struct dt_find_tests_args, cwd, NAME, DT_OMIT,
	         "The folder; absent: the main one."),
	DT_FIELD(struct dt_find_tests_args, filter, NAME, DT_OMIT,
	         "Which tests; absent: all."),
	DT_FIELD_END,
};

static const struct dt_field runner_fields[] = {
	DT_FIELD(struct dt_test_runner, name, NAME, DT_REQ, "Its name."),
	DT_FIELD(struct dt_test_runner, command, NAME, DT_REQ, "The program."),
	DT_FIELD(struct dt_test_runner, args, NAMES, DT_REQ, "Its arguments."),
	DT_FIELD(struct dt_test_runner, cwd, PATH, DT_REQ, "Where it runs."),
	DT_FIELD(struct dt_test_runner, because, NAME, DT_REQ,
	         "What tells that it is used."),
	DT_FIELD_AS("filtered", struct dt_test_runner, has_filter, BOOL, 0,
	            "The filter is in the command."),
	DT_FIELD_END,
};
static const struct dt_shape runner =
	DT_SHAPE(struct dt_test_runner, runner_fields);

const struct dt_field dt_find_tests_result_fields[] = {
	DT_FIELD(struct dt_find_tests_result, runners, ITEMS, DT_REQ,
	         "The likeliest first.", .shape = &runner),
	DT_FIELD_END,
};

const char *dt_run_cwd(struct dt_arena *arena, const char *main_folder,
                       const char *cwd)
{
	const char *path;

	if (!cwd)
		return main_folder;
	if (!dt_path_from_uri(arena, cwd, &path, NULL))
		cwd = path;
	return dt_path_join(arena, main_folder, cwd);
}

/* commands in words */

static uint32_t next_code(const char **at)
{
	uint32_t code;
	size_t len;

	(void)dt_visible_read(dt_str(*at), &code, &len);
	*at += len;
	return code;
}

static bool has_hidden(const char *word)
{
	while (*word) {
		if (dt_visible_is_hidden(next_code(&word)))
			return true;
	}
	return false;
}

/* $'...', as bash and zsh read it. */
static void print_escaped(struct dt_buf *out, const char *word)
{
	dt_buf_add_z(out, "$'");
	while (*word) {
		const char *start = word;
		uint32_t code = next_code(&word);

		if (code == '\n')
			dt_buf_add_z(out, "\\n");
		else if (code == '\t')
			dt_buf_add_z(out, "\\t");
		else if (dt_visible_is_hidden(code) && code < 0x80)
			dt_buf_addf(out, "\\x%02x", code);
		else if (dt_visible_is_hidden(code))
			dt_buf_addf(out, code > 0xffff ? "\\U%08x" : "\\u%04x",
			            code);
		else if (code == '\'' || code == '\\')
			dt_buf_addf(out, "\\%c", (char)code);
		else
			dt_buf_add(out, start, (size_t)(word - start));
	}
	dt_buf_add_char(out, '\'');
}

static void print_quoted(struct dt_buf *out, const char *word)
{
	dt_buf_add_char(out, '\'');
	for (; *word; word++) {
		if (*word == '\'')
			dt_buf_add_z(out, "'\\''");
		else
			dt_buf_add_char(out, *word);
	}
	dt_buf_add_char(out, '\'');
}

#define PLAIN                                                                  \
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"       \
	"_@%+=:,./-"

static void print_word(struct dt_buf *out, const char *word)
{
	if (has_hidden(word))
		print_escaped(out, word);
	else if (!*word || word[strspn(word, PLAIN)])
		print_quoted(out, word);
	else
		dt_buf_add_z(out, word);
}

void dt_run_words(struct dt_buf *out, const char *command,
                  const struct dt_names *args)
{
	/* A shell would take it for a variable. */
	if (strchr(command, '=') && !has_hidden(command))
		print_quoted(out, command);
	else
		print_word(out, command);
	for (size_t i = 0; i < args->count; i++) {
		dt_buf_add_char(out, ' ');
		print_word(out, args->ptr[i]);
	}
}

void dt_run_line(struct dt_buf *out, const char *line)
{
	if (has_hidden(line) || !strncmp(line, "$'", 2))
		print_escaped(out, line);
	else
		dt_buf_add_z(out, line);
}
