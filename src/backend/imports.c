/*
 * backend/imports.c - imports found by how their lines begin.
 *
 * No language is parsed: an import is known by its line, and by strings in it.
 * What stands in a comment or is put together at run time is not told apart.
 * Whether a file is there is asked elsewhere.
 */
#include "backend/imports.h"

#include "base/path.h"

#include <string.h>

#define PLACES_MAX 24

enum family {
	OTHER,
	C,
	SCRIPT, /* JavaScript and TypeScript */
	PYTHON,
	GO,
	RUST,
};

static enum family family_of(const char *language)
{
	static const struct {
		const char *id;
		enum family family;
	} table[] = {
		{ "c", C },
		{ "cpp", C },
		{ "objective-c", C },
		{ "javascript", SCRIPT },
		{ "javascriptreact", SCRIPT },
		{ "typescript", SCRIPT },
		{ "typescriptreact", SCRIPT },
		{ "python", PYTHON },
		{ "go", GO },
		{ "rust", RUST },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (!strcmp(table[i].id, language))
			return table[i].family;
	}
	return OTHER;
}

bool dt_imports_knows(const char *language)
{
	return family_of(language) != OTHER;
}

/* lines */

struct scan {
	dt_imports_fn *fn;
	void *owner;
	uint32_t line;
	bool is_in_group; /* Go: between import ( and ) */
};

static void tell(const struct scan *s, struct dt_str name, bool is_local)
{
	struct dt_import_line line = { dt_str_trim(name), s->line, is_local };

	if (line.name.len > 0)
		s->fn(&line, s->owner);
}

static struct dt_str behind(struct dt_str s, size_t len)
{
	return dt_str_trim((struct dt_str){ s.ptr + len, s.len - len });
}

/* The text begins with the word, and something else follows it. */
static bool takes_word(struct dt_str *s, const char *word)
{
	size_t len = strlen(word);

	if (!dt_str_starts(*s, dt_str(word)) ||
	    (s->len > len && !strchr(" \t(\"'{*", s->ptr[len])))
		return false;
	*s = behind(*s, len);
	return true;
}

/* What stands between the first quotes; false: there are none. */
static bool quoted(struct dt_str s, const char *quotes, struct dt_str *out)
{
	for (size_t i = 0; i < s.len; i++) {
		struct dt_str rest = { s.ptr + i + 1, s.len - i - 1 };

		if (!strchr(quotes, s.ptr[i]))
			continue;
		if (!memchr(rest.ptr, s.ptr[i], rest.len))
			return false;
		*out = dt_str_cut(&rest, s.ptr[i]);
		return true;
	}
	return false;
}

static void scan_c(struct scan *s, struct dt_str line)
{
	struct dt_str name;

	if (line.len == 0 || line.ptr[0] != '#')
		return;
	line = behind(line, 1);
	if (!dt_str_starts(line, DT_STR("include")))
		return;
	line = behind(line, strlen("include"));
	if (line.len > 0 && line.ptr[0] == '"' && quoted(line, "\"", &name)) {
		tell(s, name, true);
	} else if (line.len > 0 && line.ptr[0] == '<') {
		line = behind(line, 1);
		tell(s, dt_str_cut(&line, '>'), false);
	}
}

/* import ... from "x", import "x", export ... from "x", require("x"),
 * import("x"); the end of an import of several lines is "} from ...". */
static void scan_script(struct scan *s, struct dt_str line)
{
	static const char *const calls[] = { "require(", "import(", NULL };
	struct dt_str first = line;
	struct dt_str name;
	const char *from =
		line.len ? memmem(line.ptr, line.len, "from ", 5) : NULL;

	if (from &&
	    (takes_word(&first, "import") || takes_word(&first, "export") ||
	     dt_str_starts(first, DT_STR("}")))) {
		size_t at = (size_t)(from - line.ptr);

		if (quoted(behind(line, at), "\"'", &name))
			tell(s, name, name.ptr[0] == '.');
		return;
	}
	if (takes_word(&first, "import") && first.len > 0 &&
	    strchr("\"'", first.ptr[0]) && quoted(first, "\"'", &name)) {
		tell(s, name, name.len > 0 && name.ptr[0] == '.');
		return;
	}
	for (size_t i = 0; calls[i]; i++) {
		const char *at = line.len ? memmem(line.ptr, line.len, calls[i],
		                                   strlen(calls[i]))
		                          : NULL;
		size_t skip =
			at ? (size_t)(at - line.ptr) + strlen(calls[i]) : 0;

		if (at && quoted(behind(line, skip), "\"'`", &name))
			tell(s, name, name.len > 0 && name.ptr[0] == '.');
	}
}

