/*
 * app/toml_table.c - where a table of TOML begins and ends.
 *
 * This is no parser: it knows comments, headers and strings of several lines,
 * which is what it takes to find a header, and refuses what it might misread.
 */
#include "app/toml_table.h"

#include <stdbool.h>

/* What was found on the way through the lines. */
struct search {
	struct dt_arena *arena;
	const struct dt_toml_place *place;
	const char *header;   /* "[parent.name]" */
	const char *below;    /* "[parent.name." */
	const char *quote;    /* of a string that goes on; NULL: none */
	const char *start;    /* of the table; NULL: not found */
	const char *end;      /* of its own lines */
	const char *deep_end; /* and of the tables below it */
	bool is_in_parent;    /* in "[parent]" */
	bool is_in_table;     /* in ours, or in one below */
	bool is_below;        /* in one below */
	bool is_strange;      /* ours, in a way we do not change */
};

/* Whether a string of several lines is open behind this one. */
static const char *open_quote(struct dt_str line, const char *quote)
{
	for (size_t i = 0; i + 3 <= line.len; i++) {
		const char *at = line.ptr + i;

		if (quote && !memcmp(at, quote, 3)) {
			quote = NULL;
			i += 2;
		} else if (!quote && *at == '#') {
			return NULL;
		} else if (!quote && (!memcmp(at, "\"\"\"", 3) ||
		                      !memcmp(at, "'''", 3))) {
			quote = *at == '"' ? "\"\"\"" : "'''";
			i += 2;
		}
	}
	return quote;
}

static bool starts(struct dt_str line, const char *with)
{
	return dt_str_starts(line, dt_str(with));
}

/* "[parent.name]", comments and blanks behind it aside. */
static bool is_header(struct dt_str line, const char *header)
{
	struct dt_str rest = { line.ptr + strlen(header),
		               line.len - strlen(header) };

	if (!starts(line, header))
		return false;
	rest = dt_str_trim(rest);
	return !rest.len || rest.ptr[0] == '#' || rest.ptr[0] == '\r';
}

static void see_header(struct search *s, struct dt_str line, const char *from)
{
	const char *parent =
		dt_arena_printf(s->arena, "[%s]", s->place->parent);
	const char *quoted[] = {
		dt_arena_printf(s->arena, "[%s.\"%s\"", s->place->parent,
		                s->place->name),
		dt_arena_printf(s->arena, "[%s.'%s'", s->place->parent,
		                s->place->name),
	};
	bool is_ours = is_header(line, s->header);

	if (s->is_in_table && !s->is_below)
		s->end = from;
	if (s->is_in_table)
		s->deep_end = from;
	if (starts(line, quoted[0]) || starts(line, quoted[1]) ||
	    (is_ours && s->start))
		s->is_strange = true;
	if (is_ours)
		s->start = from;
	s->is_below = starts(line, s->below);
	/* One below that stands apart from ours is not found again. */
	if (s->is_below && !s->is_in_table)
		s->is_strange = true;
	s->is_in_table = is_ours || (s->is_in_table && s->is_below);
	s->is_in_parent = is_header(line, parent);
}

/* A key of that name: "name =", "name." or the name alone. */
static bool is_key(struct dt_str line, const char *name)
{
	size_t len = strlen(name);

	return starts(line, name) &&
	       (line.len == len || strchr(" \t=.", line.ptr[len]));
}

static void see_line(struct search *s, struct dt_str raw)
{
	struct dt_str line = dt_str_trim(raw);
	bool was_quoted = s->quote != NULL;

	s->quote = open_quote(raw, s->quote);
	if (was_quoted || !line.len || line.ptr[0] == '#')
		return;
	if (line.ptr[0] == '[' && !starts(line, "[["))
		see_header(s, line, raw.ptr);
	else if (is_key(line, s->place->parent) ||
	         (s->is_in_parent && is_key(line, s->place->name)))
		s->is_strange = true;
	if (s->is_in_table && s->quote)
		s->is_strange = true;
}

static void search(struct search *s, struct dt_str text)
{
	struct dt_str rest = text;

	while (rest.len)
		see_line(s, dt_str_cut(&rest, '\n'));
	if (s->is_in_table && !s->is_below)
		s->end = text.ptr + text.len;
	if (s->is_in_table)
		s->deep_end = text.ptr + text.len;
}

static struct dt_str append(struct dt_arena *arena, struct dt_str text,
                            const char *table)
{
	bool has_end = !text.len || text.ptr[text.len - 1] == '\n';

	return dt_str(dt_arena_printf(arena, "%.*s%s%s%s", DT_STR_ARG(text),
	                              has_end ? "" : "\n", text.len ? "\n" : "",
	                              table));
}

/* Blank lines between ours and the next table are not ours. */
static const char *without_blanks(const char *from, const char *to)
{
	const char *end = to;

	while (end > from && (end[-1] == '\n' || end[-1] == '\r'))
		end--;
	while (end < to && *end != '\n')
		end++;
	return end < to ? end + 1 : to;
}

enum dt_err dt_toml_table_set(struct dt_arena *arena, struct dt_str text,
                              const struct dt_toml_place *place,
                              const char *table, struct dt_str *out,
                              struct dt_fail *fail)
{
	struct search s = {
		.arena = arena,
		.place = place,
		.header = dt_arena_printf(arena, "[%s.%s]", place->parent,
		                          place->name),
		.below = dt_arena_printf(arena, "[%s.%s.", place->parent,
		                         place->name),
	};
	const char *text_end;
	const char *from;
	const char *to;

	if (!text.ptr)
		text = DT_STR("");
	text_end = text.ptr + text.len;
	search(&s, text);
	if (s.is_strange)
		return dt_fail(fail, DT_E_ARGS,
		               "%s.%s is written in a way we do not change",
		               place->parent, place->name);
	if (!s.start) {
		*out = table ? append(arena, text, table) : text;
		return DT_E_OK;
	}
	from = s.start;
	to = table ? without_blanks(from, s.end) : s.deep_end;
	/* The blank line before it goes with it. */
	if (!table && from - text.ptr >= 2 && from[-1] == '\n' &&
	    from[-2] == '\n')
		from--;
	*out = dt_str(dt_arena_printf(
		arena, "%.*s%s%.*s", (int)(from - text.ptr), text.ptr,
		table ? table : "", (int)(text_end - to), to));
	return DT_E_OK;
}
