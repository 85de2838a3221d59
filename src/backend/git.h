/*
 * backend/git.h - one operation on a repository, as steps of the real git.
 *
 * A performer makes a dt_git, says the words of a command and runs it; the step
 * that is named then sees what came out and says the next words, or ends.  The
 * answer is ended, and the dt_git freed, by dt_git_end() or dt_git_fail*(), which
 * are the last thing a step does.  When nobody waits any more the program is
 * asked to end, so that it takes its locks with it, and no step comes.
 */
#ifndef DT_BACKEND_GIT_H
#define DT_BACKEND_GIT_H

#include "backend/headless_state.h"
#include "base/arena.h"
#include "loop/run.h"

struct dt_git;
typedef void dt_git_step(struct dt_git *g, const struct dt_run_end *end);

struct dt_git {
	struct dt_arena arena; /* results are made here */
	const void *args;      /* a copy, in the arena */
	const char *root;      /* of the workspace */
	const char *folder;    /* where git runs, beneath the root */
	const char *top;       /* of the work tree, which may be above */
	const char *dir;       /* .git */
	const char *scope;   /* what it is about; NULL: all of the work tree */
	void *state;         /* the steps' own */
	size_t keep;         /* bytes of what a command prints */
	const char *program; /* git; another one gets its words alone */
	/* backend/git.c's */
	struct dt_loop *loop;
	const struct dt_operation *op;
	struct dt_answer *answer;
	struct dt_run *run;
	char **env;
	char **words; /* of the command that is said or runs */
	size_t word_count;
	size_t word_room;
	const char *command; /* "git commit", for sentences */
	dt_git_step *first;  /* once the repository is found */
	dt_git_step *step;
	bool is_try;
};

/*
 * The operation with a copy of its arguments, which begin with a path, and git
 * with its environment.  NULL: the answer has failed.
 */
struct dt_git *dt_git_new(struct dt_headless *h, const struct dt_operation *op,
                          const void *args, struct dt_answer *answer);
/* Find the repository, then take the first step, which gets no end. */
void dt_git_find(struct dt_git *g, dt_git_step *first);
/* Both. */
void dt_git_start(struct dt_headless *h, const struct dt_operation *op,
                  const void *args, struct dt_answer *answer,
                  dt_git_step *first);

/* Words of the next command, up to NULL; they are copied. */
void dt_git_say(struct dt_git *g, ...) __attribute__((sentinel));
void dt_git_say_all(struct dt_git *g, const struct dt_names *words);
/* A path as a pattern that fits nothing else; in the arena. */
const char *dt_git_literal(struct dt_git *g, const char *path);
/* "--" and the scope, if there is one. */
void dt_git_say_scope(struct dt_git *g);
/* What keeps a diff from running programs, and lets it look the same always. */
void dt_git_say_diff(struct dt_git *g);

/* status, as dt_git_parse_status() reads it. */
void dt_git_say_status(struct dt_git *g);

/* Run what was said.  _run: when git fails, so does the operation, in git's
 * words; _try: the step looks at the exit code. */
void dt_git_run(struct dt_git *g, dt_git_step *step);
void dt_git_try(struct dt_git *g, dt_git_step *step);

void dt_git_end(struct dt_git *g, const void *result);
void dt_git_fail(struct dt_git *g, const struct dt_fail *fail);
void dt_git_failf(struct dt_git *g, enum dt_err code, const char *fmt, ...)
	DT_PRINTF(3, 4);
/* In the words of the program that failed. */
void dt_git_fail_end(struct dt_git *g, const struct dt_run_end *end);
/* What the program said, as one line; in the arena. */
const char *dt_git_said(struct dt_git *g, struct dt_str err);

/*
 * A name of a commit as agents give it: never an option, a range or a file in a
 * commit.  git decides what it is; see dt_git_say_commit().
 */
enum dt_err dt_git_check_ref(const char *ref, const char *what,
                             struct dt_fail *fail) DT_MUST_CHECK;
/* rev-parse of a name that was checked, to a commit. */
void dt_git_say_commit(struct dt_git *g, const char *ref);

/* Files as agents name them, absolute or below the root, as git gets them.
 * DT_E_DENIED when one is outside the roots. */
enum dt_err dt_git_files(struct dt_git *g, const struct dt_documents *docs,
                         const struct dt_names *files, struct dt_names *out,
                         struct dt_fail *fail) DT_MUST_CHECK;

/* "merge", "rebase" ...: what is not finished; or NULL. */
const char *dt_git_doing(const struct dt_git *g);

/* The operations: git_read.c, git_look.c, git_write.c, git_net.c, github.c */
dt_headless_fn dt_git_do_status, dt_git_do_diff, dt_git_do_log, dt_git_do_show;
dt_headless_fn dt_git_do_blame, dt_git_do_branches, dt_git_do_stashes,
	dt_git_do_hotspots;
dt_headless_fn dt_git_do_add, dt_git_do_commit, dt_git_do_checkout,
	dt_git_do_stash, dt_git_do_stash_pop;
dt_headless_fn dt_git_do_fetch, dt_git_do_pull, dt_git_do_push;
dt_headless_fn dt_github_do_read, dt_github_do_diff, dt_github_do_write;

#endif
