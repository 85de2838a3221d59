/* hub/passage_git.h - what of answers about a repository leaves; for passage.c
 * alone. */
#ifndef DT_HUB_PASSAGE_GIT_H
#define DT_HUB_PASSAGE_GIT_H

#include "editor/answer.h"
#include "editor/git.h"
#include "hub/session.h"
#include "hub/workspace.h"

/* Each ends the answer.  Files that are kept from agents are taken out of a
 * patch and counted; numbers of lines are no contents. */
void dt_passage_diff(const struct dt_workspace *ws,
                     const struct dt_session *session,
                     const struct dt_git_diff_result *result,
                     struct dt_answer *answer);
void dt_passage_commit(const struct dt_workspace *ws,
                       const struct dt_session *session,
                       const struct dt_git_show_result *result,
                       struct dt_answer *answer);
/* Whether the file may be asked about was checked before. */
void dt_passage_blame(const struct dt_workspace *ws,
                      const struct dt_session *session,
                      const struct dt_git_blame_result *result,
                      struct dt_answer *answer);

#endif
