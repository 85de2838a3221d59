/*
 * tool/project_tools.c - what the project is: its languages, manifests, scripts
 * and settings, gathered from a listing and a handful of files.
 *
 * Each manifest is read as any file is, so that what is kept from agents stays
 * kept: it is as if it were not there.
 */
#include "tool/project_tools.h"

#include "base/limits.h"
#include "base/path.h"
#include "editor/files.h"
#include "editor/git.h"
#include "editor/language.h"
#include "editor/run.h"
#include "tool/call.h"
#include "tool/manifest.h"

#include <stdlib.h>

#define INFO_MS 60000
#define MANIFEST_MAX (1u * DT_MIB)
#define LANGUAGES_MAX 64
#define NAMES_MAX 100 /* folders, and settings */

/* getProjectInfo */

struct project {
	const char *name;
	const char *version;
	struct dt_names manifests;
};
static const struct dt_field project_fields[] = {
	DT_FIELD(struct project, name, NAME, DT_OMIT, "Its name."),
	DT_FIELD(struct project, version, NAME, DT_OMIT, "Its version."),
	DT_FIELD(struct project, manifests, NAMES, DT_REQ,
	         "The files in the main folder that say so."),
	DT_FIELD_END,
};
static const struct dt_shape project_shape =
	DT_SHAPE(struct project, project_fields);

struct language {
	const char *language;
	uint32_t files;
};
static const struct dt_field language_fields[] = {
	DT_FIELD(struct language, language, NAME, DT_REQ, "Its id."),
	DT_FIELD(struct language, files, U32, DT_REQ, "How many files."),
	DT_FIELD_END,
};
static const struct dt_shape language_shape =
	DT_SHAPE(struct language, language_fields);

static const struct dt_field script_fields[] = {
	DT_FIELD(struct dt_script, name, NAME, DT_REQ, "Its name."),
	DT_FIELD(struct dt_script, command, NAME, DT_REQ, "What it runs."),
	DT_FIELD_END,
};
static const struct dt_shape script_shape =
	DT_SHAPE(struct dt_script, script_fields);

struct git {
	const char *branch;
};
static const struct dt_field git_fields[] = {
	DT_FIELD(struct git, branch, NAME, DT_OMIT,
	         "The branch, or the commit where there is none."),
	DT_FIELD_END,
};
static const struct dt_shape git_shape = DT_SHAPE(struct git, git_fields);

struct info {
	const char *workspace;
	struct project project;
	struct dt_items languages;
	struct dt_items scripts;
	const char *tests;
	struct dt_names directories;
	struct dt_names settings;
	struct git git;
	uint32_t total;
	bool is_cut;
};
static const struct dt_field info_fields[] = {
	DT_FIELD(struct info, workspace, NAME, DT_REQ, "The main folder."),
	DT_FIELD_OBJECT("project", struct info, project, struct project,
	                project_shape, DT_REQ, "What its manifests say."),
	DT_FIELD(struct info, languages, ITEMS, DT_REQ,
	         "The languages of its files, the most frequent first.",
	         .shape = &language_shape),
	DT_FIELD(struct info, scripts, ITEMS, DT_REQ,
	         "The scripts of package.json.", .shape = &script_shape),
	DT_FIELD_AS("testRunner", struct info, tests, NAME, DT_OMIT,
	            "What runs the tests, as far as can be told."),
	DT_FIELD(struct info, directories, NAMES, DT_REQ,
	         "The folders in the main folder."),
	DT_FIELD_AS("configFiles", struct info, settings, NAMES, DT_REQ,
	            "Files in the main folder that configure tools."),
	DT_FIELD_OBJECT("git", struct info, git, struct git, git_shape, DT_REQ,
	                "Where its repository is."),
	DT_FIELD_AS("totalFiles", struct info, total, U32, DT_REQ,
	            "How many files there are."),
	DT_FIELD_AS("truncated", struct info, is_cut, BOOL, DT_REQ,
	            "Not all files were counted by language."),
	DT_FIELD_END,
};

/* What is known, while the rest is asked for. */
struct asking {
	struct info info;
	struct dt_manifest manifest;
	struct language languages[LANGUAGES_MAX];
	size_t next;        /* of dt_manifest_names */
	const char *runner; /* of runTests, or NULL */
};

