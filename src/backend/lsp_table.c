/*
 * backend/lsp_table.c - the servers of lsp_servers.def and the person's own.
 *
 * The person's lines of [lsp] are read anew each time, so a reload counts at
 * once; they were checked when the file was read.  What is found inside the
 * workspace is a program of whoever wrote the workspace: it is taken only where
 * the person has not switched that off.  Starting is lsp.c's.
 */
#include "backend/lsp_table.h"

#include "base/glob.h"
#include "base/path.h"
#include "data/json.h"

#include <sys/stat.h>
#include <unistd.h>

/* clang-format off */
#define WORDS(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define NO_ROOT no_markers
#define PYTHON_ROOT WORDS("pyrightconfig.json", "pyproject.toml", "setup.cfg", \
	"setup.py", "Pipfile", "requirements.txt")
#define SCRIPTS WORDS("typescript", "typescriptreact", "javascript", \
	"javascriptreact")
#define SCRIPT_ROOT WORDS("package-lock.json", "yarn.lock", "pnpm-lock.yaml", \
	"bun.lockb", "bun.lock", "tsconfig.json", "jsconfig.json", \
	"package.json")
#define SCRIPT_HINTS "{\"includeInlayParameterNameHints\":\"all\"," \
	"\"includeInlayVariableTypeHints\":true," \
	"\"includeInlayFunctionLikeReturnTypeHints\":true," \
	"\"includeInlayPropertyDeclarationTypeHints\":true}"
#define SCRIPT_LENSES ",\"implementationsCodeLens\":{\"enabled\":true}," \
	"\"referencesCodeLens\":{\"enabled\":true}"
#define EXTRACTED "npm install -g vscode-langservers-extracted"
/* clang-format on */

/* Not a compound literal: one in a function ends with its block. */
static const char *const no_markers[] = { NULL };

static const struct dt_lsp_entry builtin[] = {
#define X(name, languages, argv, markers, settings, options, install, ...)     \
	{ name,     languages, argv,    markers,                               \
	  settings, options,   install, __VA_ARGS__ },
#include "backend/lsp_servers.def"
#undef X
};

#define BUILTIN_COUNT (sizeof(builtin) / sizeof(builtin[0]))

static const struct dt_lsp_entry *find_builtin(struct dt_str name)
{
	for (size_t i = 0; i < BUILTIN_COUNT; i++) {
		if (dt_str_is(name, builtin[i].name))
			return &builtin[i];
	}
	return NULL;
}

bool dt_lsp_is_unsure(const char *name)
{
	const struct dt_lsp_entry *entry = find_builtin(dt_str(name));

	return entry && entry->is_unsure;
}

/* the person's lines */

static struct dt_str setting(const struct dt_world *world, const char *key)
{
	const char *value = NULL;

	if (world->setting)
		value = world->setting(world->owner, key);
	return dt_str(value ? value : "");
}

/* "NAME LANGUAGE,LANGUAGE: COMMAND ..." taken apart. */
struct line {
	struct dt_str name;
	struct dt_str languages; /* empty: those of the table */
	struct dt_str rest;
};

static struct line read_line(struct dt_str text)
{
	struct line line = { .rest = text };
	struct dt_str head = dt_str_cut(&line.rest, ':');

	line.rest = dt_str_trim(line.rest);
	line.name = dt_str_cut_word(&head);
	line.languages = dt_str_trim(head);
	return line;
}

/* The pieces between separators as a list that ends with NULL. */
static char **split(struct dt_arena *arena, struct dt_str text,
                    struct dt_str (*cut)(struct dt_str *rest))
{
	char **list = dt_arena_alloc(arena, (text.len + 2) * sizeof(*list));
	size_t count = 0;

	while (text.len > 0) {
		struct dt_str piece = cut(&text);

		if (piece.len > 0)
			list[count++] =
				dt_arena_strndup(arena, piece.ptr, piece.len);
	}
	return list;
}

static struct dt_str cut_comma(struct dt_str *rest)
{
	return dt_str_trim(dt_str_cut(rest, ','));
}

static const struct dt_lsp_entry *own_entry(struct dt_arena *arena,
                                            struct dt_str text)
{
	struct line line = read_line(text);
	const struct dt_lsp_entry *known = find_builtin(line.name);
	struct dt_lsp_entry *entry = dt_arena_alloc(arena, sizeof(*entry));

