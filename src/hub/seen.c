/*
 * hub/seen.c - the files that define what runs, and digests of those seen.
 *
 * The memory is one file of the state directory, a line for each text that the
 * person accepted.  What is not in it is asked about once more, so it may be cut
 * short, or be deleted, without harm.
 */
#include "hub/seen.h"

#include "base/buf.h"
#include "base/file.h"
#include "base/glob.h"
#include "base/limits.h"
#include "base/path.h"
#include "base/str.h"

#include <string.h>
#include <sys/stat.h>

#define FILE_LIMIT (8u * DT_MIB)
#define MEMORY_LIMIT (256u * DT_KIB)

/* Both lists have blanks between their words. */
static const struct {
	const char *programs; /* "*": every one */
	const char *globs;
} defining[] = {
	/* What is ignored is not looked for, so what says it counts. */
	{ "*", ".gitignore" },
	{
		"npm pnpm yarn jest vitest tsc eslint biome git",
		"package.json package-lock.json npm-shrinkwrap.json "
		"pnpm-lock.yaml pnpm-workspace.yaml .pnpmfile.* yarn.lock "
		".npmrc .yarnrc .yarnrc.yml binding.gyp",
	},
	{
		"npm pnpm yarn jest vitest",
		"jest.config.* jest.setup.* jest-preset.* vitest.config.* "
		"vitest.workspace.* vitest.setup.* vite.config.* .babelrc* "
		"babel.config.* .swcrc .mocharc* ava.config.* "
		"karma.conf.* playwright.config.* webpack.config.* "
		"rollup.config.*",
	},
	{ "npm pnpm yarn tsc vitest jest", "tsconfig*.json" },
	{ "npm pnpm yarn eslint", "eslint.config.* .eslintrc*" },
	{ "npm pnpm yarn biome", "biome.json*" },
	{
		"pytest",
		"pytest.ini .pytest.ini pyproject.toml setup.cfg setup.py "
		"tox.ini conftest.py sitecustomize.py usercustomize.py "
		"noxfile.py",
	},
	{
		"cargo",
		"Cargo.toml Cargo.lock build.rs .cargo/config "
		".cargo/config.toml rust-toolchain rust-toolchain.toml "
		"rustfmt.toml .rustfmt.toml clippy.toml .clippy.toml "
		".config/nextest.toml",
	},
	{ "go", "go.mod go.sum go.work go.work.sum" },
	{ "make meson ninja ctest", "Makefile makefile GNUmakefile *.mk" },
	{
		"make meson ninja ctest",
		"meson.build meson.options meson_options.txt CMakeLists.txt "
		"CTestTestfile.cmake *.cmake build.ninja",
	},
	{
		/* Hooks that lie in the work tree, and who manages them. */
		"git",
		".husky/* .husky/_/* .githooks/* .huskyrc* "
		".pre-commit-config.yaml lefthook.yml lefthook.yaml "
		".lefthook.yml .lintstagedrc* lint-staged.config.* "
		".overcommit.yml commitlint.config.* .commitlintrc*",
	},
};

/* which files */

static bool is_about(size_t row, const char *program)
{
	struct dt_str rest = dt_str(defining[row].programs);
	struct dt_str word;

	while ((word = dt_str_cut_word(&rest)).len > 0) {
		if (!program || dt_str_is(word, program) ||
		    dt_str_is(word, "*"))
			return true;
	}
	return false;
}

struct dt_names dt_seen_globs(struct dt_arena *arena, const char *program)
{
	struct dt_names names = { 0 };
	size_t room = 0;

	for (size_t i = 0; i < sizeof(defining) / sizeof(defining[0]); i++)
		room += strlen(defining[i].globs);
	names.ptr = dt_arena_alloc(arena, room * sizeof(*names.ptr));
	for (size_t i = 0; i < sizeof(defining) / sizeof(defining[0]); i++) {
		struct dt_str rest = dt_str(defining[i].globs);
		struct dt_str word;

		while (is_about(i, program) &&
		       (word = dt_str_cut_word(&rest)).len > 0)
			names.ptr[names.count++] =
				dt_arena_strndup(arena, word.ptr, word.len);
	}
	return names;
}

bool dt_seen_is_defining(const char *path)
{
	struct dt_arena arena = { 0 };
	struct dt_names globs = dt_seen_globs(&arena, NULL);
	bool is_found = false;

	for (size_t i = 0; i < globs.count && !is_found; i++)
		is_found = dt_glob_matches(
			dt_str(dt_arena_printf(&arena, "**/%s", globs.ptr[i])),
			dt_str(path));
	dt_arena_done(&arena);
	return is_found;
}

