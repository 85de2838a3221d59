/*
 * backend/code_lines.c - what is known of the lines of a file: hints, words,
 * folds, links, lenses.
 *
 * Servers tell the whole file or a range as they like, so the lines that were
 * asked for are picked here in any case.
 */
#include "backend/code_job.h"

#include "backend/code_read.h"
#include "base/limits.h"
#include "base/path.h"
#include "editor/text.h"

static struct dt_code_job *new_job(struct dt_headless *h, const void *args,
                                   struct dt_answer *answer)
{
	const struct dt_lines_args *wanted = args;
	struct dt_code_job *job = dt_code_new(h, wanted->path, answer);

	job->lines = *wanted;
	job->lines.path = job->place.path;
	job->limit = dt_code_limit(wanted->limit, DT_LIMIT_TOKENS);
	return job;
}

static bool is_wanted(const struct dt_code_job *job, uint32_t line)
{
	return (!job->lines.first.is_set || line >= job->lines.first.value) &&
	       (!job->lines.last.is_set || line <= job->lines.last.value);
}

/* inlay hints */

static void put_lines(struct dt_code_job *job, struct dt_json_out *out)
{
	struct dt_range range = { 0 };
	struct dt_buf text;

	/* Some servers refuse an end that the file does not have. */
	if (dt_code_text(job->h, job->place.path, &text))
		range.end = dt_text_to_position(dt_buf_str(&text), text.len);
	dt_buf_done(&text);
	if (job->lines.first.is_set && job->lines.first.value < range.end.line)
		range.start.line = job->lines.first.value;
	if (job->lines.last.is_set && job->lines.last.value < range.end.line)
		range.end =
			(struct dt_position){ job->lines.last.value + 1, 0 };
	dt_code_put_range(out, "range", &range);
}

/* A text, or parts with a value each. */
static struct dt_str read_label(struct dt_arena *arena,
                                const struct dt_json *json)
{
	const char *label = dt_code_read_name(arena, json);

	dt_json_each(part, dt_code_list(json)) {
		const char *value =
			dt_code_read_name(arena, dt_json_get(part, "value"));

		if (value)
			label = dt_arena_printf(arena, "%s%s",
			                        label ? label : "", value);
	}
	return dt_str(label);
}

/* A part may say which file it is from, and that may be one that is kept from
 * agents. */
static bool may_tell(struct dt_code_job *job, const struct dt_json *label)
{
	const struct dt_world *world = &job->h->world;

	dt_json_each(part, dt_code_list(label)) {
		const char *path = dt_code_read_path(
			&job->arena,
			dt_json_get(dt_json_get(part, "location"), "uri"));

		if (path && world->may_leave &&
		    !world->may_leave(world->owner, path))
			return false;
	}
	return true;
}

static const char *read_hint_kind(struct dt_arena *arena,
                                  const struct dt_json *json)
{
	static const char *const kinds[] = { NULL, "type", "parameter" };
	uint32_t kind = dt_code_read_u32(json, 0);

	if (kind > 0)
		return kind < 3 ? kinds[kind] : NULL;
	return dt_code_read_name(arena, json); /* clangd's own */
}

static void take_hints(struct dt_code_job *job, const struct dt_json *result)
{
	const struct dt_json *list = dt_code_list(result);
	struct dt_inlay_hint *hints =
		dt_arena_alloc(&job->arena, (list->count + 1) * sizeof(*hints));
	struct dt_inlay_hints_result told = {
		.items = { .ptr = hints },
		.source = job->source,
	};

	dt_json_each(one, list) {
		struct dt_inlay_hint hint = {
			.label = read_label(&job->arena,
			                    dt_json_get(one, "label")),
			.kind = read_hint_kind(&job->arena,
			                       dt_json_get(one, "kind")),
		};

		if (!dt_code_read_position(dt_json_get(one, "position"),
		                           &hint.at) ||
		    !hint.label.ptr || !is_wanted(job, hint.at.line) ||
		    !may_tell(job, dt_json_get(one, "label")))
			continue;
		told.total++;
		if (told.items.count < job->limit)
			hints[told.items.count++] = hint;
	}
	dt_code_end(job, &told);
}

void dt_code_get_inlay_hints(struct dt_headless *h, const void *args,
                             struct dt_answer *answer)
{
	static const struct dt_code_step clangd = {
		.method = "clangd/inlayHints",
		.provider = "clangdInlayHintsProvider",
		.params = put_lines,
		.take = take_hints,
	};
	static const struct dt_code_step step = {
		.method = "textDocument/inlayHint",
		.provider = "inlayHintProvider",
		.params = put_lines,
		.take = take_hints,
		.otherwise = &clangd,
	};

	dt_code_ask(new_job(h, args, answer), &step);
}

/* semantic tokens */

/* Five numbers are one token: lines and columns from the one before, length,
 * type and modifiers as bits. */
struct cursor {
	struct dt_position at;
	struct dt_str rest; /* of the text, from that line on */
};

static void advance(struct cursor *c, uint32_t lines, uint32_t columns)
{
	if (lines == 0) {
		c->at.character += columns;
		return;
	}
	c->at.line += lines;
	c->at.character = columns;
	if (c->rest.ptr) {
		size_t from = dt_text_to_byte(
			c->rest, (struct dt_position){ .line = lines });

		c->rest.ptr += from;
		c->rest.len -= from;
	}
}

static struct dt_str slice(struct dt_arena *arena, const struct cursor *c,
                           uint32_t length)
{
	struct dt_range range = {
		{ .character = c->at.character },
		{ .character = c->at.character + length },
	};
	struct dt_str text = { 0 };

	if (c->rest.ptr)
		text = dt_text_slice(c->rest, range);
	if (text.ptr)
		text.ptr = dt_arena_strndup(arena, text.ptr, text.len);
	return text;
}

