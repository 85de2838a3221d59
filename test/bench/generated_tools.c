/*
 * test/bench/generated_tools.c - 150 tools in place of those of tool/groups.c.
 *
 * bench-dovetail is all of dovetail but for this table, which the linker finds
 * first.  Each tool answers with its text, so that what a call costs is the way
 * there and back; the schemas are of the size that real ones have.
 */
#include "tool/call.h"
#include "tool/groups.h"

struct generated {
	struct dt_str text;
	const char *path;
	struct dt_maybe_u32 line;
	int scope;
	bool is_preview;
};

static const char *const scopes[] = { "file", "folder", "workspace", NULL };

static const struct dt_field fields[] = {
	DT_FIELD(struct generated, text, STR, DT_REQ | DT_BIG,
	         "What to answer, byte for byte."),
	DT_FIELD(struct generated, path, PATH, 0,
	         "Absolute path of the file to look at; left out: the one "
	         "that is shown."),
	DT_FIELD(struct generated, line, MAYBE_U32, 0,
	         "0-based line to begin with; left out: the first."),
	DT_FIELD(struct generated, scope, ENUM, 0,
	         "How far to look for what is named.", .names = scopes),
	DT_FIELD_AS("isPreview", struct generated, is_preview, BOOL, 0,
	            "Show what would be done and do nothing."),
	DT_FIELD_END,
};

static void echo(struct dt_call *call, const void *args)
{
	const struct generated *wanted = args;

	dt_call_add(call, wanted->text);
	dt_call_reply(call);
}

/* clang-format off */
#define TOOL(n)                                                              \
	{ .name = "tool" #n, .title = "Generated tool " #n,                  \
	  .doc = "Answers with the text it is given. Use it to learn what "  \
	         "a call costs; it looks at nothing and changes nothing.",   \
	  .args = DT_SHAPE(struct generated, fields), .effect = DT_READS,    \
	  .deadline_ms = 5000, .run = echo }
#define TEN(n)                                                               \
	TOOL(n##0), TOOL(n##1), TOOL(n##2), TOOL(n##3), TOOL(n##4),          \
	TOOL(n##5), TOOL(n##6), TOOL(n##7), TOOL(n##8), TOOL(n##9)
/* clang-format on */

static const struct dt_tool tools[] = {
	TEN(0), TEN(1), TEN(2),  TEN(3),  TEN(4),  TEN(5),  TEN(6),  TEN(7),
	TEN(8), TEN(9), TEN(10), TEN(11), TEN(12), TEN(13), TEN(14),
};

static const struct dt_tool_group group = {
	.name = "generated",
	.doc = "Tools to measure with.",
	.tools = tools,
	.count = sizeof(tools) / sizeof(tools[0]),
};

const struct dt_tool_group *const dt_tool_groups[] = { &group, NULL };
