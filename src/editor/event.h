/* editor/event.h - what an editor reports without being asked. */
#ifndef DT_EDITOR_EVENT_H
#define DT_EDITOR_EVENT_H

#include "editor/operation.h"

#include <stdint.h>

enum dt_event_type {
	DT_EVENT_SELECTION, /* changed, or cleared: selection.path is NULL */
	DT_EVENT_MENTION,   /* the person points an agent at a file or lines */
	DT_EVENT_TOOLS,     /* the list of tools is another one */
	DT_EVENT_PROMPTS,   /* and that of prompts */
	DT_EVENT_DOCUMENTS, /* one was opened, closed or changed */
	DT_EVENT_DIAGNOSTICS, /* other problems are known than before */
};

enum dt_document_change {
	DT_DOCUMENT_OPENED,
	DT_DOCUMENT_CLOSED,
	DT_DOCUMENT_CHANGED, /* its text, or whether that is saved */
};

/* A file or some of its lines, 0-based, both included. */
struct dt_mention {
	const char *path;
	struct dt_maybe_u32 first;
	struct dt_maybe_u32 last;
};

/* Everything is lent until the call that passes it returns. */
struct dt_event {
	enum dt_event_type type;
	uint64_t sequence; /* counts up per daemon; consumers resume by it */
	struct dt_selection selection;
	struct dt_mention mention;
	const char *path; /* DOCUMENTS; DIAGNOSTICS: or NULL, several files */
	enum dt_document_change change; /* DOCUMENTS */
};

#endif
