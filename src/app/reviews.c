/*
 * app/reviews.c - reviews asked for, waited for and decided.
 *
 * The fields are those of hub/control_review.c.  How a change is shown is
 * diff.c's.
 */
#include "app/reviews.h"

#include "app/text.h"
#include "base/path.h"
#include "base/utf8.h"

#include <stdio.h>

#define ID_DIGITS 8
#define COMMAND_MAX 300 /* bytes of one in a line about it */

static const struct dt_field entry_fields[] = {
	DT_FIELD(struct dt_review_file, kind, NAME, DT_REQ, ""),
	DT_FIELD(struct dt_review_file, path, NAME, DT_REQ, ""),
	DT_FIELD_AS("newPath", struct dt_review_file, new_path, NAME, 0, ""),
	DT_FIELD_AS("isOutside", struct dt_review_file, is_outside, BOOL, 0,
	            ""),
	DT_FIELD_AS("isSettings", struct dt_review_file, is_settings, BOOL, 0,
	            ""),
	DT_FIELD_AS("isLossy", struct dt_review_file, is_lossy, BOOL, 0, ""),
	DT_FIELD_AS("isStale", struct dt_review_file, is_stale, BOOL, 0, ""),
	DT_FIELD_AS("isEdited", struct dt_review_file, is_edited, BOOL, 0, ""),
	DT_FIELD_AS("isLeftOut", struct dt_review_file, is_left_out, BOOL, 0,
	            ""),
	DT_FIELD(struct dt_review_file, old, STR, 0, ""),
	DT_FIELD(struct dt_review_file, proposed, STR, 0, ""),
	DT_FIELD(struct dt_review_file, final, STR, 0, ""),
	DT_FIELD_AS("isCut", struct dt_review_file, is_cut, BOOL, 0, ""),
	DT_FIELD_AS("linesBefore", struct dt_review_file, lines_before, I64, 0,
	            ""),
	DT_FIELD_AS("linesShown", struct dt_review_file, lines_shown, I64, 0,
	            ""),
	DT_FIELD_AS("linesAll", struct dt_review_file, lines_all, I64, 0, ""),
	DT_FIELD(struct dt_review_file, whole, NAME, 0, ""),
	DT_FIELD_END,
};

static const struct dt_shape entry_shape =
	DT_SHAPE(struct dt_review_file, entry_fields);

static const struct dt_field review_fields[] = {
	DT_FIELD(struct dt_review_info, id, NAME, DT_REQ, ""),
	DT_FIELD(struct dt_review_info, root, NAME, 0, ""),
	DT_FIELD(struct dt_review_info, agent, NAME, DT_REQ, ""),
	DT_FIELD(struct dt_review_info, session, NAME, 0, ""),
	DT_FIELD(struct dt_review_info, title, NAME, 0, ""),
	DT_FIELD(struct dt_review_info, reason, NAME, 0, ""),
	DT_FIELD(struct dt_review_info, state, NAME, DT_REQ, ""),
	DT_FIELD(struct dt_review_info, problem, NAME, 0, ""),
	DT_FIELD(struct dt_review_info, comment, NAME, 0, ""),
	DT_FIELD_AS("openedMs", struct dt_review_info, opened_ms, I64, 0, ""),
	DT_FIELD(struct dt_review_info, entries, ITEMS, DT_REQ, "",
	         .shape = &entry_shape),
	DT_FIELD(struct dt_review_info, command, NAME, 0, ""),
	DT_FIELD(struct dt_review_info, folder, NAME, 0, "", .def = "\"\""),
	DT_FIELD(struct dt_review_info, program, NAME, 0, ""),
	DT_FIELD_AS("timeoutMs", struct dt_review_info, timeout_ms, U32, 0, ""),
	DT_FIELD_END,
};

static const struct dt_shape review_shape =
	DT_SHAPE(struct dt_review_info, review_fields);

static const struct dt_field list_fields[] = {
	DT_FIELD(struct dt_review_list, reviews, ITEMS, DT_REQ, "",
	         .shape = &review_shape),
	DT_FIELD_END,
};

