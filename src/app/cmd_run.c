/* app/cmd_run.c - dovetail run: an agent that finds us at once. */
#include "app/child.h"
#include "app/claude_settings.h"
#include "app/command.h"
#include "app/daemon_start.h"
#include "app/environment.h"
#include "app/folder.h"
#include "app/text.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/path.h"
#include "base/sha256.h"
#include "hub/coverage.h"
#include "hub/dirs.h"
#include "loop/mark.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

struct options {
	const char *workspace;
	bool has_no_hook;
};

static const struct dt_option options_table[] = {
	DT_OPTION(struct options, workspace, TEXT,
	          "the folder to serve; default: this one's workspace",
	          .name = "workspace", .value = "DIR"),
	DT_OPTION(struct options, has_no_hook, FLAG,
	          "review only what the CLI itself asks about",
	          .name = "no-hook"),
	DT_OPTION_END,
};

/* Whether the person chose how the CLI asks for permission. */
static bool has_mode(char *const *args)
{
	for (; *args; args++) {
		if (dt_str_starts(dt_str(*args), DT_STR("--permission-mode")) ||
		    !strcmp(*args, "--dangerously-skip-permissions"))
			return true;
	}
	return false;
}

static void tell(const struct options *options, char *const *args)
{
	if (!isatty(STDERR_FILENO))
		return;
	fputs("Decide changes in another terminal: dovetail review", stderr);
	if (options->has_no_hook && !has_mode(args))
		fputs(" (auto mode never asks; `-- --permission-mode default` "
		      "does)",
		      stderr);
	fputs("\n" DT_COVERAGE_SHELL "\n", stderr);
}

/* A repository's settings can do that, and nobody would notice. */
static void warn_of_disabled(const struct options *options,
                             struct dt_arena *arena)
{
	struct dt_coverage_place place = {
		.config = getenv("CLAUDE_CONFIG_DIR"),
		.home = getenv("HOME"),
	};
	const char *file = NULL;

	if (options->has_no_hook || !place.home ||
	    dt_folder_find(arena, NULL, &place.folder, NULL))
		return;
	file = dt_coverage_disabled_by(arena, &place);
	if (file)
		fprintf(stderr,
		        "dovetail: %s turns hooks off, so only what the CLI "
		        "itself asks about is reviewed\n",
		        dt_text_safe(arena, file));
}

static void set_environment(struct dt_arena *arena, unsigned port,
                            bool has_hook)
{
	const char *lower = getenv("no_proxy");
	const char *upper = getenv("NO_PROXY");
	const char *new_lower = dt_environment_no_proxy(arena, lower, upper);
	const char *new_upper = dt_environment_no_proxy(arena, upper, lower);

	setenv("CLAUDE_CODE_SSE_PORT", dt_arena_printf(arena, "%u", port), 1);
	setenv("ENABLE_IDE_INTEGRATION", "true", 1); /* older CLIs want it */
	setenv(DT_MARK_AGENT, "claude", 1);
	/* The CLI takes our place, so our process is its. */
	setenv(DT_COVERAGE_VARIABLE,
	       dt_arena_printf(arena, "%s:%d", has_hook ? "run" : "off",
	                       (int)getpid()),
	       1);
	setenv("no_proxy", new_lower, 1);
	setenv("NO_PROXY", new_upper, 1);
}

/* The words for the CLI: all of the person's but --settings, which is taken out
 * so that it can be merged. */
struct words {
	char **argv;          /* room for WORDS_BEFORE, then the person's */
	const char *settings; /* JSON or the name of a file; NULL: none given */
};

#define WORDS_BEFORE 3 /* the program, --settings and its value */

static void take_words(struct words *words, char *const *args,
                       struct dt_arena *arena)
{
	size_t count = 0;
	size_t kept = WORDS_BEFORE;
	bool has_options = true;

	while (args[count])
		count++;
	words->argv = dt_arena_alloc(arena, (WORDS_BEFORE + count + 1) *
	                                            sizeof(char *));
	for (size_t i = 0; i < count; i++) {
		if (!strcmp(args[i], "--"))
			has_options = false;
		if (has_options && !strcmp(args[i], "--settings") &&
		    args[i + 1])
			words->settings = args[++i];
		else if (has_options &&
		         dt_str_starts(dt_str(args[i]), DT_STR("--settings=")))
			words->settings = args[i] + strlen("--settings=");
		else
			words->argv[kept++] = args[i];
	}
}

/* What the CLI takes for JSON, not for the name of a file. */
static bool is_json(const char *settings)
{
	return settings[strspn(settings, " \t\r\n")] == '{';
}

/* What was a file stays one: all may read a command line, and it is short.  The
 * same file of the person's is the same of ours, so they do not pile up. */
