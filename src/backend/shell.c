/*
 * backend/shell.c - the files that shells read at their start, and how they are
 * told to.
 *
 * The person's own files are read first, so the shell is the one they know.  What
 * is typed by agents stays out of the person's history.  A shell we do not know
 * is started as it is: it works, but does not tell when a command has ended.
 */
#include "backend/shell.h"

#include "base/file.h"
#include "base/path.h"
#include "base/str.h"
#include "loop/mark.h"

#include <ctype.h>

static const char bash_text[] =
	"[ -r ~/.bashrc ] && . ~/.bashrc\n"
	"unset HISTFILE\n"
	"__dt_mark=$DOVETAIL_MARK\n"
	"unset DOVETAIL_MARK\n"
	"__dt_done() {\n"
	"\tlocal code=$?\n"
	"\tprintf '\\033]133;D;%s;dt=%s\\007' \"$code\" \"$__dt_mark\"\n"
	"\treturn \"$code\"\n"
	"}\n"
	"__dt_ready() {\n"
	"\tlocal mark=\"\\\\[\\\\e]133;B;dt=$__dt_mark\\\\a\\\\]\"\n"
	"\t[[ $PS1 == *\"$mark\"* ]] || PS1=$PS1$mark\n"
	"\tmark=\"\\\\[\\\\e]133;P;dt=$__dt_mark\\\\a\\\\]\"\n"
	"\t[[ $PS2 == *\"$mark\"* ]] || PS2=$mark$PS2\n"
	"}\n"
	"PS0=\"$PS0\\\\e]133;C;dt=$__dt_mark\\\\a\"\n"
	"if [[ $(declare -p PROMPT_COMMAND 2>/dev/null) == 'declare -a'* ]]\n"
	"then\n"
	"\tPROMPT_COMMAND=(__dt_done \"${PROMPT_COMMAND[@]}\" __dt_ready)\n"
	"else\n"
	"\tPROMPT_COMMAND=\"__dt_done${PROMPT_COMMAND:+\n"
	"$PROMPT_COMMAND}\n"
	"__dt_ready\"\n"
	"fi\n";

static const char zsh_text[] =
	"__dt_mark=$DOVETAIL_MARK\n"
	"if [[ -n ${DOVETAIL_ZDOTDIR+x} ]]; then\n"
	"\tZDOTDIR=$DOVETAIL_ZDOTDIR\n"
	"else\n"
	"\tunset ZDOTDIR\n"
	"fi\n"
	"unset DOVETAIL_MARK DOVETAIL_ZDOTDIR\n"
	"__dt_done() {\n"
	"\tprint -rn -- $'\\e]133;D;'$?';dt='$__dt_mark$'\\a'\n"
	"\tunset HISTFILE\n"
	"\tPROMPT_EOL_MARK=\n"
	"\tprecmd_functions=(${precmd_functions:#__dt_ready} __dt_ready)\n"
	"}\n"
	"__dt_ready() {\n"
	"\tlocal mark=$'%{\\e]133;B;dt='$__dt_mark$'\\a%}'\n"
	"\t[[ $PS1 == *\"$mark\"* ]] || PS1=$PS1$mark\n"
	"\tmark=$'%{\\e]133;P;dt='$__dt_mark$'\\a%}'\n"
	"\t[[ $PS2 == *\"$mark\"* ]] || PS2=$mark$PS2\n"
	"}\n"
	"__dt_begin() {\n"
	"\tprint -rn -- $'\\e]133;C;dt='$__dt_mark$'\\a'\n"
	"}\n"
	"precmd_functions=(__dt_done $precmd_functions __dt_ready)\n"
	"preexec_functions=($preexec_functions __dt_begin)\n"
	"[[ ! -r ${ZDOTDIR:-$HOME}/.zshenv ]] ||\n"
	"\t. \"${ZDOTDIR:-$HOME}/.zshenv\"\n";

static const char fish_text[] =
	"set -g __dt_mark $DOVETAIL_MARK\n"
	"set -e DOVETAIL_MARK\n"
	"function __dt_say\n"
	"\tprintf '\\e]133;%s;dt=%s\\a' $argv[1] $__dt_mark\n"
	"end\n"
	"function __dt_begin --on-event fish_preexec\n"
	"\t__dt_say C\n"
	"end\n"
	"function __dt_done --on-event fish_postexec\n"
	"\t__dt_say \"D;$status\"\n"
	"end\n"
	"function __dt_wrong --on-event fish_posterror\n"
	"\t__dt_say 'D;2'\n"
	"end\n"
	"function __dt_ready --on-event fish_prompt\n"
	"\t__dt_say B\n"
	"end\n";

