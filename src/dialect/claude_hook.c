/*
 * dialect/claude_hook.c - what an edit would make of a file.
 *
 * The CLI applies its edits after us, so we only have to agree with it.  It reads
 * some edits more generously than we do (quotes, escapes); where an edit does not
 * fit the file here, we propose nothing, and the CLI shows its own reading.  Line
 * ends are in claude_text.c, notebooks in claude_notebook.c.
 */
#include "dialect/claude_hook.h"

#include "base/limits.h"
#include "base/path.h"
#include "base/utf8.h"
#include "dialect/claude_notebook.h"
#include "dialect/claude_text.h"
#include "dialect/claude_words.h"

/* reading */

static const char *const tools[] = {
	[DT_CLAUDE_EDIT] = "Edit",
	[DT_CLAUDE_MULTI_EDIT] = "MultiEdit",
	[DT_CLAUDE_WRITE] = "Write",
	[DT_CLAUDE_NOTEBOOK_EDIT] = "NotebookEdit",
};

struct envelope {
	const char *session;
	const char *folder;
	const char *mode;
	const char *event;
	const char *tool;
};
static const struct dt_field envelope_fields[] = {
	DT_FIELD_AS("session_id", struct envelope, session, NAME, DT_REQ,
	            "The CLI's session."),
	DT_FIELD_AS("cwd", struct envelope, folder, PATH, DT_REQ,
	            "Where it works."),
	DT_FIELD_AS("permission_mode", struct envelope, mode, NAME, 0,
	            "How it asks.", .def = "\"default\""),
	DT_FIELD_AS("hook_event_name", struct envelope, event, NAME, DT_REQ,
	            "PreToolUse."),
	DT_FIELD_AS("tool_name", struct envelope, tool, NAME, DT_REQ,
	            "Which tool."),
	DT_FIELD_END,
};
static const struct dt_shape envelope_shape =
	DT_SHAPE(struct envelope, envelope_fields);

struct target {
	const char *file;
	const char *notebook;
};
static const struct dt_field target_fields[] = {
	DT_FIELD_AS("file_path", struct target, file, NAME, 0, "The file."),
	DT_FIELD_AS("notebook_path", struct target, notebook, NAME, 0,
	            "The notebook."),
	DT_FIELD_END,
};
static const struct dt_shape target_shape =
	DT_SHAPE(struct target, target_fields);

enum dt_err dt_claude_hook_read(struct dt_arena *arena,
                                const struct dt_json *json,
                                struct dt_claude_hook *out,
                                struct dt_fail *fail)
{
	struct envelope envelope = { 0 };
	struct target target = { 0 };
	const char *path;
	enum dt_err err =
		dt_shape_read(&envelope_shape, arena, json, &envelope, fail);
	size_t tool = 0;

	if (err)
		return err;
	while (tool < sizeof(tools) / sizeof(tools[0]) &&
	       strcmp(tools[tool], envelope.tool) != 0)
		tool++;
	if (strcmp(envelope.event, "PreToolUse") != 0 ||
	    tool == sizeof(tools) / sizeof(tools[0]))
		return dt_fail(fail, DT_E_UNSUPPORTED,
		               "%s before %s is not about an edit",
		               envelope.event, envelope.tool);
	*out = (struct dt_claude_hook){
		.session = envelope.session,
		.folder = envelope.folder,
		.mode = envelope.mode,
		.tool = (enum dt_claude_edit)tool,
		.input = dt_json_get(json, "tool_input"),
	};
	err = dt_shape_read(&target_shape, arena, out->input, &target, fail);
	if (err)
		return err;
	path = out->tool == DT_CLAUDE_NOTEBOOK_EDIT ? target.notebook
	                                            : target.file;
	if (!path || !path[0])
		return dt_fail(fail, DT_E_ARGS, "tool_input: names no file");
	out->path = dt_path_join(arena, out->folder, path);
	return DT_E_OK;
}

