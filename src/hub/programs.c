/*
 * hub/programs.c - the table of programs; git has hub/programs_git.c.
 *
 * There are three kinds of commands: those that read; those that change what can
 * be brought back, in the way that work in a repository goes; and those that a
 * person is asked about.  What is not listed is of the third kind, so a new
 * option of a program never passes by itself.  Reasons are given for what agents
 * try often; docs/decisions/0023-what-commands-do.md says how it was decided.
 */
#include "hub/programs.h"

#include "base/str.h"

#include <string.h>

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

#define WRITES "it writes files that nobody has reviewed"
#define RUNS "it runs what a file or a setting says"
#define SETTINGS "it changes or tells settings"
#define ABROAD "it changes something outside this machine"
#define FETCHES "it fetches code that nobody has seen"

/* npm and its kin */

#define NODE_FINE                                                              \
	"--silent -s --workspace= -w --workspaces -ws --if-present "           \
	"--ignore-scripts --omit= --include= --no-audit --no-fund "            \
	"--legacy-peer-deps --prefer-offline --offline --json --depth= --all " \
	"-a --long -l --production --dry-run --verbose --loglevel= "           \
	"--parseable -p --no-progress --no-color --frozen-lockfile "           \
	"--no-save --help -h"

#define NODE_ROW(command)                                                      \
	{                                                                      \
		.name = (command), .fine = NODE_FINE                           \
	}
#define NODE_SCRIPT(command)                                                   \
	{                                                                      \
		.name = (command), .needs = DT_NEED_SEEN, .fine = NODE_FINE    \
	}
/* With a name it fetches what nobody has seen, and writes package.json. */
#define NODE_INSTALL(command)                                                  \
	{                                                                      \
		.name = (command), .needs = DT_NEED_SEEN,                      \
		.words = DT_WORDS_NONE, .fine = NODE_FINE                      \
	}

static const struct dt_row npm_rows[] = {
	{ .name = "", .words = DT_WORDS_NONE, .fine = "--version -v" },
	{ .name = "audit", .words = DT_WORDS_NONE, .fine = NODE_FINE },
	NODE_ROW("explain"),
	NODE_ROW("why"),
	NODE_ROW("fund"),
	NODE_ROW("help"),
	NODE_ROW("info"),
	NODE_ROW("view"),
	NODE_ROW("show"),
	NODE_ROW("v"),
	NODE_ROW("list"),
	NODE_ROW("ls"),
	NODE_ROW("la"),
	NODE_ROW("ll"),
	NODE_ROW("outdated"),
	NODE_ROW("query"),
	NODE_ROW("sbom"),
	NODE_ROW("root"),
	NODE_ROW("prefix"),
	{ .name = "version", .words = DT_WORDS_NONE, .fine = NODE_FINE },
	NODE_SCRIPT("test"),
	NODE_SCRIPT("t"),
	NODE_SCRIPT("tst"),
	NODE_SCRIPT("run"),
	NODE_SCRIPT("run-script"),
	NODE_SCRIPT("start"),
	NODE_SCRIPT("stop"),
	NODE_SCRIPT("restart"),
	NODE_INSTALL("rebuild"),
	NODE_INSTALL("prune"),
	NODE_INSTALL("install"),
	NODE_INSTALL("i"),
	NODE_INSTALL("in"),
	NODE_INSTALL("ci"),
	NODE_INSTALL("clean-install"),
	{ .name = "exec", .why = FETCHES },
	{ .name = "x", .why = FETCHES },
	{ .name = "init", .why = FETCHES },
	{ .name = "create", .why = FETCHES },
	{ .name = "add", .why = FETCHES },
	{ .name = "update", .why = FETCHES },
	{ .name = "publish", .why = ABROAD },
	{ .name = "unpublish", .why = ABROAD },
	{ .name = "deprecate", .why = ABROAD },
	{ .name = "dist-tag", .why = ABROAD },
	{ .name = "owner", .why = ABROAD },
	{ .name = "access", .why = ABROAD },
	{ .name = "token", .why = ABROAD },
	{ .name = "login", .why = ABROAD },
	{ .name = "logout", .why = ABROAD },
	{ .name = "config", .why = SETTINGS },
	{ .name = "set", .why = SETTINGS },
};

