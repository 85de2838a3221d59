/* app/cmd_status.c - dovetail status: what runs, and what to type next. */
#include "app/command.h"
#include "app/folder.h"
#include "app/program.h"
#include "app/remote.h"
#include "app/security.h"
#include "app/text.h"
#include "base/clock.h"
#include "base/path.h"
#include "hub/coverage.h"

#include <signal.h>
#include <unistd.h>

struct session {
	const char *agent;
	const char *version;
	int64_t pid;
	int64_t connected_ms;
	uint32_t waiting;
	bool is_reviewed;
	const char *hook;
	const char *why;
	const char *mode;
	bool is_muted;
	struct dt_names known_by;
};

struct mute {
	const char *agent;
	int64_t until_ms;
};

struct workspace {
	const char *root;
	uint32_t port;
	bool is_moved;
	uint32_t waiting;
	uint32_t silent_rules;
	struct dt_items sessions;
};

struct status {
	const char *version;
	int64_t pid;
	int64_t started_ms;
	const char *log;
	const char *store;
	uint32_t restarts;
	struct dt_items mutes;
	struct dt_names warnings;
	struct dt_items workspaces;
};

static const struct dt_field session_fields[] = {
	DT_FIELD(struct session, agent, NAME, DT_REQ, ""),
	DT_FIELD(struct session, version, NAME, 0, ""),
	DT_FIELD(struct session, pid, I64, 0, ""),
	DT_FIELD_AS("connectedMs", struct session, connected_ms, I64, 0, ""),
	DT_FIELD(struct session, waiting, U32, 0, ""),
	DT_FIELD_AS("isReviewed", struct session, is_reviewed, BOOL, 0, ""),
	DT_FIELD(struct session, hook, NAME, 0, ""),
	DT_FIELD(struct session, why, NAME, 0, ""),
	DT_FIELD(struct session, mode, NAME, 0, ""),
	DT_FIELD_AS("isMuted", struct session, is_muted, BOOL, 0, ""),
	DT_FIELD_AS("knownBy", struct session, known_by, NAMES, 0, ""),
	DT_FIELD_END,
};
static const struct dt_shape session_shape =
	DT_SHAPE(struct session, session_fields);

static const struct dt_field mute_fields[] = {
	DT_FIELD(struct mute, agent, NAME, DT_REQ, ""),
	DT_FIELD_AS("untilMs", struct mute, until_ms, I64, 0, ""),
	DT_FIELD_END,
};
static const struct dt_shape mute_shape = DT_SHAPE(struct mute, mute_fields);

static const struct dt_field workspace_fields[] = {
	DT_FIELD(struct workspace, root, NAME, DT_REQ, ""),
	DT_FIELD(struct workspace, port, U32, DT_REQ, ""),
	DT_FIELD_AS("isMoved", struct workspace, is_moved, BOOL, 0, ""),
	DT_FIELD(struct workspace, waiting, U32, 0, ""),
	DT_FIELD_AS("silentRules", struct workspace, silent_rules, U32, 0, ""),
	DT_FIELD(struct workspace, sessions, ITEMS, 0, "",
	         .shape = &session_shape),
	DT_FIELD_END,
};
static const struct dt_shape workspace_shape =
	DT_SHAPE(struct workspace, workspace_fields);

static const struct dt_field status_fields[] = {
	DT_FIELD(struct status, version, NAME, DT_REQ, ""),
	DT_FIELD(struct status, pid, I64, DT_REQ, ""),
	DT_FIELD_AS("startedMs", struct status, started_ms, I64, 0, ""),
	DT_FIELD(struct status, log, NAME, DT_REQ, ""),
	DT_FIELD(struct status, store, NAME, DT_REQ, ""),
	DT_FIELD(struct status, restarts, U32, 0, ""),
	DT_FIELD(struct status, mutes, ITEMS, 0, "", .shape = &mute_shape),
	DT_FIELD(struct status, warnings, NAMES, 0, ""),
	DT_FIELD(struct status, workspaces, ITEMS, 0, "",
	         .shape = &workspace_shape),
	DT_FIELD_END,
};
static const struct dt_shape status_shape =
	DT_SHAPE(struct status, status_fields);

