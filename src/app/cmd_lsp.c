/* app/cmd_lsp.c - dovetail lsp: the language servers of this workspace. */
#include "app/command.h"
#include "app/daemon_start.h"
#include "app/folder.h"
#include "app/remote.h"
#include "app/text.h"
#include "base/clock.h"
#include "base/limits.h"

struct server {
	const char *name;
	const char *state;
	const char *root;
	int64_t pid;
	int64_t memory;
	int64_t since_ms;
	int64_t requests;
	const char *error;
	const char *progress;
	bool is_tested;
};
static const struct dt_field server_fields[] = {
	DT_FIELD(struct server, name, NAME, DT_REQ, ""),
	DT_FIELD(struct server, state, NAME, DT_REQ, ""),
	DT_FIELD(struct server, root, NAME, DT_REQ, ""),
	DT_FIELD(struct server, pid, I64, 0, ""),
	DT_FIELD(struct server, memory, I64, 0, ""),
	DT_FIELD_AS("sinceMs", struct server, since_ms, I64, 0, ""),
	DT_FIELD(struct server, requests, I64, 0, ""),
	DT_FIELD(struct server, error, NAME, 0, ""),
	DT_FIELD(struct server, progress, NAME, 0, ""),
	DT_FIELD_AS("tested", struct server, is_tested, BOOL, 0, ""),
	DT_FIELD_END,
};
static const struct dt_shape server_shape =
	DT_SHAPE(struct server, server_fields);

struct language {
	const char *language;
	uint32_t files;
	const char *server;
	const char *program;
	bool is_tested;
	struct dt_names install;
};
static const struct dt_field language_fields[] = {
	DT_FIELD(struct language, language, NAME, DT_REQ, ""),
	DT_FIELD(struct language, files, U32, DT_REQ, ""),
	DT_FIELD(struct language, server, NAME, 0, ""),
	DT_FIELD(struct language, program, NAME, 0, ""),
	DT_FIELD_AS("tested", struct language, is_tested, BOOL, 0, ""),
	DT_FIELD(struct language, install, NAMES, 0, ""),
	DT_FIELD_END,
};
static const struct dt_shape language_shape =
	DT_SHAPE(struct language, language_fields);

struct list {
	struct dt_items servers;
	struct dt_items languages;
};
static const struct dt_field list_fields[] = {
	DT_FIELD(struct list, servers, ITEMS, DT_REQ, "",
	         .shape = &server_shape),
	DT_FIELD(struct list, languages, ITEMS, DT_REQ, "",
	         .shape = &language_shape),
	DT_FIELD_END,
};
static const struct dt_shape list_shape = DT_SHAPE(struct list, list_fields);

/* About a folder; `name` may be NULL. */
static void put_params(struct dt_remote *remote, const char *folder,
                       const char *name)
{
	struct dt_json_out *params = dt_remote_begin(remote);

	dt_remote_put(params, "folder", folder);
	dt_remote_put(params, "name", name);
}

/* lsp */

struct options {
	bool is_json;
};

static const struct dt_option options_table[] = {
	DT_OPTION(struct options, is_json, FLAG, "print JSON", .name = "json"),
	DT_OPTION_END,
};

static void print_server(struct dt_arena *arena, const struct server *s)
{
	printf("%s: %s", dt_text_safe(arena, s->name),
	       dt_text_safe(arena, s->state));
	if (s->since_ms)
		printf(" since %s",
		       dt_text_ago(arena, s->since_ms, dt_clock_wall_ms()));
	if (s->pid)
		printf(", pid %d", (int)s->pid);
	if (s->memory)
		printf(", %u MiB", (unsigned)(s->memory / DT_MIB));
	printf(", %s\n",
	       dt_text_count(arena, (uint64_t)s->requests, "request"));
	printf("  in %s\n", dt_text_safe(arena, s->root));
	if (s->progress)
		printf("  busy: %s\n", dt_text_safe(arena, s->progress));
	if (s->error)
		printf("  last error: %s\n", dt_text_safe(arena, s->error));
	if (!s->is_tested)
		puts("  Dovetail is not tested with this server.");
}

static void print_language(struct dt_arena *arena, const struct language *l)
{
	printf("%s (%s): ", dt_text_safe(arena, l->language),
	       dt_text_count(arena, l->files, "file"));
	if (l->server) {
		printf("%s, %s%s\n", dt_text_safe(arena, l->server),
		       dt_text_safe(arena, l->program ? l->program : ""),
		       l->is_tested ? "" : " (not tested)");
		return;
	}
	puts("no language server is there; have one of these:");
	for (size_t i = 0; i < l->install.count; i++)
		printf("  %s\n", dt_text_safe(arena, l->install.ptr[i]));
}

