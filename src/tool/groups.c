/* tool/groups.c - the groups of tools that every MCP client is offered. */
#include "tool/groups.h"

#include "tool/change_tools.h"
#include "tool/code_file_tools.h"
#include "tool/code_many_tools.h"
#include "tool/code_tools.h"
#include "tool/context_tools.h"
#include "tool/diagnostics_tools.h"
#include "tool/edit_tools.h"
#include "tool/editor_tools.h"
#include "tool/file_tools.h"
#include "tool/fix_tools.h"
#include "tool/git_tools.h"
#include "tool/impact_tools.h"
#include "tool/import_tools.h"
#include "tool/ops_tools.h"
#include "tool/project_tools.h"
#include "tool/replace_tools.h"
#include "tool/run_tools.h"
#include "tool/search_tools.h"
#include "tool/terminal_tools.h"
#include "tool/transaction_tools.h"
#include "tool/watch_tools.h"

const struct dt_tool_group *const dt_tool_groups[] = {
	&dt_tools_edit,
	/* change */
	&dt_tools_change,
	&dt_tools_transaction,
	&dt_tools_replace,
	&dt_tools_fix,
	&dt_tools_editor,
	&dt_tools_diagnostics,
	&dt_tools_impact,
	&dt_tools_files,
	/* search */
	&dt_tools_search,
	&dt_tools_imports,
	&dt_tools_project,
	&dt_tools_context,
	/* code */
	&dt_tools_code,
	&dt_tools_code_many,
	&dt_tools_code_file,
	/* git */
	&dt_tools_git,
	&dt_tools_git_history,
	&dt_tools_git_write,
	&dt_tools_github_pr,
	&dt_tools_github,
	/* run */
	&dt_tools_run,
	&dt_tools_terminal,
	&dt_tools_watch,
	&dt_tools_bridge,
	NULL,
};
