/*
 * hub/control.h - the daemon's side of its Unix socket: what the command line
 * asks.  JSON-RPC 2.0, one message per line; docs/protocol/control.md.
 */
#ifndef DT_HUB_CONTROL_H
#define DT_HUB_CONTROL_H

#include "base/err.h"
#include "hub/hub.h"
#include "rpc/peer.h"

#include <sys/types.h>

/* Raised when a command and a daemon of different age would misunderstand. */
#define DT_CONTROL_PROTOCOL 1

struct dt_control;

/* Listen at the socket, or on `fd`, which somebody else bound there (0: no). */
enum dt_err dt_control_new(struct dt_hub *hub, int fd, struct dt_control **out,
                           struct dt_fail *fail) DT_MUST_CHECK;
/* Stop listening and hang up, when what was answered has left. */
void dt_control_stop(struct dt_control *control);
void dt_control_free(struct dt_control *control);

/* One command that is connected. */
struct dt_client {
	struct dt_list link;
	struct dt_control *control;
	struct dt_hub *hub;
	struct dt_peer *peer;
	pid_t pid;
	uint64_t started; /* when; 0: it had ended before we looked */
	int handle;       /* of that process; -1: the kernel has none */
	bool has_said_hello;
	bool is_excess;  /* there are too many: it is told so */
	bool is_leaving; /* it was ended to make room */
};

/* One method; each src/hub/control_*.c has a table of its own. */
struct dt_method {
	const char *name;
	struct dt_shape args;
	/* Ends the request, now or later.  `args` is in its arena. */
	void (*run)(struct dt_client *client, struct dt_request *req,
	            const void *args);
	/* What it is to do this, where only the person may: "decide on a
	 * change"; NULL: agents may call it too. */
	const char *persons;
};

extern const struct dt_method dt_methods_apply[];
extern const struct dt_method dt_methods_card[];
extern const struct dt_method dt_methods_daemon[];
extern const struct dt_method dt_methods_gate[];
extern const struct dt_method dt_methods_hook[];
extern const struct dt_method dt_methods_log[];
extern const struct dt_method dt_methods_lsp[];
extern const struct dt_method dt_methods_mcp[];
extern const struct dt_method dt_methods_ops[];
extern const struct dt_method dt_methods_review[];
extern const struct dt_method dt_methods_wait[];
extern const struct dt_method dt_methods_terminal[];
extern const struct dt_method dt_methods_view[];

/* The command is one no longer: its link is the caller's, the client is freed.
 * What it was answered was sent before. */
struct dt_link *dt_control_release(struct dt_client *client);

/* DT_E_DENIED when the command belongs to an agent or has ended, so that nobody
 * can tell.  Methods that are only for persons are checked before they run. */
enum dt_err dt_control_check_person(struct dt_client *client, const char *what,
                                    struct dt_fail *fail) DT_MUST_CHECK;
/* What verdicts, texts and applied changes are; a dt_method.persons. */
#define DT_CONTROL_DECIDES "decide on a change"
/* Who decides: the name of the user. */
const char *dt_control_user(void);

/* Whether a file is no longer what an ended, undecided change began with. */
bool dt_control_is_stale(struct dt_hub *hub,
                         const struct dt_review_record *review,
                         const struct dt_entry_record *entry);

/* The members of a command that waits or waited; none for other reviews. */
void dt_control_put_card(struct dt_json_out *out, const struct dt_card *card);
struct dt_card dt_control_card_of(const struct dt_review_record *review);
/* Allow the program of a command from now on, with the verdict that is given. */
enum dt_err dt_control_allow_card(struct dt_hub *hub,
                                  const struct dt_review *review,
                                  const struct dt_verdict *verdict,
                                  struct dt_fail *fail) DT_MUST_CHECK;

/* The inbox changed: commands that wait for a review look again. */
void dt_control_review_changed(struct dt_hub *hub);

/* The id of the workspace of a folder, NULL without a folder: all; false when
 * none is served there. */
bool dt_control_scope(struct dt_hub *hub, struct dt_arena *arena,
                      const char *folder, const char **out,
                      struct dt_fail *fail);
/* Whether a review waits, in that workspace or anywhere. */
bool dt_control_is_in(const struct dt_review *review, const char *workspace);
/* The history changed: commands that follow it look again. */
void dt_control_log_changed(struct dt_hub *hub);

#endif
