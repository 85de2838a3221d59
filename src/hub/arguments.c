/*
 * hub/arguments.c - commands held against the table of programs.
 *
 * Options count only as the table writes them: git and others take a beginning
 * of one for the whole, and which one is meant depends on their version.  A word
 * that could be the value of an option is looked at as if it were none, so that
 * nothing hides there.
 */
#include "hub/arguments.h"

#include "base/path.h"
#include "base/str.h"

#include <ctype.h>
#include <limits.h>
#include <unistd.h>

#define ONE_DASH_MIN 3 /* letters behind one dash that are a name */

/* Of a program that a person has allowed and the table does not know. */
static const char asked_about[] =
	"--config --config-file --rcfile --require --import --loader "
	"--experimental-loader --userconfig --globalconfig --node-options "
	"--exec --eval --plugin --shell --script-shell --to-command "
	"--checkpoint-action --use-compress-program --rsh -exec";

static bool has_word(const char *list, const char *word)
{
	return list && dt_policy_has(list, word);
}

/* programs that are not in the table */

/* The next letter of a name as the most lenient parser reads it: --global-setup
 * is --globalSetup.  '\0': it has ended. */
static char next_letter(const char **name)
{
	char c;

	*name += strspn(*name, "-_");
	c = **name;
	if (!c || strchr("= ", c))
		return '\0';
	(*name)++;
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* How many letters an argument has, if the option begins with them; else 0. */
static size_t count_shared(const char *option, const char *argument)
{
	size_t count = 0;
	char letter;

	while ((letter = next_letter(&argument))) {
		if (letter != next_letter(&option))
			return 0;
		count++;
	}
	return count;
}

/* Also with "=value", with one dash, and as short as nobody else is meant; "-long"
 * as it is. */
static bool is_option(struct dt_str option, const char *argument)
{
	bool is_long = argument[0] == '-' && argument[1] == '-';
	size_t shared = count_shared(option.ptr, argument);

	if (argument[0] != '-')
		return false;
	if (option.ptr[1] == '-')
		return shared >= (is_long ? 1 : ONE_DASH_MIN);
	return shared == option.len - 1;
}

static enum dt_err check_unknown(const struct dt_wish *c, struct dt_fail *fail)
{
	for (size_t i = 0; i < c->args.count; i++) {
		struct dt_str rest = dt_str(asked_about);
		struct dt_str option;

		while ((option = dt_str_cut_word(&rest)).len > 0) {
			if (is_option(option, c->args.ptr[i]))
				return dt_fail(fail, DT_E_DENIED,
				               "%s can make %s run another "
				               "program or write elsewhere",
				               c->args.ptr[i], c->name);
		}
	}
	return DT_E_OK;
}

/* options */

/* A command as it is read. */
struct reading {
	const struct dt_wish *wish;
	const struct dt_program *program;
	const struct dt_row *row;
	const char *folder;
	size_t word_count;
	size_t early;    /* words before "--" */
	size_t patterns; /* that -e gives */
	bool has_end;    /* "--" was there */
	bool prints;
	bool is_quiet;
	bool is_new;        /* a branch is made */
	bool keeps_ignored; /* --no-overwrite-ignore */
	bool names_files;   /* all words after "--" are files, and plain */
};

/* "--name" and "--name=value" for "--name=", else the word itself. */
static bool is_listed(const char *list, const char *word)
{
	struct dt_str rest = dt_str(list ? list : "");
	struct dt_str entry;

	while ((entry = dt_str_cut_word(&rest)).len > 0) {
		if (dt_str_is(entry, word))
			return true;
		if (entry.ptr[entry.len - 1] == '=' &&
		    (!strncmp(word, entry.ptr, entry.len) ||
		     (strlen(word) == entry.len - 1 &&
		      !strncmp(word, entry.ptr, entry.len - 1))))
			return true;
	}
	return false;
}

/* Up to '=': how lists of options that print name them. */
static const char *stem_of(const char *word, char stem[static 64])
{
	size_t len = strcspn(word, "=");

	if (len >= 64)
		return word;
	memcpy(stem, word, len);
	stem[len] = '\0';
	return stem;
}

/* Letters that stand together; what follows one with a value is that. */
static bool read_letters(struct reading *r, const char *letters)
{
	const struct dt_row *row = r->row;

	if (letters[strspn(letters, "0123456789")] == '\0')
		return row->valued && strchr(row->valued, 'n');
	for (const char *c = letters; *c; c++) {
		char option[] = { '-', *c, '\0' };
		bool prints = has_word(row->prints, option);
		bool is_quiet = has_word(row->quiet, option);
		bool is_valued = row->valued && strchr(row->valued, *c);

		if (!prints && !is_quiet && !is_valued &&
		    !(row->letters && strchr(row->letters, *c)))
			return false;
		r->prints |= prints;
		r->is_quiet |= is_quiet;
		r->is_new |= *c == 'b' || *c == 'c';
		r->patterns += *c == 'e';
		if (is_valued)
			break;
	}
	return true;
}

static bool read_option(struct reading *r, const char *word, const char *next)
{
	const struct dt_row *row = r->row;
	struct dt_arena arena = { 0 };
	bool is_fine = true;
	char stem[64];

	r->prints |= is_listed(row->prints, word);
	r->is_quiet |= has_word(row->quiet, stem_of(word, stem));
	r->is_new |= !strcmp(word, "--create");
	r->keeps_ignored |= !strcmp(word, "--no-overwrite-ignore");
	if (!is_listed(row->fine, word) && !is_listed(row->prints, word))
		is_fine = next &&
		          has_word(row->fine, dt_arena_printf(&arena, "%s=%s",
		                                              word, next));
	if (!is_fine && word[1] != '-')
		is_fine = read_letters(r, word + 1);
	dt_arena_done(&arena);
	return is_fine;
}

/* words */

static bool is_plain_ref(const char *word)
{
	return *word && !strpbrk(word, ":+*?[^~\\ ") && word[0] != '-';
}

/* What others propose, refs/pull/1/head for instance, has a slash in it. */
static bool is_own_ref(const struct reading *r, const char *word)
{
	bool is_push = !strcmp(r->row->name, "push");

	return is_plain_ref(word) && (is_push || !strchr(word, '/'));
}

/* A remote by its name: a path could be a repository with hooks of its own, an
 * address could be anybody's. */
static bool is_remote(const struct reading *r, const char *word)
{
	struct dt_arena arena = { 0 };
	bool is_path = strchr(word, '/') ||
	               !access(dt_path_join(&arena, r->folder, word), F_OK);

	dt_arena_done(&arena);
	return !is_path && word[0] != '.' && is_plain_ref(word);
}

/* A file by its name, without what git takes for a pattern. */
static bool is_plain_file(const struct reading *r, const char *word)
{
	struct dt_arena arena = { 0 };
	const char *path = dt_path_join(&arena, r->folder, word);
	bool is_file = word[0] != ':' && !strpbrk(word, "*?[\\") &&
	               !access(path, F_OK) &&
	               access(dt_arena_printf(&arena, "%s/.", path), F_OK);

	dt_arena_done(&arena);
	return is_file;
}

static bool read_word(struct reading *r, const char *word)
{
	bool is_go = !strcmp(r->program->name, "go");

	r->word_count++;
	if (r->has_end)
		r->names_files &= is_plain_file(r, word);
	else
		r->early++;
	switch (r->row->words) {
	case DT_WORDS_NONE:
		return false;
	case DT_WORDS_ONE:
		return r->word_count == 1;
	case DT_WORDS_REMOTE:
		return r->word_count == 1 ? is_remote(r, word)
		                          : is_own_ref(r, word);
	case DT_WORDS_FILES:
		return word[0] != '@' && !strchr(word, '=') &&
		       !(is_go && strchr(word, '@'));
	case DT_WORDS_ANY:
	case DT_WORDS_NEW:
	case DT_WORDS_MAKES:
	case DT_WORDS_DIFF:
		break;
	}
	return !is_go || !strchr(word, '@');
}

/* subcommands */

/* Where the subcommand is; args.count: there is none.  What stands before it is
 * a global option, of which not all are known. */
static enum dt_err find_command(const struct dt_program *p,
                                const struct dt_wish *c, size_t *out,
                                struct dt_fail *fail)
{
	bool has_toolchain = !strcmp(p->name, "cargo");
	size_t i = 0;

	for (; i < c->args.count; i++) {
		const char *word = c->args.ptr[i];

		/* A path would be any program. */
		if (has_toolchain && word[0] == '+' && !strchr(word, '/'))
			continue;
		if (word[0] != '-')
			break;
		if (!has_word(p->globals, word))
			return dt_fail(fail, DT_E_DENIED,
			               "%s before the subcommand can change "
			               "what %s runs",
			               word, c->name);
		if (has_word(p->with_value, word))
			i++;
	}
	*out = i < c->args.count ? i : c->args.count;
	return DT_E_OK;
}

/* The row, and the first of its arguments. */
static enum dt_err find_row(struct reading *r, size_t *out_at,
                            struct dt_fail *fail)
{
	const struct dt_wish *c = r->wish;
	const char *first;
	const char *second;
	size_t at = 0;
	enum dt_err err;

	*out_at = 0;
	r->row = dt_program_row(r->program, "", NULL);
	if (!r->program->has_commands)
		return DT_E_OK;
	err = find_command(r->program, c, &at, fail);
	*out_at = at;
	if (err || at == c->args.count)
		return err;
	first = c->args.ptr[at];
	second = at + 1 < c->args.count ? c->args.ptr[at + 1] : NULL;
	r->row = *first ? dt_program_row(r->program, first, second) : NULL;
	if (!r->row)
		return dt_fail(fail, DT_E_DENIED,
		               "%s %s may run another program, or is an alias "
		               "for one",
		               c->name, first);
	*out_at = at + (strchr(r->row->name, ' ') ? 2 : 1);
	if (r->row->why)
		return dt_fail(fail, DT_E_DENIED, "%s %s: %s", c->name,
		               r->row->name, r->row->why);
	return DT_E_OK;
}

static const char *name_of(struct dt_arena *arena, const struct reading *r)
{
	const char *name = r->row->name;

	return dt_arena_printf(arena, "%s%s%s", r->wish->name, *name ? " " : "",
	                       name);
}

static enum dt_err read_arguments(struct dt_arena *arena, struct reading *r,
                                  size_t at, struct dt_fail *fail)
{
	const struct dt_names *args = &r->wish->args;

	for (; at < args->count; at++) {
		const char *word = args->ptr[at];
		const char *next =
			at + 1 < args->count ? args->ptr[at + 1] : NULL;

		if (r->has_end && r->program->has_free_rest)
			continue;
		if (!r->has_end && !strcmp(word, "--")) {
			r->has_end = true;
			continue;
		}
		if (!r->has_end && word[0] == '-' && word[1]) {
			if (!read_option(r, word, next))
				return dt_fail(
					fail, DT_E_DENIED,
					"%s is not among the options of %s "
					"that are known to be harmless",
					word, name_of(arena, r));
		} else if (!read_word(r, word)) {
			return dt_fail(fail, DT_E_DENIED,
			               "%s with \"%s\" can do more than what "
			               "runs without asking",
			               name_of(arena, r), word);
		}
	}
	if (r->row->words == DT_WORDS_NEW && !r->keeps_ignored &&
	    !(r->is_new && r->word_count <= 1))
		return dt_fail(fail, DT_E_DENIED,
		               "%s can overwrite files that are ignored; the "
		               "tool gitCheckout does not and is not asked "
		               "about",
		               name_of(arena, r));
	return DT_E_OK;
}

#define PRINTS (DT_NEED_CHANGED | DT_NEED_INDEX | DT_NEED_HISTORY)

/* Of a diff, or of grep, whose patterns are no commits. */
static unsigned prints_of(const struct reading *r)
{
	bool is_grep = !strcmp(r->row->name, "grep");
	size_t patterns = is_grep && r->patterns == 0 ? 1 : r->patterns;

	if (r->early > patterns)
		return DT_NEED_HISTORY;
	if (!is_grep && r->names_files && r->word_count > 0)
		return 0;
	return r->row->needs & PRINTS;
}

static unsigned needs_of(const struct reading *r)
{
	const struct dt_row *row = r->row;

	if (row->words == DT_WORDS_MAKES && r->word_count == 0)
		return 0;
	if (r->is_quiet && !r->prints)
		return row->needs & ~(unsigned)PRINTS;
	if (row->words == DT_WORDS_DIFF)
		return prints_of(r);
	return row->needs | (r->prints ? DT_NEED_HISTORY : 0);
}

/* repositories */

/* A folder of a clone that looks like a repository, settings and all. */
static bool is_bare(struct dt_arena *arena, const char *folder)
{
	static const char *const parts[] = { "HEAD", "objects", "refs" };
	size_t found = 0;

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		found += !access(dt_path_join(arena, folder, parts[i]), F_OK);
	return found == sizeof(parts) / sizeof(parts[0]);
}

static bool is_in_bare(struct dt_arena *arena, const char *folder)
{
	for (;;) {
		if (!access(dt_path_join(arena, folder, ".git"), F_OK))
			return false;
		if (is_bare(arena, folder))
			return true;
		if (!strcmp(folder, "/"))
			return false;
		folder = dt_path_join(arena, folder, "..");
	}
}

const char *dt_arguments_folder(struct dt_arena *arena, const struct dt_wish *c,
                                size_t *out_at)
{
	const char *folder = c->folder;
	size_t i = 0;

	for (; !strcmp(c->name, "git") && i + 1 < c->args.count &&
	       c->args.ptr[i][0] == '-';
	     i++) {
		if (!strcmp(c->args.ptr[i], "-C")) {
			const char *lead =
				dt_path_lead(arena, folder, c->args.ptr[++i]);

			folder = lead ? lead : folder;
		}
	}
	*out_at = i;
	return folder;
}

enum dt_err dt_arguments_check(struct dt_arena *arena, const struct dt_wish *c,
                               struct dt_needs *out, struct dt_fail *fail)
{
	struct reading r = {
		.wish = c,
		.program = dt_program_find(c->name),
		.names_files = true,
	};
	size_t at;
	enum dt_err err;

	r.folder = dt_arguments_folder(arena, c, &at);
	*out = (struct dt_needs){ .program = c->name,
		                  .folder = r.folder,
		                  .at = at };
	if (!r.program)
		return check_unknown(c, fail);
	if (!strcmp(c->name, "git") && is_in_bare(arena, r.folder))
		return dt_fail(fail, DT_E_DENIED,
		               "%s is in a repository without a work tree, "
		               "whose settings nobody has looked at",
		               r.folder);
	err = find_row(&r, &at, fail);
	if (!err)
		err = read_arguments(arena, &r, at, fail);
	if (!err)
		out->what = needs_of(&r);
	return err;
}

/* paths */

/* "https://host/path" is none; "file:///path" is. */
static bool is_address(const char *argument, const char *colon)
{
	struct dt_str scheme = { argument, (size_t)(colon - argument) };

	return !strncmp(colon, "://", 3) && !dt_str_is(scheme, "file");
}

/* What is longer no system takes for a path. */
static bool see(const char *path, dt_argument_fn *fn, void *owner)
{
	return strnlen(path, PATH_MAX) == PATH_MAX || fn(path, owner);
}

/* Which letter of "-qF/path" is the last option nobody knows here. */
static bool see_short(const char *argument, dt_argument_fn *fn, void *owner)
{
	const char *at = argument + 2;

	while (isalpha((unsigned char)*at)) {
		if (!see(at++, fn, owner))
			return false;
	}
	return !*at || see(at, fn, owner);
}

void dt_arguments_paths(struct dt_arena *arena, const char *argument,
                        dt_argument_fn *fn, void *owner)
{
	/* "@path" is a file with more arguments. */
	const char *at = argument + (argument[0] == '@');
	bool goes_on = argument[0] != '-' || argument[1] == '-' ||
	               !argument[1] || see_short(argument, fn, owner);

	while (goes_on) {
		size_t len = strcspn(at, "=:");

		if (*at != '-')
			goes_on = see(at, fn, owner);
		if (*at != '-' && goes_on && len > 0 && at[len])
			goes_on = see(dt_arena_strndup(arena, at, len), fn,
			              owner);
		if (!at[len] || (at[len] == ':' && is_address(at, at + len)))
			break;
		at += len + 1;
	}
}
