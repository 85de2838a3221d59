/*
 * backend/code_edit_job.h - one change of code on its way; for
 * backend/code_edit*.c alone.
 *
 * The server of the file is asked once or several times; where there is none
 * that can, a program that reads the text and prints the new one may do.
 */
#ifndef DT_BACKEND_CODE_EDIT_JOB_H
#define DT_BACKEND_CODE_EDIT_JOB_H

#include "backend/headless_state.h"
#include "backend/lsp.h"
#include "base/sha256.h"
#include "editor/code_edit.h"
#include "loop/run.h"

struct dt_edit_job {
	struct dt_headless *h;
	struct dt_answer *answer;
	struct dt_arena arena;
	struct dt_lsp_request *request; /* under way, or NULL */
	struct dt_run *run;             /* or this */
	const char *path;
	const char *uri;
	struct dt_buf text;        /* as it is asked about */
	char base[DT_SHA256_TEXT]; /* of that */
	struct dt_range range;
	const char *only;
	const char *title; /* of the action that is wanted, or NULL */
	const char *made;  /* of the action that is made */
	const char *server;
	bool is_listing;         /* the actions are asked for, no change */
	bool is_preview;         /* no command may run */
	struct dt_items changes; /* struct dt_change, so far */
	const char *purpose;     /* of the programs that may do instead */
	struct dt_fail why_not;  /* why no server does */
	struct dt_fail half;     /* why not all it wants to change is taken */
};

/* NULL: the answer has failed, for the text cannot be read. */
struct dt_edit_job *dt_edit_job_new(struct dt_headless *h, const char *path,
                                    struct dt_answer *answer);
void dt_edit_job_free(struct dt_edit_job *job);
void dt_edit_job_fail(struct dt_edit_job *job, const struct dt_fail *fail);
/* With the changes there are; `source` is lent. */
void dt_edit_job_end(struct dt_edit_job *job, const char *source);

/* One question; `params` is what comes behind the document. */
struct dt_edit_ask {
	const char *method;
	const char *provider;
	struct dt_buf *params; /* the whole object; freed here */
	dt_lsp_fn *fn;         /* owner: the job */
};
void dt_edit_job_ask(struct dt_edit_job *job, const struct dt_edit_ask *ask);

/* Begin the parameters with the document, as an open object. */
void dt_edit_job_put(struct dt_edit_job *job, struct dt_json_out *out);
void dt_edit_put_range(struct dt_json_out *out, const struct dt_range *range);
void dt_edit_put_position(struct dt_json_out *out,
                          const struct dt_position *at);

/* Have a program for job->purpose do it; where there is none the job fails with
 * `why_not`. */
void dt_edit_job_run(struct dt_edit_job *job);

#endif
