/*
 * backend/headless.c - documents and a selection, without a window.
 *
 * What a person shows here comes from the command line (`dovetail open`,
 * `dovetail select`); what agents open joins the same list.  A document without
 * an overlay is not dirty, and saving it writes nothing.  Formatting and kernels
 * it has none.  Problems are looked for in diagnose.c.
 */
#include "backend/headless.h"

#include "backend/clipboard.h"
#include "backend/code_edit.h"
#include "backend/code_job.h"
#include "backend/command.h"
#include "backend/follow.h"
#include "backend/git.h"
#include "backend/headless_state.h"
#include "backend/import_tree.h"
#include "backend/kept.h"
#include "backend/replace_all.h"
#include "backend/search.h"
#include "backend/terminals.h"
#include "backend/test_runners.h"
#include "backend/watch_files.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/path.h"
#include "base/sha256.h"
#include "base/utf8.h"
#include "editor/change.h"
#include "editor/files.h"
#include "editor/language.h"
#include "editor/text.h"

#include <assert.h>
#include <stdlib.h>
#include <sys/stat.h>

static struct dt_headless *of(struct dt_editor *editor)
{
	return (struct dt_headless *)editor;
}

void dt_headless_emit(struct dt_headless *h, struct dt_event *event)
{
	if (h->editor.on_event)
		h->editor.on_event(&h->editor, event, h->editor.owner);
}

void dt_headless_emit_document(struct dt_headless *h, const char *path,
                               enum dt_document_change change)
{
	struct dt_event event = {
		.type = DT_EVENT_DOCUMENTS,
		.path = path,
		.change = change,
	};

	dt_headless_emit(h, &event);
}

/* What is kept from agents has no problems for them. */
static void on_problems(const char *path, void *owner)
{
	const struct dt_world *world = &((struct dt_headless *)owner)->world;
	struct dt_event event = {
		.type = DT_EVENT_DIAGNOSTICS,
		.path = path,
	};

	if (world->may_leave && !world->may_leave(world->owner, path))
		return;
	dt_headless_emit(owner, &event);
	dt_headless_tell_watches(owner, path);
}

/* the selection */

static void emit_selection(struct dt_headless *h)
{
	struct dt_event event = {
		.type = DT_EVENT_SELECTION,
		.selection = h->selection,
	};

	dt_headless_emit(h, &event);
}

static void set_selection(struct dt_headless *h, const char *path,
                          struct dt_str text, struct dt_range range)
{
	/* Copied first: it may be a path that was taken from here. */
	char *copy = path ? dt_strdup(path) : NULL;

	free(h->path);
	dt_buf_done(&h->text);
	h->path = copy;
	dt_buf_add_str(&h->text, text);
	h->selection = (struct dt_selection){
		.path = h->path,
		.text = dt_buf_str(&h->text),
		.range = range,
	};
	emit_selection(h);
}

static void on_document(struct dt_documents *docs, const char *path,
                        enum dt_document_change change, void *owner)
{
	struct dt_headless *h = owner;

	(void)docs;
	dt_headless_emit_document(h, path, change);
	if (change == DT_DOCUMENT_CLOSED && h->path && !strcmp(h->path, path))
		set_selection(h, NULL, DT_STR(""), (struct dt_range){ 0 });
}

/* What is past an end becomes that end, as in dt_text_slice(). */
static struct dt_range clamp(struct dt_str text, struct dt_range range)
{
	return (struct dt_range){
		dt_text_to_position(text, dt_text_to_byte(text, range.start)),
		dt_text_to_position(text, dt_text_to_byte(text, range.end)),
	};
}

/* A selection is told later, by the name it was asked by; where a link leads
 * then is not where it led when the text was read. */
static struct dt_str told_slice(const struct dt_text_origin *origin,
                                struct dt_str text, struct dt_range range)
{
	if (origin->kept.code)
		return DT_STR("");
	return dt_text_slice(text, range);
}

static void do_select(struct dt_headless *h, const void *args,
                      struct dt_answer *answer)
{
	const struct dt_selection *wanted = args;
	struct dt_text_origin origin;
	struct dt_fail fail = { 0 };
	struct dt_range range;
	struct dt_buf text;

