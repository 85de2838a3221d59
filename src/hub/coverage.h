/* hub/coverage.h - whether an agent's edits come before a person. */
#ifndef DT_HUB_COVERAGE_H
#define DT_HUB_COVERAGE_H

#include "base/arena.h"
#include "base/str.h"
#include "data/json.h"
#include "hub/session.h"

#include <stdbool.h>

/*
 * `dovetail run` tells in this variable what it gave the CLI: "run:PID" with the
 * hook, "off:PID" without.  PID is the CLI's own, because what the CLI starts
 * inherits the variable and not the hook.
 */
#define DT_COVERAGE_VARIABLE "DOVETAIL_HOOK"

/* What no hook of ours sees, said wherever we say that edits are reviewed. */
#define DT_COVERAGE_SHELL                                                      \
	"What an agent changes through its shell (sed, a heredoc) is not "     \
	"reviewed yet."

/* How the hook reaches a connected agent, or why it does not. */
enum dt_coverage_hook {
	DT_HOOK_NONE,
	DT_HOOK_OFF,      /* dovetail run --no-hook */
	DT_HOOK_DISABLED, /* by the CLI's settings */
	DT_HOOK_UNKNOWN,  /* we do not know its process */
	DT_HOOK_PROPOSES, /* an MCP client: we see what it proposes, no more */
	DT_HOOK_CALLED,   /* it has called us, wherever it comes from */
	DT_HOOK_SETTINGS, /* installed */
	DT_HOOK_RUN,      /* dovetail run */
};
extern const char *const dt_coverage_hooks[]; /* "none" ..., by value */

struct dt_coverage {
	enum dt_coverage_hook hook;
	bool is_reviewed; /* in every mode; else only where the CLI asks */
	const char *why;  /* half a sentence for the person, in the arena */
};

/* What is true now: the CLI reads its settings again whenever they change. */
struct dt_coverage dt_coverage_of(struct dt_arena *arena,
                                  const struct dt_session *session);

/* Where a CLI finds its settings. */
struct dt_coverage_place {
	const char *config; /* CLAUDE_CONFIG_DIR, or NULL */
	const char *home;
	const char *folder; /* it works in */
};

/* The settings file that turns every hook off, in the arena; or NULL.  That may
 * be a repository's own. */
const char *dt_coverage_disabled_by(struct dt_arena *arena,
                                    const struct dt_coverage_place *place);

/* How many rules of a workspace let changes pass without asking. */
size_t dt_coverage_silent_rules(const struct dt_workspace *ws);

/* The tools of the CLI that edit a file, as a matcher of its hooks. */
#define DT_COVERAGE_TOOLS "Edit|MultiEdit|Write|NotebookEdit"

/* Whether an entry of "PreToolUse" is for each of these tools: it names them, or
 * it is for all there are.  Other patterns are not known to be. */
bool dt_coverage_matches(struct dt_arena *arena, const struct dt_json *entry);

/* Whether the CLI denies an edit when this hook cannot be run. */
bool dt_coverage_blocks(struct dt_arena *arena, const struct dt_json *hook);

/* True for the command of our hook, in whatever folder the program is: "dovetail
 * hook claude", "'/x/dovetail-2' hook claude", or by the name this one has. */
bool dt_coverage_is_hook(struct dt_str command);

#endif