struct options {
	bool is_json;
	bool is_line;
	bool is_security;
};

static const struct dt_option options_table[] = {
	DT_OPTION(struct options, is_json, FLAG, "print JSON", .name = "json"),
	DT_OPTION(struct options, is_line, FLAG,
	          "print one short line, for a prompt or a status line",
	          .name = "line"),
	DT_OPTION(struct options, is_security, FLAG,
	          "print by what agents are known, and what is open",
	          .name = "security"),
	DT_OPTION_END,
};

/* An MCP client has no hook; we see what it hands us. */
static bool is_proposing(const struct session *s)
{
	return s->hook && !strcmp(s->hook, "proposes");
}

static const char *what_is_reviewed(const struct session *s)
{
	if (s->is_reviewed)
		return "its edits are reviewed";
	if (is_proposing(s))
		return "only what it proposes is reviewed";
	return "its edits are reviewed in manual and plan mode only";
}

static void print_session(struct dt_arena *arena, const struct session *s)
{
	printf("    %s", dt_text_safe(arena, s->agent));
	if (s->version && *s->version)
		printf(" %s", dt_text_safe(arena, s->version));
	if (s->pid)
		printf(" (pid %d)", (int)s->pid);
	printf(", connected %s",
	       dt_text_ago(arena, s->connected_ms, dt_clock_wall_ms()));
	if (s->waiting)
		printf(", %s waiting",
		       dt_text_count(arena, s->waiting, "change"));
	puts(s->is_muted ? ", muted" : "");
	if (!s->why)
		return;
	printf("      %s: %s", what_is_reviewed(s),
	       dt_text_safe(arena, s->why));
	if (s->mode && *s->mode)
		printf(" (last seen in %s mode)",
		       strcmp(s->mode, "default") != 0
		               ? dt_text_safe(arena, s->mode)
		               : "manual");
	puts("");
}

static void print_mute(struct dt_arena *arena, const struct mute *m)
{
	const char *end = "until `dovetail unmute`";

	if (m->until_ms)
		end = dt_text_until(arena, m->until_ms, dt_clock_wall_ms());
	if (*m->agent)
		printf("  %s is muted %s\n", dt_text_safe(arena, m->agent),
		       end);
	else
		printf("  all agents are muted %s\n", end);
}

static void print_workspace(struct dt_arena *arena, const struct workspace *w)
{
	const struct session *sessions = w->sessions.ptr;
	bool has_shell = false;

	printf("  %s (port %u)\n", dt_text_safe(arena, w->root), w->port);
	if (w->is_moved)
		puts("    its old port was taken; agents started before must "
		     "be started again");
	for (size_t i = 0; i < w->sessions.count; i++) {
		print_session(arena, &sessions[i]);
		has_shell |= !is_proposing(&sessions[i]);
	}
	if (has_shell)
		puts("    " DT_COVERAGE_SHELL);
	if (w->sessions.count == 0)
		puts("    no agent is connected");
	if (w->silent_rules)
		printf("    %s let%s changes pass without asking: %s policy\n",
		       dt_text_count(arena, w->silent_rules, "rule"),
		       w->silent_rules == 1 ? "s" : "", dt_program_name(arena));
}

