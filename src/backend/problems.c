/*
 * backend/problems.c - the problems of files, by who found them.
 *
 * Who asks servers and linters, and when, is decided elsewhere.  A message is
 * text of a foreign program that models and terminals will read: what would not
 * be shown as it is, or turns the line around, is left out.  Invariant: a file
 * in the list has at least one report, and a report at least one problem; the
 * file that changed last is at the end, there and among the marks.
 */
#include "backend/problems.h"

#include "base/clock.h"
#include "base/limits.h"
#include "base/list.h"
#include "base/utf8.h"

#include <stdlib.h>

/* What one source knows of one file. */
struct report {
	struct dt_list link;
	struct dt_arena arena; /* holds what follows, and itself not */
	const char *source;
	struct dt_diagnostic *items;
	size_t count;
};

struct file {
	struct dt_list link;
	char *path;
	struct dt_list reports;
};

/* When a file changed, with or without problems since then. */
struct mark {
	struct dt_list link;
	char *path;
	int64_t version;
};

struct dt_problems {
	dt_problems_fn *on_change;
	void *owner;
	struct dt_list files;
	size_t file_count;
	struct dt_list marks;
	size_t mark_count;
	int64_t version;
	int64_t unmarked; /* of files without a mark */
};

struct dt_problems *dt_problems_new(dt_problems_fn *on_change, void *owner)
{
	struct dt_problems *p = dt_alloc(sizeof(*p));

	*p = (struct dt_problems){ .on_change = on_change, .owner = owner };
	p->version = p->unmarked = dt_clock_wall_ms();
	dt_list_init(&p->files);
	dt_list_init(&p->marks);
	return p;
}

static void free_report(struct report *report)
{
	dt_list_remove(&report->link);
	dt_arena_done(&report->arena);
	free(report);
}

static void free_file(struct dt_problems *p, struct file *file)
{
	dt_list_each(report, &file->reports, struct report, link)
		free_report(report);
	dt_list_remove(&file->link);
	p->file_count--;
	free(file->path);
	free(file);
}

static void free_mark(struct dt_problems *p, struct mark *mark)
{
	dt_list_remove(&mark->link);
	p->mark_count--;
	free(mark->path);
	free(mark);
}

void dt_problems_free(struct dt_problems *p)
{
	if (!p)
		return;
	dt_list_each(mark, &p->marks, struct mark, link)
		free_mark(p, mark);
	dt_list_each(file, &p->files, struct file, link)
		free_file(p, file);
	free(p);
}

/* texts */

/* Controls but tab and line feed; other line ends; marks that order text from
 * right to left, join or hide. */
static const struct {
	uint32_t first;
	uint32_t last;
} hidden[] = {
	{ 0x00, 0x08 },     { 0x0b, 0x1f },     { 0x7f, 0x9f },
	{ 0xad, 0xad },     { 0x61c, 0x61c },   { 0x180e, 0x180e },
	{ 0x200b, 0x200f }, { 0x2028, 0x202e }, { 0x2060, 0x206f },
	{ 0xfeff, 0xfeff }, { 0xfff9, 0xfffb }, { 0xe0000, 0xe0fff },
};

/* Of one whole character. */
static uint32_t code_of(const char *at, size_t len)
{
	const unsigned char *c = (const unsigned char *)at;
	uint32_t code = len == 1 ? c[0] : c[0] & (0x7fu >> len);

	for (size_t i = 1; i < len; i++)
		code = code << 6 | (c[i] & 0x3f);
	return code;
}

static bool is_hidden(const char *at, size_t len)
{
	uint32_t code = code_of(at, len);

	for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++) {
		if (code >= hidden[i].first && code <= hidden[i].last)
			return true;
	}
	return false;
}

/* The text without what is hidden, wrong bytes left out, at most so many
 * characters; with a NUL behind it. */
static struct dt_str clean(struct dt_arena *arena, struct dt_str text)
{
	char *out = dt_arena_bytes(arena, text.len + 1);
	size_t used = 0;
	size_t chars = 0;
	size_t i = 0;

