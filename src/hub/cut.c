/*
 * hub/cut.c - the part of a very large change that can be shown.
 *
 * A message has at most 64 MiB, and a review of a file of 40 MB has two texts.
 * Who decides sees the beginning of the difference, is told that it is only
 * that, and finds the whole new text in a file.
 */
#include "hub/cut.h"

#include "base/file.h"
#include "base/limits.h"
#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CONTEXT_LINES 3

struct dt_str dt_cut_new(const struct dt_cut_texts *texts)
{
	return texts->final.ptr ? texts->final : texts->proposed;
}

/* As dt_json_put_str() escapes it; what is not UTF-8 takes three bytes there. */
static size_t size_of(struct dt_str text)
{
	size_t size = 2;

	for (size_t i = 0; i < text.len; i++) {
		unsigned char c = (unsigned char)text.ptr[i];

		if (c == '\n' || c == '\t' || c == '\r' || c == '"' ||
		    c == '\\')
			size += 2;
		else if (c < ' ')
			size += 6;
		else
			size += c < 0x80 ? 1 : 3;
	}
	return size;
}

size_t dt_cut_size(const struct dt_cut_texts *texts)
{
	return size_of(texts->old) + size_of(texts->proposed) +
	       size_of(texts->final);
}

bool dt_cut_is_needed(const struct dt_cut_texts *texts, size_t count)
{
	size_t size = DT_MIB; /* all else */

	for (size_t i = 0; i < count; i++)
		size += dt_cut_size(&texts[i]);
	return size > DT_LIMIT_MESSAGE;
}

static size_t count_lines(struct dt_str text)
{
	size_t lines = 0;

	while (text.len > 0) {
		dt_str_cut(&text, '\n');
		lines++;
	}
	return lines;
}

/* Where the first line begins that is shown. */
static size_t find_begin(struct dt_str old, struct dt_str new)
{
	size_t shorter = old.len < new.len ? old.len : new.len;
	unsigned lines = 0;
	size_t at = 0;

	while (at < shorter && old.ptr[at] == new.ptr[at])
		at++;
	while (at > 0 && (old.ptr[at - 1] != '\n' || lines++ < CONTEXT_LINES))
		at--;
	return at;
}

static void cut(struct dt_str *text, size_t begin, size_t room)
{
	if (!text->ptr)
		return;
	if (begin > text->len)
		begin = text->len;
	text->ptr += begin;
	text->len -= begin;
	if (text->len <= room)
		return;
	text->len = room;
	while (text->len > 0 && text->ptr[text->len - 1] != '\n')
		text->len--;
	/* One line that is longer than that: a part of it is better than
	 * nothing, but no part of a character is. */
	if (text->len == 0) {
		text->len = room;
		while (text->len > 0 && (text->ptr[text->len] & 0xc0) == 0x80)
			text->len--;
	}
}

void dt_cut_apply(struct dt_cut_texts *texts, size_t room, struct dt_cut *out)
{
	struct dt_str new = dt_cut_new(texts);
	size_t begin = find_begin(texts->old, new);

	out->all = count_lines(texts->old) + count_lines(new);
	out->before = count_lines((struct dt_str){ new.ptr, begin });
	cut(&texts->old, begin, room);
	cut(&texts->proposed, begin, room);
	cut(&texts->final, begin, room);
	new = dt_cut_new(texts);
	out->shown = count_lines(texts->old) + count_lines(new);
}

static bool write_all(int fd, struct dt_str text)
{
	while (text.len > 0) {
		ssize_t n = write(fd, text.ptr, text.len);

		if (n < 0 && errno != EINTR)
			return false;
		if (n > 0) {
			text.ptr += n;
			text.len -= (size_t)n;
		}
	}
	return true;
}

static char *path_of(const char *state, const char *review, size_t at)
{
	return dt_asprintf("%s/whole/%s-%zu", state, review, at);
}

char *dt_cut_keep(const char *state, const char *review, size_t at,
                  struct dt_str text)
{
	char *folder = dt_asprintf("%s/whole", state);
	char *path = path_of(state, review, at);
	struct dt_fail fail = { 0 };
	bool is_there = !dt_file_make_dirs(folder, &fail);
	int fd = -1;

	if (is_there)
		fd = open(path,
		          O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
		          0600);
	if (fd >= 0)
		is_there = write_all(fd, text);
	else
		is_there = is_there && errno == EEXIST;
	if (!is_there) {
		dt_log(DT_LOG_WARN, "cannot write %s: %s", path,
		       strerror(errno));
		if (fd >= 0)
			unlink(path);
		free(path);
		path = NULL;
	}
	if (fd >= 0)
		close(fd);
	free(folder);
	return path;
}

void dt_cut_forget(const char *state, const char *review, size_t at)
{
	char *path = path_of(state, review, at);

	unlink(path);
	free(path);
}

void dt_cut_forget_all(const char *state)
{
	char *folder = dt_asprintf("%s/whole", state);

	dt_file_remove_tree(folder);
	free(folder);
}
