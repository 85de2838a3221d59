/*
 * backend/git_parse.c - git's formats for programs, and its patches.
 *
 * Only what git promises to keep is relied on: porcelain formats, fields that
 * end with NUL, and the headers of a patch, by which `git apply` knows its files.
 * Nothing here runs anything.
 */
#include "backend/git_parse.h"

#include "base/clock.h"
#include "base/limits.h"
#include "base/utf8.h"

#include <stdlib.h>

#define SUBJECT_MAX 500
#define BODY_MAX (8u * DT_KIB)

const char *dt_git_field(struct dt_arena *arena, struct dt_str *rest)
{
	const char *end = rest->len ? memchr(rest->ptr, '\0', rest->len) : NULL;
	struct dt_str field;

	if (!end) {
		rest->len = 0;
		return NULL;
	}
	field = dt_str_cut(rest, '\0');
	return dt_arena_strndup(arena, field.ptr, field.len);
}

/* How many bytes at `at` are a character that is not for readers: controls, and
 * those that turn the direction of what follows. */
static size_t odd_bytes(const unsigned char *at, size_t len, bool is_body)
{
	if (is_body && (*at == '\n' || *at == '\t'))
		return 0;
	if (*at < 0x20 || *at == 0x7f)
		return 1;
	if (len >= 2 && at[0] == 0xc2 && at[1] < 0xa0) /* U+0080 to U+009F */
		return 2;
	if (len >= 2 && at[0] == 0xd8 && at[1] == 0x9c) /* U+061C */
		return 2;
	if (len < 3 || at[0] != 0xe2)
		return 0;
	/* U+200E, U+200F; U+2028 to U+202E; U+2066 to U+2069 */
	if (at[1] == 0x80 && (at[2] == 0x8e || at[2] == 0x8f ||
	                      (at[2] >= 0xa8 && at[2] <= 0xae)))
		return 3;
	return at[1] == 0x81 && at[2] >= 0xa6 && at[2] <= 0xa9 ? 3 : 0;
}

struct dt_str dt_git_plain(struct dt_arena *arena, struct dt_str text,
                           size_t max, bool is_body)
{
	char *plain = dt_arena_bytes(arena, text.len + 1);
	size_t len = 0;

	for (size_t i = 0; i < text.len;) {
		const unsigned char *at = (const unsigned char *)text.ptr + i;
		size_t odd = odd_bytes(at, text.len - i, is_body);

		if (odd == 0)
			plain[len++] = text.ptr[i];
		i += odd ? odd : 1;
	}
	if (len > max)
		len = dt_utf8_cut((struct dt_str){ plain, len }, max);
	plain[len] = '\0';
	return (struct dt_str){ plain, len };
}

static const char *plain_subject(struct dt_arena *arena, struct dt_str text)
{
	return dt_git_plain(arena, text, SUBJECT_MAX, false).ptr;
}

static const char *absolute(struct dt_arena *arena, const char *top,
                            const char *name)
{
	return dt_arena_printf(arena, "%s%s%s", top, top[1] ? "/" : "", name);
}

static size_t count_bytes(struct dt_str text, char byte)
{
	size_t count = 0;

	for (size_t i = 0; i < text.len; i++)
		count += text.ptr[i] == byte;
	return count;
}

static size_t at_most(size_t count, size_t most)
{
	return count < most ? count : most;
}

struct dt_names dt_git_parse_names(struct dt_arena *arena, const char *top,
                                   struct dt_str text)
{
	struct dt_names names = {
		.ptr = dt_arena_alloc(arena, (count_bytes(text, '\0') + 1) *
		                                     sizeof(*names.ptr)),
	};
	const char *name;

	while ((name = dt_git_field(arena, &text)))
		names.ptr[names.count++] = absolute(arena, top, name);
	return names;
}

/* status */

static const char *state_of(char letter)
{
	static const char *const states[][2] = {
		{ "M", "modified" }, { "A", "added" },  { "D", "deleted" },
		{ "R", "renamed" },  { "C", "copied" }, { "T", "type changed" },
	};

	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		if (states[i][0][0] == letter)
			return states[i][1];
	}
	return "changed";
}

