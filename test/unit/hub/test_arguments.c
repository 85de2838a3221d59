/* test/unit/hub/test_arguments.c - command lines and what becomes of them. */
#include "hub/arguments.h"

#include "base/tempdir.h"
#include "unit.h"

#include <unistd.h>

/* The words of a line, blanks between them. */
static struct dt_wish wish_of(struct dt_arena *arena, const char *folder,
                              const char *line)
{
	struct dt_str rest = dt_str(line);
	struct dt_str word = dt_str_cut_word(&rest);
	struct dt_wish wish = { .folder = folder };

	wish.name = dt_arena_strndup(arena, word.ptr, word.len);
	wish.args.ptr = dt_arena_alloc(arena, 20 * sizeof(char *));
	for (word = dt_str_cut_word(&rest); word.len;
	     word = dt_str_cut_word(&rest))
		wish.args.ptr[wish.args.count++] =
			dt_arena_strndup(arena, word.ptr, word.len);
	return wish;
}

#define ASKED 1000u

/* What it needs, or ASKED. */
static unsigned judged_in(const char *folder, const char *line)
{
	struct dt_arena arena = { 0 };
	struct dt_wish wish = wish_of(&arena, folder, line);
	struct dt_fail fail = { 0 };
	struct dt_needs needs;
	enum dt_err err = dt_arguments_check(&arena, &wish, &needs, &fail);

	assert_true(err == DT_E_OK || err == DT_E_DENIED);
	assert_int_equal(err != DT_E_OK, fail.msg[0] != '\0');
	dt_arena_done(&arena);
	return err ? ASKED : needs.what;
}

static void check_all(const char *const *lines, unsigned expected)
{
	for (; *lines; lines++) {
		unsigned found = judged_in("/", *lines);

		if (found != expected)
			fail_msg("%s: %u, not %u", *lines, found, expected);
	}
}

#define LINES(...) ((const char *const[]){ __VA_ARGS__, NULL })

test(what_reads_runs)
{
	check_all(
		LINES("git", "git --version", "git status --short",
	              "git status -sb",
	              "git status --porcelain=v2 -z --untracked-files=all",
	              "git status -uno",
	              "git -C src --no-pager log --oneline -5 main..HEAD",
	              "git log -n 5 --graph --all --decorate",
	              "git log -n5 --stat --since=yesterday -- src",
	              "git log --format=%H --author=me -1",
	              "git log --name-only --follow src/a.c",
	              "git shortlog -sn", "git reflog", "git reflog -5",
	              "git reflog show main", "git diff --stat",
	              "git diff --stat=80", "git diff --name-only main...HEAD",
	              "git diff --cached --name-status", "git diff -s",
	              "git diff --quiet HEAD",
	              "git diff-tree --name-only -r HEAD",
	              "git blame -L 1,5 src/a.c", "git cat-file -t HEAD",
	              "git cat-file -e HEAD", "git branch", "git branch -a",
	              "git branch -vv", "git branch --show-current",
	              "git branch --list", "git tag", "git tag -l",
	              "git rev-parse HEAD", "git rev-parse --abbrev-ref HEAD",
	              "git rev-parse --show-toplevel",
	              "git rev-list --count HEAD", "git merge-base main HEAD",
	              "git describe --tags --always",
	              "git ls-files -o --exclude-standard",
	              "git ls-tree -r HEAD", "git show-ref --heads",
	              "git for-each-ref --format=%(refname)", "git remote",
	              "git remote -v", "git remote get-url origin",
	              "git remote show origin", "git stash list",
	              "git worktree list", "git check-ignore -v x",
	              "git symbolic-ref --short HEAD", "git count-objects -vH",
	              "git ls-remote --heads origin", "git init", "git help",
	              "npm ls --all -- --x", "npm view left-pad version",
	              "npm outdated --json", "npm --version", "npm audit",
	              "cargo --version", "cargo tree --depth 1",
	              "cargo metadata --format-version=1", "cargo fetch",
	              "go version", "go env GOPATH", "go doc fmt",
	              "go mod tidy", "go fmt ./...", "biome --version",
	              "sed -i s/a/b/ file"),
		0);
}

