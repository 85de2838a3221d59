/*
 * backend/hits.c - lines with what stands around them, cut to a size.
 *
 * Whoever looks tells lines file by file; what a file's lines become is decided
 * at its end, when it is known whether it was a text and may be told of.  So a
 * file that is left out leaves no trace, not even in the count.
 */
#include "backend/hits.h"

#include "base/limits.h"
#include "base/utf8.h"

#include <stdlib.h>

#define LEAD 200 /* bytes shown before a match far to the right */

void dt_hits_init(struct dt_hits *hits, uint32_t max, uint32_t context)
{
	*hits = (struct dt_hits){ .max = max, .context = context };
}

void dt_hits_done(struct dt_hits *hits)
{
	free(hits->list);
	free(hits->lines);
	dt_arena_done(&hits->arena);
	dt_arena_done(&hits->file_arena);
	*hits = (struct dt_hits){ 0 };
}

/* one line */

/* What is no UTF-8 is counted in bytes. */
static uint32_t column(struct dt_str line, size_t byte)
{
	struct dt_str before = { line.ptr, byte < line.len ? byte : line.len };

	return (uint32_t)(dt_utf8_is_valid(before) ? dt_utf16_len(before)
	                                           : before.len);
}

/* Where to begin, so that the match is in what is shown. */
static size_t window_of(const struct dt_hit *hit)
{
	size_t begin;

	if (hit->end <= DT_LIMIT_FOUND_LINE || hit->start <= LEAD)
		return 0;
	begin = hit->start - LEAD;
	while (begin < hit->start &&
	       ((unsigned char)hit->text.ptr[begin] & 0xc0) == 0x80)
		begin++;
	return begin;
}

static struct dt_str shorten(struct dt_str text, size_t begin)
{
	struct dt_str rest = { text.ptr + begin, text.len - begin };

	rest.len = rest.len > DT_LIMIT_FOUND_LINE
	                   ? dt_utf8_cut(rest, DT_LIMIT_FOUND_LINE)
	                   : rest.len;
	return rest;
}

void dt_hits_add(struct dt_hits *hits, const struct dt_hit *hit, bool is_match)
{
	struct dt_str shown = shorten(hit->text, is_match ? window_of(hit) : 0);
	struct dt_hits_line *line;

	if (hits->line_count == hits->line_room) {
		hits->line_room = hits->line_room ? hits->line_room * 2 : 64;
		hits->lines = dt_realloc(
			hits->lines, hits->line_room * sizeof(*hits->lines));
	}
	line = &hits->lines[hits->line_count++];
	*line = (struct dt_hits_line){
		.hit = *hit,
		.is_match = is_match,
		.is_part = shown.len < hit->text.len,
		.start = is_match ? column(hit->text, hit->start) : 0,
		.end = is_match ? column(hit->text, hit->end) : 0,
	};
	line->hit.offset += (uint64_t)(shown.ptr - hit->text.ptr);
	line->hit.text.ptr =
		dt_arena_strndup(&hits->file_arena, shown.ptr, shown.len);
	line->hit.text.len = shown.len;
}

/* one file */

/* Lines next to the one at `at`: so many as follow one another without a gap,
 * before it (step -1) or behind it. */
static struct dt_names beside(struct dt_hits *hits, size_t at, int step)
{
	const struct dt_hits_line *lines = hits->lines;
	struct dt_names names = { 0 };
	size_t count = 0;

	while (count < hits->context) {
		size_t next = step < 0 ? at - count - 1 : at + count + 1;
		uint32_t gap = (uint32_t)count + 1;

		if (next >= hits->line_count ||
		    (step < 0 ? lines[next].hit.line + gap != lines[at].hit.line
		              : lines[at].hit.line + gap !=
		                        lines[next].hit.line))
			break;
		count++;
	}
	names.ptr =
		dt_arena_alloc(&hits->arena, (count + 1) * sizeof(*names.ptr));
	names.count = count;
	for (size_t i = 0; i < count; i++) {
		size_t from = step < 0 ? at - count + i : at + 1 + i;

		names.ptr[i] =
			dt_arena_strndup(&hits->arena, lines[from].hit.text.ptr,
		                         lines[from].hit.text.len);
	}
	return names;
}

static void keep(struct dt_hits *hits, const char *path, size_t at)
{
	const struct dt_hits_line *line = &hits->lines[at];
	struct dt_str text = line->hit.text;

	if (hits->count == hits->room) {
		hits->room = hits->room ? hits->room * 2 : 64;
		hits->list = dt_realloc(hits->list,
		                        hits->room * sizeof(*hits->list));
	}
	hits->list[hits->count++] = (struct dt_search_match){
		.path = path,
		.range = { { line->hit.line, line->start },
		           { line->hit.line, line->end } },
		.text = { dt_arena_strndup(&hits->arena, text.ptr, text.len),
		          text.len },
		.is_part = line->is_part,
		.before = beside(hits, at, -1),
		.after = beside(hits, at, 1),
	};
}

bool dt_hits_end_file(struct dt_hits *hits, const char *path)
{
	path = dt_arena_strdup(&hits->arena, path);
	for (size_t i = 0; path && i < hits->line_count; i++) {
		if (!hits->lines[i].is_match)
			continue;
		hits->is_cut |= hits->count == hits->max;
		if (!hits->is_cut)
			keep(hits, path, i);
	}
	hits->line_count = 0;
	dt_arena_done(&hits->file_arena);
	return !hits->is_cut;
}

/* all of them */

static int compare(const void *a, const void *b)
{
	const struct dt_search_match *one = a;
	const struct dt_search_match *two = b;
	int order = strcmp(one->path, two->path);

	if (order != 0)
		return order;
	return one->range.start.line < two->range.start.line ? -1 : 1;
}

void dt_hits_list(struct dt_hits *hits, struct dt_search_result *out)
{
	if (hits->count > 0)
		qsort(hits->list, hits->count, sizeof(*hits->list), compare);
	out->matches = (struct dt_items){ hits->list, hits->count };
	out->is_cut |= hits->is_cut;
}
