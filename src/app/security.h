/* app/security.h - what an agent can still do, said plainly. */
#ifndef DT_APP_SECURITY_H
#define DT_APP_SECURITY_H

#include <stddef.h>

/* What gets past the check of hub/whose.h, and why.  The table of
 * docs/internals/security.md has the same rows; test/suites/cli.py compares. */
struct dt_opening {
	const char *what;
	const char *why;
};
extern const struct dt_opening dt_openings[];
extern const size_t dt_opening_count;

void dt_security_print(void);

#endif