	*entry = known ? *known : (struct dt_lsp_entry){ .markers = NO_ROOT };
	entry->name = dt_arena_strndup(arena, line.name.ptr, line.name.len);
	entry->argv =
		(const char *const *)split(arena, line.rest, dt_str_cut_word);
	if (line.languages.len > 0)
		entry->languages = (const char *const *)split(
			arena, line.languages, cut_comma);
	entry->install = "look at the line of it in [lsp] of dovetail.conf";
	entry->is_tested = false;
	return entry;
}

/* Of the lines of settings the last one for a server counts; NULL: there is
 * none. */
static const char *own_settings(struct dt_arena *arena, struct dt_str rest,
                                const char *name)
{
	const char *found = NULL;

	while (rest.len > 0) {
		struct line line = read_line(dt_str_cut(&rest, '\n'));

		if (dt_str_is(line.name, name))
			found = dt_arena_strndup(arena, line.rest.ptr,
			                         line.rest.len);
	}
	return found;
}

/* Whether one of the patterns fits. */
static bool is_off(struct dt_str rest, const char *name)
{
	while (rest.len > 0) {
		struct dt_str glob = dt_str_cut_word(&rest);

		if (glob.len > 0 && dt_glob_matches(glob, dt_str(name)))
			return true;
	}
	return false;
}

static bool is_listed(const struct dt_lsp_entry *const *list, size_t count,
                      const char *name)
{
	for (size_t i = 0; i < count; i++) {
		if (!strcmp(list[i]->name, name))
			return true;
	}
	return false;
}

bool dt_lsp_is_for(const struct dt_lsp_entry *entry, const char *language)
{
	for (size_t i = 0; entry->languages[i]; i++) {
		if (!strcmp(entry->languages[i], language))
			return true;
	}
	return false;
}

/* The person's own, and of the table those for a language; NULL: all. */
static const struct dt_lsp_entry *const *list_entries(
	const struct dt_world *world, struct dt_arena *arena,
	const char *language)
{
	struct dt_str rest = setting(world, "lsp.server");
	struct dt_str settings = setting(world, "lsp.settings");
	struct dt_str off = setting(world, "lsp.off");
	size_t room = BUILTIN_COUNT + rest.len + 1;
	const struct dt_lsp_entry **list =
		dt_arena_alloc(arena, room * sizeof(const char *));
	size_t count = 0;

	while (rest.len > 0) {
		struct dt_str line = dt_str_cut(&rest, '\n');

		list[count] = own_entry(arena, line);
		if (!is_off(off, list[count]->name))
			count++;
	}
	for (size_t i = 0; i < BUILTIN_COUNT; i++) {
		if ((!language || dt_lsp_is_for(&builtin[i], language)) &&
		    !is_off(off, builtin[i].name) &&
		    !is_listed(list, count, builtin[i].name))
			list[count++] = &builtin[i];
	}
	list[count] = NULL;
	for (size_t i = 0; i < count; i++) {
		const char *own = own_settings(arena, settings, list[i]->name);
		struct dt_lsp_entry *copy;

		if (!own)
			continue;
		copy = dt_arena_alloc(arena, sizeof(*copy));
		*copy = *list[i];
		copy->settings = own;
		list[i] = copy;
	}
	return list;
}

const struct dt_lsp_entry *const *dt_lsp_entries(const struct dt_world *world,
                                                 struct dt_arena *arena)
{
	return list_entries(world, arena, NULL);
}

const struct dt_lsp_entry *const *dt_lsp_entries_of(
	const struct dt_world *world, struct dt_arena *arena,
	const char *language)
{
	const struct dt_lsp_entry *const *all =
		list_entries(world, arena, language);
	const struct dt_lsp_entry **list;
	size_t count = 0;

	while (all[count])
		count++;
	list = dt_arena_alloc(arena, (count + 1) * sizeof(const char *));
	count = 0;
	for (size_t i = 0; all[i]; i++) {
		if (dt_lsp_is_for(all[i], language))
			list[count++] = all[i];
	}
	return list;
}

enum dt_err dt_lsp_check_server(struct dt_str value, struct dt_fail *fail)
{
	struct line line = read_line(value);

	if (line.name.len == 0 || line.rest.len == 0)
		return dt_fail(fail, DT_E_ARGS,
		               "lsp.server must be \"NAME LANGUAGE,...: "
		               "COMMAND ...\"");
	if (line.languages.len == 0 && !find_builtin(line.name))
		return dt_fail(fail, DT_E_ARGS,
		               "lsp.server: %.*s is not known, so name its "
		               "languages: \"%.*s LANGUAGE,...: COMMAND ...\"",
		               DT_STR_ARG(line.name), DT_STR_ARG(line.name));
	return DT_E_OK;
}

