/*
 * app/cmd_call.c - dovetail call: a tool of agents, from the shell.
 *
 * The command is an agent like any other while it runs: what policy says of a
 * tool holds for it, and it decides nothing about reviews.
 */
#include "app/command.h"
#include "app/mcp_session.h"
#include "app/remote.h"
#include "app/text.h"
#include "app/tool_args.h"
#include "base/limits.h"
#include "base/path.h"
#include "hub/catalog.h"

#include <limits.h>
#include <unistd.h>

struct options {
	const char *workspace;
	bool is_list;
	bool is_json;
};

static const struct dt_option options_table[] = {
	DT_OPTION(struct options, workspace, TEXT, "the project that is meant",
	          .name = "workspace", .value = "DIR"),
	DT_OPTION(struct options, is_list, FLAG, "list the tools",
	          .name = "list"),
	DT_OPTION(struct options, is_json, FLAG, "print the whole result",
	          .name = "json"),
	DT_OPTION_END,
};

/* tools */

/* Told of each tool; true: that was the one. */
typedef bool tool_fn(const struct dt_json *tool, void *owner);

static struct dt_str text_of(struct dt_arena *arena, const struct dt_json *of,
                             const char *name)
{
	const struct dt_json *value = dt_json_get(of, name);

	if (!value || value->type != DT_JSON_STRING)
		return (struct dt_str){ 0 };
	return dt_json_text(arena, value);
}

/* Ask for the list, page by page. */
static enum dt_err each_tool(struct dt_mcp_session *s, struct dt_arena *arena,
                             tool_fn *fn, void *owner, struct dt_fail *fail)
{
	struct dt_str params = DT_STR("{}");

	for (;;) {
		const struct dt_json *result;
		const struct dt_json *tools;
		const struct dt_json *cursor;
		enum dt_err err = dt_mcp_session_ask(s, "tools/list", params,
		                                     arena, &result, fail);

		if (err)
			return err;
		tools = dt_json_get(result, "tools");
		if (!tools || tools->type != DT_JSON_ARRAY)
			return dt_fail(fail, DT_E_PROTO,
			               "the daemon has no list of tools");
		dt_json_each(tool, tools) {
			if (fn(tool, owner))
				return DT_E_OK;
		}
		cursor = dt_json_get(result, "nextCursor");
		if (!cursor || cursor->type != DT_JSON_STRING)
			return DT_E_OK;
		params = dt_str(dt_arena_printf(arena, "{\"cursor\":%.*s}",
		                                DT_STR_ARG(cursor->raw)));
	}
}

/* The name, and the first sentence of what it is for. */
static bool print_tool(const struct dt_json *tool, void *owner)
{
	struct dt_str doc = text_of(owner, tool, "description");
	struct dt_str line = dt_str_cut(&doc, '\n');
	const char *stop =
		line.len ? memmem(line.ptr, line.len, ". ", 2) : NULL;
	struct dt_str name = text_of(owner, tool, "name");

	if (stop)
		line.len = (size_t)(stop + 1 - line.ptr);
	printf("%-26s %s\n", dt_arena_printf(owner, "%.*s", DT_STR_ARG(name)),
	       dt_text_code(owner, line));
	return false;
}

static bool print_raw(const struct dt_json *tool, void *owner)
{
	(void)owner;
	dt_remote_print(tool);
	return false;
}

struct wanted {
	struct dt_arena *arena;
	const char *name;
	const struct dt_json *schema; /* NULL: not found */
};

static bool is_wanted(const struct dt_json *tool, void *owner)
{
	struct wanted *w = owner;

	if (!dt_str_is(text_of(w->arena, tool, "name"), w->name))
		return false;
	w->schema = dt_json_get(tool, "inputSchema");
	return true;
}

/* the result */

/* In a terminal a text cannot do more than be read. */
static void print_text(struct dt_arena *arena, struct dt_str text, FILE *to)
{
	if (!isatty(fileno(to))) {
		fwrite(text.ptr, 1, text.len, to);
		if (!text.len || text.ptr[text.len - 1] != '\n')
			fputc('\n', to);
		return;
	}
	do
		fprintf(to, "%s\n",
		        dt_text_code(arena, dt_str_cut(&text, '\n')));
	while (text.len);
}

static void print_item(struct dt_arena *arena, const struct dt_json *item,
                       FILE *to)
{
	struct dt_str type = text_of(arena, item, "type");
	const struct dt_json *resource = dt_json_get(item, "resource");
	struct dt_str text = text_of(arena, resource ? resource : item, "text");
	struct dt_str uri = text_of(arena, resource ? resource : item, "uri");

	if (text.ptr)
		print_text(arena, text, to);
	else if (uri.ptr)
		print_text(arena, uri, to);
	else
		fprintf(to, "[%s; --json prints it]\n",
		        dt_text_safe(arena, dt_arena_printf(arena, "%.*s",
		                                            DT_STR_ARG(type))));
}

/* A failure without a sentence: the tool told it. */
static enum dt_err print_result(struct dt_arena *arena,
                                const struct dt_json *result, bool is_json)
{
	const struct dt_json *content = dt_json_get(result, "content");
	const struct dt_json *is_error = dt_json_get(result, "isError");
	bool has_failed = is_error && is_error->type == DT_JSON_TRUE;

	if (is_json) {
		dt_remote_print(result);
	} else if (content && content->type == DT_JSON_ARRAY) {
		dt_json_each(item, content)
			print_item(arena, item, has_failed ? stderr : stdout);
	}
	return has_failed ? DT_E_STATE : DT_E_OK;
}

