/*
 * app/cmd_log.c - dovetail log: what was asked, who decided, when and how.
 *
 * A line tells how things stand; while the log is followed, what changes gets
 * another one.  Followers ask for what is new since a little before the latest
 * they saw, and know by the last answer what of it they have told already.
 */
#include "app/cmd_log_file.h"
#include "app/cmd_review.h"
#include "app/command.h"
#include "app/folder.h"
#include "app/log_calls.h"
#include "app/remote.h"
#include "app/reviews.h"
#include "app/text.h"

#include <stdlib.h>
#include <time.h>

#define LIMIT 50       /* lines, unless told */
#define MOST 1000      /* the daemon gives of each kind */
#define MARGIN_MS 5000 /* a clock may be set back a little */
#define LOOK_MS 2000   /* how long an event can go unnoticed */
#define KEY_MAX 64

struct options {
	bool is_followed;
	bool has_reviews;
	bool has_sessions;
	bool has_audit;
	bool has_calls;
	bool is_json;
	struct dt_maybe_u32 limit;
};

static const struct dt_option options_table[] = {
	DT_OPTION(struct options, is_followed, FLAG,
	          "go on with what happens next", .name = "follow",
	          .letter = 'f'),
	DT_OPTION(struct options, has_reviews, FLAG, "reviews alone",
	          .name = "reviews"),
	DT_OPTION(struct options, has_sessions, FLAG,
	          "agents that came and went alone", .name = "sessions"),
	DT_OPTION(struct options, has_audit, FLAG,
	          "what left for agents, and what was kept back",
	          .name = "audit"),
	DT_OPTION(struct options, has_calls, FLAG, "calls of tools instead",
	          .name = "calls"),
	DT_OPTION(struct options, limit, NUMBER,
	          "the latest so many; default: 50, most: 1000, 0: all",
	          .name = "limit", .value = "N"),
	DT_OPTION(struct options, is_json, FLAG, "print one object a line",
	          .name = "json"),
	DT_OPTION_END,
};

/* A line of the log; the members of the other type are absent. */
struct item {
	const char *type;
	const char *id;
	const char *agent;
	/* "review" */
	const char *state;
	const char *comment;
	const char *problem;
	const char *decided_by;
	const char *surface;
	int64_t opened_ms;
	int64_t decided_ms;
	struct dt_items entries; /* struct dt_review_file */
	const char *command;     /* instead of those */
	const char *folder;
	/* "session" */
	const char *root;
	const char *version;
	int64_t connected_ms;
	int64_t disconnected_ms;
	/* "audit" */
	const char *kind;
	const char *path;
	const char *denied;
	int64_t at_ms;
	int64_t bytes;
	int64_t lines;
	int64_t times;
};

static const struct dt_field entry_fields[] = {
	DT_FIELD(struct dt_review_file, kind, NAME, DT_REQ, ""),
	DT_FIELD(struct dt_review_file, path, NAME, DT_REQ, ""),
	DT_FIELD_AS("newPath", struct dt_review_file, new_path, NAME, 0, ""),
	DT_FIELD_AS("isLeftOut", struct dt_review_file, is_left_out, BOOL, 0,
	            ""),
	DT_FIELD_END,
};

static const struct dt_shape entry_shape =
	DT_SHAPE(struct dt_review_file, entry_fields);

