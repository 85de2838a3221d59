/*
 * hub/record.c - transcripts written line by line.
 *
 * A message is one line as it is: JSON on one line is what our links carry, and
 * one that came with line breaks has them as spaces, which JSON does not mind
 * outside of strings and does not allow inside.  A disk that is full ends the
 * recording, not the daemon.
 */
#include "hub/record.h"

#include "base/file.h"
#include "base/log.h"
#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

struct dt_recorder {
	char *folder;
	unsigned count;
	struct tape *first;
};

/* One file; kept until the recorder goes, as links do not tell taps of their
 * end. */
struct tape {
	struct tape *next;
	int fd;
	const char *who;
};

enum dt_err dt_recorder_new(const char *folder, struct dt_recorder **out,
                            struct dt_fail *fail)
{
	struct dt_recorder *recorder;
	enum dt_err err = dt_file_make_dirs(folder, fail);

	if (err)
		return err;
	recorder = dt_alloc(sizeof(*recorder));
	recorder->folder = dt_strdup(folder);
	*out = recorder;
	return DT_E_OK;
}

void dt_recorder_free(struct dt_recorder *recorder)
{
	if (!recorder)
		return;
	while (recorder->first) {
		struct tape *tape = recorder->first;

		recorder->first = tape->next;
		if (tape->fd >= 0)
			close(tape->fd);
		free(tape);
	}
	free(recorder->folder);
	free(recorder);
}

static void on_message(struct dt_link *link, bool is_incoming,
                       struct dt_str message, void *owner)
{
	struct tape *tape = owner;
	char *line = dt_strndup(message.ptr, message.len);
	struct iovec parts[] = {
		{ (char *)(uintptr_t)tape->who, strlen(tape->who) },
		{ is_incoming ? "> " : "< ", 2 },
		{ line, message.len },
		{ "\n", 1 },
	};

	(void)link;
	for (size_t i = 0; i < message.len; i++) {
		if (line[i] == '\n' || line[i] == '\r')
			line[i] = ' ';
	}
	if (tape->fd >= 0 && writev(tape->fd, parts, 4) < 0) {
		dt_log(DT_LOG_WARN, "recording stopped: %s", strerror(errno));
		close(tape->fd);
		tape->fd = -1;
	}
	free(line);
}

void dt_recorder_watch(struct dt_recorder *recorder, struct dt_link *link,
                       const char *who)
{
	struct tape *tape = dt_alloc(sizeof(*tape));
	char *path = dt_asprintf("%s/%04u-%s.txt", recorder->folder,
	                         ++recorder->count, who);

	tape->who = who;
	tape->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (tape->fd < 0)
		dt_log(DT_LOG_WARN, "%s: %s", path, strerror(errno));
	tape->next = recorder->first;
	recorder->first = tape;
	dt_link_set_tap(link, on_message, tape);
	free(path);
}