static void print_list(struct dt_arena *arena, const struct list *list)
{
	const struct server *servers = list->servers.ptr;
	const struct language *languages = list->languages.ptr;

	for (size_t i = 0; i < list->servers.count; i++)
		print_server(arena, &servers[i]);
	if (list->servers.count == 0)
		puts("No language server runs; one is started when it is "
		     "needed.");
	puts("");
	for (size_t i = 0; i < list->languages.count; i++)
		print_language(arena, &languages[i]);
	if (list->languages.count == 0)
		puts("No file here is of a language that has a server.");
}

/* The folder is served for it, as for a call: what to install is worth knowing
 * before anything was asked. */
static enum dt_err ask_list(struct dt_arena *arena, const struct dt_json **out,
                            struct dt_fail *fail)
{
	struct dt_workspace_info info = { 0 };
	struct dt_remote *remote;
	enum dt_err err = dt_daemon_reach(&remote, fail);

	if (err)
		return err;
	err = dt_folder_serve(remote, NULL, arena, &info, fail);
	if (!err) {
		put_params(remote, info.root, NULL);
		err = dt_remote_call(remote, "lsp/list", arena, out, fail);
	}
	dt_remote_free(remote);
	return err;
}

static enum dt_err run(const void *opts, char *const *args,
                       struct dt_fail *fail)
{
	const struct options *options = opts;
	const struct dt_json *result;
	struct dt_arena arena = { 0 };
	struct list list = { 0 };
	enum dt_err err = ask_list(&arena, &result, fail);

	(void)args;
	if (!err && options->is_json) {
		dt_remote_print(result);
	} else if (!err) {
		err = dt_shape_read(&list_shape, &arena, result, &list, fail);
		if (!err)
			print_list(&arena, &list);
	}
	dt_arena_done(&arena);
	return err;
}

/* lsp restart */

struct restarted {
	uint32_t count;
};
static const struct dt_field restarted_fields[] = {
	DT_FIELD(struct restarted, count, U32, DT_REQ, ""),
	DT_FIELD_END,
};
static const struct dt_shape restarted_shape =
	DT_SHAPE(struct restarted, restarted_fields);

static enum dt_err ask_restart(struct dt_arena *arena, const char *name,
                               const struct dt_json **out, struct dt_fail *fail)
{
	struct dt_remote *remote;
	const char *folder;
	enum dt_err err = dt_folder_find(arena, NULL, &folder, fail);

	if (!err)
		err = dt_remote_open(&remote, fail);
	if (err)
		return err;
	put_params(remote, folder, name);
	err = dt_remote_call(remote, "lsp/restart", arena, out, fail);
	dt_remote_free(remote);
	return err;
}

static enum dt_err restart(const void *opts, char *const *args,
                           struct dt_fail *fail)
{
	const struct dt_json *result;
	struct dt_arena arena = { 0 };
	struct restarted restarted = { 0 };
	enum dt_err err = ask_restart(&arena, args[0], &result, fail);

	(void)opts;
	if (!err)
		err = dt_shape_read(&restarted_shape, &arena, result,
		                    &restarted, fail);
	if (!err && restarted.count == 0)
		err = dt_fail(fail, DT_E_MISSING,
		              "no such language server was started here: "
		              "`dovetail lsp` lists them");
	if (!err)
		printf("%s ended; a new one starts when it is needed.\n",
		       dt_text_count(&arena, restarted.count,
		                     "language server"));
	dt_arena_done(&arena);
	return err;
}

static const struct dt_command cmd_restart = {
	.name = "restart",
	.args = "[NAME]",
	.summary = "End language servers; they start again when needed",
	.doc = "End the language servers of this workspace, or the one of that "
	       "name, and\nforget that they crashed. They start again when they "
	       "are needed.",
	.max_args = 1,
	.run = restart,
};

static const struct dt_command *const subcommands[] = {
	&cmd_restart,
	NULL,
};

const struct dt_command dt_cmd_lsp = {
	.name = "lsp",
	.summary = "The language servers of this workspace",
	.doc = "List the language servers of this workspace: how they are, where "
	       "they run,\nwhat went wrong last; and for each language that is "
	       "here which server there\nis, or what to install. The folder is "
	       "served for it where it is not.",
	.options = options_table,
	.options_size = sizeof(struct options),
	.subcommands = subcommands,
	.run = run,
};
