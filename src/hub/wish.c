/*
 * hub/wish.c - what operations want to run.
 *
 * A program with its arguments, or a line for the shell of a terminal.  A line is
 * looked at where the shell is now, not where it began; whether it may be typed
 * is for permit.c.
 */
#include "hub/wish.h"

#include "backend/headless.h"
#include "backend/terminals.h"
#include "base/limits.h"
#include "base/path.h"
#include "editor/git_write.h"
#include "editor/run.h"
#include "hub/session.h"
#include "loop/os.h"

static const char *real_folder(struct dt_arena *arena,
                               const struct dt_workspace *ws, const char *cwd)
{
	const char *real;

	cwd = dt_run_cwd(arena, dt_workspace_root(ws), cwd);
	return dt_path_real(arena, cwd, &real, NULL) ? cwd : real;
}

/* programs */

static void read_program(struct dt_arena *arena, struct dt_run_wish *out)
{
	struct dt_buf words;

	dt_buf_init(&words, DT_LIMIT_MESSAGE);
	dt_run_words(&words, out->command.name, &out->command.args);
	out->words = dt_arena_strdup(arena, dt_buf_z(&words));
	dt_buf_done(&words);
}

static enum dt_err read_run_command(struct dt_arena *arena,
                                    const struct dt_caller *caller,
                                    const void *args, struct dt_run_wish *out,
                                    struct dt_fail *fail)
{
	const struct dt_run_command_args *wanted = args;

	(void)fail;
	*out = (struct dt_run_wish){
		.command = { wanted->command, wanted->args,
		             real_folder(arena, caller->place, wanted->cwd) },
		.timeout_ms = wanted->timeout_ms.is_set
		                      ? wanted->timeout_ms.value
		                      : DT_COMMAND_MS,
	};
	read_program(arena, out);
	return DT_E_OK;
}

static enum dt_err read_github(struct dt_arena *arena,
                               const struct dt_caller *caller, const void *args,
                               struct dt_run_wish *out, struct dt_fail *fail)
{
	const struct dt_github_args *wanted = args;

	(void)fail;
	*out = (struct dt_run_wish){
		.command = { "gh", wanted->words,
		             real_folder(arena, caller->place, wanted->path) },
		.timeout_ms = DT_GITHUB_WRITE_MS,
	};
	read_program(arena, out);
	return DT_E_OK;
}

/* terminals */

/* Keys that only end what runs: Ctrl-C and Ctrl-\. */
static bool is_interrupt(const char *text)
{
	return *text && !text[strspn(text, "\x03\x1c")];
}

/* Where the shell is now; else where it began. */
static const char *folder_of(struct dt_arena *arena,
                             const struct dt_workspace *ws,
                             const struct dt_terminal *t)
{
	const char *now = NULL;

	if (t && t->pty)
		now = dt_os_folder(arena, dt_pty_pid(t->pty));
	return real_folder(arena, ws, now ? now : t ? t->folder : NULL);
}

static void read_line(struct dt_arena *arena, const struct dt_caller *caller,
                      const struct dt_terminal *t, const char *line,
                      bool is_emptied, struct dt_run_wish *out)
{
	const struct dt_session *s = caller->owner;
	struct dt_buf words;

	dt_buf_init(&words, DT_LIMIT_MESSAGE);
	dt_run_line(&words, line);
	*out = (struct dt_run_wish){
		.command = { .name = "",
		             .folder = folder_of(arena, caller->place, t) },
		.words = dt_arena_strdup(arena, dt_buf_z(&words)),
		.line = line,
		.has_enter = true,
		.terminal = t ? dt_arena_strdup(arena, t->name) : NULL,
		.index = t ? t->index : 0,
		.doubt = t ? dt_terminal_doubt(t, arena, is_emptied) : NULL,
		/* The person's own `dovetail call` types what it likes. */
		.is_free = s->is_person,
	};
	dt_buf_done(&words);
}

static const char *asker_of(const struct dt_caller *caller)
{
	const struct dt_session *s = caller->owner;

	return s->is_person ? NULL : s->id;
}

static struct dt_terminals *terminals_of(const struct dt_caller *caller)
{
	return dt_headless_terminals(
		((struct dt_workspace *)caller->place)->editor);
}

static enum dt_err read_sent(struct dt_arena *arena,
                             const struct dt_caller *caller, const void *args,
                             struct dt_run_wish *out, struct dt_fail *fail)
{
	const struct dt_send_terminal_args *wanted = args;
	struct dt_terminals *set = terminals_of(caller);
	struct dt_terminal *t = NULL;
	enum dt_err err = DT_E_OK;

	if (set)
		err = dt_terminals_find(set, asker_of(caller), &wanted->target,
		                        &t, fail);
	if (err)
		return err;
	read_line(arena, caller, t, wanted->text, false, out);
	out->has_enter = wanted->adds_newline;
	/* Enter is an answer, where something asks and is not interrupted. */
	out->is_free |= is_interrupt(wanted->text) && !wanted->adds_newline;
	return DT_E_OK;
}

static enum dt_err read_executed(struct dt_arena *arena,
                                 const struct dt_caller *caller,
                                 const void *args, struct dt_run_wish *out,
                                 struct dt_fail *fail)
{
	const struct dt_execute_terminal_args *wanted = args;
	struct dt_terminals *set = terminals_of(caller);
	struct dt_terminal *t = NULL;
	enum dt_err err = DT_E_OK;

	if (set)
		err = dt_terminals_for_command(set, asker_of(caller), wanted,
		                               &t, fail);
	if (!err)
		read_line(arena, caller, t, wanted->command, true, out);
	return err;
}

typedef enum dt_err read_fn(struct dt_arena *arena,
                            const struct dt_caller *caller, const void *args,
                            struct dt_run_wish *out, struct dt_fail *fail);
static read_fn *const table[DT_OP_COUNT] = {
	[DT_OP_run_command] = read_run_command,
	[DT_OP_github_write] = read_github,
	[DT_OP_send_terminal] = read_sent,
	[DT_OP_execute_in_terminal] = read_executed,
};

bool dt_wish_is_read(const struct dt_operation *op)
{
	return table[op->index] != NULL;
}

enum dt_err dt_wish_read(struct dt_arena *arena, const struct dt_caller *caller,
                         const struct dt_operation *op, const void *args,
                         struct dt_run_wish *out, struct dt_fail *fail)
{
	return table[op->index](arena, caller, args, out, fail);
}

/* Arguments about a terminal begin with which one. */
_Static_assert(offsetof(struct dt_send_terminal_args, target) == 0, "first");
_Static_assert(offsetof(struct dt_execute_terminal_args, target) == 0, "first");

void dt_wish_pin(const struct dt_run_wish *wish, void *args)
{
	if (wish->terminal)
		*(struct dt_terminal_target *)args =
			(struct dt_terminal_target){ .index = { true,
			                                        wish->index } };
}
