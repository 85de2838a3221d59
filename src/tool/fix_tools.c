/*
 * tool/fix_tools.c - rename, format, fix: what a language server would change,
 * proposed.
 *
 * The editor says what it would change and writes nothing; what comes of it is
 * as with every change, see tool/change.c.
 */
#include "tool/fix_tools.h"

#include "editor/code_edit.h"
#include "tool/change.h"
#include "tool/code_place.h"
#include "tool/symbol_place.h"

#define LOOK_MS 45000

/* What all tools that propose take as well. */
struct asking {
	const char *reason;
	bool waits;
};

/* clang-format off */
#define ASKING_FIELDS(T)                                                      \
	DT_FIELD_AS("reason", T, asking.reason, NAME, DT_OMIT,                \
	            "Why, for the person who may have to decide."),           \
	DT_FIELD_AS("wait", T, asking.waits, BOOL, 0,                         \
	            "Wait for the verdict; false: return at once with an id " \
	            "for getReview.",                                         \
	            .def = "true")
#define FILE_FIELD(T)                                                         \
	DT_FIELD_AS("filePath", T, path, PATH, DT_REQ,                        \
	            "Absolute path or file:// URI of the file.")
/* clang-format on */

static struct dt_change_spec spec_of(const char *title,
                                     const struct asking *asking)
{
	return (struct dt_change_spec){
		.title = title,
		.reason = asking->reason,
		.writes = true,
		.waits = asking->waits,
	};
}

/* Lines and columns of agents count from 1. */
static bool read_place(struct dt_call *call, uint32_t line, uint32_t column,
                       struct dt_position *out)
{
	if (line == 0 || column == 0) {
		dt_call_failf(call, DT_E_ARGS,
		              "lines and columns count from 1");
		return false;
	}
	*out = (struct dt_position){ line - 1, column - 1 };
	return true;
}

/* What the editor made of it, to be kept behind the callback. */
static struct dt_items own_changes(struct dt_call *call,
                                   const struct dt_code_edit_result *made)
{
	const struct dt_change *all = made->changes.ptr;
	struct dt_items copy = dt_changes_copy(call->arena, &made->changes);
	struct dt_change *own = copy.ptr;

	for (size_t i = 0; i < copy.count; i++) {
		size_t count = all[i].ranges.count;
		struct dt_range_edit *ranges = dt_arena_alloc(
			call->arena, (count + 1) * sizeof(*ranges));

		for (size_t k = 0; k < count; k++) {
			ranges[k] =
				((struct dt_range_edit *)all[i].ranges.ptr)[k];
			ranges[k].text.ptr = dt_arena_strndup(
				call->arena, ranges[k].text.ptr,
				ranges[k].text.len);
		}
		own[i].ranges = (struct dt_items){ ranges, count };
	}
	return copy;
}

/* Propose it, or tell it; `nothing` where nothing changes. */
static void go_on(struct dt_call *call, struct dt_change_spec *spec,
                  const struct dt_code_edit_result *made, bool is_preview)
{
	struct dt_told none = { .verdict = DT_TOLD_UNASKED };

	none.note = dt_arena_printf(call->arena, "%s finds nothing to change.",
	                            made->source);
	if (made->changes.count == 0) {
		dt_call_reply_result(call, &none);
		return;
	}
	if (made->title)
		spec->note = dt_arena_printf(call->arena, "By %s: %s",
		                             made->source, made->title);
	else
		spec->note =
			dt_arena_printf(call->arena, "By %s.", made->source);
	spec->changes = own_changes(call, made);
	if (is_preview)
		dt_change_preview(call, spec);
	else
		dt_change_submit(call, spec);
}

/* getCodeActions */

struct range_args {
	const char *path;
	uint32_t start_line;
	uint32_t start_column;
	uint32_t end_line;
	uint32_t end_column;
	const char *title;
	bool has_disabled;
	struct asking asking;
};

