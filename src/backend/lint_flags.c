/*
 * backend/lint_flags.c - the harmless part of a line of compile_commands.json.
 *
 * https://clang.llvm.org/docs/JSONCompilationDatabase.html: "arguments" is a
 * list, "command" one text quoted as for a shell, relative names are those of
 * "directory".
 */
#include "backend/lint_flags.h"

#include "base/buf.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/path.h"
#include "data/json.h"

/* Their value is the rest of the word or the next one. */
static const char *const with_path[] = { "-isystem", "-iquote", "-idirafter",
	                                 "-include", "-I",      NULL };
static const char *const with_value[] = { "-D", "-U", "-x", NULL };

struct words {
	char **ptr; /* has room for all */
	size_t count;
};

/* One word of a command, unquoted; NULL: there is none.  As a shell does it,
 * but nothing is expanded. */
static char *cut_word(struct dt_arena *arena, struct dt_str *rest)
{
	struct dt_buf word;
	char *copy;
	char quote = 0;
	size_t i = 0;

	while (i < rest->len && (rest->ptr[i] == ' ' || rest->ptr[i] == '\t'))
		i++;
	if (i == rest->len)
		return NULL;
	dt_buf_init(&word, rest->len);
	for (; i < rest->len; i++) {
		char c = rest->ptr[i];

		if (!quote && (c == ' ' || c == '\t'))
			break;
		if (c == '\\' && quote != '\'' && i + 1 < rest->len)
			dt_buf_add_char(&word, rest->ptr[++i]);
		else if (quote ? c == quote : c == '"' || c == '\'')
			quote = quote ? 0 : c;
		else
			dt_buf_add_char(&word, c);
	}
	copy = dt_arena_strndup(arena, word.ptr, word.len);
	dt_buf_done(&word);
	rest->ptr += i;
	rest->len -= i;
	return copy;
}

static struct words words_of(struct dt_arena *arena,
                             const struct dt_json *entry)
{
	const struct dt_json *list = dt_json_get(entry, "arguments");
	const struct dt_json *command = dt_json_get(entry, "command");
	struct words words = { 0 };
	struct dt_str text;
	char *word;

	if (list && list->type == DT_JSON_ARRAY) {
		words.ptr = dt_arena_alloc(arena, list->count * sizeof(char *));
		dt_json_each(item, list) {
			if (item->type != DT_JSON_STRING)
				continue;
			text = dt_json_text(arena, item);
			words.ptr[words.count++] =
				dt_arena_strndup(arena, text.ptr, text.len);
		}
	} else if (command && command->type == DT_JSON_STRING) {
		text = dt_json_text(arena, command);
		words.ptr = dt_arena_alloc(arena, text.len * sizeof(char *));
		while ((word = cut_word(arena, &text)))
			words.ptr[words.count++] = word;
	}
	return words;
}

static const char *member(struct dt_arena *arena, const struct dt_json *entry,
                          const char *name)
{
	const struct dt_json *value = dt_json_get(entry, name);
	struct dt_str text;

	if (!value || value->type != DT_JSON_STRING)
		return NULL;
	text = dt_json_text(arena, value);
	return dt_arena_strndup(arena, text.ptr, text.len);
}

/* The option of the list that the word is or begins with; "-include-pch" is
 * another one than "-include". */
static const char *option_of(const char *const *list, const char *word)
{
	for (; *list; list++) {
		size_t len = strlen(*list);

		if (!strncmp(word, *list, len) &&
		    (len == 2 || word[len] != '-'))
			return *list;
	}
	return NULL;
}

/* "-Wp,", "-Wa," and "-Wl," hand options on to others. */
static bool is_plain(const char *word)
{
	if (!strncmp(word, "-W", 2))
		return !strchr(word, ',');
	return !strncmp(word, "-std=", 5) || !strcmp(word, "-pthread");
}

static struct words harmless(struct dt_arena *arena, const struct words *from,
                             const char *folder)
{
	struct words kept = {
		.ptr = dt_arena_alloc(arena,
		                      (2 * from->count + 1) * sizeof(char *)),
	};

	for (size_t i = 1; i < from->count; i++) {
		char *word = from->ptr[i];
		bool is_path = option_of(with_path, word);
		const char *option = is_path ? option_of(with_path, word)
		                             : option_of(with_value, word);
		const char *value;

		if (!option) {
			if (is_plain(word))
				kept.ptr[kept.count++] = word;
			continue;
		}
		value = word + strlen(option);
		if (!*value && ++i < from->count)
			value = from->ptr[i];
		if (is_path)
			value = dt_path_join(arena, folder, value);
		kept.ptr[kept.count++] = dt_arena_strdup(arena, option);
		kept.ptr[kept.count++] = dt_arena_strdup(arena, value);
	}
	return kept;
}

static char **look_up(struct dt_arena *arena, const char *database,
                      const char *path)
{
	const struct dt_json *list;
	char **found = NULL;
	struct dt_buf text;

	dt_buf_init(&text, DT_LIMIT_LINT_FLAGS);
	if (dt_file_read(database, &text, NULL)) {
		dt_buf_done(&text);
		return NULL;
	}
	if (!dt_json_read(arena,
	                  dt_str(dt_arena_strndup(arena, text.ptr, text.len)),
	                  &list, NULL) &&
	    list->type == DT_JSON_ARRAY) {
		dt_json_each(entry, list) {
			const char *folder = member(arena, entry, "directory");
			const char *file = member(arena, entry, "file");
			struct words words;

			if (!folder || *folder != '/' || !file ||
			    strcmp(dt_path_join(arena, folder, file), path) !=
			            0)
				continue;
			words = words_of(arena, entry);
			found = harmless(arena, &words, folder).ptr;
			break;
		}
	}
	dt_buf_done(&text);
	return found;
}

char **dt_lint_flags(struct dt_arena *arena, const char *root, const char *path)
{
	static const char *const places[] = { "compile_commands.json",
		                              "build/compile_commands.json" };
	const char *folder = path;
	char **found = NULL;

	while (!found && strcmp(folder, root) != 0) {
		folder = dt_path_join(arena, folder, "..");
		if (!dt_path_is_beneath(folder, root))
			break;
		for (size_t i = 0; !found && i < 2; i++)
			found = look_up(arena,
			                dt_path_join(arena, folder, places[i]),
			                path);
	}
	return found ? found : dt_arena_alloc(arena, sizeof(*found));
}