	while (i < text.len && chars < DT_LIMIT_PROBLEM_CHARS) {
		size_t rest = text.len - i;
		size_t n = 1;

		while (n < 4 && n < rest &&
		       !dt_utf8_is_valid((struct dt_str){ text.ptr + i, n }))
			n++;
		if (!dt_utf8_is_valid((struct dt_str){ text.ptr + i, n })) {
			i++;
			continue;
		}
		if (!is_hidden(text.ptr + i, n)) {
			memcpy(out + used, text.ptr + i, n);
			used += n;
			chars++;
		}
		i += n;
	}
	out[used] = '\0';
	dt_arena_shrink(arena, out, text.len + 1, used + 1);
	return (struct dt_str){ out, used };
}

const char *dt_problem_text(struct dt_arena *arena, const char *text)
{
	return text ? clean(arena, dt_str(text)).ptr : NULL;
}

/* reports */

static struct file *find_file(struct dt_problems *p, const char *path)
{
	dt_list_each(file, &p->files, struct file, link) {
		if (!strcmp(file->path, path))
			return file;
	}
	return NULL;
}

static struct report *find_report(struct file *file, const char *source)
{
	dt_list_each(report, &file->reports, struct report, link) {
		if (!strcmp(report->source, source))
			return report;
	}
	return NULL;
}

static bool same_z(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool same_problem(const struct dt_diagnostic *a,
                         const struct dt_diagnostic *b)
{
	return a->severity == b->severity &&
	       !memcmp(&a->range, &b->range, sizeof(a->range)) &&
	       dt_str_eq(a->message, b->message) &&
	       same_z(a->source, b->source) && same_z(a->code, b->code);
}

static bool is_among(const struct dt_diagnostic *d,
                     const struct dt_diagnostic *items, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (same_problem(d, &items[i]))
			return true;
	}
	return false;
}

static struct dt_names copy_names(struct dt_arena *arena,
                                  const struct dt_names *from)
{
	struct dt_names copy = { .count = from->count };

	copy.ptr = dt_arena_alloc(arena, (from->count + 1) * sizeof(char *));
	for (size_t i = 0; i < from->count; i++)
		copy.ptr[i] = dt_arena_strdup(arena, from->ptr[i]);
	return copy;
}

static struct report *new_report(const char *source,
                                 const struct dt_diagnostic *items,
                                 size_t count)
{
	struct report *report = dt_alloc(sizeof(*report));
	struct dt_arena *arena = &report->arena;

	if (count > DT_LIMIT_PROBLEMS)
		count = DT_LIMIT_PROBLEMS;
	dt_list_init(&report->link);
	report->source = dt_arena_strdup(arena, source);
	report->items = dt_arena_alloc(arena, count * sizeof(*items));
	for (size_t i = 0; i < count; i++) {
		struct dt_diagnostic *d = &report->items[report->count];

		*d = items[i];
		d->message = clean(arena, d->message);
		d->source = d->source ? dt_problem_text(arena, d->source)
		                      : report->source;
		d->code = dt_problem_text(arena, d->code);
		d->about = copy_names(arena, &d->about);
		/* clang says some things twice. */
		if (!is_among(d, report->items, report->count))
			report->count++;
	}
	return report;
}

static bool same_report(const struct report *a, const struct report *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++) {
		if (!same_problem(&a->items[i], &b->items[i]))
			return false;
	}
	return true;
}

static struct mark *find_mark(const struct dt_problems *p, const char *path)
{
	dt_list_each(mark, &p->marks, struct mark, link) {
		if (!strcmp(mark->path, path))
			return mark;
	}
	return NULL;
}

static struct mark *new_mark(struct dt_problems *p, const char *path)
{
	struct mark *mark;

