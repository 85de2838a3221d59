/* app/activity.h - one thing that happened, as commands show it. */
#ifndef DT_APP_ACTIVITY_H
#define DT_APP_ACTIVITY_H

#include "app/remote.h"
#include "base/arena.h"
#include "data/field.h"

#include <stdbool.h>
#include <stdint.h>

/* What `activity/list` gives; absent names are NULL. */
struct dt_activity_line {
	int64_t id;
	int64_t at_ms;
	const char *kind;
	const char *what;
	const char *status;
	const char *session;
	const char *agent;
	int64_t took_us;
	const char *message;
};
extern const struct dt_shape dt_activity_line_shape;

/* "05:40:01  done  getDiagnostics  claude-code  1.2 ms", fit for a terminal;
 * with the day where `has_day`. */
const char *dt_activity_text(struct dt_arena *arena,
                             const struct dt_activity_line *line, bool has_day);

/* "870 us", "1.2 ms", "3.4 s". */
const char *dt_activity_took(struct dt_arena *arena, int64_t us);

/* Ask for a page: the last ones, or those behind `after_id`; limit 0: as many as
 * a page holds.  `*out_items` is the array, in the arena. */
struct dt_activity_page {
	int64_t after_id;
	uint32_t limit;
	bool is_latest;
	bool has_calls_only;
	int64_t last_id; /* of all there are, once it is fetched */
};
enum dt_err dt_activity_fetch(struct dt_remote *remote, struct dt_arena *arena,
                              struct dt_activity_page *page,
                              const struct dt_json **out_items,
                              struct dt_fail *fail) DT_MUST_CHECK;

#endif
