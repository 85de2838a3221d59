/* backend/lsp_sources.h - the source files of a project, told to a server that
 * does not look for them; for backend/lsp*.c alone. */
#ifndef DT_BACKEND_LSP_SOURCES_H
#define DT_BACKEND_LSP_SOURCES_H

#include "base/arena.h"

#include <stdbool.h>

struct dt_lsp_server;
struct dt_lsp_sources;

/* It is ready: look for them and tell it, where its entry wants that.  Until it
 * has begun with them server->sources is set, and it counts as busy. */
void dt_lsp_sources_start(struct dt_lsp_server *server);
/* It says what it is at. */
void dt_lsp_sources_note_progress(struct dt_lsp_server *server);
/* The server is gone, or nobody waits; NULL is fine. */
void dt_lsp_sources_free(struct dt_lsp_sources *sources);

/* Whether a folder has a compilation database, which is better. */
bool dt_lsp_sources_has_database(struct dt_arena *arena, const char *folder);

#endif
