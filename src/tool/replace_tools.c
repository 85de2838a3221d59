/*
 * tool/replace_tools.c - searchAndReplace.
 *
 * It looks and tells unless it is told to change: a pattern that fits more than
 * was meant is the common mistake.  What it changes is one proposal, made from
 * the texts that were searched.
 */
#include "tool/replace_tools.h"

#include "base/limits.h"
#include "base/linediff.h"
#include "editor/change.h"
#include "tool/change.h"

struct replace_args {
	struct dt_str pattern;
	struct dt_str replacement;
	const char *glob;
	bool is_regex;
	bool has_case;
	bool is_dry;
	const char *reason;
	bool waits;
};
static const struct dt_field replace_fields[] = {
	DT_FIELD(
		struct replace_args, pattern, STR, DT_REQ,
		"What to look for: text, or a regular expression (PCRE2; ^ and "
		"$ mean lines)."),
	DT_FIELD(struct replace_args, replacement, STR, DT_REQ,
	         "What comes in its place; with isRegex $1, ${name} and $0 are "
	         "groups and the whole match, $$ is a dollar."),
	DT_FIELD(struct replace_args, glob, NAME, DT_OMIT,
	         "Which files, as findFiles takes it; all when absent."),
	DT_FIELD_AS("isRegex", struct replace_args, is_regex, BOOL, 0,
	            "The pattern is a regular expression."),
	DT_FIELD_AS("caseSensitive", struct replace_args, has_case, BOOL, 0,
	            "Upper and lower case differ.", .def = "true"),
	DT_FIELD_AS("dryRun", struct replace_args, is_dry, BOOL, 0,
	            "Only tell what would change. To change it, say false.",
	            .def = "true"),
	DT_FIELD(struct replace_args, reason, NAME, DT_OMIT,
	         "Why, for the person who may have to decide."),
	DT_FIELD_AS(
		"wait", struct replace_args, waits, BOOL, 0,
		"Wait for the verdict; false: return at once with an id for "
		"getReview.",
		.def = "true"),
	DT_FIELD_END,
};

static struct dt_change_spec spec_of(const struct replace_args *wanted)
{
	return (struct dt_change_spec){
		.title = "search and replace",
		.reason = wanted->reason,
		.writes = true,
		.waits = wanted->waits,
	};
}

static const char *note_of(struct dt_call *call,
                           const struct dt_search_replace_result *found)
{
	struct dt_buf note;
	const char *text;

	dt_buf_init(&note, DT_KIB);
	dt_buf_addf(&note, "%u replacements in %u of %u files",
	            found->replacements, found->matched, found->searched);
	if (found->skipped)
		dt_buf_addf(&note,
		            "; %u were passed over: no UTF-8 text, or too "
		            "large",
		            found->skipped);
	if (found->is_cut)
		dt_buf_add_z(&note, "; not all are listed: narrow the glob");
	dt_buf_add_z(&note, ".");
	text = dt_arena_strdup(call->arena, dt_buf_z(&note));
	dt_buf_done(&note);
	return text;
}

static struct dt_items changes_of(struct dt_call *call,
                                  const struct dt_search_replace_result *found)
{
	const struct dt_replaced_file *files = found->files.ptr;
	size_t count = found->files.count;
	struct dt_change *changes =
		dt_arena_alloc(call->arena, count * sizeof(*changes));

	for (size_t i = 0; i < count; i++)
		changes[i] = (struct dt_change){
			.kind = DT_CHANGE_EDIT,
			.path = files[i].path,
			.base = files[i].base,
			.old_text = files[i].old_text,
			.text = files[i].text,
		};
	return (struct dt_items){ changes, count };
}

static void on_replaced(struct dt_call *call, const void *result)
{
	const struct dt_search_replace_result *found = result;
	const struct replace_args *wanted = call->args;
	struct dt_change_spec spec = spec_of(wanted);
	struct dt_items changes = changes_of(call, found);
	const struct dt_names *folders = call->state;
	struct dt_teller teller = {
		.arena = call->arena,
		.folders = *folders,
		.work = DT_LINES_WORK,
	};
	struct dt_told told = {
		.verdict = DT_TOLD_UNASKED,
		.note = note_of(call, found),
	};

	if (wanted->is_dry || found->files.count == 0) {
		dt_teller_show(&teller, &changes, &told);
		dt_call_reply_result(call, &told);
		return;
	}
	if (found->is_cut) {
		dt_call_failf(call, DT_E_LIMIT,
		              "Nothing is changed: a change has at most %u "
		              "files, and these are more (%s)",
		              DT_LIMIT_CHANGES, told.note);
		return;
	}
	spec.note = told.note;
	spec.changes = dt_changes_copy(call->arena, &changes);
	dt_change_submit(call, &spec);
}

static void on_folders(struct dt_call *call, const void *result)
{
	const struct dt_folders_result *found = result;
	const struct replace_args *wanted = call->args;
	struct dt_names *folders =
		dt_arena_alloc(call->arena, sizeof(*folders));
	struct dt_search_replace_args search = {
		.pattern = wanted->pattern,
		.replacement = wanted->replacement,
		.glob = wanted->glob,
		.is_regex = wanted->is_regex,
		.has_case = wanted->has_case,
	};

	*folders = dt_teller_folders(call->arena, &found->folders);
	call->state = folders;
	dt_call_perform(call, &dt_op_search_replace, &search, on_replaced);
}

static void search_and_replace(struct dt_call *call, const void *args)
{
	struct dt_change_spec spec = spec_of(args);

	if (!dt_change_resume(call, &spec))
		dt_call_perform(call, &dt_op_get_folders, NULL, on_folders);
}

static const struct dt_tool tools[] = {
	{
		.name = "searchAndReplace",
		.title = "Replace in many files",
		.doc = "Replace text or a regular expression in all files of "
		       "the workspace that fit a glob, but for those that git "
		       "ignores or that are kept from agents. By default it "
		       "only tells what would change; with dryRun: false all "
		       "files, 200 at most, become one change: written at once "
		       "where the person's rules allow it, else the person "
		       "decides.",
		.args = DT_SHAPE(struct replace_args, replace_fields),
		.result = DT_TOLD_SHAPE,
		.effect = DT_ASKS,
		.run = search_and_replace,
	},
};

const struct dt_tool_group dt_tools_replace = {
	.name = "replace",
	.doc = "One change of many files.",
	.tools = tools,
	.count = sizeof(tools) / sizeof(tools[0]),
};
