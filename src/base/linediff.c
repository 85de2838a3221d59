/*
 * base/linediff.c - Myers' difference of two texts, in linear space.
 *
 * What both texts begin and end with is left out.  Lines become numbers, equal
 * ones the same.  A line that only one side has is part of the difference
 * whatever else is, so it is set aside before the search begins.  The search
 * goes from both ends and meets in the middle (E. Myers, "An O(ND) Difference
 * Algorithm and Its Variations", 1986, 4b); where it would take too long it is
 * cut at the furthest point it has reached.  That bounds one search and not
 * their number, so all of them share a budget of steps; what is not searched
 * when it ends counts as changed.
 */
#include "base/linediff.h"

#include "base/limits.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define PIECE 4096u
#define PATIENCE 256 /* steps of one search, at least */
#define GONE (-1 - (ptrdiff_t)(SIZE_MAX / 4)) /* no point is on the diagonal */

size_t dt_lines_count(struct dt_str text)
{
	size_t count = 0;

	for (size_t i = 0; i < text.len; i++)
		count += text.ptr[i] == '\n';
	return count + (text.len > 0 && text.ptr[text.len - 1] != '\n');
}

/* How many bytes both begin with, in whole pieces; less is not worth a look. */
static size_t same_start(struct dt_str a, struct dt_str b)
{
	size_t len = a.len < b.len ? a.len : b.len;
	size_t at = 0;

	while (len - at >= PIECE && !memcmp(a.ptr + at, b.ptr + at, PIECE))
		at += PIECE;
	return at;
}

static size_t same_end(struct dt_str a, struct dt_str b)
{
	size_t len = a.len < b.len ? a.len : b.len;
	size_t at = 0;

	while (len - at >= PIECE && !memcmp(a.ptr + a.len - at - PIECE,
	                                    b.ptr + b.len - at - PIECE, PIECE))
		at += PIECE;
	return at;
}

bool dt_lines_are_far(struct dt_str old, struct dt_str fresh)
{
	size_t start;

	if (old.len + fresh.len <= DT_LIMIT_DIFFED)
		return false;
	if (!old.len || !fresh.len)
		return true;
	start = same_start(old, fresh);
	old = (struct dt_str){ old.ptr + start, old.len - start };
	fresh = (struct dt_str){ fresh.ptr + start, fresh.len - start };
	return old.len + fresh.len - 2 * same_end(old, fresh) > DT_LIMIT_DIFFED;
}

struct dt_lines dt_lines_split(struct dt_arena *arena, struct dt_str text)
{
	struct dt_lines lines = { 0 };
	struct dt_str *line;
	const char *end;

	if (text.len == 0)
		return lines;
	end = text.ptr + text.len;
	lines.count = dt_lines_count(text);
	line = dt_arena_alloc(arena, lines.count * sizeof(*line));
	lines.ptr = line;
	for (const char *p = text.ptr; p != end; line++) {
		const char *last = memchr(p, '\n', (size_t)(end - p));

		line->ptr = p;
		p = last ? last + 1 : end;
		line->len = (size_t)(p - line->ptr);
	}
	return lines;
}

/* lines as numbers */

/* Every different line, found by its hash; slots hold its number + 1. */
struct names {
	uint32_t *slots;
	size_t mask;
	struct dt_str *lines;
	uint8_t *sides; /* bit 0: the old text has it; bit 1: the new one */
	uint32_t count;
};

static uint64_t hash(struct dt_str line)
{
	uint64_t h = 14695981039346656037u; /* FNV-1a */

	for (size_t i = 0; i < line.len; i++)
		h = (h ^ (unsigned char)line.ptr[i]) * 1099511628211u;
	return h ^ (h >> 32);
}

static uint32_t name_of(struct names *names, struct dt_str line)
{
	size_t at = hash(line) & names->mask;

	while (names->slots[at]) {
		uint32_t name = names->slots[at] - 1;

		if (dt_str_eq(names->lines[name], line))
			return name;
		at = (at + 1) & names->mask;
	}
	names->lines[names->count] = line;
	names->slots[at] = ++names->count;
	return names->count - 1;
}

