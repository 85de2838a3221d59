/*
 * store/reviews_write.c - reviews put into SQL, ended and forgotten.
 *
 * Which verdict is allowed when is the business of review/; here only holds
 * that a review ends once.  What it proposes is never changed after it was
 * put.  A final text equal to the proposed one is not kept twice.
 */
#include "store/reviews.h"

#include "base/clock.h"
#include "base/rand.h"
#include "store/audit.h"
#include "store/call.h"
#include "store/sql.h"

#include <assert.h>

const char *const dt_review_state_names[] = {
	"waiting",  "accepted", "rejected",  "withdrawn",
	"orphaned", "writing",  "unwritten", NULL,
};
_Static_assert(sizeof(dt_review_state_names) /
                               sizeof(dt_review_state_names[0]) ==
                       DT_REVIEW_STATES + 1,
               "every state has a name");

const char *dt_review_verdict_name(enum dt_review_state state)
{
	return dt_review_state_names[dt_review_is_accepted(state)
	                                     ? DT_REVIEW_ACCEPTED
	                                     : state];
}

_Static_assert(DT_REVIEW_WRITING == 5, "the pruning names it by number");

/* The head of every call here: all that comes back is how it went. */
struct put_call {
	struct dt_store_change change;
	struct dt_review_record review;
};

struct verdict_call {
	struct dt_store_change change;
	struct dt_verdict_record verdict;
};

struct written_call {
	struct dt_store_change change;
	const char *review;
	enum dt_review_state state;
	const char *problem;
};

struct edit_call {
	struct dt_store_change change;
	const char *review;
	size_t entry;
	struct dt_str text;
};

struct time_call {
	struct dt_store_change change;
	int64_t time_ms;
};

static struct dt_str copy_text(struct dt_arena *arena, struct dt_str text)
{
	if (!text.ptr)
		return text;
	return (struct dt_str){ dt_arena_strndup(arena, text.ptr, text.len),
		                text.len };
}

/* Put a review */

static enum dt_err insert_entries(sqlite3 *db,
                                  const struct dt_review_record *review,
                                  struct dt_fail *fail)
{
	sqlite3_stmt *stmt;
	enum dt_err err = dt_sql_prepare(
		db,
		"INSERT INTO entry (review, position, kind, path, new_path,"
		" base_digest, old_text, proposed_text)"
		" VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
		&stmt, fail);

	for (size_t i = 0; !err && i < review->entry_count; i++) {
		const struct dt_entry_record *entry = &review->entries[i];

		dt_sql_bind_z(stmt, 1, review->id);
		dt_sql_bind_int(stmt, 2, (int64_t)i);
		dt_sql_bind_int(stmt, 3, entry->kind);
		dt_sql_bind_z(stmt, 4, entry->path);
		dt_sql_bind_z(stmt, 5, entry->new_path);
		dt_sql_bind_z(stmt, 6, entry->base_digest);
		dt_sql_bind_bytes(stmt, 7, entry->old_text);
		dt_sql_bind_bytes(stmt, 8, entry->proposed_text);
		err = dt_sql_run(stmt, fail);
	}
	sqlite3_finalize(stmt);
	return err;
}

static enum dt_err run_put(struct dt_store_call *call, sqlite3 *db,
                           struct dt_fail *fail)
{
	const struct dt_review_record *review =
		&((struct put_call *)call)->review;
	sqlite3_stmt *stmt;
	enum dt_err err = dt_sql_prepare(
		db,
		"INSERT INTO review (id, workspace, session, agent, title,"
		" reason, opened_ms, state, command, folder, timeout_ms, call,"
		" writer)"
		" VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12,"
		" ?13)",
		&stmt, fail);

	if (err)
		return err;
	dt_sql_bind_z(stmt, 1, review->id);
	dt_sql_bind_z(stmt, 2, review->workspace);
	dt_sql_bind_z(stmt, 3, review->session);
	dt_sql_bind_z(stmt, 4, review->agent);
	dt_sql_bind_z(stmt, 5, review->title);
	dt_sql_bind_z(stmt, 6, review->reason);
	dt_sql_bind_int(stmt, 7, review->opened_ms);
	dt_sql_bind_int(stmt, 8, DT_REVIEW_WAITING);
	dt_sql_bind_z(stmt, 9, review->command);
	dt_sql_bind_z(stmt, 10, review->folder);
	dt_sql_bind_int(stmt, 11, review->timeout_ms);
	dt_sql_bind_z(stmt, 12, review->call);
	dt_sql_bind_int(stmt, 13, review->writer);
	err = dt_sql_run(stmt, fail);
	sqlite3_finalize(stmt);
	return err ? err : insert_entries(db, review, fail);
}

