/*
 * app/cmd_hook_install.c - dovetail hook install and uninstall.
 *
 * The person sees the change of the settings and agrees to it.  What was there
 * before is kept beside the file, and comes back to the byte when nobody changed
 * the file in between.
 */
#include "app/cmd_hook.h"

#include "app/claude_settings.h"
#include "app/diff.h"
#include "app/terminal.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/path.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* A settings file; ptr NULL in a text: there is none. */
struct file {
	struct dt_arena arena;
	const char *path; /* links resolved, so that they stay */
	const char *backup;
	mode_t mode;
	struct dt_str text;
	struct dt_str kept; /* in the backup */
};

/* where it is */

/* Follow links; a folder that is not there has none. */
static enum dt_err resolve(struct file *f, struct dt_fail *fail)
{
	struct dt_fail why = { 0 };
	const char *real;
	char *here = NULL;

	if (!dt_path_real(&f->arena, f->path, &real, &why)) {
		f->path = real;
		return DT_E_OK;
	}
	if (why.code != DT_E_MISSING)
		return dt_fail(fail, why.code, "%s", why.msg);
	if (!dt_path_is_absolute(f->path)) {
		here = realpath(".", NULL);
		f->path = dt_path_join(&f->arena, here ? here : "/", f->path);
		free(here);
	}
	return DT_E_OK;
}

static enum dt_err find_path(struct file *f, const struct options *options,
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
	f->path = dt_arena_printf(&f->arena, "%s/settings.json", folder);
	return resolve(f, fail);
}

static enum dt_err read_text(struct file *f, const char *path,
                             struct dt_str *out, struct dt_fail *fail)
{
	struct dt_fail why = { 0 };
	struct dt_buf text;
	enum dt_err err;

	dt_buf_init(&text, DT_MIB);
	err = dt_file_read(path, &text, &why);
	if (!err)
		*out = (struct dt_str){ dt_arena_strndup(&f->arena, text.ptr,
			                                 text.len),
			                text.len };
	dt_buf_done(&text);
	if (err && err != DT_E_MISSING)
		return dt_fail(fail, err, "%s", why.msg);
	return DT_E_OK;
}

static enum dt_err open_file(struct file *f, const struct options *options,
                             struct dt_fail *fail)
{
	struct stat st;
	enum dt_err err = find_path(f, options, fail);

	if (err)
		return err;
	f->backup = dt_arena_printf(&f->arena, "%s.dovetail-backup", f->path);
	f->mode = stat(f->path, &st) ? 0600 : st.st_mode & 0777;
	err = read_text(f, f->path, &f->text, fail);
	if (!err)
		err = read_text(f, f->backup, &f->kept, fail);
	return err;
}

/* asking */

static enum dt_err show(struct file *f, struct dt_str new_text,
                        struct dt_fail *fail)
{
	struct dt_review_file entry = {
		.kind = new_text.ptr ? "change" : "delete",
		.path = f->path,
		.old = f->text,
		.proposed = new_text,
	};
	struct dt_review_info review = {
		.id = "settings",
		.root = "/",
		.entries = { &entry, 1 },
	};
	struct dt_diff diff = { 0 };
	const char *base;
	enum dt_err err = dt_diff_make_folder(&f->arena, &base, fail);

	if (err)
		return err;
	err = dt_diff_open(&f->arena, base, &review, &diff, fail);
	if (!err)
		err = dt_diff_show(&diff, "cat", fail);
	if (diff.folder)
		dt_diff_remove(&diff);
	rmdir(base);
	return err;
}

static enum dt_err agree(struct file *f, const struct options *options,
                         struct dt_str new_text, struct dt_fail *fail)
{
	struct dt_buf line;
	bool is_yes;
	enum dt_err err = show(f, new_text, fail);

	if (err || options->is_yes)
		return err;
	if (!dt_terminal_is_there())
		return dt_fail(fail, DT_E_STATE,
		               "nobody is here to be asked: --yes agrees");
	printf("Change %s? [y/N] ", f->path);
	fflush(stdout);
	dt_buf_init(&line, DT_KIB);
	is_yes = dt_terminal_line(&line) && (!strcmp(dt_buf_z(&line), "y") ||
	                                     !strcmp(dt_buf_z(&line), "yes"));
	dt_buf_done(&line);
	if (!is_yes)
		return dt_fail(fail, DT_E_CANCELLED, "nothing was changed");
	return DT_E_OK;
}

/* writing */

static enum dt_err write_text(struct file *f, struct dt_str text,
                              struct dt_fail *fail)
{
	size_t folder = (size_t)(dt_path_base(f->path) - f->path);
	enum dt_err err = DT_E_OK;

	if (!text.ptr)
		return unlink(f->path) ? dt_fail_sys(fail, "%s", f->path)
		                       : DT_E_OK;
	if (!f->text.ptr)
		err = dt_file_make_dirs(
			dt_arena_strndup(&f->arena, f->path, folder), fail);
	return err ? err : dt_file_write(f->path, text, f->mode, fail);
}

/* install */

/* A backup of older settings of ours is no use to anybody. */
static enum dt_err keep(struct file *f, struct dt_fail *fail)
{
	if (f->text.ptr)
		return dt_file_write(f->backup, f->text, f->mode, fail);
	if (unlink(f->backup) && errno != ENOENT)
		return dt_fail_sys(fail, "%s", f->backup);
	return DT_E_OK;
}

static enum dt_err install(struct file *f, const struct options *options,
                           struct dt_fail *fail)
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
	err = agree(f, options, new_text, fail);
	if (!err)
		err = keep(f, fail);
	if (!err)
		err = write_text(f, new_text, fail);
	if (!err)
		printf("Edits of Claude Code are reviewed from now on, also in "
		       "sessions that run: %s\n",
		       f->path);
	return err;
}

/* uninstall */

/* True when the file is what install made of `before`. */
static bool is_made_of(struct file *f, struct dt_str before)
{
	struct dt_str made = { 0 };

	return !dt_claude_settings_add(&f->arena, before,
	                               dt_claude_settings_command(&f->arena),
	                               &made, NULL) &&
	       dt_str_eq(made, f->text);
}

static enum dt_err text_before(struct file *f, struct dt_str *out,
                               struct dt_fail *fail)
{
	if (f->kept.ptr && is_made_of(f, f->kept)) {
		*out = f->kept;
		return DT_E_OK;
	}
	if (!f->kept.ptr && is_made_of(f, (struct dt_str){ 0 }))
		return DT_E_OK;
	return dt_claude_settings_remove(&f->arena, f->text, out, fail);
}

static enum dt_err uninstall(struct file *f, const struct options *options,
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
	err = agree(f, options, before, fail);
	if (!err)
		err = write_text(f, before, fail);
	if (!err) {
		unlink(f->backup);
		printf("The hook is gone from %s\n", f->path);
	}
	return err;
}

/* commands */

typedef enum dt_err change_fn(struct file *f, const struct options *options,
                              struct dt_fail *fail);

static enum dt_err run(change_fn *change, const void *options,
                       char *const *args, struct dt_fail *fail)
{
	struct file f = { 0 };
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
};
