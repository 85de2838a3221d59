/*
 * hub/hub.c - the hub's birth and end, and its workspaces.
 *
 * Which workspaces are served is written down in the run directory, so that a
 * daemon that was killed comes back with all of them: Claude Code redials the
 * same port for 15 seconds and then never again.
 */
#include "hub/hub.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/log.h"
#include "base/path.h"
#include "base/rand.h"
#include "hub/activity.h"
#include "hub/aftermath.h"
#include "hub/audit.h"
#include "hub/control.h"
#include "hub/cut.h"
#include "hub/events.h"
#include "hub/history.h"
#include "hub/hook_gone.h"
#include "hub/mute.h"
#include "hub/notice.h"
#include "hub/propose.h"
#include "hub/record.h"
#include "hub/seen.h"
#include "hub/whose.h"
#include "hub/workspace.h"

#include <stdlib.h>
#include <unistd.h>

/* the store */

static void on_store_opened(struct dt_store *store, const char *note,
                            const struct dt_fail *fail, void *owner)
{
	struct dt_hub *hub = owner;

	(void)store;
	hub->is_store_open = true;
	if (note)
		dt_log(DT_LOG_WARN, "%s", note);
	if (!fail->code)
		return;
	dt_log(DT_LOG_ERROR, "reviews are not kept: %s", fail->msg);
	/* Without any memory changes are written all the same. */
	hub->inbox.store = NULL;
	free(hub->store_trouble);
	hub->store_trouble = dt_strdup(fail->msg);
}

static void on_orphaned(struct dt_store *store, const struct dt_fail *fail,
                        void *owner)
{
	struct dt_hub *hub = owner;

	(void)store;
	if (fail->code && !hub->store_trouble)
		dt_log(DT_LOG_WARN, "reviews of the last run: %s", fail->msg);
}

static void open_store(struct dt_hub *hub)
{
	struct dt_fail fail = { 0 };

	/* Failing here fails again, with a sentence, when it is opened. */
	if (dt_file_make_dirs(hub->dirs.state, &fail))
		dt_log(DT_LOG_ERROR, "%s", fail.msg);
	hub->store = dt_store_open(hub->loop, hub->dirs.database,
	                           on_store_opened, hub);
	dt_store_orphan_waiting(hub->store, dt_clock_wall_ms(), on_orphaned,
	                        hub);
	dt_history_begin(hub);
	dt_activity_begin(hub);
}

static void on_inbox_change(struct dt_inbox *inbox, struct dt_review *review,
                            void *owner)
{
	struct dt_hub *hub = owner;
	struct dt_workspace *ws = dt_workspace_by_id(hub, review->workspace);

	(void)inbox;
	if (ws)
		ws->metrics.reviews[review->state]++;
	dt_activity_add_review(hub, review);
	dt_seen_review(hub->dirs.state, review);
	if (review->state == DT_REVIEW_WAITING)
		dt_notice_review(owner, review);
	for (size_t i = 0;
	     i < review->set.count && review->state != DT_REVIEW_WAITING; i++)
		dt_cut_forget(hub->dirs.state, review->id, i);
	if (review->state == DT_REVIEW_WRITING && !review->writes)
		dt_aftermath_follow(hub, review);
	dt_control_review_changed(owner);
	dt_control_log_changed(owner);
}

/* which workspaces are served */

static char *served_path(struct dt_hub *hub)
{
	return dt_arena_printf(&hub->arena, "%s/served", hub->dirs.run);
}

static void write_served(struct dt_hub *hub)
{
	struct dt_fail fail = { 0 };
	struct dt_buf text;

	dt_buf_init(&text, DT_MIB);
	/* With the NUL: the name of a folder may hold anything else. */
	dt_list_each(ws, &hub->workspaces, struct dt_workspace, link)
		dt_buf_add(&text, dt_workspace_root(ws),
		           strlen(dt_workspace_root(ws)) + 1);
	if (dt_file_write(served_path(hub), dt_buf_str(&text), 0600, &fail))
		dt_log(DT_LOG_WARN, "%s", fail.msg);
	dt_buf_done(&text);
}

