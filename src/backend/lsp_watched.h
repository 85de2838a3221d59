/* backend/lsp_watched.h - files that change, as a language server wants to hear
 * of them; for backend/lsp*.c alone. */
#ifndef DT_BACKEND_LSP_WATCHED_H
#define DT_BACKEND_LSP_WATCHED_H

#include "backend/watcher.h"
#include "data/json.h"

#include <stddef.h>

struct dt_lsp_server;

/* client/registerCapability and back; what is about other things is left. */
void dt_lsp_watched_register(struct dt_lsp_server *server,
                             const struct dt_json *registrations);
void dt_lsp_watched_unregister(struct dt_lsp_server *server,
                               const struct dt_json *unregistrations);
void dt_lsp_watched_done(struct dt_lsp_server *server);
/* Of these changes those it registered for, in one message. */
void dt_lsp_watched_tell(struct dt_lsp_server *server,
                         const struct dt_file_change *changes, size_t count);
/* Files changed: it is told of those, and of the texts it has open. */
void dt_lsp_watched_take(struct dt_lsp_server *server,
                         const struct dt_file_changes *changes);

#endif
