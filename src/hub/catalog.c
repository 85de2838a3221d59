/*
 * hub/catalog.c - the tool tables printed.
 *
 * Everything comes from the tables that agents are served from, so the
 * documentation cannot be wrong about them.
 */
#include "hub/catalog.h"

#include "dialect/dialect.h"

static bool is_extra(const struct dt_tool *tool)
{
	return tool->flags & DT_TOOL_EXTRA;
}

/* text */

void dt_catalog_write_text(struct dt_buf *out)
{
	for (size_t d = 0; d < dt_dialect_count; d++) {
		const struct dt_dialect *dialect = dt_dialects[d];
		const struct dt_tool *tool;

		dt_buf_addf(out, "%s%s: %s\n", d ? "\n" : "", dialect->name,
		            dialect->doc);
		for (size_t i = 0; (tool = dt_dialect_tool(dialect, i)); i++)
			dt_buf_addf(out, "  %-26s %s%s\n", tool->name,
			            dt_effect_name(tool->effect),
			            is_extra(tool) ? " (not in the short list)"
			                           : "");
	}
}

#define COLUMNS 76

/* One paragraph in lines that fit a terminal. */
static void add_paragraph(struct dt_buf *out, struct dt_str words,
                          size_t indent)
{
	size_t column = indent;

	dt_buf_addf(out, "%*s", (int)indent, "");
	while (words.len) {
		struct dt_str word = dt_str_cut(&words, ' ');

		if (column > indent && column + 1 + word.len > COLUMNS) {
			dt_buf_addf(out, "\n%*s", (int)indent, "");
			column = indent;
		} else if (column > indent) {
			dt_buf_add_char(out, ' ');
			column++;
		}
		dt_buf_add_str(out, word);
		column += word.len;
	}
	dt_buf_add_char(out, '\n');
}

/* The line breaks of the text stay. */
static void add_wrapped(struct dt_buf *out, const char *text, size_t indent)
{
	struct dt_str rest = dt_str(text);

	while (rest.len)
		add_paragraph(out, dt_str_cut(&rest, '\n'), indent);
}

/* NOLINTNEXTLINE(misc-no-recursion): as deep as the tables are. */
static void explain_field(struct dt_buf *out, const struct dt_field *field,
                          size_t indent)
{
	bool has_members =
		field->type == DT_T_ITEMS || field->type == DT_T_OBJECT;

	dt_buf_addf(out, "%*s%s (%s%s%s%s)\n", (int)indent, "", field->name,
	            dt_field_type_name(field),
	            field->flags & DT_REQ ? ", required" : "",
	            field->def ? ", default " : "",
	            field->def ? field->def : "");
	add_wrapped(out, field->doc, indent + 4);
	if (field->type == DT_T_ENUM) {
		dt_buf_addf(out, "%*sOne of:", (int)indent + 4, "");
		for (const char *const *name = field->names; *name; name++)
			dt_buf_addf(out, " %s", *name);
		dt_buf_add_char(out, '\n');
	}
	if (!has_members || !field->shape)
		return;
	dt_buf_addf(out, "%*s%s\n", (int)indent + 4, "",
	            field->type == DT_T_ITEMS ? "Each is an object with:"
	                                      : "Its members:");
	for (const struct dt_field *f = field->shape->fields; f->name; f++)
		explain_field(out, f, indent + 6);
}

/* Whoever may wait for a person has no deadline. */
static const char *effect_of(const struct dt_tool *tool)
{
	if (tool->effect != DT_RUNS)
		return "";
	return tool->deadline_ms ? ", without asking the person"
	                         : "; the person may be asked first";
}

static void explain(struct dt_buf *out, const struct dt_dialect *dialect,
                    const struct dt_tool *tool)
{
	dt_buf_addf(out, "usage: dovetail call %s [KEY=VALUE...]\n\n",
	            tool->name);
	add_wrapped(out, tool->doc, 0);
	dt_buf_addf(out, "\nA tool of %s. It %s%s.\n", dialect->name,
	            dt_effect_name(tool->effect), effect_of(tool));
	if (tool->args.fields[0].name)
		dt_buf_add_z(out, "\nArguments:\n");
	for (const struct dt_field *f = tool->args.fields; f->name; f++)
		explain_field(out, f, 2);
}

const char *dt_catalog_nearest(const char *typed)
{
	return dt_dialect_nearest(dt_dialect_find("mcp"), dt_str(typed));
}

bool dt_catalog_write_tool(struct dt_buf *out, const char *name)
{
	bool is_found = false;

	for (size_t d = 0; d < dt_dialect_count; d++) {
		const struct dt_tool *tool =
			dt_dialect_find_tool(dt_dialects[d], dt_str(name));

		if (!tool)
			continue;
		if (is_found)
			dt_buf_add_char(out, '\n');
		explain(out, dt_dialects[d], tool);
		is_found = true;
	}
	return is_found;
}

/* Markdown */

/* A cell of a table must not end it. */
static void add_cell(struct dt_buf *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '|')
			dt_buf_add_char(out, '\\');
		dt_buf_add_char(out, *text == '\n' ? ' ' : *text);
	}
}

