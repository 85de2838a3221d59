/*
 * dialect/mcp_ask.c - an agent asked in the middle of a call.
 *
 * Up to 2025-11-25 we send it requests and go on when all are answered.  Since
 * then the call ends with the questions, and the agent comes again with the
 * answers and a sealed state.  The tool sees no difference.
 */
#include "dialect/mcp_call.h"

#include "base/buf.h"
#include "base/limits.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Questions sent and not all answered. */
struct dt_mcp_round {
	struct dt_mcp_work *work;
	struct dt_list questions; /* struct question, those that are open */
	bool is_sending;
	char *state;
	size_t state_len;
	struct dt_buf answers; /* an object, still open */
	struct dt_json_out out;
};

struct question {
	struct dt_list link;
	struct dt_mcp_round *round;
	uint64_t id; /* of our call */
	char *key;
	bool is_form;
};

static const struct {
	const char *method;
	const char *name; /* of the capability */
	unsigned client;
} needs[] = {
	{ "elicitation/create", "elicitation", DT_MCP_ELICITS },
	{ "sampling/createMessage", "sampling", DT_MCP_SAMPLES },
	{ "roots/list", "roots", DT_MCP_ROOTS },
};
#define NEEDS (sizeof(needs) / sizeof(needs[0]))

bool dt_mcp_can_ask(struct dt_call *call, const char *method, void *owner)
{
	const struct dt_mcp_work *work = owner;

	(void)call;
	for (size_t i = 0; i < NEEDS; i++) {
		if (!strcmp(needs[i].method, method))
			return work->turn.client & needs[i].client;
	}
	return false;
}

/* the legacy way */

static void free_question(struct question *q)
{
	dt_list_remove(&q->link);
	free(q->key);
	free(q);
}

static void free_round(struct dt_mcp_round *round)
{
	dt_buf_done(&round->answers);
	free(round->state);
	free(round);
}

static void go_on(struct dt_mcp_round *round)
{
	struct dt_mcp_work *work = round->work;
	struct dt_arena *arena = work->call->arena;
	const struct dt_json *answers;
	struct dt_fail fail = { 0 };
	struct dt_str text;
	struct dt_str state;

	dt_json_end_object(&round->out);
	text.ptr =
		dt_arena_strndup(arena, round->answers.ptr, round->answers.len);
	text.len = round->answers.len;
	state.ptr = dt_arena_strndup(arena, round->state, round->state_len);
	state.len = round->state_len;
	if (dt_buf_check(&round->answers, "the answers", &fail) ||
	    dt_json_read(arena, text, &answers, &fail))
		dt_call_fail(work->call, &fail);
	else
		dt_call_again(work->call, answers, state);
}

/* When all are sent and none is open. */
static void settle(struct dt_mcp_round *round)
{
	if (round->is_sending || !dt_list_is_empty(&round->questions))
		return;
	round->work->round = NULL;
	go_on(round);
	free_round(round);
}

/* A client that fails to ask has not asked: as if the person had looked away. */
static void on_reply(struct dt_peer *peer, const struct dt_json *result,
                     const struct dt_fail *fail, void *owner)
{
	struct question *q = owner;
	struct dt_mcp_round *round = q->round;

	(void)peer;
	(void)fail;
	dt_json_key(&round->out, q->key);
	if (result)
		dt_json_put_raw(&round->out, result->raw);
	else if (q->is_form)
		dt_json_put_raw(&round->out, DT_STR("{\"action\":\"cancel\"}"));
	else
		dt_json_put_null(&round->out);
	free_question(q);
	settle(round);
}

static void send_one(struct dt_mcp_round *round, const struct dt_ask *ask)
{
	struct question *q = dt_alloc(sizeof(*q));
	uint64_t id;

	q->round = round;
	q->key = dt_strdup(ask->key);
	q->is_form = !strcmp(ask->method, "elicitation/create");
	dt_list_append(&round->questions, &q->link);
	id = dt_request_call(round->work->turn.req, ask->method, ask->params, 0,
	                     on_reply, q);
	if (id != DT_CALL_OVER)
		q->id = id;
}