	if (!wanted->path) {
		set_selection(h, NULL, DT_STR(""), (struct dt_range){ 0 });
		dt_answer_end(answer, NULL);
		return;
	}
	dt_buf_init(&text, DT_LIMIT_FILE);
	if (dt_documents_read_origin(h->docs, wanted->path, DT_TEXT_ANYWHERE,
	                             &text, &origin, &fail)) {
		dt_buf_done(&text);
		dt_answer_fail(answer, &fail);
		return;
	}
	range = clamp(dt_buf_str(&text), wanted->range);
	set_selection(h, wanted->path,
	              told_slice(&origin, dt_buf_str(&text), range), range);
	dt_buf_done(&text);
	dt_answer_end(answer, NULL);
}

static void do_get_selection(struct dt_headless *h, const void *args,
                             struct dt_answer *answer)
{
	const struct dt_get_selection_args *wanted = args;
	struct dt_selection result = h->selection;
	const struct dt_document *active = h->docs->active;

	/* Current means: in the document the person is looking at. */
	if (!wanted->is_latest && result.path &&
	    (!active || strcmp(active->path, result.path) != 0))
		result = (struct dt_selection){ 0 };
	if (!wanted->is_latest && !result.path && active)
		result.path = active->path;
	dt_answer_end(answer, &result);
}

/* documents */

/* Where to put the cursor, or what to select, in a text just opened. */
static struct dt_range range_to_show(const struct dt_open_args *args,
                                     struct dt_str text)
{
	struct dt_range range = { 0 };
	const char *start = NULL;
	const char *end = NULL;
	size_t from;
	size_t to;

	if (args->start_text.len && text.len)
		start = memmem(text.ptr, text.len, args->start_text.ptr,
		               args->start_text.len);
	if (!start) {
		if (args->line.is_set)
			range.start.line = args->line.value;
		range.start.character = args->character;
		range.end = range.start;
		return clamp(text, range);
	}
	from = (size_t)(start - text.ptr);
	to = from + args->start_text.len;
	if (args->end_text.len)
		end = memmem(text.ptr + to, text.len - to, args->end_text.ptr,
		             args->end_text.len);
	if (end)
		to = (size_t)(end - text.ptr) + args->end_text.len;
	range.start = dt_text_to_position(text, from);
	range.end = dt_text_to_position(text, to);
	if (args->to_line_end)
		range.end.character = (uint32_t)dt_utf16_len(
			dt_text_line(text, range.end.line));
	return range;
}

static void do_open_file(struct dt_headless *h, const void *args,
                         struct dt_answer *answer)
{
	const struct dt_open_args *wanted = args;
	size_t count = h->docs->count;
	struct dt_text_origin origin;
	struct dt_open_result result;
	struct dt_document *doc;
	struct dt_fail fail = { 0 };
	struct dt_range range;
	struct dt_buf text;

	dt_buf_init(&text, DT_LIMIT_FILE);
	if (dt_documents_open(h->docs, wanted->path, &doc, &fail) ||
	    dt_documents_read_origin(h->docs, wanted->path, DT_TEXT_INSIDE,
	                             &text, &origin, &fail)) {
		dt_buf_done(&text);
		dt_answer_fail(answer, &fail);
		return;
	}
	result = (struct dt_open_result){
		.path = doc->path,
		.language = doc->language,
	};
	if (!origin.kept.code)
		result.line_count = dt_text_line_count(dt_buf_str(&text));
	if (h->docs->count > count)
		dt_headless_emit_document(h, doc->path, DT_DOCUMENT_OPENED);
	if (wanted->is_frontmost) {
		h->docs->active = doc;
		range = range_to_show(wanted, dt_buf_str(&text));
		set_selection(h, doc->path,
		              told_slice(&origin, dt_buf_str(&text), range),
		              range);
	}
	dt_answer_end(answer, &result);
	dt_buf_done(&text);
}

static void do_close_document(struct dt_headless *h, const void *args,
                              struct dt_answer *answer)
{
	const struct dt_path_args *wanted = args;
	struct dt_document *doc = dt_documents_find(h->docs, wanted->path);
	struct dt_found_result result = { .is_found = doc != NULL };

	if (doc) {
		bool is_selected = h->path && !strcmp(h->path, doc->path);
		/* The path that was asked for may be the document's own. */
		char *path = dt_strdup(doc->path);

		result.is_dirty = doc->has_overlay;
		dt_documents_close(h->docs, doc);
		dt_headless_emit_document(h, path, DT_DOCUMENT_CLOSED);
		free(path);
		if (is_selected)
			set_selection(h, NULL, DT_STR(""),
			              (struct dt_range){ 0 });
	}
	dt_answer_end(answer, &result);
}

static void do_list_documents(struct dt_headless *h, const void *args,
                              struct dt_answer *answer)
{
	struct dt_document_info *infos =
		dt_alloc(h->docs->count * sizeof(*infos));
	struct dt_documents_result result = { .items = { .ptr = infos } };