static const struct dt_shape list_shape =
	DT_SHAPE(struct dt_review_list, list_fields);

struct waited {
	const char *id;
};

static const struct dt_field waited_fields[] = {
	DT_FIELD(struct waited, id, NAME, DT_REQ, ""),
	DT_FIELD_END,
};

static const struct dt_shape waited_shape =
	DT_SHAPE(struct waited, waited_fields);

enum dt_err dt_reviews_list(struct dt_remote *remote, const char *folder,
                            struct dt_arena *arena, const struct dt_json **out,
                            struct dt_fail *fail)
{
	struct dt_json_out *params = dt_remote_begin(remote);

	dt_remote_put(params, "folder", folder);
	dt_json_key(params, "isOpen");
	dt_json_put_bool(params, true);
	return dt_remote_call(remote, "review/list", arena, out, fail);
}

enum dt_err dt_reviews_read_list(struct dt_arena *arena,
                                 const struct dt_json *result,
                                 struct dt_review_list *out,
                                 struct dt_fail *fail)
{
	return dt_shape_read(&list_shape, arena, result, out, fail);
}

enum dt_err dt_reviews_get(struct dt_remote *remote, const char *id,
                           struct dt_arena *arena, const struct dt_json **out,
                           struct dt_fail *fail)
{
	dt_remote_put(dt_remote_begin(remote), "id", id);
	return dt_remote_call(remote, "review/get", arena, out, fail);
}

enum dt_err dt_reviews_read(struct dt_arena *arena,
                            const struct dt_json *result,
                            struct dt_review_info *out, struct dt_fail *fail)
{
	enum dt_err err =
		dt_shape_read(&review_shape, arena, result, out, fail);

	if (!err && out->entries.count == 0 && !out->command)
		err = dt_fail(fail, DT_E_PROTO, "the review holds no change");
	return err;
}

enum dt_err dt_reviews_waiting(struct dt_remote *remote, const char *folder,
                               struct dt_arena *arena,
                               struct dt_review_list *out, struct dt_fail *fail)
{
	dt_remote_put(dt_remote_begin(remote), "folder", folder);
	return dt_remote_fetch(remote, "review/list", arena, &list_shape, out,
	                       fail);
}

enum dt_err dt_reviews_wait(struct dt_remote *remote, const char *folder,
                            uint32_t timeout_ms, struct dt_arena *arena,
                            const char **out_id, struct dt_fail *fail)
{
	struct dt_json_out *params = dt_remote_begin(remote);
	struct waited waited = { 0 };
	enum dt_err err;

	dt_remote_put(params, "folder", folder);
	dt_json_key(params, "timeoutMs");
	dt_json_put_int(params, timeout_ms);
	err = dt_remote_fetch(remote, "review/wait", arena, &waited_shape,
	                      &waited, fail);
	if (!err)
		*out_id = waited.id;
	return err;
}

struct decided {
	const char *problem;
};

static const struct dt_field decided_fields[] = {
	DT_FIELD(struct decided, problem, NAME, 0, ""),
	DT_FIELD_END,
};

static const struct dt_shape decided_shape =
	DT_SHAPE(struct decided, decided_fields);

static void put_files(struct dt_json_out *params,
                      const struct dt_decision *decision)
{
	dt_json_key(params, "files");
	dt_json_begin_array(params);
	for (size_t i = 0; i < decision->file_count; i++) {
		const struct dt_review_final *file = &decision->files[i];

		dt_json_begin_object(params);
		if (file->text.ptr) {
			dt_json_key(params, "text");
			dt_json_put_str(params, file->text);
		}
		dt_json_key(params, "isLeftOut");
		dt_json_put_bool(params, file->is_left_out);
		dt_json_end_object(params);
	}
	dt_json_end_array(params);
}

enum dt_err dt_reviews_decide(struct dt_remote *remote,
                              const struct dt_decision *decision,
                              struct dt_arena *arena,
                              const struct dt_json **out_result,
                              struct dt_fail *fail)
{
	struct dt_json_out *params = dt_remote_begin(remote);
	struct decided decided = { 0 };
	const struct dt_json *result;
	enum dt_err err;

