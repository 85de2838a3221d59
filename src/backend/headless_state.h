/* backend/headless_state.h - what the headless editor is made of; for backend/
 * alone. */
#ifndef DT_BACKEND_HEADLESS_STATE_H
#define DT_BACKEND_HEADLESS_STATE_H

#include "backend/headless.h"
#include "backend/looks.h"
#include "backend/lsp.h"
#include "backend/problems.h"
#include "base/buf.h"
#include "base/list.h"

struct dt_follow;
struct dt_kept;
struct dt_terminals;
struct dt_watch_files;

struct dt_headless {
	struct dt_editor editor; /* first: a dt_editor * is a dt_headless * */
	struct dt_world world;
	struct dt_documents *docs; /* the world's */
	struct dt_problems *problems;
	struct dt_lsp *lsp;
	struct dt_looks *looks;
	struct dt_list watches; /* of watchDiagnostics */
	bool is_stopped;
	/* The last selection; its strings are owned. */
	struct dt_selection selection;
	char *path;
	struct dt_buf text;
	struct dt_terminals *terminals; /* backend/terminals.h */
	struct dt_follow *follow;       /* backend/follow.h */
	struct dt_watch_files *watch_files;
	struct dt_kept *kept; /* backend/kept.h */
};

/* Performs one operation; see dt_backend.perform. */
typedef void dt_headless_fn(struct dt_headless *h, const void *args,
                            struct dt_answer *answer);

/* diagnose.c */
dt_headless_fn dt_headless_get_diagnostics;
dt_headless_fn dt_headless_watch_diagnostics;
/* Other problems are known of a file than before. */
void dt_headless_tell_watches(struct dt_headless *h, const char *path);

/* Report; `event` is lent. */
void dt_headless_emit(struct dt_headless *h, struct dt_event *event);
/* A document was opened, closed or changed. */
void dt_headless_emit_document(struct dt_headless *h, const char *path,
                               enum dt_document_change change);

/*
 * The path as documents have it: a text that is open and not saved must be found
 * under every name of its file.  What cannot be resolved is left to the reading,
 * which knows the sentence.
 */
const char *dt_headless_path(struct dt_arena *arena, const char *path);

#endif