/* calling */

/* A path that is typed begins where it is typed. */
static char *resolve_word(struct dt_arena *arena, const char *tool,
                          const char *folder, char *word)
{
	struct dt_str rest = dt_str(word);
	struct dt_str key = dt_str_cut(&rest, '=');
	const char *name = dt_arena_strndup(arena, key.ptr, key.len);

	/* A list in JSON is the tool's to read. */
	if (!rest.len || strchr("/[", rest.ptr[0]) ||
	    dt_str_starts(rest, DT_STR("file:")) ||
	    !dt_catalog_is_path(tool, name))
		return word;
	return dt_arena_printf(arena, "%s=%s", name,
	                       dt_path_join(arena, folder, rest.ptr));
}

static enum dt_err resolve(struct dt_arena *arena, char *const *args,
                           char ***out, struct dt_fail *fail)
{
	char folder[PATH_MAX];
	size_t count = 0;

	if (!getcwd(folder, sizeof(folder)))
		return dt_fail_sys(fail, "cannot tell the current folder");
	while (args[1 + count])
		count++;
	*out = dt_arena_alloc(arena, (count + 1) * sizeof(**out));
	for (size_t i = 0; i < count; i++)
		(*out)[i] = resolve_word(arena, args[0], folder, args[1 + i]);
	return DT_E_OK;
}

static enum dt_err no_tool(const char *name, struct dt_fail *fail)
{
	const char *nearest = dt_catalog_nearest(name);

	if (nearest)
		return dt_fail(fail, DT_E_ARGS,
		               "there is no tool \"%s\"; did you mean %s?",
		               name, nearest);
	return dt_fail(fail, DT_E_ARGS,
	               "there is no tool \"%s\"; `dovetail call --list` lists "
	               "them",
	               name);
}

static enum dt_err read_args(struct dt_mcp_session *s, struct dt_arena *arena,
                             char *const *args, struct dt_str *out,
                             struct dt_fail *fail)
{
	struct wanted wanted = { .arena = arena, .name = args[0] };
	char **typed;
	const struct dt_json *json;
	enum dt_err err;

	*out = DT_STR("{}");
	if (!args[1])
		return DT_E_OK;
	if (args[1][0] == '{' && !args[2]) {
		err = dt_json_read(arena, dt_str(args[1]), &json, fail);
		if (!err)
			*out = json->raw;
		return err;
	}
	err = each_tool(s, arena, is_wanted, &wanted, fail);
	if (!err && !wanted.schema)
		err = no_tool(args[0], fail);
	if (!err)
		err = resolve(arena, args, &typed, fail);
	if (!err)
		err = dt_tool_args_read(arena, wanted.schema, typed, out, fail);
	return err;
}

static enum dt_err call(struct dt_mcp_session *s, struct dt_arena *arena,
                        char *const *args, bool is_json, struct dt_fail *fail)
{
	const struct dt_json *result;
	struct dt_json_out out;
	struct dt_str given;
	struct dt_buf params;
	enum dt_err err = read_args(s, arena, args, &given, fail);

	if (err)
		return err;
	dt_buf_init(&params, DT_LIMIT_MESSAGE);
	out = dt_json_out(&params);
	dt_json_begin_object(&out);
	dt_remote_put(&out, "name", args[0]);
	dt_json_key(&out, "arguments");
	dt_json_put_raw(&out, given);
	if (isatty(STDERR_FILENO)) {
		dt_mcp_session_talk(s);
		dt_json_key(&out, "_meta");
		dt_json_put_raw(&out, DT_STR(DT_MCP_TALK_META));
	}
	dt_json_end_object(&out);
	err = dt_mcp_session_ask(s, "tools/call", dt_buf_str(&params), arena,
	                         &result, fail);
	dt_buf_done(&params);
	return err ? err : print_result(arena, result, is_json);
}

static enum dt_err run(const void *opts, char *const *args,
                       struct dt_fail *fail)
{
	const struct options *options = opts;
	struct dt_arena arena = { 0 };
	struct dt_mcp_session *s = NULL;
	enum dt_err err;

	if (options->is_list == (args[0] != NULL))
		return dt_fail(fail, DT_E_ARGS,
		               "name one tool, or --list to see them all");
	err = dt_mcp_session_open(options->workspace, &s, fail);
	if (!err && options->is_list)
		err = each_tool(s, &arena,
		                options->is_json ? print_raw : print_tool,
		                &arena, fail);
	else if (!err)
		err = call(s, &arena, args, options->is_json, fail);
	dt_mcp_session_free(s);
	dt_arena_done(&arena);
	return err;
}

const struct dt_command dt_cmd_call = {
	.name = "call",
	.args = "TOOL ['JSON' | KEY=VALUE...]",
	.summary = "Call a tool as an agent would",
	.doc = "Call a tool of this folder's workspace and print the text it "
	       "answers. Values\nget the types that the tool wants; a key that is "
	       "repeated makes a list. The\nexit code is 1 when the tool says that "
	       "it failed. `dovetail help TOOL` explains\none.",
	.options = options_table,
	.options_size = sizeof(struct options),
	.max_args = DT_ARGS_ANY,
	.run = run,
};