static const struct dt_field item_fields[] = {
	DT_FIELD(struct item, type, NAME, DT_REQ, ""),
	DT_FIELD(struct item, id, NAME, DT_REQ, ""),
	DT_FIELD(struct item, agent, NAME, 0, "", .def = "\"an agent\""),
	DT_FIELD(struct item, state, NAME, 0, "", .def = "\"\""),
	DT_FIELD(struct item, comment, NAME, 0, ""),
	DT_FIELD(struct item, problem, NAME, 0, ""),
	DT_FIELD_AS("decidedBy", struct item, decided_by, NAME, 0, ""),
	DT_FIELD(struct item, surface, NAME, 0, ""),
	DT_FIELD_AS("openedMs", struct item, opened_ms, I64, 0, ""),
	DT_FIELD_AS("decidedMs", struct item, decided_ms, I64, 0, ""),
	DT_FIELD(struct item, entries, ITEMS, 0, "", .shape = &entry_shape),
	DT_FIELD(struct item, command, NAME, 0, ""),
	DT_FIELD(struct item, folder, NAME, 0, "", .def = "\"\""),
	DT_FIELD(struct item, root, NAME, 0, "", .def = "\"\""),
	DT_FIELD(struct item, version, NAME, 0, "", .def = "\"\""),
	DT_FIELD_AS("connectedMs", struct item, connected_ms, I64, 0, ""),
	DT_FIELD_AS("disconnectedMs", struct item, disconnected_ms, I64, 0, ""),
	DT_FIELD(struct item, kind, NAME, 0, "", .def = "\"\""),
	DT_FIELD(struct item, path, NAME, 0, "", .def = "\"\""),
	DT_FIELD(struct item, denied, NAME, 0, ""),
	DT_FIELD_AS("atMs", struct item, at_ms, I64, 0, ""),
	DT_FIELD(struct item, bytes, I64, 0, ""),
	DT_FIELD(struct item, lines, I64, 0, ""),
	DT_FIELD(struct item, times, I64, 0, ""),
	DT_FIELD_END,
};

static const struct dt_shape item_shape = DT_SHAPE(struct item, item_fields);

/* What was told, and where to go on. */
struct log {
	struct dt_remote *remote;
	const struct options *options;
	const char *here; /* names below it are short; NULL: none is */
	int64_t sequence;
	int64_t latest_ms;
	char (*told)[KEY_MAX]; /* of the last answer */
	size_t told_count;
	size_t review_count; /* of all that came ... */
	size_t other_count;  /* ... and of the other kind */
};

/* lines */

static const char *span(struct dt_arena *arena, int64_t ms)
{
	int64_t seconds = ms / 1000;

	if (seconds < 120)
		return dt_arena_printf(arena, "%d s", (int)seconds);
	if (seconds < 90 * 60)
		return dt_arena_printf(arena, "%d min", (int)(seconds / 60));
	return dt_arena_printf(arena, "%d h", (int)(seconds / 3600));
}

static bool is_review(const struct item *item)
{
	return !strcmp(item->type, "review");
}

static bool is_audit(const struct item *item)
{
	return !strcmp(item->type, "audit");
}

static int64_t time_of(const struct item *item)
{
	int64_t began = is_review(item) ? item->opened_ms : item->connected_ms;
	int64_t ended =
		is_review(item) ? item->decided_ms : item->disconnected_ms;

	if (is_audit(item))
		return item->at_ms;
	return ended > began ? ended : began;
}

static const char *state_of(const struct item *item)
{
	if (is_review(item))
		return item->state;
	if (is_audit(item))
		return item->denied ? "denied" : "left";
	return item->disconnected_ms ? "left" : "connected";
}

static void print_review(struct log *log, struct dt_arena *arena,
                         const struct item *item)
{
	struct dt_review_info review = {
		.root = log->here,
		.entries = item->entries,
		.command = item->command,
		.folder = item->folder,
	};

	printf("%s  %s", dt_reviews_subject(arena, &review),
	       dt_text_safe(arena, item->agent));
	if (item->decided_by)
		printf(", by %s", dt_text_safe(arena, item->decided_by));
	if (item->decided_by && item->surface)
		printf(" (%s)", dt_text_safe(arena, item->surface));
	if (item->decided_ms)
		printf(", after %s",
		       span(arena, item->decided_ms - item->opened_ms));
	if (item->comment && *item->comment)
		printf(": %s", dt_text_safe(arena, item->comment));
	if (item->problem)
		printf("; %s", dt_text_safe(arena, item->problem));
	puts("");
}

static void print_session(struct dt_arena *arena, const struct item *item)
{
	printf("%s%s%s in %s", dt_text_safe(arena, item->agent),
	       *item->version ? " " : "", dt_text_safe(arena, item->version),
	       dt_text_safe(arena, item->root));
	if (item->disconnected_ms)
		printf(", after %s",
		       span(arena, item->disconnected_ms - item->connected_ms));
	puts("");
}

