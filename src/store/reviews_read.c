/*
 * store/reviews_read.c - reviews listed and fetched.
 *
 * Nothing here changes the database.  All that is read is copied into the
 * arena of its call, since SQLite's own copy lives only as long as the row.
 */
#include "store/reviews.h"

#include "base/rand.h"
#include "store/call.h"
#include "store/sql.h"

#define ID_DIGITS (DT_ID_TEXT - 1)

#define REVIEW_COLUMNS                                                         \
	"id, workspace, session, agent, title, reason, opened_ms, state,"      \
	" decided_ms, comment, decided_by, surface,"                           \
	" (SELECT count(*) FROM entry WHERE entry.review = review.id),"        \
	" command, folder, timeout_ms, call, writer, problem"

#define ENTRY_COLUMNS                                                          \
	"kind, path, new_path, base_digest, accepted,"                         \
	" NOT accepted AND final_text IS NOT NULL"
#define ENTRY_TEXTS                                                            \
	"old_text, proposed_text,"                                             \
	" CASE WHEN accepted THEN ifnull(final_text, proposed_text)"           \
	" ELSE final_text END"
#define ENTRY_ROWS                                                             \
	" FROM entry LEFT JOIN outcome USING (review, position)"               \
	" WHERE review = ?1 ORDER BY position"

static const char entries_light[] =
	"SELECT " ENTRY_COLUMNS ", NULL, NULL, NULL" ENTRY_ROWS;
static const char entries_whole[] =
	"SELECT " ENTRY_COLUMNS ", " ENTRY_TEXTS ENTRY_ROWS;

struct list_call {
	struct dt_store_call call;
	dt_store_list_fn *fn;
	void *owner;
	struct dt_review_filter filter;
	struct dt_review_record *reviews;
	size_t count;
};

struct get_call {
	struct dt_store_call call;
	dt_store_get_fn *fn;
	void *owner;
	const char *id;
	const char *sql; /* finds it by that */
	struct dt_review_record review;
};

/* A number from a file that anyone may have written to. */
static enum dt_err read_choice(sqlite3_stmt *stmt, int at, unsigned count,
                               unsigned *out, struct dt_fail *fail)
{
	int64_t value = sqlite3_column_int64(stmt, at);

	if (value < 0 || value >= count)
		return dt_fail(fail, DT_E_STATE,
		               "the history holds a %s this Dovetail does not "
		               "know (%lld)",
		               sqlite3_column_name(stmt, at), (long long)value);
	*out = (unsigned)value;
	return DT_E_OK;
}

static enum dt_err read_entry(sqlite3_stmt *stmt, struct dt_arena *arena,
                              struct dt_entry_record *out, struct dt_fail *fail)
{
	unsigned kind;
	enum dt_err err = read_choice(stmt, 0, DT_ENTRY_KINDS, &kind, fail);

	if (err)
		return err;
	*out = (struct dt_entry_record){
		.kind = (enum dt_entry_kind)kind,
		.path = dt_sql_z(stmt, 1, arena),
		.new_path = dt_sql_z(stmt, 2, arena),
		.base_digest = dt_sql_z(stmt, 3, arena),
		.accepted = sqlite3_column_int(stmt, 4) != 0,
		.is_edited = sqlite3_column_int(stmt, 5) != 0,
		.old_text = dt_sql_bytes(stmt, 6, arena),
		.proposed_text = dt_sql_bytes(stmt, 7, arena),
		.final_text = dt_sql_bytes(stmt, 8, arena),
	};
	return DT_E_OK;
}

/* `review` has its id, and an entry_count that another process may have made
 * too large since. */
static enum dt_err read_entries(sqlite3 *db, const char *sql,
                                struct dt_arena *arena,
                                struct dt_review_record *review,
                                struct dt_fail *fail)
{
	size_t room = review->entry_count;
	struct dt_entry_record *entries =
		dt_arena_alloc(arena, room * sizeof(*entries));
	sqlite3_stmt *stmt;
	enum dt_err err = dt_sql_prepare(db, sql, &stmt, fail);

	if (err)
		return err;
	dt_sql_bind_z(stmt, 1, review->id);
	review->entries = entries;
	for (review->entry_count = 0; review->entry_count < room;
	     review->entry_count++) {
		bool has_row;

		err = dt_sql_step(stmt, &has_row, fail);
		if (err || !has_row)
			break;
		err = read_entry(stmt, arena, &entries[review->entry_count],
		                 fail);
		if (err)
			break;
	}
	sqlite3_finalize(stmt);
	return err;
}

