/*
 * backend/test_runners.c - what the files of a folder say about its tests.
 *
 * Nothing is run here.  Files are read beneath the roots and only as far as
 * needed; which command comes of them is a table.  A filter becomes one argument
 * and never an option.
 */
#include "backend/test_runners.h"

#include "backend/command.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/path.h"
#include "data/json.h"
#include "editor/run.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_LIMIT (256u * DT_KIB) /* of a file that is looked at */
#define RUNNERS_MAX 16
#define ARGS_MAX 12
#define DEPTH_MAX 4      /* of folders below that are looked into */
#define ENTRIES_MAX 4000 /* names that are looked at in all of them */

struct search {
	struct dt_headless *h;
	struct dt_arena arena;
	const char *folder;
	const char *filter; /* or NULL */
	struct dt_test_runner runners[RUNNERS_MAX];
	size_t count;
};

/* One that was found; "%f" among the words is the filter, and a short option
 * before it goes with it where there is none. */
static void add(struct search *s, const char *name, const char *because,
                const char *command, const char *const *words)
{
	struct dt_test_runner *r = &s->runners[s->count];

	if (s->count == RUNNERS_MAX)
		return;
	*r = (struct dt_test_runner){
		.name = name,
		.command = command,
		.args.ptr =
			dt_arena_alloc(&s->arena, ARGS_MAX * sizeof(char *)),
		.cwd = s->folder,
		.because = because,
	};
	for (; *words; words++) {
		bool is_filter = !strcmp(*words, "%f");
		bool leads_to_one = words[1] && !strcmp(words[1], "%f") &&
		                    words[0][0] == '-' && words[0][1] != '-';

		if (!s->filter && (is_filter || leads_to_one))
			continue;
		r->has_filter |= is_filter;
		r->args.ptr[r->args.count++] = is_filter ? s->filter : *words;
	}
	s->count++;
}

#define WORDS(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* files */

static bool has_file(const struct search *s, const char *name)
{
	char *path = dt_asprintf("%s/%s", s->folder, name);
	bool is_there = !access(path, F_OK);

	free(path);
	return is_there;
}

/* The text of a file of the folder in the arena; "": it cannot be read. */
static const char *text_of(struct search *s, const char *name)
{
	const char *text = "";
	struct dt_buf buf;

	dt_buf_init(&buf, FILE_LIMIT);
	if (!dt_documents_read(
		    s->h->docs,
		    dt_arena_printf(&s->arena, "%s/%s", s->folder, name),
		    DT_TEXT_TOLD, &buf, NULL, NULL))
		text = dt_arena_strdup(&s->arena, dt_buf_z(&buf));
	dt_buf_done(&buf);
	return text;
}

/* A line that begins with it. */
static bool has_line(const char *text, const char *start)
{
	size_t len = strlen(start);

	while (text) {
		if (!strncmp(text, start, len))
			return true;
		text = strchr(text, '\n');
		if (text)
			text++;
	}
	return false;
}

/* The names in a folder, in the arena; `fn` returns false to end it. */
static void each_name(struct search *s, const char *folder,
                      bool (*fn)(struct search *s, const char *name))
{
	DIR *dir = opendir(folder);
	const struct dirent *entry;
	bool goes_on = true;

	while (dir && goes_on && (entry = readdir(dir)))
		goes_on = entry->d_name[0] == '.' ||
		          fn(s, dt_arena_strdup(&s->arena, entry->d_name));
	if (dir)
		closedir(dir);
}

/* Python */

/* Folders that pytest does not look into, and where others keep packages. */
static bool is_foreign(const char *name)
{
	static const char *const names[] = { "CVS",          "_darcs",
		                             "build",        "dist",
		                             "node_modules", "venv",
		                             "env",          "site-packages",
		                             "__pycache__",  "{arch}" };
	size_t len = strlen(name);

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcmp(names[i], name))
			return true;
	}
	return name[0] == '.' || name[0] == '-' ||
	       (len > 4 && !strcmp(name + len - 4, ".egg"));
}

static bool has_end(const char *name, const char *end)
{
	size_t len = strlen(name);
	size_t end_len = strlen(end);

	return len >= end_len && !strcmp(name + len - end_len, end);
}

