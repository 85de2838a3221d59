/*
 * backend/ripgrep.c - the arguments of ripgrep, and its --json, line by line.
 *
 * Its own settings are left out, as are links, so that a search is the same for
 * everybody and stays in the workspace.  Bytes are searched as they are, so that
 * what it says can be held against the file.  What ripgrep says is not trusted to
 * be well formed: a line that is not understood is passed over.
 */
#include "backend/ripgrep.h"

#include "base/limits.h"

#include <string.h>

#define LINE_MAX (8u * DT_MIB) /* of its JSON */
#define ARGS_MAX 32            /* beside the roots */

/* arguments */

/*
 * The last part of a glob as ripgrep writes it: -g would make it look at what
 * is ignored, a type does not, but a type knows last parts alone.  NULL: it
 * cannot be said so.
 */
static char *last_part(struct dt_arena *arena, const char *glob)
{
	const char *part = strrchr(glob, '/');
	char *out = dt_arena_alloc(arena, 2 * strlen(glob) + 1);
	size_t len = 0;
	int depth = 0;

	part = part ? part + 1 : glob;
	if (strstr(part, "**") || !strncmp(part, "include:", 8))
		return NULL;
	for (; *part; part++) {
		depth += *part == '{';
		depth -= *part == '}';
		if (depth < 0) /* the slash was inside of braces */
			return NULL;
		if (strchr("[]\\!", *part))
			out[len++] = '\\';
		out[len++] = *part;
	}
	return out;
}

char **dt_ripgrep_argv(struct dt_arena *arena, const char *program,
                       const struct dt_search_args *args,
                       const struct dt_names *roots)
{
	static const char *const always[] = {
		"--no-config",        "--json",
		"--hidden",           "--no-require-git",
		"--no-follow",        "--crlf",
		"--glob=!.git",       "--glob=!.hg",
		"--glob=!.svn",       "--glob=!__pycache__",
		"--glob=!.venv",      "--glob=!node_modules",
		"--max-filesize=64M", "--encoding=none",
	};
	size_t count = sizeof(always) / sizeof(always[0]);
	char *type = args->glob ? last_part(arena, args->glob) : NULL;
	char **argv = dt_arena_alloc(arena,
	                             (ARGS_MAX + roots->count) * sizeof(*argv));
	size_t n = 0;

	argv[n++] = dt_arena_strdup(arena, program);
	for (size_t i = 0; i < count; i++)
		argv[n++] = dt_arena_strdup(arena, always[i]);
	argv[n++] =
		args->is_case_sensitive ? "--case-sensitive" : "--ignore-case";
	if (!args->is_regex)
		argv[n++] = "--fixed-strings";
	if (type) {
		argv[n++] = dt_arena_printf(arena, "--type-add=asked:%s", type);
		argv[n++] = "--type=asked";
	}
	argv[n++] = dt_arena_printf(arena, "--max-count=%u", args->max + 1);
	argv[n++] = dt_arena_printf(arena, "--context=%u", args->context);
	argv[n++] = dt_arena_printf(arena, "--regexp=%s", args->query);
	argv[n++] = "--";
	for (size_t i = 0; i < roots->count; i++)
		argv[n++] = dt_arena_strdup(arena, roots->ptr[i]);
	return argv;
}

/* what it says */

void dt_ripgrep_init(struct dt_ripgrep *rg, struct dt_hits *hits,
                     dt_ripgrep_wants_fn *wants, void *owner)
{
	*rg = (struct dt_ripgrep){
		.hits = hits,
		.wants = wants,
		.owner = owner,
	};
	dt_buf_init(&rg->line, LINE_MAX);
}

void dt_ripgrep_done(struct dt_ripgrep *rg)
{
	dt_buf_done(&rg->line);
}

static int digit_of(char c)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

static struct dt_str decode(struct dt_arena *arena, struct dt_str base64)
{
	char *out = dt_arena_alloc(arena, base64.len + 1);
	uint32_t bits = 0;
	unsigned have = 0;
	size_t len = 0;

	for (size_t i = 0; i < base64.len && digit_of(base64.ptr[i]) >= 0;
	     i++) {
		bits = bits << 6 | (uint32_t)digit_of(base64.ptr[i]);
		have += 6;
		if (have >= 8) {
			have -= 8;
			out[len++] = (char)(bits >> have & 0xff);
		}
	}
	return (struct dt_str){ out, len };
}

/* {"text": ...}, or {"bytes": base64} for what is no UTF-8. */
static struct dt_str text_of(struct dt_arena *arena, const struct dt_json *of)
{
	const struct dt_json *text = dt_json_get(of, "text");
	const struct dt_json *bytes = dt_json_get(of, "bytes");

