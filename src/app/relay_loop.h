/* app/relay_loop.h - standard input and output joined to the daemon. */
#ifndef DT_APP_RELAY_LOOP_H
#define DT_APP_RELAY_LOOP_H

#include <stdbool.h>

/*
 * Relay until the client is gone or a signal asks us to go.  `workspace` is
 * absolute, NULL: not named; `is_full`: the list of tools has all of them.  Trouble with the daemon is told to the client, as
 * answers to what it asks.
 */
void dt_relay_run(const char *workspace, bool is_full);

#endif
