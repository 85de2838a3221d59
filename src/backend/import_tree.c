/*
 * backend/import_tree.c - files read level by level, each once.
 *
 * What a line imports is backend/imports.c's.  A package of Go is a folder: it
 * imports what its files import.  Everything is opened beneath a root, and on the
 * loop each file that was read is judged by the name it was opened by; while the
 * job is out all but `answer` belongs to the thread.
 */
#include "backend/import_tree.h"

#include "backend/imports.h"
#include "base/beneath.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/path.h"
#include "editor/language.h"
#include "editor/project.h"
#include "loop/worker.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_MAX (4u * DT_MIB)
#define IMPORTS_MAX 5000

/* A file, or a folder of Go. */
struct node {
	const char *path;
	uint32_t depth;
	bool is_folder;
};

struct unsaved {
	const char *path;
	struct dt_str text;
};

struct tree {
	struct dt_job job;
	struct dt_worker *worker;
	struct dt_answer *answer; /* NULL: nobody waits any more */
	struct dt_world world;    /* asked while somebody waits */
	struct dt_arena arena;
	const char *path;
	const char *root;
	const char *language;
	const char *module;
	uint32_t depth;
	bool has_external;
	struct unsaved *unsaved;
	size_t unsaved_count;
	/* the thread's */
	struct node nodes[DT_LIMIT_IMPORT_FILES];
	size_t node_count;
	const struct node *node; /* that is read */
	const char *file;        /* it, or one of its files */
	const char *opened;      /* and that, with all links followed */
	struct dt_import *imports;
	const char **opened_by; /* which file each of them is written in */
	size_t import_count;
	bool is_cut;
};

static void free_tree(struct tree *t)
{
	free(t->imports);
	free(t->opened_by);
	dt_arena_done(&t->arena);
	free(t);
}

/* in the thread */

/* The rest of a path in the root, or NULL. */
static const char *relative(const struct tree *t, const char *path)
{
	size_t len = strlen(t->root);

	return dt_path_is_beneath(path, t->root) && path[len] ? path + len + 1
	                                                      : NULL;
}

static bool read_text(struct tree *t, const char *path, struct dt_buf *out)
{
	const char *name = relative(t, path);

	t->opened = path;
	for (size_t i = 0; i < t->unsaved_count; i++) {
		if (!strcmp(t->unsaved[i].path, path)) {
			dt_buf_add_str(out, t->unsaved[i].text);
			return true;
		}
	}
	return name && !dt_file_read_named(&t->arena, t->root, name, out,
	                                   &t->opened, NULL);
}

/* S_IFREG, S_IFDIR, or 0 for what is not there. */
static mode_t type_of(const struct tree *t, const char *path)
{
	const char *name = relative(t, path);
	struct stat st = { 0 };
	int fd;

	if (!name || dt_beneath_open(t->root, name, &fd, NULL))
		return 0;
	if (fstat(fd, &st))
		st.st_mode = 0;
	close(fd);
	return st.st_mode & S_IFMT;
}

static void add_node(struct tree *t, const char *path, uint32_t depth,
                     bool is_folder)
{
	for (size_t i = 0; i < t->node_count; i++) {
		if (!strcmp(t->nodes[i].path, path))
			return;
	}
	if (depth > t->depth || t->node_count == DT_LIMIT_IMPORT_FILES)
		t->is_cut |= t->node_count == DT_LIMIT_IMPORT_FILES;
	else
		t->nodes[t->node_count++] =
			(struct node){ path, depth, is_folder };
}

static void add_import(struct tree *t, const struct dt_import_line *line,
                       const char *to)
{
	if (t->import_count == IMPORTS_MAX) {
		t->is_cut = true;
		return;
	}
	t->opened_by[t->import_count] = t->opened;
	t->imports[t->import_count++] = (struct dt_import){
		.from = t->node->path,
		.to = to,
		.name = dt_arena_strndup(&t->arena, line->name.ptr,
		                         line->name.len),
		.line = line->line,
		.depth = t->node->depth,
	};
}

static void on_import(const struct dt_import_line *line, void *owner)
{
	struct tree *t = owner;
	struct dt_importer importer = {
		.path = t->file,
		.language = dt_language_of(t->file),
		.root = t->root,
		.module = t->module,
	};
	const char **place = dt_imports_places(&t->arena, &importer, line);
	bool is_go = !strcmp(importer.language, "go");

	while (*place && type_of(t, *place) != (is_go ? S_IFDIR : S_IFREG))
		place++;
	if (*place) {
		add_import(t, line, *place);
		add_node(t, *place, t->node->depth + 1, is_go);
	} else if (t->has_external || line->is_local) {
		add_import(t, line, NULL);
	}
}

static void read_file(struct tree *t, const char *path)
{
	struct dt_buf text;

	dt_buf_init(&text, FILE_MAX);
	t->file = path;
	if (read_text(t, path, &text))
		dt_imports_scan(dt_language_of(path), dt_buf_str(&text),
		                on_import, t);
	dt_buf_done(&text);
}

/* The files of a package, but for its tests. */
static void read_package(struct tree *t, const char *path)
{
	const struct dirent *entry;
	DIR *dir;
	int fd;

	if (dt_beneath_open(t->root, relative(t, path), &fd, NULL))
		return;
	dir = fdopendir(fd);
	if (!dir) {
		close(fd);
		return;
	}
	while ((entry = readdir(dir))) {
		const char *name = entry->d_name;

		if (!strcmp(dt_language_of(name), "go") &&
		    !strstr(name, "_test.go"))
			read_file(t, dt_path_join(&t->arena, path, name));
	}
	closedir(dir);
}

