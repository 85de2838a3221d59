/*
 * backend/sieve.c - names compared with what was asked, then put in order.
 *
 * Where names come from is backend/listing.c's business; nothing here looks at
 * the disk.
 */
#include "backend/sieve.h"

#include "base/glob.h"
#include "base/limits.h"

#include <stdlib.h>

void dt_sieve_init(struct dt_sieve *sieve,
                   const struct dt_list_files_args *args, const char *below)
{
	*sieve = (struct dt_sieve){
		.args = *args,
		.below = dt_str(below),
		.most = DT_LIMIT_LISTED,
	};
}

void dt_sieve_done(struct dt_sieve *sieve)
{
	free(sieve->paths);
	dt_arena_done(&sieve->arena);
	*sieve = (struct dt_sieve){ 0 };
}

static bool is_hidden(const char *name)
{
	return name[0] == '.' || strstr(name, "/.");
}

/* The last part, without the slash of a folder. */
static struct dt_str last_part(const char *name)
{
	size_t end = strlen(name);
	size_t begin;

	if (end > 0 && name[end - 1] == '/')
		end--;
	begin = end;
	while (begin > 0 && name[begin - 1] != '/')
		begin--;
	return (struct dt_str){ name + begin, end - begin };
}

static bool matches(const char *glob, const char *name)
{
	struct dt_str part = strchr(glob, '/') ? dt_str(name) : last_part(name);

	return dt_glob_matches(dt_str(glob), part);
}

/* Whether root/name begins with an absolute prefix. */
static bool leads_to(struct dt_str prefix, const char *root, const char *name)
{
	struct dt_str base = dt_str(root);

	if (dt_str_starts(base, prefix))
		return true;
	if (!dt_str_starts(prefix, base) || prefix.ptr[base.len] != '/')
		return false;
	prefix.ptr += base.len + 1;
	prefix.len -= base.len + 1;
	return dt_str_starts(dt_str(name), prefix);
}

static bool begins(const char *prefix, const char *root, const char *full,
                   const char *name)
{
	if (prefix[0] == '/')
		return leads_to(dt_str(prefix), root, full);
	return dt_str_starts(dt_str(name), dt_str(prefix)) ||
	       dt_str_starts(last_part(name), dt_str(prefix));
}

bool dt_sieve_fits(const struct dt_sieve *sieve, const char *root,
                   const char *name)
{
	const struct dt_list_files_args *args = &sieve->args;
	const char *inside = name + sieve->below.len;

	if (!dt_str_starts(dt_str(name), sieve->below) || !*inside)
		return false;
	return (args->has_hidden || !is_hidden(inside)) &&
	       (!args->glob || matches(args->glob, inside)) &&
	       (!args->prefix || begins(args->prefix, root, name, inside));
}

/* How much of a name is shown: all, or down to the folder at the depth. */
static size_t shown_len(const char *name, uint32_t depth)
{
	const char *at = name;

	for (uint32_t i = 0; depth && i < depth; i++) {
		at = strchr(at, '/');
		if (!at)
			return strlen(name);
		at++;
	}
	return depth ? (size_t)(at - name) : strlen(name);
}

static size_t kept_len(const struct dt_sieve *sieve, const char *name)
{
	return sieve->below.len +
	       shown_len(name + sieve->below.len, sieve->args.depth);
}

bool dt_sieve_has(const struct dt_sieve *sieve, const char *root,
                  const char *name)
{
	const char *last = sieve->count ? sieve->paths[sieve->count - 1] : NULL;
	size_t root_len = strlen(root);
	size_t len = sieve->args.depth ? kept_len(sieve, name) : 0;

	return last && len > 0 && name[len - 1] == '/' &&
	       strlen(last) == root_len + 1 + len &&
	       !memcmp(last + root_len + 1, name, len) &&
	       !memcmp(last, root, root_len);
}

void dt_sieve_keep(struct dt_sieve *sieve, const char *root, const char *name)
{
	size_t root_len = strlen(root);
	size_t len = kept_len(sieve, name);
	char *path = dt_arena_bytes(&sieve->arena, root_len + len + 2);

	if (sieve->count == sieve->room) {
		sieve->room = sieve->room ? sieve->room * 2 : 64;
		sieve->paths = dt_realloc(sieve->paths,
		                          sieve->room * sizeof(*sieve->paths));
	}
	memcpy(path, root, root_len);
	path[root_len] = '/';
	memcpy(path + root_len + 1, name, len);
	path[root_len + 1 + len] = '\0';
	sieve->paths[sieve->count++] = path;
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Git's names often are, and then nothing has to be moved. */
static bool is_sorted(const struct dt_sieve *sieve)
{
	for (size_t i = 1; i < sieve->count; i++) {
		if (strcmp(sieve->paths[i - 1], sieve->paths[i]) > 0)
			return false;
	}
	return true;
}

static void drop_repeated(struct dt_sieve *sieve)
{
	size_t kept = 0;

	for (size_t i = 0; i < sieve->count; i++) {
		if (kept == 0 ||
		    strcmp(sieve->paths[kept - 1], sieve->paths[i]) != 0)
			sieve->paths[kept++] = sieve->paths[i];
	}
	sieve->count = kept;
}

void dt_sieve_list(struct dt_sieve *sieve, struct dt_list_files_result *out)
{
	const struct dt_maybe_u32 *wanted = &sieve->args.limit;
	size_t limit = sieve->most;

	if (wanted->is_set && wanted->value < limit)
		limit = wanted->value;
	if (!is_sorted(sieve))
		qsort(sieve->paths, sieve->count, sizeof(*sieve->paths),
		      compare);
	drop_repeated(sieve);
	out->total = (uint32_t)sieve->count;
	out->is_cut = sieve->count > limit;
	out->paths.ptr = sieve->paths;
	out->paths.count = out->is_cut ? limit : sieve->count;
}
