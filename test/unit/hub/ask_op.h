/* test/unit/hub/ask_op.h - an operation asked in an agent's name. */
#ifndef DT_TEST_HUB_ASK_OP_H
#define DT_TEST_HUB_ASK_OP_H

#include "agent.h"

/* How it ended: the result as JSON, or why there is none. */
struct asked {
	struct world *w;
	struct dt_answer answer;
	const struct dt_operation *op;
	int ended;
	const char *json;
	struct dt_fail fail;
};

static inline void on_asked(struct dt_answer *answer, const void *result,
                            const struct dt_fail *fail, void *owner)
{
	struct asked *asked = owner;
	struct dt_json_out out;
	struct dt_buf buf;

	(void)answer;
	asked->ended++;
	if (fail) {
		asked->fail = *fail;
		return;
	}
	dt_buf_init(&buf, DT_MIB);
	out = dt_json_out(&buf);
	dt_shape_write(&asked->op->result, result, &out);
	asked->json = dt_arena_strdup(&asked->w->arena, dt_buf_z(&buf));
	dt_buf_done(&buf);
}

/* In the name of the session that connected last; not ended yet. */
static inline void begin_op(struct asked *asked, struct world *w,
                            struct dt_workspace *ws,
                            const struct dt_operation *op, const void *args)
{
	struct dt_caller *caller = &last_session(ws)->agent.caller;

	*asked = (struct asked){ .w = w, .op = op };
	dt_answer_init(&asked->answer, on_asked, asked);
	caller->perform(caller, op, args, &asked->answer);
}

static inline const char *ask_op(struct world *w, struct dt_workspace *ws,
                                 const struct dt_operation *op,
                                 const void *args)
{
	struct asked asked;

	begin_op(&asked, w, ws, op, args);
	wait_for(w, asked.ended);
	assert_string_equal(asked.fail.msg, "");
	return asked.json;
}

#endif
