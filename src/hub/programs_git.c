/*
 * hub/programs_git.c - the table of git's commands.
 *
 * No row has an option that discards, overwrites or runs something; see
 * hub/programs.c.  test_programs_git.c asks the real git whether it knows every
 * option by this very name, so that none is the beginning of another.
 */
#include "hub/programs.h"

#define DISCARDS "it can discard work or history"
#define WRITES "it writes files that nobody has reviewed"
#define RUNS "it runs what a file or a setting says"
#define SETTINGS "it changes or tells settings"
#define HIDES "it changes what git tells about files"

#define LOG_FINE                                                               \
	"--oneline --graph --decorate= --no-decorate --all --branches= "       \
	"--tags= --remotes= --stat= --shortstat --numstat --name-only "        \
	"--name-status --summary --compact-summary --dirstat= --format= "      \
	"--pretty= --abbrev-commit --no-abbrev-commit --abbrev= --date= "      \
	"--since= --until= --after= --before= --author= --committer= --grep= " \
	"--max-count= --skip= --reverse --merges --no-merges --first-parent "  \
	"--follow --topo-order --date-order --author-date-order --no-color "   \
	"--color= --no-patch --relative-date --parents --children "            \
	"--left-right --cherry-mark --cherry-pick --cherry --no-walk= "        \
	"--all-match --invert-grep --regexp-ignore-case --extended-regexp "    \
	"--fixed-strings --perl-regexp --boundary --simplify-by-decoration "   \
	"--full-history --ancestry-path --diff-filter= --find-renames= "       \
	"--no-renames --source --no-notes --mailmap --use-mailmap --not "      \
	"--min-parents= --max-parents= --left-only --right-only --count "      \
	"--raw --no-ext-diff --no-textconv --relative --no-prefix --walk-reflogs"
#define LOG_PRINTS                                                             \
	"--patch --patch-with-stat --unified= --cc --word-diff= "              \
	"--color-words --function-context --pickaxe-all --pickaxe-regex "      \
	"--full-diff --minimal --patience --histogram --ignore-all-space "     \
	"--ignore-space-change --ignore-blank-lines --full-index --check "     \
	"--diff-algorithm= --color-moved="
#define LOG_LETTERS "gisqzErtPF"
#define LOG_VALUED "nMUSGL"
/* What looks for a text tells whether it is there. */
#define LOG_SHORT_PRINTS "-p -u -c -m -W -w -b -U -S -G -L"

#define DIFF_FINE                                                              \
	"--stat= --shortstat --numstat --name-only --name-status --summary "   \
	"--compact-summary --dirstat= --cached --staged --merge-base --quiet " \
	"--exit-code --no-color --color= --diff-filter= --find-renames= "      \
	"--no-renames --no-ext-diff --no-textconv --relative --no-prefix "     \
	"--raw --no-patch --abbrev= --root --no-commit-id"
#define DIFF_QUIET                                                             \
	"--stat --shortstat --numstat --name-only --name-status --summary "    \
	"--compact-summary --dirstat --quiet --raw --no-patch -s"

