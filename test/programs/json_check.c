/*
 * json-check FILE - is this JSON by our reader?  Exit status 0: yes, 1: no,
 * 2: the file cannot be read.  Outside suites judge the reader through it.
 */
#include "base/arena.h"
#include "base/buf.h"
#include "base/limits.h"
#include "data/json.h"

#include <stdio.h>

#define CHUNK (64 * DT_KIB)

static bool read_file(FILE *file, struct dt_buf *buf)
{
	size_t got;

	do {
		char *at = dt_buf_reserve(buf, CHUNK);

		if (!at)
			return false;
		got = fread(at, 1, CHUNK, file);
		dt_buf_grew(buf, got);
	} while (got > 0);
	return !ferror(file);
}

static int check(struct dt_str text)
{
	const struct dt_json *json = NULL;
	struct dt_arena arena = { 0 };
	struct dt_fail fail = { 0 };
	enum dt_err err = dt_json_read(&arena, text, &json, &fail);

	if (err)
		fprintf(stderr, "%s\n", fail.msg);
	dt_arena_done(&arena);
	return err ? 1 : 0;
}

int main(int argc, char **argv)
{
	FILE *file = argc == 2 ? fopen(argv[1], "rbe") : NULL;
	struct dt_buf buf;
	int status = 2;

	if (!file) {
		fprintf(stderr, "usage: json-check FILE\n");
		return status;
	}
	dt_buf_init(&buf, DT_LIMIT_MESSAGE);
	if (read_file(file, &buf))
		status = check(dt_buf_str(&buf));
	else
		fprintf(stderr, "%s cannot be read\n", argv[1]);
	dt_buf_done(&buf);
	fclose(file);
	return status;
}