static const char *conflict_of(const char *letters)
{
	static const char *const states[][2] = {
		{ "DD", "both deleted" },    { "AU", "added by us" },
		{ "UD", "deleted by them" }, { "UA", "added by them" },
		{ "DU", "deleted by us" },   { "AA", "both added" },
		{ "UU", "both modified" },
	};

	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		if (!memcmp(states[i][0], letters, 2))
			return states[i][1];
	}
	return "unmerged";
}

/* "# branch.head main" */
static void take_header(struct dt_arena *arena, struct dt_str line,
                        struct dt_git_status_result *out)
{
	struct dt_str name = dt_str_cut(&line, ' ');
	const char *value = dt_arena_strndup(arena, line.ptr, line.len);
	struct dt_str ahead;

	if (dt_str_is(name, "branch.oid") && *value != '(') {
		out->head = value;
	} else if (dt_str_is(name, "branch.head") && *value != '(') {
		out->branch = value;
	} else if (dt_str_is(name, "branch.upstream")) {
		out->upstream = value;
	} else if (dt_str_is(name, "branch.ab")) {
		/* "+1 -2" */
		ahead = dt_str_cut(&line, ' ');
		out->ahead.is_set = ahead.len > 1 && line.len > 1;
		out->behind.is_set = out->ahead.is_set;
		if (out->ahead.is_set &&
		    (dt_str_to_u32(
			     (struct dt_str){ ahead.ptr + 1, ahead.len - 1 },
			     &out->ahead.value, NULL) ||
		     dt_str_to_u32(
			     (struct dt_str){ line.ptr + 1, line.len - 1 },
			     &out->behind.value, NULL)))
			out->ahead.is_set = out->behind.is_set = false;
	} else if (dt_str_is(name, "stash")) {
		if (dt_str_to_u32(line, &out->stashes, NULL))
			out->stashes = 0;
	}
}

static void add_change(struct dt_items *items, struct dt_git_change change,
                       bool *is_cut)
{
	struct dt_git_change *all = items->ptr;

	if (items->count < DT_LIMIT_GIT_ENTRIES)
		all[items->count++] = change;
	else
		*is_cut = true;
}

/* "1 XY ... path" and "2 XY ... path", NUL, "old path": so many blanks before the
 * path. */
static void take_change(struct dt_arena *arena, const char *top,
                        const char *line, const char *old,
                        struct dt_git_status_result *out)
{
	int blanks = *line == '1' ? 8 : *line == '2' ? 9 : 10;
	struct dt_git_change change = { 0 };
	const char *path = line;

	while (path && blanks-- > 0) {
		path = strchr(path, ' ');
		path = path ? path + 1 : NULL;
	}
	if (!path)
		return;
	change.path = absolute(arena, top, path);
	if (old)
		change.old_path = absolute(arena, top, old);
	if (*line == 'u') {
		change.state = conflict_of(line + 2);
		add_change(&out->conflicts, change, &out->is_cut);
		return;
	}
	if (line[2] != '.') {
		change.state = state_of(line[2]);
		add_change(&out->staged, change, &out->is_cut);
	}
	if (line[3] != '.') {
		change.state = state_of(line[3]);
		add_change(&out->unstaged, change, &out->is_cut);
	}
}

static void take_status(struct dt_arena *arena, const char *top,
                        const char *line, struct dt_str *rest,
                        struct dt_git_status_result *out)
{
	if (line[0] == '#' && line[1])
		take_header(arena, dt_str(line + 2), out);
	else if (line[0] == '?' && out->untracked.count < DT_LIMIT_GIT_ENTRIES)
		out->untracked.ptr[out->untracked.count++] =
			absolute(arena, top, line + 2);
	else if (line[0] == '?')
		out->is_cut = true;
	else if (line[0] == '2')
		take_change(arena, top, line, dt_git_field(arena, rest), out);
	else if (strlen(line) > 4)
		take_change(arena, top, line, NULL, out);
}

void dt_git_parse_status(struct dt_arena *arena, const char *top,
                         struct dt_str text, struct dt_git_status_result *out)
{
	size_t count = at_most(count_bytes(text, '\0'), DT_LIMIT_GIT_ENTRIES);
	size_t size = (count + 1) * sizeof(struct dt_git_change);
	const char *line;

