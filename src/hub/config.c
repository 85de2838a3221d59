/*
 * hub/config.c - dovetail.conf read into values, each checked by its key.
 *
 * A file cannot stop the daemon: what is wrong becomes a warning that names its
 * line, and the rest counts.  Every value here has passed check(), so readers
 * need no checks of their own.  Changing a file is config_write.c.
 */
#include "hub/config.h"

#include "backend/lsp_table.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/log.h"
#include "base/utf8.h"
#include "hub/config_line.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define WARNINGS_MAX 20 /* of one configuration; more help nobody */

static const char *const log_levels[] = { "error", "warn", "info", "debug",
	                                  NULL };

static const char *const tool_lists[] = { "slim", "full", NULL };

static const char *const downs[] = { "ask", "deny", "allow", NULL };

static const char *const switches[] = { "on", "off", NULL };

const struct dt_config_key dt_config_keys[] = {
	{
		.section = "log",
		.name = "level",
		.type = DT_CONFIG_TEXT,
		.def = "warn",
		.choices = log_levels,
		.doc = "How much the daemon writes to its log.",
	},
	{
		.section = "claude",
		.name = "ide_name",
		.type = DT_CONFIG_TEXT,
		.def = "Dovetail",
		.doc = "What Claude Code calls us in its list of editors.",
	},
	{
		.section = "review",
		.name = "pager",
		.type = DT_CONFIG_TEXT,
		.def = "",
		.doc = "The pager that shows a change; empty: the one git uses.",
	},
	{
		.section = "review",
		.name = "editor",
		.type = DT_CONFIG_TEXT,
		.def = "",
		.doc = "The editor for a change; empty: $VISUAL, then $EDITOR.",
	},
	{
		.section = "store",
		.name = "keep_days",
		.type = DT_CONFIG_NUMBER,
		.def = "90",
		.min = 1,
		.max = 36500,
		.doc = "How many days ended reviews and sessions are kept.",
	},
	{
		.section = "store",
		.name = "keep_calls",
		.type = DT_CONFIG_NUMBER,
		.def = "100000",
		.min = 100,
		.max = 10000000,
		.doc = "How many calls of tools are kept.",
	},
	{
		.section = "store",
		.name = "keep_calls_days",
		.type = DT_CONFIG_NUMBER,
		.def = "30",
		.min = 1,
		.max = 36500,
		.doc = "How many days calls and other events are kept.",
	},
	{
		.section = "review",
		.name = "on_review",
		.type = DT_CONFIG_TEXT,
		.def = "notify-send",
		.doc = "The command to run when a review opens; empty: none.",
	},
	{
		.section = "review",
		.name = "elicitation",
		.type = DT_CONFIG_TEXT,
		.def = "on",
		.choices = switches,
		.doc = "Whether agents may ask their person for the verdict.",
	},
	{
		.section = "hook",
		.name = "when_down",
		.type = DT_CONFIG_TEXT,
		.def = "ask",
		.choices = downs,
		.doc = "What the hook answers when no daemon can be reached.",
	},
	{
		.section = "hook",
		.name = "hang_seconds",
		.type = DT_CONFIG_NUMBER,
		.def = "60",
		.min = 5,
		.max = 86400,
		.doc = "How long the hook waits for a daemon that hangs.",
	},
	{
		.section = "limits",
		.name = "sessions",
		.type = DT_CONFIG_NUMBER,
		.def = "64",
		.min = 1,
		.max = 500, /* by HTTP, below DT_LIMIT_CONNECTIONS */
		.doc = "How many agents may be connected to one workspace.",
	},
	{
		.section = "limits",
		.name = "message_mib",
		.type = DT_CONFIG_NUMBER,
		.def = "64",
		.min = 1,
		.max = 256,
		.doc = "The largest message an agent may send, in MiB.",
	},
	{
		.section = "limits",
		.name = "output_mib",
		.type = DT_CONFIG_NUMBER,
		.def = "32",
		.min = 1,
		.max = 4096,
		.doc = "How much output may wait for agents that do not read "
		       "it, all of them together, in MiB.",
	},
	{
		.section = "limits",
		.name = "calls",
		.type = DT_CONFIG_NUMBER,
		.def = "10",
		.min = 1,
		.max = 10000,
		.doc = "How many calls of one MCP client may run at once.",
	},
	{
		.section = "limits",
		.name = "requests_a_minute",
		.type = DT_CONFIG_NUMBER,
		.def = "200",
		.min = 0,
		.max = 100000000,
		.doc = "How many requests an MCP client may send in a minute; "
		       "0: any number.",
	},
	{
		.section = "limits",
		.name = "notes_a_minute",
		.type = DT_CONFIG_NUMBER,
		.def = "500",
		.min = 0,
		.max = 100000000,
		.doc = "How many notifications of an MCP client count in a "
		       "minute; the rest is dropped; 0: any number.",
	},
	{
		.section = "mcp",
		.name = "hide",
		.type = DT_CONFIG_TEXT,
		.def = "",
		.doc = "Globs of tools that MCP clients are not offered, with "
		       "commas between them.",
	},
	{
		.section = "mcp",
		.name = "tools",
		.type = DT_CONFIG_TEXT,
		.def = "slim",
		.choices = tool_lists,
		.doc = "Whether the list of tools has the everyday ones or all; "
		       "any tool can be called by its name.",
	},
	{
		.section = "mcp",
		.name = "grace_seconds",
		.type = DT_CONFIG_NUMBER,
		.def = "120",
		.min = 0,
		.max = 86400,
		.doc = "How long the session of an MCP client is kept when its "
		       "connection is lost.",
	},
	{
		.section = "run",
		.name = "allow",
		.type = DT_CONFIG_TEXT,
		.def = "git npm cargo go pytest jest vitest tsc eslint biome",
		.doc = "Programs that agents may run without asking.",
	},
	{
		.section = "context",
		.name = "clipboard",
		.type = DT_CONFIG_TEXT,
		.def = "off",
		.choices = switches,
		.doc = "Whether agents may read and write the clipboard.",
	},
	{
		.section = "context",
		.name = "deny",
		.type = DT_CONFIG_GLOBS,
		.def = "",
		.is_safe = true,
		.doc = "More files whose contents are kept from agents.",
	},
	{
		.section = "context",
		.name = "allow",
		.type = DT_CONFIG_GLOBS,
		.def = "",
		.doc = "Files that agents may be sent all the same.",
	},
	{
		.section = "context",
		.name = "mute",
		.type = DT_CONFIG_GLOBS,
		.def = "",
		.doc = "Agents that get no selections and mentions.",
	},
	{
		.section = "lsp",
		.name = "off",
		.type = DT_CONFIG_GLOBS,
		.def = "",
		.is_safe = true,
		.doc = "Language servers that are not started, by their names.",
	},
	{
		.section = "lsp",
		.name = "server",
		.type = DT_CONFIG_LINES,
		.def = "",
		.check = dt_lsp_check_server,
		.doc = "A language server of one's own, or another command for "
		       "one that is known.",
	},
	{
		.section = "lsp",
		.name = "settings",
		.type = DT_CONFIG_LINES,
		.def = "",
		.check = dt_lsp_check_settings,
		.doc = "What a language server is told when it asks for its "
		       "settings.",
	},
	{
		.section = "lsp",
		.name = "idle_minutes",
		.type = DT_CONFIG_NUMBER,
		.def = "30",
		.min = 0,
		.max = 10080,
		.doc = "How long a language server runs that nobody needs; 0: "
		       "for ever.",
	},
	{
		.section = "lsp",
		.name = "workspace_programs",
		.type = DT_CONFIG_TEXT,
		.def = "on",
		.choices = switches,
		.doc = "Whether language servers are started from node_modules "
		       "and virtualenvs inside the workspace.",
	},
	{
		.section = "lint",
		.name = "off",
		.type = DT_CONFIG_GLOBS,
		.def = "",
		.is_safe = true,
		.doc = "Linters that are not run, by their names.",
	},
};