static void copy_review(struct dt_arena *arena,
                        const struct dt_review_record *from,
                        struct dt_review_record *to)
{
	struct dt_entry_record *entries =
		dt_arena_alloc(arena, from->entry_count * sizeof(*entries));

	for (size_t i = 0; i < from->entry_count; i++) {
		const struct dt_entry_record *entry = &from->entries[i];

		entries[i] = (struct dt_entry_record){
			.kind = entry->kind,
			.path = dt_arena_strdup(arena, entry->path),
			.new_path = dt_arena_strdup(arena, entry->new_path),
			.base_digest =
				dt_arena_strdup(arena, entry->base_digest),
			.old_text = copy_text(arena, entry->old_text),
			.proposed_text = copy_text(arena, entry->proposed_text),
		};
	}
	*to = (struct dt_review_record){
		.id = dt_arena_strdup(arena, from->id),
		.workspace = dt_arena_strdup(arena, from->workspace),
		.session = dt_arena_strdup(arena, from->session),
		.agent = dt_arena_strdup(arena, from->agent),
		.title = dt_arena_strdup(arena, from->title),
		.reason = dt_arena_strdup(arena, from->reason),
		.call = dt_arena_strdup(arena, from->call),
		.command = dt_arena_strdup(arena, from->command),
		.folder = dt_arena_strdup(arena, from->folder),
		.timeout_ms = from->timeout_ms,
		.writer = from->writer,
		.opened_ms = from->opened_ms,
		.entries = entries,
		.entry_count = from->entry_count,
	};
}

void dt_store_put_review(struct dt_store *store,
                         const struct dt_review_record *review,
                         dt_store_done_fn *fn, void *owner)
{
	struct put_call *call =
		dt_store_change_new(store, sizeof(*call), run_put, fn, owner);

	assert(strlen(review->id) == DT_ID_TEXT - 1);
	copy_review(&call->change.call.arena, review, &call->review);
	dt_store_call_post(&call->change.call);
}

/* Put a verdict */

static enum dt_err insert_outcomes(sqlite3 *db,
                                   const struct dt_verdict_record *verdict,
                                   struct dt_fail *fail)
{
	sqlite3_stmt *stmt;
	enum dt_err err = dt_sql_prepare(
		db,
		"INSERT OR REPLACE INTO outcome"
		" (review, position, accepted, final_text)"
		" SELECT review, position, ?3, nullif(?4, proposed_text)"
		" FROM entry WHERE review = ?1 AND position = ?2",
		&stmt, fail);

	for (size_t i = 0; !err && i < verdict->outcome_count; i++) {
		const struct dt_outcome_record *outcome = &verdict->outcomes[i];

		dt_sql_bind_z(stmt, 1, verdict->review);
		dt_sql_bind_int(stmt, 2, (int64_t)i);
		dt_sql_bind_int(stmt, 3, outcome->accepted);
		dt_sql_bind_bytes(stmt, 4, outcome->final_text);
		err = dt_sql_run(stmt, fail);
		if (!err && sqlite3_changes(db) == 0)
			err = dt_fail(fail, DT_E_ARGS,
			              "review %s has only %zu entries",
			              verdict->review, i);
	}
	sqlite3_finalize(stmt);
	return err;
}

/* Why there was nothing to end. */
static enum dt_err refuse_verdict(sqlite3 *db, const char *id,
                                  struct dt_fail *fail)
{
	sqlite3_stmt *stmt;
	bool has_row;
	unsigned state;
	enum dt_err err = dt_sql_prepare(
		db, "SELECT state FROM review WHERE id = ?1", &stmt, fail);

