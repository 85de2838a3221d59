/* app/exit_code.h - how the program ends; dovetail(1) documents it. */
#ifndef DT_APP_EXIT_CODE_H
#define DT_APP_EXIT_CODE_H

#include "base/err.h"

enum dt_exit {
	DT_EXIT_OK = 0,
	DT_EXIT_FAILED = 1,
	DT_EXIT_USAGE = 2,
	DT_EXIT_NOTHING = 3, /* nothing there, or not in time */
	DT_EXIT_REFUSED = 4,
};

int dt_exit_code(enum dt_err err);

#endif
