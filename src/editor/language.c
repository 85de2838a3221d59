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
	{ "bibtex", ".bib" },
	{ "c", ".c .h" },
	{ "clojure", ".clj .cljs .cljc .edn" },
	{ "cmake", "CMakeLists.txt .cmake" },
	{ "cpp", ".cc .cpp .cxx .c++ .hh .hpp .hxx .h++ .ipp .inl .tpp" },
	{ "csharp", ".cs" },
	{ "css", ".css" },
	{ "cuda-cpp", ".cu .cuh" },
	{ "dart", ".dart" },
	{ "dockerfile", "Dockerfile Containerfile .dockerfile" },
	{ "elixir", ".ex .exs" },
	{ "erlang", ".erl .hrl" },
	{ "fsharp", ".fs .fsi .fsx" },
	{ "gleam", ".gleam" },
	{ "go", ".go" },
	{ "go.mod", "go.mod" },
	{ "go.work", "go.work" },
	{ "graphql", ".graphql .gql" },
	{ "groovy", ".groovy .gradle" },
	{ "haskell", ".hs" },
	{ "html", ".html .htm .xhtml" },
	{ "ini", ".ini .conf" },
	{ "java", ".java" },
	{ "javascript", ".js .mjs .cjs" },
	{ "javascriptreact", ".jsx" },
	{ "json", ".json .webmanifest" },
	{ "jsonc", ".jsonc tsconfig.json jsconfig.json" },
	{ "julia", ".jl" },
	{ "kotlin", ".kt .kts" },
	{ "latex", ".tex .sty .cls" },
	{ "less", ".less" },
	{ "literate haskell", ".lhs" },
	{ "lua", ".lua" },
	{ "makefile", "Makefile makefile GNUmakefile .mk" },
	{ "markdown", ".md .markdown" },
	{ "meson", "meson.build meson_options.txt meson.options" },
	{ "nix", ".nix" },
	{ "objective-c", ".m" },
	{ "objective-cpp", ".mm" },
	{ "ocaml", ".ml" },
	{ "ocaml.interface", ".mli" },
	{ "perl", ".pl .pm .t" },
	{ "php", ".php .phtml" },
	{ "powershell", ".ps1 .psm1 .psd1" },
	{ "proto", ".proto" },
	{ "python", ".py .pyi .pyw SConstruct SConscript" },
	{ "r", ".r .R" },
	{ "ruby", ".rb .rake .gemspec Gemfile Rakefile" },
	{ "rust", ".rs" },
	{ "sass", ".sass" },
	{ "scala", ".scala .sbt .sc" },
	{ "scss", ".scss" },
	{ "shellscript", ".sh .bash .zsh .bats PKGBUILD" },
	{ "sql", ".sql" },
	{ "starlark", ".bzl .star BUILD BUILD.bazel WORKSPACE" },
	{ "svelte", ".svelte" },
	{ "swift", ".swift" },
	{ "terraform", ".tf" },
	{ "terraform-vars", ".tfvars" },
	{ "toml", ".toml Cargo.lock poetry.lock" },
	{ "typescript", ".ts .mts .cts" },
	{ "typescriptreact", ".tsx" },
	{ "typst", ".typ" },
	{ "vim", ".vim" },
	{ "vue", ".vue" },
	{ "xml", ".xml .xsd .xsl .svg" },
	{ "yaml", ".yaml .yml" },
	{ "zig", ".zig" },
};

/* Whether one of the extensions fits, or one of the whole names. */
static bool matches(const char *ends, struct dt_str name, bool is_whole)
{
	struct dt_str rest = dt_str(ends);

	while (rest.len) {
		struct dt_str end = dt_str_cut(&rest, ' ');
		struct dt_str tail = name;

		if ((end.ptr[0] != '.') != is_whole)
			continue;
		/* A dot file's whole name is no extension. */
		if (!is_whole && name.len > end.len) {
			tail.ptr += name.len - end.len;
			tail.len = end.len;
		}
		if (dt_str_eq(tail, end) && (is_whole || name.len > end.len))
			return true;
	}
	return false;
}

static const char *find(struct dt_str name, bool is_whole)
{
	for (size_t i = 0; i < sizeof(languages) / sizeof(languages[0]); i++) {
		if (matches(languages[i].ends, name, is_whole))
			return languages[i].id;
	}
	return NULL;
}

const char *dt_language_of(const char *path)
{
	struct dt_str name = dt_str(dt_path_base(path));
	const char *id = find(name, true);

	if (!id)
		id = find(name, false);
	return id ? id : "plaintext";
}
