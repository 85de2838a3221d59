/*
 * hub/arguments.c - allowed programs that would run something else.
 *
 * What a program offers is far more than what agents need of it, so of those with
 * subcommands the harmless ones are listed and the rest is asked about; of
 * options it is the other way round.  Neither list is complete, nor has it to
 * be: a person is asked too often or a repository's own scripts run, and no wall
 * falls, because there is none.
 */
#include "hub/arguments.h"

#include "base/str.h"

#include <ctype.h>
#include <limits.h>

#define ONE_DASH_MIN 3 /* letters behind one dash that are a name */

/* Lists have blanks between their words. */
struct program {
	const char *name;
	const char *commands; /* NULL: it has no subcommands */
	const char *globals;  /* options that may stand before the subcommand */
	const char *with_value; /* of these, those that take the next word */
	const char *options;    /* what is asked about, anywhere */
	bool ends_options;      /* behind "--" there are none */
};

static const struct program programs[] = {
	{
		.name = "git",
		.commands =
			"add am apply blame branch cat-file check-ignore "
			"checkout cherry cherry-pick clean clone commit count-objects "
			"describe diff diff-index diff-tree fetch fsck gc grep "
			"help init log ls-files ls-remote ls-tree merge merge-base "
			"mv name-rev notes pull push range-diff rebase reflog "
			"remote reset restore rev-list rev-parse revert rm "
			"shortlog show show-branch show-ref sparse-checkout "
			"stash status switch symbolic-ref tag version "
			"whatchanged worktree",
		.globals = "--no-pager -P --no-optional-locks "
			   "--literal-pathspecs --no-replace-objects "
			   "--version -v --help -h -C",
		.with_value = "-C",
		.options = "--upload-pack --receive-pack --exec --ext-diff "
			   "--textconv --open-files-in-pager --config "
			   "--config-env --template --strategy --output "
			   "--unsafe-paths",
		.ends_options = true,
	},
	{
		.name = "npm",
		.commands = "add audit ci clean-install dedupe explain fund "
			    "help i in info install list la ll ls outdated "
			    "prune query rebuild remove restart rm run "
			    "run-script sbom show start stop t test tst un "
			    "uninstall up update upgrade v version view why",
		.globals = "--version -v --silent -s --prefer-offline "
			   "--offline --workspaces -ws --help -h",
		.options = "--script-shell --prefix --globalconfig "
			   "--userconfig --node-options --global -g "
			   "--location --shell --call --editor --viewer "
			   "--git --registry --init-module",
	},
	{
		.name = "cargo",
		.commands = "add b bench build c check clean clippy d doc "
			    "fetch fix fmt generate-lockfile help "
			    "locate-project metadata nextest pkgid r remove "
			    "rm run search t test tree update version",
		.globals = "--version -V -v -q --quiet --verbose --locked "
			   "--offline --frozen --list --help -h",
		.options = "--config -Z",
	},
	{
		.name = "go",
		.commands = "build clean doc env fmt get help list mod run "
			    "test version vet work",
		.globals = "",
		.options = "-exec -toolexec -overlay -modfile -vettool "
			   "-ldflags -gcflags -asmflags -gccgoflags "
			   "-compiler -pkgdir",
	},
	{
		.name = "pytest",
		.options = "-p -c -o --config-file --override-ini --rootdir "
			   "--basetemp --pyargs --confcutdir --pdbcls "
			   "--pastebin --inifile",
	},
	{
		.name = "jest",
		.options = "-c --config --globalSetup --globalTeardown "
			   "--setupFiles --setupFilesAfterEnv --runner "
			   "--testRunner --transform --resolver --reporters "
			   "--rootDir --filter --env --testEnvironment "
			   "--preset --projects --snapshotSerializers "
			   "--testResultsProcessor --prettierPath --roots",
	},
	{
		.name = "vitest",
		.options = "-c --config -r --root --environment "
			   "--browser --execArgv --poolOptions --setupFiles "
			   "--globalSetup --workspace --dir --api --ui "
			   "--outputFile",
	},
	{ .name = "tsc", .options = "" },
	{
		.name = "eslint",
		.options = "-c --config --rulesdir --plugin --parser "
			   "--resolve-plugins-relative-to --init",
	},
	{ .name = "biome", .options = "--config-path" },
};