	out->staged.ptr = dt_arena_alloc(arena, size);
	out->unstaged.ptr = dt_arena_alloc(arena, size);
	out->conflicts.ptr = dt_arena_alloc(arena, size);
	out->untracked.ptr =
		dt_arena_alloc(arena, (count + 1) * sizeof(const char *));
	while ((line = dt_git_field(arena, &text)))
		take_status(arena, top, line, &text, out);
}

/* patches */

/* One escape of a name that stands in quotes; what is behind it. */
static const char *unescape(const char *at, const char *end, char *out)
{
	static const char letters[] = "abtnvfr";
	static const char bytes[] = "\a\b\t\n\v\f\r";
	const char *letter = *at ? strchr(letters, *at) : NULL;

	*out = letter ? bytes[letter - letters] : *at;
	if (*at < '0' || *at > '7' || end - at < 3)
		return at + 1;
	*out = (char)((at[0] - '0') * 64 + (at[1] - '0') * 8 + (at[2] - '0'));
	return at + 3;
}

/* A name as a patch has it, in quotes where it needs them; NULL: it is none. */
static const char *read_name(struct dt_arena *arena, struct dt_str text)
{
	const char *at = text.ptr;
	const char *end = at + text.len;
	char *name;
	size_t len = 0;

	if (text.len == 0)
		return NULL;
	if (*at != '"')
		return dt_arena_strndup(arena, at, text.len);
	if (text.len < 2 || end[-1] != '"')
		return NULL;
	name = dt_arena_alloc(arena, text.len);
	at++;
	end--;
	while (at < end) {
		if (*at == '\\' && at + 1 < end)
			at = unescape(at + 1, end, &name[len++]);
		else
			name[len++] = *at++;
	}
	return name;
}

/* Two names, "a/x b/x", that are the same but for their first part. */
static const char *read_both(struct dt_arena *arena, struct dt_str names)
{
	size_t half = names.len / 2;
	const char *a;
	const char *b;

	if (names.len % 2 == 0 || names.ptr[half] != ' ')
		return NULL;
	a = read_name(arena, (struct dt_str){ names.ptr, half });
	b = read_name(arena, (struct dt_str){ names.ptr + half + 1, half });
	if (!a || !b || strncmp(a, "a/", 2) != 0 || strncmp(b, "b/", 2) != 0 ||
	    strcmp(a + 2, b + 2) != 0)
		return NULL;
	return a + 2;
}

static bool take_after(struct dt_str line, const char *start,
                       struct dt_str *out)
{
	struct dt_str prefix = dt_str(start);

	if (!dt_str_starts(line, prefix))
		return false;
	*out = (struct dt_str){ line.ptr + prefix.len, line.len - prefix.len };
	return true;
}

static bool is_start(struct dt_str line)
{
	return dt_str_starts(line, DT_STR("diff --"));
}

/* The names in the headers of one file; those of a rename stand alone there. */
static void take_names(struct dt_arena *arena, const char *top,
                       struct dt_str text, struct dt_git_file_diff *file)
{
	struct dt_str line = dt_str_cut(&text, '\n');
	struct dt_str rest;
	const char *name = NULL;
	const char *old = NULL;

	if (take_after(line, "diff --git ", &rest))
		name = read_both(arena, rest);
	else if (take_after(line, "diff --cc ", &rest) ||
	         take_after(line, "diff --combined ", &rest))
		name = read_name(arena, rest);
	while (text.len > 0) {
		line = dt_str_cut(&text, '\n');
		if (dt_str_starts(line, DT_STR("@@")) ||
		    dt_str_starts(line, DT_STR("--- ")))
			break;
		if (take_after(line, "rename from ", &rest) ||
		    take_after(line, "copy from ", &rest))
			old = read_name(arena, rest);
		if (take_after(line, "rename to ", &rest) ||
		    take_after(line, "copy to ", &rest))
			name = read_name(arena, rest);
	}
	file->path = name ? absolute(arena, top, name) : NULL;
	file->old_path = old ? absolute(arena, top, old) : NULL;
}