#define KEY_COUNT (sizeof(dt_config_keys) / sizeof(dt_config_keys[0]))

const size_t dt_config_key_count = KEY_COUNT;

struct dt_config {
	char *values[KEY_COUNT];
	struct dt_config_globs globs[KEY_COUNT]; /* of keys that are lists */
	bool is_context_broken;
	struct dt_rules rules;
	char *warnings[WARNINGS_MAX];
	size_t warning_count;
};

struct dt_config *dt_config_new(void)
{
	struct dt_config *config = dt_alloc(sizeof(*config));

	for (size_t i = 0; i < dt_config_key_count; i++)
		config->values[i] = dt_strdup(dt_config_keys[i].def);
	return config;
}

void dt_config_free(struct dt_config *config)
{
	if (!config)
		return;
	for (size_t i = 0; i < dt_config_key_count; i++) {
		free(config->values[i]);
		dt_config_globs_done(&config->globs[i]);
	}
	for (size_t i = 0; i < config->warning_count; i++)
		free(config->warnings[i]);
	dt_rules_done(&config->rules);
	free(config);
}

/* values */

static enum dt_err check_choice(const struct dt_config_key *key,
                                struct dt_str value, struct dt_fail *fail)
{
	struct dt_buf names;
	enum dt_err err;

	dt_buf_init(&names, sizeof(fail->msg));
	for (size_t i = 0; key->choices[i]; i++) {
		if (dt_str_is(value, key->choices[i])) {
			dt_buf_done(&names);
			return DT_E_OK;
		}
		dt_buf_addf(&names, "%s%s", i ? ", " : "", key->choices[i]);
	}
	err = dt_fail(fail, DT_E_ARGS, "%s.%s must be one of %s", key->section,
	              key->name, dt_buf_z(&names));
	dt_buf_done(&names);
	return err;
}

