/*
 * app/attach.h - the lines by which a connection to the daemon becomes an MCP
 * session; docs/protocol/control.md has their members.
 */
#ifndef DT_APP_ATTACH_H
#define DT_APP_ATTACH_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "data/json.h"

#include <stdbool.h>
#include <sys/types.h>

struct dt_attach {
	const char *workspace; /* absolute; NULL: not named */
	const char *session;   /* to take up again; NULL: a new one */
	pid_t client;          /* the agent behind us; 0: not known */
	bool is_brief;         /* the session ends with its connection */
	bool is_full;          /* its list of tools has all of them */
};

/* What the daemon says to it. */
struct dt_attached {
	const char *session;
	const char *workspace; /* its root */
	bool is_resumed;
};

/* A connection to the daemon's socket, not blocking and closed by exec.
 * DT_E_MISSING: none runs; DT_E_DENIED: it is not ours. */
enum dt_err dt_attach_connect(int *out_fd, struct dt_fail *fail) DT_MUST_CHECK;

/* Hello and the request, two lines. */
void dt_attach_ask(const struct dt_attach *attach, struct dt_buf *out);
/* Hello and the end of a session that would otherwise wait for us. */
void dt_attach_leave(const char *session, struct dt_buf *out);

/* A terminal to look into, and from where. */
struct dt_attach_terminal {
	const char *folder;
	const char *name;
	bool shares;
	bool only_reads;
	unsigned rows;
	unsigned columns;
};
/* Hello and the request to look into a terminal. */
void dt_attach_ask_terminal(const struct dt_attach_terminal *attach,
                            struct dt_buf *out);
/* One of the two answers; `*out_result` is what there is besides a refusal, in
 * the arena. */
enum dt_err dt_attach_read_result(struct dt_arena *arena, struct dt_str line,
                                  const struct dt_json **out_result,
                                  struct dt_fail *fail) DT_MUST_CHECK;

/* One of the two answers; `out->session` stays NULL with the first.  What the
 * daemon refuses is `fail`. */
enum dt_err dt_attach_read(struct dt_arena *arena, struct dt_str line,
                           struct dt_attached *out,
                           struct dt_fail *fail) DT_MUST_CHECK;

/* The error of a JSON-RPC answer as ours. */
enum dt_err dt_attach_refusal(struct dt_arena *arena,
                              const struct dt_json *error,
                              struct dt_fail *fail) DT_MUST_CHECK;

#endif
