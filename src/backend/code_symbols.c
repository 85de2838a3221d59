/*
 * backend/code_symbols.c - the symbols of a file, and of the workspace by name.
 *
 * A tree of symbols is told as a list in the order of the text, each with how
 * many are around it.  The workspace is asked of the servers of its main
 * languages, which are started, and of all others that run; one that cannot is
 * named beside what the others found.  While one has not seen all of it yet, all
 * are asked again.
 */
#include "backend/code_job.h"

#include "backend/code_languages.h"
#include "backend/code_read.h"
#include "backend/lsp_table.h"
#include "base/clock.h"
#include "base/limits.h"

#include <stdlib.h>

#define SEARCH_MS 20000 /* a server that starts first, too */
#define AGAIN_MS 150

/* A list that grows up to its limit; `total` counts on. */
struct found {
	struct dt_symbol *list;
	size_t room;
	size_t count;
	uint32_t total;
	uint32_t limit;
};

static void add(struct found *found, const struct dt_symbol *symbol)
{
	found->total++;
	if (found->count == found->limit)
		return;
	if (found->count == found->room) {
		found->room = found->room ? 2 * found->room : 64;
		found->list = dt_realloc(found->list,
		                         found->room * sizeof(*found->list));
	}
	found->list[found->count++] = *symbol;
}

/* DocumentSymbol has ranges of its own, SymbolInformation a location. */
static bool read_symbol(struct dt_arena *arena, const struct dt_json *json,
                        const char *path, struct dt_symbol *out)
{
	const struct dt_json *location = dt_json_get(json, "location");
	const struct dt_json *range =
		dt_json_get(location ? location : json, "range");

	*out = (struct dt_symbol){
		.name = dt_code_read_name(arena, dt_json_get(json, "name")),
		.kind = dt_code_read_kind(dt_json_get(json, "kind")),
		.detail = dt_code_read_name(arena, dt_json_get(json, "detail")),
		.container = dt_code_read_name(
			arena, dt_json_get(json, "containerName")),
		.path = path,
	};
	if (location)
		out->path =
			dt_code_read_path(arena, dt_json_get(location, "uri"));
	if (out->container && !*out->container)
		out->container = NULL;
	if (out->detail && !*out->detail)
		out->detail = NULL;
	/* A WorkspaceSymbol may come without a range. */
	if (!dt_code_read_range(range, &out->range) && !location)
		return false;
	if (!dt_code_read_range(dt_json_get(json, "selectionRange"),
	                        &out->selection))
		out->selection = out->range;
	return out->name && out->path;
}

/* `told` has the rest of the result. */
static void tell(struct dt_code_job *job, const struct found *found,
                 struct dt_symbols_result told)
{
	void *list = found->list;

	told.items = (struct dt_items){ found->list, found->count };
	told.total = found->total;
	told.source = job->source;
	dt_code_end(job, &told);
	free(list);
}

/* of a file */

/* The tree is as deep as JSON may be. */
/* NOLINTNEXTLINE(misc-no-recursion) */
static void add_tree(struct dt_code_job *job, struct found *found,
                     const struct dt_json *list, const struct dt_symbol *parent)
{
	dt_json_each(one, dt_code_list(list)) {
		struct dt_symbol symbol;

		if (!read_symbol(&job->arena, one, job->place.path, &symbol))
			continue;
		if (parent) {
			symbol.container = parent->name;
			symbol.depth = parent->depth + 1;
		}
		add(found, &symbol);
		add_tree(job, found, dt_json_get(one, "children"), &symbol);
	}
}

/* Servers tell siblings in any order. */
static int compare(const void *a, const void *b)
{
	const struct dt_symbol *x = a;
	const struct dt_symbol *y = b;
	const struct dt_position *from = &x->range.start;
	const struct dt_position *to = &y->range.start;

	if (from->line != to->line)
		return from->line < to->line ? -1 : 1;
	if (from->character != to->character)
		return from->character < to->character ? -1 : 1;
	return x->depth < y->depth ? -1 : x->depth > y->depth;
}

static void take_tree(struct dt_code_job *job, const struct dt_json *result)
{
	struct found found = { .limit = DT_LIMIT_SYMBOLS };

	add_tree(job, &found, result, NULL);
	if (found.count > 1)
		qsort(found.list, found.count, sizeof(*found.list), compare);
	if (found.count > job->limit)
		found.count = job->limit;
	tell(job, &found, (struct dt_symbols_result){ 0 });
}

