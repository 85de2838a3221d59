/*
 * backend/code_edit_job.c - asking, and the programs that do where no server
 * can.
 *
 * A program gets the text of now on its standard input, unsaved changes
 * included, and the name of the file to know the language and its settings by.
 */
#include "backend/code_edit_job.h"

#include "base/limits.h"
#include "base/path.h"
#include "editor/language.h"
#include "editor/text.h"

#include <stdlib.h>

#define ASK_MS 25000
#define RUN_MS 20000
#define ARGS_MAX 8

/* "%" is the file. */
struct program {
	const char *purpose;
	const char *languages; /* between blanks */
	const char *argv[ARGS_MAX];
};
#define C_LANGUAGES " c cpp objective-c objective-cpp java proto "
#define WEB                                                                    \
	" javascript javascriptreact typescript typescriptreact json jsonc "   \
	"css scss less html markdown yaml vue graphql "
static const struct program programs[] = {
	{ "format", C_LANGUAGES, { "clang-format", "--assume-filename=%" } },
	{ "format", WEB, { "prettier", "--stdin-filepath", "%" } },
	{ "format", WEB, { "biome", "format", "--stdin-file-path=%" } },
	{ "format",
	  " python ",
	  { "ruff", "format", "-q", "--stdin-filename", "%", "-" } },
	{ "format",
	  " python ",
	  { "black", "-q", "--stdin-filename", "%", "-" } },
	{ "format", " go ", { "gofmt" } },
	{ "format", " rust ", { "rustfmt", "--emit", "stdout" } },
	{ "format", " shellscript ", { "shfmt", "-filename", "%" } },
	{ "format", " lua ", { "stylua", "--stdin-filepath", "%", "-" } },
	{ "source.organizeImports",
	  " python ",
	  { "ruff", "check", "--select=I", "--fix", "-q", "--stdin-filename",
	    "%", "-" } },
	{ "source.organizeImports", " python ", { "isort", "-q", "-" } },
	{ "source.fixAll",
	  " python ",
	  { "ruff", "check", "--fix", "--exit-zero", "-q", "--stdin-filename",
	    "%", "-" } },
	{ "source.fixAll",
	  WEB,
	  { "biome", "check", "--write", "--stdin-file-path=%" } },
};

/* the life of a job */

void dt_edit_job_free(struct dt_edit_job *job)
{
	if (job->request)
		dt_lsp_drop(job->request);
	if (job->run)
		dt_run_stop(job->run);
	dt_buf_done(&job->text);
	dt_arena_done(&job->arena);
	free(job);
}

static void on_drop(struct dt_answer *answer, void *performer)
{
	(void)answer;
	dt_edit_job_free(performer);
}

struct dt_edit_job *dt_edit_job_new(struct dt_headless *h, const char *path,
                                    struct dt_answer *answer)
{
	struct dt_edit_job *job = dt_alloc(sizeof(*job));
	struct dt_fail fail = { 0 };

	job->h = h;
	job->answer = answer;
	job->path = dt_headless_path(&job->arena, path);
	job->uri = dt_path_to_uri(&job->arena, job->path);
	job->changes.ptr = dt_arena_alloc(
		&job->arena, DT_LIMIT_CHANGES * sizeof(struct dt_change));
	dt_buf_init(&job->text, DT_LIMIT_FILE);
	if (dt_documents_read(h->docs, job->path, DT_TEXT_TOLD, &job->text,
	                      NULL, &fail)) {
		dt_edit_job_fail(job, &fail);
		return NULL;
	}
	dt_sha256_hex(job->text.ptr, job->text.len, job->base);
	answer->on_drop = on_drop;
	answer->performer = job;
	return job;
}

void dt_edit_job_fail(struct dt_edit_job *job, const struct dt_fail *fail)
{
	dt_answer_fail(job->answer, fail);
	dt_edit_job_free(job);
}

void dt_edit_job_end(struct dt_edit_job *job, const char *source)
{
	struct dt_change *changes = job->changes.ptr;
	struct dt_code_edit_result result = {
		.changes = job->changes,
		.source = source,
		.title = job->made,
	};

	for (size_t i = 0; i < job->changes.count; i++) {
		if (!strcmp(changes[i].path, job->path))
			changes[i].base = job->base;
	}
	dt_answer_end(job->answer, &result);
	dt_edit_job_free(job);
}

/* asking */

