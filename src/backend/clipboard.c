/*
 * backend/clipboard.c - wl-clipboard, xclip, xsel or pbcopy are run.
 *
 * People copy passwords, so the clipboard is closed to agents until the person
 * opens it.  Which program is right is told by the display of the workspace's
 * environment.
 */
#include "backend/clipboard.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "editor/project.h"
#include "loop/run.h"

#include <stdlib.h>

#define RUN_MS 4000
#define WORDS_MAX 5

struct program {
	const char *display; /* the variable it needs; or NULL */
	const char *read[WORDS_MAX];
	const char *write[WORDS_MAX];
};

static const struct program programs[] = {
	{ "WAYLAND_DISPLAY=",
	  { "wl-paste", "--no-newline", "--type", "text" },
	  { "wl-copy" } },
	{ "DISPLAY=",
	  { "xclip", "-selection", "clipboard", "-out" },
	  { "xclip", "-selection", "clipboard", "-in" } },
	{ "DISPLAY=",
	  { "xsel", "--clipboard", "--output" },
	  { "xsel", "--clipboard", "--input" } },
	{ NULL, { "pbpaste" }, { "pbcopy" } },
};

struct job {
	struct dt_answer *answer;
	struct dt_run *run;
	bool is_reading;
};

static bool has_variable(char *const *env, const char *name)
{
	for (; name && *env; env++) {
		if (!strncmp(*env, name, strlen(name)) && (*env)[strlen(name)])
			return true;
	}
	return !name;
}

/* The words to run, in the arena; NULL: there is no such program. */
static char **find_words(const struct dt_world *world, const char *asker,
                         struct dt_arena *arena, char *const *env,
                         bool is_reading)
{
	char **words = dt_arena_alloc(arena, (WORDS_MAX + 1) * sizeof(*words));

	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		const char *const *from =
			is_reading ? programs[i].read : programs[i].write;
		const char *file = has_variable(env, programs[i].display)
		                           ? world->find(world->owner, asker,
		                                         arena, from[0])
		                           : NULL;

		if (!file)
			continue;
		words[0] = dt_arena_strdup(arena, file);
		for (size_t k = 1; k < WORDS_MAX && from[k]; k++)
			words[k] = dt_arena_strdup(arena, from[k]);
		return words;
	}
	return NULL;
}

static void end_reading(struct dt_answer *answer, const struct dt_run_end *end)
{
	struct dt_clipboard result = {
		.text = end->out,
		.is_cut = end->is_out_cut,
	};

	if (result.is_cut)
		result.text.len = dt_utf8_cut(result.text, result.text.len);
	if (!dt_utf8_is_valid(result.text))
		dt_answer_failf(answer, DT_E_UNSUPPORTED,
		                "what is in the clipboard is not text");
	else
		dt_answer_end(answer, &result);
}

static void on_end(struct dt_run *run, const struct dt_run_end *end,
                   void *owner)
{
	struct job *job = owner;
	struct dt_str err = end->err;
	struct dt_str line = dt_str_cut(&err, '\n');

	(void)run;
	if (end->is_late)
		dt_answer_failf(job->answer, DT_E_TIMEOUT,
		                "the clipboard did not answer in time");
	else if (end->code)
		dt_answer_failf(job->answer, DT_E_STATE, "the clipboard: %.*s",
		                (int)dt_utf8_cut(line, 200),
		                line.len ? line.ptr : "");
	else if (job->is_reading)
		end_reading(job->answer, end);
	else
		dt_answer_end(job->answer, NULL);
	free(job);
}

static void on_drop(struct dt_answer *answer, void *performer)
{
	struct job *job = performer;

	(void)answer;
	dt_run_stop(job->run);
	free(job);
}

static enum dt_err check(const struct dt_world *world, struct dt_fail *fail)
{
	const char *value = world->setting ? world->setting(world->owner,
	                                                    "context.clipboard")
	                                   : "off";

	if (strcmp(value, "on") == 0)
		return DT_E_OK;
	return dt_fail(fail, DT_E_DENIED,
	               "the clipboard is closed to agents, since people copy "
	               "passwords; the person opens it with `dovetail config "
	               "context.clipboard on`");
}

static enum dt_err start(struct dt_headless *h, struct job *job,
                         struct dt_str text, struct dt_fail *fail)
{
	struct dt_arena arena = { 0 };
	char **env = h->world.env(h->world.owner, job->answer->asker, &arena);
	struct dt_run_spec spec = {
		.argv = find_words(&h->world, job->answer->asker, &arena, env,
		                   job->is_reading),
		.env = env,
		.folder = "/",
		.input = text,
		.keep_bytes = DT_LIMIT_CLIPBOARD,
		.deadline_ms = RUN_MS,
	};
	enum dt_err err =
		spec.argv ? dt_run_start(h->world.loop, &spec, on_end, job,
	                                 &job->run, fail)
			  : dt_fail(fail, DT_E_MISSING,
	                            "there is no clipboard here: it needs a "
	                            "display (WAYLAND_DISPLAY or DISPLAY) and "
	                            "wl-clipboard, xclip or xsel");

	dt_arena_done(&arena);
	return err;
}

/* Writes the text, or reads where there is none (ptr NULL). */
static void perform(struct dt_headless *h, struct dt_str text,
                    struct dt_answer *answer)
{
	struct job *job = dt_alloc(sizeof(*job));
	struct dt_fail fail = { 0 };

	job->answer = answer;
	job->is_reading = !text.ptr;
	if (check(&h->world, &fail) || start(h, job, text, &fail)) {
		free(job);
		dt_answer_fail(answer, &fail);
		return;
	}
	answer->on_drop = on_drop;
	answer->performer = job;
}

void dt_clipboard_read(struct dt_headless *h, const void *args,
                       struct dt_answer *answer)
{
	(void)args;
	perform(h, (struct dt_str){ 0 }, answer);
}

void dt_clipboard_write(struct dt_headless *h, const void *args,
                        struct dt_answer *answer)
{
	struct dt_str text = ((const struct dt_clipboard *)args)->text;

	perform(h, text.ptr ? text : DT_STR(""), answer);
}
