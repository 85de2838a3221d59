/*
 * review/lines.c - the shortest edit between two texts, counted and not kept.
 *
 * What is equal at both ends is left out; the rest is measured by the greedy
 * algorithm of E. W. Myers, "An O(ND) Difference Algorithm and Its Variations"
 * (1986).  It runs on the loop, so its work has an end: past that every line
 * counts as changed.
 */
#include "review/lines.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#define EDITS_MAX 4096
#define LINES_MAX 200000
#define WORK_MAX 10000000 /* steps: some ten milliseconds */

struct lines {
	struct dt_str *ptr;
	size_t count;
};

static size_t count_lines(struct dt_str text)
{
	size_t count = text.len > 0 && text.ptr[text.len - 1] != '\n';

	for (size_t i = 0; i < text.len; i++)
		count += text.ptr[i] == '\n';
	return count;
}

static struct lines split(struct dt_str text, size_t count)
{
	struct lines lines = { .ptr = dt_alloc(count * sizeof(*lines.ptr)) };

	while (text.len > 0) {
		const char *end = memchr(text.ptr, '\n', text.len);
		size_t len = end ? (size_t)(end - text.ptr) + 1 : text.len;

		lines.ptr[lines.count++] = (struct dt_str){ text.ptr, len };
		text.ptr += len;
		text.len -= len;
	}
	return lines;
}

/* Leave out the whole lines that are equal at the beginning and the end. */
static void trim(struct dt_str *a, struct dt_str *b)
{
	size_t most = a->len < b->len ? a->len : b->len;
	size_t same = 0;
	size_t whole = 0;

	for (; same < most && a->ptr[same] == b->ptr[same]; same++) {
		if (a->ptr[same] == '\n')
			whole = same + 1;
	}
	*a = (struct dt_str){ a->ptr + whole, a->len - whole };
	*b = (struct dt_str){ b->ptr + whole, b->len - whole };
	most -= whole;
	whole = 0;
	for (same = 0; same < most; same++) {
		char c = a->ptr[a->len - 1 - same];

		if (c != b->ptr[b->len - 1 - same])
			break;
		/* A line that ends before these bytes is not among them. */
		if (c == '\n')
			whole = same;
	}
	a->len -= whole;
	b->len -= whole;
}

struct search {
	struct lines a;
	struct lines b;
	size_t *far; /* by diagonal: how far the edits so far lead into `a` */
	size_t work; /* that is left */
};

/* How far the equal lines lead on from (x, y). */
static size_t follow(struct search *s, size_t x, size_t y)
{
	while (x < s->a.count && y < s->b.count &&
	       dt_str_eq(s->a.ptr[x], s->b.ptr[y])) {
		size_t cost = 1 + s->a.ptr[x].len / 64;

		s->work -= cost < s->work ? cost : s->work;
		x++;
		y++;
	}
	s->work -= s->work > 0;
	return x;
}

/* Whether that many edits can lead to the end of both. */
static bool is_enough(struct search *s, ptrdiff_t edits)
{
	for (ptrdiff_t k = -edits; k <= edits && s->work > 0; k += 2) {
		size_t *at = &s->far[k + EDITS_MAX + 1];
		bool is_down = k == -edits || (k != edits && at[-1] < at[1]);
		size_t x = is_down ? at[1] : at[-1] + 1;
		size_t y = (size_t)((ptrdiff_t)x - k);

		*at = follow(s, x, y);
		y += *at - x;
		if (*at >= s->a.count && y >= s->b.count)
			return true;
	}
	return false;
}

/* The number of edits, or that of all lines when it takes too long. */
static size_t measure(struct search *s)
{
	ptrdiff_t edits = 0;

	s->far = dt_alloc((2 * EDITS_MAX + 3) * sizeof(*s->far));
	s->work = WORK_MAX;
	while (edits <= EDITS_MAX && s->work > 0 && !is_enough(s, edits))
		edits++;
	free(s->far);
	if (edits > EDITS_MAX || s->work == 0)
		return s->a.count + s->b.count;
	return (size_t)edits;
}

uint32_t dt_lines_changed(struct dt_str before, struct dt_str after)
{
	size_t removed;
	size_t added;
	size_t changed;

	if (before.len > 0 && after.len > 0)
		trim(&before, &after);
	removed = count_lines(before);
	added = count_lines(after);
	changed = removed + added;
	if (removed > 0 && added > 0 && changed <= LINES_MAX) {
		struct search search = {
			.a = split(before, removed),
			.b = split(after, added),
		};

		changed = measure(&search);
		free(search.a.ptr);
		free(search.b.ptr);
	}
	return changed < UINT32_MAX ? (uint32_t)changed : UINT32_MAX;
}
