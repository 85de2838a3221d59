/*
 * app/person.c - the check of the daemon's methods, for who needs no daemon.
 *
 * A command that writes a file itself could be run by an agent as well as by the
 * person.  That it asks here is a courtesy of this program: the file can be
 * written without it, see docs/internals/security.md.
 */
#include "app/person.h"

#include "app/remote.h"
#include "loop/lineage.h"

#include <unistd.h>

/* One that is older does not know the question, and then says so. */
static enum dt_err ask_daemon(const char *what, struct dt_fail *fail)
{
	struct dt_arena arena = { 0 };
	struct dt_fail why = { 0 };
	struct dt_remote *remote;
	enum dt_err err;

	if (dt_remote_open(&remote, NULL))
		return DT_E_OK;
	dt_remote_put(dt_remote_begin(remote), "what", what);
	err = dt_remote_call(remote, "person", &arena, NULL, &why);
	dt_remote_free(remote);
	dt_arena_done(&arena);
	return err == DT_E_DENIED ? dt_fail(fail, err, "%s", why.msg) : DT_E_OK;
}

enum dt_err dt_person_check(const char *what, struct dt_fail *fail)
{
	struct dt_lineage line;
	enum dt_err err = dt_lineage_read(getpid(), &line, fail);

	if (!err)
		err = dt_lineage_check_marks(&line, what, fail);
	return err ? err : ask_daemon(what, fail);
}
