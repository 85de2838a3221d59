/*
 * editor/operation.c - the operation table and the shapes of what goes in and
 * out.  Nothing here does anything; backends do.
 */
#include "editor/operation.h"

#include "editor/bridge.h"
#include "editor/change.h"
#include "editor/code_edit.h"
#include "editor/code_file.h"
#include "editor/diagnostics.h"
#include "editor/files.h"
#include "editor/git.h"
#include "editor/git_write.h"
#include "editor/project.h"
#include "editor/run.h"
#include "editor/search.h"
#include "editor/terminal.h"
#include "editor/watch.h"

static const struct dt_field position_fields[] = {
	DT_FIELD(struct dt_position, line, U32, DT_REQ, "0-based line."),
	DT_FIELD(struct dt_position, character, U32, DT_REQ,
	         "0-based column in UTF-16 units."),
	DT_FIELD_END,
};
static const struct dt_shape position =
	DT_SHAPE(struct dt_position, position_fields);

static const struct dt_field range_fields[] = {
	DT_FIELD_OBJECT("start", struct dt_range, start, struct dt_position,
	                position, DT_REQ, "Where it begins."),
	DT_FIELD_OBJECT("end", struct dt_range, end, struct dt_position,
	                position, DT_REQ, "Where it ends, exclusive."),
	DT_FIELD_END,
};
const struct dt_shape dt_shape_range = DT_SHAPE(struct dt_range, range_fields);

static const struct dt_field open_args[] = {
	DT_FIELD(struct dt_open_args, path, PATH, DT_REQ, "The file."),
	DT_FIELD_AS("preview", struct dt_open_args, is_preview, BOOL, 0,
	            "Open as a preview that the next open may replace."),
	DT_FIELD_AS("startText", struct dt_open_args, start_text, STR, DT_OMIT,
	            "Select from the first occurrence of this text."),
	DT_FIELD_AS("endText", struct dt_open_args, end_text, STR, DT_OMIT,
	            "Select up to the end of this text."),
	DT_FIELD_AS("toLineEnd", struct dt_open_args, to_line_end, BOOL, 0,
	            "Extend the selection to the end of the line."),
	DT_FIELD_AS("frontmost", struct dt_open_args, is_frontmost, BOOL, 0,
	            "Make it the active document.", .def = "true"),
	DT_FIELD(struct dt_open_args, line, MAYBE_U32, DT_OMIT,
	         "0-based line for the cursor."),
	DT_FIELD(struct dt_open_args, character, U32, DT_OMIT,
	         "0-based column for the cursor."),
	DT_FIELD_END,
};

static const struct dt_field open_result[] = {
	DT_FIELD(struct dt_open_result, path, PATH, DT_REQ, "The file."),
	DT_FIELD_AS("languageId", struct dt_open_result, language, NAME, DT_REQ,
	            "Its language."),
	DT_FIELD_AS("lineCount", struct dt_open_result, line_count, U32, DT_REQ,
	            "Its lines."),
	DT_FIELD_END,
};

static const struct dt_field path_args[] = {
	DT_FIELD(struct dt_path_args, path, PATH, DT_REQ, "The file."),
	DT_FIELD_END,
};

static const struct dt_field found_result[] = {
	DT_FIELD_AS("found", struct dt_found_result, is_found, BOOL, DT_REQ,
	            "Whether the document is open."),
	DT_FIELD_AS("dirty", struct dt_found_result, is_dirty, BOOL, DT_REQ,
	            "Whether it has (or had) unsaved text."),
	DT_FIELD_AS("overtaken", struct dt_found_result, is_overtaken, BOOL,
	            DT_OMIT, "Somebody else changed the file meanwhile."),
	DT_FIELD_END,
};

static const struct dt_field get_selection_args[] = {
	DT_FIELD_AS("latest", struct dt_get_selection_args, is_latest, BOOL, 0,
	            "Also one of a document that is not active any more."),
	DT_FIELD_END,
};