enum dt_err dt_lsp_check_settings(struct dt_str value, struct dt_fail *fail)
{
	struct line line = read_line(value);
	const struct dt_json *json;
	struct dt_arena arena = { 0 };
	bool is_object = line.name.len > 0 && line.languages.len == 0 &&
	                 !dt_json_read(&arena, line.rest, &json, NULL) &&
	                 json->type == DT_JSON_OBJECT;

	dt_arena_done(&arena);
	return is_object ? DT_E_OK
	                 : dt_fail(fail, DT_E_ARGS,
	                           "lsp.settings must be \"NAME: {...}\", a "
	                           "JSON object on one line");
}

/* folders */

/* The folder above, within `root`; NULL: there is none. */
static const char *above(struct dt_arena *arena, const char *root,
                         const char *folder)
{
	return strcmp(folder, root) != 0 && dt_path_is_beneath(folder, root)
	               ? dt_path_join(arena, folder, "..")
	               : NULL;
}

const char *dt_lsp_root(struct dt_arena *arena,
                        const struct dt_lsp_entry *entry, const char *root,
                        const char *path)
{
	const char *first = above(arena, root, path);

	for (size_t i = 0; entry->markers[i]; i++) {
		for (const char *folder = first; folder;
		     folder = above(arena, root, folder)) {
			if (!access(dt_path_join(arena, folder,
			                         entry->markers[i]),
			            F_OK))
				return folder;
		}
	}
	return root;
}

/* programs */

static bool is_program(const char *file)
{
	struct stat st;

	return !stat(file, &st) && S_ISREG(st.st_mode) && !access(file, X_OK);
}

static const char *in_workspace(struct dt_arena *arena, const char *program,
                                const char *root, const char *folder)
{
	static const char *const places[] = { "node_modules/.bin", ".venv/bin",
		                              "venv/bin" };

	for (; folder; folder = above(arena, root, folder)) {
		for (size_t i = 0; i < sizeof(places) / sizeof(places[0]);
		     i++) {
			const char *file = dt_arena_printf(
				arena, "%s/%s/%s", folder, places[i], program);

			if (is_program(file))
				return file;
		}
	}
	return NULL;
}

static const char *in_virtualenv(const struct dt_world *world,
                                 struct dt_arena *arena, const char *program)
{
	static const char name[] = "VIRTUAL_ENV=";
	char **env = world->env ? world->env(world->owner, DT_ASKER_ALL, arena)
	                        : NULL;

	for (; env && *env; env++) {
		const char *file;

		if (strncmp(*env, name, strlen(name)) != 0)
			continue;
		file = dt_arena_printf(arena, "%s/bin/%s", *env + strlen(name),
		                       program);
		return file[0] == '/' && is_program(file) ? file : NULL;
	}
	return NULL;
}

/* Also what PATH or a virtualenv names there. */
static bool is_inside(const struct dt_world *world, const char *file)
{
	for (size_t i = 0; i < world->docs->root_count; i++) {
		if (dt_path_is_beneath(file, world->docs->roots[i]))
			return true;
	}
	return false;
}

static const char *find_program(const struct dt_world *world,
                                struct dt_arena *arena, const char *program,
                                const char *root, const char *folder)
{
	const char *on_path = world->find
	                              ? world->find(world->owner, DT_ASKER_ALL,
	                                            arena, program)
	                              : NULL;
	const char *files[] = { in_workspace(arena, program, root, folder),
		                in_virtualenv(world, arena, program), on_path };
	bool is_own_off =
		dt_str_is(setting(world, "lsp.workspace_programs"), "off");

	/* A file that the person named is the person's word. */
	if (strchr(program, '/'))
		return on_path;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		if (files[i] && !(is_own_off && is_inside(world, files[i])))
			return files[i];
	}
	return NULL;
}

char **dt_lsp_command(const struct dt_world *world, struct dt_arena *arena,
                      const struct dt_lsp_entry *entry, const char *root,
                      const char *folder)
{
	const char *file =
		find_program(world, arena, entry->argv[0], root, folder);
	size_t count = 0;
	char **argv;

	if (!file)
		return NULL;
	while (entry->argv[count])
		count++;
	argv = dt_arena_alloc(arena, (count + 1) * sizeof(*argv));
	for (size_t i = 0; i < count; i++)
		argv[i] = dt_arena_strdup(arena, i ? entry->argv[i] : file);
	return argv;
}