test(what_runs_hooks_or_scripts_is_looked_at)
{
	check_all(LINES("git add -A", "git add src/a.c", "git switch -c topic",
	                "git switch --create topic",
	                "git switch -q --no-overwrite-ignore main",
	                "git switch --no-overwrite-ignore -",
	                "git checkout -b topic", "git checkout -qb topic",
	                "git branch topic", "git tag v1",
	                "git tag -a v1 -m text", "git fetch --all --prune",
	                "git fetch origin", "git fetch origin main", "git push",
	                "git push origin main", "git push -u origin HEAD",
	                "git push --tags", "npm ci", "npm install", "npm i",
	                "npm run build -- --mode production", "npm test",
	                "npm t -s", "npm --silent test",
	                "npm run x --workspace=a", "yarn", "yarn test",
	                "pnpm run build",
	                "cargo +nightly test --workspace -- --nocapture",
	                "cargo build --release --locked",
	                "cargo clippy --all-targets -- -D warnings",
	                "cargo run --bin x -- --y", "cargo test name",
	                "cargo nextest run",
	                "go test -run TestX -count=1 ./...",
	                "go test -run=TestX/sub -v -race -cover ./...",
	                "go test -json -run TestX ./...", "go run ./cmd/x",
	                "go build ./...", "go vet ./...",
	                "pytest -q -k name --maxfail=1 -x tests",
	                "pytest -qx --tb=short -rfE",
	                "pytest -vv tests/a.py::test_b", "jest --ci -t name -i",
	                "jest --ci --json -t name", "vitest run -t name",
	                "vitest run --reporter=json -t name", "vitest --run",
	                "tsc --noEmit -p tsconfig.json",
	                "eslint --fix --format json src",
	                "eslint --format=json src", "biome check src",
	                "make check", "make -j4 -k check", "make -j 4 test",
	                "meson test -C build --print-errorlogs",
	                "ctest --test-dir build --output-on-failure -R x",
	                "ninja -C build"),
	          DT_NEED_SEEN);
}

test(a_commit_looks_at_all_that_defines_something)
{
	check_all(LINES("git commit -m text -s", "git stash", "git stash -u",
	                "git stash push -u -m text", "git stash push -- a",
	                "git commit -am text", "git commit -mtext",
	                "git commit --message=text --allow-empty",
	                "git commit -F message.txt"),
	          DT_NEED_ALL_SEEN);
}

test(what_prints_changes_is_looked_at)
{
	check_all(LINES("git diff", "git diff --cached", "git diff -U3",
	                "git diff -w", "git diff --stat -p",
	                "git diff --stat --patch", "git diff -- src",
	                "git diff -- no-such-file", "git diff -- :(glob)**",
	                "git diff-files -p", "git diff-files"),
	          DT_NEED_CHANGED);
}

test(what_prints_files_of_now_is_looked_at)
{
	check_all(LINES("git grep -n foo", "git grep -e foo",
	                "git grep foo -- src", "git grep -n foo -- *.c",
	                "git grep -l foo"),
	          DT_NEED_INDEX);
}

test(what_prints_files_of_then_is_looked_at)
{
	check_all(LINES("git show", "git show HEAD", "git show HEAD:.env",
	                "git show --stat HEAD", "git show --stat HEAD:.env",
	                "git show :./.env", "git -C sub show :./.env",
	                "git log -p", "git log -1 -p --oneline --stat -U3",
	                "git log -Ssecret", "git log -S secret",
	                "git log -G secret --oneline", "git log -L1,2:a",
	                "git log --patch -- src", "git log --cc", "git log -c",
	                "git stash show", "git stash show -p",
	                "git stash list -p", "git reflog -p",
	                "git reflog show -p", "git whatchanged -p",
	                "git diff-tree -p HEAD", "git cat-file -p HEAD:a",
	                "git cat-file blob HEAD:a", "git range-diff a b c"),
	          DT_NEED_HISTORY);
}

test(of_a_diff_a_commit_counts)
{
	check_all(LINES("git diff HEAD~1", "git diff main..topic",
	                "git diff main -- src", "git grep foo HEAD",
	                "git grep -e foo HEAD", "git grep -e a -e b HEAD -- x"),
	          DT_NEED_HISTORY);
}

test(what_reads_a_folder_is_looked_at)
{
	check_all(LINES("rg foo", "rg -n foo src", "rg --hidden foo",
	                "grep -rn foo .", "grep foo a"),
	          DT_NEED_TREE);
}

