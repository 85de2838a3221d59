/*
 * app/claude_settings.c - one hook put into JSON, or taken out.
 *
 * The text is changed where the hook stands and nowhere else, so a person's
 * settings keep their order and layout.  Claude Code runs the hook before each
 * tool that edits a file and lets it take its time: people look at changes after
 * lunch.  A hook that cannot run denies the edit ("onFailure"): older CLIs, which
 * do not know that, make it.  It is run before a prompt, too, for what a person
 * said where there was no room for words; that takes no time.
 */
#include "app/claude_settings.h"

#include "app/json_edit.h"
#include "base/buf.h"
#include "base/path.h"
#include "data/json.h"
#include "hub/coverage.h"
#include "loop/mark.h"

#include <assert.h>

#define TIMEOUT "86400"
#define PROMPT_TIMEOUT "5"
#define OURS " hook claude"
#define EXEC "; exec "
#define EDITS "PreToolUse"
#define PROMPTS "UserPromptSubmit"

/* What the CLI shows while the hook waits. */
#define STATUS "Waiting for your review: dovetail review"

/* the command */

/* Single quotes, for a path with blanks or worse. */
static const char *quote(struct dt_arena *arena, const char *word)
{
	struct dt_buf out;
	const char *quoted;

	dt_buf_init(&out, SIZE_MAX);
	dt_buf_add_char(&out, '\'');
	for (; *word; word++) {
		if (*word == '\'')
			dt_buf_add_z(&out, "'\\''");
		else
			dt_buf_add_char(&out, *word);
	}
	dt_buf_add_char(&out, '\'');
	quoted = dt_arena_strdup(arena, dt_buf_z(&out));
	dt_buf_done(&out);
	return quoted;
}

/* A program that is gone cannot say so itself; the exit code 2 denies the edit in
 * CLIs that do not know "onFailure", too. */
const char *dt_claude_settings_command(struct dt_arena *arena)
{
	const char *self;
	const char *gone;

	if (dt_path_real(arena, "/proc/self/exe", &self, NULL))
		return "dovetail" OURS;
	gone = dt_arena_printf(arena,
	                       "Dovetail is not at %s any more, so nobody can "
	                       "review this edit. The person at the keyboard "
	                       "can install it again, or take its hook "
	                       "(PreToolUse) out of the settings.",
	                       self);
	return dt_arena_printf(
		arena, "[ -x %s ] || { echo %s >&2; exit 2; }" EXEC "%s" OURS,
		quote(arena, self), quote(arena, gone), quote(arena, self));
}

static struct dt_str command_of(struct dt_arena *arena,
                                const struct dt_json *hook)
{
	const struct dt_json *command = dt_json_get(hook, "command");

	if (!command || command->type != DT_JSON_STRING)
		return (struct dt_str){ 0 };
	return dt_json_text(arena, command);
}

static bool is_ours(struct dt_arena *arena, const struct dt_json *hook)
{
	return dt_coverage_is_hook(command_of(arena, hook));
}

/* the parts that matter */

struct parts {
	const char *event;           /* of the matchers */
	const struct dt_json *top;   /* the settings; NULL: empty */
	const struct dt_json *hooks; /* NULL: none, and so on */
	const struct dt_json *matchers;
	const struct dt_json *env; /* variables for what the CLI runs */
};

/* The member, checked for its type; NULL when absent. */
static enum dt_err get(const struct dt_json *of, const char *name,
                       enum dt_json_type type, const struct dt_json **out,
                       struct dt_fail *fail)
{
	*out = of ? dt_json_get(of, name) : NULL;
	if (*out && (*out)->type != type)
		return dt_fail(
			fail, DT_E_ARGS, "\"%s\" in the settings is not %s",
			name, type == DT_JSON_ARRAY ? "an array" : "an object");
	return DT_E_OK;
}

static enum dt_err read_parts(struct dt_arena *arena, struct dt_str settings,
                              const char *event, struct parts *out,
                              struct dt_fail *fail)
{
	struct dt_fail why = { 0 };
	enum dt_err err;

