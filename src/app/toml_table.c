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
	const char *ours;     /* "parent.name" */
	const char *below;    /* "parent.name." */
	const char *quote;    /* of a string that goes on; NULL: none */
	const char *start;    /* of the table; NULL: not found */
	const char *end;      /* behind the last line it says something in */
	const char *deep_end; /* and of the tables below it */
	bool is_in_parent;    /* in "[parent]" */
	bool is_in_table;     /* in ours, or in one below */
	bool is_below;        /* in one below */
	bool is_strange;      /* ours, in a way we do not change */
};

/* "[name]" or "[[name]]", the name without its blanks and quotes. */
struct header {
	const char *name;
	bool is_array;
	bool is_quoted;
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

/* False when the line is no header; comments and blanks behind one are fine. */
static bool read_header(struct dt_arena *arena, struct dt_str line,
                        struct header *out)
{
	bool is_array = starts(line, "[[");
	char *name = dt_arena_alloc(arena, line.len + 1);
	size_t len = 0;
	size_t i = is_array ? 2 : 1;
	char quote = '\0';

	*out = (struct header){ .name = name, .is_array = is_array };
	if (!starts(line, "["))
		return false;
	for (; i < line.len && (quote || line.ptr[i] != ']'); i++) {
		char c = line.ptr[i];

		if (c == quote) {
			quote = '\0';
		} else if (!quote && (c == '"' || c == '\'')) {
			quote = c;
			out->is_quoted = true;
		} else if (quote || (c != ' ' && c != '\t')) {
			name[len++] = c;
		}
	}
	name[len] = '\0';
	i += is_array ? 2 : 1;
	if (i > line.len || line.ptr[i - 1] != ']')
		return false;
	line = dt_str_trim((struct dt_str){ line.ptr + i, line.len - i });
	return !line.len || line.ptr[0] == '#' || line.ptr[0] == '\r';
}

static void see_header(struct search *s, const struct header *header,
                       const char *from)
{
	struct dt_str name = dt_str(header->name);
	bool is_ours = dt_str_is(name, s->ours);

	s->is_below = starts(name, s->below);
	if (is_ours && (s->start || header->is_array || header->is_quoted))
		s->is_strange = true;
	/* One below that stands apart from ours is not found again. */
	if (s->is_below && !s->is_in_table)
		s->is_strange = true;
	if (is_ours)
		s->start = from;
	s->is_in_table = is_ours || (s->is_in_table && s->is_below);
	s->is_in_parent = dt_str_is(name, s->place->parent);
}

/* A key of that name: "name =", "name." or the name alone. */
static bool is_key(struct dt_str line, const char *name)
{
	size_t len = strlen(name);

	return starts(line, name) &&
	       (line.len == len || strchr(" \t=.", line.ptr[len]));
}

/* Blanks and comments behind the last line of a table may belong to what comes
 * next, so they are never taken for a part of it. */
static void see_line(struct search *s, struct dt_str raw, const char *behind)
{
	struct dt_str line = dt_str_trim(raw);
	bool was_quoted = s->quote != NULL;
	struct header header;

	s->quote = open_quote(raw, s->quote);
	if (was_quoted || !line.len || line.ptr[0] == '#' ||
	    line.ptr[0] == '\r')
		return;
	if (read_header(s->arena, line, &header))
		see_header(s, &header, raw.ptr);
	else if (is_key(line, s->place->parent) ||
	         (s->is_in_parent && is_key(line, s->place->name)))
		s->is_strange = true;
	if (s->is_in_table && s->quote)
		s->is_strange = true;
	if (s->is_in_table && !s->is_below)
		s->end = behind;
	if (s->is_in_table)
		s->deep_end = behind;
}

static void search(struct search *s, struct dt_str text)
{
	struct dt_str rest = text;

	while (rest.len) {
		struct dt_str line = dt_str_cut(&rest, '\n');

		see_line(s, line, rest.len ? rest.ptr : text.ptr + text.len);
	}
}

static struct dt_str append(struct dt_arena *arena, struct dt_str text,
                            const char *table)
{
	bool has_end = !text.len || text.ptr[text.len - 1] == '\n';

	return dt_str(dt_arena_printf(arena, "%.*s%s%s%s", DT_STR_ARG(text),
	                              has_end ? "" : "\n", text.len ? "\n" : "",
	                              table));
}

/* Taken out, a table takes the blank line before it along; one at the very
 * beginning takes those behind it. */
static void widen(struct dt_str text, const char **from, const char **to)
{
	const char *text_end = text.ptr + text.len;

	if (*from - text.ptr >= 2 && (*from)[-1] == '\n' && (*from)[-2] == '\n')
		(*from)--;
	while (*from == text.ptr && *to < text_end &&
	       (**to == '\n' || **to == '\r'))
		(*to)++;
}

enum dt_err dt_toml_table_set(struct dt_arena *arena, struct dt_str text,
                              const struct dt_toml_place *place,
                              const char *table, struct dt_str *out,
                              struct dt_fail *fail)
{
	struct search s = {
		.arena = arena,
		.place = place,
		.ours = dt_arena_printf(arena, "%s.%s", place->parent,
		                        place->name),
		.below = dt_arena_printf(arena, "%s.%s.", place->parent,
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
	to = table ? s.end : s.deep_end;
	if (!table)
		widen(text, &from, &to);
	*out = dt_str(dt_arena_printf(
		arena, "%.*s%s%.*s", (int)(from - text.ptr), text.ptr,
		table ? table : "", (int)(text_end - to), to));
	return DT_E_OK;
}
