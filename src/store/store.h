/*
 * store/store.h - what outlives the daemon, kept in one SQLite database.
 *
 * Everything here returns at once.  The work is done on a thread of its own,
 * in the order of the calls, and each call ends with exactly one callback on
 * the loop; calls may be made before the store has opened.  What is passed in
 * is copied; what a callback is given lives until it returns.
 *
 * A store that could not be opened answers every call with the reason.  Its
 * owner goes on without a memory, and says so to the person.
 *
 * What can be kept is in headers of their own: store/activity.h, store/audit.h,
 * store/reviews.h, store/sessions.h.
 */
#ifndef DT_STORE_STORE_H
#define DT_STORE_STORE_H

#include "base/err.h"
#include "loop/loop.h"

struct dt_store;

/* How a call ended: fail->code is DT_E_OK, or there is a sentence. */
typedef void dt_store_done_fn(struct dt_store *store,
                              const struct dt_fail *fail, void *owner);

/*
 * `note` is NULL, or a sentence a person should read although all is well: a
 * damaged or foreign file was moved aside.
 */
typedef void dt_store_opened_fn(struct dt_store *store, const char *note,
                                const struct dt_fail *fail, void *owner);

typedef void dt_store_closed_fn(void *owner);

/* Its folder must exist.  Close the store also when it failed to open. */
struct dt_store *dt_store_open(struct dt_loop *loop, const char *path,
                               dt_store_opened_fn *fn, void *owner);

/* All calls made so far end first; none may follow.  `fn` (or NULL) comes last,
 * when the file is closed and the store freed.  Once per store. */
void dt_store_close(struct dt_store *store, dt_store_closed_fn *fn,
                    void *owner);

#endif
