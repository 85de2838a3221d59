/* backend/lsp_docs.h - the texts a language server has; for backend/lsp*.c
 * alone. */
#ifndef DT_BACKEND_LSP_DOCS_H
#define DT_BACKEND_LSP_DOCS_H

#include "base/err.h"
#include "base/list.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

struct dt_lsp_server;

/* What the file was like when it was read. */
struct dt_lsp_stamp {
	uint64_t overlay; /* version of the unsaved text; 0: from the disk */
	ino_t inode;
	off_t size;
	struct timespec changed;
	bool is_sure; /* it was old enough to tell two changes apart */
};

struct dt_lsp_doc {
	struct dt_list link;
	char *path;
	char *uri;
	uint64_t opened_ms; /* there */
	uint32_t version;   /* as the server has it */
	uint32_t reported;  /* the version its last report was about */
	uint32_t missed;    /* that on which none came in time */
	bool is_heard_of;   /* there was one that did not say about what */
	bool is_shaken; /* other files changed since, so there may be more */
	struct dt_lsp_stamp stamp;
	uint8_t digest[32]; /* of the text it has */
};

/* Tell the server the texts of now: of this file (may be NULL), which is opened
 * there, and of all that are open there or have unsaved changes. */
enum dt_err dt_lsp_docs_sync(struct dt_lsp_server *server, const char *path,
                             struct dt_fail *fail) DT_MUST_CHECK;
struct dt_lsp_doc *dt_lsp_docs_find(struct dt_lsp_server *server,
                                    const char *path);
/* Have it open, with the text of now; what cannot be read is left out. */
void dt_lsp_docs_open(struct dt_lsp_server *server, const char *path);
/*
 * Files that it may have read without having them open are others now.  It is
 * told that a text was saved, although it is the same: clangd looks at headers
 * again then, and at no other time.
 */
void dt_lsp_docs_shake(struct dt_lsp_server *server);
/* The server is gone and all it knew. */
void dt_lsp_docs_done(struct dt_lsp_server *server);

#endif