static void count_language(struct asking *a, const char *language)
{
	struct dt_items *items = &a->info.languages;
	size_t i = 0;

	if (!strcmp(language, "plaintext"))
		return;
	while (i < items->count &&
	       strcmp(a->languages[i].language, language) != 0)
		i++;
	if (i == LANGUAGES_MAX)
		return;
	if (i == items->count)
		a->languages[items->count++].language = language;
	a->languages[i].files++;
}

static int compare(const void *a, const void *b)
{
	const struct language *one = a;
	const struct language *two = b;

	if (one->files != two->files)
		return one->files > two->files ? -1 : 1;
	return strcmp(one->language, two->language);
}

static bool ends_with(const char *name, const char *end)
{
	size_t len = strlen(name);
	size_t end_len = strlen(end);

	return len >= end_len && !strcmp(name + len - end_len, end);
}

/* By how such files are called: .eslintrc.json, tsconfig.json, tox.ini. */
static bool is_setting(const char *name)
{
	static const char *const names[] = { "Makefile",
		                             "Dockerfile",
		                             "CMakeLists.txt",
		                             "Gemfile",
		                             "compile_commands.json",
		                             NULL };
	static const char *const parts[] = { "config", "rc.", NULL };
	static const char *const ends[] = { "rc",   ".toml", ".ini", ".cfg",
		                            ".yml", ".yaml", NULL };

	for (size_t i = 0; names[i]; i++) {
		if (!strcmp(names[i], name))
			return true;
	}
	for (size_t i = 0; parts[i]; i++) {
		if (strstr(name, parts[i]))
			return true;
	}
	for (size_t i = 0; ends[i]; i++) {
		if (ends_with(name, ends[i]))
			return true;
	}
	return name[0] == '.' && strcmp(name, ".env") != 0;
}

static void add_name(struct dt_arena *arena, struct dt_names *names,
                     struct dt_str name)
{
	const char *last = names->count ? names->ptr[names->count - 1] : "";

	if (names->count < NAMES_MAX && !dt_str_is(name, last))
		names->ptr[names->count++] =
			dt_arena_strndup(arena, name.ptr, name.len);
}

/* One file, by its name in the main folder. */
static void see_file(struct dt_call *call, const char *name)
{
	struct asking *a = call->state;
	const char *slash = strchr(name, '/');

	count_language(a, dt_language_of(name));
	if (slash) {
		add_name(call->arena, &a->info.directories,
		         (struct dt_str){ name, (size_t)(slash - name) });
		return;
	}
	if (is_setting(name))
		add_name(call->arena, &a->info.settings, dt_str(name));
	if (!a->info.tests)
		a->info.tests = dt_manifest_tests(name);
}

static void read_next(struct dt_call *call);

static void on_manifest(struct dt_call *call, const void *result)
{
	const struct dt_read_file_result *file = result;
	struct asking *a = call->state;
	const char *name = dt_manifest_names[a->next++];

	dt_manifest_read(
		&a->manifest, call->arena, name,
		(struct dt_str){ dt_arena_strndup(call->arena, file->text.ptr,
	                                          file->text.len),
	                         file->text.len });
	if (name[0] != '.')
		add_name(call->arena, &a->info.project.manifests, dt_str(name));
	read_next(call);
}

/* It is not there, or not for agents. */
static void on_no_manifest(struct dt_call *call, const struct dt_fail *fail)
{
	struct asking *a = call->state;

	if (fail->code == DT_E_TIMEOUT) {
		dt_call_fail(call, fail);
		return;
	}
	a->next++;
	read_next(call);
}

static void tell(struct dt_call *call)
{
	struct asking *a = call->state;

	a->info.project.name = a->manifest.name;
	a->info.project.version = a->manifest.version;
	a->info.git.branch = a->manifest.branch;
	a->info.scripts = (struct dt_items){ a->manifest.scripts,
		                             a->manifest.script_count };
	if (!a->runner)
		a->runner = a->manifest.tests;
	if (a->runner)
		a->info.tests = a->runner;
	dt_call_reply_result(call, &a->info);
}

static void on_no_runners(struct dt_call *call, const struct dt_fail *fail)
{
	if (fail->code == DT_E_TIMEOUT)
		dt_call_fail(call, fail);
	else
		tell(call);
}

