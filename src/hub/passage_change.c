/*
 * hub/passage_change.c - changes on their way to the agent that asked for them.
 *
 * What a person made of a proposal is the answer to it and passes; what a file
 * that is kept from agents held before does not.
 */
#include "hub/passage_change.h"

#include "editor/text.h"
#include "hub/gate.h"

#include <stdlib.h>

static bool is_denied(const struct dt_workspace *ws, const struct dt_change *c)
{
	return c->is_outside || dt_gate_check_path(ws, c->path, NULL) ||
	       (c->new_path && dt_gate_check_path(ws, c->new_path, NULL));
}

/* A copy in which changes of files that are kept from agents, as all outside the
 * workspace are, have no old text, nor a new one that may be the old one. */
static struct dt_items without_old(const struct dt_workspace *ws,
                                   const struct dt_items *changes)
{
	const struct dt_change *all = changes->ptr;
	struct dt_change *copy = dt_alloc((changes->count + 1) * sizeof(*copy));

	for (size_t i = 0; i < changes->count; i++) {
		copy[i] = all[i];
		if (!is_denied(ws, &all[i]))
			continue;
		copy[i].old_text = (struct dt_str){ 0 };
		copy[i].is_withheld = all[i].kind != DT_CHANGE_CREATE;
		if (all[i].is_save || (all[i].kind != DT_CHANGE_CREATE &&
		                       all[i].kind != DT_CHANGE_EDIT))
			copy[i].text = (struct dt_str){ 0 };
	}
	return (struct dt_items){ copy, changes->count };
}

/* What is left of the old texts is shown, in a form or as a diff. */
static void leave_old(const struct dt_workspace *ws,
                      const struct dt_session *session,
                      const struct dt_items *changes)
{
	const struct dt_change *c = changes->ptr;

	for (size_t i = 0; i < changes->count; i++) {
		if (c[i].old_text.len > 0 && !c[i].is_left_out)
			dt_gate_left(ws, session, DT_AUDIT_FILE, c[i].path,
			             c[i].old_text.len,
			             dt_text_line_count(c[i].old_text));
	}
}

void dt_passage_verdict(const struct dt_workspace *ws,
                        const struct dt_session *session,
                        const struct dt_operation *op,
                        const struct dt_propose_result *result,
                        struct dt_answer *answer)
{
	struct dt_propose_result verdict = *result;

	verdict.changes = without_old(ws, &verdict.changes);
	/* The agent of a diff tab is told the new texts alone. */
	if (op == &dt_op_await_review && verdict.outcome == DT_ACCEPTED)
		leave_old(ws, session, &verdict.changes);
	dt_answer_end(answer, &verdict);
	free(verdict.changes.ptr);
}

void dt_passage_submitted(const struct dt_workspace *ws,
                          const struct dt_session *session,
                          const struct dt_submit_result *result,
                          struct dt_answer *answer)
{
	struct dt_submit_result submitted = *result;

	submitted.changes = without_old(ws, &submitted.changes);
	if (submitted.is_waiting && submitted.can_elicit)
		leave_old(ws, session, &submitted.changes);
	dt_answer_end(answer, &submitted);
	free(submitted.changes.ptr);
}

/* Nobody was asked: the texts alone. */
void dt_passage_preview(const struct dt_workspace *ws,
                        const struct dt_session *session,
                        const struct dt_preview_result *result,
                        struct dt_answer *answer)
{
	struct dt_preview_result preview = *result;

	preview.changes = without_old(ws, &preview.changes);
	leave_old(ws, session, &preview.changes);
	dt_answer_end(answer, &preview);
	free(preview.changes.ptr);
}

/* Whether a pattern fits a file that is kept from agents is not told. */
void dt_passage_replaced(const struct dt_workspace *ws,
                         const struct dt_session *session,
                         const struct dt_search_replace_result *result,
                         struct dt_answer *answer)
{
	struct dt_search_replace_result passed = *result;
	const struct dt_replaced_file *all = passed.files.ptr;
	size_t count = passed.files.count;
	struct dt_replaced_file *kept = dt_alloc((count + 1) * sizeof(*kept));

	passed.files = (struct dt_items){ .ptr = kept };
	for (size_t i = 0; i < count; i++) {
		if (dt_gate_check(ws, session, DT_AUDIT_FILE, all[i].path,
		                  NULL)) {
			passed.matched--;
			passed.replacements -= all[i].count;
			continue;
		}
		dt_gate_left(ws, session, DT_AUDIT_FILE, all[i].path,
		             all[i].old_text.len,
		             dt_text_line_count(all[i].old_text));
		kept[passed.files.count++] = all[i];
	}
	dt_answer_end(answer, &passed);
	free(kept);
}

/* What is changed along with the file that was asked about. */
void dt_passage_code_edit(const struct dt_workspace *ws,
                          const struct dt_session *session,
                          const struct dt_code_edit_result *made,
                          struct dt_answer *answer)
{
	const struct dt_change *c = made->changes.ptr;
	struct dt_fail fail = { 0 };

	for (size_t i = 0; i < made->changes.count && !fail.code; i++) {
		if (dt_gate_check(ws, session, DT_AUDIT_FILE, c[i].path, &fail))
			break;
	}
	if (fail.code)
		dt_answer_fail(answer, &fail);
	else
		dt_answer_end(answer, made);
}
