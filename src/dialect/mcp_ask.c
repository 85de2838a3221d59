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
#include <stdlib.h>

/* Questions sent and not all answered; outlives the call when it must. */
struct dt_mcp_round {
	struct dt_mcp_work *work; /* NULL: the call is over */
	size_t open;
	char *state;
	size_t state_len;
	struct dt_buf answers; /* an object, still open */
	struct dt_json_out out;
};

struct question {
	struct dt_mcp_round *round;
	char *key;
	bool is_form;
};

bool dt_mcp_can_ask(struct dt_call *call, const char *method, void *owner)
{
	static const struct {
		const char *method;
		unsigned client;
	} needs[] = {
		{ "elicitation/create", DT_MCP_ELICITS },
		{ "sampling/createMessage", DT_MCP_SAMPLES },
		{ "roots/list", DT_MCP_ROOTS },
	};
	const struct dt_mcp_work *work = owner;

	(void)call;
	for (size_t i = 0; i < sizeof(needs) / sizeof(needs[0]); i++) {
		if (!strcmp(needs[i].method, method))
			return work->turn.client & needs[i].client;
	}
	return false;
}

/* the legacy way */

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

/* One less is open. */
static void settle(struct dt_mcp_round *round)
{
	if (--round->open > 0)
		return;
	if (round->work) {
		round->work->round = NULL;
		go_on(round);
	}
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
	free(q->key);
	free(q);
	settle(round);
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
	round->work = work;
	work->round = round;
	round->open =
		1; /* ours, so that no reply ends it before all are sent */
	for (; asks; asks = asks->next) {
		struct question *q = dt_alloc(sizeof(*q));

		q->round = round;
		q->key = dt_strdup(asks->key);
		q->is_form = !strcmp(asks->method, "elicitation/create");
		round->open++;
		dt_request_call(work->turn.req, asks->method, asks->params, 0,
		                on_reply, q);
	}
	settle(round);
}

void dt_mcp_ask_end(struct dt_mcp_work *work)
{
	if (work->round)
		work->round->work = NULL;
	work->round = NULL;
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

void dt_mcp_ask(struct dt_call *call, const struct dt_ask *asks,
                struct dt_str state, void *owner)
{
	struct dt_mcp_work *work = owner;

	/* run() is on the stack when the work does not know its call yet. */
	work->call = call;
	if (work->turn.revision < DT_MCP_2026_07)
		send_questions(work, asks, state);
	else
		end_with_questions(work, asks, state);
}
