/*
 * base/visible.c - what a reader would not see in a text, spelled out.
 *
 * Agents choose what a person reads before deciding.  A character that hides,
 * moves or turns round other characters would let a text look like another one.
 */
#include "base/visible.h"

#include "base/utf8.h"

static const struct {
	uint32_t first;
	uint32_t last;
} hidden[] = {
	{ 0x00, 0x1f },     { 0x7f, 0xa0 },       { 0xad, 0xad },
	{ 0x34f, 0x34f },   { 0x61c, 0x61c },     { 0x115f, 0x1160 },
	{ 0x1680, 0x1680 }, { 0x17b4, 0x17b5 },   { 0x180b, 0x180f },
	{ 0x2000, 0x200f }, { 0x2028, 0x202f },   { 0x205f, 0x206f },
	{ 0x2800, 0x2800 }, { 0x3000, 0x3000 },   { 0x3164, 0x3164 },
	{ 0xfe00, 0xfe0f }, { 0xfeff, 0xfeff },   { 0xffa0, 0xffa0 },
	{ 0xfff0, 0xfffb }, { 0x1d173, 0x1d17a }, { 0xe0000, 0xe0fff },
};

bool dt_visible_is_hidden(uint32_t code)
{
	for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++) {
		if (code <= hidden[i].last)
			return code >= hidden[i].first;
	}
	return false;
}

bool dt_visible_read(struct dt_str text, uint32_t *out_code, size_t *out_len)
{
	const unsigned char *p = (const unsigned char *)text.ptr;
	size_t len = *p < 0x80 ? 1 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : 4;
	uint32_t code = len == 1 ? *p : *p & (0x7fu >> len);

	*out_code = *p;
	*out_len = 1;
	if (len > text.len ||
	    !dt_utf8_is_valid((struct dt_str){ text.ptr, len }))
		return false;
	for (size_t i = 1; i < len; i++)
		code = code << 6 | (p[i] & 0x3fu);
	*out_code = code;
	*out_len = len;
	return true;
}

static bool is_layout(struct dt_str rest, enum dt_layout layout)
{
	if (rest.ptr[0] == '\t')
		return layout != DT_LAYOUT_NONE;
	if (layout != DT_LAYOUT_FILE)
		return false;
	return rest.ptr[0] == '\n' ||
	       (rest.ptr[0] == '\r' && rest.len > 1 && rest.ptr[1] == '\n');
}

/* Two that a person does see: the wide blank between ideographs, and the choice
 * of colours for the emoji before it. */
static bool is_seen_after(uint32_t before, uint32_t code)
{
	if (code == 0x3000)
		return true;
	return (code == 0xfe0e || code == 0xfe0f) && before >= 0x203c &&
	       !dt_visible_is_hidden(before);
}

/* "<U+" or "<0x" and hexadecimal digits up to a ">". */
static bool looks_spelled_out(struct dt_str rest)
{
	size_t i = 3;

	if (rest.len < 6 || (memcmp(rest.ptr, "<U+", 3) != 0 &&
	                     memcmp(rest.ptr, "<0x", 3) != 0))
		return false;
	while (i < rest.len && i < 9 &&
	       strchr("0123456789abcdefABCDEF", rest.ptr[i]) && rest.ptr[i])
		i++;
	return i > 4 && i < rest.len && rest.ptr[i] == '>';
}

/* What is at the start of a text, and how it is shown. */
struct piece {
	uint32_t code;
	size_t len;
	bool is_text; /* UTF-8 */
	bool is_hidden;
};

static struct piece next_piece(struct dt_str rest, uint32_t before,
                               enum dt_layout layout)
{
	struct piece p;

	p.is_text = dt_visible_read(rest, &p.code, &p.len);
	p.is_hidden = !p.is_text || (dt_visible_is_hidden(p.code) &&
	                             !is_layout(rest, layout) &&
	                             !is_seen_after(before, p.code));
	return p;
}

/* The bytes up to the first that needs a look; most texts have none. */
static size_t plain_prefix(struct dt_str text)
{
	size_t i = 0;

	while (i < text.len && text.ptr[i] >= ' ' && text.ptr[i] < 0x7f &&
	       text.ptr[i] != '<')
		i++;
	return i;
}

static void skip(struct dt_str *text, size_t len)
{
	text->ptr += len;
	text->len -= len;
}

size_t dt_visible_add(struct dt_buf *out, struct dt_str text,
                      enum dt_layout layout)
{
	uint32_t before = 0;
	size_t count = 0;

	while (text.len > 0) {
		size_t plain = plain_prefix(text);
		struct piece p;

		if (plain > 0) {
			dt_buf_add(out, text.ptr, plain);
			skip(&text, plain);
			before = ' ';
			continue;
		}
		p = next_piece(text, before, layout);
		if (!p.is_text)
			dt_buf_addf(out, "<0x%02X>", p.code);
		else if (p.is_hidden || looks_spelled_out(text))
			dt_buf_addf(out, "<U+%04X>", p.code);
		else
			dt_buf_add(out, text.ptr, p.len);
		count += p.is_hidden;
		before = p.code;
		skip(&text, p.len);
	}
	return count;
}

size_t dt_visible_count(struct dt_str text, enum dt_layout layout)
{
	uint32_t before = 0;
	size_t count = 0;

	while (text.len > 0) {
		size_t plain = plain_prefix(text);
		struct piece p;

		if (plain > 0) {
			skip(&text, plain);
			before = ' ';
			continue;
		}
		p = next_piece(text, before, layout);
		count += p.is_hidden;
		before = p.code;
		skip(&text, p.len);
	}
	return count;
}
