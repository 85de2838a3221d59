/*
 * hub/record.c - one transcript of everything that is said.
 *
 * All links write to the same file, so that it keeps the order in which things
 * happened; each has a name of its own.  A message is one line as it is: JSON on
 * one line is what our links carry, and one that came with line breaks has them
 * as spaces, which JSON does not mind outside of strings and does not allow
 * inside.  A disk that is full ends the recording, not the daemon.
 */
#include "hub/record.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

#define PAUSE_MS 20 /* shorter ones say nothing */
#define MAX_FILES 10000

struct dt_recorder {
	int fd;
	uint64_t last_ms; /* when the last line was written */
	unsigned count;   /* of links so far */
};

/* One link, as long as it lives. */
struct voice {
	struct dt_recorder *recorder;
	char *name;
};

/* The first file that is not there: the one of a daemon that crashed is worth
 * keeping. */
static enum dt_err open_file(const char *folder, int *out, struct dt_fail *fail)
{
	for (int i = 1; i < MAX_FILES; i++) {
		char *path = dt_asprintf("%s/%04d.txt", folder, i);
		int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
		              0600);

		free(path);
		if (fd >= 0) {
			*out = fd;
			return DT_E_OK;
		}
		if (errno != EEXIST)
			break;
	}
	return dt_fail_sys(fail, "cannot record in %s", folder);
}

enum dt_err dt_recorder_new(const char *folder, struct dt_recorder **out,
                            struct dt_fail *fail)
{
	struct dt_recorder *recorder;
	enum dt_err err = dt_file_make_dirs(folder, fail);
	int fd;

	if (!err)
		err = open_file(folder, &fd, fail);
	if (err)
		return err;
	recorder = dt_alloc(sizeof(*recorder));
	recorder->fd = fd;
	*out = recorder;
	return DT_E_OK;
}

void dt_recorder_free(struct dt_recorder *recorder)
{
	if (!recorder)
		return;
	if (recorder->fd >= 0)
		close(recorder->fd);
	free(recorder);
}

static void write_parts(struct dt_recorder *recorder, const struct iovec *parts,
                        int count)
{
	if (recorder->fd < 0 || writev(recorder->fd, parts, count) >= 0)
		return;
	dt_log(DT_LOG_WARN, "recording stopped: %s", strerror(errno));
	close(recorder->fd);
	recorder->fd = -1;
}

static void write_pause(struct dt_recorder *recorder)
{
	uint64_t now = dt_clock_ms();
	uint64_t pause = recorder->last_ms ? now - recorder->last_ms : 0;
	char *line = dt_asprintf("wait> %llu\n", (unsigned long long)pause);
	struct iovec part = { line, strlen(line) };

	recorder->last_ms = now;
	if (pause >= PAUSE_MS)
		write_parts(recorder, &part, 1);
	free(line);
}

static void write_line(struct voice *voice, bool is_incoming,
                       struct dt_str message)
{
	char *line = dt_strndup(message.ptr, message.len);
	struct iovec parts[] = {
		{ voice->name, strlen(voice->name) },
		{ is_incoming ? "> " : "< ", 2 },
		{ line, message.len },
		{ "\n", 1 },
	};

	for (size_t i = 0; i < message.len; i++) {
		if (line[i] == '\n' || line[i] == '\r')
			line[i] = ' ';
	}
	write_pause(voice->recorder);
	write_parts(voice->recorder, parts, 4);
	free(line);
}

static void on_message(struct dt_link *link, bool is_incoming,
                       struct dt_str message, void *owner)
{
	struct voice *voice = owner;

	(void)link;
	if (message.ptr) {
		write_line(voice, is_incoming, message);
		return;
	}
	write_line(voice, true, DT_STR("@drop"));
	free(voice->name);
	free(voice);
}

void dt_recorder_leave(struct dt_link *link)
{
	struct voice *voice = link->tap_owner;

	if (link->tap != on_message)
		return;
	dt_link_set_tap(link, NULL, NULL);
	free(voice->name);
	free(voice);
}

void dt_recorder_watch(struct dt_recorder *recorder, struct dt_link *link,
                       const char *who)
{
	struct voice *voice = dt_alloc(sizeof(*voice));

	voice->recorder = recorder;
	voice->name = ++recorder->count == 1
	                      ? dt_strdup(who)
	                      : dt_asprintf("%s%u", who, recorder->count);
	dt_link_set_tap(link, on_message, voice);
}