	if (p->mark_count >= DT_LIMIT_PROBLEM_FILES) {
		mark = DT_LIST_OF(p->marks.next, struct mark, link);
		p->unmarked = mark->version;
		free_mark(p, mark);
	}
	mark = dt_alloc(sizeof(*mark));
	mark->path = dt_strdup(path);
	dt_list_init(&mark->link);
	p->mark_count++;
	return mark;
}

static void changed(struct dt_problems *p, const char *path)
{
	struct mark *mark = find_mark(p, path);
	int64_t now = dt_clock_wall_ms();

	if (!mark)
		mark = new_mark(p, path);
	p->version = now > p->version ? now : p->version + 1;
	mark->version = p->version;
	dt_list_remove(&mark->link);
	dt_list_append(&p->marks, &mark->link);
	if (p->on_change)
		p->on_change(path, p->owner);
}

static struct file *new_file(struct dt_problems *p, const char *path)
{
	struct file *file;

	if (p->file_count >= DT_LIMIT_PROBLEM_FILES)
		free_file(p, DT_LIST_OF(p->files.next, struct file, link));
	file = dt_alloc(sizeof(*file));
	file->path = dt_strdup(path);
	dt_list_init(&file->reports);
	dt_list_append(&p->files, &file->link);
	p->file_count++;
	return file;
}

void dt_problems_set(struct dt_problems *p, const char *path,
                     const char *source, const struct dt_diagnostic *items,
                     size_t count)
{
	struct file *file = find_file(p, path);
	struct report *old = file ? find_report(file, source) : NULL;
	struct report *report;

	if (!count) {
		dt_problems_forget(p, source, path);
		return;
	}
	report = new_report(source, items, count);
	if (old && same_report(old, report)) {
		free_report(report);
		return;
	}
	if (!file)
		file = new_file(p, path);
	if (old)
		free_report(old);
	dt_list_append(&file->reports, &report->link);
	dt_list_remove(&file->link);
	dt_list_append(&p->files, &file->link);
	changed(p, path);
}

/* True when it knew something of this file, which may be gone behind it. */
static bool forget(struct dt_problems *p, const char *source, struct file *file)
{
	bool is_other = false;

	dt_list_each(report, &file->reports, struct report, link) {
		if (source && strcmp(report->source, source) != 0)
			continue;
		free_report(report);
		is_other = true;
	}
	if (dt_list_is_empty(&file->reports))
		free_file(p, file);
	return is_other;
}

void dt_problems_forget(struct dt_problems *p, const char *source,
                        const char *path)
{
	dt_list_each(file, &p->files, struct file, link) {
		char *name;

		if (path && strcmp(file->path, path) != 0)
			continue;
		name = dt_strdup(file->path);
		if (forget(p, source, file))
			changed(p, name);
		free(name);
	}
}

/* reading */

static struct dt_file_diagnostics describe(const struct file *file,
                                           struct dt_arena *arena)
{
	struct dt_diagnostic *items;
	size_t total = 0;
	size_t count = 0;

	dt_list_each(report, &file->reports, struct report, link)
		total += report->count;
	items = dt_arena_alloc(arena, total * sizeof(*items));
	dt_list_each(report, &file->reports, struct report, link) {
		size_t others = count;

		for (size_t i = 0; i < report->count; i++) {
			if (!is_among(&report->items[i], items, others))
				items[count++] = report->items[i];
		}
	}
	return (struct dt_file_diagnostics){ file->path, { items, count } };
}

struct dt_items dt_problems_get(struct dt_problems *p, struct dt_arena *arena,
                                const char *path)
{
	struct dt_file_diagnostics *files =
		dt_arena_alloc(arena, p->file_count * sizeof(*files));
	struct dt_items found = { files, 0 };

	dt_list_each(file, &p->files, struct file, link) {
		if (!path || !strcmp(file->path, path))
			files[found.count++] = describe(file, arena);
	}
	return found;
}

int64_t dt_problems_version(const struct dt_problems *p, const char *path)
{
	const struct mark *mark = path ? find_mark(p, path) : NULL;

	if (!path)
		return p->version;
	return mark ? mark->version : p->unmarked;
}
