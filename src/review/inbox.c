/*
 * review/inbox.c - the state machine of a review.
 *
 *   waiting --decide--> writing | rejected    verdict stored, then agent told
 *           --withdraw> withdrawn             agent told at once
 *           --drop----> orphaned              nobody left to tell
 *   orphaned  --resume--> waiting             its caller is back
 *   writing ----------> accepted | unwritten  as the disk has it
 *
 * What we write is written between the two, so its agent hears how it ended; of
 * what the agent writes the inbox' owner finds out.
 *
 * A review leaves memory when it ends and its agent was told; history is the
 * store's.  What the rules decide goes the same way without ever being seen to
 * wait.
 */
#include "review/inbox.h"

#include "base/clock.h"
#include "base/limits.h"
#include "base/log.h"
#include "review/restore.h"
#include "review/write.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static void free_review(struct dt_review *r)
{
	dt_list_remove(&r->link);
	if (r->is_put_by)
		r->inbox->put_by_count--;
	else
		r->inbox->count--;
	dt_changeset_done(&r->set);
	free((char *)(uintptr_t)r->card.command);
	free((char *)(uintptr_t)r->card.folder);
	free((char *)(uintptr_t)r->card.program);
	free(r->workspace);
	free(r->session);
	free(r->agent);
	free(r->title);
	free(r->reason);
	free(r->call);
	free(r->comment);
	free(r->problem);
	free(r);
}

static void set_state(struct dt_review *r, enum dt_review_state state)
{
	if (r->is_silent) {
		r->state = state;
		return;
	}
	dt_log(DT_LOG_INFO, "review %.8s: %s -> %s", r->id,
	       dt_review_state_names[r->state], dt_review_state_names[state]);
	r->state = state;
	if (r->inbox->on_change)
		r->inbox->on_change(r->inbox, r, r->inbox->owner);
}

/* what is kept */

static void on_stored(struct dt_store *store, const struct dt_fail *fail,
                      void *owner)
{
	struct dt_inbox *inbox = owner;

	(void)store;
	if (fail->code)
		dt_log(DT_LOG_ERROR, "a review could not be kept: %s",
		       fail->msg);
	if (!fail->code || !inbox->unkept.code)
		inbox->unkept = *fail;
}

/* What the rules let pass is not kept, but several files can be left torn: that
 * is written down until they are written. */
static bool is_kept(const struct dt_review *r)
{
	return r->inbox->store &&
	       (!r->is_silent || (r->writes && r->set.count > 1));
}

static void store_review(struct dt_review *r)
{
	struct dt_entry_record *entries =
		dt_alloc(r->set.count * sizeof(*entries));
	struct dt_review_record record = {
		.id = r->id,
		.workspace = r->workspace,
		.session = r->session,
		.agent = r->agent,
		.title = r->title,
		.reason = r->reason,
		.call = r->call,
		.command = r->card.command,
		.folder = r->card.folder,
		.timeout_ms = r->card.timeout_ms,
		.writer = r->is_silent ? DT_WRITER_QUIET : DT_WRITER_NONE,
		.opened_ms = r->opened_ms,
		.entries = entries,
		.entry_count = r->set.count,
	};

	for (size_t i = 0; i < r->set.count; i++) {
		const struct dt_entry *e = &r->set.entries[i];

		/* Both lists name the kinds in the same order. */
		entries[i].kind = (enum dt_entry_kind)e->kind;
		entries[i].path = e->path;
		entries[i].new_path = e->new_path;
		entries[i].base_digest = e->digest[0] ? e->digest : NULL;
		entries[i].old_text = e->old_text;
		entries[i].proposed_text = e->proposed;
	}
	if (is_kept(r))
		dt_store_put_review(r->inbox->store, &record, on_stored,
		                    r->inbox);
	free(entries);
}

static enum dt_review_writer writer_of(const struct dt_review *r)
{
	if (r->state != DT_REVIEW_WRITING)
		return DT_WRITER_NONE;
	if (r->is_silent)
		return DT_WRITER_QUIET;
	return r->writes ? DT_WRITER_WE : DT_WRITER_AGENT;
}