/* what is in them */

struct dt_seen_file dt_seen_read(const char *path)
{
	struct dt_seen_file file = { .path = path };
	struct dt_buf text;
	struct stat st;

	dt_buf_init(&text, FILE_LIMIT);
	if (!dt_file_read(path, &text, NULL))
		dt_sha256_hex(text.ptr ? text.ptr : "", text.len, file.digest);
	else if (!lstat(path, &st))
		memcpy(file.digest, "?", 2);
	dt_buf_done(&text);
	return file;
}

/* the memory */

static const char *memory_of(struct dt_arena *arena, const char *state)
{
	return dt_path_join(arena, state, "seen");
}

/* NULL: it cannot be written down. */
static const char *line_of(struct dt_arena *arena,
                           const struct dt_seen_file *file)
{
	if (strchr(file->path, '\n') || !strcmp(file->digest, "?"))
		return NULL;
	return dt_arena_printf(arena, "%s %s",
	                       *file->digest ? file->digest : "-", file->path);
}

static bool has_line(struct dt_str text, const char *line)
{
	while (text.len > 0) {
		if (dt_str_is(dt_str_cut(&text, '\n'), line))
			return true;
	}
	return false;
}

bool dt_seen_has(const char *state, const struct dt_seen_file *file)
{
	struct dt_arena arena = { 0 };
	const char *line = line_of(&arena, file);
	struct dt_buf text;
	bool is_found;

	dt_buf_init(&text, MEMORY_LIMIT);
	is_found = line &&
	           !dt_file_read(memory_of(&arena, state), &text, NULL) &&
	           has_line(dt_buf_str(&text), line);
	dt_buf_done(&text);
	dt_arena_done(&arena);
	return is_found;
}

/* The younger half. */
static struct dt_str newest(struct dt_str text)
{
	if (text.len < MEMORY_LIMIT / 2)
		return text;
	text.ptr += text.len - MEMORY_LIMIT / 4;
	text.len = MEMORY_LIMIT / 4;
	dt_str_cut(&text, '\n');
	return text;
}

enum dt_err dt_seen_add(const char *state, const struct dt_seen_file *files,
                        size_t count, struct dt_fail *fail)
{
	struct dt_arena arena = { 0 };
	const char *path = memory_of(&arena, state);
	struct dt_buf old;
	struct dt_buf text;
	enum dt_err err;

	dt_buf_init(&old, MEMORY_LIMIT);
	dt_buf_init(&text, MEMORY_LIMIT);
	/* What cannot be read begins anew. */
	if (!dt_file_read(path, &old, NULL))
		dt_buf_add_str(&text, newest(dt_buf_str(&old)));
	for (size_t i = 0; i < count; i++) {
		const char *line = line_of(&arena, &files[i]);

		if (line && !has_line(dt_buf_str(&text), line))
			dt_buf_addf(&text, "%s\n", line);
	}
	err = dt_buf_check(&text, "what was seen", fail);
	if (!err)
		err = dt_file_write(path, dt_buf_str(&text), 0600, fail);
	dt_buf_done(&old);
	dt_buf_done(&text);
	dt_arena_done(&arena);
	return err;
}

/* reviews */

static void add_text(const char *state, const char *path, struct dt_str text)
{
	struct dt_arena arena = { 0 };
	struct dt_seen_file file = { .path = path };
	const char *real;

	if (dt_seen_is_defining(path)) {
		if (!dt_path_real(&arena, path, &real, NULL))
			file.path = real;
		if (text.ptr)
			dt_sha256_hex(text.ptr, text.len, file.digest);
		/* Not to remember it means to be asked once more. */
		(void)!dt_seen_add(state, &file, 1, NULL);
	}
	dt_arena_done(&arena);
}

void dt_seen_review(const char *state, const struct dt_review *review)
{
	if (!dt_review_is_accepted(review->state) || review->is_by_rule)
		return;
	for (size_t i = 0; i < review->set.count; i++) {
		const struct dt_entry *e = &review->set.entries[i];

		if (e->is_left_out)
			continue;
		if (e->new_path) {
			add_text(state, e->path, (struct dt_str){ 0 });
			add_text(state, e->new_path, e->old_text);
		}
		if (!e->new_path || e->final.ptr)
			add_text(state, e->new_path ? e->new_path : e->path,
			         e->final);
	}
}
