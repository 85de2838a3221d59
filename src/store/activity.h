/*
 * store/activity.h - what happened, one row each, under one growing number.
 *
 * Calls of tools, agents that came and went, reviews, workspaces and the daemon
 * itself share the numbers, so whoever saw number N asks for what is behind it
 * and misses nothing.  A number is given once, also when its row is forgotten.
 */
#ifndef DT_STORE_ACTIVITY_H
#define DT_STORE_ACTIVITY_H

#include "base/arena.h"
#include "base/str.h"
#include "data/field.h"
#include "store/store.h"

#include <stddef.h>
#include <stdint.h>

enum dt_activity_kind {
	DT_ACTIVITY_CALL,      /* what: the tool */
	DT_ACTIVITY_SESSION,   /* what: "connected", "disconnected", ... */
	DT_ACTIVITY_REVIEW,    /* what: "opened", "accepted", ... */
	DT_ACTIVITY_WORKSPACE, /* what: "served" */
	DT_ACTIVITY_DAEMON,    /* what: "started", "stopped", ... */
	DT_ACTIVITY_PROGRAM,   /* what: its file; message: whose environment */
	DT_ACTIVITY_KINDS,
};
extern const char *const dt_activity_kinds[]; /* "call", ..., NULL */

/* Names may be NULL but for `what`. */
struct dt_activity_record {
	int64_t id;    /* 0: not given yet */
	int64_t at_ms; /* wall clock; of a call: when it ended */
	int kind;      /* enum dt_activity_kind */
	const char *what;
	const char *status;    /* of a call: "done", "failed", ... */
	const char *workspace; /* id */
	const char *session;   /* id */
	const char *agent;
	int64_t took_us; /* calls alone */
	const char *message;
};

/* As agents, commands and exported files see it. */
extern const struct dt_shape dt_shape_activity;

/* Keep a batch, in one transaction.  `last_id` is the number of the last. */
typedef void dt_store_activity_put_fn(struct dt_store *store, int64_t last_id,
                                      const struct dt_fail *fail, void *owner);
void dt_store_put_activity(struct dt_store *store,
                           const struct dt_activity_record *records,
                           size_t count, dt_store_activity_put_fn *fn,
                           void *owner);

struct dt_activity_filter {
	int64_t after_id;
	unsigned kinds;        /* bits, 1 << kind; 0: all */
	const char *workspace; /* its own and the daemon's; NULL: all */
	const char *what;      /* or NULL */
	const char *without;   /* not this `what`, or NULL */
	const char *status;    /* or NULL */
	const char *session;   /* how its id begins, or NULL */
	bool is_latest;        /* of more than `limit`: the last ones */
	size_t limit;          /* 0: DT_STORE_ACTIVITY_MAX, also the most */
};
#define DT_STORE_ACTIVITY_MAX 1000

/* By number.  `last_id` is the latest there is, whatever the filter. */
struct dt_activity_list {
	const struct dt_activity_record *records;
	size_t count;
	int64_t last_id;
};
typedef void dt_store_activity_fn(struct dt_store *store,
                                  const struct dt_activity_list *list,
                                  const struct dt_fail *fail, void *owner);
void dt_store_list_activity(struct dt_store *store,
                            const struct dt_activity_filter *filter,
                            dt_store_activity_fn *fn, void *owner);

/* Forget what is older than `before_ms`, and of calls all but the last so
 * many. */
void dt_store_prune_activity(struct dt_store *store, int64_t before_ms,
                             size_t keep_calls, dt_store_done_fn *fn,
                             void *owner);

/*
 * Lines of JSON that an export gave.  A record keeps its number unless another
 * has it by now; one that is there already is not kept twice.
 */
struct dt_activity_import {
	uint32_t taken;
	uint32_t known;
	uint32_t bad;
	uint32_t bad_line;  /* the first bad one, from 0 */
	struct dt_fail why; /* and what is wrong with it */
};
typedef void dt_store_import_fn(struct dt_store *store,
                                const struct dt_activity_import *result,
                                const struct dt_fail *fail, void *owner);
void dt_store_import_activity(struct dt_store *store,
                              const struct dt_str *lines, size_t count,
                              dt_store_import_fn *fn, void *owner);

#endif
