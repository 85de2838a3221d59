/*
 * hub/notice.c - review.on_review: a command of the person's own.
 *
 * The words of the value are separated by blanks, and no shell sees them: what
 * an agent calls itself or a file cannot become a command.  The key counts in
 * the person's own configuration only.  "notify-send" alone, the default, is
 * called as that program wants it, and only where there is a desktop.
 */
#include "hub/notice.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/path.h"
#include "hub/env.h"
#include "hub/mute.h"
#include "hub/workspace.h"
#include "loop/spawn.h"

#define PAUSE_MS 1000
#define WORDS_MAX 32
#define DESKTOP "notify-send"

/* One notice on its way. */
struct notice {
	struct dt_arena arena;
	const struct dt_review *review;
	const struct dt_workspace *ws;
	char *argv[WORDS_MAX + 4];
	size_t count;
};

static void add(struct notice *n, const char *word)
{
	n->argv[n->count++] = dt_arena_strdup(&n->arena, word);
}

/* the command */

static void add_words(struct notice *n, const char *command)
{
	struct dt_str rest = dt_str(command);

	while (rest.len > 0 && n->count < WORDS_MAX) {
		struct dt_str word = dt_str_cut(&rest, ' ');

		if (word.len > 0)
			add(n, dt_arena_strndup(&n->arena, word.ptr, word.len));
	}
}

/* Its own two arguments: a line in bold and one below. */
static void add_desktop(struct notice *n)
{
	const struct dt_entry *entry = n->review->set.entries;
	const char *command = n->review->card.command;

	add(n, DESKTOP);
	add(n, "--app-name=Dovetail");
	add(n, "--");
	add(n, dt_arena_printf(&n->arena, "%s wants to %s %s", n->review->agent,
	                       command ? "run" : dt_change_kinds[entry->kind],
	                       command ? command : dt_path_base(entry->path)));
	add(n, "dovetail review");
}

static bool has_desktop(const struct notice *n)
{
	return dt_env_get(n->ws, "DISPLAY") ||
	       dt_env_get(n->ws, "WAYLAND_DISPLAY");
}

/* False when nothing is to be run. */
static bool choose(struct notice *n, const char *command)
{
	const char *file;
	bool is_desktop = !strcmp(command, DESKTOP);

	if (is_desktop && !has_desktop(n))
		return false;
	if (is_desktop) {
		add_desktop(n);
	} else {
		add_words(n, command);
		add(n, n->review->agent);
		add(n, n->review->card.command
		               ? n->review->card.command
		               : n->review->set.entries[0].path);
		add(n, n->review->id);
	}
	file = dt_env_find(n->ws, NULL, &n->arena, n->argv[0]);
	if (file)
		n->argv[0] = dt_arena_strdup(&n->arena, file);
	else if (!is_desktop)
		dt_log(DT_LOG_WARN, "review.on_review: there is no program %s",
		       n->argv[0]);
	return file != NULL;
}

void dt_notice_review(struct dt_hub *hub, const struct dt_review *review)
{
	struct notice n = {
		.review = review,
		.ws = dt_workspace_by_id(hub, review->workspace),
	};
	uint64_t now = dt_clock_ms();
	struct dt_fail fail = { 0 };
	const char *command =
		n.ws ? dt_config_get(n.ws->config, "review.on_review") : "";

	if (!*command || dt_mute_has_all(hub) ||
	    (hub->noticed_ms && now - hub->noticed_ms < PAUSE_MS) ||
	    !choose(&n, command)) {
		dt_arena_done(&n.arena);
		return;
	}
	hub->noticed_ms = now;
	if (dt_spawn(n.argv, dt_env_list(n.ws, NULL, &n.arena),
	             dt_workspace_root(n.ws), &fail))
		dt_log(DT_LOG_WARN, "review.on_review: %s", fail.msg);
	dt_arena_done(&n.arena);
}