void dt_code_get_document_symbols(struct dt_headless *h, const void *args,
                                  struct dt_answer *answer)
{
	static const struct dt_code_step step = {
		.method = "textDocument/documentSymbol",
		.provider = "documentSymbolProvider",
		.take = take_tree,
	};
	const struct dt_lines_args *wanted = args;
	struct dt_code_job *job = dt_code_new(h, wanted->path, answer);

	job->limit = dt_code_limit(wanted->limit, DT_LIMIT_SYMBOLS);
	dt_code_ask(job, &step);
}

/* of the workspace */

struct search {
	const char *query;
	struct dt_code_languages languages;
	struct dt_names files; /* one of each main language */
	struct found found;
	const char *servers[DT_LIMIT_LSP_SERVERS];
	size_t server_count;
	const char *failures[DT_LIMIT_SERVER_FAILURES];
	size_t failure_count;
	struct dt_fail fail; /* the first */
	bool has_young;      /* one has just started */
};

/* How well a name fits: what servers find is only similar. */
static int rank(const char *query, const char *name)
{
	struct dt_str wanted = dt_str(query);
	struct dt_str is = dt_str(name);

	if (dt_str_eq(wanted, is))
		return 0;
	if (dt_str_eq_nocase(wanted, is))
		return 1;
	return dt_str_starts(is, wanted) ? 2 : 3;
}

/* The best first, those of one rank as they came. */
static void sort_by_rank(struct dt_arena *arena, const char *query,
                         struct found *found)
{
	struct dt_symbol *sorted =
		dt_arena_alloc(arena, (found->count + 1) * sizeof(*sorted));
	size_t count = 0;

