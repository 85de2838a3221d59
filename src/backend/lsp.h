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
#include "backend/watcher.h"
#include "base/err.h"
#include "base/str.h"
#include "data/field.h"
#include "data/json.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dt_lsp;
struct dt_lsp_request;

/* What servers report of files goes into `problems`. */
struct dt_lsp *dt_lsp_new(const struct dt_world *world,
                          struct dt_problems *problems);
/* End all servers, and start none again: what is asked from now on fails. */
void dt_lsp_stop(struct dt_lsp *lsp);
/* End all servers; requests that wait are dropped. */
void dt_lsp_free(struct dt_lsp *lsp);

/*
 * A server wants to change files (workspace/applyEdit) while a question of ours
 * is under way, as after workspace/executeCommand.  True: it was taken.  Without
 * such a function edits are refused.  `edit` is the WorkspaceEdit, lent.
 */
typedef bool dt_lsp_edit_fn(const struct dt_json *edit, void *owner);

/* A question about one file. */
struct dt_lsp_ask {
	const char *path;     /* as dt_headless_path() makes it */
	const char *method;   /* "textDocument/hover" */
	const char *provider; /* the capability without which it is not asked,
	                       * "hoverProvider", "renameProvider.prepareProvider";
	                       * NULL: ask in any case */
	struct dt_str params; /* JSON object; copied */
	unsigned deadline_ms; /* a server that starts first counts too */
	dt_lsp_edit_fn *on_edit; /* or NULL; called with the same owner */
	bool is_hasty;           /* see dt_lsp_refresh_soon() */
};
struct dt_lsp_reply {
	const struct dt_json *result;       /* NULL for a refresh */
	const struct dt_json *capabilities; /* of the server */
	const char *server;                 /* its name in the table */
	const char *busy;  /* what it is at, "indexing 40 %"; or NULL */
	bool is_young;     /* it has just started, and may not say so */
	bool is_early;     /* it may not have read the text before */
	const char *doubt; /* why it may not know the whole project; or NULL */
};

/*
 * Ask the server of the file's language.  `fn` comes exactly once and not before
 * this returns: with the reply, or with DT_E_UNSUPPORTED (no server for this
 * language, with what to install; or this server cannot), DT_E_TIMEOUT,
 * DT_E_CLOSED (it crashed) or the server's own error.  All is lent.  The request
 * is gone when `fn` comes.
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
/*
 * For those who can do without: where the server has not shown yet that it
 * reports on every text, a report has to begin within DT_LIMIT_LSP_NEWS_MS of
 * it being told the text, once for each text.  Else DT_E_TIMEOUT.
 */
struct dt_lsp_request *dt_lsp_refresh_soon(struct dt_lsp *lsp, const char *path,
                                           unsigned deadline_ms, dt_lsp_fn *fn,
                                           void *owner);

/* Questions about the workspace, "workspace/symbol": the servers of these files
 * are asked, started first where they do not run, and each other one that runs
 * and knows more than single files.  `fn` comes once for each, or with the reason
 * why there is none, then once with neither reply nor failure.  The path is not
 * looked at.  dt_lsp_drop() drops all of it. */
struct dt_lsp_request *dt_lsp_ask_all(struct dt_lsp *lsp,
                                      const struct dt_lsp_ask *ask,
                                      const struct dt_names *files,
                                      dt_lsp_fn *fn, void *owner);

/* Files changed on disk; servers that run are told of what is theirs. */
void dt_lsp_changed(struct dt_lsp *lsp, const struct dt_file_changes *changes);
/* Whether there is one that would want to know. */
bool dt_lsp_runs(const struct dt_lsp *lsp);

/* One server that was needed, for `dovetail lsp`. */
struct dt_lsp_info {
	const char *name;
	const char *folder; /* its root */
	const char *state;  /* "ready", "starting", "refused", "given up" ... */
	int64_t pid;        /* 0: it does not run */
	int64_t memory;     /* bytes of it and its helpers; 0: not known */
	int64_t since;      /* of this state; wall ms */
	int64_t requests;   /* sent in all */
	const char *error;  /* the last one, or NULL */
	const char *progress; /* "indexing 40 %", or NULL */
};
/* struct dt_lsp_info, in the arena. */
struct dt_items dt_lsp_list(struct dt_lsp *lsp, struct dt_arena *arena);
/* End those of this name (NULL: all) and forget their crashes; they start again
 * when they are needed.  Returns how many. */
size_t dt_lsp_restart(struct dt_lsp *lsp, const char *name);

#endif
