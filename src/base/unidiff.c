/*
 * base/unidiff.c - hunks written as git writes them.
 *
 * What differs is found by base/linediff.c and put into hunks by base/hunk.c;
 * here are the headers, the names and the line that says that a line has no
 * end.  Modes are not known here: what is created is an ordinary file.
 */
#include "base/unidiff.h"

#include "base/hunk.h"

#include <assert.h>

/* git quotes a name that has one of these, as C does. */
static bool is_odd(char c)
{
	return (unsigned char)c < 0x20 || c == 0x7f || c == '"' || c == '\\';
}

static bool needs_quotes(const char *name)
{
	while (*name && !is_odd(*name))
		name++;
	return *name != '\0';
}

static void add_name(struct dt_buf *out, const char *side, const char *name)
{
	if (!needs_quotes(name)) {
		dt_buf_addf(out, "%s%s", side, name);
		return;
	}
	dt_buf_addf(out, "\"%s", side);
	for (; *name; name++) {
		if (*name == '"' || *name == '\\')
			dt_buf_addf(out, "\\%c", *name);
		else if (is_odd(*name))
			dt_buf_addf(out, "\\%03o", (unsigned char)*name);
		else
			dt_buf_add_char(out, *name);
	}
	dt_buf_add_char(out, '"');
}

static void add_line(struct dt_buf *out, const char *before, const char *side,
                     const char *name)
{
	dt_buf_add_z(out, before);
	add_name(out, side, name);
	dt_buf_add_char(out, '\n');
}

/* "--- a/NAME": after a name with blanks a tab says where it ends. */
static void add_side(struct dt_buf *out, const char *before, const char *side,
                     const char *name)
{
	dt_buf_add_z(out, before);
	if (name)
		add_name(out, side, name);
	else
		dt_buf_add_z(out, "/dev/null");
	dt_buf_add_z(out, name && strchr(name, ' ') ? "\t\n" : "\n");
}

static void add_head(const struct dt_unidiff *file, struct dt_buf *out)
{
	const char *from = file->old_name ? file->old_name : file->new_name;
	const char *to = file->new_name ? file->new_name : file->old_name;

	dt_buf_add_z(out, "diff --git ");
	add_name(out, "a/", from);
	add_line(out, " ", "b/", to);
	if (!file->old_name)
		dt_buf_add_z(out, "new file mode 100644\n");
	else if (!file->new_name)
		dt_buf_add_z(out, "deleted file mode 100644\n");
	else if (strcmp(from, to) != 0) {
		add_line(out, "rename from ", "", from);
		add_line(out, "rename to ", "", to);
	}
}

static void on_line(char mark, struct dt_str line, void *owner)
{
	struct dt_buf *out = owner;

	dt_buf_add_char(out, mark);
	dt_buf_add_str(out, line);
	if (line.ptr[line.len - 1] != '\n')
		dt_buf_add_z(out, "\n\\ No newline at end of file\n");
}

/* A range of no lines is named by the line before it. */
static void add_range(struct dt_buf *out, char mark, size_t first, size_t count)
{
	dt_buf_addf(out, "%c%zu,%zu ", mark, count ? first + 1 : first, count);
}

static void add_hunk(const struct dt_hunks *hunks, size_t n, struct dt_buf *out)
{
	struct dt_edit range;
	struct dt_buf lines;

	dt_buf_init(&lines, out->limit);
	dt_hunks_show(hunks, n, &range, on_line, &lines);
	dt_buf_add_z(out, "@@ ");
	add_range(out, '-', range.old_first, range.old_count);
	add_range(out, '+', range.new_first, range.new_count);
	dt_buf_add_z(out, "@@\n");
	dt_buf_add_str(out, dt_buf_str(&lines));
	out->overflow |= lines.overflow;
	dt_buf_done(&lines);
}

void dt_unidiff_write(const struct dt_unidiff *file, struct dt_buf *out)
{
	bool is_same = file->old_name && file->new_name &&
	               !strcmp(file->old_name, file->new_name);
	struct dt_hunks hunks;

	assert(file->old_name || file->new_name);
	dt_hunks_init(&hunks, file->old_text, file->new_text, file->work);
	if (hunks.count > 0 || !is_same)
		add_head(file, out);
	if (hunks.count > 0) {
		add_side(out, "--- ", "a/", file->old_name);
		add_side(out, "+++ ", "b/", file->new_name);
	}
	for (size_t i = 0; i < hunks.count; i++)
		add_hunk(&hunks, i, out);
	dt_hunks_done(&hunks);
}