static const char sh_text[] =
	"ENV=$DOVETAIL_ENV\n"
	"[ -r \"$ENV\" ] && . \"$ENV\"\n"
	"unset HISTFILE\n"
	"PS1='$(printf \"\\033]133;D;%s;dt='\"$DOVETAIL_MARK\"'\\007\" $?)'"
	"\"$PS1\"'$(printf \"\\033]133;B;dt='\"$DOVETAIL_MARK\"'\\007\")'\n"
	"PS2='$(printf \"\\033]133;P;dt='\"$DOVETAIL_MARK\"'\\007\")'\"$PS2\"\n"
	"unset DOVETAIL_MARK DOVETAIL_ENV\n";

/* How each is told; "%s" is the file, and one without file gets the text. */
struct kind {
	const char *name;
	const char *text;
	const char *file;     /* in the folder; NULL: none */
	const char *variable; /* that names the file or its folder; or NULL */
	const char *kept;     /* where the variable's own value goes */
	bool is_folder;
	bool has_begin;
	const char *options[4];
};

#define SH_LIKE(its_name)                                                      \
	{                                                                      \
		.name = (its_name), .text = sh_text, .file = "sh",             \
		.variable = "ENV", .kept = "DOVETAIL_ENV",                     \
		.options = { "-i" },                                           \
	}

static const struct kind kinds[] = {
	{ .name = "bash",
	  .text = bash_text,
	  .file = "bash",
	  .has_begin = true,
	  .options = { "--rcfile", "%s", "-i" } },
	{ .name = "zsh",
	  .text = zsh_text,
	  .file = ".zshenv",
	  .variable = "ZDOTDIR",
	  .kept = "DOVETAIL_ZDOTDIR",
	  .is_folder = true,
	  .has_begin = true,
	  .options = { "-i" } },
	{ .name = "fish",
	  .text = fish_text,
	  .has_begin = true,
	  .options = { "--private", "--init-command", "%s", "-i" } },
	SH_LIKE("sh"),
	SH_LIKE("dash"),
	SH_LIKE("ash"),
	SH_LIKE("ksh"),
	SH_LIKE("mksh"),
};

static const struct kind *find_kind(const char *name)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (!strcmp(kinds[i].name, name))
			return &kinds[i];
	}
	return NULL;
}

/* variables */

/* Names; those that end in '*' with all that follows. */
static bool is_among(const char *const *names, struct dt_str name)
{
	for (; *names; names++) {
		struct dt_str wanted = dt_str(*names);
		struct dt_str begin = name;

		if (wanted.ptr[wanted.len - 1] == '*') {
			wanted.len--;
			if (begin.len > wanted.len)
				begin.len = wanted.len;
		}
		if (dt_str_eq_nocase(begin, wanted))
			return true;
	}
	return false;
}

static const char *const forbidden[] = {
	"PATH",         "LD_*",     "DYLD_*",     "NODE_OPTIONS",
	"PYTHON*",      "RUBY*",    "PERL5*",     "CLASSPATH",
	"BASH_*",       "BASHOPTS", "ENV",        "ZDOTDIR",
	"EDITOR",       "VISUAL",   "PAGER",      "SHELL",
	"SHELLOPTS",    "HOME",     "XDG_*",      "GIT_*",
	"NPM_CONFIG_*", "CARGO_*",  "_JAVA_*",    "MAKEFLAGS",
	"PROMPT*",      "PS0",      "PS1",        "PS2",
	"PS4",          "IFS",      "DOVETAIL_*", "JAVA_TOOL_OPTIONS",
	"LESS*",        "INPUTRC",  "TERMINFO*",  "FPATH",
	"FISH_*",       "FCEDIT",   "MANPAGER",   "BROWSER",
	"SSH_ASKPASS*", "SSH_SK_*", "SUDO_*",     "GOFLAGS",
	"GOENV",        "GOROOT",   "RUST*",      "MAKEFILES",
	"NODE_PATH",    "PYTEST_*", "OPENSSL_*",  "GCONV_PATH",
	"LOCPATH",      NULL,
};

/* Meant for the daemon alone, or for the terminal it was started in. */
static const char *const kept_back[] = {
	"DOVETAIL_*",
	"CLAUDE_CODE_SSE_PORT",
	"ENABLE_IDE_INTEGRATION",
	"LISTEN_*",
	"NOTIFY_SOCKET",
	"GIT_DIR",
	"GIT_WORK_TREE",
	"GIT_INDEX_FILE",
	"GIT_PREFIX",
	"TERM",
	"TERM_*",
	"COLUMNS",
	"LINES",
	"TMUX*",
	"STY",
	"HISTFILE",
	"PWD",
	"OLDPWD",
	"SHLVL",
	"_",
	NULL,
};

static struct dt_str name_of(const char *pair)
{
	return (struct dt_str){ pair, strcspn(pair, "=") };
}