/* A row of REVIEW_COLUMNS. */
static enum dt_err read_review(sqlite3_stmt *stmt, struct dt_arena *arena,
                               struct dt_review_record *out,
                               struct dt_fail *fail)
{
	unsigned writer;
	unsigned state;
	enum dt_err err = read_choice(stmt, 7, DT_REVIEW_STATES, &state, fail);

	if (!err)
		err = read_choice(stmt, 17, DT_WRITERS, &writer, fail);
	if (err)
		return err;
	*out = (struct dt_review_record){
		.id = dt_sql_z(stmt, 0, arena),
		.workspace = dt_sql_z(stmt, 1, arena),
		.session = dt_sql_z(stmt, 2, arena),
		.agent = dt_sql_z(stmt, 3, arena),
		.title = dt_sql_z(stmt, 4, arena),
		.reason = dt_sql_z(stmt, 5, arena),
		.opened_ms = sqlite3_column_int64(stmt, 6),
		.state = (enum dt_review_state)state,
		.decided_ms = sqlite3_column_int64(stmt, 8),
		.comment = dt_sql_z(stmt, 9, arena),
		.decided_by = dt_sql_z(stmt, 10, arena),
		.surface = dt_sql_z(stmt, 11, arena),
		.entry_count = (size_t)sqlite3_column_int64(stmt, 12),
		.command = dt_sql_z(stmt, 13, arena),
		.folder = dt_sql_z(stmt, 14, arena),
		.timeout_ms = sqlite3_column_int64(stmt, 15),
		.call = dt_sql_z(stmt, 16, arena),
		.writer = (enum dt_review_writer)writer,
		.problem = dt_sql_z(stmt, 18, arena),
	};
	return DT_E_OK;
}

/* List */

/* Of the states in ?3 only what a person had edited. */
#define IS_LISTED                                                              \
	"(?1 >> state) & 1 AND max(opened_ms, ifnull(decided_ms, 0),"          \
	" ifnull(settled_ms, 0)) >= ?2"                                        \
	" AND (NOT (?3 >> state) & 1 OR EXISTS"                                \
	" (SELECT 1 FROM outcome WHERE outcome.review = review.id"             \
	" AND NOT accepted AND final_text IS NOT NULL))"
#define IN_ORDER " ORDER BY opened_ms DESC, rowid DESC"

/* The rows of `stmt`, at most the filter's limit. */
static enum dt_err read_list(struct list_call *list, sqlite3_stmt *stmt,
                             sqlite3 *db, struct dt_fail *fail)
{
	struct dt_arena *arena = &list->call.arena;

	while (list->count < list->filter.limit) {
		struct dt_review_record *review = &list->reviews[list->count];
		bool has_row;
		enum dt_err err = dt_sql_step(stmt, &has_row, fail);

		if (err || !has_row)
			return err;
		err = read_review(stmt, arena, review, fail);
		if (!err)
			err = read_entries(db, entries_light, arena, review,
			                   fail);
		if (err)
			return err;
		list->count++;
	}
	return DT_E_OK;
}

static enum dt_err run_list(struct dt_store_call *call, sqlite3 *db,
                            struct dt_fail *fail)
{
	struct list_call *list = (struct list_call *)call;
	const struct dt_review_filter *filter = &list->filter;
	sqlite3_stmt *stmt;
	enum dt_err err = dt_sql_prepare(
		db,
		filter->workspace ? "SELECT " REVIEW_COLUMNS " FROM review"
				    " WHERE " IS_LISTED
				    " AND workspace = ?4" IN_ORDER
				  : "SELECT " REVIEW_COLUMNS " FROM review"
				    " WHERE " IS_LISTED IN_ORDER,
		&stmt, fail);

	if (err)
		return err;
	dt_sql_bind_int(stmt, 1, filter->states);
	dt_sql_bind_int(stmt, 2, filter->since_ms);
	if (filter->workspace)
		dt_sql_bind_z(stmt, 4, filter->workspace);
	dt_sql_bind_int(stmt, 3, filter->edited);
	list->reviews = dt_arena_alloc(&call->arena,
	                               filter->limit * sizeof(*list->reviews));
	err = read_list(list, stmt, db, fail);
	sqlite3_finalize(stmt);
	return err;
}

