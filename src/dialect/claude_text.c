/*
 * dialect/claude_text.c - byte order marks and line ends, as the CLI has them.
 *
 * What is shown to the person must be what the CLI then writes, and what the
 * person writes must survive the CLI; so its habits are repeated here, seen with
 * 2.1.325.
 */
#include "dialect/claude_text.h"

#include "base/utf8.h"

#define MARK DT_STR("\xef\xbb\xbf")

/* The CLI looks no further for line ends. */
#define HEAD_BYTES 4096

static struct dt_str without_mark(struct dt_str bytes)
{
	if (!dt_str_starts(bytes, MARK))
		return bytes;
	return (struct dt_str){ bytes.ptr + MARK.len, bytes.len - MARK.len };
}

static bool is_mostly_crlf(struct dt_str bytes)
{
	size_t len = bytes.len < HEAD_BYTES ? bytes.len : HEAD_BYTES;
	size_t crlf = 0;
	size_t lf = 0;

	for (size_t i = 0; i < len; i++) {
		if (bytes.ptr[i] != '\n')
			continue;
		if (i > 0 && bytes.ptr[i - 1] == '\r')
			crlf++;
		else
			lf++;
	}
	return crlf > lf;
}

enum dt_err dt_claude_form_of(struct dt_str bytes, struct dt_claude_form *out,
                              struct dt_fail *fail)
{
	if (bytes.len && memchr(bytes.ptr, '\0', bytes.len))
		return dt_fail(fail, DT_E_UNSUPPORTED,
		               "the file is no text: it has NUL bytes");
	if (!dt_utf8_is_valid(bytes))
		return dt_fail(fail, DT_E_UNSUPPORTED, "the file is not UTF-8");
	out->has_mark = dt_str_starts(bytes, MARK);
	out->is_crlf = is_mostly_crlf(bytes);
	return DT_E_OK;
}

static struct dt_str to_lf(struct dt_arena *arena, struct dt_str text)
{
	char *made = dt_arena_bytes(arena, text.len + 1);
	size_t len = 0;

	for (size_t i = 0; i < text.len; i++) {
		bool is_crlf = text.ptr[i] == '\r' && i + 1 < text.len &&
		               text.ptr[i + 1] == '\n';

		if (!is_crlf)
			made[len++] = text.ptr[i];
	}
	return (struct dt_str){ made, len };
}

static struct dt_str to_crlf(struct dt_arena *arena, struct dt_str text)
{
	char *made = dt_arena_bytes(arena, 2 * text.len + 1);
	size_t len = 0;

	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] == '\n' && (i == 0 || text.ptr[i - 1] != '\r'))
			made[len++] = '\r';
		made[len++] = text.ptr[i];
	}
	return (struct dt_str){ made, len };
}

struct dt_str dt_claude_text_read(struct dt_arena *arena, struct dt_str bytes)
{
	return to_lf(arena, without_mark(bytes));
}

struct dt_str dt_claude_text_write(struct dt_arena *arena,
                                   const struct dt_claude_form *form,
                                   struct dt_str text)
{
	char *made;

	if (form->is_crlf)
		text = to_crlf(arena, text);
	if (!form->has_mark || dt_str_starts(text, MARK))
		return text;
	made = dt_arena_bytes(arena, MARK.len + text.len);
	memcpy(made, MARK.ptr, MARK.len);
	if (text.len)
		memcpy(made + MARK.len, text.ptr, text.len);
	return (struct dt_str){ made, MARK.len + text.len };
}

enum dt_err dt_claude_text_invert(struct dt_arena *arena,
                                  const struct dt_claude_form *form,
                                  struct dt_str bytes, struct dt_str *out,
                                  struct dt_fail *fail)
{
	struct dt_str text = bytes;

	if (form->has_mark && !dt_str_starts(bytes, MARK))
		return dt_fail(fail, DT_E_UNSUPPORTED,
		               "The person's text has no byte order mark, and "
		               "Claude Code would put the file's own before "
		               "it. Nothing was written.");
	if (form->has_mark)
		text = without_mark(text);
	if (!dt_str_eq(dt_claude_text_write(arena, form, text), bytes))
		return dt_fail(fail, DT_E_UNSUPPORTED,
		               "Lines of the person's text end in LF, and "
		               "Claude Code would write CRLF as in the rest "
		               "of the file. Nothing was written.");
	*out = text;
	return DT_E_OK;
}
