/* backend/lsp_state.h - what the pool of language servers is made of; for
 * backend/lsp*.c alone.  Each part names the file it belongs to. */
#ifndef DT_BACKEND_LSP_STATE_H
#define DT_BACKEND_LSP_STATE_H

#include "backend/lsp.h"
#include "backend/lsp_docs.h"
#include "backend/lsp_report.h"
#include "backend/lsp_sources.h"
#include "backend/lsp_table.h"
#include "base/limits.h"
#include "base/list.h"
#include "loop/child.h"
#include "rpc/peer.h"

/* How long things take; tests have less patience. */
struct dt_lsp_times {
	uint64_t start_ms;  /* until a server must be ready */
	uint64_t stop_ms;   /* from "shutdown" to the end */
	uint64_t pause_ms;  /* after the first crash; then twice that ... */
	uint64_t silent_ms; /* without a word, and late: it hangs */
	uint64_t minute_ms; /* of idle_minutes */
	uint64_t news_ms;   /* in which a report begins, where none may come */
	uint64_t hush_ms;   /* the same for who has more time */
	uint64_t part_ms;   /* between the parts of one */
	uint64_t begin_ms;  /* in which it begins with what it was told of */
};

/* lsp.c: the pool and the requests */

struct dt_lsp {
	struct dt_world world;
	struct dt_lsp_times times;
	struct dt_problems *problems;
	struct dt_list servers;
	size_t server_count;
	struct dt_list others; /* requests that are at no server */
	bool is_stopped;
	bool tells_sources; /* to servers that want them; see lsp_sources.h */
};

enum dt_lsp_phase {
	DT_LSP_DOWN, /* not started, stopped, or crashed */
	DT_LSP_STARTING,
	DT_LSP_READY,
	DT_LSP_STOPPING, /* it was told to end */
};

/* Something it is busy with, by $/progress. */
struct dt_lsp_task {
	char *token; /* raw JSON; NULL: free */
	char *text;
};

struct dt_lsp_server {
	struct dt_list link;
	struct dt_lsp *lsp; /* NULL: the pool is gone */

	/* What it is, in `birth`. */
	struct dt_arena birth;
	struct dt_lsp_entry entry;
	const char *root;   /* of the workspace */
	const char *folder; /* its own */
	const char *key;    /* what else makes it this one: see lsp_find.c */

	/* This life of it. */
	enum dt_lsp_phase phase;
	struct dt_arena life;
	const struct dt_json *capabilities; /* in `life` */
	struct dt_child *child;
	struct dt_peer *peer;
	struct dt_list docs; /* struct dt_lsp_doc, the last used at the end */
	size_t doc_count;
	struct dt_lsp_task tasks[DT_LIMIT_LSP_PROGRESS];
	struct dt_list watchers; /* struct dt_lsp_watcher, that it registered */
	bool is_unversioned;     /* its reports do not say about which text */
	bool is_versioned;       /* they do, so there is one for every text */
	struct dt_lsp_sources *sources; /* on their way to it, or NULL */
	const char *doubt;              /* in `life`; see struct dt_lsp_reply */
	unsigned late; /* deadlines passed since it said anything */
	uint64_t heard_ms;

	struct dt_list requests; /* in the order they came */
	size_t request_count;
	struct dt_timer *timer; /* what for is told by the phase */
	uint64_t used_ms;
	int64_t since_ms; /* wall time of this phase */
	uint64_t asked;   /* requests sent in all */
	/* When it crashed, the last at [crash_count - 1 mod the size]. */
	uint64_t crashes[DT_LIMIT_LSP_CRASHES];
	size_t crash_count;
	bool is_refused;    /* it does not want to be started like this */
	struct dt_fail why; /* the reason of this end, while it is going on */
	struct dt_fail last_error;
};