/* import a.b, c as d; from .x import y */
static void scan_python(struct scan *s, struct dt_str line)
{
	if (takes_word(&line, "from")) {
		struct dt_str name = dt_str_cut_word(&line);
		bool has_no_name =
			dt_str_is(name, ".") || dt_str_is(name, "..");

		line = dt_str_trim(line);
		if (!takes_word(&line, "import"))
			return;
		if (!has_no_name) {
			tell(s, name, name.len > 0 && name.ptr[0] == '.');
			return;
		}
		/* from . import a, b: each is a module beside this one */
		while (line.len > 0) {
			struct dt_str each =
				dt_str_trim(dt_str_cut(&line, ','));
			struct dt_str word = dt_str_cut_word(&each);

			if (word.len > 0 && word.ptr[0] != '(')
				tell(s, word, true);
		}
	} else if (takes_word(&line, "import")) {
		while (line.len > 0) {
			struct dt_str each =
				dt_str_trim(dt_str_cut(&line, ','));

			tell(s, dt_str_cut_word(&each), false);
		}
	}
}

static void scan_go(struct scan *s, struct dt_str line)
{
	struct dt_str name;

	if (s->is_in_group && dt_str_starts(line, DT_STR(")"))) {
		s->is_in_group = false;
		return;
	}
	if (!s->is_in_group && !takes_word(&line, "import"))
		return;
	if (dt_str_starts(line, DT_STR("("))) {
		s->is_in_group = true;
		line = behind(line, 1);
	}
	if (quoted(line, "\"`", &name))
		tell(s, name, false);
}

/* mod x;  use crate::a::b; */
static void scan_rust(struct scan *s, struct dt_str line)
{
	if (dt_str_starts(line, DT_STR("pub "))) {
		line = behind(line, strlen("pub "));
	} else if (dt_str_starts(line, DT_STR("pub("))) {
		(void)dt_str_cut(&line, ')');
		line = dt_str_trim(line);
	}
	if (takes_word(&line, "mod") && memchr(line.ptr, ';', line.len))
		tell(s, dt_str_cut(&line, ';'), true);
	else if (takes_word(&line, "use"))
		tell(s, dt_str_cut(&line, ';'), false);
}

void dt_imports_scan(const char *language, struct dt_str text,
                     dt_imports_fn *fn, void *owner)
{
	static void (*const scanners[])(struct scan * s, struct dt_str line) = {
		[C] = scan_c,   [SCRIPT] = scan_script, [PYTHON] = scan_python,
		[GO] = scan_go, [RUST] = scan_rust,
	};
	enum family family = family_of(language);
	struct scan scan = { .fn = fn, .owner = owner };

	while (family != OTHER && text.len > 0) {
		struct dt_str line = dt_str_cut(&text, '\n');

		if (line.len > 0 && line.ptr[line.len - 1] == '\r')
			line.len--;
		line = dt_str_trim(line);
		if (line.len > 0)
			scanners[family](&scan, line);
		scan.line++;
	}
}

/* places */

struct places {
	struct dt_arena *arena;
	const char **list;
	size_t count;
};

static void add(struct places *p, const char *folder, const char *name,
                const char *end)
{
	if (p->count < PLACES_MAX)
		p->list[p->count++] = dt_path_join(
			p->arena, folder,
			dt_arena_printf(p->arena, "%s%s", name, end));
}

static const char *folder_of(struct dt_arena *arena, const char *path)
{
	return dt_arena_strndup(arena, path,
	                        strlen(path) - strlen(dt_path_base(path)));
}

