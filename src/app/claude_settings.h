/* app/claude_settings.h - Claude Code's settings with our hook in them. */
#ifndef DT_APP_CLAUDE_SETTINGS_H
#define DT_APP_CLAUDE_SETTINGS_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"

/* The shell command of the hook: this very program, `hook claude`. */
const char *dt_claude_settings_command(struct dt_arena *arena);

/*
 * `settings` (JSON, or empty) with the hook added to its PreToolUse hooks, all
 * else kept; as it was when the hook is there already.  DT_E_ARGS when it cannot
 * be read as settings.
 */
enum dt_err dt_claude_settings_add(struct dt_arena *arena,
                                   struct dt_str settings, const char *command,
                                   struct dt_buf *out,
                                   struct dt_fail *fail) DT_MUST_CHECK;

#endif
