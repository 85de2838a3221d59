/*
 * backend/linters.c - linters run, their findings put into the problems.
 *
 * Which ones and how is in lint_table.c, what they print in lint_parse.c.  A run
 * is known by its key, linter and file or folder, and stays for its results: the
 * files it was asked about with their stamps, and those it reported on.  What
 * waits for it is told in the next turn, so nothing here is called back into.
 * Invariant: of one key there is one run, and of it at most one process.
 */
#include "backend/linters.h"

#include "backend/lint_table.h"
#include "base/limits.h"
#include "base/list.h"
#include "base/path.h"
#include "base/utf8.h"
#include "editor/text.h"
#include "loop/run.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Two changes within one tick of the file system's clock look like one. */
#define TICK_NS INT64_C(20000000)

struct stamp {
	ino_t inode;
	off_t size;
	struct timespec changed;
	bool is_sure; /* it was old enough to tell two changes apart */
};

/* A file that was asked about. */
struct known {
	struct dt_list link;
	char *path;
	struct stamp stamp; /* when the linter last began */
};

/* A file with findings. */
struct reported {
	struct dt_list link;
	char *path;
	bool is_current;
};

struct run {
	struct dt_list link; /* of linters->runs, the last asked at the end */
	struct dt_linters *linters;
	const struct dt_linter *linter;
	char *key;
	char *folder;
	char *file;           /* NULL: all of the folder */
	struct dt_arena made; /* holds argv */
	char **argv;
	struct dt_run *program; /* NULL: it does not run */
	bool is_queued;         /* it will, when another one has ended */
	bool runs_again;        /* something changed since it began */
	bool is_silent;         /* what it forgets is not told */
	struct dt_fail fail;    /* of the last time */
	struct dt_list known;
	size_t known_count;
	struct dt_list reported;
	struct dt_list waits;
};

struct wait {
	struct dt_list link; /* of run->waits */
	struct dt_lint *lint;
};

struct dt_lint {
	struct dt_list link; /* of linters->lints */
	struct dt_linters *linters;
	struct dt_arena arena; /* of the waits and of what is told */
	struct dt_timer *timer;
	dt_lint_fn *fn;
	void *owner;
	size_t waiting;
	struct dt_lint_end end;
};

struct dt_linters {
	struct dt_world world;
	struct dt_problems *problems;
	struct dt_list runs;
	size_t run_count;
	size_t running;
	struct dt_list lints;
};

/* stamps */

/* False: there is no file. */
static bool stamp_of(const char *path, struct stamp *out)
{
	struct timespec now;
	struct stat st;
	int64_t age;

	if (stat(path, &st))
		return false;
	clock_gettime(CLOCK_REALTIME, &now);
	age = (now.tv_sec - st.st_mtim.tv_sec) * INT64_C(1000000000) +
	      now.tv_nsec - st.st_mtim.tv_nsec;
	*out = (struct stamp){ st.st_ino, st.st_size, st.st_mtim,
		               age > TICK_NS };
	return true;
}

static bool is_same(const struct stamp *a, const struct stamp *b)
{
	return a->is_sure && a->inode == b->inode && a->size == b->size &&
	       a->changed.tv_sec == b->changed.tv_sec &&
	       a->changed.tv_nsec == b->changed.tv_nsec;
}

static struct known *find_known(struct run *run, const char *path)
{
	dt_list_each(known, &run->known, struct known, link) {
		if (!strcmp(known->path, path))
			return known;
	}
	return NULL;
}

static void free_known(struct run *run, struct known *known)
{
	dt_list_remove(&known->link);
	run->known_count--;
	free(known->path);
	free(known);
}

static void add_known(struct run *run, const char *path)
{
	struct known *known = dt_alloc(sizeof(*known));

	if (run->known_count >= DT_LIMIT_LINT_FILES)
		free_known(run,
		           DT_LIST_OF(run->known.next, struct known, link));
	known->path = dt_strdup(path);
	dt_list_append(&run->known, &known->link);
	run->known_count++;
}