/* Of any program that a person has allowed. */
static const struct program other = {
	.options = "--config --config-file --rcfile --require --import "
		   "--loader --experimental-loader --userconfig "
		   "--globalconfig --node-options --exec --eval --plugin "
		   "--shell --script-shell --to-command "
		   "--checkpoint-action --use-compress-program --rsh -exec",
};

/* Short options that mean something else in other subcommands. */
static const struct {
	const char *name;
	const char *command;
	const char *options;
} by_command[] = {
	{ "git", "clone", "-c -u" },  { "git", "ls-remote", "-u" },
	{ "git", "rebase", "-x -s" }, { "git", "grep", "-O" },
	{ "git", "merge", "-s" },     { "git", "pull", "-s" },
	{ "go", "env", "-w" },
};

static const struct program *find(const char *name)
{
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		if (!strcmp(programs[i].name, name))
			return &programs[i];
	}
	return &other;
}

static bool has_word(const char *list, const char *word)
{
	return list && dt_policy_has(list, word);
}

/* options */

/* The next letter of a name as the most lenient parser reads it: --global-setup
 * is --globalSetup, and npm does not count dashes.  '\0': it has ended. */
static char next_letter(const char **name)
{
	char c;

	*name += strspn(*name, "-_");
	c = **name;
	if (!c || strchr("= ", c))
		return '\0';
	(*name)++;
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* How many letters an argument has, if the option begins with them; else 0. */
static size_t count_shared(const char *option, const char *argument)
{
	size_t count = 0;
	char letter;

	while ((letter = next_letter(&argument))) {
		if (letter != next_letter(&option))
			return 0;
		count++;
	}
	return count;
}

/* "-x" also in "-qx" and "-xvalue", and as "--x"; "--long" also with "=value",
 * with one dash, and as short as nobody else is meant; "-long" as go has it. */
static bool is_option(struct dt_str option, const char *argument)
{
	bool is_long = argument[0] == '-' && argument[1] == '-';
	size_t shared = count_shared(option.ptr, argument);

	if (argument[0] != '-')
		return false;
	if (option.len == 2 && !is_long)
		return strchr(argument, option.ptr[1]) != NULL;
	if (option.ptr[1] == '-')
		return shared >= (is_long ? 1 : ONE_DASH_MIN);
	return shared == option.len - 1;
}

static bool is_among(const char *options, const char *argument)
{
	struct dt_str rest = dt_str(options);

	for (;;) {
		struct dt_str option = dt_str_cut_word(&rest);

		if (option.len == 0)
			return false;
		if (is_option(option, argument))
			return true;
	}
}

static bool is_asked_about(const struct program *p, const char *command,
                           const char *argument)
{
	if (is_among(p->options, argument))
		return true;
	for (size_t i = 0; i < sizeof(by_command) / sizeof(by_command[0]);
	     i++) {
		if (command && p->name &&
		    !strcmp(by_command[i].name, p->name) &&
		    !strcmp(by_command[i].command, command) &&
		    is_among(by_command[i].options, argument))
			return true;
	}
	return false;
}

/* A transport of git that is a command line, or a package that is fetched and
 * run. */
static bool is_fetched(const char *name, const char *command,
                       const char *argument)
{
	if (!strcmp(name, "git"))
		return !strncmp(argument, "ext::", strlen("ext::"));
	return !strcmp(name, "go") && command && !strcmp(command, "run") &&
	       strchr(argument, '@');
}

/* Where the subcommand is; args.count: there is none.  What stands before it is
 * a global option, of which not all are known. */
static enum dt_err find_command(const struct program *p,
                                const struct dt_wish *c, size_t *out,
                                struct dt_fail *fail)
{
	size_t i = 0;

	for (; i < c->args.count; i++) {
		const char *word = c->args.ptr[i];

		/* A toolchain of cargo's; a path would be any program. */
		if (word[0] == '+' && !strchr(word, '/'))
			continue;
		if (word[0] != '-')
			break;
		if (!has_word(p->globals, word))
			return dt_fail(fail, DT_E_DENIED,
			               "%s before the subcommand can change "
			               "what %s runs",
			               word, c->name);
		if (has_word(p->with_value, word))
			i++;
	}
	*out = i;
	return DT_E_OK;
}

static enum dt_err check_command(const struct program *p,
                                 const struct dt_wish *c, size_t *out,
                                 struct dt_fail *fail)
{
	enum dt_err err = find_command(p, c, out, fail);

	if (err || *out >= c->args.count ||
	    has_word(p->commands, c->args.ptr[*out]))
		return err;
	return dt_fail(fail, DT_E_DENIED,
	               "%s %s may run another program, or is an alias for one",
	               c->name, c->args.ptr[*out]);
}

enum dt_err dt_arguments_check(const struct dt_wish *c, struct dt_fail *fail)
{
	const struct program *p = find(c->name);
	const char *command = NULL;
	bool has_options = true;
	size_t at = 0;
	enum dt_err err =
		p->commands ? check_command(p, c, &at, fail) : DT_E_OK;

	if (err)
		return err;
	if (p->commands && at < c->args.count)
		command = c->args.ptr[at++];
	for (; at < c->args.count; at++) {
		const char *word = c->args.ptr[at];

		has_options &= !p->ends_options || strcmp(word, "--") != 0;
		if (has_options && is_asked_about(p, command, word))
			return dt_fail(fail, DT_E_DENIED,
			               "%s can make %s run another program or "
			               "write elsewhere",
			               word, c->name);
		if (is_fetched(c->name, command, word))
			return dt_fail(fail, DT_E_DENIED,
			               "%s %s %s runs what it fetches", c->name,
			               command ? command : "", word);
	}
	return DT_E_OK;
}

/* paths */

/* "https://host/path" is none; "file:///path" is. */
static bool is_address(const char *argument, const char *colon)
{
	struct dt_str scheme = { argument, (size_t)(colon - argument) };

	return !strncmp(colon, "://", 3) && !dt_str_is(scheme, "file");
}

/* What is longer no system takes for a path. */
static bool see(const char *path, dt_argument_fn *fn, void *owner)
{
	return strnlen(path, PATH_MAX) == PATH_MAX || fn(path, owner);
}

/* Which letter of "-qF/path" is the last option nobody knows here. */
static bool see_short(const char *argument, dt_argument_fn *fn, void *owner)
{
	const char *at = argument + 2;

	while (isalpha((unsigned char)*at)) {
		if (!see(at++, fn, owner))
			return false;
	}
	return !*at || see(at, fn, owner);
}

void dt_arguments_paths(struct dt_arena *arena, const char *argument,
                        dt_argument_fn *fn, void *owner)
{
	/* "@path" is a file with more arguments. */
	const char *at = argument + (argument[0] == '@');
	bool goes_on = argument[0] != '-' || argument[1] == '-' ||
	               !argument[1] || see_short(argument, fn, owner);

	while (goes_on) {
		size_t len = strcspn(at, "=:");

		if (*at != '-')
			goes_on = see(at, fn, owner);
		if (*at != '-' && goes_on && len > 0 && at[len])
			goes_on = see(dt_arena_strndup(arena, at, len), fn,
			              owner);
		if (!at[len] || (at[len] == ':' && is_address(at, at + len)))
			break;
		at += len + 1;
	}
}
