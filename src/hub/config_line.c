/*
 * hub/config_line.c - what one line of dovetail.conf is.
 *
 * A line is blank, a comment ("# ..." or "; ..."), "[section]" or "key = value".
 * A value is the rest of the line without the blanks around it: no quotes, no
 * escapes, no comment behind it.  What keys there are is config.c's.
 */
#include "hub/config_line.h"

static struct dt_str without_break(struct dt_str line)
{
	if (line.len > 0 && line.ptr[line.len - 1] == '\n')
		line.len--;
	if (line.len > 0 && line.ptr[line.len - 1] == '\r')
		line.len--;
	return line;
}

static bool read_section(struct dt_str text, struct dt_str *out)
{
	if (text.len < 2 || text.ptr[0] != '[' || text.ptr[text.len - 1] != ']')
		return false;
	*out = dt_str_trim((struct dt_str){ text.ptr + 1, text.len - 2 });
	return out->len > 0;
}

static enum dt_config_line_kind read_line(struct dt_str text,
                                          struct dt_config_line *line)
{
	if (text.len == 0 || text.ptr[0] == '#' || text.ptr[0] == ';')
		return DT_CONFIG_LINE_BLANK;
	if (read_section(text, &line->section))
		return DT_CONFIG_LINE_SECTION;
	if (!memchr(text.ptr, '=', text.len))
		return DT_CONFIG_LINE_WRONG;
	line->name = dt_str_trim(dt_str_cut(&text, '='));
	line->value = dt_str_trim(text);
	return line->name.len > 0 ? DT_CONFIG_LINE_SETTING
	                          : DT_CONFIG_LINE_WRONG;
}

bool dt_config_next_line(struct dt_str *text, struct dt_config_line *line)
{
	const char *end;

	if (text->len == 0)
		return false;
	line->whole = *text;
	end = memchr(text->ptr, '\n', text->len);
	if (end)
		line->whole.len = (size_t)(end - text->ptr) + 1;
	text->ptr += line->whole.len;
	text->len -= line->whole.len;
	line->number++;
	line->kind = read_line(dt_str_trim(without_break(line->whole)), line);
	return true;
}
