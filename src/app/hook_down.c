/*
 * app/hook_down.c - the answer of a hook that found no daemon.
 *
 * It is made without one, from the configuration alone.  No answer at all would
 * let the edit pass in most modes of the CLI (docs/protocol/claude-hook.md).
 */
#include "app/hook_down.h"

#include "data/json.h"
#include "hub/dirs.h"

#include <stdlib.h>

/* The CLI says so of itself; with -p nobody is there to be asked. */
static bool is_attended(void)
{
	const char *attended = getenv("CLAUDE_CODE_SESSION_ATTENDED");

	return !attended || strcmp(attended, "0") != 0;
}

static void put(struct dt_json_out *out, const char *key, const char *value)
{
	dt_json_key(out, key);
	dt_json_put_z(out, value);
}

/* What was not reviewed, why, and what a person can do. */
static char *make_reason(struct dt_arena *arena, const char *why)
{
	struct dt_dirs dirs = { 0 };
	const char *log = "its log";

	if (!dt_dirs_find(arena, &dirs, NULL))
		log = dirs.log;
	return dt_arena_printf(
		arena,
		"Dovetail could not have this edit reviewed: %s. The person at "
		"the keyboard can bring Dovetail back with `dovetail start` "
		"(%s says what happened), or take the hook out with `dovetail "
		"hook uninstall claude`.",
		why, log);
}

void dt_hook_down(const struct dt_config *config, const char *why,
                  struct dt_buf *buf)
{
	const char *decision = dt_config_get(config, "hook.when_down");
	struct dt_json_out out = dt_json_out(buf);
	struct dt_arena arena = { 0 };
	char *reason = make_reason(&arena, why);

	if (!strcmp(decision, "ask") && !is_attended())
		decision = "deny";
	dt_json_begin_object(&out);
	if (!strcmp(decision, "allow")) {
		put(&out, "systemMessage", reason);
	} else {
		dt_json_key(&out, "hookSpecificOutput");
		dt_json_begin_object(&out);
		put(&out, "hookEventName", "PreToolUse");
		put(&out, "permissionDecision", decision);
		put(&out, "permissionDecisionReason", reason);
		dt_json_end_object(&out);
	}
	dt_json_end_object(&out);
	dt_arena_done(&arena);
}