	if (err)
		return err;
	dt_sql_bind_z(stmt, 1, id);
	err = dt_sql_step(stmt, &has_row, fail);
	state = !err && has_row ? (unsigned)sqlite3_column_int(stmt, 0) : 0;
	sqlite3_finalize(stmt);
	if (err)
		return err;
	if (!has_row)
		return dt_fail(fail, DT_E_MISSING,
		               "there is no review %s in the history", id);
	return dt_fail(
		fail, DT_E_STATE, "review %s has already been %s", id,
		state < DT_REVIEW_STATES
			? dt_review_verdict_name((enum dt_review_state)state)
			: "ended");
}

/* From which states a verdict leads on. */
static const unsigned can_end = 1u << DT_REVIEW_WAITING |
                                1u << DT_REVIEW_ORPHANED |
                                1u << DT_REVIEW_UNWRITTEN;
static const unsigned can_apply =
	1u << DT_REVIEW_WAITING | 1u << DT_REVIEW_ORPHANED |
	1u << DT_REVIEW_WITHDRAWN | 1u << DT_REVIEW_ACCEPTED |
	1u << DT_REVIEW_WRITING | 1u << DT_REVIEW_UNWRITTEN;

static enum dt_err run_verdict(struct dt_store_call *call, sqlite3 *db,
                               struct dt_fail *fail)
{
	const struct dt_verdict_record *verdict =
		&((struct verdict_call *)call)->verdict;
	sqlite3_stmt *stmt;
	enum dt_err err = dt_sql_prepare(
		db,
		"UPDATE review SET state = ?2, decided_ms = ?3, comment = ?4,"
		" decided_by = ?5, surface = ?6, writer = ?8, problem = NULL"
		" WHERE id = ?1 AND (?7 >> state) & 1",
		&stmt, fail);

	if (err)
		return err;
	dt_sql_bind_z(stmt, 1, verdict->review);
	dt_sql_bind_int(stmt, 2, verdict->state);
	dt_sql_bind_int(stmt, 3, verdict->decided_ms);
	dt_sql_bind_z(stmt, 4, verdict->comment);
	dt_sql_bind_z(stmt, 5, verdict->decided_by);
	dt_sql_bind_z(stmt, 6, verdict->surface);
	dt_sql_bind_int(stmt, 7, verdict->is_applied ? can_apply : can_end);
	dt_sql_bind_int(stmt, 8, verdict->writer);
	err = dt_sql_run(stmt, fail);
	sqlite3_finalize(stmt);
	if (!err && sqlite3_changes(db) == 0)
		err = refuse_verdict(db, verdict->review, fail);
	return err ? err : insert_outcomes(db, verdict, fail);
}

void dt_store_put_verdict(struct dt_store *store,
                          const struct dt_verdict_record *verdict,
                          dt_store_done_fn *fn, void *owner)
{
	struct verdict_call *call = dt_store_change_new(store, sizeof(*call),
	                                                run_verdict, fn, owner);
	struct dt_arena *arena = &call->change.call.arena;
	struct dt_outcome_record *outcomes = dt_arena_alloc(
		arena, verdict->outcome_count * sizeof(*outcomes));

	assert(verdict->state != DT_REVIEW_WAITING);
	call->change.call.mode = DT_STORE_COMMITS;
	for (size_t i = 0; i < verdict->outcome_count; i++) {
		outcomes[i].accepted = verdict->outcomes[i].accepted;
		outcomes[i].final_text =
			copy_text(arena, verdict->outcomes[i].final_text);
	}
	call->verdict = (struct dt_verdict_record){
		.review = dt_arena_strdup(arena, verdict->review),
		.state = verdict->state,
		.is_applied = verdict->is_applied,
		.writer = verdict->writer,
		.decided_ms = verdict->decided_ms,
		.comment = dt_arena_strdup(arena, verdict->comment),
		.decided_by = dt_arena_strdup(arena, verdict->decided_by),
		.surface = dt_arena_strdup(arena, verdict->surface),
		.outcomes = outcomes,
		.outcome_count = verdict->outcome_count,
	};
	dt_store_call_post(&call->change.call);
}

/* Put what became of it */

/* A review that nothing is kept of, with its texts. */
static enum dt_err forget_quiet(sqlite3 *db, const char *id,
                                enum dt_review_state state,
                                struct dt_fail *fail)
{
	sqlite3_stmt *stmt;
	enum dt_err err =
		dt_sql_prepare(db,
	                       "DELETE FROM review WHERE id = ifnull(?1, id)"
	                       " AND state = ?2 AND writer = ?3",
	                       &stmt, fail);