test(what_discards_is_asked_about)
{
	check_all(
		LINES("git reset", "git reset --hard", "git reset --har",
	              "git reset --merge", "git reset --keep",
	              "git reset --soft HEAD~1", "git reset HEAD~1",
	              "git clean -fd", "git clean -n", "git push --force",
	              "git push -f", "git push -uf origin x",
	              "git push -fu origin x", "git push --forc",
	              "git push --force-with-lease",
	              "git push --force-if-includes",
	              "git push --delete origin x", "git push --del origin x",
	              "git push -d origin x", "git push --mirror",
	              "git push --prune", "git push --all",
	              "git push origin +main", "git push origin :main",
	              "git push origin HEAD:main", "git push origin main:main",
	              "git push origin -- +main",
	              "git push origin main --force", "git push origin main -f",
	              "git push --no-verify", "git push --repo=x",
	              "git push -o x", "git push https://host/x main",
	              "git push git@host:x main", "git push ../x main",
	              "git push ./x main", "git push x/y main",
	              "git push . main", "git reflog expire --all",
	              "git reflog delete HEAD@{1}", "git reflog main", "git gc",
	              "git gc --prune=now", "git prune", "git repack -ad",
	              "git branch -D x", "git branch -d x", "git branch -Df x",
	              "git branch -fD x", "git branch --delete x",
	              "git branch --dele x", "git branch -m a b",
	              "git branch -M a b", "git branch -f a b",
	              "git branch --force a b", "git branch --forc a b",
	              "git branch -C a b", "git branch -c a b",
	              "git branch --move a b", "git branch -u x",
	              "git branch a -D", "git tag -d x", "git tag -f x",
	              "git tag --delete x", "git tag -fa x -m y",
	              "git tag x -f", "git stash drop", "git stash clear",
	              "git stash pop", "git stash apply", "git stash branch x",
	              "git stash -a", "git stash push --all",
	              "git stash push -p", "git stash store x", "git checkout",
	              "git checkout main", "git checkout -f",
	              "git checkout -f main", "git checkout --force main",
	              "git checkout -B x", "git checkout -b x main",
	              "git checkout -bx", "git checkout -- a",
	              "git checkout HEAD a", "git checkout -- --exec",
	              "git checkout .", "git switch main", "git switch -f main",
	              "git switch --discard-changes main",
	              "git switch --disc main", "git switch -C x",
	              "git switch --force-create x", "git switch -c x main",
	              "git switch --no-overwrite-ignore -f main",
	              "git switch --no-overwrite-i main",
	              "git switch --merge main", "git switch --orphan x",
	              "git rebase main", "git rebase --abort",
	              "git commit --amend", "git commit --am",
	              "git commit -am x --amend", "git commit -m x --ame",
	              "git commit --no-verify -m x", "git commit -n -m x",
	              "git commit -nm x", "git commit -anm x", "git commit -p",
	              "git commit -v", "git commit -c HEAD",
	              "git commit -C HEAD", "git commit --reset-author",
	              "git filter-branch", "git update-ref HEAD x",
	              "git update-ref -d refs/heads/x",
	              "git symbolic-ref HEAD refs/heads/x",
	              "git symbolic-ref -d HEAD", "git fetch origin main:main",
	              "git fetch origin +main:main", "git fetch --force origin",
	              "git fetch origin refs/pull/1/head",
	              "git fetch origin pull/1/head", "git fetch -f",
	              "git fetch --prune-tags", "git fetch -P",
	              "git fetch --depth=1",
	              "git fetch --update-head-ok origin x",
	              "git fetch origin +x", "git remote rm origin",
	              "git remote remove origin", "git remote set-url origin x",
	              "git remote add x y", "git remote prune origin",
	              "git remote update", "git restore a",
	              "git restore --staged a", "git rm a", "git rm --cached a",
	              "git replace a b",
	              "git update-index --assume-unchanged a",
	              "git worktree prune", "git worktree remove x",
	              "git maintenance run", "git rerere clear",
	              "git pack-refs --all --prune"),
		ASKED);
}

