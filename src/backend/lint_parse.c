/*
 * backend/lint_parse.c - linters that print a line for each problem.
 *
 * Nothing here runs a program or reads a file.  A line that tells of no problem
 * is passed over: programs say this and that in between.
 */
#include "backend/lint_parse.h"

#include "base/limits.h"

#include <ctype.h>

/* Where, as "PATH:LINE:COLUMN" says it; 1-based, 0: not said. */
struct place {
	struct dt_str path;
	uint32_t line;
	uint32_t column;
	uint32_t end_column; /* the last one */
};

struct dt_diagnostic *dt_lint_add(struct dt_lint_out *out, struct dt_str path)
{
	struct dt_lint_problem *problem;

	if (out->count == out->room) {
		size_t room = out->room ? out->room * 2 : 16;
		struct dt_lint_problem *items =
			dt_arena_alloc(out->arena, room * sizeof(*items));

		if (out->count > 0)
			memcpy(items, out->items, out->count * sizeof(*items));
		out->items = items;
		out->room = room;
	}
	problem = &out->items[out->count++];
	*problem = (struct dt_lint_problem){
		.path = dt_arena_strndup(out->arena, path.ptr, path.len),
	};
	return &problem->diagnostic;
}

static uint32_t from_zero(uint32_t counted_from_one)
{
	return counted_from_one ? counted_from_one - 1 : 0;
}

static struct dt_diagnostic *add(struct dt_lint_out *out,
                                 const struct place *place,
                                 struct dt_str message, int severity)
{
	struct dt_diagnostic *d = dt_lint_add(out, place->path);
	uint32_t line = from_zero(place->line);

	d->message = message;
	d->severity = severity;
	d->range.start = (struct dt_position){ line, from_zero(place->column) };
	d->range.end = d->range.start;
	if (place->end_column >= place->column && place->end_column > 0)
		d->range.end.character = place->end_column;
	return d;
}

static struct dt_str cut_line(struct dt_str *rest)
{
	struct dt_str line = dt_str_cut(rest, '\n');

	if (line.len > 0 && line.ptr[line.len - 1] == '\r')
		line.len--;
	return line;
}

static void skip(struct dt_str *text, size_t len)
{
	text->ptr += len;
	text->len -= len;
}

static bool skip_prefix(struct dt_str *text, struct dt_str prefix)
{
	if (!dt_str_starts(*text, prefix))
		return false;
	skip(text, prefix.len);
	return true;
}

/* The number in front; false: there is none. */
static bool cut_number(struct dt_str *text, uint32_t *out)
{
	size_t digits = 0;

	while (digits < text->len && isdigit((unsigned char)text->ptr[digits]))
		digits++;
	if (dt_str_to_u32((struct dt_str){ text->ptr, digits }, out, NULL))
		return false;
	skip(text, digits);
	return true;
}

/* "PATH:LINE:", "PATH:LINE:COLUMN:" or "PATH:LINE:FIRST-LAST:" taken off the
 * front; colons of the path are those no line follows. */
static bool cut_place(struct dt_str *line, struct place *out)
{
	for (size_t i = 1; i < line->len; i++) {
		struct dt_str rest = { line->ptr + i, line->len - i };

		*out = (struct place){ .path = { line->ptr, i } };
		if (!skip_prefix(&rest, DT_STR(":")) ||
		    !cut_number(&rest, &out->line) ||
		    !skip_prefix(&rest, DT_STR(":")))
			continue;
		if (cut_number(&rest, &out->column)) {
			if (skip_prefix(&rest, DT_STR("-")) &&
			    !cut_number(&rest, &out->end_column))
				continue;
			if (!skip_prefix(&rest, DT_STR(":")))
				continue;
		}
		*line = dt_str_trim(rest);
		return true;
	}
	return false;
}

/* "... [CODE]" or "... (CODE)": the code, which is then off the message. */
static const char *cut_code(struct dt_lint_out *out, struct dt_str *message,
                            char open, char close)
{
	const char *at;
	struct dt_str code;

	if (message->len < 3 || message->ptr[message->len - 1] != close)
		return NULL;
	at = memrchr(message->ptr, open, message->len);
	if (!at || at == message->ptr)
		return NULL;
	code = (struct dt_str){
		at + 1, (size_t)(message->ptr + message->len - at) - 2
	};
	if (code.len == 0 || memchr(code.ptr, ' ', code.len))
		return NULL;
	message->len = (size_t)(at - message->ptr);
	*message = dt_str_trim(*message);
	return dt_arena_strndup(out->arena, code.ptr, code.len);
}

