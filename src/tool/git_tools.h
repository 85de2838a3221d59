/* tool/git_tools.h - the repository, looked at and changed. */
#ifndef DT_TOOL_GIT_TOOLS_H
#define DT_TOOL_GIT_TOOLS_H

#include "editor/git.h"
#include "tool/call.h"
#include "tool/tool.h"

extern const struct dt_tool_group dt_tools_git;
extern const struct dt_tool_group dt_tools_git_history;
extern const struct dt_tool_group dt_tools_git_write;
extern const struct dt_tool_group dt_tools_github;
extern const struct dt_tool_group dt_tools_github_pr;

/* A patch as agents read it: one text, and what is in it. */
struct dt_git_patch {
	struct dt_str diff;
	struct dt_items files; /* struct dt_git_file_diff, without texts */
	bool is_cut;
	uint32_t left_out;
	const char *note; /* or NULL */
};
extern const struct dt_shape dt_shape_git_patch_file;

/* Joined in the arena of the call; `narrower` says how to get less. */
struct dt_git_patch dt_git_patch_join(struct dt_call *call,
                                      const struct dt_git_diff_result *diff,
                                      const char *narrower);

/* Fails the call, and is true, unless min <= value <= max. */
bool dt_git_is_beyond(struct dt_call *call, const char *name, uint32_t value,
                      uint32_t min, uint32_t max);

/* clang-format off */
#define DT_GIT_PATCH_FIELDS(T, at)                                           \
	DT_FIELD_AS("files", T, at.files, ITEMS, DT_REQ,                     \
	            "The files that changed, and by how many lines.",        \
	            .shape = &dt_shape_git_patch_file),                      \
	DT_FIELD_AS("diff", T, at.diff, STR, DT_OMIT, "The patch."),         \
	DT_FIELD_AS("truncated", T, at.is_cut, BOOL, DT_REQ,                 \
	            "There is more than is told; note says how to get it."), \
	DT_FIELD_AS("leftOut", T, at.left_out, U32, DT_OMIT,                 \
	            "Files whose contents are kept from agents."),           \
	DT_FIELD_AS("note", T, at.note, NAME, DT_OMIT,                       \
	            "What is missing, and why.")
#define DT_GIT_WHERE(T, member, text)                                        \
	DT_FIELD_AS("filePath", T, member, PATH, 0,                          \
	            "Absolute path or file:// URI of a file or folder" text)
#define DT_GIT_DIRECTORY(T, member)                                          \
	DT_FIELD_AS("directory", T, member, PATH, 0,                         \
	            "Absolute path of a folder of the repository; absent: "  \
	            "the first folder of the workspace.")
/* clang-format on */

#endif
