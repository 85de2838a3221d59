/* rpc/code.h - our errors as JSON-RPC 2.0 names them. */
#ifndef DT_RPC_CODE_H
#define DT_RPC_CODE_H

#include "base/err.h"

enum dt_rpc_code {
	DT_RPC_PARSE_ERROR = -32700,
	DT_RPC_INVALID_REQUEST = -32600,
	DT_RPC_NO_METHOD = -32601,
	DT_RPC_INVALID_PARAMS = -32602,
	DT_RPC_INTERNAL = -32603,
	/* ours, as the documents of seed 000 use them where they do */
	DT_RPC_LIMIT = -32004,
	DT_RPC_DENIED = -32010,
	DT_RPC_MISSING = -32011,
	DT_RPC_STATE = -32012,
	DT_RPC_UNSUPPORTED = -32013,
	DT_RPC_TIMEOUT = -32014,
	DT_RPC_CANCELLED = -32015,
	DT_RPC_CLOSED = -32016,
};

int dt_rpc_code(enum dt_err err);
/* The way back, for the command line; DT_E_SYS for codes that are not ours. */
enum dt_err dt_rpc_err(int code);

#endif
