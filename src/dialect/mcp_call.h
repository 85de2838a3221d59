/* dialect/mcp_call.h - a call of MCP under way; for the files of MCP alone. */
#ifndef DT_DIALECT_MCP_CALL_H
#define DT_DIALECT_MCP_CALL_H

#include "dialect/mcp.h"

struct dt_mcp_round;

/* In the request's arena. */
struct dt_mcp_work {
	struct dt_mcp_turn turn; /* its params are gone */
	struct dt_call *call;
	struct dt_str uri;          /* of a resource that is read; or empty */
	struct dt_str about;        /* what a sealed state must fit */
	struct dt_mcp_round *round; /* questions that are open; or NULL */
	uint64_t told;              /* the last progress */
	bool has_told;
	bool is_tool;
	bool is_counted;
};

/* It is over: nothing of it is touched from outside any more. */
void dt_mcp_work_end(struct dt_mcp_work *work);

/* mcp_ask.c: for struct dt_call_face; the owner is the work. */
bool dt_mcp_can_ask(struct dt_call *call, const char *method, void *owner);
void dt_mcp_ask(struct dt_call *call, const struct dt_ask *asks,
                struct dt_str state, void *owner);
/* The questions that are open do not matter any more. */
void dt_mcp_ask_end(struct dt_mcp_work *work);

#endif