/* clang-format off */
#define RANGE_FIELDS(T)                                                       \
	FILE_FIELD(T),                                                        \
	DT_FIELD_AS("startLine", T, start_line, U32, DT_REQ,                  \
	            "1-based line where it begins."),                         \
	DT_FIELD_AS("startColumn", T, start_column, U32, DT_REQ,              \
	            "1-based column in UTF-16 units."),                       \
	DT_FIELD_AS("endLine", T, end_line, U32, DT_REQ,                      \
	            "1-based line where it ends."),                           \
	DT_FIELD_AS("endColumn", T, end_column, U32, DT_REQ,                  \
	            "1-based column behind the last character.")
/* clang-format on */

static const struct dt_field list_fields[] = {
	RANGE_FIELDS(struct range_args),
	DT_FIELD_AS("includeDisabled", struct range_args, has_disabled, BOOL, 0,
	            "Also those that cannot be done now, with the reason.",
	            .def = "false"),
	DT_FIELD_END,
};
static const struct dt_field preview_fields[] = {
	RANGE_FIELDS(struct range_args),
	DT_FIELD_AS("actionTitle", struct range_args, title, NAME, DT_REQ,
	            "The title that getCodeActions gave."),
	DT_FIELD_END,
};
static const struct dt_field apply_fields[] = {
	RANGE_FIELDS(struct range_args),
	DT_FIELD_AS("actionTitle", struct range_args, title, NAME, DT_REQ,
	            "The title that getCodeActions gave."),
	ASKING_FIELDS(struct range_args),
	DT_FIELD_END,
};

static bool read_range(struct dt_call *call, const struct range_args *wanted,
                       struct dt_range *out)
{
	return read_place(call, wanted->start_line, wanted->start_column,
	                  &out->start) &&
	       read_place(call, wanted->end_line, wanted->end_column,
	                  &out->end);
}

static const struct dt_field action_fields[] = {
	DT_FIELD(struct dt_code_action, title, NAME, DT_REQ,
	         "What it does; its name for applyCodeAction."),
	DT_FIELD(struct dt_code_action, kind, NAME, DT_OMIT, "Its kind."),
	DT_FIELD_AS("isPreferred", struct dt_code_action, is_preferred, BOOL,
	            DT_OMIT, "It is the one to take."),
	DT_FIELD(struct dt_code_action, disabled, NAME, DT_OMIT,
	         "Why it cannot be done now."),
	DT_FIELD_END,
};
static const struct dt_shape action_shape =
	DT_SHAPE(struct dt_code_action, action_fields);
struct actions {
	struct dt_items items;
	uint32_t left_out;
	const char *source;
};
static const struct dt_field actions_fields[] = {
	DT_FIELD_AS("actions", struct actions, items, ITEMS, DT_REQ,
	            "What can be done.", .shape = &action_shape),
	DT_FIELD_AS("disabledCount", struct actions, left_out, U32, DT_OMIT,
	            "So many cannot be done now and are not listed."),
	DT_FIELD(struct actions, source, NAME, DT_REQ, "The language server."),
	DT_FIELD_END,
};

static void on_actions(struct dt_call *call, const void *result)
{
	const struct dt_actions_result *found = result;
	const struct dt_code_action *list = found->actions.ptr;
	const struct range_args *args = call->args;
	struct dt_code_action *kept = dt_arena_alloc(
		call->arena, (found->actions.count + 1) * sizeof(*kept));
	struct actions actions = { .source = found->source };

	for (size_t i = 0; i < found->actions.count; i++) {
		if (args->has_disabled || !list[i].disabled)
			kept[actions.items.count++] = list[i];
		else
			actions.left_out++;
	}
	actions.items.ptr = kept;
	dt_call_reply_result(call, &actions);
}

static void get_code_actions(struct dt_call *call, const void *args)
{
	const struct range_args *wanted = args;
	struct dt_actions_args ask = { .path = wanted->path };

	if (read_range(call, wanted, &ask.range))
		dt_call_perform(call, &dt_op_get_code_actions, &ask,
		                on_actions);
}

/* previewCodeAction, applyCodeAction */

static void make_action(struct dt_call *call, const struct range_args *wanted,
                        bool is_preview, dt_result_fn *then)
{
	struct dt_make_action_args ask = {
		.path = wanted->path,
		.title = wanted->title,
		.is_preview = is_preview,
	};

	if (read_range(call, wanted, &ask.range))
		dt_call_perform(call, &dt_op_make_code_action, &ask, then);
}