static const struct dt_field selection_result[] = {
	DT_FIELD(struct dt_selection, path, PATH, DT_OMIT, "The file."),
	DT_FIELD(struct dt_selection, text, STR, DT_BIG, "The selected text."),
	DT_FIELD_OBJECT("range", struct dt_selection, range, struct dt_range,
	                dt_shape_range, DT_REQ, "Where it is."),
	DT_FIELD_AS("lasting", struct dt_selection, is_lasting, BOOL, 0,
	            "An editor still shows it."),
	DT_FIELD_END,
};

static const struct dt_field document_fields[] = {
	DT_FIELD(struct dt_document_info, path, PATH, DT_REQ, "The file."),
	DT_FIELD(struct dt_document_info, label, NAME, DT_REQ, "Its name."),
	DT_FIELD_AS("languageId", struct dt_document_info, language, NAME,
	            DT_REQ, "Its language."),
	DT_FIELD_AS("active", struct dt_document_info, is_active, BOOL, DT_REQ,
	            "The person is looking at it."),
	DT_FIELD_AS("dirty", struct dt_document_info, is_dirty, BOOL, DT_REQ,
	            "It has unsaved text."),
	DT_FIELD_AS("overtaken", struct dt_document_info, is_overtaken, BOOL,
	            DT_OMIT, "Somebody else changed the file meanwhile."),
	DT_FIELD_END,
};
static const struct dt_shape document =
	DT_SHAPE(struct dt_document_info, document_fields);

static const struct dt_field documents_result[] = {
	DT_FIELD_AS("documents", struct dt_documents_result, items, ITEMS,
	            DT_REQ, "The open documents.", .shape = &document),
	DT_FIELD_END,
};

static const struct dt_field read_file_args[] = {
	DT_FIELD(struct dt_read_file_args, path, PATH, DT_REQ, "The file."),
	DT_FIELD_AS("maxBytes", struct dt_read_file_args, max_bytes, MAYBE_U32,
	            DT_OMIT, "Refuse what is larger."),
	DT_FIELD_END,
};

static const struct dt_field read_file_result[] = {
	DT_FIELD(struct dt_read_file_result, path, PATH, DT_REQ, "The file."),
	DT_FIELD_AS("languageId", struct dt_read_file_result, language, NAME,
	            DT_REQ, "Its language."),
	DT_FIELD(struct dt_read_file_result, text, STR, DT_REQ | DT_BIG,
	         "Its text."),
	DT_FIELD_AS("dirty", struct dt_read_file_result, is_dirty, BOOL, DT_REQ,
	            "The text is not saved."),
	DT_FIELD_END,
};

static const struct dt_field list_files_args[] = {
	DT_FIELD(struct dt_list_files_args, directory, PATH, DT_OMIT,
	         "The folder; absent: all."),
	DT_FIELD(struct dt_list_files_args, prefix, NAME, DT_OMIT,
	         "How a name, its last part or the whole path begins."),
	DT_FIELD(struct dt_list_files_args, glob, NAME, DT_OMIT,
	         "A pattern of names."),
	DT_FIELD(struct dt_list_files_args, depth, U32, DT_OMIT,
	         "Folders deeper than this are one entry."),
	DT_FIELD_AS("hidden", struct dt_list_files_args, has_hidden, BOOL, 0,
	            "Also names that begin with a dot."),
	DT_FIELD(struct dt_list_files_args, limit, MAYBE_U32, DT_OMIT,
	         "At most so many names."),
	DT_FIELD_END,
};

static const struct dt_field list_files_result[] = {
	DT_FIELD(struct dt_list_files_result, paths, PATHS, DT_REQ,
	         "The files, and with a slash at the end the folders."),
	DT_FIELD(struct dt_list_files_result, total, U32, DT_REQ,
	         "How many there are."),
	DT_FIELD_AS("cut", struct dt_list_files_result, is_cut, BOOL, DT_REQ,
	            "There are more."),
	DT_FIELD(struct dt_list_files_result, source, NAME, DT_REQ,
	         "Who found them."),
	DT_FIELD_END,
};

static const struct dt_field folders_result[] = {
	DT_FIELD(struct dt_folders_result, folders, PATHS, DT_REQ,
	         "The folders, the main one first."),
	DT_FIELD_END,
};

static const struct dt_field run_code_args[] = {
	DT_FIELD(struct dt_run_code_args, code, STR, DT_REQ, "The code."),
	DT_FIELD_END,
};

