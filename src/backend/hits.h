/* backend/hits.h - lines that were found, gathered file by file. */
#ifndef DT_BACKEND_HITS_H
#define DT_BACKEND_HITS_H

#include "backend/matcher.h"
#include "base/arena.h"
#include "editor/search.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A line of the file that is gathered now. */
struct dt_hits_line {
	struct dt_hit hit; /* its text is a copy, perhaps cut */
	bool is_match;     /* else it stands beside one */
	bool is_part;
	uint32_t start; /* UTF-16 columns of the match in the whole line */
	uint32_t end;
};

struct dt_hits {
	uint32_t max;
	uint32_t context;
	bool is_cut; /* there was no room for one more */
	struct dt_arena arena;
	struct dt_search_match *list;
	size_t count;
	size_t room;
	/* of one file */
	struct dt_arena file_arena;
	struct dt_hits_line *lines;
	size_t line_count;
	size_t line_room;
};

void dt_hits_init(struct dt_hits *hits, uint32_t max, uint32_t context);
void dt_hits_done(struct dt_hits *hits);

/* Lines of one file, in their order; the text is copied. */
void dt_hits_add(struct dt_hits *hits, const struct dt_hit *hit, bool is_match);
/* The file is over: its lines become matches, or are forgotten (path NULL).
 * False: it is full, and nothing more is wanted. */
bool dt_hits_end_file(struct dt_hits *hits, const char *path);

/* By path and line; lent until dt_hits_done(). */
void dt_hits_list(struct dt_hits *hits, struct dt_search_result *out);

#endif