static void print_audit(struct log *log, struct dt_arena *arena,
                        const struct item *item)
{
	printf("%s %s  %s", dt_text_safe(arena, item->kind),
	       dt_text_path(arena, item->path, log->here),
	       dt_text_safe(arena, item->agent));
	if (item->lines)
		printf(", %s",
		       dt_text_count(arena, (uint64_t)item->lines, "line"));
	if (item->bytes)
		printf(", %s",
		       dt_text_count(arena, (uint64_t)item->bytes, "byte"));
	if (item->times > 1)
		printf(", %s",
		       dt_text_count(arena, (uint64_t)item->times, "time"));
	if (item->denied)
		printf(": %s", dt_text_safe(arena, item->denied));
	puts("");
}

static void print_item(struct log *log, struct dt_arena *arena,
                       const struct item *item)
{
	time_t seconds = (time_t)(time_of(item) / 1000);
	char when[32] = "";
	struct tm tm;

	if (localtime_r(&seconds, &tm))
		strftime(when, sizeof(when), "%Y-%m-%d %H:%M:%S", &tm);
	printf("%s  %.8s  %-9s  ", when, dt_text_safe(arena, item->id),
	       dt_text_safe(arena, state_of(item)));
	if (is_review(item))
		print_review(log, arena, item);
	else if (is_audit(item))
		print_audit(log, arena, item);
	else
		print_session(arena, item);
}

/* answers */

static bool was_told(const struct log *log, const char *key)
{
	for (size_t i = 0; i < log->told_count; i++) {
		if (!strcmp(log->told[i], key))
			return true;
	}
	return false;
}

/* One item that came; its key is kept in `key`. */
static enum dt_err take_item(struct log *log, struct dt_arena *arena,
                             const struct dt_json *json, char key[KEY_MAX],
                             bool is_old, struct dt_fail *fail)
{
	struct item item = { 0 };
	enum dt_err err = dt_shape_read(&item_shape, arena, json, &item, fail);

	if (err)
		return err;
	snprintf(key, KEY_MAX, "%s %s %lld", item.id, state_of(&item),
	         (long long)item.bytes);
	if (is_review(&item))
		log->review_count++;
	else
		log->other_count++;
	if (time_of(&item) > log->latest_ms)
		log->latest_ms = time_of(&item);
	if (is_old || was_told(log, key))
		return DT_E_OK;
	if (log->options->is_json)
		dt_remote_print(json);
	else
		print_item(log, arena, &item);
	return DT_E_OK;
}

/* `limit` 0: all of them are printed, else the last ones. */
static enum dt_err take_items(struct log *log, struct dt_arena *arena,
                              const struct dt_json *items, uint32_t limit,
                              struct dt_fail *fail)
{
	char(*keys)[KEY_MAX] = NULL;
	enum dt_err err = DT_E_OK;
	size_t count = 0;

	if (!items || items->type != DT_JSON_ARRAY)
		return dt_fail(fail, DT_E_PROTO, "the log is no list");
	dt_json_each(item, items) {
		keys = dt_realloc(keys, (count + 1) * sizeof(*keys));
		err = take_item(log, arena, item, keys[count],
		                limit && count + limit < items->count, fail);
		if (err)
			break;
		count++;
	}
	free(log->told);
	log->told = keys;
	log->told_count = count;
	fflush(stdout);
	return err;
}

static uint32_t limit_of(const struct options *options)
{
	return options->limit.is_set ? options->limit.value : LIMIT;
}

static enum dt_err list(struct log *log, bool is_first, struct dt_fail *fail)
{
	const struct options *options = log->options;
	struct dt_json_out *params = dt_remote_begin(log->remote);
	struct dt_arena arena = { 0 };
	const struct dt_json *sequence;
	const struct dt_json *result;
	enum dt_err err;

	if (options->has_audit)
		dt_remote_put(params, "what", "audit");
	else if (options->has_reviews != options->has_sessions)
		dt_remote_put(params, "what",
		              options->has_reviews ? "reviews" : "sessions");
	/* Who follows must know the older ones, too, not to tell them later. */
	if (is_first && !options->is_followed) {
		dt_json_key(params, "limit");
		dt_json_put_int(params, limit_of(options));
	} else if (!is_first) {
		dt_json_key(params, "sinceMs");
		dt_json_put_int(params, log->latest_ms > MARGIN_MS
		                                ? log->latest_ms - MARGIN_MS
		                                : 0);
	}
	err = dt_remote_call(log->remote, "log/list", &arena, &result, fail);
	if (!err) {
		sequence = dt_json_get(result, "sequence");
		if (!sequence || !dt_json_to_i64(sequence, &log->sequence))
			log->sequence = 0;
		err = take_items(log, &arena, dt_json_get(result, "items"),
		                 is_first ? limit_of(options) : 0, fail);
	}
	dt_arena_done(&arena);
	return err;
}