test(what_writes_files_is_asked_about)
{
	check_all(LINES("git mv .ssh x", "git mv a b", "git apply x",
	                "git apply --unsafe-paths x", "git am x",
	                "git notes add -m x", "git notes",
	                "git worktree add ../x", "git clone x y",
	                "git submodule update", "git submodule foreach sh",
	                "git sparse-checkout set x", "git cherry-pick x",
	                "git revert x", "git merge x", "git merge --abort",
	                "git merge -s x y", "git pull", "git pull --rebase",
	                "git checkout-index -a", "git read-tree -u HEAD",
	                "git format-patch -1", "git archive HEAD",
	                "git archive --output=x HEAD",
	                "git bundle create x HEAD", "git hash-object -w x",
	                "git write-tree", "git commit-tree x",
	                "git fast-import", "git unpack-objects",
	                "git diff --output=a.c", "git diff --output a.c",
	                "git diff --outp=a.c", "git log --output=a.c",
	                "git init --bare", "git init --template=x",
	                "git init --t=x", "git init --separate-git-dir=x",
	                "git fsck --lost-found", "git add -f .env",
	                "git add --force .env", "git add -p", "git add -i",
	                "git add -e", "git add --pathspec-from-file=x",
	                "git add --edit"),
	          ASKED);
}