static const struct dt_row git_rows[] = {
	/* What reads. */
	{ .name = "", .words = DT_WORDS_NONE, .letters = "vh" },
	{
		.name = "status",
		.fine = "--short --branch --porcelain= --long --show-stash "
			"--ahead-behind --no-ahead-behind --untracked-files= "
			"--ignored= --column --no-column --renames "
			"--no-renames --find-renames= --null",
		.letters = "sbz",
		.valued = "u",
	},
	{
		.name = "log",
		.fine = LOG_FINE,
		.letters = LOG_LETTERS,
		.valued = LOG_VALUED,
		.prints = LOG_PRINTS " " LOG_SHORT_PRINTS,
	},
	{
		.name = "whatchanged",
		.fine = LOG_FINE,
		.letters = LOG_LETTERS,
		.valued = LOG_VALUED,
		.prints = LOG_PRINTS " " LOG_SHORT_PRINTS,
	},
	{
		.name = "reflog",
		.words = DT_WORDS_NONE,
		.fine = LOG_FINE,
		.letters = LOG_LETTERS,
		.valued = LOG_VALUED,
		.prints = LOG_PRINTS " " LOG_SHORT_PRINTS,
	},
	{
		.name = "reflog show",
		.fine = LOG_FINE,
		.letters = LOG_LETTERS,
		.valued = LOG_VALUED,
		.prints = LOG_PRINTS " " LOG_SHORT_PRINTS,
	},
	{
		.name = "shortlog",
		.fine = "--summary --numbered --email --since= --until= "
			"--no-merges --group= --format= --all --author=",
		.letters = "snec",
	},
	{
		/* With --stat, too: what a name leads to may be a file. */
		.name = "show",
		.needs = DT_NEED_HISTORY,
		.fine = LOG_FINE,
		.letters = LOG_LETTERS,
		.valued = LOG_VALUED,
		.prints = LOG_PRINTS " " LOG_SHORT_PRINTS,
	},
	{
		.name = "diff",
		.needs = DT_NEED_CHANGED,
		.words = DT_WORDS_DIFF,
		.fine = DIFF_FINE,
		.letters = "sRzr",
		.valued = "MUSGL",
		.prints = LOG_PRINTS " " LOG_SHORT_PRINTS,
		.quiet = DIFF_QUIET,
	},
	{
		.name = "diff-index",
		.needs = DT_NEED_HISTORY,
		.fine = DIFF_FINE,
		.letters = "sRzr",
		.valued = "MUSGL",
		.prints = LOG_PRINTS " " LOG_SHORT_PRINTS,
		.quiet = DIFF_QUIET,
	},
	{
		.name = "diff-tree",
		.needs = DT_NEED_HISTORY,
		.fine = DIFF_FINE,
		.letters = "sRzrt",
		.valued = "MUSGL",
		.prints = LOG_PRINTS " " LOG_SHORT_PRINTS,
		.quiet = DIFF_QUIET,
	},
	{
		.name = "diff-files",
		.needs = DT_NEED_CHANGED,
		.words = DT_WORDS_DIFF,
		.fine = DIFF_FINE,
		.letters = "sRzr",
		.valued = "MUSGL",
		.prints = LOG_PRINTS " " LOG_SHORT_PRINTS,
		.quiet = DIFF_QUIET,
	},
	{
		.name = "range-diff",
		.needs = DT_NEED_HISTORY,
		.fine = "--no-color --stat --no-patch --creation-factor=",
		.letters = "s",
	},
	{
		.name = "grep",
		.needs = DT_NEED_INDEX,
		.words = DT_WORDS_DIFF,
		.fine = "--cached --invert-match --ignore-case --word-regexp "
			"--text --max-depth= --extended-regexp "
			"--basic-regexp --fixed-strings --perl-regexp "
			"--line-number --column --full-name "
			"--files-with-matches --name-only "
			"--files-without-match --null --only-matching --count "
			"--color= --no-color --break --heading --context= "
			"--before-context= --after-context= --show-function "
			"--function-context --and --or --not --quiet "
			"--all-match --max-count=",
		.letters = "viwaIEGFPnlLzochHWpqe",
		.valued = "ABCm",
	},
	{
		/* Lines of one file by its name, which the gate looks at. */
		.name = "blame",
		.fine = "--porcelain --line-porcelain --show-email "
			"--show-name --show-number --date= --since= --root "
			"--abbrev= --first-parent",
		.letters = "celnfstwp",
		.valued = "LMC",
	},
	{
		.name = "cat-file",
		.needs = DT_NEED_HISTORY,
		.prints = "-p",
		.quiet = "-t -s -e",
	},
	{
		.name = "branch",
		.needs = DT_NEED_SEEN,
		.words = DT_WORDS_MAKES,
		.fine = "--list --show-current --verbose --all --remotes "
			"--contains --no-contains --merged --no-merged --sort= "
			"--points-at= --format= --column --no-column --color= "
			"--no-color --ignore-case --abbrev= --no-track --quiet",
		.letters = "avrilq",
	},
	{
		.name = "tag",
		.needs = DT_NEED_SEEN,
		.words = DT_WORDS_MAKES,
		.fine = "--list --contains --no-contains --merged "
			"--no-merged --sort= --points-at= --format= --column "
			"--annotate --message= --ignore-case",
		.letters = "lia",
		.valued = "nm",
	},
	{
		.name = "rev-parse",
		.fine = "--verify --quiet --short= --abbrev-ref= "
			"--symbolic-full-name --symbolic --show-toplevel "
			"--show-prefix --show-cdup --git-dir --git-common-dir "
			"--absolute-git-dir --is-inside-work-tree "
			"--is-inside-git-dir --is-bare-repository "
			"--is-shallow-repository --all --branches= --tags= "
			"--remotes= --end-of-options --git-path "
			"--show-object-format",
		.letters = "q",
	},
	{
		.name = "rev-list",
		.fine = "--all --branches= --tags= --remotes= --count "
			"--max-count= --skip= --since= --until= --merges "
			"--no-merges --first-parent --reverse --parents "
			"--left-right --objects --oneline --topo-order "
			"--date-order --author= --grep= --not --left-only "
			"--right-only --cherry-pick --abbrev-commit "
			"--pretty= --format=",
		.valued = "n",
	},
	{ .name = "merge-base",
	  .fine = "--all --octopus --is-ancestor "
	          "--fork-point --independent" },
	{ .name = "name-rev", .fine = "--name-only --tags --always --refs=" },
	{
		.name = "describe",
		.fine = "--tags --all --always --long --abbrev= --dirty= "
			"--match= --exclude= --contains --exact-match "
			"--first-parent --broken= --candidates=",
	},
	{
		.name = "ls-files",
		.fine = "--cached --deleted --modified --others --ignored "
			"--stage --unmerged --killed --full-name "
			"--exclude-standard --error-unmatch --abbrev= --eol "
			"--directory --deduplicate --format=",
		.letters = "cdmoisuktvz",
	},
	{
		.name = "ls-tree",
		.fine = "--name-only --name-status --long --full-name "
			"--full-tree --abbrev= --object-only --format=",
		.letters = "rdtlz",
	},
	{
		.name = "show-ref",
		.fine = "--head --heads --branches --tags --hash= --abbrev= "
			"--verify --quiet --dereference --exists",
		.letters = "dqs",
	},
	{
		.name = "for-each-ref",
		.fine = "--format= --sort= --count= --points-at= --merged= "
			"--no-merged= --contains= --no-contains= --ignore-case",
	},
	{ .name = "show-branch",
	  .fine = "--all --remotes --current --list "
	          "--merge-base --independent",
	  .letters = "ar" },
	{ .name = "symbolic-ref",
	  .words = DT_WORDS_ONE,
	  .fine = "--short --quiet",
	  .letters = "q" },
	{ .name = "cherry", .fine = "--abbrev=", .letters = "v" },
	{ .name = "check-ignore",
	  .fine = "--verbose --quiet --no-index "
	          "--non-matching",
	  .letters = "vqn" },
	{ .name = "check-attr", .fine = "--all --cached", .letters = "az" },
	{ .name = "count-objects",
	  .fine = "--verbose --human-readable",
	  .letters = "vH" },
	{ .name = "fsck",
	  .fine = "--full --strict --no-progress "
	          "--connectivity-only --no-dangling" },
	{ .name = "version", .fine = "--build-options" },
	{ .name = "help", .letters = "ag", .fine = "--all --guides" },
	{ .name = "remote",
	  .words = DT_WORDS_NONE,
	  .fine = "--verbose",
	  .letters = "v" },
	{ .name = "remote get-url", .fine = "--all --push" },
	{ .name = "remote show", .words = DT_WORDS_REMOTE, .letters = "n" },
	{ .name = "stash list",
	  .fine = LOG_FINE,
	  .letters = LOG_LETTERS,
	  .valued = LOG_VALUED,
	  .prints = LOG_PRINTS " " LOG_SHORT_PRINTS },
	{ .name = "stash show",
	  .needs = DT_NEED_HISTORY,
	  .fine = DIFF_FINE,
	  .letters = "s",
	  .prints = LOG_PRINTS " " LOG_SHORT_PRINTS,
	  .quiet = DIFF_QUIET },
	{ .name = "worktree list",
	  .fine = "--porcelain --verbose",
	  .letters = "vz" },

	/* What can be brought back; hooks may run, so these have to be seen. */
	{
		.name = "add",
		.needs = DT_NEED_SEEN,
		.fine = "--all --update --dry-run --verbose --intent-to-add "
			"--ignore-removal --no-ignore-removal --ignore-errors "
			"--ignore-missing --chmod= --refresh",
		.letters = "AunvN",
	},
	{
		.name = "commit",
		.needs = DT_NEED_ALL_SEEN,
		.fine = "--quiet --message= --author= --date= --signoff "
			"--all --dry-run --short --porcelain --long "
			"--allow-empty --no-edit --fixup= --squash= "
			"--trailer= --file= --no-status --branch",
		.letters = "qasF",
		.valued = "m",
	},
	/* Without --no-overwrite-ignore a file that is ignored may be lost. */
	{
		.name = "switch",
		.needs = DT_NEED_SEEN,
		.words = DT_WORDS_NEW,
		.fine = "--create --quiet --no-overwrite-ignore --no-guess "
			"--no-progress --no-track",
		.letters = "cq",
	},
	{
		.name = "checkout",
		.needs = DT_NEED_SEEN,
		.words = DT_WORDS_NEW,
		.fine = "--quiet --no-track --no-progress",
		.letters = "bq",
	},
	/* A commit like others, on which a branch can be made. */
	{
		.name = "stash",
		.needs = DT_NEED_ALL_SEEN,
		.words = DT_WORDS_NONE,
		.fine = "--include-untracked --keep-index --no-keep-index "
			"--staged --quiet",
		.letters = "ukSq",
	},
	{
		.name = "stash push",
		.needs = DT_NEED_ALL_SEEN,
		.fine = "--include-untracked --keep-index --no-keep-index "
			"--staged --quiet --message=",
		.letters = "ukSq",
		.valued = "m",
	},
	{
		.name = "fetch",
		.needs = DT_NEED_SEEN,
		.words = DT_WORDS_REMOTE,
		.fine = "--all --prune --tags --no-tags --dry-run --verbose "
			"--quiet --progress --no-progress "
			"--no-recurse-submodules",
		.letters = "ptnvq",
	},
	{
		.name = "ls-remote",
		.words = DT_WORDS_REMOTE,
		.fine = "--heads --branches --tags --refs --quiet --symref "
			"--exit-code --get-url",
		.letters = "htq",
	},
	{
		.name = "push",
		.needs = DT_NEED_SEEN,
		.words = DT_WORDS_REMOTE,
		.fine = "--set-upstream --dry-run --verbose --quiet "
			"--porcelain --progress --no-progress --atomic --tags "
			"--follow-tags",
		.letters = "unvq",
	},
	{
		.name = "init",
		.fine = "--quiet --initial-branch=",
		.letters = "qb",
	},

	/* What a person is asked about, and why. */
	{ .name = "reset", .why = DISCARDS },
	{ .name = "clean", .why = DISCARDS },
	{ .name = "gc", .why = DISCARDS },
	{ .name = "prune", .why = DISCARDS },
	{ .name = "repack", .why = DISCARDS },
	{ .name = "rebase", .why = DISCARDS },
	{ .name = "filter-branch", .why = DISCARDS },
	{ .name = "update-ref", .why = DISCARDS },
	{ .name = "replace", .why = HIDES },
	{ .name = "update-index", .why = HIDES },
	{ .name = "reflog expire", .why = DISCARDS },
	{ .name = "reflog delete", .why = DISCARDS },
	{ .name = "stash drop", .why = DISCARDS },
	{ .name = "stash clear", .why = DISCARDS },
	{ .name = "stash pop", .why = DISCARDS },
	{ .name = "stash apply", .why = WRITES },
	{ .name = "stash branch", .why = DISCARDS },
	{ .name = "remote add", .why = SETTINGS },
	{ .name = "remote remove", .why = DISCARDS },
	{ .name = "remote rm", .why = DISCARDS },
	{ .name = "remote set-url", .why = SETTINGS },
	{ .name = "restore", .why = DISCARDS },
	{ .name = "rm", .why = DISCARDS },
	{ .name = "mv", .why = WRITES },
	{ .name = "checkout-index", .why = WRITES },
	{ .name = "read-tree", .why = DISCARDS },
	{ .name = "apply", .why = WRITES },
	{ .name = "am", .why = WRITES },
	{ .name = "merge", .why = WRITES },
	{ .name = "pull", .why = WRITES },
	{ .name = "cherry-pick", .why = WRITES },
	{ .name = "revert", .why = WRITES },
	{ .name = "notes", .why = WRITES },
	{ .name = "worktree", .why = WRITES },
	{ .name = "clone", .why = WRITES },
	{ .name = "submodule", .why = RUNS },
	{ .name = "sparse-checkout", .why = WRITES },
	{ .name = "format-patch", .why = WRITES },
	{ .name = "archive", .why = WRITES },
	{ .name = "bisect", .why = RUNS },
	{ .name = "config", .why = SETTINGS },
};

const struct dt_program dt_program_git = {
	.name = "git",
	.rows = git_rows,
	.row_count = sizeof(git_rows) / sizeof(git_rows[0]),
	.globals = "--no-pager -P --no-optional-locks --literal-pathspecs "
		   "--no-replace-objects --version -v --help -h -C",
	.with_value = "-C",
	.has_commands = true,
};