/* For pnpm and yarn an unknown word is a script, or an installed program. */
static const struct dt_row yarn_rows[] = {
	{ .name = "",
	  .needs = DT_NEED_SEEN,
	  .words = DT_WORDS_NONE,
	  .fine = "--version -v --frozen-lockfile --immutable" },
	NODE_ROW("list"),
	NODE_ROW("ls"),
	NODE_ROW("why"),
	NODE_ROW("info"),
	NODE_ROW("outdated"),
	NODE_SCRIPT("test"),
	NODE_SCRIPT("t"),
	NODE_SCRIPT("run"),
	NODE_SCRIPT("start"),
	NODE_INSTALL("install"),
	NODE_INSTALL("i"),
	{ .name = "dlx", .why = FETCHES },
	{ .name = "exec", .why = FETCHES },
	{ .name = "add", .why = FETCHES },
	{ .name = "publish", .why = ABROAD },
};

#define RUNNER_ROW(options)                                                    \
	{                                                                      \
		.name = "", .needs = DT_NEED_SEEN, .words = DT_WORDS_FILES,    \
		.fine = (options)                                              \
	}

static const struct dt_row jest_rows[] = {
	RUNNER_ROW("--ci --json -t --testNamePattern= --test-name-pattern= -i "
	           "--runInBand --run-in-band --verbose --coverage --silent "
	           "--bail= -b --watchAll=false --passWithNoTests "
	           "--testPathPattern= --testPathPatterns= --onlyChanged -o "
	           "--lastCommit --changedSince= --findRelatedTests "
	           "--maxWorkers= -w --no-cache --listTests --forceExit "
	           "--detectOpenHandles --colors --no-coverage "
	           "--selectProjects --runTestsByPath --testTimeout= "
	           "--version --help -h"),
};

#define VITEST_ROW(command)                                                    \
	{                                                                      \
		.name = (command), .needs = DT_NEED_SEEN,                      \
		.words = DT_WORDS_FILES,                                       \
		.fine = "--run -t --testNamePattern= --reporter=json "         \
			"--reporter=verbose --reporter=dot "                   \
			"--reporter=default --reporter=basic --reporter=tap "  \
			"--reporter=junit --passWithNoTests --bail= "          \
			"--changed= --silent --no-color --coverage "           \
			"--no-coverage --no-watch --watch=false "              \
			"--testTimeout=",                                      \
	}

static const struct dt_row vitest_rows[] = {
	VITEST_ROW(""),     VITEST_ROW("run"),   VITEST_ROW("related"),
	VITEST_ROW("list"), VITEST_ROW("bench"),
};

static const struct dt_row tsc_rows[] = {
	RUNNER_ROW("--noEmit -p --project --pretty --strict --skipLibCheck "
	           "--incremental --version -v --listFiles --listFilesOnly "
	           "--showConfig --noEmitOnError --diagnostics "
	           "--extendedDiagnostics --traceResolution --explainFiles "
	           "--jsx --target --module --moduleResolution --lib "
	           "--esModuleInterop --allowJs --checkJs --build -b "
	           "--help -h --all"),
};

static const struct dt_row eslint_rows[] = {
	RUNNER_ROW("--fix --fix-dry-run --quiet --max-warnings= --ext= "
	           "--cache --no-cache --no-warn-ignored --format=json "
	           "--format=stylish --format=html -f=json -f=stylish "
	           "--no-error-on-unmatched-pattern --no-color --color "
	           "--no-ignore --report-unused-disable-directives "
	           "--version -v --help -h"),
};