static void store_end(struct dt_review *r, const struct dt_verdict *verdict,
                      dt_store_done_fn *fn, void *owner)
{
	struct dt_outcome_record *outcomes =
		dt_alloc(r->set.count * sizeof(*outcomes));
	struct dt_verdict_record record = {
		.review = r->id,
		.state = r->state,
		.writer = writer_of(r),
		.decided_ms = dt_clock_wall_ms(),
		.comment = verdict ? verdict->comment : NULL,
		.decided_by = verdict ? verdict->decided_by : NULL,
		.surface = verdict ? verdict->surface : NULL,
		.outcomes = outcomes,
		.outcome_count = r->set.count,
	};

	for (size_t i = 0; i < r->set.count; i++) {
		outcomes[i].accepted = dt_review_is_accepted(r->state) &&
		                       !r->set.entries[i].is_left_out;
		outcomes[i].final_text = r->set.entries[i].final;
	}
	dt_store_put_verdict(r->inbox->store, &record, fn, owner);
	free(outcomes);
}

/* the agent is gone */

/* A command that nobody waits for is never run, so nothing is left to decide. */
static void orphan(struct dt_review *r)
{
	r->answer = NULL;
	if (r->state != DT_REVIEW_WAITING)
		return; /* its verdict is on the way and frees it */
	set_state(r, r->card.command || r->is_retracted ? DT_REVIEW_WITHDRAWN
	                                                : DT_REVIEW_ORPHANED);
	if (r->inbox->store)
		store_end(r, NULL, on_stored, r->inbox);
	free_review(r);
}

static void on_drop(struct dt_answer *answer, void *performer)
{
	struct dt_review *r = performer;

	(void)answer;
	if (!r->is_lasting) {
		orphan(r);
		return;
	}
	r->answer = NULL;
	r->alone_ms = dt_clock_ms();
}

static void attach(struct dt_review *r, struct dt_answer *answer)
{
	r->answer = answer;
	answer->on_drop = on_drop;
	answer->performer = r;
}

/* opening */

void dt_inbox_init(struct dt_inbox *inbox, struct dt_store *store)
{
	*inbox = (struct dt_inbox){ .store = store };
	dt_list_init(&inbox->list);
	dt_list_init(&inbox->put_by);
}

void dt_inbox_done(struct dt_inbox *inbox)
{
	dt_list_each(r, &inbox->list, struct dt_review, link) {
		/* Whoever waits for it may still drop it. */
		if (r->answer)
			r->answer->on_drop = NULL;
		r->is_lasting = false;
		orphan(r);
	}
	dt_list_each(r, &inbox->put_by, struct dt_review, link)
		free_review(r);
}

static char *dup_or_null(const char *z)
{
	return z ? dt_strdup(z) : NULL;
}

static size_t waiting_of(struct dt_inbox *inbox, const char *session)
{
	size_t n = 0;

	dt_list_each(r, &inbox->list, struct dt_review, link) {
		if (r->state == DT_REVIEW_WAITING &&
		    !strcmp(r->session, session))
			n++;
	}
	return n;
}

/* Takes the change set over. */
static struct dt_review *new_review(struct dt_inbox *inbox,
                                    const struct dt_review_spec *spec,
                                    const struct dt_changeset *set)
{
	struct dt_review *r = dt_alloc(sizeof(*r));

	r->inbox = inbox;
	r->set = *set;
	if (spec->card)
		r->card = (struct dt_card){
			.command = dt_strdup(spec->card->command),
			.folder = dt_strdup(spec->card->folder),
			.timeout_ms = spec->card->timeout_ms,
			.program = dup_or_null(spec->card->program),
		};
	r->docs = spec->docs;
	r->writes = spec->writes;
	r->settle_ms = spec->settle_ms ? spec->settle_ms : DT_LIMIT_SETTLE_MS;
	dt_rand_id(r->id);
	r->workspace = dt_strdup(spec->workspace);
	r->session = dt_strdup(spec->session);
	r->agent = dt_strdup(spec->agent);
	r->title = dt_strdup(spec->args->title);
	r->reason = dup_or_null(spec->args->reason);
	r->call = dup_or_null(spec->call);
	r->opened_ms = dt_clock_wall_ms();
	dt_list_append(&inbox->list, &r->link);
	inbox->count++;
	return r;
}

/* deciding */

