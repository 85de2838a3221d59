/*
 * loop/os_notify.h - what happens to the names in some folders, told by the
 * kernel.
 *
 * Folders are watched one by one and each gets a number; what is below them is
 * for the owner.  The kernel keeps what has not been read in a queue with an end:
 * what came after it is lost, and that it was is told.
 */
#ifndef DT_LOOP_OS_NOTIFY_H
#define DT_LOOP_OS_NOTIFY_H

#include "base/err.h"
#include "loop/loop.h"

#include <stdbool.h>
#include <stdint.h>

struct dt_notify;

enum dt_notify_kind {
	DT_NOTIFY_CREATED,
	DT_NOTIFY_WRITTEN,
	DT_NOTIFY_DELETED,
	DT_NOTIFY_LEFT,    /* renamed: this was its name */
	DT_NOTIFY_ARRIVED, /* and this is it now */
	DT_NOTIFY_GONE,    /* the folder itself: its number means nothing now */
	DT_NOTIFY_MOVED,   /* the folder itself is elsewhere; see is_top */
	DT_NOTIFY_LOST,    /* the queue was full; `folder` is -1 */
};

struct dt_notify_event {
	enum dt_notify_kind kind;
	int folder;
	const char *name; /* lent; "" for the folder itself */
	uint32_t cookie;  /* the same for both ends of a rename */
	bool is_folder;   /* what has the name */
};
typedef void dt_notify_fn(struct dt_notify *notify,
                          const struct dt_notify_event *event, void *owner);

/*
 * Events come in the order in which things happened.  The callback may add and
 * remove folders and pause, but not free.  It does not keep the loop from ending.
 * DT_E_SYS, DT_E_LIMIT: the kernel has none left for this user.
 */
enum dt_err dt_notify_new(struct dt_loop *loop, dt_notify_fn *fn, void *owner,
                          struct dt_notify **out,
                          struct dt_fail *fail) DT_MUST_CHECK;
void dt_notify_free(struct dt_notify *notify);

/*
 * Watch an open folder.  One that is watched already has its number still.
 * is_top: that it is renamed is told as well.  DT_E_LIMIT: the user has too many.
 * For any thread.
 */
enum dt_err dt_notify_add(const struct dt_notify *notify, int fd, bool is_top,
                          int *out_folder, struct dt_fail *fail) DT_MUST_CHECK;
/* DT_NOTIFY_GONE follows. */
void dt_notify_remove(struct dt_notify *notify, int folder);

/* Tell nothing until it is resumed: the kernel remembers. */
void dt_notify_pause(struct dt_notify *notify);
void dt_notify_resume(struct dt_notify *notify);
/* Tell now what has happened, unless it is paused. */
void dt_notify_drain(struct dt_notify *notify);

#endif
