/*
 * app/mcp_client.c - what each MCP client wants to read about a server.
 *
 * One table says where the file is, under which member the servers stand and how
 * one is written.  Files that are not plain JSON (some clients allow comments)
 * are left alone: the person is told what to paste.
 */
#include "app/mcp_client.h"

#include "app/json_edit.h"
#include "app/toml_table.h"
#include "base/buf.h"

#include <stdlib.h>

#define NAME "dovetail"

/* A call may wait for a person: a day, as the hook's. */
#define WAIT_SECONDS "86400"
#define WAIT_MS "86400000"

/* How a server is written. */
enum style {
	STYLE_PLAIN, /* command and args */
	STYLE_TYPED, /* the same, with "type": "stdio" */
	STYLE_ARRAY, /* "type": "local", and one array for both */
	STYLE_TOML,
};

struct dt_mcp_client {
	const char *name;
	const char *variable; /* names its folder; NULL: none does */
	const char *variable_file;
	const char *base;   /* XDG_CONFIG_HOME, HOME, or NULL: the project */
	const char *file;   /* below that */
	const char *member; /* holds the servers */
	enum style style;
	const char *workspace; /* always given, unless another is; or NULL */
	/* How long a call may take, name and value; NULL: the client waits
	 * long enough, or has no such setting.  (opencode's "timeout" is no
	 * setting for that: it would wait so long for a server to start.) */
	const char *patience_name;
	const char *patience;
};

static const struct dt_mcp_client clients[] = {
	{
		.name = "claude-desktop",
		.base = "XDG_CONFIG_HOME",
		.file = "Claude/claude_desktop_config.json",
		.member = "mcpServers",
	},
	{
		.name = "claude-code",
		.variable = "CLAUDE_CONFIG_DIR",
		.variable_file = ".claude.json",
		.base = "HOME",
		.file = ".claude.json",
		.member = "mcpServers",
		.style = STYLE_TYPED,
	},
	{
		.name = "codex",
		.variable = "CODEX_HOME",
		.variable_file = "config.toml",
		.base = "HOME",
		.file = ".codex/config.toml",
		.member = "mcp_servers",
		.style = STYLE_TOML,
		.patience_name = "tool_timeout_sec", /* 300 without it */
		.patience = WAIT_SECONDS,
	},
	{
		.name = "cursor",
		.base = "HOME",
		.file = ".cursor/mcp.json",
		.member = "mcpServers",
	},
	{
		.name = "gemini",
		.base = "HOME",
		.file = ".gemini/settings.json",
		.member = "mcpServers",
		.patience_name = "timeout", /* 600000 without it */
		.patience = WAIT_MS,
	},
	{
		.name = "opencode",
		.base = "XDG_CONFIG_HOME",
		.file = "opencode/opencode.json",
		.member = "mcp",
		.style = STYLE_ARRAY,
	},
	{
		.name = "vscode",
		.file = ".vscode/mcp.json",
		.member = "servers",
		.style = STYLE_TYPED,
		/* VS Code itself puts the folder in its place. */
		.workspace = "${workspaceFolder}",
	},
};
#define CLIENT_COUNT (sizeof(clients) / sizeof(clients[0]))

enum dt_err dt_mcp_client_find(const char *name,
                               const struct dt_mcp_client **out,
                               struct dt_fail *fail)
{
	struct dt_buf names;
	enum dt_err err;

	for (size_t i = 0; i < CLIENT_COUNT; i++) {
		if (!strcmp(clients[i].name, name)) {
			*out = &clients[i];
			return DT_E_OK;
		}
	}
	dt_buf_init(&names, SIZE_MAX);
	for (size_t i = 0; i < CLIENT_COUNT; i++)
		dt_buf_addf(&names, "%s%s", i ? ", " : "", clients[i].name);
	err = dt_fail(fail, DT_E_ARGS,
	              "there is no client \"%s\", but there are %s", name,
	              dt_buf_z(&names));
	dt_buf_done(&names);
	return err;
}

/* where */

static const char *variable(const char *name)
{
	const char *value = name ? getenv(name) : NULL;

	return value && *value ? value : NULL;
}

enum dt_err dt_mcp_client_path(const struct dt_mcp_client *c,
                               struct dt_arena *arena, const char **out,
                               struct dt_fail *fail)
{
	const char *folder = variable(c->variable);

	if (folder) {
		*out = dt_arena_printf(arena, "%s/%s", folder,
		                       c->variable_file);
		return DT_E_OK;
	}
	if (!c->base) {
		*out = c->file;
		return DT_E_OK;
	}
	folder = variable(c->base);
	if (!folder && variable("HOME"))
		folder = dt_arena_printf(arena, "%s/.config", variable("HOME"));
	if (!folder)
		return dt_fail(fail, DT_E_MISSING, "HOME is not set");
	*out = dt_arena_printf(arena, "%s/%s", folder, c->file);
	return DT_E_OK;
}

/* what */

/* "mcp", and more where a workspace or all tools are meant: strings with commas
 * between. */
static const char *args_of(const struct dt_mcp_client *c,
                           struct dt_arena *arena,
                           const struct dt_mcp_command *command)
{
	const char *workspace =
		command->workspace ? command->workspace : c->workspace;

	const char *full = command->is_full ? ", \"--full\"" : "";

	if (!workspace)
		return dt_arena_printf(arena, "\"mcp\"%s", full);
	return dt_arena_printf(arena, "\"mcp\", \"--workspace\", %s%s",
	                       dt_json_edit_string(arena, workspace), full);
}