static void end_list(struct dt_store_call *call)
{
	struct list_call *list = (struct list_call *)call;

	list->fn(call->store, list->reviews, call->fail.code ? 0 : list->count,
	         &call->fail, list->owner);
}

void dt_store_list_reviews(struct dt_store *store,
                           const struct dt_review_filter *filter,
                           dt_store_list_fn *fn, void *owner)
{
	struct list_call *list = dt_store_call_new(store, sizeof(*list));

	list->call.run = run_list;
	list->call.end = end_list;
	list->fn = fn;
	list->owner = owner;
	list->filter = *filter;
	list->filter.workspace =
		dt_arena_strdup(&list->call.arena, filter->workspace);
	if (filter->states == 0)
		list->filter.states = (1u << DT_REVIEW_STATES) - 1;
	if (filter->limit == 0 || filter->limit > DT_STORE_LIST_MAX)
		list->filter.limit = DT_STORE_LIST_MAX;
	dt_store_call_post(&list->call);
}

/* Get */

/* 'g' comes after every hexadecimal digit. */
static const char by_id[] = "SELECT " REVIEW_COLUMNS " FROM review"
			    " WHERE id >= ?1 AND id < ?1 || 'g' LIMIT 2";
static const char by_call[] = "SELECT " REVIEW_COLUMNS " FROM review"
			      " WHERE call = ?1 LIMIT 2";

static bool can_begin_id(const char *text)
{
	size_t len = strspn(text, "0123456789abcdef");

	return text[len] == '\0' && len > 0 && len <= ID_DIGITS;
}

/* The one review that begins with get->id; `stmt` gives all that do. */
static enum dt_err read_only_one(struct get_call *get, sqlite3_stmt *stmt,
                                 struct dt_fail *fail)
{
	bool has_row;
	enum dt_err err = dt_sql_step(stmt, &has_row, fail);

	if (err)
		return err;
	if (!has_row)
		return dt_fail(fail, DT_E_MISSING,
		               "there is no review %s in the history", get->id);
	err = read_review(stmt, &get->call.arena, &get->review, fail);
	if (!err)
		err = dt_sql_step(stmt, &has_row, fail);
	if (!err && has_row)
		err = dt_fail(fail, DT_E_ARGS,
		              "more than one review begins with %s; type more "
		              "of its id",
		              get->id);
	return err;
}

static enum dt_err run_get(struct dt_store_call *call, sqlite3 *db,
                           struct dt_fail *fail)
{
	struct get_call *get = (struct get_call *)call;
	sqlite3_stmt *stmt;
	enum dt_err err;

	if (get->sql == by_id && !can_begin_id(get->id))
		return dt_fail(fail, DT_E_ARGS,
		               "\"%s\" is no review id: that is up to %d "
		               "digits 0-9 a-f",
		               get->id, ID_DIGITS);
	err = dt_sql_prepare(db, get->sql, &stmt, fail);
	if (err)
		return err;
	dt_sql_bind_z(stmt, 1, get->id);
	err = read_only_one(get, stmt, fail);
	sqlite3_finalize(stmt);
	if (err)
		return err;
	return read_entries(db, entries_whole, &call->arena, &get->review,
	                    fail);
}

static void end_get(struct dt_store_call *call)
{
	struct get_call *get = (struct get_call *)call;

	get->fn(call->store, call->fail.code ? NULL : &get->review, &call->fail,
	        get->owner);
}

static void get_by(struct dt_store *store, const char *sql, const char *id,
                   dt_store_get_fn *fn, void *owner)
{
	struct get_call *get = dt_store_call_new(store, sizeof(*get));

	get->call.run = run_get;
	get->call.end = end_get;
	get->fn = fn;
	get->owner = owner;
	get->sql = sql;
	get->id = dt_arena_strdup(&get->call.arena, id);
	dt_store_call_post(&get->call);
}

void dt_store_get_review(struct dt_store *store, const char *id,
                         dt_store_get_fn *fn, void *owner)
{
	get_by(store, by_id, id, fn, owner);
}

void dt_store_get_call(struct dt_store *store, const char *call,
                       dt_store_get_fn *fn, void *owner)
{
	get_by(store, by_call, call, fn, owner);
}
