/*
 * backend/code_edit.c - rename, format and code actions, as changes.
 *
 * Servers are asked for edits and never let write: what they answer is read by
 * workspace_edit.c and proposed by whoever asked.  A command may do anything
 * the server likes, before anybody gave a verdict: only those that are known to
 * do nothing but send edits are executed, and these are taken, not applied.
 */
#include "backend/code_edit.h"

#include "backend/code_edit_job.h"
#include "backend/workspace_edit.h"
#include "base/limits.h"
#include "editor/text.h"

#define PARAMS_MAX (4u * DT_MIB)
#define REFRESH_MS 10000

/* True when the job goes on elsewhere, or is over. */
static bool is_lost(struct dt_edit_job *job, const struct dt_fail *fail)
{
	job->request = NULL;
	if (!fail)
		return false;
	job->why_not = *fail;
	if (job->purpose)
		dt_edit_job_run(job);
	else
		dt_edit_job_fail(job, fail);
	return true;
}

static struct dt_range whole(const struct dt_edit_job *job)
{
	struct dt_str text = dt_buf_str(&job->text);

	return (struct dt_range){
		.end = dt_text_to_position(text, text.len),
	};
}

static const char *member(struct dt_edit_job *job, const struct dt_json *of,
                          const char *name)
{
	const struct dt_json *found = dt_json_get(of, name);
	struct dt_str text;

	if (!found || found->type != DT_JSON_STRING)
		return NULL;
	text = dt_json_text(&job->arena, found);
	return dt_arena_strndup(&job->arena, text.ptr, text.len);
}

/* format */

static void on_formatted(const struct dt_lsp_reply *reply,
                         const struct dt_fail *fail, void *owner)
{
	struct dt_edit_job *job = owner;
	struct dt_fail wrong = { 0 };

	if (is_lost(job, fail))
		return;
	if (reply->result->type != DT_JSON_NULL &&
	    dt_text_edits_read(&job->arena, job->path, reply->result,
	                       &job->changes, &wrong))
		dt_edit_job_fail(job, &wrong);
	else
		dt_edit_job_end(job, reply->server);
}

/* As the file is indented now. */
static void put_options(struct dt_edit_job *job, struct dt_json_out *out)
{
	struct dt_str text = dt_buf_str(&job->text);

	dt_json_key(out, "options");
	dt_json_begin_object(out);
	dt_json_key(out, "tabSize");
	dt_json_put_int(out,
	                dt_str_find(text, DT_STR("\n  ")) &&
	                                !dt_str_find(text, DT_STR("\n    "))
	                        ? 2
	                        : 4);
	dt_json_key(out, "insertSpaces");
	dt_json_put_bool(out, !dt_str_find(text, DT_STR("\n\t")));
	dt_json_end_object(out);
}

void dt_headless_make_format(struct dt_headless *h, const void *args,
                             struct dt_answer *answer)
{
	const struct dt_format_args *wanted = args;
	struct dt_edit_job *job = dt_edit_job_new(h, wanted->path, answer);
	struct dt_buf params;
	struct dt_json_out out = dt_json_out(&params);
	struct dt_edit_ask ask = {
		.method = "textDocument/formatting",
		.provider = "documentFormattingProvider",
		.params = &params,
		.fn = on_formatted,
	};

	if (!job)
		return;
	dt_buf_init(&params, PARAMS_MAX);
	dt_edit_job_put(job, &out);
	put_options(job, &out);
	if (wanted->has_range) {
		ask.method = "textDocument/rangeFormatting";
		ask.provider = "documentRangeFormattingProvider";
		dt_json_key(&out, "range");
		dt_edit_put_range(&out, &wanted->range);
	} else {
		job->purpose = "format";
	}
	dt_json_end_object(&out);
	dt_edit_job_ask(job, &ask);
}

/* rename */

static void on_renamed(const struct dt_lsp_reply *reply,
                       const struct dt_fail *fail, void *owner)
{
	struct dt_edit_job *job = owner;
	struct dt_fail wrong = { 0 };

	if (is_lost(job, fail))
		return;
	if (reply->result->type == DT_JSON_NULL)
		dt_fail(&wrong, DT_E_MISSING,
		        "%s finds nothing to rename at this place",
		        reply->server);
	if (wrong.code || dt_workspace_edit_read(&job->arena, reply->result,
	                                         &job->changes, &wrong))
		dt_edit_job_fail(job, &wrong);
	else
		dt_edit_job_end(job, reply->server);
}