/* One text on its way through the search. */
struct side {
	uint32_t *names; /* of all lines; then of those both sides have */
	size_t *at;      /* which line that is */
	size_t count;
	size_t all;       /* lines there were */
	bool *is_changed; /* by line; the result */
};

static void name_side(struct dt_arena *arena, struct names *names,
                      struct dt_lines lines, unsigned bit, struct side *out)
{
	out->names = dt_arena_alloc(arena, lines.count * sizeof(uint32_t));
	out->at = dt_arena_alloc(arena, lines.count * sizeof(size_t));
	out->is_changed = dt_arena_alloc(arena, lines.count + 1);
	out->count = lines.count;
	out->all = lines.count;
	for (size_t i = 0; i < lines.count; i++) {
		out->names[i] = name_of(names, lines.ptr[i]);
		names->sides[out->names[i]] |= (uint8_t)bit;
	}
}

static void set_aside(const struct names *names, struct side *side)
{
	size_t kept = 0;

	for (size_t i = 0; i < side->count; i++) {
		if (names->sides[side->names[i]] != 3) {
			side->is_changed[i] = true;
			continue;
		}
		side->at[kept] = i;
		side->names[kept++] = side->names[i];
	}
	side->count = kept;
}

/* the search */

struct search {
	struct side old;
	struct side fresh;
	/* The furthest x of each diagonal from the start, and from the end;
	 * both point to diagonal 0. */
	ptrdiff_t *ahead;
	ptrdiff_t *back;
	ptrdiff_t patience;
	size_t work; /* steps that are left */
};

/* A part of both sides. */
struct box {
	size_t old_first;
	size_t old_end;
	size_t new_first;
	size_t new_end;
};

struct point {
	size_t x;
	size_t y;
};

static bool is_same(const struct search *s, const struct box *box,
                    struct point p, bool is_back)
{
	size_t i = is_back ? box->old_end - 1 - p.x : box->old_first + p.x;
	size_t j = is_back ? box->new_end - 1 - p.y : box->new_first + p.y;

	return s->old.names[i] == s->fresh.names[j];
}

/* One diagonal walked as far as lines are the same; GONE when it left the
 * box. */
static ptrdiff_t walk(struct search *s, const struct box *box, ptrdiff_t x,
                      ptrdiff_t diagonal, bool is_back)
{
	size_t width = box->old_end - box->old_first;
	size_t height = box->new_end - box->new_first;
	struct point p = { (size_t)x, (size_t)(x - diagonal) };

	if (x < 0 || p.x > width || p.y > height)
		return GONE;
	while (p.x < width && p.y < height && s->work > 0 &&
	       is_same(s, box, p, is_back)) {
		p.x++;
		p.y++;
		s->work--;
	}
	return (ptrdiff_t)p.x;
}

/*
 * Go one edit further on every diagonal from one end.  True when that meets what
 * came from the other end; `out` counts from the end it went from.
 */
static bool step(struct search *s, const struct box *box, ptrdiff_t depth,
                 bool is_back, struct point *out)
{
	ptrdiff_t *mine = is_back ? s->back : s->ahead;
	const ptrdiff_t *other = is_back ? s->ahead : s->back;
	ptrdiff_t width = (ptrdiff_t)(box->old_end - box->old_first);
	ptrdiff_t delta = width - (ptrdiff_t)(box->new_end - box->new_first);
	ptrdiff_t reach = is_back ? depth : depth - 1;
	bool can_meet = (delta % 2 == 0) == is_back;

	for (ptrdiff_t k = -depth; k <= depth && s->work > 0; k += 2) {
		bool is_down = k == -depth ||
		               (k != depth && mine[k - 1] < mine[k + 1]);
		ptrdiff_t x = is_down ? mine[k + 1] : mine[k - 1] + 1;
		ptrdiff_t facing = delta - k;

		s->work--;
		x = walk(s, box, x, k, is_back);
		mine[k] = x;
		if (can_meet && x != GONE && facing >= -reach &&
		    facing <= reach && x + other[facing] >= width) {
			*out = (struct point){ (size_t)x, (size_t)(x - k) };
			return true;
		}
	}
	return false;
}

