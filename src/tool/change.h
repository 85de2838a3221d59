/*
 * tool/change.h - changes of files as tools make them: proposed and waited for,
 * looked at beforehand, or put into the editor unsaved.
 *
 * All of it ends the call, with struct dt_told or a failure, so whoever calls it
 * returns.  What is in the spec lives as long as the call.
 */
#ifndef DT_TOOL_CHANGE_H
#define DT_TOOL_CHANGE_H

#include "tool/call.h"
#include "tool/told.h"

struct dt_change_spec {
	struct dt_items changes; /* struct dt_change; paths become normal */
	const char *title;       /* NULL: the names of the files */
	const char *reason;      /* or NULL */
	const char *note;        /* of the reply, or NULL */
	bool writes;    /* what is accepted; that it fails is a failure */
	bool waits;     /* for the verdict; else the id of the review is told */
	bool has_texts; /* tell the whole accepted texts */
	bool is_own_writer; /* a failure to write is told, not a failure */
};

/*
 * The first thing in run() of a tool that submits: true when the call had been
 * submitted before, and an answer of the agent's own person has come.  The
 * changes in the spec do not matter then.
 */
bool dt_change_resume(struct dt_call *call, const struct dt_change_spec *spec);

/* Changes that were lent, with their texts, but without old ones. */
struct dt_items dt_changes_copy(struct dt_arena *arena,
                                const struct dt_items *changes);

/* Propose, and wait for the verdict. */
void dt_change_submit(struct dt_call *call, const struct dt_change_spec *spec);
/* Look at one that was proposed before. */
void dt_change_await(struct dt_call *call, const char *id, bool waits);

/* Tell what it would change. */
void dt_change_preview(struct dt_call *call, const struct dt_change_spec *spec);
/* The text of one file as the change makes it, into the editor. */
void dt_change_hold(struct dt_call *call, const struct dt_change_spec *spec);

#endif
