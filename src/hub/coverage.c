/*
 * hub/coverage.c - whether an agent's edits come before a person.
 *
 * Over its IDE link Claude Code shows us only what it asks about by itself, and
 * in most modes it asks about nothing; the rest comes by its hook.  So what
 * counts is whether this CLI has the hook: it is asked of the CLI's environment
 * and of the settings it reads, which a person may change at any time.  That it
 * has called before counts where neither knows, as with managed settings.
 */
#include "hub/coverage.h"

#include "base/buf.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/path.h"
#include "loop/os.h"

const char *const dt_coverage_hooks[] = {
	[DT_HOOK_NONE] = "none",         [DT_HOOK_OFF] = "off",
	[DT_HOOK_DISABLED] = "disabled", [DT_HOOK_UNKNOWN] = "unknown",
	[DT_HOOK_PROPOSES] = "proposes", [DT_HOOK_CALLED] = "called",
	[DT_HOOK_SETTINGS] = "settings", [DT_HOOK_RUN] = "run",
};

/* What is added of a hook that an older Dovetail has installed. */
#define OPEN_END                                                               \
	", but edits pass when it cannot run: `dovetail hook install claude` " \
	"mends that"

/* settings */

/* The program may have been given another name; then it is known by its own. */
static bool is_our_name(struct dt_str name)
{
	struct dt_arena arena = { 0 };
	const char *self;
	bool is_ours = dt_str_starts(name, DT_STR("dovetail"));

	if (!is_ours && !dt_path_real(&arena, "/proc/self/exe", &self, NULL))
		is_ours = dt_str_is(name, dt_path_base(self));
	dt_arena_done(&arena);
	return is_ours;
}

bool dt_coverage_is_hook(struct dt_str command)
{
	static const char words[] = " hook claude";
	size_t words_len = sizeof(words) - 1;
	struct dt_str name;
	size_t end;

	if (command.len <= words_len ||
	    memcmp(command.ptr + command.len - words_len, words, words_len) !=
	            0)
		return false;
	end = command.len - words_len;
	if (command.ptr[end - 1] == '\'')
		end--;
	name = (struct dt_str){ command.ptr + end, 0 };
	while (name.ptr > command.ptr && !strchr("/ '", name.ptr[-1])) {
		name.ptr--;
		name.len++;
	}
	return is_our_name(name);
}

/* The member when it is there and of that type. */
static const struct dt_json *get(const struct dt_json *of, const char *name,
                                 enum dt_json_type type)
{
	const struct dt_json *member = NULL;

	if (of && of->type == DT_JSON_OBJECT)
		member = dt_json_get(of, name);
	return member && member->type == type ? member : NULL;
}

/* Whether "a|b|c" has this name among its own. */
static bool names(struct dt_str list, struct dt_str name)
{
	while (list.len) {
		if (dt_str_eq(dt_str_cut(&list, '|'), name))
			return true;
	}
	return false;
}

bool dt_coverage_matches(struct dt_arena *arena, const struct dt_json *entry)
{
	struct dt_str tools = DT_STR(DT_COVERAGE_TOOLS);
	const struct dt_json *matcher = dt_json_get(entry, "matcher");
	struct dt_str text;

	if (!matcher)
		return true;
	if (matcher->type != DT_JSON_STRING)
		return false;
	text = dt_json_text(arena, matcher);
	if (!text.len || dt_str_is(text, "*") || dt_str_is(text, ".*"))
		return true;
	while (tools.len) {
		if (!names(text, dt_str_cut(&tools, '|')))
			return false;
	}
	return true;
}

bool dt_coverage_blocks(struct dt_arena *arena, const struct dt_json *hook)
{
	const struct dt_json *failing = get(hook, "onFailure", DT_JSON_STRING);

	return failing && dt_str_is(dt_json_text(arena, failing), "block");
}

/* Our hook among those of one matcher; or NULL. */
static const struct dt_json *hook_in(struct dt_arena *arena,
                                     const struct dt_json *matcher)
{
	const struct dt_json *hooks = get(matcher, "hooks", DT_JSON_ARRAY);

	if (!hooks || !dt_coverage_matches(arena, matcher))
		return NULL;
	dt_json_each(hook, hooks) {
		const struct dt_json *command =
			get(hook, "command", DT_JSON_STRING);

		if (command &&
		    dt_coverage_is_hook(dt_json_text(arena, command)))
			return hook;
	}
	return NULL;
}

static const struct dt_json *find_hook(struct dt_arena *arena,
                                       const struct dt_json *settings)
{
	const struct dt_json *matchers =
		get(get(settings, "hooks", DT_JSON_OBJECT), "PreToolUse",
	            DT_JSON_ARRAY);

	if (!matchers)
		return NULL;
	dt_json_each(matcher, matchers) {
		const struct dt_json *hook = hook_in(arena, matcher);

		if (hook)
			return hook;
	}
	return NULL;
}

