/* editor/language.c - the table of names and extensions. */
#include "editor/language.h"

#include "base/path.h"
#include "base/str.h"

#include <stddef.h>

struct language {
	const char *id;
	const char *ends; /* ".c .h": extensions; "Makefile": whole names */
};

static const struct language languages[] = {
	{ "c", ".c .h" },
	{ "cpp", ".cc .cpp .cxx .hh .hpp .hxx" },
	{ "csharp", ".cs" },
	{ "css", ".css" },
	{ "dockerfile", "Dockerfile .dockerfile" },
	{ "elixir", ".ex .exs" },
	{ "go", ".go" },
	{ "haskell", ".hs" },
	{ "html", ".html .htm" },
	{ "ini", ".ini .conf" },
	{ "java", ".java" },
	{ "javascript", ".js .mjs .cjs" },
	{ "javascriptreact", ".jsx" },
	{ "json", ".json" },
	{ "jsonc", ".jsonc" },
	{ "kotlin", ".kt .kts" },
	{ "lua", ".lua" },
	{ "makefile", "Makefile makefile GNUmakefile .mk" },
	{ "markdown", ".md .markdown" },
	{ "meson", "meson.build" },
	{ "perl", ".pl .pm" },
	{ "php", ".php" },
	{ "python", ".py .pyi" },
	{ "ruby", ".rb" },
	{ "rust", ".rs" },
	{ "scss", ".scss" },
	{ "shellscript", ".sh .bash .zsh" },
	{ "sql", ".sql" },
	{ "swift", ".swift" },
	{ "toml", ".toml" },
	{ "typescript", ".ts .mts .cts" },
	{ "typescriptreact", ".tsx" },
	{ "vue", ".vue" },
	{ "xml", ".xml" },
	{ "yaml", ".yaml .yml" },
	{ "zig", ".zig" },
};

static bool matches(const char *ends, struct dt_str name)
{
	struct dt_str rest = dt_str(ends);

	while (rest.len) {
		struct dt_str end = dt_str_cut(&rest, ' ');
		struct dt_str tail = name;

		/* A dot file's whole name is no extension. */
		if (end.ptr[0] == '.' && name.len > end.len) {
			tail.ptr += name.len - end.len;
			tail.len = end.len;
		}
		if (dt_str_eq(tail, end) &&
		    (end.ptr[0] != '.' || name.len > end.len))
			return true;
	}
	return false;
}

const char *dt_language_of(const char *path)
{
	struct dt_str name = dt_str(dt_path_base(path));

	for (size_t i = 0; i < sizeof(languages) / sizeof(languages[0]); i++) {
		if (matches(languages[i].ends, name))
			return languages[i].id;
	}
	return "plaintext";
}