test(what_runs_something_else_is_asked_about)
{
	check_all(
		LINES("git -c alias.x=!sh x", "git -c core.pager=sh log",
	              "git -c core.fsmonitor=x status",
	              "git -ccore.pager=sh log", "git --exec-path=. status",
	              "git --git-dir=x status", "git --git-dir x status",
	              "git --work-tree=x status", "git --config-env=a=b status",
	              "git --namespace=x log", "git --bare log",
	              "git --attr-source=x log", "git --super-prefix=x log",
	              "git -p log", "git --paginate log", "git x",
	              "git config alias.x !sh", "git config --list",
	              "git config -l", "git bisect run sh",
	              "git difftool -x sh", "git mergetool", "git gui",
	              "git instaweb", "git send-email", "git credential fill",
	              "git daemon", "git shell", "git hook run pre-commit",
	              "git upload-pack .", "git receive-pack .",
	              "git fetch --upload-pack=sh origin",
	              "git fetch --upload-p sh origin", "git fetch ext::sh",
	              "git fetch ./x", "git fetch sub/x", "git fetch -u origin",
	              "git fetch --multiple a b",
	              "git fetch --recurse-submodules", "git fetch -4 ext::sh",
	              "git ls-remote --exec=sh x",
	              "git ls-remote --upload-pack=sh origin",
	              "git ls-remote --u=sh .", "git ls-remote .",
	              "git ls-remote ext::sh", "git ls-remote https://host/x",
	              "git ls-remote -o x origin", "git push --receive-pack sh",
	              "git push --receive-pack=sh origin",
	              "git push --exec=sh origin", "git push --e=sh origin",
	              "git push ext::sh", "git push --signed origin",
	              "git clone -c core.hooksPath=x y",
	              "git clone --template=x y", "git clone -- ext::sh",
	              "git rebase -x sh main", "git rebase -ix sh main",
	              "git grep -Osh x", "git grep -nO x",
	              "git grep --open-files-in-pager=sh x",
	              "git grep --open x", "git grep --no-index x",
	              "git grep --no-i x", "git grep --untracked x",
	              "git grep --textconv x",
	              "git grep --recurse-submodules x", "git grep -f .env",
	              "git grep -nf x", "git diff --ext-diff", "git diff --ext",
	              "git diff --textconv", "git diff --no-index a b",
	              "git diff --no-in a b", "git diff --submodule=diff",
	              "git diff -O.env", "git diff -a", "git show --ext-diff",
	              "git show --textconv HEAD", "git show --show-signature",
	              "git log --show-signature", "git log --ext-diff -p",
	              "git log --textconv -p", "git log -p --ext",
	              "git cat-file --textconv HEAD:a",
	              "git cat-file --filters HEAD:a", "git cat-file --batch",
	              "git blame --contents .env a",
	              "git blame --ignore-revs-file=.env a", "git blame -S x a",
	              "git stash list --ext-diff",
	              "git stash show --include-untracked", "git status -v",
	              "git status -vv", "git status --verbose",
	              "git commit --template=x", "git commit -t x",
	              "git commit -e", "git commit --gpg-sign", "git commit -S",
	              "git tag -s x", "git tag -u x y", "git tag -v x",
	              "git tag -F .env x", "git verify-commit HEAD",
	              "git branch --edit-description",
	              "git rev-parse --parseopt", "git log --help",
	              "git status --help", "npm exec x", "npm x y",
	              "npm init z", "npm create z", "npm explore x -- sh",
	              "npm config set script-shell sh", "npm config list",
	              "npm set x=y", "npm test --script-shell=sh",
	              "npm test -script-shell=sh",
	              "npm test ---script-shell=sh", "npm test -script-s=sh",
	              "npm test --ignore-script", "npm run x --node-options=-r",
	              "npm run x --prefix ../y", "npm run x --userconfig=x",
	              "npm -c sh exec", "npm --prefix x test", "npm -- test",
	              "npm install x", "npm install ./x", "npm i left-pad",
	              "npm install -g x", "npm install --global",
	              "npm install --no-save x", "npm add x", "npm uninstall x",
	              "npm rm x", "npm update", "npm up", "npm audit fix",
	              "npm version patch", "npm dedupe", "npm link", "npm pack",
	              "npm edit x", "npm publish", "npm unpublish x",
	              "npm deprecate x y", "npm owner add x", "npm token list",
	              "npm login", "npm logout", "npm adduser",
	              "npm access list", "npm dist-tag add x", "npm hook add x",
	              "npm team create x", "npm profile get", "npm star x",
	              "npm cache clean", "npm doctor", "npm trust",
	              "yarn add x", "yarn dlx x", "yarn anything",
	              "yarn install x", "yarn config set x", "yarn publish",
	              "pnpm dlx x", "pnpm exec x", "pnpm add x", "pnpm publish",
	              "cargo --config x build",
	              "cargo build --config build.rustc=sh",
	              "cargo build --conf build.rustc=sh",
	              "cargo build -Z unstable", "cargo build -Zx",
	              "cargo build --target-dir ../x",
	              "cargo build --manifest-path x/Cargo.toml",
	              "cargo build --out-dir x", "cargo +/x/y build",
	              "cargo -C x build", "cargo x", "cargo add x",
	              "cargo rm x", "cargo update", "cargo install x",
	              "cargo uninstall x", "cargo publish", "cargo yank x",
	              "cargo owner x", "cargo login", "cargo fix",
	              "cargo clippy --fix", "cargo rustc", "cargo init",
	              "cargo new x", "cargo nextest archive",
	              "cargo doc --open", "go test -exec sh ./...",
	              "go test --exec=sh ./...", "go test -c ./...",
	              "go test -o x ./...", "go test -coverprofile=x ./...",
	              "go build --toolexec=sh", "go build -toolexec sh",
	              "go build -o x", "go build -overlay x",
	              "go build -modfile=x", "go build -ldflags=-extld=sh",
	              "go build -gcflags=x", "go -C x build", "go generate",
	              "go install x@latest", "go run x@latest",
	              "go run -exec sh .", "go get x", "go env -w CC=sh",
	              "go env --w CC=sh", "go env -u CC", "go tool x",
	              "go mod edit", "go mod init x", "go mod vendor",
	              "go work use x", "go clean -modcache", "go clean",
	              "go vet -vettool=x", "go list -export", "go telemetry on",
	              "pytest -p plugin", "pytest -qp plugin",
	              "pytest -pplugin", "pytest -c other.ini",
	              "pytest -qc other.ini", "pytest --rootdir=x",
	              "pytest --rootd=x", "pytest -o addopts=x",
	              "pytest -W error::x.Y", "pytest --basetemp=x",
	              "pytest --pdbcls=x:y", "pytest --pdb",
	              "pytest --junit-xml=x", "pytest --import-mode=x",
	              "pytest --confcutdir=x", "pytest --pyargs x",
	              "pytest --debug=x", "pytest @args", "jest --config x",
	              "jest --config={}", "jest -c x", "jest --globalSetup x",
	              "jest --global-setup=x", "jest --runner x",
	              "jest --reporters=x", "jest --env=x", "jest --rootDir x",
	              "jest --outputFile=x", "jest --updateSnapshot", "jest -u",
	              "jest --init", "vitest --config x",
	              "vitest run --config x", "vitest run --reporter=./x.js",
	              "vitest run --reporter ./x.js", "vitest run -r x",
	              "vitest init browser", "vitest run --root ../x",
	              "vitest run --outputFile=x", "vitest run --ui",
	              "vitest run --api", "vitest run -u", "tsc --outDir x",
	              "tsc --OUTDIR x", "tsc --outFile x", "tsc --init",
	              "tsc --build --clean", "tsc @args",
	              "tsc --generateTrace x", "eslint -c x",
	              "eslint --config x", "eslint --rulesdir x",
	              "eslint --format ./x.js src",
	              "eslint --format=./x.js src", "eslint -f ./x.js src",
	              "eslint -o x src", "eslint --output-file x",
	              "eslint --plugin x", "eslint --parser x",
	              "eslint --resolve-plugins-relative-to x", "eslint --init",
	              "eslint --cache-location x",
	              "biome check --config-path=x", "biome migrate",
	              "biome init", "biome start", "make CC=sh",
	              "make check SHELL=./x", "make -f x", "make -fx",
	              "make --file=x", "make --eval=x", "make -C x",
	              "make -I x", "make -e", "make --makefile=x",
	              "meson setup x", "meson compile -C x --ninja-args=y",
	              "ninja -f x", "ninja -t clean", "ctest -S x",
	              "ctest -D x", "ctest --build-and-test x", "rg --pre sh x",
	              "rg --pre=sh x", "rg -f .env x", "rg -z x",
	              "rg --hostname-bin=x", "grep -f .env x",
	              "tar --to-command=sh -xf x", "rsync --rsh=sh a b",
	              "find . -exec sh"),
		ASKED);
}

