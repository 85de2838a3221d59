/*
 * app/cmd_demo.c - dovetail demo: three changes of a scripted agent.
 *
 * Daemon, link, review and history are the real ones, in a scratch folder that
 * is gone afterwards (demo_world.c); only the agent is a script (demo_agent.c).
 * A change is decided as in `dovetail review`, by judge.c.  Whatever ends the
 * demo, agent, daemon and folder end with it.
 */
#include "app/command.h"
#include "app/daemon_start.h"
#include "app/demo_agent.h"
#include "app/demo_world.h"
#include "app/folder.h"
#include "app/judge.h"
#include "app/program.h"
#include "app/settings.h"
#include "app/terminal.h"
#include "app/text.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/path.h"
#include "hub/coverage.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define AGENT_MS 10000 /* it does not think, so it is never slower */
#define SLICE_MS 200   /* how soon a signal is seen */

struct options {
	const char *answers;
};

static const struct dt_option options_table[] = {
	DT_OPTION(struct options, answers, TEXT,
	          "for scripts: one of a, e, r for each change",
	          .name = "answers", .value = "KEYS"),
	DT_OPTION_END,
};

struct demo {
	struct dt_demo_world world;
	struct dt_judge judge;
	struct dt_workspace_info served;
	pid_t agent; /* 0: it does not run */
	int reports; /* what the agent says it did; -1: nothing */
	bool is_over;
	bool has_colour;
	size_t decided;                       /* steps */
	char ids[DT_DEMO_STEPS][DT_JUDGE_ID]; /* of their reviews */
};

/* signals */

static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
#define SIGNAL_COUNT (sizeof(signals) / sizeof(signals[0]))

static volatile sig_atomic_t was_signalled;
static int nothing = -1; /* /dev/null */

/* While a key is waited for, terminal.c sees the signal.  One that comes just
 * before must not be lost: the next question finds the end of its input. */
static void on_signal(int number)
{
	int kept = errno;

	(void)number;
	was_signalled = 1;
	dup2(nothing, STDIN_FILENO);
	errno = kept;
}

static void set_signals(void (*handler)(int))
{
	struct sigaction action = { .sa_handler = handler };

	for (size_t i = 0; i < SIGNAL_COUNT; i++)
		sigaction(signals[i], &action, NULL);
}

/* scripts */

/* What a person would type: an edit is accepted, a rejection has no reason. */
static enum dt_err feed_answers(const char *answers, struct dt_fail *fail)
{
	struct dt_buf keys;
	enum dt_err err = DT_E_OK;
	int ends[2];

	if (!*answers || strlen(answers) > DT_DEMO_STEPS ||
	    answers[strspn(answers, "aer")])
		return dt_fail(fail, DT_E_ARGS,
		               "--answers takes up to %d of a (accept), e "
		               "(edit, then accept) and r (reject)",
		               DT_DEMO_STEPS);
	if (pipe2(ends, O_CLOEXEC) < 0)
		return dt_fail_sys(fail, "cannot feed the answers");
	dt_buf_init(&keys, DT_KIB);
	for (; *answers; answers++)
		dt_buf_add_z(&keys, *answers == 'a'   ? "a"
		                    : *answers == 'e' ? "ea"
		                                      : "r\n");
	if (write(ends[1], keys.ptr, keys.len) != (ssize_t)keys.len ||
	    dup2(ends[0], STDIN_FILENO) < 0)
		err = dt_fail_sys(fail, "cannot feed the answers");
	close(ends[0]);
	close(ends[1]);
	dt_buf_done(&keys);
	return err;
}

/* the agent */

static void become_agent(struct demo *d, int report_fd)
{
	struct dt_demo_agent spec = {
		.lock = d->served.lock,
		.port = d->served.port,
		.folder = d->world.project,
		.report_fd = report_fd,
	};

	/* Ctrl-C is for the person's program alone, which then ends us. */
	set_signals(SIG_DFL);
	signal(SIGINT, SIG_IGN);
	dup2(nothing, STDIN_FILENO);
	_exit(dt_demo_agent_run(&spec, NULL) ? 1 : 0);
}

