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
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_LIMIT (256u * DT_KIB) /* of a file that is looked at */
#define RUNNERS_MAX 16
#define ARGS_MAX 8

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
		    DT_TEXT_INSIDE, &buf, NULL, NULL))
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

static bool see_python(struct search *s, const char *name)
{
	size_t len = strlen(name);
	const char *text;

	if (strncmp(name, "test", 4) != 0 || len < 3 ||
	    strcmp(name + len - 3, ".py") != 0)
		return true;
	text = text_of(s, name);
	if (strstr(text, "unittest.TestCase") || strstr(text, "(TestCase)"))
		add(s, "unittest", name, "python3",
		    WORDS("-m", "unittest", "discover", "-v", "-k", "%f"));
	else
		add(s, "pytest", name, "pytest",
		    WORDS("-q", "--tb=short", "-rfE", "-k", "%f"));
	return false;
}

static void find_python(struct search *s)
{
	static const struct {
		const char *file;
		const char *section; /* NULL: that it is there is enough */
	} signs[] = {
		{ "pytest.ini", NULL },
		{ "conftest.py", NULL },
		{ "tests/conftest.py", NULL },
		{ "pyproject.toml", "[tool.pytest" },
		{ "setup.cfg", "[tool:pytest]" },
		{ "tox.ini", "[pytest]" },
	};

	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
		if (!has_file(s, signs[i].file) ||
		    (signs[i].section &&
		     !has_line(text_of(s, signs[i].file), signs[i].section)))
			continue;
		add(s, "pytest", signs[i].file, "pytest",
		    WORDS("-q", "--tb=short", "-rfE", "-k", "%f"));
		return;
	}
	each_name(s, s->folder, see_python);
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
