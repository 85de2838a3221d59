/* app/cmd_status.c - dovetail status: what runs, and what to type next. */
#include "app/command.h"
#include "app/folder.h"
#include "app/program.h"
#include "app/remote.h"
#include "app/text.h"
#include "base/clock.h"
#include "base/path.h"

struct session {
	const char *agent;
	const char *version;
	int64_t pid;
	int64_t connected_ms;
	uint32_t waiting;
};

struct workspace {
	const char *root;
	uint32_t port;
	bool is_moved;
	uint32_t waiting;
	struct dt_items sessions;
};

struct status {
	const char *version;
	int64_t pid;
	int64_t started_ms;
	const char *log;
	const char *store;
	uint32_t restarts;
	struct dt_names warnings;
	struct dt_items workspaces;
};

static const struct dt_field session_fields[] = {
	DT_FIELD(struct session, agent, NAME, DT_REQ, ""),
	DT_FIELD(struct session, version, NAME, 0, ""),
	DT_FIELD(struct session, pid, I64, 0, ""),
	DT_FIELD_AS("connectedMs", struct session, connected_ms, I64, 0, ""),
	DT_FIELD(struct session, waiting, U32, 0, ""),
	DT_FIELD_END,
};
static const struct dt_shape session_shape =
	DT_SHAPE(struct session, session_fields);

static const struct dt_field workspace_fields[] = {
	DT_FIELD(struct workspace, root, NAME, DT_REQ, ""),
	DT_FIELD(struct workspace, port, U32, DT_REQ, ""),
	DT_FIELD_AS("isMoved", struct workspace, is_moved, BOOL, 0, ""),
	DT_FIELD(struct workspace, waiting, U32, 0, ""),
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
	DT_FIELD(struct status, warnings, NAMES, 0, ""),
	DT_FIELD(struct status, workspaces, ITEMS, 0, "",
	         .shape = &workspace_shape),
	DT_FIELD_END,
};
static const struct dt_shape status_shape =
	DT_SHAPE(struct status, status_fields);

struct options {
	bool is_json;
};

static const struct dt_option options_table[] = {
	DT_OPTION(struct options, is_json, FLAG, "print JSON", .name = "json"),
	DT_OPTION_END,
};

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
	puts("");
}

static void print_workspace(struct dt_arena *arena, const struct workspace *w)
{
	const struct session *sessions = w->sessions.ptr;

	printf("  %s (port %u)\n", dt_text_safe(arena, w->root), w->port);
	if (w->is_moved)
		puts("    its old port was taken; agents started before must "
		     "be started again");
	for (size_t i = 0; i < w->sessions.count; i++)
		print_session(arena, &sessions[i]);
	if (w->sessions.count == 0)
		puts("    no agent is connected");
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

	printf("Dovetail %s runs (pid %d, started %s", status->version,
	       (int)status->pid,
	       dt_text_ago(arena, status->started_ms, dt_clock_wall_ms()));
	if (status->restarts)
		printf(", %s after a crash",
		       dt_text_count(arena, status->restarts, "restart"));
	printf("); its log is %s\n", dt_text_safe(arena, status->log));
	if (strcmp(status->store, "ok") != 0)
		printf("  history: %s\n", dt_text_safe(arena, status->store));
	for (size_t i = 0; i < status->warnings.count; i++)
		printf("  warning: %s\n",
		       dt_text_safe(arena, status->warnings.ptr[i]));
	for (size_t i = 0; i < status->workspaces.count; i++)
		print_workspace(arena, &w[i]);
	printf("Next: %s\n", next(arena, status, folder));
}

static enum dt_err tell_nothing(struct dt_arena *arena, bool is_json)
{
	if (is_json)
		puts("{\"pid\":null,\"workspaces\":[]}");
	else
		printf("No daemon is running.\nNext: %s\n",
		       dt_program_run_agent(arena));
	return DT_E_MISSING;
}

static enum dt_err run(const void *opts, char *const *args,
                       struct dt_fail *fail)
{
	const struct options *options = opts;
	struct dt_arena arena = { 0 };
	struct dt_fail why = { 0 };
	struct status status = { 0 };
	const struct dt_json *result;
	const char *folder;
	struct dt_remote *remote;
	enum dt_err err = dt_remote_open(&remote, &why);

	(void)args;
	if (err == DT_E_MISSING) {
		err = tell_nothing(&arena, options->is_json);
		dt_arena_done(&arena);
		return err;
	}
	if (err)
		return dt_fail(fail, err, "%s", why.msg);
	err = dt_remote_call(remote, "status", &arena, &result, fail);
	if (!err && options->is_json)
		dt_remote_print(result);
	else if (!err)
		err = dt_shape_read(&status_shape, &arena, result, &status,
		                    fail);
	if (!err && !options->is_json)
		err = dt_folder_find(&arena, NULL, &folder, fail);
	if (!err && !options->is_json)
		print_status(&arena, &status, folder);
	dt_remote_free(remote);
	dt_arena_done(&arena);
	return err;
}

const struct dt_command dt_cmd_status = {
	.name = "status",
	.summary = "What runs, and what to type next",
	.doc = "Say what the daemon serves, which agents are connected and what to "
	       "type next.\nThe exit code is 3 when no daemon runs.",
	.options = options_table,
	.options_size = sizeof(struct options),
	.run = run,
};
