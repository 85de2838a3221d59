/*
 * app/security.c - the honest table.
 *
 * Agents run as the same user as the person, and the kernel lets processes of
 * one user do nearly everything to each other.  What we can do is to refuse what
 * we can tell apart, and to say what we cannot.
 */
#include "app/security.h"

#include <stdio.h>

const struct dt_opening dt_openings[] = {
	{ "a child that leaves the tree and wipes its environment",
	  "without parents and marks it looks like a command of yours" },
	{ "a detached child of an agent that leaves no mark",
	  "Dovetail did not start or hook that agent, and it sets no variable "
	  "that is known" },
	{ "a service that starts programs for you: systemd-run --user, cron",
	  "what it starts is the service's child and has the service's "
	  "environment" },
	{ "keys typed into your terminal: tmux send-keys, screen -X, TIOCSTI",
	  "the command is then typed in your own shell, by whom cannot be seen" },
	{ "a debugger or a library in one of your own processes",
	  "one user's processes may control each other; "
	  "kernel.yama.ptrace_scope = 1 forbids most of it" },
	{ "dovetail.conf or an agent's settings written by a shell command",
	  "the files are yours, and the agent runs as you do" },
	{ "the database in the state folder changed directly",
	  "it is a file of yours; a verdict written there is in the log and "
	  "reaches no agent that waits" },
	{ "a signal to the daemon",
	  "one user's processes may end each other; the next daemon knows "
	  "marks and connections, not agents that have left" },
	{ "a daemon of the agent's own in the place of yours",
	  "it runs as you do, so a hook cannot tell it from yours" },
	{ "another program under the name of dovetail, or another build of it",
	  "whatever can write to your PATH can replace what you run" },
	{ "root, and sudo without a password", "root may do everything" },
	{ "an agent on a kernel that does not tell who connects",
	  "without sock_diag and /proc/net/tcp an agent over TCP is what it "
	  "says it is" },
};
const size_t dt_opening_count = sizeof(dt_openings) / sizeof(dt_openings[0]);

void dt_security_print(void)
{
	puts("Verdicts and settings are refused to agents and what they start. "
	     "This is open:");
	for (size_t i = 0; i < dt_opening_count; i++)
		printf("  %s\n    %s\n", dt_openings[i].what,
		       dt_openings[i].why);
}
