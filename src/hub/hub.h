/*
 * hub/hub.h - where agents and editors meet.
 *
 * One hub per daemon: its workspaces, the inbox, the store, the configuration.
 * A dialect cannot see an editor and a backend cannot see an agent; what passes
 * between them passes here.
 */
#ifndef DT_HUB_HUB_H
#define DT_HUB_HUB_H

#include "base/arena.h"
#include "base/err.h"
#include "base/list.h"
#include "hub/config.h"
#include "hub/dirs.h"
#include "loop/loop.h"
#include "loop/stream.h"
#include "review/inbox.h"
#include "review/staging.h"
#include "store/store.h"

#include <stdbool.h>
#include <stdint.h>

struct dt_activity_log;
struct dt_aftermath;
struct dt_control;
struct dt_recorder;

struct dt_hub {
	struct dt_loop *loop;
	struct dt_arena arena; /* lives as long as the hub */
	struct dt_dirs dirs;
	struct dt_config *config;
	struct dt_store *store;
	char *store_trouble; /* why nothing is kept, or NULL */
	struct dt_inbox inbox;
	struct dt_staging staging;   /* changes that agents gather */
	struct dt_list workspaces;   /* struct dt_workspace */
	struct dt_list waits;        /* commands that wait for a review */
	struct dt_list log_waits;    /* and those that follow the log */
	uint64_t log_sequence;       /* grows when the history changes */
	struct dt_timer *pruner;     /* forgets what is too old */
	struct dt_timer *unattended; /* ends what nobody waits for; or NULL */
	struct dt_list leavings;     /* hub/hook_gone.c's */
	struct dt_list audits;       /* lines that may still change */
	size_t audit_count;
	struct dt_timer *auditor; /* closes them; NULL: nothing is kept */
	struct dt_list mutes;     /* struct dt_mute */
	size_t mute_count;
	struct dt_timer *unmuter; /* ends them */
	struct dt_list known;     /* processes of agents; hub/whose.c's */
	size_t known_count;
	struct dt_activity_log
		*activity;              /* NULL: before it opened or stopped */
	struct dt_aftermath *aftermath; /* NULL: nothing is followed */
	struct dt_control *control;
	struct dt_budget *output;     /* what waits for agents to be read */
	struct dt_budget *commands;   /* the same for our own commands */
	struct dt_recorder *recorder; /* NULL: nothing is recorded */
	int64_t started_ms;
	unsigned restarts;   /* crashes before this run */
	uint64_t sequence;   /* of the last event */
	uint8_t secret[32];  /* signs what is handed to agents; of this run */
	uint64_t noticed_ms; /* when a person was told of a review, or 0 */
	bool is_store_open;  /* or is known not to open */
	bool is_stopping;
	bool is_restarting; /* keep the list of workspaces for the next run */
};

struct dt_hub_options {
	const char *record;
	unsigned restarts;
	int control_fd; /* a listening socket somebody else bound; 0: none */
};

/* Open the control socket, the store, and the workspaces of a run that was cut
 * short. */
enum dt_err dt_hub_init(struct dt_hub *hub, struct dt_loop *loop,
                        const struct dt_hub_options *options,
                        struct dt_fail *fail) DT_MUST_CHECK;

/*
 * Say goodbye to everybody: locks removed, reviews withdrawn, links closed, the
 * store written.  The loop ends when all that is done; then call _done.
 */
void dt_hub_stop(struct dt_hub *hub);
void dt_hub_done(struct dt_hub *hub);

struct dt_workspace;

/* Serve the workspace of a folder, by the rules of hub/place.h. */
enum dt_err dt_hub_serve(struct dt_hub *hub, const char *folder, bool is_named,
                         unsigned port, struct dt_workspace **out,
                         struct dt_fail *fail) DT_MUST_CHECK;
/* Whether somebody in the folder means a project; see hub/place.h. */
bool dt_hub_is_project(struct dt_hub *hub, const char *folder);
/* The served workspace around a path, links resolved; or NULL. */
struct dt_workspace *dt_hub_workspace_at(struct dt_hub *hub,
                                         struct dt_arena *arena,
                                         const char *path);
size_t dt_hub_workspace_count(const struct dt_hub *hub);

/* Read dovetail.conf again. */
void dt_hub_reload(struct dt_hub *hub);

#endif
