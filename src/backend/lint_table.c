/*
 * backend/lint_table.c - which linters are for a file, and where they are.
 *
 * Programs are found as those of language servers are.  Nothing is run here.
 */
#include "backend/lint_table.h"

#include "backend/lint_flags.h"
#include "backend/lsp_table.h"
#include "base/glob.h"
#include "base/path.h"
#include "editor/language.h"

#include <unistd.h>

#define WORDS(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define TYPED WORDS("typescript", "typescriptreact")
#define SCRIPTS                                                                \
	WORDS("javascript", "javascriptreact", "typescript", "typescriptreact")
#define SCRIPTS_AND_STYLES                                                     \
	WORDS("javascript", "javascriptreact", "typescript",                   \
	      "typescriptreact", "css", "jsonc")

/* Python compiles a file in memory, so that nothing is left beside it; -I keeps
 * it from importing what lies there. */
#define COMPILE_ONE                                                            \
	"import sys\n"                                                         \
	"path = sys.argv[1]\n"                                                 \
	"try:\n"                                                               \
	"    compile(open(path, 'rb').read(), path, 'exec',\n"                 \
	"            dont_inherit=True)\n"                                     \
	"except SyntaxError as e:\n"                                           \
	"    print('%s:%d:%d: error: %s' %\n"                                  \
	"          (path, e.lineno or 1, e.offset or 1, e.msg))\n"             \
	"    sys.exit(1)\n"

/* Words of linters.def. */
enum { ONE_FILE, WHOLE_FOLDER };
enum { ON_OUT, ON_ERR };

#define X(n, l, a, m, g, covers, prints, u, p)                                 \
	{ .name = (n),                                                         \
	  .languages = l,                                                      \
	  .argv = a,                                                           \
	  .markers = m,                                                        \
	  .group = (g),                                                        \
	  .covers_folder = (covers) == WHOLE_FOLDER,                           \
	  .is_on_err = (prints) == ON_ERR,                                     \
	  .unit = DT_LINT_##u,                                                 \
	  .parse = (p) },
static const struct dt_linter linters[] = {
#include "backend/linters.def"
};
#undef X

#define LINTER_COUNT (sizeof(linters) / sizeof(linters[0]))

static bool is_off(const struct dt_world *world, const char *name)
{
	const char *value = world->setting
	                            ? world->setting(world->owner, "lint.off")
	                            : NULL;
	struct dt_str rest = dt_str(value ? value : "");

	while (rest.len > 0) {
		struct dt_str glob = dt_str_cut_word(&rest);

		if (glob.len > 0 && dt_glob_matches(glob, dt_str(name)))
			return true;
	}
	return false;
}

static bool is_for(const struct dt_linter *linter, const char *language)
{
	for (size_t i = 0; linter->languages[i]; i++) {
		if (!strcmp(linter->languages[i], language))
			return true;
	}
	return false;
}

static bool has_marker(struct dt_arena *arena, const struct dt_linter *linter,
                       const char *folder)
{
	for (size_t i = 0; linter->markers[i]; i++) {
		if (!access(dt_path_join(arena, folder, linter->markers[i]),
		            F_OK))
			return true;
	}
	return false;
}

/* argv with what stands in braces filled in; {flags} may be many. */
static char **fill_in(struct dt_arena *arena, char **argv, const char *root,
                      const char *folder, const char *path)
{
	char **flags = NULL;
	size_t flag_count = 0;
	size_t count = 0;
	size_t used = 0;
	char **filled;

	for (; argv[count]; count++) {
		if (!strcmp(argv[count], "{flags}"))
			flags = dt_lint_flags(arena, root, path);
	}
	while (flags && flags[flag_count])
		flag_count++;
	filled = dt_arena_alloc(arena,
	                        (count + flag_count + 1) * sizeof(*filled));
	for (size_t i = 0; i < count; i++) {
		if (!strcmp(argv[i], "{file}"))
			filled[used++] = dt_arena_strdup(arena, path);
		else if (!strcmp(argv[i], "{folder}"))
			filled[used++] = dt_arena_strdup(arena, folder);
		else if (strcmp(argv[i], "{flags}") != 0)
			filled[used++] = argv[i];
		else
			for (size_t k = 0; k < flag_count; k++)
				filled[used++] = flags[k];
	}
	return filled;
}

/* False: it needs a configuration that is not there, or is not installed. */
static bool plan(const struct dt_world *world, struct dt_arena *arena,
                 const struct dt_linter *linter, const char *path,
                 struct dt_lint_plan *out)
{
	static const char *const no_markers[] = { NULL };
	const struct dt_lsp_entry entry = {
		.name = linter->name,
		.argv = linter->argv,
		.markers = linter->markers ? linter->markers : no_markers,
	};
	const char *relative;
	const char *root = dt_documents_root_of(world->docs, path, &relative);
	const char *folder;
	char **argv;

	if (!root)
		return false;
	folder = dt_lsp_root(arena, &entry, root, path);
	if (linter->markers && !has_marker(arena, linter, folder))
		return false;
	argv = dt_lsp_command(world, arena, &entry, root, folder);
	if (!argv)
		return false;
	*out = (struct dt_lint_plan){
		.linter = linter,
		.folder = folder,
		.file = linter->covers_folder ? NULL : path,
		.argv = fill_in(arena, argv, root, folder, path),
	};
	out->key = dt_arena_printf(arena, "%s %s", linter->name,
	                           out->file ? out->file : folder);
	return true;
}

struct dt_items dt_lint_plans(const struct dt_world *world,
                              struct dt_arena *arena, const char *path)
{
	const char *language = dt_language_of(path);
	struct dt_lint_plan *plans =
		dt_arena_alloc(arena, LINTER_COUNT * sizeof(*plans));
	struct dt_items found = { plans, 0 };

	for (size_t i = 0; i < LINTER_COUNT; i++) {
		bool is_taken = false;

		if (!is_for(&linters[i], language) ||
		    is_off(world, linters[i].name))
			continue;
		for (size_t k = 0; k < found.count; k++)
			is_taken |= !strcmp(plans[k].linter->group,
			                    linters[i].group);
		if (!is_taken &&
		    plan(world, arena, &linters[i], path, &plans[found.count]))
			found.count++;
	}
	return found;
}