/* The one command to type next, for a person in `folder`. */
static const char *next(struct dt_arena *arena, const struct status *status,
                        const char *folder)
{
	const char *program = dt_program_name(arena);
	const struct workspace *w = status->workspaces.ptr;
	bool is_waiting = false;
	size_t sessions = 0;

	for (size_t i = 0; i < status->workspaces.count; i++) {
		if (w[i].waiting && dt_path_is_beneath(folder, w[i].root))
			return dt_arena_printf(arena, "%s review", program);
		is_waiting |= w[i].waiting > 0;
		sessions += w[i].sessions.count;
	}
	if (is_waiting)
		return dt_arena_printf(arena, "%s review --all", program);
	if (sessions)
		return dt_arena_printf(arena, "%s review", program);
	return dt_program_run_agent(arena);
}

static void print_status(struct dt_arena *arena, const struct status *status,
                         const char *folder)
{
	const struct workspace *w = status->workspaces.ptr;
	const struct mute *mutes = status->mutes.ptr;

	printf("Dovetail %s runs (pid %d, started %s", status->version,
	       (int)status->pid,
	       dt_text_ago(arena, status->started_ms, dt_clock_wall_ms()));
	if (status->restarts)
		printf(", %s after a crash",
		       dt_text_count(arena, status->restarts, "restart"));
	printf("); its log is %s\n", dt_text_safe(arena, status->log));
	if (strcmp(status->store, "ok") != 0)
		printf("  history: %s\n", dt_text_safe(arena, status->store));
	for (size_t i = 0; i < status->mutes.count; i++)
		print_mute(arena, &mutes[i]);
	for (size_t i = 0; i < status->warnings.count; i++)
		printf("  warning: %s\n",
		       dt_text_safe(arena, status->warnings.ptr[i]));
	for (size_t i = 0; i < status->workspaces.count; i++)
		print_workspace(arena, &w[i]);
	printf("Next: %s\n", next(arena, status, folder));
}

/* by what agents are known */

static void print_known(struct dt_arena *arena, const struct session *s)
{
	bool is_marked = false;

	printf("  %s", dt_text_safe(arena, s->agent));
	if (s->pid)
		printf(" (pid %d)", (int)s->pid);
	for (size_t i = 0; i < s->known_by.count; i++) {
		const char *by = s->known_by.ptr[i];
		const char *text = by;

		if (!strcmp(by, "kernel"))
			text = "its connection";
		else if (!strcmp(by, "word"))
			text = "its own word alone";
		else if (!strcmp(by, "hook"))
			text = "its hook";
		else
			is_marked = true;
		printf("%s %s", i ? "," : " is known by",
		       dt_text_safe(arena, text));
	}
	if (!s->known_by.count)
		fputs(" is not known", stdout);
	puts(is_marked ? ""
	               : "; no mark was seen on it, so what it detaches may "
	                 "pass for you");
}

static void print_security(struct dt_arena *arena, const struct status *status)
{
	const struct workspace *w = status->workspaces.ptr;
	size_t count = 0;

	for (size_t i = 0; i < status->workspaces.count; i++) {
		const struct session *sessions = w[i].sessions.ptr;

		for (size_t j = 0; j < w[i].sessions.count; j++)
			print_known(arena, &sessions[j]);
		count += w[i].sessions.count;
	}
	if (!count)
		puts("  no agent is connected");
	dt_security_print();
}

/* one line */

/* The workspace around a folder, the innermost; or NULL. */
static const struct workspace *find(const struct status *status,
                                    const char *folder)
{
	const struct workspace *w = status->workspaces.ptr;
	const struct workspace *found = NULL;

	for (size_t i = 0; i < status->workspaces.count; i++) {
		if (dt_path_is_beneath(folder, w[i].root) &&
		    (!found || strlen(w[i].root) > strlen(found->root)))
			found = &w[i];
	}
	return found;
}