enum dt_err dt_shell_check_variable(const char *pair, struct dt_fail *fail)
{
	struct dt_str name = name_of(pair);
	bool is_name = name.len > 0 && !isdigit((unsigned char)name.ptr[0]);

	for (size_t i = 0; i < name.len; i++)
		is_name &= isalnum((unsigned char)name.ptr[i]) ||
		           name.ptr[i] == '_';
	if (!is_name)
		return dt_fail(fail, DT_E_ARGS,
		               "env: \"%.*s\" is not the name of a variable",
		               DT_STR_ARG(name));
	if (is_among(forbidden, name))
		return dt_fail(fail, DT_E_DENIED,
		               "env: %.*s decides which programs run, and is "
		               "for the person to set",
		               DT_STR_ARG(name));
	return DT_E_OK;
}

static const char *value_of(char *const *env, const char *name)
{
	for (; *env; env++) {
		if (dt_str_is(name_of(*env), name))
			return *env + strlen(name) + 1;
	}
	return NULL;
}

/* The pairs of `more` win. */
static bool is_replaced(const struct dt_names *more, const char *pair)
{
	for (size_t i = 0; i < more->count; i++) {
		if (dt_str_eq(name_of(more->ptr[i]), name_of(pair)))
			return true;
	}
	return false;
}

static void make_env(struct dt_arena *arena, const struct dt_shell_spec *spec,
                     const struct kind *kind, struct dt_shell *out)
{
	const char *name = kind ? kind->variable : NULL;
	const char *own = name ? value_of(spec->env, name) : NULL;
	size_t count = 0;
	size_t n = 0;

	while (spec->env[count])
		count++;
	out->env = dt_arena_alloc(arena, (count + spec->more.count + 8) *
	                                         sizeof(*out->env));
	for (size_t i = 0; i < count; i++) {
		if (!is_among(kept_back, name_of(spec->env[i])) &&
		    !is_replaced(&spec->more, spec->env[i]) &&
		    !(name && dt_str_is(name_of(spec->env[i]), name)))
			out->env[n++] = dt_arena_strdup(arena, spec->env[i]);
	}
	for (size_t i = 0; i < spec->more.count; i++)
		out->env[n++] = dt_arena_strdup(arena, spec->more.ptr[i]);
	out->env[n++] = dt_arena_strdup(arena, "TERM=xterm-256color");
	out->env[n] = dt_arena_printf(arena, DT_MARK_TERMINAL "=%s", spec->id);
	out->mark = out->env[n++];
	out->env[n++] =
		dt_arena_printf(arena, "DOVETAIL_MARK=%s", spec->secret);
	if (name)
		out->env[n++] =
			dt_arena_printf(arena, "%s=%s%s%s", name, spec->folder,
		                        kind->is_folder ? "" : "/",
		                        kind->is_folder ? "" : kind->file);
	if (own)
		out->env[n++] =
			dt_arena_printf(arena, "%s=%s", kind->kept, own);
}

static void make_argv(struct dt_arena *arena, const struct dt_shell_spec *spec,
                      const struct kind *kind, struct dt_shell *out)
{
	size_t n = 0;

	out->argv = dt_arena_alloc(arena, 8 * sizeof(*out->argv));
	out->argv[n++] = dt_arena_strdup(arena, spec->file);
	for (size_t i = 0; kind && i < 4 && kind->options[i]; i++) {
		const char *option = kind->options[i];

		if (strcmp(option, "%s") != 0)
			out->argv[n++] = dt_arena_strdup(arena, option);
		else if (kind->file)
			out->argv[n++] = dt_arena_printf(
				arena, "%s/%s", spec->folder, kind->file);
		else
			out->argv[n++] = dt_arena_strdup(arena, kind->text);
	}
}

enum dt_err dt_shell_prepare(struct dt_arena *arena,
                             const struct dt_shell_spec *spec,
                             struct dt_shell *out, struct dt_fail *fail)
{
	const char *name = dt_path_base(spec->file);
	const struct kind *kind = find_kind(name);
	enum dt_err err = DT_E_OK;

	*out = (struct dt_shell){
		.name = dt_arena_strdup(arena, name),
		.has_marks = kind != NULL,
		.has_begin = kind && kind->has_begin,
	};
	for (size_t i = 0; i < spec->more.count && !err; i++)
		err = dt_shell_check_variable(spec->more.ptr[i], fail);
	if (!err && kind && kind->file)
		err = dt_file_private_dir(spec->folder, fail);
	if (!err && kind && kind->file)
		err = dt_file_write(
			dt_path_join(arena, spec->folder, kind->file),
			dt_str(kind->text), 0600, fail);
	if (err)
		return err;
	make_argv(arena, spec, kind, out);
	make_env(arena, spec, kind, out);
	return DT_E_OK;
}
