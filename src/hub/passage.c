/*
 * hub/passage.c - what the gate takes out of each operation's result.
 *
 * Every operation has a line in the table below.  One without would give an
 * agent whatever is in its result, so it is refused.  What a person made of a
 * proposal is the answer to it and passes; what the file held before does not.
 */
#include "hub/passage.h"

#include "editor/change.h"
#include "editor/diagnostics.h"
#include "editor/files.h"
#include "editor/search.h"
#include "editor/text.h"
#include "editor/watch.h"
#include "hub/gate.h"
#include "hub/passage_change.h"
#include "hub/passage_code.h"
#include "hub/passage_git.h"
#include "hub/passage_run.h"
#include "hub/passage_search.h"
#include "hub/session.h"

#include <stdlib.h>

struct passage {
	struct dt_answer answer; /* of whoever performs */
	struct dt_answer *agent; /* and of who asked */
	struct dt_caller *caller;
	struct dt_workspace *ws; /* that was asked; a session may move on */
	const struct dt_operation *op;
};

static struct dt_session *session_of(const struct passage *p)
{
	return p->caller->owner;
}

static struct dt_workspace *place_of(const struct passage *p)
{
	return p->ws;
}

/* Nothing of a file is in it: names, flags, and what the agent asked to run. */
static void pass(struct passage *p, const void *result)
{
	dt_answer_end(p->agent, result);
}

/* How long a file is belongs to what is in it. */
static void pass_opened(struct passage *p, const void *result)
{
	struct dt_open_result opened = *(const struct dt_open_result *)result;

	if (dt_gate_check_path(place_of(p), opened.path, NULL))
		opened.line_count = 0;
	dt_answer_end(p->agent, &opened);
}

static void pass_selection(struct passage *p, const void *result)
{
	const struct dt_selection *found = result;
	struct dt_selection none = { 0 };
	struct dt_fail fail = { 0 };

	if (dt_gate_is_muted(session_of(p)) || !found->path) {
		dt_answer_end(p->agent, &none);
		return;
	}
	if (dt_gate_check(place_of(p), session_of(p), DT_AUDIT_SELECTION,
	                  found->path, &fail)) {
		dt_answer_fail(p->agent, &fail);
		return;
	}
	if (found->text.len > 0)
		dt_gate_left(place_of(p), session_of(p), DT_AUDIT_SELECTION,
		             found->path, found->text.len,
		             dt_text_line_count(found->text));
	dt_answer_end(p->agent, found);
}

static void pass_file(struct passage *p, const void *result)
{
	const struct dt_read_file_result *file = result;
	struct dt_fail fail = { 0 };

	if (dt_gate_check(place_of(p), session_of(p), DT_AUDIT_FILE, file->path,
	                  &fail)) {
		dt_answer_fail(p->agent, &fail);
		return;
	}
	dt_gate_left(place_of(p), session_of(p), DT_AUDIT_FILE, file->path,
	             file->text.len, dt_text_line_count(file->text));
	dt_answer_end(p->agent, file);
}

/* what ran */

static void pass_output(struct passage *p, const void *result)
{
	dt_passage_output(place_of(p), session_of(p), result, p->agent);
}

static void pass_executed(struct passage *p, const void *result)
{
	dt_passage_executed(place_of(p), session_of(p), result, p->agent);
}

static void pass_terminal(struct passage *p, const void *result)
{
	dt_passage_terminal(place_of(p), session_of(p), result, p->agent);
}

static void pass_awaited(struct passage *p, const void *result)
{
	dt_passage_awaited(place_of(p), session_of(p), result, p->agent);
}

/* diagnostics */

static void leave_diagnostics(const struct passage *p,
                              const struct dt_file_diagnostics *file)
{
	const struct dt_diagnostic *d = file->items.ptr;
	uint64_t bytes = 0;

	for (size_t i = 0; i < file->items.count; i++)
		bytes += d[i].message.len;
	if (file->items.count > 0)
		dt_gate_left(place_of(p), session_of(p), DT_AUDIT_DIAGNOSTICS,
		             file->path, bytes, file->items.count);
}

