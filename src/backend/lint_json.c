/*
 * backend/lint_json.c - linters that print JSON.
 *
 * Members that are missing or of another type count as not said; an output that
 * is no JSON, or not of that linter's shape, is an error.
 */
#include "backend/lint_parse.h"

#include "data/json.h"

static uint32_t number(const struct dt_json *of, const char *name)
{
	const struct dt_json *value = dt_json_get(of, name);
	uint32_t n;

	return value && dt_json_to_u32(value, &n) ? n : 0;
}

/* The same, counted from 1 there and from 0 here. */
static uint32_t ordinal(const struct dt_json *of, const char *name)
{
	uint32_t n = number(of, name);

	return n ? n - 1 : 0;
}

static struct dt_str text_of(struct dt_lint_out *out, const struct dt_json *of,
                             const char *name)
{
	const struct dt_json *value = dt_json_get(of, name);

	if (!value || value->type != DT_JSON_STRING)
		return DT_STR("");
	return dt_json_text(out->arena, value);
}

/* A text or a number as text; NULL: neither. */
static const char *name_of(struct dt_lint_out *out, const struct dt_json *of,
                           const char *name)
{
	const struct dt_json *value = dt_json_get(of, name);
	struct dt_str text;

	if (!value ||
	    (value->type != DT_JSON_STRING && value->type != DT_JSON_NUMBER))
		return NULL;
	text = value->type == DT_JSON_STRING ? dt_json_text(out->arena, value)
	                                     : value->raw;
	return dt_arena_strndup(out->arena, text.ptr, text.len);
}

static int severity_of(struct dt_lint_out *out, const struct dt_json *of,
                       const char *name)
{
	struct dt_str text = text_of(out, of, name);

	if (dt_str_starts(text, DT_STR("error")) || dt_str_is(text, "fatal"))
		return DT_SEV_ERROR;
	if (dt_str_is(text, "warning"))
		return DT_SEV_WARNING;
	return DT_SEV_INFO;
}

/* What an end is not behind its start is not said. */
static void settle_end(struct dt_range *range)
{
	if (range->end.line < range->start.line ||
	    (range->end.line == range->start.line &&
	     range->end.character < range->start.character))
		range->end = range->start;
}

/* The array at the top (name NULL) or in that member. */
static enum dt_err read_array(struct dt_lint_out *out, struct dt_str text,
                              const char *name, const struct dt_json **array,
                              struct dt_fail *fail)
{
	const struct dt_json *top;
	enum dt_err err = dt_json_read(out->arena, text, &top, fail);

	if (err)
		return err;
	*array = name ? dt_json_get(top, name) : top;
	if (!*array || (*array)->type != DT_JSON_ARRAY)
		return dt_fail(fail, DT_E_PROTO,
		               "its output has no list of problems");
	return DT_E_OK;
}

static void add_eslint(struct dt_lint_out *out, struct dt_str path,
                       const struct dt_json *message)
{
	struct dt_diagnostic *d = dt_lint_add(out, path);

	d->message = text_of(out, message, "message");
	d->severity = number(message, "severity") == 1 ? DT_SEV_WARNING
	                                               : DT_SEV_ERROR;
	d->code = name_of(out, message, "ruleId");
	d->range.start = (struct dt_position){ ordinal(message, "line"),
		                               ordinal(message, "column") };
	d->range.end = (struct dt_position){ ordinal(message, "endLine"),
		                             ordinal(message, "endColumn") };
	settle_end(&d->range);
}

enum dt_err dt_lint_parse_eslint(struct dt_lint_out *out, struct dt_str text,
                                 struct dt_fail *fail)
{
	const struct dt_json *files;
	enum dt_err err = read_array(out, text, NULL, &files, fail);

	if (err)
		return err;
	dt_json_each(file, files) {
		struct dt_str path = text_of(out, file, "filePath");
		const struct dt_json *messages = dt_json_get(file, "messages");

		if (!messages || messages->type != DT_JSON_ARRAY)
			continue;
		dt_json_each(message, messages)
			add_eslint(out, path, message);
	}
	return DT_E_OK;
}

enum dt_err dt_lint_parse_ruff(struct dt_lint_out *out, struct dt_str text,
                               struct dt_fail *fail)
{
	const struct dt_json *list;
	enum dt_err err = read_array(out, text, NULL, &list, fail);

	if (err)
		return err;
	dt_json_each(item, list) {
		struct dt_diagnostic *d =
			dt_lint_add(out, text_of(out, item, "filename"));
		const struct dt_json *start = dt_json_get(item, "location");
		const struct dt_json *end = dt_json_get(item, "end_location");

		d->message = text_of(out, item, "message");
		d->code = name_of(out, item, "code");
		/* Only what cannot be parsed has no rule, and names that are
		 * not there are errors when it runs. */
		d->severity = !d->code || !strcmp(d->code, "F821") ||
		                              !strcmp(d->code, "invalid-syntax")
		                      ? DT_SEV_ERROR
		                      : DT_SEV_WARNING;
		d->range.start =
			(struct dt_position){ ordinal(start, "row"),
			                      ordinal(start, "column") };
		d->range.end = (struct dt_position){ ordinal(end, "row"),
			                             ordinal(end, "column") };
		settle_end(&d->range);
	}
	return DT_E_OK;
}

