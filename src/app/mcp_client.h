/* app/mcp_client.h - where MCP clients keep the list of their servers. */
#ifndef DT_APP_MCP_CLIENT_H
#define DT_APP_MCP_CLIENT_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

#include <stdbool.h>

struct dt_mcp_client;

/* By its name, "codex".  DT_E_ARGS with all names when there is none. */
enum dt_err dt_mcp_client_find(const char *name,
                               const struct dt_mcp_client **out,
                               struct dt_fail *fail) DT_MUST_CHECK;

/* Its file, by the environment; of one that keeps it in the project, relative.
 */
enum dt_err dt_mcp_client_path(const struct dt_mcp_client *client,
                               struct dt_arena *arena, const char **out,
                               struct dt_fail *fail) DT_MUST_CHECK;

/* What the client is to start: this program, `mcp`, --workspace where one is
 * named (or NULL), and perhaps --full. */
struct dt_mcp_command {
	const char *program;
	const char *workspace;
	bool is_full;
};

/* A whole file with us as the only server. */
const char *dt_mcp_client_config(const struct dt_mcp_client *client,
                                 struct dt_arena *arena,
                                 const struct dt_mcp_command *command);

/*
 * `text` (or empty) with us among the servers, every other byte kept; the same
 * text when we are there already.  DT_E_ARGS when it cannot be read as what it
 * should be, comments included.
 */
enum dt_err dt_mcp_client_add(const struct dt_mcp_client *client,
                              struct dt_arena *arena, struct dt_str text,
                              const struct dt_mcp_command *command,
                              struct dt_str *out,
                              struct dt_fail *fail) DT_MUST_CHECK;
/* Without us; the same text when we are not there. */
enum dt_err dt_mcp_client_remove(const struct dt_mcp_client *client,
                                 struct dt_arena *arena, struct dt_str text,
                                 struct dt_str *out,
                                 struct dt_fail *fail) DT_MUST_CHECK;

#endif