/* what it would make */

struct edit {
	struct dt_str old_text;
	struct dt_str new_text;
	bool is_all;
};
static const struct dt_field edit_fields[] = {
	DT_FIELD_AS("old_string", struct edit, old_text, STR, DT_REQ, ""),
	DT_FIELD_AS("new_string", struct edit, new_text, STR, DT_REQ, ""),
	DT_FIELD_AS("replace_all", struct edit, is_all, BOOL, 0, ""),
	DT_FIELD_END,
};
static const struct dt_shape edit_shape = DT_SHAPE(struct edit, edit_fields);

struct edits {
	struct dt_items items;
};
static const struct dt_field edits_fields[] = {
	DT_FIELD_AS("edits", struct edits, items, ITEMS, DT_REQ, "",
	            .shape = &edit_shape),
	DT_FIELD_END,
};
static const struct dt_shape edits_shape = DT_SHAPE(struct edits, edits_fields);

struct content {
	struct dt_str text;
};
static const struct dt_field content_fields[] = {
	DT_FIELD_AS("content", struct content, text, STR, DT_REQ, ""),
	DT_FIELD_END,
};
static const struct dt_shape content_shape =
	DT_SHAPE(struct content, content_fields);

/* What is deleted goes with the line end behind it, if there is one. */
static struct dt_str to_replace(struct dt_arena *arena, const struct edit *edit,
                                struct dt_str text)
{
	struct dt_str old = edit->old_text;
	struct dt_str line;
	char *made;

	if (edit->new_text.len || old.ptr[old.len - 1] == '\n')
		return old;
	made = dt_arena_bytes(arena, old.len + 1);
	memcpy(made, old.ptr, old.len);
	made[old.len] = '\n';
	line = (struct dt_str){ made, old.len + 1 };
	return dt_str_find(text, line) ? line : old;
}

static bool is_blank(struct dt_str text)
{
	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[i];

		if (c != ' ' && (c < '\t' || c > '\r'))
			return false;
	}
	return true;
}

/* Replace once or everywhere; the text must have what is replaced, and only once
 * unless all are meant. */
static enum dt_err apply_edit(struct dt_arena *arena, const struct edit *edit,
                              struct dt_str text, struct dt_buf *out,
                              struct dt_fail *fail)
{
	struct dt_str old;
	size_t count;

	if (edit->old_text.len == 0) {
		dt_buf_add_str(out, edit->new_text);
		return is_blank(text)
		               ? dt_buf_check(out, "the new text", fail)
		               : dt_fail(fail, DT_E_ARGS,
		                         "old_string is empty, but the file "
		                         "is not");
	}
	old = to_replace(arena, edit, text);
	count = dt_buf_add_replaced(out, text, old, edit->new_text);
	if (count > 1 && !edit->is_all)
		return dt_fail(fail, DT_E_ARGS,
		               "old_string is in the file more than once");
	if (count == 0)
		return dt_fail(fail, DT_E_ARGS,
		               "old_string is not in the file as it is now");
	return dt_buf_check(out, "the new text", fail);
}

/* One edit after the other, each on what the one before made. */
static enum dt_err apply_edits(struct dt_arena *arena, const struct edit *edits,
                               size_t count, struct dt_str *text,
                               struct dt_fail *fail)
{
	enum dt_err err = DT_E_OK;

	for (size_t i = 0; i < count && !err; i++) {
		struct dt_buf next;

		dt_buf_init(&next, DT_LIMIT_FILE);
		err = apply_edit(arena, &edits[i], *text, &next, fail);
		if (!err)
			*text = (struct dt_str){
				dt_arena_strndup(arena, next.ptr, next.len),
				next.len,
			};
		dt_buf_done(&next);
	}
	return err;
}

