/* hub/passage_run.h - what of programs' output leaves; for passage.c alone. */
#ifndef DT_HUB_PASSAGE_RUN_H
#define DT_HUB_PASSAGE_RUN_H

#include "editor/answer.h"
#include "editor/run.h"
#include "editor/terminal.h"
#include "hub/session.h"
#include "hub/workspace.h"

/* Each ends the answer.  Nothing is taken out: what leaves is written down. */
void dt_passage_output(const struct dt_workspace *ws,
                       const struct dt_session *session,
                       const struct dt_run_command_result *result,
                       struct dt_answer *answer);
void dt_passage_executed(const struct dt_workspace *ws,
                         const struct dt_session *session,
                         const struct dt_execute_terminal_result *result,
                         struct dt_answer *answer);
void dt_passage_terminal(const struct dt_workspace *ws,
                         const struct dt_session *session,
                         const struct dt_terminal_output_result *result,
                         struct dt_answer *answer);
void dt_passage_awaited(const struct dt_workspace *ws,
                        const struct dt_session *session,
                        const struct dt_wait_terminal_result *result,
                        struct dt_answer *answer);

#endif
