/* app/person.h - what only the person may do, done without the daemon. */
#ifndef DT_APP_PERSON_H
#define DT_APP_PERSON_H

#include "base/err.h"

/*
 * DT_E_DENIED with a sentence when an agent runs this command: by the marks of
 * loop/mark.h, and by all that a daemon knows if one runs.  `what` is what an
 * agent cannot do: "change the configuration".
 */
enum dt_err dt_person_check(const char *what,
                            struct dt_fail *fail) DT_MUST_CHECK;

#endif