	(void)args;
	dt_list_each(doc, &h->docs->list, struct dt_document, link) {
		infos[result.items.count++] = (struct dt_document_info){
			.path = doc->path,
			.label = dt_path_base(doc->path),
			.language = doc->language,
			.is_active = doc == h->docs->active,
			.is_dirty = doc->has_overlay,
			.is_overtaken = doc->is_overtaken,
		};
	}
	dt_answer_end(answer, &result);
	free(infos);
}

static void do_check_dirty(struct dt_headless *h, const void *args,
                           struct dt_answer *answer)
{
	const struct dt_path_args *wanted = args;
	struct dt_document *doc = dt_documents_find(h->docs, wanted->path);
	struct dt_found_result result = {
		.is_found = doc != NULL,
		.is_dirty = doc && doc->has_overlay,
		.is_overtaken = doc && doc->is_overtaken,
	};

	dt_answer_end(answer, &result);
}

static void do_save_document(struct dt_headless *h, const void *args,
                             struct dt_answer *answer)
{
	const struct dt_path_args *wanted = args;
	struct dt_document *doc = dt_documents_find(h->docs, wanted->path);
	struct dt_found_result result = { .is_found = doc != NULL };
	struct dt_fail fail = { 0 };
	struct stat st;

	if (doc && doc->has_overlay) {
		mode_t mode = stat(doc->path, &st) ? 0644 : st.st_mode & 07777;

		if (dt_documents_check_saved(h->docs, doc->path, &fail) ||
		    dt_file_write(doc->path, dt_buf_str(&doc->overlay), mode,
		                  &fail)) {
			dt_answer_fail(answer, &fail);
			return;
		}
		result.is_dirty = true;
		dt_document_set_overlay(h->docs, doc, (struct dt_str){ 0 });
		dt_headless_emit_document(h, doc->path, DT_DOCUMENT_CHANGED);
	}
	dt_answer_end(answer, &result);
}

/* What was edited must be what is there now: the edit was made of that. */
static enum dt_err check_base(struct dt_headless *h,
                              const struct dt_set_buffer_args *wanted,
                              const char *path, struct dt_fail *fail)
{
	char digest[DT_SHA256_TEXT];
	struct dt_buf now;
	enum dt_err err;

	dt_buf_init(&now, DT_LIMIT_FILE);
	err = dt_documents_read(h->docs, path, DT_TEXT_TOLD, &now, NULL, fail);
	if (!err)
		dt_sha256_hex(now.ptr, now.len, digest);
	dt_buf_done(&now);
	if (!err && wanted->base && strcmp(digest, wanted->base) != 0)
		err = dt_fail(fail, DT_E_STATE,
		              "%s has changed meanwhile; read it again",
		              wanted->path);
	return err;
}

static void do_set_buffer(struct dt_headless *h, const void *args,
                          struct dt_answer *answer)
{
	const struct dt_set_buffer_args *wanted = args;
	size_t count = h->docs->count;
	struct dt_arena arena = { 0 };
	struct dt_fail fail = { 0 };
	struct dt_document *doc;
	const char *path = dt_headless_path(&arena, wanted->path);

	if (check_base(h, wanted, path, &fail) ||
	    dt_documents_open(h->docs, path, &doc, &fail)) {
		dt_answer_fail(answer, &fail);
	} else {
		if (h->docs->count > count)
			dt_headless_emit_document(h, path, DT_DOCUMENT_OPENED);
		dt_document_set_overlay(h->docs, doc, wanted->text);
		dt_headless_emit_document(h, path, DT_DOCUMENT_CHANGED);
		dt_answer_end(answer, NULL);
	}
	dt_arena_done(&arena);
}

const char *dt_headless_path(struct dt_arena *arena, const char *path)
{
	const char *real;

	path = dt_path_join(arena, "/", path);
	return dt_path_real(arena, path, &real, NULL) ? path : real;
}

static void do_read_file(struct dt_headless *h, const void *args,
                         struct dt_answer *answer)
{
	const struct dt_read_file_args *wanted = args;
	struct dt_read_file_result result = { 0 };
	struct dt_text_origin origin;
	const struct dt_document *doc;
	struct dt_arena arena = { 0 };
	struct dt_fail fail = { 0 };
	struct dt_buf text;
	enum dt_err err;