static void add_unittest(struct search *s, const char *file)
{
	const char *name = dt_path_base(file);
	const char *folder;
	const char *init;

	if (name == file) {
		add(s, "unittest", file, "python3",
		    WORDS("-m", "unittest", "discover", "-v", "-k", "%f"));
		return;
	}
	folder = dt_arena_strndup(&s->arena, file, (size_t)(name - file - 1));
	init = dt_arena_printf(&s->arena, "%s/__init__.py", folder);
	/* A package is imported by its name from here. */
	if (has_file(s, init))
		add(s, "unittest", file, "python3",
		    WORDS("-m", "unittest", "discover", "-v", "-s", folder,
		          "-t", ".", "-k", "%f"));
	else
		add(s, "unittest", file, "python3",
		    WORDS("-m", "unittest", "discover", "-v", "-s", folder,
		          "-k", "%f"));
}

static void add_pytest(struct search *s, const char *because)
{
	add(s, "pytest", because, "pytest",
	    WORDS("-q", "--tb=short", "-rfE", "-k", "%f"));
}

/* pytest takes test_*.py and *_test.py, unittest test*.py; true: it is one. */
static bool see_python(struct search *s, const char *file)
{
	const char *name = dt_path_base(file);
	bool is_pytest_s = has_end(name, "_test.py") ||
	                   (has_end(name, ".py") && !strncmp(name, "test_", 5));
	bool is_unittest_s = has_end(name, ".py") && !strncmp(name, "test", 4);
	const char *text;

	if (!is_pytest_s && !is_unittest_s)
		return false;
	text = text_of(s, file);
	if (is_unittest_s &&
	    (strstr(text, "unittest.TestCase") || strstr(text, "(TestCase)")))
		add_unittest(s, file);
	else if (is_pytest_s)
		add_pytest(s, file);
	else
		return false;
	return true;
}

static bool is_folder(DIR *dir, const struct dirent *entry)
{
	struct stat st;

	if (entry->d_type != DT_UNKNOWN)
		return entry->d_type == DT_DIR;
	return !fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) &&
	       S_ISDIR(st.st_mode);
}

/* A level of folders at a time, the nearest first; links are not followed.
 * NOLINTNEXTLINE(misc-no-recursion): DEPTH_MAX ends it. */
static bool look_below(struct search *s, const char *below, unsigned depth,
                       unsigned *room)
{
	DIR *dir =
		opendir(dt_arena_printf(&s->arena, "%s/%s", s->folder, below));
	const struct dirent *entry;
	bool is_found = false;

	while (dir && !is_found && *room > 0 && (entry = readdir(dir))) {
		const char *name =
			dt_arena_printf(&s->arena, "%s%s%s", below,
		                        *below ? "/" : "", entry->d_name);

		--*room;
		if (is_foreign(entry->d_name))
			continue;
		if (!is_folder(dir, entry))
			is_found = depth == 0 && see_python(s, name);
		else if (depth > 0)
			is_found = look_below(s, name, depth - 1, room);
	}
	if (dir)
		closedir(dir);
	return is_found;
}

static bool has_python(const struct search *s)
{
	for (size_t i = 0; i < s->count; i++) {
		if (!strcmp(s->runners[i].name, "pytest") ||
		    !strcmp(s->runners[i].name, "unittest"))
			return true;
	}
	return false;
}

/* Tests in folders below are the last to be asked: many a project has a few
 * beside those of its own language. */
static void find_python_below(struct search *s)
{
	unsigned room = ENTRIES_MAX;
	bool is_found = has_python(s);

	for (unsigned depth = 1; depth <= DEPTH_MAX && !is_found; depth++)
		is_found = look_below(s, "", depth, &room);
}

static void find_python(struct search *s)
{
	static const struct {
		const char *file;
		const char *section; /* NULL: that it is there is enough */
	} signs[] = {
		{ "pytest.ini", NULL },
		{ ".pytest.ini", NULL },
		{ "conftest.py", NULL },
		{ "tests/conftest.py", NULL },
		{ "test/conftest.py", NULL },
		{ "pyproject.toml", "[tool.pytest" },
		{ "setup.cfg", "[tool:pytest]" },
		{ "tox.ini", "[pytest]" },
	};
	unsigned room = ENTRIES_MAX;

	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
		if (!has_file(s, signs[i].file) ||
		    (signs[i].section &&
		     !has_line(text_of(s, signs[i].file), signs[i].section)))
			continue;
		add_pytest(s, signs[i].file);
		return;
	}
	(void)look_below(s, "", 0, &room);
}

/* JavaScript */