/* The problems of a file, without those that speak of a file that is kept. */
static struct dt_items without_related(const struct passage *p,
                                       struct dt_arena *arena,
                                       const struct dt_items *items)
{
	const struct dt_diagnostic *all = items->ptr;
	struct dt_diagnostic *kept =
		dt_arena_alloc(arena, (items->count + 1) * sizeof(*kept));
	struct dt_items passed = { .ptr = kept };

	for (size_t i = 0; i < items->count; i++) {
		enum dt_err err = DT_E_OK;

		for (size_t k = 0; k < all[i].about.count && !err; k++)
			err = dt_gate_check(place_of(p), session_of(p),
			                    DT_AUDIT_DIAGNOSTICS,
			                    all[i].about.ptr[k], NULL);
		if (!err)
			kept[passed.count++] = all[i];
	}
	return passed;
}

/* A message quotes the line it is about. */
static struct dt_diagnostics_result without_denied(
	const struct passage *p, struct dt_arena *arena,
	const struct dt_diagnostics_result *found)
{
	const struct dt_file_diagnostics *file = found->items.ptr;
	struct dt_file_diagnostics *kept =
		dt_arena_alloc(arena, (found->items.count + 1) * sizeof(*kept));
	struct dt_diagnostics_result passed = *found;

	passed.items = (struct dt_items){ .ptr = kept };
	for (size_t i = 0; i < found->items.count; i++) {
		struct dt_file_diagnostics one = file[i];

		if (dt_gate_check(place_of(p), session_of(p),
		                  DT_AUDIT_DIAGNOSTICS, one.path, NULL))
			continue;
		one.items = without_related(p, arena, &one.items);
		leave_diagnostics(p, &one);
		kept[passed.items.count++] = one;
	}
	return passed;
}

static void pass_diagnostics(struct passage *p, const void *result)
{
	struct dt_arena arena = { 0 };
	struct dt_diagnostics_result passed = without_denied(p, &arena, result);

	dt_answer_end(p->agent, &passed);
	dt_arena_done(&arena);
}

static void pass_watched(struct passage *p, const void *result)
{
	struct dt_watch_diagnostics_result passed =
		*(const struct dt_watch_diagnostics_result *)result;
	struct dt_arena arena = { 0 };

	passed.found = without_denied(p, &arena, &passed.found);
	dt_answer_end(p->agent, &passed);
	dt_arena_done(&arena);
}

/* What is kept from an agent does not even change for it. */
static void pass_changes(struct passage *p, const void *result)
{
	struct dt_watch_files_result passed =
		*(const struct dt_watch_files_result *)result;
	const struct dt_file_change *from = passed.changes.ptr;
	struct dt_file_change *kept =
		dt_alloc((passed.changes.count + 1) * sizeof(*kept));
	size_t count = 0;

	for (size_t i = 0; i < passed.changes.count; i++) {
		if (!dt_gate_check_path(place_of(p), from[i].path, NULL))
			kept[count++] = from[i];
	}
	passed.changes = (struct dt_items){ kept, count };
	dt_answer_end(p->agent, &passed);
	free(kept);
}

/* what was found */

static void pass_files(struct passage *p, const void *result)
{
	dt_passage_files(place_of(p), result, p->agent);
}

static void pass_search(struct passage *p, const void *result)
{
	dt_passage_search(place_of(p), session_of(p), result, p->agent);
}

static void pass_imports(struct passage *p, const void *result)
{
	dt_passage_imports(place_of(p), session_of(p), result, p->agent);
}

/* git */

static void pass_diff(struct passage *p, const void *result)
{
	dt_passage_diff(place_of(p), session_of(p), result, p->agent);
}

static void pass_commit(struct passage *p, const void *result)
{
	dt_passage_commit(place_of(p), session_of(p), result, p->agent);
}

static void pass_blame(struct passage *p, const void *result)
{
	dt_passage_blame(place_of(p), session_of(p), result, p->agent);
}

/* proposals */