	if (err)
		return err;
	dt_sql_bind_z(stmt, 1, id);
	dt_sql_bind_int(stmt, 2, state);
	dt_sql_bind_int(stmt, 3, DT_WRITER_QUIET);
	err = dt_sql_run(stmt, fail);
	sqlite3_finalize(stmt);
	return err;
}

static enum dt_err run_written(struct dt_store_call *call, sqlite3 *db,
                               struct dt_fail *fail)
{
	const struct written_call *written = (struct written_call *)call;
	sqlite3_stmt *stmt;
	enum dt_err err = dt_sql_prepare(
		db,
		"UPDATE review SET state = ?2, problem = ?3, settled_ms = ?5"
		" WHERE id = ?1 AND state = ?4",
		&stmt, fail);

	if (err)
		return err;
	dt_sql_bind_z(stmt, 1, written->review);
	dt_sql_bind_int(stmt, 2, written->state);
	dt_sql_bind_z(stmt, 3, written->problem);
	dt_sql_bind_int(stmt, 4, DT_REVIEW_WRITING);
	dt_sql_bind_int(stmt, 5, dt_clock_wall_ms());
	err = dt_sql_run(stmt, fail);
	sqlite3_finalize(stmt);
	return err ? err
	           : forget_quiet(db, written->review, written->state, fail);
}

void dt_store_put_written(struct dt_store *store, const char *review,
                          enum dt_review_state state, const char *problem,
                          dt_store_done_fn *fn, void *owner)
{
	struct written_call *call = dt_store_change_new(store, sizeof(*call),
	                                                run_written, fn, owner);
	struct dt_arena *arena = &call->change.call.arena;

	call->review = dt_arena_strdup(arena, review);
	call->state = state;
	call->problem = dt_arena_strdup(arena, problem);
	dt_store_call_post(&call->change.call);
}

/* Put an edit */

static enum dt_err run_edit(struct dt_store_call *call, sqlite3 *db,
                            struct dt_fail *fail)
{
	const struct edit_call *edit = (struct edit_call *)call;
	sqlite3_stmt *stmt;
	enum dt_err err = dt_sql_prepare(
		db,
		"INSERT OR REPLACE INTO outcome"
		" (review, position, accepted, final_text)"
		" SELECT id, position, 0, nullif(?2, proposed_text)"
		" FROM review JOIN entry ON entry.review = id"
		" WHERE id = ?1 AND position = ?6 AND state IN (?3, ?4, ?5)",
		&stmt, fail);

	if (err)
		return err;
	dt_sql_bind_z(stmt, 1, edit->review);
	dt_sql_bind_bytes(stmt, 2, edit->text);
	dt_sql_bind_int(stmt, 3, DT_REVIEW_WAITING);
	dt_sql_bind_int(stmt, 4, DT_REVIEW_WITHDRAWN);
	dt_sql_bind_int(stmt, 5, DT_REVIEW_ORPHANED);
	dt_sql_bind_int(stmt, 6, (int64_t)edit->entry);
	err = dt_sql_run(stmt, fail);
	sqlite3_finalize(stmt);
	if (!err && sqlite3_changes(db) == 0)
		err = refuse_verdict(db, edit->review, fail);
	return err;
}

void dt_store_put_edit(struct dt_store *store, const char *review, size_t entry,
                       struct dt_str text, dt_store_done_fn *fn, void *owner)
{
	struct edit_call *call =
		dt_store_change_new(store, sizeof(*call), run_edit, fn, owner);
	struct dt_arena *arena = &call->change.call.arena;

	call->review = dt_arena_strdup(arena, review);
	call->entry = entry;
	call->text = copy_text(arena, text);
	dt_store_call_post(&call->change.call);
}

/* Reopen */

struct reopen_call {
	struct dt_store_change change;
	const char *name;
};

static enum dt_err run_reopen(struct dt_store_call *call, sqlite3 *db,
                              struct dt_fail *fail)
{
	sqlite3_stmt *stmt;
	enum dt_err err =
		dt_sql_prepare(db,
	                       "UPDATE review SET state = ?2, decided_ms = NULL"
	                       " WHERE call = ?1 AND state IN (?3, ?4)",
	                       &stmt, fail);

