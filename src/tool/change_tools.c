/*
 * tool/change_tools.c - files edited, created, deleted and renamed.
 *
 * The rules of dovetail.conf decide whether a person is asked: what they allow
 * is written at once, all else waits for a verdict.  So every tool here makes a
 * list of changes and leaves the rest to tool/change.c.
 */
#include "tool/change_tools.h"

#include "tool/change.h"
#include "tool/edit_args.h"

#define PREVIEW_MS 10000

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
/* clang-format on */

static struct dt_change_spec spec_of(const struct asking *asking)
{
	return (struct dt_change_spec){
		.reason = asking->reason,
		.writes = true,
		.waits = asking->waits,
	};
}

/* A change of one file: written after a verdict, or held in the editor. */
static void make_one(struct dt_call *call, struct dt_change_spec *spec,
                     const struct dt_change *change, bool saves)
{
	struct dt_change *own = dt_arena_alloc(call->arena, sizeof(*own));

	*own = *change;
	spec->changes = (struct dt_items){ own, 1 };
	if (saves)
		dt_change_submit(call, spec);
	else
		dt_change_hold(call, spec);
}

/* editText */

struct edit_text_args {
	const char *path;
	struct dt_items edits; /* struct dt_place_edit */
	bool saves;
	struct asking asking;
};
static const struct dt_field edit_text_fields[] = {
	DT_FIELD_AS("filePath", struct edit_text_args, path, PATH, DT_REQ,
	            "Absolute path or file:// URI of the file."),
	DT_FIELD(struct edit_text_args, edits, ITEMS, DT_REQ,
	         "Up to 1,000 edits. All places are those of the text as it is "
	         "now: no edit moves another, and none may overlap.",
	         .shape = &dt_shape_place_edit),
	DT_FIELD_AS("save", struct edit_text_args, saves, BOOL, 0,
	            "Write the file; false: keep the new text in the editor, "
	            "unsaved.",
	            .def = "true"),
	ASKING_FIELDS(struct edit_text_args),
	DT_FIELD_END,
};

static void edit_text(struct dt_call *call, const void *args)
{
	const struct edit_text_args *wanted = args;
	struct dt_change_spec spec = spec_of(&wanted->asking);
	struct dt_change change = {
		.kind = DT_CHANGE_EDIT,
		.path = wanted->path,
	};

	if (!dt_change_resume(call, &spec) &&
	    dt_place_edits_read(call, &wanted->edits, &change.ranges))
		make_one(call, &spec, &change, wanted->saves);
}

/* replaceBlock */

struct replace_args {
	const char *path;
	struct dt_str old_content;
	struct dt_str new_content;
	bool saves;
	struct asking asking;
};
static const struct dt_field replace_fields[] = {
	DT_FIELD_AS("filePath", struct replace_args, path, PATH, DT_REQ,
	            "Absolute path or file:// URI of the file."),
	DT_FIELD_AS("oldContent", struct replace_args, old_content, STR,
	            DT_REQ | DT_BIG,
	            "Text of the file as it is now, exactly, with enough lines "
	            "around it to be there only once."),
	DT_FIELD_AS("newContent", struct replace_args, new_content, STR,
	            DT_REQ | DT_BIG, "What comes in its place."),
	DT_FIELD_AS("save", struct replace_args, saves, BOOL, 0,
	            "Write the file; false: keep the new text in the editor, "
	            "unsaved.",
	            .def = "true"),
	ASKING_FIELDS(struct replace_args),
	DT_FIELD_END,
};

static void replace_block(struct dt_call *call, const void *args)
{
	const struct replace_args *wanted = args;
	struct dt_change_spec spec = spec_of(&wanted->asking);
	struct dt_text_edit *edit = dt_arena_alloc(call->arena, sizeof(*edit));
	struct dt_change change = {
		.kind = DT_CHANGE_EDIT,
		.path = wanted->path,
		.edits = { edit, 1 },
	};

	edit->old_text = wanted->old_content;
	edit->new_text = wanted->new_content;
	edit->alias = "oldContent";
	if (!dt_change_resume(call, &spec))
		make_one(call, &spec, &change, wanted->saves);
}

/* createFile */

struct create_args {
	const char *path;
	struct dt_str content;
	bool is_folder;
	bool can_replace;
	struct asking asking;
};
static const struct dt_field create_fields[] = {
	DT_FIELD_AS(
		"filePath", struct create_args, path, PATH, DT_REQ,
		"Absolute path or file:// URI of the new file; folders that "
		"are missing are made."),
	DT_FIELD(struct create_args, content, STR, DT_BIG | DT_OMIT,
	         "Its text; empty when absent."),
	DT_FIELD_AS("isDirectory", struct create_args, is_folder, BOOL, 0,
	            "Make an empty folder instead; files make those they are "
	            "in by themselves."),
	DT_FIELD_AS("overwrite", struct create_args, can_replace, BOOL, 0,
	            "Replace the file when there is one."),
	ASKING_FIELDS(struct create_args),
	DT_FIELD_END,
};