static void pass_verdict(struct passage *p, const void *result)
{
	dt_passage_verdict(place_of(p), session_of(p), p->op, result, p->agent);
}

static void pass_submitted(struct passage *p, const void *result)
{
	dt_passage_submitted(place_of(p), session_of(p), result, p->agent);
}

static void pass_preview(struct passage *p, const void *result)
{
	dt_passage_preview(place_of(p), session_of(p), result, p->agent);
}

static void pass_replaced(struct passage *p, const void *result)
{
	dt_passage_replaced(place_of(p), session_of(p), result, p->agent);
}

/* code */

static void pass_locations(struct passage *p, const void *result)
{
	dt_passage_locations(place_of(p), session_of(p), result, p->agent);
}

static void pass_symbols(struct passage *p, const void *result)
{
	dt_passage_symbols(place_of(p), session_of(p), result, p->agent);
}

static void pass_hierarchy(struct passage *p, const void *result)
{
	dt_passage_hierarchy(place_of(p), session_of(p), result, p->agent);
}

/* What is told of one file, and nothing of others. */
static void pass_code(struct passage *p, const void *result)
{
	dt_passage_code(place_of(p), session_of(p), p->op, result, p->agent);
}

static void pass_hover(struct passage *p, const void *result)
{
	dt_passage_hover(place_of(p), session_of(p), result, p->agent);
}

static void pass_signatures(struct passage *p, const void *result)
{
	dt_passage_signatures(place_of(p), session_of(p), result, p->agent);
}

static void pass_code_edit(struct passage *p, const void *result)
{
	dt_passage_code_edit(place_of(p), session_of(p), result, p->agent);
}

/* what is asked */

/* Whether a piece of text is in a file is what somebody who guesses wants to
 * know. */
static enum dt_err check_edits(struct dt_caller *caller,
                               const struct dt_items *changes,
                               struct dt_fail *fail)
{
	const struct dt_change *all = changes->ptr;

	for (size_t i = 0; i < changes->count; i++) {
		struct dt_fail why = { 0 };

		if ((all[i].edits.count > 0 || all[i].ranges.count > 0) &&
		    dt_gate_check(caller->place, caller->owner, DT_AUDIT_FILE,
		                  all[i].path, &why))
			return dt_fail(fail, DT_E_DENIED,
			               "%s; give its whole new text instead of "
			               "edits",
			               why.msg);
		if (all[i].source &&
		    dt_gate_check(caller->place, caller->owner, DT_AUDIT_FILE,
		                  all[i].source, fail))
			return DT_E_DENIED;
	}
	return DT_E_OK;
}

static enum dt_err check_proposal(struct dt_caller *caller, const void *args,
                                  struct dt_fail *fail)
{
	const struct dt_propose_args *proposal = args;

	return check_edits(caller, &proposal->changes, fail);
}

static enum dt_err check_submitted(struct dt_caller *caller, const void *args,
                                   struct dt_fail *fail)
{
	const struct dt_submit_args *submitted = args;

	return check_edits(caller, &submitted->proposal.changes, fail);
}

static enum dt_err check_staged(struct dt_caller *caller, const void *args,
                                struct dt_fail *fail)
{
	const struct dt_stage_args *staged = args;

	return check_edits(caller, &staged->changes, fail);
}

static enum dt_err check_diagnostics(struct dt_caller *caller, const void *args,
                                     struct dt_fail *fail)
{
	const char *path = *(const char *const *)args;

	return path ? dt_gate_check(caller->place, caller->owner,
	                            DT_AUDIT_DIAGNOSTICS, path, fail)
	            : DT_E_OK;
}

/* What is in a folder that is kept is not listed. */
static enum dt_err check_folder(struct dt_caller *caller, const void *args,
                                struct dt_fail *fail)
{
	const struct dt_list_files_args *wanted = args;
	struct dt_arena arena = { 0 };
	enum dt_err err = DT_E_OK;

	if (wanted->directory)
		err = dt_gate_check(
			caller->place, caller->owner, DT_AUDIT_FILE,
			dt_arena_printf(&arena, "%s/*", wanted->directory),
			fail);
	dt_arena_done(&arena);
	return err;
}