/* The entries as they are told: with the texts proposed, or the final ones. */
static struct dt_change *list_changes(const struct dt_review *r)
{
	enum dt_told_texts texts = DT_TOLD_NONE;

	if (r->state == DT_REVIEW_WAITING)
		texts = DT_TOLD_PROPOSED;
	if (dt_review_is_accepted(r->state))
		texts = DT_TOLD_FINAL;
	return dt_changeset_list(&r->set, texts);
}

static void end_answer(struct dt_review *r, struct dt_answer *answer)
{
	bool is_accepted = dt_review_is_accepted(r->state);
	struct dt_change *changes = list_changes(r);
	struct dt_propose_result result = {
		.outcome = is_accepted ? DT_ACCEPTED : DT_REJECTED,
		.comment = r->is_by_rule ? NULL : r->comment,
		.changes = { changes, r->set.count },
		.is_written = r->is_written,
		.problem = r->problem,
	};

	dt_answer_end(answer, &result);
	free(changes);
}

static void tell_agent(struct dt_review *r)
{
	struct dt_answer *answer = r->answer;

	r->answer = NULL;
	if (r->is_by_rule && r->state == DT_REVIEW_REJECTED)
		dt_answer_failf(answer, DT_E_DENIED,
		                "Dovetail's policy denies this change (%s).",
		                r->comment);
	else
		end_answer(r, answer);
}

/* Nobody waits for the verdict just now. */
static void put_by(struct dt_review *r)
{
	struct dt_inbox *inbox = r->inbox;

	dt_list_remove(&r->link);
	inbox->count--;
	r->is_put_by = true;
	r->alone_ms = dt_clock_ms();
	dt_list_append(&inbox->put_by, &r->link);
	if (++inbox->put_by_count > DT_LIMIT_UNATTENDED)
		free_review(
			DT_LIST_OF(inbox->put_by.next, struct dt_review, link));
}

/* What is not written down is not begun: after a crash nobody would know.  Of
 * what no person has seen nobody does anyway. */
static enum dt_err write_it(struct dt_review *r, const struct dt_fail *unkept,
                            struct dt_fail *fail)
{
	if (unkept->code && !r->is_silent)
		return dt_fail(fail, unkept->code,
		               "the verdict could not be kept: %s",
		               unkept->msg);
	return dt_changeset_write(&r->set, r->docs, r->id, false, fail);
}

static void carry_out(struct dt_review *r, struct dt_fail *fail)
{
	struct dt_fail why = { 0 };

	r->is_written = !write_it(r, fail, &why);
	if (!r->is_written) {
		r->problem = dt_strdup(why.msg);
		dt_fail(fail, why.code, "nothing is written: %s", why.msg);
	}
	set_state(r, r->is_written ? DT_REVIEW_ACCEPTED : DT_REVIEW_UNWRITTEN);
	if (is_kept(r))
		dt_store_put_written(r->inbox->store, r->id, r->state,
		                     r->problem, on_stored, r->inbox);
}

static void finish(struct dt_review *r, const struct dt_fail *fail)
{
	struct dt_fail why = *fail;
	bool is_told = r->answer || !r->is_lasting;

	if (r->writes && r->state == DT_REVIEW_WRITING)
		carry_out(r, &why);
	if (r->answer)
		tell_agent(r);
	r->on_decided(r, &why, r->decider);
	if (is_told)
		free_review(r);
	else
		put_by(r);
}

void dt_inbox_keep(struct dt_review *r, size_t entry, struct dt_str text)
{
	dt_entry_set_final(&r->set.entries[entry], text);
}

/* Whether something would be left of it. */
static bool takes_any(const struct dt_review *r,
                      const struct dt_verdict *verdict)
{
	for (size_t i = 0; i < verdict->final_count; i++) {
		if (!verdict->finals[i].is_left_out)
			return true;
	}
	return verdict->final_count < r->set.count || r->set.count == 0;
}

static void set_final(struct dt_entry *e, const struct dt_final *given,
                      bool is_accepted)
{
	struct dt_str none = { 0 };

	e->is_left_out = is_accepted && given && given->is_left_out;
	if (e->is_left_out)
		dt_entry_set_final(e, none);
	else if (given && given->text.ptr)
		dt_entry_set_final(e, given->text);
	else if (is_accepted)
		dt_entry_set_final(e, e->proposed);
}