static void create_file(struct dt_call *call, const void *args)
{
	const struct create_args *wanted = args;
	struct dt_change_spec spec = spec_of(&wanted->asking);
	struct dt_change change = {
		.kind = DT_CHANGE_CREATE,
		.path = wanted->path,
		.text = wanted->content.ptr ? wanted->content : DT_STR(""),
		.is_new = !wanted->can_replace,
		.is_folder = wanted->is_folder,
	};

	if (!dt_change_resume(call, &spec))
		make_one(call, &spec, &change, true);
}

/* deleteFile */

struct delete_args {
	const char *path;
	bool is_recursive;
	bool to_trash;
	struct asking asking;
};
static const struct dt_field delete_fields[] = {
	DT_FIELD_AS(
		"filePath", struct delete_args, path, PATH, DT_REQ,
		"Absolute path or file:// URI of the file, or of a folder."),
	DT_FIELD_AS("recursive", struct delete_args, is_recursive, BOOL, 0,
	            "A folder with all that is in it, up to 200 files and "
	            "folders: all of it or nothing.",
	            .def = "false"),
	DT_FIELD_AS("useTrash", struct delete_args, to_trash, BOOL, 0,
	            "Move it into the person's trash, where there is one on "
	            "the same file system; else it is gone for good.",
	            .def = "true"),
	ASKING_FIELDS(struct delete_args),
	DT_FIELD_END,
};

static void delete_file(struct dt_call *call, const void *args)
{
	const struct delete_args *wanted = args;
	struct dt_change_spec spec = spec_of(&wanted->asking);
	struct dt_change change = {
		.kind = DT_CHANGE_DELETE,
		.path = wanted->path,
		.is_folder = wanted->is_recursive,
		.to_trash = wanted->to_trash,
	};

	if (!dt_change_resume(call, &spec))
		make_one(call, &spec, &change, true);
}

/* renameFile */

struct rename_args {
	const char *path;
	const char *new_path;
	bool can_replace;
	struct asking asking;
};
static const struct dt_field rename_fields[] = {
	DT_FIELD_AS("oldPath", struct rename_args, path, PATH, DT_REQ,
	            "Absolute path or file:// URI of the file."),
	DT_FIELD_AS("newPath", struct rename_args, new_path, PATH, DT_REQ,
	            "Where it goes; folders that are missing are made."),
	DT_FIELD_AS("overwrite", struct rename_args, can_replace, BOOL, 0,
	            "Replace the file that is there."),
	ASKING_FIELDS(struct rename_args),
	DT_FIELD_END,
};

/* One file takes the place of another: that is two changes, and both are
 * shown. */
static void replace_by(struct dt_call *call, struct dt_change_spec *spec,
                       const struct rename_args *wanted)
{
	struct dt_change *both = dt_arena_alloc(call->arena, 2 * sizeof(*both));

	both[0] = (struct dt_change){
		.kind = DT_CHANGE_EDIT,
		.path = wanted->new_path,
		.source = wanted->path,
	};
	both[1] = (struct dt_change){
		.kind = DT_CHANGE_DELETE,
		.path = wanted->path,
	};
	spec->changes = (struct dt_items){ both, 2 };
	dt_change_submit(call, spec);
}

static void rename_file(struct dt_call *call, const void *args)
{
	const struct rename_args *wanted = args;
	struct dt_change_spec spec = spec_of(&wanted->asking);
	struct dt_change change = {
		.kind = DT_CHANGE_RENAME,
		.path = wanted->path,
		.new_path = wanted->new_path,
	};

	if (dt_change_resume(call, &spec))
		return;
	if (wanted->can_replace)
		replace_by(call, &spec, wanted);
	else
		make_one(call, &spec, &change, true);
}

/* saveDocument */

struct save_args {
	const char *path;
	struct asking asking;
};
static const struct dt_field save_fields[] = {
	DT_FIELD_AS("filePath", struct save_args, path, PATH, DT_REQ,
	            "Absolute path or file:// URI of the file."),
	ASKING_FIELDS(struct save_args),
	DT_FIELD_END,
};