	if (text && text->type == DT_JSON_STRING)
		return dt_json_text(arena, text);
	if (bytes && bytes->type == DT_JSON_STRING)
		return decode(arena, dt_json_text(arena, bytes));
	return (struct dt_str){ 0 };
}

static size_t number_of(const struct dt_json *of, const char *name)
{
	const struct dt_json *number = dt_json_get(of, name);
	uint32_t value = 0;

	if (number && number->type == DT_JSON_NUMBER &&
	    !dt_json_to_u32(number, &value))
		value = 0;
	return value;
}

static void take_line(struct dt_ripgrep *rg, struct dt_arena *arena,
                      const struct dt_json *data, bool is_match)
{
	const struct dt_json *found = dt_json_get(data, "submatches");
	struct dt_str text = text_of(arena, dt_json_get(data, "lines"));
	size_t line = number_of(data, "line_number");
	struct dt_hit hit = {
		.line = line > 0 ? (uint32_t)line - 1 : 0,
		.offset = number_of(data, "absolute_offset"),
	};

	if (text.len > 0 && text.ptr[text.len - 1] == '\n')
		text.len--;
	if (text.len > 0 && text.ptr[text.len - 1] == '\r')
		text.len--;
	hit.text = text;
	if (found && found->type == DT_JSON_ARRAY && found->count > 0) {
		hit.start = number_of(dt_json_first(found), "start");
		hit.end = number_of(dt_json_first(found), "end");
	}
	if (hit.end > text.len)
		hit.end = text.len;
	if (hit.start > hit.end)
		hit.start = hit.end;
	if (text.ptr)
		dt_hits_add(rg->hits, &hit, is_match);
}

/* What has a NUL is no text: what was found before it does not count. */
static void end_file(struct dt_ripgrep *rg, struct dt_arena *arena,
                     const struct dt_json *data)
{
	struct dt_str path = text_of(arena, dt_json_get(data, "path"));
	const struct dt_json *binary = dt_json_get(data, "binary_offset");
	bool is_text = !binary || binary->type == DT_JSON_NULL;
	const char *name = dt_arena_strndup(arena, path.ptr, path.len);

	if (!is_text || path.len == 0 || !rg->wants(name, rg->owner))
		name = NULL;
	rg->is_full = !dt_hits_end_file(rg->hits, name);
}

static void take(struct dt_ripgrep *rg, struct dt_str line)
{
	struct dt_arena arena = { 0 };
	const struct dt_json *json = NULL;
	const struct dt_json *type = NULL;
	const struct dt_json *data = NULL;

	if (!dt_json_read(&arena, line, &json, NULL)) {
		type = dt_json_get(json, "type");
		data = dt_json_get(json, "data");
	}
	if (type && data && dt_str_is(type->raw, "\"match\""))
		take_line(rg, &arena, data, true);
	else if (type && data && dt_str_is(type->raw, "\"context\""))
		take_line(rg, &arena, data, false);
	else if (type && data && dt_str_is(type->raw, "\"end\""))
		end_file(rg, &arena, data);
	else if (type && dt_str_is(type->raw, "\"summary\""))
		rg->has_ended = true;
	dt_arena_done(&arena);
}

/* A piece of a line, perhaps its last; most lines come whole. */
static void add_piece(struct dt_ripgrep *rg, struct dt_str piece, bool is_last)
{
	if (is_last && rg->line.len == 0 && !rg->is_skipping) {
		take(rg, piece);
		return;
	}
	if (!rg->is_skipping)
		dt_buf_add_str(&rg->line, piece);
	rg->is_skipping |= rg->line.overflow;
	if (!is_last)
		return;
	if (rg->is_skipping)
		rg->is_cut = true;
	else
		take(rg, dt_buf_str(&rg->line));
	rg->is_skipping = false;
	dt_buf_done(&rg->line);
	dt_buf_init(&rg->line, LINE_MAX);
}

void dt_ripgrep_feed(struct dt_ripgrep *rg, struct dt_str bytes)
{
	while (bytes.len > 0 && !rg->is_full) {
		const char *end = memchr(bytes.ptr, '\n', bytes.len);
		size_t len = end ? (size_t)(end - bytes.ptr) : bytes.len;

		add_piece(rg, (struct dt_str){ bytes.ptr, len }, end != NULL);
		len += end ? 1 : 0;
		bytes.ptr += len;
		bytes.len -= len;
	}
}