static void on_verdict_stored(struct dt_store *store,
                              const struct dt_fail *fail, void *owner)
{
	struct dt_review *r = owner;

	on_stored(store, fail, r->inbox);
	finish(r, fail);
}

enum dt_err dt_inbox_decide(struct dt_review *r,
                            const struct dt_verdict *verdict, dt_decided_fn *fn,
                            void *owner, struct dt_fail *fail)
{
	bool is_accepted = verdict->outcome == DT_ACCEPTED;

	if (r->state != DT_REVIEW_WAITING)
		return dt_fail(fail, DT_E_STATE, "review %.8s is %s already",
		               r->id, dt_review_verdict_name(r->state));
	if (is_accepted && !takes_any(r, verdict))
		return dt_fail(fail, DT_E_ARGS,
		               "nothing of review %.8s would be made: reject "
		               "it instead",
		               r->id);
	for (size_t i = 0; i < r->set.count; i++)
		set_final(&r->set.entries[i],
		          i < verdict->final_count ? &verdict->finals[i] : NULL,
		          is_accepted);
	r->comment = dup_or_null(verdict->comment);
	r->on_decided = fn;
	r->decider = owner;
	if (!is_accepted)
		set_state(r, DT_REVIEW_REJECTED);
	else
		set_state(r, r->set.count ? DT_REVIEW_WRITING
		                          : DT_REVIEW_ACCEPTED);
	if (is_kept(r)) {
		store_end(r, verdict, on_verdict_stored, r);
	} else {
		struct dt_fail none = { 0 };

		finish(r, &none);
	}
	return DT_E_OK;
}

/* opening, and what the rules decide */

/* By where it will be written: links may lead elsewhere since it was asked. */
static bool has_kept(const struct dt_review_spec *spec,
                     const struct dt_changeset *set)
{
	for (size_t i = 0; i < set->count; i++) {
		const char *place = set->entries[i].place;

		if (place && dt_documents_check(spec->docs, place, NULL))
			return true;
	}
	return false;
}

static struct dt_ruling rule_on(const struct dt_review_spec *spec,
                                const struct dt_changeset *set)
{
	struct dt_ruling ruling = { .action = DT_RULE_ASK };

	if (spec->rules && !spec->card)
		ruling = dt_rules_apply(spec->rules, spec->agent, spec->docs,
		                        set);
	if ((spec->needs_person || has_kept(spec, set)) &&
	    ruling.action != DT_RULE_DENY)
		ruling = (struct dt_ruling){ .action = DT_RULE_ASK };
	return ruling;
}

static void on_ruled(struct dt_review *r, const struct dt_fail *fail,
                     void *owner)
{
	(void)r;
	(void)fail;
	(void)owner;
}

/* Decide what nobody has seen yet. */
static void decide_by_rule(struct dt_review *r, const struct dt_ruling *ruling)
{
	struct dt_verdict verdict = {
		.outcome = ruling->action == DT_RULE_DENY ? DT_REJECTED
		                                          : DT_ACCEPTED,
		.decided_by = "policy",
		.surface = "policy",
	};
	struct dt_fail fail = { 0 };
	struct dt_buf rule;

	dt_buf_init(&rule, DT_LIMIT_ARGUMENTS);
	dt_rule_print(ruling->rule, &rule);
	verdict.comment = dt_buf_z(&rule);
	r->is_by_rule = true;
	if (dt_inbox_decide(r, &verdict, on_ruled, NULL, &fail))
		dt_panic("%s", fail.msg);
	dt_buf_done(&rule);
}

static enum dt_err create(struct dt_inbox *inbox,
                          const struct dt_review_spec *spec,
                          struct dt_ruling *ruling, struct dt_review **out,
                          struct dt_fail *fail)
{
	struct dt_changeset set = { 0 };
	enum dt_err err = DT_E_OK;