void dt_edit_put_position(struct dt_json_out *out, const struct dt_position *at)
{
	dt_json_begin_object(out);
	dt_json_key(out, "line");
	dt_json_put_int(out, at->line);
	dt_json_key(out, "character");
	dt_json_put_int(out, at->character);
	dt_json_end_object(out);
}

void dt_edit_put_range(struct dt_json_out *out, const struct dt_range *range)
{
	dt_json_begin_object(out);
	dt_json_key(out, "start");
	dt_edit_put_position(out, &range->start);
	dt_json_key(out, "end");
	dt_edit_put_position(out, &range->end);
	dt_json_end_object(out);
}

void dt_edit_job_put(struct dt_edit_job *job, struct dt_json_out *out)
{
	dt_json_begin_object(out);
	dt_json_key(out, "textDocument");
	dt_json_begin_object(out);
	dt_json_key(out, "uri");
	dt_json_put_z(out, job->uri);
	dt_json_end_object(out);
}

void dt_edit_job_ask(struct dt_edit_job *job, const struct dt_edit_ask *ask)
{
	struct dt_lsp_ask question = {
		.path = job->path,
		.method = ask->method,
		.provider = ask->provider,
		.params = dt_buf_str(ask->params),
		.deadline_ms = ASK_MS,
	};

	job->request = dt_lsp_ask(job->h->lsp, &question, ask->fn, job);
	dt_buf_done(ask->params);
}

/* programs */

static const char *fill(struct dt_edit_job *job, const char *arg)
{
	const char *hole = strchr(arg, '%');

	if (!hole)
		return arg;
	return dt_arena_printf(&job->arena, "%.*s%s", (int)(hole - arg), arg,
	                       job->path);
}

static void on_printed(struct dt_run *run, const struct dt_run_end *end,
                       void *owner)
{
	struct dt_edit_job *job = owner;
	struct dt_change *change = job->changes.ptr;
	struct dt_fail fail = { 0 };

	(void)run;
	job->run = NULL;
	if (end->is_late || end->code != 0 || end->is_out_cut) {
		dt_fail(&fail, DT_E_STATE, "%s %s: %.*s", job->server,
		        end->is_late      ? "took too long"
		        : end->is_out_cut ? "printed too much"
		                          : "failed",
		        (int)(end->err.len < 300 ? end->err.len : 300),
		        end->err.len ? end->err.ptr : "");
		dt_edit_job_fail(job, &fail);
		return;
	}
	if (!dt_str_eq(end->out, dt_buf_str(&job->text))) {
		*change = (struct dt_change){
			.kind = DT_CHANGE_EDIT,
			.path = job->path,
			.text = end->out.ptr ? end->out : DT_STR(""),
		};
		job->changes.count = 1;
	}
	dt_edit_job_end(job, job->server);
}

static bool fits(const struct program *program, const struct dt_edit_job *job)
{
	const char *language = dt_language_of(job->path);
	const char *found = strstr(program->languages, language);
	size_t len = strlen(language);

	return !strcmp(program->purpose, job->purpose) && len && found &&
	       found[-1] == ' ' && found[len] == ' ';
}

static bool start(struct dt_edit_job *job, const struct program *program,
                  const char *file, struct dt_fail *fail)
{
	const struct dt_world *world = &job->h->world;
	char *argv[ARGS_MAX + 1] = { (char *)(uintptr_t)file };
	const char *relative;
	struct dt_run_spec spec = {
		.argv = argv,
		.env = world->env(world->owner, job->answer->asker,
		                  &job->arena),
		.folder = dt_documents_root_of(job->h->docs, job->path,
		                               &relative),
		.input = { dt_buf_z(&job->text), job->text.len },
		.keep_bytes = DT_LIMIT_FILE,
		.deadline_ms = RUN_MS,
	};

	for (size_t i = 1; i < ARGS_MAX && program->argv[i]; i++)
		argv[i] = (char *)(uintptr_t)fill(job, program->argv[i]);
	job->server = program->argv[0];
	if (dt_run_start(world->loop, &spec, on_printed, job, &job->run, fail))
		return false;
	dt_world_ran(world, job->answer->asker, file);
	return true;
}

void dt_edit_job_run(struct dt_edit_job *job)
{
	const struct dt_world *world = &job->h->world;
	struct dt_fail fail = { 0 };

	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		const char *file;

		if (!fits(&programs[i], job))
			continue;
		file = world->find(world->owner, job->answer->asker,
		                   &job->arena, programs[i].argv[0]);
		if (file && start(job, &programs[i], file, &fail))
			return;
	}
	dt_edit_job_fail(job, fail.code ? &fail : &job->why_not);
}
