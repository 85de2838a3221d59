/* editor/backend.h - who performs operations. */
#ifndef DT_EDITOR_BACKEND_H
#define DT_EDITOR_BACKEND_H

#include "editor/answer.h"
#include "editor/event.h"
#include "editor/operation.h"

#include <stdbool.h>

struct dt_editor;

/*
 * One kind of editor.  perform() starts the work and returns; the answer is
 * ended exactly once, now or later.  `args` is lent until it returns; results
 * until on_end returns.  It is called only for operations in the editor's set.
 * After stop(), which may be NULL, every operation fails, and what was started
 * for the editor ends, so that the loop can; free() comes later.
 */
struct dt_backend {
	const char *name;
	void (*perform)(struct dt_editor *editor, const struct dt_operation *op,
	                const void *args, struct dt_answer *answer);
	void (*stop)(struct dt_editor *editor);
	/* Or NULL.  Who asked by this id is gone and does not come again. */
	void (*leave)(struct dt_editor *editor, const char *asker);
	void (*free)(struct dt_editor *editor);
};

/* One attached editor; backends begin their own struct with it. */
struct dt_editor {
	const struct dt_backend *backend;
	bool can[DT_OP_COUNT]; /* what this very editor reported it can do */
	void (*on_event)(struct dt_editor *editor, struct dt_event *event,
	                 void *owner);
	void *owner;
};

#endif
