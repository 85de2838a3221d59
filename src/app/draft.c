/*
 * app/draft.c - texts and marks in the folder of a review.
 *
 * The layout always shows what would be written: of a file that is left out the
 * old text stands on both sides, so a diff of the two has nothing of it.
 */
#include "app/draft.h"

#include "base/file.h"
#include "base/limits.h"

#include <unistd.h>

static const struct dt_review_file *entry(const struct dt_draft *d, size_t i)
{
	const struct dt_review_file *entries = d->review->entries.ptr;

	return &entries[i];
}

size_t dt_draft_count(const struct dt_draft *draft)
{
	return draft->review->entries.count;
}

bool dt_draft_has_text(const struct dt_draft *draft, size_t file)
{
	/* Of one that is too large only a part is here. */
	return !entry(draft, file)->is_cut &&
	       dt_reviews_text(entry(draft, file)).ptr;
}

/* Where the text of a file is while it is left out. */
static const char *out_place(const struct dt_draft *d, size_t i)
{
	return dt_arena_printf(d->arena, "%s/out/%zu", d->diff->folder, i);
}

/* Where the old text stands on the new side. */
static const char *old_place(const struct dt_draft *d, size_t i)
{
	const char *folder = d->diff->folder;

	return dt_arena_printf(d->arena, "%s/b%s", folder,
	                       d->diff->before[i] + strlen(folder) + 2);
}

bool dt_draft_is_left_out(const struct dt_draft *draft, size_t file)
{
	return access(out_place(draft, file), F_OK) == 0;
}

enum dt_err dt_draft_read(const struct dt_draft *draft, size_t file,
                          struct dt_buf *out, struct dt_fail *fail)
{
	if (dt_draft_is_left_out(draft, file))
		return dt_diff_read_file(out_place(draft, file), out, fail);
	return dt_diff_read_file(draft->diff->after[file], out, fail);
}

enum dt_err dt_draft_write(const struct dt_draft *draft, size_t file,
                           struct dt_str text, struct dt_fail *fail)
{
	unlink(old_place(draft, file));
	unlink(out_place(draft, file));
	if (!dt_draft_has_text(draft, file))
		return DT_E_OK;
	return dt_diff_put(draft->diff->after[file], text, fail);
}

enum dt_err dt_draft_leave_out(const struct dt_draft *draft, size_t file,
                               struct dt_fail *fail)
{
	const struct dt_review_file *e = entry(draft, file);
	enum dt_err err = DT_E_OK;
	struct dt_buf text;

	if (dt_draft_is_left_out(draft, file))
		return DT_E_OK;
	dt_buf_init(&text, DT_LIMIT_FILE);
	if (dt_draft_has_text(draft, file))
		err = dt_draft_read(draft, file, &text, fail);
	if (!err)
		err = dt_diff_put(out_place(draft, file), dt_buf_str(&text),
		                  fail);
	dt_buf_done(&text);
	if (err)
		return err;
	unlink(draft->diff->after[file]);
	return e->old.ptr ? dt_diff_put(old_place(draft, file), e->old, fail)
	                  : DT_E_OK;
}

enum dt_err dt_draft_take(const struct dt_draft *draft, size_t file,
                          struct dt_fail *fail)
{
	struct dt_buf text;
	enum dt_err err;

	if (!dt_draft_is_left_out(draft, file))
		return DT_E_OK;
	dt_buf_init(&text, DT_LIMIT_FILE);
	err = dt_draft_read(draft, file, &text, fail);
	if (!err)
		err = dt_draft_write(draft, file, dt_buf_str(&text), fail);
	dt_buf_done(&text);
	return err;
}

enum dt_err dt_draft_reset(const struct dt_draft *draft, struct dt_fail *fail)
{
	enum dt_err err = DT_E_OK;

	for (size_t i = 0; i < dt_draft_count(draft) && !err; i++)
		err = dt_draft_write(draft, i, entry(draft, i)->proposed, fail);
	return err;
}

/* what it comes to */

static enum dt_err look_at(const struct dt_draft *d, size_t i,
                           struct dt_review_final *out, struct dt_fail *fail)
{
	const struct dt_review_file *e = entry(d, i);
	struct dt_str text;
	struct dt_buf now;
	enum dt_err err;

	out->is_left_out = dt_draft_is_left_out(d, i);
	if (out->is_left_out || !dt_draft_has_text(d, i))
		return DT_E_OK;
	dt_buf_init(&now, DT_LIMIT_FILE);
	err = dt_draft_read(d, i, &now, fail);
	text = dt_buf_str(&now);
	if (!err && dt_draft_count(d) > 1 && !strcmp(e->kind, "change") &&
	    !e->new_path && dt_str_eq(text, e->old))
		out->is_left_out = true;
	else if (!err && !dt_str_eq(text, e->proposed))
		out->text = (struct dt_str){
			dt_arena_strndup(d->arena, text.len ? text.ptr : "",
			                 text.len),
			text.len,
		};
	dt_buf_done(&now);
	return err;
}

enum dt_err dt_draft_look(const struct dt_draft *draft,
                          struct dt_draft_state *out, struct dt_fail *fail)
{
	size_t count = dt_draft_count(draft);
	enum dt_err err = DT_E_OK;
	struct dt_buf all;

	*out = (struct dt_draft_state){ 0 };
	out->files = dt_arena_alloc(draft->arena, count * sizeof(*out->files));
	dt_buf_init(&all, SIZE_MAX);
	for (size_t i = 0; i < count && !err; i++) {
		struct dt_review_final *file = &out->files[i];

		err = look_at(draft, i, file, fail);
		out->taken += !file->is_left_out;
		out->is_changed |= file->is_left_out || file->text.ptr;
		dt_buf_addf(&all, "%d %d %zu ", file->is_left_out,
		            file->text.ptr != NULL, file->text.len);
		dt_buf_add_str(&all, file->text);
	}
	dt_sha256_hex(all.ptr, all.len, out->digest);
	dt_buf_done(&all);
	return err;
}
