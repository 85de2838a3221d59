/* hub/passage_code.h - what of answers about code leaves; for passage.c alone. */
#ifndef DT_HUB_PASSAGE_CODE_H
#define DT_HUB_PASSAGE_CODE_H

#include "editor/answer.h"
#include "editor/code.h"
#include "hub/session.h"
#include "hub/workspace.h"

/* Each ends the answer.  Places in files that are kept from agents lose their
 * line; symbols and callers there are left out. */
void dt_passage_locations(const struct dt_workspace *ws,
                          const struct dt_session *session,
                          const struct dt_locations_result *result,
                          struct dt_answer *answer);
void dt_passage_symbols(const struct dt_workspace *ws,
                        const struct dt_session *session,
                        const struct dt_symbols_result *result,
                        struct dt_answer *answer);
void dt_passage_hierarchy(const struct dt_workspace *ws,
                          const struct dt_session *session,
                          const struct dt_hierarchy_result *result,
                          struct dt_answer *answer);
/* What is quoted from such a file is left out, and why is its doubt. */
void dt_passage_hover(const struct dt_workspace *ws,
                      const struct dt_session *session,
                      const struct dt_hover_result *result,
                      struct dt_answer *answer);
void dt_passage_signatures(const struct dt_workspace *ws,
                           const struct dt_session *session,
                           const struct dt_signatures_result *result,
                           struct dt_answer *answer);
/* A result of another operation that is about the file of its source. */
void dt_passage_code(const struct dt_workspace *ws,
                     const struct dt_session *session,
                     const struct dt_operation *op, const void *result,
                     struct dt_answer *answer);

#endif