/* Arguments that begin with the path of the file they are about. */
static enum dt_err check_file(struct dt_caller *caller, const void *args,
                              struct dt_fail *fail)
{
	const char *path = *(const char *const *)args;

	return path ? dt_gate_check(caller->place, caller->owner, DT_AUDIT_FILE,
	                            path, fail)
	            : DT_E_OK;
}

/* What may be asked, NULL: anything; and what of the result passes. */
struct line {
	void (*pass)(struct passage *p, const void *result);
	enum dt_err (*check)(struct dt_caller *caller, const void *args,
	                     struct dt_fail *fail);
};

static const struct line table[DT_OP_COUNT] = {
	[DT_OP_open_file] = { pass_opened },
	[DT_OP_close_document] = { pass },
	[DT_OP_get_selection] = { pass_selection },
	[DT_OP_list_documents] = { pass },
	[DT_OP_get_diagnostics] = { pass_diagnostics, check_diagnostics },
	[DT_OP_watch_diagnostics] = { pass_watched, check_diagnostics },
	[DT_OP_check_dirty] = { pass },
	[DT_OP_save_document] = { pass },
	[DT_OP_format_document] = { pass },
	[DT_OP_read_file] = { pass_file, check_file },
	[DT_OP_list_files] = { pass_files, check_folder },
	[DT_OP_get_folders] = { pass },
	[DT_OP_get_status] = { pass },
	[DT_OP_list_activity] = { pass },
	[DT_OP_wait_activity] = { pass },
	[DT_OP_get_capabilities] = { pass },
	[DT_OP_search_tools] = { pass },
	[DT_OP_run_code] = { pass },
	/* reviews */
	[DT_OP_propose] = { pass_verdict, check_proposal },
	[DT_OP_submit_review] = { pass_submitted, check_submitted },
	[DT_OP_await_review] = { pass_verdict },
	[DT_OP_decide_review] = { pass },
	[DT_OP_withdraw] = { pass },
	/* change */
	[DT_OP_preview_change] = { pass_preview, check_proposal },
	[DT_OP_set_buffer] = { pass, check_file },
	[DT_OP_begin_transaction] = { pass },
	[DT_OP_stage_change] = { pass_preview, check_staged },
	[DT_OP_take_transaction] = { pass_preview },
	[DT_OP_drop_transaction] = { pass },
	[DT_OP_search_replace] = { pass_replaced },
	[DT_OP_get_code_actions] = { pass, check_file },
	[DT_OP_make_code_action] = { pass_code_edit, check_file },
	[DT_OP_prepare_rename] = { pass, check_file },
	[DT_OP_make_rename] = { pass_code_edit, check_file },
	[DT_OP_make_format] = { pass_code_edit, check_file },
	/* code */
	[DT_OP_go_to_definition] = { pass_locations, check_file },
	[DT_OP_go_to_type_definition] = { pass_locations, check_file },
	[DT_OP_go_to_declaration] = { pass_locations, check_file },
	[DT_OP_find_implementations] = { pass_locations, check_file },
	[DT_OP_find_references] = { pass_locations, check_file },
	[DT_OP_get_document_symbols] = { pass_symbols, check_file },
	[DT_OP_search_symbols] = { pass_symbols },
	[DT_OP_get_call_hierarchy] = { pass_hierarchy, check_file },
	[DT_OP_get_type_hierarchy] = { pass_hierarchy, check_file },
	[DT_OP_get_hover] = { pass_hover, check_file },
	[DT_OP_get_signature_help] = { pass_signatures, check_file },
	[DT_OP_get_selection_ranges] = { pass_code, check_file },
	[DT_OP_get_inlay_hints] = { pass_code, check_file },
	[DT_OP_get_semantic_tokens] = { pass_code, check_file },
	[DT_OP_get_folding_ranges] = { pass_code, check_file },
	[DT_OP_get_document_links] = { pass_code, check_file },
	[DT_OP_get_code_lenses] = { pass_code, check_file },
	[DT_OP_list_servers] = { pass },
	[DT_OP_restart_servers] = { pass },
	/* git: names of files and what commits say are free */
	[DT_OP_git_status] = { pass },
	[DT_OP_git_diff] = { pass_diff, check_file },
	[DT_OP_git_log] = { pass },
	[DT_OP_git_show] = { pass_commit, check_file },
	[DT_OP_git_blame] = { pass_blame, check_file },
	[DT_OP_git_branches] = { pass },
	[DT_OP_git_stashes] = { pass },
	[DT_OP_git_hotspots] = { pass },
	[DT_OP_git_add] = { pass },
	[DT_OP_git_commit] = { pass },
	[DT_OP_git_checkout] = { pass },
	[DT_OP_git_stash] = { pass },
	[DT_OP_git_stash_pop] = { pass },
	[DT_OP_git_fetch] = { pass },
	[DT_OP_git_pull] = { pass },
	[DT_OP_git_push] = { pass },
	[DT_OP_github_read] = { pass },
	[DT_OP_github_diff] = { pass_diff },
	[DT_OP_github_write] = { pass },
	/* run */
	[DT_OP_run_command] = { pass_output },
	[DT_OP_find_tests] = { pass },
	[DT_OP_list_terminals] = { pass },
	[DT_OP_create_terminal] = { pass },
	[DT_OP_send_terminal] = { pass },
	[DT_OP_execute_in_terminal] = { pass_executed },
	[DT_OP_get_terminal_output] = { pass_terminal },
	[DT_OP_wait_terminal_output] = { pass_awaited },
	[DT_OP_dispose_terminal] = { pass },
	/* search */
	[DT_OP_search] = { pass_search },
	[DT_OP_get_imports] = { pass_imports, check_file },
	[DT_OP_get_note] = { pass },
	[DT_OP_read_clipboard] = { pass },
	[DT_OP_write_clipboard] = { pass },
	[DT_OP_set_note] = { pass },
	/* watch */
	[DT_OP_watch_files] = { pass_changes },
	[DT_OP_unwatch_files] = { pass },
};

