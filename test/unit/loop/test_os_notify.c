/* test/unit/loop/test_os_notify.c - the kernel's words about folders. */
#include "loop/os_notify.h"

#include "base/buf.h"
#include "base/limits.h"
#include "base/tempdir.h"
#include "unit.h"

#include <uv.h>

#define TURNS 200 /* of which each waits for a moment */

struct trial {
	struct dt_loop *loop;
	struct dt_notify *notify;
	const char *dir;
	struct dt_buf told; /* "KIND NAME\n"; a slash behind folders */
	size_t lost;
	size_t count;
	uint32_t cookies[2]; /* of LEFT and ARRIVED */
};

static void on_event(struct dt_notify *notify,
                     const struct dt_notify_event *event, void *owner)
{
	static const char *const names[] = {
		"created", "written", "deleted", "left",
		"arrived", "gone",    "moved",   "lost",
	};
	struct trial *t = owner;

	assert_ptr_equal(notify, t->notify);
	t->count++;
	t->lost += event->kind == DT_NOTIFY_LOST;
	if (event->kind == DT_NOTIFY_LEFT)
		t->cookies[0] = event->cookie;
	if (event->kind == DT_NOTIFY_ARRIVED)
		t->cookies[1] = event->cookie;
	if (t->told.len < 1000)
		dt_buf_addf(&t->told, "%s %s%s\n", names[event->kind],
		            event->name, event->is_folder ? "/" : "");
}

static int watch(struct trial *t, const char *path, bool is_top)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int folder = -1;

	assert_true(fd >= 0);
	assert_ok(dt_notify_add(t->notify, fd, is_top, &folder, NULL));
	close(fd);
	return folder;
}

static void begin(struct trial *t, void **state)
{
	*t = (struct trial){ .loop = dt_loop_new(), .dir = *state };
	dt_buf_init(&t->told, DT_MIB);
	assert_ok(dt_notify_new(t->loop, on_event, t, &t->notify, NULL));
}

static void end(struct trial *t)
{
	dt_notify_free(t->notify);
	dt_loop_run(t->loop);
	dt_loop_free(t->loop);
	dt_buf_done(&t->told);
}

static char *path_of(const struct trial *t, const char *name)
{
	return dt_asprintf("%s/%s", t->dir, name);
}

static void rename_in(const struct trial *t, const char *from, const char *to)
{
	char *old = path_of(t, from);
	char *new = path_of(t, to);

	assert_int_equal(rename(old, new), 0);
	free(old);
	free(new);
}

static void remove_in(const struct trial *t, const char *name)
{
	char *path = path_of(t, name);

	assert_int_equal(remove(path), 0);
	free(path);
}

test(what_happens_is_told_in_order)
{
	struct trial t;

	begin(&t, state);
	watch(&t, t.dir, false);
	tempdir_mkdir(t.dir, "d");
	tempdir_put(t.dir, "f", "");
	rename_in(&t, "f", "g");
	remove_in(&t, "g");
	remove_in(&t, "d");
	dt_notify_drain(t.notify);
	assert_string_equal(dt_buf_z(&t.told), "created d/\ncreated f\n"
	                                       "written f\nleft f\narrived g\n"
	                                       "deleted g\ndeleted d/\n");
	assert_int_equal(t.cookies[0], t.cookies[1]);
	assert_int_not_equal(t.cookies[0], 0);
	end(&t);
}

static void on_tick(struct dt_timer *timer, void *owner)
{
	(void)timer;
	(void)owner;
}

test(the_loop_tells_by_itself)
{
	struct dt_timer *alive;
	struct trial t;

	begin(&t, state);
	/* Watching alone does not keep it going. */
	alive = dt_timer_new(t.loop, on_tick, NULL);
	dt_timer_repeat(alive, 1000);
	watch(&t, t.dir, false);
	tempdir_mkdir(t.dir, "d");
	for (int i = 0; i < TURNS && !t.count; i++) {
		uv_run(dt_loop_uv(t.loop), UV_RUN_NOWAIT);
		usleep(1000);
	}
	assert_string_equal(dt_buf_z(&t.told), "created d/\n");
	dt_timer_free(alive);
	end(&t);
}

