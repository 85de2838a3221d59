/*
 * app/cmd_mcp_install.c - dovetail mcp --print-config, --install, --uninstall.
 *
 * How a file is changed is app/config_file.c's; what is put into it
 * app/mcp_client.c's.
 */
#include "app/cmd_mcp.h"

#include "app/config_file.h"
#include "app/mcp_client.h"
#include "base/path.h"

#include <stdio.h>

/* One client's file, and what we would put into it. */
struct job {
	const struct dt_mcp_setup *setup;
	const struct dt_mcp_client *client;
	struct dt_mcp_command command;
	struct dt_config_file file;
};

static enum dt_err find(struct job *j, const struct dt_mcp_setup *setup,
                        struct dt_fail *fail)
{
	*j = (struct job){ .setup = setup };
	if (dt_path_real(&j->file.arena, "/proc/self/exe", &j->command.program,
	                 NULL))
		j->command.program = "dovetail";
	j->command.workspace = setup->workspace;
	j->command.is_full = setup->is_full;
	return dt_mcp_client_find(setup->client, &j->client, fail);
}

/* Where the client's file is.  One in a project is in that which is named, and
 * need not name it again. */
static enum dt_err find_path(struct job *j, const char **out,
                             struct dt_fail *fail)
{
	enum dt_err err =
		dt_mcp_client_path(j->client, &j->file.arena, out, fail);

	if (!err && !dt_path_is_absolute(*out) && j->setup->workspace) {
		*out = dt_path_join(&j->file.arena, j->setup->workspace, *out);
		j->command.workspace = NULL;
	}
	return err;
}

static enum dt_err open_file(struct job *j, struct dt_fail *fail)
{
	const char *path;
	enum dt_err err = find_path(j, &path, fail);

	return err ? err : dt_config_file_open(&j->file, path, fail);
}

enum dt_err dt_mcp_print_config(const struct dt_mcp_setup *setup,
                                struct dt_fail *fail)
{
	struct job j;
	const char *path;
	enum dt_err err = find(&j, setup, fail);

	if (!err)
		err = find_path(&j, &path, fail);
	if (!err) {
		/* So that stdout can go into a file. */
		fprintf(stderr, "For %s:\n", path);
		fputs(dt_mcp_client_config(j.client, &j.file.arena, &j.command),
		      stdout);
	}
	dt_arena_done(&j.file.arena);
	return err;
}

/* What we cannot read we do not write. */
static enum dt_err tell_to_paste(struct job *j, const struct dt_fail *why,
                                 struct dt_fail *fail)
{
	printf("Put this into %s:\n\n%s\n", j->file.path,
	       dt_mcp_client_config(j->client, &j->file.arena, &j->command));
	return dt_fail(fail, DT_E_ARGS, "%s is left as it is: %s", j->file.path,
	               why->msg);
}

static enum dt_err install(struct job *j, struct dt_fail *fail)
{
	struct dt_str made = { 0 };
	struct dt_fail why = { 0 };
	enum dt_err err;

	if (dt_mcp_client_add(j->client, &j->file.arena, j->file.text,
	                      &j->command, &made, &why))
		return tell_to_paste(j, &why, fail);
	if (j->file.text.ptr && dt_str_eq(j->file.text, made)) {
		printf("Dovetail is in %s already.\n", j->file.path);
		return DT_E_OK;
	}
	err = dt_config_file_agree(&j->file, made, j->setup->is_yes, fail);
	if (!err)
		err = dt_config_file_change(&j->file, made, fail);
	if (!err)
		printf("Dovetail is in %s; %s sees it when it is started "
		       "again.\n",
		       j->file.path, j->setup->client);
	return err;
}

/* True when the file is what --install made of `before`. */
static bool is_made_of(struct job *j, struct dt_str before)
{
	struct dt_str made = { 0 };

	return !dt_mcp_client_add(j->client, &j->file.arena, before,
	                          &j->command, &made, NULL) &&
	       dt_str_eq(made, j->file.text);
}

static enum dt_err text_before(struct job *j, struct dt_str *out,
                               struct dt_fail *fail)
{
	if (is_made_of(j, j->file.kept)) {
		*out = j->file.kept;
		return DT_E_OK;
	}
	return dt_mcp_client_remove(j->client, &j->file.arena, j->file.text,
	                            out, fail);
}

static enum dt_err uninstall(struct job *j, struct dt_fail *fail)
{
	struct dt_str before = { 0 };
	struct dt_fail why = { 0 };
	enum dt_err err;

	if (text_before(j, &before, &why))
		return dt_fail(fail, DT_E_ARGS, "%s is left as it is: %s",
		               j->file.path, why.msg);
	if (!j->file.text.ptr || dt_str_eq(j->file.text, before)) {
		printf("Dovetail is not in %s.\n", j->file.path);
		return DT_E_OK;
	}
	err = dt_config_file_agree(&j->file, before, j->setup->is_yes, fail);
	if (!err)
		err = dt_config_file_revert(&j->file, before, fail);
	if (!err)
		printf("Dovetail is gone from %s\n", j->file.path);
	return err;
}

typedef enum dt_err change_fn(struct job *j, struct dt_fail *fail);

static enum dt_err change(const struct dt_mcp_setup *setup, change_fn *fn,
                          struct dt_fail *fail)
{
	struct job j;
	enum dt_err err = find(&j, setup, fail);

	if (!err)
		err = open_file(&j, fail);
	if (!err)
		err = fn(&j, fail);
	dt_arena_done(&j.file.arena);
	return err;
}

enum dt_err dt_mcp_install(const struct dt_mcp_setup *setup,
                           struct dt_fail *fail)
{
	return change(setup, install, fail);
}

enum dt_err dt_mcp_uninstall(const struct dt_mcp_setup *setup,
                             struct dt_fail *fail)
{
	return change(setup, uninstall, fail);
}