struct dt_lsp_request {
	struct dt_list link; /* in the server's list or the pool's */
	struct dt_lsp *lsp;
	struct dt_lsp_server *server; /* or NULL */
	dt_lsp_fn *fn;
	dt_lsp_edit_fn *on_edit; /* or NULL */
	void *owner;
	struct dt_timer *timer; /* the deadline, or the next turn */
	struct dt_timer *quiet; /* of a refresh, or NULL */
	char *path;             /* NULL: about the workspace */
	char *method;           /* NULL: a refresh */
	char *provider;         /* or NULL */
	struct dt_buf params;
	unsigned deadline_ms;
	bool is_hasty; /* a refresh that is not worth much time */
	bool is_sent;
	bool is_again;       /* sent once more, since the text had changed */
	uint64_t call;       /* when it was sent; DT_CALL_OVER: answered */
	struct dt_fail fail; /* to be told in the next turn */
	bool is_over;        /* and the timer tells it */
	/* A question to all: its parts, and each part's whole. */
	struct dt_lsp_request *whole;
	size_t part_count;
	bool is_telling;
	bool is_dropped; /* while it was telling */
};

/* End it: take it out, tell, free.  Both may free what is around. */
void dt_lsp_request_end(struct dt_lsp_request *request,
                        const struct dt_json *result,
                        const struct dt_fail *fail);
/* The same in the next turn; code DT_E_OK: without a failure. */
void dt_lsp_request_end_later(struct dt_lsp_request *request,
                              const struct dt_fail *fail);

/* lsp_find.c */

/* The server of a file's language, made where there is none; NULL: `fail`. */
struct dt_lsp_server *dt_lsp_find(struct dt_lsp *lsp, const char *path,
                                  struct dt_fail *fail);
/* That of an entry; NULL also when its program is not there. */
struct dt_lsp_server *dt_lsp_find_of(struct dt_lsp *lsp, struct dt_arena *arena,
                                     const struct dt_lsp_entry *entry,
                                     const char *root, const char *path,
                                     struct dt_fail *fail);

/* lsp_server.c */

struct dt_lsp_server *dt_lsp_server_new(struct dt_lsp *lsp,
                                        const struct dt_lsp_entry *entry,
                                        const char *root, const char *folder,
                                        const char *key);
/* It ends; the memory goes when it has. */
void dt_lsp_server_free(struct dt_lsp_server *server);
bool dt_lsp_server_is_up(const struct dt_lsp_server *server);
/* Have it answer: started first where it is not. */
void dt_lsp_server_take(struct dt_lsp_server *server,
                        struct dt_lsp_request *request);
/* The first words are over. */
void dt_lsp_server_ready(struct dt_lsp_server *server);
/* It cannot be used: end it for this reason. */
void dt_lsp_server_break(struct dt_lsp_server *server,
                         const struct dt_fail *why);
/* The same, and it is not started again until it is told to. */
void dt_lsp_server_refuse(struct dt_lsp_server *server,
                          const struct dt_fail *why);
/* Politely; it starts again when it is asked. */
void dt_lsp_server_stop(struct dt_lsp_server *server);
/* "starting", "ready", "waiting 4 s after a crash" ... */
const char *dt_lsp_server_state(const struct dt_lsp_server *server,
                                struct dt_arena *arena);
/* "indexing 40 %", lent; or NULL. */
const char *dt_lsp_server_progress(const struct dt_lsp_server *server);

/* lsp_call.c */

/* It is ready: tell it the texts of now, and ask. */
void dt_lsp_call_send(struct dt_lsp_server *server,
                      struct dt_lsp_request *request);
/* Nobody waits for this one any more; nothing where it is answered. */
void dt_lsp_call_cancel(struct dt_lsp_server *server, struct dt_lsp_request *r);
/* A capability by name, "a.b" for b of a; NULL: it has none. */
const struct dt_json *dt_lsp_call_can(const struct dt_lsp_server *server,
                                      const char *provider);
/* It said something; a deadline passed. */
void dt_lsp_call_note_word(struct dt_lsp_server *server);
void dt_lsp_call_note_late(struct dt_lsp_server *server);

/* lsp_hello.c */

void dt_lsp_hello(struct dt_lsp_server *server);

/* lsp_answers.c */

void dt_lsp_answer(struct dt_lsp_server *server, struct dt_request *req,
                   const struct dt_json *params);
void dt_lsp_hear(struct dt_lsp_server *server, const char *method,
                 const struct dt_json *params);
void dt_lsp_tasks_done(struct dt_lsp_server *server);

#endif
