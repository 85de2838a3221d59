/*
 * app/cmd_log_file.c - dovetail log export and import: events as lines of JSON.
 *
 * What a line must hold is for the daemon to judge; here lines are only told
 * apart.  An export is complete or not there: it is written beside and renamed.
 */
#include "app/cmd_log_file.h"

#include "app/activity.h"
#include "app/remote.h"
#include "app/text.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE 1000
#define LINES 250 /* sent at once */
#define LINE_MAX_BYTES 65536
#define FILE_MAX (512u * DT_MIB)

/* export */

static enum dt_err write_items(FILE *to, struct dt_arena *arena,
                               const struct dt_json *items, int64_t *last_id,
                               struct dt_fail *fail)
{
	dt_json_each(item, items) {
		struct dt_activity_line line = { 0 };
		enum dt_err err = dt_shape_read(&dt_activity_line_shape, arena,
		                                item, &line, fail);

		if (err)
			return err;
		*last_id = line.id;
		fprintf(to, "%.*s\n", DT_STR_ARG(item->raw));
	}
	return ferror(to) ? dt_fail_sys(fail, "cannot write") : DT_E_OK;
}

static enum dt_err write_all(struct dt_remote *remote, FILE *to,
                             struct dt_fail *fail)
{
	struct dt_activity_page page = { .limit = PAGE };
	uint32_t count = PAGE;
	enum dt_err err = DT_E_OK;

	while (!err && count == PAGE) {
		struct dt_arena arena = { 0 };
		const struct dt_json *items;

		err = dt_activity_fetch(remote, &arena, &page, &items, fail);
		if (!err) {
			count = items->count;
			err = write_items(to, &arena, items, &page.after_id,
			                  fail);
		}
		dt_arena_done(&arena);
	}
	if (!err && fflush(to))
		err = dt_fail_sys(fail, "cannot write");
	return err;
}

static enum dt_err write_file(struct dt_remote *remote, const char *path,
                              struct dt_fail *fail)
{
	char *beside = dt_asprintf("%s.part", path);
	int fd = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	FILE *to = fd >= 0 ? fdopen(fd, "w") : NULL;
	enum dt_err err;

	if (!to) {
		err = dt_fail_sys(fail, "%s", beside);
		free(beside);
		return err;
	}
	err = write_all(remote, to, fail);
	if (fclose(to) && !err)
		err = dt_fail_sys(fail, "%s", beside);
	if (!err && rename(beside, path))
		err = dt_fail_sys(fail, "%s", path);
	if (err)
		unlink(beside);
	free(beside);
	return err;
}

static enum dt_err run_export(const void *opts, char *const *args,
                              struct dt_fail *fail)
{
	struct dt_remote *remote;
	enum dt_err err = dt_remote_open(&remote, fail);

	(void)opts;
	if (err)
		return err;
	err = strcmp(args[0], "-") != 0 ? write_file(remote, args[0], fail)
	                                : write_all(remote, stdout, fail);
	dt_remote_free(remote);
	return err;
}

const struct dt_command dt_cmd_log_export = {
	.name = "export",
	.args = "FILE|-",
	.summary = "Write what happened as lines of JSON",
	.doc = "Write all calls and other events that are kept to a file, or to the "
	       "standard\noutput, one JSON object a line, the oldest first.",
	.min_args = 1,
	.max_args = 1,
	.run = run_export,
};

/* import */

struct counts {
	uint32_t taken;
	uint32_t known;
	uint32_t bad;
	uint32_t bad_line; /* of one batch, from 0 */
	const char *why;
};
static const struct dt_field count_fields[] = {
	DT_FIELD(struct counts, taken, U32, DT_REQ, ""),
	DT_FIELD(struct counts, known, U32, DT_REQ, ""),
	DT_FIELD(struct counts, bad, U32, DT_REQ, ""),
	DT_FIELD_AS("badLine", struct counts, bad_line, U32, DT_REQ, ""),
	DT_FIELD(struct counts, why, NAME, DT_REQ, ""),
	DT_FIELD_END,
};
static const struct dt_shape count_shape =
	DT_SHAPE(struct counts, count_fields);

