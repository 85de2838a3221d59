/*
 * data/json_write.c - compact JSON appended to a buffer.
 *
 * The writer keeps only what commas and its own asserts need; limits and
 * overflow are the buffer's.  Whatever is put in, what comes out is valid JSON
 * and has no line break, so that line framing can carry it.
 */
#include "data/json.h"

#include "base/utf8.h"
#include "data/json_scan.h"

#include <assert.h>

/* Text is escaped in pieces: each on the stack, then into the buffer. */
#define PIECE 4096
#define LONGEST_ESCAPE 6
#define SHORT 32
#define MAX_DEPTH 64 /* bits of dt_json_out.objects */

/* The second byte of a short escape; 0: the byte is written as \u00XX. */
static const char short_escapes[256] = {
	['"'] = '"',  ['\\'] = '\\', ['\b'] = 'b', ['\f'] = 'f',
	['\n'] = 'n', ['\r'] = 'r',  ['\t'] = 't',
};

static bool in_object(const struct dt_json_out *out)
{
	return out->depth > 0 && (out->objects & 1);
}

static void begin_value(struct dt_json_out *out)
{
	assert(in_object(out) == out->has_key);
	if (out->needs_comma)
		dt_buf_add_char(out->buf, ',');
	out->needs_comma = true;
	out->has_key = false;
}

static void begin(struct dt_json_out *out, char bracket)
{
	begin_value(out);
	assert(out->depth < MAX_DEPTH);
	out->depth++;
	out->objects = out->objects << 1 | (bracket == '{');
	out->needs_comma = false;
	dt_buf_add_char(out->buf, bracket);
}

static void end(struct dt_json_out *out, char bracket)
{
	assert(out->depth > 0 && !out->has_key);
	assert(in_object(out) == (bracket == '}'));
	out->depth--;
	out->objects >>= 1;
	out->needs_comma = true;
	dt_buf_add_char(out->buf, bracket);
}

void dt_json_begin_object(struct dt_json_out *out)
{
	begin(out, '{');
}

void dt_json_end_object(struct dt_json_out *out)
{
	end(out, '}');
}

void dt_json_begin_array(struct dt_json_out *out)
{
	begin(out, '[');
}

void dt_json_end_array(struct dt_json_out *out)
{
	end(out, ']');
}

static char *put_escape(char *out, char c)
{
	static const char hex[] = "0123456789abcdef";
	unsigned char byte = (unsigned char)c;

	*out++ = '\\';
	if (short_escapes[byte]) {
		*out++ = short_escapes[byte];
		return out;
	}
	*out++ = 'u';
	*out++ = '0';
	*out++ = '0';
	*out++ = hex[byte >> 4];
	*out++ = hex[byte & 15];
	return out;
}

/* Escape whole blocks.  Two blocks of input leave room for what
 * dt_json_store_run() stores beyond a run. */
static char *escape_blocks(char *out, const char **at, const char *end)
{
	const char *from = *at;

	while (end - from >= 2 * DT_JSON_BLOCK) {
		const char *next = from + DT_JSON_BLOCK;
		uint64_t stops = dt_json_block_stops(from);

		for (const char *block = from; stops; stops &= stops - 1) {
			const char *stop = block + __builtin_ctzll(stops);
			size_t run = (size_t)(stop - from);

			dt_json_store_run(out, from, run);
			out = put_escape(out + run, *stop);
			from = stop + 1;
		}
		dt_json_store_run(out, from, (size_t)(next - from));
		out += next - from;
		from = next;
	}
	*at = from;
	return out;
}

/*
 * Escape all of the text; returns the end of what was written.  Not inlined:
 * where the compiler sees the array behind `out`, _FORTIFY_SOURCE measures at
 * each store how much of it is left.
 */
__attribute__((noinline)) static char *escape(char *out, struct dt_str text)
{
	const char *end = text.ptr + text.len;
	const char *at = text.ptr;

	out = escape_blocks(out, &at, end);
	out = dt_json_copy_plain(out, &at, end);
	while (at < end) {
		out = put_escape(out, *at++);
		out = dt_json_copy_plain(out, &at, end);
	}
	return out;
}

/* Valid text without its quotes. */
static void add_escaped(struct dt_buf *buf, struct dt_str text)
{
	char piece[PIECE * LONGEST_ESCAPE];

	while (text.len) {
		size_t len = text.len < PIECE ? text.len : PIECE;
		char *end = escape(piece, (struct dt_str){ text.ptr, len });

		dt_buf_add(buf, piece, (size_t)(end - piece));
		text.ptr += len;
		text.len -= len;
	}
}

