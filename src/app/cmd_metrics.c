/* app/cmd_metrics.c - dovetail metrics. */
#include "app/command.h"
#include "app/remote.h"
#include "base/file.h"

struct options {
	const char *output;
};

static const struct dt_option options_table[] = {
	DT_OPTION(struct options, output, TEXT,
	          "write to this file, in one step", .name = "output",
	          .value = "FILE"),
	DT_OPTION_END,
};

static enum dt_err run(const void *opts, char *const *args,
                       struct dt_fail *fail)
{
	const struct options *options = opts;
	const struct dt_json *result;
	struct dt_arena arena = { 0 };
	struct dt_str text = { 0 };
	struct dt_remote *remote;
	enum dt_err err = dt_remote_open(&remote, fail);

	(void)args;
	if (err)
		return err;
	err = dt_remote_call(remote, "metrics", &arena, &result, fail);
	if (!err && !dt_json_get(result, "text"))
		err = dt_fail(fail, DT_E_PROTO, "the daemon gave no text");
	if (!err)
		text = dt_json_text(&arena, dt_json_get(result, "text"));
	if (!err && options->output)
		err = dt_file_write(options->output, text, 0644, fail);
	else if (!err)
		fwrite(text.ptr, 1, text.len, stdout);
	dt_remote_free(remote);
	dt_arena_done(&arena);
	return err;
}

const struct dt_command dt_cmd_metrics = {
	.name = "metrics",
	.summary = "Counters and times, as Prometheus reads them",
	.doc = "Print the metrics of every workspace in Prometheus' text format: "
	       "calls and\ntheir times by tool, agents, queues, reviews, limits "
	       "that were hit. With\n--output they are written for a textfile "
	       "collector.",
	.options = options_table,
	.options_size = sizeof(struct options),
	.run = run,
};