static void read_module(struct tree *t)
{
	struct dt_str rest;
	struct dt_buf text;

	dt_buf_init(&text, FILE_MAX);
	if (strcmp(t->language, "go") != 0 ||
	    dt_file_read_beneath(t->root, "go.mod", &text, NULL))
		dt_buf_clear(&text);
	rest = dt_buf_str(&text);
	while (rest.len > 0 && !t->module) {
		struct dt_str line = dt_str_cut(&rest, '\n');
		struct dt_str name;

		if (!dt_str_is(dt_str_cut_word(&line), "module"))
			continue;
		name = dt_str_cut_word(&line);
		t->module = dt_arena_strndup(&t->arena, name.ptr, name.len);
	}
	dt_buf_done(&text);
}

static void run_job(struct dt_job *job)
{
	struct tree *t = DT_LIST_OF(job, struct tree, job);

	read_module(t);
	t->imports = dt_alloc(IMPORTS_MAX * sizeof(*t->imports));
	t->opened_by = dt_alloc(IMPORTS_MAX * sizeof(*t->opened_by));
	add_node(t, t->path, 0, false);
	for (size_t i = 0; i < t->node_count; i++) {
		t->node = &t->nodes[i];
		if (t->node->is_folder)
			read_package(t, t->node->path);
		else
			read_file(t, t->node->path);
	}
}

/* on the loop */

static void drop_kept(struct tree *t)
{
	const char *file = NULL;
	bool may_leave = true;
	size_t count = 0;

	for (size_t i = 0; i < t->import_count; i++) {
		if (t->opened_by[i] != file) {
			file = t->opened_by[i];
			may_leave = !t->world.may_leave ||
			            t->world.may_leave(t->world.owner, file);
		}
		if (may_leave)
			t->imports[count++] = t->imports[i];
	}
	t->import_count = count;
}

static void tell(struct tree *t)
{
	struct dt_imports_result result = {
		.path = t->path,
		.language = t->language,
		.imports = { t->imports, t->import_count },
		.file_count = (uint32_t)t->node_count,
		.is_cut = t->is_cut,
	};

	dt_answer_end(t->answer, &result);
}

static void job_done(struct dt_job *job)
{
	struct tree *t = DT_LIST_OF(job, struct tree, job);

	dt_worker_close(t->worker, NULL, NULL);
	if (t->answer) {
		drop_kept(t);
		tell(t);
	}
	free_tree(t);
}

static void on_drop(struct dt_answer *answer, void *performer)
{
	(void)answer;
	((struct tree *)performer)->answer = NULL; /* job_done() frees */
}

static void copy_unsaved(struct tree *t, struct dt_documents *docs)
{
	t->unsaved = dt_arena_alloc(&t->arena,
	                            (docs->count + 1) * sizeof(*t->unsaved));
	dt_list_each(doc, &docs->list, struct dt_document, link) {
		struct dt_str text = dt_buf_str(&doc->overlay);

		if (doc->has_overlay)
			t->unsaved[t->unsaved_count++] = (struct unsaved){
				dt_arena_strdup(&t->arena, doc->path),
				{ dt_arena_strndup(&t->arena, text.ptr,
				                   text.len),
				  text.len },
			};
	}
}

static enum dt_err prepare(struct tree *t, struct dt_headless *h,
                           const struct dt_imports_args *args,
                           struct dt_fail *fail)
{
	const char *name;
	const char *root;

	t->path = dt_headless_path(&t->arena, args->path);
	t->language = dt_language_of(t->path);
	root = dt_documents_root_of(h->docs, t->path, &name);
	if (!root)
		return dt_fail(fail, DT_E_DENIED, "%s is outside the workspace",
		               args->path);
	t->root = dt_arena_strdup(&t->arena, root);
	if (!dt_imports_knows(t->language))
		return dt_fail(fail, DT_E_UNSUPPORTED,
		               "imports of %s are not known, only of C, C++, "
		               "JavaScript, TypeScript, Python, Go and Rust; "
		               "look for them with searchWorkspace",
		               t->language);
	copy_unsaved(t, h->docs);
	if (type_of(t, t->path) != S_IFREG)
		return dt_fail(fail, DT_E_MISSING, "%s is not a file",
		               args->path);
	t->depth = args->depth < DT_LIMIT_IMPORT_DEPTH ? args->depth
	                                               : DT_LIMIT_IMPORT_DEPTH;
	t->has_external = args->has_external;
	return DT_E_OK;
}

void dt_import_tree_perform(struct dt_headless *h, const void *args,
                            struct dt_answer *answer)
{
	struct tree *t = dt_alloc(sizeof(*t));
	struct dt_fail fail = { 0 };

	t->world = h->world;
	if (prepare(t, h, args, &fail)) {
		free_tree(t);
		dt_answer_fail(answer, &fail);
		return;
	}
	t->worker = dt_worker_new(h->world.loop, "imports");
	if (dt_worker_start(t->worker, &fail)) {
		dt_worker_close(t->worker, NULL, NULL);
		free_tree(t);
		dt_answer_fail(answer, &fail);
		return;
	}
	t->answer = answer;
	answer->on_drop = on_drop;
	answer->performer = t;
	t->job.run = run_job;
	t->job.done = job_done;
	dt_worker_post(t->worker, &t->job);
}