/* The server as it stands two levels deep in its file. */
static const char *entry_of(const struct dt_mcp_client *c,
                            struct dt_arena *arena,
                            const struct dt_mcp_command *command)
{
	const char *program = dt_json_edit_string(arena, command->program);
	const char *args = args_of(c, arena, command);
	const char *patience = "";

	switch (c->style) {
	case STYLE_TOML:
		return dt_arena_printf(arena,
		                       "[%s." NAME "]\n"
		                       "command = %s\nargs = [%s]\n%s = %s\n",
		                       c->member, program, args,
		                       c->patience_name, c->patience);
	case STYLE_ARRAY:
		return dt_arena_printf(arena,
		                       "{\n      \"type\": \"local\",\n"
		                       "      \"command\": [%s, %s],\n"
		                       "      \"enabled\": true\n    }",
		                       program, args);
	case STYLE_PLAIN:
	case STYLE_TYPED:
		break;
	}
	if (c->patience_name)
		patience = dt_arena_printf(arena, ",\n      \"%s\": %s",
		                           c->patience_name, c->patience);
	return dt_arena_printf(
		arena,
		"{\n%s      \"command\": %s,\n      \"args\": [%s]%s\n    }",
		c->style == STYLE_TYPED ? "      \"type\": \"stdio\",\n" : "",
		program, args, patience);
}

static const char *file_of(const struct dt_mcp_client *c,
                           struct dt_arena *arena, const char *entry)
{
	if (c->style == STYLE_TOML)
		return entry;
	return dt_arena_printf(arena,
	                       "{\n  \"%s\": {\n    \"" NAME "\": %s\n  }\n}\n",
	                       c->member, entry);
}

const char *dt_mcp_client_config(const struct dt_mcp_client *c,
                                 struct dt_arena *arena,
                                 const struct dt_mcp_command *command)
{
	return file_of(c, arena, entry_of(c, arena, command));
}

/* changing */

struct parts {
	const struct dt_json *top;
	const struct dt_json *servers; /* NULL: none */
	const struct dt_json *ours;    /* its key; NULL: none */
};

static enum dt_err read_parts(const struct dt_mcp_client *c,
                              struct dt_arena *arena, struct dt_str text,
                              struct parts *out, struct dt_fail *fail)
{
	struct dt_fail why = { 0 };

	*out = (struct parts){ 0 };
	if (dt_json_read(arena, text, &out->top, &why))
		return dt_fail(fail, DT_E_ARGS, "it is not plain JSON: %s",
		               why.msg);
	if (out->top->type != DT_JSON_OBJECT)
		return dt_fail(fail, DT_E_ARGS, "it is not an object");
	out->servers = dt_json_get(out->top, c->member);
	if (!out->servers)
		return DT_E_OK;
	if (out->servers->type != DT_JSON_OBJECT)
		return dt_fail(fail, DT_E_ARGS, "\"%s\" is not an object",
		               c->member);
	out->ours = dt_json_edit_key(out->servers, NAME);
	return DT_E_OK;
}

static bool is_blank(struct dt_str text)
{
	for (size_t i = 0; i < text.len; i++) {
		if (!strchr(" \t\r\n", text.ptr[i]))
			return false;
	}
	return true;
}

static struct dt_toml_place place_of(const struct dt_mcp_client *c)
{
	return (struct dt_toml_place){ .parent = c->member, .name = NAME };
}

enum dt_err dt_mcp_client_add(const struct dt_mcp_client *c,
                              struct dt_arena *arena, struct dt_str text,
                              const struct dt_mcp_command *command,
                              struct dt_str *out, struct dt_fail *fail)
{
	const char *entry = entry_of(c, arena, command);
	struct dt_toml_place place = place_of(c);
	struct parts p;
	enum dt_err err;

	if (c->style == STYLE_TOML)
		return dt_toml_table_set(arena, text, &place, entry, out, fail);
	if (is_blank(text)) {
		*out = dt_str(file_of(c, arena, entry));
		return DT_E_OK;
	}
	err = read_parts(c, arena, text, &p, fail);
	if (err)
		return err;
	if (p.ours)
		*out = dt_json_edit_splice(arena, text,
		                           dt_json_value(p.ours)->raw, entry);
	else if (p.servers)
		*out = dt_json_edit_append(
			arena, text, p.servers,
			dt_arena_printf(arena, "\"" NAME "\": %s", entry), 2);
	else
		*out = dt_json_edit_append(
			arena, text, p.top,
			dt_arena_printf(arena,
		                        "\"%s\": {\n    \"" NAME "\": %s\n  }",
		                        c->member, entry),
			1);
	return DT_E_OK;
}

enum dt_err dt_mcp_client_remove(const struct dt_mcp_client *c,
                                 struct dt_arena *arena, struct dt_str text,
                                 struct dt_str *out, struct dt_fail *fail)
{
	struct dt_toml_place place = place_of(c);
	struct parts p;
	enum dt_err err;

	*out = text;
	if (is_blank(text))
		return DT_E_OK;
	if (c->style == STYLE_TOML)
		return dt_toml_table_set(arena, text, &place, NULL, out, fail);
	err = read_parts(c, arena, text, &p, fail);
	if (err || !p.ours)
		return err;
	if (p.servers->count > 1)
		*out = dt_json_edit_cut(arena, text, p.servers, p.ours);
	else
		*out = dt_json_edit_cut(arena, text, p.top,
		                        dt_json_edit_key(p.top, c->member));
	return DT_E_OK;
}
