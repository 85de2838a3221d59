/*
 * hub/policy.c - what agents may do without asking.
 *
 * By effect everything is allowed: what an agent writes is for the rules of
 * review/, and what it runs is looked at here, command by command.  The check
 * keeps mistakes from happening unseen.  It is no wall: a test suite or a
 * package script does what its author wrote.
 */
#include "hub/policy.h"

#include "base/path.h"
#include "base/str.h"
#include "hub/arguments.h"
#include "hub/config.h"

#include <ctype.h>

#define NAME_MAX_LEN 64
#define PATHS_MAX 4096 /* that are looked for in one command */

static const bool is_allowed[] = {
	[DT_READS] = true,  [DT_SHOWS] = true, [DT_ASKS] = true,
	[DT_WRITES] = true, [DT_RUNS] = true,
};

enum dt_err dt_policy_allow(enum dt_effect effect, const char *what,
                            struct dt_fail *fail)
{
	if (is_allowed[effect])
		return DT_E_OK;
	return dt_fail(fail, DT_E_DENIED, "%s %s, which policy does not allow",
	               what, dt_effect_name(effect));
}

/* names */

/* Shells, their words that run others, interpreters, and programs that start what
 * they are given; versions
 * behind the name do not count. */
static const char *const runs_anything[] = {
	"alias",     "ash",      "awk",         "bash",   "builtin",
	"bun",       "bunx",     "busybox",     "chroot", "cmd",
	"command",   "coproc",   "cscript",     "csh",    "dash",
	"deno",      "do",       "doas",        "docker", "else",
	"emacs",     "env",      "eval",        "exec",   "expect",
	"find",      "fish",     "flock",       "gawk",   "gdb",
	"if",        "ionice",   "java",        "ksh",    "lua",
	"luajit",    "make",     "mawk",        "mksh",   "nice",
	"node",      "nodejs",   "nohup",       "npx",    "nu",
	"osascript", "parallel", "perl",        "php",    "pipx",
	"pnpx",      "podman",   "powershell",  "pwsh",   "pypy",
	"python",    "rscript",  "ruby",        "script", "setsid",
	"sh",        "source",   "ssh",         "stdbuf", "strace",
	"su",        "sudo",     "systemd-run", "tclsh",  "tcsh",
	"then",      "time",     "timeout",     "trap",   "ts-node",
	"tsx",       "unshare",  "until",       "uv",     "uvx",
	"vi",        "vim",      "watch",       "while",  "wscript",
	"xargs",     "zsh",
};

bool dt_policy_runs_anything(const char *name)
{
	struct dt_str stem = dt_str(dt_path_base(name));

	while (stem.len > 1 && strchr("0123456789.-", stem.ptr[stem.len - 1]))
		stem.len--;
	for (size_t i = 0; i < sizeof(runs_anything) / sizeof(runs_anything[0]);
	     i++) {
		if (dt_str_eq_nocase(stem, dt_str(runs_anything[i])))
			return true;
	}
	return false;
}

enum dt_err dt_policy_check_name(const char *name, struct dt_fail *fail)
{
	size_t len = 0;

	while (isalnum((unsigned char)name[len]) ||
	       (len > 0 && name[len] && strchr("._+-", name[len])))
		len++;
	if (len == 0 || name[len] || len > NAME_MAX_LEN)
		return dt_fail(fail, DT_E_ARGS,
		               "\"%s\" is not the name of a program: give it "
		               "without a folder and arguments",
		               name);
	return DT_E_OK;
}

bool dt_policy_has(const char *allow, const char *name)
{
	struct dt_str rest = dt_str(allow);

	for (;;) {
		struct dt_str word = dt_str_cut_word(&rest);

		if (word.len == 0)
			return false;
		if (dt_str_is(word, name))
			return true;
	}
}

const char *dt_policy_add(struct dt_arena *arena, const char *allow,
                          const char *name)
{
	if (dt_policy_has(allow, name))
		return allow;
	return dt_arena_printf(arena, "%s%s%s", allow, *allow ? " " : "", name);
}

const char *dt_policy_remove(struct dt_arena *arena, const char *allow,
                             const char *name)
{
	struct dt_str rest = dt_str(allow);
	const char *list = "";

	for (;;) {
		struct dt_str word = dt_str_cut_word(&rest);

		if (word.len == 0)
			return list;
		if (!dt_str_is(word, name))
			list = dt_arena_printf(arena, "%s%s%.*s", list,
			                       *list ? " " : "",
			                       DT_STR_ARG(word));
	}
}

static enum dt_err change(struct dt_arena *arena, const char **allow,
                          const char *name, bool is_removal,
                          struct dt_fail *fail)
{
	enum dt_err err = dt_policy_check_name(name, fail);

	if (err)
		return err;
	if (is_removal && !dt_policy_has(*allow, name))
		return dt_fail(fail, DT_E_MISSING, "%s is not allowed", name);
	*allow = is_removal ? dt_policy_remove(arena, *allow, name)
	                    : dt_policy_add(arena, *allow, name);
	return DT_E_OK;
}

