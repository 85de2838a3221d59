/*
 * backend/search.c - ripgrep, or a thread that looks itself.
 *
 * Unsaved texts are always the thread's: ripgrep knows only the disk, and what
 * it finds in their files is passed over.  Files are given to the thread in
 * batches, so that it is asked on the loop, between two of them, whether what was
 * found may be told.  While a batch is out, all of it belongs to the thread.
 *
 * Ripgrep opens files by their paths, and a link may have come in between.  So
 * what it found is held against the file that is opened here, beneath the root,
 * and that file's own name is what is judged; the thread's files likewise.  A
 * file that does not hold what ripgrep says is looked at again by the thread.
 */
#include "backend/search.h"

#include "backend/hits.h"
#include "backend/listing.h"
#include "backend/matcher.h"
#include "backend/ripgrep.h"
#include "backend/sieve.h"
#include "base/beneath.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/glob.h"
#include "base/limits.h"
#include "base/path.h"
#include "loop/run.h"
#include "loop/worker.h"

#include <stdlib.h>
#include <unistd.h>

#define SEARCH_MS 25000           /* then it ends with what it has */
#define BATCH 64                  /* files */
#define BATCH_BYTES (8u * DT_MIB) /* of lines that were found in them */
#define KEEP_BYTES 4096           /* of what ripgrep complains about */

/* A file to look at; its text where it is unsaved. */
struct item {
	const char *path;
	bool has_text;
	struct dt_str text;
	const char *opened; /* the file that was read, in the batch's arena */
};

/* A line that the thread found, or that stands beside one. */
struct line {
	const struct item *item;
	struct dt_hit hit; /* its text in the batch's arena */
	bool is_match;
};

struct search {
	struct dt_job job;
	struct dt_world world;    /* asked while somebody waits */
	struct dt_worker *worker; /* NULL: nothing was posted yet */
	struct dt_run *run;       /* ripgrep, while it runs */
	struct dt_answer *answer; /* NULL: nobody waits any more */
	struct dt_answer listing; /* of the names, without ripgrep */
	struct dt_arena arena;
	struct dt_search_args args;
	struct dt_names roots;
	struct dt_matcher *matcher;
	struct dt_hits hits;
	struct dt_ripgrep rg;
	struct dt_sieve sieve; /* for the glob */
	bool is_cut;
	uint64_t until_ms;
	const char *source;
	/* unsaved texts first, then what is to be read */
	struct item *items;
	size_t item_count;
	size_t item_room;
	size_t unsaved;
	size_t next;
	/* the thread's */
	size_t batch_end;
	struct dt_arena batch;
	size_t batch_bytes;
	struct line *lines;
	size_t line_count;
	size_t line_room;
};

static void free_search(struct search *s)
{
	dt_matcher_free(s->matcher);
	dt_hits_done(&s->hits);
	dt_ripgrep_done(&s->rg);
	dt_sieve_done(&s->sieve);
	dt_arena_done(&s->batch);
	dt_arena_done(&s->arena);
	free(s->items);
	free(s->lines);
	free(s);
}

static void finish(struct search *s)
{
	struct dt_search_result result = { .source = s->source };

	if (s->worker)
		dt_worker_close(s->worker, NULL, NULL);
	if (s->answer) {
		result.is_cut = s->is_cut || s->rg.is_cut ||
		                dt_matcher_gave_up(s->matcher);
		dt_hits_list(&s->hits, &result);
		dt_answer_end(s->answer, &result);
	}
	free_search(s);
}

/* in the thread */

static void add_line(struct search *s, const struct item *item,
                     const struct dt_hit *hit, bool is_match)
{
	struct line *line;

	if (s->line_count == s->line_room) {
		s->line_room = s->line_room ? s->line_room * 2 : 64;
		s->lines =
			dt_realloc(s->lines, s->line_room * sizeof(*s->lines));
	}
	line = &s->lines[s->line_count++];
	*line = (struct line){ item, *hit, is_match };
	s->batch_bytes += hit->text.len;
	line->hit.text.ptr =
		dt_arena_strndup(&s->batch, hit->text.ptr, hit->text.len);
}

/* Lines from where the scan is, up to a number of lines and a line. */
static void add_around(struct search *s, const struct item *item,
                       struct dt_scan scan, uint32_t until)
{
	struct dt_hit hit = { .line = scan.line };

	for (uint32_t i = 0; i < s->args.context && scan.line < until; i++) {
		hit.line = scan.line;
		if (!dt_scan_line(&scan, &hit.text))
			break;
		add_line(s, item, &hit, false);
	}
}