static void serve_again(struct dt_hub *hub)
{
	struct dt_arena arena = { 0 };
	struct dt_buf text;
	struct dt_str rest;

	dt_buf_init(&text, DT_MIB);
	if (dt_file_read(served_path(hub), &text, NULL))
		dt_buf_clear(&text);
	rest = dt_buf_str(&text);
	while (rest.len) {
		struct dt_str name = dt_str_cut(&rest, '\0');
		char *root = dt_arena_strndup(&arena, name.ptr, name.len);
		struct dt_workspace *ws;
		struct dt_fail fail = { 0 };

		if (!dt_file_is_dir(root))
			dt_log(DT_LOG_WARN, "%s is not there any more", root);
		else if (dt_workspace_open(hub, root, 0, &ws, &fail))
			dt_log(DT_LOG_WARN, "%s is not served again: %s", root,
			       fail.msg);
	}
	dt_buf_done(&text);
	dt_arena_done(&arena);
}

/* workspaces */

static bool is_known(const char *root, void *owner)
{
	struct dt_hub *hub = owner;
	struct dt_place_record record;
	struct dt_arena arena = { 0 };
	bool is_kept;

	if (dt_workspace_by_root(hub, root))
		return true;
	is_kept = !dt_place_find(&arena, &hub->dirs, root, &record, NULL);
	dt_arena_done(&arena);
	return is_kept;
}

static struct dt_place_question question_of(struct dt_hub *hub,
                                            const char *folder, bool is_named)
{
	return (struct dt_place_question){
		.folder = folder,
		.is_named = is_named,
		.home = hub->dirs.home,
		.is_known = is_known,
		.owner = hub,
	};
}

bool dt_hub_is_project(struct dt_hub *hub, const char *folder)
{
	struct dt_place_question question = question_of(hub, folder, false);
	struct dt_arena arena = { 0 };
	bool is_project = dt_place_is_project(&arena, &question);

	dt_arena_done(&arena);
	return is_project;
}

/* It was asked for by name or by who stands in it: that is use. */
static void note_use(struct dt_hub *hub, struct dt_workspace *ws)
{
	struct dt_fail fail = { 0 };

	ws->record.used_ms = dt_clock_wall_ms();
	if (dt_place_save(&hub->dirs, &ws->record, &fail))
		dt_log(DT_LOG_WARN, "%s", fail.msg);
}

enum dt_err dt_hub_serve(struct dt_hub *hub, const char *folder, bool is_named,
                         unsigned port, struct dt_workspace **out,
                         struct dt_fail *fail)
{
	struct dt_place_question question = question_of(hub, folder, is_named);
	struct dt_arena arena = { 0 };
	const char *root;
	enum dt_err err = dt_place_root(&arena, &question, &root, fail);

	if (!err)
		err = dt_workspace_open(hub, root, port, out, fail);
	if (!err) {
		note_use(hub, *out);
		write_served(hub);
	}
	dt_arena_done(&arena);
	return err;
}

struct dt_workspace *dt_hub_workspace_at(struct dt_hub *hub,
                                         struct dt_arena *arena,
                                         const char *path)
{
	const char *real;

	if (dt_path_real(arena, path, &real, NULL))
		real = path;
	return dt_workspace_of(hub, real);
}

size_t dt_hub_workspace_count(const struct dt_hub *hub)
{
	size_t count = 0;

	dt_list_each(ws, &hub->workspaces, struct dt_workspace, link)
		count++;
	return count;
}

/* life */

static void apply_config(struct dt_hub *hub)
{
	static const char *const levels[] = { "error", "warn", "info",
		                              "debug" };
	const char *level = dt_config_get(hub->config, "log.level");

	for (int i = 0; i < 4; i++) {
		if (!strcmp(levels[i], level))
			dt_log_set_level((enum dt_log_level)i);
	}
	for (size_t i = 0; i < dt_config_warning_count(hub->config); i++)
		dt_log(DT_LOG_WARN, "%s", dt_config_warning(hub->config, i));
	dt_budget_set_limit(
		hub->output,
		DT_MIB * dt_config_number(hub->config, "limits.output_mib"));
}

static void read_config(struct dt_hub *hub)
{
	hub->config = dt_config_new();
	dt_config_read(hub->config, hub->dirs.conf, false);
	apply_config(hub);
}