static void on_action_seen(struct dt_call *call, const void *result)
{
	struct dt_change_spec spec = { 0 };

	go_on(call, &spec, result, true);
}

static void preview_code_action(struct dt_call *call, const void *args)
{
	make_action(call, args, true, on_action_seen);
}

static void on_action(struct dt_call *call, const void *result)
{
	const struct range_args *wanted = call->args;
	struct dt_change_spec spec = spec_of(wanted->title, &wanted->asking);

	go_on(call, &spec, result, false);
}

static void apply_code_action(struct dt_call *call, const void *args)
{
	const struct range_args *wanted = args;
	struct dt_change_spec spec = spec_of(wanted->title, &wanted->asking);

	if (!dt_change_resume(call, &spec))
		make_action(call, wanted, false, on_action);
}

/* prepareRename, renameSymbol */

struct rename_args {
	struct dt_place_view place;
	const char *new_name;
	struct asking asking;
};

static const struct dt_field prepare_fields[] = {
	DT_PLACE_FIELDS(struct rename_args, place.),
	DT_FIELD_END,
};
static const struct dt_field rename_fields[] = {
	DT_PLACE_FIELDS(struct rename_args, place.),
	DT_FIELD_AS("newName", struct rename_args, new_name, NAME, DT_REQ,
	            "Its new name."),
	ASKING_FIELDS(struct rename_args),
	DT_FIELD_END,
};

struct can_rename {
	bool can_rename;
	const char *reason;
	const char *placeholder;
	uint32_t line;
	uint32_t column;
	uint32_t end_column;
};
static const struct dt_field can_rename_fields[] = {
	DT_FIELD_AS("canRename", struct can_rename, can_rename, BOOL, DT_REQ,
	            "The symbol can be renamed."),
	DT_FIELD(struct can_rename, reason, NAME, DT_OMIT, "Why it cannot."),
	DT_FIELD(struct can_rename, placeholder, NAME, DT_OMIT,
	         "The name as it is."),
	DT_FIELD(struct can_rename, line, U32, DT_OMIT, "1-based line."),
	DT_FIELD(struct can_rename, column, U32, DT_OMIT,
	         "1-based column of its first character."),
	DT_FIELD_AS("endColumn", struct can_rename, end_column, U32, DT_OMIT,
	            "Column behind its last."),
	DT_FIELD_END,
};

static void on_prepared(struct dt_call *call, const void *result)
{
	const struct dt_can_rename_result *found = result;
	struct can_rename told = {
		.can_rename = found->can_rename,
		.reason = found->reason,
		.placeholder = found->placeholder,
	};

	if (found->can_rename) {
		told.line = found->range.start.line + 1;
		told.column = found->range.start.character + 1;
		told.end_column = found->range.end.character + 1;
	}
	dt_call_reply_result(call, &told);
}

static void on_prepare_at(struct dt_call *call,
                          const struct dt_symbol_place *place)
{
	struct dt_rename_args ask = { .path = place->path,
		                      .position = place->at };

	dt_call_perform(call, &dt_op_prepare_rename, &ask, on_prepared);
}

static void on_prepare_place(struct dt_call *call,
                             const struct dt_code_place *place)
{
	dt_symbol_settle(call, place, on_prepare_at);
}

static void prepare_rename(struct dt_call *call, const void *args)
{
	const struct rename_args *wanted = args;

	dt_code_place_find(call, &wanted->place, on_prepare_place);
}

static struct dt_change_spec rename_spec(struct dt_call *call,
                                         const struct rename_args *wanted)
{
	return spec_of(
		dt_arena_printf(call->arena, "rename to %s", wanted->new_name),
		&wanted->asking);
}

static void on_renamed(struct dt_call *call, const void *result)
{
	struct dt_change_spec spec = rename_spec(call, call->args);

	go_on(call, &spec, result, false);
}

