/* backend/lsp_table.h - which language server is for what, and where it is. */
#ifndef DT_BACKEND_LSP_TABLE_H
#define DT_BACKEND_LSP_TABLE_H

#include "backend/headless.h"
#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>

/* One line of backend/lsp_servers.def, or one of the person's in [lsp]. */
struct dt_lsp_entry {
	const char *name;             /* "clangd" */
	const char *const *languages; /* language ids; end with NULL */
	const char *const *argv;      /* program and arguments; end with NULL */
	const char *const *markers;   /* files of a root, the best first */
	const char *settings;         /* JSON for workspace/configuration */
	const char *options;          /* JSON: initializationOptions, or NULL */
	const char *install;          /* what to type to have it */
	bool is_tested;               /* it was run here */
	bool is_unsure; /* what it says while it loads a project is worthless */
	bool is_rash;   /* it answers before it has read what was opened */
	bool is_local;  /* it knows of single files alone */
	bool wants_sources; /* to be told which there are; see lsp_sources.h */
};

/* The entries for a language in the order to try them, into the arena; ends with
 * NULL.  Those of the person come first; one that is switched off is left out. */
const struct dt_lsp_entry *const *dt_lsp_entries_of(
	const struct dt_world *world, struct dt_arena *arena,
	const char *language);

/* All of them, for `dovetail lsp`. */
const struct dt_lsp_entry *const *dt_lsp_entries(const struct dt_world *world,
                                                 struct dt_arena *arena);

/* Whether it is `is_unsure`, by its name. */
bool dt_lsp_is_unsure(const char *name);

/* Whether a value of [lsp] can be read: DT_E_ARGS.
 *   server = NAME [LANGUAGE,LANGUAGE]: COMMAND ...
 *   settings = NAME: {...} */
enum dt_err dt_lsp_check_server(struct dt_str value,
                                struct dt_fail *fail) DT_MUST_CHECK;
enum dt_err dt_lsp_check_settings(struct dt_str value,
                                  struct dt_fail *fail) DT_MUST_CHECK;

/* Whether it is for files of this language. */
bool dt_lsp_is_for(const struct dt_lsp_entry *entry, const char *language);

/*
 * The folder a server for this file is started in: the nearest one above it,
 * within its root, that holds the first of the markers that is found; else the
 * root.
 */
const char *dt_lsp_root(struct dt_arena *arena,
                        const struct dt_lsp_entry *entry, const char *root,
                        const char *path);

/*
 * The command line with the program's absolute path: from node_modules/.bin and
 * virtualenvs of the folder or above it within the root, from VIRTUAL_ENV, else
 * from PATH.  Programs inside the workspace are left out where the person has
 * switched them off ([lsp] workspace_programs).  NULL: it is not there.
 */
char **dt_lsp_command(const struct dt_world *world, struct dt_arena *arena,
                      const struct dt_lsp_entry *entry, const char *root,
                      const char *folder);

#endif
