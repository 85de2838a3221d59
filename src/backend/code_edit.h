/* backend/code_edit.h - changes of code by language servers and programs. */
#ifndef DT_BACKEND_CODE_EDIT_H
#define DT_BACKEND_CODE_EDIT_H

#include "backend/headless_state.h"

/* The operations of that name. */
dt_headless_fn dt_headless_get_code_actions;
dt_headless_fn dt_headless_make_code_action;
dt_headless_fn dt_headless_prepare_rename;
dt_headless_fn dt_headless_make_rename;
dt_headless_fn dt_headless_make_format;

#endif
