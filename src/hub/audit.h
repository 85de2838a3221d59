/* hub/audit.h - a line for what left for an agent, and for what did not. */
#ifndef DT_HUB_AUDIT_H
#define DT_HUB_AUDIT_H

#include "hub/hub.h"
#include "hub/session.h"
#include "store/audit.h"

/* What a line says; the contents it never has. */
struct dt_audit_item {
	const struct dt_workspace *ws;
	enum dt_audit_kind kind;
	const char *path;
	int64_t bytes;
	int64_t lines;
	const char *denied; /* why it did not leave; NULL: it left */
};

void dt_audit_init(struct dt_hub *hub);

/*
 * Write a line down.  The same again within two seconds is no other line: the
 * first one then counts it, and has the size of the largest.
 */
void dt_audit_add(const struct dt_session *session,
                  const struct dt_audit_item *item);

/* Bring what is written up to date, before somebody reads it. */
void dt_audit_write(struct dt_hub *hub);

/* The same for the last time, while there still is a store. */
void dt_audit_end(struct dt_hub *hub);

#endif
