/* test/bench/load.h - what bench-load is asked to do. */
#ifndef DT_BENCH_LOAD_H
#define DT_BENCH_LOAD_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum load_carrier { LOAD_WS, LOAD_HTTP, LOAD_STDIO, LOAD_RAW };

struct load_spec {
	enum load_carrier carrier;
	uint32_t port;     /* all but stdio */
	char **command;    /* stdio: the server */
	const char *token; /* a bearer's, or NULL */
	const char *tool;  /* to be called; NULL: tools/list */
	uint32_t size;     /* of the JSON of a call */
	uint32_t raw_ask;  /* raw: bytes of a question and of its answer */
	uint32_t raw_reply;
};

/* A connection that can be asked; the first answer has been looked at. */
struct load_talk {
	int fd;
	int pid;                /* of the server that was started, or 0 */
	char *session;          /* its id, where it is told one; or NULL */
	struct dt_buf question; /* as it goes over the wire */
	size_t reply_len;       /* of each answer */
};

void load_give_up(const char *why) __attribute__((noreturn));

/* Connect, say initialize and ask once.  Blocks, as the end does. */
void load_talk_open(struct load_talk *talk, const struct load_spec *spec);
void load_talk_close(struct load_talk *talk, const struct load_spec *spec);

#endif
