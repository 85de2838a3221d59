/* app/exit_code.c - the map from enum dt_err to exit codes. */
#include "app/exit_code.h"

static const signed char codes[DT_E_COUNT] = {
	[DT_E_OK] = DT_EXIT_OK,
	[DT_E_ARGS] = DT_EXIT_USAGE,
	[DT_E_METHOD] = DT_EXIT_FAILED,
	[DT_E_PROTO] = DT_EXIT_FAILED,
	[DT_E_LIMIT] = DT_EXIT_FAILED,
	[DT_E_DENIED] = DT_EXIT_REFUSED,
	[DT_E_MISSING] = DT_EXIT_NOTHING,
	[DT_E_STATE] = DT_EXIT_FAILED,
	[DT_E_UNSUPPORTED] = DT_EXIT_FAILED,
	[DT_E_TIMEOUT] = DT_EXIT_NOTHING,
	[DT_E_CANCELLED] = DT_EXIT_FAILED,
	[DT_E_CLOSED] = DT_EXIT_FAILED,
	[DT_E_SYS] = DT_EXIT_FAILED,
};

int dt_exit_code(enum dt_err err)
{
	return err < DT_E_COUNT ? codes[err] : DT_EXIT_FAILED;
}
