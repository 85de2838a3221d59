/* rpc/code.c - the map from enum dt_err to JSON-RPC codes and back. */
#include "rpc/code.h"

static const int codes[DT_E_COUNT] = {
	[DT_E_OK] = 0,
	[DT_E_ARGS] = DT_RPC_INVALID_PARAMS,
	[DT_E_METHOD] = DT_RPC_NO_METHOD,
	[DT_E_PROTO] = DT_RPC_INVALID_REQUEST,
	[DT_E_LIMIT] = DT_RPC_LIMIT,
	[DT_E_DENIED] = DT_RPC_DENIED,
	[DT_E_MISSING] = DT_RPC_MISSING,
	[DT_E_STATE] = DT_RPC_STATE,
	[DT_E_UNSUPPORTED] = DT_RPC_UNSUPPORTED,
	[DT_E_TIMEOUT] = DT_RPC_TIMEOUT,
	[DT_E_CANCELLED] = DT_RPC_CANCELLED,
	[DT_E_CLOSED] = DT_RPC_CLOSED,
	[DT_E_SYS] = DT_RPC_INTERNAL,
};

int dt_rpc_code(enum dt_err err)
{
	return err < DT_E_COUNT ? codes[err] : DT_RPC_INTERNAL;
}

enum dt_err dt_rpc_err(int code)
{
	for (int err = DT_E_OK + 1; err < DT_E_COUNT; err++) {
		if (codes[err] == code)
			return (enum dt_err)err;
	}
	return DT_E_SYS;
}