/* How many bytes the character at the start of `text` takes; 0: it is wrong. */
static size_t char_len(struct dt_str text)
{
	unsigned char lead = (unsigned char)text.ptr[0];
	size_t len = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
	struct dt_str one = { text.ptr, len };

	return len <= text.len && dt_utf8_is_valid(one) ? len : 0;
}

/* The same for text that is not valid: runs that are, and U+FFFD between. */
static void add_repaired(struct dt_buf *buf, struct dt_str text)
{
	while (text.len) {
		struct dt_str run = { text.ptr, 0 };
		size_t len;

		do {
			len = dt_utf8_ascii_prefix(text.ptr, text.len);
			if (len == 0 && text.len)
				len = char_len(text);
			run.len += len;
			text.ptr += len;
			text.len -= len;
		} while (len);
		add_escaped(buf, run);
		if (text.len) {
			dt_buf_add_z(buf, "\xef\xbf\xbd");
			text.ptr++;
			text.len--;
		}
	}
}

static bool is_plain_ascii(struct dt_str text)
{
	for (size_t i = 0; i < text.len; i++) {
		if (!dt_json_is_plain(text.ptr[i]) ||
		    (unsigned char)text.ptr[i] >= 0x80)
			return false;
	}
	return true;
}

/* Keys and names are short and plain: no need to look at them twice. */
static void add_short(struct dt_buf *buf, struct dt_str text)
{
	char *at = dt_buf_reserve(buf, text.len + 2);

	if (!at)
		return;
	at[0] = '"';
	if (text.len)
		memcpy(at + 1, text.ptr, text.len);
	at[text.len + 1] = '"';
	dt_buf_grew(buf, text.len + 2);
}

static void add_string(struct dt_buf *buf, struct dt_str text)
{
	if (text.len <= SHORT && is_plain_ascii(text)) {
		add_short(buf, text);
		return;
	}
	dt_buf_add_char(buf, '"');
	/* At least this much will come; one step instead of many. */
	dt_buf_reserve(buf, text.len + 1);
	if (dt_utf8_is_valid(text))
		add_escaped(buf, text);
	else
		add_repaired(buf, text);
	dt_buf_add_char(buf, '"');
}

void dt_json_key(struct dt_json_out *out, const char *name)
{
	assert(in_object(out) && !out->has_key);
	if (out->needs_comma)
		dt_buf_add_char(out->buf, ',');
	add_string(out->buf, dt_str(name));
	dt_buf_add_char(out->buf, ':');
	out->needs_comma = false;
	out->has_key = true;
}

void dt_json_put_str(struct dt_json_out *out, struct dt_str text)
{
	begin_value(out);
	add_string(out->buf, text);
}

void dt_json_put_z(struct dt_json_out *out, const char *z)
{
	if (z)
		dt_json_put_str(out, dt_str(z));
	else
		dt_json_put_null(out);
}

void dt_json_put_int(struct dt_json_out *out, int64_t value)
{
	uint64_t left = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
	char digits[20];
	char *at = digits + sizeof(digits);

	do {
		*--at = (char)('0' + left % 10);
		left /= 10;
	} while (left);
	if (value < 0)
		*--at = '-';
	begin_value(out);
	dt_buf_add(out->buf, at, (size_t)(digits + sizeof(digits) - at));
}

void dt_json_put_bool(struct dt_json_out *out, bool value)
{
	begin_value(out);
	dt_buf_add_z(out->buf, value ? "true" : "false");
}

void dt_json_put_null(struct dt_json_out *out)
{
	begin_value(out);
	dt_buf_add_z(out->buf, "null");
}

/* Inside strings line breaks are escaped, so each one found is a blank. */
static void blank_out(struct dt_buf *buf, size_t from, char c)
{
	char *at;

	while (from < buf->len &&
	       (at = memchr(buf->ptr + from, c, buf->len - from))) {
		*at = ' ';
		from = (size_t)(at - buf->ptr) + 1;
	}
}

void dt_json_put_raw(struct dt_json_out *out, struct dt_str json)
{
	struct dt_buf *buf = out->buf;
	size_t from = buf->len;

	dt_json_put_written(out, json);
	blank_out(buf, from, '\n');
	blank_out(buf, from, '\r');
}

void dt_json_put_written(struct dt_json_out *out, struct dt_str json)
{
	assert(json.len > 0);
	begin_value(out);
	dt_buf_add_str(out->buf, json);
}