/* That there may be more is not kept from who wants all. */
static void tell_of_more(const struct log *log)
{
	if (limit_of(log->options) == 0 &&
	    (log->review_count >= MOST || log->other_count >= MOST))
		fprintf(stderr,
		        "dovetail: these are the latest %d; older ones are left "
		        "out\n",
		        MOST);
}

/* Until something happens, or a while. */
static enum dt_err wait_for_more(struct log *log, struct dt_fail *fail)
{
	struct dt_json_out *params = dt_remote_begin(log->remote);
	struct dt_arena arena = { 0 };
	enum dt_err err;

	dt_json_key(params, "sequence");
	dt_json_put_int(params, log->sequence);
	dt_json_key(params, "timeoutMs");
	dt_json_put_int(params, LOOK_MS);
	err = dt_remote_call(log->remote, "log/wait", &arena, NULL, fail);
	dt_arena_done(&arena);
	return err;
}

static enum dt_err run_calls(const struct options *options,
                             struct dt_fail *fail)
{
	struct dt_log_calls calls = {
		.limit = limit_of(options),
		.is_followed = options->is_followed,
		.is_json = options->is_json,
	};
	struct dt_remote *remote;
	enum dt_err err = dt_remote_open(&remote, fail);

	if (err)
		return err;
	err = dt_log_calls(remote, &calls, fail);
	dt_remote_free(remote);
	return err;
}

static enum dt_err run_log(const struct options *options, struct dt_fail *fail)
{
	struct log log = { .options = options };
	struct dt_arena arena = { 0 };
	enum dt_err err = DT_E_OK;

	if (log.options->has_audit &&
	    (log.options->has_reviews || log.options->has_sessions))
		err = dt_fail(fail, DT_E_ARGS, "--audit stands alone");
	if (!err)
		err = dt_remote_open(&log.remote, fail);
	if (!err)
		err = dt_folder_find(&arena, NULL, &log.here, fail);
	if (!err && !strcmp(log.here, "/"))
		log.here = NULL;
	if (!err)
		err = list(&log, true, fail);
	if (!err)
		tell_of_more(&log);
	while (!err && log.options->is_followed) {
		err = wait_for_more(&log, fail);
		if (!err)
			err = list(&log, false, fail);
	}
	free(log.told);
	dt_remote_free(log.remote);
	dt_arena_done(&arena);
	return err;
}

static enum dt_err run(const void *opts, char *const *args,
                       struct dt_fail *fail)
{
	const struct options *options = opts;

	(void)args;
	if (limit_of(options) > MOST)
		return dt_fail(fail, DT_E_ARGS, "--limit takes at most %d",
		               MOST);
	if (!options->has_calls)
		return run_log(options, fail);
	if (options->has_reviews || options->has_sessions || options->has_audit)
		return dt_fail(fail, DT_E_ARGS,
		               "--calls goes alone: calls are a log of their "
		               "own");
	return run_calls(options, fail);
}

/* `log show` is `review show`: what has ended is found there as well. */
static const struct dt_command *const subcommands[] = {
	&dt_cmd_review_show,
	&dt_cmd_log_export,
	&dt_cmd_log_import,
	NULL,
};

const struct dt_command dt_cmd_log = {
	.name = "log",
	.args = "[COMMAND]",
	.summary = "What agents asked, and what was decided",
	.doc = "Print the reviews and sessions of every workspace, the latest "
	       "last: when it was,\nits id, what became of it, what was asked, "
	       "by whom, and who decided where.\nWith --audit print what of your "
	       "files was sent to agents without asking you, and\nwhat was kept "
	       "back: the file and how much, never the text itself.",
	.options = options_table,
	.options_size = sizeof(struct options),
	.subcommands = subcommands,
	.run = run,
};
