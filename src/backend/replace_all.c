/*
 * backend/replace_all.c - one file after the other, a few milliseconds a turn.
 *
 * The names come from the listing, so what git ignores is left alone.  The texts
 * are those of now, unsaved ones included, and nothing is written.  What is no
 * text, no UTF-8 or very large is passed over and counted.
 */
#include "backend/replace_all.h"

#include "backend/listing.h"
#include "base/clock.h"
#include "base/limits.h"
#include "base/regex.h"
#include "base/sha256.h"
#include "base/utf8.h"
#include "editor/change.h"
#include "editor/text.h"

#include <stdlib.h>

#define TURN_NS 5000000u /* of one turn of the loop */

struct work {
	struct dt_headless *h;
	struct dt_arena arena;
	struct dt_answer *answer; /* NULL: nobody waits any more */
	struct dt_answer listing;
	bool is_listing;
	struct dt_timer *timer;
	struct dt_regex *regex;
	struct dt_str replacement;
	struct dt_names paths;
	size_t next;
	size_t bytes; /* of texts that are kept */
	struct dt_replaced_file files[DT_LIMIT_CHANGES];
	struct dt_search_replace_result result;
};

static void end(struct work *w)
{
	if (w->is_listing)
		dt_answer_drop(&w->listing);
	dt_timer_free(w->timer);
	dt_regex_free(w->regex);
	dt_arena_done(&w->arena);
	free(w);
}

static void fail_work(struct work *w, const struct dt_fail *fail)
{
	dt_answer_fail(w->answer, fail);
	end(w);
}

static void on_drop(struct dt_answer *answer, void *performer)
{
	(void)answer;
	end(performer);
}

/* replacing */

static struct dt_str keep_text(struct work *w, const struct dt_buf *text)
{
	w->bytes += text->len;
	return (struct dt_str){
		dt_arena_strndup(&w->arena, text->ptr, text->len), text->len
	};
}

static void keep_file(struct work *w, const char *path,
                      const struct dt_buf *before, const struct dt_buf *after,
                      uint32_t count)
{
	char digest[DT_SHA256_TEXT];

	w->result.replacements += count;
	w->result.matched++;
	if (w->result.files.count == DT_LIMIT_CHANGES ||
	    w->bytes + before->len + after->len > DT_LIMIT_STAGED) {
		w->result.is_cut = true;
		return;
	}
	dt_sha256_hex(before->ptr, before->len, digest);
	w->files[w->result.files.count++] = (struct dt_replaced_file){
		.path = path,
		.base = dt_arena_strdup(&w->arena, digest),
		.old_text = keep_text(w, before),
		.text = keep_text(w, after),
		.count = count,
	};
}

/* In a text that is worth it. */
static enum dt_err replace(struct work *w, const char *path,
                           const struct dt_buf *before, struct dt_fail *fail)
{
	struct dt_str text = dt_buf_str(before);
	struct dt_regex_match match;
	struct dt_fail why = { 0 };
	struct dt_buf after;
	uint32_t count = 0;
	enum dt_err err = dt_regex_find(w->regex, text, 0, &match, &why);

	if (err == DT_E_MISSING)
		return DT_E_OK;
	dt_buf_init(&after, DT_LIMIT_FILE);
	if (!err)
		err = dt_regex_replace(w->regex, text, w->replacement, &after,
		                       &count, &why);
	if (!err && !dt_str_eq(text, dt_buf_str(&after)))
		keep_file(w, path, before, &after, count);
	dt_buf_done(&after);
	return err ? dt_fail(fail, err, "%s: %s", path, why.msg) : DT_E_OK;
}

static enum dt_err look_at(struct work *w, const char *path,
                           struct dt_fail *fail)
{
	enum dt_err err = DT_E_OK;
	struct dt_buf before;

	dt_buf_init(&before, DT_LIMIT_SEARCHED_FILE);
	/* What vanished meanwhile, or cannot be read, is passed over as well. */
	if (dt_documents_read(w->h->docs, path, DT_TEXT_TOLD, &before, NULL,
	                      NULL) ||
	    dt_text_is_binary(dt_buf_str(&before)) ||
	    !dt_utf8_is_valid(dt_buf_str(&before)))
		w->result.skipped++;
	else
		err = replace(w, path, &before, fail);
	dt_buf_done(&before);
	return err;
}

static void on_turn(struct dt_timer *timer, void *owner)
{
	struct work *w = owner;
	uint64_t began = dt_clock_ns();
	struct dt_fail fail = { 0 };
	enum dt_err err = DT_E_OK;

	while (w->next < w->paths.count && !err &&
	       dt_clock_ns() - began < TURN_NS)
		err = look_at(w, w->paths.ptr[w->next++], &fail);
	if (err) {
		fail_work(w, &fail);
	} else if (w->next < w->paths.count) {
		dt_timer_start(timer, 0);
	} else {
		w->result.files.ptr = w->files;
		dt_answer_end(w->answer, &w->result);
		end(w);
	}
}

/* listing */

static void on_listed(struct dt_answer *answer, const void *result,
                      const struct dt_fail *fail, void *owner)
{
	const struct dt_list_files_result *found = result;
	struct work *w = owner;

	(void)answer;
	w->is_listing = false;
	if (fail) {
		fail_work(w, fail);
		return;
	}
	w->paths.count = found->paths.count;
	w->paths.ptr = dt_arena_alloc(&w->arena, found->paths.count *
	                                                 sizeof(*w->paths.ptr));
	for (size_t i = 0; i < found->paths.count; i++)
		w->paths.ptr[i] =
			dt_arena_strdup(&w->arena, found->paths.ptr[i]);
	w->result.searched = (uint32_t)found->paths.count;
	w->result.is_cut = found->is_cut;
	w->timer = dt_timer_new(w->h->world.loop, on_turn, w);
	dt_timer_start(w->timer, 0);
}

static void list(struct work *w, const struct dt_search_replace_args *wanted)
{
	const struct dt_world *world = &w->h->world;
	struct dt_documents *docs = w->h->docs;
	struct dt_names roots = { (const char **)docs->roots,
		                  docs->root_count };
	struct dt_listing_spec spec = {
		.loop = world->loop,
		.roots = &roots,
		.git = world->find(world->owner, w->answer->asker, &w->arena,
		                   "git"),
		.env = world->env(world->owner, w->answer->asker, &w->arena),
	};
	struct dt_list_files_args args = { .glob = wanted->glob };

	w->is_listing = true;
	dt_answer_init(&w->listing, on_listed, w);
	dt_listing_start(&spec, &args, &w->listing);
}

void dt_headless_replace_all(struct dt_headless *h, const void *args,
                             struct dt_answer *answer)
{
	const struct dt_search_replace_args *wanted = args;
	struct dt_fail fail = { 0 };
	struct dt_regex *regex;
	struct work *w;
	unsigned flags = 0;

	if (!wanted->is_regex)
		flags |= DT_REGEX_LITERAL;
	if (!wanted->has_case)
		flags |= DT_REGEX_NOCASE;
	if (dt_regex_new(wanted->pattern, flags, &regex, &fail)) {
		dt_answer_fail(answer, &fail);
		return;
	}
	w = dt_alloc(sizeof(*w));
	w->h = h;
	w->answer = answer;
	w->regex = regex;
	w->replacement.ptr = dt_arena_strndup(
		&w->arena, wanted->replacement.ptr, wanted->replacement.len);
	w->replacement.len = wanted->replacement.len;
	answer->on_drop = on_drop;
	answer->performer = w;
	list(w, wanted);
}