void dt_hub_reload(struct dt_hub *hub)
{
	dt_config_free(hub->config);
	read_config(hub);
	dt_activity_add_daemon(hub, "reloaded", NULL);
	dt_list_each(ws, &hub->workspaces, struct dt_workspace, link) {
		char *hide = dt_strdup(dt_config_get(ws->config, "mcp.hide"));
		char *tools = dt_strdup(dt_config_get(ws->config, "mcp.tools"));

		dt_workspace_configure(ws);
		dt_workspace_announce(ws);
		dt_events_tools(ws, hide, tools);
		free(hide);
		free(tools);
	}
	dt_events_refresh(hub);
}

static void clean_stale(struct dt_hub *hub)
{
	struct dt_place place = { .home = hub->dirs.home };

	for (size_t i = 0; i < dt_dialect_count; i++) {
		if (dt_dialects[i]->announce)
			dt_dialects[i]->clean(&place);
	}
}

enum dt_err dt_hub_init(struct dt_hub *hub, struct dt_loop *loop,
                        const struct dt_hub_options *options,
                        struct dt_fail *fail)
{
	enum dt_err err;

	*hub = (struct dt_hub){ .loop = loop, .restarts = options->restarts };
	dt_list_init(&hub->workspaces);
	dt_list_init(&hub->waits);
	dt_list_init(&hub->log_waits);
	dt_list_init(&hub->known);
	dt_list_init(&hub->leavings);
	hub->started_ms = dt_clock_wall_ms();
	dt_rand_bytes(hub->secret, sizeof(hub->secret));
	err = dt_dirs_find(&hub->arena, &hub->dirs, fail);
	hub->output =
		dt_budget_new(loop, DT_MIB, "an agent", "limits.output_mib");
	hub->commands = dt_budget_new(loop, DT_LIMIT_COMMANDS_OUTPUT,
	                              "a command", NULL);
	if (!err && options->record)
		err = dt_recorder_new(options->record, &hub->recorder, fail);
	if (!err)
		err = dt_control_new(hub, options->control_fd, &hub->control,
		                     fail);
	if (err) {
		dt_recorder_free(hub->recorder);
		dt_budget_free(hub->output);
		dt_budget_free(hub->commands);
		dt_arena_done(&hub->arena);
		return err;
	}
	read_config(hub);
	open_store(hub);
	dt_audit_init(hub);
	dt_mute_init(hub);
	dt_inbox_init(&hub->inbox, hub->store);
	dt_staging_init(&hub->staging);
	hub->inbox.on_change = on_inbox_change;
	hub->inbox.owner = hub;
	clean_stale(hub);
	dt_cut_forget_all(hub->dirs.state);
	serve_again(hub);
	return DT_E_OK;
}

void dt_hub_stop(struct dt_hub *hub)
{
	if (hub->is_stopping)
		return;
	hub->is_stopping = true;
	dt_log(DT_LOG_INFO, "stopping");
	if (!hub->is_restarting)
		unlink(served_path(hub));
	dt_history_end(hub);
	dt_propose_stop(hub);
	dt_hook_gone_stop(hub);
	dt_audit_end(hub);
	dt_mute_stop(hub);
	dt_list_each(ws, &hub->workspaces, struct dt_workspace, link)
		dt_workspace_stop(ws);
	dt_control_stop(hub->control);
	dt_aftermath_stop(hub);
	dt_activity_end(hub);
	dt_store_close(hub->store, NULL, NULL);
	hub->store = NULL;
	hub->inbox.store = NULL;
}

void dt_hub_done(struct dt_hub *hub)
{
	dt_inbox_done(&hub->inbox);
	dt_staging_done(&hub->staging);
	dt_list_each(ws, &hub->workspaces, struct dt_workspace, link)
		dt_workspace_free(ws);
	dt_mute_done(hub);
	dt_whose_done(hub);
	dt_control_free(hub->control);
	dt_recorder_free(hub->recorder);
	dt_budget_free(hub->output);
	dt_budget_free(hub->commands);
	dt_config_free(hub->config);
	free(hub->store_trouble);
	dt_arena_done(&hub->arena);
}