static const struct dt_field run_code_result[] = {
	DT_FIELD(struct dt_run_code_result, output, STR, DT_REQ,
	         "What it printed."),
	DT_FIELD_END,
};

const char *const dt_change_kinds[] = { "create", "change", "delete", "rename",
	                                NULL };

static const struct dt_field text_edit_fields[] = {
	DT_FIELD_AS("oldText", struct dt_text_edit, old_text, STR,
	            DT_REQ | DT_BIG,
	            "Text of the file as it is now, exactly, with enough lines "
	            "around it to be there only once."),
	DT_FIELD_AS("newText", struct dt_text_edit, new_text, STR,
	            DT_REQ | DT_BIG, "What comes in its place."),
	DT_FIELD_AS("replaceAll", struct dt_text_edit, is_all, BOOL, 0,
	            "Replace it wherever it is."),
	DT_FIELD_END,
};
const struct dt_shape dt_shape_text_edit =
	DT_SHAPE(struct dt_text_edit, text_edit_fields);

static const struct dt_field range_edit_fields[] = {
	DT_FIELD_OBJECT("range", struct dt_range_edit, range, struct dt_range,
	                dt_shape_range, DT_REQ, "What is replaced."),
	DT_FIELD(struct dt_range_edit, text, STR, DT_REQ | DT_BIG,
	         "What comes in its place."),
	DT_FIELD_AS("loose", struct dt_range_edit, is_loose, BOOL, 0,
	            "What is past an end means that end."),
	DT_FIELD_AS("lines", struct dt_range_edit, is_lines, BOOL, 0,
	            "Whole lines, though the last may lack its end."),
	DT_FIELD_END,
};
const struct dt_shape dt_shape_range_edit =
	DT_SHAPE(struct dt_range_edit, range_edit_fields);

static const struct dt_field change_fields[] = {
	DT_FIELD(struct dt_change, kind, ENUM, 0, "What happens to the file.",
	         .names = dt_change_kinds, .def = "\"change\""),
	DT_FIELD(struct dt_change, path, PATH, DT_REQ, "The file."),
	DT_FIELD_AS("newPath", struct dt_change, new_path, PATH, DT_OMIT,
	            "Where it goes, when it is renamed."),
	DT_FIELD(struct dt_change, text, STR, DT_BIG, "Its text afterwards."),
	DT_FIELD(struct dt_change, edits, ITEMS, DT_OMIT,
	         "Instead of the text: what to replace, one after the other.",
	         .shape = &dt_shape_text_edit),
	DT_FIELD(struct dt_change, ranges, ITEMS, DT_OMIT,
	         "Instead of the text: ranges of it to replace, all at once.",
	         .shape = &dt_shape_range_edit),
	DT_FIELD(struct dt_change, source, PATH, DT_OMIT,
	         "Instead of the text: the file whose text it gets."),
	DT_FIELD_AS("save", struct dt_change, is_save, BOOL, DT_OMIT,
	            "Instead of the text: what is edited and not saved."),
	DT_FIELD_AS("new", struct dt_change, is_new, BOOL, DT_OMIT,
	            "Refuse it when there is a file."),
	DT_FIELD_AS("folder", struct dt_change, is_folder, BOOL, DT_OMIT,
	            "It is a folder."),
	DT_FIELD_AS("trash", struct dt_change, to_trash, BOOL, DT_OMIT,
	            "What is deleted goes into the trash, where there is one."),
	DT_FIELD(struct dt_change, base, NAME, DT_OMIT,
	         "SHA-256 of the text it was made from."),
	DT_FIELD_AS("oldText", struct dt_change, old_text, STR,
	            DT_BIG | DT_OMIT, "In results: its text before."),
	DT_FIELD_AS("outside", struct dt_change, is_outside, BOOL, DT_OMIT,
	            "In results: it is in none of the workspace's folders."),
	DT_FIELD_AS("settings", struct dt_change, is_settings, BOOL, DT_OMIT,
	            "In results: it steers git, an agent, an editor or a "
	            "shell."),
	DT_FIELD(struct dt_change, trashed, NAME, DT_OMIT,
	         "In results: where in the trash it is."),
	DT_FIELD_AS("withheld", struct dt_change, is_withheld, BOOL, DT_OMIT,
	            "In results: the text before is kept from agents."),
	DT_FIELD_AS("edited", struct dt_change, is_edited, BOOL, DT_OMIT,
	            "In results: the text is the person's own."),
	DT_FIELD_AS("leftOut", struct dt_change, is_left_out, BOOL, DT_OMIT,
	            "In results: the person left it out of what was accepted."),
	DT_FIELD_END,
};
const struct dt_shape dt_shape_change =
	DT_SHAPE(struct dt_change, change_fields);