/* The point furthest from the start, for a search that takes too long. */
static struct point furthest(const struct search *s, ptrdiff_t depth)
{
	struct point best = { 0 };

	for (ptrdiff_t k = -depth; k <= depth; k += 2) {
		struct point p = { (size_t)s->ahead[k],
			           (size_t)(s->ahead[k] - k) };

		if (s->ahead[k] != GONE && p.x + p.y > best.x + best.y)
			best = p;
	}
	return best;
}

/* A point a shortest way leads through.  The first lines of the box differ, and
 * so do the last, so it is neither corner.  False: the work is used up. */
static bool find_middle(struct search *s, const struct box *box,
                        struct point *out)
{
	s->ahead[1] = 0;
	s->back[1] = 0;
	for (ptrdiff_t depth = 0; depth <= s->patience; depth++) {
		if (step(s, box, depth, false, out))
			return true;
		if (step(s, box, depth, true, out)) {
			out->x = box->old_end - box->old_first - out->x;
			out->y = box->new_end - box->new_first - out->y;
			return true;
		}
		if (s->work == 0)
			return false;
	}
	*out = furthest(s, s->patience);
	return true;
}

static void mark(struct side *side, size_t from, size_t end)
{
	for (; from < end; from++)
		side->is_changed[side->at[from]] = true;
}

static void trim(const struct search *s, struct box *b)
{
	const uint32_t *old = s->old.names;
	const uint32_t *fresh = s->fresh.names;

	while (b->old_first < b->old_end && b->new_first < b->new_end &&
	       old[b->old_first] == fresh[b->new_first]) {
		b->old_first++;
		b->new_first++;
	}
	while (b->old_first < b->old_end && b->new_first < b->new_end &&
	       old[b->old_end - 1] == fresh[b->new_end - 1]) {
		b->old_end--;
		b->new_end--;
	}
}

static void compare(struct search *s, struct box box)
{
	/* The second half is the next turn. */
	for (;;) {
		struct box half;
		struct point p;

		trim(s, &box);
		if (box.old_first == box.old_end ||
		    box.new_first == box.new_end || !find_middle(s, &box, &p))
			break;
		half = box;
		half.old_end = box.old_first += p.x;
		half.new_end = box.new_first += p.y;
		compare(s, half);
	}
	mark(&s->old, box.old_first, box.old_end);
	mark(&s->fresh, box.new_first, box.new_end);
}

/* the result */

static size_t run_length(const struct side *side, size_t from, size_t count)
{
	size_t n = 0;

	while (from + n < count && side->is_changed[from + n])
		n++;
	return n;
}

/*
 * Lines that come or go may often be taken one further down: of two equal
 * functions either is the new one.  People read the last possible place best,
 * since what is added then begins where it begins.
 */
static void slide(struct dt_edit *edit, struct dt_lines old,
                  struct dt_lines fresh, size_t old_limit)
{
	bool is_new = edit->old_count == 0;
	const struct dt_str *lines = is_new ? fresh.ptr : old.ptr;
	size_t *first = is_new ? &edit->new_first : &edit->old_first;
	size_t count = is_new ? edit->new_count : edit->old_count;

	if (edit->old_count > 0 && edit->new_count > 0)
		return;
	while (edit->old_first + edit->old_count < old_limit &&
	       dt_str_eq(lines[*first], lines[*first + count])) {
		edit->old_first++;
		edit->new_first++;
	}
}

