/* store/audit.h - what left for agents and what was kept back, as it is kept. */
#ifndef DT_STORE_AUDIT_H
#define DT_STORE_AUDIT_H

#include "store/store.h"

#include <stddef.h>
#include <stdint.h>

/* These numbers are kept in the database: add at the end, change none. */
enum dt_audit_kind {
	DT_AUDIT_SELECTION,
	DT_AUDIT_MENTION,
	DT_AUDIT_DIAGNOSTICS,
	DT_AUDIT_FILE,
	DT_AUDIT_OUTPUT, /* of a program; the path is the program's */
	DT_AUDIT_KINDS,  /* not a kind: how many there are */
};

extern const char *const dt_audit_kind_names[]; /* ends with NULL */

/* Never the content itself.  Names may be NULL but for the id (32 hex digits),
 * the workspace and the path. */
struct dt_audit_record {
	const char *id;
	const char *workspace; /* id */
	const char *root;      /* of the workspace, as it was then */
	const char *session;
	const char *agent;
	enum dt_audit_kind kind;
	const char *path;
	int64_t at_ms;      /* wall clock, of the first time */
	int64_t bytes;      /* of the largest */
	int64_t lines;      /* the same */
	int64_t times;      /* how often, all told */
	const char *denied; /* why it did not leave; NULL: it left */
};

#define DT_STORE_AUDIT_MAX 100000 /* rows; dt_store_prune() forgets the rest */

/* A new line, or a known one brought up to date. */
void dt_store_put_audit(struct dt_store *store,
                        const struct dt_audit_record *audit,
                        dt_store_done_fn *fn, void *owner);

struct dt_audit_filter {
	int64_t since_ms; /* then or later */
	size_t limit;     /* 0: DT_STORE_LIST_MAX, which is also the most */
};

/* The latest first. */
typedef void dt_store_audits_fn(struct dt_store *store,
                                const struct dt_audit_record *audits,
                                size_t count, const struct dt_fail *fail,
                                void *owner);
void dt_store_list_audits(struct dt_store *store,
                          const struct dt_audit_filter *filter,
                          dt_store_audits_fn *fn, void *owner);

#endif
