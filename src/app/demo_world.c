/*
 * app/demo_world.c - a home that nobody lives in, and a project to change.
 *
 * What is in the project is demo_agent.c's script.
 */
#include "app/demo_world.h"

#include "app/demo_agent.h"
#include "base/file.h"
#include "base/path.h"

#include <stdio.h>
#include <stdlib.h>

/* Behind it there is still room for the path of a socket. */
#define TMPDIR_MAX 56

static const struct variable {
	const char *name;
	const char *folder;
} variables[DT_DEMO_VARIABLES] = {
	{ "HOME", "home" },
	{ "XDG_RUNTIME_DIR", "run" },
	{ "XDG_STATE_HOME", "state" },
	{ "XDG_CONFIG_HOME", "config" },
};

static enum dt_err write_project(struct dt_demo_world *world,
                                 struct dt_fail *fail)
{
	enum dt_err err = dt_file_make_dirs(world->project, fail);

	for (size_t i = 0; !err && i < DT_DEMO_STEPS; i++) {
		const struct dt_demo_step *step = &dt_demo_steps[i];

		if (step->before)
			err = dt_file_write(dt_path_join(&world->arena,
			                                 world->project,
			                                 step->file),
			                    dt_str(step->before), 0600, fail);
	}
	return err;
}

/* The person sits before the demo: no notice has to be given. */
static enum dt_err write_config(struct dt_demo_world *world,
                                struct dt_fail *fail)
{
	const char *folder =
		dt_path_join(&world->arena, world->folder, "config/dovetail");
	enum dt_err err = dt_file_make_dirs(folder, fail);

	if (err)
		return err;
	return dt_file_write(
		dt_path_join(&world->arena, folder, "dovetail.conf"),
		DT_STR("[review]\non_review =\n"), 0600, fail);
}

enum dt_err dt_demo_world_open(struct dt_demo_world *world,
                               struct dt_fail *fail)
{
	const char *temp = getenv("TMPDIR");
	enum dt_err err = DT_E_OK;
	char *made;

	if (!temp || !dt_path_is_absolute(temp) || strlen(temp) > TMPDIR_MAX)
		temp = "/tmp";
	made = dt_arena_printf(&world->arena, "%s/dovetail-demo-XXXXXX", temp);
	if (!mkdtemp(made))
		return dt_fail_sys(fail, "cannot make a folder in %s", temp);
	world->folder = made;
	/* Workspaces are known by their real paths. */
	err = dt_path_real(&world->arena, made, &world->folder, fail);
	for (size_t i = 0; !err && i < DT_DEMO_VARIABLES; i++)
		err = dt_file_private_dir(dt_path_join(&world->arena,
		                                       world->folder,
		                                       variables[i].folder),
		                          fail);
	world->project = dt_path_join(&world->arena, world->folder, "project");
	if (!err)
		err = write_config(world, fail);
	return err ? err : write_project(world, fail);
}

void dt_demo_world_enter(struct dt_demo_world *world)
{
	for (size_t i = 0; i < DT_DEMO_VARIABLES; i++) {
		const char *value = getenv(variables[i].name);

		world->theirs[i] =
			value ? dt_arena_strdup(&world->arena, value) : NULL;
		setenv(variables[i].name,
		       dt_path_join(&world->arena, world->folder,
		                    variables[i].folder),
		       1);
	}
}

void dt_demo_world_leave(struct dt_demo_world *world)
{
	for (size_t i = 0; i < DT_DEMO_VARIABLES; i++) {
		if (world->theirs[i])
			setenv(variables[i].name, world->theirs[i], 1);
		else
			unsetenv(variables[i].name);
	}
}

void dt_demo_world_close(struct dt_demo_world *world)
{
	if (world->folder)
		dt_file_remove_tree(world->folder);
	dt_arena_done(&world->arena);
	*world = (struct dt_demo_world){ 0 };
}