/* Whether nothing of what it was asked about changed since it began. */
static bool is_current(struct run *run)
{
	struct stamp now;

	dt_list_each(known, &run->known, struct known, link) {
		if (!stamp_of(known->path, &now) ||
		    !is_same(&known->stamp, &now))
			return false;
	}
	return true;
}

static void take_stamps(struct run *run)
{
	dt_list_each(known, &run->known, struct known, link) {
		if (!stamp_of(known->path, &known->stamp))
			free_known(run, known);
	}
}

/* runs */

static void forget_reported(struct run *run, struct reported *reported)
{
	if (!run->is_silent)
		dt_problems_forget(run->linters->problems, run->key,
		                   reported->path);
	dt_list_remove(&reported->link);
	free(reported->path);
	free(reported);
}

static void free_run(struct run *run)
{
	if (run->program) {
		dt_run_stop(run->program);
		run->linters->running--;
	}
	dt_list_each(reported, &run->reported, struct reported, link)
		forget_reported(run, reported);
	dt_list_each(known, &run->known, struct known, link)
		free_known(run, known);
	dt_list_remove(&run->link);
	run->linters->run_count--;
	dt_arena_done(&run->made);
	free(run->key);
	free(run->folder);
	free(run->file);
	free(run);
}

/* The one nobody asked for the longest time makes room. */
static void make_room(struct dt_linters *linters)
{
	if (linters->run_count < DT_LIMIT_LINT_RUNS)
		return;
	dt_list_each(run, &linters->runs, struct run, link) {
		if (!dt_list_is_empty(&run->waits))
			continue;
		free_run(run);
		return;
	}
}

static void set_plan(struct run *run, const struct dt_lint_plan *plan)
{
	size_t count = 0;

	dt_arena_done(&run->made);
	while (plan->argv[count])
		count++;
	run->argv =
		dt_arena_alloc(&run->made, (count + 1) * sizeof(*run->argv));
	for (size_t i = 0; i < count; i++)
		run->argv[i] = dt_arena_strdup(&run->made, plan->argv[i]);
}

static struct run *run_of(struct dt_linters *linters,
                          const struct dt_lint_plan *plan)
{
	struct run *run = NULL;

	dt_list_each(old, &linters->runs, struct run, link) {
		if (!strcmp(old->key, plan->key))
			run = old;
	}
	if (!run) {
		make_room(linters);
		run = dt_alloc(sizeof(*run));
		run->linters = linters;
		run->linter = plan->linter;
		run->key = dt_strdup(plan->key);
		run->folder = dt_strdup(plan->folder);
		run->file = plan->file ? dt_strdup(plan->file) : NULL;
		dt_list_init(&run->known);
		dt_list_init(&run->reported);
		dt_list_init(&run->waits);
		dt_list_init(&run->link);
		linters->run_count++;
	}
	set_plan(run, plan);
	dt_list_remove(&run->link);
	dt_list_append(&linters->runs, &run->link);
	return run;
}

/* findings */

/* From what the linter counts to UTF-16. */
static uint32_t to_utf16(struct dt_str line, uint32_t column,
                         enum dt_lint_unit unit)
{
	size_t byte = unit == DT_LINT_BYTES ? dt_utf8_cut(line, column)
	                                    : dt_utf8_to_byte(line, column);

	return (uint32_t)dt_utf16_len((struct dt_str){ line.ptr, byte });
}

/* A text, and where in it the last line was that was looked for. */
struct place {
	struct dt_str text;
	struct dt_str rest; /* from that line on */
	uint32_t line;
};

/* Linters tell from top to bottom, so the next one is not far. */
static struct dt_str find_line(struct place *place, uint32_t number)
{
	struct dt_str line;

	if (number < place->line) {
		place->rest = place->text;
		place->line = 0;
	}
	line = dt_text_line(place->rest, number - place->line);
	if (line.ptr && place->rest.len) {
		place->rest.len -= (size_t)(line.ptr - place->rest.ptr);
		place->rest.ptr = line.ptr;
		place->line = number;
	}
	return line;
}

static void convert(struct place *place, struct dt_position *at,
                    enum dt_lint_unit unit)
{
	struct dt_str line = find_line(place, at->line);

