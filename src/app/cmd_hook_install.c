/*
 * app/cmd_hook_install.c - dovetail hook install and uninstall.
 *
 * How a settings file is changed is app/config_file.c's; what is put into it
 * app/claude_settings.c's.
 */
#include "app/cmd_hook.h"

#include "app/claude_settings.h"
#include "app/config_file.h"
#include "hub/coverage.h"

#include <stdlib.h>

struct options {
	bool is_user;
	bool is_project;
	bool is_yes;
};

static const struct dt_option options_table[] = {
	DT_OPTION(struct options, is_user, FLAG,
	          "your own settings, for every folder; the default",
	          .name = "user"),
	DT_OPTION(struct options, is_project, FLAG,
	          "the settings of this folder, .claude/settings.json",
	          .name = "project"),
	DT_OPTION(struct options, is_yes, FLAG, "do not ask", .name = "yes"),
	DT_OPTION_END,
};

/* where it is */

static enum dt_err open_file(struct dt_config_file *f,
                             const struct options *options,
                             struct dt_fail *fail)
{
	const char *config = getenv("CLAUDE_CONFIG_DIR");
	const char *home = getenv("HOME");
	const char *folder;

	if (options->is_user && options->is_project)
		return dt_fail(fail, DT_E_ARGS,
		               "--user and --project are two files: name one");
	if (options->is_project)
		folder = ".claude";
	else if (config && *config)
		folder = config;
	else if (home && *home)
		folder = dt_arena_printf(&f->arena, "%s/.claude", home);
	else
		return dt_fail(fail, DT_E_MISSING, "HOME is not set");
	return dt_config_file_open(
		f, dt_arena_printf(&f->arena, "%s/settings.json", folder),
		fail);
}

/* install */

static enum dt_err install(struct dt_config_file *f,
                           const struct options *options, struct dt_fail *fail)
{
	struct dt_str new_text = { 0 };
	enum dt_err err = open_file(f, options, fail);

	if (!err)
		err = dt_claude_settings_add(
			&f->arena, f->text,
			dt_claude_settings_command(&f->arena), &new_text, fail);
	if (err)
		return err;
	if (f->text.ptr && dt_str_eq(f->text, new_text)) {
		printf("The hook is in %s already.\n", f->path);
		return DT_E_OK;
	}
	err = dt_config_file_agree(f, new_text, options->is_yes, fail);
	if (!err)
		err = dt_config_file_change(f, new_text, fail);
	if (!err)
		printf("Edits of Claude Code are reviewed from now on, also in "
		       "sessions that run: %s\n" DT_COVERAGE_SHELL "\n",
		       f->path);
	return err;
}

/* uninstall */

/* True when the file is what install made of `before`. */
static bool is_made_of(struct dt_config_file *f, struct dt_str before)
{
	struct dt_str made = { 0 };

	return !dt_claude_settings_add(&f->arena, before,
	                               dt_claude_settings_command(&f->arena),
	                               &made, NULL) &&
	       dt_str_eq(made, f->text);
}

/* What an older hook of ours was replaced in has one, too. */
static bool is_without(struct dt_config_file *f, struct dt_str text)
{
	struct dt_str rest = { 0 };

	return !dt_claude_settings_remove(&f->arena, text, &rest, NULL) &&
	       dt_str_eq(rest, text);
}

static enum dt_err text_before(struct dt_config_file *f, struct dt_str *out,
                               struct dt_fail *fail)
{
	if (f->kept.ptr && is_without(f, f->kept) && is_made_of(f, f->kept)) {
		*out = f->kept;
		return DT_E_OK;
	}
	if (!f->kept.ptr && is_made_of(f, (struct dt_str){ 0 }))
		return DT_E_OK;
	return dt_claude_settings_remove(&f->arena, f->text, out, fail);
}

static enum dt_err uninstall(struct dt_config_file *f,
                             const struct options *options,
                             struct dt_fail *fail)
{
	struct dt_str before = { 0 };
	enum dt_err err = open_file(f, options, fail);

	if (!err)
		err = text_before(f, &before, fail);
	if (err)
		return err;
	if (!f->text.ptr || dt_str_eq(f->text, before)) {
		printf("There is no hook of ours in %s.\n", f->path);
		return DT_E_OK;
	}
	err = dt_config_file_agree(f, before, options->is_yes, fail);
	if (!err)
		err = dt_config_file_revert(f, before, fail);
	if (!err)
		printf("The hook is gone from %s\n", f->path);
	return err;
}

/* commands */

typedef enum dt_err change_fn(struct dt_config_file *f,
                              const struct options *options,
                              struct dt_fail *fail);

static enum dt_err run(change_fn *change, const void *options,
                       char *const *args, struct dt_fail *fail)
{
	struct dt_config_file f = { 0 };
	enum dt_err err;

	if (strcmp(args[0], "claude") != 0)
		return dt_fail(fail, DT_E_ARGS,
		               "there is no hook for \"%s\", only for claude",
		               args[0]);
	err = change(&f, options, fail);
	dt_arena_done(&f.arena);
	return err;
}

static enum dt_err run_install(const void *options, char *const *args,
                               struct dt_fail *fail)
{
	return run(install, options, args, fail);
}

static enum dt_err run_uninstall(const void *options, char *const *args,
                                 struct dt_fail *fail)
{
	return run(uninstall, options, args, fail);
}

const struct dt_command dt_cmd_hook_install = {
	.name = "install",
	.args = "claude",
	.summary = "Put the hook into Claude Code's settings",
	.doc = "Show what would change in Claude Code's settings and ask. What was "
	       "there is\nkept beside the file, as "
	       "settings.json.dovetail-backup. `dovetail run claude`\nneeds no "
	       "such thing.",
	.options = options_table,
	.options_size = sizeof(struct options),
	.min_args = 1,
	.max_args = 1,
	.run = run_install,
	.persons = "change which of its edits are reviewed",
};

const struct dt_command dt_cmd_hook_uninstall = {
	.name = "uninstall",
	.args = "claude",
	.summary = "Take the hook out of Claude Code's settings",
	.doc = "Settings that nobody changed since get back every byte they had "
	       "before; from\nothers only the hook is taken.",
	.options = options_table,
	.options_size = sizeof(struct options),
	.min_args = 1,
	.max_args = 1,
	.run = run_uninstall,
	.persons = "change which of its edits are reviewed",
};