	for (int r = 0; r <= 3; r++) {
		for (size_t i = 0; i < found->count; i++) {
			if (rank(query, found->list[i].name) == r)
				sorted[count++] = found->list[i];
		}
	}
	if (count > 0)
		memcpy(found->list, sorted, count * sizeof(*sorted));
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void end_search(struct dt_code_job *job)
{
	struct search *s = job->state;
	struct dt_symbols_result told = {
		.servers = { s->servers, s->server_count },
		.failures = { s->failures, s->failure_count },
	};

	if (s->server_count == 0) {
		free(s->found.list);
		if (!s->fail.code)
			dt_fail(&s->fail, DT_E_UNSUPPORTED,
			        "no file here is of a language that has a "
			        "language server: `dovetail lsp` lists them");
		dt_code_fail(job, &s->fail);
		return;
	}
	/* They answered in any order. */
	qsort(s->servers, s->server_count, sizeof(s->servers[0]),
	      compare_names);
	sort_by_rank(&job->arena, s->query, &s->found);
	if (s->found.count > job->limit)
		s->found.count = job->limit;
	tell(job, &s->found, told);
}

static void ask_all(struct dt_code_job *job);

static void on_again(struct dt_timer *timer, void *owner)
{
	(void)timer;
	ask_all(owner);
}

static void end_round(struct dt_code_job *job)
{
	const struct search *s = job->state;
	bool has_time = dt_clock_ms() - job->since_ms < DT_CODE_PATIENCE_MS;
	/* pyright does not say that it still looks at the project. */
	bool is_early = s->has_young && s->found.total == 0;

	if ((!job->source.busy && !is_early) || !has_time) {
		end_search(job);
		return;
	}
	if (!job->timer)
		job->timer = dt_timer_new(job->h->world.loop, on_again, job);
	dt_timer_start(job->timer, AGAIN_MS);
}

static void note_failure(struct dt_code_job *job, const struct dt_fail *fail)
{
	struct search *s = job->state;

	if (!s->fail.code)
		s->fail = *fail;
	/* Two languages may have one server. */
	for (size_t i = 0; i < s->failure_count; i++) {
		if (!strcmp(s->failures[i], fail->msg))
			return;
	}
	if (s->failure_count < DT_LIMIT_SERVER_FAILURES)
		s->failures[s->failure_count++] =
			dt_arena_strdup(&job->arena, fail->msg);
}

static void note_server(struct dt_code_job *job, const char *name)
{
	struct search *s = job->state;

	for (size_t i = 0; i < s->server_count; i++) {
		if (!strcmp(s->servers[i], name))
			return;
	}
	s->servers[s->server_count++] = dt_arena_strdup(&job->arena, name);
}

static void on_found(const struct dt_lsp_reply *reply,
                     const struct dt_fail *fail, void *owner)
{
	struct dt_code_job *job = owner;
	struct search *s = job->state;
	struct dt_symbol symbol;

	if (fail) {
		note_failure(job, fail);
		return;
	}
	if (!reply) {
		job->request = NULL;
		end_round(job);
		return;
	}
	note_server(job, reply->server);
	s->has_young |= reply->is_young;
	if (!job->source.busy)
		job->source.busy = dt_arena_strdup(&job->arena, reply->busy);
	if (!job->source.doubt)
		job->source.doubt = dt_arena_strdup(&job->arena, reply->doubt);
	dt_json_each(one, dt_code_list(reply->result)) {
		if (read_symbol(&job->arena, one, NULL, &symbol))
			add(&s->found, &symbol);
	}
}

static void ask_all(struct dt_code_job *job)
{
	struct search *s = job->state;
	struct dt_buf params;
	struct dt_json_out out;
	struct dt_lsp_ask ask = {
		.method = "workspace/symbol",
		.provider = "workspaceSymbolProvider",
		.deadline_ms = SEARCH_MS,
	};

	/* What was told before is told again. */
	s->found.count = s->found.total = 0;
	s->server_count = s->failure_count = 0;
	s->has_young = false;
	s->fail = (struct dt_fail){ 0 };
	job->source.busy = job->source.doubt = NULL;
	dt_buf_init(&params, DT_LIMIT_ARGUMENTS);
	out = dt_json_out(&params);
	dt_json_begin_object(&out);
	dt_json_key(&out, "query");
	dt_json_put_z(&out, s->query);
	dt_json_end_object(&out);
	ask.params = dt_buf_str(&params);
	job->request =
		dt_lsp_ask_all(job->h->lsp, &ask, &s->files, on_found, job);
	dt_buf_done(&params);
}

/* A language whose servers know more than single files. */
static bool is_worth_asking(struct dt_code_job *job, const char *language)
{
	const struct dt_lsp_entry *const *entries =
		dt_lsp_entries_of(&job->h->world, &job->arena, language);

	return entries[0] && !entries[0]->is_local;
}

static void on_languages(const struct dt_items *languages,
                         const struct dt_fail *fail, void *owner)
{
	struct dt_code_job *job = owner;
	struct search *s = job->state;
	const struct dt_code_language *list = languages->ptr;
	struct dt_fail stopped = { 0 };

	(void)fail; /* those that run are asked all the same */
	s->files.ptr = dt_arena_alloc(&job->arena,
	                              DT_LIMIT_LANGUAGES * sizeof(char *));
	for (size_t i = 0;
	     i < languages->count && s->files.count < DT_LIMIT_LANGUAGES; i++) {
		if (list[i].path && is_worth_asking(job, list[i].id))
			s->files.ptr[s->files.count++] =
				dt_arena_strdup(&job->arena, list[i].path);
	}
	if (!job->h->is_stopped) {
		ask_all(job);
		return;
	}
	dt_fail(&stopped, DT_E_CLOSED, "Dovetail stops");
	dt_code_fail(job, &stopped);
}

static void on_drop(struct dt_answer *answer, void *performer)
{
	struct dt_code_job *job = performer;
	struct search *s = job->state;

	free(s->found.list);
	dt_code_languages_drop(&s->languages);
	dt_code_drop(answer, job);
}

void dt_code_search_symbols(struct dt_headless *h, const void *args,
                            struct dt_answer *answer)
{
	const struct dt_search_symbols_args *wanted = args;
	struct dt_code_job *job = dt_code_new(h, NULL, answer);
	struct search *s = dt_arena_alloc(&job->arena, sizeof(*s));

	s->query = dt_arena_strdup(&job->arena, wanted->query);
	/* More than are told, so that the best are among them. */
	s->found.limit = DT_LIMIT_SYMBOLS;
	job->limit = dt_code_limit(wanted->limit, DT_LIMIT_SYMBOLS);
	job->state = s;
	answer->on_drop = on_drop;
	dt_code_languages_start(&s->languages, h, on_languages, job);
}
