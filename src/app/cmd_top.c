/*
 * app/cmd_top.c - dovetail top: what goes on, looked at every second.
 *
 * It asks the daemon and draws; what is drawn is top_view.c.  A page replaces
 * the one before line by line, so that the terminal does not flicker.
 */
#include "app/activity.h"
#include "app/command.h"
#include "app/remote.h"
#include "app/terminal.h"
#include "app/top_view.h"
#include "base/limits.h"

#define LOOK_MS 1000
#define EVENTS 50
#define EVENTS_ONCE 10
#define COLUMNS_ONCE 200

struct options {
	bool is_once;
	bool is_json;
};

static const struct dt_option options_table[] = {
	DT_OPTION(struct options, is_once, FLAG, "print it once and end",
	          .name = "once"),
	DT_OPTION(struct options, is_json, FLAG, "print it once, as JSON",
	          .name = "json"),
	DT_OPTION_END,
};

/* One look at the daemon. */
struct look {
	struct dt_arena arena;
	const struct dt_json *json;
	struct dt_top top;
	const struct dt_json *items; /* events */
	struct dt_names events;      /* as lines */
};

static enum dt_err read_events(struct look *look, struct dt_fail *fail)
{
	look->events.ptr =
		dt_arena_alloc(&look->arena, (look->items->count + 1) *
	                                             sizeof(*look->events.ptr));
	dt_json_each(item, look->items) {
		struct dt_activity_line line = { 0 };
		enum dt_err err =
			dt_shape_read(&dt_activity_line_shape, &look->arena,
		                      item, &line, fail);

		if (err)
			return err;
		look->events.ptr[look->events.count++] =
			dt_activity_text(&look->arena, &line, false);
	}
	return DT_E_OK;
}

static enum dt_err take_look(struct dt_remote *remote, struct look *look,
                             uint32_t events, struct dt_fail *fail)
{
	struct dt_activity_page page = { .limit = events, .is_latest = true };
	enum dt_err err;

	dt_arena_done(&look->arena);
	*look = (struct look){ 0 };
	err = dt_remote_call(remote, "top", &look->arena, &look->json, fail);
	if (!err)
		err = dt_shape_read(&dt_top_shape, &look->arena, look->json,
		                    &look->top, fail);
	if (!err)
		err = dt_activity_fetch(remote, &look->arena, &page,
		                        &look->items, fail);
	return err ? err : read_events(look, fail);
}

/* once */

static void print_json(const struct look *look)
{
	printf("{\"top\":%.*s,\"events\":%.*s}\n", DT_STR_ARG(look->json->raw),
	       DT_STR_ARG(look->items->raw));
}

static enum dt_err print_once(struct dt_remote *remote, bool is_json,
                              struct dt_fail *fail)
{
	struct look look = { 0 };
	struct dt_buf text;
	enum dt_err err = take_look(remote, &look, EVENTS_ONCE, fail);

	dt_buf_init(&text, DT_LIMIT_MESSAGE);
	if (!err && is_json) {
		print_json(&look);
	} else if (!err) {
		struct dt_top_page page = {
			.now = &look.top,
			.events = look.events,
			.columns = COLUMNS_ONCE,
		};

		dt_top_write(&text, &look.arena, &page);
		fwrite(text.ptr, 1, text.len, stdout);
	}
	dt_buf_done(&text);
	dt_arena_done(&look.arena);
	return err;
}

/* live */

static void draw(struct look *now, const struct look *before)
{
	struct dt_top_page page = {
		.now = &now->top,
		.before = before->top.now_ms ? &before->top : NULL,
		.events = now->events,
	};
	struct dt_str rest;
	struct dt_buf text;

	dt_terminal_size(&page.rows, &page.columns);
	/* The last row is for the key; a full one would scroll. */
	page.rows--;
	dt_buf_init(&text, DT_LIMIT_MESSAGE);
	dt_top_write(&text, &now->arena, &page);
	rest = dt_buf_str(&text);
	fputs("\033[H", stdout);
	for (unsigned row = 0; rest.len && row < page.rows; row++) {
		struct dt_str line = dt_str_cut(&rest, '\n');

		printf("%.*s\033[K\n", DT_STR_ARG(line));
	}
	printf("\033[J\033[%u;1H%.*s", page.rows + 1, (int)page.columns,
	       "q quits");
	fflush(stdout);
	dt_buf_done(&text);
}

static enum dt_err run_live(struct dt_remote *remote, struct dt_fail *fail)
{
	struct look looks[2] = { 0 };
	unsigned at = 0;
	enum dt_err err;
	int key;

	dt_terminal_begin_screen();
	do {
		err = take_look(remote, &looks[at], EVENTS, fail);
		if (err)
			break;
		draw(&looks[at], &looks[!at]);
		at = !at;
		key = dt_terminal_key(LOOK_MS);
	} while (key != 'q' && key != 'Q' && key != DT_KEY_END);
	dt_terminal_end_screen();
	dt_arena_done(&looks[0].arena);
	dt_arena_done(&looks[1].arena);
	return err;
}

static enum dt_err run(const void *opts, char *const *args,
                       struct dt_fail *fail)
{
	const struct options *options = opts;
	struct dt_remote *remote;
	enum dt_err err = dt_remote_open(&remote, fail);

	(void)args;
	if (err)
		return err;
	if (options->is_once || options->is_json || !dt_terminal_is_there())
		err = print_once(remote, options->is_json, fail);
	else
		err = run_live(remote, fail);
	dt_remote_free(remote);
	return err;
}

const struct dt_command dt_cmd_top = {
	.name = "top",
	.summary = "What goes on, live",
	.doc = "Show workspaces, agents, calls a second, how long calls take and "
	       "what happened\nlast, and look again every second. q quits. "
	       "Without a terminal it prints once.",
	.options = options_table,
	.options_size = sizeof(struct options),
	.run = run,
};
