/*
 * backend/lsp.h - the language servers of one workspace.
 *
 * A server is found by the language of a file, started when it is first needed
 * for its root, shared by everyone, started again with growing pauses when it
 * crashes, and stopped when nobody has needed it for a while.  It is told of the
 * texts of now, unsaved ones included, before every request.  Positions in
 * params and results are 0-based lines and UTF-16 columns.
 */
#ifndef DT_BACKEND_LSP_H
#define DT_BACKEND_LSP_H

#include "backend/headless.h"
#include "backend/problems.h"
#include "base/err.h"
#include "base/str.h"
#include "data/json.h"

#include <stdbool.h>
#include <stdint.h>

struct dt_lsp;
struct dt_lsp_request;

/* What servers report of files goes into `problems`. */
struct dt_lsp *dt_lsp_new(const struct dt_world *world,
                          struct dt_problems *problems);
/* End all servers; requests that wait are dropped. */
void dt_lsp_free(struct dt_lsp *lsp);

/* A question about one file. */
struct dt_lsp_ask {
	const char *path;     /* as dt_headless_path() makes it */
	const char *method;   /* "textDocument/hover" */
	const char *provider; /* the capability without which it is not asked,
	                       * "hoverProvider"; NULL: ask in any case */
	struct dt_str params; /* JSON object; copied */
	unsigned deadline_ms; /* a server that starts first counts too */
};
struct dt_lsp_reply {
	const struct dt_json *result;
	const struct dt_json *capabilities; /* of the server */
	const char *server;                 /* its name in the table */
};

/*
 * Ask the server of the file's language.  `fn` comes exactly once and not before
 * this returns: with the reply, or with DT_E_UNSUPPORTED (no server for this
 * language, with what to install; or this server cannot), DT_E_TIMEOUT,
 * DT_E_CLOSED (it crashed) or the server's own error.  All is lent.
 */
typedef void dt_lsp_fn(const struct dt_lsp_reply *reply,
                       const struct dt_fail *fail, void *owner);
struct dt_lsp_request *dt_lsp_ask(struct dt_lsp *lsp,
                                  const struct dt_lsp_ask *ask, dt_lsp_fn *fn,
                                  void *owner);
/* Nobody waits any more: the server is told to stop; `fn` does not come. */
void dt_lsp_drop(struct dt_lsp_request *request);

/*
 * Have the file's server look at the text of now: `fn` comes, with a reply
 * without result, when what it reported of that text is in the problems.  The
 * same failures.
 */
struct dt_lsp_request *dt_lsp_refresh(struct dt_lsp *lsp, const char *path,
                                      unsigned deadline_ms, dt_lsp_fn *fn,
                                      void *owner);

/* Questions about the workspace, "workspace/symbol": each server that runs is
 * asked (where none does, one is started for the languages that are there), and
 * `fn` comes once for each, then once with neither reply nor failure. */
struct dt_lsp_request *dt_lsp_ask_all(struct dt_lsp *lsp,
                                      const struct dt_lsp_ask *ask,
                                      dt_lsp_fn *fn, void *owner);

/* A text was changed, saved, closed or removed; servers that know the file are
 * told. */
void dt_lsp_touch(struct dt_lsp *lsp, const char *path);

#endif
