/*
 * loop/mark.c - the table of marks, and who carries one.
 *
 * Claude Code's was seen in its children.  Those of the others were read, in the
 * agent's own sources or in programs that look for it, and are not tested with
 * that agent.  docs/internals/security.md says what the marks are for.
 */
#include "loop/mark.h"

#include "base/buf.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/str.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* What says most comes first. */
const struct dt_mark dt_marks[] = {
	{ "CLAUDECODE", "Claude Code" },
	{ "GEMINI_CLI", "Gemini CLI" },
	{ "QWEN_CODE", "Qwen Code" },
	{ "OPENCODE", "opencode" },
	{ "CODEX_THREAD_ID", "Codex" },
	{ "CODEX_SANDBOX", "Codex" },
	{ "CODEX_SANDBOX_NETWORK_DISABLED", "Codex" },
	{ "CODEX_CI", "Codex" },
	{ "COPILOT_CLI", "Copilot CLI" },
	{ "COPILOT_AGENT_SESSION_ID", "Copilot CLI" },
	{ "CURSOR_AGENT", "Cursor" },
	{ "GOOSE_TERMINAL", "goose" },
	{ "CLINE_ACTIVE", "Cline" },
	{ "AUGMENT_AGENT", "Auggie" },
	{ DT_MARK_AGENT, "Dovetail for an agent" },
	{ DT_MARK_RUN, "Dovetail for an agent's command" },
	{ DT_MARK_TERMINAL, "Dovetail for an agent's terminal" },
	{ "AI_AGENT", "an agent" },
};
const size_t dt_mark_count = sizeof(dt_marks) / sizeof(dt_marks[0]);

static const struct dt_mark *find(struct dt_str name)
{
	for (size_t i = 0; i < dt_mark_count; i++) {
		if (dt_str_is(name, dt_marks[i].variable))
			return &dt_marks[i];
	}
	return NULL;
}

const struct dt_mark *dt_mark_of(pid_t pid, bool *out_is_hidden)
{
	const struct dt_mark *found = NULL;
	struct dt_fail fail = { 0 };
	struct dt_str rest;
	struct dt_buf text;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/environ", (int)pid);
	dt_buf_init(&text, DT_LIMIT_ENVIRONMENT);
	*out_is_hidden = dt_file_read(path, &text, &fail) != DT_E_OK;
	rest = dt_buf_str(&text);
	while (!*out_is_hidden && rest.len) {
		struct dt_str pair = dt_str_cut(&rest, '\0');
		const struct dt_mark *mark = find(dt_str_cut(&pair, '='));

		if (mark && (!found || mark < found))
			found = mark;
	}
	dt_buf_done(&text);
	return found;
}

void dt_mark_clear(void)
{
	for (size_t i = 0; i < dt_mark_count; i++)
		unsetenv(dt_marks[i].variable);
}
