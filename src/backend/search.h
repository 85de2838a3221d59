/* backend/search.h - what is in the files of a workspace. */
#ifndef DT_BACKEND_SEARCH_H
#define DT_BACKEND_SEARCH_H

#include "backend/headless_state.h"

/*
 * Perform searchText: by ripgrep where it is installed, else by a thread.  Text
 * that is open and not saved comes before what is on disk.  For an agent, files
 * that are kept from agents are passed over as if they were not there: a number
 * of what was left out would tell whoever guesses what is in them.
 */
dt_headless_fn dt_search_perform;

#endif