#define BIOME_FINE                                                             \
	"--write --fix --apply --staged --changed --since= --verbose "         \
	"--max-diagnostics= --diagnostic-level= --colors= "                    \
	"--error-on-warnings --no-errors-on-unmatched --reporter=json "        \
	"--reporter=github --reporter=summary --only= --skip="
static const struct dt_row biome_rows[] = {
	{ .name = "", .words = DT_WORDS_NONE, .fine = "--version --help" },
	{ .name = "check", .needs = DT_NEED_SEEN, .fine = BIOME_FINE },
	{ .name = "lint", .needs = DT_NEED_SEEN, .fine = BIOME_FINE },
	{ .name = "format", .needs = DT_NEED_SEEN, .fine = BIOME_FINE },
	{ .name = "ci", .needs = DT_NEED_SEEN, .fine = BIOME_FINE },
	{ .name = "explain" },
	{ .name = "version" },
	{ .name = "help" },
};

static const struct dt_row pytest_rows[] = {
	{
		.name = "",
		.needs = DT_NEED_SEEN,
		.words = DT_WORDS_FILES,
		.fine = "--quiet --verbose --exitfirst --maxfail= --tb= "
			"--last-failed --lf --failed-first --ff --new-first "
			"--nf --stepwise --sw --durations= --collect-only "
			"--co --no-header --no-summary --color= --capture= "
			"--showlocals --cov= --no-cov --version --help "
			"--runxfail --strict-markers --timeout= --fixtures "
			"--markers --deselect= --ignore=",
		.letters = "qvxslhVkmn",
		.valued = "rkmn",
	},
};

/* cargo */

#define CARGO_FINE                                                             \
	"--workspace --all --release -r --lib --bins --bin= --test= --tests "  \
	"--example= --examples --bench= --benches --package= -p --features= "  \
	"-F --all-features --no-default-features --all-targets --jobs= -j "    \
	"--locked --offline --frozen --quiet -q --verbose -v -vv "             \
	"--no-fail-fast --no-run --doc --message-format= --keep-going "        \
	"--profile= --exclude= --color= --no-deps --check --help -h"
#define CARGO_BUILD(command)                                                   \
	{                                                                      \
		.name = (command), .needs = DT_NEED_SEEN, .fine = CARGO_FINE   \
	}
#define CARGO_READ(command)                                                    \
	{                                                                      \
		.name = (command), .fine = CARGO_FINE                          \
	}

static const struct dt_row cargo_rows[] = {
	{ .name = "",
	  .words = DT_WORDS_NONE,
	  .fine = "--version -V --list --help -h" },
	CARGO_BUILD("build"),
	CARGO_BUILD("b"),
	CARGO_BUILD("check"),
	CARGO_BUILD("c"),
	CARGO_BUILD("test"),
	CARGO_BUILD("t"),
	CARGO_BUILD("bench"),
	CARGO_BUILD("run"),
	CARGO_BUILD("r"),
	CARGO_BUILD("clippy"),
	CARGO_BUILD("doc"),
	CARGO_BUILD("d"),
	{ .name = "nextest run", .needs = DT_NEED_SEEN, .fine = CARGO_FINE },
	{ .name = "nextest list", .needs = DT_NEED_SEEN, .fine = CARGO_FINE },
	CARGO_BUILD("fmt"),
	CARGO_READ("clean"),
	CARGO_READ("fetch"),
	CARGO_READ("help"),
	CARGO_READ("locate-project"),
	{ .name = "metadata", .fine = CARGO_FINE " --format-version=" },
	CARGO_READ("pkgid"),
	CARGO_READ("search"),
	{ .name = "tree",
	  .fine = CARGO_FINE " --depth= --invert= -i "
	                     "--duplicates -d --edges= -e --prefix=" },
	CARGO_READ("version"),
	{ .name = "fix", .why = WRITES },
	{ .name = "add", .why = FETCHES },
	{ .name = "update", .why = FETCHES },
	{ .name = "install", .why = FETCHES },
	{ .name = "publish", .why = ABROAD },
	{ .name = "yank", .why = ABROAD },
	{ .name = "owner", .why = ABROAD },
	{ .name = "login", .why = ABROAD },
	{ .name = "logout", .why = ABROAD },
};