static enum dt_err start_agent(struct demo *d, struct dt_fail *fail)
{
	int ends[2];

	fflush(stdout);
	if (pipe2(ends, O_CLOEXEC) < 0)
		return dt_fail_sys(fail, "cannot start the agent");
	d->agent = fork();
	if (d->agent == 0)
		become_agent(d, ends[1]);
	close(ends[1]);
	d->reports = ends[0];
	if (d->agent < 0)
		return dt_fail_sys(fail, "cannot start the agent");
	return DT_E_OK;
}

static void end_agent(struct demo *d)
{
	if (d->reports >= 0)
		close(d->reports);
	if (d->agent <= 0)
		return;
	kill(d->agent, SIGTERM);
	while (waitpid(d->agent, NULL, 0) < 0 && errno == EINTR)
		;
}

/* The line in which the agent says what it did. */
static enum dt_err read_report(struct demo *d, struct dt_buf *line,
                               struct dt_fail *fail)
{
	struct pollfd in = { .fd = d->reports, .events = POLLIN };
	char c;

	dt_buf_clear(line);
	while (poll(&in, 1, AGENT_MS) == 1 && read(d->reports, &c, 1) == 1) {
		if (c == '\n')
			return DT_E_OK;
		dt_buf_add_char(line, c);
	}
	if (was_signalled)
		return DT_E_OK;
	return dt_fail(fail, DT_E_CLOSED, "the demo's agent went away");
}

/* what is said */

/* Text in one of git's colours, where there are colours at all. */
static const char *paint(struct demo *d, struct dt_arena *arena,
                         const char *colour, const char *text)
{
	if (!d->has_colour)
		return text;
	return dt_arena_printf(arena, "\033[%sm%s\033[m", colour, text);
}

#define BOLD "1"
#define RED "31"
#define GREEN "32"
#define CYAN "36"

static void tell_begin(struct demo *d)
{
	struct dt_arena *arena = &d->judge.arena;

	printf("%s\n"
	       "An agent wants to change three files. Nothing happens unless "
	       "you say so.\n"
	       "All of it is in %s and gone afterwards.\n",
	       paint(d, arena, BOLD, "Dovetail in three changes"),
	       dt_text_safe(arena, d->world.folder));
}

static const char *lines_of(struct dt_arena *arena, const char *path)
{
	const char *words = "not there";
	struct dt_buf text;
	uint64_t lines = 0;

	dt_buf_init(&text, DT_LIMIT_FILE);
	if (!dt_file_read(path, &text, NULL)) {
		for (size_t i = 0; i < text.len; i++)
			lines += text.ptr[i] == '\n';
		words = text.len ? dt_text_count(arena, lines, "line")
		                 : "empty";
	}
	dt_buf_done(&text);
	return words;
}

/* As the history has it when the agent has had the time to write. */
static enum dt_err get_settled(struct demo *d, const char *id,
                               struct dt_arena *arena,
                               struct dt_review_info *out, struct dt_fail *fail)
{
	const struct timespec nap = { .tv_nsec = 50000000 };
	const struct dt_json *result;
	enum dt_err err;
	int tries = 20;

	do {
		err = dt_reviews_get(d->judge.remote, id, arena, &result, fail);
		if (!err)
			err = dt_reviews_read(arena, result, out, fail);
	} while (!err && !strcmp(out->state, "writing") && tries-- > 0 &&
	         nanosleep(&nap, NULL) == 0);
	return err;
}

/* One line of the table at the end, from the history. */
static enum dt_err tell_verdict(struct demo *d, size_t i, struct dt_fail *fail)
{
	const char *file = dt_demo_steps[i].file;
	struct dt_review_info review = { 0 };
	const struct dt_review_file *entry;
	struct dt_arena arena = { 0 };
	bool is_accepted;
	bool is_edited;
	enum dt_err err = get_settled(d, d->ids[i], &arena, &review, fail);

