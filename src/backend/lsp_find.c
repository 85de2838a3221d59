/*
 * backend/lsp_find.c - which server is asked about a file.
 *
 * A server is known by its name, its folder and all that would make it another
 * one: some variables of the environment, and what the table or the person says
 * of it.  One that nobody finds any more is stopped as every idle one is.
 */
#include "backend/lsp_state.h"
#include "base/path.h"
#include "editor/language.h"

/* Variables that make another server of the same program. */
static const char *const makes_another[] = {
	"PATH", "VIRTUAL_ENV", "CONDA_PREFIX", "NODE_PATH", "GOPATH",
};

static bool makes_other(struct dt_str name)
{
	const size_t count = sizeof(makes_another) / sizeof(makes_another[0]);

	for (size_t i = 0; i < count; i++) {
		if (dt_str_is(name, makes_another[i]))
			return true;
	}
	return false;
}

/* What makes another server of the same name and folder, as one text: those
 * variables, and what the table or the person says of it now. */
static const char *circumstances(const struct dt_lsp *lsp,
                                 struct dt_arena *arena,
                                 const struct dt_lsp_entry *entry,
                                 const char *folder)
{
	char **env = lsp->world.env(lsp->world.owner, DT_ASKER_ALL, arena);
	const char *parts[] = { entry->settings, entry->options };
	struct dt_buf key;
	const char *text;

	dt_buf_init(&key, DT_LIMIT_ENVIRONMENT);
	for (; *env; env++) {
		struct dt_str value = dt_str(*env);

		if (makes_other(dt_str_cut(&value, '=')))
			dt_buf_addf(&key, "%s\n", *env);
	}
	for (size_t i = 0; entry->argv[i]; i++)
		dt_buf_addf(&key, "%s\n", entry->argv[i]);
	for (size_t i = 0; i < 2; i++)
		dt_buf_addf(&key, "%s\n", parts[i] ? parts[i] : "");
	/* What it was told of files would outlive a database that is made. */
	if (entry->wants_sources && dt_lsp_sources_has_database(arena, folder))
		dt_buf_add_z(&key, "database\n");
	text = dt_arena_strdup(arena, dt_buf_z(&key));
	dt_buf_done(&key);
	return text;
}

static struct dt_lsp_server *find_made(struct dt_lsp *lsp, const char *name,
                                       const char *folder, const char *key)
{
	dt_list_each(server, &lsp->servers, struct dt_lsp_server, link) {
		if (!strcmp(server->entry.name, name) &&
		    !strcmp(server->folder, folder) &&
		    !strcmp(server->key, key))
			return server;
	}
	return NULL;
}

/* The one that was not needed for the longest time makes room. */
static enum dt_err make_room(struct dt_lsp *lsp, struct dt_fail *fail)
{
	struct dt_lsp_server *oldest = NULL;

	if (lsp->server_count < DT_LIMIT_LSP_SERVERS)
		return DT_E_OK;
	dt_list_each(server, &lsp->servers, struct dt_lsp_server, link) {
		if (!server->request_count &&
		    (!oldest || server->used_ms < oldest->used_ms))
			oldest = server;
	}
	if (!oldest)
		return dt_fail(fail, DT_E_LIMIT,
		               "%d language servers are busy; try again later",
		               DT_LIMIT_LSP_SERVERS);
	dt_lsp_report_forget(oldest);
	dt_lsp_server_free(oldest);
	return DT_E_OK;
}

struct dt_lsp_server *dt_lsp_find_of(struct dt_lsp *lsp, struct dt_arena *arena,
                                     const struct dt_lsp_entry *entry,
                                     const char *root, const char *path,
                                     struct dt_fail *fail)
{
	const char *folder = dt_lsp_root(arena, entry, root, path);
	const char *key = circumstances(lsp, arena, entry, folder);
	struct dt_lsp_server *server = find_made(lsp, entry->name, folder, key);

	if (server)
		return server;
	if (!dt_lsp_command(&lsp->world, arena, entry, root, folder) ||
	    make_room(lsp, fail))
		return NULL;
	return dt_lsp_server_new(lsp, entry, root, folder, key);
}

/* The first of the entries that is there. */
static struct dt_lsp_server *find_any(struct dt_lsp *lsp,
                                      struct dt_arena *arena, const char *root,
                                      const char *path, struct dt_fail *fail)
{
	const char *language = dt_language_of(path);
	const struct dt_lsp_entry *const *entries =
		dt_lsp_entries_of(&lsp->world, arena, language);
	struct dt_lsp_server *server = NULL;

	if (!entries[0]) {
		dt_fail(fail, DT_E_UNSUPPORTED,
		        "no language server is known for %s (%s)", language,
		        dt_path_base(path));
		return NULL;
	}
	for (size_t i = 0; entries[i] && !server && !fail->code; i++)
		server = dt_lsp_find_of(lsp, arena, entries[i], root, path,
		                        fail);
	if (!server)
		dt_fail(fail, DT_E_UNSUPPORTED,
		        "no language server for %s is installed; to have one: "
		        "%s",
		        language, entries[0]->install);
	return server;
}

struct dt_lsp_server *dt_lsp_find(struct dt_lsp *lsp, const char *path,
                                  struct dt_fail *fail)
{
	struct dt_lsp_server *server = NULL;
	struct dt_arena arena = { 0 };
	const char *relative;
	const char *root =
		dt_documents_root_of(lsp->world.docs, path, &relative);

	if (root)
		server = find_any(lsp, &arena, root, path, fail);
	else
		dt_fail(fail, DT_E_DENIED, "%s is outside the workspace", path);
	dt_arena_done(&arena);
	return server;
}
