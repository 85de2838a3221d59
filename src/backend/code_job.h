/*
 * backend/code_job.h - one operation about code under way; for backend/code_*.c
 * alone.
 *
 * A job is started by the operation's function, asks the language server once or
 * several times, and ends its answer exactly once; who asked may drop it
 * meanwhile.  All it is made of is in its arena.
 */
#ifndef DT_BACKEND_CODE_JOB_H
#define DT_BACKEND_CODE_JOB_H

#include "backend/headless_state.h"
#include "backend/lsp.h"
#include "base/arena.h"
#include "data/json.h"
#include "editor/code_file.h"

#define DT_CODE_ASK_MS 50000
/* What all of the workspace is needed for, and what often is in the file. */
#define DT_CODE_PATIENCE_MS 20000
#define DT_CODE_LITTLE_PATIENCE_MS 2000
/* And until a server tells the truth at all. */
#define DT_CODE_LONG_PATIENCE_MS 45000

struct dt_code_job;

/* One question to the server of the file. */
struct dt_code_step {
	const char *method;
	const char *provider; /* see struct dt_lsp_ask */
	/* Writes members of the parameters behind the document; or NULL. */
	void (*params)(struct dt_code_job *job, struct dt_json_out *out);
	/* Decodes the result, which is lent, and asks on or ends the job. */
	void (*take)(struct dt_code_job *job, const struct dt_json *result);
	/* Where the server cannot: this is asked instead; NULL: it fails. */
	const struct dt_code_step *otherwise;
	/* Instead of failing for any other reason; or NULL. */
	void (*on_fail)(struct dt_code_job *job, const struct dt_fail *fail);
	bool is_bare; /* its parameters name no document */
	/* It is about more than this file, 0: it is not.  The server first looks
	 * at every text that is not saved, and while it still looks at the
	 * workspace, it is asked again for so long. */
	unsigned patience_ms;
};

struct dt_code_job {
	struct dt_headless *h;
	struct dt_answer *answer;
	struct dt_arena arena;
	struct dt_lsp_request *request; /* under way, or NULL */
	struct dt_timer *timer;         /* until it is asked again, or NULL */
	uint64_t since_ms;
	const char **unsaved; /* files it has to look at first, or NULL */
	size_t unsaved_count; /* those that are left */
	const struct dt_code_step *step;
	struct dt_fail first; /* why a step was left for another */
	/* Lent while a result is taken: what the server can. */
	const struct dt_json *capabilities;

	/* What was asked for; strings are copied. */
	struct dt_code_place place;
	struct dt_lines_args lines; /* its path is place.path */
	uint32_t offset;
	uint32_t limit;
	int direction;
	struct dt_code_source source; /* for the result */
	void *state;                  /* the operation's own */
	/* of code_origins.c */
	struct dt_names origins;
	size_t origin_step;
	void (*then)(struct dt_code_job *job);
};

/* `path` may be NULL. */
struct dt_code_job *dt_code_new(struct dt_headless *h, const char *path,
                                struct dt_answer *answer);
/* What on_drop does, for jobs that have one of their own. */
void dt_code_drop(struct dt_answer *answer, void *performer);
/* What was asked for, but at most so many. */
uint32_t dt_code_limit(struct dt_maybe_u32 wanted, uint32_t most);

/* The place put right by the text of now; false: the job has failed. */
bool dt_code_find_place(struct dt_code_job *job,
                        const struct dt_code_place *place);
/* The same for the place of a call. */
bool dt_code_find_call(struct dt_code_job *job,
                       const struct dt_code_place *place);

void dt_code_ask(struct dt_code_job *job, const struct dt_code_step *step);

/* Both free the job; the result is lent until they return. */
void dt_code_end(struct dt_code_job *job, const void *result);
void dt_code_fail(struct dt_code_job *job, const struct dt_fail *fail);

/* params: the position of the place. */
void dt_code_put_place(struct dt_code_job *job, struct dt_json_out *out);
void dt_code_put_range(struct dt_json_out *out, const char *name,
                       const struct dt_range *range);

/* The text of a file for an answer, or false; `out` is initialised always. */
bool dt_code_text(struct dt_headless *h, const char *path, struct dt_buf *out);

/* Give the locations the lines they begin on, where these are in the
 * workspace. */
void dt_code_add_previews(struct dt_code_job *job, struct dt_items *locations);

/* The operations. */
dt_headless_fn dt_code_go_to_definition;
dt_headless_fn dt_code_go_to_type_definition;
dt_headless_fn dt_code_go_to_declaration;
dt_headless_fn dt_code_find_implementations;
dt_headless_fn dt_code_find_references;
dt_headless_fn dt_code_get_hover;
dt_headless_fn dt_code_get_signature_help;
dt_headless_fn dt_code_get_selection_ranges;
dt_headless_fn dt_code_get_document_symbols;
dt_headless_fn dt_code_search_symbols;
dt_headless_fn dt_code_get_call_hierarchy;
dt_headless_fn dt_code_get_type_hierarchy;
dt_headless_fn dt_code_get_inlay_hints;
dt_headless_fn dt_code_get_semantic_tokens;
dt_headless_fn dt_code_get_folding_ranges;
dt_headless_fn dt_code_get_document_links;
dt_headless_fn dt_code_get_code_lenses;
dt_headless_fn dt_code_list_servers;
dt_headless_fn dt_code_restart_servers;

#endif
