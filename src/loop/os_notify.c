/*
 * loop/os_notify.c - inotify(7) on the loop.
 *
 * A folder is watched by its descriptor, through /proc: a name could lead
 * elsewhere by now.  Invariant: `poll` is active unless it is paused.
 */
#include "loop/os_notify.h"

#include "base/str.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <unistd.h>
#include <uv.h>

#define EVENTS                                                                 \
	(IN_CREATE | IN_MODIFY | IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM |  \
	 IN_MOVED_TO | IN_ONLYDIR | IN_EXCL_UNLINK)
#define BUFFER 16384
#define DRAINS 64 /* reads at once: who writes faster than we read waits */

struct dt_notify {
	uv_poll_t poll;
	dt_notify_fn *fn;
	void *owner;
	int fd;
	bool is_paused;
};

static const struct {
	uint32_t bit;
	enum dt_notify_kind kind;
} kinds[] = {
	{ IN_Q_OVERFLOW, DT_NOTIFY_LOST },
	{ IN_IGNORED, DT_NOTIFY_GONE },
	{ IN_CREATE, DT_NOTIFY_CREATED },
	{ IN_MODIFY, DT_NOTIFY_WRITTEN },
	{ IN_CLOSE_WRITE, DT_NOTIFY_WRITTEN },
	{ IN_DELETE, DT_NOTIFY_DELETED },
	{ IN_MOVED_FROM, DT_NOTIFY_LEFT },
	{ IN_MOVED_TO, DT_NOTIFY_ARRIVED },
	{ IN_MOVE_SELF, DT_NOTIFY_MOVED },
};

static void tell(struct dt_notify *notify, const struct inotify_event *from)
{
	struct dt_notify_event event = {
		.folder = from->wd,
		.name = from->len ? from->name : "",
		.cookie = from->cookie,
		.is_folder = from->mask & IN_ISDIR,
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (!(from->mask & kinds[i].bit))
			continue;
		event.kind = kinds[i].kind;
		notify->fn(notify, &event, notify->owner);
		return;
	}
}

/* False: there is nothing more. */
static bool read_some(struct dt_notify *notify)
{
	/* Not the loop's: who drains may have been called with bytes in it. */
	_Alignas(struct inotify_event) char buffer[BUFFER];
	ssize_t n = read(notify->fd, buffer, sizeof(buffer));
	ssize_t at = 0;

	while (at < n) {
		/* The kernel pads names, so that the next one is aligned. */
		const struct inotify_event *event = (const void *)(buffer + at);

		at += (ssize_t)(sizeof(*event) + event->len);
		tell(notify, event);
	}
	return n > 0;
}

static void on_readable(uv_poll_t *poll, int status, int events)
{
	(void)status;
	(void)events;
	read_some(poll->data);
}

void dt_notify_drain(struct dt_notify *notify)
{
	for (int i = 0; i < DRAINS && !notify->is_paused; i++) {
		if (!read_some(notify))
			return;
	}
}

void dt_notify_pause(struct dt_notify *notify)
{
	notify->is_paused = true;
	uv_poll_stop(&notify->poll);
}

void dt_notify_resume(struct dt_notify *notify)
{
	notify->is_paused = false;
	uv_poll_start(&notify->poll, UV_READABLE, on_readable);
}

enum dt_err dt_notify_new(struct dt_loop *loop, dt_notify_fn *fn, void *owner,
                          struct dt_notify **out, struct dt_fail *fail)
{
	int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	struct dt_notify *notify;

	if (fd < 0)
		return dt_fail(fail, errno == EMFILE ? DT_E_LIMIT : DT_E_SYS,
		               "inotify: %s", strerror(errno));
	notify = dt_alloc(sizeof(*notify));
	notify->fn = fn;
	notify->owner = owner;
	notify->fd = fd;
	uv_poll_init(dt_loop_uv(loop), &notify->poll, fd);
	notify->poll.data = notify;
	uv_unref((uv_handle_t *)&notify->poll);
	dt_notify_resume(notify);
	*out = notify;
	return DT_E_OK;
}

static void on_closed(uv_handle_t *handle)
{
	struct dt_notify *notify = handle->data;

	close(notify->fd);
	free(notify);
}

void dt_notify_free(struct dt_notify *notify)
{
	if (notify)
		uv_close((uv_handle_t *)&notify->poll, on_closed);
}

enum dt_err dt_notify_add(const struct dt_notify *notify, int fd, bool is_top,
                          int *out_folder, struct dt_fail *fail)
{
	uint32_t mask = EVENTS | (is_top ? IN_MOVE_SELF : 0);
	char path[32];
	int folder;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	folder = inotify_add_watch(notify->fd, path, mask);
	if (folder < 0)
		return dt_fail(fail, errno == ENOSPC ? DT_E_LIMIT : DT_E_SYS,
		               errno == ENOSPC
		                       ? "more folders cannot be watched: see "
		                         "fs.inotify.max_user_watches"
		                       : "inotify: %s",
		               strerror(errno));
	*out_folder = folder;
	return DT_E_OK;
}

void dt_notify_remove(struct dt_notify *notify, int folder)
{
	inotify_rm_watch(notify->fd, folder);
}
