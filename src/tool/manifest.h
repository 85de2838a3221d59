/* tool/manifest.h - what the manifest of a project says. */
#ifndef DT_TOOL_MANIFEST_H
#define DT_TOOL_MANIFEST_H

#include "base/arena.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>

#define DT_MANIFEST_SCRIPTS 64

struct dt_script {
	const char *name;
	const char *command;
};

/* What was read so far; NULL where nothing says it. */
struct dt_manifest {
	const char *name;
	const char *version;
	const char *branch;
	const char *tests; /* the program that runs them */
	struct dt_script scripts[DT_MANIFEST_SCRIPTS];
	size_t script_count;
};

/* The manifests that are understood, by their place in the main folder; ends
 * with NULL.  The first that says something counts. */
extern const char *const dt_manifest_names[];

/* Add what the file with such a name says.  Strings go to the arena; what is not
 * understood is passed over. */
void dt_manifest_read(struct dt_manifest *manifest, struct dt_arena *arena,
                      const char *name, struct dt_str text);

/* The program that runs the tests, by a file in the main folder alone, such as
 * pytest.ini; NULL: it says nothing. */
const char *dt_manifest_tests(const char *name);

#endif