	*out = (struct parts){ .event = event };
	if (settings.len && dt_json_read(arena, settings, &out->top, &why))
		return dt_fail(fail, DT_E_ARGS, "the settings are not JSON: %s",
		               why.msg);
	if (out->top && out->top->type != DT_JSON_OBJECT)
		return dt_fail(fail, DT_E_ARGS,
		               "the settings are not an object");
	err = get(out->top, "hooks", DT_JSON_OBJECT, &out->hooks, fail);
	if (!err)
		err = get(out->hooks, event, DT_JSON_ARRAY, &out->matchers,
		          fail);
	if (!err)
		err = get(out->top, "env", DT_JSON_OBJECT, &out->env, fail);
	return err;
}

static const struct dt_json *hooks_of(const struct dt_json *matcher)
{
	const struct dt_json *hooks = dt_json_get(matcher, "hooks");

	return hooks && hooks->type == DT_JSON_ARRAY ? hooks : NULL;
}

/* Our hook and the matcher it is in; NULL when there is none. */
static const struct dt_json *find_ours(struct dt_arena *arena,
                                       const struct dt_json *matchers,
                                       const struct dt_json **out_matcher)
{
	if (!matchers)
		return NULL;
	dt_json_each(matcher, matchers) {
		const struct dt_json *hooks = hooks_of(matcher);

		if (!hooks)
			continue;
		*out_matcher = matcher;
		dt_json_each(hook, hooks) {
			if (is_ours(arena, hook))
				return hook;
		}
	}
	return NULL;
}

/* changing the text */

/* Take one hook out, and what it would leave empty. */
static struct dt_str cut_hook(struct dt_arena *arena, struct dt_str text,
                              const struct parts *p, const struct dt_json *hook,
                              const struct dt_json *matcher)
{
	const struct dt_json *hooks = hooks_of(matcher);

	assert(p->matchers && hooks);
	if (hooks->count > 1)
		return dt_json_edit_cut(arena, text, hooks, hook);
	if (p->matchers->count > 1)
		return dt_json_edit_cut(arena, text, p->matchers, matcher);
	if (p->hooks->count > 1)
		return dt_json_edit_cut(arena, text, p->hooks,
		                        dt_json_edit_key(p->hooks, p->event));
	return dt_json_edit_cut(arena, text, p->top,
	                        dt_json_edit_key(p->top, "hooks"));
}

/* The mark of loop/mark.h, which what the CLI runs in the background keeps. */
static bool has_mark(const struct parts *p)
{
	return p->env && dt_json_get(p->env, DT_MARK_AGENT);
}

static struct dt_str add_mark(struct dt_arena *arena, struct dt_str text,
                              const struct parts *p)
{
	const char *mark = "\"" DT_MARK_AGENT "\": \"claude\"";

	if (p->env)
		return dt_json_edit_append(arena, text, p->env, mark, 2);
	mark = dt_arena_printf(arena, "\"env\": {\n    %s\n  }", mark);
	return dt_json_edit_append(arena, text, p->top, mark, 1);
}

static struct dt_str cut_mark(struct dt_arena *arena, struct dt_str text,
                              const struct parts *p)
{
	if (p->env->count > 1)
		return dt_json_edit_cut(
			arena, text, p->env,
			dt_json_edit_key(p->env, DT_MARK_AGENT));
	return dt_json_edit_cut(arena, text, p->top,
	                        dt_json_edit_key(p->top, "env"));
}

static enum dt_err remove_from(struct dt_arena *arena, struct dt_str settings,
                               const char *event, struct dt_str *out,
                               struct dt_fail *fail)
{
	const struct dt_json *matcher;
	const struct dt_json *hook;
	struct parts p;

	for (;;) {
		enum dt_err err = read_parts(arena, settings, event, &p, fail);

		if (err)
			return err;
		hook = find_ours(arena, p.matchers, &matcher);
		if (!hook)
			break;
		settings = cut_hook(arena, settings, &p, hook, matcher);
	}
	*out = settings;
	return DT_E_OK;
}

enum dt_err dt_claude_settings_remove(struct dt_arena *arena,
                                      struct dt_str settings,
                                      struct dt_str *out, struct dt_fail *fail)
{
	struct parts p;
	enum dt_err err = remove_from(arena, settings, PROMPTS, out, fail);

	if (!err)
		err = remove_from(arena, *out, EDITS, out, fail);
	if (!err)
		err = read_parts(arena, *out, EDITS, &p, fail);
	if (!err && has_mark(&p))
		*out = cut_mark(arena, *out, &p);
	return err;
}

