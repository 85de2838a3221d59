/* app/cmd_tools.c - dovetail tools. */
#include "app/command.h"
#include "base/limits.h"
#include "hub/catalog.h"

struct options {
	bool is_markdown;
	bool is_json;
};

static const struct dt_option options_table[] = {
	DT_OPTION(struct options, is_markdown, FLAG, "print docs/tools.md",
	          .name = "markdown"),
	DT_OPTION(struct options, is_json, FLAG, "print JSON with schemas",
	          .name = "json"),
	DT_OPTION_END,
};

static enum dt_err run(const void *opts, char *const *args,
                       struct dt_fail *fail)
{
	const struct options *options = opts;
	struct dt_json_out json;
	struct dt_buf text;

	(void)args;
	if (options->is_markdown && options->is_json)
		return dt_fail(fail, DT_E_ARGS,
		               "choose either --markdown or --json");
	dt_buf_init(&text, DT_LIMIT_MESSAGE);
	json = dt_json_out(&text);
	if (options->is_json) {
		dt_catalog_write_json(&json);
		dt_buf_add_char(&text, '\n');
	} else if (options->is_markdown) {
		dt_catalog_write_markdown(&text);
	} else {
		dt_catalog_write_text(&text);
	}
	fwrite(text.ptr, 1, text.len, stdout);
	dt_buf_done(&text);
	return DT_E_OK;
}

const struct dt_command dt_cmd_tools = {
	.name = "tools",
	.summary = "List the tools agents can call",
	.doc = "List the tools agents can call and what each does: reads, shows, "
	       "asks, writes\nor runs.",
	.options = options_table,
	.options_size = sizeof(struct options),
	.run = run,
};