	if (!err) {
		entry = review.entries.ptr;
		is_accepted = !strcmp(review.state, "accepted");
		is_edited = is_accepted && entry->final.ptr &&
		            !dt_str_eq(entry->final, entry->proposed);
		printf("  %-18s %s%s%s, on disk: %s\n", file,
		       paint(d, &arena, is_accepted ? GREEN : RED,
		             dt_text_safe(&arena, review.state)),
		       is_edited ? " with your edit" : "",
		       review.comment && *review.comment
		               ? dt_arena_printf(
					 &arena, " (\"%s\")",
					 dt_text_safe(&arena, review.comment))
		               : "",
		       lines_of(&arena,
		                dt_path_join(&arena, d->world.project, file)));
	}
	dt_arena_done(&arena);
	return err;
}

static enum dt_err tell_end(struct demo *d, struct dt_fail *fail)
{
	struct dt_arena *arena = &d->judge.arena;
	enum dt_err err = DT_E_OK;

	if (d->decided > 0)
		printf("\n%s\n", paint(d, arena, BOLD, "What just happened"));
	for (size_t i = 0; !err && i < d->decided; i++)
		err = tell_verdict(d, i, fail);
	if (err)
		return err;
	if (d->decided < DT_DEMO_STEPS)
		puts("\nYou left early; the rest of the demo is thrown away.");
	else
		puts("\nDaemon, WebSocket, Claude Code's protocol and history "
		     "were real;\nonly the agent was a script.");
	puts(DT_COVERAGE_SHELL);
	printf("\n%s\n  %s\n",
	       paint(d, arena, BOLD, "Next, in a project of yours"),
	       dt_program_run_agent(arena));
	return DT_E_OK;
}

/* the play */

static enum dt_err wait_for_review(struct demo *d, char id[DT_JUDGE_ID],
                                   struct dt_fail *fail)
{
	uint64_t until = dt_clock_ms() + AGENT_MS;
	struct dt_arena arena = { 0 };
	struct dt_fail why = { 0 };
	const char *found;
	enum dt_err err;

	do {
		err = dt_reviews_wait(d->judge.remote, d->world.project,
		                      SLICE_MS, &arena, &found, &why);
	} while (err == DT_E_TIMEOUT && !was_signalled &&
	         dt_clock_ms() < until);
	if (!err)
		snprintf(id, DT_JUDGE_ID, "%s", found);
	else if (err == DT_E_TIMEOUT)
		dt_fail(fail, err, "the demo's agent does not ask anything");
	else
		dt_fail(fail, err, "%s", why.msg);
	dt_arena_done(&arena);
	return was_signalled ? DT_E_OK : err;
}

/* Put the change that waits in front of the person. */
static enum dt_err show_one(struct demo *d, enum dt_step *out_step,
                            struct dt_fail *fail)
{
	struct dt_review_list list = { 0 };
	struct dt_arena arena = { 0 };
	enum dt_err err;

	/* judge.c removes it when it is empty. */
	d->judge.base =
		dt_path_join(&d->judge.arena, d->world.folder, "review");
	err = dt_file_make_dirs(d->judge.base, fail);
	if (!err)
		err = dt_reviews_waiting(d->judge.remote, d->judge.folder,
		                         &arena, &list, fail);
	d->judge.queue = &list;
	d->judge.position = 0; /* its agent asks one thing at a time */
	if (!err && list.reviews.count > 0)
		err = dt_judge_review(&d->judge, out_step, fail);
	d->judge.queue = NULL;
	dt_arena_done(&arena);
	return err;
}

static enum dt_err judge_one(struct demo *d, struct dt_fail *fail)
{
	enum dt_step step;
	enum dt_err err;

	do {
		step = DT_STEP_DONE;
		err = show_one(d, &step, fail);
		if (!err && step == DT_STEP_NEXT)
			puts("The agent waits with its next change until this "
			     "one is decided.");
	} while (!err && step == DT_STEP_NEXT && !was_signalled);
	d->is_over = was_signalled || (!err && step == DT_STEP_QUIT);
	return err;
}

