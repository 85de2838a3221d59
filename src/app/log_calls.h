/* app/log_calls.h - `dovetail log --calls`. */
#ifndef DT_APP_LOG_CALLS_H
#define DT_APP_LOG_CALLS_H

#include "app/remote.h"

#include <stdbool.h>
#include <stdint.h>

struct dt_log_calls {
	uint32_t limit; /* the latest so many; 0: all */
	bool is_followed;
	bool is_json;
};

/* Print the calls of tools, the latest last. */
enum dt_err dt_log_calls(struct dt_remote *remote,
                         const struct dt_log_calls *options,
                         struct dt_fail *fail) DT_MUST_CHECK;

#endif