static struct dt_range word_at(const struct dt_edit_job *job)
{
	struct dt_str text = dt_buf_str(&job->text);
	size_t start = dt_text_to_byte(text, job->range.start);
	size_t end = start;
	static const char word[] = "abcdefghijklmnopqrstuvwxyz_"
				   "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

	while (start > 0 && strchr(word, text.ptr[start - 1]) &&
	       text.ptr[start - 1])
		start--;
	while (end < text.len && text.ptr[end] && strchr(word, text.ptr[end]))
		end++;
	return (struct dt_range){ dt_text_to_position(text, start),
		                  dt_text_to_position(text, end) };
}

static void on_prepared(const struct dt_lsp_reply *reply,
                        const struct dt_fail *fail, void *owner)
{
	struct dt_edit_job *job = owner;
	struct dt_can_rename_result result = { .can_rename = true };
	const struct dt_json *found = reply ? reply->result : NULL;
	struct dt_str name;

	job->request = NULL;
	if (fail && (fail->code == DT_E_UNSUPPORTED ||
	             fail->code == DT_E_TIMEOUT || fail->code == DT_E_CLOSED)) {
		dt_edit_job_fail(job, fail);
		return;
	}
	/* What else a server answers is its word that it cannot. */
	if (fail || !found || found->type == DT_JSON_NULL) {
		result.can_rename = false;
		result.reason = fail ? fail->msg
		                     : "there is nothing to be renamed here";
	} else if (!dt_lsp_range_read(found, &result.range) &&
	           !(found->type == DT_JSON_OBJECT &&
	             dt_lsp_range_read(dt_json_get(found, "range"),
	                               &result.range))) {
		result.range = word_at(job); /* { defaultBehavior: true } */
	}
	if (result.can_rename) {
		name = dt_text_slice(dt_buf_str(&job->text), result.range);
		result.placeholder =
			dt_arena_strndup(&job->arena, name.ptr, name.len);
	}
	dt_answer_end(job->answer, &result);
	dt_edit_job_free(job);
}

static void start_rename(struct dt_headless *h,
                         const struct dt_rename_args *wanted,
                         struct dt_answer *answer, struct dt_edit_ask *ask)
{
	struct dt_edit_job *job = dt_edit_job_new(h, wanted->path, answer);
	struct dt_buf params;
	struct dt_json_out out = dt_json_out(&params);

	if (!job)
		return;
	job->range.start = wanted->position;
	dt_buf_init(&params, PARAMS_MAX);
	dt_edit_job_put(job, &out);
	dt_json_key(&out, "position");
	dt_edit_put_position(&out, &wanted->position);
	if (wanted->new_name) {
		dt_json_key(&out, "newName");
		dt_json_put_z(&out, wanted->new_name);
	}
	dt_json_end_object(&out);
	ask->params = &params;
	dt_edit_job_ask(job, ask);
}

void dt_headless_make_rename(struct dt_headless *h, const void *args,
                             struct dt_answer *answer)
{
	struct dt_edit_ask ask = {
		.method = "textDocument/rename",
		.provider = "renameProvider",
		.fn = on_renamed,
	};

	start_rename(h, args, answer, &ask);
}

void dt_headless_prepare_rename(struct dt_headless *h, const void *args,
                                struct dt_answer *answer)
{
	struct dt_rename_args where = *(const struct dt_rename_args *)args;
	struct dt_edit_ask ask = {
		.method = "textDocument/prepareRename",
		.provider = "renameProvider.prepareProvider",
		.fn = on_prepared,
	};

	where.new_name = NULL;
	start_rename(h, &where, answer, &ask);
}

/* actions */

static bool take_edit(const struct dt_json *edit, void *owner)
{
	struct dt_edit_job *job = owner;

	return !dt_workspace_edit_read(&job->arena, edit, &job->changes,
	                               &job->half);
}

