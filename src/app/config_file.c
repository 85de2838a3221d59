/*
 * app/config_file.c - a configuration file of another program, changed with the
 * person's consent.
 *
 * The person sees the change and agrees to it.  What was there before is kept
 * beside the file, and comes back to the byte when nobody changed the file in
 * between.  What the change is, the caller says.
 */
#include "app/config_file.h"

#include "app/diff.h"
#include "app/terminal.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/path.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* reading */

/* Follow links; a folder that is not there has none. */
static enum dt_err resolve(struct dt_config_file *f, struct dt_fail *fail)
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

static enum dt_err read_text(struct dt_config_file *f, const char *path,
                             struct dt_str *out, struct dt_fail *fail)
{
	struct dt_fail why = { 0 };
	struct dt_buf text;
	enum dt_err err;

	dt_buf_init(&text, DT_LIMIT_FILE);
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

enum dt_err dt_config_file_open(struct dt_config_file *f, const char *path,
                                struct dt_fail *fail)
{
	struct stat st;
	enum dt_err err;

	f->path = path;
	err = resolve(f, fail);
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

static enum dt_err show(struct dt_config_file *f, struct dt_str new_text,
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

enum dt_err dt_config_file_agree(struct dt_config_file *f,
                                 struct dt_str new_text, bool is_agreed,
                                 struct dt_fail *fail)
{
	struct dt_buf line;
	bool is_yes;
	enum dt_err err = show(f, new_text, fail);

	if (err || is_agreed)
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

static enum dt_err write_text(struct dt_config_file *f, struct dt_str text,
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

/* A question may stand for hours, and what was written meanwhile is not ours to
 * take back. */
static enum dt_err check_same(struct dt_config_file *f, struct dt_fail *fail)
{
	struct dt_str now = { 0 };
	enum dt_err err = read_text(f, f->path, &now, fail);
	bool is_same;

	if (err)
		return err;
	if (now.ptr && f->text.ptr)
		is_same = dt_str_eq(now, f->text);
	else
		is_same = !now.ptr && !f->text.ptr;
	if (!is_same)
		return dt_fail(fail, DT_E_STATE,
		               "%s has changed meanwhile and is left as it "
		               "is; try again",
		               f->path);
	return DT_E_OK;
}

/* A backup of older text is no use to anybody. */
static enum dt_err keep(struct dt_config_file *f, struct dt_fail *fail)
{
	if (f->text.ptr)
		return dt_file_write(f->backup, f->text, f->mode, fail);
	if (unlink(f->backup) && errno != ENOENT)
		return dt_fail_sys(fail, "%s", f->backup);
	return DT_E_OK;
}

enum dt_err dt_config_file_change(struct dt_config_file *f, struct dt_str text,
                                  struct dt_fail *fail)
{
	enum dt_err err = check_same(f, fail);

	if (!err)
		err = keep(f, fail);
	return err ? err : write_text(f, text, fail);
}

enum dt_err dt_config_file_revert(struct dt_config_file *f, struct dt_str text,
                                  struct dt_fail *fail)
{
	enum dt_err err = check_same(f, fail);

	if (!err)
		err = write_text(f, text, fail);
	if (!err)
		unlink(f->backup);
	return err;
}
