/*
 * hub/note.c - one small file for each workspace.
 *
 * It is read when asked for, so that nothing has to be kept in step.  A file
 * that cannot be understood is as good as none: the next note replaces it.
 */
#include "hub/note.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/path.h"
#include "data/field.h"
#include "editor/project.h"

#include <errno.h>
#include <unistd.h>

struct kept {
	struct dt_str note;
	int64_t at_ms;
	const char *by;
};
static const struct dt_field kept_fields[] = {
	DT_FIELD(struct kept, note, STR, DT_REQ, ""),
	DT_FIELD_AS("atMs", struct kept, at_ms, I64, DT_REQ, ""),
	DT_FIELD(struct kept, by, NAME, DT_REQ, ""),
	DT_FIELD_END,
};
static const struct dt_shape kept_shape = DT_SHAPE(struct kept, kept_fields);

static const char *folder_of(const struct dt_workspace *ws,
                             struct dt_arena *arena)
{
	return dt_path_join(arena, ws->hub->dirs.state, "notes");
}

static const char *file_of(const struct dt_workspace *ws,
                           struct dt_arena *arena)
{
	return dt_arena_printf(arena, "%s/%s.json", folder_of(ws, arena),
	                       ws->record.id);
}

static void reply(const struct kept *kept, struct dt_answer *answer)
{
	int64_t age_ms = dt_clock_wall_ms() - kept->at_ms;
	struct dt_note_result result = { 0 };
	char at[DT_CLOCK_TEXT];

	if (kept->note.len > 0) {
		dt_clock_format(kept->at_ms, at);
		result = (struct dt_note_result){
			.note = kept->note,
			.updated_at = at,
			.updated_by = kept->by,
			.age_seconds =
				age_ms > 0 ? (uint32_t)(age_ms / 1000) : 0,
		};
	}
	dt_answer_end(answer, &result);
}

void dt_note_get(struct dt_session *s, struct dt_workspace *ws,
                 const void *args, struct dt_answer *answer)
{
	struct dt_arena arena = { 0 };
	const struct dt_json *json;
	struct kept kept = { 0 };
	struct dt_buf text;

	(void)s;
	(void)args;
	dt_buf_init(&text, DT_MIB);
	if (dt_file_read(file_of(ws, &arena), &text, NULL) ||
	    dt_json_read(&arena, dt_buf_str(&text), &json, NULL) ||
	    dt_shape_read(&kept_shape, &arena, json, &kept, NULL))
		kept = (struct kept){ 0 };
	reply(&kept, answer);
	dt_buf_done(&text);
	dt_arena_done(&arena);
}

static enum dt_err write_note(const struct dt_workspace *ws,
                              struct dt_arena *arena, const struct kept *kept,
                              struct dt_fail *fail)
{
	const char *path = file_of(ws, arena);
	struct dt_json_out out;
	struct dt_buf text;
	enum dt_err err;

	if (kept->note.len == 0)
		return unlink(path) && errno != ENOENT
		               ? dt_fail_sys(fail, "%s", path)
		               : DT_E_OK;
	err = dt_file_private_dir(folder_of(ws, arena), fail);
	if (err)
		return err;
	dt_buf_init(&text, DT_MIB);
	out = dt_json_out(&text);
	dt_shape_write(&kept_shape, kept, &out);
	err = dt_file_write(path, dt_buf_str(&text), 0600, fail);
	dt_buf_done(&text);
	return err;
}

void dt_note_set(struct dt_session *s, struct dt_workspace *ws,
                 const void *args, struct dt_answer *answer)
{
	const struct dt_set_note_args *wanted = args;
	struct kept kept = {
		.note = wanted->note,
		.at_ms = dt_clock_wall_ms(),
		.by = dt_session_name(s),
	};
	struct dt_arena arena = { 0 };
	struct dt_fail fail = { 0 };

	if (wanted->note.len > DT_LIMIT_NOTE)
		dt_answer_failf(answer, DT_E_LIMIT,
		                "note: at most %u bytes; say where the rest "
		                "is written",
		                DT_LIMIT_NOTE);
	else if (write_note(ws, &arena, &kept, &fail))
		dt_answer_fail(answer, &fail);
	else
		reply(&kept, answer);
	dt_arena_done(&arena);
}
