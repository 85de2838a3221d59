/*
 * tool/manifest.c - package.json, pyproject.toml, Cargo.toml, go.mod and the
 * like, read for the few things that one wants to know of any project.
 *
 * TOML is read line by line: a table, a key and a plain string are enough.
 */
#include "tool/manifest.h"

#include "data/json.h"

#include <string.h>

/* The first of several counts. */
static void set(struct dt_arena *arena, const char **member, struct dt_str text)
{
	if (!*member && text.len > 0)
		*member = dt_arena_strndup(arena, text.ptr, text.len);
}

static struct dt_str string_of(struct dt_arena *arena,
                               const struct dt_json *json)
{
	if (!json || json->type != DT_JSON_STRING)
		return (struct dt_str){ 0 };
	return dt_json_text(arena, json);
}

/* package.json */

static void read_runner(struct dt_manifest *m, const struct dt_json *json)
{
	static const char *const runners[] = { "vitest", "jest", "mocha", "ava",
		                               NULL };

	for (size_t i = 0; runners[i] && !m->tests; i++) {
		if (dt_json_get(dt_json_get(json, "devDependencies"),
		                runners[i]) ||
		    dt_json_get(dt_json_get(json, "dependencies"), runners[i]))
			m->tests = runners[i];
	}
}

static void read_package(struct dt_manifest *m, struct dt_arena *arena,
                         struct dt_str text)
{
	const struct dt_json *scripts;
	const struct dt_json *json;

	if (dt_json_read(arena, text, &json, NULL))
		return;
	set(arena, &m->name, string_of(arena, dt_json_get(json, "name")));
	set(arena, &m->version, string_of(arena, dt_json_get(json, "version")));
	read_runner(m, json);
	scripts = dt_json_get(json, "scripts");
	if (!scripts || scripts->type != DT_JSON_OBJECT)
		return;
	dt_json_each(key, scripts) {
		struct dt_str name = dt_json_text(arena, key);
		struct dt_str command = string_of(arena, dt_json_value(key));

		if (m->script_count == DT_MANIFEST_SCRIPTS || !command.len)
			continue;
		m->scripts[m->script_count++] = (struct dt_script){
			dt_arena_strndup(arena, name.ptr, name.len),
			dt_arena_strndup(arena, command.ptr, command.len),
		};
		if (!m->tests && dt_str_is(name, "test"))
			m->tests = "npm";
	}
}

/* TOML */

/* key = "value"; false: this line is another one. */
static bool read_pair(struct dt_str line, const char *key,
                      struct dt_str *out_value)
{
	struct dt_str value = line;
	struct dt_str name = dt_str_trim(dt_str_cut(&value, '='));

	value = dt_str_trim(value);
	if (!dt_str_is(name, key) || value.len < 2 ||
	    (value.ptr[0] != '"' && value.ptr[0] != '\''))
		return false;
	line = (struct dt_str){ value.ptr + 1, value.len - 1 };
	*out_value = dt_str_cut(&line, value.ptr[0]);
	return true;
}

static void read_toml(struct dt_manifest *m, struct dt_arena *arena,
                      struct dt_str text)
{
	static const char *const tables[] = { "[project]", "[package]",
		                              "[tool.poetry]", NULL };
	bool is_about = false;

	while (text.len > 0) {
		struct dt_str line = dt_str_cut(&text, '\n');
		struct dt_str value;

		if (line.len > 0 && line.ptr[line.len - 1] == '\r')
			line.len--;
		line = dt_str_trim(line);
		if (line.len > 0 && line.ptr[0] == '[') {
			is_about = false;
			for (size_t i = 0; tables[i]; i++)
				is_about |= dt_str_is(line, tables[i]);
		}
		if (is_about && read_pair(line, "name", &value))
			set(arena, &m->name, value);
		if (is_about && read_pair(line, "version", &value))
			set(arena, &m->version, value);
		if (!m->tests && dt_str_starts(line, DT_STR("[tool.pytest")))
			m->tests = "pytest";
	}
}

static void read_cargo(struct dt_manifest *m, struct dt_arena *arena,
                       struct dt_str text)
{
	read_toml(m, arena, text);
	if (!m->tests)
		m->tests = "cargo";
}

/* one line each */

static void read_go(struct dt_manifest *m, struct dt_arena *arena,
                    struct dt_str text)
{
	while (text.len > 0) {
		struct dt_str line = dt_str_cut(&text, '\n');
		struct dt_str word = dt_str_cut_word(&line);

		if (dt_str_is(word, "module"))
			set(arena, &m->name, dt_str_cut_word(&line));
	}
	if (!m->tests)
		m->tests = "go";
}

/* project('name', ... version: '1' */
static void read_meson(struct dt_manifest *m, struct dt_arena *arena,
                       struct dt_str text)
{
	const char *at =
		text.len ? memmem(text.ptr, text.len, "project(", 8) : NULL;
	const char *end = text.ptr + text.len;
	struct dt_str rest;

	if (!m->tests)
		m->tests = "meson";
	at = at ? memchr(at, '\'', (size_t)(end - at)) : NULL;
	if (!at)
		return;
	rest = (struct dt_str){ at + 1, (size_t)(end - at - 1) };
	set(arena, &m->name, dt_str_cut(&rest, '\''));
	at = rest.len ? memmem(rest.ptr, rest.len, "version:", 8) : NULL;
	at = at ? memchr(at, '\'', (size_t)(end - at)) : NULL;
	if (!at)
		return;
	rest = (struct dt_str){ at + 1, (size_t)(end - at - 1) };
	set(arena, &m->version, dt_str_cut(&rest, '\''));
}

static void read_head(struct dt_manifest *m, struct dt_arena *arena,
                      struct dt_str text)
{
	struct dt_str line = dt_str_cut(&text, '\n');
	struct dt_str prefix = DT_STR("ref: refs/heads/");

	if (dt_str_starts(line, prefix))
		line = (struct dt_str){ line.ptr + prefix.len,
			                line.len - prefix.len };
	set(arena, &m->branch, line);
}

/* all of them */

static const struct {
	const char *name;
	void (*read)(struct dt_manifest *m, struct dt_arena *arena,
	             struct dt_str text);
} kinds[] = {
	{ "package.json", read_package }, { "pyproject.toml", read_toml },
	{ "Cargo.toml", read_cargo },     { "go.mod", read_go },
	{ "meson.build", read_meson },    { ".git/HEAD", read_head },
};

const char *const dt_manifest_names[] = {
	"package.json", "pyproject.toml", "Cargo.toml", "go.mod",
	"meson.build",  ".git/HEAD",      NULL,
};

void dt_manifest_read(struct dt_manifest *m, struct dt_arena *arena,
                      const char *name, struct dt_str text)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (!strcmp(kinds[i].name, name))
			kinds[i].read(m, arena, text);
	}
}

const char *dt_manifest_tests(const char *name)
{
	static const char *const files[][2] = {
		{ "pytest.ini", "pytest" },   { "conftest.py", "pytest" },
		{ "tox.ini", "pytest" },      { "CMakeLists.txt", "ctest" },
		{ "jest.config.js", "jest" }, { "vitest.config.ts", "vitest" },
		{ "build.gradle", "gradle" }, { "pom.xml", "maven" },
	};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		if (!strcmp(files[i][0], name))
			return files[i][1];
	}
	return NULL;
}
