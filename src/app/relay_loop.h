/* app/relay_loop.h - standard input and output joined to the daemon. */
#ifndef DT_APP_RELAY_LOOP_H
#define DT_APP_RELAY_LOOP_H

/*
 * Relay until the client is gone or a signal asks us to go.  `workspace` is
 * absolute, NULL: not named.  Trouble with the daemon is told to the client, as
 * answers to what it asks.
 */
void dt_relay_run(const char *workspace);

#endif