static void on_executed(const struct dt_lsp_reply *reply,
                        const struct dt_fail *fail, void *owner)
{
	struct dt_edit_job *job = owner;

	if (is_lost(job, fail))
		return;
	if (job->half.code)
		dt_edit_job_fail(job, &job->half);
	else
		dt_edit_job_end(job, reply->server);
}

/* These send their edits by workspace/applyEdit and touch nothing else. */
static const char *const harmless_commands[] = {
	"clangd.applyFix",
	"clangd.applyTweak",
	"gopls.apply_fix",
	"pyright.organizeimports",
	"ruff.applyAutofix",
	"ruff.applyOrganizeImports",
	"_typescript.applyRefactoring",
	"_typescript.applyWorkspaceEdit",
	"_typescript.organizeImports",
	NULL,
};

/* Of _typescript.applyRefactoring; others ("Move to a new file") have the
 * server make files before it sends their text. */
static const char *const harmless_refactorings[] = {
	"Add or remove ", "Convert ", "Extract ", "Generate ",
	"Infer ",         "Inline ",  NULL,
};

static bool is_harmless(struct dt_edit_job *job, const char *name,
                        const struct dt_json *command)
{
	const struct dt_json *list = dt_json_get(command, "arguments");
	const char *refactoring = NULL;
	size_t i = 0;

	while (harmless_commands[i] && strcmp(harmless_commands[i], name) != 0)
		i++;
	if (!harmless_commands[i] ||
	    strcmp(name, "_typescript.applyRefactoring") != 0)
		return harmless_commands[i];
	if (list && list->type == DT_JSON_ARRAY && list->count &&
	    list[1].type == DT_JSON_OBJECT)
		refactoring = member(job, list + 1, "refactor");
	for (i = 0; refactoring && harmless_refactorings[i]; i++) {
		if (!strncmp(refactoring, harmless_refactorings[i],
		             strlen(harmless_refactorings[i])))
			return true;
	}
	return false;
}

/* `command` is a Command: its edits come while it runs. */
static void execute(struct dt_edit_job *job, const struct dt_json *command)
{
	const struct dt_json *list = dt_json_get(command, "arguments");
	struct dt_buf params;
	struct dt_json_out out = dt_json_out(&params);
	struct dt_lsp_ask ask = {
		.path = job->path,
		.method = "workspace/executeCommand",
		.provider = "executeCommandProvider",
		.deadline_ms = REFRESH_MS,
		.on_edit = take_edit,
	};

	dt_buf_init(&params, PARAMS_MAX);
	dt_json_begin_object(&out);
	dt_json_key(&out, "command");
	dt_json_put_z(&out, member(job, command, "command"));
	if (list) {
		dt_json_key(&out, "arguments");
		dt_json_put_raw(&out, list->raw);
	}
	dt_json_end_object(&out);
	ask.params = dt_buf_str(&params);
	job->request = dt_lsp_ask(job->h->lsp, &ask, on_executed, job);
	dt_buf_done(&params);
}

static void execute_if_harmless(struct dt_edit_job *job,
                                const struct dt_json *command)
{
	struct dt_fail fail = { 0 };
	const char *name = member(job, command, "command");

	if (!name)
		dt_fail(&fail, DT_E_PROTO, "%s offers a command without a name",
		        job->server);
	else if (!is_harmless(job, name, command))
		dt_fail(&fail, DT_E_UNSUPPORTED,
		        "\"%s\" is the command %s of %s, which may write files "
		        "by itself before anybody decides; it is not executed",
		        job->made, name, job->server);
	else if (job->is_preview)
		dt_fail(&fail, DT_E_UNSUPPORTED,
		        "\"%s\" is a command of %s, and a preview executes "
		        "none; applyCodeAction shows its changes to the person "
		        "before they are written",
		        job->made, job->server);
	if (fail.code)
		dt_edit_job_fail(job, &fail);
	else
		execute(job, command);
}

