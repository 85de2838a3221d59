/* tool/content.h - the pieces that a reply is made of. */
#ifndef DT_TOOL_CONTENT_H
#define DT_TOOL_CONTENT_H

#include "base/str.h"

/* One piece of a reply.  Of the strings only those its kind needs are there. */
enum dt_content_kind {
	DT_CONTENT_TEXT,
	DT_CONTENT_IMAGE,    /* text: base64; mime */
	DT_CONTENT_AUDIO,    /* the same */
	DT_CONTENT_RESOURCE, /* uri, mime, text */
	DT_CONTENT_BLOB,     /* uri, mime, text: base64 */
	DT_CONTENT_LINK,     /* uri, name, title, doc, mime: to be read later */
};
struct dt_content {
	struct dt_content *next;
	enum dt_content_kind kind;
	struct dt_str text;
	const char *mime;
	const char *uri;
	const char *name;
	const char *title;
	const char *doc;
};

#endif