	dt_buf_init(&text, wanted->max_bytes.is_set ? wanted->max_bytes.value
	                                            : DT_LIMIT_FILE);
	result.path = dt_headless_path(&arena, wanted->path);
	result.language = dt_language_of(result.path);
	doc = dt_documents_find(h->docs, result.path);
	result.is_dirty = doc && doc->has_overlay;
	err = dt_documents_read_origin(h->docs, result.path, DT_TEXT_TOLD,
	                               &text, &origin, &fail);
	if (err == DT_E_DENIED && !origin.kept.code) {
		/* Where a link leads is nobody's business. */
		dt_answer_failf(answer, err, "%s is outside the workspace",
		                wanted->path);
	} else if (err) {
		dt_answer_fail(answer, &fail);
	} else {
		result.text = (struct dt_str){ dt_buf_z(&text), text.len };
		dt_answer_end(answer, &result);
	}
	dt_buf_done(&text);
	dt_arena_done(&arena);
}

/* What it can do; the rest of the table is for real editors or the hub. */
static dt_headless_fn *const table[DT_OP_COUNT] = {
	[DT_OP_open_file] = do_open_file,
	[DT_OP_close_document] = do_close_document,
	[DT_OP_get_selection] = do_get_selection,
	[DT_OP_list_documents] = do_list_documents,
	[DT_OP_get_diagnostics] = dt_headless_get_diagnostics,
	[DT_OP_watch_diagnostics] = dt_headless_watch_diagnostics,
	[DT_OP_check_dirty] = do_check_dirty,
	[DT_OP_save_document] = do_save_document,
	[DT_OP_read_file] = do_read_file,
	[DT_OP_select] = do_select,
	/* change */
	[DT_OP_set_buffer] = do_set_buffer,
	[DT_OP_get_code_actions] = dt_headless_get_code_actions,
	[DT_OP_make_code_action] = dt_headless_make_code_action,
	[DT_OP_prepare_rename] = dt_headless_prepare_rename,
	[DT_OP_make_rename] = dt_headless_make_rename,
	[DT_OP_make_format] = dt_headless_make_format,
	[DT_OP_search_replace] = dt_headless_replace_all,
	/* code */
	[DT_OP_go_to_definition] = dt_code_go_to_definition,
	[DT_OP_go_to_type_definition] = dt_code_go_to_type_definition,
	[DT_OP_go_to_declaration] = dt_code_go_to_declaration,
	[DT_OP_find_implementations] = dt_code_find_implementations,
	[DT_OP_find_references] = dt_code_find_references,
	[DT_OP_get_hover] = dt_code_get_hover,
	[DT_OP_get_signature_help] = dt_code_get_signature_help,
	[DT_OP_get_selection_ranges] = dt_code_get_selection_ranges,
	[DT_OP_get_document_symbols] = dt_code_get_document_symbols,
	[DT_OP_search_symbols] = dt_code_search_symbols,
	[DT_OP_get_call_hierarchy] = dt_code_get_call_hierarchy,
	[DT_OP_get_type_hierarchy] = dt_code_get_type_hierarchy,
	[DT_OP_get_inlay_hints] = dt_code_get_inlay_hints,
	[DT_OP_get_semantic_tokens] = dt_code_get_semantic_tokens,
	[DT_OP_get_folding_ranges] = dt_code_get_folding_ranges,
	[DT_OP_get_document_links] = dt_code_get_document_links,
	[DT_OP_get_code_lenses] = dt_code_get_code_lenses,
	[DT_OP_list_servers] = dt_code_list_servers,
	[DT_OP_restart_servers] = dt_code_restart_servers,
	/* git */
	[DT_OP_git_status] = dt_git_do_status,
	[DT_OP_git_diff] = dt_git_do_diff,
	[DT_OP_git_log] = dt_git_do_log,
	[DT_OP_git_show] = dt_git_do_show,
	[DT_OP_git_blame] = dt_git_do_blame,
	[DT_OP_git_branches] = dt_git_do_branches,
	[DT_OP_git_stashes] = dt_git_do_stashes,
	[DT_OP_git_hotspots] = dt_git_do_hotspots,
	[DT_OP_git_add] = dt_git_do_add,
	[DT_OP_git_commit] = dt_git_do_commit,
	[DT_OP_git_checkout] = dt_git_do_checkout,
	[DT_OP_git_stash] = dt_git_do_stash,
	[DT_OP_git_stash_pop] = dt_git_do_stash_pop,
	[DT_OP_git_fetch] = dt_git_do_fetch,
	[DT_OP_git_pull] = dt_git_do_pull,
	[DT_OP_git_push] = dt_git_do_push,
	[DT_OP_github_read] = dt_github_do_read,
	[DT_OP_github_diff] = dt_github_do_diff,
	[DT_OP_github_write] = dt_github_do_write,
	/* run */
	[DT_OP_run_command] = dt_run_command_start,
	[DT_OP_find_tests] = dt_test_runners_find,
	[DT_OP_list_terminals] = dt_terminals_do_list,
	[DT_OP_create_terminal] = dt_terminals_do_create,
	[DT_OP_send_terminal] = dt_terminals_do_send,
	[DT_OP_execute_in_terminal] = dt_terminals_do_execute,
	[DT_OP_get_terminal_output] = dt_terminals_do_output,
	[DT_OP_wait_terminal_output] = dt_terminals_do_wait,
	[DT_OP_dispose_terminal] = dt_terminals_do_dispose,
	/* search */
	[DT_OP_search] = dt_search_perform,
	[DT_OP_read_clipboard] = dt_clipboard_read,
	[DT_OP_write_clipboard] = dt_clipboard_write,
	[DT_OP_get_imports] = dt_import_tree_perform,
	/* watch */
	[DT_OP_watch_files] = dt_watch_files_do_watch,
	[DT_OP_unwatch_files] = dt_watch_files_do_unwatch,
};