static void on_rename_at(struct dt_call *call,
                         const struct dt_symbol_place *place)
{
	const struct rename_args *wanted = call->args;
	struct dt_rename_args ask = {
		.path = place->path,
		.position = place->at,
		.new_name = wanted->new_name,
	};

	dt_call_perform(call, &dt_op_make_rename, &ask, on_renamed);
}

static void on_rename_place(struct dt_call *call,
                            const struct dt_code_place *place)
{
	dt_symbol_settle(call, place, on_rename_at);
}

static void rename_symbol(struct dt_call *call, const void *args)
{
	const struct rename_args *wanted = args;
	struct dt_change_spec spec = rename_spec(call, wanted);

	if (!dt_change_resume(call, &spec))
		dt_code_place_find(call, &wanted->place, on_rename_place);
}

/* formatDocument, formatRange, organizeImports, fixAllLintErrors */

struct format_args {
	const char *path;
	struct asking asking;
	uint32_t start_line; /* formatRange alone */
	uint32_t end_line;
};
static const struct dt_field format_fields[] = {
	FILE_FIELD(struct format_args),
	ASKING_FIELDS(struct format_args),
	DT_FIELD_END,
};
static const struct dt_field format_range_fields[] = {
	FILE_FIELD(struct format_args),
	DT_FIELD_AS("startLine", struct format_args, start_line, U32, DT_REQ,
	            "1-based first line."),
	DT_FIELD_AS("endLine", struct format_args, end_line, U32, DT_REQ,
	            "1-based last line."),
	ASKING_FIELDS(struct format_args),
	DT_FIELD_END,
};

static struct dt_change_spec format_spec(const struct dt_call *call)
{
	const struct format_args *wanted = call->args;

	return spec_of(call->tool->title, &wanted->asking);
}

static void on_formatted(struct dt_call *call, const void *result)
{
	struct dt_change_spec spec = format_spec(call);

	go_on(call, &spec, result, false);
}

static void format_document(struct dt_call *call, const void *args)
{
	const struct format_args *wanted = args;
	struct dt_change_spec spec = format_spec(call);
	struct dt_format_args ask = { .path = wanted->path };

	if (!dt_change_resume(call, &spec))
		dt_call_perform(call, &dt_op_make_format, &ask, on_formatted);
}

static void format_range(struct dt_call *call, const void *args)
{
	const struct format_args *wanted = args;
	struct dt_change_spec spec = format_spec(call);
	struct dt_format_args ask = {
		.path = wanted->path,
		.has_range = true,
		.range.end.line = wanted->end_line, /* to the next one */
	};

	if (!dt_change_resume(call, &spec) &&
	    read_place(call, wanted->start_line, 1, &ask.range.start))
		dt_call_perform(call, &dt_op_make_format, &ask, on_formatted);
}

static void make_source_action(struct dt_call *call, const char *kind)
{
	const struct format_args *wanted = call->args;
	struct dt_change_spec spec = format_spec(call);
	struct dt_make_action_args ask = {
		.path = wanted->path,
		.only = kind,
	};

	if (!dt_change_resume(call, &spec))
		dt_call_perform(call, &dt_op_make_code_action, &ask,
		                on_formatted);
}

static void organize_imports(struct dt_call *call, const void *args)
{
	(void)args;
	make_source_action(call, "source.organizeImports");
}

static void fix_all(struct dt_call *call, const void *args)
{
	(void)args;
	make_source_action(call, "source.fixAll");
}

/* clang-format off */
#define VERDICT_DOC                                                           \
	" Written at once where the person's rules allow it; else the person" \
	" decides, which may take long. The verdict says which: look at"      \
	" verdict and written."
/* clang-format on */

