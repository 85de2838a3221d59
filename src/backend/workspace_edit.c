/*
 * backend/workspace_edit.c - WorkspaceEdit of LSP 3.17 as changes of files.
 *
 * Both shapes are read, `changes` and `documentChanges`.  Edits of one file that
 * come in several pieces become one change; those of a file that is created or
 * renamed in the same edit go with that.
 */
#include "backend/workspace_edit.h"

#include "base/limits.h"
#include "base/path.h"
#include "editor/operation.h"

static bool read_position(const struct dt_json *json, struct dt_position *out)
{
	const struct dt_json *line;
	const struct dt_json *character;

	if (!json || json->type != DT_JSON_OBJECT)
		return false;
	line = dt_json_get(json, "line");
	character = dt_json_get(json, "character");
	return line && character && dt_json_to_u32(line, &out->line) &&
	       dt_json_to_u32(character, &out->character);
}

bool dt_lsp_range_read(const struct dt_json *json, struct dt_range *out)
{
	return json && json->type == DT_JSON_OBJECT &&
	       read_position(dt_json_get(json, "start"), &out->start) &&
	       read_position(dt_json_get(json, "end"), &out->end);
}

static enum dt_err refuse(struct dt_fail *fail)
{
	return dt_fail(fail, DT_E_UNSUPPORTED,
	               "the language server answered a change that cannot be "
	               "understood");
}

static const char *text_of(struct dt_arena *arena, const struct dt_json *of,
                           const char *name)
{
	const struct dt_json *member = dt_json_get(of, name);
	struct dt_str text;

	if (!member || member->type != DT_JSON_STRING)
		return NULL;
	text = dt_json_text(arena, member);
	return dt_arena_strndup(arena, text.ptr, text.len);
}

static enum dt_err path_of(struct dt_arena *arena, const char *uri,
                           const char **out, struct dt_fail *fail)
{
	if (!uri || dt_path_from_uri(arena, uri, out, NULL))
		return dt_fail(fail, DT_E_UNSUPPORTED,
		               "the language server wants to change %s, which "
		               "is no file",
		               uri ? uri : "what it does not name");
	*out = dt_path_join(arena, "/", *out);
	return DT_E_OK;
}

static enum dt_err change_of(struct dt_items *changes, const char *path,
                             struct dt_change **out, struct dt_fail *fail)
{
	struct dt_change *all = changes->ptr;

	for (size_t i = 0; i < changes->count; i++) {
		const char *name =
			all[i].new_path ? all[i].new_path : all[i].path;

		if (!strcmp(name, path)) {
			*out = &all[i];
			return DT_E_OK;
		}
	}
	if (changes->count == DT_LIMIT_CHANGES)
		return dt_fail(fail, DT_E_LIMIT,
		               "this would change more than %u files",
		               DT_LIMIT_CHANGES);
	*out = &all[changes->count++];
	**out = (struct dt_change){ .kind = DT_CHANGE_EDIT, .path = path };
	return DT_E_OK;
}

static enum dt_err read_edit(struct dt_arena *arena, const struct dt_json *json,
                             struct dt_range_edit *out, struct dt_fail *fail)
{
	const struct dt_json *text;

	if (json->type != DT_JSON_OBJECT)
		return refuse(fail);
	text = dt_json_get(json, "newText");
	if (!text || text->type != DT_JSON_STRING ||
	    !dt_lsp_range_read(dt_json_get(json, "range"), &out->range))
		return refuse(fail);
	out->text = dt_json_text(arena, text);
	out->text.ptr = dt_arena_strndup(arena, out->text.ptr, out->text.len);
	out->is_loose = true;
	return DT_E_OK;
}

enum dt_err dt_text_edits_read(struct dt_arena *arena, const char *path,
                               const struct dt_json *edits,
                               struct dt_items *changes, struct dt_fail *fail)
{
	struct dt_change *change;
	struct dt_range_edit *list;
	size_t count;
	enum dt_err err;