/* go takes one dash or two. */
#define GO_BUILD                                                               \
	"-v --v -race --race -tags= --tags= -n -x -p= -cover -covermode= "     \
	"-msan -asan -trimpath -json -mod=readonly -mod=vendor"
#define GO_TEST                                                                \
	GO_BUILD " -run= --run= -count= --count= -timeout= -short --short "    \
		 "-failfast -parallel= -cpu= -list= -bench= -benchmem "        \
		 "-benchtime= -fuzztime= -skip= -shuffle= -vet=off"

static const struct dt_row go_rows[] = {
	{ .name = "", .words = DT_WORDS_NONE, .fine = "-h" },
	{ .name = "build", .needs = DT_NEED_SEEN, .fine = GO_BUILD },
	{ .name = "test", .needs = DT_NEED_SEEN, .fine = GO_TEST },
	{ .name = "run",
	  .needs = DT_NEED_SEEN,
	  .words = DT_WORDS_FILES,
	  .fine = GO_BUILD },
	{ .name = "vet", .needs = DT_NEED_SEEN, .fine = GO_BUILD },
	{ .name = "list",
	  .needs = DT_NEED_SEEN,
	  .fine = "-m -f= -json -deps -test -e -u -versions" },
	{ .name = "fmt", .fine = "-n -x" },
	{ .name = "doc", .fine = "-all -short -src -u -c -cmd" },
	{ .name = "env", .fine = "-json -changed" },
	{ .name = "help" },
	{ .name = "version", .fine = "-m -v" },
	{ .name = "mod download", .fine = "-x -json" },
	{ .name = "mod graph" },
	{ .name = "mod verify" },
	{ .name = "mod why", .fine = "-m -vendor" },
	{ .name = "mod tidy", .fine = "-v -x -diff" },
	{ .name = "generate", .why = RUNS },
	{ .name = "install", .why = FETCHES },
	{ .name = "get", .why = FETCHES },
};

/* What persons add most. */
static const struct dt_row make_rows[] = {
	{
		.name = "",
		.needs = DT_NEED_SEEN,
		.words = DT_WORDS_FILES,
		.fine = "--jobs= --keep-going --silent --quiet --dry-run "
			"--always-make --version --help",
		.letters = "ksnBvh",
		.valued = "j",
	},
};

static const struct dt_row meson_rows[] = {
	{ .name = "", .words = DT_WORDS_NONE, .fine = "--version --help" },
	{ .name = "test",
	  .needs = DT_NEED_SEEN,
	  .fine = "-C --print-errorlogs --suite= --no-rebuild --list -q -v "
	          "--verbose --num-processes= --repeat= "
	          "--timeout-multiplier= -t" },
	{ .name = "compile", .needs = DT_NEED_SEEN, .fine = "-C -v -j" },
};

static const struct dt_row ninja_rows[] = {
	RUNNER_ROW("-C -v -k -j -n --quiet --version --verbose"),
};

static const struct dt_row ctest_rows[] = {
	RUNNER_ROW("--test-dir= --output-on-failure -R -E -V -VV -N -j "
	           "--parallel= -L --rerun-failed --stop-on-failure "
	           "--timeout= --version"),
};