	if (err)
		return err;
	dt_sql_bind_z(stmt, 1, ((struct reopen_call *)call)->name);
	dt_sql_bind_int(stmt, 2, DT_REVIEW_WAITING);
	dt_sql_bind_int(stmt, 3, DT_REVIEW_ORPHANED);
	dt_sql_bind_int(stmt, 4, DT_REVIEW_WITHDRAWN);
	err = dt_sql_run(stmt, fail);
	sqlite3_finalize(stmt);
	return err;
}

void dt_store_reopen_review(struct dt_store *store, const char *call,
                            dt_store_done_fn *fn, void *owner)
{
	struct reopen_call *reopen = dt_store_change_new(store, sizeof(*reopen),
	                                                 run_reopen, fn, owner);

	reopen->name = dt_arena_strdup(&reopen->change.call.arena, call);
	dt_store_call_post(&reopen->change.call);
}

/* Orphan and prune */

static enum dt_err run_orphan(struct dt_store_call *call, sqlite3 *db,
                              struct dt_fail *fail)
{
	sqlite3_stmt *stmt;
	enum dt_err err = dt_sql_prepare(db,
	                                 "UPDATE review SET decided_ms = ?2,"
	                                 " state = iif(command IS NULL, ?1, ?4)"
	                                 " WHERE state = ?3",
	                                 &stmt, fail);

	if (err)
		return err;
	dt_sql_bind_int(stmt, 1, DT_REVIEW_ORPHANED);
	dt_sql_bind_int(stmt, 2, ((struct time_call *)call)->time_ms);
	dt_sql_bind_int(stmt, 3, DT_REVIEW_WAITING);
	dt_sql_bind_int(stmt, 4, DT_REVIEW_WITHDRAWN);
	err = forget_quiet(db, NULL, DT_REVIEW_WAITING, fail);
	if (!err)
		err = dt_sql_run(stmt, fail);
	sqlite3_finalize(stmt);
	return err;
}

void dt_store_orphan_waiting(struct dt_store *store, int64_t now_ms,
                             dt_store_done_fn *fn, void *owner)
{
	struct time_call *call = dt_store_change_new(store, sizeof(*call),
	                                             run_orphan, fn, owner);

	call->time_ms = now_ms;
	dt_store_call_post(&call->change.call);
}

/* Entries and outcomes go with their review, by their foreign keys; what waits
 * or is connected has no time of its end and stays. */
static const struct {
	const char *sql;
	int64_t most; /* rows; 0: what is older than the time goes */
} prunings[] = {
	/* What is still to be written (DT_REVIEW_WRITING) is not history. */
	{ "DELETE FROM review WHERE decided_ms < ?1 AND state <> 5", 0 },
	{ "DELETE FROM session WHERE disconnected_ms < ?1", 0 },
	{ "DELETE FROM audit WHERE at_ms < ?1", 0 },
	{ "DELETE FROM audit WHERE number <="
	  " (SELECT max(number) FROM audit) - ?1",
	  DT_STORE_AUDIT_MAX },
};

static enum dt_err run_prune(struct dt_store_call *call, sqlite3 *db,
                             struct dt_fail *fail)
{
	int64_t time_ms = ((struct time_call *)call)->time_ms;
	enum dt_err err = DT_E_OK;

	for (size_t i = 0; !err && i < sizeof(prunings) / sizeof(prunings[0]);
	     i++) {
		sqlite3_stmt *stmt;

		err = dt_sql_prepare(db, prunings[i].sql, &stmt, fail);
		if (err)
			break;
		dt_sql_bind_int(stmt, 1,
		                prunings[i].most ? prunings[i].most : time_ms);
		err = dt_sql_run(stmt, fail);
		sqlite3_finalize(stmt);
	}
	return err ? err : dt_sql_exec(db, "PRAGMA incremental_vacuum", fail);
}

void dt_store_prune(struct dt_store *store, int64_t before_ms,
                    dt_store_done_fn *fn, void *owner)
{
	struct time_call *call =
		dt_store_change_new(store, sizeof(*call), run_prune, fn, owner);

	call->time_ms = before_ms;
	dt_store_call_post(&call->change.call);
}