static const char *coverage(struct dt_arena *arena, const struct workspace *w)
{
	const struct session *sessions = w->sessions.ptr;
	size_t proposing = 0;
	size_t unseen = 0;

	for (size_t i = 0; i < w->sessions.count; i++) {
		proposing += is_proposing(&sessions[i]);
		unseen +=
			!sessions[i].is_reviewed && !is_proposing(&sessions[i]);
	}
	if (unseen && w->sessions.count == 1)
		return "NOT reviewed";
	if (unseen)
		return dt_arena_printf(arena, "%zu NOT reviewed", unseen);
	if (proposing && w->sessions.count == 1)
		return "only proposals reviewed";
	if (proposing)
		return dt_arena_printf(arena, "%zu only proposals reviewed",
		                       proposing);
	return w->silent_rules ? "reviewed by rules" : "reviewed";
}

static void print_line(struct dt_arena *arena, const struct status *status,
                       const char *folder)
{
	const struct workspace *w = find(status, folder);

	if (!w) {
		puts("dovetail: not served");
		return;
	}
	printf("dovetail: %s, ", dt_text_safe(arena, dt_path_base(w->root)));
	if (w->sessions.count)
		printf("%s, %s",
		       dt_text_count(arena, w->sessions.count, "agent"),
		       coverage(arena, w));
	else
		fputs("no agent", stdout);
	if (w->waiting)
		printf(", %u waiting", w->waiting);
	puts("");
}

static void give_up(int number)
{
	(void)number;
	_exit(0);
}

/* A shell's prompt does not wait for a daemon that hangs. */
static void be_quick(void)
{
	signal(SIGALRM, give_up);
	alarm(1);
}

static enum dt_err tell_nothing(struct dt_arena *arena,
                                const struct options *options)
{
	if (options->is_line) {
		puts("dovetail: not running");
		return DT_E_OK;
	}
	if (options->is_security)
		dt_security_print();
	else if (options->is_json)
		puts("{\"pid\":null,\"workspaces\":[]}");
	else
		printf("No daemon is running.\nNext: %s\n",
		       dt_program_run_agent(arena));
	return DT_E_MISSING;
}

static enum dt_err tell(struct dt_arena *arena, struct dt_remote *remote,
                        const struct options *options, struct dt_fail *fail)
{
	struct status status = { 0 };
	const struct dt_json *result;
	const char *folder;
	enum dt_err err =
		dt_remote_call(remote, "status", arena, &result, fail);

	if (!err && options->is_json) {
		dt_remote_print(result);
		return DT_E_OK;
	}
	if (!err)
		err = dt_shape_read(&status_shape, arena, result, &status,
		                    fail);
	if (!err)
		err = dt_folder_find(arena, NULL, &folder, fail);
	if (err)
		return err;
	if (options->is_security)
		print_security(arena, &status);
	else if (options->is_line)
		print_line(arena, &status, folder);
	else
		print_status(arena, &status, folder);
	return DT_E_OK;
}

static enum dt_err run(const void *opts, char *const *args,
                       struct dt_fail *fail)
{
	const struct options *options = opts;
	struct dt_arena arena = { 0 };
	struct dt_fail why = { 0 };
	struct dt_remote *remote = NULL;
	enum dt_err err;

	(void)args;
	if (options->is_line + options->is_json + options->is_security > 1)
		return dt_fail(fail, DT_E_ARGS,
		               "name one of --line, --json and --security");
	if (options->is_line)
		be_quick();
	err = dt_remote_open(&remote, &why);
	if (err == DT_E_MISSING)
		err = tell_nothing(&arena, options);
	else if (err)
		err = dt_fail(fail, err, "%s", why.msg);
	else
		err = tell(&arena, remote, options, fail);
	dt_remote_free(remote);
	dt_arena_done(&arena);
	/* A prompt has no use for our troubles. */
	return options->is_line ? DT_E_OK : err;
}

const struct dt_command dt_cmd_status = {
	.name = "status",
	.summary = "What runs, and what to type next",
	.doc = "Say what the daemon serves, which agents are connected and what to "
	       "type next.\nThe exit code is 3 when no daemon runs, but 0 with "
	       "--line.",
	.options = options_table,
	.options_size = sizeof(struct options),
	.run = run,
};
