/* backend/code_languages.h - which languages the files of a workspace are of;
 * for backend/code_*.c alone. */
#ifndef DT_BACKEND_CODE_LANGUAGES_H
#define DT_BACKEND_CODE_LANGUAGES_H

#include "backend/headless_state.h"
#include "editor/answer.h"

struct dt_code_language {
	const char *id;
	uint32_t files;
	const char *path; /* of the first of them, absolute; NULL: it is gone */
};

/* Count them.  `fn` comes once, perhaps before this returns, with struct
 * dt_code_language, those with most files first, or with a failure; all is
 * lent.  It may free the caller's storage. */
typedef void dt_code_languages_fn(const struct dt_items *languages,
                                  const struct dt_fail *fail, void *owner);
struct dt_code_languages {
	struct dt_headless *h;
	struct dt_answer files; /* the listing's */
	dt_code_languages_fn *fn;
	void *owner;
};
void dt_code_languages_start(struct dt_code_languages *languages,
                             struct dt_headless *h, dt_code_languages_fn *fn,
                             void *owner);
/* Nobody waits any more; also when it is over. */
void dt_code_languages_drop(struct dt_code_languages *languages);

#endif
