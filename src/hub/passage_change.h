/* hub/passage_change.h - what of changes is told; for passage.c alone. */
#ifndef DT_HUB_PASSAGE_CHANGE_H
#define DT_HUB_PASSAGE_CHANGE_H

#include "editor/answer.h"
#include "editor/change.h"
#include "editor/code_edit.h"
#include "editor/operation.h"
#include "hub/session.h"
#include "hub/workspace.h"

/* Each ends the answer. */
void dt_passage_verdict(const struct dt_workspace *ws,
                        const struct dt_session *session,
                        const struct dt_operation *op,
                        const struct dt_propose_result *result,
                        struct dt_answer *answer);
void dt_passage_submitted(const struct dt_workspace *ws,
                          const struct dt_session *session,
                          const struct dt_submit_result *result,
                          struct dt_answer *answer);
void dt_passage_preview(const struct dt_workspace *ws,
                        const struct dt_session *session,
                        const struct dt_preview_result *result,
                        struct dt_answer *answer);
void dt_passage_replaced(const struct dt_workspace *ws,
                         const struct dt_session *session,
                         const struct dt_search_replace_result *result,
                         struct dt_answer *answer);
void dt_passage_code_edit(const struct dt_workspace *ws,
                          const struct dt_session *session,
                          const struct dt_code_edit_result *made,
                          struct dt_answer *answer);

#endif