/* What an action is made of; false: neither edit nor command. */
static bool carry_out(struct dt_edit_job *job, const struct dt_json *action)
{
	const struct dt_json *edit = dt_json_get(action, "edit");
	const struct dt_json *command = dt_json_get(action, "command");
	struct dt_fail wrong = { 0 };

	if (edit && edit->type == DT_JSON_OBJECT) {
		if (dt_workspace_edit_read(&job->arena, edit, &job->changes,
		                           &wrong))
			dt_edit_job_fail(job, &wrong);
		else
			dt_edit_job_end(job, job->server);
		return true;
	}
	/* A Command itself, or an action with one. */
	if (command && command->type == DT_JSON_STRING) {
		execute_if_harmless(job, action);
		return true;
	}
	if (command && command->type == DT_JSON_OBJECT) {
		execute_if_harmless(job, command);
		return true;
	}
	return false;
}

static void on_resolved(const struct dt_lsp_reply *reply,
                        const struct dt_fail *fail, void *owner)
{
	struct dt_edit_job *job = owner;
	struct dt_fail wrong = { 0 };

	if (is_lost(job, fail) || (reply->result->type == DT_JSON_OBJECT &&
	                           carry_out(job, reply->result)))
		return;
	dt_fail(&wrong, DT_E_UNSUPPORTED,
	        "%s offers \"%s\" and changes nothing", reply->server,
	        job->made);
	dt_edit_job_fail(job, &wrong);
}

static void resolve(struct dt_edit_job *job, const struct dt_json *action)
{
	struct dt_lsp_ask ask = {
		.path = job->path,
		.method = "codeAction/resolve",
		.provider = "codeActionProvider.resolveProvider",
		.params = action->raw,
		.deadline_ms = REFRESH_MS,
	};

	job->purpose = NULL;
	job->request = dt_lsp_ask(job->h->lsp, &ask, on_resolved, job);
}

static bool is_wanted(struct dt_edit_job *job, const struct dt_json *action)
{
	const char *title;
	const char *kind;

	if (action->type != DT_JSON_OBJECT)
		return false;
	title = member(job, action, "title");
	kind = member(job, action, "kind");
	if (!title)
		return false;
	/* Not every server keeps to what it was asked for. */
	if (job->only && kind &&
	    strncmp(kind, job->only, strlen(job->only)) != 0)
		return false;
	return job->is_listing || !job->title || !strcmp(title, job->title);
}

static void tell_actions(struct dt_edit_job *job, const struct dt_json *list)
{
	struct dt_code_action *actions = dt_arena_alloc(
		&job->arena, (list->count + 1) * sizeof(*actions));
	struct dt_actions_result result = {
		.actions = { .ptr = actions },
		.source = job->server,
	};

	dt_json_each(action, list) {
		const struct dt_json *no = NULL;
		const struct dt_json *preferred;

		if (!is_wanted(job, action))
			continue;
		no = dt_json_get(action, "disabled");
		preferred = dt_json_get(action, "isPreferred");
		actions[result.actions.count++] = (struct dt_code_action){
			.title = member(job, action, "title"),
			.kind = member(job, action, "kind"),
			.is_preferred =
				preferred && preferred->type == DT_JSON_TRUE,
			.disabled = no && no->type == DT_JSON_OBJECT
			                    ? member(job, no, "reason")
			                    : NULL,
		};
	}
	dt_answer_end(job->answer, &result);
	dt_edit_job_free(job);
}

static void make_action(struct dt_edit_job *job, const struct dt_json *list)
{
	struct dt_fail none = { 0 };

	dt_json_each(action, list) {
		if (!is_wanted(job, action) || dt_json_get(action, "disabled"))
			continue;
		job->made = member(job, action, "title");
		if (!carry_out(job, action))
			resolve(job, action);
		return;
	}
	/* Of a kind there is nothing to do. */
	if (!job->title) {
		dt_edit_job_end(job, job->server);
		return;
	}
	dt_fail(&none, DT_E_MISSING,
	        "%s offers no action \"%s\" there; getCodeActions lists those "
	        "it has",
	        job->server, job->title);
	dt_edit_job_fail(job, &none);
}

