/* backend/ripgrep.h - how ripgrep is asked, and what it says. */
#ifndef DT_BACKEND_RIPGREP_H
#define DT_BACKEND_RIPGREP_H

#include "backend/hits.h"
#include "base/arena.h"
#include "base/buf.h"
#include "editor/search.h"

#include <stdbool.h>

/* The arguments for a search below the roots, in the arena; ends with NULL. */
char **dt_ripgrep_argv(struct dt_arena *arena, const char *program,
                       const struct dt_search_args *args,
                       const struct dt_names *roots);

/* Whether what was found in a file is wanted; it is asked once a file, when its
 * lines are in the hits. */
typedef bool dt_ripgrep_wants_fn(const char *path, void *owner);

/* What it prints, read as it comes. */
struct dt_ripgrep {
	struct dt_hits *hits;
	dt_ripgrep_wants_fn *wants;
	void *owner;
	struct dt_buf line; /* the beginning of one */
	bool is_skipping;   /* to the end of one that is too long */
	bool is_cut;        /* something could not be read */
	bool is_full;       /* no more is wanted */
	bool has_ended;     /* it looked at everything */
};

void dt_ripgrep_init(struct dt_ripgrep *rg, struct dt_hits *hits,
                     dt_ripgrep_wants_fn *wants, void *owner);
void dt_ripgrep_done(struct dt_ripgrep *rg);
void dt_ripgrep_feed(struct dt_ripgrep *rg, struct dt_str bytes);

#endif
