/* backend/clipboard.h - the person's clipboard, by the programs of the desktop. */
#ifndef DT_BACKEND_CLIPBOARD_H
#define DT_BACKEND_CLIPBOARD_H

#include "backend/headless_state.h"

/* Perform readClipboard and writeClipboard.  DT_E_DENIED unless the person has
 * opened it with context.clipboard. */
dt_headless_fn dt_clipboard_read;
dt_headless_fn dt_clipboard_write;

#endif
