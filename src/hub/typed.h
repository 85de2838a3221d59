/* hub/typed.h - what agents type into terminals, looked at. */
#ifndef DT_HUB_TYPED_H
#define DT_HUB_TYPED_H

#include "base/err.h"

#include <stdbool.h>

/* Programs that may be run without asking. */
#define DT_TYPED_ALLOW "git npm cargo go pytest jest vitest tsc eslint biome"

/*
 * DT_E_OK: it may be typed without asking, for it is a plain command of an
 * allowed program, or a key that ends one; else DT_E_DENIED and why.  This is a
 * courtesy: an allowed program that is set on it can do anything.
 */
enum dt_err dt_typed_check(const char *allow, const char *text,
                           struct dt_fail *fail) DT_MUST_CHECK;

#endif
