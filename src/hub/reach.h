/*
 * hub/reach.h - files that are kept from agents, among those that a command can
 * print.
 */
#ifndef DT_HUB_REACH_H
#define DT_HUB_REACH_H

#include "base/arena.h"
#include "base/str.h"
#include "data/field.h"
#include "hub/workspace.h"

/*
 * Pathspecs of git for all that the gate may keep, from the top of a work tree.
 * They fit more than the gate does, so that git lists little and dt_reach_find()
 * judges it.
 */
struct dt_names dt_reach_specs(struct dt_arena *arena,
                               const struct dt_workspace *ws);

/* The first of many names, '\0' after each, that the gate keeps from agents; in
 * the arena.  NULL: there is none. */
const char *dt_reach_find(struct dt_arena *arena, const struct dt_workspace *ws,
                          const char *top, struct dt_str names);

#endif
