/*
 * backend/command.c - a program run for an agent, and what is told of it.
 *
 * No shell sees the arguments, there is nothing to read, and the environment is
 * the workspace's without what leads back to us.  When nobody waits any more all
 * that it started is killed; what left its group is known by a mark in its
 * environment.  Which commands may be run is decided in hub/permit.c.
 */
#include "backend/command.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/path.h"
#include "base/rand.h"
#include "editor/run.h"
#include "loop/mark.h"
#include "loop/run.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROGRESS_MS 100 /* between two lines that are told */
#define BEAT_MS 5000
#define LINE_MAX_LEN 200 /* of a line that is told */

struct command {
	struct dt_arena arena;
	struct dt_answer *answer;
	struct dt_run *run;
	const char *program;
	const char *folder;
	uint64_t began_ms;
	uint64_t told_ms;
	struct dt_timer *beat; /* a program may be silent for long */
	struct dt_buf line[2]; /* what has come of it, of both outputs */
};

static void free_command(struct command *c)
{
	dt_timer_free(c->beat);
	dt_buf_done(&c->line[0]);
	dt_buf_done(&c->line[1]);
	dt_arena_done(&c->arena);
	free(c);
}

/* where and what */

enum dt_err dt_run_command_folder(struct dt_headless *h, struct dt_arena *arena,
                                  const char *cwd, const char **out,
                                  struct dt_fail *fail)
{
	const char *relative;
	enum dt_err err;

	cwd = dt_run_cwd(arena, h->docs->roots[0], cwd);
	err = dt_path_real(arena, cwd, out, fail);
	if (err)
		return err;
	if (!dt_documents_root_of(h->docs, *out, &relative))
		return dt_fail(fail, DT_E_DENIED, "%s is outside the workspace",
		               cwd);
	if (!dt_file_is_dir(*out))
		return dt_fail(fail, DT_E_MISSING, "%s is not a folder", cwd);
	return DT_E_OK;
}

/* Programs that projects bring along, and where they keep them. */
static const struct {
	const char *name;
	const char *folder;
} own_programs[] = {
	{ "jest", "node_modules/.bin" },   { "vitest", "node_modules/.bin" },
	{ "mocha", "node_modules/.bin" },  { "tsc", "node_modules/.bin" },
	{ "eslint", "node_modules/.bin" }, { "biome", "node_modules/.bin" },
	{ "pytest", ".venv/bin" },         { "pytest", "venv/bin" },
};

static bool is_program(const char *path)
{
	return !dt_file_is_dir(path) && !access(path, X_OK);
}

/* In the folder or one above it, inside its root. */
static const char *find_own(struct dt_headless *h, struct dt_arena *arena,
                            const char *folder, const char *name)
{
	const char *relative;
	const char *root = dt_documents_root_of(h->docs, folder, &relative);

	while (root && dt_path_is_beneath(folder, root)) {
		for (size_t i = 0;
		     i < sizeof(own_programs) / sizeof(own_programs[0]); i++) {
			const char *path =
				dt_arena_printf(arena, "%s/%s/%s", folder,
			                        own_programs[i].folder, name);

			if (!strcmp(own_programs[i].name, name) &&
			    is_program(path))
				return path;
		}
		folder = dt_path_join(arena, folder, "..");
		if (!strcmp(folder, "/"))
			break;
	}
	return NULL;
}

const char *dt_run_command_find(struct dt_headless *h, const char *asker,
                                struct dt_arena *arena, const char *folder,
                                const char *name)
{
	const char *own;

	if (strchr(name, '/')) {
		own = dt_path_join(arena, folder, name);
		return is_program(own) ? own : NULL;
	}
	own = find_own(h, arena, folder, name);
	return own ? own : h->world.find(h->world.owner, asker, arena, name);
}

/* Names of variables that say where we are, lead git to another repository, or
 * were meant for the daemon alone; those that end in '_' with all that follows. */
static const char *const kept_back[] = {
	"DOVETAIL_",
	"CLAUDE_CODE_SSE_PORT",
	"ENABLE_IDE_INTEGRATION",
	"GIT_DIR",
	"GIT_WORK_TREE",
	"GIT_INDEX_FILE",
	"GIT_OBJECT_DIR",
	"GIT_PREFIX",
	"GIT_CONFIG",
	"GIT_CONFIG_COUNT",
	"GIT_CONFIG_KEY_",
	"GIT_CONFIG_VALUE_",
	"GIT_CONFIG_PARAMETERS",
	"GIT_EXTERNAL_DIFF",
	"NOTIFY_SOCKET",
	"LISTEN_",
};

