/* test/unit/hub/fetch.h - plain HTTP to a workspace's port. */
#ifndef DT_TEST_HUB_FETCH_H
#define DT_TEST_HUB_FETCH_H

#include "agent.h"

#define HOST "Host: 127.0.0.1\r\n"

static inline char *bearer(struct world *w, const struct dt_workspace *ws)
{
	return text_of(w, "Authorization: Bearer %s\r\n", ws->record.token);
}

/* The whole answer to a request with these headers; the server ends it. */
static inline const char *fetch(struct world *w, const struct dt_workspace *ws,
                                const char *line, const char *headers)
{
	struct client *c = connect_raw(w, ws->record.port);

	send_raw(c, text_of(w, "%s HTTP/1.1\r\nConnection: close\r\n%s\r\n",
	                    line, headers));
	wait_for(w, c->is_closed);
	return dt_arena_strndup(&w->arena, c->in.ptr, c->in.len);
}

static inline unsigned status_of(const char *answer)
{
	uint32_t status = 0;

	assert_true(strlen(answer) > 12);
	assert_ok(
		dt_str_to_u32((struct dt_str){ answer + 9, 3 }, &status, NULL));
	return status;
}

static inline const char *body_of(const char *answer)
{
	const char *end = strstr(answer, "\r\n\r\n");

	assert_non_null(end);
	return end + 4;
}

#endif