static struct dt_edits collect(struct dt_arena *arena, const struct search *s,
                               struct dt_lines old, struct dt_lines fresh,
                               size_t head)
{
	size_t room = s->old.all < s->fresh.all ? s->old.all : s->fresh.all;
	struct dt_edit *edits =
		dt_arena_alloc(arena, (room + 1) * sizeof(*edits));
	struct dt_edits found = { edits, 0 };
	struct dt_edit next = { 0 };

	while (next.old_first < s->old.all || next.new_first < s->fresh.all) {
		next.old_count =
			run_length(&s->old, next.old_first, s->old.all);
		next.new_count =
			run_length(&s->fresh, next.new_first, s->fresh.all);
		if (next.old_count + next.new_count > 0)
			edits[found.count++] = (struct dt_edit){
				.old_first = head + next.old_first,
				.old_count = next.old_count,
				.new_first = head + next.new_first,
				.new_count = next.new_count,
			};
		next.old_first += next.old_count + 1;
		next.new_first += next.new_count + 1;
	}
	/* From the last: each may move up to a line before the one behind. */
	for (size_t i = found.count; i > 0; i--)
		slide(&edits[i - 1], old, fresh,
		      i < found.count ? edits[i].old_first - 1 : old.count);
	return found;
}

static void search_all(struct search *s, size_t lines)
{
	size_t room = lines + 3; /* diagonals to one side */
	ptrdiff_t *both = dt_alloc(4 * room * sizeof(*both));
	struct box box = { .old_end = s->old.count, .new_end = s->fresh.count };

	s->ahead = both + room;
	s->back = both + 3 * room;
	s->patience = PATIENCE;
	while ((size_t)(s->patience * s->patience) < lines)
		s->patience *= 2;
	if ((size_t)s->patience > lines)
		s->patience = (ptrdiff_t)lines;
	compare(s, box);
	free(both);
}

/* How many lines both texts begin with, and end with behind those. */
static size_t common_head(struct dt_lines old, struct dt_lines fresh)
{
	size_t n = 0;

	while (n < old.count && n < fresh.count &&
	       dt_str_eq(old.ptr[n], fresh.ptr[n]))
		n++;
	return n;
}

static size_t common_tail(struct dt_lines old, struct dt_lines fresh,
                          size_t head)
{
	size_t n = 0;

	while (n < old.count - head && n < fresh.count - head &&
	       dt_str_eq(old.ptr[old.count - n - 1],
	                 fresh.ptr[fresh.count - n - 1]))
		n++;
	return n;
}

static struct dt_lines between(struct dt_lines lines, size_t head, size_t tail)
{
	if (lines.count > 0)
		lines.ptr += head;
	lines.count -= head + tail;
	return lines;
}

struct dt_edits dt_lines_diff(struct dt_arena *arena, struct dt_lines old,
                              struct dt_lines fresh, size_t *work)
{
	/* Of a large file with a small change hardly anything is left. */
	size_t head = common_head(old, fresh);
	size_t tail = common_tail(old, fresh, head);
	size_t lines = old.count + fresh.count - 2 * (head + tail);
	struct names names = { .mask = 1 };
	struct search search = { .work = work ? *work : DT_LINES_WORK };

	while (names.mask < 2 * lines)
		names.mask *= 2;
	names.slots = dt_alloc(names.mask * sizeof(*names.slots));
	names.mask--;
	names.lines = dt_alloc((lines + 1) * sizeof(*names.lines));
	names.sides = dt_alloc(lines + 1);
	name_side(arena, &names, between(old, head, tail), 1, &search.old);
	name_side(arena, &names, between(fresh, head, tail), 2, &search.fresh);
	set_aside(&names, &search.old);
	set_aside(&names, &search.fresh);
	search_all(&search, search.old.count + search.fresh.count);
	if (work)
		*work = search.work;
	free(names.slots);
	free(names.lines);
	free(names.sides);
	return collect(arena, &search, old, fresh, head);
}
