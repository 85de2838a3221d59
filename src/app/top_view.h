/* app/top_view.h - what `dovetail top` shows, laid out as lines. */
#ifndef DT_APP_TOP_VIEW_H
#define DT_APP_TOP_VIEW_H

#include "base/arena.h"
#include "base/buf.h"
#include "data/field.h"

#include <stdint.h>

struct dt_top_session {
	const char *agent;
	const char *version;
	int64_t connected_ms;
	int64_t running;
	int64_t queue_bytes;
	int64_t waiting;
};

struct dt_top_tool {
	const char *name;
	int64_t calls;
	int64_t failed;
	int64_t p50_us;
	int64_t p95_us;
};

struct dt_top_workspace {
	const char *root;
	uint32_t port;
	int64_t waiting;
	struct dt_items sessions; /* struct dt_top_session */
	struct dt_items tools;    /* struct dt_top_tool */
};

/* What the daemon's method "top" answers. */
struct dt_top {
	const char *version;
	int64_t started_ms;
	int64_t now_ms;
	struct dt_items workspaces; /* struct dt_top_workspace */
};
extern const struct dt_shape dt_top_shape;

/*
 * Write the page: at most `rows` lines (0: as many as there are) of at most
 * `columns` characters.  Rates are since `before`, or (NULL) not known.  `events`
 * are lines that are ready, the latest last; as many as fit are shown.
 */
struct dt_top_page {
	const struct dt_top *now;
	const struct dt_top *before;
	struct dt_names events;
	unsigned rows;
	unsigned columns;
};
void dt_top_write(struct dt_buf *out, struct dt_arena *arena,
                  const struct dt_top_page *page);

#endif