	if (line.ptr && dt_utf8_is_valid(line))
		at->character = to_utf16(line, at->character, unit);
}

static void convert_all(struct run *run, const char *path,
                        struct dt_diagnostic *items, size_t count)
{
	enum dt_lint_unit unit = run->linter->unit;
	struct place place = { 0 };
	struct dt_buf text;

	dt_buf_init(&text, DT_LIMIT_LSP_TEXT);
	if (unit != DT_LINT_UTF16 &&
	    !dt_documents_read(run->linters->world.docs, path, DT_TEXT_INSIDE,
	                       &text, NULL, NULL)) {
		place.text = place.rest = dt_buf_str(&text);
		for (size_t i = 0; i < count; i++) {
			convert(&place, &items[i].range.start, unit);
			convert(&place, &items[i].range.end, unit);
		}
	}
	dt_buf_done(&text);
}

static void mark_reported(struct run *run, const char *path)
{
	struct reported *reported = NULL;

	dt_list_each(old, &run->reported, struct reported, link) {
		if (!strcmp(old->path, path))
			reported = old;
	}
	if (!reported) {
		reported = dt_alloc(sizeof(*reported));
		reported->path = dt_strdup(path);
		dt_list_append(&run->reported, &reported->link);
	}
	reported->is_current = true;
}

/* All findings of one file, those of `from` and behind; their paths are taken
 * away, so that each is told once. */
static void report_file(struct run *run, const struct dt_lint_out *out,
                        size_t from)
{
	const char *path = out->items[from].path;
	struct dt_diagnostic *items = dt_arena_alloc(
		out->arena, (out->count - from) * sizeof(*items));
	const char *relative;
	size_t count = 0;

	for (size_t i = from; i < out->count; i++) {
		if (!out->items[i].path ||
		    strcmp(out->items[i].path, path) != 0)
			continue;
		items[count] = out->items[i].diagnostic;
		items[count++].source = run->linter->name;
		out->items[i].path = NULL;
	}
	if (!dt_documents_root_of(run->linters->world.docs, path, &relative))
		return;
	convert_all(run, path, items, count);
	mark_reported(run, path);
	dt_problems_set(run->linters->problems, path, run->key, items, count);
}

/* A name that was printed: beside the linter's folder or, as cargo prints it,
 * beside one above. */
static const char *resolve(struct run *run, struct dt_arena *arena,
                           const char *name)
{
	const struct dt_documents *docs = run->linters->world.docs;
	const char *first = dt_path_join(arena, run->folder, name);
	const char *folder = run->folder;
	const char *relative;
	const char *path = first;

	while (access(path, F_OK) && *name != '/' &&
	       dt_documents_root_of(docs, folder, &relative) && *relative) {
		folder = dt_path_join(arena, folder, "..");
		path = dt_path_join(arena, folder, name);
	}
	return access(path, F_OK) ? first : path;
}

static void report(struct run *run, struct dt_lint_out *out)
{
	if (out->count > DT_LIMIT_LINT_PROBLEMS)
		out->count = DT_LIMIT_LINT_PROBLEMS;
	dt_list_each(reported, &run->reported, struct reported, link)
		reported->is_current = false;
	for (size_t i = 0; i < out->count; i++) {
		const char *path = out->items[i].path;

		out->items[i].path = !*path && run->file
		                             ? run->file
		                             : resolve(run, out->arena, path);
	}
	for (size_t i = 0; i < out->count; i++) {
		if (out->items[i].path)
			report_file(run, out, i);
	}
	dt_list_each(reported, &run->reported, struct reported, link) {
		if (!reported->is_current)
			forget_reported(run, reported);
	}
}

/* its end */

/* The first line that says something. */
static struct dt_str first_line(struct dt_str text)
{
	while (text.len > 0) {
		struct dt_str line = dt_str_trim(dt_str_cut(&text, '\n'));

		if (line.len > 0)
			return line;
	}
	return DT_STR("it printed nothing");
}

/* Sets run->fail when it could not look: that it found nothing is something
 * else. */