static enum dt_err propose_edits(struct dt_arena *arena,
                                 const struct edits *edits,
                                 const struct dt_claude_form *form,
                                 struct dt_str old, struct dt_str *out,
                                 struct dt_fail *fail)
{
	struct dt_str text = dt_claude_text_read(arena, old);
	enum dt_err err = apply_edits(arena, edits->items.ptr,
	                              edits->items.count, &text, fail);

	if (!err)
		*out = dt_claude_text_write(arena, form, text);
	return err;
}

static enum dt_err propose_write(struct dt_arena *arena,
                                 const struct dt_claude_hook *hook,
                                 struct dt_claude_form form, struct dt_str *out,
                                 struct dt_fail *fail)
{
	struct content content = { 0 };
	enum dt_err err = dt_shape_read(&content_shape, arena, hook->input,
	                                &content, fail);

	/* Line ends are the model's own here. */
	form.is_crlf = false;
	if (!err)
		*out = dt_claude_text_write(arena, &form, content.text);
	return err;
}

enum dt_err dt_claude_hook_propose(struct dt_arena *arena,
                                   const struct dt_claude_hook *hook,
                                   struct dt_str old, struct dt_str *out,
                                   struct dt_fail *fail)
{
	struct dt_claude_form form = { 0 };
	struct edits edits = { 0 };
	struct edit edit = { 0 };
	enum dt_err err = dt_claude_form_of(old, &form, fail);

	if (err)
		return err;
	switch (hook->tool) {
	case DT_CLAUDE_EDIT:
		edits.items = (struct dt_items){ &edit, 1 };
		err = dt_shape_read(&edit_shape, arena, hook->input, &edit,
		                    fail);
		break;
	case DT_CLAUDE_MULTI_EDIT:
		err = dt_shape_read(&edits_shape, arena, hook->input, &edits,
		                    fail);
		break;
	case DT_CLAUDE_WRITE:
		return propose_write(arena, hook, form, out, fail);
	case DT_CLAUDE_NOTEBOOK_EDIT:
		return dt_claude_notebook_propose(arena, hook->input, old, out,
		                                  fail);
	}
	return err ? err : propose_edits(arena, &edits, &form, old, out, fail);
}

/* answers */

static struct dt_json_out begin_decision(struct dt_buf *buf,
                                         const char *decision,
                                         const char *reason)
{
	struct dt_json_out out = dt_json_out(buf);

	dt_json_begin_object(&out);
	dt_json_key(&out, "hookSpecificOutput");
	dt_json_begin_object(&out);
	dt_json_key(&out, "hookEventName");
	dt_json_put_z(&out, "PreToolUse");
	dt_json_key(&out, "permissionDecision");
	dt_json_put_z(&out, decision);
	dt_json_key(&out, "permissionDecisionReason");
	dt_json_put_z(&out, reason);
	return out;
}

static void end_decision(struct dt_json_out *out)
{
	dt_json_end_object(out);
	dt_json_end_object(out);
}

static void put_text(struct dt_json_out *out, const char *key,
                     struct dt_str text)
{
	dt_json_key(out, key);
	dt_json_put_str(out, text);
}

/* The whole old text becomes the whole final one. */
static void put_edit(struct dt_json_out *out, const struct edit *edit)
{
	put_text(out, "old_string", edit->old_text);
	put_text(out, "new_string", edit->new_text);
	dt_json_key(out, "replace_all");
	dt_json_put_bool(out, false);
}

static void put_file_input(struct dt_json_out *out,
                           const struct dt_claude_hook *hook,
                           const struct edit *whole)
{
	dt_json_begin_object(out);
	put_text(out, "file_path", dt_str(hook->path));
	switch (hook->tool) {
	case DT_CLAUDE_EDIT:
		put_edit(out, whole);
		break;
	case DT_CLAUDE_MULTI_EDIT:
		dt_json_key(out, "edits");
		dt_json_begin_array(out);
		dt_json_begin_object(out);
		put_edit(out, whole);
		dt_json_end_object(out);
		dt_json_end_array(out);
		break;
	case DT_CLAUDE_WRITE:
		put_text(out, "content", whole->new_text);
		break;
	case DT_CLAUDE_NOTEBOOK_EDIT:
		break;
	}
	dt_json_end_object(out);
}