struct import {
	struct dt_remote *remote;
	struct dt_arena arena;
	struct dt_str rest;
	uint32_t line;           /* how many were read */
	uint32_t numbers[LINES]; /* of those that are sent, from 1 */
	struct counts total;     /* bad_line: from 1 */
};

/* Of the same lines, those we do not send are counted before those the daemon
 * refuses, so the first to be counted need not be the first of the file. */
static void count_bad(struct import *in, uint32_t count, uint32_t line,
                      const char *why)
{
	if (count && (in->total.bad == 0 || line < in->total.bad_line)) {
		in->total.bad_line = line;
		in->total.why = dt_arena_strdup(&in->arena, why);
	}
	in->total.bad += count;
}

/* What JSON cannot carry is not sent. */
static bool is_text(struct dt_str line)
{
	return line.len <= LINE_MAX_BYTES &&
	       (line.len == 0 || !memchr(line.ptr, '\0', line.len)) &&
	       dt_utf8_is_valid(line);
}

/* Put lines into the parameters until there are enough; how many. */
static size_t put_lines(struct import *in, struct dt_json_out *params)
{
	size_t count = 0;

	dt_json_key(params, "lines");
	dt_json_begin_array(params);
	while (in->rest.len && count < LINES) {
		struct dt_str line = dt_str_cut(&in->rest, '\n');

		in->line++;
		if (dt_str_trim(line).len == 0)
			continue;
		if (!is_text(line)) {
			count_bad(in, 1, in->line, "not a line of text");
			continue;
		}
		in->numbers[count++] = in->line;
		dt_json_put_str(params, line);
	}
	dt_json_end_array(params);
	return count;
}

static enum dt_err send_lines(struct import *in, struct dt_fail *fail)
{
	size_t count = put_lines(in, dt_remote_begin(in->remote));
	struct counts counts = { 0 };
	enum dt_err err =
		dt_remote_fetch(in->remote, "activity/import", &in->arena,
	                        &count_shape, &counts, fail);

	if (err)
		return err;
	in->total.taken += counts.taken;
	in->total.known += counts.known;
	count_bad(in, counts.bad,
	          counts.bad_line < count ? in->numbers[counts.bad_line] : 0,
	          counts.why);
	return DT_E_OK;
}

static void print_counts(struct import *in)
{
	const struct counts *c = &in->total;

	printf("%s imported, %" PRIu32 " known already, %s skipped",
	       dt_text_count(&in->arena, c->taken, "event"), c->known,
	       dt_text_count(&in->arena, c->bad, "bad line"));
	if (c->bad)
		printf(" (the first is line %" PRIu32 ": %s)", c->bad_line,
		       dt_text_safe(&in->arena, c->why));
	puts("");
}

static enum dt_err run_import(const void *opts, char *const *args,
                              struct dt_fail *fail)
{
	struct import in = { 0 };
	struct dt_buf text;
	enum dt_err err;

	(void)opts;
	dt_buf_init(&text, FILE_MAX);
	err = dt_file_read(args[0], &text, fail);
	if (!err)
		err = dt_remote_open(&in.remote, fail);
	in.rest = dt_buf_str(&text);
	while (!err && in.rest.len)
		err = send_lines(&in, fail);
	if (!err)
		print_counts(&in);
	dt_remote_free(in.remote);
	dt_arena_done(&in.arena);
	dt_buf_done(&text);
	return err;
}

const struct dt_command dt_cmd_log_import = {
	.name = "import",
	.args = "FILE",
	.summary = "Read what `log export` wrote",
	.doc = "Add the events of an exported file to those that are kept. Lines "
	       "that are\nno event are skipped and counted, and what is there "
	       "already is not kept twice.",
	.min_args = 1,
	.max_args = 1,
	.run = run_import,
};