static bool is_kept_back(const char *pair)
{
	size_t name_len = strcspn(pair, "=");

	for (size_t i = 0; i < sizeof(kept_back) / sizeof(kept_back[0]); i++) {
		size_t len = strlen(kept_back[i]);
		bool is_prefix = kept_back[i][len - 1] == '_';

		if (!strncmp(pair, kept_back[i], len) &&
		    (is_prefix || len == name_len))
			return true;
	}
	return false;
}

/* What git is told besides: a folder that looks like a repository is none, no
 * program says what changed, and who reads leaves the index as it is. */
static const char *const for_git[] = {
	"GIT_OPTIONAL_LOCKS=0",
	"GIT_CONFIG_COUNT=2",
	"GIT_CONFIG_KEY_0=safe.bareRepository",
	"GIT_CONFIG_VALUE_0=explicit",
	"GIT_CONFIG_KEY_1=core.fsmonitor",
	"GIT_CONFIG_VALUE_1=false",
};

static char **environment(struct dt_headless *h, const char *asker,
                          struct dt_arena *arena, const char *mark, bool is_git)
{
	char **all = h->world.env(h->world.owner, asker, arena);
	size_t count = 0;
	size_t kept = 0;
	char **env;

	while (all[count])
		count++;
	env = dt_arena_alloc(arena, (count + sizeof(for_git)) * sizeof(*env));
	for (size_t i = 0; i < count; i++) {
		if (!is_kept_back(all[i]))
			env[kept++] = all[i];
	}
	for (size_t i = 0; is_git && i < sizeof(for_git) / sizeof(for_git[0]);
	     i++)
		env[kept++] = dt_arena_strdup(arena, for_git[i]);
	env[kept] = dt_arena_strdup(arena, mark);
	return env;
}

/* on the way */

/* The number is the time in ms, which grows with every message. */
static void tell(struct command *c, const char *message)
{
	struct dt_progress progress = {
		.done = dt_clock_ms() - c->began_ms,
		.message = message,
	};

	dt_answer_progress(c->answer, &progress);
}

static void on_beat(struct dt_timer *timer, void *owner)
{
	(void)timer;
	tell(owner, NULL);
}

static void tell_line(struct command *c, struct dt_buf *line)
{
	uint64_t now_ms = dt_clock_ms();

	if (now_ms - c->told_ms >= PROGRESS_MS) {
		c->told_ms = now_ms;
		for (size_t i = 0; i < line->len; i++) {
			if ((unsigned char)line->ptr[i] < 0x20)
				line->ptr[i] = ' ';
		}
		tell(c, dt_buf_z(line));
	}
	dt_buf_clear(line);
}

static void on_output(struct dt_run *run, struct dt_str bytes, bool is_err,
                      void *owner)
{
	struct command *c = owner;
	struct dt_buf *line = &c->line[is_err];

	(void)run;
	while (bytes.len > 0) {
		const char *end = memchr(bytes.ptr, '\n', bytes.len);
		size_t len = end ? (size_t)(end - bytes.ptr) : bytes.len;
		size_t room = line->limit - line->len;

		dt_buf_add(line, bytes.ptr, len < room ? len : room);
		if (!end)
			return;
		tell_line(c, line);
		bytes.ptr += len + 1;
		bytes.len -= len + 1;
	}
}

/* the end */

static const char *signal_name(struct dt_arena *arena, int number)
{
	static const char *const names[] = {
		[SIGHUP] = "SIGHUP",   [SIGINT] = "SIGINT",
		[SIGQUIT] = "SIGQUIT", [SIGILL] = "SIGILL",
		[SIGTRAP] = "SIGTRAP", [SIGABRT] = "SIGABRT",
		[SIGBUS] = "SIGBUS",   [SIGFPE] = "SIGFPE",
		[SIGKILL] = "SIGKILL", [SIGUSR1] = "SIGUSR1",
		[SIGSEGV] = "SIGSEGV", [SIGUSR2] = "SIGUSR2",
		[SIGPIPE] = "SIGPIPE", [SIGALRM] = "SIGALRM",
		[SIGTERM] = "SIGTERM", [SIGXCPU] = "SIGXCPU",
	};
	size_t at = (size_t)number;

	if (!number)
		return NULL;
	if (at < sizeof(names) / sizeof(names[0]) && names[at])
		return names[at];
	return dt_arena_printf(arena, "signal %d", number);
}

/* Beginning and end, and between them how much is gone. */
static struct dt_str join(struct dt_arena *arena, struct dt_str head,
                          struct dt_str tail, uint64_t left)
{
	struct dt_str text = { 0 };
	struct dt_buf buf;