static const struct dt_tool tools[] = {
	{
		.name = "getCodeActions",
		.title = "What can be done about code",
		.doc = "The quick fixes and refactorings that the language "
		       "server has for a range, by title. applyCodeAction does "
		       "one, previewCodeAction shows it.",
		.args = DT_SHAPE(struct range_args, list_fields),
		.result = DT_SHAPE(struct actions, actions_fields),
		.effect = DT_READS,
		.flags = DT_TOOL_REPEATABLE,
		.needs = &dt_op_get_code_actions,
		.deadline_ms = LOOK_MS,
		.run = get_code_actions,
	},
	{
		.name = "previewCodeAction",
		.title = "See what a code action would do",
		.doc = "The unified diff of a code action, without writing or "
		       "asking anybody. An action that is a command of the "
		       "language server is refused; applyCodeAction shows the "
		       "person what it changes.",
		.args = DT_SHAPE(struct range_args, preview_fields),
		.result = DT_TOLD_SHAPE,
		.effect = DT_READS,
		.flags = DT_TOOL_REPEATABLE,
		.needs = &dt_op_make_code_action,
		.deadline_ms = LOOK_MS,
		.run = preview_code_action,
	},
	{
		.name = "applyCodeAction",
		.title = "Do a code action",
		.doc = "Do a quick fix or refactoring by the title that "
		       "getCodeActions gave." VERDICT_DOC,
		.args = DT_SHAPE(struct range_args, apply_fields),
		.result = DT_TOLD_SHAPE,
		.effect = DT_ASKS,
		.needs = &dt_op_make_code_action,
		.run = apply_code_action,
	},
	{
		.name = "prepareRename",
		.title = "Whether a symbol can be renamed",
		.doc = "Whether the language server can rename the symbol at a "
		       "place, and its name.",
		.args = DT_SHAPE(struct rename_args, prepare_fields),
		.result = DT_SHAPE(struct can_rename, can_rename_fields),
		.effect = DT_READS,
		.flags = DT_TOOL_REPEATABLE | DT_TOOL_EXTRA,
		.needs = &dt_op_prepare_rename,
		.deadline_ms = LOOK_MS,
		.run = prepare_rename,
	},
	{
		.name = "renameSymbol",
		.title = "Rename a symbol",
		.doc = "Rename a symbol in all files that use it, by the "
		       "language server. Better than search and replace, for "
		       "it knows what is meant." VERDICT_DOC,
		.args = DT_SHAPE(struct rename_args, rename_fields),
		.result = DT_TOLD_SHAPE,
		.effect = DT_ASKS,
		.needs = &dt_op_make_rename,
		.run = rename_symbol,
	},
	{
		.name = "formatDocument",
		.title = "Format a file",
		.doc = "Format a file by its language server, else by a "
		       "formatter that is installed (clang-format, prettier, "
		       "biome, ruff, black, gofmt, rustfmt, shfmt, "
		       "stylua)." VERDICT_DOC,
		.args = DT_SHAPE(struct format_args, format_fields),
		.result = DT_TOLD_SHAPE,
		.effect = DT_ASKS,
		.needs = &dt_op_make_format,
		.run = format_document,
	},
	{
		.name = "formatRange",
		.title = "Format lines",
		.doc = "Format some lines of a file by its language "
		       "server." VERDICT_DOC,
		.args = DT_SHAPE(struct format_args, format_range_fields),
		.result = DT_TOLD_SHAPE,
		.effect = DT_ASKS,
		.flags = DT_TOOL_EXTRA,
		.needs = &dt_op_make_format,
		.run = format_range,
	},
	{
		.name = "organizeImports",
		.title = "Organize imports",
		.doc = "Sort the imports of a file and remove those that are "
		       "not used, by its language server or ruff or "
		       "isort." VERDICT_DOC,
		.args = DT_SHAPE(struct format_args, format_fields),
		.result = DT_TOLD_SHAPE,
		.effect = DT_ASKS,
		.flags = DT_TOOL_EXTRA,
		.needs = &dt_op_make_code_action,
		.run = organize_imports,
	},
	{
		.name = "fixAllLintErrors",
		.title = "Fix what can be fixed",
		.doc = "Fix all problems of a file that have an automatic fix, "
		       "by its language server or ruff or biome." VERDICT_DOC,
		.args = DT_SHAPE(struct format_args, format_fields),
		.result = DT_TOLD_SHAPE,
		.effect = DT_ASKS,
		.needs = &dt_op_make_code_action,
		.run = fix_all,
	},
};

const struct dt_tool_group dt_tools_fix = {
	.name = "fix",
	.doc = "Changes that language servers and formatters make.",
	.tools = tools,
	.count = sizeof(tools) / sizeof(tools[0]),
};
