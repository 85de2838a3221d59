/* store/sessions.h - agents that were connected, as they are kept. */
#ifndef DT_STORE_SESSIONS_H
#define DT_STORE_SESSIONS_H

#include "store/store.h"

#include <stddef.h>
#include <stdint.h>

/* Names may be NULL but for the id (32 hex digits) and the workspace. */
struct dt_session_record {
	const char *id;
	const char *workspace; /* id */
	const char *root;      /* of the workspace, as it was then */
	const char *agent;
	const char *version;
	int64_t connected_ms;    /* wall clock, as disconnected_ms */
	int64_t disconnected_ms; /* 0: it is still connected */
};

/* A new session, or what has become of a known one. */
void dt_store_put_session(struct dt_store *store,
                          const struct dt_session_record *session,
                          dt_store_done_fn *fn, void *owner);

/* Sessions that an earlier run left open were over by then. */
void dt_store_end_sessions(struct dt_store *store, int64_t now_ms,
                           dt_store_done_fn *fn, void *owner);

struct dt_session_filter {
	int64_t since_ms; /* connected or disconnected then or later */
	size_t limit;     /* 0: DT_STORE_LIST_MAX, which is also the most */
};

/* The one that connected last first. */
typedef void dt_store_sessions_fn(struct dt_store *store,
                                  const struct dt_session_record *sessions,
                                  size_t count, const struct dt_fail *fail,
                                  void *owner);
void dt_store_list_sessions(struct dt_store *store,
                            const struct dt_session_filter *filter,
                            dt_store_sessions_fn *fn, void *owner);

#endif
