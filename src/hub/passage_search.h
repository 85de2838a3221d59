/* hub/passage_search.h - what of files and lines that were found leaves, and of
 * what files import; for passage.c alone. */
#ifndef DT_HUB_PASSAGE_SEARCH_H
#define DT_HUB_PASSAGE_SEARCH_H

#include "editor/answer.h"
#include "editor/files.h"
#include "editor/project.h"
#include "editor/search.h"
#include "hub/session.h"
#include "hub/workspace.h"

/* Each ends the answer.  What a file that is kept from agents holds is left out
 * without a word, see backend/search.h.  Names are free, but not those in a
 * folder that is kept. */
void dt_passage_files(const struct dt_workspace *ws,
                      const struct dt_list_files_result *result,
                      struct dt_answer *answer);
void dt_passage_search(const struct dt_workspace *ws,
                       const struct dt_session *session,
                       const struct dt_search_result *result,
                       struct dt_answer *answer);
void dt_passage_imports(const struct dt_workspace *ws,
                        const struct dt_session *session,
                        const struct dt_imports_result *result,
                        struct dt_answer *answer);

#endif