static enum dt_err write_private(const char *given, struct dt_str text,
                                 struct dt_arena *arena, char **out,
                                 struct dt_fail *fail)
{
	char digest[DT_SHA256_TEXT];
	struct dt_dirs dirs = { 0 };
	const char *real;
	enum dt_err err = dt_path_real(arena, given, &real, fail);

	if (!err)
		err = dt_dirs_find(arena, &dirs, fail);
	if (!err)
		err = dt_file_private_dir(dirs.run, fail);
	if (err)
		return err;
	dt_sha256_hex(real, strlen(real), digest);
	*out = dt_arena_printf(arena, "%s/settings-%.16s.json", dirs.run,
	                       digest);
	return dt_file_write(*out, text, 0600, fail);
}

/* The settings that were given, with our hook: JSON or the name of a file. */
static enum dt_err merge(const struct words *words, struct dt_arena *arena,
                         char **out, struct dt_fail *fail)
{
	struct dt_str merged = { 0 };
	struct dt_buf given;
	bool is_file = words->settings && !is_json(words->settings);
	enum dt_err err = DT_E_OK;

	dt_buf_init(&given, DT_MIB);
	if (words->settings && !is_file)
		dt_buf_add_z(&given, words->settings);
	else if (is_file)
		err = dt_file_read(words->settings, &given, fail);
	if (!err)
		err = dt_claude_settings_add(arena, dt_buf_str(&given),
		                             dt_claude_settings_command(arena),
		                             &merged, fail);
	if (!err && is_file)
		err = write_private(words->settings, merged, arena, out, fail);
	else if (!err)
		*out = dt_arena_strndup(arena, merged.ptr, merged.len);
	dt_buf_done(&given);
	return err;
}

/* Our settings come first, since behind "--" nothing is an option.  The
 * program's name belongs at words->argv[0] afterwards. */
static enum dt_err add_hook(struct words *words, bool has_no_hook,
                            struct dt_arena *arena, struct dt_fail *fail)
{
	char *settings =
		has_no_hook ? dt_arena_strdup(arena, words->settings) : NULL;
	enum dt_err err =
		has_no_hook ? DT_E_OK : merge(words, arena, &settings, fail);

	if (settings) {
		words->argv[1] = dt_arena_strdup(arena, "--settings");
		words->argv[2] = settings;
	} else {
		words->argv += WORDS_BEFORE - 1;
	}
	return err;
}

static enum dt_err become_claude(struct words *words, struct dt_fail *fail)
{
	const char *named = getenv("DOVETAIL_CLAUDE");
	char claude[] = "claude";

	words->argv[0] = named && *named ? (char *)(uintptr_t)named : claude;
	dt_child_become(words->argv);
	if (errno == ENOENT && named && *named)
		return dt_fail(fail, DT_E_MISSING,
		               "DOVETAIL_CLAUDE names %s, which is not there",
		               named);
	if (errno == ENOENT)
		return dt_fail(fail, DT_E_MISSING,
		               "claude is not installed; `npm install -g "
		               "@anthropic-ai/claude-code` installs it");
	return dt_fail_sys(fail, "cannot run claude");
}

static enum dt_err run(const void *opts, char *const *args,
                       struct dt_fail *fail)
{
	const struct options *options = opts;
	struct dt_workspace_info info = { 0 };
	struct words words = { 0 };
	struct dt_arena arena = { 0 };
	struct dt_remote *remote;
	enum dt_err err;

	if (strcmp(args[0], "claude") != 0)
		return dt_fail(fail, DT_E_ARGS,
		               "cannot run \"%s\"; there is `dovetail run "
		               "claude`",
		               args[0]);
	err = dt_daemon_reach(&remote, fail);
	if (err)
		return err;
	err = dt_folder_serve(remote, options->workspace, &arena, &info, fail);
	dt_remote_free(remote);
	take_words(&words, args + 1, &arena);
	if (!err)
		err = add_hook(&words, options->has_no_hook, &arena, fail);
	if (!err) {
		set_environment(&arena, info.port, !options->has_no_hook);
		tell(options, args + 1);
		warn_of_disabled(options, &arena);
		err = become_claude(&words, fail);
	}
	dt_arena_done(&arena);
	return err;
}

const struct dt_command dt_cmd_run = {
	.name = "run",
	.args = "claude [-- ARGS...]",
	.summary = "Start an agent that is connected",
	.doc = "Start Claude Code in this folder, connected to Dovetail. The "
	       "daemon is started\nwhen it does not run. What follows -- goes to "
	       "the CLI.",
	.options = options_table,
	.options_size = sizeof(struct options),
	.min_args = 1,
	.max_args = DT_ARGS_ANY,
	.run = run,
};
