/* app/settings.h - the configuration, for commands that need some of it. */
#ifndef DT_APP_SETTINGS_H
#define DT_APP_SETTINGS_H

#include "base/err.h"
#include "hub/config.h"

/* dovetail.conf read; what is wrong in it is for `dovetail config` to say. */
enum dt_err dt_settings_read(struct dt_config **out,
                             struct dt_fail *fail) DT_MUST_CHECK;

#endif