static enum dt_err play_one(struct demo *d, struct dt_fail *fail)
{
	struct dt_arena *arena = &d->judge.arena;
	struct dt_buf report;
	enum dt_err err;

	printf("\n%s %s\n",
	       paint(d, arena, CYAN,
	             dt_arena_printf(arena, "%zu of %d  " DT_DEMO_AGENT ":",
	                             d->decided + 1, DT_DEMO_STEPS)),
	       dt_demo_steps[d->decided].saying);
	err = wait_for_review(d, d->ids[d->decided], fail);
	if (!err && !was_signalled)
		err = judge_one(d, fail);
	d->is_over |= was_signalled;
	if (err || d->is_over)
		return err;
	dt_buf_init(&report, DT_KIB);
	err = read_report(d, &report, fail);
	if (!err)
		printf("%s %s.\n", paint(d, arena, CYAN, "-> " DT_DEMO_AGENT),
		       dt_buf_z(&report));
	dt_buf_done(&report);
	d->decided++;
	return err;
}

/* A daemon of our own that serves the project, an agent, and us. */
static enum dt_err begin(struct demo *d, struct dt_fail *fail)
{
	struct dt_remote *remote = NULL;
	enum dt_err err = dt_daemon_reach(&remote, fail);

	if (!err)
		err = dt_folder_serve(remote, d->world.project, &d->judge.arena,
		                      &d->served, fail);
	/* The agent is forked from a process without a loop. */
	dt_remote_free(remote);
	if (!err)
		err = start_agent(d, fail);
	if (!err)
		err = dt_remote_open(&d->judge.remote, fail);
	return err;
}

static enum dt_err end(struct demo *d, struct dt_fail *fail)
{
	enum dt_err err = DT_E_OK;

	end_agent(d);
	dt_remote_free(d->judge.remote);
	if (d->world.folder) {
		dt_demo_world_enter(&d->world);
		err = dt_daemon_stop(false, fail);
		dt_demo_world_leave(&d->world);
	}
	dt_config_free(d->judge.config);
	dt_arena_done(&d->judge.arena);
	dt_demo_world_close(&d->world);
	return err;
}

static enum dt_err play(struct demo *d, struct dt_fail *fail)
{
	enum dt_err err = dt_settings_read(&d->judge.config, fail);

	if (!err)
		err = dt_demo_world_open(&d->world, fail);
	if (err)
		return err;
	tell_begin(d);
	dt_demo_world_enter(&d->world);
	err = begin(d, fail);
	dt_demo_world_leave(&d->world);
	d->judge.folder = d->world.project;
	while (!err && !d->is_over && d->decided < DT_DEMO_STEPS)
		err = play_one(d, fail);
	return err ? err : tell_end(d, fail);
}

static enum dt_err run(const void *opts, char *const *args,
                       struct dt_fail *fail)
{
	const struct options *options = opts;
	struct demo demo = { .reports = -1 };
	struct dt_fail ended = { 0 };
	enum dt_err err = DT_E_OK;

	(void)args;
	if (options->answers)
		err = feed_answers(options->answers, fail);
	else if (!dt_terminal_is_there())
		err = dt_fail(fail, DT_E_STATE,
		              "demo needs a terminal; scripts use `dovetail "
		              "demo --answers aar`");
	if (err)
		return err;
	nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
	demo.has_colour = dt_terminal_has_colours();
	set_signals(on_signal);
	err = play(&demo, fail);
	if (end(&demo, &ended) && !err)
		err = dt_fail(fail, ended.code, "%s", ended.msg);
	set_signals(SIG_DFL);
	return err;
}

const struct dt_command dt_cmd_demo = {
	.name = "demo",
	.summary = "See it work: three changes, in a scratch folder",
	.doc = "Review three changes of a scripted agent, in a scratch folder "
	       "that is removed\nat the end. Needs no agent, account, network or "
	       "editor, and leaves your daemon\nand history alone.",
	.options = options_table,
	.options_size = sizeof(struct options),
	.run = run,
};