	if (!edits || edits->type != DT_JSON_ARRAY)
		return refuse(fail);
	if (edits->count == 0)
		return DT_E_OK;
	err = change_of(changes, path, &change, fail);
	if (err)
		return err;
	count = change->ranges.count;
	list = dt_arena_alloc(arena, (count + edits->count) * sizeof(*list));
	if (count)
		memcpy(list, change->ranges.ptr, count * sizeof(*list));
	dt_json_each(edit, edits) {
		err = read_edit(arena, edit, &list[count++], fail);
		if (err)
			return err;
	}
	change->ranges = (struct dt_items){ list, count };
	/* A file that is made here is empty: all that is put in is its text. */
	if (change->kind == DT_CHANGE_CREATE) {
		change->text = list[count - 1].text;
		change->ranges = (struct dt_items){ 0 };
	}
	return DT_E_OK;
}

static enum dt_err read_uri_edits(struct dt_arena *arena, const char *uri,
                                  const struct dt_json *edits,
                                  struct dt_items *changes,
                                  struct dt_fail *fail)
{
	const char *path;
	enum dt_err err = path_of(arena, uri, &path, fail);

	return err ? err
	           : dt_text_edits_read(arena, path, edits, changes, fail);
}

static enum dt_err read_file_change(struct dt_arena *arena, const char *kind,
                                    const struct dt_json *json,
                                    struct dt_items *changes,
                                    struct dt_fail *fail)
{
	bool is_rename = !strcmp(kind, "rename");
	struct dt_change *change;
	const char *to = NULL;
	const char *path;
	enum dt_err err;

	err = path_of(arena, text_of(arena, json, is_rename ? "oldUri" : "uri"),
	              &path, fail);
	if (!err && is_rename)
		err = path_of(arena, text_of(arena, json, "newUri"), &to, fail);
	if (!err)
		err = change_of(changes, path, &change, fail);
	if (err)
		return err;
	if (is_rename) {
		change->kind = DT_CHANGE_RENAME;
		change->new_path = to;
	} else if (!strcmp(kind, "create")) {
		change->kind = DT_CHANGE_CREATE;
		change->text = DT_STR("");
		change->is_new = true;
	} else if (!strcmp(kind, "delete")) {
		change->kind = DT_CHANGE_DELETE;
	} else {
		return refuse(fail);
	}
	return DT_E_OK;
}

static enum dt_err read_document(struct dt_arena *arena,
                                 const struct dt_json *json,
                                 struct dt_items *changes, struct dt_fail *fail)
{
	const struct dt_json *document;
	const char *kind;

	if (json->type != DT_JSON_OBJECT)
		return refuse(fail);
	kind = text_of(arena, json, "kind");
	if (kind)
		return read_file_change(arena, kind, json, changes, fail);
	document = dt_json_get(json, "textDocument");
	if (!document || document->type != DT_JSON_OBJECT)
		return refuse(fail);
	return read_uri_edits(arena, text_of(arena, document, "uri"),
	                      dt_json_get(json, "edits"), changes, fail);
}

enum dt_err dt_workspace_edit_read(struct dt_arena *arena,
                                   const struct dt_json *edit,
                                   struct dt_items *changes,
                                   struct dt_fail *fail)
{
	const struct dt_json *documents;
	const struct dt_json *files;
	enum dt_err err = DT_E_OK;

	if (edit->type != DT_JSON_OBJECT)
		return refuse(fail);
	documents = dt_json_get(edit, "documentChanges");
	files = dt_json_get(edit, "changes");
	if (documents && documents->type == DT_JSON_ARRAY) {
		dt_json_each(document, documents) {
			err = read_document(arena, document, changes, fail);
			if (err)
				return err;
		}
		return DT_E_OK;
	}
	if (!files || files->type != DT_JSON_OBJECT)
		return DT_E_OK;
	dt_json_each(key, files) {
		struct dt_str uri = dt_json_text(arena, key);

		err = read_uri_edits(arena,
		                     dt_arena_strndup(arena, uri.ptr, uri.len),
		                     dt_json_value(key), changes, fail);
		if (err)
			return err;
	}
	return DT_E_OK;
}
