/* app/toml_table.h - one table of a TOML text, line by line. */
#ifndef DT_APP_TOML_TABLE_H
#define DT_APP_TOML_TABLE_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

/*
 * The table `[parent.name]` of a text replaced by `table` (whole lines, the
 * header among them), added behind all else where there is none, or, where
 * `table` is NULL, taken out with the tables below it.  Every other byte is kept.
 * DT_E_ARGS when the same is written in another way (`parent = {...}`, a quoted
 * name, an inline table): a person can change that, and we only break it.
 */
struct dt_toml_place {
	const char *parent;
	const char *name;
};
enum dt_err dt_toml_table_set(struct dt_arena *arena, struct dt_str text,
                              const struct dt_toml_place *place,
                              const char *table, struct dt_str *out,
                              struct dt_fail *fail) DT_MUST_CHECK;

#endif
