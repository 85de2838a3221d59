/*
 * backend/lsp_sources.c - the source files of a project, for a server that does
 * not look for them.
 *
 * clangd indexes what compile_commands.json names.  Where there is none it knows
 * the files that are open, finds no use in any other, and says nothing of it.
 * So it is told of the source files by its own extension of
 * workspace/didChangeConfiguration, each with the flags of the compile_flags.txt
 * that it would take itself, and indexes them in the background.  Files that a
 * database speaks for are left to it.
 */
#include "backend/lsp_sources.h"

#include "backend/listing.h"
#include "backend/lsp_state.h"
#include "base/path.h"

#include <stdlib.h>
#include <unistd.h>

#define UNITS "*.{c,cc,cpp,cxx,c++,C,m,mm,cu}"

struct dt_lsp_sources {
	struct dt_lsp_server *server;
	struct dt_answer files; /* the listing's */
	struct dt_timer *timer; /* it was told when this runs */
};

/* How the files of a folder are compiled. */
enum recipe { BY_DATABASE, BY_FLAGS, BY_GUESS };

struct telling {
	struct dt_lsp_server *server;
	struct dt_arena arena;
	struct dt_json_out out;
	const char *folder; /* of the file before */
	enum recipe recipe; /* for that folder */
	const char *base;   /* what its flags are relative to */
	struct dt_str flags;
	uint32_t told;
	uint32_t guessed;
};

void dt_lsp_sources_free(struct dt_lsp_sources *sources)
{
	if (!sources)
		return;
	dt_answer_drop(&sources->files);
	sources->server->sources = NULL;
	dt_timer_free(sources->timer);
	free(sources);
}

void dt_lsp_sources_note_progress(struct dt_lsp_server *server)
{
	if (server->sources && dt_timer_is_running(server->sources->timer))
		dt_lsp_sources_free(server->sources);
}

static void on_timer(struct dt_timer *timer, void *owner)
{
	(void)timer;
	dt_lsp_sources_free(owner);
}

/* recipes */

static bool is_there(struct dt_arena *arena, const char *folder,
                     const char *name)
{
	return !access(dt_path_join(arena, folder, name), F_OK);
}

bool dt_lsp_sources_has_database(struct dt_arena *arena, const char *folder)
{
	return is_there(arena, folder, "compile_commands.json") ||
	       is_there(arena, folder, "build/compile_commands.json");
}

static bool read_text(struct telling *t, const char *folder, const char *name,
                      struct dt_buf *out)
{
	dt_buf_init(out, DT_LIMIT_ARGUMENTS);
	return !dt_documents_read(t->server->lsp->world.docs,
	                          dt_path_join(&t->arena, folder, name),
	                          DT_TEXT_INSIDE, out, NULL, NULL);
}

/* The project says where its database is; what we tell would win over it. */
static bool names_database(struct telling *t, const char *folder)
{
	struct dt_buf text;
	bool is_named;

	if (!is_there(&t->arena, folder, ".clangd"))
		return false;
	is_named =
		!read_text(t, folder, ".clangd", &text) ||
		dt_str_find(dt_buf_str(&text), DT_STR("CompilationDatabase"));
	dt_buf_done(&text);
	return is_named;
}

static enum recipe read_flags(struct telling *t, const char *folder)
{
	struct dt_buf text;
	/* One that we may not read is the server's to read. */
	enum recipe recipe = BY_DATABASE;

	if (read_text(t, folder, "compile_flags.txt", &text)) {
		t->flags.ptr = dt_arena_strndup(&t->arena, text.ptr, text.len);
		t->flags.len = text.len;
		t->base = folder;
		recipe = BY_FLAGS;
	}
	dt_buf_done(&text);
	return recipe;
}

/* The nearest one above decides, as in clangd, where no .clangd does. */
static enum recipe find_recipe(struct telling *t, const char *folder)
{
	enum recipe recipe = BY_GUESS;
	const char *at = folder;

	t->flags = (struct dt_str){ 0 };
	t->base = folder;
	for (;;) {
		if (names_database(t, at))
			return BY_DATABASE;
		if (recipe == BY_GUESS &&
		    dt_lsp_sources_has_database(&t->arena, at))
			return BY_DATABASE;
		if (recipe == BY_GUESS &&
		    is_there(&t->arena, at, "compile_flags.txt"))
			recipe = read_flags(t, at);
		if (!strcmp(at, "/"))
			return recipe;
		at = dt_path_join(&t->arena, at, "..");
	}
}

/* telling */