static const char *script_of(struct search *s, const struct dt_json *package)
{
	const struct dt_json *scripts = dt_json_get(package, "scripts");
	const struct dt_json *script =
		scripts ? dt_json_get(scripts, "test") : NULL;
	struct dt_str text = { 0 };

	if (!script || script->type != DT_JSON_STRING)
		return NULL;
	text = dt_json_text(&s->arena, script);
	return dt_arena_strndup(&s->arena, text.ptr, text.len);
}

static void add_script(struct search *s)
{
	static const char because[] = "scripts.test of package.json";

	if (has_file(s, "pnpm-lock.yaml"))
		add(s, "pnpm", because, "pnpm", WORDS("test"));
	else if (has_file(s, "yarn.lock"))
		add(s, "yarn", because, "yarn", WORDS("test"));
	else
		add(s, "npm", because, "npm", WORDS("test"));
}

/* Runners that tell their results as JSON are asked themselves. */
static void find_javascript(struct search *s)
{
	const struct dt_json *package = NULL;
	const char *script;

	if (dt_json_read(&s->arena, dt_str(text_of(s, "package.json")),
	                 &package, NULL) ||
	    package->type != DT_JSON_OBJECT)
		return;
	script = script_of(s, package);
	if (!script || strstr(script, "no test specified"))
		return;
	if (strstr(script, "vitest"))
		add(s, "vitest", "scripts.test of package.json", "vitest",
		    WORDS("run", "--reporter=json", "-t", "%f"));
	else if (strstr(script, "jest"))
		add(s, "jest", "scripts.test of package.json", "jest",
		    WORDS("--ci", "--json", "-t", "%f"));
	else
		add_script(s);
}

/* build folders */

static bool see_build(struct search *s, const char *name)
{
	if (strncmp(name, "build", 5) != 0 &&
	    strncmp(name, "cmake-build", 11) != 0 && strcmp(name, "out") != 0)
		return true;
	if (has_file(s, dt_arena_printf(&s->arena, "%s/meson-info", name)))
		add(s, "meson", name, "meson",
		    WORDS("test", "-C", name, "--print-errorlogs", "%f"));
	else if (has_file(s, dt_arena_printf(&s->arena,
	                                     "%s/CTestTestfile.cmake", name)))
		add(s, "ctest", name, "ctest",
		    WORDS("--test-dir", name, "--output-on-failure", "-R",
		          "%f"));
	return true;
}

static void find_make(struct search *s)
{
	static const char *const files[] = { "GNUmakefile", "makefile",
		                             "Makefile" };

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		const char *text;

		if (!has_file(s, files[i]))
			continue;
		text = text_of(s, files[i]);
		if (has_line(text, "check:"))
			add(s, "make", files[i], "make", WORDS("check"));
		else if (has_line(text, "test:"))
			add(s, "make", files[i], "make", WORDS("test"));
		return;
	}
}

static void find_all(struct search *s)
{
	find_python(s);
	if (has_file(s, "Cargo.toml"))
		add(s, "cargo", "Cargo.toml", "cargo",
		    WORDS("test", "--no-fail-fast", "%f"));
	if (has_file(s, "go.mod"))
		add(s, "go", "go.mod", "go",
		    WORDS("test", "-json", "-run", "%f", "./..."));
	if (has_file(s, "package.json"))
		find_javascript(s);
	each_name(s, s->folder, see_build);
	find_make(s);
	find_python_below(s);
}

void dt_test_runners_find(struct dt_headless *h, const void *args,
                          struct dt_answer *answer)
{
	const struct dt_find_tests_args *wanted = args;
	struct search s = { .h = h, .filter = wanted->filter };
	struct dt_find_tests_result result = { { s.runners, 0 } };
	const char *relative;
	struct dt_fail fail = { 0 };

	if (wanted->filter && wanted->filter[0] == '-')
		dt_fail(&fail, DT_E_ARGS, "a filter does not begin with '-'");
	if (fail.code ||
	    dt_run_command_folder(h, &s.arena, wanted->cwd, &s.folder, &fail)) {
		dt_answer_fail(answer, &fail);
		dt_arena_done(&s.arena);
		return;
	}
	find_all(&s);
	while (s.count == 0 &&
	       dt_documents_root_of(h->docs, s.folder, &relative) &&
	       *relative) {
		s.folder = dt_path_join(&s.arena, s.folder, "..");
		find_all(&s);
	}
	result.runners.count = s.count;
	dt_answer_end(answer, &result);
	dt_arena_done(&s.arena);
}
