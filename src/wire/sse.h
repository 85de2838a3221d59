/* wire/sse.h - server-sent events, written (WHATWG HTML 9.2). */
#ifndef DT_WIRE_SSE_H
#define DT_WIRE_SSE_H

#include "base/buf.h"
#include "base/str.h"

#include <stdint.h>

/* One event.  `event` and `id` may be NULL; each line of data gets its field. */
void dt_sse_write(struct dt_buf *out, const char *event, const char *id,
                  struct dt_str data);
void dt_sse_write_retry(struct dt_buf *out, uint32_t ms);
/* What readers ignore; it keeps the connection alive. */
void dt_sse_write_comment(struct dt_buf *out, const char *text);

#endif
