/*
 * hub/gate.h - what of a person's files may leave for an agent.
 *
 * Whoever is about to give an agent something that was in a file asks here
 * first, and says here afterwards what left.  Names of files are free; what is
 * in them is not.  What an agent proposed itself, and what a person made of it,
 * is no context and does not come by.
 */
#ifndef DT_HUB_GATE_H
#define DT_HUB_GATE_H

#include "base/err.h"
#include "hub/session.h"
#include "hub/workspace.h"
#include "store/audit.h"

#include <stdbool.h>
#include <stdint.h>

/* The patterns that are built in, and those that make exceptions to them; both
 * end with NULL. */
extern const char *const dt_gate_denied[];
extern const char *const dt_gate_harmless[];

/* Whether an absolute path is denied by them, as text and from any thread. */
bool dt_gate_is_built_in(const char *path);

/*
 * DT_E_DENIED, and a sentence that names the pattern and where it stands, when
 * the contents of an absolute path are kept from agents.  A folder is denied
 * when what is in it is, whatever that is called.
 */
enum dt_err dt_gate_check_path(const struct dt_workspace *ws, const char *path,
                               struct dt_fail *fail) DT_MUST_CHECK;

/*
 * The same for a folder by its real path, as text alone: whether what is in it
 * is denied because it is in there.  Patterns of names, as *.pem, say nothing of
 * a folder.
 */
enum dt_err dt_gate_check_folder(const struct dt_workspace *ws,
                                 const char *path,
                                 struct dt_fail *fail) DT_MUST_CHECK;

/* The same for one agent, which may ask about a workspace that is not its own;
 * that it was kept back becomes a line of the audit. */
enum dt_err dt_gate_check(const struct dt_workspace *ws,
                          const struct dt_session *session,
                          enum dt_audit_kind kind, const char *path,
                          struct dt_fail *fail) DT_MUST_CHECK;

/* It passed and left: so many bytes, so many lines. */
void dt_gate_left(const struct dt_workspace *ws,
                  const struct dt_session *session, enum dt_audit_kind kind,
                  const char *path, uint64_t bytes, uint64_t lines);

/* The agent gets no selections and mentions now. */
bool dt_gate_is_muted(const struct dt_session *session);

#endif
