/*
 * hub/passage_git.c - patches and lines of files, without those that are kept.
 *
 * A file is judged by the name it has and by the one it had.
 */
#include "hub/passage_git.h"

#include "editor/text.h"
#include "hub/gate.h"

#include <stdlib.h>

static bool is_kept(const struct dt_workspace *ws,
                    const struct dt_session *session,
                    const struct dt_git_file_diff *file)
{
	return dt_gate_check(ws, session, DT_AUDIT_FILE, file->path, NULL) ||
	       (file->old_path && dt_gate_check(ws, session, DT_AUDIT_FILE,
	                                        file->old_path, NULL));
}

/* A copy, to be freed; what left and what did not is in the audit. */
static struct dt_items without_kept(const struct dt_workspace *ws,
                                    const struct dt_session *session,
                                    struct dt_git_diff_result *diff)
{
	const struct dt_git_file_diff *all = diff->files.ptr;
	struct dt_git_file_diff *left =
		dt_alloc((diff->files.count + 1) * sizeof(*left));
	struct dt_items files = { .ptr = left };

	for (size_t i = 0; i < diff->files.count; i++) {
		if (all[i].text.len > 0 && is_kept(ws, session, &all[i])) {
			diff->left_out++;
			continue;
		}
		if (all[i].text.len > 0)
			dt_gate_left(ws, session, DT_AUDIT_FILE, all[i].path,
			             all[i].text.len,
			             dt_text_line_count(all[i].text));
		left[files.count++] = all[i];
	}
	return files;
}

void dt_passage_diff(const struct dt_workspace *ws,
                     const struct dt_session *session,
                     const struct dt_git_diff_result *result,
                     struct dt_answer *answer)
{
	struct dt_git_diff_result diff = *result;

	diff.files = without_kept(ws, session, &diff);
	dt_answer_end(answer, &diff);
	free(diff.files.ptr);
}

void dt_passage_commit(const struct dt_workspace *ws,
                       const struct dt_session *session,
                       const struct dt_git_show_result *result,
                       struct dt_answer *answer)
{
	struct dt_git_show_result shown = *result;

	shown.diff.files = without_kept(ws, session, &shown.diff);
	dt_answer_end(answer, &shown);
	free(shown.diff.files.ptr);
}

void dt_passage_blame(const struct dt_workspace *ws,
                      const struct dt_session *session,
                      const struct dt_git_blame_result *result,
                      struct dt_answer *answer)
{
	const struct dt_git_blame_line *line = result->lines.ptr;
	uint64_t bytes = 0;

	for (size_t i = 0; i < result->lines.count; i++)
		bytes += line[i].text.len;
	dt_gate_left(ws, session, DT_AUDIT_FILE, result->path, bytes,
	             result->lines.count);
	dt_answer_end(answer, result);
}