static const struct dt_field propose_args[] = {
	DT_FIELD(struct dt_propose_args, title, NAME, DT_REQ, "Its name."),
	DT_FIELD(struct dt_propose_args, reason, NAME, DT_OMIT, "Why."),
	DT_FIELD(struct dt_propose_args, changes, ITEMS, DT_REQ,
	         "File by file.", .shape = &dt_shape_change),
	DT_FIELD_END,
};

static const struct dt_shape proposal =
	DT_SHAPE(struct dt_propose_args, propose_args);

static const struct dt_field submit_args[] = {
	DT_FIELD_OBJECT("proposal", struct dt_submit_args, proposal,
	                struct dt_propose_args, proposal, DT_REQ,
	                "The change."),
	DT_FIELD(struct dt_submit_args, writes, BOOL, 0,
	         "Write what is accepted."),
	DT_FIELD(struct dt_submit_args, asks, BOOL, 0,
	         "The agent is about to ask its person."),
	DT_FIELD_END,
};

static const struct dt_field submit_result[] = {
	DT_FIELD(struct dt_submit_result, id, NAME, DT_REQ, "Its id."),
	DT_FIELD_AS("waiting", struct dt_submit_result, is_waiting, BOOL,
	            DT_REQ, "A person has to decide it."),
	DT_FIELD_AS("elicitation", struct dt_submit_result, can_elicit, BOOL,
	            DT_REQ, "The agent asks its person, and may."),
	DT_FIELD(struct dt_submit_result, changes, ITEMS, DT_REQ,
	         "File by file, with the proposed texts.",
	         .shape = &dt_shape_change),
	DT_FIELD_END,
};

static const struct dt_field await_args[] = {
	DT_FIELD(struct dt_await_args, id, NAME, DT_REQ, "The whole id."),
	DT_FIELD_AS("lasting", struct dt_await_args, is_lasting, BOOL, 0,
	            "The review stays when nobody waits for it any more."),
	DT_FIELD_AS("look", struct dt_await_args, is_look, BOOL, 0,
	            "Do not wait."),
	DT_FIELD_END,
};

static const char *const outcomes[] = { "accepted", "rejected", "undecided",
	                                NULL };

static const struct dt_field propose_result[] = {
	DT_FIELD(struct dt_propose_result, outcome, ENUM, DT_REQ,
	         "What the person decided.", .names = outcomes),
	DT_FIELD(struct dt_propose_result, comment, NAME, DT_OMIT,
	         "The person's words."),
	DT_FIELD(struct dt_propose_result, changes, ITEMS, DT_REQ,
	         "File by file, with the final texts.",
	         .shape = &dt_shape_change),
	DT_FIELD_AS("written", struct dt_propose_result, is_written, BOOL, 0,
	            "The final texts are in the files."),
	DT_FIELD(struct dt_propose_result, problem, NAME, DT_OMIT,
	         "Why they could not be written."),
	DT_FIELD_END,
};

static const struct dt_field decide_args[] = {
	DT_FIELD(struct dt_decide_args, id, NAME, DT_REQ, "The whole id."),
	DT_FIELD(struct dt_decide_args, outcome, ENUM, DT_REQ,
	         "What the person decided.", .names = outcomes),
	DT_FIELD(struct dt_decide_args, comment, NAME, DT_OMIT,
	         "The person's words."),
	DT_FIELD_END,
};

static const struct dt_field withdraw_args[] = {
	DT_FIELD(struct dt_withdraw_args, title, NAME, DT_OMIT,
	         "Which one; absent: all."),
	DT_FIELD_END,
};

