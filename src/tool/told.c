/*
 * tool/told.c - one shape for all tools that change files.
 *
 * Whatever was done with a change, the answer reads the same: the verdict, file
 * by file what it was, and the diff.  What is too large is left out, never cut.
 */
#include "tool/told.h"

#include "base/limits.h"
#include "base/linediff.h"
#include "base/path.h"
#include "base/unidiff.h"
#include "editor/operation.h"

static const char *const verdicts[] = { "accepted", "rejected", "waiting",
	                                "none", NULL };

static const struct dt_field told_change_fields[] = {
	DT_FIELD(struct dt_told_change, path, PATH, DT_REQ,
	         "The file; that of a folder ends with a slash."),
	DT_FIELD(struct dt_told_change, kind, ENUM, DT_REQ,
	         "What happens to it, by what is there.",
	         .names = dt_change_kinds),
	DT_FIELD_AS("newPath", struct dt_told_change, new_path, PATH, DT_OMIT,
	            "Where it goes."),
	DT_FIELD_AS("trashedTo", struct dt_told_change, trashed, NAME, DT_OMIT,
	            "Where in the trash it is now; absent: it is gone for "
	            "good, or was not deleted."),
	DT_FIELD_AS("edited", struct dt_told_change, is_edited, BOOL, DT_OMIT,
	            "The person changed your proposal; text and the diff have "
	            "what was accepted."),
	DT_FIELD_AS(
		"leftOut", struct dt_told_change, is_left_out, BOOL, DT_OMIT,
		"The person accepted the rest and left this file as it was."),
	DT_FIELD_AS("linesAdded", struct dt_told_change, added, U32, DT_OMIT,
	            "Lines that are new, by the diff."),
	DT_FIELD_AS("linesRemoved", struct dt_told_change, removed, U32,
	            DT_OMIT, "Lines that are gone, by the diff."),
	DT_FIELD(struct dt_told_change, text, STR, DT_BIG | DT_OMIT,
	         "Its accepted text; left out when it is very large."),
	DT_FIELD_END,
};
static const struct dt_shape told_change_shape =
	DT_SHAPE(struct dt_told_change, told_change_fields);

const struct dt_field dt_told_fields[] = {
	DT_FIELD(
		struct dt_told, verdict, ENUM, DT_REQ,
		"What the person decided; waiting, where you did not wait: "
		"nothing yet, ask again with getReview; none: nobody was asked.",
		.names = verdicts),
	DT_FIELD(struct dt_told, id, NAME, DT_OMIT, "The review that waits."),
	DT_FIELD_AS("written", struct dt_told, is_written, BOOL, DT_REQ,
	            "The accepted texts are in the files."),
	DT_FIELD_AS("unsaved", struct dt_told, is_unsaved, BOOL, DT_OMIT,
	            "The text is in the editor and not in the file; "
	            "saveDocument proposes to write it."),
	DT_FIELD(struct dt_told, problem, NAME, DT_OMIT,
	         "Why nothing was written, though it was accepted."),
	DT_FIELD(struct dt_told, comment, NAME, DT_OMIT, "The person's words."),
	DT_FIELD(struct dt_told, note, NAME, DT_OMIT,
	         "What else there is to know."),
	DT_FIELD(struct dt_told, changes, ITEMS, DT_REQ, "File by file.",
	         .shape = &told_change_shape),
	DT_FIELD(struct dt_told, diff, STR, DT_BIG | DT_OMIT,
	         "All of it, as one unified diff; a file whose part would be "
	         "very large is left out."),
	DT_FIELD_END,
};

struct dt_names dt_teller_folders(struct dt_arena *arena,
                                  const struct dt_names *folders)
{
	struct dt_names own = { .count = folders->count };

	own.ptr = dt_arena_alloc(arena, own.count * sizeof(*own.ptr));
	for (size_t i = 0; i < own.count; i++)
		own.ptr[i] = dt_arena_strdup(arena, folders->ptr[i]);
	return own;
}

