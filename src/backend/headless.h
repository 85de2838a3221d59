/* backend/headless.h - the editor there is when there is no editor. */
#ifndef DT_BACKEND_HEADLESS_H
#define DT_BACKEND_HEADLESS_H

#include "base/arena.h"
#include "editor/backend.h"
#include "editor/document.h"
#include "loop/loop.h"

/* Who asks for what everybody shares, as language servers and linters: an
 * agent's environment serves no other agent. */
#define DT_ASKER_ALL "*"

/*
 * What it is lent of its workspace, for as long as it lives.  The environment
 * and the settings are those of now: who starts a program asks again.  What they
 * return is in the arena or lent until the loop turns.
 */
struct dt_world {
	struct dt_loop *loop;
	struct dt_documents *docs;
	void *owner;
	/* "NAME=value" for a child of whoever asks (dt_answer.asker, or
	 * DT_ASKER_ALL); ends with NULL. */
	char **(*env)(void *owner, const char *asker, struct dt_arena *arena);
	/* The file of a program by the PATH of that environment; or NULL. */
	const char *(*find)(void *owner, const char *asker,
	                    struct dt_arena *arena, const char *program);
	/* Or NULL.  A program was started for them, to be written down. */
	void (*on_run)(void *owner, const char *asker, const char *file);
	/* A key of dovetail.conf, "section.name". */
	const char *(*setting)(void *owner, const char *key);
	/* Whether agents may be told what is in a file; NULL: of all. */
	bool (*may_leave)(void *owner, const char *path);
	/* Whether a name is denied by a pattern that is built in, as text and
	 * from any thread; NULL: none is. */
	bool (*is_kept_name)(const char *path);
	/* Whether somebody listens for changes of files; NULL: nobody. */
	bool (*is_listened)(void *owner);
	/* Of ours alone, for files that live as long as the daemon. */
	const char *run_folder;
};

static inline void dt_world_ran(const struct dt_world *world, const char *asker,
                                const char *file)
{
	if (world->on_run)
		world->on_run(world->owner, asker, file);
}

struct dt_editor *dt_headless_new(const struct dt_world *world);

/* What all share has another environment now: servers and findings of the old one
 * go. */
void dt_headless_forget(struct dt_editor *editor);

/* Somebody listens for changes of files now: they have to be watched. */
void dt_headless_listen(struct dt_editor *editor);
/* A sentence about changes of files that it does not see, and why; or NULL. */
const char *dt_headless_unseen(struct dt_editor *editor);

/* Its terminals; NULL when it is another kind of editor. */
struct dt_terminals *dt_headless_terminals(struct dt_editor *editor);

#endif
