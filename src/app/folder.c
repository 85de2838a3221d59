/* app/folder.c - folders named, and workspaces opened in the daemon. */
#include "app/folder.h"

#include "app/environment.h"
#include "base/file.h"
#include "base/path.h"

#include <unistd.h>

static const struct dt_field info_fields[] = {
	DT_FIELD(struct dt_workspace_info, id, NAME, DT_REQ, ""),
	DT_FIELD(struct dt_workspace_info, root, NAME, DT_REQ, ""),
	DT_FIELD(struct dt_workspace_info, lock, NAME, 0, ""),
	DT_FIELD(struct dt_workspace_info, port, U32, DT_REQ, ""),
	DT_FIELD_AS("isNew", struct dt_workspace_info, is_new, BOOL, 0, ""),
	DT_FIELD_END,
};

static const struct dt_shape info_shape =
	DT_SHAPE(struct dt_workspace_info, info_fields);

enum dt_err dt_folder_find(struct dt_arena *arena, const char *named,
                           const char **out, struct dt_fail *fail)
{
	const char *folder;
	enum dt_err err;

	err = dt_path_real(arena, named ? named : ".", &folder, fail);
	if (err)
		return err;
	if (!dt_file_is_dir(folder))
		return dt_fail(fail, DT_E_MISSING, "there is no folder %s",
		               folder);
	*out = folder;
	return DT_E_OK;
}

enum dt_err dt_folder_serve(struct dt_remote *remote, const char *named,
                            struct dt_arena *arena,
                            struct dt_workspace_info *out, struct dt_fail *fail)
{
	struct dt_names env = dt_environment_pick(arena, environ);
	struct dt_json_out *params;
	const char *folder;
	enum dt_err err = dt_folder_find(arena, named, &folder, fail);

	if (err)
		return err;
	params = dt_remote_begin(remote);
	dt_remote_put(params, "folder", folder);
	dt_json_key(params, "isNamed");
	dt_json_put_bool(params, named);
	dt_json_key(params, "env");
	dt_json_begin_array(params);
	for (size_t i = 0; i < env.count; i++)
		dt_json_put_z(params, env.ptr[i]);
	dt_json_end_array(params);
	return dt_remote_fetch(remote, "workspace/open", arena, &info_shape,
	                       out, fail);
}