static void on_end(struct dt_answer *answer, const void *result,
                   const struct dt_fail *fail, void *owner)
{
	struct passage *p = owner;

	(void)answer;
	if (fail)
		dt_answer_fail(p->agent, fail);
	else
		table[p->op->index].pass(p, result);
	free(p);
}

static void on_shown(struct dt_answer *answer, void *owner)
{
	(void)answer;
	dt_answer_shown(((struct passage *)owner)->agent);
}

static void on_progress(struct dt_answer *answer,
                        const struct dt_progress *progress, void *owner)
{
	(void)answer;
	dt_answer_progress(((struct passage *)owner)->agent, progress);
}

static void on_drop(struct dt_answer *answer, void *performer)
{
	struct passage *p = performer;

	(void)answer;
	dt_answer_drop(&p->answer);
	free(p);
}

enum dt_err dt_passage_check(struct dt_caller *caller,
                             const struct dt_operation *op, const void *args,
                             struct dt_fail *fail)
{
	const struct line *line = &table[op->index];

	if (!line->pass)
		return dt_fail(fail, DT_E_DENIED,
		               "%s is not known to the context gate, so "
		               "nothing of it leaves",
		               op->name);
	return line->check ? line->check(caller, args, fail) : DT_E_OK;
}

struct dt_answer *dt_passage_open(struct dt_caller *caller,
                                  const struct dt_operation *op,
                                  struct dt_answer *answer)
{
	struct passage *p = dt_alloc(sizeof(*p));

	p->agent = answer;
	p->caller = caller;
	p->ws = caller->place;
	p->op = op;
	dt_answer_init(&p->answer, on_end, p);
	p->answer.on_shown = on_shown;
	p->answer.on_progress = on_progress;
	p->answer.asker = session_of(p)->is_person ? NULL : session_of(p)->id;
	answer->on_drop = on_drop;
	answer->performer = p;
	return &p->answer;
}