	dt_buf_init(&buf, head.len + tail.len + 100);
	dt_buf_add_str(&buf, head);
	if (left > 0)
		dt_buf_addf(&buf, "\n[... %llu bytes are left out here ...]\n",
		            (unsigned long long)left);
	dt_buf_add_str(&buf, tail);
	text.ptr = dt_arena_strndup(arena, buf.len ? buf.ptr : "", buf.len);
	text.len = buf.len;
	dt_buf_done(&buf);
	return text;
}

static void on_end(struct dt_run *run, const struct dt_run_end *end,
                   void *owner)
{
	struct command *c = owner;
	struct dt_run_command_result result = {
		.program = c->program,
		.cwd = c->folder,
		.exit_code = end->code,
		.signal = signal_name(&c->arena, end->signal),
		.out = join(&c->arena, end->out, end->out_tail, end->out_left),
		.err = join(&c->arena, end->err, end->err_tail, end->err_left),
		.is_out_cut = end->out_left > 0,
		.is_err_cut = end->err_left > 0,
		.is_late = end->is_late,
		.took_ms = (uint32_t)(dt_clock_ms() - c->began_ms),
		.left_running = end->left_running,
	};

	(void)run;
	dt_answer_end(c->answer, &result);
	free_command(c);
}

static void on_drop(struct dt_answer *answer, void *performer)
{
	struct command *c = performer;

	(void)answer;
	dt_run_stop(c->run);
	free_command(c);
}

static char **argv_of(struct command *c, const struct dt_names *args)
{
	char **argv =
		dt_arena_alloc(&c->arena, (args->count + 2) * sizeof(*argv));

	argv[0] = (char *)(uintptr_t)c->program;
	for (size_t i = 0; i < args->count; i++)
		argv[i + 1] = (char *)(uintptr_t)args->ptr[i];
	return argv;
}

static enum dt_err start(struct command *c, struct dt_headless *h,
                         const struct dt_run_command_args *wanted,
                         struct dt_fail *fail)
{
	struct dt_run_spec spec = {
		.keep_bytes = DT_LIMIT_OUTPUT / 2,
		.keep_tail = DT_LIMIT_OUTPUT / 2,
		.deadline_ms = wanted->timeout_ms.is_set
		                       ? wanted->timeout_ms.value
		                       : DT_COMMAND_MS,
		.ends_group = true,
		.on_output = on_output,
	};
	const char *asker = c->answer->asker;
	char id[DT_ID_TEXT];
	enum dt_err err = dt_run_command_folder(h, &c->arena, wanted->cwd,
	                                        &c->folder, fail);

	if (err)
		return err;
	if (spec.deadline_ms == 0 || spec.deadline_ms > DT_LIMIT_COMMAND_MS)
		return dt_fail(fail, DT_E_ARGS,
		               "the time limit is 1 to %u milliseconds",
		               DT_LIMIT_COMMAND_MS);
	c->program = dt_run_command_find(h, asker, &c->arena, c->folder,
	                                 wanted->command);
	if (!c->program)
		return dt_fail(fail, DT_E_MISSING,
		               "there is no program %s%s: install it, or ask "
		               "the person to",
		               wanted->command,
		               strchr(wanted->command, '/') ? "" : " on PATH");
	dt_rand_id(id);
	spec.mark = dt_arena_printf(&c->arena, DT_MARK_RUN "=%s", id);
	spec.argv = argv_of(c, &wanted->args);
	spec.env = environment(h, asker, &c->arena, spec.mark,
	                       !strcmp(wanted->command, "git"));
	spec.folder = c->folder;
	err = dt_run_start(h->world.loop, &spec, on_end, c, &c->run, fail);
	if (!err)
		dt_world_ran(&h->world, asker, c->program);
	return err;
}

void dt_run_command_start(struct dt_headless *h, const void *args,
                          struct dt_answer *answer)
{
	struct command *c = dt_alloc(sizeof(*c));
	struct dt_fail fail = { 0 };

	c->answer = answer;
	c->began_ms = dt_clock_ms();
	dt_buf_init(&c->line[0], LINE_MAX_LEN);
	dt_buf_init(&c->line[1], LINE_MAX_LEN);
	if (start(c, h, args, &fail)) {
		free_command(c);
		dt_answer_fail(answer, &fail);
		return;
	}
	c->beat = dt_timer_new(h->world.loop, on_beat, c);
	dt_timer_repeat(c->beat, BEAT_MS);
	answer->on_drop = on_drop;
	answer->performer = c;
}