/* One more entry among those of its event. */
static struct dt_str put_entry(struct dt_arena *arena, struct dt_str text,
                               const struct parts *p, const char *entry)
{
	if (p->matchers)
		return dt_json_edit_append(arena, text, p->matchers, entry, 3);
	entry = dt_arena_printf(arena, "\"%s\": [\n      %s\n    ]", p->event,
	                        entry);
	if (p->hooks)
		return dt_json_edit_append(arena, text, p->hooks, entry, 2);
	entry = dt_arena_printf(arena, "\"hooks\": {\n    %s\n  }", entry);
	if (p->top)
		return dt_json_edit_append(arena, text, p->top, entry, 1);
	return dt_str(dt_arena_printf(arena, "{\n  %s\n}\n", entry));
}

static struct dt_str add(struct dt_arena *arena, struct dt_str text,
                         const struct parts *p, const char *command)
{
	const char *entry = dt_arena_printf(
		arena,
		"{\n"
		"        \"matcher\": \"" DT_COVERAGE_TOOLS "\",\n"
		"        \"hooks\": [\n"
		"          {\n"
		"            \"type\": \"command\",\n"
		"            \"command\": %s,\n"
		"            \"timeout\": " TIMEOUT ",\n"
		"            \"onFailure\": \"block\",\n"
		"            \"statusMessage\": \"" STATUS "\"\n"
		"          }\n"
		"        ]\n"
		"      }",
		dt_json_edit_string(arena, command));

	return put_entry(arena, text, p, entry);
}

/* Before a prompt the exit code 2 would stop the person, so a program that is
 * gone is not looked for. */
static const char *prompt_command(const char *command)
{
	const char *bare = strstr(command, EXEC);

	return bare ? bare + strlen(EXEC) : command;
}

static bool has_prompt(struct dt_arena *arena, struct dt_str settings,
                       const char *command)
{
	const struct dt_json *matcher;
	const struct dt_json *hook;
	struct parts p;

	if (read_parts(arena, settings, PROMPTS, &p, NULL))
		return false;
	hook = find_ours(arena, p.matchers, &matcher);
	return hook &&
	       dt_str_is(command_of(arena, hook), prompt_command(command));
}

static enum dt_err add_prompt(struct dt_arena *arena, const char *command,
                              struct dt_str *settings, struct dt_fail *fail)
{
	struct parts p;
	enum dt_err err = read_parts(arena, *settings, PROMPTS, &p, fail);
	const char *entry = dt_arena_printf(
		arena,
		"{\n"
		"        \"hooks\": [\n"
		"          {\n"
		"            \"type\": \"command\",\n"
		"            \"command\": %s,\n"
		"            \"timeout\": " PROMPT_TIMEOUT "\n"
		"          }\n"
		"        ]\n"
		"      }",
		dt_json_edit_string(arena, prompt_command(command)));

	if (!err)
		*settings = put_entry(arena, *settings, &p, entry);
	return err;
}

enum dt_err dt_claude_settings_add(struct dt_arena *arena,
                                   struct dt_str settings, const char *command,
                                   struct dt_str *out, struct dt_fail *fail)
{
	const struct dt_json *matcher;
	const struct dt_json *hook;
	struct parts p;
	enum dt_err err = read_parts(arena, settings, EDITS, &p, fail);

	if (err)
		return err;
	hook = find_ours(arena, p.matchers, &matcher);
	if (has_prompt(arena, settings, command) && hook &&
	    dt_str_is(command_of(arena, hook), command) &&
	    dt_coverage_matches(arena, matcher) &&
	    dt_coverage_blocks(arena, hook) &&
	    dt_json_get(hook, "statusMessage")) {
		*out = has_mark(&p) ? settings : add_mark(arena, settings, &p);
		return DT_E_OK;
	}
	err = dt_claude_settings_remove(arena, settings, &settings, fail);
	if (!err)
		err = read_parts(arena, settings, EDITS, &p, fail);
	if (err)
		return err;
	settings = add(arena, settings, &p, command);
	err = add_prompt(arena, command, &settings, fail);
	if (!err)
		err = read_parts(arena, settings, EDITS, &p, fail);
	if (!err)
		*out = has_mark(&p) ? settings : add_mark(arena, settings, &p);
	return err;
}