/* The scan put back to the first line of the context before the hit, but not
 * before `least`. */
static struct dt_scan back_from(const struct search *s, struct dt_str text,
                                const struct dt_hit *hit, uint32_t least)
{
	struct dt_scan scan = {
		.text = text,
		.at = (size_t)(hit->text.ptr - text.ptr),
		.line = hit->line,
	};

	for (uint32_t i = 0; i < s->args.context && scan.line > least; i++) {
		scan.at--;
		scan.line--;
		while (scan.at > 0 && text.ptr[scan.at - 1] != '\n')
			scan.at--;
	}
	return scan;
}

static void look_at(struct search *s, const struct item *item,
                    struct dt_str text)
{
	struct dt_scan scan = { .text = text };
	struct dt_scan behind = { 0 }; /* the last hit */
	uint32_t told = 0;             /* lines before this are told */
	struct dt_hit hit;
	uint32_t count = 0;

	if (text.len == 0 || memchr(text.ptr, '\0', text.len))
		return;
	while (count <= s->args.max &&
	       dt_matcher_next(s->matcher, &scan, &hit)) {
		if (count++ > 0) {
			add_around(s, item, behind, hit.line);
			told = behind.line + s->args.context;
			told = told < hit.line ? told : hit.line;
		}
		add_around(s, item, back_from(s, text, &hit, told), hit.line);
		add_line(s, item, &hit, true);
		behind = scan;
	}
	if (count > 0)
		add_around(s, item, behind, UINT32_MAX);
}

/* The root that a path is beneath, and the rest of the path; or NULL. */
static const char *root_of(const struct search *s, const char *path,
                           const char **out_rest)
{
	for (size_t i = 0; i < s->roots.count; i++) {
		const char *root = s->roots.ptr[i];
		size_t len = strlen(root);

		if (!dt_path_is_beneath(path, root) || !path[len])
			continue;
		*out_rest = path + len + 1;
		return root;
	}
	return NULL;
}

static void look_into(struct search *s, struct item *item)
{
	const char *rest;
	const char *root = root_of(s, item->path, &rest);
	struct dt_buf text;

	if (item->has_text) {
		item->opened = item->path;
		look_at(s, item, item->text);
		return;
	}
	dt_buf_init(&text, DT_LIMIT_FILE);
	if (root && !dt_file_read_named(&s->batch, root, rest, &text,
	                                &item->opened, NULL))
		look_at(s, item, dt_buf_str(&text));
	dt_buf_done(&text);
}

static void run_job(struct dt_job *job)
{
	struct search *s = DT_LIST_OF(job, struct search, job);

	s->batch_end = s->next;
	s->batch_bytes = 0;
	while (s->batch_end < s->item_count && s->batch_end < s->next + BATCH &&
	       s->batch_bytes < BATCH_BYTES && dt_clock_ms() < s->until_ms)
		look_into(s, &s->items[s->batch_end++]);
}

/* on the loop */

static bool is_unsaved(const struct search *s, const char *path)
{
	for (size_t i = 0; i < s->unsaved; i++) {
		if (!strcmp(s->items[i].path, path))
			return true;
	}
	return false;
}

static bool fits(const struct search *s, const char *path)
{
	const char *rest;
	const char *root = root_of(s, path, &rest);

	return root && dt_sieve_fits(&s->sieve, root, rest);
}

static bool may_tell(const struct search *s, const char *path)
{
	return !s->world.may_leave || s->world.may_leave(s->world.owner, path);
}

static void add_item(struct search *s, const char *path)
{
	if (s->item_count >= s->item_room) {
		s->item_room = 2 * s->item_count + 64;
		s->items =
			dt_realloc(s->items, s->item_room * sizeof(*s->items));
	}
	s->items[s->item_count++] =
		(struct item){ .path = dt_arena_strdup(&s->arena, path) };
}

/* Whether the open file holds every line that ripgrep found in it. */
static bool holds_lines(const struct search *s, int fd)
{
	const struct dt_hits *hits = &s->hits;
	char *read = dt_alloc(DT_LIMIT_FOUND_LINE + 1);
	bool is_same = true;

	for (size_t i = 0; i < hits->line_count && is_same; i++) {
		const struct dt_hit *hit = &hits->lines[i].hit;
		ssize_t n = pread(fd, read, hit->text.len, (off_t)hit->offset);

		is_same = n == (ssize_t)hit->text.len &&
		          !memcmp(read, hit->text.ptr, hit->text.len);
	}
	free(read);
	return is_same;
}