	dt_remote_put(params, "id", decision->id);
	dt_remote_put(params, "verdict",
	              decision->is_accepted ? "accept" : "reject");
	dt_remote_put(params, "comment", decision->comment);
	dt_remote_put(params, "surface", "terminal");
	if (decision->text.ptr) {
		dt_json_key(params, "text");
		dt_json_put_str(params, decision->text);
	}
	if (decision->files)
		put_files(params, decision);
	if (decision->is_lasting) {
		dt_json_key(params, "isLasting");
		dt_json_put_bool(params, true);
	}
	err = dt_remote_call(remote, "review/decide", arena, &result, fail);
	if (!err)
		err = dt_shape_read(&decided_shape, arena, result, &decided,
		                    fail);
	if (err)
		return err;
	if (decided.problem)
		return dt_fail(fail, DT_E_STATE,
		               "it is accepted, but nothing is written: %s; "
		               "`dovetail review apply %.8s` writes it when "
		               "that is mended",
		               decided.problem, decision->id);
	if (out_result)
		*out_result = result;
	return DT_E_OK;
}

enum dt_err dt_reviews_keep(struct dt_remote *remote, const char *id,
                            size_t file, struct dt_str text,
                            struct dt_fail *fail)
{
	struct dt_json_out *params = dt_remote_begin(remote);
	struct dt_arena arena = { 0 };
	enum dt_err err;

	dt_remote_put(params, "id", id);
	dt_json_key(params, "file");
	dt_json_put_int(params, (int64_t)file);
	if (text.ptr) {
		dt_json_key(params, "text");
		dt_json_put_str(params, text);
	}
	err = dt_remote_call(remote, "review/keep", &arena, NULL, fail);
	dt_arena_done(&arena);
	return err;
}

static int common_digits(const char *a, const char *b)
{
	int n = 0;

	while (a[n] && a[n] == b[n])
		n++;
	return n;
}

int dt_reviews_id_digits(const struct dt_review_list *list)
{
	const struct dt_review_info *reviews = list->reviews.ptr;
	int digits = ID_DIGITS;

	for (size_t i = 0; i < list->reviews.count; i++) {
		for (size_t j = 0; j < i; j++) {
			int n = common_digits(reviews[i].id, reviews[j].id) + 1;

			digits = n > digits ? n : digits;
		}
	}
	return digits;
}

static bool is_other_session(const struct dt_review_info *a,
                             const struct dt_review_info *b)
{
	return a->session && b->session && strcmp(a->session, b->session) != 0;
}

const char *dt_reviews_agent(struct dt_arena *arena,
                             const struct dt_review_list *list,
                             const struct dt_review_info *review)
{
	const struct dt_review_info *reviews = list->reviews.ptr;

	for (size_t i = 0; i < list->reviews.count; i++) {
		if (!strcmp(reviews[i].agent, review->agent) &&
		    is_other_session(&reviews[i], review))
			return dt_text_safe(arena,
			                    dt_arena_printf(arena, "%s %.4s",
			                                    review->agent,
			                                    review->session));
	}
	return dt_text_safe(arena, review->agent);
}

size_t dt_reviews_of_file(const struct dt_review_list *list,
                          const struct dt_review_info *review, size_t *out_n)
{
	const struct dt_review_info *reviews = list->reviews.ptr;
	const struct dt_review_file *file = review->entries.ptr;
	size_t count = 0;

	for (size_t i = 0; i < list->reviews.count; i++) {
		const struct dt_review_file *other = reviews[i].entries.ptr;

		count += reviews[i].entries.count > 0 &&
		         !strcmp(other->path, file->path);
		if (!strcmp(reviews[i].id, review->id))
			*out_n = count;
	}
	return count;
}

bool dt_reviews_is_stale(const struct dt_review_info *review)
{
	const struct dt_review_file *files = review->entries.ptr;

	for (size_t i = 0; i < review->entries.count; i++) {
		if (files[i].is_stale)
			return true;
	}
	return false;
}