static void count_lines(struct dt_str text, struct dt_git_file_diff *file)
{
	bool is_hunk = false;

	while (text.len > 0) {
		struct dt_str line = dt_str_cut(&text, '\n');

		is_hunk |= dt_str_starts(line, DT_STR("@@ "));
		if (is_hunk && line.len > 0 && line.ptr[0] == '+')
			file->added++;
		if (is_hunk && line.len > 0 && line.ptr[0] == '-')
			file->deleted++;
	}
}

static size_t count_starts(struct dt_str text)
{
	size_t count = 0;

	while (text.len > 0)
		count += is_start(dt_str_cut(&text, '\n'));
	return count;
}

static void add_file(struct dt_arena *arena, const char *top,
                     struct dt_str text, struct dt_git_diff_result *out)
{
	struct dt_git_file_diff *all = out->files.ptr;
	struct dt_git_file_diff file = { .text = text };

	take_names(arena, top, text, &file);
	if (!file.path) {
		out->left_out++;
		return;
	}
	count_lines(text, &file);
	file.text.ptr = dt_arena_strndup(arena, text.ptr, text.len);
	all[out->files.count++] = file;
}

void dt_git_parse_patch(struct dt_arena *arena, const char *top,
                        struct dt_str text, struct dt_git_diff_result *out)
{
	struct dt_str file = { 0 };

	if (out->is_cut) {
		while (text.len > 0 && text.ptr[text.len - 1] != '\n')
			text.len--;
	}
	out->files.ptr =
		dt_arena_alloc(arena, (count_starts(text) + 1) *
	                                      sizeof(struct dt_git_file_diff));
	while (text.len > 0) {
		struct dt_str line = dt_str_cut(&text, '\n');
		size_t end = line.len + (text.ptr ? 1 : 0);

		if (is_start(line) && file.len > 0) {
			add_file(arena, top, file, out);
			file.len = 0;
		}
		if (is_start(line))
			file.ptr = line.ptr;
		/* What is before the first file belongs to none. */
		if (file.ptr)
			file.len = (size_t)(line.ptr - file.ptr) + end;
	}
	if (file.len > 0)
		add_file(arena, top, file, out);
}

/* "1", "2", "name"; or "1", "2", "", NUL, "old", NUL, "new". */
static bool take_numbers(struct dt_arena *arena, const char *top,
                         struct dt_str *text, struct dt_git_file_diff *out)
{
	const char *line = dt_git_field(arena, text);
	struct dt_str rest = dt_str(line);
	struct dt_str added = dt_str_cut(&rest, '\t');
	struct dt_str deleted = dt_str_cut(&rest, '\t');
	const char *name = rest.len > 0 ? rest.ptr : NULL;
	const char *old = NULL;

	*out = (struct dt_git_file_diff){ 0 };
	if (!line)
		return false;
	/* A binary file has "-". */
	if (dt_str_to_u32(added, &out->added, NULL))
		out->added = 0;
	if (dt_str_to_u32(deleted, &out->deleted, NULL))
		out->deleted = 0;
	if (!name) {
		old = dt_git_field(arena, text);
		name = dt_git_field(arena, text);
	}
	out->path = name ? absolute(arena, top, name) : NULL;
	out->old_path = old ? absolute(arena, top, old) : NULL;
	return name != NULL;
}

void dt_git_parse_numstat(struct dt_arena *arena, const char *top,
                          struct dt_str text, struct dt_git_diff_result *out)
{
	size_t room = at_most(count_bytes(text, '\0'), DT_LIMIT_GIT_ENTRIES);
	struct dt_git_file_diff *all =
		dt_arena_alloc(arena, (room + 1) * sizeof(*all));

	out->files = (struct dt_items){ .ptr = all };
	while (text.len > 0 && out->files.count < room &&
	       take_numbers(arena, top, &text, &all[out->files.count]))
		out->files.count++;
	out->is_cut |= text.len > 0;
}

/* commits */

static struct dt_names split_parents(struct dt_arena *arena, const char *text)
{
	struct dt_str rest = dt_str(text);
	struct dt_names names = {
		.ptr = dt_arena_alloc(arena, (count_bytes(rest, ' ') + 1) *
		                                     sizeof(*names.ptr)),
	};