/* Whatever begins as an option that discards does must not pass, for git takes
 * a beginning for the whole. */
test(no_beginning_of_an_option_passes)
{
	static const char *const options[][2] = {
		{ "push", "--force" },
		{ "push", "--force-with-lease" },
		{ "push", "--delete" },
		{ "push", "--mirror" },
		{ "push", "--prune" },
		{ "push", "--receive-pack" },
		{ "push", "--exec" },
		{ "push", "--no-verify" },
		{ "branch", "--delete" },
		{ "branch", "--force" },
		{ "branch", "--move" },
		{ "branch", "--copy" },
		{ "tag", "--delete" },
		{ "tag", "--force" },
		{ "commit", "--amend" },
		{ "commit", "--no-verify" },
		{ "commit", "--template" },
		{ "switch", "--discard-changes" },
		{ "switch", "--force" },
		{ "switch", "--force-create" },
		{ "fetch", "--upload-pack" },
		{ "fetch", "--force" },

		{ "ls-remote", "--upload-pack" },
		{ "diff", "--ext-diff" },
		{ "diff", "--output" },
		{ "diff", "--textconv" },
		{ "diff", "--no-index" },
		{ "log", "--ext-diff" },
		{ "log", "--output" },
		{ "grep", "--open-files-in-pager" },
		{ "grep", "--no-index" },
		{ "grep", "--untracked" },
		{ "stash", "--all" },
		{ "add", "--force" },
		{ "init", "--template" },
		{ "add", "--edit" },
	};
	struct dt_arena arena = { 0 };

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		const char *option = options[i][1];

		for (size_t len = 3; len <= strlen(option); len++) {
			const char *line = dt_arena_printf(
				&arena, "git %s %.*s", options[i][0], (int)len,
				option);
			const char *valued =
				dt_arena_printf(&arena, "%s=x", line);

			/* "--all" of fetch and its like are whole ones. */
			if (judged_in("/", line) != ASKED)
				fail_msg("%s", line);
			if (judged_in("/", valued) != ASKED)
				fail_msg("%s", valued);
		}
	}
	dt_arena_done(&arena);
}

/* As a remote it would be a repository of its own, hooks and all. */
test(a_folder_is_no_remote)
{
	const char *dir = *state;

	assert_int_equal(judged_in(dir, "git push evil main"), DT_NEED_SEEN);
	tempdir_mkdir(dir, "evil");
	assert_int_equal(judged_in(dir, "git push evil main"), ASKED);
	assert_int_equal(judged_in(dir, "git fetch evil"), ASKED);
	assert_int_equal(judged_in(dir, "git ls-remote evil"), ASKED);
}

test(a_folder_that_looks_like_a_repository_is_asked_about)
{
	const char *dir = *state;

	tempdir_mkdir(dir, "bare");
	tempdir_mkdir(dir, "bare/objects");
	tempdir_mkdir(dir, "bare/refs");
	assert_int_equal(judged_in(dir, "git -C bare status"), 0);
	tempdir_put(dir, "bare/HEAD", "ref: refs/heads/main\n");
	assert_int_equal(judged_in(dir, "git -C bare status"), ASKED);
	assert_int_equal(judged_in(dir, "git -C bare/refs log"), ASKED);
	assert_int_equal(judged_in(dir, "git -C bare -C .. log"), 0);
	assert_int_equal(judged_in(dir, "git log"), 0);
	tempdir_mkdir(dir, "bare/.git");
	assert_int_equal(judged_in(dir, "git -C bare status"), 0);
}