static struct dt_names names_of(struct dt_arena *arena, uint32_t bits,
                                const struct dt_names *all)
{
	struct dt_names names = {
		.ptr = dt_arena_alloc(arena, 32 * sizeof(const char *)),
	};

	for (size_t i = 0; i < all->count && i < 32; i++) {
		if (bits & (UINT32_C(1) << i))
			names.ptr[names.count++] = all->ptr[i];
	}
	return names;
}

static void read_tokens(struct dt_code_job *job, const struct dt_json *data,
                        struct cursor *c, struct dt_tokens_result *told)
{
	struct dt_token *tokens = told->items.ptr;
	uint32_t five[5];
	size_t n = 0;

	dt_json_each(number, data) {
		five[n++] = dt_code_read_u32(number, 0);
		if (n < 5)
			continue;
		n = 0;
		advance(c, five[0], five[1]);
		if (!is_wanted(job, c->at.line))
			continue;
		told->total++;
		if (told->items.count == job->limit)
			continue;
		tokens[told->items.count++] = (struct dt_token){
			.at = c->at,
			.length = five[2],
			.text = slice(&job->arena, c, five[2]),
			.type = five[3] < told->types.count
			                ? told->types.ptr[five[3]]
			                : "unknown",
			.modifiers = names_of(&job->arena, five[4],
			                      &told->modifiers),
		};
	}
}

static void take_tokens(struct dt_code_job *job, const struct dt_json *result)
{
	const struct dt_json *data = dt_code_list(dt_json_get(result, "data"));
	const struct dt_json *legend = dt_json_get(
		dt_json_get(job->capabilities, "semanticTokensProvider"),
		"legend");
	struct dt_tokens_result told = {
		.types = dt_code_read_names(&job->arena,
		                            dt_json_get(legend, "tokenTypes")),
		.modifiers = dt_code_read_names(
			&job->arena, dt_json_get(legend, "tokenModifiers")),
		.source = job->source,
	};
	struct cursor c = { 0 };
	struct dt_buf text;

	told.items.ptr = dt_arena_alloc(
		&job->arena, (data->count / 5 + 1) * sizeof(struct dt_token));
	if (dt_code_text(job->h, job->place.path, &text))
		c.rest = dt_buf_str(&text);
	read_tokens(job, data, &c, &told);
	dt_buf_done(&text);
	dt_code_end(job, &told);
}

void dt_code_get_semantic_tokens(struct dt_headless *h, const void *args,
                                 struct dt_answer *answer)
{
	static const struct dt_code_step range = {
		.method = "textDocument/semanticTokens/range",
		.provider = "semanticTokensProvider.range",
		.params = put_lines,
		.take = take_tokens,
	};
	static const struct dt_code_step step = {
		.method = "textDocument/semanticTokens/full",
		.provider = "semanticTokensProvider.full",
		.take = take_tokens,
		.otherwise = &range,
	};

	dt_code_ask(new_job(h, args, answer), &step);
}

/* folding ranges */

static void take_foldings(struct dt_code_job *job, const struct dt_json *result)
{
	const struct dt_json *list = dt_code_list(result);
	struct dt_folding *foldings = dt_arena_alloc(
		&job->arena, (list->count + 1) * sizeof(*foldings));
	struct dt_foldings_result told = {
		.items = { .ptr = foldings },
		.source = job->source,
	};

	dt_json_each(one, list) {
		struct dt_folding folding = {
			.first = dt_code_read_u32(dt_json_get(one, "startLine"),
			                          UINT32_MAX),
			.last = dt_code_read_u32(dt_json_get(one, "endLine"),
			                         0),
			.kind = dt_code_read_name(&job->arena,
			                          dt_json_get(one, "kind")),
		};

		if (folding.first > folding.last ||
		    !is_wanted(job, folding.first))
			continue;
		told.total++;
		if (told.items.count < job->limit)
			foldings[told.items.count++] = folding;
	}
	dt_code_end(job, &told);
}

void dt_code_get_folding_ranges(struct dt_headless *h, const void *args,
                                struct dt_answer *answer)
{
	static const struct dt_code_step step = {
		.method = "textDocument/foldingRange",
		.provider = "foldingRangeProvider",
		.take = take_foldings,
	};

	dt_code_ask(new_job(h, args, answer), &step);
}

/* links */

static void take_links(struct dt_code_job *job, const struct dt_json *result)
{
	const struct dt_json *list = dt_code_list(result);
	struct dt_document_link *links =
		dt_arena_alloc(&job->arena, (list->count + 1) * sizeof(*links));
	struct dt_document_links_result told = {
		.items = { .ptr = links },
		.source = job->source,
	};

	dt_json_each(one, list) {
		struct dt_document_link *link = &links[told.items.count];
		const struct dt_json *target = dt_json_get(one, "target");

		if (!dt_code_read_range(dt_json_get(one, "range"),
		                        &link->range))
			continue;
		link->target = dt_code_read_path(&job->arena, target);
		if (!link->target)
			link->target = dt_code_read_name(&job->arena, target);
		link->tooltip = dt_code_read_name(&job->arena,
		                                  dt_json_get(one, "tooltip"));
		told.items.count++;
	}
	dt_code_end(job, &told);
}

void dt_code_get_document_links(struct dt_headless *h, const void *args,
                                struct dt_answer *answer)
{
	static const struct dt_code_step step = {
		.method = "textDocument/documentLink",
		.provider = "documentLinkProvider",
		.take = take_links,
	};
	const struct dt_path_args *wanted = args;

	dt_code_ask(dt_code_new(h, wanted->path, answer), &step);
}
