/* test/unit/backend/lsp_fake_send.h - how the fake server talks. */
#ifndef DT_TEST_LSP_FAKE_SEND_H
#define DT_TEST_LSP_FAKE_SEND_H

#include "base/limits.h"
#include "base/str.h"
#include "wire/framed.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline void fake_write(const char *bytes, size_t len)
{
	while (len) {
		ssize_t n = write(1, bytes, len);

		if (n <= 0)
			exit(9);
		bytes += n;
		len -= (size_t)n;
	}
}

static inline void fake_send(struct dt_str message)
{
	char head[DT_FRAMED_HEAD];

	fake_write(head, dt_framed_head(head, message.len));
	fake_write(message.ptr, message.len);
}

static inline void fake_sendf(const char *fmt, ...) DT_PRINTF(1, 2);
static inline void fake_sendf(const char *fmt, ...)
{
	char *text = NULL;
	va_list args;
	int len;

	va_start(args, fmt);
	len = vasprintf(&text, fmt, args);
	va_end(args);
	fake_send((struct dt_str){ text, (size_t)len });
	free(text);
}

static inline void fake_large(void)
{
	size_t len = 64u * DT_MIB;
	char head[DT_FRAMED_HEAD];
	char *blanks = dt_alloc(DT_MIB);

	memset(blanks, ' ', DT_MIB);
	fake_write(head, dt_framed_head(head, len));
	for (size_t i = 0; i < len / DT_MIB; i++)
		fake_write(blanks, DT_MIB);
	free(blanks);
}

/* What it offers in the mode "actions". */
#define FAKE_ACTIONS                                                           \
	"[{\"title\":\"fix\",\"command\":\"clangd.applyFix\"},"                \
	"{\"title\":\"install\",\"command\":{\"title\":\"x\","                 \
	"\"command\":\"_typescript.applyCodeAction\"}},"                       \
	"{\"title\":\"extract\",\"command\":{\"title\":\"x\","                 \
	"\"command\":\"_typescript.applyRefactoring\","                        \
	"\"arguments\":[{\"refactor\":\"Extract Symbol\"}]}},"                 \
	"{\"title\":\"move\",\"command\":{\"title\":\"x\","                    \
	"\"command\":\"_typescript.applyRefactoring\","                        \
	"\"arguments\":[{\"refactor\":\"Move to a new file\"}"                 \
	"]}},{\"title\":\"bare\",\"command\":{\"title\":\"x\","                \
	"\"command\":\"_typescript.applyRefactoring\"}},"                      \
	"{\"title\":\"nameless\",\"command\":{}}]"
/* An edit that ends with something that nobody knows. */
#define FAKE_ODD_EDIT                                                          \
	"{\"documentChanges\":[{\"kind\":\"create\",\"uri\":\"file:///x\"},"   \
	"{\"kind\":\"odd\",\"uri\":\"file:///y\"}]}"

/* What a problem of a "bad header" has to do with another file. */
static inline const char *fake_related(struct dt_str text)
{
	return memmem(text.ptr, text.len, "header", 6)
	               ? ",\"relatedInformation\":[{\"location\":{\"uri\":"
	                 "\"file:///h/.env.h\",\"range\":{\"start\":{"
	                 "\"line\":2,\"character\":4},\"end\":{\"line\":2,"
	                 "\"character\":5}}},\"message\":\"declared here\"},"
	                 "{\"location\":{\"uri\":3}}]"
	               : "";
}

#endif
