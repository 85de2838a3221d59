/*
 * hub/propose.c - changes proposed, waited for, decided and taken back by
 * agents.
 *
 * The inbox does it; here is who asks, what dovetail.conf says about it, and the
 * timer that ends what nobody waits for.  A verdict comes from here only where a
 * person gave it to the agent's own question, and is marked as such.
 */
#include "hub/propose.h"

#include "base/clock.h"
#include "base/limits.h"
#include "base/log.h"
#include "hub/gate.h"

/* Who asks, and about which workspace. */
struct asker {
	struct dt_session *session;
	struct dt_workspace *ws;
	struct dt_inbox *inbox;
};

/* What is kept from agents is not written for one by a rule. */
static bool has_kept(const struct dt_workspace *ws,
                     const struct dt_items *changes)
{
	const struct dt_change *c = changes->ptr;

	for (size_t i = 0; i < changes->count; i++) {
		if (dt_gate_check_path(ws, c[i].path, NULL) ||
		    (c[i].new_path &&
		     dt_gate_check_path(ws, c[i].new_path, NULL)))
			return true;
	}
	return false;
}

static struct dt_review_spec spec_of(const struct asker *a,
                                     const struct dt_propose_args *args)
{
	return (struct dt_review_spec){
		.workspace = a->ws->record.id,
		.session = a->session->id,
		.agent = dt_session_name(a->session),
		.args = args,
		.docs = &a->ws->docs,
		.rules = dt_config_rules(a->ws->config),
		.needs_person = has_kept(a->ws, &args->changes),
	};
}

static bool may_elicit(const struct asker *a)
{
	return !strcmp(dt_config_get(a->ws->config, "review.elicitation"),
	               "on");
}

static void propose(const struct asker *a, const void *args,
                    struct dt_answer *answer)
{
	struct dt_review_spec spec = spec_of(a, args);

	dt_inbox_open(a->inbox, &spec, answer);
}

void dt_propose_written(struct dt_session *session, struct dt_workspace *ws,
                        const struct dt_propose_args *args,
                        struct dt_answer *answer)
{
	struct asker asker = { session, ws, &ws->hub->inbox };
	struct dt_review_spec spec = spec_of(&asker, args);

	spec.writes = true;
	dt_inbox_open(asker.inbox, &spec, answer);
}

/* reviews that outlive their calls */

static void on_unattended(struct dt_timer *timer, void *owner)
{
	struct dt_hub *hub = owner;
	uint64_t next_ms = dt_inbox_expire(&hub->inbox, dt_clock_ms());

	if (next_ms)
		dt_timer_start(timer, next_ms);
}

static void submit(const struct asker *a, const void *args,
                   struct dt_answer *answer)
{
	const struct dt_submit_args *wanted = args;
	struct dt_review_spec spec = spec_of(a, &wanted->proposal);
	struct dt_hub *hub = a->ws->hub;

	spec.writes = wanted->writes;
	/* Its model has to call a tool for it. */
	spec.settle_ms = DT_LIMIT_SETTLE_LATER_MS;
	spec.can_elicit = wanted->asks && may_elicit(a);
	if (!hub->unattended) {
		hub->unattended = dt_timer_new(hub->loop, on_unattended, hub);
		dt_timer_set_background(hub->unattended);
	}
	if (!dt_timer_is_running(hub->unattended))
		dt_timer_start(hub->unattended, DT_LIMIT_UNATTENDED_MS);
	dt_inbox_submit(a->inbox, &spec, answer);
}

void dt_propose_stop(struct dt_hub *hub)
{
	dt_timer_free(hub->unattended);
	hub->unattended = NULL;
}

static void on_decided(struct dt_review *r, const struct dt_fail *fail,
                       void *owner)
{
	(void)owner;
	if (fail->code)
		dt_log(DT_LOG_WARN, "review %.8s: %s", r->id, fail->msg);
}

static void decide(const struct asker *a, const void *args,
                   struct dt_answer *answer)
{
	const struct dt_decide_args *wanted = args;
	struct dt_verdict verdict = {
		.outcome = (enum dt_outcome)wanted->outcome,
		.comment = wanted->comment,
		.surface = "elicitation",
	};
	struct dt_review *r =
		dt_inbox_submitted(a->inbox, a->ws->record.id, wanted->id);
	struct dt_arena arena = { 0 };
	struct dt_fail fail = { 0 };
	enum dt_err err;

	verdict.decided_by = dt_arena_printf(&arena, "%s's own question",
	                                     dt_session_name(a->session));
	if (!r)
		err = dt_fail(&fail, DT_E_STATE, "no change %s waits here",
		              wanted->id);
	else if (!r->can_elicit || !may_elicit(a))
		err = dt_fail(&fail, DT_E_DENIED,
		              "review.elicitation is off: a verdict is not "
		              "taken from an agent");
	else
		err = dt_inbox_decide(r, &verdict, on_decided, NULL, &fail);
	dt_arena_done(&arena);
	if (err)
		dt_answer_fail(answer, &fail);
	else
		dt_answer_end(answer, NULL);
}

static void await(const struct asker *a, const void *args,
                  struct dt_answer *answer)
{
	dt_inbox_await(a->inbox, a->ws->record.id, args, answer);
}

static void withdraw(const struct asker *a, const void *args,
                     struct dt_answer *answer)
{
	const struct dt_withdraw_args *wanted = args;
	struct dt_withdraw_result result = {
		.count = dt_inbox_withdraw(a->inbox, a->session->id,
		                           wanted->title,
		                           "The agent took the change back."),
	};

	dt_answer_end(answer, &result);
}

static const struct {
	const struct dt_operation *op;
	void (*perform)(const struct asker *a, const void *args,
	                struct dt_answer *answer);
} operations[] = {
	{ &dt_op_propose, propose },    { &dt_op_submit_review, submit },
	{ &dt_op_await_review, await }, { &dt_op_decide_review, decide },
	{ &dt_op_withdraw, withdraw },
};

bool dt_propose_can(const struct dt_operation *op)
{
	for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]);
	     i++) {
		if (operations[i].op == op)
			return true;
	}
	return false;
}

bool dt_propose_perform(struct dt_session *session, struct dt_workspace *ws,
                        const struct dt_operation *op, const void *args,
                        struct dt_answer *answer)
{
	struct asker asker = { session, ws, &ws->hub->inbox };

	for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]);
	     i++) {
		if (operations[i].op != op)
			continue;
		operations[i].perform(&asker, args, answer);
		return true;
	}
	return false;
}
