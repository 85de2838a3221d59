/* tool/mime.h - the media type of a file, by its name. */
#ifndef DT_TOOL_MIME_H
#define DT_TOOL_MIME_H

#include "base/str.h"

#include <stdbool.h>

/* "text/plain" for text, "application/octet-stream" for other bytes when the
 * name says nothing. */
const char *dt_mime_of(const char *path, bool is_text);

/* Whether bytes can be sent as text: valid UTF-8 without NUL. */
bool dt_mime_is_text(struct dt_str bytes);

#endif