static enum dt_err check_number(const struct dt_config_key *key,
                                struct dt_str value, struct dt_fail *fail)
{
	uint32_t number;

	if (dt_str_to_u32(value, &number, NULL) || number < key->min ||
	    number > key->max)
		return dt_fail(fail, DT_E_ARGS,
		               "%s.%s must be a number from %u to %u",
		               key->section, key->name, key->min, key->max);
	return DT_E_OK;
}

static enum dt_err check_text(const char *section, struct dt_str name,
                              struct dt_str value, struct dt_fail *fail)
{
	for (size_t i = 0; i < value.len; i++) {
		if ((unsigned char)value.ptr[i] < 0x20)
			return dt_fail(fail, DT_E_ARGS,
			               "%s.%.*s must be one line of text",
			               section, DT_STR_ARG(name));
	}
	if (!dt_utf8_is_valid(value))
		return dt_fail(fail, DT_E_ARGS, "%s.%.*s must be UTF-8",
		               section, DT_STR_ARG(name));
	return DT_E_OK;
}

enum dt_err dt_config_check(const struct dt_config_key *key,
                            struct dt_str value, struct dt_fail *fail)
{
	enum dt_err err =
		check_text(key->section, dt_str(key->name), value, fail);

	if (err)
		return err;
	if (key->type == DT_CONFIG_NUMBER)
		return check_number(key, value, fail);
	if (key->type == DT_CONFIG_GLOBS)
		return dt_config_globs_check(value, fail);
	if (key->choices)
		return check_choice(key, value, fail);
	return key->check && value.len > 0 ? key->check(value, fail) : DT_E_OK;
}

bool dt_config_adds_up(const struct dt_config_key *key)
{
	return key->type == DT_CONFIG_GLOBS || key->type == DT_CONFIG_LINES;
}

/* reading */

static void warn(struct dt_config *config, const char *name, unsigned line,
                 const char *what)
{
	if (config->warning_count == WARNINGS_MAX)
		return;
	if (config->warning_count == WARNINGS_MAX - 1)
		what = "and more lines after this one are wrong";
	config->warnings[config->warning_count++] =
		dt_asprintf("%s:%u: %s", name, line, what);
}

/* A checked value becomes that of its key, or part of it. */
static void set(struct dt_config *config, const struct dt_config_key *key,
                struct dt_str value, const struct dt_config_glob *where)
{
	size_t at = (size_t)(key - dt_config_keys);
	char *before = config->values[at];
	bool is_more = dt_config_adds_up(key) && *before;
	const char *between = key->type == DT_CONFIG_LINES ? "\n" : " ";

	if (is_more && value.len == 0)
		return;
	if (key->type == DT_CONFIG_GLOBS)
		dt_config_globs_add(&config->globs[at], value, where);
	config->values[at] =
		dt_asprintf("%s%s%.*s", is_more ? before : "",
	                    is_more ? between : "", DT_STR_ARG(value));
	free(before);
}

/* Take one setting, or say in `fail` why it does not count. */
static enum dt_err take(struct dt_config *config, const char *name,
                        const struct dt_config_line *l, bool is_repository,
                        struct dt_fail *fail)
{
	const struct dt_config_key *key =
		dt_config_find_in(l->section, l->name);
	struct dt_config_glob where = {
		.file = name,
		.line = l->number,
		.is_repository = is_repository,
	};
	enum dt_err err;

	if (!key && l->section.len == 0)
		return dt_fail(fail, DT_E_MISSING,
		               "\"%.*s\" stands before the first [section]",
		               DT_STR_ARG(l->name));
	if (!key)
		return dt_fail(fail, DT_E_MISSING,
		               "there is no key \"%.*s\" in [%.*s]",
		               DT_STR_ARG(l->name), DT_STR_ARG(l->section));
	if (is_repository && !key->is_safe)
		return dt_fail(fail, DT_E_DENIED,
		               "%s.%s does not count in a repository",
		               key->section, key->name);
	err = dt_config_check(key, l->value, fail);
	if (err)
		return err;
	set(config, key, l->value, &where);
	return DT_E_OK;
}