static struct dt_position position(const struct dt_json *range,
                                   const char *name)
{
	const struct dt_json *at = dt_json_get(range, name);

	return (struct dt_position){ number(at, "line"),
		                     number(at, "character") };
}

enum dt_err dt_lint_parse_pyright(struct dt_lint_out *out, struct dt_str text,
                                  struct dt_fail *fail)
{
	const struct dt_json *list;
	enum dt_err err =
		read_array(out, text, "generalDiagnostics", &list, fail);

	if (err)
		return err;
	dt_json_each(item, list) {
		struct dt_diagnostic *d =
			dt_lint_add(out, text_of(out, item, "file"));
		const struct dt_json *range = dt_json_get(item, "range");

		d->message = text_of(out, item, "message");
		d->severity = severity_of(out, item, "severity");
		d->code = name_of(out, item, "rule");
		d->range.start = position(range, "start");
		d->range.end = position(range, "end");
		settle_end(&d->range);
	}
	return DT_E_OK;
}

/* Its lines count from 1, its columns from 0. */
enum dt_err dt_lint_parse_pylint(struct dt_lint_out *out, struct dt_str text,
                                 struct dt_fail *fail)
{
	const struct dt_json *list;
	enum dt_err err = read_array(out, text, NULL, &list, fail);

	if (err)
		return err;
	dt_json_each(item, list) {
		struct dt_diagnostic *d =
			dt_lint_add(out, text_of(out, item, "path"));

		d->message = text_of(out, item, "message");
		d->severity = severity_of(out, item, "type");
		d->code = name_of(out, item, "symbol");
		d->range.start = (struct dt_position){ ordinal(item, "line"),
			                               number(item, "column") };
		d->range.end =
			(struct dt_position){ ordinal(item, "endLine"),
			                      number(item, "endColumn") };
		settle_end(&d->range);
	}
	return DT_E_OK;
}

enum dt_err dt_lint_parse_shellcheck(struct dt_lint_out *out,
                                     struct dt_str text, struct dt_fail *fail)
{
	const struct dt_json *list;
	enum dt_err err = read_array(out, text, "comments", &list, fail);

	if (err)
		return err;
	dt_json_each(item, list) {
		struct dt_diagnostic *d =
			dt_lint_add(out, text_of(out, item, "file"));

		d->message = text_of(out, item, "message");
		d->severity = severity_of(out, item, "level");
		d->code = dt_arena_printf(out->arena, "SC%u",
		                          number(item, "code"));
		d->range.start =
			(struct dt_position){ ordinal(item, "line"),
			                      ordinal(item, "column") };
		d->range.end =
			(struct dt_position){ ordinal(item, "endLine"),
			                      ordinal(item, "endColumn") };
		settle_end(&d->range);
	}
	return DT_E_OK;
}

/* cargo check --message-format json: one object a line */

static const struct dt_json *primary_span(const struct dt_json *message)
{
	const struct dt_json *spans = dt_json_get(message, "spans");

	if (!spans || spans->type != DT_JSON_ARRAY)
		return NULL;
	dt_json_each(span, spans) {
		const struct dt_json *is = dt_json_get(span, "is_primary");

		if (is && is->type == DT_JSON_TRUE)
			return span;
	}
	return NULL;
}

/* The label says what the message leaves open: "expected `i32`, found ...". */
static struct dt_str with_label(struct dt_lint_out *out, struct dt_str message,
                                struct dt_str label)
{
	if (label.len == 0)
		return message;
	return dt_str(dt_arena_printf(out->arena, "%.*s: %.*s",
	                              DT_STR_ARG(message), DT_STR_ARG(label)));
}

static void add_cargo(struct dt_lint_out *out, const struct dt_json *message)
{
	const struct dt_json *span = primary_span(message);
	struct dt_diagnostic *d;

	/* Without a place it sums up what was told before. */
	if (!span)
		return;
	d = dt_lint_add(out, text_of(out, span, "file_name"));
	d->message = with_label(out, text_of(out, message, "message"),
	                        text_of(out, span, "label"));
	d->severity = severity_of(out, message, "level");
	d->code = name_of(out, dt_json_get(message, "code"), "code");
	d->range.start = (struct dt_position){ ordinal(span, "line_start"),
		                               ordinal(span, "column_start") };
	d->range.end = (struct dt_position){ ordinal(span, "line_end"),
		                             ordinal(span, "column_end") };
	settle_end(&d->range);
}

enum dt_err dt_lint_parse_cargo(struct dt_lint_out *out, struct dt_str text,
                                struct dt_fail *fail)
{
	while (text.len > 0) {
		struct dt_str line = dt_str_cut(&text, '\n');
		const struct dt_json *json;
		enum dt_err err;

		/* Build scripts print lines of their own. */
		if (!dt_str_starts(line, DT_STR("{")))
			continue;
		err = dt_json_read(out->arena, line, &json, fail);
		if (err)
			return err;
		if (dt_str_is(text_of(out, json, "reason"), "compiler-message"))
			add_cargo(out, dt_json_get(json, "message"));
	}
	return DT_E_OK;
}
