/* data/json.h - strict JSON (RFC 8259), read and written. */
#ifndef DT_DATA_JSON_H
#define DT_DATA_JSON_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum dt_json_type {
	DT_JSON_NULL,
	DT_JSON_FALSE,
	DT_JSON_TRUE,
	DT_JSON_NUMBER,
	DT_JSON_STRING,
	DT_JSON_ARRAY,
	DT_JSON_OBJECT,
};

/*
 * One value.  A document is one flat run of these in reading order: a container
 * is followed by its members (in an object: key, value, key, value ...), and
 * `span` leads past all of them.  `raw` is the value's own bytes in the text,
 * quotes and braces included, so numbers and ids keep every digit and any value
 * can be forwarded as it came.  Values borrow from the text.
 */
struct dt_json {
	enum dt_json_type type;
	bool has_escapes; /* strings: raw is not the text itself */
	uint32_t count;   /* containers: members */
	uint32_t span;    /* nodes from here to the next sibling */
	struct dt_str raw;
};

/*
 * Check the whole text and lay it out in the arena.  Refused: anything RFC 8259
 * does not allow, invalid UTF-8, lone surrogates in escapes, more than
 * DT_LIMIT_JSON_DEPTH levels or DT_LIMIT_JSON_NODES values, bytes after the value.  The message gives the
 * byte offset.  Duplicate keys pass here; see dt_json_find_duplicate().
 */
enum dt_err dt_json_read(struct dt_arena *arena, struct dt_str text,
                         const struct dt_json **out,
                         struct dt_fail *fail) DT_MUST_CHECK;
/* The same for text that was checked to be UTF-8 before. */
enum dt_err dt_json_read_utf8(struct dt_arena *arena, struct dt_str text,
                              const struct dt_json **out,
                              struct dt_fail *fail) DT_MUST_CHECK;

/* Members of an array or object (there: the keys), in order. */
static inline const struct dt_json *dt_json_first(const struct dt_json *of)
{
	return of->count ? of + 1 : NULL;
}
const struct dt_json *dt_json_next(const struct dt_json *of,
                                   const struct dt_json *member);
static inline const struct dt_json *dt_json_value(const struct dt_json *key)
{
	return key + 1;
}

/* for each member (object: key) of a container */
/* NOLINTBEGIN(bugprone-macro-parentheses): a declared name takes none */
#define dt_json_each(var, of)                                                  \
	for (const struct dt_json *var = dt_json_first(of); var;               \
	     var = dt_json_next(of, var))
/* NOLINTEND(bugprone-macro-parentheses) */

/* The value of a member; NULL when `of` is no object or has none.  The first
 * one counts when there are several. */
const struct dt_json *dt_json_get(const struct dt_json *of, const char *name);

/* The first key that an object names twice, or NULL. */
const struct dt_json *dt_json_find_duplicate(const struct dt_json *of);

bool dt_json_key_is(const struct dt_json *key, const char *name);

/* The text of a string: borrowed when it has no escapes, else in the arena. */
struct dt_str dt_json_text(struct dt_arena *arena,
                           const struct dt_json *string);

/* Whole numbers, exactly: "1e2", "1.0" and what does not fit are refused. */
bool dt_json_to_u32(const struct dt_json *number, uint32_t *out);
bool dt_json_to_i64(const struct dt_json *number, int64_t *out);

/*
 * The writer: appends compact JSON to a buffer, commas by itself.  Keys and
 * values must alternate in objects; an assert watches.  Text that is not valid
 * UTF-8 gets U+FFFD in place of each wrong byte, so what leaves is always JSON.
 */
struct dt_json_out {
	struct dt_buf *buf;
	bool needs_comma;
	bool has_key; /* it waits for its value */
	uint8_t depth;
	uint64_t objects; /* for the assert: bit 0 says the innermost is one */
};

static inline struct dt_json_out dt_json_out(struct dt_buf *buf)
{
	return (struct dt_json_out){ .buf = buf };
}

void dt_json_begin_object(struct dt_json_out *out);
void dt_json_end_object(struct dt_json_out *out);
void dt_json_begin_array(struct dt_json_out *out);
void dt_json_end_array(struct dt_json_out *out);
void dt_json_key(struct dt_json_out *out, const char *name);
void dt_json_put_str(struct dt_json_out *out, struct dt_str text);
void dt_json_put_z(struct dt_json_out *out, const char *z); /* NULL: null */
void dt_json_put_int(struct dt_json_out *out, int64_t value);
void dt_json_put_bool(struct dt_json_out *out, bool value);
void dt_json_put_null(struct dt_json_out *out);
/* A value as it came; line breaks between its tokens become blanks, so that
 * one message stays one line. */
void dt_json_put_raw(struct dt_json_out *out, struct dt_str json);
/* A value that this writer wrote before: it is one line, so none is looked
 * for. */
void dt_json_put_written(struct dt_json_out *out, struct dt_str json);

#endif
