/*
 * hub/passage_search.c - files and lines that were found, and what files import.
 *
 * All are told file by file, and those of one file or folder stand together.
 */
#include "hub/passage_search.h"

#include "hub/gate.h"

#include <stdlib.h>

/* To whom it goes. */
struct way {
	const struct dt_workspace *ws;
	const struct dt_session *session;
};

static bool may_leave(const struct way *way, const char *path)
{
	return dt_gate_check_path(way->ws, path, NULL) == DT_E_OK;
}

/* The folder that a file is in; a folder, whose path ends with a slash, itself. */
static size_t folder_len(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) : 0;
}

void dt_passage_files(const struct dt_workspace *ws,
                      const struct dt_list_files_result *result,
                      struct dt_answer *answer)
{
	struct dt_list_files_result passed = *result;
	const char **all = passed.paths.ptr;
	struct dt_arena arena = { 0 };
	const char *folder = "";
	bool is_kept = false;

	passed.paths.ptr =
		dt_arena_alloc(&arena, (passed.paths.count + 1) * sizeof(*all));
	passed.paths.count = 0;
	for (size_t i = 0; i < result->paths.count; i++) {
		size_t len = folder_len(all[i]);

		/* They are sorted: one folder's stand together. */
		if (strlen(folder) != len || memcmp(folder, all[i], len) != 0) {
			folder = dt_arena_strndup(&arena, all[i], len);
			is_kept = dt_gate_check_folder(ws, folder, NULL);
		}
		if (is_kept)
			passed.total--;
		else
			passed.paths.ptr[passed.paths.count++] = all[i];
	}
	dt_answer_end(answer, &passed);
	dt_arena_done(&arena);
}

static uint64_t match_bytes(const struct dt_search_match *match)
{
	uint64_t bytes = match->text.len;

	for (size_t i = 0; i < match->before.count; i++)
		bytes += strlen(match->before.ptr[i]);
	for (size_t i = 0; i < match->after.count; i++)
		bytes += strlen(match->after.ptr[i]);
	return bytes;
}

/* Keep the matches of the file that is next; returns how many it has. */
static size_t pass_file(const struct way *way,
                        const struct dt_search_match *match, size_t left,
                        struct dt_items *kept)
{
	struct dt_search_match *list = kept->ptr;
	bool is_kept = may_leave(way, match[0].path);
	uint64_t bytes = 0;
	uint64_t lines = 0;
	size_t i;

	for (i = 0; i < left && !strcmp(match[i].path, match[0].path); i++) {
		bytes += match_bytes(&match[i]);
		lines += 1 + match[i].before.count + match[i].after.count;
		if (is_kept)
			list[kept->count++] = match[i];
	}
	if (is_kept)
		dt_gate_left(way->ws, way->session, DT_AUDIT_FILE,
		             match[0].path, bytes, lines);
	return i;
}

void dt_passage_search(const struct dt_workspace *ws,
                       const struct dt_session *session,
                       const struct dt_search_result *result,
                       struct dt_answer *answer)
{
	struct way way = { ws, session };
	struct dt_search_result passed = *result;
	const struct dt_search_match *match = passed.matches.ptr;
	size_t count = passed.matches.count;
	size_t i = 0;

	passed.matches = (struct dt_items){
		.ptr = dt_alloc((count + 1) * sizeof(*match)),
	};
	while (i < count)
		i += pass_file(&way, &match[i], count - i, &passed.matches);
	dt_answer_end(answer, &passed);
	free(passed.matches.ptr);
}

/* What a file imports is written in it. */
static size_t pass_importer(const struct way *way,
                            const struct dt_import *import, size_t left,
                            struct dt_items *kept)
{
	struct dt_import *list = kept->ptr;
	bool is_kept = may_leave(way, import[0].from);
	uint64_t bytes = 0;
	size_t i;

	for (i = 0; i < left && !strcmp(import[i].from, import[0].from); i++) {
		bytes += strlen(import[i].name);
		if (is_kept)
			list[kept->count++] = import[i];
	}
	if (is_kept)
		dt_gate_left(way->ws, way->session, DT_AUDIT_FILE,
		             import[0].from, bytes, i);
	return i;
}

void dt_passage_imports(const struct dt_workspace *ws,
                        const struct dt_session *session,
                        const struct dt_imports_result *result,
                        struct dt_answer *answer)
{
	struct way way = { ws, session };
	struct dt_imports_result passed = *result;
	const struct dt_import *import = passed.imports.ptr;
	size_t count = passed.imports.count;
	size_t i = 0;

	passed.imports = (struct dt_items){
		.ptr = dt_alloc((count + 1) * sizeof(*import)),
	};
	while (i < count)
		i += pass_importer(&way, &import[i], count - i,
		                   &passed.imports);
	dt_answer_end(answer, &passed);
	free(passed.imports.ptr);
}