/* TypeScript writes ./x.js for what is ./x.ts. */
static void add_script(struct places *p, const char *folder, const char *name)
{
	static const char *const ends[] = {
		"",           ".ts",       ".tsx",  ".js",   ".jsx",
		".mjs",       ".cjs",      ".json", ".d.ts", "/index.ts",
		"/index.tsx", "/index.js", NULL
	};
	size_t len = strlen(name);

	if (len > 3 && !strcmp(name + len - 3, ".js")) {
		const char *stem = dt_arena_strndup(p->arena, name, len - 3);

		add(p, folder, name, "");
		add(p, folder, stem, ".ts");
		add(p, folder, stem, ".tsx");
		return;
	}
	for (size_t i = 0; ends[i]; i++)
		add(p, folder, name, ends[i]);
}

/* .a.b: one dot is this folder, each more the one above. */
static void add_python(struct places *p, const char *folder, const char *name,
                       const char *root)
{
	char *path;

	if (name[0] == '.') {
		for (name++; *name == '.'; name++)
			folder = dt_path_join(p->arena, folder, "..");
		root = NULL;
	}
	path = dt_arena_strdup(p->arena, name);
	for (char *c = path; *c; c++)
		*c = *c == '.' ? '/' : *c;
	add(p, folder, path, ".py");
	add(p, folder, path, "/__init__.py");
	if (!root)
		return;
	add(p, root, path, ".py");
	add(p, root, path, "/__init__.py");
	add(p, dt_path_join(p->arena, root, "src"), path, ".py");
	add(p, dt_path_join(p->arena, root, "src"), path, "/__init__.py");
}

/* crate::a::b is src/a.rs, src/a/mod.rs, or something inside of src/lib.rs. */
static void add_rust(struct places *p, const struct dt_importer *from,
                     const struct dt_import_line *line)
{
	const char *name =
		dt_arena_strndup(p->arena, line->name.ptr, line->name.len);
	const char *folder = folder_of(p->arena, from->path);
	const char *base = dt_path_base(from->path);
	struct dt_str rest = line->name;
	struct dt_str first = dt_str_cut(&rest, ':');
	const char *src = dt_path_join(p->arena, from->root, "src");

	if (line->is_local) {
		/* a.rs has its modules in a/, lib.rs and mod.rs beside. */
		const char *inner = dt_path_join(
			p->arena, folder,
			dt_arena_strndup(p->arena, base, strcspn(base, ".")));

		add(p, folder, name, ".rs");
		add(p, folder, name, "/mod.rs");
		add(p, inner, name, ".rs");
		add(p, inner, name, "/mod.rs");
		return;
	}
	if (!dt_str_is(first, "crate"))
		return;
	rest = behind(rest, rest.len > 0 && rest.ptr[0] == ':' ? 1 : 0);
	first = dt_str_cut(&rest, ':');
	name = dt_arena_strndup(p->arena, first.ptr, first.len);
	add(p, src, name, ".rs");
	add(p, src, name, "/mod.rs");
}

/* Only what begins with the module's own name is of the workspace. */
static void add_go(struct places *p, const struct dt_importer *from,
                   const char *name)
{
	size_t len = from->module ? strlen(from->module) : 0;

	if (len > 0 && !strncmp(name, from->module, len) && name[len] == '/')
		add(p, from->root, name + len + 1, "");
}

static void add_c(struct places *p, const struct dt_importer *from,
                  const char *name, bool is_local)
{
	static const char *const folders[] = { ".", "src", "include", NULL };

	if (is_local)
		add(p, folder_of(p->arena, from->path), name, "");
	for (size_t i = 0; folders[i]; i++)
		add(p, dt_path_join(p->arena, from->root, folders[i]), name,
		    "");
}

const char **dt_imports_places(struct dt_arena *arena,
                               const struct dt_importer *from,
                               const struct dt_import_line *line)
{
	const char *name =
		dt_arena_strndup(arena, line->name.ptr, line->name.len);
	struct places p = {
		.arena = arena,
		.list = dt_arena_alloc(arena,
		                       (PLACES_MAX + 1) * sizeof(*p.list)),
	};

	switch (family_of(from->language)) {
	case C:
		add_c(&p, from, name, line->is_local);
		break;
	case SCRIPT:
		if (line->is_local)
			add_script(&p, folder_of(arena, from->path), name);
		break;
	case PYTHON:
		add_python(&p, folder_of(arena, from->path), name, from->root);
		break;
	case RUST:
		add_rust(&p, from, line);
		break;
	case GO:
		add_go(&p, from, name);
		break;
	case OTHER:
		break;
	}
	return p.list;
}
