/*
 * data/json_read.c - strict JSON text laid out as one flat run of nodes.
 *
 * The reader checks everything once, so what walks the nodes later checks
 * nothing.  It decodes nothing either: numbers stay digits, and strings stay
 * escaped until dt_json_text().  It does not recurse: an open container is
 * known by its index, and its `span` leads to the one around it until it
 * closes and gets its real span.
 */
#include "data/json.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "data/json_scan.h"

#include <assert.h>

#define FIRST_NODES 32
#define NONE UINT32_MAX

struct reader {
	struct dt_arena *arena;
	const char *start;
	const char *at;
	const char *end;
	struct dt_json *nodes;
	uint32_t count;
	uint32_t cap;
	uint32_t open; /* the innermost open container, or NONE */
	uint32_t depth;
	struct dt_fail *fail;
};

/* What the second byte of a short escape stands for; 0: there is none. */
static const char short_escapes[256] = {
	['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b',
	['f'] = '\f', ['n'] = '\n',  ['r'] = '\r', ['t'] = '\t',
};

static enum dt_err refuse(const struct reader *r, const char *why)
{
	if (r->at == r->end)
		why = "unexpected end";
	return dt_fail(r->fail, DT_E_PROTO, "JSON: %s at byte %zu", why,
	               (size_t)(r->at - r->start));
}

static void grow(struct reader *r)
{
	uint32_t cap = r->cap ? r->cap * 2 : FIRST_NODES;
	struct dt_json *nodes =
		dt_arena_alloc(r->arena, cap * sizeof(struct dt_json));

	if (r->count)
		memcpy(nodes, r->nodes, r->count * sizeof(struct dt_json));
	r->nodes = nodes;
	r->cap = cap;
}

/* A node whose raw begins here.  It moves when the next one is pushed. */
static struct dt_json *push(struct reader *r, enum dt_json_type type)
{
	struct dt_json *node;

	if (r->count == r->cap)
		grow(r);
	node = &r->nodes[r->count++];
	*node = (struct dt_json){
		.type = type,
		.span = 1,
		.raw = { .ptr = r->at },
	};
	return node;
}

static void skip_blanks(struct reader *r)
{
	while (r->at < r->end && (*r->at == ' ' || *r->at == '\n' ||
	                          *r->at == '\r' || *r->at == '\t'))
		r->at++;
}

/* The next byte that is no blank; NUL, which fits nowhere, at the end. */
static char peek(struct reader *r)
{
	skip_blanks(r);
	if (r->at == r->end)
		return '\0';
	return *r->at;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* The unit of one \uXXXX, or -1. */
static int32_t unit_at(const char *at, const char *end)
{
	int32_t unit = 0;

	if (end - at < 6 || at[0] != '\\' || at[1] != 'u')
		return -1;
	for (int i = 2; i < 6; i++) {
		int digit = hex_digit(at[i]);

		if (digit < 0)
			return -1;
		unit = unit << 4 | digit;
	}
	return unit;
}

/* The code point of a \u escape or of a surrogate pair of them, and the bytes
 * they take; 0 when it is none, or half a pair. */
static size_t unicode_at(const char *at, const char *end, uint32_t *code)
{
	int32_t high = unit_at(at, end);
	int32_t low;

	if (high < 0 || (high >= 0xdc00 && high <= 0xdfff))
		return 0;
	*code = (uint32_t)high;
	if (high < 0xd800 || high > 0xdfff)
		return 6;
	low = unit_at(at + 6, end);
	if (low < 0xdc00 || low > 0xdfff)
		return 0;
	*code = 0x10000 + ((uint32_t)(high - 0xd800) << 10) +
	        (uint32_t)(low - 0xdc00);
	return 12;
}

/* How many bytes the escape at `at` takes; 0: it is wrong. */
static size_t escape_len(const char *at, const char *end)
{
	uint32_t code;

	if (*at != '\\')
		return 0;
	if (end - at >= 2 && short_escapes[(unsigned char)at[1]])
		return 2;
	return unicode_at(at, end, &code);
}

static uint64_t low_bits(size_t n)
{
	return (UINT64_C(1) << n) - 1;
}

/* Most escapes are of two bytes; these are told apart first. */
static bool is_short_escape(const char *at, const char *end)
{
	return *at == '\\' && end - at >= 2 &&
	       short_escapes[(unsigned char)at[1]];
}

/* Check the escapes of a block, which begin at the bits of `stops`.  *spill is
 * how far the last one reaches beyond it.  Returns the first byte that is
 * neither plain nor begins a right escape, or NULL. */
static const char *check_block(const char *block, const char *end,
                               uint64_t stops, size_t *spill, bool *escapes)
{
	*spill = 0;
	while (stops) {
		size_t i = (size_t)__builtin_ctzll(stops);
		size_t len;

		if (is_short_escape(block + i, end)) {
			stops &= ~(UINT64_C(3) << i);
			*spill = (i + 1) / DT_JSON_BLOCK;
			*escapes = true;
			continue;
		}
		len = escape_len(block + i, end);
		if (len == 0)
			return block + i;
		stops &= ~(low_bits(len) << i);
		*spill = i + len > DT_JSON_BLOCK ? i + len - DT_JSON_BLOCK : 0;
		*escapes = true;
	}
	return NULL;
}

/* From inside a string past whole blocks of it.  Ends at a byte that is neither
 * plain nor begins a right escape, or less than a block before `end`. */
static const char *skip_blocks(const char *at, const char *end, bool *escapes)
{
	size_t spill = 0; /* bytes of the last escape that are in this block */

	for (; end - at >= DT_JSON_BLOCK; at += DT_JSON_BLOCK) {
		uint64_t stops = dt_json_block_stops(at) & ~low_bits(spill);
		const char *stop = check_block(at, end, stops, &spill, escapes);

		if (stop)
			return stop;
	}
	return at + spill;
}

/* True for keys and names: their end is in the first step. */
static bool ends_soon(const char *at, const char *end)
{
	size_t plain;

	if (end - at < DT_JSON_STEP)
		return false;
	plain = dt_json_count_plain(at);
	return plain < DT_JSON_STEP && at[plain] == '"';
}

static enum dt_err read_string(struct reader *r)
{
	struct dt_json *node = push(r, DT_JSON_STRING);
	const char *at = r->at + 1;

	if (!ends_soon(at, r->end))
		at = skip_blocks(at, r->end, &node->has_escapes);
	while ((at = dt_json_skip_plain(at, r->end)) < r->end && *at == '\\') {
		size_t len = escape_len(at, r->end);

		if (len == 0) {
			r->at = at;
			return refuse(r, "wrong escape");
		}
		node->has_escapes = true;
		at += len;
	}
	r->at = at;
	if (at == r->end || *at != '"')
		return refuse(r, "control character in a string");
	r->at++;
	node->raw.len = (size_t)(r->at - node->raw.ptr);
	return DT_E_OK;
}

/* Past one digit or more; false when there is none. */
static bool skip_digits(struct reader *r)
{
	const char *first = r->at;

	while (r->at < r->end && *r->at >= '0' && *r->at <= '9')
		r->at++;
	return r->at > first;
}

static bool skip_char(struct reader *r, char a, char b)
{
	if (r->at == r->end || (*r->at != a && *r->at != b))
		return false;
	r->at++;
	return true;
}

static enum dt_err read_number(struct reader *r)
{
	struct dt_json *node = push(r, DT_JSON_NUMBER);

	skip_char(r, '-', '-');
	if (!skip_char(r, '0', '0') && !skip_digits(r))
		return refuse(r, "expected a digit");
	if (skip_char(r, '.', '.') && !skip_digits(r))
		return refuse(r, "expected a digit");
	if (skip_char(r, 'e', 'E')) {
		skip_char(r, '+', '-');
		if (!skip_digits(r))
			return refuse(r, "expected a digit");
	}
	node->raw.len = (size_t)(r->at - node->raw.ptr);
	return DT_E_OK;
}

static enum dt_err read_word(struct reader *r, struct dt_str word,
                             enum dt_json_type type)
{
	struct dt_str rest = { r->at, (size_t)(r->end - r->at) };

	if (!dt_str_starts(rest, word))
		return refuse(r, "expected a value");
	push(r, type)->raw.len = word.len;
	r->at += word.len;
	return DT_E_OK;
}

static enum dt_err open_container(struct reader *r, enum dt_json_type type)
{
	if (r->depth == DT_LIMIT_JSON_DEPTH)
		return dt_fail(r->fail, DT_E_LIMIT,
		               "JSON: more than %d levels at byte %zu",
		               DT_LIMIT_JSON_DEPTH, (size_t)(r->at - r->start));
	push(r, type)->span = r->open;
	r->open = r->count - 1;
	r->depth++;
	r->at++;
	return DT_E_OK;
}

static void close_container(struct reader *r)
{
	struct dt_json *node = &r->nodes[r->open];
	uint32_t around = node->span;

	r->at++;
	node->raw.len = (size_t)(r->at - node->raw.ptr);
	node->span = r->count - r->open;
	r->open = around;
	r->depth--;
}

/* One scalar, or the opening of a container. */
static enum dt_err read_value(struct reader *r)
{
	switch (peek(r)) {
	case '{':
		return open_container(r, DT_JSON_OBJECT);
	case '[':
		return open_container(r, DT_JSON_ARRAY);
	case '"':
		return read_string(r);
	case 't':
		return read_word(r, DT_STR("true"), DT_JSON_TRUE);
	case 'f':
		return read_word(r, DT_STR("false"), DT_JSON_FALSE);
	case 'n':
		return read_word(r, DT_STR("null"), DT_JSON_NULL);
	case '-':
	case '0' ... '9':
		return read_number(r);
	default:
		return refuse(r, "expected a value");
	}
}

static enum dt_err read_key(struct reader *r)
{
	enum dt_err err;

	if (peek(r) != '"')
		return refuse(r, "expected a key");
	err = read_string(r);
	if (err)
		return err;
	if (peek(r) != ':')
		return refuse(r, "expected ':'");
	r->at++;
	return DT_E_OK;
}

/* Close what ends here, then stand before the next value, or after the last. */
static enum dt_err advance(struct reader *r)
{
	if (r->count > DT_LIMIT_JSON_NODES)
		return dt_fail(r->fail, DT_E_LIMIT, "JSON: more than %u values",
		               DT_LIMIT_JSON_NODES);
	while (r->open != NONE) {
		struct dt_json *node = &r->nodes[r->open];
		bool is_object = node->type == DT_JSON_OBJECT;
		char c = peek(r);

		if (c == (is_object ? '}' : ']')) {
			close_container(r);
			continue;
		}
		if (node->count && c != ',')
			return refuse(r, is_object ? "expected ',' or '}'"
			                           : "expected ',' or ']'");
		if (node->count)
			r->at++;
		node->count++;
		return is_object ? read_key(r) : DT_E_OK;
	}
	return DT_E_OK;
}

enum dt_err dt_json_read_utf8(struct dt_arena *arena, struct dt_str text,
                              const struct dt_json **out, struct dt_fail *fail)
{
	struct reader r = {
		.arena = arena,
		.start = text.ptr,
		.at = text.ptr,
		.end = text.len ? text.ptr + text.len : text.ptr,
		.open = NONE,
		.fail = fail,
	};
	enum dt_err err;

	/* No node takes less than a byte, so counts fit from here on. */
	if (text.len >= NONE / 2)
		return dt_fail(fail, DT_E_LIMIT, "JSON: more than %u bytes",
		               NONE / 2);
	do {
		err = read_value(&r);
		if (!err)
			err = advance(&r);
	} while (!err && r.open != NONE);
	if (err)
		return err;
	skip_blanks(&r);
	if (r.at < r.end)
		return refuse(&r, "something after the value");
	*out = r.nodes;
	return DT_E_OK;
}

/* Text that is not UTF-8: find the byte, which only a refusal needs. */
static enum dt_err refuse_utf8(struct dt_str text, struct dt_fail *fail)
{
	struct reader r = {
		.start = text.ptr,
		.at = text.ptr,
		.end = text.ptr + text.len,
		.fail = fail,
	};
	struct dt_utf8 utf8 = { 0 };

	while (r.at < r.end && dt_utf8_feed(&utf8, r.at, 1))
		r.at++;
	return refuse(&r, "invalid UTF-8");
}

enum dt_err dt_json_read(struct dt_arena *arena, struct dt_str text,
                         const struct dt_json **out, struct dt_fail *fail)
{
	if (!dt_utf8_is_valid(text))
		return refuse_utf8(text, fail);
	return dt_json_read_utf8(arena, text, out, fail);
}

/* Decode the \u escape at *at, which was checked, and step over it. */
static char *unescape_unicode(char *out, const char **at, const char *end)
{
	uint32_t code = 0;

	*at += unicode_at(*at, end, &code);
	return out + dt_utf8_put(out, code);
}

/* The same for any escape. */
static inline char *unescape(char *out, const char **at, const char *end)
{
	char c = short_escapes[(unsigned char)(*at)[1]];

	if (!c)
		return unescape_unicode(out, at, end);
	*out++ = c;
	*at += 2;
	return out;
}

/* Decode whole blocks.  Two blocks of input leave room for what
 * dt_json_store_run() stores beyond a run. */
static char *unescape_blocks(char *out, const char **at, const char *end)
{
	const char *from = *at;

	for (const char *block = from; end - block >= 2 * DT_JSON_BLOCK;
	     block += DT_JSON_BLOCK) {
		uint64_t stops = dt_json_block_stops(block);
		const char *next = block + DT_JSON_BLOCK;

		/* An escape may have ended in this block. */
		stops &= ~low_bits((size_t)(from - block));
		while (stops) {
			size_t i = (size_t)__builtin_ctzll(stops);
			const char *stop = block + i;
			size_t run = (size_t)(stop - from);

			dt_json_store_run(out, from, run);
			from = stop;
			out = unescape(out + run, &from, end);
			stops &= ~(low_bits((size_t)(from - stop)) << i);
		}
		if (from < next) {
			dt_json_store_run(out, from, (size_t)(next - from));
			out += next - from;
			from = next;
		}
	}
	*at = from;
	return out;
}

struct dt_str dt_json_text(struct dt_arena *arena, const struct dt_json *string)
{
	struct dt_str raw = { string->raw.ptr + 1, string->raw.len - 2 };
	const char *end = raw.ptr + raw.len;
	const char *at = raw.ptr;
	char *text;
	char *out;

	assert(string->type == DT_JSON_STRING);
	if (!string->has_escapes)
		return raw;
	text = dt_arena_bytes(arena, raw.len);
	out = unescape_blocks(text, &at, end);
	out = dt_json_copy_plain(out, &at, end);
	while (at < end) {
		out = unescape(out, &at, end);
		out = dt_json_copy_plain(out, &at, end);
	}
	dt_arena_shrink(arena, text, raw.len, (size_t)(out - text));
	return (struct dt_str){ text, (size_t)(out - text) };
}