/* gcc, clang */

static bool cut_severity(struct dt_str *text, int *out)
{
	if (skip_prefix(text, DT_STR("error: ")) ||
	    skip_prefix(text, DT_STR("fatal error: ")))
		*out = DT_SEV_ERROR;
	else if (skip_prefix(text, DT_STR("warning: ")))
		*out = DT_SEV_WARNING;
	else
		return false;
	return true;
}

/* "[-Wunused]" is an option to type, "[-Werror=unused]" the same one. */
static const char *cut_option(struct dt_lint_out *out, struct dt_str *message)
{
	struct dt_str whole = *message;
	const char *code = cut_code(out, message, '[', ']');

	if (!code || *code == '-')
		return code;
	*message = whole;
	return NULL;
}

enum dt_err dt_lint_parse_gcc(struct dt_lint_out *out, struct dt_str text,
                              struct dt_fail *fail)
{
	(void)fail;
	while (text.len > 0) {
		struct dt_str line = cut_line(&text);
		struct place place;
		const char *code;
		int severity;

		if (!cut_place(&line, &place) ||
		    !cut_severity(&line, &severity))
			continue;
		code = cut_option(out, &line);
		add(out, &place, line, severity)->code = code;
	}
	return DT_E_OK;
}

/* go vet: what does not compile begins with "vet: ". */
enum dt_err dt_lint_parse_go(struct dt_lint_out *out, struct dt_str text,
                             struct dt_fail *fail)
{
	(void)fail;
	while (text.len > 0) {
		struct dt_str line = cut_line(&text);
		bool is_error = skip_prefix(&line, DT_STR("vet: "));
		struct place place;

		if (cut_place(&line, &place))
			add(out, &place, line,
			    is_error ? DT_SEV_ERROR : DT_SEV_WARNING);
	}
	return DT_E_OK;
}

/* luacheck --formatter plain --codes --ranges: "PATH:1:7-9: (W211) ..." */
enum dt_err dt_lint_parse_luacheck(struct dt_lint_out *out, struct dt_str text,
                                   struct dt_fail *fail)
{
	(void)fail;
	while (text.len > 0) {
		struct dt_str line = cut_line(&text);
		struct dt_diagnostic *d;
		struct dt_str code;
		struct place place;

		if (!cut_place(&line, &place) ||
		    !skip_prefix(&line, DT_STR("(")))
			continue;
		code = dt_str_cut(&line, ')');
		d = add(out, &place, dt_str_trim(line),
		        dt_str_starts(code, DT_STR("E")) ? DT_SEV_ERROR
		                                         : DT_SEV_WARNING);
		d->code = dt_arena_strndup(out->arena, code.ptr, code.len);
	}
	return DT_E_OK;
}

/* yamllint -f parsable: "PATH:1:1: [warning] ... (rule)" */
enum dt_err dt_lint_parse_yamllint(struct dt_lint_out *out, struct dt_str text,
                                   struct dt_fail *fail)
{
	(void)fail;
	while (text.len > 0) {
		struct dt_str line = cut_line(&text);
		struct place place;
		const char *code;
		bool is_error;

		if (!cut_place(&line, &place) ||
		    !skip_prefix(&line, DT_STR("[")))
			continue;
		is_error = dt_str_is(dt_str_cut(&line, ']'), "error");
		line = dt_str_trim(line);
		code = cut_code(out, &line, '(', ')');
		add(out, &place, line, is_error ? DT_SEV_ERROR : DT_SEV_WARNING)
			->code = code;
	}
	return DT_E_OK;
}

/* tsc --pretty false */

/* "PATH(LINE,COLUMN): " off the front. */
static bool cut_ts_place(struct dt_str *line, struct place *out)
{
	for (size_t i = 1; i < line->len; i++) {
		struct dt_str rest = { line->ptr + i, line->len - i };

		*out = (struct place){ .path = { line->ptr, i } };
		if (!skip_prefix(&rest, DT_STR("(")) ||
		    !cut_number(&rest, &out->line) ||
		    !skip_prefix(&rest, DT_STR(",")) ||
		    !cut_number(&rest, &out->column) ||
		    !skip_prefix(&rest, DT_STR("): ")))
			continue;
		*line = rest;
		return true;
	}
	return false;
}