static void perform(struct dt_editor *editor, const struct dt_operation *op,
                    const void *args, struct dt_answer *answer)
{
	assert(table[op->index]);
	if (of(editor)->is_stopped) {
		dt_answer_failf(answer, DT_E_CLOSED, "Dovetail stops");
		return;
	}
	dt_follow_look(of(editor)->follow);
	table[op->index](of(editor), args, answer);
}

static void stop(struct dt_editor *editor)
{
	struct dt_headless *h = of(editor);

	h->is_stopped = true;
	dt_follow_stop(h->follow);
	dt_watch_files_stop(h->watch_files);
	dt_looks_stop(h->looks);
	dt_lsp_stop(h->lsp);
	dt_terminals_stop(h->terminals);
}

static void free_headless(struct dt_editor *editor)
{
	struct dt_headless *h = of(editor);

	dt_follow_free(h->follow);
	dt_kept_free(h->kept);
	dt_watch_files_free(h->watch_files);
	dt_looks_free(h->looks);
	dt_lsp_free(h->lsp);
	dt_problems_free(h->problems);
	dt_terminals_free(h->terminals);
	free(h->path);
	dt_buf_done(&h->text);
	free(h);
}

static void leave(struct dt_editor *editor, const char *asker)
{
	dt_terminals_leave(of(editor)->terminals, asker);
	dt_watch_files_leave(of(editor)->watch_files, asker);
}

static const struct dt_backend backend = {
	.name = "headless",
	.perform = perform,
	.stop = stop,
	.leave = leave,
	.free = free_headless,
};

struct dt_terminals *dt_headless_terminals(struct dt_editor *editor)
{
	return editor->backend == &backend ? of(editor)->terminals : NULL;
}

void dt_headless_listen(struct dt_editor *editor)
{
	if (editor->backend == &backend)
		dt_follow_look(of(editor)->follow);
}

void dt_headless_forget(struct dt_editor *editor)
{
	struct dt_headless *h = of(editor);

	if (editor->backend != &backend)
		return;
	dt_looks_forget(h->looks);
	dt_lsp_restart(h->lsp, NULL);
	dt_problems_forget(h->problems, NULL, NULL);
}

const char *dt_headless_unseen(struct dt_editor *editor)
{
	return editor->backend == &backend
	               ? dt_follow_problem(of(editor)->follow)
	               : NULL;
}

struct dt_editor *dt_headless_new(const struct dt_world *world)
{
	struct dt_headless *h = dt_alloc(sizeof(*h));

	h->editor.backend = &backend;
	h->world = *world;
	h->docs = world->docs;
	h->problems = dt_problems_new(on_problems, h);
	h->lsp = dt_lsp_new(world, h->problems);
	h->docs->on_change = on_document;
	h->docs->owner = h;
	h->looks = dt_looks_new(world, h->lsp, h->problems);
	dt_list_init(&h->watches);
	dt_buf_init(&h->text, DT_LIMIT_FILE);
	h->terminals = dt_terminals_new(h);
	h->follow = dt_follow_new(h);
	h->kept = dt_kept_new(&h->world);
	h->watch_files = dt_watch_files_new(h);
	for (size_t i = 0; i < DT_OP_COUNT; i++)
		h->editor.can[i] = table[i] != NULL;
	return &h->editor;
}
