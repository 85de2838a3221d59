/* backend/code_origins.h - which files an answer about a symbol is quoted from. */
#ifndef DT_BACKEND_CODE_ORIGINS_H
#define DT_BACKEND_CODE_ORIGINS_H

#include "backend/code_job.h"

/*
 * Ask where what is at job->place is defined, declared, and of which type it is,
 * and call then() with these files in job->origins; none where nothing is kept
 * from agents.  A server that cannot tell is not asked; where it fails the job
 * fails, for it is not known then what would be told.
 */
void dt_code_find_origins(struct dt_code_job *job,
                          void (*then)(struct dt_code_job *job));

#endif
