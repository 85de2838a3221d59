/* backend/lsp_report.h - the problems a language server finds; for backend/lsp*.c
 * alone. */
#ifndef DT_BACKEND_LSP_REPORT_H
#define DT_BACKEND_LSP_REPORT_H

#include "data/json.h"

struct dt_lsp_request;
struct dt_lsp_server;

/* textDocument/publishDiagnostics */
void dt_lsp_report_take(struct dt_lsp_server *server,
                        const struct dt_json *params);
/* It ends when the report of this text is there, which may be asked for. */
void dt_lsp_report_want(struct dt_lsp_request *request);
/* The server ended: nothing it reported holds. */
void dt_lsp_report_forget(struct dt_lsp_server *server);

#endif
