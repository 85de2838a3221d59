/* backend/present.h - what is there in one folder. */
#ifndef DT_BACKEND_PRESENT_H
#define DT_BACKEND_PRESENT_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

/* The entries of a folder; zeroed storage is of none. */
struct dt_present {
	struct dt_arena arena;
	struct dt_present_entry *table;
	size_t room; /* a power of two */
	size_t count;
};
struct dt_present_entry {
	const char *name;
	unsigned char type; /* DT_REG ... of <dirent.h> */
};

/* Read a folder beneath the root, "" or "src/"; false: it cannot be.  It may
 * block: not for the loop. */
bool dt_present_read(struct dt_present *present, const char *root,
                     const char *folder);
void dt_present_done(struct dt_present *present);

/* The entry with this name, or NULL. */
const struct dt_present_entry *dt_present_find(const struct dt_present *present,
                                               const char *name);

#endif