/* What is wrong with the project and not with a file has no place. */
static bool add_ts_problem(struct dt_lint_out *out, struct dt_str line)
{
	struct place place = { .path = DT_STR("tsconfig.json") };
	struct dt_diagnostic *d;
	struct dt_str code;
	int severity = DT_SEV_ERROR;

	if (!cut_ts_place(&line, &place))
		place = (struct place){ .path = DT_STR("tsconfig.json") };
	if (skip_prefix(&line, DT_STR("warning ")))
		severity = DT_SEV_WARNING;
	else if (!skip_prefix(&line, DT_STR("error ")))
		return false;
	if (!dt_str_starts(line, DT_STR("TS")))
		return false;
	code = dt_str_cut(&line, ':');
	d = add(out, &place, dt_str_trim(line), severity);
	d->code = dt_arena_strndup(out->arena, code.ptr, code.len);
	return true;
}

enum dt_err dt_lint_parse_tsc(struct dt_lint_out *out, struct dt_str text,
                              struct dt_fail *fail)
{
	bool has_one = false;

	(void)fail;
	while (text.len > 0) {
		struct dt_str line = cut_line(&text);
		struct dt_str *message;

		if (!dt_str_starts(line, DT_STR("  "))) {
			has_one = add_ts_problem(out, line);
			continue;
		}
		if (!has_one)
			continue;
		/* What is indented goes on with the message; it stands right
		 * behind it in the text. */
		message = &out->items[out->count - 1].diagnostic.message;
		message->len = (size_t)(line.ptr + line.len - message->ptr);
	}
	return DT_E_OK;
}

/* biome --reporter=github: "::error title=...,file=...,line=1,...::message" */

static struct dt_str property(struct dt_str list, const char *name)
{
	while (list.len > 0) {
		struct dt_str value = dt_str_cut(&list, ',');
		struct dt_str key = dt_str_cut(&value, '=');

		if (dt_str_is(key, name))
			return value;
	}
	return (struct dt_str){ 0 };
}

static uint32_t number(struct dt_str text)
{
	uint32_t value;

	return cut_number(&text, &value) ? value : 0;
}

static struct dt_str cut_head(struct dt_str *line)
{
	const char *at = memmem(line->ptr, line->len, "::", 2);
	struct dt_str head = { line->ptr,
		               at ? (size_t)(at - line->ptr) : line->len };

	skip(line, at ? head.len + 2 : head.len);
	return head;
}

enum dt_err dt_lint_parse_biome(struct dt_lint_out *out, struct dt_str text,
                                struct dt_fail *fail)
{
	(void)fail;
	while (text.len > 0) {
		struct dt_str line = cut_line(&text);
		struct dt_diagnostic *d;
		struct dt_str level;
		struct dt_str title;
		struct dt_str head;
		struct place place;

		if (!skip_prefix(&line, DT_STR("::")))
			continue;
		head = cut_head(&line);
		level = dt_str_cut_word(&head);
		head = dt_str_trim(head);
		title = property(head, "title");
		place = (struct place){
			.path = property(head, "file"),
			.line = number(property(head, "line")),
			.column = number(property(head, "col")),
		};
		if (place.path.len == 0)
			continue;
		d = add(out, &place, line,
		        dt_str_is(level, "error")     ? DT_SEV_ERROR
		        : dt_str_is(level, "warning") ? DT_SEV_WARNING
		                                      : DT_SEV_INFO);
		d->code = dt_arena_strndup(out->arena, title.ptr, title.len);
		d->range.end = (struct dt_position){
			from_zero(number(property(head, "endLine"))),
			from_zero(number(property(head, "endColumn"))),
		};
	}
	return DT_E_OK;
}

/* jq: "parse error: ... at line 2, column 13", with or without "jq: " */
enum dt_err dt_lint_parse_jq(struct dt_lint_out *out, struct dt_str text,
                             struct dt_fail *fail)
{
	static const char before[] = " at line ";

	(void)fail;
	while (text.len > 0) {
		struct dt_str line = cut_line(&text);
		struct place place = { .path = DT_STR("") };
		struct dt_str rest;
		const char *at;

		skip_prefix(&line, DT_STR("jq: "));
		if (!skip_prefix(&line, DT_STR("parse error: ")))
			continue;
		at = memmem(line.ptr, line.len, before, sizeof(before) - 1);
		if (!at)
			continue;
		rest = line;
		skip(&rest, (size_t)(at - line.ptr) + sizeof(before) - 1);
		line.len = (size_t)(at - line.ptr);
		if (cut_number(&rest, &place.line) &&
		    skip_prefix(&rest, DT_STR(", column ")))
			place.column = number(rest);
		add(out, &place, line, DT_SEV_ERROR);
	}
	return DT_E_OK;
}
