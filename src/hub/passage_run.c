/*
 * hub/passage_run.c - what programs printed, on its way to an agent.
 *
 * It may be anything a program could read, which the gate cannot tell: it passes
 * whole and is written down.  What may be run is asked before, see permit.c.
 */
#include "hub/passage_run.h"

#include "editor/text.h"
#include "hub/gate.h"

void dt_passage_output(const struct dt_workspace *ws,
                       const struct dt_session *session,
                       const struct dt_run_command_result *result,
                       struct dt_answer *answer)
{
	dt_gate_left(ws, session, DT_AUDIT_OUTPUT, result->program,
	             result->out.len + result->err.len,
	             dt_text_line_count(result->out));
	dt_answer_end(answer, result);
}

static void leave_text(const struct dt_workspace *ws,
                       const struct dt_session *session, const char *terminal,
                       struct dt_str text)
{
	struct dt_arena arena = { 0 };

	if (text.len > 0)
		dt_gate_left(ws, session, DT_AUDIT_OUTPUT,
		             dt_arena_printf(&arena, "terminal %s", terminal),
		             text.len, dt_text_line_count(text));
	dt_arena_done(&arena);
}

void dt_passage_executed(const struct dt_workspace *ws,
                         const struct dt_session *session,
                         const struct dt_execute_terminal_result *result,
                         struct dt_answer *answer)
{
	leave_text(ws, session, result->name, result->output);
	dt_answer_end(answer, result);
}

void dt_passage_terminal(const struct dt_workspace *ws,
                         const struct dt_session *session,
                         const struct dt_terminal_output_result *result,
                         struct dt_answer *answer)
{
	leave_text(ws, session, result->terminal.name, result->output);
	dt_answer_end(answer, result);
}

void dt_passage_awaited(const struct dt_workspace *ws,
                        const struct dt_session *session,
                        const struct dt_wait_terminal_result *result,
                        struct dt_answer *answer)
{
	leave_text(ws, session, result->name, result->line);
	dt_answer_end(answer, result);
}
