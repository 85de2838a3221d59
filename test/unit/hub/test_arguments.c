/* test/unit/hub/test_arguments.c - what turns an allowed program into another. */
#include "hub/arguments.h"

#include "unit.h"

/* The words of a line, blanks between them. */
static struct dt_wish wish_of(struct dt_arena *arena, const char *line)
{
	struct dt_str rest = dt_str(line);
	struct dt_str word = dt_str_cut_word(&rest);
	struct dt_wish wish = { .folder = "/" };

	wish.name = dt_arena_strndup(arena, word.ptr, word.len);
	wish.args.ptr = dt_arena_alloc(arena, 20 * sizeof(char *));
	for (word = dt_str_cut_word(&rest); word.len;
	     word = dt_str_cut_word(&rest))
		wish.args.ptr[wish.args.count++] =
			dt_arena_strndup(arena, word.ptr, word.len);
	return wish;
}

static bool is_asked(const char *line)
{
	struct dt_arena arena = { 0 };
	struct dt_wish wish = wish_of(&arena, line);
	struct dt_fail fail = { 0 };
	enum dt_err err = dt_arguments_check(&wish, &fail);

	assert_true(err == DT_E_OK || err == DT_E_DENIED);
	assert_int_equal(err != DT_E_OK, fail.msg[0] != '\0');
	dt_arena_done(&arena);
	return err;
}

test(everyday_commands_are_not_asked_about)
{
	static const char *const lines[] = {
		"git",
		"git --version",
		"git status --short",
		"git -C src --no-pager log --oneline -5 main..HEAD",
		"git commit -m text -s",
		"git switch -c topic",
		"git grep std::vector",
		"git checkout -- --exec",
		"git fetch --all --prune",
		"git stash push -u",
		"npm ci",
		"npm run build -- --mode production",
		"npm test",
		"cargo +nightly test --workspace -- --nocapture",
		"cargo build --release --locked",
		"go test -run TestX -count=1 ./...",
		"go run ./cmd/x",
		"pytest -q -k name --maxfail=1 -x tests",
		"jest --ci -t name -i",
		"vitest run -t name",
		"tsc --noEmit -p tsconfig.json",
		"eslint --fix --format json src",
		"npm ls --all -- --x",
		"go test -run=TestX/sub -v -race -cover ./...",
		"git log -1 -p --oneline --stat -U3",
		"biome check src",
		"sed -i s/a/b/ file",
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		if (is_asked(lines[i]))
			fail_msg("%s", lines[i]);
	}
}

test(what_makes_a_program_run_another_is_asked_about)
{
	static const char *const lines[] = {
		"git -c alias.x=!sh x",
		"git -c core.pager=sh log",
		"git --exec-path=. status",
		"git --git-dir=x status",
		"git --config-env=a=b status",
		"git -p log",
		"git x",
		"git config alias.x !sh",
		"git bisect run sh",
		"git submodule foreach sh",
		"git filter-branch",
		"git difftool -x sh",
		"git fetch --upload-pack=sh origin",
		"git fetch --upload-p sh origin",
		"git ls-remote --exec=sh x",
		"git push --receive-pack sh",
		"git clone -c core.hooksPath=x y",
		"git clone --config x=y z",
		"git clone -u sh x",
		"git clone --template=x y",
		"git rebase -x sh main",
		"git rebase -ix sh main",
		"git grep -Osh x",
		"git grep --open-files-in-pager=sh x",
		"git diff --ext-diff",
		"git diff --output=a.c",
		"git merge -s x y",
		"git ls-remote --u=sh .",
		"git clone --u sh .",
		"git push --e=sh origin",
		"git init --t=x",
		"git apply --unsafe-paths x",
		"git clone -- ext::sh",
		"git remote add x ext::sh",
		"git clone ext::sh",
		"npm exec x",
		"npm x y",
		"npm init z",
		"npm explore x -- sh",
		"npm config set script-shell sh",
		"npm test --script-shell=sh",
		"npm test -script-shell=sh",
		"npm test ---script-shell=sh",
		"npm test -script-s=sh",
		"npm install -g x",
		"npm run x --node-options=-r",
		"npm -c sh exec",
		"cargo --config x build",
		"cargo build --config build.rustc=sh",
		"cargo build -Z unstable",
		"cargo +/x/y build",
		"cargo x",
		"cargo install x",
		"go test -exec sh ./...",
		"go build --toolexec=sh",
		"go build -ldflags=-extld=sh",
		"go generate",
		"go install x@latest",
		"go run x@latest",
		"go env -w CC=sh",
		"go env --w CC=sh",
		"pytest -p plugin",
		"pytest -qp plugin",
		"pytest -c other.ini",
		"pytest --rootdir=x",
		"pytest -o addopts=x",
		"jest --config x",
		"jest --config={}",
		"jest --globalSetup x",
		"jest --global-setup x",
		"jest --global-setup=x",
		"vitest --config x",
		"eslint -c x",
		"eslint --rulesdir x",
		"biome check --config-path=x",
		"tar --to-command=sh -xf x",
		"rsync --rsh=sh a b",
		"find . -exec sh",
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		if (!is_asked(lines[i]))
			fail_msg("%s", lines[i]);
	}
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
		cmocka_unit_test(everyday_commands_are_not_asked_about),
		cmocka_unit_test(
			what_makes_a_program_run_another_is_asked_about),
		cmocka_unit_test(every_path_an_argument_may_mean_is_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
