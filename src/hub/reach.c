/*
 * hub/reach.c - the gate's patterns as pathspecs of git.
 *
 * In a pathspec '*' fits slashes, too, and letters of either case are asked for:
 * whatever the gate's own pattern fits, the pathspec does.
 */
#include "hub/reach.h"

#include "base/buf.h"
#include "base/limits.h"
#include "hub/gate.h"

#include <string.h>

#define SPECS_MAX 2000 /* beyond it everything is listed and judged */

struct specs {
	struct dt_arena *arena;
	struct dt_names names;
};

static void add_spec(struct specs *s, const char *before, const char *glob)
{
	struct dt_buf spec;

	if (s->names.count >= SPECS_MAX)
		return;
	dt_buf_init(&spec, DT_LIMIT_ARGUMENTS);
	dt_buf_addf(&spec, ":(top,icase)%s", before);
	for (; *glob; glob++) {
		if (strchr("[]\\", *glob))
			dt_buf_add_char(&spec, '\\');
		/* One star is as good as two here. */
		if (*glob != '*' || glob[1] != '*')
			dt_buf_add_char(&spec, *glob);
	}
	s->names.ptr[s->names.count++] =
		dt_arena_strdup(s->arena, dt_buf_z(&spec));
	dt_buf_done(&spec);
}

/* A pattern without braces. */
static void add_plain(struct specs *s, const char *glob)
{
	const char *name;

	/* From the root of the system: the last part of it, anywhere. */
	if (*glob == '/') {
		name = strrchr(glob, '/') + 1;
		add_spec(s, "*", name);
		return;
	}
	while (!strncmp(glob, "**/", 3))
		glob += 3;
	add_spec(s, "", glob);
	add_spec(s, "*/", glob);
}

/* Where the comma or brace is that ends what begins here. */
static const char *end_of_part(const char *at)
{
	int depth = 0;

	for (; *at; at++) {
		if (depth == 0 && (*at == ',' || *at == '}'))
			break;
		depth += (*at == '{') - (*at == '}');
	}
	return at;
}

/* The brace that closes what begins here; "": there is none. */
static const char *closing(const char *part)
{
	const char *end = end_of_part(part);

	while (*end == ',')
		end = end_of_part(end + 1);
	return end;
}

/* NOLINTNEXTLINE(misc-no-recursion): each step has one brace less. */
static void add_glob(struct specs *s, const char *glob)
{
	const char *open = strchr(glob, '{');
	const char *close = open ? closing(open + 1) : "";
	const char *part;

	if (!open || !*close) {
		add_plain(s, glob);
		return;
	}
	for (part = open + 1;;) {
		const char *end = end_of_part(part);

		add_glob(s, dt_arena_printf(
				    s->arena, "%.*s%.*s%s", (int)(open - glob),
				    glob, (int)(end - part), part, close + 1));
		if (*end != ',' || s->names.count >= SPECS_MAX)
			break;
		part = end + 1;
	}
}

struct dt_names dt_reach_specs(struct dt_arena *arena,
                               const struct dt_workspace *ws)
{
	const struct dt_config_globs *own =
		dt_config_globs(ws->config, "context.deny");
	struct specs s = {
		.arena = arena,
		.names.ptr = dt_arena_alloc(arena, SPECS_MAX * sizeof(char *)),
	};

	for (size_t i = 0; dt_gate_denied[i]; i++)
		add_glob(&s, dt_gate_denied[i]);
	for (size_t i = 0; i < own->count; i++)
		add_glob(&s, own->list[i].text);
	if (s.names.count >= SPECS_MAX) {
		s.names.ptr[0] = ":(top)";
		s.names.count = 1;
	}
	return s.names;
}

const char *dt_reach_find(struct dt_arena *arena, const struct dt_workspace *ws,
                          const char *top, struct dt_str names)
{
	struct dt_str last = { 0 };

	while (names.len > 0) {
		struct dt_str name = dt_str_cut(&names, '\0');
		const char *path;

		if (name.len == 0 || dt_str_eq(name, last))
			continue;
		last = name;
		path = dt_arena_printf(arena, "%s/%.*s", top, DT_STR_ARG(name));
		if (dt_gate_check_path(ws, path, NULL))
			return dt_arena_strndup(arena, name.ptr, name.len);
	}
	return NULL;
}
