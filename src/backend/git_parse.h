/*
 * backend/git_parse.h - what git prints for programs, taken apart.
 *
 * Everything made lives in the arena.  Names of files are made absolute by the
 * top of the work tree.  A text that was cut in the middle of something loses
 * that.
 */
#ifndef DT_BACKEND_GIT_PARSE_H
#define DT_BACKEND_GIT_PARSE_H

#include "base/arena.h"
#include "base/str.h"
#include "editor/git.h"

/* The next field of a text whose fields end with NUL; NULL: none is left, or not
 * all of one. */
const char *dt_git_field(struct dt_arena *arena, struct dt_str *rest);

/* Control and bidi characters taken out of what others wrote; a body keeps its
 * lines.  Cut after `max` bytes. */
struct dt_str dt_git_plain(struct dt_arena *arena, struct dt_str text,
                           size_t max, bool is_body);

/* status --porcelain=v2 --branch --show-stash -z */
void dt_git_parse_status(struct dt_arena *arena, const char *top,
                         struct dt_str text, struct dt_git_status_result *out);

/* A patch, file by file.  One whose name cannot be told is left out and counted
 * in left_out: nobody could say whether it may be shown. */
void dt_git_parse_patch(struct dt_arena *arena, const char *top,
                        struct dt_str text, struct dt_git_diff_result *out);
/* diff --numstat -z */
void dt_git_parse_numstat(struct dt_arena *arena, const char *top,
                          struct dt_str text, struct dt_git_diff_result *out);

/* log -z with this format */
#define DT_GIT_COMMIT_FORMAT                                                   \
	"--format=tformat:%H%x00%an%x00%ae%x00%aI%x00%P%x00%s%x00%b"
struct dt_items dt_git_parse_commits(struct dt_arena *arena,
                                     struct dt_str text);

/* blame --line-porcelain */
struct dt_items dt_git_parse_blame(struct dt_arena *arena, struct dt_str text);

/* Names that end with NUL each, absolute. */
struct dt_names dt_git_parse_names(struct dt_arena *arena, const char *top,
                                   struct dt_str text);

#endif