static void on_actions(const struct dt_lsp_reply *reply,
                       const struct dt_fail *fail, void *owner)
{
	static const struct dt_json none = { .type = DT_JSON_ARRAY };
	const struct dt_json *list = reply ? reply->result : NULL;
	struct dt_edit_job *job = owner;

	if (is_lost(job, fail) || !reply)
		return;
	if (!list || list->type != DT_JSON_ARRAY)
		list = &none;
	job->server = dt_arena_strdup(&job->arena, reply->server);
	if (job->is_listing)
		tell_actions(job, list);
	else
		make_action(job, list);
}

static bool touches(const struct dt_range *a, const struct dt_range *b)
{
	return a->start.line <= b->end.line && b->start.line <= a->end.line;
}

/* A fix is one of a problem that the server knows as it reported it. */
static void put_problems(struct dt_edit_job *job, struct dt_json_out *out)
{
	struct dt_items files =
		dt_problems_get(job->h->problems, &job->arena, job->path);
	const struct dt_file_diagnostics *file = files.ptr;
	const struct dt_diagnostic *d = files.count ? file->items.ptr : NULL;

	dt_json_begin_array(out);
	for (size_t i = 0; d && i < file->items.count; i++) {
		if (!touches(&d[i].range, &job->range))
			continue;
		dt_json_begin_object(out);
		dt_json_key(out, "range");
		dt_edit_put_range(out, &d[i].range);
		dt_json_key(out, "severity");
		dt_json_put_int(out, d[i].severity + 1);
		dt_json_key(out, "message");
		dt_json_put_str(out, d[i].message);
		if (d[i].source) {
			dt_json_key(out, "source");
			dt_json_put_z(out, d[i].source);
		}
		if (d[i].code) {
			dt_json_key(out, "code");
			dt_json_put_z(out, d[i].code);
		}
		dt_json_end_object(out);
	}
	dt_json_end_array(out);
}

static void on_fresh(const struct dt_lsp_reply *reply,
                     const struct dt_fail *fail, void *owner)
{
	struct dt_edit_job *job = owner;
	struct dt_buf params;
	struct dt_json_out out = dt_json_out(&params);
	struct dt_edit_ask ask = {
		.method = "textDocument/codeAction",
		.provider = "codeActionProvider",
		.params = &params,
		.fn = on_actions,
	};

	(void)reply;
	/* Without a report there are still actions that need none. */
	if (is_lost(job, fail && fail->code != DT_E_TIMEOUT ? fail : NULL))
		return;
	dt_buf_init(&params, PARAMS_MAX);
	dt_edit_job_put(job, &out);
	dt_json_key(&out, "range");
	dt_edit_put_range(&out, &job->range);
	dt_json_key(&out, "context");
	dt_json_begin_object(&out);
	dt_json_key(&out, "diagnostics");
	put_problems(job, &out);
	if (job->only) {
		dt_json_key(&out, "only");
		dt_json_begin_array(&out);
		dt_json_put_z(&out, job->only);
		dt_json_end_array(&out);
	}
	dt_json_end_object(&out);
	dt_json_end_object(&out);
	dt_edit_job_ask(job, &ask);
}

static void start_actions(struct dt_edit_job *job, const char *only)
{
	if (only)
		job->only = dt_arena_strdup(&job->arena, only);
	job->request = dt_lsp_refresh_soon(job->h->lsp, job->path, REFRESH_MS,
	                                   on_fresh, job);
}

void dt_headless_get_code_actions(struct dt_headless *h, const void *args,
                                  struct dt_answer *answer)
{
	const struct dt_actions_args *wanted = args;
	struct dt_edit_job *job = dt_edit_job_new(h, wanted->path, answer);

	if (!job)
		return;
	job->is_listing = true;
	job->range = wanted->range;
	start_actions(job, wanted->only);
}

void dt_headless_make_code_action(struct dt_headless *h, const void *args,
                                  struct dt_answer *answer)
{
	const struct dt_make_action_args *wanted = args;
	struct dt_edit_job *job = dt_edit_job_new(h, wanted->path, answer);

	if (!job)
		return;
	job->is_preview = wanted->is_preview;
	job->range = wanted->title ? wanted->range : whole(job);
	if (wanted->title)
		job->title = dt_arena_strdup(&job->arena, wanted->title);
	start_actions(job, wanted->only);
	if (!wanted->title)
		job->purpose = job->only;
}