static const struct dt_field withdraw_result[] = {
	DT_FIELD(struct dt_withdraw_result, count, U32, DT_REQ,
	         "How many were taken back."),
	DT_FIELD_END,
};

/* clang-format off */
#define NO_ARGS            DT_SHAPE_EMPTY
#define OPEN_ARGS          DT_SHAPE(struct dt_open_args, open_args)
#define OPEN_RESULT        DT_SHAPE(struct dt_open_result, open_result)
#define PATH_ARGS          DT_SHAPE(struct dt_path_args, path_args)
#define FOUND_RESULT       DT_SHAPE(struct dt_found_result, found_result)
#define GET_SELECTION_ARGS DT_SHAPE(struct dt_get_selection_args, get_selection_args)
#define SELECTION_RESULT   DT_SHAPE(struct dt_selection, selection_result)
#define DOCUMENTS_RESULT   DT_SHAPE(struct dt_documents_result, documents_result)
#define READ_FILE_ARGS     DT_SHAPE(struct dt_read_file_args, read_file_args)
#define READ_FILE_RESULT   DT_SHAPE(struct dt_read_file_result, read_file_result)
#define LIST_FILES_ARGS    DT_SHAPE(struct dt_list_files_args, list_files_args)
#define LIST_FILES_RESULT  DT_SHAPE(struct dt_list_files_result, list_files_result)
#define FOLDERS_RESULT     DT_SHAPE(struct dt_folders_result, folders_result)
#define RUN_CODE_ARGS      DT_SHAPE(struct dt_run_code_args, run_code_args)
#define RUN_CODE_RESULT    DT_SHAPE(struct dt_run_code_result, run_code_result)
#define PROPOSE_ARGS       DT_SHAPE(struct dt_propose_args, propose_args)
#define PROPOSE_RESULT     DT_SHAPE(struct dt_propose_result, propose_result)
#define SUBMIT_ARGS        DT_SHAPE(struct dt_submit_args, submit_args)
#define SUBMIT_RESULT      DT_SHAPE(struct dt_submit_result, submit_result)
#define AWAIT_ARGS         DT_SHAPE(struct dt_await_args, await_args)
#define DECIDE_ARGS        DT_SHAPE(struct dt_decide_args, decide_args)
#define WITHDRAW_ARGS      DT_SHAPE(struct dt_withdraw_args, withdraw_args)
#define WITHDRAW_RESULT    DT_SHAPE(struct dt_withdraw_result, withdraw_result)
#define STATUS_RESULT      DT_SHAPE(struct dt_status_result, dt_status_result_fields)
#define LIST_ACTIVITY_ARGS DT_SHAPE(struct dt_list_activity_args, dt_list_activity_args_fields)
#define WAIT_ACTIVITY_ARGS DT_SHAPE(struct dt_wait_activity_args, dt_wait_activity_args_fields)
#define ACTIVITY_RESULT    DT_SHAPE(struct dt_activity_result, dt_activity_result_fields)
#define CAPABILITIES_RESULT DT_SHAPE(struct dt_capabilities_result, dt_capabilities_result_fields)
#define SEARCH_TOOLS_ARGS  DT_SHAPE(struct dt_search_tools_args, dt_search_tools_args_fields)
#define SEARCH_TOOLS_RESULT DT_SHAPE(struct dt_search_tools_result, dt_search_tools_result_fields)

#define X(id, n, a, r, e, d, text)                                           \
	const struct dt_operation dt_op_##id = {                             \
		.name = (n), .args = a, .result = r, .effect = (e),          \
		.deadline_ms = (d), .doc = (text), .index = DT_OP_##id,      \
	};
#include "editor/operations.def"
#undef X
/* clang-format on */

const struct dt_operation *const dt_operations[DT_OP_COUNT] = {
#define X(id, n, a, r, e, d, text) &dt_op_##id,
#include "editor/operations.def"
#undef X
};

const char *dt_effect_name(enum dt_effect effect)
{
	static const char *const names[] = {
		[DT_READS] = "reads", [DT_SHOWS] = "shows",
		[DT_ASKS] = "asks",   [DT_WRITES] = "writes",
		[DT_RUNS] = "runs",
	};

	return names[effect];
}
