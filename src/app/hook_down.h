/* app/hook_down.h - what a hook says when Dovetail cannot. */
#ifndef DT_APP_HOOK_DOWN_H
#define DT_APP_HOOK_DOWN_H

#include "base/arena.h"
#include "base/buf.h"
#include "hub/config.h"

/*
 * The hook's output for an edit that could not be shown to a person, by
 * "when_down" of [hook] in dovetail.conf: ask (the CLI asks), deny, or allow (the
 * CLI goes on as if there was no hook, and its person is told).  With nobody at
 * the CLI, ask is deny.  `why` is half a sentence; it is said how to bring
 * Dovetail back, and how to do without.
 */
void dt_hook_down(const struct dt_config *config, const char *why,
                  struct dt_buf *buf);

#endif
