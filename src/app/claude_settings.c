/*
 * app/claude_settings.c - one hook added to JSON that is otherwise kept.
 *
 * Claude Code runs the hook before each tool that edits a file and lets it take
 * its time: people look at changes after lunch.
 */
#include "app/claude_settings.h"

#include "base/path.h"
#include "data/json.h"

#define MATCHER "Edit|MultiEdit|Write|NotebookEdit"
#define TIMEOUT_S 86400

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

const char *dt_claude_settings_command(struct dt_arena *arena)
{
	const char *self;

	if (dt_path_real(arena, "/proc/self/exe", &self, NULL))
		self = "dovetail";
	return dt_arena_printf(arena, "%s hook claude", quote(arena, self));
}

static void put_hook(struct dt_json_out *out, const char *command)
{
	dt_json_begin_object(out);
	dt_json_key(out, "matcher");
	dt_json_put_z(out, MATCHER);
	dt_json_key(out, "hooks");
	dt_json_begin_array(out);
	dt_json_begin_object(out);
	dt_json_key(out, "type");
	dt_json_put_z(out, "command");
	dt_json_key(out, "command");
	dt_json_put_z(out, command);
	dt_json_key(out, "timeout");
	dt_json_put_int(out, TIMEOUT_S);
	dt_json_end_object(out);
	dt_json_end_array(out);
	dt_json_end_object(out);
}

/* The members of an object but one, as they are. */
static void put_others(struct dt_json_out *out, struct dt_arena *arena,
                       const struct dt_json *object, const char *but)
{
	if (!object)
		return;
	dt_json_each(key, object) {
		struct dt_str name = dt_json_text(arena, key);

		if (dt_json_key_is(key, but))
			continue;
		dt_json_key(out, dt_arena_strndup(arena, name.ptr, name.len));
		dt_json_put_raw(out, dt_json_value(key)->raw);
	}
}

static bool has_hook(struct dt_arena *arena, const struct dt_json *matchers,
                     const char *command)
{
	dt_json_each(matcher, matchers) {
		const struct dt_json *hooks = dt_json_get(matcher, "hooks");

		if (!hooks || hooks->type != DT_JSON_ARRAY)
			continue;
		dt_json_each(hook, hooks) {
			const struct dt_json *is = dt_json_get(hook, "command");

			if (is && is->type == DT_JSON_STRING &&
			    dt_str_is(dt_json_text(arena, is), command))
				return true;
		}
	}
	return false;
}

/* The member, checked for its type; NULL when absent. */
static enum dt_err get(const struct dt_json *of, const char *name,
                       enum dt_json_type type, const struct dt_json **out,
                       struct dt_fail *fail)
{
	*out = dt_json_get(of, name);
	if (*out && (*out)->type != type)
		return dt_fail(fail, DT_E_ARGS,
		               "the settings have a %s that is none", name);
	return DT_E_OK;
}

static void put_all(struct dt_json_out *out, struct dt_arena *arena,
                    const struct dt_json *settings, const struct dt_json *hooks,
                    const struct dt_json *matchers, const char *command)
{
	dt_json_begin_object(out);
	put_others(out, arena, settings, "hooks");
	dt_json_key(out, "hooks");
	dt_json_begin_object(out);
	put_others(out, arena, hooks, "PreToolUse");
	dt_json_key(out, "PreToolUse");
	dt_json_begin_array(out);
	if (matchers) {
		dt_json_each(matcher, matchers)
			dt_json_put_raw(out, matcher->raw);
	}
	put_hook(out, command);
	dt_json_end_array(out);
	dt_json_end_object(out);
	dt_json_end_object(out);
}

enum dt_err dt_claude_settings_add(struct dt_arena *arena,
                                   struct dt_str settings, const char *command,
                                   struct dt_buf *buf, struct dt_fail *fail)
{
	const struct dt_json *json = NULL;
	const struct dt_json *hooks = NULL;
	const struct dt_json *matchers = NULL;
	struct dt_json_out out = dt_json_out(buf);
	enum dt_err err = DT_E_OK;

	if (settings.len)
		err = dt_json_read(arena, settings, &json, fail);
	if (!err && json && json->type != DT_JSON_OBJECT)
		err = dt_fail(fail, DT_E_ARGS, "settings are an object");
	if (!err)
		err = get(json, "hooks", DT_JSON_OBJECT, &hooks, fail);
	if (!err)
		err = get(hooks, "PreToolUse", DT_JSON_ARRAY, &matchers, fail);
	if (err)
		return err;
	if (matchers && has_hook(arena, matchers, command))
		dt_buf_add_str(buf, settings);
	else
		put_all(&out, arena, json, hooks, matchers, command);
	return dt_buf_check(buf, "the settings", fail);
}