/* What ripgrep found, held against the file as it is opened here. */
static bool is_as_found(struct search *s, const char *path)
{
	struct dt_arena arena = { 0 };
	const char *rest;
	const char *root = root_of(s, path, &rest);
	const char *opened;
	bool is_so = false;
	int fd;

	if (root &&
	    !dt_beneath_open_named(&arena, root, rest, &fd, &opened, NULL)) {
		if (may_tell(s, opened)) {
			is_so = holds_lines(s, fd);
			if (!is_so)
				add_item(s, path);
		}
		close(fd);
	}
	dt_arena_done(&arena);
	return is_so;
}

static bool wants_of_disk(const char *path, void *owner)
{
	struct search *s = owner;

	return s->answer && !is_unsaved(s, path) && fits(s, path) &&
	       may_tell(s, path) && is_as_found(s, path);
}

/* What the thread found goes to the hits, file by file; false: enough. */
static bool take_batch(struct search *s)
{
	bool wants_more = true;

	for (size_t i = 0; i < s->line_count && wants_more; i++) {
		const struct item *item = s->lines[i].item;
		bool is_last =
			i + 1 == s->line_count || s->lines[i + 1].item != item;

		dt_hits_add(&s->hits, &s->lines[i].hit, s->lines[i].is_match);
		if (is_last)
			wants_more = dt_hits_end_file(
				&s->hits,
				may_tell(s, item->path) &&
						may_tell(s, item->opened)
					? item->path
					: NULL);
	}
	s->line_count = 0;
	dt_arena_done(&s->batch);
	return wants_more;
}

static void job_done(struct dt_job *job)
{
	struct search *s = DT_LIST_OF(job, struct search, job);
	bool is_stuck = s->batch_end == s->next; /* the time is over */

	s->next = s->batch_end;
	s->is_cut |= is_stuck && s->next < s->item_count;
	if (s->answer && take_batch(s) && !is_stuck && s->next < s->item_count)
		dt_worker_post(s->worker, &s->job);
	else
		finish(s);
}

static void look(struct search *s)
{
	struct dt_answer *answer = s->answer;
	struct dt_fail fail = { 0 };

	if (s->item_count == 0) {
		finish(s);
		return;
	}
	s->job.run = run_job;
	s->job.done = job_done;
	s->worker = dt_worker_new(s->world.loop, "search");
	if (!dt_worker_start(s->worker, &fail)) {
		dt_worker_post(s->worker, &s->job);
		return;
	}
	dt_worker_close(s->worker, NULL, NULL);
	free_search(s);
	dt_answer_fail(answer, &fail);
}

/* without ripgrep */

static void on_listed(struct dt_answer *answer, const void *result,
                      const struct dt_fail *fail, void *owner)
{
	const struct dt_list_files_result *listed = result;
	struct search *s = owner;
	size_t count = fail ? 0 : listed->paths.count;

	(void)answer;
	if (fail) {
		dt_answer_fail(s->answer, fail);
		free_search(s);
		return;
	}
	s->is_cut |= listed->is_cut;
	for (size_t i = 0; i < count; i++) {
		const char *path = listed->paths.ptr[i];

		if (path[strlen(path) - 1] != '/' && !is_unsaved(s, path))
			add_item(s, path);
	}
	look(s);
}

static void look_without(struct search *s)
{
	struct dt_arena arena = { 0 };
	struct dt_listing_spec spec = {
		.loop = s->world.loop,
		.roots = &s->roots,
		.git = s->world.find(s->world.owner, s->answer->asker, &arena,
		                     "git"),
		.env = s->world.env(s->world.owner, s->answer->asker, &arena),
		.most = DT_LIMIT_LIST_FILES,
	};
	struct dt_list_files_args args = {
		.glob = s->args.glob,
		.has_hidden = true,
	};

	s->source = "dovetail";
	s->item_count = s->unsaved; /* all files come, also those again */
	dt_answer_init(&s->listing, on_listed, s);
	dt_listing_start(&spec, &args, &s->listing);
	dt_arena_done(&arena);
}

/* with ripgrep */

static void on_output(struct dt_run *run, struct dt_str bytes, bool is_err,
                      void *owner)
{
	struct search *s = owner;

	if (is_err)
		return;
	dt_ripgrep_feed(&s->rg, bytes);
	if (!s->rg.is_full)
		return;
	dt_run_stop(run);
	s->run = NULL;
	finish(s);
}

/* What PCRE2 takes and ripgrep does not is left to the thread. */
static void on_ripgrep(struct dt_run *run, const struct dt_run_end *end,
                       void *owner)
{
	struct search *s = owner;

	(void)run;
	s->run = NULL;
	if (end->code > 1 && !s->rg.has_ended && !end->is_late &&
	    s->hits.count == 0) {
		look_without(s);
		return;
	}
	s->is_cut |= end->is_late || !s->rg.has_ended;
	look(s);
}