const char *dt_teller_name(const struct dt_teller *teller, const char *path)
{
	for (size_t i = 0; i < teller->folders.count; i++) {
		const char *folder = teller->folders.ptr[i];

		if (dt_path_is_beneath(path, folder) &&
		    strcmp(path, folder) != 0)
			return path + strlen(folder) + 1;
	}
	return path + 1;
}

bool dt_teller_diff(struct dt_teller *teller, const struct dt_change *change,
                    struct dt_buf *out)
{
	const char *name = dt_teller_name(teller, change->path);
	struct dt_unidiff file = {
		.old_name = name,
		.new_name = name,
		.old_text = change->old_text,
		.new_text = change->text,
		.work = &teller->work,
	};

	if (change->is_withheld || change->is_folder)
		return true;
	if (dt_lines_are_far(change->old_text, change->text))
		return false;
	if (change->new_path)
		file.new_name = dt_teller_name(teller, change->new_path);
	if (change->kind == DT_CHANGE_CREATE)
		file.old_name = NULL;
	if (change->kind == DT_CHANGE_DELETE)
		file.new_name = NULL;
	dt_unidiff_write(&file, out);
	return true;
}

/* A text of the reply, or none when there is no room for it. */
static struct dt_str take_room(struct dt_str text, size_t *room)
{
	if (text.len > *room)
		return (struct dt_str){ 0 };
	*room -= text.len;
	return text;
}

/* By the first character of each line behind the first "@@". */
static void count_lines(struct dt_str diff, struct dt_told_change *out)
{
	bool is_hunk = false;

	while (diff.len > 0) {
		struct dt_str line = dt_str_cut(&diff, '\n');

		is_hunk = is_hunk || dt_str_starts(line, DT_STR("@@"));
		if (!is_hunk || !line.len)
			continue;
		out->added += line.ptr[0] == '+';
		out->removed += line.ptr[0] == '-';
	}
}

static void show(struct dt_teller *teller, const struct dt_change *change,
                 struct dt_told_change *out, size_t *room)
{
	struct dt_str diff;
	struct dt_buf buf;

	out->is_edited = change->is_edited;
	out->is_left_out = change->is_left_out;
	if (change->is_left_out)
		return;
	dt_buf_init(&buf, DT_LIMIT_REPLY_TEXTS);
	dt_teller_diff(teller, change, &buf);
	diff.ptr = dt_arena_strndup(teller->arena, buf.ptr, buf.len);
	diff.len = buf.overflow ? 0 : buf.len;
	dt_buf_done(&buf);
	count_lines(diff, out);
	out->diff = take_room(diff, room);
	if (teller->has_texts || change->is_edited)
		out->text = take_room(change->text, room);
}

void dt_teller_list(const struct dt_teller *teller,
                    const struct dt_items *changes, struct dt_told *out)
{
	const struct dt_change *all = changes->ptr;
	struct dt_told_change *list =
		dt_arena_alloc(teller->arena, changes->count * sizeof(*list));

	for (size_t i = 0; i < changes->count; i++) {
		list[i].kind = all[i].kind;
		if (all[i].trashed)
			list[i].trashed =
				dt_arena_strdup(teller->arena, all[i].trashed);
		list[i].path = dt_arena_strdup(teller->arena, all[i].path);
		if (all[i].new_path)
			list[i].new_path =
				dt_arena_strdup(teller->arena, all[i].new_path);
	}
	out->changes = (struct dt_items){ list, changes->count };
}

void dt_teller_show(struct dt_teller *teller, const struct dt_items *changes,
                    struct dt_told *out)
{
	const struct dt_change *all = changes->ptr;
	size_t room = DT_LIMIT_REPLY_TEXTS;
	struct dt_told_change *list;
	struct dt_buf diff;

	dt_teller_list(teller, changes, out);
	list = out->changes.ptr;
	dt_buf_init(&diff, DT_LIMIT_REPLY_TEXTS);
	for (size_t i = 0; i < changes->count; i++) {
		show(teller, &all[i], &list[i], &room);
		dt_buf_add_str(&diff, list[i].diff);
	}
	out->diff.ptr = dt_arena_strndup(teller->arena, diff.ptr, diff.len);
	out->diff.len = diff.len;
	dt_buf_done(&diff);
}
