/*
 * backend/git_look.c - who wrote a line, what branches and stashes there are, and
 * which files change most.
 *
 * As in git_read.c nothing is written, and all formats are those for programs.
 */
#include "backend/git.h"
#include "backend/git_parse.h"
#include "base/limits.h"

#include <stdlib.h>

/* blame */

static void on_blame(struct dt_git *g, const struct dt_run_end *end)
{
	const struct dt_git_blame_args *args = g->args;
	struct dt_git_blame_result result = {
		.path = args->path,
		.lines = dt_git_parse_blame(&g->arena, end->out),
		.is_cut = end->is_out_cut,
	};

	if (result.lines.count > DT_LIMIT_GIT_LINES) {
		result.lines.count = DT_LIMIT_GIT_LINES;
		result.is_cut = true;
	}
	dt_git_end(g, &result);
}

static void ask_blame(struct dt_git *g, const struct dt_run_end *end)
{
	const struct dt_git_blame_args *args = g->args;
	uint32_t first = args->first_line.is_set ? args->first_line.value : 0;
	/* One more, to see whether there are more. */
	uint32_t last = first + DT_LIMIT_GIT_LINES;

	(void)end;
	if (args->last_line.is_set && args->last_line.value < last)
		last = args->last_line.value;
	if (last < first || !g->scope) {
		dt_git_failf(g, DT_E_ARGS, "the last line is before the first");
		return;
	}
	dt_git_say(g, "blame", "--no-textconv", "--line-porcelain",
	           "--encoding=UTF-8",
	           dt_arena_printf(&g->arena, "-L%u,%u", first + 1, last + 1),
	           "--", g->scope, NULL);
	dt_git_run(g, on_blame);
}

void dt_git_do_blame(struct dt_headless *h, const void *args,
                     struct dt_answer *answer)
{
	dt_git_start(h, &dt_op_git_blame, args, answer, ask_blame);
}

/* branches */

#define BRANCH_FORMAT                                                          \
	"--format=%(HEAD)%00%(refname)%00%(objectname)%00"                     \
	"%(upstream:short)%00%(upstream:track,nobracket)%00"                   \
	"%(committerdate:iso-strict)%00%(contents:subject)%00%(symref)%00"
#define BRANCH_FIELDS 8

/* 1: taken, 0: not a branch of its own, -1: there is no more. */
static int take_branch(struct dt_git *g, struct dt_str *rest,
                       struct dt_git_branch *out)
{
	const char *field[BRANCH_FIELDS];
	const char *name;
	bool is_remote;

	for (int i = 0; i < BRANCH_FIELDS; i++) {
		field[i] = dt_git_field(&g->arena, rest);
		if (!field[i])
			return -1;
	}
	is_remote = dt_str_starts(dt_str(field[1]), DT_STR("refs/remotes/"));
	name = field[1] + strlen(is_remote ? "refs/remotes/" : "refs/heads/");
	*out = (struct dt_git_branch){
		.name = name,
		.is_remote = is_remote,
		/* Records end with a newline, which is before the first field
	         * of the next. */
		.is_current = strchr(field[0], '*') != NULL,
		.hash = field[2],
		.upstream = *field[3] ? field[3] : NULL,
		.track = *field[4] ? field[4] : NULL,
		.date = field[5],
		.subject = dt_git_plain(&g->arena, dt_str(field[6]), 500, false)
		                   .ptr,
	};
	/* origin/HEAD is another name of a branch. */
	return *field[7] == '\0';
}

static void on_branches(struct dt_git *g, const struct dt_run_end *end)
{
	struct dt_git_branch *all = dt_arena_alloc(
		&g->arena, (DT_LIMIT_GIT_ENTRIES + 1) * sizeof(*all));
	struct dt_git_branches_result result = {
		.branches = { .ptr = all },
		.is_cut = end->is_out_cut,
	};
	struct dt_str rest = end->out;
	int taken;

	while ((taken = take_branch(g, &rest, &all[result.branches.count])) >=
	       0) {
		const struct dt_git_branch *one = &all[result.branches.count];

		if (taken > 0 && one->is_current)
			result.current = one->name;
		if (taken > 0 && result.branches.count < DT_LIMIT_GIT_ENTRIES)
			result.branches.count++;
		else if (taken > 0)
			result.is_cut = true;
	}
	dt_git_end(g, &result);
}

static void ask_branches(struct dt_git *g, const struct dt_run_end *end)
{
	const struct dt_git_branches_args *args = g->args;

	(void)end;
	dt_git_say(g, "for-each-ref", "--sort=-committerdate", BRANCH_FORMAT,
	           "refs/heads/", args->has_remote ? "refs/remotes/" : NULL,
	           NULL);
	dt_git_run(g, on_branches);
}

void dt_git_do_branches(struct dt_headless *h, const void *args,
                        struct dt_answer *answer)
{
	dt_git_start(h, &dt_op_git_branches, args, answer, ask_branches);
}

/* stashes */