	while (rest.len > 0) {
		struct dt_str one = dt_str_cut(&rest, ' ');

		names.ptr[names.count++] =
			dt_arena_strndup(arena, one.ptr, one.len);
	}
	return names;
}

#define COMMIT_FIELDS 7

static bool take_commit(struct dt_arena *arena, struct dt_str *text,
                        struct dt_git_commit_info *out)
{
	const char *field[COMMIT_FIELDS];
	struct dt_str body;

	for (int i = 0; i < COMMIT_FIELDS; i++) {
		field[i] = dt_git_field(arena, text);
		if (!field[i])
			return false;
	}
	body = dt_str(field[6]);
	while (body.len > 0 && body.ptr[body.len - 1] == '\n')
		body.len--;
	*out = (struct dt_git_commit_info){
		.hash = field[0],
		.author = plain_subject(arena, dt_str(field[1])),
		.email = plain_subject(arena, dt_str(field[2])),
		.date = field[3],
		.parents = split_parents(arena, field[4]),
		.subject = plain_subject(arena, dt_str(field[5])),
	};
	if (body.len > 0)
		out->body = dt_git_plain(arena, body, BODY_MAX, true);
	return true;
}

struct dt_items dt_git_parse_commits(struct dt_arena *arena, struct dt_str text)
{
	size_t room = count_bytes(text, '\0') / COMMIT_FIELDS;
	struct dt_git_commit_info *all =
		dt_arena_alloc(arena, (room + 1) * sizeof(*all));
	struct dt_items items = { .ptr = all };

	while (items.count < room &&
	       take_commit(arena, &text, &all[items.count]))
		items.count++;
	return items;
}

/* blame */

static const char *format_seconds(struct dt_arena *arena, struct dt_str text)
{
	char date[DT_CLOCK_TEXT];
	int64_t seconds = 0;

	for (size_t i = 0; i < text.len && i < 12; i++)
		seconds = seconds * 10 + (text.ptr[i] - '0');
	dt_clock_format(seconds * 1000, date);
	/* Git knows no milliseconds. */
	return dt_arena_printf(arena, "%.19sZ", date);
}

/* A line of the headers, or the text itself behind a tab: then it is true. */
static bool take_blame(struct dt_arena *arena, struct dt_str line,
                       struct dt_git_blame_line *out)
{
	struct dt_str value;

	if (take_after(line, "\t", &value)) {
		out->text = (struct dt_str){
			dt_arena_strndup(arena, value.ptr, value.len),
			value.len,
		};
		return true;
	}
	if (take_after(line, "author ", &value))
		out->author = plain_subject(arena, value);
	else if (take_after(line, "author-time ", &value))
		out->date = format_seconds(arena, value);
	else if (take_after(line, "summary ", &value))
		out->subject = plain_subject(arena, value);
	return false;
}

/* "hash, its line, our line, how many" */
static void take_blame_head(struct dt_arena *arena, struct dt_str line,
                            struct dt_git_blame_line *out)
{
	struct dt_str hash = dt_str_cut(&line, ' ');
	uint32_t number = 0;

	dt_str_cut(&line, ' ');
	if (dt_str_to_u32(dt_str_cut(&line, ' '), &number, NULL))
		number = 0;
	*out = (struct dt_git_blame_line){
		.line = number ? number - 1 : 0,
		.author = "",
		.date = "",
		.subject = "",
	};
	/* Zeroes stand for what is not committed. */
	if (hash.len > 0 && count_bytes(hash, '0') != hash.len)
		out->hash = dt_arena_strndup(arena, hash.ptr, hash.len);
}

struct dt_items dt_git_parse_blame(struct dt_arena *arena, struct dt_str text)
{
	struct dt_git_blame_line *all = dt_arena_alloc(
		arena, (count_bytes(text, '\t') + 1) * sizeof(*all));
	struct dt_items items = { .ptr = all };
	bool is_inside = false;

	while (text.len > 0) {
		struct dt_str line = dt_str_cut(&text, '\n');

		if (!is_inside)
			take_blame_head(arena, line, &all[items.count]);
		else if (take_blame(arena, line, &all[items.count]))
			items.count++;
		is_inside = line.len == 0 || line.ptr[0] != '\t';
	}
	return items;
}