/* The settings in a file; NULL when there are none that can be read. */
static const struct dt_json *read_settings(struct dt_arena *arena,
                                           const char *path)
{
	const struct dt_json *json = NULL;
	struct dt_buf text;

	dt_buf_init(&text, DT_MIB);
	if (!dt_file_read(path, &text, NULL)) {
		struct dt_str copy = {
			dt_arena_strndup(arena, text.ptr, text.len), text.len
		};

		if (dt_json_read(arena, copy, &json, NULL))
			json = NULL;
	}
	dt_buf_done(&text);
	return json;
}

/* What the settings of one CLI say, and which file says it. */
struct found {
	const char *hook;     /* NULL: no file has it */
	bool has_open_end;    /* a hook that fails lets the edit pass */
	const char *disabled; /* NULL: no file turns hooks off */
};

static void look_into(struct dt_arena *arena, const char *folder,
                      const char *name, struct found *found)
{
	const char *path = dt_path_join(arena, folder, name);
	const struct dt_json *settings = read_settings(arena, path);
	const struct dt_json *hook = find_hook(arena, settings);

	if (hook) {
		found->hook = path;
		found->has_open_end = !dt_coverage_blocks(arena, hook);
	}
	if (get(settings, "disableAllHooks", DT_JSON_TRUE))
		found->disabled = path;
}

/* Every file the CLI reads settings from; in a project it is its folder's. */
static struct found look_around(struct dt_arena *arena,
                                const struct dt_coverage_place *place)
{
	struct found found = { 0 };

	if (place->config && dt_path_is_absolute(place->config))
		look_into(arena, place->config, "settings.json", &found);
	else
		look_into(arena, place->home, ".claude/settings.json", &found);
	look_into(arena, place->folder, ".claude/settings.json", &found);
	look_into(arena, place->folder, ".claude/settings.local.json", &found);
	return found;
}

static struct found look_for(struct dt_arena *arena, const struct dt_session *s)
{
	struct dt_coverage_place place = {
		.config = dt_os_variable(arena, s->agent.pid,
		                         "CLAUDE_CONFIG_DIR"),
		.home = dt_os_variable(arena, s->agent.pid, "HOME"),
		.folder = dt_os_folder(arena, s->agent.pid),
	};

	if (!place.home)
		place.home = s->ws->hub->dirs.home;
	if (!place.folder)
		place.folder = dt_workspace_root(s->ws);
	return look_around(arena, &place);
}

const char *dt_coverage_disabled_by(struct dt_arena *arena,
                                    const struct dt_coverage_place *place)
{
	return look_around(arena, place).disabled;
}

/* the verdict */

/* What `dovetail run` gave this very process. */
static enum dt_coverage_hook given(struct dt_arena *arena, pid_t pid)
{
	struct dt_str rest =
		dt_str(dt_os_variable(arena, pid, DT_COVERAGE_VARIABLE));
	struct dt_str how = dt_str_cut(&rest, ':');
	uint32_t owner;

	if (dt_str_to_u32(rest, &owner, NULL) || (pid_t)owner != pid)
		return DT_HOOK_NONE;
	return dt_str_is(how, "run") ? DT_HOOK_RUN : DT_HOOK_OFF;
}

static struct dt_coverage reviewed(enum dt_coverage_hook hook, const char *why)
{
	return (struct dt_coverage){ hook, true, why };
}

static struct dt_coverage unseen(enum dt_coverage_hook hook, const char *why)
{
	return (struct dt_coverage){ hook, false, why };
}

struct dt_coverage dt_coverage_of(struct dt_arena *arena,
                                  const struct dt_session *s)
{
	enum dt_coverage_hook by_run;
	struct found found;

	if (s->agent.dialect->takes_workspace)
		return unseen(DT_HOOK_PROPOSES,
		              "what it writes by itself is not seen");
	if (!s->agent.pid)
		return unseen(DT_HOOK_UNKNOWN,
		              "it has not said which process it is");
	found = look_for(arena, s);
	by_run = given(arena, s->agent.pid);
	if (found.disabled)
		return unseen(DT_HOOK_DISABLED,
		              dt_arena_printf(arena,
		                              "\"disableAllHooks\" is set in "
		                              "%s",
		                              found.disabled));
	if (by_run == DT_HOOK_RUN)
		return reviewed(DT_HOOK_RUN, "dovetail run gave it the hook");
	if (found.hook)
		return reviewed(
			DT_HOOK_SETTINGS,
			dt_arena_printf(arena, "the hook is in %s%s",
		                        found.hook,
		                        found.has_open_end ? OPEN_END : ""));
	if (s->hook.called_ms)
		return reviewed(DT_HOOK_CALLED, "its hook has called");
	if (by_run == DT_HOOK_OFF)
		return unseen(DT_HOOK_OFF, "it was started with --no-hook");
	return unseen(DT_HOOK_NONE,
	              "it has no hook; `dovetail hook install claude` gives it "
	              "one at once");
}

size_t dt_coverage_silent_rules(const struct dt_workspace *ws)
{
	const struct dt_rules *rules = dt_config_rules(ws->config);
	size_t count = 0;

	for (size_t i = 0; !rules->is_broken && i < rules->count; i++)
		count += rules->list[i].action < DT_RULE_ASK;
	return count;
}
