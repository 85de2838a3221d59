/*
 * editor/bridge.h - what is asked of the bridge itself, and what it answers:
 * the arguments and results of those operations that the hub performs whatever
 * editor is attached.  Times are as dt_clock_format() writes them; NULL: never.
 */
#ifndef DT_EDITOR_BRIDGE_H
#define DT_EDITOR_BRIDGE_H

#include "base/str.h"
#include "data/field.h"

#include <stdbool.h>
#include <stdint.h>

struct dt_status_session {
	const char *id;
	const char *agent;
	const char *version;
	const char *connected_at;
	uint32_t running; /* requests */
	uint32_t waiting; /* reviews */
};
struct dt_previous_session {
	const char *id;
	const char *agent;
};
struct dt_status_editor {
	const char *name;
	const char *breaker; /* "closed": it is asked; "open": it is spared */
	const char *unseen;  /* changes of files it does not see, and why */
};
struct dt_status_result {
	const char *version;
	uint32_t uptime_seconds;
	const char *workspace; /* id */
	struct dt_names folders;
	bool is_editor_attached;
	const char *tier; /* "full" with an editor, else "headless" */
	uint32_t session_count;
	struct dt_items sessions; /* struct dt_status_session */
	struct dt_items editors;  /* struct dt_status_editor */
	struct dt_items previous; /* struct dt_previous_session */
	uint32_t reviews_waiting;
	const char *last_connect_at;
	const char *last_disconnect_at;
	const char *last_disconnect_code; /* "closed", "timeout", ... */
	const char *last_disconnect_reason;
};

struct dt_list_activity_args {
	const char *tool;    /* or NULL: all that happened */
	const char *status;  /* of calls, or NULL */
	const char *session; /* how its id begins, or NULL */
	uint32_t last;       /* 0: 50 */
	bool has_stats;
};
struct dt_wait_activity_args {
	bool has_since;
	int64_t since_id;    /* else: from now on */
	uint32_t max;        /* 0: 50 */
	const char *without; /* not calls of this tool, or NULL */
	uint32_t timeout_ms;
};
struct dt_activity_item {
	int64_t id;
	const char *at;
	const char *kind;
	const char *what; /* of a call: the tool */
	const char *status;
	const char *session;
	const char *agent;
	int64_t took_us;
	const char *message;
};
struct dt_activity_stat {
	const char *tool;
	int64_t calls;
	int64_t failed; /* in whatever way */
	int64_t p50_us;
	int64_t p95_us;
};
struct dt_activity_result {
	struct dt_items entries; /* struct dt_activity_item */
	uint32_t count;
	int64_t last_id;       /* to go on from */
	bool is_late;          /* nothing came in time */
	struct dt_items stats; /* struct dt_activity_stat */
};

struct dt_capability {
	const char *name;
	bool is_available;
	const char *missing; /* a sentence, or NULL */
};
struct dt_capabilities_result {
	const char *editor;
	bool is_editor_attached;
	const char *tier;
	uint32_t available; /* tools */
	uint32_t total;
	struct dt_names programs; /* that run without asking */
	const char *asking;    /* what does, and what waits: a few sentences */
	struct dt_items tools; /* struct dt_capability */
};

struct dt_search_tools_args {
	const char *query;          /* or NULL: all */
	struct dt_names categories; /* none: all */
	uint32_t limit;             /* 0: 20 */
	bool has_schemas;
};
struct dt_found_tool {
	const char *name;
	const char *title;
	const char *doc;
	const char *category;
	const char *effect;
	bool is_listed;
	struct dt_str schema; /* of its arguments; JSON, or absent */
};
struct dt_search_tools_result {
	struct dt_items tools; /* struct dt_found_tool */
	uint32_t matched;
};

/* Their fields, for the table of operations. */
extern const struct dt_field dt_status_result_fields[];
extern const struct dt_field dt_list_activity_args_fields[];
extern const struct dt_field dt_wait_activity_args_fields[];
extern const struct dt_field dt_activity_result_fields[];
extern const struct dt_field dt_capabilities_result_fields[];
extern const struct dt_field dt_search_tools_args_fields[];
extern const struct dt_field dt_search_tools_result_fields[];

#endif