/* What runTests would run counts more than what a manifest hints at. */
static void on_runners(struct dt_call *call, const void *result)
{
	const struct dt_find_tests_result *found = result;
	const struct dt_test_runner *runners = found->runners.ptr;
	struct asking *a = call->state;

	if (found->runners.count > 0)
		a->runner = dt_arena_strdup(call->arena, runners[0].name);
	tell(call);
}

static void find_runners(struct dt_call *call)
{
	static const struct dt_find_tests_args here = { 0 };

	dt_call_perform_or(call, &dt_op_find_tests, &here, on_runners,
	                   on_no_runners);
}

/* A work tree whose repository is elsewhere has no HEAD of its own. */
static void on_status(struct dt_call *call, const void *result)
{
	const struct dt_git_status_result *status = result;
	struct asking *a = call->state;

	a->manifest.branch = dt_arena_strdup(
		call->arena, status->branch ? status->branch : status->head);
	find_runners(call);
}

static void on_no_status(struct dt_call *call, const struct dt_fail *fail)
{
	if (fail->code == DT_E_TIMEOUT)
		dt_call_fail(call, fail);
	else
		find_runners(call);
}

static void read_next(struct dt_call *call)
{
	static const struct dt_git_args repository = { 0 };
	struct asking *a = call->state;
	const char *name = dt_manifest_names[a->next];
	struct dt_read_file_args file = {
		.max_bytes = { true, MANIFEST_MAX },
	};

	if (name) {
		file.path = dt_path_join(call->arena, a->info.workspace, name);
		dt_call_perform_or(call, &dt_op_read_file, &file, on_manifest,
		                   on_no_manifest);
		return;
	}
	if (a->manifest.branch)
		find_runners(call);
	else
		dt_call_perform_or(call, &dt_op_git_status, &repository,
		                   on_status, on_no_status);
}

static void on_files(struct dt_call *call, const void *result)
{
	const struct dt_list_files_result *list = result;
	struct asking *a = call->state;
	size_t len = strlen(a->info.workspace);

	a->info.total = list->total;
	a->info.is_cut = list->is_cut;
	for (size_t i = 0; i < list->paths.count; i++) {
		const char *path = list->paths.ptr[i];

		if (!strncmp(path, a->info.workspace, len) && path[len] == '/')
			see_file(call, path + len + 1);
	}
	qsort(a->languages, a->info.languages.count, sizeof(*a->languages),
	      compare);
	read_next(call);
}

static void on_folders(struct dt_call *call, const void *result)
{
	const struct dt_folders_result *found = result;
	struct asking *a = dt_arena_alloc(call->arena, sizeof(*a));
	struct dt_names *lists[] = { &a->info.directories, &a->info.settings,
		                     &a->info.project.manifests };
	struct dt_list_files_args list = {
		.has_hidden = true,
		.limit = { true, DT_LIMIT_LISTED },
	};

	call->state = a;
	a->info.workspace = dt_arena_strdup(
		call->arena,
		found->folders.count ? found->folders.ptr[0] : "/");
	a->info.languages.ptr = a->languages;
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		lists[i]->ptr = dt_arena_alloc(
			call->arena, NAMES_MAX * sizeof(const char *));
	dt_call_perform(call, &dt_op_list_files, &list, on_files);
}

static void get_info(struct dt_call *call, const void *args)
{
	(void)args;
	dt_call_perform(call, &dt_op_get_folders, NULL, on_folders);
}

static const struct dt_tool tools[] = {
	{
		.name = "getProjectInfo",
		.title = "What the project is",
		.doc = "An overview of the workspace: name and version by its "
		       "manifests, languages by number of files, scripts, what "
		       "runs the tests, top folders, configuration files, the git "
		       "branch. Call it first in a project that is new to you.",
		.args = DT_SHAPE_EMPTY,
		.result = DT_SHAPE(struct info, info_fields),
		.effect = DT_READS,
		.flags = DT_TOOL_REPEATABLE,
		.deadline_ms = INFO_MS,
		.run = get_info,
	},
};

const struct dt_tool_group dt_tools_project = {
	.name = "project",
	.doc = "What the project is.",
	.tools = tools,
	.count = sizeof(tools) / sizeof(tools[0]),
};