test(a_folder_has_one_number_and_loses_it)
{
	struct trial t;
	char *path;
	int number;

	begin(&t, state);
	tempdir_mkdir(t.dir, "d");
	path = path_of(&t, "d");
	number = watch(&t, path, true);
	assert_int_equal(watch(&t, path, true), number);
	rename_in(&t, "d", "e");
	dt_notify_remove(t.notify, number);
	dt_notify_drain(t.notify);
	assert_string_equal(dt_buf_z(&t.told), "moved \ngone \n");
	free(path);
	end(&t);
}

test(what_happens_in_a_pause_is_told_afterwards)
{
	struct trial t;

	begin(&t, state);
	watch(&t, t.dir, false);
	dt_notify_pause(t.notify);
	tempdir_mkdir(t.dir, "d");
	dt_notify_drain(t.notify);
	uv_run(dt_loop_uv(t.loop), UV_RUN_NOWAIT);
	assert_int_equal(t.count, 0);
	dt_notify_resume(t.notify);
	dt_notify_drain(t.notify);
	assert_int_equal(t.count, 1);
	end(&t);
}

static long queue_size(void)
{
	char text[32] = "";
	int fd = open("/proc/sys/fs/inotify/max_queued_events",
	              O_RDONLY | O_CLOEXEC);

	if (fd >= 0 && read(fd, text, sizeof(text) - 1) < 0)
		text[0] = '\0';
	if (fd >= 0)
		close(fd);
	return strtoll(text, NULL, 10);
}

test(that_the_queue_was_full_is_told)
{
	long size = queue_size();
	struct trial t;
	int fds[2];

	if (size <= 0 || size > 100000) {
		print_message("the queue is too long here\n");
		skip();
	}
	begin(&t, state);
	tempdir_put(t.dir, "a", "");
	tempdir_put(t.dir, "b", "");
	watch(&t, t.dir, false);
	for (int i = 0; i < 2; i++) {
		char *path = path_of(&t, i ? "a" : "b");

		fds[i] = open(path, O_WRONLY | O_CLOEXEC);
		free(path);
	}
	/* The same twice in a row would be one. */
	for (long i = 0; i < size + 10; i++)
		assert_int_equal(write(fds[i % 2], "x", 1), 1);
	close(fds[0]);
	close(fds[1]);
	while (!t.lost && t.count < (size_t)size + 10)
		dt_notify_drain(t.notify);
	assert_int_equal(t.lost, 1);
	/* And what comes then is told again. */
	dt_buf_clear(&t.told);
	tempdir_mkdir(t.dir, "d");
	dt_notify_drain(t.notify);
	assert_string_equal(dt_buf_z(&t.told), "created d/\n");
	end(&t);
}

test(what_is_no_folder_is_refused)
{
	struct dt_fail fail = { 0 };
	struct trial t;
	int fd;
	int folder;

	begin(&t, state);
	fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	assert_int_equal(dt_notify_add(t.notify, fd, false, &folder, &fail),
	                 DT_E_SYS);
	close(fd);
	assert_int_equal(dt_notify_add(t.notify, fd, false, &folder, &fail),
	                 DT_E_SYS);
	end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_tempdir(what_happens_is_told_in_order),
		test_in_tempdir(the_loop_tells_by_itself),
		test_in_tempdir(a_folder_has_one_number_and_loses_it),
		test_in_tempdir(what_happens_in_a_pause_is_told_afterwards),
		test_in_tempdir(that_the_queue_was_full_is_told),
		test_in_tempdir(what_is_no_folder_is_refused),
	};

	return cmocka_run_group_tests_name("notify", tests, NULL, NULL);
}
