/*
 * backend/code_locate.c - definitions, declarations, implementations, uses.
 *
 * A location has the line it begins on, read by ourselves beneath the roots with
 * unsaved text first; of files outside the workspace only the name is told.
 */
#include "backend/code_job.h"

#include "backend/code_read.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "editor/text.h"

#include <stdlib.h>

/* previews */

/* A line without the blanks around it, cut on a character. */
static struct dt_str shorten(struct dt_arena *arena, struct dt_str line)
{
	size_t len;

	line = dt_str_trim(line);
	len = line.len < DT_LIMIT_PREVIEW ? line.len : DT_LIMIT_PREVIEW;
	while (len < line.len && len > 0 &&
	       ((unsigned char)line.ptr[len] & 0xc0) == 0x80)
		len--;
	return (struct dt_str){ dt_arena_strndup(arena, line.ptr, len), len };
}

void dt_code_add_previews(struct dt_code_job *job, struct dt_items *locations)
{
	struct dt_location *list = locations->ptr;
	const char *path = NULL;
	struct dt_buf text;
	bool is_text = false;

	dt_buf_init(&text, 0);
	for (size_t i = 0; i < locations->count; i++) {
		struct dt_str line;

		if (!path || strcmp(path, list[i].path) != 0) {
			path = list[i].path;
			dt_buf_done(&text);
			is_text = dt_code_text(job->h, path, &text) &&
			          dt_utf8_is_valid(dt_buf_str(&text));
		}
		if (!is_text)
			continue;
		line = dt_text_line(dt_buf_str(&text),
		                    list[i].range.start.line);
		if (line.ptr)
			list[i].preview = shorten(&job->arena, line);
	}
	dt_buf_done(&text);
}

/* the operations */

static int compare(const void *a, const void *b)
{
	const struct dt_location *x = a;
	const struct dt_location *y = b;
	int by_path = strcmp(x->path, y->path);

	if (by_path)
		return by_path;
	if (x->range.start.line != y->range.start.line)
		return x->range.start.line < y->range.start.line ? -1 : 1;
	if (x->range.start.character != y->range.start.character)
		return x->range.start.character < y->range.start.character ? -1
		                                                           : 1;
	return 0;
}

/* Servers that know a file by several names tell it several times. */
static size_t drop_doubles(struct dt_location *list, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (kept == 0 || compare(&list[kept - 1], &list[i]) != 0)
			list[kept++] = list[i];
	}
	return kept;
}

static void tell(struct dt_code_job *job, struct dt_items items)
{
	struct dt_location *list = items.ptr;
	struct dt_locations_result result = {
		.total = (uint32_t)items.count,
		.source = job->source,
	};
	size_t first = job->offset < items.count ? job->offset : items.count;

	result.items = (struct dt_items){ list + first, items.count - first };
	if (result.items.count > job->limit)
		result.items.count = job->limit;
	dt_code_add_previews(job, &result.items);
	dt_code_end(job, &result);
}

/* The server's order: the best comes first. */
static void take_best_first(struct dt_code_job *job,
                            const struct dt_json *result)
{
	tell(job, dt_code_read_locations(&job->arena, result));
}

/* By file and line, so that a page goes on where the one before ended. */
static void take_sorted(struct dt_code_job *job, const struct dt_json *result)
{
	struct dt_items items = dt_code_read_locations(&job->arena, result);

	if (items.count > 1)
		qsort(items.ptr, items.count, sizeof(struct dt_location),
		      compare);
	items.count = drop_doubles(items.ptr, items.count);
	tell(job, items);
}

static void put_references(struct dt_code_job *job, struct dt_json_out *out)
{
	dt_code_put_place(job, out);
	dt_json_key(out, "context");
	dt_json_begin_object(out);
	dt_json_key(out, "includeDeclaration");
	dt_json_put_bool(out, true);
	dt_json_end_object(out);
}

static void locate(struct dt_headless *h, const void *args,
                   struct dt_answer *answer, const struct dt_code_step *step)
{
	const struct dt_locate_args *wanted = args;
	struct dt_code_job *job = dt_code_new(h, wanted->place.path, answer);

	job->offset = wanted->offset;
	job->limit = dt_code_limit(wanted->limit, DT_LIMIT_LOCATIONS);
	if (dt_code_find_place(job, &wanted->place))
		dt_code_ask(job, step);
}

void dt_code_go_to_definition(struct dt_headless *h, const void *args,
                              struct dt_answer *answer)
{
	static const struct dt_code_step step = {
		.method = "textDocument/definition",
		.provider = "definitionProvider",
		.params = dt_code_put_place,
		.take = take_best_first,
		.patience_ms = DT_CODE_LITTLE_PATIENCE_MS,
	};

	locate(h, args, answer, &step);
}

void dt_code_go_to_type_definition(struct dt_headless *h, const void *args,
                                   struct dt_answer *answer)
{
	static const struct dt_code_step step = {
		.method = "textDocument/typeDefinition",
		.provider = "typeDefinitionProvider",
		.params = dt_code_put_place,
		.take = take_best_first,
	};

	locate(h, args, answer, &step);
}

void dt_code_go_to_declaration(struct dt_headless *h, const void *args,
                               struct dt_answer *answer)
{
	static const struct dt_code_step step = {
		.method = "textDocument/declaration",
		.provider = "declarationProvider",
		.params = dt_code_put_place,
		.take = take_best_first,
	};

	locate(h, args, answer, &step);
}

void dt_code_find_implementations(struct dt_headless *h, const void *args,
                                  struct dt_answer *answer)
{
	static const struct dt_code_step step = {
		.method = "textDocument/implementation",
		.provider = "implementationProvider",
		.params = dt_code_put_place,
		.take = take_sorted,
		.patience_ms = DT_CODE_PATIENCE_MS,
	};

	locate(h, args, answer, &step);
}

void dt_code_find_references(struct dt_headless *h, const void *args,
                             struct dt_answer *answer)
{
	static const struct dt_code_step step = {
		.method = "textDocument/references",
		.provider = "referencesProvider",
		.params = put_references,
		.take = take_sorted,
		.patience_ms = DT_CODE_PATIENCE_MS,
	};

	locate(h, args, answer, &step);
}