/* The same for a line of [policy] in the file `name`. */
static enum dt_err take_rule(struct dt_config *config, const char *name,
                             const struct dt_config_line *l, bool is_repository,
                             struct dt_fail *fail)
{
	struct dt_rule rule = {
		.file = name,
		.line = l->number,
		.is_repository = is_repository,
	};
	unsigned action = 0;
	char *text;
	enum dt_err err = check_text("policy", l->name, l->value, fail);

	if (err)
		return err;
	while (dt_rule_actions[action] &&
	       !dt_str_is(l->name, dt_rule_actions[action]))
		action++;
	if (!dt_rule_actions[action])
		return dt_fail(
			fail, DT_E_MISSING,
			"[policy] knows allow, record, ask and deny, not "
			"\"%.*s\"",
			DT_STR_ARG(l->name));
	text = dt_strndup(l->value.ptr, l->value.len);
	rule.action = (enum dt_rule_action)action;
	rule.text = text;
	err = dt_rules_add(&config->rules, &rule, fail);
	free(text);
	return err;
}

static enum dt_err take_line(struct dt_config *config, const char *name,
                             const struct dt_config_line *l, bool is_repository,
                             struct dt_fail *fail)
{
	bool is_rule = dt_str_is(l->section, "policy");
	enum dt_err err = DT_E_OK;

	if (l->kind == DT_CONFIG_LINE_WRONG)
		err = dt_fail(fail, DT_E_ARGS,
		              "neither [section] nor key = value");
	else if (l->kind == DT_CONFIG_LINE_SETTING && is_rule)
		err = take_rule(config, name, l, is_repository, fail);
	else if (l->kind == DT_CONFIG_LINE_SETTING)
		err = take(config, name, l, is_repository, fail);
	if (err && is_rule && !is_repository)
		config->rules.is_broken = true;
	if (err && dt_str_is(l->section, "context") && !is_repository)
		config->is_context_broken = true;
	return err;
}

void dt_config_read_text(struct dt_config *config, const char *name,
                         struct dt_str text, bool is_repository)
{
	struct dt_config_line line = { 0 };

	while (dt_config_next_line(&text, &line)) {
		struct dt_fail fail = { 0 };

		if (take_line(config, name, &line, is_repository, &fail))
			warn(config, name, line.number, fail.msg);
	}
}

void dt_config_read(struct dt_config *config, const char *path,
                    bool is_repository)
{
	struct dt_fail fail = { 0 };
	struct dt_buf text;
	enum dt_err err;

	dt_buf_init(&text, DT_CONFIG_FILE_MAX);
	err = dt_file_read(path, &text, &fail);
	if (!err)
		dt_config_read_text(config, path, dt_buf_str(&text),
		                    is_repository);
	else if (err != DT_E_MISSING)
		warn(config, path, 0, fail.msg);
	if (err && err != DT_E_MISSING && !is_repository)
		config->is_context_broken = true;
	dt_buf_done(&text);
}

size_t dt_config_warning_count(const struct dt_config *config)
{
	return config->warning_count;
}

const char *dt_config_warning(const struct dt_config *config, size_t n)
{
	return n < config->warning_count ? config->warnings[n] : NULL;
}

/* asking */

const struct dt_config_key *dt_config_find_in(struct dt_str section,
                                              struct dt_str name)
{
	for (size_t i = 0; i < dt_config_key_count; i++) {
		const struct dt_config_key *key = &dt_config_keys[i];

		if (dt_str_is(section, key->section) &&
		    dt_str_is(name, key->name))
			return key;
	}
	return NULL;
}

const struct dt_config_key *dt_config_find(const char *key)
{
	struct dt_str name = dt_str(key);
	struct dt_str section = dt_str_cut(&name, '.');

	return dt_config_find_in(section, name);
}

const char *dt_config_get(const struct dt_config *config, const char *key)
{
	const struct dt_config_key *found = dt_config_find(key);

	assert(found);
	return config->values[found - dt_config_keys];
}

uint32_t dt_config_number(const struct dt_config *config, const char *key)
{
	const struct dt_config_key *found = dt_config_find(key);
	const char *value = dt_config_get(config, key);
	uint32_t number = 0;

	assert(found && found->type == DT_CONFIG_NUMBER);
	if (dt_str_to_u32(dt_str(value), &number, NULL))
		dt_panic("%s = %s passed the check", key, value);
	return number;
}

const struct dt_config_globs *dt_config_globs(const struct dt_config *config,
                                              const char *key)
{
	const struct dt_config_key *found = dt_config_find(key);

	assert(found && found->type == DT_CONFIG_GLOBS);
	return &config->globs[found - dt_config_keys];
}

bool dt_config_is_context_broken(const struct dt_config *config)
{
	return config->is_context_broken;
}

const struct dt_rules *dt_config_rules(const struct dt_config *config)
{
	return &config->rules;
}