/* Whatever lies in a folder is printed, by any name. */
static const struct dt_row search_rows[] = {
	{
		.name = "",
		.needs = DT_NEED_TREE,
		.fine = "--ignore-case --line-number --files-with-matches "
			"--count --fixed-strings --word-regexp --invert-match "
			"--only-matching --no-heading --heading --color= "
			"--context= --after-context= --before-context= "
			"--glob= --type= --smart-case --json --recursive "
			"--include= --exclude= --exclude-dir= --multiline "
			"--max-count= --extended-regexp --perl-regexp "
			"--hidden --no-ignore --no-filename --with-filename",
		.letters = "iInlcFwvohHsSrREPUqLue",
		.valued = "ABCgtTm",
	},
};

#define ROWS(list) .rows = (list), .row_count = COUNT(list)

static const struct dt_program programs[] = {
	{
		.name = "npm",
		ROWS(npm_rows),
		.globals = "--version -v --silent -s --prefer-offline "
			   "--offline --workspaces -ws --help -h",
		.has_free_rest = true,
		.has_commands = true,
	},
	{
		.name = "pnpm",
		ROWS(yarn_rows),
		.globals = "--version -v --silent -s",
		.has_free_rest = true,
		.has_commands = true,
	},
	{
		.name = "yarn",
		ROWS(yarn_rows),
		.globals = "--version -v --silent -s --frozen-lockfile "
			   "--immutable",
		.has_free_rest = true,
		.has_commands = true,
	},
	{
		.name = "cargo",
		ROWS(cargo_rows),
		.globals = "--version -V -v -q --quiet --verbose --locked "
			   "--offline --frozen --list --help -h",
		.has_free_rest = true,
		.has_commands = true,
	},
	{ .name = "go", ROWS(go_rows), .globals = "-h", .has_commands = true },
	{ .name = "pytest", ROWS(pytest_rows) },
	{ .name = "jest", ROWS(jest_rows) },
	{ .name = "vitest",
	  ROWS(vitest_rows),
	  .globals = "--run --version -v --help -h --no-color",
	  .has_commands = true },
	{ .name = "tsc", ROWS(tsc_rows) },
	{ .name = "eslint", ROWS(eslint_rows) },
	{ .name = "biome",
	  ROWS(biome_rows),
	  .globals = "--version --help",
	  .has_commands = true },
	{ .name = "make", ROWS(make_rows) },
	{ .name = "meson",
	  ROWS(meson_rows),
	  .globals = "--version --help",
	  .has_commands = true },
	{ .name = "ninja", ROWS(ninja_rows) },
	{ .name = "ctest", ROWS(ctest_rows) },
	{ .name = "rg", ROWS(search_rows) },
	{ .name = "grep", ROWS(search_rows) },
	{ .name = "egrep", ROWS(search_rows) },
	{ .name = "fgrep", ROWS(search_rows) },
	{ .name = "ag", ROWS(search_rows) },
	{ .name = "ack", ROWS(search_rows) },
};

const struct dt_program *dt_program_find(const char *name)
{
	if (!strcmp(name, dt_program_git.name))
		return &dt_program_git;
	for (size_t i = 0; i < COUNT(programs); i++) {
		if (!strcmp(programs[i].name, name))
			return &programs[i];
	}
	return NULL;
}

static bool is_row(const char *name, const char *first, const char *second)
{
	size_t len = strlen(first);

	if (strncmp(name, first, len) != 0)
		return false;
	if (!second)
		return !name[len];
	return name[len] == ' ' && !strcmp(name + len + 1, second);
}

static const struct dt_row *find_row(const struct dt_program *program,
                                     const char *first, const char *second)
{
	for (size_t i = 0; i < program->row_count; i++) {
		if (is_row(program->rows[i].name, first, second))
			return &program->rows[i];
	}
	return NULL;
}

const struct dt_row *dt_program_row(const struct dt_program *program,
                                    const char *first, const char *second)
{
	const struct dt_row *row = NULL;

	/* "stash list" must not be found as one word with a blank. */
	if (strchr(first, ' '))
		return NULL;
	if (second)
		row = find_row(program, first, second);
	return row ? row : find_row(program, first, NULL);
}
