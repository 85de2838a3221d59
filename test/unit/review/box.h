/*
 * test/unit/review/box.h - an inbox with a memory, without one, or with one that
 * failed; and calls that wait for its verdicts.
 */
#ifndef DT_TEST_REVIEW_BOX_H
#define DT_TEST_REVIEW_BOX_H

#include "review/inbox.h"
#include "store/fixture.h"
#include "unit.h"

enum memory {
	KEPT,   /* a real store */
	NONE,   /* no store */
	BROKEN, /* a store that could not be opened */
	MEMORIES,
};

/* A folder with a.c in it, an inbox, and what it said. */
struct box {
	struct fixture f; /* of the store */
	enum memory memory;
	struct dt_documents docs;
	struct dt_inbox inbox;
	const struct dt_rules *rules; /* or NULL */
	char file[96];
	int changes; /* on_change */
	enum dt_review_state last;
	void (*react)(struct box *box, struct dt_review *r);
	int decided;
	struct dt_fail decided_fail;
	enum dt_review_state decided_state;
};

/* One call that waits for a verdict. */
struct asked {
	struct box *box;
	struct dt_answer answer;
	int shown;
	int ended;
	int64_t kept_state; /* in the database when it ended; -1: not asked */
	bool has_failed;
	struct dt_fail fail;
	int outcome;
	char comment[32];
	size_t count;
	struct dt_change changes[2];
	char texts[2][32];
};

static inline void on_change(struct dt_inbox *inbox, struct dt_review *r,
                             void *owner)
{
	struct box *box = owner;

	assert_ptr_equal(inbox, &box->inbox);
	box->changes++;
	box->last = r->state;
	if (box->react)
		box->react(box, r);
}

static inline void box_begin(struct box *box, enum memory memory)
{
	const char *root = box->f.dir;

	*box = (struct box){ .memory = memory };
	make_dir(&box->f);
	snprintf(box->file, sizeof(box->file), "%s/a.c", box->f.dir);
	write_file(box->file, 0, DT_STR("old\n"));
	if (memory == BROKEN)
		snprintf(box->f.path, sizeof(box->f.path), "%s/no/db",
		         box->f.dir);
	if (memory == NONE) {
		box->f.loop = dt_loop_new();
	} else {
		open_store(&box->f);
		assert_int_equal(box->f.fail.code != DT_E_OK, memory == BROKEN);
	}
	dt_documents_init(&box->docs, &root, 1);
	dt_inbox_init(&box->inbox, box->f.store);
	box->inbox.on_change = on_change;
	box->inbox.owner = box;
}

/* Whatever happened, nothing may be left of it. */
static inline void box_end(struct box *box)
{
	dt_loop_run(box->f.loop);
	dt_inbox_done(&box->inbox);
	assert_int_equal(box->inbox.count, 0);
	assert_true(dt_list_is_empty(&box->inbox.list));
	dt_documents_done(&box->docs);
	if (box->memory == NONE)
		dt_loop_free(box->f.loop);
	else
		close_store(&box->f);
	remove_dir(&box->f);
}

static inline void run(struct box *box)
{
	dt_loop_run(box->f.loop);
}

/* How many reviews are kept in that state; -1 where nothing is kept. */
static inline int64_t kept(struct box *box, enum dt_review_state state)
{
	char sql[80];

	if (box->memory != KEPT)
		return -1;
	snprintf(sql, sizeof(sql), "SELECT count(*) FROM review WHERE state=%d",
	         (int)state);
	return query(box->f.path, sql);
}

static inline void assert_kept(struct box *box, enum dt_review_state state,
                               int64_t count)
{
	if (box->memory == KEPT)
		assert_int_equal(kept(box, state), count);
}

static inline void on_asked_shown(struct dt_answer *answer, void *owner)
{
	struct asked *asked = owner;

	assert_ptr_equal(answer, &asked->answer);
	asked->shown++;
}

static inline void copy_result(struct asked *asked,
                               const struct dt_propose_result *result)
{
	const struct dt_change *change = result->changes.ptr;

	asked->outcome = result->outcome;
	snprintf(asked->comment, sizeof(asked->comment), "%s",
	         result->comment ? result->comment : "(none)");
	asked->count = result->changes.count;
	for (size_t i = 0; i < asked->count && i < 2; i++) {
		asked->changes[i] = change[i];
		if (!change[i].text.ptr)
			continue;
		assert_true(change[i].text.len < sizeof(asked->texts[i]));
		memcpy(asked->texts[i], change[i].text.ptr, change[i].text.len);
		asked->changes[i].text.ptr = asked->texts[i];
	}
}

static inline void on_asked_end(struct dt_answer *answer, const void *result,
                                const struct dt_fail *fail, void *owner)
{
	struct asked *asked = owner;

	assert_ptr_equal(answer, &asked->answer);
	asked->ended++;
	asked->has_failed = fail != NULL;
	if (fail) {
		asked->fail = *fail;
		return;
	}
	copy_result(asked, result);
	if (asked->box->memory == KEPT)
		asked->kept_state = query(asked->box->f.path,
		                          "SELECT max(state) FROM review");
}

static inline void ask_about(struct box *box, struct asked *asked,
                             const char *session, const char *title,
                             const struct dt_items *changes)
{
	struct dt_propose_args args = {
		.title = title,
		.reason = "because",
		.changes = *changes,
	};
	struct dt_review_spec spec = {
		.workspace = "workspace",
		.session = session,
		.agent = "agent",
		.args = &args,
		.docs = &box->docs,
		.rules = box->rules,
	};

	*asked = (struct asked){ .box = box, .kept_state = -1 };
	dt_answer_init(&asked->answer, on_asked_end, asked);
	asked->answer.on_shown = on_asked_shown;
	dt_inbox_open(&box->inbox, &spec, &asked->answer);
}

static inline void ask(struct box *box, struct asked *asked,
                       const char *session, const char *title)
{
	struct dt_change change = {
		.kind = DT_CHANGE_EDIT,
		.path = box->file,
		.text = DT_STR("new\n"),
	};
	struct dt_items changes = { &change, 1 };

	ask_about(box, asked, session, title, &changes);
}

static inline struct dt_review *newest(struct box *box)
{
	assert_false(dt_list_is_empty(&box->inbox.list));
	return DT_LIST_OF(box->inbox.list.prev, struct dt_review, link);
}

static inline void on_decided(struct dt_review *r, const struct dt_fail *fail,
                              void *owner)
{
	struct box *box = owner;

	box->decided++;
	box->decided_fail = *fail;
	box->decided_state = r->state;
}

static inline enum dt_err judge(struct box *box, struct dt_review *r,
                                enum dt_outcome outcome, struct dt_fail *fail)
{
	struct dt_verdict verdict = {
		.outcome = outcome,
		.comment = "good",
		.decided_by = "me",
		.surface = "terminal",
	};

	return dt_inbox_decide(r, &verdict, on_decided, box, fail);
}

static inline void accept(struct box *box, struct dt_review *r)
{
	assert_ok(judge(box, r, DT_ACCEPTED, NULL));
}

#endif