static void take_output(struct run *run, const struct dt_run_end *end)
{
	struct dt_arena arena = { 0 };
	struct dt_lint_out out = { .arena = &arena };
	struct dt_str text = run->linter->is_on_err ? end->err : end->out;
	struct dt_str said = end->err.len > 0 ? end->err : end->out;
	struct dt_fail why = { 0 };

	run->fail = (struct dt_fail){ 0 };
	if (end->is_late)
		dt_fail(&run->fail, DT_E_TIMEOUT, "it took longer than %d s",
		        DT_LIMIT_LINT_MS / 1000);
	else if (run->linter->is_on_err ? end->is_err_cut : end->is_out_cut)
		dt_fail(&run->fail, DT_E_LIMIT, "it printed more than %u MiB",
		        DT_LIMIT_LINT_BYTES / DT_MIB);
	else if (text.len > 0 && run->linter->parse(&out, text, &why))
		dt_fail(&run->fail, DT_E_PROTO, "%s (exit code %d): %.*s",
		        why.msg, end->code, DT_STR_ARG(first_line(said)));
	else if (end->code != 0 && out.count == 0)
		dt_fail(&run->fail, DT_E_STATE, "exit code %d: %.*s", end->code,
		        DT_STR_ARG(first_line(said)));
	if (!run->fail.code)
		report(run, &out);
	dt_arena_done(&arena);
}

static void note_error(struct dt_lint *lint, const char *linter,
                       const char *message)
{
	struct dt_linter_error *errors = lint->end.errors.ptr;

	errors[lint->end.errors.count++] = (struct dt_linter_error){
		.linter = linter,
		.message = dt_arena_strdup(&lint->arena, message),
	};
}

static void settle(struct dt_lint *lint)
{
	if (lint->waiting == 0)
		dt_timer_start(lint->timer, 0);
}

static void note_end(struct dt_lint *lint, const struct run *run)
{
	lint->end.names.ptr[lint->end.names.count++] = run->linter->name;
	if (run->fail.code)
		note_error(lint, run->linter->name, run->fail.msg);
}

static void tell(struct run *run)
{
	dt_list_each(wait, &run->waits, struct wait, link) {
		dt_list_remove(&wait->link);
		wait->lint->waiting--;
		note_end(wait->lint, run);
		settle(wait->lint);
	}
}

static void start(struct run *run);

/* As many as there is room for: one that cannot be started takes none. */
static void start_queued(struct dt_linters *linters)
{
	dt_list_each(run, &linters->runs, struct run, link) {
		if (run->is_queued && linters->running < DT_LIMIT_LINT_AT_ONCE)
			start(run);
	}
}

static void on_program(struct dt_run *program, const struct dt_run_end *end,
                       void *owner)
{
	struct run *run = owner;

	(void)program;
	run->program = NULL;
	run->linters->running--;
	if (run->runs_again) {
		start(run);
	} else {
		take_output(run, end);
		tell(run);
	}
	start_queued(run->linters);
}

static void start(struct run *run)
{
	struct dt_linters *linters = run->linters;
	struct dt_arena arena = { 0 };
	struct dt_run_spec spec = {
		.argv = run->argv,
		.env = linters->world.env(linters->world.owner, DT_ASKER_ALL,
		                          &arena),
		.folder = run->folder,
		.keep_bytes = DT_LIMIT_LINT_BYTES,
		.deadline_ms = DT_LIMIT_LINT_MS,
	};

	run->is_queued = linters->running >= DT_LIMIT_LINT_AT_ONCE;
	run->runs_again = false;
	if (!run->is_queued) {
		run->fail = (struct dt_fail){ 0 };
		take_stamps(run);
		if (dt_run_start(linters->world.loop, &spec, on_program, run,
		                 &run->program, &run->fail)) {
			tell(run);
		} else {
			linters->running++;
			dt_world_ran(&linters->world, DT_ASKER_ALL,
			             run->argv[0]);
		}
	}
	dt_arena_done(&arena);
}

/* asked */

static void free_lint(struct dt_lint *lint)
{
	dt_list_remove(&lint->link);
	dt_timer_free(lint->timer);
	dt_arena_done(&lint->arena);
	free(lint);
}