	if (!spec->card)
		err = dt_changeset_init(&set, &spec->args->changes, spec->docs,
		                        fail);
	/* Nobody is asked about what could not be written. */
	if (!err && spec->writes)
		err = dt_changeset_check(&set, spec->docs, fail);
	if (err) {
		dt_changeset_done(&set);
		return err;
	}
	*ruling = rule_on(spec, &set);
	if (ruling->action == DT_RULE_ASK &&
	    waiting_of(inbox, spec->session) >= DT_LIMIT_REVIEWS) {
		dt_changeset_done(&set);
		return dt_fail(fail, DT_E_LIMIT,
		               "%u reviews of this agent wait already",
		               DT_LIMIT_REVIEWS);
	}
	*out = new_review(inbox, spec, &set);
	(*out)->is_silent = ruling->action == DT_RULE_ALLOW;
	store_review(*out);
	return DT_E_OK;
}

/* The last step of opening, for whoever is told may end the review at once. */
static void begin(struct dt_review *r, const struct dt_ruling *ruling)
{
	if (ruling->action == DT_RULE_ASK)
		set_state(r, DT_REVIEW_WAITING);
	else
		decide_by_rule(r, ruling);
}

void dt_inbox_open(struct dt_inbox *inbox, const struct dt_review_spec *spec,
                   struct dt_answer *answer)
{
	struct dt_ruling ruling;
	struct dt_fail fail = { 0 };
	struct dt_review *r;

	if (create(inbox, spec, &ruling, &r, &fail)) {
		dt_answer_fail(answer, &fail);
		return;
	}
	attach(r, answer);
	dt_answer_shown(answer);
	begin(r, &ruling);
}

void dt_inbox_resume(struct dt_inbox *inbox, const struct dt_review_spec *spec,
                     const struct dt_review_record *record,
                     struct dt_answer *answer)
{
	struct dt_propose_args args = {
		.title = record->title ? record->title : "",
		.reason = record->reason,
	};
	struct dt_review_spec again = *spec;
	struct dt_changeset set;
	struct dt_review *r;

	again.args = &args;
	dt_changeset_restore(&set, record, spec->docs);
	r = new_review(inbox, &again, &set);
	snprintf(r->id, sizeof(r->id), "%s", record->id);
	r->opened_ms = record->opened_ms;
	r->state = DT_REVIEW_ORPHANED; /* as it was until now */
	attach(r, answer);
	dt_answer_shown(answer);
	set_state(r, DT_REVIEW_WAITING);
}

/* reviews that outlive their calls */

static struct dt_review *find_in(struct dt_list *list, const char *workspace,
                                 const char *id)
{
	dt_list_each(r, list, struct dt_review, link) {
		if (!strcmp(r->id, id) && !strcmp(r->workspace, workspace))
			return r;
	}
	return NULL;
}

void dt_inbox_submit(struct dt_inbox *inbox, const struct dt_review_spec *spec,
                     struct dt_answer *answer)
{
	struct dt_submit_result result = { 0 };
	struct dt_ruling ruling;
	struct dt_fail fail = { 0 };
	struct dt_review *r;
	char id[DT_ID_TEXT];

	if (create(inbox, spec, &ruling, &r, &fail)) {
		dt_answer_fail(answer, &fail);
		return;
	}
	memcpy(id, r->id, sizeof(id));
	r->is_submitted = true;
	r->is_lasting = true;
	r->can_elicit = spec->can_elicit;
	r->alone_ms = dt_clock_ms();
	begin(r, &ruling);
	r = find_in(&inbox->list, spec->workspace, id);
	if (!r)
		r = find_in(&inbox->put_by, spec->workspace, id);
	if (!r) {
		dt_answer_failf(answer, DT_E_CANCELLED,
		                "The change was taken back at once.");
		return;
	}
	result.id = id;
	result.is_waiting = r->state == DT_REVIEW_WAITING;
	result.can_elicit = r->can_elicit;
	result.changes = (struct dt_items){ list_changes(r), r->set.count };
	dt_answer_end(answer, &result);
	free(result.changes.ptr);
}

struct dt_review *dt_inbox_submitted(struct dt_inbox *inbox,
                                     const char *workspace, const char *id)
{
	struct dt_review *r = find_in(&inbox->list, workspace, id);

	return r && r->is_submitted && r->state == DT_REVIEW_WAITING ? r : NULL;
}

