/*
 * backend/present.c - a folder read at once, and asked name by name.
 *
 * Asking the kernel about each of a hundred files takes ten times as long as
 * reading their folder.  The table is open addressed and at most half full.
 */
#include "backend/present.h"

#include "base/beneath.h"
#include "base/str.h"

#include <dirent.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static size_t hash_of(const char *name)
{
	uint64_t hash = 14695981039346656037u; /* FNV-1a */

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 1099511628211u;
	return (size_t)(hash ^ hash >> 32);
}

/* Where the name is, or would be. */
static struct dt_present_entry *place_of(const struct dt_present *p,
                                         const char *name)
{
	size_t at = hash_of(name) & (p->room - 1);

	while (p->table[at].name && strcmp(p->table[at].name, name) != 0)
		at = (at + 1) & (p->room - 1);
	return &p->table[at];
}

static void grow(struct dt_present *p)
{
	struct dt_present old = *p;

	p->room = old.room ? old.room * 2 : 256;
	p->table = dt_alloc(p->room * sizeof(*p->table));
	for (size_t i = 0; i < old.room; i++) {
		if (old.table[i].name)
			*place_of(p, old.table[i].name) = old.table[i];
	}
	free(old.table);
}

static void add(struct dt_present *p, const struct dirent *entry)
{
	if (p->count * 2 >= p->room)
		grow(p);
	p->count++;
	*place_of(p, entry->d_name) = (struct dt_present_entry){
		.name = dt_arena_strdup(&p->arena, entry->d_name),
		.type = entry->d_type,
	};
}

bool dt_present_read(struct dt_present *p, const char *root, const char *folder)
{
	const struct dirent *entry;
	DIR *dir;
	int fd;

	dt_arena_done(&p->arena);
	if (p->room)
		memset(p->table, 0, p->room * sizeof(*p->table));
	p->count = 0;
	if (dt_beneath_open(root, *folder ? folder : ".", &fd, NULL))
		return false;
	dir = fdopendir(fd);
	if (!dir) {
		close(fd);
		return false;
	}
	while ((entry = readdir(dir)))
		add(p, entry);
	closedir(dir);
	return true;
}

void dt_present_done(struct dt_present *p)
{
	dt_arena_done(&p->arena);
	free(p->table);
	*p = (struct dt_present){ 0 };
}

const struct dt_present_entry *dt_present_find(const struct dt_present *p,
                                               const char *name)
{
	const struct dt_present_entry *found =
		p->room ? place_of(p, name) : NULL;

	return found && found->name ? found : NULL;
}
