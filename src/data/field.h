/* data/field.h - one table per struct: decoder, encoder, schema and docs. */
#ifndef DT_DATA_FIELD_H
#define DT_DATA_FIELD_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "data/json.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An array in an arena: of `const char *` (NAMES) or of structs (ITEMS). */
struct dt_items {
	void *ptr;
	size_t count;
};
struct dt_names {
	const char **ptr;
	size_t count;
};

/* A number that may be absent. */
struct dt_maybe_u32 {
	bool is_set;
	uint32_t value;
};

/* The C type a member must have is fixed by its kind and checked below. */
#define DT_CTYPE_STR struct dt_str /* any text, NUL included */
#define DT_CTYPE_NAME const char * /* text without NUL */
#define DT_CTYPE_PATH const char * /* absolute path or file:// URI -> path */
#define DT_CTYPE_BOOL bool
#define DT_CTYPE_U32 uint32_t
#define DT_CTYPE_MAYBE_U32 struct dt_maybe_u32
#define DT_CTYPE_I64 int64_t
#define DT_CTYPE_ENUM int              /* index into `names` */
#define DT_CTYPE_RAW struct dt_str     /* any JSON value, byte for byte */
#define DT_CTYPE_NAMES struct dt_names /* array of strings without NUL */
#define DT_CTYPE_PATHS struct dt_names /* array of PATH */
#define DT_CTYPE_ITEMS struct dt_items /* array of objects, by `shape` */

enum dt_field_type {
	DT_T_STR,
	DT_T_NAME,
	DT_T_PATH,
	DT_T_BOOL,
	DT_T_U32,
	DT_T_MAYBE_U32,
	DT_T_I64,
	DT_T_ENUM,
	DT_T_RAW,
	DT_T_NAMES,
	DT_T_PATHS,
	DT_T_ITEMS,
	DT_T_OBJECT, /* a struct inside the struct, by `shape` */
};

/* REQ: must be there when decoded, "required" in the schema.  OMIT: left out
 * when encoded while zero, NULL or not set.  BIG: the text of a file, not
 * counted by DT_LIMIT_ARGUMENTS. */
enum dt_field_flag {
	DT_REQ = 1 << 0,
	DT_OMIT = 1 << 1,
	DT_BIG = 1 << 2,
};

/* One member of a struct as JSON sees it.  An array ends with DT_FIELD_END. */
struct dt_field {
	const char *name; /* JSON name */
	enum dt_field_type type;
	unsigned flags; /* enum dt_field_flag, or-ed */
	size_t offset;
	const char *doc; /* one sentence; it is sent to agents verbatim */
	const char *def; /* JSON taken when absent; NULL: zero */
	const struct dt_shape *shape; /* ITEMS and OBJECT */
	const char *const *names;     /* ENUM: ends with NULL */
};

/* The struct behind an array of fields. */
struct dt_shape {
	size_t size;
	const struct dt_field *fields;
	bool is_strict; /* refuse unknown members */
};

/* clang-format off */
/* offsetof(T, member), and a compile error unless the member is a C. */
#define DT_OFFSET(T, member, C)                                              \
	(offsetof(T, member) + 0 * sizeof(char[__builtin_types_compatible_p( \
	    __typeof__(((T *)0)->member), C) ? 1 : -1]))
/* The trailing arguments are further designated members: .def = "true", ... */
#define DT_FIELD_AS(json, T, member, kind, fl, text, ...)                    \
	{ .name = (json), .type = DT_T_##kind, .flags = (fl),                \
	  .offset = DT_OFFSET(T, member, DT_CTYPE_##kind), .doc = (text),    \
	  __VA_ARGS__ }
#define DT_FIELD(T, member, kind, fl, text, ...)                             \
	DT_FIELD_AS(#member, T, member, kind, fl, text, __VA_ARGS__)
/* A nested struct U whose own fields are the array `sub`. */
#define DT_FIELD_OBJECT(json, T, member, U, sub, fl, text)                   \
	{ .name = (json), .type = DT_T_OBJECT, .flags = (fl),                \
	  .offset = DT_OFFSET(T, member, U), .doc = (text), .shape = &(sub) }
#define DT_FIELD_END { .name = NULL }
#define DT_SHAPE(T, array) { .size = sizeof(T), .fields = (array) }
#define DT_SHAPE_EMPTY { .size = 0, .fields = dt_no_fields }
/* clang-format on */

extern const struct dt_field dt_no_fields[];

/*
 * Decode an object into zeroed storage of shape->size bytes at `out`.  Text is
 * put into the arena, NUL-terminated where the C type is `const char *`.
 * `json` may be NULL: an absent object.  A null member counts as absent unless
 * it is DT_REQ or RAW.  Failures are DT_E_ARGS and name the field: "line:
 * expected integer", "edits[2].path: missing".
 */
enum dt_err dt_shape_read(const struct dt_shape *shape, struct dt_arena *arena,
                          const struct dt_json *json, void *out,
                          struct dt_fail *fail) DT_MUST_CHECK;
/* The same, and a path that is not absolute begins in `folder`. */
enum dt_err dt_shape_read_in(const struct dt_shape *shape,
                             struct dt_arena *arena, const struct dt_json *json,
                             const char *folder, void *out,
                             struct dt_fail *fail) DT_MUST_CHECK;

/* Encode the struct at `in` as one object. */
void dt_shape_write(const struct dt_shape *shape, const void *in,
                    struct dt_json_out *out);

/* The JSON Schema (2020-12) of the shape, as one object. */
void dt_shape_write_schema(const struct dt_shape *shape,
                           struct dt_json_out *out);
/* The same with one more member behind its own; NULL: none. */
void dt_shape_write_schema_and(const struct dt_shape *shape,
                               const struct dt_field *more,
                               struct dt_json_out *out);

/* Bytes of the JSON that are not inside DT_BIG members. */
size_t dt_shape_small_bytes(const struct dt_shape *shape,
                            const struct dt_json *json);

const char *dt_field_type_name(const struct dt_field *field); /* "integer" */

#endif
