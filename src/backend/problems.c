/*
 * backend/problems.c - the problems of files, by who found them.
 *
 * Who asks servers and linters, and when, is decided elsewhere.  A message is
 * text of a foreign program that models and terminals will read: what would not
 * be shown as it is, or turns the line around, is left out.  Invariant: a file
 * in the list has at least one report, and a report at least one problem; the
 * file that changed last is at the end.
 */
#include "backend/problems.h"

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

struct dt_problems {
	dt_problems_fn *on_change;
	void *owner;
	struct dt_list files;
	size_t file_count;
	uint64_t version;
};

struct dt_problems *dt_problems_new(dt_problems_fn *on_change, void *owner)
{
	struct dt_problems *p = dt_alloc(sizeof(*p));

	*p = (struct dt_problems){ .on_change = on_change, .owner = owner };
	dt_list_init(&p->files);
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

void dt_problems_free(struct dt_problems *p)
{
	if (!p)
		return;
	dt_list_each(file, &p->files, struct file, link)
		free_file(p, file);
	free(p);
}

/* texts */

/* Controls but tab and line feed; marks that order text from right to left,
 * join or hide (U+061C, U+200B-U+200F, U+202A-U+202E, U+2060-U+2069, U+FEFF). */
static bool is_hidden(const char *at, size_t len)
{
	const unsigned char *c = (const unsigned char *)at;

	if (len == 1)
		return (c[0] < ' ' && c[0] != '\t' && c[0] != '\n') ||
		       c[0] == 0x7f;
	if (len == 2)
		return (c[0] == 0xc2 && c[1] < 0xa0) ||
		       (c[0] == 0xd8 && c[1] == 0x9c);
	if (len != 3)
		return false;
	if (c[0] == 0xef)
		return c[1] == 0xbb && c[2] == 0xbf;
	if (c[0] != 0xe2)
		return false;
	return (c[1] == 0x80 && c[2] >= 0x8b && c[2] <= 0x8f) ||
	       (c[1] == 0x80 && c[2] >= 0xaa && c[2] <= 0xae) ||
	       (c[1] == 0x81 && c[2] >= 0xa0 && c[2] <= 0xa9);
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

static const char *clean_z(struct dt_arena *arena, const char *z)
{
	return z ? clean(arena, dt_str(z)).ptr : NULL;
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
	report->count = count;
	for (size_t i = 0; i < count; i++) {
		struct dt_diagnostic *d = &report->items[i];

		*d = items[i];
		d->message = clean(arena, d->message);
		d->source =
			d->source ? clean_z(arena, d->source) : report->source;
		d->code = clean_z(arena, d->code);
	}
	return report;
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

static void changed(struct dt_problems *p, const char *path)
{
	p->version++;
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
	struct report *report = find_report(file, source);

	if (!report)
		return false;
	free_report(report);
	if (dt_list_is_empty(&file->reports))
		free_file(p, file);
	return true;
}

void dt_problems_forget(struct dt_problems *p, const char *source,
                        const char *path)
{
	bool is_other = false;

	dt_list_each(file, &p->files, struct file, link) {
		if (!path || !strcmp(file->path, path))
			is_other |= forget(p, source, file);
	}
	if (is_other)
		changed(p, path);
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
		memcpy(items + count, report->items,
		       report->count * sizeof(*items));
		count += report->count;
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

uint64_t dt_problems_version(const struct dt_problems *p)
{
	return p->version;
}
