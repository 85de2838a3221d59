/*
 * wire/lines.c - bytes cut into lines.
 *
 * What a line holds is the reader's business.  A line that lies whole in the
 * input is handed out from there; `partial` is used only for one that does not,
 * and its memory goes with the line.
 */
#include "wire/lines.h"

void dt_lines_init(struct dt_lines *lines, size_t limit)
{
	*lines = (struct dt_lines){ 0 };
	/* One more than a line may have: its CR comes before its LF. */
	dt_buf_init(&lines->partial, limit + 1);
}

void dt_lines_done(struct dt_lines *lines)
{
	dt_buf_done(&lines->partial);
	*lines = (struct dt_lines){ 0 };
}

static struct dt_str without_cr(struct dt_str line)
{
	if (line.len && line.ptr[line.len - 1] == '\r')
		line.len--;
	return line;
}

/* A run of bytes without LF goes on the line under way: is it too long now? */
static bool passes_limit(const struct dt_lines *lines, struct dt_str run)
{
	size_t limit = lines->partial.limit - 1;

	if (run.len == 0)
		return false;
	return lines->partial.len + without_cr(run).len > limit;
}

/* Add the end of a line to what `partial` holds of it. */
static struct dt_str join(struct dt_lines *lines, struct dt_str run)
{
	if (!lines->partial.len)
		return run;
	dt_buf_add_str(&lines->partial, run);
	lines->is_handed_out = true;
	return dt_buf_str(&lines->partial);
}

static void release(struct dt_lines *lines)
{
	if (lines->is_handed_out)
		dt_buf_done(&lines->partial);
	lines->is_handed_out = false;
}

enum dt_err dt_lines_read(struct dt_lines *lines, struct dt_str bytes,
                          size_t *out_used, struct dt_str *out_line,
                          struct dt_fail *fail)
{
	struct dt_str rest = bytes;
	struct dt_str line = { 0 };

	release(lines);
	while (rest.len && !line.len) {
		const char *lf = memchr(rest.ptr, '\n', rest.len);
		struct dt_str run = rest;

		if (lf)
			run.len = (size_t)(lf - rest.ptr);
		if (passes_limit(lines, run))
			return dt_fail(fail, DT_E_LIMIT,
			               "a line is longer than %zu bytes",
			               lines->partial.limit - 1);
		rest.ptr += run.len + (lf ? 1 : 0);
		rest.len -= run.len + (lf ? 1 : 0);
		if (lf)
			line = without_cr(join(lines, run));
		else
			dt_buf_add_str(&lines->partial, run);
		if (!line.len)
			release(lines);
	}
	*out_used = bytes.len - rest.len;
	*out_line = line.len ? line : (struct dt_str){ 0 };
	return DT_E_OK;
}