bool dt_reviews_is_edited(const struct dt_review_info *review)
{
	const struct dt_review_file *files = review->entries.ptr;

	for (size_t i = 0; i < review->entries.count; i++) {
		if (files[i].is_edited)
			return true;
	}
	return false;
}

struct dt_str dt_reviews_text(const struct dt_review_file *file)
{
	if (!strcmp(file->kind, "delete"))
		return (struct dt_str){ 0 };
	return file->final.ptr ? file->final : file->proposed;
}

static const char *command_subject(struct dt_arena *arena,
                                   const struct dt_review_info *review)
{
	struct dt_str words = dt_str(review->command);
	size_t len = dt_utf8_cut(words, COMMAND_MAX);
	bool is_below =
		review->root && strcmp(review->folder, review->root) != 0;

	words.ptr =
		dt_text_safe(arena, dt_arena_strndup(arena, words.ptr, len));
	return dt_arena_printf(
		arena, "run %s%s%s%s", words.ptr,
		len < words.len ? " [...]" : "", is_below ? " in " : "",
		is_below ? dt_text_path(arena, review->folder, review->root)
			 : "");
}

const char *dt_reviews_subject(struct dt_arena *arena,
                               const struct dt_review_info *review)
{
	const struct dt_review_file *entry = review->entries.ptr;
	const char *text = "";

	if (review->command)
		return command_subject(arena, review);
	for (size_t i = 0; i < review->entries.count; i++, entry++)
		text = dt_arena_printf(
			arena, "%s%s%s %s%s%s%s%s%s", text, i ? ", " : "",
			dt_text_safe(arena, entry->kind),
			dt_text_path(arena, entry->path, review->root),
			entry->new_path ? " to " : "",
			entry->new_path ? dt_text_path(arena, entry->new_path,
		                                       review->root)
					: "",
			entry->is_outside ? " (outside the workspace)" : "",
			entry->is_settings ? " (SETTINGS)" : "",
			entry->is_left_out ? " (left out)" : "");
	return text;
}

void dt_reviews_print_cut(struct dt_arena *arena,
                          const struct dt_review_info *review)
{
	const struct dt_review_file *files = review->entries.ptr;

	for (size_t i = 0; i < review->entries.count; i++) {
		const struct dt_review_file *f = &files[i];

		if (!f->is_cut)
			continue;
		printf("  This diff is cut: %lld of %lld lines of %s are "
		       "shown, from line %lld on",
		       (long long)f->lines_shown, (long long)f->lines_all,
		       dt_text_path(arena, f->path, review->root),
		       (long long)f->lines_before + 1);
		if (f->whole)
			printf("; the whole new text is in %s",
			       dt_text_safe(arena, f->whole));
		puts(".");
	}
}

void dt_reviews_print_settings(struct dt_arena *arena,
                               const struct dt_review_info *review)
{
	const struct dt_review_file *file = review->entries.ptr;

	for (size_t i = 0; i < review->entries.count; i++) {
		if (file[i].is_settings)
			printf("  CAREFUL: %s steers git, an agent, an editor "
			       "or a shell: what it says may\n  be run later, "
			       "without asking.\n",
			       dt_text_path(arena, file[i].path, review->root));
	}
}

/* Titles that nobody wrote have the name of a file in them. */
static bool has_own_title(const struct dt_review_info *review)
{
	const struct dt_review_file *file = review->entries.ptr;

	if (!review->title || !*review->title)
		return false;
	for (size_t i = 0; i < review->entries.count; i++) {
		if (strstr(review->title, dt_path_base(file[i].path)))
			return false;
	}
	return true;
}

const char *dt_reviews_words(struct dt_arena *arena,
                             const struct dt_review_info *review)
{
	bool has_title = !review->command && has_own_title(review);
	bool has_reason = !review->command && review->reason && *review->reason;

	if (!has_title && !has_reason)
		return NULL;
	return dt_arena_printf(
		arena, "%s%s%s",
		has_title ? dt_text_safe(arena, review->title) : "",
		has_title && has_reason ? ": " : "",
		has_reason ? dt_text_safe(arena, review->reason) : "");
}
