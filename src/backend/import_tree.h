/* backend/import_tree.h - what a file imports, and what that imports. */
#ifndef DT_BACKEND_IMPORT_TREE_H
#define DT_BACKEND_IMPORT_TREE_H

#include "backend/headless_state.h"

/* Perform getImports, in a thread; unsaved text comes before what is on disk.
 * DT_E_UNSUPPORTED for a language whose imports are not known. */
dt_headless_fn dt_import_tree_perform;

#endif