/* One file by its name, and nothing that git takes for more. */
test(a_diff_of_plain_files_prints_no_others)
{
	const char *dir = *state;

	tempdir_mkdir(dir, "sub");
	tempdir_put(dir, "a", "x");
	tempdir_put(dir, "sub/b", "x");
	assert_int_equal(judged_in(dir, "git diff -- a"), 0);
	assert_int_equal(judged_in(dir, "git diff --cached -- a sub/b"), 0);
	assert_int_equal(judged_in(dir, "git -C sub diff -- b"), 0);
	assert_int_equal(judged_in(dir, "git diff -- a sub"), DT_NEED_CHANGED);
	assert_int_equal(judged_in(dir, "git diff -- :a"), DT_NEED_CHANGED);
	assert_int_equal(judged_in(dir, "git diff -- a none"), DT_NEED_CHANGED);
	assert_int_equal(judged_in(dir, "git diff -- ?"), DT_NEED_CHANGED);
	assert_int_equal(judged_in(dir, "git diff a"), DT_NEED_HISTORY);
}

test(where_git_works_is_known)
{
	struct dt_arena arena = { 0 };
	size_t at;
	struct dt_wish wish =
		wish_of(&arena, "/w", "git -C a -P -C b log -C c");

	assert_string_equal(dt_arguments_folder(&arena, &wish, &at), "/w/a/b");
	assert_int_equal(at, 5);
	wish = wish_of(&arena, "/w", "npm -C a test");
	assert_string_equal(dt_arguments_folder(&arena, &wish, &at), "/w");
	assert_int_equal(at, 0);
	dt_arena_done(&arena);
}

static bool gather(const char *path, void *owner)
{
	dt_buf_addf(owner, "%s|", path);
	return strcmp(path, "stop") != 0;
}

static void check_paths(const char *argument, const char *expected)
{
	struct dt_arena arena = { 0 };
	struct dt_buf out;

	dt_buf_init(&out, 1000);
	dt_arguments_paths(&arena, argument, gather, &out);
	assert_string_equal(dt_buf_z(&out), expected);
	dt_buf_done(&out);
	dt_arena_done(&arena);
}

test(every_path_an_argument_may_mean_is_seen)
{
	check_paths("a/b", "a/b|");
	check_paths("--out=../x", "../x|");
	check_paths("-I/usr", "/usr|");
	check_paths("-qF/etc/x", "F/etc/x|/etc/x|");
	check_paths("-aF.env", "F.env|.env|");
	check_paths("-run=T/x", "un=T/x|n=T/x|=T/x|T/x|");
	check_paths("@/etc/x", "/etc/x|");
	check_paths("-q", "");
	check_paths("-", "");
	check_paths("HEAD:../x", "HEAD:../x|HEAD|../x|");
	check_paths("file:///etc", "file:///etc|file|///etc|");
	check_paths("https://host/x", "https://host/x|https|");
	check_paths("stop", "stop|");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_reads_runs),
		cmocka_unit_test(what_runs_hooks_or_scripts_is_looked_at),
		cmocka_unit_test(a_commit_looks_at_all_that_defines_something),
		cmocka_unit_test(what_prints_changes_is_looked_at),
		cmocka_unit_test(what_prints_files_of_now_is_looked_at),
		cmocka_unit_test(what_prints_files_of_then_is_looked_at),
		cmocka_unit_test(of_a_diff_a_commit_counts),
		cmocka_unit_test(what_reads_a_folder_is_looked_at),
		cmocka_unit_test(what_discards_is_asked_about),
		cmocka_unit_test(what_writes_files_is_asked_about),
		cmocka_unit_test(what_runs_something_else_is_asked_about),
		cmocka_unit_test(no_beginning_of_an_option_passes),
		test_in_tempdir(a_folder_is_no_remote),
		test_in_tempdir(
			a_folder_that_looks_like_a_repository_is_asked_about),
		test_in_tempdir(a_diff_of_plain_files_prints_no_others),
		cmocka_unit_test(where_git_works_is_known),
		cmocka_unit_test(every_path_an_argument_may_mean_is_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