static void add_field(struct dt_buf *out, const struct dt_field *field)
{
	dt_buf_addf(out, "| `%s` | %s | %s | ", field->name,
	            dt_field_type_name(field),
	            field->flags & DT_REQ ? "yes" : "");
	add_cell(out, field->doc);
	if (field->def)
		dt_buf_addf(out, " Default: `%s`.", field->def);
	dt_buf_add_z(out, " |\n");
}

static void add_tool(struct dt_buf *out, const struct dt_tool *tool)
{
	dt_buf_addf(out, "\n### %s\n\n%s\n\nEffect: %s.", tool->name, tool->doc,
	            dt_effect_name(tool->effect));
	if (tool->deadline_ms)
		dt_buf_addf(out, " Deadline: %u ms.", tool->deadline_ms);
	else
		dt_buf_add_z(out, " Waits for the person.");
	dt_buf_add_z(out, is_extra(tool) ? " Not in the short list.\n" : "\n");
	if (!tool->args.fields[0].name) {
		dt_buf_add_z(out, "\nNo arguments.\n");
		return;
	}
	dt_buf_add_z(out, "\n| argument | type | required | meaning |\n"
	                  "|---|---|---|---|\n");
	for (const struct dt_field *f = tool->args.fields; f->name; f++)
		add_field(out, f);
}

/* What people know from elsewhere and look for here. */
static void add_not_offered(struct dt_buf *out)
{
	static const struct {
		const char *names;
		const char *why;
	} rows[] = {
#define X(names, why) { names, why },
#include "tool/not_offered.def"
#undef X
	};

	dt_buf_add_z(out, "\n## Not offered\n\n"
	                  "Tools of claude-ide-bridge that are not here, and "
	                  "why.\n\n| tool | why |\n|---|---|\n");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct dt_str rest = dt_str(rows[i].names);

		dt_buf_add_z(out, "| ");
		while (rest.len) {
			struct dt_str name = dt_str_cut(&rest, ' ');

			dt_buf_addf(out, "`%.*s`%s", DT_STR_ARG(name),
			            rest.len ? ", " : " | ");
		}
		add_cell(out, rows[i].why);
		dt_buf_add_z(out, " |\n");
	}
}

void dt_catalog_write_markdown(struct dt_buf *out)
{
	dt_buf_add_z(out,
	             "# Tools\n\n"
	             "What agents can call, by dialect. Printed by `dovetail "
	             "tools --markdown`; do not edit.\n\n"
	             "The effect says what a call does to the person's world: "
	             "*reads* looks, *shows* moves the view, *asks* changes "
	             "only what the person accepts, *writes* changes text, "
	             "*runs* runs programs.\n\n"
	             "The list that MCP clients get has the everyday tools; "
	             "`dovetail mcp --full` and `[mcp] tools = full` list all. "
	             "What is not in the short list is found by `searchTools` "
	             "and can be called by its name.\n");
	for (size_t d = 0; d < dt_dialect_count; d++) {
		const struct dt_dialect *dialect = dt_dialects[d];
		const struct dt_tool *tool;

		dt_buf_addf(out, "\n## %s\n\n%s\n", dialect->name,
		            dialect->doc);
		for (size_t i = 0; (tool = dt_dialect_tool(dialect, i)); i++)
			add_tool(out, tool);
	}
	add_not_offered(out);
}

/* JSON */

static void put(struct dt_json_out *out, const char *key, const char *value)
{
	dt_json_key(out, key);
	dt_json_put_z(out, value);
}

static void put_tool(struct dt_json_out *out, const struct dt_tool *tool)
{
	dt_json_begin_object(out);
	put(out, "name", tool->name);
	put(out, "description", tool->doc);
	put(out, "effect", dt_effect_name(tool->effect));
	dt_json_key(out, "listed");
	dt_json_put_bool(out, !is_extra(tool));
	dt_json_key(out, "deadlineMs");
	dt_json_put_int(out, tool->deadline_ms);
	dt_json_key(out, "inputSchema");
	dt_shape_write_schema(&tool->args, out);
	dt_json_end_object(out);
}

void dt_catalog_write_json(struct dt_json_out *out)
{
	dt_json_begin_array(out);
	for (size_t d = 0; d < dt_dialect_count; d++) {
		const struct dt_dialect *dialect = dt_dialects[d];
		const struct dt_tool *tool;

		dt_json_begin_object(out);
		put(out, "dialect", dialect->name);
		put(out, "description", dialect->doc);
		dt_json_key(out, "tools");
		dt_json_begin_array(out);
		for (size_t i = 0; (tool = dt_dialect_tool(dialect, i)); i++)
			put_tool(out, tool);
		dt_json_end_array(out);
		dt_json_end_object(out);
	}
	dt_json_end_array(out);
}

bool dt_catalog_is_path(const char *tool, const char *argument)
{
	const struct dt_tool *found =
		dt_dialect_find_tool(dt_dialect_find("mcp"), dt_str(tool));

	for (const struct dt_field *f = found ? found->args.fields
	                                      : dt_no_fields;
	     f->name; f++) {
		if (!strcmp(f->name, argument))
			return f->type == DT_T_PATH || f->type == DT_T_PATHS;
	}
	return false;
}