static enum dt_err put_input(struct dt_json_out *out, struct dt_arena *arena,
                             const struct dt_claude_hook *hook,
                             const struct dt_claude_accepted *a,
                             struct dt_fail *fail)
{
	struct dt_claude_form form = { 0 };
	struct edit whole = { 0 };
	enum dt_err err;

	if (hook->tool == DT_CLAUDE_NOTEBOOK_EDIT)
		return dt_claude_notebook_put_input(out, arena, hook->input, a,
		                                    fail);
	err = dt_claude_form_of(a->old, &form, fail);
	if (hook->tool == DT_CLAUDE_WRITE)
		form.is_crlf = false;
	if (!err)
		err = dt_claude_text_invert(arena, &form, a->final,
		                            &whole.new_text, fail);
	if (err)
		return err;
	whole.old_text = dt_claude_text_read(arena, a->old);
	put_file_input(out, hook, &whole);
	return DT_E_OK;
}

/* An edit that changes nothing is an error to the CLI. */
static bool is_as_before(const struct dt_claude_hook *hook,
                         const struct dt_claude_accepted *a)
{
	return dt_str_eq(a->final, a->old) &&
	       (a->old.ptr || hook->tool != DT_CLAUDE_WRITE);
}

static enum dt_err check_final(const struct dt_claude_hook *hook,
                               const struct dt_claude_accepted *a,
                               struct dt_fail *fail)
{
	if (is_as_before(hook, a))
		return dt_fail(fail, DT_E_UNSUPPORTED,
		               "The person left the file as it was.");
	if (!dt_utf8_is_valid(a->final))
		return dt_fail(fail, DT_E_UNSUPPORTED,
		               "The person's text is not UTF-8, which Claude "
		               "Code cannot write. Nothing was written.");
	return DT_E_OK;
}

/* What the CLI does not tell its model by itself. */
static void put_context(struct dt_json_out *out,
                        const struct dt_claude_hook *hook,
                        const struct dt_claude_accepted *accepted)
{
	struct dt_buf words;

	dt_buf_init(&words, DT_LIMIT_ARGUMENTS);
	dt_claude_words_accepted(hook->path, accepted, &words);
	if (words.len > 0)
		put_text(out, "additionalContext", dt_buf_str(&words));
	dt_buf_done(&words);
}

enum dt_err dt_claude_hook_allow(struct dt_arena *arena,
                                 const struct dt_claude_hook *hook,
                                 const struct dt_claude_accepted *accepted,
                                 struct dt_buf *buf, struct dt_fail *fail)
{
	bool is_edited = !dt_str_eq(accepted->final, accepted->proposed);
	struct dt_json_out out = begin_decision(
		buf, "allow",
		is_edited ? "Accepted in Dovetail, with changes by the person."
			  : "Accepted in Dovetail.");
	enum dt_err err = DT_E_OK;

	if (is_edited)
		err = check_final(hook, accepted, fail);
	if (is_edited && !err) {
		dt_json_key(&out, "updatedInput");
		err = put_input(&out, arena, hook, accepted, fail);
	}
	if (err) {
		dt_buf_clear(buf);
		return err;
	}
	put_context(&out, hook, accepted);
	end_decision(&out);
	return dt_buf_check(buf, "the hook's answer", fail);
}

void dt_claude_hook_answer(enum dt_claude_decision decision, const char *reason,
                           struct dt_buf *buf)
{
	struct dt_json_out out = begin_decision(
		buf, decision == DT_CLAUDE_DENY ? "deny" : "ask", reason);

	end_decision(&out);
}