static void send_questions(struct dt_mcp_work *work, const struct dt_ask *asks,
                           struct dt_str state)
{
	struct dt_mcp_round *round = dt_alloc(sizeof(*round));

	assert(!work->round);
	round->state = dt_strndup(state.ptr, state.len);
	round->state_len = state.len;
	dt_buf_init(&round->answers, DT_LIMIT_MESSAGE);
	round->out = dt_json_out(&round->answers);
	dt_json_begin_object(&round->out);
	dt_list_init(&round->questions);
	round->work = work;
	work->round = round;
	round->is_sending = true;
	for (; asks; asks = asks->next)
		send_one(round, asks);
	round->is_sending = false;
	settle(round);
}

/* The client may take its form away.  It is told by the way the question came,
 * or where that is gone by the link. */
static void take_back(struct dt_mcp_work *work, uint64_t id)
{
	struct dt_request *req = work->turn.req;
	char text[100];

	snprintf(text, sizeof(text),
	         "{\"requestId\":%" PRIu64 ",\"reason\":\"the call is over\"}",
	         id);
	if (req->peer)
		dt_request_notify(req, "notifications/cancelled", dt_str(text));
	else
		dt_peer_notify(work->turn.agent->peer,
		               "notifications/cancelled", dt_str(text));
}

void dt_mcp_ask_end(struct dt_mcp_work *work)
{
	struct dt_mcp_round *round = work->round;

	if (!round)
		return;
	work->round = NULL;
	dt_list_each(q, &round->questions, struct question, link) {
		dt_peer_forget(work->turn.agent->peer, q->id);
		take_back(work, q->id);
		free_question(q);
	}
	free_round(round);
}

/* the modern way */

static void put_questions(struct dt_json_out *out, const struct dt_ask *asks)
{
	dt_json_key(out, "inputRequests");
	dt_json_begin_object(out);
	for (; asks; asks = asks->next) {
		dt_json_key(out, asks->key);
		dt_json_begin_object(out);
		dt_mcp_put_pair(out, "method", asks->method);
		if (asks->params.len) {
			dt_json_key(out, "params");
			dt_json_put_raw(out, asks->params);
		}
		dt_json_end_object(out);
	}
	dt_json_end_object(out);
}

static void end_with_questions(struct dt_mcp_work *work,
                               const struct dt_ask *asks, struct dt_str state)
{
	struct dt_mcp_turn *turn = &work->turn;
	struct dt_json_out *out;

	dt_mcp_work_end(work);
	dt_call_leave(work->call);
	out = dt_request_begin(turn->req);
	dt_json_begin_object(out);
	dt_mcp_put_pair(out, "resultType", "input_required");
	if (asks)
		put_questions(out, asks);
	if (state.ptr)
		dt_mcp_put_pair(out, "requestState",
		                dt_mcp_seal(turn, work->about, state));
	dt_mcp_end(turn, out);
}

/* What the client would have to declare; NULL: nothing is missing. */
static const char *find_lacking(const struct dt_mcp_work *work,
                                const struct dt_ask *asks)
{
	for (; asks; asks = asks->next) {
		for (size_t i = 0; i < NEEDS; i++) {
			if (!strcmp(needs[i].method, asks->method) &&
			    !(work->turn.client & needs[i].client))
				return needs[i].name;
		}
	}
	return NULL;
}

void dt_mcp_ask(struct dt_call *call, const struct dt_ask *asks,
                struct dt_str state, void *owner)
{
	struct dt_mcp_work *work = owner;
	const char *lacking = find_lacking(work, asks);

	/* run() is on the stack when the work does not know its call yet. */
	work->call = call;
	if (lacking)
		dt_call_fail_lacks(call, lacking);
	else if (work->turn.revision < DT_MCP_2026_07)
		send_questions(work, asks, state);
	else
		end_with_questions(work, asks, state);
}