enum dt_err dt_policy_write(const char *conf, const struct dt_names *names,
                            bool is_removal, struct dt_fail *fail)
{
	struct dt_config *config = dt_config_new();
	struct dt_arena arena = { 0 };
	enum dt_err err = DT_E_OK;
	const char *allow;

	dt_config_read(config, conf, false);
	allow = dt_config_get(config, "run.allow");
	for (size_t i = 0; i < names->count && !err; i++)
		err = change(&arena, &allow, names->ptr[i], is_removal, fail);
	if (!err)
		err = dt_config_write(conf, "run.allow", allow, fail);
	dt_config_free(config);
	dt_arena_done(&arena);
	return err;
}

/* paths */

struct place {
	struct dt_arena *arena;
	const struct dt_names *roots;
	const char *folder;
	const char *outside; /* the first one that leaves the workspace */
	size_t count;
};

static bool is_inside(const struct place *place, const char *path)
{
	struct dt_arena arena = { 0 };
	const char *lead = dt_path_lead(&arena, place->folder, path);
	bool is_found = false;

	for (size_t i = 0; lead && i < place->roots->count; i++)
		is_found |= dt_path_is_beneath(lead, place->roots->ptr[i]);
	dt_arena_done(&arena);
	return is_found;
}

/* As the system reads it, and as programs do that resolve ".." as text. */
static bool is_inside_either_way(const struct place *place, const char *path)
{
	struct dt_arena arena = { 0 };
	bool is_found =
		is_inside(place, path) &&
		is_inside(place, dt_path_join(&arena, place->folder, path));

	dt_arena_done(&arena);
	return is_found;
}

/* Whatever is not a path is a name in the folder, and inside as that is; a link
 * may lead outside. */
static bool see_path(const char *path, void *owner)
{
	struct place *place = owner;

	if (path[0] == '~' || !is_inside_either_way(place, path))
		place->outside = dt_arena_strdup(place->arena, path);
	return !place->outside && ++place->count < PATHS_MAX;
}

static enum dt_err check_paths(const struct dt_names *roots,
                               const struct dt_wish *command,
                               const struct dt_needs *needs,
                               struct dt_fail *fail)
{
	struct dt_arena arena = { 0 };
	struct place place = { &arena, roots, command->folder, NULL, 0 };
	enum dt_err err = DT_E_OK;

	for (size_t i = 0; i < command->args.count && !place.outside &&
	                   place.count < PATHS_MAX;
	     i++) {
		if (i >= needs->at)
			place.folder = needs->folder;
		dt_arguments_paths(&arena, command->args.ptr[i], see_path,
		                   &place);
	}
	if (!place.outside)
		see_path(needs->folder, &place);
	if (place.outside)
		err = dt_fail(fail, DT_E_DENIED, "%s is outside the workspace",
		              place.outside);
	else if (place.count >= PATHS_MAX)
		err = dt_fail(fail, DT_E_DENIED,
		              "too many paths could be in its arguments");
	dt_arena_done(&arena);
	return err;
}

/* commands */

enum dt_err dt_policy_check_wish(struct dt_arena *arena, const char *allow,
                                 const struct dt_names *roots,
                                 const struct dt_wish *command,
                                 struct dt_needs *out_needs,
                                 struct dt_fail *fail)
{
	enum dt_err err;

	*out_needs = (struct dt_needs){ .program = command->name,
		                        .folder = command->folder };
	if (dt_policy_check_name(command->name, NULL))
		return dt_fail(fail, DT_E_DENIED,
		               "%s is not a plain name of a program",
		               command->name);
	if (!dt_policy_has(allow, command->name))
		return dt_fail(fail, DT_E_DENIED,
		               "%s is not among the programs that may run "
		               "without asking",
		               command->name);
	err = dt_arguments_check(arena, command, out_needs, fail);
	return err ? err : check_paths(roots, command, out_needs, fail);
}

/* Blanks that look like one and are none, and all that is no letter to see. */
static bool is_plain(const char *line)
{
	for (; *line; line++) {
		unsigned char c = (unsigned char)*line;

		if (c < 0x20 || c >= 0x7f ||
		    strchr(";&|<>$`\\\"'(){}*?[]#~!=%^", *line))
			return false;
	}
	return true;
}

enum dt_err dt_policy_read_line(struct dt_arena *arena, const char *line,
                                struct dt_wish *out, struct dt_fail *fail)
{
	struct dt_str rest = dt_str(line);
	struct dt_str word = dt_str_cut_word(&rest);

	if (!is_plain(line))
		return dt_fail(fail, DT_E_DENIED,
		               "the line has characters that a shell takes for "
		               "more than words");
	out->name = dt_arena_strndup(arena, word.ptr, word.len);
	out->args = (struct dt_names){
		.ptr = dt_arena_alloc(arena, (rest.len + 1) * sizeof(char *)),
	};
	for (word = dt_str_cut_word(&rest); word.len > 0;
	     word = dt_str_cut_word(&rest))
		out->args.ptr[out->args.count++] =
			dt_arena_strndup(arena, word.ptr, word.len);
	return DT_E_OK;
}