static void put_command(struct telling *t, const char *path)
{
	struct dt_str rest = t->flags;

	dt_json_key(&t->out, path);
	dt_json_begin_object(&t->out);
	dt_json_key(&t->out, "workingDirectory");
	dt_json_put_z(&t->out, t->base);
	dt_json_key(&t->out, "compilationCommand");
	dt_json_begin_array(&t->out);
	dt_json_put_z(&t->out, "clang");
	while (rest.len > 0) {
		struct dt_str flag = dt_str_cut(&rest, '\n');

		if (flag.len > 0 && flag.ptr[flag.len - 1] == '\r')
			flag.len--;
		flag = dt_str_trim(flag);
		if (flag.len > 0)
			dt_json_put_str(&t->out, flag);
	}
	dt_json_put_z(&t->out, path);
	dt_json_end_array(&t->out);
	dt_json_end_object(&t->out);
}

static void put_file(struct telling *t, const char *name)
{
	const char *path = dt_path_join(&t->arena, t->server->folder, name);
	size_t len = (size_t)(dt_path_base(path) - path) - 1;
	const char *folder = dt_arena_strndup(&t->arena, path, len);

	if (!t->folder || strcmp(t->folder, folder) != 0) {
		t->recipe = find_recipe(t, folder);
		t->folder = folder;
	}
	if (t->recipe == BY_DATABASE)
		return;
	t->told++;
	t->guessed += t->recipe == BY_GUESS;
	put_command(t, path);
}

/* What answers about the whole project leave open. */
static void note_doubt(struct telling *t,
                       const struct dt_list_files_result *files)
{
	struct dt_lsp_server *server = t->server;

	if (t->told > 0 && files->is_cut)
		server->doubt = dt_arena_printf(
			&server->life,
			"there is no compile_commands.json, and %s was told of "
			"%u of %u source files: there may be more",
			server->entry.name, (unsigned)files->paths.count,
			files->total);
	else if (t->guessed > 0)
		server->doubt = dt_arena_printf(
			&server->life,
			"there is no compile_commands.json, and %s guesses how "
			"files are compiled: there may be more",
			server->entry.name);
}

static void tell(struct dt_lsp_sources *sources,
                 const struct dt_list_files_result *files)
{
	struct telling t = { .server = sources->server };
	struct dt_buf params;

	dt_buf_init(&params, DT_LIMIT_MESSAGE);
	t.out = dt_json_out(&params);
	dt_json_begin_object(&t.out);
	dt_json_key(&t.out, "settings");
	dt_json_begin_object(&t.out);
	dt_json_key(&t.out, "compilationDatabaseChanges");
	dt_json_begin_object(&t.out);
	for (size_t i = 0; i < files->paths.count; i++)
		put_file(&t, files->paths.ptr[i]);
	dt_json_end_object(&t.out);
	dt_json_end_object(&t.out);
	dt_json_end_object(&t.out);
	note_doubt(&t, files);
	if (t.told > 0)
		dt_peer_notify(t.server->peer,
		               "workspace/didChangeConfiguration",
		               dt_buf_str(&params));
	dt_timer_start(sources->timer,
	               t.told > 0 ? t.server->lsp->times.begin_ms : 0);
	dt_buf_done(&params);
	dt_arena_done(&t.arena);
}

static void on_files(struct dt_answer *answer, const void *result,
                     const struct dt_fail *fail, void *owner)
{
	struct dt_lsp_sources *sources = owner;

	(void)answer;
	if (fail || !dt_lsp_server_is_up(sources->server))
		dt_timer_start(sources->timer, 0);
	else
		tell(sources, result);
}

/* The person says where the database is. */
static bool is_told_of_database(const struct dt_lsp_server *server)
{
	const char *const *word = server->entry.argv;

	while (*word &&
	       !dt_str_starts(dt_str(*word), DT_STR("--compile-commands-dir")))
		word++;
	return *word != NULL;
}

void dt_lsp_sources_start(struct dt_lsp_server *server)
{
	const struct dt_world *world = &server->lsp->world;
	struct dt_list_files_args units = {
		.glob = UNITS,
		.limit = { true, DT_LIMIT_LSP_SOURCES },
	};
	struct dt_arena arena = { 0 };
	struct dt_names roots = { &server->folder, 1 };
	struct dt_listing_spec spec = {
		.loop = world->loop,
		.roots = &roots,
		.git = world->find(world->owner, DT_ASKER_ALL, &arena, "git"),
		.env = world->env(world->owner, DT_ASKER_ALL, &arena),
	};
	struct dt_lsp_sources *sources;

	if (server->entry.wants_sources && server->lsp->tells_sources &&
	    !is_told_of_database(server) &&
	    !dt_lsp_sources_has_database(&arena, server->folder)) {
		sources = dt_alloc(sizeof(*sources));
		sources->server = server;
		sources->timer = dt_timer_new(world->loop, on_timer, sources);
		server->sources = sources;
		dt_answer_init(&sources->files, on_files, sources);
		dt_listing_start(&spec, &units, &sources->files);
	}
	dt_arena_done(&arena);
}
