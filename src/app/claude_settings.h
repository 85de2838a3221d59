/* app/claude_settings.h - Claude Code's settings with our hook in them. */
#ifndef DT_APP_CLAUDE_SETTINGS_H
#define DT_APP_CLAUDE_SETTINGS_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

/* The shell command of the hook: this very program, `hook claude`; and what is
 * said when it is gone. */
const char *dt_claude_settings_command(struct dt_arena *arena);

/*
 * `settings` (JSON, or empty) with the hook among its PreToolUse and its
 * UserPromptSubmit hooks, and the mark of loop/mark.h for what the CLI runs,
 * every other byte kept; the same text when all of that is there already.  One of
 * ours with another path, or for other tools, is replaced.  DT_E_ARGS when they
 * cannot be read as settings.  The results are in the arena.
 */
enum dt_err dt_claude_settings_add(struct dt_arena *arena,
                                   struct dt_str settings, const char *command,
                                   struct dt_str *out,
                                   struct dt_fail *fail) DT_MUST_CHECK;

/* Without any hook of ours, and what would be left empty by that; the same text
 * when there is none. */
enum dt_err dt_claude_settings_remove(struct dt_arena *arena,
                                      struct dt_str settings,
                                      struct dt_str *out,
                                      struct dt_fail *fail) DT_MUST_CHECK;

#endif