static void on_stashes(struct dt_git *g, const struct dt_run_end *end)
{
	struct dt_git_stash_info *all =
		dt_arena_alloc(&g->arena, DT_LIMIT_GIT_ENTRIES * sizeof(*all));
	struct dt_git_stashes_result result = { .stashes = { .ptr = all } };
	struct dt_str rest = end->out;

	while (result.stashes.count < DT_LIMIT_GIT_ENTRIES) {
		const char *hash = dt_git_field(&g->arena, &rest);
		const char *date = dt_git_field(&g->arena, &rest);
		const char *message = dt_git_field(&g->arena, &rest);

		if (!message)
			break;
		all[result.stashes.count] = (struct dt_git_stash_info){
			.index = (uint32_t)result.stashes.count,
			.hash = hash,
			.date = date,
			.message = dt_git_plain(&g->arena, dt_str(message), 500,
			                        false)
			                   .ptr,
		};
		result.stashes.count++;
	}
	dt_git_end(g, &result);
}

static void ask_stashes(struct dt_git *g, const struct dt_run_end *end)
{
	(void)end;
	dt_git_say(g, "stash", "list", "-z", "--encoding=UTF-8", "--no-patch",
	           "--format=tformat:%H%x00%aI%x00%gs", NULL);
	dt_git_run(g, on_stashes);
}

void dt_git_do_stashes(struct dt_headless *h, const void *args,
                       struct dt_answer *answer)
{
	dt_git_start(h, &dt_op_git_stashes, args, answer, ask_stashes);
}

/* hotspots */

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int by_commits(const void *a, const void *b)
{
	const struct dt_git_hotspot *one = a;
	const struct dt_git_hotspot *other = b;

	if (one->commits != other->commits)
		return one->commits > other->commits ? -1 : 1;
	return strcmp(one->path, other->path);
}

/* Names, sorted, become one hotspot each. */
static struct dt_items count_names(struct dt_git *g,
                                   const struct dt_names *names)
{
	struct dt_git_hotspot *all =
		dt_arena_alloc(&g->arena, (names->count + 1) * sizeof(*all));
	struct dt_items items = { .ptr = all };

	if (names->count > 0)
		qsort(names->ptr, names->count, sizeof(*names->ptr), by_name);
	for (size_t i = 0; i < names->count; i++) {
		if (i == 0 || strcmp(names->ptr[i], names->ptr[i - 1]) != 0)
			all[items.count++].path = names->ptr[i];
		all[items.count - 1].commits++;
	}
	if (items.count > 0)
		qsort(all, items.count, sizeof(*all), by_commits);
	return items;
}

/* Records of log --raw -z: the id of a commit; then a line that begins with a
 * colon and a name, for every file. */
static struct dt_names take_changed(struct dt_git *g, struct dt_str text,
                                    uint32_t *commits)
{
	struct dt_names names = { 0 };
	size_t room = 0;
	const char *field;

	while ((field = dt_git_field(&g->arena, &text))) {
		field += strspn(field, "\n");
		if (*field != ':') {
			*commits += *field != '\0';
			continue;
		}
		field = dt_git_field(&g->arena, &text);
		if (!field)
			break;
		if (names.count == room) {
			room = 2 * room + 256;
			names.ptr = dt_realloc(names.ptr,
			                       room * sizeof(*names.ptr));
		}
		names.ptr[names.count++] = field;
	}
	return names;
}

static void on_hotspots(struct dt_git *g, const struct dt_run_end *end)
{
	const struct dt_git_hotspots_args *args = g->args;
	struct dt_git_hotspots_result result = { .is_cut = end->is_out_cut };
	struct dt_names names = take_changed(g, end->out, &result.commits);
	struct dt_git_hotspot *all;

	result.is_cut |= result.commits == DT_LIMIT_GIT_COMMITS;
	result.hotspots = count_names(g, &names);
	free(names.ptr);
	if (result.hotspots.count > args->limit)
		result.hotspots.count = args->limit;
	all = result.hotspots.ptr;
	for (size_t i = 0; i < result.hotspots.count; i++)
		all[i].path = dt_arena_printf(&g->arena, "%s/%s", g->top,
		                              all[i].path);
	dt_git_end(g, &result);
}

static void ask_hotspots(struct dt_git *g, const struct dt_run_end *end)
{
	const struct dt_git_hotspots_args *args = g->args;

	if (end && end->code != 0) {
		dt_git_failf(g, DT_E_STATE, "the repository has no commit yet");
		return;
	}
	dt_git_say(
		g, "log", "-z", "--raw", "--no-abbrev", "--no-renames",
		"--no-color", "--no-show-signature", "--no-ext-diff",
		"--no-textconv", "--no-relative", "--format=tformat:%H",
		dt_arena_printf(&g->arena, "--max-count=%u",
	                        DT_LIMIT_GIT_COMMITS),
		dt_arena_printf(&g->arena, "--since=%u.days.ago", args->days),
		"HEAD", NULL);
	dt_git_say_scope(g);
	dt_git_run(g, on_hotspots);
}

static void find_hotspots(struct dt_git *g, const struct dt_run_end *end)
{
	(void)end;
	dt_git_say_commit(g, "HEAD");
	dt_git_try(g, ask_hotspots);
}

void dt_git_do_hotspots(struct dt_headless *h, const void *args,
                        struct dt_answer *answer)
{
	dt_git_start(h, &dt_op_git_hotspots, args, answer, find_hotspots);
}