static bool start_ripgrep(struct search *s)
{
	struct dt_arena arena = { 0 };
	const char *program =
		s->world.find(s->world.owner, s->answer->asker, &arena, "rg");
	struct dt_run_spec spec = {
		.env = s->world.env(s->world.owner, s->answer->asker, &arena),
		.folder = s->roots.ptr[0],
		.keep_bytes = KEEP_BYTES,
		.deadline_ms = SEARCH_MS,
		.on_output = on_output,
	};
	bool is_running = false;

	if (program) {
		spec.argv =
			dt_ripgrep_argv(&arena, program, &s->args, &s->roots);
		is_running = !dt_run_start(s->world.loop, &spec, on_ripgrep, s,
		                           &s->run, NULL);
		if (is_running)
			dt_world_ran(&s->world, s->answer->asker, program);
	}
	dt_arena_done(&arena);
	return is_running;
}

/* the beginning */

static void on_drop(struct dt_answer *answer, void *performer)
{
	struct search *s = performer;

	(void)answer;
	s->answer = NULL;
	if (s->worker)
		return; /* job_done() frees */
	if (s->run)
		dt_run_stop(s->run);
	else
		dt_answer_drop(&s->listing);
	free_search(s);
}

static void copy_unsaved(struct search *s, struct dt_documents *docs)
{
	s->item_room = docs->count + 1;
	s->items = dt_alloc(s->item_room * sizeof(*s->items));
	dt_list_each(doc, &docs->list, struct dt_document, link) {
		struct dt_str text = dt_buf_str(&doc->overlay);

		if (!doc->has_overlay || !fits(s, doc->path))
			continue;
		s->items[s->unsaved++] = (struct item){
			.path = dt_arena_strdup(&s->arena, doc->path),
			.has_text = true,
			.text = { dt_arena_strndup(&s->arena, text.ptr,
			                           text.len),
			          text.len },
		};
	}
	s->item_count = s->unsaved;
}

static uint32_t at_most(uint32_t value, uint32_t most)
{
	return value < most ? value : most;
}

static enum dt_err prepare(struct search *s, struct dt_headless *h,
                           const struct dt_search_args *args,
                           struct dt_fail *fail)
{
	struct dt_matcher_spec spec = {
		.query = dt_str(args->query),
		.is_regex = args->is_regex,
		.is_case_sensitive = args->is_case_sensitive,
	};
	struct dt_list_files_args names = { .has_hidden = true };
	enum dt_err err;

	if (!*args->query || strpbrk(args->query, "\r\n"))
		return dt_fail(fail, DT_E_ARGS,
		               "query: must be some text of one line");
	if (args->glob && (err = dt_glob_check(dt_str(args->glob), fail)))
		return err;
	err = dt_matcher_new(&spec, &s->matcher, fail);
	if (err)
		return err;
	s->args = *args;
	s->args.query = dt_arena_strdup(&s->arena, args->query);
	s->args.glob = dt_arena_strdup(&s->arena, args->glob);
	s->args.max =
		at_most(args->max ? args->max : DT_LIMIT_FOUND, DT_LIMIT_FOUND);
	s->args.context = at_most(args->context, DT_LIMIT_CONTEXT);
	s->roots.ptr = dt_arena_alloc(&s->arena, h->docs->root_count *
	                                                 sizeof(*s->roots.ptr));
	for (size_t i = 0; i < h->docs->root_count; i++)
		s->roots.ptr[s->roots.count++] =
			dt_arena_strdup(&s->arena, h->docs->roots[i]);
	names.glob = s->args.glob;
	dt_sieve_init(&s->sieve, &names, "");
	dt_hits_init(&s->hits, s->args.max, s->args.context);
	copy_unsaved(s, h->docs);
	return DT_E_OK;
}

void dt_search_perform(struct dt_headless *h, const void *args,
                       struct dt_answer *answer)
{
	struct search *s = dt_alloc(sizeof(*s));
	struct dt_fail fail = { 0 };

	s->world = h->world;
	s->source = "ripgrep";
	s->answer = answer;
	s->until_ms = dt_clock_ms() + SEARCH_MS;
	dt_ripgrep_init(&s->rg, &s->hits, wants_of_disk, s);
	if (prepare(s, h, args, &fail)) {
		free_search(s);
		dt_answer_fail(answer, &fail);
		return;
	}
	answer->on_drop = on_drop;
	answer->performer = s;
	if (!start_ripgrep(s))
		look_without(s);
}
