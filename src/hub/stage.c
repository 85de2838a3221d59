/*
 * hub/stage.c - changes looked at and gathered by agents.
 *
 * What a change would make of the files is found as for a review, by
 * review/changeset.c; what is gathered is review/staging.c's.  What of it an
 * agent is told is for the gate, see passage.c.
 */
#include "hub/stage.h"

#include "base/path.h"
#include "editor/change.h"
#include "hub/propose.h"
#include "review/staging.h"

#include <stdlib.h>

void dt_stage_preview(struct dt_session *session, struct dt_workspace *ws,
                      const void *args, struct dt_answer *answer)
{
	const struct dt_propose_args *wanted = args;
	struct dt_preview_result result;
	struct dt_fail fail = { 0 };
	struct dt_changeset set;

	(void)session;
	if (dt_changeset_init(&set, &wanted->changes, &ws->docs, &fail)) {
		dt_answer_fail(answer, &fail);
		return;
	}
	result.changes = (struct dt_items){
		dt_changeset_list(&set, DT_TOLD_PROPOSED),
		set.count,
	};
	dt_answer_end(answer, &result);
	free(result.changes.ptr);
	dt_changeset_done(&set);
}

/* saving */

struct saving {
	struct dt_answer answer; /* of the proposal */
	struct dt_answer *agent;
};

static void on_saved(struct dt_answer *answer, const void *result,
                     const struct dt_fail *fail, void *owner)
{
	const struct dt_propose_result *verdict = result;
	struct dt_found_result found = { .is_found = true, .is_dirty = true };
	struct saving *saving = owner;
	struct dt_answer *agent = saving->agent;

	(void)answer;
	if (fail)
		dt_answer_fail(agent, fail);
	else if (verdict->outcome != DT_ACCEPTED)
		dt_answer_failf(agent, DT_E_DENIED,
		                "The person rejected it, and nothing is "
		                "saved%s%s",
		                verdict->comment ? ": " : ".",
		                verdict->comment ? verdict->comment : "");
	else if (!verdict->is_written)
		dt_answer_failf(agent, DT_E_STATE, "Nothing is saved: %s",
		                verdict->problem);
	else
		dt_answer_end(agent, &found);
	free(saving);
}

static void on_save_dropped(struct dt_answer *answer, void *performer)
{
	struct saving *saving = performer;

	(void)answer;
	dt_answer_drop(&saving->answer);
	free(saving);
}

void dt_stage_save(struct dt_session *session, struct dt_workspace *ws,
                   const void *args, struct dt_answer *answer)
{
	const struct dt_path_args *wanted = args;
	struct dt_change change = {
		.kind = DT_CHANGE_EDIT,
		.path = wanted->path,
		.is_save = true,
	};
	struct dt_propose_args proposal = {
		.title = dt_path_base(wanted->path),
		.changes = { &change, 1 },
	};
	struct saving *saving;

	if (!dt_documents_is_dirty(&ws->docs, wanted->path)) {
		ws->editor->backend->perform(ws->editor, &dt_op_save_document,
		                             args, answer);
		return;
	}
	saving = dt_alloc(sizeof(*saving));
	saving->agent = answer;
	dt_answer_init(&saving->answer, on_saved, saving);
	answer->on_drop = on_save_dropped;
	answer->performer = saving;
	dt_propose_written(session, ws, &proposal, &saving->answer);
}

/* transactions */

/*
 * Whose it is.  What a person types is one call a session, so their transactions
 * are the workspace's and end by their age.
 */
static const char *owner_of(struct dt_arena *arena,
                            const struct dt_session *session,
                            const struct dt_workspace *ws)
{
	if (!session->is_person)
		return session->id;
	return dt_arena_printf(arena, "person %s", ws->record.id);
}

void dt_stage_begin(struct dt_session *session, struct dt_workspace *ws,
                    const void *args, struct dt_answer *answer)
{
	const struct dt_transaction_args *wanted = args;
	struct dt_transaction_result result = { 0 };
	struct dt_arena arena = { 0 };
	struct dt_fail fail = { 0 };
	struct dt_transaction *t;
	enum dt_err err = dt_staging_begin(&ws->hub->staging,
	                                   owner_of(&arena, session, ws),
	                                   wanted->id, &t, &fail);

	dt_arena_done(&arena);
	if (err) {
		dt_answer_fail(answer, &fail);
		return;
	}
	result.id = t->id;
	dt_answer_end(answer, &result);
}

/* NULL: the answer has failed. */
static struct dt_transaction *find(struct dt_session *session,
                                   struct dt_workspace *ws, const char *id,
                                   struct dt_answer *answer)
{
	struct dt_arena arena = { 0 };
	struct dt_fail fail = { 0 };
	struct dt_transaction *t;
	enum dt_err err =
		dt_staging_find(&ws->hub->staging,
	                        owner_of(&arena, session, ws), id, &t, &fail);

	dt_arena_done(&arena);
	if (!err)
		return t;
	dt_answer_fail(answer, &fail);
	return NULL;
}

void dt_stage_change(struct dt_session *session, struct dt_workspace *ws,
                     const void *args, struct dt_answer *answer)
{
	const struct dt_stage_args *wanted = args;
	struct dt_transaction *t = find(session, ws, wanted->id, answer);
	struct dt_preview_result result;
	struct dt_fail fail = { 0 };

	if (!t)
		return;
	if (dt_transaction_stage(t, &wanted->changes, &ws->docs,
	                         &result.changes, &fail)) {
		dt_answer_fail(answer, &fail);
		return;
	}
	dt_answer_end(answer, &result);
	free(result.changes.ptr);
}

void dt_stage_take(struct dt_session *session, struct dt_workspace *ws,
                   const void *args, struct dt_answer *answer)
{
	const struct dt_transaction_args *wanted = args;
	struct dt_transaction *t = find(session, ws, wanted->id, answer);
	struct dt_preview_result result;

	if (!t)
		return;
	if (t->set.count == 0) {
		dt_answer_failf(answer, DT_E_STATE,
		                "nothing is staged in transaction %s",
		                wanted->id);
		return;
	}
	result.changes = dt_transaction_list(t);
	/* It is over before the answer is: that may begin the next. */
	dt_list_remove(&t->link);
	dt_list_init(&t->link);
	dt_answer_end(answer, &result);
	free(result.changes.ptr);
	dt_transaction_free(t);
}

void dt_stage_drop(struct dt_session *session, struct dt_workspace *ws,
                   const void *args, struct dt_answer *answer)
{
	const struct dt_transaction_args *wanted = args;
	struct dt_transaction *t = find(session, ws, wanted->id, answer);
	struct dt_transaction_result result = { .id = wanted->id };

	if (!t)
		return;
	result.file_count = (uint32_t)t->set.count;
	dt_transaction_free(t);
	dt_answer_end(answer, &result);
}
