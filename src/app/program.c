/* app/program.c - after `make run` the program is on no PATH, and what we tell
 * people to type must work as it stands. */
#include "app/program.h"

#include "base/path.h"

#include <stdlib.h>
#include <sys/stat.h>

#define SELF "/proc/self/exe"

static bool is_same_file(const char *a, const char *b)
{
	struct stat one;
	struct stat two;

	return !stat(a, &one) && !stat(b, &two) && one.st_dev == two.st_dev &&
	       one.st_ino == two.st_ino;
}

static bool is_on_path(struct dt_arena *arena)
{
	struct dt_str rest = dt_str(getenv("PATH"));

	while (rest.len) {
		struct dt_str dir = dt_str_cut(&rest, ':');

		if (dir.len &&
		    is_same_file(dt_arena_printf(arena, "%.*s/dovetail",
		                                 DT_STR_ARG(dir)),
		                 SELF))
			return true;
	}
	return false;
}

const char *dt_program_name(struct dt_arena *arena)
{
	const char *real;

	if (is_on_path(arena) || dt_path_real(arena, SELF, &real, NULL))
		return "dovetail";
	return real;
}

const char *dt_program_run_agent(struct dt_arena *arena)
{
	return dt_arena_printf(arena, "%s run claude", dt_program_name(arena));
}
