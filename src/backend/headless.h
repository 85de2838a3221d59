/* backend/headless.h - the editor there is when there is no editor. */
#ifndef DT_BACKEND_HEADLESS_H
#define DT_BACKEND_HEADLESS_H

#include "editor/backend.h"
#include "editor/document.h"

/* It works on the workspace's documents and owns nothing else. */
struct dt_editor *dt_headless_new(struct dt_documents *docs);

#endif
