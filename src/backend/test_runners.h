/* backend/test_runners.h - how a project runs its tests. */
#ifndef DT_BACKEND_TEST_RUNNERS_H
#define DT_BACKEND_TEST_RUNNERS_H

#include "backend/headless_state.h"

/* findTests */
void dt_test_runners_find(struct dt_headless *h, const void *args,
                          struct dt_answer *answer);

#endif