static void on_dirty(struct dt_call *call, const void *result)
{
	const struct dt_found_result *found = result;
	const struct save_args *wanted = call->args;
	struct dt_change_spec spec = spec_of(&wanted->asking);
	struct dt_change change = {
		.kind = DT_CHANGE_EDIT,
		.path = wanted->path,
		.is_save = true,
	};
	struct dt_told clean = {
		.verdict = DT_TOLD_UNASKED,
		.note = "Nothing of it is unsaved.",
	};

	if (!found->is_found)
		dt_call_failf(call, DT_E_STATE, "%s is not open", wanted->path);
	else if (!found->is_dirty)
		dt_call_reply_result(call, &clean);
	else
		make_one(call, &spec, &change, true);
}

static void save_document(struct dt_call *call, const void *args)
{
	const struct save_args *wanted = args;
	struct dt_change_spec spec = spec_of(&wanted->asking);
	struct dt_path_args file = { wanted->path };

	if (!dt_change_resume(call, &spec))
		dt_call_perform(call, &dt_op_check_dirty, &file, on_dirty);
}

/* previewEdit */

struct preview_args {
	struct dt_piece_args piece;
};
static const struct dt_field preview_fields[] = {
	DT_PIECE_FIELDS(struct preview_args, piece),
	DT_FIELD_END,
};

static void preview_edit(struct dt_call *call, const void *args)
{
	const struct preview_args *wanted = args;
	struct dt_change *change = dt_arena_alloc(call->arena, sizeof(*change));
	struct dt_change_spec spec = { .changes = { change, 1 } };

	if (dt_piece_read(call, &wanted->piece, change))
		dt_change_preview(call, &spec);
}

/* clang-format off */
#define VERDICT_DOC                                                           \
	" Written at once where the person's rules allow it; else the person" \
	" decides, which may take long. The verdict says which: look at"      \
	" verdict and written."
/* clang-format on */

static const struct dt_tool tools[] = {
	{
		.name = "editText",
		.title = "Edit a file by place",
		.doc = "Insert, delete and replace text of a file by line and "
		       "column, all at once. Prefer replaceBlock where you know "
		       "the text but not its exact place." VERDICT_DOC,
		.args = DT_SHAPE(struct edit_text_args, edit_text_fields),
		.result = DT_TOLD_SHAPE,
		.effect = DT_ASKS,
		.run = edit_text,
	},
	{
		.name = "replaceBlock",
		.title = "Replace a piece of a file",
		.doc = "Replace text that is in a file exactly once; when it is "
		       "not, the failure says how often and where it "
		       "is." VERDICT_DOC,
		.args = DT_SHAPE(struct replace_args, replace_fields),
		.result = DT_TOLD_SHAPE,
		.effect = DT_ASKS,
		.run = replace_block,
	},
	{
		.name = "createFile",
		.title = "Create a file",
		.doc = "Create a file with its text, or an empty "
		       "folder." VERDICT_DOC,
		.args = DT_SHAPE(struct create_args, create_fields),
		.result = DT_TOLD_SHAPE,
		.effect = DT_ASKS,
		.run = create_file,
	},
	{
		.name = "deleteFile",
		.title = "Delete a file",
		.doc = "Delete a file, or a folder with all that is in it. "
		       "The answer says for each file where in the trash it "
		       "is." VERDICT_DOC,
		.args = DT_SHAPE(struct delete_args, delete_fields),
		.result = DT_TOLD_SHAPE,
		.effect = DT_ASKS,
		.run = delete_file,
	},
	{
		.name = "renameFile",
		.title = "Rename a file",
		.doc = "Move a file to another name or folder of the "
		       "workspace." VERDICT_DOC,
		.args = DT_SHAPE(struct rename_args, rename_fields),
		.result = DT_TOLD_SHAPE,
		.effect = DT_ASKS,
		.run = rename_file,
	},
	{
		.name = "saveDocument",
		.title = "Save a document",
		.doc = "Write the unsaved text of an open document to its "
		       "file." VERDICT_DOC,
		.args = DT_SHAPE(struct save_args, save_fields),
		.result = DT_TOLD_SHAPE,
		.effect = DT_ASKS,
		.run = save_document,
	},
	{
		.name = "previewEdit",
		.title = "See what an edit would do",
		.doc = "The unified diff of an edit, without writing or asking "
		       "anybody.",
		.args = DT_SHAPE(struct preview_args, preview_fields),
		.result = DT_TOLD_SHAPE,
		.effect = DT_READS,
		.flags = DT_TOOL_REPEATABLE,
		.deadline_ms = PREVIEW_MS,
		.run = preview_edit,
	},
};

const struct dt_tool_group dt_tools_change = {
	.name = "change",
	.doc = "Files changed as far as the person's rules or the person allow "
	       "it.",
	.tools = tools,
	.count = sizeof(tools) / sizeof(tools[0]),
};
