/* backend/imports.h - the lines by which a file imports others. */
#ifndef DT_BACKEND_IMPORTS_H
#define DT_BACKEND_IMPORTS_H

#include "base/arena.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

/* One of them, as it is written. */
struct dt_import_line {
	struct dt_str name; /* "./util", "pkg.mod", "a.h" */
	uint32_t line;      /* 0-based */
	bool is_local;      /* by its form: "a.h", ./x, .x, mod x; */
};

/* Whether the imports of a language (an id) are known. */
bool dt_imports_knows(const char *language);

typedef void dt_imports_fn(const struct dt_import_line *line, void *owner);
void dt_imports_scan(const char *language, struct dt_str text,
                     dt_imports_fn *fn, void *owner);

/* Who imports. */
struct dt_importer {
	const char *path;     /* absolute */
	const char *language; /* its id */
	const char *root;     /* of the workspace */
	const char *module;   /* by go.mod; or NULL */
};

/*
 * Paths at which the imported file may be, or the folder of a package of Go; in
 * the arena, the likeliest first, ends with NULL.
 */
const char **dt_imports_places(struct dt_arena *arena,
                               const struct dt_importer *from,
                               const struct dt_import_line *line);

#endif
