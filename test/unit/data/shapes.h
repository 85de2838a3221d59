/* test/unit/data/shapes.h - structs with a member of every kind. */
#ifndef DT_TEST_DATA_SHAPES_H
#define DT_TEST_DATA_SHAPES_H

#include "data/field.h"

struct point {
	uint32_t line;
	uint32_t column;
};

static const struct dt_field point_fields[] = {
	DT_FIELD(struct point, line, U32, DT_REQ, "0-based line."),
	DT_FIELD(struct point, column, U32, 0, NULL, .def = "7"),
	DT_FIELD_END,
};
static const struct dt_shape point_shape = DT_SHAPE(struct point, point_fields);

struct edit {
	const char *path;
	struct dt_str text;
	struct point start;
};

static const struct dt_field edit_fields[] = {
	DT_FIELD(struct edit, path, PATH, DT_REQ, "File to change."),
	DT_FIELD(struct edit, text, STR, DT_BIG, "New text."),
	DT_FIELD_OBJECT("start", struct edit, start, struct point, point_shape,
	                DT_OMIT, "Where."),
	DT_FIELD_END,
};
static const struct dt_shape edit_shape = DT_SHAPE(struct edit, edit_fields);

enum mode { MODE_ASK, MODE_AUTO, MODE_PLAN };

static const char *const mode_names[] = { "ask", "auto", "plan", NULL };

struct all {
	struct dt_str text;
	const char *name;
	const char *path;
	bool flag;
	uint32_t u32;
	struct dt_maybe_u32 maybe;
	int64_t i64;
	int mode;
	struct dt_str raw;
	struct dt_names names;
	struct dt_names paths;
	struct dt_items edits;
	struct point at;
};

/* Every kind, with the same flags for all. */
#define ALL_FIELDS(fl)                                                         \
	{                                                                      \
		DT_FIELD(struct all, text, STR, fl, "d"),                      \
			DT_FIELD(struct all, name, NAME, fl, "d"),             \
			DT_FIELD(struct all, path, PATH, fl, "d"),             \
			DT_FIELD(struct all, flag, BOOL, fl, "d"),             \
			DT_FIELD(struct all, u32, U32, fl, "d"),               \
			DT_FIELD(struct all, maybe, MAYBE_U32, fl, "d"),       \
			DT_FIELD(struct all, i64, I64, fl, "d"),               \
			DT_FIELD(struct all, mode, ENUM, fl, "d",              \
		                 .names = mode_names),                         \
			DT_FIELD(struct all, raw, RAW, fl, "d"),               \
			DT_FIELD(struct all, names, NAMES, fl, "d"),           \
			DT_FIELD(struct all, paths, PATHS, fl, "d"),           \
			DT_FIELD(struct all, edits, ITEMS, fl, "d",            \
		                 .shape = &edit_shape),                        \
			DT_FIELD_OBJECT("at", struct all, at, struct point,    \
		                        point_shape, fl, "d"),                 \
			DT_FIELD_END,                                          \
	}

#endif
