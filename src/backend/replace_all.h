/* backend/replace_all.h - a pattern replaced in many files, for somebody who
 * looks at the result before anything is written. */
#ifndef DT_BACKEND_REPLACE_ALL_H
#define DT_BACKEND_REPLACE_ALL_H

#include "backend/headless_state.h"

/* Performs searchReplace. */
dt_headless_fn dt_headless_replace_all;

#endif