void dt_inbox_await(struct dt_inbox *inbox, const char *workspace,
                    const struct dt_await_args *args, struct dt_answer *answer)
{
	struct dt_review *r = find_in(&inbox->put_by, workspace, args->id);
	struct dt_answer *before;

	if (r) {
		attach(r, answer);
		tell_agent(r);
		free_review(r);
		return;
	}
	r = find_in(&inbox->list, workspace, args->id);
	if (!r || !r->is_submitted) {
		dt_answer_failf(answer, DT_E_MISSING,
		                "No change %s waits here: it was decided and "
		                "told, or taken back.",
		                args->id);
		return;
	}
	if (args->is_look) {
		struct dt_propose_result none = { .outcome = DT_UNDECIDED };

		r->alone_ms = dt_clock_ms();
		dt_answer_end(answer, &none);
		return;
	}
	before = r->answer;
	attach(r, answer);
	r->is_lasting = args->is_lasting;
	if (before)
		dt_answer_failf(before, DT_E_CANCELLED,
		                "Another call waits for this change now.");
}

static bool is_over_due(const struct dt_review *r, uint64_t now_ms,
                        uint64_t *next_ms)
{
	uint64_t alone = r->answer ? 0 : now_ms - r->alone_ms;

	if (alone >= DT_LIMIT_UNATTENDED_MS)
		return true;
	if (!*next_ms || DT_LIMIT_UNATTENDED_MS - alone < *next_ms)
		*next_ms = DT_LIMIT_UNATTENDED_MS - alone;
	return false;
}

uint64_t dt_inbox_expire(struct dt_inbox *inbox, uint64_t now_ms)
{
	uint64_t next_ms = 0;

	dt_list_each(r, &inbox->put_by, struct dt_review, link) {
		if (is_over_due(r, now_ms, &next_ms))
			free_review(r);
	}
	dt_list_each(r, &inbox->list, struct dt_review, link) {
		if (r->is_submitted && is_over_due(r, now_ms, &next_ms))
			orphan(r);
	}
	return next_ms;
}

bool dt_inbox_denies(const struct dt_review_spec *spec)
{
	struct dt_changeset set;
	bool is_denied;

	if (dt_changeset_init(&set, &spec->args->changes, spec->docs, NULL))
		return false;
	is_denied = rule_on(spec, &set).action == DT_RULE_DENY;
	dt_changeset_done(&set);
	return is_denied;
}

/* withdrawing */

static void withdraw(struct dt_review *r, const char *sentence)
{
	struct dt_answer *answer = r->answer;

	r->answer = NULL;
	set_state(r, DT_REVIEW_WITHDRAWN);
	if (r->inbox->store)
		store_end(r, NULL, on_stored, r->inbox);
	free_review(r);
	if (answer)
		dt_answer_failf(answer, DT_E_CANCELLED, "%s", sentence);
}

uint32_t dt_inbox_withdraw(struct dt_inbox *inbox, const char *session,
                           const char *title, const char *sentence)
{
	uint32_t count = 0;

	dt_list_each(r, &inbox->list, struct dt_review, link) {
		if (r->state != DT_REVIEW_WAITING ||
		    strcmp(r->session, session) != 0 ||
		    (title && strcmp(r->title, title) != 0))
			continue;
		withdraw(r, sentence);
		count++;
	}
	return count;
}

const char *dt_inbox_retract(const struct dt_answer *answer)
{
	struct dt_review *r = answer->performer;

	if (answer->has_ended || answer->on_drop != on_drop ||
	    r->state != DT_REVIEW_WAITING)
		return NULL;
	r->is_retracted = true;
	return r->id;
}

enum dt_err dt_inbox_find(struct dt_inbox *inbox, const char *prefix,
                          struct dt_review **out, struct dt_fail *fail)
{
	struct dt_review *found = NULL;
	size_t len = strlen(prefix);

	if (len < 4 || len > 32)
		return dt_fail(fail, DT_E_ARGS,
		               "\"%s\" is not a review: give at least 4 digits",
		               prefix);
	dt_list_each(r, &inbox->list, struct dt_review, link) {
		if (strncmp(r->id, prefix, len) != 0)
			continue;
		if (found)
			return dt_fail(fail, DT_E_ARGS,
			               "several reviews begin with %s", prefix);
		found = r;
	}
	if (!found)
		return dt_fail(fail, DT_E_MISSING, "no review %s waits",
		               prefix);
	*out = found;
	return DT_E_OK;
}