static void on_timer(struct dt_timer *timer, void *owner)
{
	struct dt_lint *lint = owner;

	(void)timer;
	dt_list_remove(&lint->link);
	lint->fn(&lint->end, lint->owner);
	free_lint(lint);
}

static void wait_for(struct dt_lint *lint, struct run *run)
{
	struct wait *wait = dt_arena_alloc(&lint->arena, sizeof(*wait));

	wait->lint = lint;
	dt_list_init(&wait->link);
	dt_list_append(&run->waits, &wait->link);
	lint->waiting++;
}

static void ask(struct dt_lint *lint, struct run *run, const char *path)
{
	bool is_known = find_known(run, path) && is_current(run);

	if (is_known && !run->program && !run->is_queued) {
		note_end(lint, run);
		return;
	}
	if (!find_known(run, path))
		add_known(run, path);
	wait_for(lint, run);
	if (!run->program)
		start(run);
	else if (!is_known)
		run->runs_again = true;
}

/* Linters read the disk. */
static void note_unsaved(struct dt_linters *linters, struct dt_lint *lint,
                         const char *path)
{
	const struct dt_document *doc =
		dt_documents_find(linters->world.docs, path);

	if (doc && doc->has_overlay)
		note_error(lint, "all",
		           "linters look at the file on the disk, and its text "
		           "is not saved");
}

struct dt_lint *dt_linters_start(struct dt_linters *linters, const char *path,
                                 dt_lint_fn *fn, void *owner)
{
	struct dt_arena arena = { 0 };
	struct dt_items plans = dt_lint_plans(&linters->world, &arena, path);
	const struct dt_lint_plan *plan = plans.ptr;
	struct dt_lint *lint;

	if (plans.count == 0) {
		dt_arena_done(&arena);
		return NULL;
	}
	lint = dt_alloc(sizeof(*lint));
	lint->linters = linters;
	lint->fn = fn;
	lint->owner = owner;
	lint->timer = dt_timer_new(linters->world.loop, on_timer, lint);
	lint->end.names.ptr =
		dt_arena_alloc(&lint->arena, plans.count * sizeof(char *));
	lint->end.errors.ptr = dt_arena_alloc(
		&lint->arena,
		(plans.count + 1) * sizeof(struct dt_linter_error));
	dt_list_init(&lint->link);
	dt_list_append(&linters->lints, &lint->link);
	note_unsaved(linters, lint, path);
	/* Held, so that none that fails at once ends it. */
	lint->waiting++;
	for (size_t i = 0; i < plans.count; i++)
		ask(lint, run_of(linters, &plan[i]), path);
	lint->waiting--;
	settle(lint);
	dt_arena_done(&arena);
	return lint;
}

void dt_lint_drop(struct dt_lint *lint)
{
	dt_list_each(run, &lint->linters->runs, struct run, link) {
		dt_list_each(wait, &run->waits, struct wait, link) {
			if (wait->lint == lint)
				dt_list_remove(&wait->link);
		}
	}
	free_lint(lint);
}

void dt_linters_forget(struct dt_linters *linters, const char *path)
{
	dt_list_each(run, &linters->runs, struct run, link) {
		if (dt_list_is_empty(&run->waits) &&
		    (!path || find_known(run, path)))
			free_run(run);
	}
}

struct dt_linters *dt_linters_new(const struct dt_world *world,
                                  struct dt_problems *problems)
{
	struct dt_linters *linters = dt_alloc(sizeof(*linters));

	*linters = (struct dt_linters){ .world = *world, .problems = problems };
	dt_list_init(&linters->runs);
	dt_list_init(&linters->lints);
	return linters;
}

void dt_linters_stop(struct dt_linters *linters)
{
	dt_list_each(lint, &linters->lints, struct dt_lint, link)
		dt_lint_drop(lint);
	/* Nobody is told of what is forgotten now. */
	dt_list_each(run, &linters->runs, struct run, link) {
		run->is_silent = true;
		free_run(run);
	}
}

void dt_linters_free(struct dt_linters *linters)
{
	if (!linters)
		return;
	dt_linters_stop(linters);
	free(linters);
}
